"""Why a file cannot be read as a profile."""

from __future__ import annotations

from hotloop.errors import UsageError


class ProfileError(UsageError):
    """A file that is no profile, or a damaged one; the message names the file, the place and what to do."""


def printable(text: str, limit: int = 200) -> str:
    r"""Return outside text fit for a message: control characters spelled out, shortened.

    >>> printable("a\x1b[2Jb")
    'a\\x1b[2Jb'
    """
    shown = "".join(c if c.isprintable() else c.encode("unicode_escape", "backslashreplace").decode() for c in text)
    return shown if len(shown) <= limit else f"{shown[: limit - 1]}…"
