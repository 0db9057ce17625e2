"""Tables for the verbs that answer without a run: check, compare, bench, history, doctor."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from hotloop import units
from hotloop.model.check import CheckReport, share
from hotloop.model.energy import WORDS, Objective
from hotloop.model.outcome import CompileFailed, Measured, WrongResult, describe
from hotloop.report import words
from hotloop.report.plain import line, visible

if TYPE_CHECKING:
    from hotloop.app.doctor.examine import Diagnosis
    from hotloop.app.interop.exchange import Seen
    from hotloop.app.run.faceoff import BenchAnswer, BenchRow, CheckAnswer, CompareAnswer
    from hotloop.app.session import Options
    from hotloop.store import Calibration, Known, RunInfo

_GOOD, _BAD = Text("pass", style="green"), Text("FAIL", style="bold red")


def imported(seen: Sequence[Seen]) -> Table:
    """Return a table of the content of other tools' files."""
    table = columns("file", "format", "kernel", "device", "configurations", "best", "kept")
    for row in seen:
        states = ", ".join(f"{count} {state}" for state, count in row.states.items())
        best = units.duration(row.best_ns) if row.best_ns is not None else "no times"
        kept = (
            f"{row.kept}" + (f", {row.unknown} not of its space" if row.unknown else "")
            if row.kept or row.unknown
            else "–"
        )
        table.add_row(line(row.file), row.format, line(row.kernel), line(row.device), states or "none", best, kept)
    return table


def check(checked: CheckAnswer) -> Group:
    """Return a table of verification cases, or the failure that prevented them."""
    head = Text(f"{line(checked.label)} on {line(checked.device.name)} ({line(checked.device.runtime_key)})")
    report = checked.answer.check if isinstance(checked.answer, WrongResult) else checked.answer
    if not isinstance(report, CheckReport):
        log = Text(visible(checked.answer.log)) if isinstance(checked.answer, CompileFailed) else Text("")
        return Group(
            head,
            Text(
                line(describe(checked.answer)) if not isinstance(checked.answer, CheckReport) else "", style="bold red"
            ),
            log,
        )
    table = columns("", "problem", "inputs", "error / bound", "why")
    for case in report.cases:
        error = "" if case.worst_ratio is None else f"{case.worst_ratio:.2g}"
        table.add_row(_GOOD if case.passed else _BAD, line(case.problem), case.distribution, error, line(case.reason))
    return Group(head, table, Text(line(report.summary), style="green" if report.passed else "bold red"))


def seed(chosen: Options) -> Text:
    """Return a line with the seed of the inputs, which is printed after it no longer needs to be secret."""
    kind = "secret until now; " if chosen.secret else ""
    return Text(f"inputs drawn from seed {chosen.seed} ({kind}--seed {chosen.seed} draws them again)", style="dim")


def compare(compared: CompareAnswer) -> Group:
    """Return the verdict with its interval and both times."""
    from hotloop.report.view.front import joules  # brings all of the report, which other tables do without

    energies = [joules(result) for result in compared.outcomes]
    metered = any(energies)
    table = columns("", "variant", "time per call", *(["energy per call"] if metered else []), "outcome")
    names = (("incumbent", compared.incumbent), ("candidate", compared.candidate))
    verdict = compared.comparison
    own = tuple(result.call_ns if isinstance(result, Measured) else None for result in compared.outcomes)
    times = (
        verdict.times_ns if verdict is not None and verdict.times_ns is not None else own
    )  # those that have the ratio
    errors = (compared.accuracy.before, compared.accuracy.after) if compared.accuracy else (None, None)
    for (role, name), outcome, call_ns, spent, part in zip(
        names, compared.outcomes, times, energies, errors, strict=True
    ):
        time = units.duration(call_ns) if call_ns is not None else "–"
        note = describe(outcome)
        if isinstance(outcome, Measured) and part is not None:
            note += f"; largest error {share(part)} of the tolerance"
        table.add_row(role, line(name), time, *([words.joules(spent)] if metered else []), line(note))
    if verdict is None:
        return Group(table, Text("no comparison: both must be correct first", style="bold red"))
    noise = f"; noise floor {units.percent(compared.noise)}" if compared.noise is not None else ""
    answer = Text.assemble(
        (f"{verdict.word}  ", "bold"),
        f"{verdict.speedup:.3f}× [{verdict.low:.3f}, {verdict.high:.3f}]{_of(verdict.objective)} at {verdict.confidence:.0%}, "
        f"{verdict.rounds} rounds, margin {verdict.margin:.0%}{noise}{_mode(compared.mode)}",
    )
    lost = compared.accuracy.warning if compared.accuracy else ""
    return Group(table, answer, *(Text(note, style="yellow") for note in (verdict.reason, lost) if note))


