"""``hotloop verify-checker``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

from hotloop.cli import idle, options, words

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.app.session import Options
    from hotloop.app.verify.answer import Answer

EPILOG = """\b
Examples:
  hotloop verify-checker                         plant every bug of the catalogue
  hotloop verify-checker --only gemm             the mutants of one kernel
  hotloop verify-checker my_kernel.py            what your own reference and tolerance would miss
  hotloop verify-checker my_kernel.py --budget 60 --mutants 20
\b
Exit code 1: a mutant was taken for right, a clean kernel was refused, or the budget did not reach all of them. Mutants of your own source may change nothing
that can be observed; look at each one that passes.
"""


OWN_S = 48.0
"""Budget for a kernel of the user's where none was given: the answer is there within a minute, also where one mutant takes longer than
those before it, and its worker must be started anew on a busy machine."""


@click.command("verify-checker", epilog=EPILOG)
@words.subject("target", metavar="[KERNEL]", default="")
@options.shape
@click.option("--only", multiple=True, metavar="NAME", help="Only this part of the catalogue; may be repeated.")
@click.option(
    "--mutants", "most", type=options.Whole(min=1), default=60, show_default=True, help="Most mutants of your source."
)
@options.budget(300.0, "all of them, 48 s for a kernel of yours; what it does not reach is listed")
@click.option("--markdown", is_flag=True, help="Print the table as Markdown.")
@options.session(stored=False)
@options.quiet
@options.as_json
def COMMAND(
    target: str, shape: str, only: tuple[str, ...], most: int, budget_s: float, markdown: bool, chosen: Options,
    as_json: bool,
) -> int:  # fmt: skip
    """Test the checker itself: plant bugs in correct kernels and count those that the check finds."""
    from dataclasses import asdict

    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.verify import checker as verify_checker
    from hotloop.app.verify import mutated
    from hotloop.cli import output
    from hotloop.cli.live import Progress

    idle.one_of("markdown", "as_json")
    _refuse_mixed(target, shape, only)
    given = click.get_current_context().get_parameter_source("budget_s")
    if target and given is click.core.ParameterSource.DEFAULT:
        budget_s = OWN_S
    if chosen.secret and not target:  # the catalogue is the same for everybody
        chosen = options.options(chosen.device, chosen.limit_s)
    with Progress(budget_s, quiet=as_json or markdown) as progress:
        if target:
            parsed = specs.parse(target, chosen.limit_s)
            problem = userfile.problem_of(parsed.kernel, shape)
            answer = mutated.own(parsed, problem, chosen, progress, most, budget_s)
        else:
            answer = verify_checker.catalogue(chosen, progress, only, budget_s)
    if as_json:
        rows = [{**asdict(row), "caught": row.caught} for row in answer.rows]
        clean = [asdict(kernel) for kernel in answer.clean]
        output.emit(
            {"device": answer.device, "mutants": rows, "clean": clean, "skipped": answer.skipped, "unrun": answer.unrun}
        )
    elif markdown:
        click.echo(_markdown(answer))
    else:
        output.show(_table(answer, own=bool(target)))
    return 1 if answer.missed or answer.alarms or answer.unrun else 0


def _refuse_mixed(target: str, shape: str, only: tuple[str, ...]) -> None:
    """Refuse options of hotloop's own catalogue with a kernel, and those of a kernel without one."""
    from hotloop.errors import UsageError

    if target and only:
        raise UsageError(
            f"--only {only[0]} is a part of hotloop's own catalogue; leave it out with a kernel ({target})."
        )
    if shape and not target:
        raise UsageError(f"--shape {shape} needs a kernel: the catalogue has its own shapes.")


def _table(answer: Answer, *, own: bool) -> Group:
    from rich.console import Group
    from rich.table import Table
    from rich.text import Text

    from hotloop.report.plain import line

    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in ("", "kernel", "mutant", "bug", "caught by", "inputs", *(() if own else ("allclose",))):
        table.add_column(head, overflow="fold")
    for row in answer.rows:
        mark = Text("caught", style="green") if row.caught else Text("MISSED", style="bold red")
        plain = () if own else ("yes" if row.allclose else "no",)
        table.add_row(mark, row.specimen, line(row.mutant), line(row.bug), row.guard or "–", str(row.inputs), *plain)
    notes = [Text(f"left out: {line(text)}", style="yellow") for text in answer.skipped]
    notes += [Text(f"false alarm: {alarm.specimen} {line(alarm.reason)}", style="bold red") for alarm in answer.alarms]
    if answer.unrun:
        notes.append(Text(f"not run within the budget: {line(_some(answer.unrun))}", style="yellow"))
    good = not answer.missed and not answer.alarms and not answer.unrun
    return Group(table, *notes, Text(summary(answer), style="green" if good else "bold red"))


def _some(names: tuple[str, ...], most: int = 5) -> str:
    rest = f", and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(names[:most]) + rest


def summary(answer: Answer) -> str:
    """Return the counts in one line."""
    caught = len(answer.rows) - len(answer.missed)
    asked = [row for row in answer.rows if row.allclose is not None]
    short = f"; {len(answer.unrun)} not run: give more time with --budget" if answer.unrun else ""
    plain = f"; allclose(rtol=1e-2) on one input catches {answer.plain}" if asked else ""
    return (
        f"{caught} of {len(answer.rows)} mutants caught{plain}; {len(answer.clean) - len(answer.alarms)} of "
        f"{len(answer.clean)} clean kernels pass ({answer.device}){short}"
    )


def _markdown(answer: Answer) -> str:
    heads = "| kernel | mutant | kind | bug | caught by | check | inputs | allclose |"
    rows = [
        f"| {row.specimen} | {row.mutant} | {row.kind} | {row.bug} | {row.guard or '**missed**'} | {row.stage} | "
        f"{row.inputs} | {'–' if row.allclose is None else 'yes' if row.allclose else '**no**'} |".replace(
            "||", "\\|\\|"
        )
        for row in answer.rows
    ]
    return "\n".join([f"{summary(answer)}.", "", heads, "|---|---|---|---|---|---|---|---|", *rows])
