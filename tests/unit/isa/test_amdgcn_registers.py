"""Registers read and written, instruction by instruction; expectations are from the instruction set documents."""

import pytest

from hotloop.isa.amdgcn.registers import access, lds_copy, name

CASES = [
    # text, reads, writes, keeps; exec, which every vector instruction reads, is left out of `reads`
    ("v_add_f32_e32 v1, v2, v3", "v2 v3", "v1", ""),
    ("v_fmac_f32_e32 v1, v2, s4", "v1 v2 s4", "v1", ""),
    ("v_fma_f32 v1, -v2, |v3|, 1.0", "v2 v3", "v1", ""),
    ("v_mfma_f32_16x16x16f16 a[0:3], v[4:5], v[6:7], a[0:3]", "v4 v5 v6 v7 a0 a1 a2 a3", "a0 a1 a2 a3", ""),
    ("v_mfma_f32_4x4x1_16b_f32 v[0:3], v4, v5, 0", "v4 v5", "v0 v1 v2 v3", ""),
    ("v_smfmac_f32_16x16x32_f16 v[0:3], v[4:5], v[6:9], v10", "v0 v1 v2 v3 v4 v5 v6 v7 v8 v9 v10", "v0 v1 v2 v3", ""),
    ("v_add_co_u32_e32 v1, vcc, s2, v3", "v3 s2", "v1 vcc_lo vcc_hi", ""),
    ("v_addc_co_u32_e64 v1, s[2:3], v4, v5, s[2:3]", "v4 v5 s2 s3", "v1 s2 s3", ""),
    ("v_mad_u64_u32 v[0:1], null, s2, v3, v[4:5]", "v3 v4 v5 s2", "v0 v1", ""),
    ("v_div_scale_f32 v1, vcc, v2, v2, v3", "v2 v3", "v1 vcc_lo vcc_hi", ""),
    ("v_div_fmas_f32 v1, v2, v3, v4", "v2 v3 v4 vcc_lo", "v1", ""),
    ("v_cmp_gt_i32_e32 vcc, s6, v2", "v2 s6", "vcc_lo vcc_hi", ""),
    ("v_cmpx_gt_u32_e32 v1, v2", "v1 v2", "exec_lo exec_hi", ""),
    ("v_cndmask_b32_e64 v1, 0, 1, s[0:1]", "s0 s1", "v1", ""),
    ("v_readfirstlane_b32 s0, v1", "v1", "s0", ""),
    ("v_writelane_b32 v1, s2, 3", "v1 s2", "v1", ""),
    ("v_swap_b32 v1, v2", "v1 v2", "v1 v2", ""),
    ("v_permlane32_swap_b32_e32 v1, v2", "v1 v2", "v1 v2", ""),
    ("v_accvgpr_write_b32 a3, v4", "v4", "a3", ""),
    ("v_dual_mov_b32 v1, v2 :: v_dual_cndmask_b32 v3, v4, v5", "v2 v4 v5 vcc_lo", "v1 v3", ""),
    ("v_cvt_f16_f32_e32 v1.h, v2", "v2", "v1", "v1"),
    ("v_mov_b32_dpp v1, v2 row_shr:1 row_mask:0xf bank_mask:0xf bound_ctrl:1", "v2", "v1", ""),
    ("v_mov_b32_dpp v1, v2 row_bcast:15 row_mask:0xa bank_mask:0xf", "v2", "v1", "v1"),
    ("v_lshlrev_b32_sdwa v1, v2, v3 dst_sel:WORD_1 dst_unused:UNUSED_PRESERVE src0_sel:DWORD", "v2 v3", "v1", "v1"),
    ("v_fma_mixhi_f16 v1, v2, v3, v4", "v2 v3 v4", "v1", "v1"),
    ("v_mov_b32_e32 v44 /*v300*/, v1", "v1", "v300", ""),
    ("global_load_dwordx4 v[0:3], v[4:5], off", "v4 v5", "v0 v1 v2 v3", ""),
    ("global_load_short_d16_hi v1, v2, s[0:1]", "v2 s0 s1", "v1", "v1"),
    ("global_store_dwordx2 v0, v[2:3], s[4:5] offset:8", "v0 v2 v3 s4 s5", "", ""),
    ("global_atomic_add v[0:1], v2, off", "v0 v1 v2", "", ""),
    ("global_atomic_add v3, v[0:1], v2, off glc", "v0 v1 v2", "v3", ""),
    ("global_atomic_add_f32 v3, v[0:1], v2, off th:TH_ATOMIC_RETURN scope:SCOPE_DEV", "v0 v1 v2", "v3", ""),
    ("buffer_atomic_cmpswap v[0:1], v2, s[4:7], 0 offen sc0", "v0 v1 v2 s4 s5 s6 s7", "v0", ""),
    ("buffer_load_dwordx4 v1, s[4:7], 0 offen lds", "v1 s4 s5 s6 s7 m0", "", ""),
    ("global_load_lds_dwordx4 v[0:1], off", "v0 v1 m0", "", ""),
    ("buffer_load_dword v1, off, s[0:3], 0 offset:4", "s0 s1 s2 s3", "v1", ""),
    ("ds_read2_b32 v[0:1], v2 offset1:1", "v2", "v0 v1", ""),
    ("ds_write2st64_b64 v0, v[2:3], v[4:5] offset1:8", "v0 v2 v3 v4 v5", "", ""),
    ("ds_add_u32 v1, v2", "v1 v2", "", ""),
    ("ds_add_rtn_u32 v1, v2, v3", "v2 v3", "v1", ""),
    ("ds_bpermute_b32 v1, v2, v3", "v2 v3", "v1", ""),
    ("scratch_store_b128 off, v[0:3], s5", "v0 v1 v2 v3 s5", "", ""),
    (
        "image_sample v[0:3], [v4, v7], s[0:7], s[8:11] dmask:0xf",
        "v4 v7 s0 s1 s2 s3 s4 s5 s6 s7 s8 s9 s10 s11",
        "v0 v1 v2 v3",
        "",
    ),
    ("exp mrt0 v0, v1, off, off done", "v0 v1", "", ""),
    ("s_load_dwordx2 s[0:1], s[4:5], s6 offset:8", "s4 s5 s6", "s0 s1", ""),
    ("s_add_u32 s0, s1, s2", "s1 s2", "s0 scc", ""),
    ("s_addc_u32 s0, s1, 0", "s1 scc", "s0 scc", ""),
    ("s_addk_i32 s0, 0x10", "s0", "s0 scc", ""),
    ("s_cmp_lt_i32 s0, 5", "s0", "scc", ""),
    ("s_cselect_b32 s0, 1, 0", "scc", "s0", ""),
    ("s_add_nc_u64 s[0:1], s[2:3], s[4:5]", "s2 s3 s4 s5", "s0 s1", ""),
    ("s_mov_b32 m0, s3", "s3", "m0", ""),
    ("s_cbranch_vccnz .LBB0_1", "vcc_lo", "", ""),
    ("s_swappc_b64 s[30:31], s[4:5]", "s4 s5", "s30 s31", ""),
    ("s_waitcnt_vscnt null, 0x0", "", "", ""),
    ("s_getreg_b32 s7, hwreg(HW_REG_IB_STS2, 6, 4)", "", "s7", ""),
]


