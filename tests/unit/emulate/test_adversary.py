"""Planted mistakes are found with both lines, and what is right raises no alarm."""

import numpy as np
import pytest

from hotloop.emulate import machine
from hotloop.emulate.errors import EmulateError, Exhausted
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import load
from hotloop.emulate.sanitizer.findings import Trouble

ADDRESS = "v_lshlrev_b32_e32 v1, 2, v0\n"
TURN = (
    ADDRESS
    + """
    global_load_dword v2, v1, s[4:5]
    s_waitcnt vmcnt(0)
    ds_write_b32 v1, v2
    s_waitcnt lgkmcnt(0)
    s_barrier
    v_xor_b32_e32 v3, 0x3fc, v1
    ds_read_b32 v4, v3
    s_waitcnt lgkmcnt(0)
    global_store_dword v1, v4, s[6:7]
"""
)
"""A work-group of 256 turned around through local memory."""


@pytest.fixture
def found(listing):
    def execute(body, options=None, **more):
        x, y = np.arange(256, dtype=np.float32), np.zeros(256, np.float32)
        launch = Launch(
            arguments=[x, y], grid=(more.pop("groups", 1), 1, 1), workgroup=(256, 1, 1), fresh=frozenset({1})
        )
        return run(load(listing(body, lds=1024, **more)), launch, options)

    return execute


def kinds(done):
    return {finding.trouble for finding in done.findings}


def test_a_clean_kernel_raises_no_alarm_under_any_order(found):
    for options in (Options(), Options(late=False, order=Order.DESCENDING), Options(order=Order.ASCENDING)):
        done = found(TURN, options)
        assert done.findings == ()
        assert np.array_equal(done.arrays[1], np.arange(256, dtype=np.float32)[::-1])


@pytest.mark.parametrize(
    ("dropped", "trouble"),
    [
        ("s_waitcnt vmcnt(0)", Trouble.WAIT),
        ("s_waitcnt lgkmcnt(0)\n    s_barrier", Trouble.LOCAL_RACE),
        ("s_barrier", Trouble.LOCAL_RACE),
    ],
)
def test_a_dropped_wait_or_barrier_is_found(found, dropped, trouble):
    done = found(TURN.replace(dropped, "s_nop 0\n" * (dropped.count("\n") + 1), 1))
    assert trouble in kinds(done)
    assert all(finding.other_line for finding in done.findings if finding.trouble is trouble)


def test_a_write_that_is_not_waited_for_before_the_barrier_is_a_race(found):
    done = found(TURN.replace("s_waitcnt lgkmcnt(0)\n    s_barrier", "s_nop 0\n    s_barrier"))
    (finding,) = [f for f in done.findings if f.trouble is Trouble.LOCAL_RACE]
    assert "ds_read_b32" in finding.instruction
    assert "ds_write_b32" in finding.other_instruction


def test_the_wait_after_a_read_is_needed(found):
    done = found(TURN.replace("    s_waitcnt lgkmcnt(0)\n    global_store", "    s_nop 0\n    global_store"))
    assert kinds(done) == {Trouble.WAIT}


def test_out_of_bounds_names_the_buffer_and_the_byte(found):
    done = found(ADDRESS + "global_store_dword v1, v0, s[6:7] offset:16")
    (finding,) = done.findings
    assert finding.trouble is Trouble.BOUNDS
    assert "writes 4 bytes at byte 1024 of argument 1 (1024 bytes)" in finding.text
    assert (finding.wave, finding.lane) == (3, 60)


FAR = """
v_mov_b32_e32 v1, 0x8000
s_mov_b32 s10, 0x7fffffff
.Lfar:
global_load_dword v2, v1, s[4:5]
s_waitcnt vmcnt(0)
s_sub_u32 s10, s10, 1
s_cmp_lg_u32 s10, 0
s_cbranch_scc1 .Lfar
"""


