"""``hotloop report``."""

from __future__ import annotations

import click

from hotloop.cli import destination, options

EPILOG = """\b
Examples:
  hotloop report                          the latest run, on the terminal
  hotloop report 3f2a --html page.html    a run by the beginning of its identity, as one self-contained page
  hotloop report --markdown notes.md      for a pull request
  hotloop report --watch --store postgresql://db.example/hotloop   a run on another machine, as it goes
"""


@click.command("report", epilog=EPILOG)
@click.argument("run", default="", metavar="[RUN]")
@click.option("--watch", is_flag=True, help="Follow a run that goes on, here or elsewhere, until it ends.")
@destination.pages("run")
@options.store
@options.as_json
def COMMAND(run: str, watch: bool, store: str, as_json: bool, **files: str | None) -> int:
    """Show a run from the store again: trajectory, roofline, evidence, verdicts, how to reproduce it."""
    import time

    from hotloop.app import hint
    from hotloop.app.run.kept import record
    from hotloop.app.run.kept import watch as watching
    from hotloop.app.session import open_store
    from hotloop.cli import output, pages
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError

    with open_store(options.options(store=store), read_only=True) as opened:
        name = run
        if not name:
            latest = [info for info in opened.runs(None, 50) if info.kind.value in ("optimize", "tune")]
            if not latest:
                raise UsageError(
                    f"the store has no runs yet; begin with: {hint.command('optimize', 'gemm', store=store)}."
                )
            name = latest[0].id
        if watch:
            with Progress(0.0) as progress:
                for event in watching.events(opened, opened.run(name).id, time.sleep, time.monotonic):
                    progress.notify(event)
        recorded = record.read(opened, name)
    if as_json or not any(files.values()):
        output.run(recorded, as_json=as_json)
    pages.write(recorded, files)
    return 0
