"""Nsight Compute's page ``details``: one row for each metric of a launch under its title, and the tool's own advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import Path

from hotloop.profilers.formats.ncu.number import Spelling, scale
from hotloop.profilers.formats.ncu.sentences import figures
from hotloop.profilers.formats.ncu.text import Page, broken, dispatch, in_one_spelling, pages, profile
from hotloop.profilers.formats.ncu.titles import metric
from hotloop.profiles.failure import ProfileError, printable
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

_SHORTEST = "Metric Value"
"""Rows of metrics end with this column, rows of advice go on."""
_MEAN = "Average"
FORM = "details page, CSV"
_AMD = re.compile(r"(?:SQC?|TC[ACP]|TA|TD|GRBM|SPI|CP[CF])_[A-Z0-9_]+$")
"""Counters of AMD's blocks."""


def read(path: Path) -> Profile:
    """Return the launches of a details page; metrics whose title is known get the metric's name, others ``section/title``.

    Raises:
        ProfileError: damaged, or with numbers in several spellings.
    """
    return in_one_spelling(path, _read)


def _read(path: Path, spelling: Spelling) -> Profile:
    (answer,) = (_profile(page) for page in pages(path, spelling))
    return answer


def _profile(page: Page) -> Profile:
    capabilities: set[str] = set()
    facts: dict[DeviceFact, None] = {}
    return profile(page, FORM, _launches(page, capabilities), capabilities, facts)


def _cells(page: Page) -> Iterator[dict[str, str]]:
    if _MEAN in page.columns and _SHORTEST not in page.columns:
        page.columns = tuple(_SHORTEST if column == _MEAN else column for column in page.columns)
        page.notes.append("values are means over all launches of a kernel: Nsight Compute was asked for its summary")
    if _SHORTEST not in page.columns:
        raise broken(page.path, 1, f"no column is called {_SHORTEST}")
    page.least = shortest = page.columns.index(_SHORTEST) + 1
    for place, row in enumerate(page.rows, 2):
        if not shortest <= len(row) <= len(page.columns):
            raise broken(page.path, place, f"{len(row)} cells under a header of {len(page.columns)}")
        yield dict(zip(page.columns, row, strict=False))


def _launches(page: Page, capabilities: set[str]) -> Iterator[Dispatch]:
    for _, rows in groupby(_numbered(_cells(page)), key=_launch):
        listed = list(rows)
        capabilities.add(listed[0].get("CC", ""))
        figure = figures(" ".join(row.get("Rule Description", "") for row in listed))
        yield dispatch(listed[0], {**figure, **{name: value for row in listed for name, value in _metric(page, row)}})


def _numbered(cells: Iterator[dict[str, str]]) -> Iterator[dict[str, str]]:
    """Yield the rows; where no column tells of a launch, a metric that comes again begins the next one.

    Of one launch a title may stand twice, as a share and as a number: "Memory Throughput" in percent and in bytes per second.
    """
    seen, number = set[tuple[str, bool]](), 0
    for row in cells:
        if "Kernel Name" not in row:
            key = row["Metric Name"], row["Metric Unit"] == "%"
            if key in seen:
                seen, number = set(), number + 1
            seen.add(key)
            row["ID"] = str(number)
        yield row


def _launch(row: Mapping[str, str]) -> tuple[str, ...]:
    """Return what tells a launch from the next: its numbers, or the kernel where people cut those away."""
    return row.get("Process ID", ""), row.get("ID", ""), "" if "ID" in row else row.get("Kernel Name", "")


def _metric(page: Page, row: Mapping[str, str]) -> Iterator[tuple[str, float]]:
    """Yield a row's metric. Raises ProfileError for another vendor's: people have put them under these columns, in other units."""
    if _AMD.match(row["Metric Name"]):
        raise ProfileError(
            f"{page.path.name} has AMD's counter {printable(row['Metric Name'])} under Nsight Compute's columns, in units that nobody "
            "tells: give the file that rocprof wrote."
        )
    title = row["Metric Name"]
    value = page.value(title, row["Metric Value"]) if title else None
    if value is not None:
        yield metric(row.get("Section Name", ""), title), value * scale(row.get("Metric Unit", ""))
