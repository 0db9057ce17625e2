"""A program launched on tensors: compiled once for each form of call, then only given addresses.

Preparing costs milliseconds or, where a compiler runs, seconds. It is done once for calls whose tensors agree in type, shape,
strides and alignment; such calls may come from several threads and streams, and while a graph is captured.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

from hotloop.dispatch import counters, cuda, jit, straight
from hotloop.dispatch.arguments import torch
from hotloop.drivers.torch import torch_type
from hotloop.model.jit import parse

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hotloop.dispatch.swift import Inputs, Output
    from hotloop.model.device import Device
    from hotloop.model.program import Program, Scratch


class Launch(Protocol):
    """One launch of a program."""

    def __call__(self, arrays: Mapping[str, torch.Tensor]) -> None:
        """Submit to the current stream, on tensors by name."""

    def knows(self, addresses: Mapping[str, int]) -> bool:
        """Tell whether `submit` can do it by these addresses."""

    def submit(self, addresses: Mapping[str, int], stream: int) -> None:
        """Submit to a stream of the current device."""

    def step(self, arrays: Mapping[str, int]) -> tuple[object, ...] | None:
        """Return the launch for `native`, whose arrays have numbers; None where that cannot do it."""


_COUNTER = "int32"


@dataclass(frozen=True, slots=True)
class Area:
    """Scratch memory of a program."""

    name: str
    elements: int
    dtype: torch.dtype
    use: str
    """Programs that say the same share zeroed memory; empty for memory that begins with anything."""

    def memory(self, device: torch.device) -> torch.Tensor:
        """Return the area for one call on the current stream."""
        if self.use:
            return counters.zeros(device, self.elements, self.use)
        return torch.empty((self.elements,), dtype=self.dtype, device=device)


class Prepared:
    """The launches of a program on one device."""

    __slots__ = ("_areas", "_current", "_device", "_launches", "_stream")

    def __init__(self, device: torch.device, areas: tuple[Area, ...], launches: tuple[Launch, ...]) -> None:
        self._device, self._areas, self._launches = device, areas, launches
        on_gpu = device.type == "cuda"
        self._current = getattr(torch._C, "_cuda_getDevice", torch.cuda.current_device) if on_gpu else _nowhere  # noqa: SLF001
        self._stream = getattr(torch._C, "_cuda_getCurrentRawStream", _stream) if on_gpu else _stream  # noqa: SLF001

    def __call__(self, arrays: dict[str, torch.Tensor]) -> None:
        """Launch on the current stream, on tensors by the names of the program's arrays; scratch is added to them."""
        device = self._device
        straight.COUNTED["by tensors"] += 1
        for area in self._areas:
            arrays[area.name] = area.memory(device)
        if device.index == self._current():  # entering a context takes longer than asking
            for launch in self._launches:
                launch(arrays)
            return
        with torch.cuda.device(device):
            for launch in self._launches:
                launch(arrays)

    def form(self, outputs: Sequence[Output], inputs: Inputs, *, single: bool) -> tuple[object, ...] | None:
        """Return all that `straight` does for `native`, with the results that are made and the arguments that are read before."""
        names = [output.name for output in outputs] + [name for name, _ in inputs] + [area.name for area in self._areas]
        numbers = {name: number for number, name in enumerate(names)}
        steps = tuple(launch.step(numbers) for launch in self._launches)
        if None in steps or self._device.index is None:
            return None
        listened = any(callable(step[0]) for step in steps if step is not None)
        return (
            tuple((*output.made, numbers[output.name]) for output in outputs),
            tuple((index, numbers[name]) for name, index in inputs),
            tuple((area.memory, (self._device,), numbers[area.name]) for area in self._areas),
            self._current, self._stream, self._device.index, straight.runtime() if listened else None, steps, int(single),
            self,  # owns what was loaded: Triton unloads a kernel that nobody holds
        )  # fmt: skip

    def straight(self, addresses: dict[str, int]) -> bool:
        """Launch on the current stream by the addresses of all arrays but scratch; return False where that cannot be done.

        It can after a first call by tensors, on the current device.
        """
        device = self._device
        if device.index != self._current():
            return False
        scratch = []  # holds the memory until everything is submitted
        for area in self._areas:  # before anybody is asked: a launch may take a description of scratch, too
            memory = area.memory(device)
            scratch.append(memory)
            addresses[area.name] = memory.data_ptr()
        if not all(launch.knows(addresses) for launch in self._launches):
            return False
        stream = self._stream(device.index)
        for launch in self._launches:
            launch.submit(addresses, stream)
        return True


def _stream(index: int) -> int:
    return int(torch.cuda.current_stream(index).cuda_stream)


def _nowhere() -> int:
    """Return the number of no device."""
    return -1


def run(program: Program, device: Device, arrays: Mapping[str, torch.Tensor]) -> None:
    """Launch a program once."""
    given = dict(arrays)
    prepared(program, device, given)(given)


def prepared(program: Program, device: Device, arrays: Mapping[str, torch.Tensor]) -> Prepared:
    """Return a program's launches, compiled for tensors of these types, shapes, strides and alignments.

    Raises:
        BuildError: the kernel does not compile; other errors of Triton's compiler likewise.
        MachineError: the driver refuses to load it.
    """
    place = next(iter(arrays.values())).device
    areas = tuple(_area(program, scratch) for scratch in program.scratch)
    given = {**arrays, **{area.name: area.memory(place) for area in areas}}
    with torch.cuda.device(place):
        if program.language == cuda.LANGUAGE:
            return Prepared(place, areas, cuda.prepared(program, device, place.index or 0))
        return Prepared(place, areas, jit.prepared(program, given))


def _area(program: Program, scratch: Scratch) -> Area:
    dtype = _COUNTER if program.language == cuda.LANGUAGE else parse(program.options).dtypes.get(scratch.name, "uint8")
    if scratch.zeroed and dtype != _COUNTER:
        raise ValueError(f"{scratch.name} is zeroed scratch of {dtype}; counters are {_COUNTER}")
    kind = torch_type(dtype)
    use = f"{program.build_key} {scratch.name}" if scratch.zeroed else ""
    return Area(scratch.name, -(-scratch.scratch_bytes // kind.itemsize), kind, use)
