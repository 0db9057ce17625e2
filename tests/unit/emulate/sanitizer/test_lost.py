"""A value that nobody reads: the store that it was made for is missing, whatever stands in its place."""

import numpy as np
import pytest

from hotloop.app.emulate.execute import Adversary, Backend, execute
from hotloop.app.emulate.task import Step, Task
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble

TWICE = """
v_lshlrev_b32_e32 v1, 2, v0
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
v_add_f32_e32 v3, v2, v2
ds_write_b32 v1, v3
s_waitcnt lgkmcnt(0)
s_barrier
v_xor_b32_e32 v5, 0x3fc, v1
ds_read_b32 v4, v5
s_waitcnt lgkmcnt(0)
s_barrier
v_mul_f32_e32 v6, v4, v2
ds_write_b32 v1, v6
s_waitcnt lgkmcnt(0)
s_barrier
ds_read_b32 v7, v5
s_waitcnt lgkmcnt(0)
global_store_dword v1, v7, s[6:7]
"""
SECOND = TWICE.replace("ds_write_b32 v1, v6", "s_nop 0")


def told(listing, text, by="; -- Begin function k\n", **how):
    listing = by + listing(text, lds=1024)
    step = Step(program=load(listing), listing=listing, arguments=("x", "y"), grid=(1, 1, 1), workgroup=(256, 1, 1))
    arrays = {"x": np.arange(256, dtype=np.float32), "y": np.zeros(256, np.float32)}
    task = Task(label="k", target="gfx942", steps=(step,), arrays=arrays, fresh=frozenset({"y"}))
    return execute(task, Adversary(backend=Backend.NUMPY, **how))


def test_two_steps_through_one_place_are_clean(listing):
    assert not told(listing, TWICE).findings


def test_a_store_that_is_lost_over_what_an_earlier_step_left(listing):
    (one,) = told(listing, SECOND).findings
    assert one.finding.trouble is Trouble.UNUSED
    assert "computes v6, which nothing reads" in one.finding.text
    assert one.finding.instruction == "v_mul_f32_e32 v6, v4, v2"


def test_in_code_written_by_hand_it_is_a_remark(listing):
    answer = told(listing, SECOND, by="")
    assert not answer.findings
    assert "v_mul_f32_e32 v6, v4, v2 computes v6, which nothing reads" in answer.notes[0]


def test_who_does_not_ask_is_not_told(listing):
    assert not told(listing, SECOND, unused=False).findings


@pytest.mark.parametrize("gone", ["global_load_dword v2, v1, s[4:5]\ns_waitcnt vmcnt(0)\n"])
def test_what_was_not_executed_is_not_told(listing, gone):
    skipped = TWICE.replace(
        "v_mul_f32_e32 v6, v4, v2\n", "s_branch .Lb\nv_mul_f32_e32 v8, v4, v2\n.Lb:\nv_mul_f32_e32 v6, v4, v2\n"
    )
    assert gone in skipped
    assert not told(listing, skipped).findings
