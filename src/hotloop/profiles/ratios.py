"""What counts of ``perf stat`` say together: instructions per cycle, misses, cores in use, and counts of one launch."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf
from typing import Final

from hotloop.metrics.fact import absent, stated
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.profiles.profile import Reading

HARDWARE: Final = frozenset(
    {"cycles", "instructions", "branches", "branch-misses", "cache-references", "cache-misses", "cpu-cycles"}
)
_QUOTIENTS: Final = (
    ("instructions per cycle", "instructions", "cycles", "of all cores that ran; below 1 the cores mostly wait"),
    ("branch misses", "branch-misses", "branches", "share of branches that were predicted wrongly"),
    ("cache misses", "cache-misses", "cache-references", "share of last-level accesses that went to memory"),
    ("first-level misses", "L1-dcache-load-misses", "L1-dcache-loads", "share of loads that left the first-level cache"),
)  # fmt: skip


_FACTS: Final = (
    ("cpu.instructions_per_cycle", "instructions", "cycles"),
    ("cpu.branch_miss_rate", "branch-misses", "branches"),
    ("cpu.cache_miss_rate", "cache-misses", "cache-references"),
    ("cpu.l1_miss_rate", "L1-dcache-load-misses", "L1-dcache-loads"),
    ("cpu.cache_misses_per_instruction", "cache-misses", "instructions"),
)
"""Name of a fact, and the events whose quotient it is."""
_MOST: Final = {
    "cpu.instructions_per_cycle": 12.0, "cpu.branch_miss_rate": 1.0, "cpu.cache_miss_rate": 1.0, "cpu.l1_miss_rate": 1.0,
}  # fmt: skip
"""What a quotient can be at most: no core ends more instructions in a clock, pairs of them that count as one included."""
_PRINTED: Final = (
    ("cpu.instructions_per_cycle", "instructions-per-cycle", False),
    ("cpu.instructions_per_cycle", "cycles-per-instruction", True),
    ("cpu.busy_cores", "busy-cores", False),
)
"""Name of a fact, the event of a tool that prints the quotient without its parts, and whether upside down."""
_BANDWIDTH: Final = ("cpu.memory_bytes_per_s", "memory-bandwidth")
_SLOTS: Final = (
    ("cpu.retiring_share", "topdown-retiring"),
    ("cpu.speculation_share", "topdown-bad-spec"),
    ("cpu.frontend_share", "topdown-fe-bound"),
    ("cpu.backend_share", "topdown-be-bound"),
    ("cpu.memory_share", "topdown-mem-bound"),
)
"""Name of a fact, and perf's event of the issue slots that it is a share of, in per cent or as a count."""
_STALLED: Final = ("cpu.backend_share", "stalled-cycles-backend", "stalled-cycles-frontend")
"""The event of clocks in which nothing was handed on; the front end's counts clocks lost to the back end too on Intel's cores."""
_MISPREDICTED: Final = ("cpu.branch_lost_share", "branch-misses", "cycles", 15.0)
"""Wrong predictions and clocks, and the clocks that one costs: 14 to 20 (A. Fog's tables of microarchitectures)."""
_RUNNING: Final = ("cpu.busy_cores", "task-clock", "seconds time elapsed")
_TICKS: Final = {"msec": 1e-3, "usec": 1e-6, "sec": 1.0, "ns": 1e-9}
"""Seconds of the units in which versions of perf print task-clock."""
RUNTIME: Final = "event-runtime"
"""Time for which perf counted an event, which its lines of JSON tell; of a whole machine the sum over its cores."""
_AWAKE_HZ: Final = 4e8
"""Clocks a second of all cores together below which not even one of them worked: the slowest clock of a core that does."""
_MOST_COUNTED: Final = 1024
"""Cores that a machine has at most, where the time is told of all of them together."""
_MOST_CORES: Final = 4096.0
_BRIEF_S: Final = 0.05
"""Seconds of a run below which perf's start of the program, in which nothing of it runs, is much of the time."""
_BRIEF_START_S: Final = 0.01
"""Seconds of a program's work below which loading it is a good part: a dynamic loader takes 0.5 to some milliseconds."""
_WIDEST: Final = 6.0
"""Instructions that a core can start in a clock at most."""
_MOST_IN_SLOTS: Final = 20.0
"""Instructions that a core can end in a clock of which all slots do useful work: ten slots, pairs in each."""
_ALL_SLOTS: Final = tuple(event for _, event in _SLOTS[:4])
_LOST: Final = _ALL_SLOTS[1:]
"""The kinds of slots in which nothing useful was done."""
_CORE: Final = re.compile(r"\b(?:CPU|C)[0-9]")
"""What names a core in the place of a count: ``CPU3``, ``S0-D0-C1``; a time or a socket does not."""
_MIXED: Final = "some kinds of issue slots are told as counts and some as per cent: they are no parts of one whole"
IMPOSSIBLE: Final = "both cannot be of the same clocks"
"""What is said of two counts of which one refutes the other."""
_SIBLING: Final = "topdown-smt"
"""AMD's fifth kind: slots that the core's other thread took."""
_SLACK: Final = 10
"""Per cent by which the four kinds of slots may miss the whole; recorded pages that miss it by more were put together from other runs."""
_TELLING: Final = 100 / 3
"""Per cent of slots that wait for memory from which they tell of the whole back end; below, what nobody counted may be most of it."""
_SAME: Final = {"cpu-cycles": "cycles"}
_INSTEAD: Final = {"cache-misses": "LLC-load-misses", "cache-references": "LLC-loads"}
"""Events of loads alone, which stand for those of all accesses where these were not asked for: ``perf stat -d`` counts them."""


