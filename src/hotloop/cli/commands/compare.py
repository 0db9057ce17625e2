"""``hotloop compare``."""

from __future__ import annotations

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop compare old.py new.py                         two files that compute the same thing
  hotloop compare 'gemm@VW=4' 'gemm@VW=8'               two configurations
  hotloop compare gemm 'gemm@best' --shape 512x512x512  the start against the best known
\b
Both are verified on the first one's inputs and reference, then timed in interleaved rounds. The answer is about the
second: FASTER, SLOWER, SAME or UNCLEAR; exit code 1 for SLOWER, UNCLEAR, or a variant that cannot be timed.
"""


@click.command("compare", epilog=EPILOG)
@click.argument("incumbent", metavar="INCUMBENT")
@click.argument("candidate", metavar="CANDIDATE")
@options.shape
@options.margin
@options.mode
@options.machine
@options.store
@options.seed
@options.as_json
def COMMAND(
    incumbent: str,
    candidate: str,
    shape: str,
    margin: float,
    mode: str,
    device: str,
    limit_s: float,
    store: str,
    seed: int | None,
    as_json: bool,
) -> int:
    """Say whether CANDIDATE is really faster than INCUMBENT."""
    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.run import faceoff
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.model.codec import encode
    from hotloop.model.outcome import describe
    from hotloop.model.verdict import Verdict

    first, second = specs.parse(incumbent, limit_s), specs.parse(candidate, limit_s)
    problem = userfile.problem_of(first.kernel, shape)
    chosen = options.options(device, limit_s, store, seed, mode)
    with Progress(0.0, quiet=as_json) as progress:
        found = faceoff.compare(first, second, problem, chosen, progress, margin)
    if as_json:
        output.emit(
            {
                "incumbent": incumbent,
                "candidate": candidate,
                "device": found.device.key,
                "mode": mode,
                "seed": chosen.seed,
                "outcomes": [describe(outcome) for outcome in found.outcomes],
                "comparison": encode(found.comparison) if found.comparison else None,
                "noise": found.noise,
            }
        )
    else:
        output.show(tables.compare(found))
        output.show(tables.seed(chosen))
    good = found.comparison and found.comparison.verdict in (Verdict.FASTER, Verdict.SAME)
    return 0 if good else 1
