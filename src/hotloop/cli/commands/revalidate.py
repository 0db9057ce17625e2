"""``hotloop revalidate``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import options, words

if TYPE_CHECKING:
    from hotloop.app.session import Options

EPILOG = """\b
Examples:
  hotloop revalidate                       every winner of this machine, after an upgrade
  hotloop revalidate gemm --no-retune      only say which of a family's still hold
  hotloop revalidate my_kernel.py          those of a kernel file
\b
A winner whose machine code is the one that won is verified and marked as current, in seconds. One whose code changed is timed in the
same rounds as what could take its place, and tuned again only where it lost.
"""


@click.command("revalidate", epilog=EPILOG)
@words.subject("families", metavar="[KERNEL]...", nargs=-1)
@options.budget(60.0, "each winner that is tuned again")
@click.option("--no-retune", is_flag=True, help="Tune nothing again.")
@click.option("--all", "everything", is_flag=True, help="Also compile and verify what has not changed.")
@options.margin
@options.quiet
@options.session()
@options.as_json
def COMMAND(
    families: tuple[str, ...],
    budget_s: float,
    no_retune: bool,
    everything: bool,
    margin: float,
    chosen: Options,
    as_json: bool,
) -> int:
    """Verify and time this machine's winners again after an upgrade of compiler, driver or library."""
    from hotloop.app.revalidate import look
    from hotloop.cli import output
    from hotloop.cli.live import Progress
    from hotloop.units import duration

    wish = look.Wish(
        options=chosen, families=families, budget_s=budget_s, retune=not no_retune, everything=everything, margin=margin
    )  # fmt: skip
    finished, listening = [], [Progress(budget_s, quiet=True)]
    results = look.look(wish, lambda: listening[-1])
    while True:
        with Progress(budget_s) as listening[-1]:
            result = next(results, None)
        if result is None:
            break
        finished.append(result)
        if not as_json:
            after = f" → {duration(result.after_ns)}" if result.after_ns is not None else ""
            click.echo(
                f"{result.state.value:10} {result.winner.problem}: {duration(result.before_ns)}{after}; {result.why}"
            )
    if as_json:
        output.emit(
            [
                {
                    "problem": result.winner.problem,
                    "state": result.state.value,
                    "why": result.why,
                    "before_ns": result.before_ns,
                    "after_ns": result.after_ns,
                }
                for result in finished
            ]
        )
    elif not finished:
        of = f" of {', '.join(families)}" if families else ""
        click.echo(f"no winner{of} on this machine's devices is known; hotloop tune makes some.")
    return 1 if any(result.state in (look.State.LOST, look.State.BROKEN) for result in finished) else 0
