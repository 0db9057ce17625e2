"""Leads that survive each look alone, because what is kept lies in two places."""

from __future__ import annotations

from math import log
from types import SimpleNamespace

import pytest

from hotloop.app.run.lent import joined
from hotloop.app.run.lent.power import Lead, Said, said
from hotloop.model.outcome import Artifact
from hotloop.model.program import Array, Launch, Program
from hotloop.ports import Dataset, Slot

SLOT = Slot("y", "float32", (1024,), "y", output=True, input=False)
LAUNCH = Launch("k", (Array("y"),), (1024,), (64,))
DESK = SimpleNamespace(engine=SimpleNamespace(build=lambda _: Artifact("k", 0.0)))
WORKLOAD = SimpleNamespace(sets=lambda: (Dataset("a set", (SLOT,)),))
TEXT = "__kernel void k(__global float *y) { volatile float p[4]; y[get_global_id(0)] = p[1]; }"


def lost(times, text=TEXT, lead=1.5, worked=None):
    """Return what is lost, where programs take times by their number; and the texts that were timed."""
    asked = []

    def times_ns(programs):
        asked.append([program.source for program in programs])
        return [times[: len(programs)] if len(programs) > 1 else times[:1]] * 8

    program = Program("opencl", text, launches=(LAUNCH,))
    return joined.lost(DESK, WORKLOAD, program, 64, Lead.of(lead, worked), times_ns), asked


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
    assert (said(found) is Said.LOST) is doubted


QUIET = (142.0, 0.0), (158.6, 249.2)
"""A call as it is, and in the look, in µs: a candidate whose groups hand a table to one another in any of three places, four times as fast as its incumbent."""


@pytest.mark.parametrize(("claimed", "worked"), [(3.9, 3.9), (7.9, 3.9), (23.0, 4.0), (90.0, 4.0), (7.9, 0.8)])
def test_a_table_is_seen_however_far_ahead_a_busy_machine_puts_its_owner(claimed, worked):
    def times_ns(programs):
        return [[QUIET[0][0]] if len(programs) == 1 else [*QUIET[1], *(37.0,) * 4][: len(programs)]] * 8

    lead = Lead.of(log(claimed), log(worked))
    losses = joined.lost(DESK, WORKLOAD, Program("opencl", TEXT, launches=(LAUNCH,)), 64, lead, times_ns)
    assert said(losses) is Said.LOST


def test_both_programs_have_one_text_in_which_every_place_is_met():
    _, asked = lost((100.0, 130.0), TEXT.replace("volatile", "__local float s[8]; volatile"))
    before, there = asked[-1]
    assert before == there
    assert all(word in there for word in ("_clear(", "_spoil(", "_parted_"))


def test_nothing_is_timed_where_only_one_place_can_be_looked_at():
    assert lost((100.0, 130.0), "#define K __kernel void\nK k(__global float *y) { __local float s[8]; }") == ([], [])