def bench(answer: BenchAnswer) -> Group:
    """Return contenders with median and best times, rates and ratios to the first."""
    metered = any(row.joules for row in answer.rows)
    heads = ["contender", "median", "best", "rate", "× first", "of roofline", "outcome"]
    table = columns(*heads[:3], *(["energy per call"] if metered else []), *heads[3:])
    for row in answer.rows:
        cells = _bench(row)
        table.add_row(*cells[:3], *([words.joules(row.joules)] if metered else []), *cells[3:])
    where = f"{line(answer.device.name)} ({line(answer.device.runtime_key)})"
    ratios = "" if answer.objective is Objective.TIME else f"; × first{_of(answer.objective)}"
    head = Text(f"{line(answer.problem)} on {where}{_mode(answer.mode)}{ratios}")
    absent = [Text(f"× first on {line(place)}: {ratios}") for place, ratios in _elsewhere(answer.rows)]
    if answer.unmetered:
        absent.append(Text(f"energy: not measured, {line(answer.unmetered)}", style="dim"))
    if answer.ceilings is None:
        return Group(head, table, *absent)
    rates = (
        f"{units.rate(answer.ceilings.flops_per_s, 'FLOP/s')}, memory {units.rate(answer.ceilings.bytes_per_s, 'B/s')}"
    )
    measured = Text(f"ceilings measured in this run: {rates} ({answer.ceilings.dtype})", style="dim")
    return Group(head, table, measured, *absent)


def _of(objective: Objective) -> str:
    """Return the quantity of a ratio if it is not time."""
    return "" if objective is Objective.TIME else f" of {WORDS[objective].quantity}"


def _mode(mode: str) -> str:
    """Return the state of the caches if it is not the default."""
    return "" if mode == "rotated" else f"; {mode} caches"


def _elsewhere(rows: Sequence[BenchRow]) -> list[tuple[str, str]]:
    """Return a line for each other device with its ratios, in the order of the timed rows."""
    timed = [row.elsewhere for row in rows if row.elsewhere]
    return [
        (column[0][0], ", ".join("–" if ratio is None else f"{ratio:.2f}" for _, ratio in column))
        for column in zip(*timed, strict=False)
    ]


def _bench(row: BenchRow) -> tuple[str, ...]:
    if not isinstance(row.outcome, Measured):
        return line(row.name), "–", "–", "–", "–", "–", line(describe(row.outcome))
    return (
        line(row.name),
        units.duration(row.outcome.call_ns),
        units.duration(row.outcome.best_ns),
        units.rate(row.flops_per_s, "FLOP/s") if row.flops_per_s else "–",
        f"{row.ratio:.2f}" if row.ratio is not None else "–",
        units.percent(row.roof_fraction) if row.roof_fraction is not None else "–",
        "verified",
    )


def runs(rows: Sequence[RunInfo]) -> Table:
    """Return the latest runs."""
    table = columns("run", "kind", "what", "state", "started")
    for row in rows:
        table.add_row(line(row.id[:8]), row.kind.value, line(row.title), row.state.value, line(row.started))
    return table


def best(rows: Sequence[Known]) -> Table:
    """Return best-known configurations."""
    table = columns("problem", "device", "time per call", "configuration", "measured", "")
    for row in rows:
        winner = row.winner
        stale = Text("stale: other driver", style="yellow") if row.stale else Text("")
        table.add_row(
            line(winner.problem + winner.family.removeprefix(winner.problem.partition("[")[0])),
            line(winner.device),
            units.duration(winner.call_ns),
            line(str(winner.config)),
            line(winner.created),
            stale,
        )
    return table


def calibration(rows: Sequence[Calibration]) -> Table:
    """Return predictions against measurements."""
    table = columns("technique", "rule", "target", "predicted", "measured", "verdict")
    for row in rows:
        measured = f"{row.measured:.2f}×" if row.measured is not None else "–"
        promised = f"{row.predicted.low:.2f}–{row.predicted.high:.2f}×"
        table.add_row(line(row.technique), line(row.rule), line(row.target), promised, measured, line(row.verdict))
    return table


def doctor(diagnosis: Diagnosis) -> Group:
    """Return what works, what does not, and the commands that mend it."""
    table = columns("", "what", "detail", "mend with")
    for row in diagnosis.findings:
        mark = (
            Text("ok", style="green")
            if row.works
            else Text("no" if row.optional else "NO", style="yellow" if row.optional else "bold red")
        )
        table.add_row(mark, row.what, line(row.detail), row.remedy)
    end = "kernels can run here." if diagnosis.healthy else "kernels cannot run here yet; see 'mend with'."
    if diagnosis.runs and not diagnosis.healthy:
        end = "kernels can run here, but something needs mending; see 'mend with'."
    return Group(table, Text(end, style="green" if diagnosis.healthy else "bold red"))


def columns(*heads: str) -> Table:
    """Return an empty table with these heads."""
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in heads:
        table.add_column(head, overflow="fold")
    return table
