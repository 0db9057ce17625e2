"""Where in the program's own files a launch or a source comes from."""

from __future__ import annotations

import hashlib
import sys
from functools import lru_cache
from pathlib import Path
from types import FrameType

_FOREIGN = (
    "/pyopencl/",
    "/triton/",
    "/hotloop/",
    "<",
    "/torch/",
    "/contextlib.py",
    "/functools.py",
    "/pytools/",
    "/cupy/",
)


def caller() -> tuple[str, int]:
    """Return file and line of the program that leads here: the innermost that is no library of launching."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - inspect.stack reads files
    while frame is not None:
        path = frame.f_code.co_filename
        if not any(part in path or path.startswith("<") for part in _FOREIGN):
            return path, frame.f_lineno
        frame = frame.f_back
    return "", 0


@lru_cache(maxsize=256)
def digest(path: str) -> str:
    """Return the fingerprint of a file, empty where it cannot be read."""
    try:
        return hashlib.sha256(Path(path).read_bytes()).hexdigest()[:16]
    except OSError:
        return ""
