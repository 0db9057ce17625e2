"""What the sample of a launch says of work-groups that do not do the same, and of contents that nobody looked at."""

import runpy
from pathlib import Path

import numpy as np
import pytest

from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import UsageError
from hotloop.predict.ask import ask, kernel
from hotloop.predict.card import card
from hotloop.predict.footprint import Footprint
from hotloop.predict.sample import sample

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


SWAPPED = """s_xor_b32 s3, s2, 1
s_lshl_b32 s3, s3, 9
v_lshlrev_b32_e32 v1, 2, v0
v_add_u32_e32 v1, s3, v1
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)"""


def test_waves_that_go_the_same_way_share_lines_also_where_groups_lie_at_uneven_steps():
    launch = Launch(arguments=[np.zeros(1 << 15, np.float32)], grid=(GROUPS, 1, 1), workgroup=(128, 1, 1))
    taken = sample(kernel(TEXT_OF(SWAPPED, buffers=1)).program, launch, 64)
    assert taken.regular
    assert (
        Footprint(taken).bytes(4096, np.arange(128, 136)) == 2 * 4096
    )  # eight groups of two waves, 512 bytes each; arguments


def test_arguments_that_are_loaded_after_a_long_loop_do_not_hide_where_groups_lie():
    text = f"{SWAPPED}\ns_mov_b64 s[12:13], s[0:1]\n{ROUNDS.format(end='999')}\ns_load_dword s10, {{at}}\ns_waitcnt lgkmcnt(0)"
    launch = Launch(arguments=[np.zeros(1 << 15, np.float32)], grid=(GROUPS, 1, 1), workgroup=(128, 1, 1))
    assert sample(kernel(TEXT_OF(text.format(at="s[12:13], 0x0"), buffers=1)).program, launch, 64).regular
    moving = text.format(at="s[4:5], s3")  # of an array, at another place for each group
    assert not sample(kernel(TEXT_OF(moving, buffers=1)).program, launch, 64).regular


EDGE = """v_lshlrev_b32_e32 v1, 2, v0
s_lshl_b32 s3, s2, 8
v_add_u32_e32 v1, s3, v1
v_cmp_gt_u32_e32 vcc, {last}, v1
s_and_saveexec_b64 s[10:11], vcc
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)"""


@pytest.mark.parametrize(("missing", "alike"), [(1, True), (40, False)])
def test_a_group_at_the_edge_that_lacks_a_few_lanes_is_like_the_others(missing, alike):
    launch = Launch(arguments=[np.zeros(1 << 15, np.float32)], grid=(3, 1, 1), workgroup=(64, 1, 1))
    code = EDGE.replace("{last}", "s20")
    taken = sample(kernel(TEXT_OF(f"s_movk_i32 s20, {4 * (3 * 64 - missing)}\n{code}", buffers=1)).program, launch)
    assert taken.regular is alike


BESIDE = """v_lshlrev_b32_e32 v1, 2, v0
s_lshl_b32 s3, s2, 8
v_add_u32_e32 v1, s3, v1
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)"""


@pytest.mark.parametrize(("elements", "trusted"), [(GROUPS * 64, True), (GROUPS * 16, False)])
def test_arrays_that_are_too_short_for_the_launch_are_doubted(elements, trusted):
    launch = Launch(arguments=[np.zeros(elements, np.float32)], grid=(GROUPS, 1, 1), workgroup=(64, 1, 1))
    prediction = ask(kernel(TEXT_OF(BESIDE, buffers=1)), launch, card("MI300X"))
    assert prediction.trusted is trusted
    assert any("reads 4 bytes" in doubt and "not counted" in doubt for doubt in prediction.doubts) is not trusted


def test_what_cannot_be_launched_or_goes_on_for_too_long_is_a_sentence(monkeypatch):
    launch = Launch(arguments=[np.zeros(4, np.uint32)], grid=(1 << 27, 1, 1), workgroup=(64, 1, 1))
    with pytest.raises(UsageError, match="134217728 work-groups of 64 work-items along x cannot be launched"):
        ask(kernel(TEXT_OF(ROUNDS.format(end="1"), buffers=1)), launch, card("MI300X"))
    monkeypatch.setattr("hotloop.predict.sample._BUDGET", 100)
    with pytest.raises(
        UsageError, match="3 work-groups of .* did not end within 100 wave .* a smaller problem to predict"
    ):
        asked("1000")  # predict has no option for a budget


EACH_LANES_OWN = """s_lshl_b32 s3, s2, 8
v_lshlrev_b32_e32 v1, 2, v0
v_add_u32_e32 v1, s3, v1
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
global_store_dword v1, v2, s[6:7]
"""


@pytest.mark.parametrize(
    ("elements", "words"),
    [(64 * GROUPS, ""), (64 * GROUPS * 20, "reads at most 5.0 % of its"), (None, "read none of its")],
)
def test_an_input_that_the_executed_groups_hardly_read_is_a_remark(elements, words):
    text = EACH_LANES_OWN if elements else EACH_LANES_OWN.replace("s[4:5]", "s[6:7]")
    code = kernel(TEXT_OF(text, buffers=2))
    arrays = [Blank(4 * (elements or 64 * GROUPS)), Blank(4 * 64 * GROUPS)]
    launch = Launch(arguments=arrays, grid=(GROUPS, 1, 1), workgroup=(64, 1, 1), names=("x", "out"))
    found = ask(code, launch, card("MI300X"))
    assert found.trusted
    assert [remark.split(" is hardly")[0] for remark in found.remarks] == ["x"] * bool(words)
    assert all(words in remark for remark in found.remarks)
