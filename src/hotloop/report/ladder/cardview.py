"""What a reader should see of a ladder on an NVIDIA card: verdicts, and the facts that moved with them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import log

from hotloop.model.ladder import DOWN, UP, Ladder, Rung
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder.view import Second

_IN_CODE = {
    "hgmma": "warp-group matrix instructions",
    "hmma": "warp matrix instructions",
    "fma": "float multiply-adds",
    "special": "special functions",
    "global_loads": "global loads",
    "async_copies": "asynchronous copies",
    "bulk_copies": "copies by the copy engine",
    "shared_loads": "shared loads",
    "shared_stores": "shared stores",
    "shuffles": "lane exchanges",
    "barriers": "block barriers",
}
FACTS = {
    "kernels": "kernels of a call",
    "registers": "registers of a thread",
    "spilled_bytes": "bytes of local memory of a thread",
    "shared_bytes": "bytes of shared memory of a block",
    "resident_blocks": "blocks that a multiprocessor holds",
    **{name: f"{words} in the code" for name, words in _IN_CODE.items()},
    "blocks": "blocks of the launch",
    "instructions": "instructions executed, warps",
    "dram_bytes": "bytes from and to DRAM",
    "l2_bytes": "bytes between L1 and L2",
    "shared_wavefronts": "shared memory wavefronts",
    "bank_conflicts": "bank conflicts",
    "occupancy": "warps resident, % of the most",
    "issue_utilization": "issue slots used, %",
    "matrix_utilization": "tensor cores busy, %",
    "fma_utilization": "FMA units busy, %",
    "dram_utilization": "DRAM used, %",
    "long_scoreboard_stall": "warps that wait for global memory, per issue",
    "short_scoreboard_stall": "warps that wait for shared memory, per issue",
    "barrier_stall": "warps that wait at barriers, per issue",
    "gmma_stall": "warps that wait for warp-group matrix instructions, per issue",
    "math_stall": "warps that wait for a busy unit, per issue",
}
"""Names of facts, in the order of the page."""
STATIC = frozenset(_IN_CODE)
"""Facts about the code, whatever runs how often."""
_FEW_CONFLICTS = 1e5
_RESOLVED = log(1.02)
"""Facts that differ by less did not move."""
_TELLING = log(1.1)
"""Change from which a fact that moved beside the expected ones is reported."""
_MOST_TOLD = 4
_LARGEST = 1e9
"""Change that stands for one from or to zero, so that it comes before all others."""


@dataclass(frozen=True, slots=True)
class Moved:
    """One fact of a rung beside that of the rung below."""

    fact: str
    before: float
    after: float
    expected: str = ""
    """Direction that was written down beforehand; empty: nobody expected it."""

    @property
    def change(self) -> float:
        """ln(after / before); large where one of them is zero."""
        if self.before == self.after:
            return 0.0
        if not self.before or not self.after:
            return _LARGEST if self.after else -_LARGEST
        return log(self.after / self.before)

    @property
    def negligible(self) -> bool:
        """True for counts too small to matter: bank conflicts that happen now and then."""
        return self.fact == "bank_conflicts" and max(self.before, self.after) < _FEW_CONFLICTS

    @property
    def held(self) -> bool | None:
        """Whether it moved as expected; None where nothing was expected."""
        if not self.expected:
            return None
        return {UP: self.change > _RESOLVED, DOWN: self.change < -_RESOLVED}[self.expected]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardRungView:
    """One rung: its code, and where a card is there, its verdict."""

    rung: Rung
    kernel: str
    config: str
    sizes: str
    failure: str = ""
    """Why it could not be compiled, launched, or is wrong."""
    absent: str = ""
    """Why it was not compiled, although nothing is wrong with it: a tool is not installed."""
    facts: Mapping[str, float] = field(default_factory=dict)
    """Facts by their names in `FACTS`; what is not known is left out."""
    compiler: str = ""
    violations: tuple[str, ...] = ()
    """Bounds that its code breaks."""
    errors: tuple[float, ...] = ()
    """Largest error over its bound, on the timed sizes and on those that no tile divides."""
    over: str = ""
    """Rung that it was compared with."""
    moved: tuple[Moved, ...] = ()
    """Against that rung: expected facts first, then the largest other changes."""
    call_ns: float | None = None
    flops_per_s: float | None = None
    bytes_per_s: float | None = None
    comparison: Comparison | None = None
    samples_ms: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())
    """Times of a call of the rung below and of this one, in rounds A B B A."""

    @property
    def paid(self) -> bool:
        """True when it is faster than what it stands on; a first rung that runs has nothing to beat."""
        if self.failure or self.call_ns is None:
            return False
        return self.comparison is None or self.comparison.verdict is Verdict.FASTER


@dataclass(frozen=True, slots=True, kw_only=True)
class PeerView:
    """What users would call instead, compared with the fastest rung that solves the same problem."""

    name: str
    rung: str
    call_ns: float | None
    comparison: Comparison | None
    """Comparison of the peer with the rung; above 1 the rung is faster."""
    failure: str = ""
    samples_ms: tuple[tuple[float, ...], tuple[float, ...]] = ((), ())


@dataclass(frozen=True, slots=True, kw_only=True)
class CardView:
    """A ladder on a card, or compiled for one."""

    ladder: Ladder
    target: str
    rungs: tuple[CardRungView, ...]
    device: Mapping[str, str | int] = field(default_factory=dict)
    """Name, versions; empty: compiled only."""
    peers: tuple[PeerView, ...] = ()
    total: Comparison | None = None
    """`top` against the first rung."""
    top: str = ""
    """The rung that was taken for the fastest when peers and the first rung were compared with it."""
    no_counters: str = ""
    """Why there are no counters; empty: there are."""
    second: Second | None = None
    """Result for `total` on another device of the cluster."""

    @property
    def measured(self) -> bool:
        """True when it ran on a card."""
        return bool(self.device)

    @property
    def best(self) -> CardRungView | None:
        """The rung of the ladder's own problem that ends highest when the speedups along its way are multiplied.

        Times of different pairs do not compare: the card's clock falls when it is hot. Only steps that paid count.
        """
        heights: dict[str, float] = {}
        highest: CardRungView | None = None
        for rung in self.rungs:
            if rung.failure or rung.call_ns is None or not self.own(rung):
                continue
            gain = log(rung.comparison.speedup) if rung.comparison else 0.0
            heights[rung.rung.name] = heights.get(rung.over, 0.0) + gain
            if rung.paid and (highest is None or heights[rung.rung.name] > heights[highest.rung.name]):
                highest = rung
        return highest

    @property
    def sound(self) -> bool:
        """True when nothing failed and no code breaks its bounds."""
        return not any(rung.failure or rung.violations for rung in self.rungs)

    def own(self, rung: CardRungView) -> bool:
        """Tell whether a rung solves the ladder's own problem."""
        return self.ladder.varied(rung.rung) == dict(self.ladder.problem)


def moved(rung: Rung, here: Mapping[str, float], below: Mapping[str, float]) -> tuple[Moved, ...]:
    """Return the facts that were expected to move, as far as both sides know them, and the largest other changes."""
    wanted = dict(rung.moves)
    rows = [
        Moved(name, below[name], here[name], wanted.get(name, "")) for name in FACTS if name in here and name in below
    ]
    expected = [row for name in wanted for row in rows if row.fact == name]
    others = [row for row in rows if not row.expected and abs(row.change) > _TELLING and not row.negligible]
    others.sort(key=lambda row: (row.fact in STATIC, -abs(row.change)))  # what ran says more than what was compiled
    return (*expected, *others[:_MOST_TOLD])
