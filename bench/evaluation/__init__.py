"""The evaluation of extractors: pages, readings, scores, figures, tables, and the report that people look at."""
