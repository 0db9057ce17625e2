"""Ladders on NVIDIA cards as sections of a page: verdicts, causes, code, counters."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from hotloop.model.ladder import DOWN, UP
from hotloop.report.ladder import cells
from hotloop.report.ladder.cardview import FACTS, CardRungView, CardView, Moved, PeerView
from hotloop.report.section import Section
from hotloop.report.words import NONE
from hotloop.units import rate, significant, size

_DIGITS = 3
"""Digits of a speedup after the decimal point."""
_WAYS = {UP: "rises", DOWN: "falls"}
_CODE = {
    "registers": "registers", "spilled_bytes": "local memory", "shared_bytes": "shared memory",
    "resident_blocks": "blocks per multiprocessor", "hgmma": "HGMMA", "hmma": "HMMA", "fma": "FFMA", "global_loads": "LDG",
    "async_copies": "LDGSTS", "bulk_copies": "bulk copies", "shared_loads": "LDS, LDSM", "shared_stores": "STS, STSM",
    "shuffles": "SHFL", "barriers": "BAR",
}  # fmt: skip
"""Columns of the table about the code; instructions by their names in SASS."""
_COUNTED = {
    "instructions": "instructions", "dram_bytes": "DRAM", "l2_bytes": "L2", "shared_wavefronts": "shared wavefronts",
    "bank_conflicts": "bank conflicts", "occupancy": "warps, %", "issue_utilization": "issue, %",
    "matrix_utilization": "tensor, %", "dram_utilization": "DRAM, %", "long_scoreboard_stall": "waits: global",
    "barrier_stall": "barrier", "gmma_stall": "gmma",
}  # fmt: skip
"""Columns of the table of counters."""
_SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
_PLAIN = 1e4
"""Whole numbers below are written out."""


def sections(view: CardView) -> Iterator[Section]:
    """Return the parts of a page, the answer first."""
    yield _head(view)
    if view.measured:
        head: tuple[str, ...] = (
            "rung",
            "time",
            "rate",
            "verdict",
            "speedup",
            "over",
            "error / bound",
            "reported elsewhere",
        )
        lines = (
            "a time is the median of a rung's own pair; pairs differ in how hot the card is, so only ratios compare",
        )
        yield Section("rungs", lines, head, tuple(map(_measured, view.rungs)))
    head = ("rung", "changes", "expected to move", "moved as well")
    lines = ("each fact beside that of the rung below; what was expected was written down before the first run",)
    counted = any("instructions" in rung.facts for rung in view.rungs)
    yield Section("causes", lines, head, tuple(_cause(rung, counted=counted) for rung in view.rungs))
    if view.peers:
        head = ("instead", "time", "rung", "the rung's speedup over it", "")
        yield Section("beside what is called otherwise", (), head, tuple(map(_peer, view.peers)))
    yield Section("code", _compilers(view), ("rung", *_CODE.values()), tuple(_facts(r, _CODE) for r in view.rungs))
    if counted:
        lines = ("one launch each under Nsight Compute, clocks as found; a bulk copy passes L1 by",)
        yield Section("counters", lines, ("rung", *_COUNTED.values()), tuple(_facts(r, _COUNTED) for r in view.rungs))
    yield from _rest(view)


def _rest(view: CardView) -> Iterator[Section]:
    yield Section(
        "limits",
        cells.broken(view.rungs)
        or ("every rung's code keeps its committed limits of registers, spills and shared memory",),
    )
    if view.ladder.missing:
        rows = tuple((m.name, m.reason) for m in view.ladder.missing)
        yield Section("no rung of this ladder", (), ("technique", "why"), rows)
    yield from cells.notes(view.ladder)


def _head(view: CardView) -> Section:
    title = cells.title(view.ladder)
    problem = ", ".join(f"{name}={value}" for name, value in view.ladder.problem.items())
    if not view.measured:
        failed = sum(bool(rung.failure) for rung in view.rungs)
        answer = (
            f"{failed} rungs do not compile for {view.target}" if failed else f"every rung compiles for {view.target}"
        )
        if any(rung.absent for rung in view.rungs):
            answer = f"not every rung could be compiled for {view.target} here"
        return Section(title, (answer, "compiled here, run nowhere: nothing below is a measurement", problem))
    best = view.best
    answer = "no rung could be timed" if best is None else f"{best.rung.name} is the fastest rung"
    if best and view.total:
        other = view.top not in ("", best.rung.name)
        subject = f" by pairs; the one timed against the first is {view.top}" if other else ""
        answer += f"{subject}: {cells.speedup(view.total, _DIGITS)} over {view.rungs[0].rung.name}"
    device = view.device
    versions = f"PyTorch {device.get('torch', '?')}, Triton {device.get('triton', '?')}, {device.get('driver', '?')}"
    paid = sum(rung.paid and bool(rung.over) for rung in view.rungs)
    lines = (
        answer,
        *cells.second(view.second, _DIGITS),
        f"{problem} on {device['name']} ({view.target}; {versions})",
        f"{paid} of {sum(bool(rung.over) for rung in view.rungs)} steps paid",
        *((f"no counters: {view.no_counters}",) if view.no_counters else ()),
    )
    return Section(title, lines)


def _measured(view: CardRungView) -> tuple[str, ...]:
    why = view.failure or view.absent
    return (
        view.rung.name,
        cells.time(view.call_ns),
        _rates(view),
        f"refused: {why}" if why else cells.verdict(view.comparison),
        cells.speedup(view.comparison, _DIGITS),
        view.over or NONE,
        ", ".join(significant(error, 2) for error in view.errors) or NONE,
        cells.reported(view.rung.reported),
    )


def _rates(view: CardRungView) -> str:
    if view.flops_per_s is None or view.bytes_per_s is None:
        return NONE
    return f"{rate(view.flops_per_s, 'FLOP/s')}, {rate(view.bytes_per_s, 'B/s')}"


def _cause(view: CardRungView, *, counted: bool) -> tuple[str, ...]:
    """Return a rung's row; what only counters would tell is left out where there are none."""
    expected = [row for row in view.moved if row.expected]
    named = {row.fact for row in expected}
    missing = [f"{FACTS[name]}: not known" for name, _ in view.rung.moves if counted and name not in named]
    others = [row for row in view.moved if not row.expected]
    return (
        view.rung.name,
        view.rung.change,
        "; ".join([*map(_moved, expected), *missing]) or NONE,
        "; ".join(map(_moved, others)) or NONE,
    )