@dataclass(frozen=True, slots=True)
class Ratio:
    """One quotient of two counts."""

    name: str
    value: float
    formula: str
    meaning: str


def ratios(readings: Sequence[Reading]) -> tuple[Ratio, ...]:
    """Return the quotients whose counts are known and whose divisor is not zero."""
    values = {reading.event.partition(":")[0]: reading.value for reading in readings if reading.value is not None}
    return tuple(
        Ratio(name, values[above] / values[below], f"{above} / {below}", meaning)
        for name, above, below, meaning in _QUOTIENTS
        if above in values and values.get(below)
    )


def facts(readings: Sequence[Reading], source: str = "perf stat") -> Evidence:
    """Return the quotients as ``cpu.*`` facts of the whole process; one whose events were not counted is absent, with perf's reason.

    Values of events that shared a hardware counter are extrapolated by perf, so their facts are estimated.
    """
    by_event = {_plain(reading.event): reading for reading in _of_one_core(readings)}
    if not by_event.keys() & _INSTEAD.keys():
        by_event |= {name: by_event[loads] for name, loads in _INSTEAD.items() if loads in by_event}
    rows: list[Fact | Absent] = [
        _fact(name, by_event.get(above), by_event.get(below), source) for name, above, below in _FACTS
    ]
    if asleep := _asleep(by_event):
        rows += [absent(name, asleep) for name, _ in _SLOTS]
    else:
        rows += [_stalled(_of_memory(row, by_event, source), by_event, source) for row in _slots(by_event, source)]
    rows += [*_mispredicted(by_event, source), *_running(by_event, source)]
    rows = [*rows, *_printed(by_event, {row.name for row in rows if isinstance(row, Fact)}, source)]
    return Evidence(
        tuple(row for row in rows if isinstance(row, Fact)), tuple(row for row in rows if isinstance(row, Absent))
    )


