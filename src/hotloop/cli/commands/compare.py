"""``hotloop compare``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import idle, options, words

if TYPE_CHECKING:
    from hotloop.app.session import Options

EPILOG = """\b
Examples:
  hotloop compare old.py new.py                         two files that compute the same thing
  hotloop compare 'gemm@MWI=4' 'gemm@MWI=8'             two configurations
  hotloop compare a.py --source b.cl --entry k --items n --group 64    a source from somebody
  hotloop compare gemm 'gemm@best' --shape 512x512x512  the start against the best known
  hotloop compare a.py b.py --accuracy-loss 4           refuse errors more than four times those of a.py
  hotloop compare a.py b.py --objective energy          in joules of a call: LEANER, HUNGRIER, SAME or UNCLEAR
\b
Both are verified on the first one's inputs and reference, then timed in interleaved rounds. The answer is about the
second: FASTER, SLOWER, SAME or UNCLEAR; exit code 1 for SLOWER, UNCLEAR, or a variant that cannot be timed.
"""


_SOURCE = ("entry", "items", "group", "macros", "flags", "arguments")
"""Options that are about --source alone."""


@click.command("compare", epilog=EPILOG)
@words.subject("incumbent", metavar="INCUMBENT")
@words.subject("candidate", metavar="[CANDIDATE]", default="")
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
@options.bare
@options.margin
@options.mode
@options.objective
@options.loss
@options.engine
@options.session()
@options.quiet
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
    chosen: Options,
    as_json: bool,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
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
    from hotloop.app.verify import lazy
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode
    from hotloop.model.outcome import describe
    from hotloop.model.verdict import Verdict
    from hotloop.report.view.front import joules

    if bool(candidate) == bool(source):
        raise UsageError(
            "give exactly one candidate after the incumbent: a kernel, a file ending in .py, or --source FILE with --entry "
            "and --items."
        )
    if not source:
        idle.refuse("describes a source: give --source FILE, or leave it out.", *_SOURCE)
    elif not (entry and items):
        raise UsageError(
            f"--source {source} is launched as you say: give --entry NAME and --items SIZES, e.g. 'up(n, 64)'."
        )
    chosen, wish = replace(chosen, confined=bool(source)), options.wish(others)
    with ExitStack() as stack:
        outside = candidate and remote.outside(candidate)
        theirs = (
            stack.enter_context(remote.opened(candidate, chosen.limit_s)) if outside else None
        )  # before our own code is there
        first = specs.parse(incumbent, chosen.limit_s, wish)
        if source:
            names = tuple(filter(None, map(str.strip, arguments.split(","))))
            recipe = untrusted.Recipe(
                file=Path(source), entry=entry, items=items, group=group, macros=macros, options=flags, arguments=names
            )
            theirs, candidate = untrusted.candidate(recipe, first.kernel, first.chosen.language), source
        problem = userfile.timed(first.kernel, shape)
        progress = stack.enter_context(Progress(0.0, quiet=as_json))
        second = theirs or specs.parse(candidate, chosen.limit_s, wish)
        options.stored(spec for spec in (first, second) if isinstance(spec, specs.Spec))
        answer = faceoff.compare(first, second, problem, chosen, progress, margin)
        notes = lazy.serious(first.kernel, problem, chosen.seed) if answer.comparison else ()
    if as_json:
        output.emit(
            {
                "incumbent": incumbent,
                "candidate": candidate,
                "device": answer.device.key,
                "mode": chosen.mode,
                "seed": chosen.seed,
                "objective": str(chosen.objective),
                "joules": [encode(energy) if (energy := joules(outcome)) else None for outcome in answer.outcomes],
                "outcomes": [describe(outcome) for outcome in answer.outcomes],
                "comparison": encode(answer.comparison) if answer.comparison else None,
                "noise": answer.noise,
                "accuracy": encode(answer.accuracy) if answer.accuracy else None,
                "notes": list(notes),
            }
        )
    else:
        output.show(tables.compare(answer))
        output.show(tables.seed(chosen))
        for note in notes:
            output.note(f"note: {note}")
    good = answer.comparison and answer.comparison.verdict in (Verdict.FASTER, Verdict.SAME)
    return 0 if good else 1
