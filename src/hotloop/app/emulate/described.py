"""Tensor descriptors in code for AMD's GPUs that have no engine for them: the code takes an address and numbers instead, and loads plainly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile
from math import prod
from typing import TYPE_CHECKING

from hotloop.emulate import program as executable
from hotloop.emulate.launch import visible
from hotloop.errors import UsageError
from hotloop.model.jit import Descriptor
from hotloop.model.program import Address, Argument, Array, Value

if TYPE_CHECKING:
    from hotloop.compilers.offer import Compiled


def described(given: Argument, descriptors: Mapping[str, Descriptor]) -> Descriptor | None:
    """Return the descriptor that an argument is passed as, if it is one."""
    return descriptors.get(given.name) if isinstance(given, Array) and not isinstance(given, Address) else None


def kind(pointed: str, made: Descriptor) -> str:
    """Return Triton's type of a descriptor of what points to elements of type `pointed`.

    >>> kind("*fp16", Descriptor((70, 50), (32, 16)))
    'tensordesc<fp16[32, 16]>'

    Raises:
        UsageError: it has a layout, which only copies by an engine need.
    """
    if made.layout:
        raise UsageError(
            "tensor descriptors with a layout are copied to shared memory by an engine that NVIDIA's GPUs have; choose a variant without."
        )
    return f"tensordesc<{pointed.removeprefix('*')}{list(made.block)}>"


def spread(arguments: Sequence[Argument], descriptors: Mapping[str, Descriptor], code: Compiled) -> Iterator[Argument]:
    """Yield the arguments of a launch as the code takes them.

    A descriptor is an address, extents and strides, flags about values outside of the tensor (their number depends on Triton's version,
    and all are off), and once more extents and strides.
    """
    taken = [argument.size for argument in visible(executable.load(code.listing, code.kernel, code.target))]
    place = 0
    for argument in arguments:
        before = place
        for one in _parts(argument, described(argument, descriptors), taken[place:]):
            yield one
            place += 1
        assert place > before


def _parts(given: Argument, made: Descriptor | None, sizes: Sequence[int]) -> Iterator[Argument]:
    yield given
    if made is None:
        return
    strides = made.strides or tuple(prod(made.shape[axis + 1 :]) for axis in range(len(made.shape)))
    numbers = [Value(number, "int64") for number in (*made.shape, *strides)]
    yield from numbers
    yield from (Value(0, "bool") for _ in takewhile(lambda size: size == 1, sizes[1 + len(numbers) :]))
    yield from (Value(extent, "int32") for extent in made.shape)
    yield from (Value(stride, "int64") for stride in strides)