def test_a_kernel_that_goes_on_long_after_a_mistake_is_not_executed_to_its_end(found, monkeypatch):
    monkeypatch.setattr(machine, "_AFTER", 5_000)
    done = found(FAR)
    assert done.cut
    assert done.executed < 30_000
    assert [one.trouble for one in done.findings] == [Trouble.BOUNDS]
    assert not found(TURN).cut


def test_local_memory_has_bounds_too(found):
    assert kinds(found(ADDRESS + "ds_write_b32 v1, v0 offset:4")) == {Trouble.BOUNDS}


def test_an_offset_from_a_negative_base_wraps_as_the_hardware_adds(found):
    """Compilers write 1020 - 4·t so."""
    done = found(
        TURN.replace("v_xor_b32_e32 v3, 0x3fc, v1", "v_sub_u32_e32 v3, 0, v1").replace("v4, v3", "v4, v3 offset:1020")
    )
    assert done.findings == ()
    assert np.array_equal(done.arrays[1], np.arange(256, dtype=np.float32)[::-1])


def test_an_undefined_register_is_reported_where_it_matters(found):
    assert kinds(found(ADDRESS + "global_store_dword v1, v9, s[6:7]")) == {Trouble.UNINITIALISED}
    assert kinds(found(ADDRESS + "v_add_u32_e32 v9, v9, v1\nglobal_load_dword v2, v9, s[4:5]")) >= {
        Trouble.UNINITIALISED
    }
    harmless = "v_and_b32_e32 v9, 0, v9\nglobal_store_dword v1, v9, s[6:7]"
    assert found(ADDRESS + harmless).findings == ()


def test_undefined_local_memory_is_reported_when_it_is_stored(found):
    body = ADDRESS + "ds_read_b32 v2, v1\ns_waitcnt lgkmcnt(0)\nglobal_store_dword v1, v2, s[6:7]"
    assert kinds(found(body)) == {Trouble.UNINITIALISED}


def test_an_output_that_is_read_before_it_is_written_is_undefined(found):
    body = ADDRESS + "global_load_dword v2, v1, s[6:7]\ns_waitcnt vmcnt(0)\nglobal_store_dword v1, v2, s[6:7]"
    assert kinds(found(body)) == {Trouble.UNINITIALISED}


def test_two_work_groups_that_write_different_values_to_one_place_race(found):
    body = "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, s2\nglobal_store_dword v1, v2, s[6:7]"
    assert kinds(found(body, groups=2)) == {Trouble.GLOBAL_RACE}
    same = "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 5\nglobal_store_dword v1, v2, s[6:7]"
    assert found(same, groups=2).findings == ()


def test_atomics_of_several_work_groups_do_not_race(listing):
    body = "v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 1\nglobal_atomic_add v1, v2, s[4:5]"
    x = np.zeros(1, np.uint32)
    done = run(load(listing(body)), Launch(arguments=[x, x.copy()], grid=(3, 1, 1), workgroup=(256, 1, 1)))
    assert done.findings == ()
    assert done.arrays[0][0] == 768


def test_a_wave_that_leaves_before_a_barrier_is_reported(found):
    body = """
    v_readfirstlane_b32 s8, v0
    s_cmp_lt_u32 s8, 64
    s_cbranch_scc1 .LBB0_2
    s_barrier
    .LBB0_2:
    """
    assert kinds(found(body)) == {Trouble.BARRIER}


def test_waves_part_and_meet_again(found):
    body = (
        ADDRESS
        + """
    v_readfirstlane_b32 s8, v0
    s_lshr_b32 s8, s8, 6
    v_mov_b32_e32 v2, 0
    .LBB0_1:
    v_add_u32_e32 v2, 1, v2
    s_sub_u32 s8, s8, 1
    s_cmp_ge_i32 s8, 0
    s_cbranch_scc1 .LBB0_1
    global_store_dword v1, v2, s[6:7]
    """
    )
    done = found(body)
    assert done.findings == ()
    assert np.array_equal(done.arrays[1].view(np.uint32), np.repeat([1, 2, 3, 4], 64))


