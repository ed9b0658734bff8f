"""The page as a tree: its bytes decoded, parsed once, cleaned, and read as running text."""
