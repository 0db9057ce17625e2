"""``hotloop compare``."""

from __future__ import annotations

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop compare old.py new.py                         two files that compute the same thing
  hotloop compare 'gemm@VW=4' 'gemm@VW=8'               two configurations
  hotloop compare a.py --source b.cl --entry k --items n --group 64    a source from somebody
  hotloop compare gemm 'gemm@best' --shape 512x512x512  the start against the best known
\b
Both are verified on the first one's inputs and reference, then timed in interleaved rounds. The answer is about the
second: FASTER, SLOWER, SAME or UNCLEAR; exit code 1 for SLOWER, UNCLEAR, or a variant that cannot be timed.
"""


@click.command("compare", epilog=EPILOG)
@click.argument("incumbent", metavar="INCUMBENT")
@click.argument("candidate", metavar="[CANDIDATE]", default="")
@click.option(
    "--source", default="", metavar="FILE", help="A candidate that nobody trusts: source text, everything else is data."
)
@click.option("--entry", default="", metavar="NAME", help="With --source: the kernel function.")
@click.option("--items", default="", metavar="SIZES", help="With --source: work-items, e.g. 'up(n, 64), rows'.")
@click.option(
    "--group", default="", metavar="SIZES", help="With --source: work-group size; default: the runtime's choice."
)
@click.option(
    "--define", "macros", multiple=True, metavar="NAME=VALUE", help="With --source: a macro; may be repeated."
)
@click.option(
    "--option", "flags", multiple=True, metavar="TEXT", help="With --source: a build option; may be repeated."
)
@click.option(
    "--args", "arguments", default="", metavar="NAMES", help="With --source: inputs in the order of the arguments."
)
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
    source: str,
    entry: str,
    items: str,
    group: str,
    macros: tuple[str, ...],
    flags: tuple[str, ...],
    arguments: str,
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
    from contextlib import ExitStack
    from dataclasses import replace
    from pathlib import Path

    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.candidate import remote
    from hotloop.app.candidate import source as untrusted
    from hotloop.app.run import faceoff
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode
    from hotloop.model.outcome import describe
    from hotloop.model.verdict import Verdict

    if bool(candidate) == bool(source):
        raise UsageError(
            "name one candidate: a kernel, a file ending in .py, or --source FILE with --entry and --items."
        )
    chosen = replace(options.options(device, limit_s, store, seed, mode), confined=bool(source))
    with ExitStack() as stack:
        outside = candidate and remote.outside(candidate)
        theirs = (
            stack.enter_context(remote.opened(candidate, limit_s)) if outside else None
        )  # before our own code is there
        first = specs.parse(incumbent, limit_s)
        if source:
            names = tuple(filter(None, map(str.strip, arguments.split(","))))
            recipe = untrusted.Recipe(
                file=Path(source), entry=entry, items=items, group=group, macros=macros, options=flags, arguments=names
            )
            theirs, candidate = untrusted.candidate(recipe, first.kernel, first.chosen.language), source
        problem = userfile.problem_of(first.kernel, shape)
        progress = stack.enter_context(Progress(0.0, quiet=as_json))
        found = faceoff.compare(first, theirs or specs.parse(candidate, limit_s), problem, chosen, progress, margin)
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