def test_a_kernel_that_never_ends_spends_its_budget(found):
    with pytest.raises(Exhausted, match="did not end within 1000 wave instructions; it was at line"):
        found(".LBB0_1:\ns_branch .LBB0_1", Options(budget=1000))


def test_what_the_memory_does_not_hold_cannot_be_reached(found):
    body = "s_mov_b64 s[8:9], 0x10\nv_mov_b32_e32 v1, 0\nglobal_load_dword v2, v1, s[8:9]\ns_waitcnt vmcnt(0)"
    done = found(body)
    assert kinds(done) == {Trouble.BOUNDS}
    assert "near no buffer" in done.findings[0].text


@pytest.mark.parametrize(
    ("sizes", "words"),
    [
        ({"grid": (0, 1, 1)}, "grid of 0x1x1"),
        ({"workgroup": (-8, -8, 1)}, "work-group of 0 work-items cannot be launched"),
    ],
)
def test_a_launch_of_nothing_is_refused(listing, sizes, words):
    launch = Launch(**{"arguments": [np.zeros(64, np.uint32)] * 2, "grid": (1, 1, 1), "workgroup": (64, 1, 1), **sizes})
    with pytest.raises(EmulateError, match=words):
        run(load(listing("")), launch)


def test_a_trap_ends_the_execution_with_its_line(found):
    with pytest.raises(EmulateError, match=r"line \d+: s_trap 2 was reached by wave 0"):
        found("s_trap 2")


def test_wide_loads_of_arguments_may_reach_past_the_last_one(found):
    assert found("s_load_dwordx8 s[8:15], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)").findings == ()


def test_an_output_that_is_read_as_a_scalar_before_it_is_written_is_undefined(found):
    body = "s_load_dword s8, s[6:7], 0x0\ns_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, s8\nglobal_store_dword v1, v2, s[6:7]"
    assert kinds(found(ADDRESS + body)) == {Trouble.UNINITIALISED}


MEETING = """
    v_mov_b32_e32 v1, 0
    v_mov_b32_e32 v2, 1
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    buffer_wbl2 sc1
    s_waitcnt vmcnt(0)
    global_atomic_add v1, v2, s[4:5]
    s_mov_b64 exec, s[8:9]
    s_branch .Lloop
.Lskip:
    s_or_b64 exec, exec, s[8:9]
    s_waitcnt lgkmcnt(0)
    s_barrier
    ds_read_b32 v3, v1
    s_waitcnt lgkmcnt(0)
    v_cmp_gt_u32_e32 vcc, 3, v3
    s_cbranch_vccz .Lend
.Lloop:
    s_barrier
    v_cmp_eq_u32_e32 vcc, 0, v0
    s_and_saveexec_b64 s[8:9], vcc
    s_cbranch_execz .Lskip
    global_load_dword v3, v1, s[4:5] sc1
    s_waitcnt vmcnt(0)
    buffer_inv sc1
    ds_write_b32 v1, v3
    s_branch .Lskip
.Lend:
    v_mov_b32_e32 v4, s2
    v_lshlrev_b32_e32 v4, 2, v4
    global_store_dword v4, v3, s[6:7]
"""
"""Three work-groups that meet at a counter: one lane asks, and tells the waves of its group by local memory between two barriers."""


def test_a_loop_that_waits_for_other_groups_may_have_barriers_in_it(listing, monkeypatch):
    """Whoever waits from barrier to barrier must let the group go on that was left behind."""
    monkeypatch.setattr(machine, "_STINT", 400)
    launch = Launch(arguments=[np.zeros(1, np.uint32), np.zeros(3, np.uint32)], grid=(3, 1, 1), workgroup=(128, 1, 1))
    done = run(load(listing(MEETING, lds=16)), launch, Options(order=Order.STRAGGLING, budget=8_000))
    assert not done.findings
    assert done.arrays[1].tolist() == [3, 3, 3]
