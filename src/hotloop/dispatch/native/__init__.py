"""The compiled launcher: `swift` in C, built once by a C compiler of the system or of the package ziglang; without one, Python does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hotloop.dispatch.native import library


def form(spec: tuple[object, ...]) -> Callable[[tuple[Any, ...]], Any] | None:
    """Return what makes the results of calls of one form from their arguments, or None; None where it cannot be had.

    Args:
        spec: what `launch.Prepared.form` returns; ``calls.c`` says what stands where.
    """
    make = library.function()
    if make is None:
        return None
    try:
        made: Callable[[tuple[Any, ...]], Any] = make(spec)
    except (ValueError, TypeError, IndexError, OverflowError, SystemError):  # more arguments than it has room for
        return None
    return made
