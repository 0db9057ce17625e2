"""``hotloop optimize``."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import destination, idle, options
from hotloop.cli.foretold import foretell

if TYPE_CHECKING:
    from collections.abc import Mapping

    from hotloop.app.bare.wish import Wish
    from hotloop.app.session import Options
    from hotloop.model.record import Scalar

EPILOG = """\b
Examples:
  hotloop optimize gemm                                  the default shape on the best device
  hotloop optimize gemm --shape 512x512x512 --budget 60  one minute
  hotloop optimize my_kernel.py --html report.html       your own kernel, with a page to share
  hotloop optimize scale.cl --size n=1048576             a source as it is, rewritten step by step
  hotloop optimize gemm --device pocl --json > run.json  another runtime, machine-readable
  hotloop optimize gemm --shape 512x512x512 --target gfx950  a card that is not here: predicted, verified by execution
  hotloop optimize k.hip --target gfx942 --local 256     rewrites of a GPU source, compiled and executed, not timed
\b
Ctrl-C stops it and prints the report of what was reached. A run that was stopped or killed goes on where it was when
the same command is given again; --fresh starts anew. `hotloop init` writes a kernel file to start from.
"""


_STORED = ("no_peers", "fresh", "store")
"""Options of a run on a device, which is timed and stored."""
_LAUNCHED = (
    "shape", "budget_s", "implementation", "margin", "chip", "seed", "bare_launches", "bare_global", "bare_options", "bare_reference",
)  # fmt: skip
"""Options of a loop, which a source in CUDA C++ or HIP C++ does not go through."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """What is wanted for a card that is not here."""

    kernel: str
    shape: str
    implementation: str
    start: Mapping[str, Scalar]
    target: str
    chip: str
    budget_s: float
    margin: float


@click.command("optimize", epilog=EPILOG)
@options.kernel
@options.shape
@options.bare
@options.budget(300.0, "the whole run")
@click.option(
    "--implementation", default="", metavar="NAME", help="Implementation to start from (default: the kernel's first)."
)
@click.option("--start", multiple=True, metavar="NAME=VALUE", help="Parameter of the starting variant; repeatable.")
@options.margin
@options.mode
@options.objective
@options.loss
@click.option(
    "--target",
    default="",
    metavar="NAME",
    help="AMD GPU that is not here: moves are predicted and executed on the CPU, nothing is measured or stored.",
)
@options.chip
@options.no_peers
@options.fresh
@destination.pages("run")
@options.quiet
@options.engine
@options.session()
@options.as_json
def COMMAND(
    kernel: str,
    shape: str,
    budget_s: float,
    implementation: str,
    start: tuple[str, ...],
    margin: float,
    target: str,
    chip: str,
    no_peers: bool,
    fresh: bool,
    chosen: Options,
    as_json: bool,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
) -> int:
    """Make KERNEL faster by the loop: one named technique at a time, verified, compared, kept or reverted."""
    from hotloop.app import leaving
    from hotloop.host import clock

    began_s = clock.command_s()
    with leaving.starting(budget_s, began_s, clock.SystemClock()):
        # on a busy machine loading these alone may take a budget
        from hotloop.app import hint, userfile
        from hotloop.app.run import climb
        from hotloop.app.run.plan import Plan
        from hotloop.app.verify import lazy
        from hotloop.cli import output, pages
        from hotloop.cli.live import Progress

    named = options.wish(others)
    options.predicted_only(target, chip, chosen, others)
    if target:
        idle.refuse("is for runs on a device: leave it out beside --target.", *_STORED)
    if kernel.partition(":")[0].endswith((".cu", ".hip")):
        return _rewritten(kernel, target, named, options.assignments(start), as_json=as_json)
    if target:
        asked = _Asked(kernel, shape, implementation, options.assignments(start), target, chip, budget_s, margin)
        return _predicted(asked, named, chosen, as_json=as_json)
    with leaving.starting(budget_s, began_s, clock.SystemClock()):
        family = userfile.find(kernel, chosen.limit_s, replace(named, within_s=budget_s))
    begun = userfile.starting(family, implementation, options.assignments(start))
    request = climb.Request(
        kind="optimize",
        kernel=family,
        spec=kernel,
        problem=userfile.timed(family, shape),
        plan=Plan(
            budget_s=budget_s, implementation=implementation, start=begun.config, margin=margin, peers=not no_peers
        ),
        options=chosen,
        command=(hint.again(),),
        fresh=fresh,
        began_s=began_s,
        foretell=foretell,
    )
    with Progress(budget_s) as progress:
        record = climb.run(request, progress)
    output.run(record, as_json=as_json, whole=False, store=chosen.store)
    for remark in (*family.remarks(), *lazy.serious(family, request.problem, chosen.seed)):
        output.note(f"note: {remark}")
    pages.write(record, others)
    return pages.exit_code(record)


def _rewritten(kernel: str, target: str, named: Wish, start: Mapping[str, Scalar], *, as_json: bool) -> int:
    """Tell which rewrites of a source in CUDA C++ or HIP C++ apply, compiled and executed, not timed."""
    from hotloop.app.bare.wish import count, numbers
    from hotloop.app.code import rewritten
    from hotloop.cli import output
    from hotloop.report.code import rewritten as page

    if not target:
        raise click.UsageError(
            f"{kernel} is rewritten for a GPU that is named and need not be here: add --target sm_90, or --target gfx942 for HIP"
        )
    idle.refuse(
        "is for kernels that go through the loop: a source in CUDA C++ or HIP C++ takes --size, --local and --start.",
        *_LAUNCHED,
    )
    sizes = numbers(named)
    block = named.locals.get("*", next(iter(named.locals.values()), ""))
    group = tuple(count(size, sizes, "--local", 1) for size in block.split(",")) if block else ()
    answer = rewritten.tried(kernel, target, sizes, group, start)
    if as_json:
        output.emit(page.as_json(answer))
    else:
        output.show(page.render(answer))
        click.echo(page.diff(answer), nl=False)
    return 1 if any(rewrite.executed.startswith("differs") for rewrite in answer.tried) else 0


def _predicted(asked: _Asked, named: Wish, chosen: Options, *, as_json: bool) -> int:
    """Optimize for a card that is not here."""
    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.predict import optimize, tune
    from hotloop.app.predict.kept import beside_store
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.report.code import climbed

    parsed = specs.parse(asked.kernel, chosen.limit_s, named)
    begun = userfile.starting(
        parsed.kernel, asked.implementation or parsed.implementation, {**dict(parsed.changes), **asked.start}
    )
    parsed = replace(parsed, implementation=begun.implementation.name, changes=tuple(dict(begun.config).items()))
    problem = userfile.timed(parsed.kernel, asked.shape)
    wish = tune.Wish(
        spec=parsed,
        problem=problem,
        shape=asked.shape,
        target=asked.target,
        chip=asked.chip,
        budget_s=asked.budget_s,
        seed=chosen.seed,
    )
    with Progress(asked.budget_s, quiet=as_json) as progress:
        answer = optimize.optimize(replace(wish, kept=beside_store(), listener=progress), asked.margin)
    if as_json:
        output.emit(climbed.as_json(answer))
    else:
        output.show(climbed.render(answer))
    return 0 if answer.best is not None else 1
