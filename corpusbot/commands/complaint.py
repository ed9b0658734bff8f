"""What is wrong, told in one line on stderr."""

from __future__ import annotations

import sys


def complain(problem: Exception | str) -> None:
    """Tell a problem; one of the system's has its file's name in front."""
    text = str(problem)
    if isinstance(problem, OSError) and problem.filename is not None:
        text = f"{problem.filename}: {problem.strerror}"
    print(f"corpusbot: {text}", file=sys.stderr)
