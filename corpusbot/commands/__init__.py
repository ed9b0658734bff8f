"""The commands of `corpusbot`, one module each: `SAYS`, `add_arguments(parser)` and `run(options) -> int`."""

# In the order of `corpusbot --help`. A command is named as its module, with dashes; a word of Python has a _ behind it.
COMMANDS = (
    "extract",
    "explain",
    "try_",
    "check",
    "export",
    "versions",
    "reextract",
    "verify",
    "pages",
    "compact",
    "similar",
    "clusters",
    "import_webreader",
    "schema",
)
