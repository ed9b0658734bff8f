"""Two sample newspapers written from a seed and the server that prints them.

The command: `python -m tests.press --help`.
"""

from tests.press.gold import Gold
from tests.press.press import Press, Visit
from tests.press.server import Serving, serve

__all__ = ["Gold", "Press", "Serving", "Visit", "serve"]
