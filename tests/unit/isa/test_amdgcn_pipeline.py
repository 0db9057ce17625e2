"""Distances between issue and wait in loops, costs, and live registers."""

import pytest

from hotloop.isa.amdgcn.costs import cost, latency_cycles
from hotloop.isa.amdgcn.pipeline import pipelines
from hotloop.isa.amdgcn.pressure import RegisterFile, pressure
from hotloop.isa.amdgcn.slots import Group, group_of
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.instruction import MemorySpace
from hotloop.isa.timing.hiding import EXPOSED_SHARE, Verdict

MFMA = "v_mfma_f32_16x16x16_f16 a[0:3], v[8:9], v[10:11], a[0:3]"


def kernel(body, target="gfx942"):
    rows = "".join(
        f"{line.strip()}\n" if line.strip().endswith(":") else f"\t{line.strip()}\n" for line in body.split("\n")
    )
    (function,) = DIALECT.parse(f'\t.amdgcn_target "amdgcn-amd-amdhsa--{target}"\nk:\n{rows}\ts_endpgm\n')
    return function


def loop(*parts):
    inside = "\n".join(parts)
    return f"global_load_dword v1, v[2:3], off\n.LBB0_1:\n{inside}\ns_cmp_lt_i32 s0, s1\ns_cbranch_scc1 .LBB0_1"


LOAD, WAIT, USE = "global_load_dword v1, v[2:3], off", "s_waitcnt vmcnt(0)", "v_mov_b32_e32 v8, v1"


def only(body, **more):
    (found,) = pipelines(kernel(body, **more))
    return found


def test_a_load_used_at_once_is_exposed():
    found = only(loop(LOAD, WAIT, USE, *[MFMA] * 8))
    stage = found.stage(Group.GLOBAL)
    assert stage.verdict is Verdict.EXPOSED
    assert stage.distances[0].instructions == 1
    assert stage.stall_cycles == latency_cycles(MemorySpace.GLOBAL) - 4  # the load takes one issue slot of four cycles
    assert (
        str(stage)
        == "1 global load is issued 1 instruction (≈ 4 cycles) before it is needed: exposed (496 cycles of stall per iteration)"
    )


def test_work_before_the_wait_hides_a_load_and_an_iteration_ahead_hides_it_too():
    ahead = only(loop(WAIT, USE, LOAD, *[MFMA] * 32))
    assert (
        str(ahead)
        == "1 global load is issued 32 MFMAs (≈ 512 cycles), across the back edge, before it is needed: hidden"
    )
    assert ahead.stage(Group.GLOBAL).distances[0].iterations == 1
    same = only(loop(LOAD, *[MFMA] * 32, WAIT, USE))
    assert same.stage(Group.GLOBAL).verdict is Verdict.HIDDEN
    assert same.stage(Group.GLOBAL).distances[0].iterations == 0


@pytest.mark.parametrize(("matrices", "verdict"), [(5, Verdict.EXPOSED), (10, Verdict.PARTLY), (29, Verdict.HIDDEN)])
def test_thresholds(matrices, verdict):
    assert only(loop(LOAD, *[MFMA] * matrices, WAIT, USE)).stage(Group.GLOBAL).verdict is verdict


def test_a_load_that_the_wave_stands_for_is_not_hidden_however_much_passes_before():
    stage = only(loop(LOAD, *[MFMA] * 20, WAIT, USE)).stage(Group.GLOBAL)
    assert (stage.covered, stage.stall_cycles, stage.loop_cycles) == (0.624, 188, 516)
    assert stage.verdict is Verdict.PARTLY, "a third of the time is waiting for this load"


def test_one_late_load_of_many_is_not_hidden_by_the_early_ones():
    early = [LOAD.replace("v1", f"v{n}") for n in range(20, 28)]
    stage = only(loop(*early, *[MFMA] * 40, LOAD, WAIT, USE)).stage(Group.GLOBAL)
    assert stage.covered > 0.8
    assert stage.verdict is Verdict.PARTLY


def test_the_second_of_two_exposed_loads_is_not_hidden_by_the_wait_for_the_first():
    second = LOAD.replace("v1", "v5")
    found = only(loop(LOAD, second, "s_waitcnt vmcnt(1)", USE, WAIT, USE.replace("v1", "v5"), MFMA))
    assert max(d.covered for d in found.stage(Group.GLOBAL).distances) < EXPOSED_SHARE


def test_a_load_that_the_loop_never_waits_for_is_listed_apart():
    found = only(loop(LOAD, MFMA))
    assert found.stages == ()
    assert [i.mnemonic for i in found.unwaited] == ["global_load_dword"]


