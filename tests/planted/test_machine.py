"""Bugs in kernels compiled for AMD processors, found by executing their machine code; a fixed part of them.

All of them, on all processors, are executed by `python benchmarks/emulate_planted.py`; its results are committed.
"""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

pytest.importorskip("ziglang")

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201")
LONG = {"align", "frontier", "queens"}
"""Sources of which one bug is enough here: their kernels loop."""
ENDLESS = 60_000
"""Wave instructions that count as endless, where every clean kernel but the longest ends within half of them; NumPy executes them."""
LEAST, TIMES = 6_000, 4
"""With a bug, so many times what the clean kernel executes count as endless, and at least so many."""
LONGEST = "align"
FILE = Path(__file__).parents[2] / "benchmarks" / "emulate_planted.py"


def load():
    spec = importlib.util.spec_from_file_location("emulate_planted", FILE)
    module = importlib.util.module_from_spec(spec)
    sys.modules["emulate_planted"] = module
    spec.loader.exec_module(module)
    return module


PLANTED = load()
SPECIMENS = PLANTED.specimens()


def test_there_are_enough_of_them_of_every_kind():
    bugs = [bug for one in SPECIMENS for bug in one.bugs]
    assert len(SPECIMENS) >= 25
    assert len(bugs) >= 150
    assert {bug.kinds[0] for bug in bugs} >= {
        "race in local memory", "race in global memory", "out of bounds", "uninitialised", "misaligned",
        "unequal barriers", "missing wait", "overwritten in flight", "wait never met", "endless",
    }  # fmt: skip


@pytest.mark.parametrize("one", SPECIMENS, ids=lambda one: one.path.stem)
def test_clean_kernels_are_silent_and_bugs_are_found(one, monkeypatch):
    if one.path.stem != LONGEST:
        monkeypatch.setattr(PLANTED, "BUDGET", ENDLESS)
    targets = one.targets or TARGETS
    turn = SPECIMENS.index(one)
    found = [PLANTED.row(one, targets[turn % len(targets)], None)]
    assert [(row.status, row.findings) for row in found if row.status != "clean"] == []
    monkeypatch.setattr(PLANTED, "BUDGET", min(PLANTED.BUDGET, max(LEAST, TIMES * found[0].instructions)))
    for n, bug in enumerate(one.bugs[: 1 if one.path.stem in LONG else None : 2]):
        mine = bug.targets or targets
        found.append(PLANTED.row(one, mine[(turn + n) % len(mine)], bug))
    assert [(row.bug, row.target, row.status, row.findings) for row in found[1:] if row.status != "found"] == []
