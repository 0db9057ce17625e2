"""``hotloop emulate``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import click

from hotloop.cli import destination, idle, launch, options, words

if TYPE_CHECKING:
    from hotloop.app.emulate.ask import Request

EPILOG = """\b
Examples:
  hotloop emulate gemm --target gfx1100                          a family's starting variant, against its reference
  hotloop emulate gemm@MWI=8,NWI=8 --target gfx942 --shape 100x101x7
  hotloop emulate gemm --rung stage2 --target gfx942             a rung of a ladder
  hotloop emulate my_kernel.py --target gfx950                   a kernel file
  hotloop emulate scale.hip --target gfx942 --grid 16 --arg x=f32:4096 --arg y=f32:4096:fresh --arg n=i32:=4096
  hotloop emulate kernel.hsaco --kernel scale --grid 16 --arg x=f32:4096 --arg y=f32:4096:fresh --arg n=i32:=4096
  hotloop emulate gemm --rung stage2 --target gfx942 --deletions    which of its waits and barriers are needed
  hotloop emulate kernel.s --grid 4,2 --workgroup 64 --arg a=f16:64x64 --trace counts.json
\b
INPUT runs on this machine's CPU, instruction for instruction, twice: with memory as late and as early as the waits allow
and with waves in opposite orders. Exit code 1 when something is wrong.
"""


@click.command("emulate", epilog=EPILOG)
@words.subject("source", metavar="INPUT")
@click.option(
    "--target",
    default="",
    metavar="NAME",
    help="AMD GPU to compile for, e.g. gfx942, gfx1100:wave64; a listing says it itself.",
)
@options.shape
@click.option(
    "-P",
    "--param",
    "parameters",
    multiple=True,
    metavar="NAME=VALUE",
    help="Macro or constexpr of a source file; may be repeated.",
)
@options.only_kernel
@click.option("--rung", default="", metavar="NAME", help="This rung of the family's ladder.")
@launch.preprocessed
@launch.given
@click.option("--once", is_flag=True, help="Execute once only, with late memory.")
@click.option(
    "--every-order",
    is_flag=True,
    help="Execute four times instead of twice: also late memory with the first and the last wave ahead.",
)
@click.option("--deletions", is_flag=True, help="Take each wait and barrier away in turn and tell which are needed.")
@click.option(
    "--budget",
    type=options.Whole(min=1),
    default=200_000_000,
    show_default=True,
    help="Wave instructions before a kernel counts as endless.",
)
@click.option(
    "--backend",
    type=click.Choice(["auto", "native", "numpy"]),
    default="auto",
    show_default=True,
    help="native: C, built once by ziglang's clang; auto: that where it can.",
)
@click.option(
    "--trace",
    default="",
    callback=destination.writable,
    metavar="FILE",
    help="Write executions, cache lines and bank conflicts of every instruction as JSON.",
)
@options.known_seed
@options.quiet
@options.as_json
def COMMAND(
    source: str,
    target: str,
    parameters: tuple[str, ...],
    once: bool,
    every_order: bool,
    budget: int,
    backend: str,
    trace: str,
    deletions: bool,
    as_json: bool,
    **rest: Any,  # noqa: ANN401 - the other options, by name
) -> int:
    """Execute AMD code without the GPU; report its results, races, missing waits, and invalid or undefined accesses."""
    import json

    from hotloop.app.emulate import ask
    from hotloop.app.emulate.execute import Adversary, Backend, Orders
    from hotloop.app.spec import change
    from hotloop.cli import output, pages
    from hotloop.report.code import emulated

    idle.overwriting(("trace",))
    idle.one_of("once", "every_order")
    if deletions:
        idle.refuse("is for one execution: leave it out beside --deletions.", "once", "every_order", "backend", "trace")
    how = Adversary(
        orders=Orders.ONCE if once else Orders.EVERY if every_order else Orders.OPPOSITE,
        trace=bool(trace),
        budget=budget,
        backend=Backend(backend),
    )
    values = dict(change(source, pair) for pair in parameters)
    request = ask.Request(text=source, target=target, parameters=values, how=how, **rest)
    if deletions:
        return _deletions(request, as_json=as_json)
    answer = ask.emulate(request)
    if trace:
        pages.save(trace, json.dumps(emulated.traced(answer), indent=1) + "\n")
    if as_json:
        output.emit(emulated.as_json(answer))
    else:
        output.show(emulated.render(answer))
    return 0 if answer.passed else 1


def _deletions(request: Request, *, as_json: bool) -> int:
    """Show what each wait and barrier is good for."""
    from hotloop.app.emulate import ask
    from hotloop.app.emulate.deletions import deletions
    from hotloop.app.events import Stage
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.report.code import deleted

    task = ask.task_of(request)
    with Progress(0.0, quiet=as_json) as progress:
        progress.notify(Stage("executing without each wait and barrier"))
        rows = deletions(task, request.how.budget, progress.notify)
    if as_json:
        output.emit(deleted.as_json(task.label, task.target, rows))
    else:
        output.show(deleted.render(task.label, task.target, rows))
    return 0
