"""What instructions of AMD GPUs do, in the spelling of every generation's assembler."""

import pytest

from hotloop.isa.amdgcn.classify import classify, known
from hotloop.isa.amdgcn.rows import entry
from hotloop.isa.instruction import InstructionKind as K
from hotloop.isa.instruction import MemorySpace as M


@pytest.mark.parametrize(
    ("mnemonics", "kind"),
    [
        ("v_fma_f32 v_fmac_f32_e32 v_pk_fma_f32 v_fma_f64 v_mad_f16 v_fmaak_f32 v_fma_mix_f32 v_fma_mixlo_f16", K.FMA),
        ("v_dot2_f32_f16 v_dot4_i32_iu8 v_dot2c_f32_bf16 v_mac_f32_e32 v_fmac_legacy_f32 v_fma_dx9_zero_f32", K.FMA),
        ("v_add_f32_e32 v_sub_f16_e64 v_subrev_f32_dpp v_pk_mul_f32 v_pk_add_bf16 v_mul_legacy_f32 v_add_f64", K.MULADD),
        ("v_exp_f32_e32 v_rcp_iflag_f32 v_sqrt_f64 v_s_exp_f32 v_tanh_bf16 v_div_fmas_f32 v_ldexp_f32", K.ARITHMETIC),
        ("v_max3_f32 v_max3_num_f32 v_pk_maximum3_f16 v_med3_f16 v_minmax_f32 v_cmp_lt_f32_e32 v_cmpx_class_f64", K.ARITHMETIC),
        ("v_cvt_f32_f16_sdwa v_cvt_pk_bf16_f32 v_cvt_scalef32_pk_f32_fp4 v_pack_b32_f16 v_perm_b32 v_bfi_b32", K.CONVERSION),
        ("v_lshl_add_u64 v_mad_u64_u32 v_add_co_u32_e32 v_addc_co_u32_e32 v_add_co_ci_u32_e64 v_xad_u32", K.ADDRESS),
        ("v_and_b32 v_add3_u32 v_mul_lo_u32 v_lshlrev_b32_sdwa v_cmp_eq_u32_e32 v_pk_max_i16 v_bitop3_b32", K.INTEGER),
        ("v_mad_u32_u24 v_mad_legacy_u16 v_mbcnt_lo_u32_b32 v_max_i32_e32 v_pk_mad_u16", K.INTEGER),
        ("v_mov_b32_e32 v_pk_mov_b32 v_accvgpr_read_b32 v_accvgpr_write_b32 v_cndmask_b32_e64 v_readfirstlane_b32", K.MOVE),
        ("v_mov_b32_dpp v_permlanex16_b32 v_permlane32_swap_b32_e32 v_readlane_b32 ds_bpermute_b32 ds_swizzle_b32", K.SHUFFLE),
        ("s_add_u32 s_cmp_lt_i32 s_and_saveexec_b64 s_mul_i32 s_cselect_b32 s_fmac_f32 s_getpc_b64", K.SCALAR),
        ("s_waitcnt s_waitcnt_vscnt s_wait_loadcnt s_wait_dscnt s_wait_loadcnt_dscnt s_wait_asynccnt s_wait_idle", K.WAIT),
        ("s_barrier s_barrier_wait ds_gws_barrier", K.BARRIER),
        ("s_nop s_delay_alu s_clause s_setprio s_sleep s_set_vgpr_msb s_wait_alu s_waitcnt_depctr s_barrier_signal", K.CONTROL),
        ("v_nop s_sendmsg s_setreg_imm32_b32 s_getreg_b32 s_trap s_set_gpr_idx_on s_round_mode", K.CONTROL),
        ("s_branch s_cbranch_scc1 s_cbranch_vccz s_cbranch_execnz s_add_pc_i64", K.BRANCH),
        ("s_swappc_b64 s_call_b64 s_swap_pc_i64", K.CALL),
        ("s_endpgm s_endpgm_saved s_rfe_b64", K.RETURN),
        ("s_dcache_inv s_icache_inv buffer_gl0_inv buffer_wbl2 buffer_inv global_inv global_wb global_prefetch_b8", K.CACHE),
        ("s_prefetch_inst s_buffer_prefetch_data buffer_wbinvl1_vol", K.CACHE),
        ("ds_add_u32 ds_storexchg_rtn_b32 global_atomic_pk_add_bf16 buffer_atomic_add_x2 s_atomic_add image_atomic_add", K.ATOMIC),
        ("global_load_lds_dwordx4 global_load_async_to_lds_b128 tensor_load_to_lds global_store_async_from_lds_b32", K.COPY),
        ("image_sample lds_param_load tbuffer_load_format_xyzw cluster_load_b128 ds_read_addtid_b32", K.LOAD),
        ("v_mfma_ld_scale_b32", K.MOVE),
    ],
)  # fmt: skip
def test_kind(mnemonics, kind):
    for mnemonic in mnemonics.split():
        assert known(mnemonic)
        assert classify(mnemonic).kind is kind, mnemonic


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("v_alignbit_b32 v1, v2, v2, 7", K.INTEGER),
        ("v_alignbit_b32 v1, v2, v3, 16", K.CONVERSION),
        ("v_bfi_b32 v1, v2, v3, v4", K.INTEGER),
        ("v_bfi_b32 v1, 0xffff, v3, v4", K.CONVERSION),
    ],
)
def test_rotations_and_choices_by_bits_of_a_hash_convert_nothing(code, kind):
    row = entry(code)
    assert row is not None
    assert row[2].kind is kind