@pytest.mark.parametrize(("text", "reads", "writes", "keeps"), CASES, ids=[case[0] for case in CASES])
def test_registers(text, reads, writes, keeps):
    mnemonic, _, operands = text.partition(" ")
    used = access(mnemonic, operands)
    assert {name(r) for r in used.reads} - {"exec_lo"} == set(reads.split())
    assert {name(r) for r in used.writes} == set(writes.split())
    assert {name(r) for r in used.keeps} == set(keeps.split())


def test_vector_work_depends_on_the_lanes_that_are_active():
    assert "exec_lo" in {name(r) for r in access("v_mov_b32_e32", "v1, v2").reads}
    assert "exec_lo" not in {name(r) for r in access("s_mov_b32", "s1, s2").reads}


def test_saving_exec_reads_and_writes_it():
    used = access("s_and_saveexec_b64", "s[0:1], vcc")
    assert {name(r) for r in used.writes} == {"s0", "s1", "exec_lo", "exec_hi", "scc"}
    assert "exec_lo" in {name(r) for r in used.reads}


def test_only_loads_that_bypass_registers_are_copies():
    assert lds_copy("global_load_async_to_lds_b128", "v1, v[2:3], off")
    assert not lds_copy("ds_read_b32", "v1, v2")
    assert not lds_copy("buffer_load_dword", "v1, v2, s[0:3], 0 offen")
