"""``hotloop check``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import click

from hotloop.cli import options

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.app.session import Options
    from hotloop.app.spec import Spec
    from hotloop.app.verify.sanitize import SanitizeAnswer

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
@click.argument("target", metavar="TARGET")
@options.shape
@options.bare
@click.option(
    "--level", type=click.Choice(["quick", "full"]), default="full", show_default=True, help="How many cases."
)
@click.option(
    "--sanitize/--no-sanitize",
    default=None,
    help="Also run small problems on oclgrind: races, wild and uninitialised accesses. Default: where local memory or barriers "
    "stand in the source and oclgrind is there.",
)
@click.option(
    "--target", "processor", default="", metavar="NAME",
    help="Execute the code for this AMD GPU here; a large default problem is made smaller.",
)  # fmt: skip
@options.engine
@options.session()
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
    from rich.text import Text

    from hotloop.app import spec as specs
    from hotloop.app import userfile
    from hotloop.app.emulate import check as emulation
    from hotloop.app.run import faceoff
    from hotloop.app.verify import lazy
    from hotloop.app.verify.sanitize import SILENT, absent, hides
    from hotloop.app.verify.sanitize import sanitize as simulate
    from hotloop.cli import output, tables
    from hotloop.cli.live import Progress
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode
    from hotloop.model.outcome import Outcome, WrongResult
    from hotloop.report.plain import line

    options.predicted_only(processor, "", chosen)
    parsed = specs.parse(target, chosen.limit_s, options.wish(others))
    problem = userfile.problem_of(parsed.kernel, shape)
    if sanitize and parsed.best:
        raise UsageError(
            f"--sanitize needs a configuration; write {target.partition('@')[0]}@NAME=VALUE,... instead of @best."
        )
    if processor and (sanitize or parsed.best):
        raise UsageError("--target executes one configuration by itself: leave out --sanitize and @best.")
    with Progress(0.0, quiet=as_json) as progress:
        if processor:
            checked = emulation.check(parsed, problem, processor, progress, level, chosen.seed, shrink=not shape)
        else:
            checked = faceoff.check(parsed, problem, chosen, progress, level)
        simulated, blind = None, ""
        if sanitize or (sanitize is None and checked.passed and not parsed.best and not processor):
            variant = userfile.starting(parsed.kernel, parsed.implementation, dict(parsed.changes))
            wanted = bool(sanitize) or hides(variant, problem, checked.device)
            blind = "" if sanitize or not wanted else absent()
            if wanted and not blind:
                simulated = simulate(parsed.kernel, variant, problem, chosen, progress)
                if not sanitize and simulated.silent:
                    simulated, blind = None, SILENT
        remarks = lazy.notes(parsed.kernel, problem, chosen.seed) if checked.passed and parsed.kernel.varied else ()
        remarks = (*remarks, *parsed.kernel.remarks(), *_others(parsed))
        if isinstance(checked.answer, WrongResult) and checked.answer.check.ordered and not parsed.changes:
            remarks = tuple(dict.fromkeys((*remarks, *filter(None, [parsed.kernel.unsteady]))))
    report = checked.answer.check if isinstance(checked.answer, WrongResult) else checked.answer
    if as_json:
        data = (
            encode(report)
            if checked.passed or isinstance(checked.answer, WrongResult)
            else encode(checked.answer, Outcome)
        )
        extra: dict[str, object] = {"sanitizer": encode(simulated)} if simulated else {}
        extra |= {"notes": [*remarks, *([blind] if blind else [])]}
        answer = {"target": target, "device": checked.device.key, "seed": chosen.seed}
        output.emit({**answer, "passed": checked.passed, "answer": data, **extra})
    else:
        output.show(tables.check(checked))
        output.show(tables.seed(chosen))
        if simulated:
            output.show(_simulated(simulated))
        for remark in (*remarks, *([blind] if blind else [])):
            output.show(Text(f"note: {line(remark)}", style="yellow"))
    return 0 if checked.passed and (simulated is None or simulated.passed) else 1


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