def _of_one_core(readings: Sequence[Reading]) -> Sequence[Reading]:
    """Return the readings of hybrid processors without those of the kinds of cores that did less: counts of two kinds are no quotient.

    Where both kinds' slots are told and no clocks, nothing tells which did the work: neither is used.
    """
    kinds: dict[str, float] = {}
    for reading in readings:
        kind = _kind(reading)
        if kind and _plain(reading.event) == "cycles":
            kinds[kind] = (reading.value or 0.0) * (1.0 if reading.running_share is None else reading.running_share)
    split = {kind for reading in readings if (kind := _kind(reading)) and _plain(reading.event) in _ALL_SLOTS}
    if len(kinds) < 2 and len(split) < 2:
        return readings
    most = max(kinds, key=lambda kind: kinds[kind], default="")
    return [reading for reading in readings if not _kind(reading) or _kind(reading) == most]


def _kind(reading: Reading) -> str:
    """Return the kind of core that an event is of: ``cpu_atom``; empty where it is not told."""
    kind, slash, _ = reading.event.partition("/")
    return kind if slash and kind.startswith("cpu_") else ""


def _printed(readings: Mapping[str, Reading], counted: Collection[str], source: str) -> Iterator[Fact | Absent]:
    """Yield what a tool has divided itself, where its parts are not counted, and the bandwidth that it tells."""
    for name, event, inverse in _PRINTED:
        value = readings[event].value if event in readings else None
        if value and name not in counted:
            yield stated(name, 1 / value if inverse else value, Provenance.DERIVED, f"{event}, {source}")
    name, event = _BANDWIDTH
    if event in readings and readings[event].value is not None:
        yield stated(name, 1e6 * (readings[event].value or 0.0), Provenance.DERIVED, f"{event}, {source}")


def _asleep(readings: Mapping[str, Reading]) -> str:
    """Say that the cores of a whole machine did hardly anything while they were counted; empty where they did, or only a program was counted.

    The slots of a machine that sleeps are those of its clock's ticks: as parts of its time they are nothing.
    """
    cycles, elapsed = (readings[key].value if key in readings else None for key in ("cycles", "seconds time elapsed"))
    counted = _counted_s(readings)
    if not counted or cycles is None:
        return ""
    if cycles >= _AWAKE_HZ * min(
        counted, elapsed or counted / _MOST_COUNTED
    ):  # a program alone counts only while it runs
        return ""
    return f"the counted cores slept: {cycles:.3g} clocks of all of them together; count a program, or while one runs"


def _counted_s(readings: Mapping[str, Reading]) -> float:
    """Return the seconds for which cores were counted, all of them together; 0: not told."""
    clock = readings.get("cpu-clock") or readings.get(RUNTIME)
    return 0.0 if clock is None or not clock.value else clock.value * _TICKS.get(clock.unit or "msec", 0.0)


def _idle(readings: Mapping[str, Reading]) -> str:
    """Say that the counted cores slept for the most part, so that their slots are those of little work; empty where they did not."""
    cycles, counted = readings.get("cycles"), _counted_s(readings)
    if not counted or cycles is None or cycles.value is None or cycles.value >= _AWAKE_HZ * counted:
        return ""
    return (
        f"; the counted cores slept for the most part, {cycles.value / counted / 1e9:.2g} billion clocks a second each"
    )


def _unlike(readings: Mapping[str, Reading]) -> str:
    """Say that the mean over cores is that of no core: what most slots of the mean wait for is not what they wait for on each core.

    Where a whole machine is counted while a program works on one core, the others show what they do when they do nothing.
    """
    cores: dict[str, dict[str, float]] = {}
    for name, reading in readings.items():
        event, _, place = name.partition("@")
        if event in _LOST and reading.value is not None and _CORE.search(place):
            cores.setdefault(place, {})[event] = reading.value
    first = {max(lost, key=lambda event: lost[event]) for lost in cores.values() if len(lost) > 1}
    if len(first) < 2:
        return ""
    return f"; a mean over {len(cores)} cores, which wait for different things: count the program's own core"


