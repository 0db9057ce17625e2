"""What a GPU kernel's hot loop is made of."""

from dataclasses import replace

import pytest

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.gpumix import GPU_NAMES, Access, gpu_evidence, gpu_mix
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.instruction import MemorySpace as M
from hotloop.isa.static import listed_evidence
from hotloop.metrics.vocabulary import BY_NAME
from hotloop.model.evidence import Provenance

BODY = """\
global_load_dwordx4 v[0:3], v[4:5], off
ds_read_b128 v[0:3], v9
ds_read_b64 v[0:1], v9
ds_write_b128 v9, v[0:3]
s_waitcnt lgkmcnt(0)
s_barrier
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
v_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]
v_cvt_f16_f32_e32 v0, v1
v_exp_f32_e32 v0, v1
s_nop 1
"""


def kernel(
    body, before="s_mov_b32 s2, 0", step="s_add_i32 s2, s2, 4", test="s_cmp_lt_i32 s2, 64", branch="s_cbranch_scc1"
):
    """Return a function with one loop around `body`."""
    lines = [before, "top:", *body.splitlines(), step, test, f"{branch} top", "s_endpgm"]
    text = "\n".join(line if line == "top:" else f"\t{line}" for line in lines)
    (function,) = DIALECT.parse("\t.type k,@function\nk:\n" + text + "\n\t.size k, 8\n")
    return function


def test_counts_and_accesses():
    found = gpu_mix(kernel(BODY))
    assert (found.depth, found.instructions, found.macs, found.transcendental) == (1, 14, 2 * 16**3, 1)
    assert (found.count(K.MATRIX), found.count(K.CONVERSION), found.count(K.CONTROL, K.WAIT)) == (2, 1, 2)
    assert found.share(K.MATRIX) == 2 / 14
    assert Access(space=M.LOCAL, kind=K.LOAD, bits=64, count=1) in found.accesses
    reads = found.accessed(M.LOCAL, frozenset({K.LOAD}))
    assert (reads.total, reads.lane_bytes, reads.mean_bits) == (2, 24, 96)
    assert found.per_matrix(3) == 1.5


def test_facts():
    found = gpu_evidence(kernel(BODY), "a test")
    told = {fact.name: fact.value for fact in found.facts}
    assert told["static.matrix_per_iteration"] == 2
    assert told["static.matrix_macs"] == 16**3
    assert told["static.lds_reads_per_matrix"] == 1
    assert told["static.lds_read_bits"] == 96
    assert told["static.lds_write_bits"] == 128
    assert told["static.global_load_bits"] == 128
    assert told["static.conversion_share"] == told["static.wait_share"] == told["static.transcendental_share"] == 1 / 14
    assert told["static.barriers_per_iteration"] == 1
    assert told["static.trip_count"] == 16
    assert found.why_absent("static.global_store_bits") == "the hot loop stores nothing to global memory"
    assert all(fact.provenance is Provenance.STATIC and fact.source.startswith("a test, loop") for fact in found.facts)


@pytest.mark.parametrize("body", [BODY, "v_add_f32 v0, v0, v1", "s_nop 0", "tensor_load_to_lds s[0:3], s[4:11]"])
def test_every_name_is_given_or_absent_with_a_reason(body):
    found = gpu_evidence(kernel(body))
    assert {f.name for f in found.facts} | {a.name for a in found.absent} == set(GPU_NAMES)
    assert all(a.reason for a in found.absent)


def test_direct_copies_count_as_global_loads():
    found = gpu_evidence(
        kernel("global_load_lds_dwordx4 v[0:1], off\nv_mfma_f32_16x16x16_f16 a[0:3], v[0:1], v[2:3], a[0:3]")
    )
    assert found.get("static.direct_to_lds") == 1
    assert found.get("static.global_loads_per_matrix") == 1


def test_code_unrolled_away_from_the_loops_is_the_hot_code():
    matrix = "v_mfma_f32_32x32x8_f16 a[0:15], v[0:1], v[2:3], a[0:15]\n" * 40
    text = f"k:\n{matrix}top:\n\tv_add_f32 v0, v0, v1\n\ts_cbranch_scc1 top\n\ts_endpgm\n"
    (function,) = DIALECT.parse(text)
    found = gpu_mix(function)
    assert (found.depth, found.count(K.MATRIX)) == (0, 40)
    assert "outside the loops" in found.place


@pytest.mark.parametrize(
    ("changes", "trips"),
    [
        ({}, 16),
        ({"test": "s_cmp_eq_u32 s2, 64", "branch": "s_cbranch_scc0"}, 16),
        ({"test": "s_cmpk_lg_i32 s2, 0x40"}, 16),
        ({"before": "s_movk_i32 s2, 0x40", "step": "s_sub_i32 s2, s2, 1", "test": "s_cmp_gt_i32 s2, 0"}, 64),
        ({"before": "s_mov_b32 s2, 64", "step": "s_add_i32 s2, s2, -1", "test": "s_cmp_lg_u32 s2, 0"}, 64),
        ({"before": "s_mov_b32 s2, 0", "step": "s_addk_i32 s2, 0x10", "test": "s_cmp_le_u32 s2, 64"}, 5),
        ({"test": "s_cmp_lt_i32 s2, s7"}, None),  # bound only known at run time
        ({"before": "s_load_dword s2, s[0:1], 0x0"}, None),
        ({"step": "s_add_i32 s2, s2, s3"}, None),
        ({"step": "s_lshl_b32 s2, s2, 1"}, None),
        ({"test": "s_cmp_lt_i32 s2, 64\n\ts_and_b32 s3, s3, 1"}, None),  # something else sets the condition
        ({"test": "s_cmp_lg_u32 s2, 3"}, None),  # never hits the bound in steps of 4, or only after wrapping around
        ({"branch": "s_cbranch_vccnz"}, None),
        ({"step": "s_cbranch_execz skip\n\ts_add_i32 s2, s2, 4\nskip:"}, None),  # not in every iteration
        (
            {"before": "s_cbranch_execz top\n\ts_mov_b32 s2, 0\n\ts_cbranch_execz late\n\ts_nop 0\nlate:"},
            None,
        ),  # another way in
    ],
)
def test_trip_count(changes, trips):
    assert gpu_mix(kernel(BODY, **changes)).trips == trips


def test_trip_count_where_the_comparison_comes_before_the_step():
    function = kernel(BODY + "s_cmp_lt_i32 s2, 60\n", test="v_nop", step="s_cselect_b32 s9, 1, 0\n\ts_movk_i32 s8, 1")
    assert gpu_mix(function).trips is None  # the counter is never stepped


def test_evidence_of_a_listing_has_the_common_facts_and_for_gpus_more():
    text = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"\nk:\n\tv_fma_f32 v0, v1, v2, v3\n\ts_endpgm\n'
    (function,) = DIALECT.parse(text)
    found = listed_evidence(function, "k.s")
    assert (found.get("static.fma_share"), found.get("static.matrix_share")) == (0.5, 0)
    assert "static.matrix_share" not in listed_evidence(replace(function, target=""))


def test_facts_have_the_vocabularys_names_and_units():
    assert set(GPU_NAMES) <= set(BY_NAME)
    assert all(fact.unit == BY_NAME[fact.name].unit for fact in gpu_evidence(kernel(BODY)).facts)
