"""The HTML page without a browser: structure, escaping, self-containment."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest

from hotloop.model.problem import Work
from hotloop.report.pages.html import run as html
from hotloop.report.style import SHEET
from hotloop.report.view import build

ATTACK = "<script>alert(1)</script>\"'><img src=x onerror=alert(1)> &amp; \x1b[0m\u202e"
VOID = {"meta", "link", "line", "circle", "rect", "path"}


class Page(HTMLParser):
    """Collects what a test asks for and checks that elements nest."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict]] = []
        self.texts: list[tuple[str, str]] = []
        self.feed(text)
        self.close()
        assert self.open == [], "every element is closed"

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))
        assert len({name for name, _ in attrs}) == len(attrs), "no attribute is given twice"
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attrs):
        assert tag in VOID, f"{tag} must not be closed in place"
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.texts.append((self.open[-1] if self.open else "", data))

    def all(self, tag: str) -> list[dict]:
        return [attributes for name, attributes in self.tags if name == tag]


def page(record) -> Page:
    return Page(html.render(build(record)))


def hostile(record):
    steps = tuple(
        dataclasses.replace(s, technique=ATTACK, change=ATTACK, why=ATTACK, reason=ATTACK, rule=ATTACK)
        for s in record.steps
    )
    peers = tuple(dataclasses.replace(p, name=ATTACK) for p in record.peers)
    finding = dataclasses.replace(record.findings[0], rule=ATTACK, message=ATTACK, suggests=(ATTACK,), misleads=ATTACK)
    device = dataclasses.replace(record.device, name=ATTACK, runtime=ATTACK)
    return dataclasses.replace(
        record, title=ATTACK, kind=ATTACK, problem=ATTACK, state=ATTACK, stop_reason=ATTACK, started=ATTACK,
        finished=ATTACK, steps=steps, peers=peers, findings=(finding,), device=device,
        conditions=((ATTACK, ATTACK),), command=(ATTACK,),
    )  # fmt: skip


def test_page_needs_nothing_from_elsewhere(record):
    made = page(record)
    assert made.all("script") == []
    links = [a for _, attributes in made.tags for name, a in attributes.items() if name in {"href", "src"}]
    assert all(link.startswith(("#", "data:")) for link in links)
    assert "url(" not in SHEET
    assert "@import" not in SHEET
    policy = next(meta["content"] for meta in made.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert "default-src 'none'" in policy


def test_no_style_attribute_because_the_policy_forbids_it(record):
    assert not [tag for tag, attributes in page(record).tags if "style" in attributes]


def test_hostile_text_adds_no_element_and_no_attribute(record):
    friendly = dataclasses.replace(
        record, findings=record.findings[:1], conditions=(("a", "b"),), command=("x",), steps=tuple(
            dataclasses.replace(s, change="c", why="w", rule="r") for s in record.steps
        ),
    )  # fmt: skip
    expected = [(tag, set(attributes)) for tag, attributes in page(friendly).tags]
    assert [(tag, set(attributes)) for tag, attributes in page(hostile(record)).tags] == expected


def test_hostile_text_is_shown_as_it_is_with_control_characters_spelled_out(record):
    made = page(hostile(record))
    title = "".join(text for tag, text in made.texts if tag == "h1")
    assert title == ATTACK.replace("\x1b", "\\x1b").replace("\u202e", "\\u202e")
    assert not {"\x1b", "\u202e"} & set(html.render(build(hostile(record))))


def test_sections_have_headings_that_name_them_and_links_that_find_them(record):
    made = page(record)
    identities = {attributes["id"] for _, attributes in made.tags if "id" in attributes}
    assert {link["href"].removeprefix("#") for link in made.all("a")} <= identities
    assert all(section["aria-labelledby"] in identities for section in made.all("section"))
    assert len(made.all("h1")) == 1


def test_tables_have_captions_and_header_cells(record):
    made = page(record)
    tables = len(made.all("table"))
    assert tables == len(made.all("caption")) == 3 + 6, "steps, peers, predictions, and facts of six steps"
    assert all(cell.get("scope") in {"col", "row"} for cell in made.all("th"))


def test_plots_have_words_and_hover_titles(record):
    made = page(record)
    plots = [svg for svg in made.all("svg") if svg.get("role") == "img"]
    assert len(plots) == 6, "trajectory, roofline and search, wide and narrow"
    assert all(len(svg["aria-label"]) > 40 for svg in plots)
    titles = [text for tag, text in made.texts if tag == "title"]
    assert any("4 unroll: KU 1 → 4 — 31.1 ms, 1.00× (1.00–1.01) SAME, revert" in text for text in titles)
    assert any("8 prefetch: PF 0 → 2 — does not compile at line 41" in text for text in titles)


def test_numbers_of_the_headline_are_on_the_page(record):
    text = " ".join(text for tag, text in page(record).texts if tag != "style")
    for figure in ("16.4×", "412 ms", "25.0 ms", "82.6 %", "85.9 GFLOP/s", "0.97×", "(0.96–0.98)", "20.6 ms"):
        assert figure in text


@pytest.mark.parametrize(
    "change",
    [
        {"steps": (), "peers": (), "findings": (), "search": None, "command": (), "ceilings": None, "conditions": ()},
        {"winner": 0, "peers": ()},
        {"ceilings": None},
        {"work": Work(flops=2e6, bytes=1e9)},
        {"work": Work(flops=0.0, bytes=1e9)},
        {"finished": "", "state": "interrupted", "stop_reason": ""},
    ],
)
def test_partial_runs_make_whole_pages(record, change):
    made = page(dataclasses.replace(record, **change))
    assert made.all("h1")
    assert {"Steps"} & {text for tag, text in made.texts if tag == "h2"} == (
        {"Steps"} if "steps" not in change else set()
    )


def test_a_single_step_is_a_report_too(record):
    text = html.render(build(dataclasses.replace(record, steps=record.steps[:1], winner=0)))
    assert "No change was kept: the baseline stands at 412 ms." in text