@pytest.mark.parametrize(
    ("mnemonic", "kind", "space", "bits"),
    [
        ("s_load_dwordx8", K.SCALAR_LOAD, M.CONSTANT, 256),
        ("s_buffer_load_b96", K.SCALAR_LOAD, M.CONSTANT, 96),
        ("ds_read_b64_tr_b16", K.LOAD, M.LOCAL, 64),
        ("ds_load_tr16_b128", K.LOAD, M.LOCAL, 128),
        ("ds_read2st64_b64", K.LOAD, M.LOCAL, 128),
        ("ds_load_2addr_b32", K.LOAD, M.LOCAL, 64),
        ("ds_read_u16_d16_hi", K.LOAD, M.LOCAL, 16),
        ("ds_write2_b32", K.STORE, M.LOCAL, 64),
        ("ds_store_b8_d16_hi", K.STORE, M.LOCAL, 8),
        ("ds_wrxchg2_rtn_b64", K.ATOMIC, M.LOCAL, 128),
        ("ds_pk_add_rtn_bf16", K.ATOMIC, M.LOCAL, 32),
        ("global_load_dwordx3", K.LOAD, M.GLOBAL, 96),
        ("global_load_d16_hi_b16", K.LOAD, M.GLOBAL, 16),
        ("buffer_load_ubyte", K.LOAD, M.GLOBAL, 8),
        ("buffer_load_sshort", K.LOAD, M.GLOBAL, 16),
        ("buffer_load_format_d16_xyz", K.LOAD, M.GLOBAL, 48),
        ("flat_store_dwordx2", K.STORE, M.GLOBAL, 64),
        ("global_atomic_cmpswap_x2", K.ATOMIC, M.GLOBAL, 64),
        ("global_atomic_add_f32", K.ATOMIC, M.GLOBAL, 32),
        ("scratch_store_b128", K.STACK, M.SCRATCH, 128),
        ("scratch_load_dword", K.STACK, M.SCRATCH, 32),
    ],
)
def test_memory(mnemonic, kind, space, bits):
    traits = classify(mnemonic)
    assert (traits.kind, traits.space, traits.memory_bits) == (kind, space, bits)
    assert traits.reads_memory == (kind is not K.STORE and "store" not in mnemonic)
    assert traits.writes_memory == (kind in (K.STORE, K.ATOMIC) or "store" in mnemonic)
    assert traits.stack == (kind is K.STACK)


