"""Triton and Gluon programs in the caller's process: their text as a module, their kernels compiled, values in place."""

from __future__ import annotations

import linecache
import threading
from functools import partial
from typing import TYPE_CHECKING, Any

from hotloop.dispatch import straight
from hotloop.dispatch.straight import Straight
from hotloop.drivers import jit as _jit
from hotloop.drivers.interpreting import count_by_numbers
from hotloop.drivers.jit import Module
from hotloop.model.jit import Meta, parse
from hotloop.model.program import Array
from hotloop.model.record import digest

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import torch

    from hotloop.model.program import Argument, Launch, Program

_lock = threading.Lock()
_modules: dict[str, dict[str, Any]] = {}
"""Module that each source text defines."""


class Slot:
    """Where a tensor goes, or the descriptor of one."""

    __slots__ = ("describe", "name")

    def __init__(self, name: str, describe: Callable[[Any], object] | None) -> None:
        self.name, self.describe = name, describe


class Described:
    """Makes the descriptors of one slot. The first is checked by Triton; all others differ from it in their memory alone.

    The tensors of a prepared launch agree in type, shape, strides and alignment, and those are what Triton's checks look at. They
    take several µs for each descriptor of each call.
    """

    __slots__ = ("_kind", "_make", "_rest")

    def __init__(self, make: Callable[[Any], object]) -> None:
        self._make = make
        self._kind: type[Any] | None = None
        self._rest: dict[str, object] = {}

    def __call__(self, tensor: torch.Tensor) -> object:
        """Return the descriptor of a tensor."""
        if self._kind is not None:
            made = object.__new__(self._kind)
            made.__dict__.update(self._rest)
            made.base = tensor
            return made
        first = self._make(tensor)
        fields = getattr(first, "__dict__", {})
        if fields.get("base") is tensor:  # else a Triton whose descriptors are made in another way
            self._rest = {name: value for name, value in fields.items() if name != "base"}  # keeps no memory alive
            self._kind = type(first)
        return first


class Submission:
    """One launch: its arguments, with slots where each call's tensors go."""

    __slots__ = ("_described", "_given", "_plain", "run", "straight")

    def __init__(self, given: Sequence[object]) -> None:
        slots = [(index, argument) for index, argument in enumerate(given) if isinstance(argument, Slot)]
        self._given = list(given)
        self._plain = tuple((index, slot.name) for index, slot in slots if slot.describe is None)
        self._described = tuple(
            (index, slot.name, Described(slot.describe)) for index, slot in slots if slot.describe is not None
        )
        self.run: Callable[..., object]
        """Takes all arguments."""
        self.straight: Straight | None = None
        """Submits by addresses; None where Triton's launcher is another than those that are known."""

    def __call__(self, arrays: Mapping[str, torch.Tensor]) -> None:
        """Submit to the current stream."""
        given = self.filled(arrays)
        self.run(*given)
        if self.straight is not None and self._described:
            self.straight.learn({name: arrays[name].data_ptr() for _, name, _ in self._described}, given)

    @property
    def slots(self) -> tuple[tuple[tuple[int, str], ...], tuple[tuple[int, str], ...]]:
        """Places and names of plain addresses, and of descriptors."""
        return self._plain, tuple((index, name) for index, name, _ in self._described)

    def knows(self, addresses: Mapping[str, int]) -> bool:
        """Tell whether a launch can be submitted by addresses alone."""
        return self.straight is not None and self.straight.knows(addresses)

    def submit(self, addresses: Mapping[str, int], stream: int) -> None:
        """Submit to a stream of the current device, on arrays at addresses by name."""
        assert self.straight is not None
        self.straight(addresses, stream)

    def step(self, arrays: Mapping[str, int]) -> tuple[object, ...] | None:
        """Return this launch for `native`, whose arrays have numbers; None where it cannot be launched by addresses."""
        return None if self.straight is None else self.straight.step(arrays)

    def filled(self, arrays: Mapping[str, torch.Tensor]) -> list[object]:
        """Return the arguments of one call."""
        given = self._given.copy()
        for index, name in self._plain:
            given[index] = arrays[name]
        for index, name, describe in self._described:
            given[index] = describe(arrays[name])
        return given


def prepared(program: Program, arrays: Mapping[str, torch.Tensor]) -> tuple[Submission, ...]:
    """Return a program's launches, compiled for these tensors on the current device.

    Raises:
        BuildError: the text is no module with these kernels; Triton's compiler has errors of its own.
    """
    meta = parse(program.options)
    names = _names(program, meta)
    module = Module(names, meta, _jit.evaluated(names, meta))
    return tuple(_submission(module, program, launch, arrays) for launch in program.launches if launch.work_items)


def _submission(module: Module, program: Program, launch: Launch, arrays: Mapping[str, torch.Tensor]) -> Submission:
    options = _jit.compiler_options(module, program, launch)
    function, grid = _jit.function(module, launch.entry), _jit.grid(launch)
    made = Submission(
        list(_jit.placed(function, module, launch, partial(_value, module.meta.seen_by(launch.entry))).values())
    )
    compiled = function.warmup(*made.filled(arrays), grid=grid, **options)
    if compiled is None:  # interpreted
        count_by_numbers()
    made.run = partial(function[grid], **options) if compiled is None else compiled[grid]
    if compiled is not None and straight.ASKED:
        made.straight = straight.of(compiled, grid, made.filled(arrays), *made.slots)
    return made


def _value(meta: Meta, argument: Argument) -> object:
    if not isinstance(argument, Array):
        return _jit.argument(meta, argument, {})
    return Slot(argument.name, _jit.describer(meta, argument.name) if _jit.by_descriptor(meta, argument) else None)


def _names(program: Program, meta: Meta) -> dict[str, Any]:
    """Return what a program's text defines, as a module of its own whose text Triton finds where Python keeps lines."""
    key = digest([program.source, meta.package])
    with _lock:
        if key not in _modules:
            name, path = (
                f"{meta.package or 'hotloop'}.text_{key[:16]}",
                f"<{program.source_name or 'kernel'} {key[:16]}>",
            )
            linecache.cache[path] = (len(program.source), None, program.source.splitlines(keepends=True), path)
            _modules[key] = vars(_jit.executed(program, name, path))
        return _modules[key]
