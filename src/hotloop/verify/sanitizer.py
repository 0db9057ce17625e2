"""What dynamic checkers of memory and races print, as findings with source lines: oclgrind and compute-sanitizer.

Sources of the formats: logs of oclgrind 21.10 (recorded here), and the form of NVIDIA's Compute Sanitizer as remembered, not yet seen on a real log,
for memcheck, racecheck, initcheck and synccheck.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, takewhile

RACE, BOUNDS, UNINITIALISED, DIVERGENCE, OTHER = (
    "data race", "out of bounds", "uninitialised", "barrier divergence", "other",
)  # fmt: skip
_KINDS = (
    (re.compile(r"data race|\bhazard\b|race reported", re.IGNORECASE), RACE),
    (re.compile(r"\buninitiali[sz]ed\b", re.IGNORECASE), UNINITIALISED),
    (re.compile(r"divergence|divergent thread", re.IGNORECASE), DIVERGENCE),
    (re.compile(r"^invalid (?:read|write|__\w+__|atomic)|out of bounds|misaligned", re.IGNORECASE), BOUNDS),
)
_OCLGRIND_LINE = re.compile(r"^\s*At line (\d+)(?: \(column (\d+)\))? of (.+):$")
_OCLGRIND_HEAD = re.compile(r"^(?!Oclgrind|OCLGRIND)\S.*\n\s+Kernel:", re.MULTILINE)
_FILE_LINE = re.compile(r"\bin (?:.*/)?([^/:\s]+):(\d+)\b")
_HEXADECIMAL = re.compile(r"0x[0-9a-fA-F]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """A line of a source."""

    line: int
    file: str = ""
    text: str = ""
    """The line itself, where the tool prints it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SanitizerFinding:
    """One defect, however often it was reported."""

    kind: str
    message: str
    """The tool's own first line, without addresses."""
    kernel: str = ""
    places: tuple[Place, ...] = ()
    """Source places of the defect; a race has two."""
    count: int = 1
    """Reports of the same kind at the same places."""

    @property
    def where(self) -> str:
        """Return the lines in a few words, e.g. ``line 9 and line 7``."""
        return " and ".join(f"line {place.line}" for place in self.places) or "an unknown line"


def parse(text: str) -> tuple[SanitizerFinding, ...]:
    """Return the findings of a log, those that agree in kind and places counted together.

    Anything else in the log (a program's own output, warnings of the tool) is passed over.
    """
    return merge(_compute_sanitizer(text) if "=========" in text else _oclgrind(text))


def merge(findings: Iterable[SanitizerFinding]) -> tuple[SanitizerFinding, ...]:
    """Return findings with those that agree in kind, kernel and places counted together."""
    merged: dict[tuple[str, str, tuple[Place, ...]], SanitizerFinding] = {}
    for finding in findings:
        key = (finding.kind, finding.kernel, finding.places)
        merged[key] = replace(merged[key], count=merged[key].count + finding.count) if key in merged else finding
    return tuple(merged.values())


def gave_up(text: str) -> tuple[str, ...]:
    """Return why oclgrind stopped simulating, each reason once; what it did not run it cannot have checked."""
    rows = text.splitlines()
    fatal = (below.strip() for row, below in pairwise(rows) if row.startswith("OCLGRIND FATAL ERROR"))
    return tuple(dict.fromkeys(fatal))


def _oclgrind(text: str) -> Iterator[SanitizerFinding]:
    """Yield a finding for each block: an unindented line, then indented ones of which the first names the kernel."""
    starts = [hit.start() for hit in _OCLGRIND_HEAD.finditer(text)]
    for start, stop in pairwise([*starts, len(text)]):
        head, *rest = text[start:stop].splitlines()
        yield _from_oclgrind(head.strip(), list(takewhile(lambda row: not row or row[0].isspace(), rest)))


def _from_oclgrind(head: str, body: list[str]) -> SanitizerFinding:
    kernel = next((row.split(":", 1)[1].strip() for row in body if row.strip().startswith("Kernel:")), "")
    places = []
    for row, below in pairwise([*body, ""]):
        if hit := _OCLGRIND_LINE.match(row):
            places.append(Place(line=int(hit[1]), file=hit[3], text=below.strip()))
    return SanitizerFinding(kind=_kind(head), message=_plain(head), kernel=kernel, places=tuple(places))


def _compute_sanitizer(text: str) -> Iterator[SanitizerFinding]:
    rows = [row.removeprefix("=========").rstrip() for row in text.splitlines() if row.startswith("=========")]
    head, body = "", list[str]()
    for row in [*rows, " end"]:
        if row.startswith("     "):
            body.append(row.strip())
            continue
        kind = _kind(head.removeprefix("Error: ").removeprefix("Warning: "))
        if head and kind != OTHER:
            yield _from_compute_sanitizer(kind, head, body)
        head, body = row.strip(), []


def _from_compute_sanitizer(kind: str, head: str, body: list[str]) -> SanitizerFinding:
    stack = next((i for i, row in enumerate(body) if "backtrace" in row.casefold()), len(body))
    hits = [hit for row in (head, *body[:stack]) for hit in _FILE_LINE.finditer(row)]
    places = tuple(Place(line=int(hit[2]), file=hit[1]) for hit in hits)
    named = re.search(r"(?:\bat |:)([A-Za-z_]\w*)\(", "\n".join((head, *body[:stack])))
    return SanitizerFinding(kind=kind, message=_plain(head), kernel=named[1] if named else "", places=places)


def _kind(head: str) -> str:
    return next((kind for pattern, kind in _KINDS if pattern.search(head)), OTHER)


def _plain(head: str) -> str:
    return _HEXADECIMAL.sub("…", head).strip()
