	.amdgcn_target "amdgcn-amd-amdhsa--gfx1100"
	.amdhsa_code_object_version 6
	.text
	.p2align	2                               ; -- Begin function _Z6helperPKfPfi
	.type	_Z6helperPKfPfi,@function
_Z6helperPKfPfi:                        ; @_Z6helperPKfPfi
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mov_b32_e32 v5, 0
	s_mov_b32 s1, 0
	.p2align	6
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	flat_load_b32 v6, v[0:1]
	v_add_nc_u32_e32 v4, -1, v4
	v_add_co_u32 v0, vcc_lo, v0, 4
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v1, null, 0, v1, vcc_lo
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_f32_e32 v5, v5, v6
	v_cmp_eq_u32_e32 vcc_lo, 0, v4
	flat_store_b32 v[2:3], v5
	v_add_co_u32 v2, s0, v2, 4
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_add_co_ci_u32_e64 v3, null, 0, v3, s0
	s_or_b32 s1, vcc_lo, s1
	s_and_not1_b32 exec_lo, exec_lo, s1
	s_cbranch_execnz .LBB0_1
; %bb.2:
	s_or_b32 exec_lo, exec_lo, s1
	v_mov_b32_e32 v0, v5
	s_waitcnt lgkmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end0:
	.size	_Z6helperPKfPfi, .Lfunc_end0-_Z6helperPKfPfi
                                        ; -- End function
	.set .L_Z6helperPKfPfi.num_vgpr, 7
	.set .L_Z6helperPKfPfi.num_agpr, 0
	.set .L_Z6helperPKfPfi.numbered_sgpr, 32
	.set .L_Z6helperPKfPfi.num_named_barrier, 0
	.set .L_Z6helperPKfPfi.private_seg_size, 0
	.set .L_Z6helperPKfPfi.uses_vcc, 1
	.set .L_Z6helperPKfPfi.uses_flat_scratch, 0
	.set .L_Z6helperPKfPfi.has_dyn_sized_stack, 0
	.set .L_Z6helperPKfPfi.has_recursion, 0
	.set .L_Z6helperPKfPfi.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 164
; TotalNumSgprs: 34
; NumVgprs: 7
; ScratchSize: 0
; MemoryBound: 0
	.text
	.protected	calls                   ; -- Begin function calls
	.globl	calls
	.p2align	8
	.type	calls,@function
calls:                                  ; @calls
; %bb.0:
	s_mov_b64 s[2:3], s[0:1]
	v_mov_b32_e32 v9, v0
	s_clause 0x2
	s_load_b128 s[4:7], s[2:3], 0x0
	s_load_b64 s[8:9], s[2:3], 0x10
	s_load_b32 s10, s[2:3], 0x18
	s_mov_b64 s[0:1], src_shared_base
	v_xor_b32_e32 v0, 3, v9
	s_mov_b32 s32, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_lshlrev_b32_e32 v2, 2, v0
	v_lshlrev_b32_e32 v14, 2, v9
	s_waitcnt lgkmcnt(0)
	global_load_b32 v4, v14, s[4:5]
	s_bitcmp0_b32 s10, 0
	s_cselect_b32 s0, s7, s1
	s_cselect_b32 s1, s6, 0
	s_cmpk_lt_i32 s10, 0x65
	v_add_co_u32 v0, s11, s1, v14
	v_add_co_u32 v2, s1, s1, v2
	v_add_co_ci_u32_e64 v1, null, s0, 0, s11
	v_add_co_ci_u32_e64 v3, null, s0, 0, s1
	v_add_co_u32 v7, s0, s4, v14
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v8, null, s5, 0, s0
	s_waitcnt vmcnt(0)
	flat_store_b32 v[0:1], v4
	s_waitcnt lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	s_barrier
	buffer_gl0_inv
	flat_load_b32 v10, v[2:3]
	s_cbranch_scc1 .LBB1_2
; %bb.1:
	v_add_co_u32 v2, s0, s6, v14
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v3, null, s7, 0, s0
	v_dual_mov_b32 v0, v7 :: v_dual_mov_b32 v1, v8
	v_mov_b32_e32 v4, s10
	s_getpc_b64 s[0:1]
	s_add_u32 s0, s0, _Z6helperPKfPfi@rel32@lo+4
	s_addc_u32 s1, s1, _Z6helperPKfPfi@rel32@hi+12
	s_delay_alu instid0(SALU_CYCLE_1)
	s_swappc_b64 s[30:31], s[0:1]
	v_add_f32_e32 v10, v10, v0
