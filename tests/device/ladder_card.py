"""Climbs the ladders of all four families on this machine's Hopper GPU: pages, pictures and raw samples in a folder.

    PYTHONPATH=src python3 tests/device/ladder_card.py OUT_FOLDER [FAMILY ...]
    PYTHONPATH=src python3 tests/device/ladder_card.py OUT_FOLDER gemm --no-counters --limit-s 170

Needs PyTorch, Triton, cuda-bindings and hotloop's dependencies; with Nsight Compute the pages hold counters, at about 9 s a rung. It
does what ``hotloop ladder FAMILY --json --markdown PAGE`` does, says with times what it is at, and gives up a rung that hangs after
40 s. Page, picture and samples are written anew after every rung: what a cut leaves there is whole. Several of them, one for each
family, may run at the same time: they take turns on the card.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from functools import partial
from math import inf
from pathlib import Path

from hotloop.app.events import Stage
from hotloop.app.ladder.card import climb as ladder_card
from hotloop.app.session import Options
from hotloop.report.ladder import page
from hotloop.report.ladder import plot as ladder_card_plot

LIMIT_S = 40.0
FAMILIES = ("reduction", "conv3d", "gemm", "attention")
BEGAN = time.monotonic()


class Clock:
    """Prints what is being done, with seconds."""

    def notify(self, event):
        if isinstance(event, Stage):
            print(f"{time.monotonic() - BEGAN:6.1f} {event.text}", flush=True)


def write(out, view):
    """Write data, page and picture of a ladder."""
    family = view.ladder.family.removesuffix("_depthwise")
    name = f"{family}-{view.target}"
    texts = {
        f"ladder-{family}.json": json.dumps(page.as_json(view), indent=1) + "\n",
        f"{name}.svg": ladder_card_plot.draw(view) + "\n",
        f"{name}.md": page.markdown(view, f"hotloop ladder {family} --device NVIDIA", f"{name}.svg"),
    }
    for file, text in texts.items():
        (out / f"{file}.new").write_text(text)
        (out / f"{file}.new").replace(out / file)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=Path)
    parser.add_argument("families", nargs="*", default=FAMILIES, help=f"some of {', '.join(FAMILIES)}; default: all")
    parser.add_argument("--no-counters", action="store_true", help="leave Nsight Compute out")
    parser.add_argument(
        "--limit-s", type=float, default=inf, help="after which nothing more is begun, for all families"
    )
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    sound = True
    for family in given.families:
        view = ladder_card.climb(
            family, "", Options(limit_s=LIMIT_S), Clock(), counters=not given.no_counters,
            budget_s=given.limit_s - (time.monotonic() - BEGAN), keep=partial(write, given.out),
        )  # fmt: skip
        write(given.out, view)
        for section in page.sections(view):
            if section.title in ("rungs", "beside what is called otherwise"):
                print("\n".join(" | ".join(row[:6]) for row in section.rows), flush=True)
        print(view.no_counters)
        missing = [rung.name for rung in view.ladder.rungs if rung.name not in {row.rung.name for row in view.rungs}]
        print(f"not begun: {', '.join(missing) or 'none'}", flush=True)
        sound &= view.sound and not missing
    print(f"{time.monotonic() - BEGAN:6.1f} {'every rung is right' if sound else 'a rung failed or was not reached'}")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
