"""Nodes that ``toplev`` of pmu-tools prints: shares of issue slots by core, under the names of ``perf stat --topdown``.

``S0-C0 FE  Frontend_Bound:  35.21%`` in 2015, ``S0-C0 Backend_Bound.Memory_Bound: 44.59 % Slots`` later, ``C0  BE  Backend_Bound  % Slots
53.4`` today. Only nodes above a threshold are printed, so a kind that is not there is not counted, never 0.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import fmean
from typing import Final

from hotloop.profilers.formats.perf import CORE, QUOTED
from hotloop.profilers.formats.perf.slots import UNIT, of_kind
from hotloop.profilers.source import lines, named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading

ROW: Final = re.compile(
    CORE
    + r"(?:(?:(?:FE|BE|BAD|RET)[\w/]*\s+)?(?P<name>[A-Z]\w*_?[A-Z]?[\w.]*):?\s+)(?:(?P<before>[0-9.]+) +(?:\+- +[0-9.]+ +)?% +Slots|% +Slots\s+(?P<after>[0-9.]+))",
    re.MULTILINE,
)
SEPARATED: Final = re.compile(
    r"(?:^|[,;])(?P<name>[A-Z][\w.]*)[,;](?P<before>[0-9.]+)[,;]% Slots(?P<after>)(?:[,;]|$)", re.MULTILINE
)
"""A node with ``-x,``: ``C0,Backend_Bound,70.2,% Slots,...``."""
_BRACKETED: Final = re.compile(r"\[\s*([0-9]+\.?[0-9]*)\s*%\s*\]")
_MUX: Final = re.compile(r"(?:^|[\s,;])MUX[\s,;:]+(?:%[\s,;]+)?([0-9]+\.?[0-9]*)(?=[\s,;%]|$)")
_KINDS: Final = frozenset({"core", "atom"})
"""What toplev calls the two kinds of cores of a hybrid processor."""
_NODES: Final = {
    "Retiring": "topdown-retiring",
    "Bad_Speculation": "topdown-bad-spec",
    "Frontend_Bound": "topdown-fe-bound",
    "Backend_Bound": "topdown-be-bound",
    "Backend_Bound.Memory_Bound": "topdown-mem-bound",
    "Backend_Bound.Core_Bound": "topdown-core-bound",
    "Memory_Bound": "topdown-mem-bound",
    "Core_Bound": "topdown-core-bound",
}


@dataclass(frozen=True, slots=True)
class _Share:
    """A node's event and per cent of the slots, what stands before it, which names the core, and the share of the time it was counted."""

    event: str
    percent: float
    before: str
    counted: float | None


def read(path: Path) -> Profile:
    """Return the mean share of each node over the cores, of the first run. Raises ProfileError."""
    with lines(path) as text:
        rows = list(text)
    every = tuple(_shares(iter(rows)))
    shares = tuple(_of_first(every))
    counted = min((share.counted for share in shares if share.counted is not None), default=_least_counted(rows))
    if not shares:
        raise ProfileError(f"{named(path)} has nodes of toplev, but none of its first level: run 'toplev -l1'.")
    events = dict.fromkeys(share.event for share in shares)
    apart = tuple(_of_cores(shares))
    readings = (*_means(shares, events), *(apart if len({r.event.partition("@")[2] for r in apart}) > 1 else ()))
    readings = tuple(replace(reading, running_share=counted) for reading in readings)
    notes = ("the text holds several runs: only the first is read",) if len(shares) < len(every) else ()
    return Profile(tool="toplev", source=path.name, format="toplev (text)", readings=readings, notes=notes)


def _shares(text: Iterator[str]) -> Iterator[_Share]:
    heads: list[str] = []
    for line in text:
        if "Multiplex" in line:
            heads = [head.strip() for head in re.split("[,;]", line)]
        row = ROW.match(line) or QUOTED.match(line) or SEPARATED.search(line)
        if row and row["name"] in _NODES:
            share, before = float(row["before"] or row["after"]), line[: row.start("name")]
            yield _Share(_NODES[row["name"]], share, before, _multiplexed(line[row.end() :], line, heads))


def _least_counted(rows: Iterable[str]) -> float | None:
    """Return the least share of the time for which an event had a counter: the row ``MUX`` behind the first run's nodes."""
    told = next((match for row in rows if (match := _MUX.search(row))), None)
    return min(1.0, float(told[1]) / 100) if told else None


def _multiplexed(behind: str, line: str, heads: Sequence[str]) -> float | None:
    """Return the share of the time in which a node's events had counters: ``[ 5.5%]``, with ``-x`` the column Multiplex."""
    if match := _BRACKETED.search(behind):
        return min(1.0, float(match[1]) / 100)
    cells = [cell.strip() for cell in next(csv.reader([line], delimiter=";" if ";" in line else ","), [])]
    told = dict(zip(heads, cells, strict=False)).get("Multiplex", "") if len(cells) == len(heads) else ""
    return min(1.0, float(told) / 100) if re.fullmatch(r"[0-9]+\.?[0-9]*", told) else None


def _means(shares: Sequence[_Share], events: Iterable[str]) -> Iterator[Reading]:
    """Yield the mean share of each event over the cores, of hybrid processors for each kind of cores."""
    kinds = dict.fromkeys(_kind(share.before) for share in shares)
    for kind, event in ((kind, event) for kind in kinds for event in events):
        values = [share.percent for share in shares if share.event == event and _kind(share.before) == kind]
        if values:
            yield of_kind(Reading(event, fmean(values), UNIT), kind)


def _of_cores(shares: Iterable[_Share]) -> Iterator[Reading]:
    """Yield the shares of each core, named after it as perf names them."""
    for share in shares:
        core = share.before.split()[0] if share.before.split() else ""
        if any(letter.isdigit() for letter in core):
            yield Reading(f"{share.event}@{core}", share.percent, UNIT)


def _kind(before: str) -> str:
    """Return the kind of cores that stands before a node: ``cpu_core`` for toplev's ``core``; empty for a numbered core."""
    word = before.split(maxsplit=1)[0] if before.split() else ""
    return word if word.startswith("cpu_") else f"cpu_{word}" if word in _KINDS else ""


def _of_first(shares: Iterable[_Share]) -> Iterator[_Share]:
    """Yield the shares until a node of a core comes again."""
    seen = set[tuple[str, str]]()
    for share in shares:
        if (share.event, share.before) in seen:
            return
        seen.add((share.event, share.before))
        yield share
