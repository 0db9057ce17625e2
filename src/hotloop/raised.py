"""What the code of a user's file raised, in one line: the type, its words, and the line of the file."""

from __future__ import annotations

import sys
import traceback
from pathlib import Path

_OWN = str(Path(__file__).parent)
"""Folder of hotloop itself."""


def raised(error: BaseException, when: str = "") -> str:
    r"""Return an error of a user's code for a sentence; the place is the innermost line that is no library's.

    >>> raised(ValueError("two\nlines"))
    'ValueError: two lines'
    >>> raised(MemoryError(), " when it is loaded")
    'MemoryError when it is loaded'
    """
    try:
        words = " ".join(str(error).split())
    except Exception:  # noqa: BLE001 - the error's own text is the user's code, too
        words = ""
    said = f": {words.rstrip('.')}" if words else ""
    return f"{type(error).__name__}{when}{said}{_place(error)}"


def _place(error: BaseException) -> str:
    """Return `` (FILE:LINE)``; empty where only libraries were running."""
    libraries = ("<", *(f"{folder}/" for folder in (_OWN, sys.prefix, sys.base_prefix)))
    frames = traceback.extract_tb(error.__traceback__)
    for frame in reversed(frames):
        if not frame.filename.startswith(libraries) and frame.lineno:
            return f" ({Path(frame.filename).name}:{frame.lineno})"
    return ""
