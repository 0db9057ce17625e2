"""``hotloop revalidate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from hotloop.app.session import Options

EPILOG = """\b
Examples:
  hotloop revalidate                       every winner of this machine, after an upgrade
  hotloop revalidate gemm --no-retune      only say which of a family's still hold
\b
A winner whose machine code is the one that won is verified and marked as current, in seconds. One whose code changed is timed in the
same rounds as what could take its place, and tuned again only where it lost.
"""


@click.command("revalidate", epilog=EPILOG)
@click.argument("families", metavar="[FAMILY]...", nargs=-1)
@options.budget(60.0, "each winner that is tuned again")
@click.option("--no-retune", is_flag=True, help="Tune nothing again.")
@click.option("--all", "everything", is_flag=True, help="Also compile and verify what has not changed.")
@options.margin
@click.option("--quiet", "-q", is_flag=True, help="No progress.")
@options.session()
@options.as_json
def COMMAND(
    families: tuple[str, ...],
    budget_s: float,
    no_retune: bool,
    everything: bool,
    margin: float,
    quiet: bool,
    chosen: Options,
    as_json: bool,
) -> int:
    """Look at this machine's winners again after an upgrade of compiler, driver or library."""
    from hotloop.app.revalidate import look
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.units import duration

    wish = look.Wish(
        options=chosen, families=families, budget_s=budget_s, retune=not no_retune, everything=everything, margin=margin
    )  # fmt: skip
    found, listening = [], [Progress(budget_s, quiet=True)]
    results = look.look(wish, lambda: listening[-1])
    while True:
        with Progress(budget_s, quiet=quiet) as listening[-1]:
            one = next(results, None)
        if one is None:
            break
        found.append(one)
        if not as_json:
            after = f" → {duration(one.after_ns)}" if one.after_ns is not None else ""
            click.echo(f"{one.state.value:10} {one.winner.problem}: {duration(one.before_ns)}{after}; {one.why}")
    if as_json:
        output.emit(
            [
                {
                    "problem": one.winner.problem,
                    "state": one.state.value,
                    "why": one.why,
                    "before_ns": one.before_ns,
                    "after_ns": one.after_ns,
                }
                for one in found
            ]
        )
    elif not found:
        click.echo("no winner of this machine's devices is known; hotloop tune makes some.")
    return 1 if any(one.state in (look.State.LOST, look.State.BROKEN) for one in found) else 0
