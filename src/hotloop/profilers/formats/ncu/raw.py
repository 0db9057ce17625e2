"""Nsight Compute's page ``raw``: one row for each launch, one column for each metric, a row of units below the header."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotloop.profilers.formats.ncu.number import Spelling, scale
from hotloop.profilers.formats.ncu.text import (
    Page,
    attributes,
    broken,
    dispatch,
    in_one_spelling,
    is_attribute,
    pages,
    profile,
)
from hotloop.profiles.profile import DeviceFact, Dispatch, Profile

_DESCRIPTION = frozenset(
    ("ID", "Process ID", "Process Name", "Host Name", "Kernel Name", "Kernel Time", "Context", "Stream", "Block Size", "Grid Size",
     "Device", "CC", "Section Name", "Range Name", "Invocations")
)  # fmt: skip
FORM = "raw page, CSV"


def read(path: Path) -> Profile:
    """Return the launches of a raw page, values in base units (bytes, ns, hz, %, counts).

    Raises:
        ProfileError: damaged, without units, or with numbers in several spellings.
    """
    return in_one_spelling(path, _read)


def _read(path: Path, spelling: Spelling) -> Profile:
    (answer,) = (_profile(page) for page in pages(path, spelling))
    return answer


def _profile(page: Page) -> Profile:
    capabilities: set[str] = set()
    facts: dict[DeviceFact, None] = {}
    return profile(page, FORM, _launches(page, capabilities, facts), capabilities, facts)


def _launches(page: Page, capabilities: set[str], facts: dict[DeviceFact, None]) -> Iterator[Dispatch]:
    page.least = len(page.columns)
    units = next(page.rows, None)
    if units is None or len(units) != len(page.columns) or any(_of_launch(page, units)):
        raise broken(page.path, 2, "the row of units is missing")
    wanted = [(i, name, scale(units[i])) for i, name in enumerate(page.columns) if _measured(name)]
    described = [(i, name) for i, name in enumerate(page.columns) if name in _DESCRIPTION]
    for place, row in enumerate(page.rows, 3):
        if len(row) != len(page.columns):
            raise broken(page.path, place, f"{len(row)} cells under a header of {len(page.columns)}")
        cells = {name: row[i] for i, name in described}
        capabilities.add(cells.get("CC", ""))
        facts |= dict.fromkeys(attributes(cells.get("Device", ""), page.columns, row))
        yield dispatch(cells, _counters(page, row, wanted))


def _of_launch(page: Page, units: list[str]) -> list[str]:
    """Return the units of what describes a launch, which has none: in a row of a launch its number and name stand there."""
    return [unit for name, unit in zip(page.columns, units, strict=True) if name in _DESCRIPTION]


def _measured(column: str) -> bool:
    return column not in _DESCRIPTION and not is_attribute(column)


def _counters(page: Page, row: list[str], wanted: list[tuple[int, str, float]]) -> dict[str, float]:
    counters: dict[str, float] = {}
    for index, name, factor in wanted:
        value = page.value(name, row[index])
        if value is not None:
            counters[name] = value * factor
    return counters
