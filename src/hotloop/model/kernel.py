"""A kernel is a problem family with inputs, a reference and its implementations."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from math import inf
from typing import TYPE_CHECKING

from hotloop.errors import UnknownNameError
from hotloop.model.device import Device
from hotloop.model.gain import Gain
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config, Space

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Inputs = Mapping[str, "NDArray[np.generic] | Empty | float"]
    Outputs = Mapping[str, NDArray[np.generic]]


@dataclass(frozen=True, slots=True)
class Empty:
    """An output array in a kernel's inputs: allocated and poisoned, never read by a correct kernel."""

    shape: tuple[int, ...]
    dtype: str = "float32"


@dataclass(frozen=True, slots=True)
class Tolerance:
    """How far a correct result may lie from the float64 reference.

    Per element ``factor * terms * eps(dtype) * scale``, where scale is what the kernel's `magnitude` function returns
    (|A||B| for a contraction), or the reference's own magnitude when it has none; design.md, Verification.
    """

    terms: Callable[[Problem], float] = lambda _problem: 1.0
    """Length of the longest accumulation chain (k of a contraction, n of a sum)."""
    factor: float = 4.0
    """Safety factor on the rounding errors of such a chain."""
    absolute: float = 0.0
    """Added to every bound; for results near zero where the error has another source, such as exp()."""
    eps_dtype: str | Callable[[Problem], str] = ""
    """Data type of the computation, whose epsilon is used; empty: the output's type. Storing the result in a coarser output type
    may add one more rounding."""
    loss: float = inf
    """Largest growth of the errors that a faster variant may cause, as a multiple of the start's; within the bound in any case."""

    @property
    def unsaid(self) -> bool:
        """Return whether the tolerance is the default, which a kernel has that declares none."""
        return replace(self, loss=inf) == Tolerance()


@dataclass(frozen=True, slots=True)
class Offer:
    """A change that an implementation itself proposes, because it knows the source text that would change."""

    technique: str
    changes: Mapping[str, Scalar]
    """Parameters with their new values."""
    gain: Gain
    why: str
    """The change and its place: a sentence without its full stop."""
    rule: str
    """Name of the rewrite."""


@dataclass(frozen=True, slots=True)
class Implementation:
    """One way to compute a family: language, space of configurations, and how a configuration becomes a program."""

    name: str
    language: str
    """Backend that runs it."""
    space: Space
    start: Config
    """Configuration with which `optimize` begins: simple and correct, not fast."""
    plan: Callable[[Problem, Config, Device], Program]
    """Pure: same arguments, same program. Raises ValueError when the device or problem rules the configuration out."""
    simplicity: Callable[[Config], float] = lambda _config: 0.0
    """Cost in complexity; a change that is as fast as before is kept only if this falls."""
    traits: Callable[[Problem, Config, Device], Mapping[str, float]] = lambda _p, _c, _d: {}
    """Facts known from the configuration alone, such as ``accumulators`` or ``local_bytes``; evidence marked derived."""
    spreads: Callable[[Problem], bool] = lambda _problem: False
    """Returns whether NaN and infinity in an input may reach results that do not depend on that element. An example is a masked
    element of a tile: its weight is zero, but zero times infinity is NaN. Inputs with NaN and infinity are then not tested."""
    offers: Callable[[Problem, Config, Device], tuple[Offer, ...]] = lambda _p, _c, _d: ()
    """Changes that the source text suggests independently of measurements; they are ranked with the moves of the techniques."""
    hosted: Callable[[Problem, Config, Device], Program] | None = None
    """Like `plan`, but launched as the start configuration is: for a host that nobody changes. None where no program
    was captured, whose host there is."""
    looks: bool = False
    """Whether moves get a quick look on a GPU before one is compared: many are offered, and what they bring is hardly predicted."""


