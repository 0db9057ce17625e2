"""``hotloop check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from hotloop.cli import options, words

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.app.run.faceoff import CheckAnswer
    from hotloop.app.session import Options
    from hotloop.app.spec import Spec
    from hotloop.app.verify.sanitize import SanitizeAnswer
    from hotloop.cli.live import Progress
    from hotloop.model.check import CheckReport
    from hotloop.model.problem import Problem

Level = Literal["quick", "full"]
EPILOG = """\b
Examples:
  hotloop check my_kernel.py                 the starting configuration of a file's kernel
  hotloop check gemm --shape 100x101x7       a family on one shape
  hotloop check 'gemm@best' --level quick    the best known configuration, few cases
  hotloop check scale.cl --size n=1048576    a source as it is, against itself in double precision
  hotloop check my_kernel.py --sanitize      also on a simulator that sees races and accesses out of bounds
  hotloop check gemm --target gfx942         the code for an AMD GPU, executed here (hotloop emulate)
"""


@click.command("check", epilog=EPILOG)
@words.subject("target", metavar="TARGET")
@options.shape
@options.bare
@click.option(
    "--level", type=click.Choice(["quick", "full"]), default="full", show_default=True, help="How many cases."
)
@click.option(
    "--sanitize/--no-sanitize",
    default=None,
    help="Also run small problems on oclgrind: races, wild and uninitialised accesses. Default: where local memory, barriers "
    "or additions that may meet stand in the source and oclgrind is there.",
)
@click.option(
    "--target", "processor", default="", metavar="NAME",
    help="Execute the code for this AMD GPU here; a large default problem is made smaller.",
)  # fmt: skip
@options.engine
@options.session()
@options.quiet
@options.as_json
def COMMAND(
    target: str,
    shape: str,
    level: Level,
    sanitize: bool | None,
    processor: str,
    chosen: Options,
    as_json: bool,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
) -> int:
    """Verify TARGET (KERNEL, KERNEL@NAME=VALUE,... or KERNEL@best) against its high-precision reference."""
    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.run import faceoff
    from hotloop.cli.live import Progress

    options.predicted_only(processor, "", chosen)
    parsed = specs.parse(target, chosen.limit_s, options.wish(others))
    options.stored([parsed])
    problem = userfile.problem_of(parsed.kernel, shape)
    _refuse_unfit(target, parsed, processor, sanitize=bool(sanitize))
    with Progress(0.0, quiet=as_json) as progress:
        if processor:
            from hotloop.app.emulate import check as emulation  # brings the whole executor: a tenth of a second

            checked = emulation.check(parsed, problem, processor, progress, level, chosen.seed, shrink=not shape)
        else:
            checked = faceoff.check(parsed, problem, chosen, progress, level)
        simulated, blind = None, ""
        if sanitize or (sanitize is None and checked.passed and not parsed.best and not processor):
            simulated, blind = _simulate(parsed, problem, checked, chosen, progress, asked=bool(sanitize))
        notes = (*_remarks(parsed, problem, checked, chosen.seed), *filter(None, [blind]))
    if as_json:
        _emit(target, checked, simulated, notes, chosen.seed)
    else:
        _show(checked, simulated, notes, chosen)
    return 0 if checked.passed and (simulated is None or simulated.passed) else 1


def _refuse_unfit(target: str, parsed: Spec, processor: str, *, sanitize: bool) -> None:
    """Refuse options that do not go together. Raises UsageError."""
    from hotloop.errors import UsageError

    if sanitize and parsed.best:
        raise UsageError(
            f"--sanitize needs a configuration; write {target.partition('@')[0]}@NAME=VALUE,... instead of @best."
        )
    if processor and (sanitize or parsed.best):
        raise UsageError("--target executes one configuration by itself: leave out --sanitize and @best.")


def _simulate(
    parsed: Spec, problem: Problem, checked: CheckAnswer, chosen: Options, progress: Progress, *, asked: bool
) -> tuple[SanitizeAnswer | None, str]:
    """Return the simulator's answer, None without one, and why there should have been one; unasked only where it sees more."""
    from hotloop.app import userfile
    from hotloop.app.verify.sanitize import SILENT, absent, hides, sanitize

    variant = userfile.starting(parsed.kernel, parsed.implementation, dict(parsed.changes))
    if not asked:
        if not hides(variant, problem, checked.device):
            return None, ""
        if blind := absent():
            return None, blind
    answer = sanitize(parsed.kernel, variant, problem, chosen, progress)
    return (None, SILENT) if answer.silent and not asked else (answer, "")


