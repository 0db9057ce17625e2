"""Nodes that ``toplev`` of pmu-tools prints: shares of issue slots by core, under the names of ``perf stat --topdown``.

``S0-C0 FE  Frontend_Bound:  35.21%`` in 2015, ``S0-C0 Backend_Bound.Memory_Bound: 44.59 % Slots`` later, ``C0  BE  Backend_Bound  % Slots
53.4`` today. Only nodes above a threshold are printed, so a kind that is not there is not counted, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
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


def read(path: Path) -> Profile:
    """Return the mean share of each node over the cores, of the first run. Raises ProfileError."""
    with lines(path) as text:
        every = tuple(_shares(text))
    shares = tuple(_of_first(every))
    if not shares:
        raise ProfileError(f"{named(path)} has nodes of toplev, but none of its first level: run 'toplev -l1'.")
    events = dict.fromkeys(event for event, _, _ in shares)
    apart = tuple(_of_cores(shares))
    readings = (*_means(shares, events), *(apart if len({r.event.partition("@")[2] for r in apart}) > 1 else ()))
    notes = ("the text holds several runs: only the first is read",) if len(shares) < len(every) else ()
    return Profile(tool="toplev", source=path.name, format="toplev (text)", readings=readings, notes=notes)


def _shares(text: Iterator[str]) -> Iterator[tuple[str, float, str]]:
    """Yield each node's event, its share and what stands before it, which names the core."""
    for line in text:
        row = ROW.match(line) or QUOTED.match(line) or SEPARATED.search(line)
        if row and row["name"] in _NODES:
            yield _NODES[row["name"]], float(row["before"] or row["after"]), line[: row.start("name")]


def _means(shares: Sequence[tuple[str, float, str]], events: Iterable[str]) -> Iterator[Reading]:
    """Yield the mean share of each event over the cores, of hybrid processors for each kind of cores."""
    kinds = dict.fromkeys(_kind(core) for _, _, core in shares)
    for kind, event in ((kind, event) for kind in kinds for event in events):
        values = [share for name, share, core in shares if name == event and _kind(core) == kind]
        if values:
            yield of_kind(Reading(event, fmean(values), UNIT), kind)


def _of_cores(shares: Iterable[tuple[str, float, str]]) -> Iterator[Reading]:
    """Yield the shares of each core, named after it as perf names them."""
    for event, share, before in shares:
        core = before.split()[0] if before.split() else ""
        if any(letter.isdigit() for letter in core):
            yield Reading(f"{event}@{core}", share, UNIT)


def _kind(before: str) -> str:
    """Return the kind of cores that stands before a node: ``cpu_core`` for toplev's ``core``; empty for a numbered core."""
    word = before.split(maxsplit=1)[0] if before.split() else ""
    return word if word.startswith("cpu_") else f"cpu_{word}" if word in _KINDS else ""


def _of_first(shares: Iterable[tuple[str, float, str]]) -> Iterator[tuple[str, float, str]]:
    """Yield the shares until a node of a core comes again."""
    seen = set[tuple[str, str]]()
    for event, share, core in shares:
        if (event, core) in seen:
            return
        seen.add((event, core))
        yield event, share, core