def _slots(readings: Mapping[str, Reading], source: str) -> Iterator[Fact | Absent]:
    """Yield the shares of a core's issue slots: as perf prints them, or counts over the sum of the four kinds."""
    kinds = [readings[event] for event in _ALL_SLOTS if event in readings]
    counts = [kind.value for kind in kinds if kind.value is not None]
    wrong = _MIXED if len({kind.unit for kind in kinds if kind.value is not None}) > 1 else _too_few(readings)
    if wrong:
        yield from (absent(name, wrong) for name, _ in _SLOTS)
        return
    slots = sum(counts) if len(counts) == len(_ALL_SLOTS) else 0.0
    sibling = readings.get(_SIBLING)
    slots += (sibling.value or 0.0) if sibling is not None and slots else 0.0
    printed = all(readings[event].unit == "%" for event in _ALL_SLOTS if event in readings)
    doubt = f"; the kinds of slots add up to {slots:.0f} %" if printed and slots and abs(slots - 100) > _SLACK else ""
    doubt += _idle(readings) + _unlike(readings) + _brief(readings)
    doubt += "".join(f"; {kind.event}: {kind.reason}" for kind in kinds if kind.value is None and kind.unit == "%")
    for name, event in _SLOTS:
        reading = readings.get(event)
        if reading is None or reading.value is None:
            yield absent(
                name, "the event was not asked for" if reading is None else f"{reading.event}: {reading.reason}"
            )
        elif reading.unit == "%":
            how = Provenance.ESTIMATED if doubt else Provenance.MEASURED
            yield stated(name, reading.value / 100, how, f"{event}, {source}{doubt}", counted_share=_counted(kinds))
        elif slots:
            how = Provenance.ESTIMATED if _idle(readings) or _brief(readings) else Provenance.DERIVED
            said = f"{event} over the four kinds of slots, {source}{doubt}"
            yield stated(name, reading.value / slots, how, said, counted_share=_counted(kinds))
        else:
            yield absent(name, "not all four kinds of issue slots were counted")


def _too_few(readings: Mapping[str, Reading]) -> str:
    """Say that more instructions ended than the slots of useful work hold; empty where they may fit, or not all of it is told."""
    done, cycles, kept = (
        readings[key].value if key in readings else None for key in ("instructions", "cycles", _ALL_SLOTS[0])
    )
    if done is None or not cycles or kept is None or readings[_ALL_SLOTS[0]].unit != "%":
        return ""
    if done / cycles <= _MOST_IN_SLOTS * kept / 100:
        return ""
    return (
        f"{kept:g} % of the slots did useful work, and {done / cycles:.3g} instructions ended in a clock: {IMPOSSIBLE}"
    )


def _brief(readings: Mapping[str, Reading]) -> str:
    """Say that a program worked so briefly that its slots are those of its start for a good part; empty where it did not."""
    worked, elapsed = readings.get(_RUNNING[1]), readings.get(_RUNNING[2])
    if worked is None or elapsed is None or not worked.value or not worked.unit:
        return ""
    seconds = worked.value * _TICKS.get(worked.unit, 0.0)
    return (
        f"; the program worked for {1e3 * seconds:.2g} ms, much of which is its start"
        if 0 < seconds < _BRIEF_START_S
        else ""
    )


def _mispredicted(readings: Mapping[str, Reading], source: str) -> Iterator[Fact | Absent]:
    name, event, clocks, each = _MISPREDICTED
    misses, cycles = (readings[key].value if key in readings else None for key in (event, clocks))
    if misses is not None and cycles and each * misses > cycles:
        yield absent(
            name, f"{event} at {each:.0f} clocks each are more than all {clocks}: they are of different runs, or wrong"
        )
    elif misses is not None and cycles:
        how = f"{each:.0f} * {event} / {clocks}, {source}, the whole process; one costs 14 to 20 clocks"
        both = _counted((readings[event], readings[clocks]))
        yield stated(name, each * misses / cycles, Provenance.ESTIMATED, how, counted_share=both)


