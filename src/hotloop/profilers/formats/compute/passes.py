"""The newest layout of a workload: a folder for each pass under ``out``.

In it lies a folder for each process with a database of its launches, and beside that the process's counters, which name a launch by
its number alone: the profiler itself puts both together only when it analyses the workload.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.host import scratch
from hotloop.profilers.formats.rocpd.records import read as read_database
from hotloop.profilers.source import look, named
from hotloop.profilers.tables.csvtext import table
from hotloop.profilers.unwrapping import is_packed, unpacked
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Dispatch, Profile

FOLDER: Final = "out"
_DATABASES: Final = "*/*.db"

Counted = dict[int, dict[str, float]]


def passes(workload: Path) -> tuple[Path, ...]:
    """Return the folders of a workload's passes that hold databases; none for a workload of another layout."""
    inner = workload / FOLDER
    return tuple(place for place in sorted(inner.glob("*")) if any(place.glob(_DATABASES))) if inner.is_dir() else ()


def read_pass(place: Path) -> Profile:
    """Return what a pass's processes launched, with their counters. Raises ProfileError."""
    profiles = [_counted(place, path) for path in sorted(place.glob(_DATABASES))]
    launches = tuple(launch for profile in profiles for launch in profile.dispatches)
    return replace(
        profiles[0], dispatches=launches, notes=tuple(note for profile in profiles for note in profile.notes)
    )


def _counted(place: Path, database: Path) -> Profile:
    profile = read_database(database)
    beside = _beside(place, database)
    if beside is None or any(launch.counters for launch in profile.dispatches):
        return profile
    counters = _counters(beside)
    return replace(profile, dispatches=tuple(_with(launch, counters) for launch in profile.dispatches))


def _beside(place: Path, database: Path) -> Path | None:
    """Return the counters of the process that a database is named after."""
    process = database.stem.partition("_")[0]
    return next(iter(sorted(place.glob(f"{process}_native_counter_collection.csv*"))), None)


def _with(launch: Dispatch, counters: Counted) -> Dispatch:
    return launch if launch.dispatch_id is None else replace(launch, counters=counters.get(launch.dispatch_id, {}))


def _counters(path: Path) -> Counted:
    """Return the counters of each launch by its number, rows of one counter added up: they are instances. Raises ProfileError."""
    with scratch.folder() as folder:
        head = look(path)
        return _sums(unpacked(head, Path(folder)) if is_packed(head) else path)


def _sums(path: Path) -> Counted:
    sums: Counted = {}
    for number, counter, value in _rows(path):
        own = sums.setdefault(number, {})
        own[counter] = own.get(counter, 0.0) + value
    return sums


def _rows(path: Path) -> Iterator[tuple[int, str, float]]:
    with table(path) as opened:
        places = [opened.index(column) for column in ("dispatch_id", "counter_name", "counter_value")]
        if None in places:
            raise ProfileError(
                f"{named(path)} lacks dispatch_id, counter_name or counter_value: no counters of a pass."
            )
        for row in opened.rows:
            number, counter, value = (row[place] for place in places if place is not None)
            if (launch := real(number)) is not None and (counted := real(value)) is not None:
                yield int(launch), counter.strip(), counted
