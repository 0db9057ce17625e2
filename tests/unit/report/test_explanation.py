"""An explanation in each medium: the answer first, and names from strangers' files stay text."""

from __future__ import annotations

import io
import json
import re
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt
from rich.console import Console

from hotloop.explain.page import (
    Advice,
    Calibrated,
    Cited,
    Explanation,
    Input,
    Judgement,
    KernelRow,
    Missing,
    Moved,
    Roof,
    Row,
    Shift,
    Subject,
    Table,
)
from hotloop.metrics.levels import Flat, Slope, levels
from hotloop.model.finding import Gain
from hotloop.report.explanation import json as as_json
from hotloop.report.explanation import terminal
from hotloop.report.pages.html import explanation as html
from hotloop.report.pages.markdown import explanation as markdown

HOSTILE = "<script>alert(1)</script>\"'><img src=x onerror=y> [a](javascript:b) =cmd|x `c` \x1b[31m\u202e *d*"


def page(text: str, *, shift: bool = True) -> Explanation:
    """Return a page in which every text from a file is `text`."""
    possible = Advice(
        technique="pad",
        title="Pad: lengthen rows",
        predicted=Gain(0.95, 1.8),
        reported=(text,),
        verify=(text,),
        costs=text,
        calibrated=Calibrated(0.6, 14, 0.82),
    )
    never = Advice(
        technique="wave-size", title="Wave size", predicted=Gain(1, 2), reported=(), verify=(), costs="", unmet=(text,)
    )
    finding = Judgement(
        rule="lds-bound",
        title="Local memory bound: waves queue",
        message=text,
        share=0.62,
        cited=(Cited("gpu.lds_wait_ratio", "3.05", "derived", text, text),),
        lines=(text,),
        misleads=text,
        advice=(never, possible),
        confidence="low",
        doubts=(text, "passes do not fit"),
    )
    moved = (Moved("gpu.lds_wait_ratio", text, text, "falls", text),)
    return Explanation(
        subject=Subject(kernel=text, choice=text, device=text, target="gfx942", inputs=(Input(text, text),)),
        verdict=text,
        kernels=(KernelRow(text, 3, 5e3, 0.5), KernelRow("other", 1, None, None)),
        roofline=(Roof("device memory", 0.62, text, text),),
        roofline_words=text,
        findings=(finding,),
        missing=(Missing(text, text, ("a", "b", "c", "d", "e")),),
        collect=(text,),
        commands=(text,),
        calibration=text,
        picture=levels(
            {"fp16 matrix": 1e12},
            {"hbm": 1e9},
            1e7,
            [Slope("hbm", 5e12, text)],
            [Flat("fp16 matrix", 1e15, text, sheet=True)],
            text,
        ),
        tables=(Table(text, ("one", "two"), (Row((text, text)),)),),
        facts=finding.cited,
        notes=(text,),
        shift=Shift(verdict=text, kernel=text, findings=moved, signals=moved, after=text) if shift else None,
    )


def printed(found: Explanation) -> str:
    out = io.StringIO()
    Console(file=out, width=160, color_system=None, markup=False, highlight=False, emoji=False).print(
        terminal.render(found)
    )
    return out.getvalue()


class Tags(HTMLParser):
    """Counts tags and refuses attributes that could run something."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]
        assert not [value for name, value in attrs if name == "href" and not value.startswith(("#", "data:,"))]

    def handle_data(self, data):
        self.text.append(data)


def test_the_first_possible_technique_is_the_next_one():
    found = page("x")
    assert found.next is not None
    assert found.next[1].technique == "pad"


def test_html_is_one_page_without_script_or_network():
    plain, hostile = Tags(), Tags()
    plain.feed(html.render(page("x")))
    text = html.render(page(HOSTILE))
    hostile.feed(text)
    assert hostile.tags == plain.tags, "no text became a tag"
    assert {"script", "img", "iframe", "object"}.isdisjoint(plain.tags)
    assert "default-src &#x27;none&#x27;" in text
    assert "http" not in re.sub(r"http-equiv", "", text)
    assert "\x1b" not in text
    assert "<script>alert(1)</script>" in "".join(hostile.text), "shown, not obeyed"


def test_html_has_every_part():
    text = html.render(page("x"))
    for title in (
        "Next",
        "Before and after",
        "Findings",
        "Roofline",
        "To be surer",
        "Kernels of the profile",
        "Facts",
        "Notes",
    ):
        assert f">{title}</h2>" in text
    assert "0.95–1.80×" in text
    assert "wave-size: not possible: x" in text
    assert text.count('class="plot ') == 2, "the roofline, wide and narrow"
    assert "Confidence low: x; passes do not fit." in text
    assert "corrected by 14 earlier trials: factor 0.60, so 0.82× is expected" in text
    assert "Run next:" in text


def test_markdown_shows_texts_as_they_are():
    parser = MarkdownIt("commonmark", {"html": True}).enable("table")
    text = markdown.render(page(HOSTILE))
    tokens = [child for token in parser.parse(text) for child in (token, *(token.children or ()))]
    assert not [
        t for t in tokens if t.type in ("html_inline", "html_block", "link_open", "image", "em_open", "code_inline")
    ]
    shown = "".join(t.content for t in tokens if t.type == "text")
    assert "<script>alert(1)</script>" in shown
    assert "[a](javascript:b)" in shown


@pytest.mark.parametrize("shift", [True, False])
def test_markdown_tables_have_equal_rows(shift):
    rows = [line for line in markdown.render(page("a|b", shift=shift)).splitlines() if line.startswith("|")]
    widths = [len(re.findall(r"(?<!\\)\|", row)) for row in rows]
    starts = [place for place, row in enumerate(rows) if row.startswith("| ---")]
    assert starts
    for start in starts:
        assert widths[start - 1] == widths[start] == widths[start + 1]


def test_the_terminal_says_the_answer_first():
    lines = printed(page("memory waits")).splitlines()
    assert lines[2] == "verdict   memory waits"
    assert lines[3].startswith("next      Pad: lengthen rows [pad]")
    assert "predicted 0.95–1.80×, as it answers lds-bound" in lines[4]
    assert any("lds-bound  memory waits" in line for line in lines)
    assert any("(would judge a, b, c, d and 1 more)" in line for line in lines)
    assert any("confidence low: memory waits; passes do not fit" in line for line in lines)
    assert any(line.strip() == "run      memory waits" for line in lines)
    assert any("corrected by 14 earlier trials" in line for line in lines)


def test_the_terminal_gets_no_control_characters():
    text = printed(page(HOSTILE))
    assert "\x1b" not in text
    assert "\u202e" not in text


def test_json_is_data_with_the_next_step():
    data = json.loads(json.dumps(as_json.render(page("x"))))
    assert data["next"]["technique"] == "pad"
    assert data["next"]["rule"] == "lds-bound"
    assert data["findings"][0]["advice"][0]["unmet"] == ["x"]
    assert data["shift"]["signals"][0]["direction"] == "falls"
    assert data["format"] == 1


def test_an_explanation_without_anything_still_renders():
    empty = Explanation(
        subject=Subject(kernel="", choice="the inputs name no kernel", device="not named", target="", inputs=()),
        verdict="No rule found a bottleneck.",
        kernels=(),
        roofline=(),
        roofline_words="not known",
        findings=(),
        missing=(),
        collect=(),
    )
    assert empty.next is None
    assert "no kernel is named" in printed(empty)
    assert "nothing: no finding has an answer" in markdown.render(empty)
    assert "<h1>no kernel is named</h1>" in html.render(empty)
    assert as_json.render(empty)["next"] is None