@pytest.mark.parametrize(
    ("mnemonic", "macs", "bits"),
    [  # m × n × k × blocks; accumulator bits of a lane
        ("v_mfma_f32_32x32x8_f16", 32 * 32 * 8, 512),
        ("v_mfma_f32_32x32x8f16", 32 * 32 * 8, 512),
        ("v_mfma_f32_32x32x1f32", 32 * 32 * 2, 1024),  # two blocks, which the old name hides
        ("v_mfma_f32_32x32x1_2b_f32", 32 * 32 * 2, 1024),
        ("v_mfma_f32_4x4x4f16", 4 * 4 * 4 * 16, 128),
        ("v_mfma_f32_16x16x4bf16_1k", 16 * 16 * 4 * 4, 512),
        ("v_mfma_f64_4x4x4f64", 4 * 4 * 4 * 4, 64),
        ("v_mfma_f64_16x16x4_f64", 16 * 16 * 4, 256),
        ("v_mfma_i32_32x32x16i8", 32 * 32 * 16, 512),
        ("v_mfma_scale_f32_16x16x128_f8f6f4", 16 * 16 * 128, 128),
        ("v_smfmac_f32_32x32x16_f16", 32 * 32 * 16, 512),
        ("v_wmma_f32_16x16x16_f16", 16 * 16 * 16, 256),
        ("v_wmma_bf16f32_16x16x32_bf16", 16 * 16 * 32, 128),
        ("v_wmma_scale16_f32_32x16x128_f4", 32 * 16 * 128, 512),
        ("v_swmmac_i32_16x16x64_iu4", 16 * 16 * 64, 256),
    ],
)
def test_matrix(mnemonic, macs, bits):
    traits = classify(mnemonic)
    assert (traits.kind, traits.macs, traits.bits) == (K.MATRIX, macs, bits)


@pytest.mark.parametrize(
    ("mnemonic", "bits"),
    [("v_pk_fma_f32", 64), ("v_pk_fma_f16", 32), ("v_fma_f64", 64), ("v_fmac_f16_e32", 16), ("v_fma_mix_f32", 32),
     ("v_dot2_f32_f16", 32), ("v_lshl_add_u64", 64), ("v_accvgpr_read_b32", 32), ("v_pk_mov_b32", 32)],
)  # fmt: skip
def test_bits_of_a_lane(mnemonic, bits):
    assert classify(mnemonic).bits == bits


def test_operands_that_change_the_meaning():
    assert classify("buffer_load_dword", "v1, s[0:3], 0 offen").kind is K.LOAD
    copied = classify("buffer_load_dword", "v1, s[0:3], 0 offen lds")
    assert (copied.kind, copied.reads_memory, copied.writes_memory) == (K.COPY, True, True)
    assert classify("s_setpc_b64", "s[30:31]").kind is K.RETURN
    jump = classify("s_setpc_b64", "s[4:5]")
    assert jump.kind is K.BRANCH
    assert not jump.falls_through


def test_a_dual_pair_is_its_half_with_more_to_do():
    both = classify("v_dual_fmac_f32", "v0, v1, v2 :: v_dual_fmac_f32 v3, v4, v5")
    assert (both.kind, both.bits) == (K.FMA, 64)
    mixed = classify("v_dual_mov_b32", "v0, v1 :: v_dual_mul_f32 v3, v4, v5")
    assert (mixed.kind, mixed.bits) == (K.MULADD, 32)


@pytest.mark.parametrize("mnemonic", ["v_exp_f32_e32", "v_rsq_f64", "v_s_log_f32", "v_sin_f16"])
def test_transcendental(mnemonic):
    assert classify(mnemonic).transcendental
    assert not classify("v_floor_f32").transcendental


def test_a_vector_instruction_of_the_future_is_not_other():
    assert classify("v_frobnicate_u32").kind is K.INTEGER
    assert classify("s_frobnicate_b32").kind is K.SCALAR


@pytest.mark.parametrize("word", ["mov", "vaddps", "ld", "s", "v", "FFMA", "add_f32", ""])
def test_words_of_other_architectures_are_unknown(word):
    assert not known(word)
