"""The compiled launcher: `swift` in C, built once by a C compiler of the system or of the package ziglang; without one, Python does it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hotloop.dispatch.native import library

Ready = Callable[[tuple[Any, ...]], Any]
"""Takes a call's arguments; returns its result, or None where it cannot make it."""


def form(spec: tuple[object, ...]) -> Ready | None:
    """Return what makes the results of calls of one form; None where it cannot be had.

    Args:
        spec: what `launch.Prepared.form` returns; ``form.c`` says what stands where.
    """
    functions = library.functions()
    return None if functions is None else _made(functions.form, spec)


def known(spec: tuple[object, ...]) -> Ready | None:
    """Return what tells whether calls are of a form, and makes the results of those that are; None where it cannot be had.

    Args:
        spec: what `guarded.Known` asks; ``known.c`` says what stands where.
    """
    functions = library.functions()
    return None if functions is None else _made(functions.known, spec)


def _made(make: library.Maker, spec: tuple[object, ...]) -> Ready | None:
    try:
        return make(spec)
    except (ValueError, TypeError, IndexError, OverflowError, SystemError):  # more arguments than it has room for
        return None
