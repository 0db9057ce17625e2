"""A ladder: variants (rungs) of one kernel from naive to best as data; each changes one thing of the rung below it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from hotloop.errors import UnknownNameError
from hotloop.model.record import Record, Scalar

UP, DOWN, SAME = "up", "down", "same"
"""Direction in which a fact is expected to change from the rung below."""


@dataclass(frozen=True, slots=True)
class Reported:
    """A statement by others about a rung, which hotloop never measured."""

    text: str
    source: str
    target: str = ""
    """Processor that the statement is about; empty: all processors of the ladder."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claims:
    """Figures of a compiler that others report about a rung; None: not reported."""

    vgprs: int | None = None
    waves: int | None = None
    """Waves per SIMD, considering all limits."""
    lds_bytes: int | None = None
    spills: int | None = None
    target: str = ""
    """Processor that the figures are about; empty: all processors of the ladder."""
    source: str = ""


@dataclass(frozen=True, slots=True)
class Bounds:
    """Upper bounds on the resources of a rung's code on an NVIDIA card; None: no bound."""

    registers: int | None = None
    """Registers per thread."""
    spilled_bytes: int | None = None
    """Local memory per thread: spills, and arrays that are not in registers."""
    shared_bytes: int | None = None
    """Shared memory per block, static and dynamic."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rung:
    """One variant of a ladder and the change that it makes."""

    name: str
    change: str
    """The change in words."""
    after: str = ""
    """Name of the rung below, with which it is compared; empty for the first rung."""
    technique: str = ""
    """Name of the technique in hotloop's menu; empty if the menu has none."""
    item: str = ""
    """Number of the step in a roadmap that the ladder follows."""
    claims: Claims | None = None
    """Compiler figures that others report; compiling here confirms or refutes them."""
    kernel: str = ""
    """Function of the ladder's source file; the compiler is asked for ``KERNEL_TARGET``."""
    implementation: str = ""
    """Implementation that it configures; empty: that of the rung below, or for the first rung the family's first."""
    config: Record = field(default_factory=Record)
    """Parameters that differ from the rung below, or from the start of `implementation` if that is given."""
    config_on: Mapping[str, Record] = field(default_factory=dict)
    """Further parameters by processor target, e.g. wider vectors on ``x86-64-avx512``."""
    problem: Record = field(default_factory=Record)
    """Sizes and options of the problem that differ from the rung below, or for the first rung from the ladder's problem."""
    options: tuple[str, ...] = ()
    """Further options of the compiler."""
    wave: int | None = None
    """Lanes of a wave; None: the target's default."""
    mode: str | None = None
    """``cu`` or ``wgp``; None: the target's default."""
    targets: tuple[str, ...] = ()
    """Processors on which it exists; empty: all processors of the ladder."""
    series: str = ""
    """Rungs of one series are compared with each other; the ladder proper has none."""
    reported: tuple[Reported, ...] = ()
    moves: tuple[tuple[str, str], ...] = ()
    """Expected cause of the gain, stated before the first run: (fact, direction)."""
    bounds: Bounds = field(default_factory=Bounds)

    def exists_on(self, target: str) -> bool:
        """Return whether the rung exists on a target."""
        return not self.targets or target in self.targets


