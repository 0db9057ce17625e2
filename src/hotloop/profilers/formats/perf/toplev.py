"""Nodes that ``toplev`` of pmu-tools prints: shares of issue slots by core, under the names of ``perf stat --topdown``.

``S0-C0 Backend_Bound.Memory_Bound: 44.59 % Slots`` in older versions, ``C0  BE  Backend_Bound  % Slots  53.4`` in newer ones. Only nodes
above a threshold are printed, so a kind that is not there is not counted, never 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from statistics import fmean
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile, Reading

_CORE: Final = r"^\s*(?:(?:S\d+-)?C\d+(?:-T\d+)?\s+)?"
ROW: Final = re.compile(
    _CORE
    + r"(?:(?:(?:FE|BE|BAD|RET)[\w/]*\s+)?(?P<name>[A-Z]\w*_?[A-Z]?[\w.]*):?\s+)(?:(?P<before>[0-9.]+) +% +Slots|% +Slots\s+(?P<after>[0-9.]+))",
    re.MULTILINE,
)
TAGGED: Final = re.compile(
    r"^\s*(?:FE|BE|BAD|RET)\s+(?P<name>(?:Frontend|Backend)_Bound|Bad_Speculation|Retiring):?\s+(?P<before>[0-9.]+) ?%(?P<after>)(?! *[A-Za-z])",
    re.MULTILINE,
)
"""The same as people quote it, without the unit's name."""
SEPARATED: Final = re.compile(
    r"(?:^|[,;])(?P<name>[A-Z][\w.]*)[,;](?P<before>[0-9.]+)[,;]% Slots(?P<after>)(?:[,;]|$)", re.MULTILINE
)
"""A node with ``-x,``: ``C0,Backend_Bound,70.2,% Slots,...``."""
_NODES: Final = {
    "Retiring": "topdown-retiring",
    "Bad_Speculation": "topdown-bad-spec",
    "Frontend_Bound": "topdown-fe-bound",
    "Backend_Bound": "topdown-be-bound",
    "Backend_Bound.Memory_Bound": "topdown-mem-bound",
    "Backend_Bound.Core_Bound": "topdown-core-bound",
}


def read(path: Path) -> Profile:
    """Return the mean share of each node over the cores, of the first run. Raises ProfileError."""
    with lines(path) as text:
        every = tuple(_shares(text))
    shares = tuple(_of_first(every))
    if not shares:
        raise ProfileError(f"{named(path)} has nodes of toplev, but none of its first level: run 'toplev -l1'.")
    events = dict.fromkeys(event for event, _ in shares)
    readings = tuple(Reading(event, fmean(share for name, share in shares if name == event), "%") for event in events)
    notes = ("the text holds several runs: only the first is read",) if len(shares) < len(every) else ()
    return Profile(tool="toplev", source=path.name, format="toplev (text)", readings=readings, notes=notes)


def _shares(text: Iterator[str]) -> Iterator[tuple[str, float, str]]:
    """Yield each node's event, its share and what stands before it, which names the core."""
    for line in text:
        row = ROW.match(line) or TAGGED.match(line) or SEPARATED.search(line)
        if row and row["name"] in _NODES:
            yield _NODES[row["name"]], float(row["before"] or row["after"]), line[: row.start("name")]


def _of_first(shares: Iterable[tuple[str, float, str]]) -> Iterator[tuple[str, float]]:
    """Yield the shares until a node of a core comes again."""
    seen = set[tuple[str, str]]()
    for event, share, core in shares:
        if (event, core) in seen:
            return
        seen.add((event, core))
        yield event, share
