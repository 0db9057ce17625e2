"""The terminal report fits, needs no colour, and obeys nothing that stands in names."""

from __future__ import annotations

import dataclasses
import io
from pathlib import Path

import pytest
from rich.console import Console

from hotloop.report import plain
from hotloop.report.run import terminal
from hotloop.report.view import build

ATTACK = "[bold red]x[/] \x1b[31m\x1b]0;title\x07 \u202egnp.exe"


def shown(view, width=80, **options) -> str:
    stream = io.StringIO()
    Console(file=stream, width=width, **options).print(terminal.render(view))
    return stream.getvalue()


def summed(view) -> str:
    stream = io.StringIO()
    Console(file=stream, width=120).print(terminal.summary(view))
    return stream.getvalue()


@pytest.mark.parametrize("width", [60, 80, 120])
def test_no_line_is_wider_than_the_terminal(record, width):
    assert max(len(line) for line in shown(build(record), width).splitlines()) <= width


def test_without_colour_decisions_and_verdicts_are_words(record):
    text = shown(build(record))
    assert "\x1b" not in text
    for word in ("FASTER", "SLOWER", "SAME", "UNCLEAR", "keep", "revert", "refuse", "winner"):
        assert word in text


def test_a_summary_has_what_was_kept_and_says_where_the_rest_is(record):
    view = build(record)
    stream = io.StringIO()
    Console(file=stream, width=80).print(terminal.summary(view))
    text = stream.getvalue()
    assert " ".join(text.split()).endswith(terminal.FURTHER.format("hotloop report"))
    section = text.partition("Kept steps")[2].partition("\nPeers")[0]
    assert "keep" in section
    assert "revert" not in section
    assert len(text) < 0.7 * len(shown(view))


def test_a_summary_says_why_a_shorter_time_was_not_kept(record):
    view = build(record)
    assert "not kept" not in summed(view)
    row = next(row for row in view.steps if row.decision == "revert")
    shorter = dataclasses.replace(row, time_ns=1.0, reason="unclear: its lead may be kept results")
    steps = tuple(shorter if step is row else step for step in view.steps)
    section = " ".join(summed(dataclasses.replace(view, steps=steps)).partition("Shorter, and not kept")[2].split())
    assert f"{row.index} {row.technique}" in section
    assert "→ unclear: its lead may be kept results" in section


def test_bars_grow_with_speed(record):
    rows = shown(build(record)).splitlines()
    cells = {line.split()[1]: line.count("█") for line in rows if "█" in line}
    assert cells["baseline"] < cells["vectorize"] < cells["pack-operands"] < cells["polish"] < 20


def test_markup_and_escapes_in_names_are_shown_not_obeyed(record):
    steps = tuple(dataclasses.replace(step, technique=ATTACK, why=ATTACK, reason=ATTACK) for step in record.steps)
    view = build(dataclasses.replace(record, title=ATTACK, steps=steps, command=(ATTACK,)))
    text = shown(view, width=200, force_terminal=True, color_system=None)
    assert "[bold red]x[/]" in text
    assert "\\x1b[31m" in text
    assert not {"\x1b", "\x07", "\u202e"} & set(text)


@pytest.mark.parametrize(
    "change",
    [
        {"steps": (), "peers": (), "findings": (), "search": None, "command": (), "ceilings": None, "noise": None},
        {"peers": (), "findings": (), "search": None},
        {"ceilings": None},
    ],
)
def test_what_is_missing_leaves_no_empty_section(record, change):
    text = shown(build(dataclasses.replace(record, **change)))
    assert ("Predicted against measured" in text) == ("steps" not in change)
    assert ("Peers" in text) == ("peers" not in change)
    assert ("What still limits it" in text) == ("findings" not in change)


def test_only_renderers_for_terminals_need_rich():
    folder = Path(plain.__file__).parent
    users = {file.name for file in folder.rglob("*.py") if "import rich" in (t := file.read_text()) or "from rich" in t}
    assert users == {
        "terminal.py",
        "section.py",
        "listing.py",
        "diff.py",
        "page.py",
        "emulated.py",
        "predicted.py",
        "ranked.py",
        "climbed.py",
        "deleted.py",
        "rewritten.py",
    }  # what they print is for terminals too
