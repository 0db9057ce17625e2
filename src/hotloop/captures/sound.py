"""Whether an index says what a capture can say: one that was edited, damaged or made by something else is refused before it is used."""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import inf
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from hotloop.errors import UsageError
from hotloop.model.dtype import dtype_of
from hotloop.model.language import language

if TYPE_CHECKING:
    from hotloop.captures.nouns import Capture, Captured, Constant, Given, Launched

_KINDS = ("array", "number", "bytes", "local", "null", "other")
_MOST_BYTES = 1 << 42
"""No array of a program is larger than 4 TiB."""
_MOST_ITEMS = 1 << 48
_FORMS = ("value", "expression", "function")
_OPTIONS = {"num_warps": 1, "num_stages": 0}
"""Options of a compiler that are counts, and the least of each."""
_MOST_COUNTED = 64


def refuse(folder: Path, capture: Capture) -> None:
    """Raise UsageError where something in an index cannot be."""
    for problem in _problems(capture):
        raise UsageError(f"{folder} is damaged or no capture of hotloop's: {problem}; capture the program again.")


def _problems(capture: Capture) -> Iterator[str]:
    for kernel in capture.kernels:
        yield from _kernel(kernel)


def _kernel(kernel: Captured) -> Iterator[str]:
    if not language(kernel.language).recorded:
        yield f"{kernel.name} is in {kernel.language or 'no language'}"
    if not _inside(kernel.source):
        yield f"the text of {kernel.name} stands in {kernel.source or 'no file'}, outside of it"
    if not kernel.launches:
        yield f"{kernel.name} has no launch"
    if language(kernel.language).jit and not kernel.entry.isidentifier():
        yield f"{kernel.name} begins at {kernel.entry!r}, which is no name of a function"
    for launched in kernel.launches:
        yield from (
            f"{kernel.name} {problem}" for problem in _launched(launched, digits=not language(kernel.language).jit)
        )


def _launched(launched: Launched, *, digits: bool) -> Iterator[str]:
    sizes = (*launched.grid, *(launched.group or ()))
    if not 1 <= len(launched.grid) <= 3 or any(not 0 <= size < _MOST_ITEMS for size in sizes):
        yield f"is launched with the grid {launched.grid} and the group {launched.group}"
    if launched.group is not None and (len(launched.group) != len(launched.grid) or not all(launched.group)):
        yield f"is launched with the group {launched.group} in the grid {launched.grid}"
    if launched.calls < 0 or not all(0 <= time_ns < inf for time_ns in (*launched.times_ns, *launched.busy_ns)):
        yield "has a negative count or time"
    if launched.hidden is not None and not 0 <= launched.hidden <= 1:
        yield f"is hidden by the program in {launched.hidden} of its launches"
    if launched.numbers and list(launched.numbers) != sorted(
        {one for one in launched.numbers if 0 < one <= launched.calls}
    ):
        yield "was timed in an order that cannot be"
    for option, constants in enumerate((launched.constants, launched.compiler)):
        for constant in constants:
            yield from (
                f"has a constant {constant.name} {problem}" for problem in _constant(constant, option=bool(option))
            )
    names = {argument.name for argument in launched.arguments}
    for given in launched.arguments:
        yield from (f"has an argument {given.name} {problem}" for problem in _given(given, names, digits=digits))


def _constant(constant: Constant, *, option: bool) -> Iterator[str]:
    if constant.form not in _FORMS:
        yield f"of the form {constant.form!r}"
    if constant.form != "value" and not option:
        return
    try:
        value = json.loads(constant.text)
    except (ValueError, RecursionError):
        yield f"with the value {constant.text!r}"
        return
    least = _OPTIONS.get(constant.name) if option else None
    if isinstance(value, list | dict) or (least is not None and not _count(value, least)):
        yield f"with the value {constant.text!r}"


def _count(value: object, least: int) -> bool:
    return value is None or (isinstance(value, int) and not isinstance(value, bool) and least <= value <= _MOST_COUNTED)


def _given(given: Given, names: set[str], *, digits: bool) -> Iterator[str]:
    if given.kind not in _KINDS:
        yield f"of kind {given.kind!r}"
    if not 0 <= given.size < _MOST_BYTES:
        yield f"of {given.size} B"
    if given.values and not _inside(given.values):
        yield f"whose values stand in {given.values}, outside of it"
    if given.alias and given.alias not in names:
        yield f"that is the same as {given.alias}, which there is not"
    if given.kind == "bytes" and digits and not _digits(given.text):
        yield f"whose bytes are {given.text!r}"
    if given.kind == "array" and (given.dtype or not digits) and not _known(given.dtype):
        yield f"of the type {given.dtype!r}"


def _inside(name: str) -> bool:
    path = PurePosixPath(name)
    return bool(name) and not path.is_absolute() and ".." not in path.parts and "\0" not in name


def _digits(text: str) -> bool:
    try:
        return bool(bytes.fromhex(text))
    except ValueError:
        return False


def _known(dtype: str) -> bool:
    try:
        dtype_of(dtype)
    except (TypeError, ValueError):
        return False
    return True