def _remarks(parsed: Spec, problem: Problem, checked: CheckAnswer, seed: int) -> tuple[str, ...]:
    """Return what a reader of the answer should know of the kernel and of what was not looked at."""
    from hotloop.app.verify import lazy
    from hotloop.model.outcome import WrongResult

    kernel = parsed.kernel
    remarks = lazy.notes(kernel, problem, seed) if checked.passed and kernel.varied else ()
    remarks = (*remarks, *kernel.remarks(), *_others(parsed))
    if isinstance(checked.answer, WrongResult):
        remarks = (*remarks, *filter(None, [checked.remark]), *_hints(parsed, problem, checked, checked.answer.check))
    if isinstance(checked.answer, WrongResult) and checked.answer.check.ordered and not parsed.changes:
        remarks = tuple(dict.fromkeys((*remarks, *filter(None, [kernel.unsteady]))))
    return remarks


def _hints(parsed: Spec, problem: Problem, checked: CheckAnswer, report: CheckReport) -> tuple[str, ...]:
    """Return what a user's file may lack, where a check of it failed."""
    from hotloop.app import userfile
    from hotloop.app.verify import failed

    if not parsed.kernel.varied or parsed.best:
        return ()
    variant = userfile.starting(parsed.kernel, parsed.implementation, dict(parsed.changes))
    return failed.hints(parsed.kernel, variant.program(problem, checked.device), problem, report)


def _emit(
    target: str, checked: CheckAnswer, simulated: SanitizeAnswer | None, notes: tuple[str, ...], seed: int
) -> None:
    """Print everything as JSON."""
    from hotloop.cli import output
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Outcome, WrongResult

    report = checked.answer.check if isinstance(checked.answer, WrongResult) else checked.answer
    ran = checked.passed or isinstance(checked.answer, WrongResult)
    answer = {"target": target, "device": checked.device.key, "seed": seed, "passed": checked.passed}
    answer["answer"] = encode(report) if ran else encode(checked.answer, Outcome)
    extra: dict[str, object] = {"sanitizer": encode(simulated)} if simulated else {}
    output.emit({**answer, **extra, "notes": list(notes)})


def _show(checked: CheckAnswer, simulated: SanitizeAnswer | None, notes: tuple[str, ...], chosen: Options) -> None:
    """Print everything as tables."""
    from rich.text import Text

    from hotloop.cli import output, tables
    from hotloop.report.plain import line

    output.show(tables.check(checked))
    output.show(tables.seed(chosen))
    if simulated:
        output.show(_simulated(simulated))
    for note in notes:
        output.show(Text(f"note: {line(note)}", style="yellow"))


def _others(spec: Spec) -> tuple[str, ...]:
    """Say which implementations of a user's file were not checked."""
    left = [
        implementation.name for implementation in spec.kernel.implementations if implementation.name != spec.chosen.name
    ]
    if spec.implementation or spec.best or not left or not spec.kernel.varied:
        return ()
    return (f"only {spec.chosen.name} was checked, not {', '.join(left)}: hotloop check {spec.text}@{left[0]}",)


def _simulated(answer: SanitizeAnswer) -> Group:
    """Return the simulator's findings with their source lines."""
    from rich.console import Group
    from rich.text import Text

    from hotloop.report.plain import line

    rows = []
    for finding in answer.findings:
        rows.append(
            Text(
                line(f"{finding.kind} in {finding.kernel}, {finding.where} ({finding.count}×): {finding.message}"),
                style="bold red",
            )
        )
        rows += [Text(line(f"    {place.line}: {place.text}")) for place in finding.places if place.text]
    rows += [Text(line(text), style="bold red") for text in answer.failures]
    end = f"oclgrind: {len(answer.problems)} problems, {len(answer.findings)} findings"
    return Group(*rows, Text(end, style="green" if answer.passed else "bold red"))
