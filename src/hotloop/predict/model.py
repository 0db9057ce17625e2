"""The time of a launch: what each part of the machine needs for it, joined by the root of the sum of squares.

The parts work beside one another, but never perfectly: the largest term alone is too little, their sum too much. The root of the
sum of squares lies between, and needs no constant. Waves of a group begin together and meet at barriers, so that fewer are left to fill
gaps (`hotloop.predict.queue`). The interval takes the largest term alone with the best plausible figures, and the sum with the worst.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import sqrt

from hotloop.isa.timing.price import Unit
from hotloop.predict.answer import Prediction, Term
from hotloop.predict.card import Card
from hotloop.predict.phases import Phase
from hotloop.predict.private import Private
from hotloop.predict.queue import coupled, together
from hotloop.predict.reuse import Flow, Residency
from hotloop.targets.span import Span

BARRIERS, GROUPS, LATENCY, CODE = "barriers", "groups", "latency", "code"
ARRAY, L2, MALL, MEMORY = "array cache", "L2", "memory-side cache", "device memory"
_NS = 1e9


@dataclass(frozen=True, slots=True, kw_only=True)
class Work:
    """What one wave of a launch does, on average."""

    kernel: str
    units: Mapping[Unit, float]
    """Cycles for which it takes each unit; what SIMDs share counted with their number."""
    alone: Span
    """Cycles that it takes alone, with the best and the worst latencies."""
    longest: float = 1.0
    """Times as long a way as the mean that the longest wave has."""
    serial: Span
    """Cycles of a group that has its compute unit for itself, from barrier to barrier."""
    parts: tuple[Phase, ...] = ()
    """Its way cut at barriers and loops; empty: not known."""
    instructions: float
    """Executed."""
    executed_bytes: float
    """Code that it passes."""
    code_bytes: int
    """Different code among it."""
    group_waves: int
    place: Residency
    waves_per_simd: int
    """Resident at most."""
    doubts: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()


def predict(work: Work, moved: Flow, kept: Private, card: Card) -> Prediction:
    """Return the time of one call."""
    beside = tuple(_terms(work, moved, kept, card))
    alone_ns, most_ns = _serial(work, card)
    name = GROUPS if work.parts and not any(part.meetings for part in work.parts) else BARRIERS
    held = _held(name, alone_ns, most_ns, _together(work, card, beside), beside)
    terms = sorted((*beside, held), key=lambda term: -term.ns)
    launch = card.launch_ns
    return Prediction(
        kernel=work.kernel,
        chip=card.name,
        target=card.target.name,
        time_ns=launch.middle + sqrt(sum(term.ns**2 for term in terms)),
        low_ns=launch.low + max(term.low_ns for term in terms),
        high_ns=launch.high + max(most_ns, sum(term.high_ns for term in beside)),
        choice_ns=_choice(terms, moved, kept, card),
        bound=terms[0].name if terms[0].ns > launch.middle else "launch",
        terms=tuple(terms),
        launch_ns=launch.middle,
        waves_per_simd=work.waves_per_simd,
        groups=work.place.groups,
        waves=work.place.groups * work.group_waves,
        wave_instructions=work.instructions,
        l1_hit=moved.l1_hit,
        l2_hit=moved.l2_hit,
        l2_bytes=moved.l2_bytes + kept.l2_bytes,
        moved_bytes=moved.memory_bytes + kept.memory_bytes,
        doubts=work.doubts,
        remarks=work.remarks,
    )


def _choice(terms: Sequence[Term], moved: Flow, kept: Private, card: Card) -> Span:
    """Return the times with the best and the worst choice of what caches drop of private memory.

    What else is uncertain, a clock or a share of a bandwidth, is the same error in all configurations of a kernel; this one is not, as their
    private memory fits or does not.
    """
    others = sum(term.ns**2 for term in terms if term.name != MEMORY)
    rate = card.memory_bytes_per_s.middle / _NS
    least, most = ((moved.memory_bytes + ends) / rate for ends in (kept.memory.low, kept.memory.high))
    return Span(*(card.launch_ns.middle + sqrt(others + ns**2) for ns in (least, most)))


def _terms(work: Work, moved: Flow, kept: Private, card: Card) -> Iterator[Term]:
    waves = _busiest(work, card)
    cycle, least, most = (_NS / hz for hz in (card.clock_hz, card.clock.high, card.clock.low))
    for unit, cycles in work.units.items():
        taken = waves * cycles
        yield Term(unit.value, taken * cycle, taken * least, taken * most)
    resident = max(1.0, min(work.waves_per_simd, waves))
    rounds = max(waves / resident, work.longest)  # a launch takes no less than its longest wave
    alone = work.alone
    yield Term(LATENCY, rounds * alone.middle * cycle, rounds * alone.low * least, rounds * alone.high * most)
    yield _code(work, card, waves * card.simds)
    share = card.target.span("l2_share") or Span(1, 1)
    if card.arrays:
        rate = card.arrays * card.fact("array_bytes_per_cycle")
        rates = Span(rate * share.low * card.clock.low, rate * share.high * card.clock.high)
        yield _flow(ARRAY, moved.l1_bytes + kept.l2_bytes, rates)
    slow = card.target.span("write_share") or Span(1, 1)
    writing = 1 + moved.written * (1 / slow.middle - 1)  # as many reads take as long
    rates = Span(share.low * card.l2_bytes_per_s, share.high * card.l2_bytes_per_s)
    yield _flow(L2, moved.l2_bytes * writing + kept.l2_bytes, rates)
    if card.mall_bytes:
        rates = Span(share.low * card.mall_bytes_per_s, share.high * card.mall_bytes_per_s)
        yield _flow(MALL, moved.mall_bytes * writing + kept.mall_bytes, rates)
    ends = Span(moved.memory_bytes + kept.memory.low, moved.memory_bytes + kept.memory.high)
    yield _flow(MEMORY, moved.memory_bytes + kept.memory_bytes, card.memory_bytes_per_s, ends)


def _serial(work: Work, card: Card) -> tuple[float, float]:
    """Return how long a compute unit needs at least for its groups' parts from barrier to barrier, and at most; 0: no barriers.

    The groups that a compute unit holds at a time fill each other's gaps; each of them takes at least its own parts one after the
    other.
    """
    if work.group_waves < 2:
        return 0.0, 0.0
    groups = -(-work.place.groups // card.units)
    rounds = -(-groups // min(work.place.unit_groups, groups))
    return rounds * work.serial.middle * _NS / card.clock.middle, rounds * work.serial.high * _NS / card.clock.low


def _together(work: Work, card: Card, beside: Sequence[Term]) -> float:
    """Return the time of all terms where the waves of a group begin and end together and meet on the way.

    More than a wave of a group on a SIMD do the same at the same time. The units' terms together are what waves queue for, and what a wave
    takes alone, less the time of its own busiest unit, is their delay. No more than if nothing overlapped.
    """
    joined = sqrt(sum(term.ns**2 for term in beside))
    waves = max(1, min(work.waves_per_simd, int(_busiest(work, card))))
    groups = min(waves, work.place.unit_groups, -(-work.place.groups // card.units))
    latency = sum(term.ns for term in beside if term.name == LATENCY)
    demand = sqrt(max(0.0, joined**2 - latency**2))
    if groups == waves or not work.parts or not demand:
        return joined
    own = {unit.value for unit in work.units}
    delay = max(0.0, waves * latency - max((term.ns for term in beside if term.name in own), default=0.0))
    group = _group_ns(work, card, beside, waves / groups)
    return min(joined * coupled(waves, groups, demand, delay, group), sum(term.ns for term in beside))


def _group_ns(work: Work, card: Card, beside: Sequence[Term], waves: float) -> float:
    """Return how long the SIMD of the busiest unit would take if it had one group at a time, of so many waves there.

    What lies beyond the compute unit is asked for by the parts in proportion to their use of vector memory.
    """
    scale = _busiest(work, card) * _NS / card.clock_hz
    beyond = sqrt(sum(term.ns**2 for term in beside if term.name in (ARRAY, L2, MALL, MEMORY)))
    asked = sum(part.units.get(Unit.MEMORY, 0.0) for part in work.parts) or 1.0
    total = 0.0
    for part in work.parts:
        share = beyond * part.units.get(Unit.MEMORY, 0.0) / asked
        demand = sqrt(sum((cycles * scale) ** 2 for cycles in part.units.values()) + share**2)
        total += together(waves, demand, part.alone.middle * scale, part.meetings, part.halts)
    return total


def _held(name: str, serial_ns: float, most_ns: float, together_ns: float, beside: Sequence[Term]) -> Term:
    """Return by how much groups that begin, meet and end together hold up what would run beside one another: what exceeds all terms."""
    joined = sqrt(sum(term.ns**2 for term in beside))
    middle, high = (sqrt(max(0.0, max(ns, together_ns) ** 2 - joined**2)) for ns in (serial_ns, most_ns))
    return Term(name, middle, 0.0, high)


def _busiest(work: Work, card: Card) -> float:
    """Return the waves that a SIMD of the busiest compute unit gets."""
    groups = -(-work.place.groups // card.units)
    return max(groups * work.group_waves / card.unit_simds, 1.0)


def _code(work: Work, card: Card, unit_waves: float) -> Term:
    """Return the time of fetching instructions: from their cache, or past it where the code does not fit."""
    cycle, least, most = (_NS / hz for hz in (card.clock_hz, card.clock.high, card.clock.low))
    fit = work.executed_bytes / card.fact("fetch_bytes_per_cycle")
    cache = card.fact("icache_bytes")
    if work.code_bytes <= cache:
        taken = unit_waves * fit
        return Term(CODE, taken * cycle, taken * least, taken * most)
    rate = card.target.span("icache_miss_bytes_per_cycle") or Span(1, 1)
    # Waves of a group run close together: the code that does not fit is fetched once for each group.
    missed = 2 * work.executed_bytes * (1 - cache / work.code_bytes) / work.group_waves
    ends = ((rate.middle, cycle), (rate.high, least), (rate.low, most))
    return Term(CODE, *(unit_waves * (fit + missed / per_cycle) * time for per_cycle, time in ends))


def _flow(name: str, moved_bytes: float, rates: Span, ends: Span | None = None) -> Term:
    low, high = (ends.low, ends.high) if ends else (moved_bytes, moved_bytes)
    return Term(name, moved_bytes / rates.middle * _NS, low / rates.high * _NS, high / rates.low * _NS)
