"""Markup escapes by type, whatever the text."""

from __future__ import annotations

from html.parser import HTMLParser

from hypothesis import given
from hypothesis import strategies as st

from hotloop.report.markup import Html, el, join
from hotloop.report.plain import visible


class Seen(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, list]] = []
        self.text = ""
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))

    def handle_data(self, data):
        self.text += data


@given(st.text(), st.text())
def test_text_and_attributes_come_back_unchanged(body, attribute):
    seen = Seen(el("p", body, title=attribute))
    assert seen.tags == [("p", [("title", visible(attribute))])]
    assert seen.text == visible(body)


@given(st.text())
def test_string_operations_lose_the_mark_of_safety(text):
    assert "<b>" not in el("p", el("b", "x") + text), "concatenation is text again, so it is escaped"
    assert "<b>" not in el("p", f"{el('b', 'x')}{text}")


def test_none_and_false_leave_things_out():
    assert el("p", None, "a", class_=None, hidden=False) == "<p>a</p>"
    assert el("td", "a", hidden=True) == "<td hidden>a</td>"
    assert join([]) == Html("")


def test_numbers_are_short():
    assert el("rect", x=1.50, y=2.0, width=1 / 3) == '<rect x="1.5" y="2" width="0.33"/>'
