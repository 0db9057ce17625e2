"""What the sample of a launch says of work-groups that do not do the same, and of contents that nobody looked at."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.predict.ask import ask, kernel
from hotloop.predict.card import card

TEXT_OF = runpy.run_path(str(Path(__file__).parents[1] / "emulate" / "conftest.py"))["text_of"]
ROUNDS = (
    "s_mov_b32 s9, 0\n.LA:\nv_add_f32_e32 v2, v2, v2\ns_add_i32 s9, s9, 1\ns_cmp_le_u32 s9, {end}\ns_cbranch_scc1 .LA"
)
GROUPS = 256


def asked(end, before="", given=None, **launch):
    code = kernel(TEXT_OF(before + ROUNDS.format(end=end), buffers=1))
    array = np.full(4, 9, np.uint32) if given is None else given
    return ask(code, Launch(arguments=[array], grid=(GROUPS, 1, 1), workgroup=(64, 1, 1), **launch), card("MI300X"))


def test_groups_whose_ways_differ_are_doubted_and_counted_over_the_whole_grid():
    even, growing = asked("100"), asked("s2")  # s2: the group's number
    assert even.trusted
    assert even.wave_instructions == pytest.approx(4 * 101, rel=0.05)
    assert "work-groups do different amounts of work" in growing.doubts
    assert growing.wave_instructions == pytest.approx(
        4 * GROUPS / 2, rel=0.05
    )  # the middle and beside it: a tenth more


def test_a_loop_whose_end_stands_in_memory_is_doubted_and_zeros_in_the_place_of_contents_are_told():
    read = "s_load_dword s10, s[4:5], 0x0\ns_waitcnt lgkmcnt(0)\n"
    (doubt,) = asked("s10", read).doubts
    assert "decides where the code goes (line " in doubt
    assert "zeros" not in doubt
    (doubt,) = asked("s10", read, Blank(16), names=("rows",)).doubts
    assert doubt.endswith("rows is taken as zeros, being too large to look at")
    assert asked("100", read, Blank(16), names=("rows",)).trusted
