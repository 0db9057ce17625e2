"""Leads that survive each look alone, because what is kept lies in two places."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from hotloop.app.run.lent import joined
from hotloop.model.outcome import Artifact
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import Dataset, Slot

SLOT = Slot("y", "float32", (1024,), "y", output=True, input=False)
LAUNCH = Launch("k", (Array("y"),), (1024,), (64,))
DESK = SimpleNamespace(engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0)))
WORKLOAD = SimpleNamespace(sets=lambda: (Dataset("a set", (SLOT,)),))
TEXT = "__kernel void k(__global float *y) { volatile float p[4]; y[get_global_id(0)] = p[1]; }"


def lost(times, text=TEXT, lead=1.5):
    """Return what is lost, where programs take times by their number; and the texts that were timed."""
    asked = []

    def times_ns(programs):
        asked.append([program.source for program in programs])
        return [times[: len(programs)] if len(programs) > 1 else times[:1]]

    program = Program("opencl", text, launches=(LAUNCH,))
    return joined.lost(DESK, WORKLOAD, program, 64, lead, times_ns), asked


@pytest.mark.parametrize(
    ("times", "doubted"),
    [
        pytest.param((100.0, 130.0), False, id="as fast where groups find nothing"),
        pytest.param((100.0, 1400.0, 10.0, 1.0, 11.0, 12.0), True, id="slow there"),
        pytest.param((100.0, 1400.0, 10.0, 1.0, 11.0, 911.0), False, id="as slow as a program that only writes"),
    ],
)
def test_a_lead_is_lost_where_groups_find_nothing_in_any_place(times, doubted):
    found, _ = lost(times)
    assert (max(found) >= 0) is doubted


def test_both_programs_have_one_text_in_which_every_place_is_met():
    _, asked = lost((100.0, 130.0), TEXT.replace("volatile", "__local float s[8]; volatile"))
    before, there = asked[-1]
    assert before == there
    assert all(word in there for word in ("_clear(", "_spoil(", "_parted_"))


def test_nothing_is_timed_where_only_one_place_can_be_looked_at():
    assert lost((100.0, 130.0), "#define K __kernel void\nK k(__global float *y) { __local float s[8]; }") == ([], [])
