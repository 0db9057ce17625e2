"""An explanation as Markdown: names and texts come from files of strangers and stay text."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report.explanation import words
from hotloop.report.markdown import block, escape, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hotloop.explain.page import Explanation, Judgement, Shift, Table


def render(page: Explanation) -> str:
    """Return the whole page."""
    return "\n\n".join(_parts(page)) + "\n"


def _parts(page: Explanation) -> Iterator[str]:
    yield f"# {escape(words.title(page))}"
    yield f"{escape(page.subject.device)}; {escape(page.subject.choice)}."
    yield f"**{escape(page.verdict)}**"
    yield "## Next\n\n" + _list(words.next_step(page))
    if page.calibration:
        yield f"{escape(page.calibration)}."
    if page.shift:
        yield from _shift(page.shift)
    yield f"## Roofline\n\n{escape(page.roofline_words)}."
    if page.roofline:
        rows = [(r.name, units.percent(r.fraction), r.detail, r.source) for r in page.roofline]
        yield _table(("roof", "used", "rate", "limit from"), rows)
    if page.findings:
        yield "## Findings"
        yield from map(_finding, page.findings)
    if page.missing:
        yield "## To be surer\n\n" + _list([words.missing(row) for row in page.missing])
    if page.commands:
        yield "Run next:\n\n" + block("\n".join(page.commands))
    if page.collect:
        yield "Lines for the input file of rocprof:\n\n" + block("\n".join(page.collect))
    yield from (f"## {escape(t.title)}\n\n{_rows(t)}" for t in page.tables)
    if page.kernels:
        rows4 = [words.kernel(row) for row in page.kernels]
        yield "## Kernels of the profile\n\n" + _table(("kernel", "launches", "time", "share"), rows4)
    if page.facts:
        facts = [(f.name, f.value, f.provenance, f.meaning) for f in page.facts]
        yield "## Facts\n\n" + _table(("fact", "value", "how known", "meaning"), facts)
    if page.notes:
        yield "## Notes\n\n" + _list(page.notes)
    yield "## Inputs\n\n" + _table(("input", "what"), [(i.name, i.what) for i in page.subject.inputs])


def _finding(judgement: Judgement) -> str:
    parts = [
        f"### {words.share(judgement)} {judgement.rule}",
        escape(f"{judgement.title}. {words.sentence(judgement.message)}"),
    ]
    if judgement.confidence:
        parts.append(escape(words.sentence(words.confidence(judgement))))
    evidence = [words.cited(fact) for fact in judgement.cited] + [f"{text}" for text in judgement.lines]
    parts.append("Evidence:\n\n" + _list(evidence))
    if judgement.advice:
        rows = [
            (a.technique, "–" if a.unmet else words.gain(a.predicted), "; ".join(a.unmet or a.verify))
            for a in judgement.advice
        ]
        parts.append(_table(("technique", "predicted", "worked when, or why not"), rows))
    if judgement.misleads:
        parts.append(f"Misleads: {escape(judgement.misleads)}")
    return "\n\n".join(parts)


def _shift(shift: Shift) -> Iterator[str]:
    yield f"## Before and after\n\n**{escape(shift.verdict)}**\n\nNow: {escape(shift.after)}"
    heads = ("", "before", "after", "")
    yield _table(("finding", *heads[1:]), [row.cells for row in shift.findings])
    yield _table(("fact", *heads[1:]), [row.cells for row in shift.signals])


def _rows(table: Table) -> str:
    return _table(table.heads, [row.cells for row in table.rows])


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    return table(heads, [[escape(cell) for cell in row] for row in rows])


def _list(rows: Sequence[str]) -> str:
    return "\n".join(f"- {escape(row)}" for row in rows)
