"""rocprof v1's SQLite file: the table KERN with the columns of the CSV; kernel names are stored with literal quotes."""

from __future__ import annotations

from pathlib import Path

from hotloop.profilers.formats.rocprof.v1 import REASONS
from hotloop.profilers.source import named
from hotloop.profilers.sqlitefile import database, quoted
from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.launchcolumns import LaunchColumns
from hotloop.profiles.cell import real
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile

TABLE = "KERN"


def read(path: Path) -> Profile:
    """Return one dispatch for each row. Raises ProfileError."""
    summary = Summary()
    with database(path) as opened:
        if TABLE not in opened.tables:
            raise ProfileError(f"{named(path)} has no table {TABLE}: no database of rocprof v1.")
        columns = opened.columns(TABLE)
        launch = LaunchColumns(columns, dict(REASONS))
        if "kernel" not in launch.places:
            raise ProfileError(f"{named(path)}: its table {TABLE} has no column KernelName: no database of rocprof v1.")
        counters = launch.counters()
        listed = ", ".join(quoted(column) for column in columns)
        for cells in opened.rows(f"SELECT {listed} FROM {quoted(TABLE)}"):  # noqa: S608 - quoted, from the schema
            row = ["" if cell is None else str(cell) for cell in cells]
            summary.add(launch.dispatch(row, {n: v for place, n in counters if (v := real(row[place])) is not None}))
    return Profile(tool="rocprof-v1", source=path.name, format="dispatches (SQLite table KERN)", dispatches=summary.dispatches(),
                   kernels=summary.kernels(), absent=summary.absent(launch.reasons))  # fmt: skip
