"""What is known of a program that was captured: its kernels, how it launches them, what it gives them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from statistics import median
from typing import Any

from hotloop.captures import series
from hotloop.model.jit import Descriptor

_NAMED = ("an image", "a pipe", "a sampler", "shared virtual memory")
"""Arguments of OpenCL's that are told by what they are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One argument of a launch."""

    name: str
    """Name of the parameter in Triton; position of the argument in OpenCL."""
    kind: str
    """``array``, ``number``, ``bytes`` (by value), ``local``, ``null``, or ``other``: what nothing is known of."""
    dtype: str = ""
    shape: tuple[int, ...] = ()
    strides: tuple[int, ...] = ()
    """Distances between neighbours along each dimension, in elements."""
    alias: str = ""
    """Name of an earlier argument that is the same memory."""
    overlaps: tuple[str, ...] = ()
    """Names of arguments whose memory begins within this one's."""
    text: str = ""
    """Value of a number; bytes by value as digits."""
    size: int = 0
    """Bytes from the first to the last element; of local memory its bytes."""
    values: str = ""
    """File of its values, empty where they were not kept."""
    whole: bool = False
    """False where the file has the beginning only."""
    descriptor: Descriptor | None = None

    @property
    def unknown(self) -> str:
        """Return why a launch cannot be made again with an argument of the kind ``other``.

        >>> Given(name="SHAPE", kind="other", text="(100, 1)").unknown
        'its argument SHAPE is a tuple, (100, 1), and tuples are not given again yet'
        """
        if self.text.startswith("("):
            return f"its argument {self.name} is a tuple, {self.text}, and tuples are not given again yet"
        if self.text in _NAMED:
            return f"its argument {self.name} is {self.text}, which is not given again yet"
        return f"nothing is known of its argument {self.name}{f' ({self.text})' if self.text else ''}"

    @property
    def rows(self) -> tuple[int, ...]:
        """Extents as they lie in memory, the one with the longest step first."""
        return tuple(
            extent for _, extent in sorted(zip(self.strides, self.shape, strict=False), key=lambda pair: -pair[0])
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Sized:
    """The grid that the program's own function gives for other constants."""

    constants: Mapping[str, int]
    grid: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Constant:
    """A compile-time parameter: JSON's own value as text, or an expression."""

    name: str
    text: str
    form: str
    """``value`` (JSON), ``expression``, or ``function``: the name of another kernel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Launched:
    """Launches of one kind: the same grid, types, shapes and constants."""

    grid: tuple[int, ...]
    """Work-items in OpenCL, programs in Triton."""
    group: tuple[int, ...] | None
    offset: tuple[int, ...] = ()
    arguments: tuple[Given, ...]
    constants: tuple[Constant, ...] = ()
    compiler: tuple[Constant, ...] = ()
    """Options of the compiler that the launch names, such as ``num_warps``."""
    grids: tuple[Sized, ...] = ()
    calls: int = 0
    times_ns: tuple[float, ...] = ()
    busy_ns: tuple[float, ...] = ()
    """Processor time of the process while each of them ran; empty where that is not known."""
    numbers: tuple[int, ...] = ()
    """Which launch each of them is of, the first has the number 1; empty where that is not known."""
    threads: int = 1
    """Threads that launched it, in processes that ran at the same time; their times overlap where there are several."""
    hidden: float | None = None
    """Share of its launches on a GPU that ended while the program still prepared the next one; None where that is not known."""

    @property
    def plain(self) -> Mapping[str, Any]:
        """Return the constants that are plain values."""
        return {constant.name: json.loads(constant.text) for constant in self.constants if constant.form == "value"}

    @property
    def obstacle(self) -> str:
        """Return why a launch of this kind cannot be made again outside of its program; empty where it can."""
        for argument in self.arguments:
            if argument.kind == "other":
                return argument.unknown
            if argument.overlaps:
                return f"its argument {argument.name} overlaps with {argument.overlaps[0]}"
        if any(self.offset):
            return f"it is launched with a global offset {self.offset}"
        names = [constant.name for constant in self.constants if constant.form == "function"]
        return f"its constant {names[0]} is another kernel" if names else ""

    @property
    def call_ns(self) -> float | None:
        """Return the median time of a launch, the first left out where there are others: it may compile."""
        rest = self.times_ns[1:] or self.times_ns
        return median(rest) if rest else None

    @property
    def total_ns(self) -> float | None:
        """Return what all its launches took, by the median of those that were timed in each doubling of their number."""
        return series.total(self.times_ns, self.numbers, self.calls)

    @property
    def busy_total_ns(self) -> float | None:
        """Return the processor time of all its launches; None where it is not known."""
        return series.total(self.busy_ns, self.numbers, self.calls)

    @property
    def bytes(self) -> int:
        """Return the bytes of all its arrays, each counted once."""
        return sum(argument.size for argument in self.arguments if argument.kind == "array" and not argument.alias)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuner:
    """What an autotuner of the program chooses among."""

    configs: tuple[Mapping[str, int | float | str | bool | None], ...]
    keys: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Captured:
    """One kernel of a program."""

    name: str
    """Name of its entry point, with a number where several kernels have the same."""
    entry: str
    language: str
    source: str
    """File of its text in the capture."""
    seal: str = ""
    """Digest of that text; empty in captures of older versions."""
    options: tuple[str, ...] = ()
    path: str = ""
    """File of the program where it stands, or where its text is put together."""
    line: int = 0
    last: int = 0
    digest: str = ""
    """Digest of that file when the program was captured."""
    refused: str = ""
    """Why its text cannot be taken out of its file; empty where it can."""
    search: tuple[str, ...] = ()
    package: str = ""
    uses: Mapping[str, str] = field(default_factory=dict)
    device: str = ""
    versions: str = ""
    """Version of the driver, or of Triton and PyTorch, on which the kernel's speed depends."""
    own: str = ""
    """Fingerprint of a function as it stands in its file."""
    folder: str = ""
    """Working folder of the program when it made the text; empty in captures of older versions."""
    native: bool = False
    """True where `path` is the program itself, compiled from sources that nobody named."""
    interpreted: bool = False
    tuner: Tuner | None = None
    launches: tuple[Launched, ...] = ()
    further: int = 0
    """Calls of further kinds, whose arguments were not recorded."""

    @property
    def calls(self) -> int:
        """Return all its launches."""
        return sum(launch.calls for launch in self.launches) + self.further

    @property
    def total_ns(self) -> float | None:
        """Return what all its launches took; launches of kinds that were not recorded count as the others."""
        timings = [(launch.total_ns, launch.calls) for launch in self.launches]
        timed = [(total, calls) for total, calls in timings if total is not None and calls]
        if not timed:
            return None
        total, calls = sum(number for number, _ in timed), sum(number for _, number in timed)
        return total * self.calls / calls

    @property
    def busy_total_ns(self) -> float | None:
        """Return the processor time of all its launches; None where that of some kind is not known."""
        known = [launch.busy_total_ns for launch in self.launches if launch.calls]
        calls = sum(launch.calls for launch in self.launches)
        if not known or not calls or any(one is None for one in known):
            return None
        return sum(one for one in known if one is not None) * self.calls / calls

    @property
    def obstacle(self) -> str:
        """Return why nothing of it can be optimized: its text is not to be had, or none of its launches can be made again; empty where it can."""
        if self.refused or not self.launches:
            return self.refused
        several = self.language == "triton"  # any kind of its launches will do
        usable = several and not all(launch.obstacle for launch in self.launches)
        return "" if usable else self.main.obstacle

    @property
    def threads(self) -> int:
        """Return how many threads launched it at the same time at most, in all processes: where there are several, its times overlap."""
        return max((launch.threads for launch in self.launches), default=1)

    @property
    def hidden(self) -> float:
        """Return the share of its time that the program's own hides, so that a faster kernel does not save it; 0 where nothing is known of it."""
        known = [(one.total_ns, one.hidden) for one in self.launches if one.total_ns and one.hidden is not None]
        total_ns = sum(total for total, _ in known)
        return sum(total * hidden for total, hidden in known) / total_ns if total_ns else 0.0

    @property
    def main(self) -> Launched:
        """Return the kind of launch that took most of its time."""
        return max(self.launches, key=lambda launch: (launch.total_ns or 0.0, launch.calls))


@dataclass(frozen=True, slots=True, kw_only=True)
class Capture:
    """One run of a program, with the kernels that it launched."""

    command: tuple[str, ...]
    """Program and script; further words are only counted, they may be secret."""
    folder: str
    """Working folder of the program."""
    made: str
    """Date and time, UTC."""
    tool: str
    """Version of hotloop that made it."""
    returncode: int | None
    ended: str
    """``itself``, ``limit``, ``stopped`` (by Ctrl-C) or ``signal``."""
    wall_s: float
    recording_s: float
    """Part of that time which recording took: reading values and writing them, and compiling what the program would find compiled."""
    processes: int
    cut: int
    """Processes with launches that ended without saying so: crashed, killed, or left by ``os._exit``."""
    problems: tuple[str, ...] = ()
    kernels: tuple[Captured, ...] = ()
    busy_s: float | None = None
    """Processor time of the program; None in captures of older versions."""
    recording_busy_s: float = 0.0
    """Processor time of recording."""

    @property
    def total_ns(self) -> float:
        """Return the time of all launches that could be timed."""
        return sum(kernel.total_ns or 0.0 for kernel in self.kernels)
