"""The terminal and Markdown reports of the sample run, letter by letter.

`HOTLOOP_UPDATE_SNAPSHOTS=1 pytest tests/unit/report/test_snapshots.py` writes them anew; review the difference.
"""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from rich.console import Console

from hotloop.report.pages.markdown import run as markdown
from hotloop.report.run import terminal
from hotloop.report.view import build

FOLDER = Path(__file__).parent / "snapshots"


def terminal_text(view, render=terminal.render) -> str:
    stream = io.StringIO()
    Console(width=80, file=stream, color_system=None).print(render(view))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


def summary_text(view) -> str:
    return terminal_text(view, terminal.summary)


@pytest.mark.parametrize(
    ("name", "render"),
    [("terminal.txt", terminal_text), ("summary.txt", summary_text), ("markdown.md", markdown.render)],
)
def test_report_reads_as_agreed(record, name, render):
    text = render(build(record))
    if os.environ.get("HOTLOOP_UPDATE_SNAPSHOTS"):
        FOLDER.mkdir(exist_ok=True)
        (FOLDER / name).write_text(text, encoding="utf-8")
    assert text == (FOLDER / name).read_text(encoding="utf-8")
