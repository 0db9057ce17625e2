"""The loop over memory is hot, not the lane exchanges that follow it."""

from dataclasses import replace

import pytest

from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.isa.hot import hot_loop
from hotloop.isa.resources import KernelResources

LOOP = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
kernel:
\tv_mov_b32_e32 v2, 0
.LBB0_1:
\tglobal_load_dword v1, v0, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v2, v2, v1
\tv_add_u32_e32 v0, s4, v0
\tv_cmp_lt_u32_e32 vcc, v0, v3
\ts_cbranch_vccnz .LBB0_1
"""
TREE = "".join(f"\tv_mov_b32_dpp v1, v2 row_shr:{n}\n\tv_add_f32_e32 v2, v2, v1\n" for n in range(1, 13))


def test_a_reduction_is_hot_where_it_reads():
    (function,) = DIALECT.parse(f"{LOOP}{TREE}\ts_endpgm\n")
    assert hot_loop(function).depth == 1


def test_a_loop_of_few_known_iterations_loses_to_the_work_around_it():
    counted = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
kernel:
\ts_mov_b32 s4, 0
.LBB0_1:
\tglobal_load_dword v1, v0, s[0:1]
\ts_waitcnt vmcnt(0)
\tv_add_f32_e32 v2, v2, v1
\ts_add_i32 s4, s4, 1
\ts_cmp_lg_u32 s4, 2
\ts_cbranch_scc1 .LBB0_1
"""
    (function,) = DIALECT.parse(f"{counted}{TREE}\ts_endpgm\n")
    assert hot_loop(function).depth == 0


SUM = """.LBB0_2:
\tds_read_b128 v[4:7], v8
\tds_read_b128 v[10:13], v8 offset:16
\ts_waitcnt lgkmcnt(0)
""" + "".join(f"\tv_add_f32_e32 v2, v2, v{n}\n" for n in (4, 5, 6, 7, 10, 11, 12, 13)) + """\tv_add_u32_e32 v8, 32, v8
\tv_cmp_lt_u32_e32 vcc, v8, v3
\ts_cbranch_vccnz .LBB0_2
"""  # fmt: skip


@pytest.mark.parametrize(("room", "adds"), [(32, 1), (4096, 8)])
def test_a_loop_over_few_bytes_of_local_memory_runs_once(room, adds):
    """A block's sum goes over one value a wave: as published layer norms and products of a matrix with a vector have it."""
    (function,) = DIALECT.parse(f"{LOOP}{SUM}\ts_endpgm\n")
    sizes = KernelResources(target="gfx942", name="kernel", lds_bytes=room, dynamic_lds=False)
    hot = hot_loop(replace(function, resources=sizes))
    assert sum(i.mnemonic == "v_add_f32_e32" for i in hot.instructions) == adds


FILL = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
kernel:
\ts_movk_i32 s3, {bound}
.LBB0_1:
\tglobal_load_dword v3, v4, s[0:1]
\tv_add_u32_e32 v6, 0x100, v6
\tv_cmp_lt_u32_e32 vcc, s3, v6
\ts_or_b64 s[4:5], vcc, s[4:5]
\ts_waitcnt vmcnt(0)
\tds_write_b32 v2, v3
\ts_andn2_b64 exec, exec, s[4:5]
\ts_cbranch_execnz .LBB0_1
"""
ROUNDS = "".join(f"\tds_read_b32 v{n}, v1\n\tv_xor_b32_e32 v1, v1, v{n}\n" for n in range(8, 48))


@pytest.mark.parametrize(("bound", "depth"), [("0x2ff", 0), ("0x7fff", 1)], ids=["a small table", "an array"])
def test_a_group_that_fills_a_table_is_hot_where_it_looks_up(bound, depth):
    (function,) = DIALECT.parse(f"{FILL.format(bound=bound)}{ROUNDS}\ts_endpgm\n")
    assert hot_loop(function).depth == depth


COUNTS = """\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
kernel:
\tv_mov_b32_e32 v2, 0
\ts_movk_i32 s15, 0xff
.LBB0_1:
{clear}\tv_add_u32_e32 v4, 0x80, v4
\tv_cmp_ne_u32_e32 vcc, v4, v5
\ts_cbranch_vccnz .LBB0_1
.LBB0_2:
\tglobal_load_ubyte v6, v7, s[0:1]
\tv_add_u32_e32 v7, v7, v8
\tv_cmp_lt_i32_e32 vcc, v7, v9
\ts_waitcnt vmcnt(0)
\tds_add_u32 v6, v10
\ts_cbranch_vccnz .LBB0_2
.LBB0_3:
\tds_read_b32 v6, v5
\tv_add_u32_e32 v0, {step}
\tv_cmp_lt_u32_e32 vcc, s15, v0
\ts_waitcnt lgkmcnt(0)
\tglobal_atomic_add v[2:3], v6, off
\ts_andn2_b64 exec, exec, vcc
\ts_cbranch_execnz .LBB0_3
\ts_endpgm
"""


@pytest.mark.parametrize("step", ["v0, v1", "s16, v0"])
def test_a_histogram_is_hot_where_it_counts(step):
    """Not where the group clears its bins, nor where it adds the few of them up."""
    clear = "".join(f"\tds_write2_b32 v4, v2, v2 offset0:{2 * n} offset1:{2 * n + 1}\n" for n in range(8))
    (function,) = DIALECT.parse(COUNTS.format(clear=clear, step=step))
    sizes = KernelResources(target="gfx942", name="kernel", lds_bytes=1024, dynamic_lds=False)
    hot = hot_loop(replace(function, resources=sizes))
    assert "ds_add_u32" in {i.mnemonic for i in hot.instructions}
