"""Climbs the ladders of all four families on this machine's Hopper GPU: pages, pictures and raw samples in a folder.

    PYTHONPATH=src python3 tests/device/ladder_card.py OUT_FOLDER [FAMILY ...]

Needs PyTorch, Triton, cuda-bindings and hotloop's dependencies; with Nsight Compute the pages hold counters. It does what ``hotloop
ladder FAMILY --json --markdown PAGE`` does, says with times what it is at, and gives up a rung that hangs after 40 s. Several
of them, one for each family, may run at the same time: they take turns on the card.
"""

from __future__ import annotations

import json
import sys
import time
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
    (out / f"ladder-{family}.json").write_text(json.dumps(page.as_json(view), indent=1) + "\n")
    (out / f"{name}.svg").write_text(ladder_card_plot.draw(view) + "\n")
    (out / f"{name}.md").write_text(page.markdown(view, f"hotloop ladder {family} --device NVIDIA", f"{name}.svg"))


def main():
    out, families = Path(sys.argv[1]), sys.argv[2:] or FAMILIES
    out.mkdir(parents=True, exist_ok=True)
    sound = True
    for family in families:
        view = ladder_card.climb(family, "", Options(limit_s=LIMIT_S), Clock(), keep=lambda made: write(out, made))
        write(out, view)
        for section in page.sections(view):
            if section.title in ("rungs", "beside what is called otherwise"):
                print("\n".join(" | ".join(row[:6]) for row in section.rows), flush=True)
        print(view.no_counters)
        sound &= view.sound
    print(f"{time.monotonic() - BEGAN:6.1f} {'every rung is right' if sound else 'a rung failed'}")
    return 0 if sound else 1


if __name__ == "__main__":
    sys.exit(main())