.LBB1_2:
	v_lshlrev_b32_e32 v2, 3, v9
	s_load_b128 s[0:3], s[2:3], 0x20
	v_lshlrev_b32_e32 v3, 1, v9
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cvt_f64_f32_e32 v[4:5], v10
	s_cmp_lt_i32 s10, 1
	global_load_b64 v[0:1], v2, s[8:9]
	global_load_b32 v6, v3, s[0:1] offset:2
	v_add_co_u32 v11, s2, s2, v9
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v12, null, s3, 0, s2
	s_waitcnt vmcnt(1)
	v_add_f64 v[4:5], v[0:1], v[4:5]
	s_waitcnt vmcnt(0)
	v_mad_u16 v0.l, v6.l, 3, v6.h
	global_store_b16 v3, v0, s[0:1]
	global_store_b64 v2, v[4:5], s[8:9]
	s_clause 0x1
	global_load_d16_u8 v0, v[11:12], off offset:4
	global_load_d16_hi_u8 v0, v[11:12], off offset:9
	v_mad_u64_u32 v[4:5], null, v9, 12, v[7:8]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v15, vcc_lo, 0x1000, v4
	v_add_co_ci_u32_e64 v16, null, 0, v5, vcc_lo
	s_waitcnt vmcnt(0)
	v_add_nc_u16 v0.l, v0.h, v0.l
	global_store_b8 v[11:12], v0, off
	s_clause 0x1
	global_load_b128 v[4:7], v[4:5], off
	global_load_b128 v[15:18], v[15:16], off
	v_lshlrev_b32_e32 v0, 4, v9
	s_waitcnt vmcnt(0)
	v_fma_f32 v13, v7, v18, v10
	v_fma_f32 v12, v6, v17, v10
	v_fma_f32 v11, v5, v16, v10
	v_fmac_f32_e32 v10, v4, v15
	global_store_b128 v0, v[10:13], s[6:7]
	s_cbranch_scc1 .LBB1_10
; %bb.3:
	s_and_b32 s0, s10, 7
	s_cmp_lt_u32 s10, 8
	s_cbranch_scc1 .LBB1_7
; %bb.4:
	v_mul_u32_u24_e32 v4, 3, v9
	v_mul_u32_u24_e32 v5, 5, v9
	v_mul_u32_u24_e32 v6, 6, v9
	v_mul_u32_u24_e32 v7, 7, v9
	v_dual_mov_b32 v1, 0 :: v_dual_mov_b32 v8, 0
	s_and_b32 s1, s10, 0x7ffffff8
	s_mov_b32 s2, 0
	s_mov_b32 s3, 0
