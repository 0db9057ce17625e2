"""An explanation on a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table as Grid
from rich.text import Text

from hotloop import units
from hotloop.report.explanation import words
from hotloop.report.plain import line, shorten

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from hotloop.explain.page import Explanation, Judgement, Moved, Shift, Table

MOST_KERNELS = 8
MOST_CITED = 6
_NAME = 60
_CITED = 180


def render(page: Explanation) -> Group:
    """Return everything, the answer first."""
    return Group(*_parts(page))


def _parts(page: Explanation) -> Iterator[RenderableType]:
    subject = page.subject
    yield Text(words.title(page), style="bold")
    yield Text(f"{line(subject.device)}; {line(subject.choice)}", style="dim")
    yield Text.assemble(("verdict   ", "cyan"), (line(page.verdict), "bold"))
    yield _labelled("next      ", words.next_step(page))
    if page.calibration:
        yield _indented(Text(line(page.calibration), style="dim"), 10)
    yield Text.assemble(("roofline  ", "cyan"), line(page.roofline_words))
    if page.shift:
        yield from _shift(page.shift)
    if page.roofline:
        rows = [(r.name, units.percent(r.fraction), line(r.detail), line(r.source)) for r in page.roofline]
        yield _indented(_grid(("roof", "used", "", "limit from"), rows))
    yield from _findings(page.findings)
    if page.facts and not page.findings:
        yield _heading("what is known")
        yield _indented(
            _grid(("", "", ""), [(f.name, line(f.value), line(f.meaning)) for f in words.telling(page.facts)])
        )
    if page.missing:
        yield _heading("to be surer")
        yield from (_indented(Text(words.missing(row))) for row in page.missing)
        yield from (_indented(Text(f"run      {line(text)}", style="green")) for text in page.commands)
        yield from (_indented(Text(f"collect  {line(text)}", style="dim")) for text in page.collect)
    for table in page.tables:
        yield from _table(table)
    yield from _kernels(page)
    yield from (Text(f"note: {line(note)}", style="yellow") for note in page.notes)


def _labelled(label: str, rows: Sequence[str]) -> Text:
    text = Text.assemble((label, "cyan"), rows[0])
    for row in rows[1:]:
        text.append(f"\n{' ' * len(label)}{row}")
    return text


def _findings(findings: Sequence[Judgement]) -> Iterator[RenderableType]:
    if not findings:
        return
    yield _heading("findings")
    for finding in findings:
        yield Text.assemble(
            (f"{words.share(finding):>6}  ", "bold"), (finding.rule, "bold"), f"  {line(finding.message)}"
        )
        if finding.confidence:
            yield _indented(Text(words.confidence(finding)), 8)
        yield from (
            _indented(Text(shorten(words.cited(fact), _CITED), style="dim"), 8) for fact in finding.cited[:MOST_CITED]
        )
        yield from (_indented(Text(line(text)), 8) for text in finding.lines)
        if finding.advice:
            yield _indented(Text("try " + "; ".join(map(words.advice, finding.advice)), style="green"), 8)
        if finding.misleads:
            yield _indented(Text(f"misleads: {line(finding.misleads)}", style="dim"), 8)


def _shift(shift: Shift) -> Iterator[RenderableType]:
    yield Text.assemble(("against   ", "cyan"), (line(shift.verdict), "bold"))
    yield _indented(Text(f"now: {line(shift.after)}"), 10)
    yield _indented(_grid(("finding", "before", "after", ""), list(map(_moved, shift.findings))), 10)
    yield _indented(_grid(("fact", "before", "after", ""), list(map(_moved, shift.signals))), 10)


def _moved(row: Moved) -> tuple[str, str, str, str]:
    return row.name, line(row.before), line(row.after), row.direction


def _kernels(page: Explanation) -> Iterator[RenderableType]:
    if len(page.kernels) < 2:
        return
    yield _heading("kernels of the profile")
    rows = [words.kernel(row) for row in page.kernels[:MOST_KERNELS]]
    yield _indented(_grid(("kernel", "launches", "time", "share"), [(shorten(r[0], _NAME), *r[1:]) for r in rows]))
    if len(page.kernels) > MOST_KERNELS:
        yield _indented(Text(f"and {len(page.kernels) - MOST_KERNELS} more", style="dim"))


def _table(table: Table) -> Iterator[RenderableType]:
    yield _heading(line(table.title))
    yield _indented(_grid(table.heads, [tuple(map(line, row.cells)) for row in table.rows]))


def _grid(heads: Sequence[str], rows: Sequence[tuple[str, ...]]) -> Grid:
    grid = Grid(box=None, pad_edge=False, header_style="dim", show_header=any(heads))
    for head in heads:
        grid.add_column(head, overflow="fold")
    for row in rows:
        grid.add_row(*(Text(cell) for cell in row))
    return grid


def _heading(text: str) -> Text:
    return Text(text, style="cyan")


def _indented(inner: RenderableType, spaces: int = 2) -> Padding:
    return Padding(inner, (0, 0, 0, spaces))
