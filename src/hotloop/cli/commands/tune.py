"""``hotloop tune``."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from hotloop.cli import idle, options
from hotloop.cli.foretold import foretell

if TYPE_CHECKING:
    from hotloop.app.session import Options
    from hotloop.report.view import RunRecord

EPILOG = """\b
Examples:
  hotloop tune gemm --shape 256x256x256 --shape 512x512x512   several shapes, one after the other
  hotloop tune my_kernel.py --budget 60                       your own kernel
  hotloop tune gemm --shape 2048x2048x2048 --json             machine-readable
  hotloop tune gemm --shape 512x512x512 --target gfx950       for a card that is not here: predicted, verified by execution
  hotloop tune --workload calls.json --budget 60              what a program calls, in the order of what the whole gains
  hotloop tune gemm --engine gpus                             all GPUs of this machine; ray: of its Ray cluster
\b
Every configuration is verified before it is timed; the winner must win a paired comparison before it is kept.
What is found goes to the store, where hotloop.ops and later runs find it. A workload is what ops.record().save() wrote, a
trace of torch.profiler with shapes, or TunableOp's tunableop_untuned*.csv; the same command goes on where it was stopped.
"""


_MEASURED = ("no_peers", "fresh", "margin", "store", "limit_s")
"""Options of a search that runs on a device."""


@click.command("tune", epilog=EPILOG)
@options.maybe_kernel
@click.option(
    "--workload",
    type=click.Path(dir_okay=False, path_type=Path),
    default=None,
    metavar="FILE",
    help="Tune what a program calls, first what the whole gains most by.",
)
@click.option(
    "--least",
    type=options.Finite(0.0, 100.0),
    default=1.0,
    show_default=True,
    metavar="PERCENT",
    help="With --workload: leave out shapes that could not gain so much of the whole.",
)
@click.option(
    "--shape",
    "shapes",
    multiple=True,
    metavar="SHAPE",
    help="Sizes, repeatable: MxNxK for gemm, name=value,... for any kernel.",
)
@options.budget(120.0, "each shape")
@click.option(
    "--implementation", default="", metavar="NAME", help="Implementation to tune (default: the kernel's first)."
)
@options.margin
@options.mode
@options.objective
@options.loss
@click.option(
    "--target",
    default="",
    metavar="NAME",
    help="AMD GPU that is not here: rank by predicted times; no trials are stored.",
)
@options.chip
@options.no_peers
@options.fresh
@options.quiet
@options.engine
@options.session()
@options.as_json
def COMMAND(
    kernel: str,
    workload: Path | None,
    least: float,
    shapes: tuple[str, ...],
    budget_s: float,
    implementation: str,
    target: str,
    chip: str,
    margin: float,
    no_peers: bool,
    fresh: bool,
    chosen: Options,
    as_json: bool,
) -> int:
    """Search the whole configuration space of KERNEL within a budget, starting from the best that is known."""
    if workload is not None:
        if kernel or shapes or target:
            raise click.UsageError(
                "--workload names kernels and shapes itself: leave out KERNEL, --shape and --target."
            )
        idle.refuse("is for one kernel's --target: leave it out beside --workload.", "chip")
        wish = _Workload(workload, least / 100, implementation, budget_s, margin, not no_peers, fresh)
        return _whole(wish, chosen, as_json=as_json)
    if not kernel:
        raise click.UsageError("name a KERNEL, or give --workload FILE.")
    idle.refuse("is a share of a program: give --workload FILE, or leave it out.", "least")
    from hotloop.app import leaving
    from hotloop.host import clock

    began_s = clock.command_s()
    with leaving.starting(budget_s, began_s, clock.SystemClock()):
        # on a busy machine loading these alone may take a budget
        from hotloop.app import hint, userfile
        from hotloop.app.run import climb
        from hotloop.app.run.plan import Plan
        from hotloop.cli import output, pages
        from hotloop.cli.live import Progress
        from hotloop.report.run import json as json_report
        from hotloop.report.view import build

    options.predicted_only(target, chip, chosen)
    if target:
        idle.refuse("is for runs on a device: leave it out beside --target.", *_MEASURED)
        return _predicted(kernel, shapes or ("",), implementation, target, chip, budget_s, chosen.seed, as_json=as_json)
    with leaving.starting(budget_s, began_s, clock.SystemClock()):
        family = userfile.find(kernel, chosen.limit_s)
    records: list[RunRecord] = []
    problems = [
        userfile.timed(family, shape) for shape in dict.fromkeys(shapes or ("",))
    ]  # before minutes are spent on the first
    for problem in problems:
        plan = Plan(
            budget_s=budget_s,
            implementation=implementation,
            margin=margin,
            peers=not no_peers,
            techniques=False,
            strategies=("local", "surrogate"),
            known_best=True,
        )
        request = climb.Request(
            kind="tune",
            kernel=family,
            spec=kernel,
            problem=problem,
            plan=plan,
            options=chosen,
            command=(hint.again(),),
            fresh=fresh,
            began_s=began_s if problem is problems[0] else None,
            foretell=foretell,
        )
        with Progress(budget_s) as progress:
            records.append(climb.run(request, progress))
        if not as_json:
            output.run(records[-1], as_json=False, whole=False, store=chosen.store)
        if records[-1].state == "interrupted":  # Ctrl-C is meant for all shapes
            break
    if as_json:
        output.emit([json_report.render(build(record)) for record in records])
    return max(pages.exit_code(record) for record in records)


@dataclass(frozen=True, slots=True)
class _Workload:
    """What the command line says about a workload."""

    path: Path
    least: float
    implementation: str
    budget_s: float
    margin: float
    peers: bool
    fresh: bool


def _whole(asked: _Workload, chosen: Options, *, as_json: bool) -> int:
    """Tune what a program calls."""
    from hotloop.app import hint
    from hotloop.app.workload import outcome, read, words
    from hotloop.app.workload import tune as workloads
    from hotloop.cli import output, pages
    from hotloop.cli.live import Progress

    wish = workloads.Wish(
        tally=read.read(asked.path), options=chosen, budget_s=asked.budget_s, implementation=asked.implementation,
        margin=asked.margin, least=asked.least, peers=asked.peers, fresh=asked.fresh,
        command=(hint.again(),),
    )  # fmt: skip
    order = workloads.ordered(wish)
    if not as_json:
        click.echo(words.before(order, asked.budget_s * len(order.worth)))
    outcomes, code, listening = [], 0, [Progress(asked.budget_s, quiet=True)]
    results = workloads.tune(wish, order, lambda _shape: listening[-1])
    while True:
        with Progress(asked.budget_s) as listening[-1]:  # standard output is free again after each shape
            made = next(results, None)
        if made is None:
            break
        item, record = made
        outcomes.append(item)
        code = max(code, pages.exit_code(record) if record else 0)
        if not as_json:
            click.echo(words.tuned(item))
    whole = outcome.whole(order, outcomes)
    if as_json:
        output.emit(words.as_json(order, outcomes, whole))
    else:
        click.echo(words.after(outcomes, whole))
    return code


def _predicted(
    kernel: str, shapes: tuple[str, ...], implementation: str, target: str, chip: str, budget_s: float, seed: int, *, as_json: bool
) -> int:  # fmt: skip
    """Tune for a card that is not here."""
    from dataclasses import replace

    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.predict import tune
    from hotloop.app.predict.kept import beside_store
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.report.code import ranked

    parsed = specs.parse(kernel)
    parsed = replace(parsed, implementation=implementation or parsed.implementation)
    answers = []
    for shape in shapes:
        problem = userfile.timed(parsed.kernel, shape)
        wish = tune.Wish(
            spec=parsed, problem=problem, shape=shape, target=target, chip=chip, budget_s=budget_s, seed=seed
        )
        with Progress(budget_s, quiet=as_json) as progress:
            answers.append(tune.tune(replace(wish, kept=beside_store(), listener=progress)))
        if not as_json:
            output.show(ranked.render(answers[-1]))
    if as_json:
        output.emit([ranked.as_json(answer) for answer in answers])
    return 0 if all(answer.best for answer in answers) else 1