def test_no_loop_no_pipeline():
    assert pipelines(kernel(f"{LOAD}\n{WAIT}\n{USE}")) == ()


def test_every_loop_on_request():
    two = f"{loop(LOAD, WAIT, USE, MFMA)}\n.LBB0_2:\n{LOAD}\n{WAIT}\n{USE}\ns_cmp_lt_i32 s0, s1\ns_cbranch_scc1 .LBB0_2"
    assert [len(pipelines(kernel(two), every=every)) for every in (False, True)] == [1, 2]


@pytest.mark.parametrize(
    ("text", "target", "cycles"),
    [
        # cycles the matrix unit is busy: published passes of the CDNA instruction set documents, four cycles each
        ("v_mfma_f32_32x32x8f16 a[0:15], v[0:1], v[2:3], a[0:15]", "gfx90a", 64),
        ("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", "gfx942", 32),
        ("v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]", "gfx942", 16),
        ("v_mfma_f32_16x16x32_f16 a[0:3], v[0:3], v[4:7], a[0:3]", "gfx950", 16),
        # shapes of older processors keep their passes where larger ones have the peak rate
        ("v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]", "gfx950", 32),
        ("v_mfma_f32_4x4x4_16b_f16 a[0:3], v[0:1], v[2:3], a[0:3]", "gfx942", 8),
        ("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[0:7], v[0:7], v[0:3]", "gfx950", 32),
        ("v_mfma_f32_16x16x128_f8f6f4 v[0:3], v[0:3], v[0:7], v[0:3] cbsz:4", "gfx950", 32),
        (
            "v_mfma_scale_f32_16x16x128_f8f6f4 v[0:3], v[0:3], v[0:3], v[0:3], v1, v2 op_sel_hi:[0,0,0] cbsz:2 blgp:4",
            "gfx950",
            16,
        ),
        ("v_wmma_f32_16x16x16_f16 v[0:7], v[8:15], v[16:23], v[0:7]", "gfx1100", 32),
    ],
)
def test_matrix_costs(text, target, cycles):
    first = kernel(text, target).instructions[0]
    assert cost(first, target).matrix_cycles == cycles


def test_groups():
    body = "ds_read_b32 v1, v2\nds_write_b32 v1, v2\ns_load_dword s0, s[2:3], 0x0\nbuffer_load_dword v1, s[0:3], 0 offen lds\nds_bpermute_b32 v1, v2, v3"
    found = [group_of(i) for i in kernel(body).instructions[:-1]]
    assert found == [Group.LDS, None, Group.SCALAR, Group.COPY, Group.LDS]


def peak(body, file=RegisterFile.VGPR, **more):
    return next(p for p in pressure(kernel(body, **more)) if p.file is file)


def test_pressure_counts_what_is_still_to_be_read():
    found = peak("v_mov_b32_e32 v1, 0\nv_mov_b32_e32 v2, 0\nv_add_f32 v3, v1, v2\nglobal_store_dword v[4:5], v3, off")
    assert found.live == 4  # v1, v2 and the address v[4:5] before the addition
    assert [(g.source, g.count) for g in found.groups] == [("computed", 2), ("from before", 2)]


def test_pressure_sees_values_carried_round_a_loop():
    found = peak(".LBB0_1:\nv_add_f32 v1, v1, v2\ns_cbranch_scc1 .LBB0_1\nglobal_store_dword v[4:5], v1, off")
    assert found.live == 4


def test_accumulation_registers_have_their_own_file():
    body = (
        "ds_read_b64 v[8:9], v1\nds_read_b64 v[10:11], v1\ns_waitcnt lgkmcnt(0)\n"
        + MFMA
        + "\nglobal_store_dwordx4 v[4:5], a[0:3], off"
    )
    found = peak(body, RegisterFile.AGPR)
    assert (found.live, found.file) == (4, RegisterFile.AGPR)
    vector = peak(body)
    assert vector.groups[0].registers == "v[8:11]"
    assert str(vector) == "6 VGPRs live at line 6 (v_mfma_f32_16x16x16_f16): 4 from LDS reads, 2 from before"


def test_half_writes_keep_the_register_alive():
    whole, half = "v_cvt_f16_f32_e32 v1, v2", "v_cvt_f16_f32_e32 v1.h, v2"
    end = "\nglobal_store_dword v[4:5], v1, off"
    assert peak(half + end, target="gfx1100").live - peak(whole + end, target="gfx1100").live == 1
