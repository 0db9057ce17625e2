"""Bugs in kernels compiled for AMD processors, found by executing their machine code; a fixed part of them.

All of them, on all processors, are executed by `python benchmarks/emulate_planted.py`; its results are committed.
"""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path

import pytest
import strata

from hotloop.host import toolchain

pytest.importorskip("ziglang")

TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1030", "gfx1100", "gfx1201")
LONG = {"align", "frontier", "queens"}
"""Sources of which one bug is enough here: their kernels loop."""
ENDLESS = 60_000
"""Wave instructions that count as endless, where every clean kernel but the longest ends within half of them; NumPy executes them."""
LEAST, TIMES = 6_000, 4
"""With a bug, so many times what the clean kernel executes count as endless, and at least so many."""
LONGEST = "align"
WITH_ROCMS_HEADERS = 4
"""One in so many HIP sources is compiled with ROCm's own headers where they are installed, the rest with hotloop's: reading those takes a
tenth of the time, and the machine code has the same bugs. `tests/loop` compiles with ROCm's, too."""
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


EVERY = [(one.path.stem, bug) for one in SPECIMENS if one.path.stem not in LONG for bug in one.bugs]
OF_EACH_KIND = {(stem, bug.number) for stem, bug in strata.part(EVERY, lambda row: row[1].kinds[0], 2)}


def taken(one):
    """Return the bugs of a source that are executed here: every fourth one, and at least two of each kind."""
    stem, half = one.path.stem, one.bugs[::2]
    if stem in LONG:
        return one.bugs[:1]
    if strata.WHOLE:
        return half
    fourth = half[SPECIMENS.index(one) % 2 :: 2]
    return tuple(bug for bug in one.bugs if bug in fourth or (stem, bug.number) in OF_EACH_KIND)


def with_rocms_headers(one):
    hip = [other for other in SPECIMENS if other.path.suffix == ".hip"]
    return strata.WHOLE or one in hip[::WITH_ROCMS_HEADERS]


def test_bugs_of_every_kind_are_executed():
    every = Counter(bug.kinds[0] for one in SPECIMENS for bug in one.bugs)
    here = Counter(bug.kinds[0] for one in SPECIMENS for bug in taken(one))
    assert strata.WHOLE or all(here[kind] >= min(2, count) for kind, count in every.items())


@pytest.mark.parametrize("one", SPECIMENS, ids=lambda one: one.path.stem)
def test_clean_kernels_are_silent_and_bugs_are_found(one, monkeypatch):
    if not with_rocms_headers(one):
        monkeypatch.setattr(toolchain, "hip_wrapper", lambda: None)
    if one.path.stem != LONGEST:
        monkeypatch.setattr(PLANTED, "BUDGET", ENDLESS)
    targets = one.targets or TARGETS
    turn = SPECIMENS.index(one)
    found = [PLANTED.row(one, targets[turn % len(targets)], None)]
    assert [(row.status, row.findings) for row in found if row.status != "clean"] == []
    monkeypatch.setattr(PLANTED, "BUDGET", min(PLANTED.BUDGET, max(LEAST, TIMES * found[0].instructions)))
    for n, bug in enumerate(taken(one)):
        mine = bug.targets or targets
        found.append(PLANTED.row(one, mine[(turn + n) % len(mine)], bug))
    assert [(row.bug, row.target, row.status, row.findings) for row in found[1:] if row.status != "found"] == []