.LBB1_5:                                ; =>This Inner Loop Header: Depth=1
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_dual_mov_b32 v11, v1 :: v_dual_and_b32 v10, 0x1f8, v8
	v_dual_mov_b32 v16, v1 :: v_dual_add_nc_u32 v25, s3, v9
	v_dual_mov_b32 v22, v1 :: v_dual_add_nc_u32 v19, v14, v8
	v_lshlrev_b32_e32 v28, 2, v10
	v_add_nc_u32_e32 v12, v9, v8
	v_dual_mov_b32 v13, v1 :: v_dual_add_nc_u32 v0, s2, v9
	v_dual_mov_b32 v18, v1 :: v_dual_add_nc_u32 v15, v3, v8
	v_dual_mov_b32 v20, v1 :: v_dual_add_nc_u32 v17, v4, v8
	v_add_nc_u32_e32 v21, v5, v8
	v_add_nc_u32_e32 v26, v6, v8
	v_add_nc_u32_e32 v31, 1, v25
	v_add_nc_u32_e32 v33, 2, v25
	v_add_nc_u32_e32 v35, 3, v25
	v_and_b32_e32 v36, 0x1fc, v19
	ds_load_b32 v28, v28
	v_and_b32_e32 v29, 0xff, v25
	v_and_b32_e32 v30, 0x1ff, v12
	v_lshlrev_b64 v[23:24], 2, v[0:1]
	v_add_nc_u32_e32 v10, 0x100, v0
	v_and_b32_e32 v32, 0x1fe, v15
	v_add_nc_u32_e32 v12, 0x200, v0
	v_and_b32_e32 v34, 0x1ff, v17
	v_add_nc_u32_e32 v15, 0x300, v0
	v_add_nc_u32_e32 v37, 4, v25
	v_add_nc_u32_e32 v17, 0x400, v0
	v_and_b32_e32 v38, 0x1ff, v21
	v_add_nc_u32_e32 v39, 5, v25
	v_add_nc_u32_e32 v19, 0x500, v0
	v_and_b32_e32 v26, 0x1fe, v26
	v_add_nc_u32_e32 v40, 6, v25
	v_add_nc_u32_e32 v21, 0x600, v0
	v_add_nc_u32_e32 v25, 7, v25
	v_add_nc_u32_e32 v0, 0x700, v0
	v_lshlrev_b32_e32 v29, 2, v29
	v_and_b32_e32 v31, 0xff, v31
	v_and_b32_e32 v33, 0xff, v33
	v_and_b32_e32 v35, 0xff, v35
	v_lshlrev_b32_e32 v36, 2, v36
	v_lshlrev_b32_e32 v30, 2, v30
	v_lshlrev_b32_e32 v41, 2, v26
	v_and_b32_e32 v42, 0xff, v25
	v_lshlrev_b64 v[25:26], 2, v[0:1]
	ds_load_b32 v0, v29
	ds_load_b32 v29, v30
	v_lshlrev_b32_e32 v30, 2, v31
	v_lshlrev_b32_e32 v31, 2, v33
	v_lshlrev_b32_e32 v33, 2, v35
	ds_load_b32 v35, v36
	v_add_nc_u32_e32 v27, v7, v8
	v_and_b32_e32 v37, 0xff, v37
	v_and_b32_e32 v39, 0xff, v39
	v_and_b32_e32 v40, 0xff, v40
	v_lshlrev_b32_e32 v32, 2, v32
	v_and_b32_e32 v27, 0x1ff, v27
	v_lshlrev_b32_e32 v34, 2, v34
	v_lshlrev_b32_e32 v38, 2, v38
	v_lshlrev_b32_e32 v36, 2, v37
	v_lshlrev_b32_e32 v37, 2, v39
	v_lshlrev_b32_e32 v27, 2, v27
	v_lshlrev_b32_e32 v39, 2, v40
	v_lshlrev_b32_e32 v40, 2, v42
	ds_load_b32 v30, v30
	ds_load_b32 v32, v32
	ds_load_b32 v31, v31
	ds_load_b32 v34, v34
	ds_load_b32 v33, v33
	ds_load_b32 v36, v36
	ds_load_b32 v38, v38
	ds_load_b32 v37, v37
	ds_load_b32 v41, v41
	ds_load_b32 v39, v39
	ds_load_b32 v27, v27
	ds_load_b32 v40, v40
	v_lshlrev_b64 v[10:11], 2, v[10:11]
	v_lshlrev_b64 v[12:13], 2, v[12:13]
	v_add_co_u32 v23, vcc_lo, s6, v23
	s_waitcnt lgkmcnt(14)
	v_add_f32_e32 v0, v28, v0
	v_lshlrev_b64 v[17:18], 2, v[17:18]
	v_add_co_ci_u32_e64 v24, null, s7, v24, vcc_lo
	s_waitcnt lgkmcnt(11)
	v_add_f32_e32 v28, v29, v30
	v_add_co_u32 v10, vcc_lo, s6, v10
	s_waitcnt lgkmcnt(9)
	v_add_f32_e32 v29, v32, v31
	v_lshlrev_b64 v[19:20], 2, v[19:20]
	v_add_co_ci_u32_e64 v11, null, s7, v11, vcc_lo
	s_waitcnt lgkmcnt(4)
	v_add_f32_e32 v32, v38, v37
	v_lshlrev_b64 v[15:16], 2, v[15:16]
	v_add_co_u32 v12, vcc_lo, s6, v12
	v_lshlrev_b64 v[21:22], 2, v[21:22]
	v_add_co_ci_u32_e64 v13, null, s7, v13, vcc_lo
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v15, vcc_lo, s6, v15
	v_add_co_ci_u32_e64 v16, null, s7, v16, vcc_lo
	v_add_co_u32 v17, vcc_lo, s6, v17
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v18, null, s7, v18, vcc_lo
	v_add_co_u32 v19, vcc_lo, s6, v19
	v_dual_add_f32 v31, v35, v36 :: v_dual_add_nc_u32 v8, v8, v2
	s_add_i32 s3, s3, 8
	v_add_co_ci_u32_e64 v20, null, s7, v20, vcc_lo
	v_add_co_u32 v21, vcc_lo, s6, v21
	s_addk_i32 s2, 0x800
	s_cmp_eq_u32 s1, s3
	v_add_co_ci_u32_e64 v22, null, s7, v22, vcc_lo
	v_add_co_u32 v25, vcc_lo, s6, v25
	v_add_f32_e32 v30, v34, v33
	v_add_co_ci_u32_e64 v26, null, s7, v26, vcc_lo
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v33, v41, v39
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v27, v27, v40
	s_clause 0x7
	global_store_b32 v[23:24], v0, off
	global_store_b32 v[10:11], v28, off
	global_store_b32 v[12:13], v29, off
	global_store_b32 v[15:16], v30, off
	global_store_b32 v[17:18], v31, off
	global_store_b32 v[19:20], v32, off
	global_store_b32 v[21:22], v33, off
	global_store_b32 v[25:26], v27, off
	s_cbranch_scc0 .LBB1_5
