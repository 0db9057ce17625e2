"""Write docs/img/trajectory.svg, the trajectory of a run in the store, as a picture that stands alone.

python docs/picture.py RUN [STORE]
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

from hotloop.app.run.kept import record
from hotloop.app.session import Options, open_store
from hotloop.report.markup import Html
from hotloop.report.plots import trajectory
from hotloop.report.plots.canvas import WIDE
from hotloop.report.style import SHEET
from hotloop.report.view import build

PICTURE = Path(__file__).parent / "img" / "trajectory.svg"
FONT = ".plot text { font-family: system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif; }"
PAPER = ".plot { background: var(--surface); }"


def picture(drawn: Html) -> str:
    """Return an inline plot of the report as an SVG file with the rules of the style sheet that concern plots."""
    scheme = SHEET[: SHEET.index("*, *::before")]
    rules = "\n".join(re.findall(r"^\.(?:plot|mark)\b.*$", SHEET, re.MULTILINE))
    style = f"<style>{scheme}\n{rules}\n{FONT}\n{PAPER}</style>"
    head, _, rest = drawn.partition(">")
    return f'{head} xmlns="http://www.w3.org/2000/svg">{style}{rest}\n'


def main(run: str, store: str = "") -> None:
    """Write the picture of a run, named by the beginning of its identity."""
    with open_store(Options(store=store), read_only=True) as opened:
        drawn = trajectory.draw(build(record.read(opened, run)), WIDE)
    if drawn is None:
        raise SystemExit(f"run {run} has no timed step to draw.")
    PICTURE.write_text(picture(drawn), encoding="utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:3])
