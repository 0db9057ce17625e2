"""``hotloop compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from hotloop.app.session import Options

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
@options.bare
@options.margin
@options.mode
@options.session()
@options.as_json
def COMMAND(
    incumbent: str,
    candidate: str,
    shape: str,
    margin: float,
    chosen: Options,
    as_json: bool,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
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

    wish = options.wish(others)
    first, second = specs.parse(incumbent, chosen.limit_s, wish), specs.parse(candidate, chosen.limit_s, wish)
    problem = userfile.problem_of(first.kernel, shape)
    with Progress(0.0, quiet=as_json) as progress:
        answer = faceoff.compare(first, second, problem, chosen, progress, margin)
    if as_json:
        output.emit(
            {
                "incumbent": incumbent,
                "candidate": candidate,
                "device": answer.device.key,
                "mode": chosen.mode,
                "outcomes": [describe(outcome) for outcome in answer.outcomes],
                "comparison": encode(answer.comparison) if answer.comparison else None,
                "noise": answer.noise,
            }
        )
    else:
        output.show(tables.compare(answer))
    good = answer.comparison and answer.comparison.verdict in (Verdict.FASTER, Verdict.SAME)
    return 0 if good else 1
