"""What an execution found, for the terminal and as JSON."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from hotloop.emulate.sanitizer.findings import Trouble
from hotloop.profilers.formats.emulated import MARK
from hotloop.report.plain import line

if TYPE_CHECKING:
    from rich.console import Group

    from hotloop.emulate.answer import Answer, Count, Told
    from hotloop.isa.sourcemap import SourceLine

_EVERYWHERE = frozenset({Trouble.ORDER, Trouble.UNUSED, Trouble.UNWRITTEN})
"""Findings about a whole launch, which no single wave met."""
_MOST = 20
"""Most findings that are shown."""


def verdict(answer: Answer) -> str:
    """Return the one sentence that a reader should take away."""
    where = f"{answer.label} on {answer.target}"
    if answer.findings:
        number = f"{len(answer.findings)} finding{'s' * (len(answer.findings) > 1)}"
        return f"{where}: {number}, the first: {answer.findings[0].finding.trouble}"
    if answer.result is not None and not answer.result.passed:
        return f"{where}: wrong result: {answer.result.reason}"
    if answer.result is None:
        return f"{where}: executed, nothing found; there is no reference to compare with"
    return f"{where}: executed and right, nothing found"


def render(answer: Answer) -> Group:
    """Return the report as terminal text."""
    from rich.console import Group
    from rich.text import Text

    rows = [Text(line(verdict(answer)), style="bold green" if answer.passed else "bold red")]
    for finding in answer.findings[:_MOST]:
        rows += [Text(row, style="" if row.startswith(" ") else "red") for row in _finding(finding)]
    if len(answer.findings) > _MOST:
        rows.append(Text(f"… {len(answer.findings) - _MOST} more findings (--json has all)"))
    if answer.result is not None and answer.result.worst_ratio is not None:
        rows.append(Text(f"largest error {answer.result.worst_ratio:.2g} of its bound"))
    rows += [Text(line(f"note: {note}")) for note in answer.notes]
    speed = answer.executed / max(answer.duration_s, 1e-9) / 1e6
    rows.append(
        Text(
            f"{answer.executed:,} wave instructions in {answer.waves:,} waves, {answer.duration_s:.2f} s ({speed:.2f} million/s)"
        )
    )
    return Group(*rows)


def _finding(located: Told) -> list[str]:
    finding = located.finding
    group = ",".join(map(str, finding.group))
    place = f"work-group {group}, wave {finding.wave}" + (f", lane {finding.lane}" if finding.lane is not None else "")
    times = f", {finding.times} times" if finding.times > 1 else ""
    where = "" if finding.trouble in _EVERYWHERE else f" ({place}{times})"
    rows = [line(f"{finding.trouble}: {finding.text}{where}")]
    if not finding.instruction:
        return rows
    rows.append(line(f"line {finding.line}: {finding.instruction}{_source(located.source)}"))
    if finding.other_line is not None:
        rows.append(line(f"line {finding.other_line}: {finding.other_instruction}{_source(located.other_source)}"))
    return [rows[0], *(f"    {row}" for row in rows[1:])]


def _source(source: SourceLine | None) -> str:
    return f"   [{source.file}:{source.line}]" if source else ""


def as_json(answer: Answer) -> dict[str, Any]:
    """Return everything but the arrays."""
    return {
        "input": answer.label,
        "target": answer.target,
        "passed": answer.passed,
        "verdict": verdict(answer),
        "findings": [_plain(row) for row in answer.findings],
        "notes": list(answer.notes),
        "wave_instructions": answer.executed,
        "waves": answer.waves,
        "duration_s": answer.duration_s,
        "error_ratio": answer.result.worst_ratio if answer.result else None,
        "compared": answer.result is not None,
    }


def _plain(row: Told) -> dict[str, Any]:
    finding = row.finding
    return {
        "kind": finding.trouble.value,
        "text": finding.text,
        "kernel": row.kernel,
        "line": finding.line,
        "instruction": finding.instruction,
        "source": _named(row.source),
        "other_line": finding.other_line,
        "other_instruction": finding.other_instruction or None,
        "other_source": _named(row.other_source),
        "group": list(finding.group),
        "wave": finding.wave,
        "lane": finding.lane,
        "times": finding.times,
    }


def _named(source: SourceLine | None) -> str | None:
    return f"{source.file}:{source.line}" if source else None


def traced(answer: Answer) -> dict[str, Any]:
    """Return the counts of every instruction."""
    return {
        "format": MARK,
        "input": answer.label,
        "target": answer.target,
        "waves": answer.waves,
        "wave_instructions": answer.executed,
        "instructions": [_row(count) for count in answer.counts],
    }


def _row(count: Count) -> dict[str, Any]:
    row: dict[str, Any] = {
        "kernel": count.kernel,
        "line": count.line,
        "instruction": count.instruction,
        "executions": count.executions,
    }
    if count.accesses:
        row |= {"accesses": count.accesses, "cache_lines": count.cache_lines}
    if count.bank_ideal:
        row |= {
            "bank_cycles": count.bank_cycles, "bank_cycles_ideal": count.bank_ideal, "bank_accesses": count.bank_looked
        }  # fmt: skip
    return row
