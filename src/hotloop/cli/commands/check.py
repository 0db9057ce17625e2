"""``hotloop check``."""

from __future__ import annotations

from typing import Literal

import click

from hotloop.cli import options

Level = Literal["quick", "full"]
EPILOG = """\b
Examples:
  hotloop check my_kernel.py                 the starting configuration of a file's kernel
  hotloop check gemm --shape 100x101x7       a family on one shape
  hotloop check 'gemm@best' --level quick    the best known configuration, few cases
"""


@click.command("check", epilog=EPILOG)
@click.argument("target", metavar="TARGET")
@options.shape
@click.option(
    "--level", type=click.Choice(["quick", "full"]), default="full", show_default=True, help="How many cases."
)
@options.machine
@options.store
@options.seed
@options.as_json
def COMMAND(
    target: str, shape: str, level: Level, device: str, limit_s: float, store: str, seed: int, as_json: bool
) -> int:
    """Verify TARGET (KERNEL, KERNEL@NAME=VALUE,... or KERNEL@best) against its high-precision reference."""
    from hotloop.app import faceoff, targets, userfile
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Outcome, WrongResult

    parsed = targets.parse(target)
    problem = userfile.problem_of(parsed.kernel, shape)
    with Progress(0.0, quiet=as_json) as progress:
        found = faceoff.check(parsed, problem, options.options(device, limit_s, store, seed), progress, level)
    report = found.answer.check if isinstance(found.answer, WrongResult) else found.answer
    if as_json:
        data = (
            encode(report) if found.passed or isinstance(found.answer, WrongResult) else encode(found.answer, Outcome)
        )
        output.emit({"target": target, "device": found.device.key, "passed": found.passed, "answer": data})
    else:
        output.show(tables.check(found))
    return 0 if found.passed else 1