@dataclass(frozen=True, slots=True)
class Missing:
    """A technique that the family cannot express yet."""

    name: str
    reason: str
    item: str = ""
    reported: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ladder:
    """Rungs in the order in which they are climbed."""

    name: str
    family: str
    title: str
    language: str = ""
    """Language of all rungs; empty: each rung has that of its implementation."""
    targets: tuple[str, ...]
    """Processors, or ``cpu``."""
    rungs: tuple[Rung, ...]
    source: str = ""
    """File beside the ladder that holds the kernels, in Python or in what the collection's `unit` knows; empty: the family's
    own implementation."""
    start: Record = field(default_factory=Record)
    """Parameters of the first rung that differ from the implementation's own start."""
    problem: Record = field(default_factory=Record)
    """Sizes that differ from the family's own problem."""
    ragged: tuple[Record, ...] = ()
    """Further sizes, as differences, on which rungs are verified that solve the ladder's problem; no tile divides them."""
    missing: tuple[Missing, ...] = ()
    notes: tuple[str, ...] = ()

    def on(self, target: str) -> tuple[Rung, ...]:
        """Return the rungs that a target has."""
        return tuple(rung for rung in self.rungs if rung.exists_on(target))

    def rung(self, name: str) -> Rung:
        """Return a rung by name; UnknownNameError when there is none."""
        for rung in self.rungs:
            if rung.name == name:
                return rung
        raise UnknownNameError(f"rung of ladder {self.name}", name, tuple(r.name for r in self.rungs))

    def changes(self, rung: Rung, target: str = "") -> dict[str, Scalar]:
        """Return the parameters of a rung that differ from its implementation's start, those below it included."""
        if rung.implementation:
            below: dict[str, Scalar] = {}
        else:
            below = self.changes(self.rung(rung.after), target) if rung.after else dict(self.start)
        return {**below, **rung.config, **rung.config_on.get(target, Record())}

    def implementation(self, rung: Rung) -> str | None:
        """Return the implementation that a rung configures; None: the family's first."""
        return rung.implementation or (self.implementation(self.rung(rung.after)) if rung.after else None)

    def varied(self, rung: Rung) -> dict[str, Scalar]:
        """Return the sizes and options of the problem that a rung solves, as far as they differ from the family's."""
        below = self.varied(self.rung(rung.after)) if rung.after else dict(self.problem)
        return {**below, **rung.problem}

    def chosen(self, names: Sequence[str], target: str = "") -> tuple[Rung, ...]:
        """Return the named rungs and all below them, of those that a target has, in order; all where none is named.

        Raises:
            UnknownNameError: there is no such rung.
        """
        by_name = {rung.name: rung for rung in (self.on(target) if target else self.rungs)}
        wanted: set[str] = set()
        for name in names:
            if name not in by_name:
                raise UnknownNameError(f"rung of ladder {self.name}", name, tuple(by_name))
            below = name
            while below:
                wanted.add(below)
                below = by_name[below].after
        return tuple(rung for rung in by_name.values() if not names or rung.name in wanted)


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Upper limits for a rung on an AMD processor; None: no limit."""

    max_vgpr: int | None = None
    """Vector registers, with accumulation registers where they share a file."""
    max_spills: int | None = None
    max_scratch_bytes: int | None = None
    """Private memory per work-item, spills and arrays that are in no register."""
    max_lds_bytes: int | None = None
    min_waves: int | None = None
    """Waves per SIMD, by LLVM's convention."""
    max_exposed_cycles: float | None = None
    """Stall cycles per matrix instruction or multiply-add in the hot loop."""


@dataclass(frozen=True, slots=True)
class Expectation:
    """Predicted speedup of a rung over another one."""

    rung: str
    over: str
    low: float
    high: float
    """Speedup, time of `over` through time of `rung`."""
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Forecast:
    """Predictions for one target, made before the ladder was run there."""

    target: str
    ladder: str
    problem: Record
    winner: str
    steps: tuple[Expectation, ...]
    compiler: str
    """Compiler that produced the evidence."""
    made: str
    """Day on which it was made."""
    file: str


@dataclass(frozen=True, slots=True)
class Local:
    """One access of a wave to local memory, per lane."""

    what: str
    op: str
    """``read`` or ``write``."""
    bits: int
    """Bits that each lane reads or writes."""
    addresses_bytes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Numerics:
    """Result of executing a rung's tile algorithm in NumPy."""

    cases: int
    worst_ratio: float
    """Error over its bound, at most 1 where it passed."""

    @property
    def passed(self) -> bool:
        """True when every case stayed within its bound."""
        return self.worst_ratio <= 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Unit:
    """One rung as source text for an offline compiler, with its launch, where it is no configuration of an implementation."""

    language: str
    """Front end: ``hip``, ``opencl``."""
    name: str
    """File name for messages; the ending belongs to the front end."""
    text: str
    entry: str
    options: tuple[str, ...] = ()
    grid: tuple[int, int, int] = (1, 1, 1)
    """Work-groups."""
    threads: int = 256
    """Threads of a work-group."""
    shared_bytes: int = 0
    """Dynamic local memory, which the compiler does not know."""
    arrays: tuple[str, ...] = ()
    """Arrays that it is launched with, by the names of the family's inputs."""
    numbers: tuple[int, ...] = ()
    """Integers of 32 bits that it takes after the arrays."""
    described: bool = False
    """Each array is followed by 32 bits for its size, which the kernel does not read: a vector of FlyDSL."""


@dataclass(frozen=True, slots=True)
class Gate:
    """A further static check of a rung's machine code."""

    name: str
    passed: bool
    words: str
    """The result in one sentence."""