; %bb.6:
	s_cmp_lg_u32 s0, 0
	s_cselect_b32 s2, -1, 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_b32 vcc_lo, exec_lo, s2
	s_cbranch_vccnz .LBB1_8
	s_branch .LBB1_10
.LBB1_7:
	s_mov_b32 s1, 0
	s_cbranch_execz .LBB1_10
.LBB1_8:
	v_mul_lo_u32 v2, v9, s1
	v_lshl_or_b32 v0, s1, 8, v9
	v_add_nc_u32_e32 v3, s1, v9
	v_mov_b32_e32 v1, 0
	.p2align	6
.LBB1_9:                                ; =>This Inner Loop Header: Depth=1
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_and_b32_e32 v4, 0x1ff, v2
	v_and_b32_e32 v5, 0xff, v3
	v_add_nc_u32_e32 v3, 1, v3
	v_add_nc_u32_e32 v2, v2, v9
	s_add_i32 s0, s0, -1
	v_lshlrev_b32_e32 v4, 2, v4
	v_lshlrev_b32_e32 v5, 2, v5
	s_cmp_lg_u32 s0, 0
	ds_load_b32 v6, v4
	ds_load_b32 v7, v5
	v_lshlrev_b64 v[4:5], 2, v[0:1]
	v_add_nc_u32_e32 v0, 0x100, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v4, vcc_lo, s6, v4
	v_add_co_ci_u32_e64 v5, null, s7, v5, vcc_lo
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v6, v6, v7
	global_store_b32 v[4:5], v6, off
	s_cbranch_scc1 .LBB1_9
.LBB1_10:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel calls
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 48
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 43
		.amdhsa_next_free_sgpr 33
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_workgroup_processor_mode 1
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_shared_vgpr_count 0
		.amdhsa_inst_pref_size 12
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
.Lfunc_end1:
	.size	calls, .Lfunc_end1-calls
                                        ; -- End function
	.set calls.num_vgpr, max(43, .L_Z6helperPKfPfi.num_vgpr)
	.set calls.num_agpr, max(0, .L_Z6helperPKfPfi.num_agpr)
	.set calls.numbered_sgpr, max(33, .L_Z6helperPKfPfi.numbered_sgpr)
	.set calls.num_named_barrier, max(0, .L_Z6helperPKfPfi.num_named_barrier)
	.set calls.private_seg_size, 0+max(.L_Z6helperPKfPfi.private_seg_size)
	.set calls.uses_vcc, or(1, .L_Z6helperPKfPfi.uses_vcc)
	.set calls.uses_flat_scratch, or(0, .L_Z6helperPKfPfi.uses_flat_scratch)
	.set calls.has_dyn_sized_stack, or(0, .L_Z6helperPKfPfi.has_dyn_sized_stack)
	.set calls.has_recursion, or(0, .L_Z6helperPKfPfi.has_recursion)
	.set calls.has_indirect_call, or(0, .L_Z6helperPKfPfi.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1532
; TotalNumSgprs: 35
; NumVgprs: 43
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 2048 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 5
; NumSGPRsForWavesPerEU: 35
; NumVGPRsForWavesPerEU: 43
; Occupancy: 16
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 15
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.p2alignl 7, 3214868480
	.fill 96, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 7
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_2eae7a1eab656428,@object ; @__hip_cuid_2eae7a1eab656428
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_2eae7a1eab656428
__hip_cuid_2eae7a1eab656428:
	.byte	0                               ; 0x0
	.size	__hip_cuid_2eae7a1eab656428, 1

	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_2eae7a1eab656428
	.amdgpu_metadata
---
amdhsa.kernels:
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .max_flat_workgroup_size: 256
    .name:           calls
    .private_segment_fixed_size: 0
    .sgpr_count:     35
    .sgpr_spill_count: 0
    .symbol:         calls.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     43
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1100
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
