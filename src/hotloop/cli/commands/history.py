"""``hotloop history``."""

from __future__ import annotations

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop history                     the latest runs
  hotloop history --best              the best known configuration of every problem
  hotloop history --calibration       what each technique promised and what it gave
"""


@click.command("history", epilog=EPILOG)
@click.option(
    "--kind", type=click.Choice(["optimize", "tune", "bench", "check", "compare"]), help="Only runs of this kind."
)
@click.option("--limit", "count", type=click.IntRange(min=1), default=20, show_default=True, help="How many runs.")
@click.option("--best", is_flag=True, help="Show best-known configurations instead of runs.")
@click.option("--calibration", is_flag=True, help="Show predicted against measured gains instead of runs.")
@options.store
@options.as_json
def COMMAND(kind: str | None, count: int, best: bool, calibration: bool, store: str, as_json: bool) -> int:
    """List what the store remembers: runs, best-known configurations, predictions."""
    from hotloop.app.session import open_store
    from hotloop.cli import output, tables
    from hotloop.model.codec import encode

    with open_store(options.options(store=store), read_only=True) as opened:
        if best:
            rows = opened.all_best()
            output.emit([encode(row) for row in rows]) if as_json else output.show(tables.best(rows))
        elif calibration:
            predictions = opened.calibration()
            output.emit([encode(row) for row in predictions]) if as_json else output.show(
                tables.calibration(predictions)
            )
        else:
            runs = opened.runs(kind, count)
            output.emit([encode(row) for row in runs]) if as_json else output.show(tables.runs(runs))
    return 0
