"""An explanation as one self-contained page: no script, no network; everything that a file said is escaped by type."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop import units
from hotloop.report.explanation import words
from hotloop.report.frame import Section, document, filled, links, tile
from hotloop.report.markup import Html, el, join
from hotloop.report.plain import line
from hotloop.report.plots import hierarchy

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hotloop.explain.page import Explanation, Judgement, Shift


def render(page: Explanation) -> str:
    """Return the whole page."""
    sections = filled(_sections(page))
    main = el("main", *(section.written for section in sections))
    return document(words.title(page), _header(page, sections), main, _footer(page))


def _header(page: Explanation, sections: Sequence[Section]) -> Html:
    tiles = tuple(_tiles(page))
    return el(
        "header",
        el("p", f"hotloop explain · {line(page.subject.device)}", class_="kicker"),
        el("h1", words.title(page)),
        el("p", line(page.verdict), class_="lead"),
        el("p", line(page.subject.choice), class_="soft"),
        el("dl", *tiles, class_=f"tiles of-{len(tiles)}") if tiles else None,
        links(sections),
    )


def _tiles(page: Explanation) -> Iterator[Html]:
    if page.findings:
        top = page.findings[0]
        yield tile("of the time explained", words.share(top), line(top.rule))
    if page.next:
        yield tile("predicted for the next step", words.gain(page.next[1].predicted), line(page.next[1].technique))
    if page.roofline:
        top_roof = page.roofline[0]
        yield tile("of the nearest roof", units.percent(top_roof.fraction), line(top_roof.name))


def _footer(page: Explanation) -> Html:
    names = ", ".join(f"{line(i.name)} ({line(i.what)})" for i in page.subject.inputs)
    return el("footer", f"Explained by hotloop from {names}. A profiled time is no benchmark.")


# --- sections --------------------------------------------------------------------------------------------------------


def _sections(page: Explanation) -> tuple[Section, ...]:
    return (
        Section("next", "Next", _next(page)),
        Section("shift", "Before and after", _shift(page.shift) if page.shift else None),
        Section("findings", "Findings", join(map(_finding, page.findings)) if page.findings else None),
        Section("roofline", "Roofline", _roofline(page)),
        Section("missing", "To be surer", _missing(page)),
        *(
            Section(f"table-{n}", line(t.title), _table(t.heads, [r.cells for r in t.rows]))
            for n, t in enumerate(page.tables)
        ),
        Section("kernels", "Kernels of the profile", _kernels(page)),
        Section("facts", "Facts", _facts(page)),
        Section("notes", "Notes", _list(page.notes) if page.notes else None),
    )


def _next(page: Explanation) -> Html:
    note = el("p", f"{line(page.calibration)}.", class_="soft") if page.calibration else None
    return join([_list(words.next_step(page)), note])


def _finding(judgement: Judgement) -> Html:
    answers = [el("li", words.advice(advice)) for advice in judgement.advice]
    return el(
        "div",
        el("h3", f"{words.share(judgement)} · {judgement.rule}"),
        el("p", f"{line(judgement.title)}. {words.sentence(line(judgement.message))}"),
        el("p", words.sentence(words.confidence(judgement)), class_="soft") if judgement.confidence else None,
        _list([*(words.cited(fact) for fact in judgement.cited), *judgement.lines]),
        el("ul", *answers, class_="tags") if answers else None,
        el("p", f"Misleads: {line(judgement.misleads)}", class_="soft small") if judgement.misleads else None,
        class_="finding",
    )


def _roofline(page: Explanation) -> Html:
    words_of = el("p", f"{line(page.roofline_words)}.")
    picture = hierarchy.figure(page.picture) if page.picture else None
    heads = ("roof", "used", "rate", "limit from")
    rows = [(r.name, units.percent(r.fraction), r.detail, r.source) for r in page.roofline]
    return join([words_of, picture, _table(heads, rows) if rows else None])


def _missing(page: Explanation) -> Html | None:
    if not page.missing:
        return None
    commands = el("pre", el("code", "\n".join(map(line, page.commands))), tabindex=0) if page.commands else None
    lines = el("pre", el("code", "\n".join(page.collect)), tabindex=0) if page.collect else None
    heads = [el("p", text) for text in ("Run next:", "Or as lines of an input file of rocprof:")]
    parts = [(heads[0], commands), (heads[1], lines)]
    return join([_list([words.missing(row) for row in page.missing]), *(x for pair in parts if pair[1] for x in pair)])


def _kernels(page: Explanation) -> Html | None:
    if not page.kernels:
        return None
    return _table(("kernel", "launches", "time", "share"), [words.kernel(row) for row in page.kernels])


def _facts(page: Explanation) -> Html | None:
    rows = [(f.name, f.value, f.provenance, f.meaning, f.source) for f in page.facts]
    return _table(("fact", "value", "how known", "meaning", "source"), rows) if rows else None


def _shift(shift: Shift) -> Html:
    heads = ("before", "after", "")
    return join(
        [
            el("p", line(shift.verdict), class_="lead"),
            el("p", f"Now: {line(shift.after)}"),
            _table(("finding", *heads), [row.cells for row in shift.findings]),
            _table(("fact", *heads), [row.cells for row in shift.signals]),
        ]
    )


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Html:
    head = el("thead", el("tr", *(el("th", text, scope="col") for text in heads)))
    body = el("tbody", *(el("tr", *(el("td", line(cell)) for cell in row)) for row in rows))
    return el("div", el("table", head, body), class_="scroll", tabindex=0)


def _list(rows: Sequence[str]) -> Html:
    return el("ul", *(el("li", line(row)) for row in rows))
