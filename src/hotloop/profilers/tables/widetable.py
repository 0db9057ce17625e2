"""Counters in wide form: one row for each dispatch, every column that does not describe the launch is a counter."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from hotloop.profilers.summary import Summary
from hotloop.profilers.tables.csvtext import table, unread
from hotloop.profilers.tables.launchcolumns import LaunchColumns
from hotloop.profiles.cell import real
from hotloop.profiles.profile import Profile


def read_wide(
    path: Path,
    tool: str,
    form: str,
    reasons: Mapping[str, str],
    called: Callable[[Sequence[str]], Sequence[str]] = list,
) -> Profile:
    """Return dispatches with their counters under the names that `called` makes of the columns'; an empty cell is an absent counter.

    Raises:
        ProfileError: the table is damaged.
    """
    summary = Summary()
    with table(path) as opened:
        launch = LaunchColumns(called(opened.columns), dict(reasons))
        counters, passes = launch.counters(), launch.passes()
        for row in opened.rows:
            values = {}
            for place, name in counters:
                value = real(row[place])
                if value is None:
                    unread(opened.notes, row[place])
                else:
                    values[name] = value
            summary.add(launch.dispatch(row, values, _split(values, passes)))
        notes = tuple(opened.notes)
    return Profile(tool=tool, source=path.name, format=form, dispatches=summary.dispatches(), kernels=summary.kernels(),
                   absent=summary.absent(launch.reasons), notes=notes)  # fmt: skip


def _split(values: Mapping[str, float], passes: Sequence[Sequence[str]]) -> tuple[Mapping[str, float], ...]:
    return tuple({name: values[name] for name in names if name in values} for names in passes)
