"""The rules of the wait counters, each on the smallest program that shows it."""

import pytest
from whatif import weakened

from hotloop.errors import UsageError
from hotloop.isa.amdgcn.counters import GFX9, GFX10, GFX11, GFX12, Counter, generation, waits
from hotloop.isa.amdgcn.findings import HazardKind
from hotloop.isa.amdgcn.needs import Need, audit
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.dialects.amdgcn import DIALECT

K = HazardKind


def kernel(body, target="gfx942", end="s_endpgm"):
    rows = "".join(
        f"{line.strip()}\n" if line.strip().endswith(":") else f"\t{line.strip()}\n" for line in body.split("\n")
    )
    (function,) = DIALECT.parse(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n{rows}\t{end}\n')
    return function


def kinds(body, target="gfx942", **more):
    return {hazard.kind for hazard in analyse(kernel(body, target, **more)).hazards}


LOAD = "global_load_dword v1, v[2:3], off"
RULES = [
    # target, program, hazards
    ("gfx942", f"{LOAD}\nv_add_f32 v4, v1, v1", {K.READ}),
    ("gfx942", f"{LOAD}\ns_waitcnt vmcnt(0)\nv_add_f32 v4, v1, v1", set()),
    ("gfx942", f"{LOAD}\ns_waitcnt vmcnt(1)\nv_add_f32 v4, v1, v1", {K.READ}),
    ("gfx942", f"{LOAD}\ns_waitcnt lgkmcnt(0)\nv_add_f32 v4, v1, v1", {K.READ}),
    ("gfx942", f"{LOAD}\nv_mov_b32_e32 v1, 0", {K.OVERWRITTEN}),
    ("gfx942", f"{LOAD}\nv_mov_b32_e32 v2, 0", set()),  # sources are read at the issue
    ("gfx942", "global_store_dword v[2:3], v1, off\nv_mov_b32_e32 v1, 0", set()),  # so are a store's data
    ("gfx942", f"{LOAD}\nglobal_load_dword v5, v[2:3], off\ns_waitcnt vmcnt(1)\nv_add_f32 v4, v1, v1", set()),
    ("gfx942", f"{LOAD}\nglobal_load_dword v5, v[2:3], off\ns_waitcnt vmcnt(1)\nv_add_f32 v4, v5, v1", {K.READ}),
    # gfx11 loads halves apart: the other half is free; older processors may write the whole register
    ("gfx1100", "global_load_d16_hi_b16 v1, v[2:3], off\nds_store_b16 v4, v1", set()),
    ("gfx1100", "global_load_d16_hi_b16 v1, v[2:3], off\nds_store_b16_d16_hi v4, v1", {K.READ}),
    ("gfx1201", "global_load_d16_b16 v1, v[2:3], off\nscratch_store_d16_hi_b16 off, v1, off", set()),
    ("gfx1201", "global_load_d16_b16 v1, v[2:3], off\nscratch_store_b16 off, v1, off", {K.READ}),
    ("gfx1100", "global_load_d16_b16 v1, v[2:3], off\nv_add_f16_e32 v1.h, v5.l, v6.l", set()),
    ("gfx1100", "global_load_d16_b16 v1, v[2:3], off\nv_add_f16_e32 v7.l, v1.h, -v1.h", set()),
    ("gfx1100", "global_load_d16_b16 v1, v[2:3], off\nv_add_f16_e32 v7.l, v1.h, -v1.l", {K.READ}),
    ("gfx1100", "global_load_d16_b16 v1, v[2:3], off\nv_mov_b32_e32 v1, 0", {K.OVERWRITTEN}),
    ("gfx1100", "global_load_d16_hi_b16 v1, v[2:3], off\nv_pk_add_f16 v7, v1, v1", {K.READ}),
    ("gfx1100", "ds_load_u16_d16 v1, v2\nbuffer_store_d16_hi_b16 v1, v5, s[0:3], 0 offen", set()),
    ("gfx1100", "ds_load_u16_d16 v1, v2\nbuffer_store_b16 v1, v5, s[0:3], 0 offen", {K.READ}),
    ("gfx90a", "global_load_short_d16_hi v1, v[2:3], off\nds_write_b16 v4, v1", {K.READ}),
    # gfx9 counts stores with loads, in order; gfx10 does not count them there at all
    ("gfx942", f"{LOAD}\nglobal_store_dword v[2:3], v6, off\ns_waitcnt vmcnt(1)\nv_mov_b32_e32 v4, v1", set()),
    ("gfx1030", f"{LOAD}\nglobal_store_dword v[2:3], v6, off\ns_waitcnt vmcnt(1)\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx1030", f"{LOAD}\ns_waitcnt_vscnt null, 0x0\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx1030", "global_atomic_add v1, v[2:3], v4, off glc\ns_waitcnt_vscnt null, 0x0\nv_mov_b32_e32 v5, v1", {K.READ}),
    ("gfx1030", "global_atomic_add v1, v[2:3], v4, off glc\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v5, v1", set()),
    # copies into LDS count, too
    ("gfx950", f"{LOAD}\nglobal_load_lds_dwordx4 v[2:3], off\ns_waitcnt vmcnt(1)\nv_mov_b32_e32 v4, v1", {K.LOST}),
    # scalar loads come back in any order: only 0 helps, and LDS reads are not delayed by them
    ("gfx942", "s_load_dword s0, s[4:5], 0x0\ns_load_dword s1, s[4:5], 0x4\ns_waitcnt lgkmcnt(1)\ns_mov_b32 s2, s0", {K.READ}),
    ("gfx942", "s_load_dword s0, s[4:5], 0x0\ns_load_dword s1, s[4:5], 0x4\ns_waitcnt lgkmcnt(0)\ns_mov_b32 s2, s0", set()),
    ("gfx942", "ds_read_b32 v1, v2\ns_load_dword s1, s[4:5], 0x4\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v3, v1", {K.READ}),
    ("gfx942", "ds_read_b32 v1, v2\nds_read_b32 v4, v2\ns_waitcnt lgkmcnt(1)\nv_mov_b32_e32 v3, v1", set()),
    # a flat access needs both counters, and on gfx9 nothing but 0 tells about it
    ("gfx942", "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx942", "flat_load_dword v1, v[2:3]\ns_waitcnt vmcnt(0) lgkmcnt(0)\nv_mov_b32_e32 v4, v1", set()),
    ("gfx942", f"flat_load_dword v1, v[2:3]\n{LOAD.replace('v1', 'v7')}\ns_waitcnt vmcnt(1) lgkmcnt(0)\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx1100", "flat_load_b32 v1, v[2:3]\nglobal_load_b32 v7, v[2:3], off\ns_waitcnt vmcnt(1) lgkmcnt(0)\nv_mov_b32_e32 v4, v1", set()),
    # the same stream writes in order, another one may be overtaken
    ("gfx942", f"{LOAD}\n{LOAD}\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v4, v1", set()),
    ("gfx942", f"{LOAD}\nds_read_b32 v1, v2\ns_waitcnt vmcnt(0) lgkmcnt(0)", {K.OVERWRITTEN}),
    ("gfx1030", "image_sample v[0:3], v[4:5], s[0:7], s[8:11] dmask:0xf\nglobal_load_dword v0, v[6:7], off", {K.OVERWRITTEN}),
    ("gfx1100", "global_load_d16_b16 v1, v[2:3], off\nglobal_load_d16_hi_b16 v1, v[4:5], off\ns_waitcnt vmcnt(0)", set()),
    # split counters
    ("gfx1201", "global_load_b32 v1, v[2:3], off\ns_wait_dscnt 0x0\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx1201", "global_load_b32 v1, v[2:3], off\ns_wait_loadcnt 0x0\nv_mov_b32_e32 v4, v1", set()),
    ("gfx1201", "global_load_b32 v1, v[2:3], off\ns_wait_loadcnt_dscnt 0x0\nv_mov_b32_e32 v4, v1", set()),
    ("gfx1201", "global_load_b32 v1, v[2:3], off\ns_wait_loadcnt_dscnt 0x100\nv_mov_b32_e32 v4, v1", {K.READ}),
    ("gfx1201", "s_load_b32 s0, s[4:5], 0x0\ns_wait_kmcnt 0x0\ns_mov_b32 s1, s0", set()),
    ("gfx1201", "image_sample v[0:3], [v4, v5], s[0:7], s[8:11]\ns_wait_loadcnt 0x0\nv_mov_b32_e32 v9, v0", {K.READ}),
    ("gfx1201", "image_sample v[0:3], [v4, v5], s[0:7], s[8:11]\ns_wait_samplecnt 0x0\nv_mov_b32_e32 v9, v0", set()),
    # gfx1250 may replay a faulting access: its sources stay
    ("gfx1250", "global_store_b32 v[2:3], v1, off\nv_mov_b32_e32 v1, 0", {K.SOURCE}),
    ("gfx1250", "global_store_b32 v[2:3], v1, off\ns_wait_xcnt 0x0\nv_mov_b32_e32 v1, 0", set()),
    ("gfx1250", "global_store_b32 v[2:3], v1, off\nv_mov_b32_e32 v4, v1", set()),
    ("gfx1201", "global_store_b32 v[2:3], v1, off\nv_mov_b32_e32 v1, 0", set()),
    # exports hold their sources on every generation
    ("gfx1030", "exp mrt0 v0, v1, v2, v3 done\nv_mov_b32_e32 v1, 0", {K.SOURCE}),
    ("gfx1030", "exp mrt0 v0, v1, v2, v3 done\ns_waitcnt expcnt(0)\nv_mov_b32_e32 v1, 0", set()),
    # the local data share at barriers
    ("gfx942", "ds_write_b32 v1, v2\ns_barrier", {K.BARRIER}),
    ("gfx942", "ds_write_b32 v1, v2\ns_waitcnt lgkmcnt(0)\ns_barrier", set()),
    ("gfx942", "ds_read_b32 v1, v2\ns_barrier", set()),
    ("gfx1201", "ds_store_b32 v1, v2\ns_barrier_signal -1\ns_barrier_wait -1", {K.BARRIER}),
    ("gfx950", "global_load_lds_dwordx4 v[2:3], off\ns_barrier\nds_read_b32 v1, v4\ns_waitcnt lgkmcnt(0)", {K.COPY, K.LOST}),
    ("gfx950", "global_load_lds_dwordx4 v[2:3], off\ns_waitcnt vmcnt(0)\ns_barrier\nds_read_b32 v1, v4", set()),
    # gfx10 and later: nothing of this is known to wait for memory
    ("gfx1100", "global_load_b32 v1, v[2:3], off\ns_waitcnt_depctr depctr_va_vdst(0)\nv_mov_b32_e32 v4, v1", {K.READ}),
]  # fmt: skip


@pytest.mark.parametrize(("target", "body", "expected"), RULES, ids=[f"{t}: {b}" for t, b, _ in RULES])
def test_rule(target, body, expected):
    assert kinds(body, target) == expected


DIAMOND = f"""{LOAD}
s_cbranch_scc1 .LBB0_1
s_waitcnt vmcnt(0)
.LBB0_1:
v_mov_b32_e32 v4, v1"""


def test_a_wait_on_one_path_only_is_not_enough():
    (hazard,) = analyse(kernel(DIAMOND)).hazards
    assert (hazard.kind, hazard.registers, hazard.operation.line, hazard.consumer.line) == (K.READ, ("v1",), 3, 7)
    assert str(hazard) == "line 7 v_mov_b32_e32: v1 of line 3 global_load_dword is read before a sufficient wait"


CARRIED = """.LBB0_1:
{}
v_add_f32 v4, v1, v4
global_load_dword v1, v[2:3], off
s_add_i32 s0, s0, 1
s_cmp_lt_i32 s0, s1
s_cbranch_scc1 .LBB0_1
s_waitcnt vmcnt(0)"""


def test_a_load_is_followed_across_the_back_edge():
    assert kinds(CARRIED.format("s_nop 0")) == {K.READ}
    assert kinds(CARRIED.format("s_waitcnt vmcnt(0)")) == set()


PIPELINED_COPY = """global_load_lds_dwordx4 v[2:3], off
.LBB0_1:
global_load_lds_dwordx4 v[2:3], off
{}
s_barrier
ds_read_b32 v1, v4
s_waitcnt lgkmcnt(0)
s_barrier
s_cmp_lt_i32 s0, s1
s_cbranch_scc1 .LBB0_1
s_waitcnt vmcnt(0)"""


def test_a_copy_of_the_iteration_before_is_what_a_pipelined_wait_blocks_on():
    report = analyse(kernel(PIPELINED_COPY.format("s_waitcnt vmcnt(1)"), "gfx950"))
    assert report.hazards == ()
    blocked = next(w for w in report.waits if w.counter is Counter.VM).blocks_on
    assert [(b.operation.line, b.instance, b.instructions) for b in blocked] == [(3, 0, 2), (5, 1, 9)]


def test_a_copy_that_no_wait_of_the_loop_completes_is_found():
    assert kinds(PIPELINED_COPY.format("s_nop 0"), "gfx950") == {K.COPY, K.DRIFT}


def test_a_copy_in_flight_at_the_end_was_never_safe_to_read():
    body = PIPELINED_COPY.format("s_waitcnt vmcnt(1)").rpartition("\n")[0]
    assert kinds(body, "gfx950") == {K.LOST}


@pytest.mark.parametrize(("count", "doubts"), [(2, 0), (3, 1), (1, 1)])
def test_a_wait_that_cuts_through_a_batch_of_copies_is_doubted(count, doubts):
    two = "global_load_lds_dwordx4 v[2:3], off\nglobal_load_lds_dwordx4 v[6:7], off"
    body = f"{two}\n.LBB0_1:\n{two}\ns_waitcnt vmcnt({count})\ns_barrier\nds_read_b32 v1, v4\ns_waitcnt lgkmcnt(0)\ns_barrier\n"
    report = analyse(kernel(body + "s_cbranch_scc1 .LBB0_1\ns_waitcnt vmcnt(0)", "gfx950"))
    assert (report.hazards, len(report.doubts)) == ((), doubts)


def test_a_called_function_must_wait_at_its_entry_and_before_it_returns():
    back = "s_setpc_b64 s[30:31]"
    whole = "s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)\n"
    assert kinds("v_mov_b32_e32 v1, v0", end=back) == {K.READ, K.OVERWRITTEN, K.RETURN}
    assert kinds(whole + "v_mov_b32_e32 v1, v0", end=back) == set()
    assert kinds(whole + LOAD, end=back) == {K.RETURN}
    assert kinds(whole + LOAD + "\ns_waitcnt vmcnt(0)", end=back) == set()


def test_a_call_leaves_nothing_in_flight_but_stores():
    assert kinds(f"{LOAD}\ns_swappc_b64 s[30:31], s[4:5]\nv_mov_b32_e32 v4, v1", "gfx1030") == set()


def test_a_wait_that_has_nothing_to_wait_for_is_listed_as_idle():
    (wait,) = analyse(kernel(f"{LOAD}\ns_waitcnt vmcnt(1)")).waits
    assert (wait.counter, wait.count, wait.blocks_on) == (Counter.VM, 1, ())


@pytest.mark.parametrize(
    ("text", "family", "expected"),
    [
        # bit layouts of the immediate: Vega ISA, RDNA2 ISA, RDNA3 ISA, chapter on S_WAITCNT
        ("0xc07f", GFX9, {"lgkmcnt": 0}),
        ("0x0f70", GFX9, {"vmcnt": 0}),
        ("0x3f70", GFX10, {"vmcnt": 0}),
        ("0xfc07", GFX11, {"lgkmcnt": 0}),
        ("0x03f7", GFX11, {"vmcnt": 0}),
        ("0", GFX9, {"vmcnt": 0, "expcnt": 0, "lgkmcnt": 0}),
        ("vmcnt(3) & lgkmcnt(1)", GFX9, {"vmcnt": 3, "lgkmcnt": 1}),
        ("lgkmcnt(0)", GFX12, {"lgkmcnt": 0}),
    ],
)
def test_s_waitcnt_in_numbers_and_names(text, family, expected):
    assert {counter.value: count for counter, count in waits("s_waitcnt", text, family)} == expected


def test_other_waits():
    assert waits("s_waitcnt_vscnt", "null, 0x2", GFX10) == ((Counter.VS, 2),)
    assert waits("s_waitcnt_vscnt", "s3, 0x2", GFX10) == ()  # a count in a register is not known
    assert waits("s_wait_storecnt_dscnt", "0x302", GFX12) == ((Counter.STORE, 3), (Counter.DS, 2))
    assert waits("s_wait_alu", "depctr_va_vdst(0)", GFX12) == ()
    assert {counter for counter, _ in waits("s_wait_idle", "", GFX11)} == {
        Counter.VM,
        Counter.VS,
        Counter.LGKM,
        Counter.EXP,
    }


def test_generations():
    known = {
        "gfx906": "gfx9",
        "gfx90a": "gfx9",
        "gfx950": "gfx9",
        "gfx1012": "gfx10",
        "gfx1151": "gfx11",
        "gfx1201": "gfx12",
    }
    assert {target: generation(target).name for target in known} == known
    assert generation("gfx1250").translates
    assert generation("gfx803") is None
    assert generation("sm_90") is None


def test_an_unknown_processor_is_refused_in_one_sentence():
    with pytest.raises(UsageError, match=r"no wait model for processor gfx803 of k"):
        analyse(kernel("s_nop 0", "gfx803"))


def test_the_audit_says_who_needs_a_wait_and_why_another_is_there():
    body = f"{LOAD}\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v4, v1\ns_waitcnt lgkmcnt(0)\nds_read_b32 v5, v6\ns_waitcnt lgkmcnt(0)\ns_barrier"
    needed, idle, before_barrier = audit(kernel(body))
    assert (needed.need, needed.operation.line, needed.consumer.line, needed.exact) == (Need.NEEDED, 3, 5, True)
    assert (idle.need, before_barrier.need) == (Need.IDLE, Need.ORDER)


def test_a_wait_that_a_later_one_repeats_is_not_needed():
    first, second = audit(kernel(f"{LOAD}\ns_waitcnt vmcnt(0)\ns_nop 0\ns_waitcnt vmcnt(0)\nv_mov_b32_e32 v4, v1"))
    assert (first.need, second.need) == (Need.COVERED, Need.IDLE)


def test_weakening_one_half_of_a_paired_wait_leaves_the_other():
    function = kernel(
        "global_load_b32 v1, v[2:3], off\nds_load_b32 v4, v5\ns_wait_loadcnt_dscnt 0x0\nv_add_f32 v6, v1, v4", "gfx1201"
    )
    local, loads = analyse(function).waits
    for wait, register in ((loads, "v1"), (local, "v4")):
        for count in (None, 1):
            (hazard,) = analyse(weakened(function, wait, count)).hazards
            assert hazard.registers == (register,)