@dataclass(frozen=True, slots=True)
class Peer:
    """What the user would otherwise call: runs beside the variants, is verified like them, is never optimized."""

    name: str
    """Name with its settings, e.g. ``OpenBLAS 0.3.31 Haswell, 2 threads``."""
    plan: Callable[[Problem, Device], Program | None]
    """None when the peer cannot run this problem."""
    exists: Callable[[Device], bool] = lambda _device: True
    """False on devices that the peer does not support, such as another vendor's library."""
    spreads: Callable[[Problem], bool] = lambda _problem: False
    """See `Implementation.spreads`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Preset:
    """A configuration that hotloop ships because it was measured to be good somewhere."""

    config: Config
    implementation: str
    target: str
    """Instruction set target of the machine, e.g. ``x86-64-avx2``."""
    sizes: Record
    """Sizes of the problem that it was measured on."""
    evidence: str
    """Machine, date and measured ratio, one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Kernel:
    """A problem family with everything needed to verify and time implementations of it."""

    family: str
    problem: Problem
    """Default problem; its size names are the only ones that a shape may set."""
    inputs: Callable[[Problem, np.random.Generator], Inputs]
    """Arrays, `Empty` outputs and scalars by name, in kernel argument order. Arrays that the reference returns are outputs."""
    reference: Callable[[Problem, Inputs], Outputs]
    """Float64 (or exact integer) results by output name, of the output's shape."""
    work: Callable[[Problem], Work]
    implementations: tuple[Implementation, ...]
    tolerance: Tolerance = field(default_factory=Tolerance)
    magnitude: Callable[[Problem, Inputs], Outputs] | None = None
    """|A||B| by output name, the scale of rounding errors; None: the reference's absolute value."""
    awkward: Callable[[Problem], tuple[Problem, ...]] = lambda _problem: ()
    """Small problems that break wrong kernels: sizes 1, primes, non-multiples, strides, offsets."""
    shape: Callable[[str, Problem], Problem] | None = None
    """Parses ``--shape`` text; None: ``name=value`` pairs separated by commas."""
    peers: tuple[Peer, ...] = ()
    launched: bool = False
    """True where the reference is computed by a program that is launched elsewhere, not by operations of NumPy."""
    varied: bool = False
    """True for a user's file: verification derives further kinds of input from what `inputs` draws, and tests further sizes."""
    halving: bool = False
    """True when the kernel's file assumes sizes that are powers of two, for example by halving them in a loop."""
    marks: frozenset[float] = frozenset()
    """Numbers that stand in the kernel's file: values at which kernels turn."""
    unread: frozenset[str] = frozenset()
    """Names of inputs that the reference never reads: they follow from the others."""
    iterated: bool = False
    """True when the reference's own code loops: it may compute steps, each from the one before."""
    domain: Mapping[str, str] = field(default_factory=dict)
    """Permitted values of inputs and sizes: a word for each name; see `hotloop.verify.domain` and `hotloop.verify.sizes`."""
    linear: tuple[str, ...] = ()
    """Names of the inputs in which the outputs are linear; with these the error bound also holds for inputs of a wide range."""
    presets: tuple[Preset, ...] = ()
    """Shipped table of good configurations, used where the user's store knows nothing."""
    origin: str = ""
    """File or module that defines the kernel."""
    judge: str = ""
    """Fingerprint of the user's file whose functions make inputs and reference; empty for hotloop's own families."""
    remarks: Callable[[], tuple[str, ...]] = lambda: ()
    """Returns sentences about the reference that reports show, known only after the reference was used."""
    unsteady: str = ""
    """Sentence that explains why results of the start configuration may depend on the order of work-items; empty: such a
    dependence is an error."""

    def peers_on(self, device: Device) -> tuple[Peer, ...]:
        """Return the peers that a device can have."""
        return tuple(peer for peer in self.peers if peer.exists(device))

    def implementation(self, name: str | None = None) -> Implementation:
        """Return an implementation by name, or the first one."""
        if name is None:
            return self.implementations[0]
        for candidate in self.implementations:
            if candidate.name == name:
                return candidate
        raise UnknownNameError("implementation", name, tuple(i.name for i in self.implementations))


@dataclass(frozen=True, slots=True)
class Variant:
    """One implementation with one configuration."""

    implementation: Implementation
    config: Config

    @property
    def label(self) -> str:
        """Short text for tables."""
        return f"{self.implementation.name} {self.config}".strip()

    def program(self, problem: Problem, device: Device) -> Program:
        """Return what the worker compiles and launches; ValueError when this device or problem rules it out."""
        violation = self.implementation.space.violation(self.config)
        if violation:
            raise ValueError(violation)
        return self.implementation.plan(problem, self.config, device)

    def fingerprint(self, problem: Problem, device: Device) -> str:
        """Return a digest of source, configuration, launches, compiler and target."""
        return self.program(problem, device).on(device)