def _moved(row: Moved) -> str:
    """Say what became of a fact, and whether it went the expected way."""
    text = f"{FACTS[row.fact]} {_value(row.fact, row.before)} → {_value(row.fact, row.after)}"
    if row.held is None:
        return text
    if row.held:
        return f"{text}, as expected"
    return f"{text}, NOT as expected ({_WAYS[row.expected]})"


def _value(fact: str, value: float) -> str:
    if fact == "shared_bytes":
        return size(value)
    for scale, prefix in _SCALES:
        if value >= max(scale, _PLAIN):
            return f"{significant(value / scale)} {prefix}{'B' if fact.endswith('bytes') else ''}".strip()
    return significant(value) if value != int(value) else f"{value:.0f}"


def _peer(view: PeerView) -> tuple[str, ...]:
    return (
        view.name,
        cells.time(view.call_ns),
        view.rung,
        cells.speedup(view.comparison, _DIGITS),
        view.failure,
    )


def _compilers(view: CardView) -> tuple[str, ...]:
    failed = tuple(f"{r.rung.name}: {r.failure or r.absent}" for r in view.rungs if r.failure or r.absent)
    return (*sorted({rung.compiler for rung in view.rungs if rung.compiler}), *failed)


def _facts(view: CardRungView, facts: Iterable[str]) -> tuple[str, ...]:
    return view.rung.name, *(_value(name, view.facts[name]) if name in view.facts else NONE for name in facts)
