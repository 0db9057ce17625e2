"""Arguments of a kernel as a person writes them: ``x=f32:4096``, ``n=i32:=100``, ``y=f32:64x64:fresh``, ``tile=local:1024``."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop import offline_api
from hotloop.compilers.offer import Passed
from hotloop.emulate.launch import visible
from hotloop.errors import UsageError
from hotloop.model.dtype import dtype_of
from hotloop.model.program import Local

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.program import Program

_TYPES = {
    "f16": "float16", "f32": "float32", "f64": "float64", "bf16": "bfloat16", "fp8": "float8_e4m3fn",
    "i8": "int8", "i16": "int16", "i32": "int32", "i64": "int64", "u8": "uint8", "u16": "uint16", "u32": "uint32", "u64": "uint64",
}  # fmt: skip
_TRITON = {numpy: triton for triton, numpy in offline_api.NUMPY.items()}
_FILLS = ("normal", "ones", "zeros", "count", "fresh", "scratch")
"""What an array holds; the last two hold nothing yet, and of `fresh` every element is to be written."""
_FORM = "write NAME=TYPE:SHAPE[:FILL] for an array, NAME=TYPE:=VALUE for a number or NAME=local:BYTES for local memory"
_LOCAL_ALIGNMENT_BYTES = 16
"""Alignment of arguments in local memory: that of the widest vector that an access moves at once."""


@dataclass(frozen=True, slots=True)
class Given:
    """Arguments of a launch in order, with their arrays."""

    values: tuple[Any, ...]
    """Names of arrays, NumPy scalars, `Local` for local memory, None for a null pointer."""
    arrays: dict[str, NDArray[np.generic]]
    fresh: frozenset[str]
    outputs: frozenset[str] = frozenset()
    """Those of the fresh arrays of which every element is to be written."""


def parse(texts: Sequence[str], rng: np.random.Generator) -> Given:
    """Return the arguments that texts describe.

    Args:
        texts: one an argument, in order.
        rng: draws random contents.

    Raises:
        UsageError: a text that is not understood.
    """
    values, arrays, fresh, outputs = list[Any](), dict[str, "NDArray[np.generic]"](), set[str](), set[str]()
    for text in texts:
        if text == "null":
            values.append(None)
            continue
        name, kind, form = _divided(text)
        if kind == "local":
            values.append(Local(_whole(text, form)))
            continue
        if form.startswith("="):
            values.append(_number(text, form[1:], kind))
            continue
        shape, _, fill = form.partition(":")
        arrays[name] = _filled(text, shape, fill or "normal", kind, rng)
        values.append(name)
        if fill in ("fresh", "scratch"):
            fresh.add(name)
        if fill == "fresh":
            outputs.add(name)
    return Given(tuple(values), arrays, frozenset(fresh), frozenset(outputs))


def passed(texts: Sequence[str]) -> tuple[Passed | None, ...]:
    """Return what a compiler is told of the arguments that texts describe; nothing of local memory, which is no parameter there.

    Raises:
        UsageError: a text that is not understood.
    """
    return tuple(map(_passed, texts))


def _passed(text: str) -> Passed | None:
    if text == "null":
        return Passed()
    _, kind, form = _divided(text)
    if kind == "local":
        return None
    named = _TRITON[_TYPES[kind]]
    if not form.startswith("="):
        return Passed(f"*{named}")
    value = _number(text, form[1:], kind)
    return Passed(named, int(value) if kind[0] in "iu" else float(value))


def _divided(text: str) -> tuple[str, str, str]:
    """Return name, type and the rest of an argument. Raises UsageError."""
    name, _, rest = text.partition("=")
    kind, _, form = rest.partition(":")
    if not name or (kind != "local" and (kind not in _TYPES or not form)):
        raise UsageError(f"argument {text!r} is not understood: {_FORM}; types: {', '.join(_TYPES)}.")
    return name, kind, form


def laid(values: Sequence[Any], program: Program) -> tuple[tuple[Any, ...], int]:
    """Return arguments with each local one at its place behind the kernel's own local memory, and the bytes that they add.

    Where a kernel has no such arguments (HIP, CUDA C++), `Local` only says how much memory the launch brings.

    Args:
        values: as in `Given`.
        program: whose arguments they are.
    """
    takes = any(argument.kind == "dynamic_shared_pointer" for argument in visible(program))
    static_bytes = program.descriptor.lds_bytes
    placed, end = list[Any](), static_bytes
    for value in values:
        if isinstance(value, Local):
            begin = -(-end // _LOCAL_ALIGNMENT_BYTES) * _LOCAL_ALIGNMENT_BYTES if takes else end
            end = begin + value.local_bytes
            placed += [np.uint32(begin)] if takes else []
        else:
            placed.append(value)
    return tuple(placed), end - static_bytes


def _whole(text: str, word: str) -> int:
    if not word.isdecimal() or not 0 < int(word) < 1 << 32:
        raise UsageError(f"argument {text!r}: {word!r} is no number of bytes.")
    return int(word)


def _number(text: str, word: str, kind: str) -> Any:  # noqa: ANN401 - a NumPy scalar of any type
    dtype = dtype_of(_TYPES[kind])
    try:
        number: float | int = int(word, 0) if kind[0] in "iu" else float(word)
        return np.array(number).astype(dtype)[()]
    except (ValueError, OverflowError):
        raise UsageError(f"argument {text!r}: {word!r} is no {kind} number.") from None


def _filled(text: str, shape: str, fill: str, kind: str, rng: np.random.Generator) -> NDArray[np.generic]:
    try:
        sizes = tuple(int(part) for part in shape.split("x"))
    except ValueError:
        sizes = (0,)
    if min(sizes) <= 0 or fill not in _FILLS:
        raise UsageError(f"argument {text!r} is not understood: {_FORM}; fills: {', '.join(_FILLS)}.")
    dtype = dtype_of(_TYPES[kind])
    try:
        if fill in ("zeros", "fresh", "scratch"):
            return np.zeros(sizes, dtype)
        return _drawn(sizes, fill, whole=kind[0] in "iu", rng=rng).astype(dtype)
    except (MemoryError, ValueError, OverflowError):  # NumPy's error for a number that the type cannot hold
        raise UsageError(f"argument {text!r} does not fit in memory; give fewer elements.") from None


def _drawn(sizes: tuple[int, ...], fill: str, *, whole: bool, rng: np.random.Generator) -> NDArray[np.generic]:
    match fill:
        case "ones":
            return np.ones(sizes)
        case "count":
            return np.arange(prod(sizes)).reshape(sizes).astype(np.float64)
        case _:
            return rng.integers(0, 64, sizes).astype(np.float64) if whole else rng.standard_normal(sizes)
