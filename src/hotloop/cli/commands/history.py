"""``hotloop history``."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

import click

from hotloop.cli import idle, options

if TYPE_CHECKING:
    from rich.table import Table

Row = TypeVar("Row")

EPILOG = """\b
Examples:
  hotloop history                     the latest runs
  hotloop history --best              the best known configuration of every problem
  hotloop history --calibration       what each technique promised and what it gave
"""


@click.command("history", epilog=EPILOG)
@click.option("--kind", type=click.Choice(["optimize", "tune"]), help="Only runs of this kind.")
@click.option(
    "--limit", "count", type=options.Whole(1, 1_000_000_000), default=20, show_default=True, help="How many runs."
)
@click.option("--best", is_flag=True, help="Show best-known configurations instead of runs.")
@click.option("--calibration", is_flag=True, help="Show predicted against measured gains instead of runs.")
@options.store
@options.as_json
def COMMAND(kind: str | None, count: int, best: bool, calibration: bool, store: str, as_json: bool) -> int:
    """List the content of the store: runs, best-known configurations, predictions."""
    from hotloop.app.opened import opened
    from hotloop.cli import tables

    idle.one_of("best", "calibration")
    if best or calibration:
        idle.refuse("chooses among runs: leave it out beside --best and --calibration.", "kind", "count")
    with opened(store, read_only=True) as rows:
        if best:
            nothing = "no configuration is known yet: hotloop optimize and hotloop tune find some."
            return _listed(rows.all_best(), tables.best, nothing, as_json=as_json)
        if calibration:
            nothing = "the store holds no prediction yet: hotloop optimize makes some."
            return _listed(rows.calibration(), tables.calibration, nothing, as_json=as_json)
        nothing = f"the store holds no run{f' of {kind}' if kind else ''}."
        return _listed(rows.runs(kind, count), tables.runs, nothing, as_json=as_json)


def _listed(rows: Sequence[Row], table: Callable[[Sequence[Row]], Table], nothing: str, *, as_json: bool) -> int:
    from hotloop.cli import output
    from hotloop.model.codec import encode

    if as_json:
        output.emit([encode(row) for row in rows])
    elif rows:
        output.show(table(rows))
    else:
        click.echo(nothing)
    return 0
