"""``hotloop bench``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import options, words

if TYPE_CHECKING:
    from hotloop.app.session import Options

EPILOG = """\b
Examples:
  hotloop bench gemm                                       the start and every peer
  hotloop bench gemm 'gemm@best' --shape 512x512x512       also the best known, after optimize or tune
  hotloop bench my_kernel.py --json                        your own kernel
  hotloop bench scale.cl --size n=1048576                  a source as it is
  hotloop bench gemm --mode hot                            with inputs that stay in the caches
  hotloop bench gemm --objective energy                    joules of a call, where the device counts them
"""


@click.command("bench", epilog=EPILOG)
@words.subject("targets", nargs=-1, required=True, metavar="TARGET...")
@options.shape
@options.bare
@options.mode
@options.objective
@options.engine
@options.session()
@options.quiet
@options.as_json
def COMMAND(
    targets: tuple[str, ...],
    shape: str,
    chosen: Options,
    as_json: bool,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
) -> int:
    """Time variants, peers and this machine's ceilings in one interleaved run; all are verified first."""
    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.run import faceoff
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Measured, Outcome, describe

    wish = options.wish(others)
    parsed = [specs.parse(text, chosen.limit_s, wish) for text in targets]
    options.stored(parsed)
    kernel = parsed[0].kernel
    if any(spec.kernel.family != kernel.family for spec in parsed):
        raise UsageError(
            "all targets of a benchmark must be variants of one kernel; use hotloop compare for two files."
        )
    problem = userfile.timed(kernel, shape)
    with Progress(0.0, quiet=as_json) as progress:
        answer = faceoff.bench(kernel, parsed, problem, chosen, progress)
    if as_json:
        rows = [
            {
                "name": row.name,
                "outcome": describe(row.outcome),
                "call_ns": row.outcome.call_ns if isinstance(row.outcome, Measured) else None,
                "best_ns": row.outcome.best_ns if isinstance(row.outcome, Measured) else None,
                "flops_per_s": row.flops_per_s,
                "ratio_to_first": row.ratio,
                "roof_fraction": row.roof_fraction,
                "ratio_elsewhere": dict(row.elsewhere),
                "joules": encode(row.joules) if row.joules else None,
                "raw": encode(row.outcome, Outcome),
            }
            for row in answer.rows
        ]
        ceilings = encode(answer.ceilings) if answer.ceilings else None
        head = {"problem": answer.problem, "device": answer.device.key, "mode": chosen.mode}
        about = {"objective": str(answer.objective), "energy_absent": answer.unmetered or None}
        output.emit({**head, **about, "ceilings": ceilings, "rows": rows})
    else:
        output.show(tables.bench(answer))
    return 0 if any(isinstance(row.outcome, Measured) for row in answer.rows) else 1