def _running(readings: Mapping[str, Reading], source: str) -> Iterator[Fact | Absent]:
    name, event, whole = _RUNNING
    worked, elapsed = readings.get(event), readings.get(whole)
    if worked is None or elapsed is None or not worked.value or not elapsed.value:
        return
    # without a unit the oldest versions print ms with decimals, the newest whole ns
    unit = worked.unit or ("ns" if worked.value.is_integer() else "msec")
    cores = worked.value * _TICKS.get(unit, 0.0) / elapsed.value
    if elapsed.value < _BRIEF_S:
        yield absent(name, f"the run took {1e3 * elapsed.value:.2g} ms, much of which is the start of the program")
        return
    if 1 / _MOST_CORES < cores < _MOST_CORES:
        yield stated(name, cores, Provenance.DERIVED, f"{event} / {whole}, {source}")


def _of_memory(row: Fact | Absent, readings: Mapping[str, Reading], source: str) -> Fact | Absent:
    """Return the slots that wait for memory for those of the back end, where only these are printed: VTune's 'memory-access' does so."""
    name, event = _STALLED[0], _SLOTS[-1][1]
    part = readings.get(event)
    if isinstance(row, Fact) or row.name != name or part is None or (part.value or 0.0) < _TELLING or part.unit != "%":
        return row
    return stated(
        name,
        (part.value or 0.0) / 100,
        Provenance.ESTIMATED,
        f"{event}, {source}: a part of it, so it is at least as much",
        counted_share=_counted((part,)),
    )


def _stalled(row: Fact | Absent, readings: Mapping[str, Reading], source: str) -> Fact | Absent:
    """Return the back end's share of the clocks for that of the slots, where these were not counted and the other counts allow it."""
    name, event, other = _STALLED
    back, front, cycles, done = (
        readings[key].value if key in readings else None for key in (event, other, "cycles", "instructions")
    )
    if isinstance(row, Fact) or row.name != name or back is None or not cycles:
        return row
    if back + (front or 0.0) > cycles:
        return absent(name, f"{event} and {other} are more than all clocks: here they mean something else")
    if (done or 0.0) > _WIDEST * (cycles - back):
        return absent(name, f"{event} leaves fewer clocks than the instructions need: here it means something else")
    how = f"{event} / cycles, {source}, the whole process; slots of other clocks may be lost too"
    both = _counted((readings[event], readings["cycles"]))
    return stated(name, back / cycles, Provenance.ESTIMATED, how, counted_share=both)


def _plain(event: str) -> str:
    """Return an event without what restricts it: ``cycles:u`` and ``cpu_core/cycles/`` are ``cycles``."""
    name = event.split("/")[1] or event if "/" in event else event.partition(":")[0]
    return _SAME.get(name.partition("/")[0], name.partition("/")[0])


def _fact(name: str, above: Reading | None, below: Reading | None, source: str) -> Fact | Absent:
    for reading in (above, below):
        if reading is None or reading.value is None:
            return absent(
                name, "the event was not asked for" if reading is None else f"{reading.event}: {reading.reason}"
            )
    assert above is not None
    assert below is not None
    if not below.value:
        return absent(name, f"{below.event} is 0")
    if (above.value or 0.0) > _MOST.get(name, inf) * below.value:
        return absent(
            name,
            f"{above.event} over {below.event} is more than can be: they are of different runs, or mean something else",
        )
    shared = _counted((above, below))
    formula = f"{above.event} / {below.event}, {source}, the whole process"
    if shared < 1:
        return stated(
            name,
            (above.value or 0.0) / below.value,
            Provenance.ESTIMATED,
            f"{formula}; extrapolated by perf",
            counted_share=shared,
        )
    return stated(name, (above.value or 0.0) / below.value, Provenance.DERIVED, formula)


def _counted(readings: Iterable[Reading]) -> float:
    """Return the share of the run in which the least counted of some events had a counter; 1 where no tool tells."""
    return min((reading.running_share for reading in readings if reading.running_share is not None), default=1.0)


def blind(readings: Sequence[Reading]) -> bool:
    """Tell whether hardware events were asked for and not one of them was counted."""
    hardware = [reading for reading in readings if reading.event.partition(":")[0] in HARDWARE]
    return bool(hardware) and all(reading.value is None for reading in hardware)
