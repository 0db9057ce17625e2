"""``hotloop tune``."""

from __future__ import annotations

import shlex
import sys

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop tune gemm --shape 256x256x256 --shape 512x512x512   several shapes, one after the other
  hotloop tune my_kernel.py --budget 60                       your own kernel
  hotloop tune gemm --shape 2048x2048x2048 --json             machine-readable
\b
Every configuration is verified before it is timed; the winner must win a paired comparison before it is kept.
What is found goes to the store, where hotloop.ops and later runs find it.
"""


@click.command("tune", epilog=EPILOG)
@options.kernel
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
@click.option("--no-peers", is_flag=True, help="Do not compare with other libraries.")
@click.option("--fresh", is_flag=True, help="Do not continue an unfinished run of the same request.")
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@options.machine
@options.store
@options.seed
@options.as_json
def COMMAND(
    kernel: str,
    shapes: tuple[str, ...],
    budget_s: float,
    implementation: str,
    margin: float,
    mode: str,
    no_peers: bool,
    fresh: bool,
    quiet: bool,
    device: str,
    limit_s: float,
    store: str,
    seed: int | None,
    as_json: bool,
) -> int:
    """Search the whole configuration space of KERNEL within a budget, starting from the best that is known."""
    from hotloop.app import userfile
    from hotloop.app.run import climb, seeds
    from hotloop.app.run.optimize import Plan
    from hotloop.cli import output, pages
    from hotloop.cli.live import Progress
    from hotloop.report.run import json as json_report
    from hotloop.report.view import build

    found = userfile.find(kernel, limit_s)
    chosen = options.options(device, limit_s, store, seed, mode)
    records = []
    problems = [userfile.problem_of(found, shape) for shape in shapes or ("",)]  # before minutes are spent on the first
    for problem in problems:
        plan = Plan(
            budget_s=budget_s,
            implementation=implementation,
            margin=margin,
            peers=not no_peers,
            techniques=False,
            strategies=("local", "surrogate"),
            seeds=seeds.known(found, problem, chosen, implementation),
        )
        request = climb.Request(
            kind="tune",
            kernel=found,
            spec=kernel,
            problem=problem,
            plan=plan,
            options=chosen,
            command=(shlex.join(["hotloop", *sys.argv[1:]]),),
            fresh=fresh,
        )
        with Progress(budget_s, quiet=quiet) as progress:
            records.append(climb.run(request, progress))
        if not as_json:
            output.run(records[-1], as_json=False, whole=False, store=store)
    if as_json:
        output.emit([json_report.render(build(record)) for record in records])
    return max(pages.exit_code(record) for record in records)
