"""Markdown means what the report meant: checked by a CommonMark parser, with hostile text."""

from __future__ import annotations

import dataclasses

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from hotloop.report import plain
from hotloop.report.pages.markdown import run as markdown
from hotloop.report.view import build

PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
ATTACK = "a|b `c` ``d`` <script>alert(1)</script> [x](http://e) ![i](y) *b* __c__\n\n# h\n```\n- $m$ ~~s~~ &lt; \\"
NASTY = st.text(st.sampled_from("ab 1.)#|`*_[]()<>!&;~$\\-+=\n\t\x1b\u202e:/'\""), max_size=30)


def tokens(text):
    return [t for token in PARSER.parse(text) for t in (token, *(token.children or ()))]


def cells(text) -> list[str]:
    inline = [token for token in PARSER.parse(text) if token.type == "inline"]
    return ["".join(child.content for child in token.children) for token in inline]


@settings(max_examples=300)
@given(NASTY)
def test_escaped_text_survives_a_table_cell(text):
    shown = cells(markdown.table(("x", "y"), [("k", markdown.escape(text))]))
    assert shown == ["x", "y", "k", plain.line(text)]


@settings(max_examples=300)
@given(NASTY)
def test_escaped_text_is_nothing_but_text_in_a_list_item(text):
    kinds = {token.type for token in tokens(f"- {markdown.escape(text)}")}
    assert kinds <= {"bullet_list_open", "list_item_open", "paragraph_open", "inline", "text", "text_special",
                     "paragraph_close", "list_item_close", "bullet_list_close"}  # fmt: skip


@settings(max_examples=300)
@given(NASTY.filter(plain.line))
def test_code_survives_a_table_cell(text):
    row = markdown.table(("x",), [(f"{markdown.code(text)} end",)])
    spans = [t.content for t in tokens(row) if t.type == "code_inline"]
    assert spans == [plain.line(text)]


@settings(max_examples=300)
@given(NASTY)
def test_a_block_cannot_be_closed_from_inside(text):
    fences = [t for t in PARSER.parse(markdown.block(text, "sh")) if t.type == "fence"]
    assert [t.content for t in fences] == [plain.visible(text) + "\n"]
    assert len(PARSER.parse(markdown.block(text, "sh"))) == 1


@pytest.fixture
def hostile(record):
    steps = tuple(
        dataclasses.replace(s, technique=ATTACK, change=ATTACK, why=ATTACK, reason=ATTACK) for s in record.steps
    )
    peers = tuple(dataclasses.replace(p, name=ATTACK) for p in record.peers)
    finding = dataclasses.replace(record.findings[0], rule=ATTACK, message=ATTACK, suggests=(ATTACK,), misleads=ATTACK)
    return dataclasses.replace(
        record, title=ATTACK, problem=ATTACK, steps=steps, peers=peers, findings=(finding,),
        conditions=((ATTACK, ATTACK),), command=(ATTACK,), stop_reason=ATTACK,
    )  # fmt: skip


def test_a_hostile_run_has_the_structure_of_a_friendly_one(record, hostile):
    def structure(run):
        parsed = PARSER.parse(markdown.render(build(run)))
        return [(t.type, t.tag) for t in parsed if t.type not in {"inline", "fence"}]

    friendly = dataclasses.replace(record, findings=record.findings[:1], conditions=(("a", "b"),))
    assert structure(hostile) == structure(friendly)


def test_hostile_text_makes_no_html_link_or_image(hostile):
    kinds = {token.type for token in tokens(markdown.render(build(hostile)))}
    assert not kinds & {"html_block", "html_inline", "link_open", "image", "em_open", "s_open"}


def test_every_section_is_there(record):
    text = markdown.render(build(record))
    headings = [line.removeprefix("## ") for line in text.splitlines() if line.startswith("## ")]
    assert headings == ["Steps", "Roofline", "Peers", "Predicted against measured", "What still limits it", "Evidence",
                        "Failures", "Search", "Conditions", "Reproduce"]  # fmt: skip
