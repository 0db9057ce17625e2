"""``hotloop doctor``."""

from __future__ import annotations

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop doctor           what works here, and the one command that mends what does not
  hotloop doctor --json    for scripts
  hotloop doctor --engine ray   join the Ray cluster, or start one here, and say which devices it has; gpus: those here
"""


@click.command("doctor", epilog=EPILOG)
@options.engine
@options.store
@options.as_json
def COMMAND(engine: str, store: str, as_json: bool) -> int:
    """Examine this machine: OpenCL runtimes and GPUs (each with a test kernel), tools, peers, store."""
    from dataclasses import asdict

    from hotloop.app.doctor import examine as doctor
    from hotloop.cli import output, tables

    examined = doctor.examine(options.options(store=store, engine=engine))
    if as_json:
        output.emit({"healthy": examined.healthy, "findings": [asdict(row) for row in examined.findings]})
    else:
        output.show(tables.doctor(examined))
    return 0 if examined.healthy else 3
