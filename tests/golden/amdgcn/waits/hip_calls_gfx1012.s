	.amdgcn_target "amdgcn-amd-amdhsa--gfx1012"
	.amdhsa_code_object_version 6
	.text
	.p2align	2                               ; -- Begin function _Z6helperPKfPfi
	.type	_Z6helperPKfPfi,@function
_Z6helperPKfPfi:                        ; @_Z6helperPKfPfi
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_mov_b32_e32 v5, 0
	s_mov_b32 s5, 0
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	flat_load_dword v6, v[0:1]
	v_add_nc_u32_e32 v4, -1, v4
	v_add_co_u32 v0, vcc_lo, v0, 4
	v_add_co_ci_u32_e32 v1, vcc_lo, 0, v1, vcc_lo
	v_cmp_eq_u32_e32 vcc_lo, 0, v4
	s_or_b32 s5, vcc_lo, s5
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_add_f32_e32 v5, v5, v6
	flat_store_dword v[2:3], v5
	v_add_co_u32 v2, s4, v2, 4
	v_add_co_ci_u32_e64 v3, s4, 0, v3, s4
	s_andn2_b32 exec_lo, exec_lo, s5
	s_cbranch_execnz .LBB0_1
; %bb.2:
	s_or_b32 exec_lo, exec_lo, s5
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
; codeLenInByte = 104
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
	s_add_u32 s0, s0, s7
	s_mov_b64 s[6:7], s[4:5]
	v_mov_b32_e32 v9, v0
	s_clause 0x2
	s_load_dwordx4 s[8:11], s[6:7], 0x0
	s_load_dwordx2 s[12:13], s[6:7], 0x10
	s_load_dword s14, s[6:7], 0x18
	s_addc_u32 s1, s1, 0
	v_lshlrev_b32_e32 v14, 2, v9
	v_xor_b32_e32 v0, 3, v9
	s_mov_b64 s[4:5], src_shared_base
	s_mov_b32 s32, 0
	v_lshlrev_b32_e32 v2, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v4, v14, s[8:9]
	s_bitcmp0_b32 s14, 0
	s_cselect_b32 s4, s11, s5
	s_cselect_b32 s5, s10, 0
	s_cmpk_lt_i32 s14, 0x65
	v_add_co_u32 v0, s15, s5, v14
	v_add_co_u32 v2, s5, s5, v2
	v_add_co_ci_u32_e64 v1, s15, s4, 0, s15
	v_add_co_ci_u32_e64 v3, s4, s4, 0, s5
	v_add_co_u32 v7, s4, s8, v14
	v_add_co_ci_u32_e64 v8, s4, s9, 0, s4
	s_waitcnt vmcnt(0)
	flat_store_dword v[0:1], v4
	s_waitcnt lgkmcnt(0)
	s_waitcnt_vscnt null, 0x0
	s_barrier
	buffer_gl0_inv
	flat_load_dword v10, v[2:3]
	s_cbranch_scc1 .LBB1_2
; %bb.1:
	v_add_co_u32 v2, s4, s10, v14
	v_add_co_ci_u32_e64 v3, s4, s11, 0, s4
	v_mov_b32_e32 v0, v7
	v_mov_b32_e32 v1, v8
	v_mov_b32_e32 v4, s14
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, _Z6helperPKfPfi@rel32@lo+4
	s_addc_u32 s5, s5, _Z6helperPKfPfi@rel32@hi+12
	s_swappc_b64 s[30:31], s[4:5]
	v_add_f32_e32 v10, v10, v0
.LBB1_2:
	s_load_dwordx4 s[4:7], s[6:7], 0x20
	v_lshlrev_b32_e32 v2, 3, v9
	v_lshlrev_b32_e32 v3, 1, v9
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cvt_f64_f32_e32 v[4:5], v10
	s_cmp_lt_i32 s14, 1
	global_load_dwordx2 v[0:1], v2, s[12:13]
	global_load_dword v6, v3, s[4:5] offset:2
	s_waitcnt vmcnt(1)
	v_add_f64 v[0:1], v[0:1], v[4:5]
	s_waitcnt vmcnt(0)
	v_lshrrev_b32_e32 v4, 16, v6
	v_mad_u16 v6, v6, 3, v4
	v_add_co_u32 v4, s6, s6, v9
	v_add_co_ci_u32_e64 v5, s6, s7, 0, s6
	global_store_dwordx2 v2, v[0:1], s[12:13]
	global_store_short v3, v6, s[4:5]
	v_mad_u64_u32 v[0:1], s4, v9, 12, v[7:8]
	s_clause 0x1
	global_load_ubyte v6, v[4:5], off offset:4
	global_load_ubyte v11, v[4:5], off offset:9
	s_waitcnt vmcnt(0)
	v_add_nc_u16 v6, v11, v6
	v_add_co_u32 v11, vcc_lo, 0x1000, v0
	v_add_co_ci_u32_e32 v12, vcc_lo, 0, v1, vcc_lo
	global_store_byte v[4:5], v6, off
	s_clause 0x1
	global_load_dwordx4 v[4:7], v[0:1], off
	global_load_dwordx4 v[15:18], v[11:12], off
	v_lshlrev_b32_e32 v0, 4, v9
	s_waitcnt vmcnt(0)
	v_fma_f32 v13, v7, v18, v10
	v_fma_f32 v12, v6, v17, v10
	v_fma_f32 v11, v5, v16, v10
	v_fmac_f32_e32 v10, v4, v15
	global_store_dwordx4 v0, v[10:13], s[10:11]
	s_cbranch_scc1 .LBB1_10
; %bb.3:
	s_and_b32 s4, s14, 7
	s_cmp_lt_u32 s14, 8
	s_cbranch_scc1 .LBB1_7
; %bb.4:
	v_mul_u32_u24_e32 v4, 3, v9
	v_mul_u32_u24_e32 v5, 5, v9
	v_mul_u32_u24_e32 v6, 6, v9
	v_mul_u32_u24_e32 v7, 7, v9
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v8, 2
	v_mov_b32_e32 v10, 0
	s_and_b32 s5, s14, 0x7ffffff8
	s_mov_b32 s6, 0
	s_mov_b32 s7, 0
.LBB1_5:                                ; =>This Inner Loop Header: Depth=1
	v_and_b32_e32 v11, 0x1f8, v10
	v_add_nc_u32_e32 v0, s6, v9
	v_add_nc_u32_e32 v15, v9, v10
	v_add_nc_u32_e32 v17, v3, v10
	v_add_nc_u32_e32 v19, v4, v10
	v_add_nc_u32_e32 v21, v14, v10
	v_add_nc_u32_e32 v23, v5, v10
	v_add_nc_u32_e32 v13, s7, v9
	v_mov_b32_e32 v12, v1
	v_add_nc_u32_e32 v29, v6, v10
	v_add_nc_u32_e32 v30, v7, v10
	v_lshlrev_b32_e32 v31, 2, v11
	v_lshlrev_b64 v[25:26], 2, v[0:1]
	v_and_b32_e32 v33, 0x1ff, v15
	v_add_nc_u32_e32 v11, 0x100, v0
	v_and_b32_e32 v35, 0x1fe, v17
	v_add_nc_u32_e32 v15, 0x200, v0
	v_and_b32_e32 v37, 0x1ff, v19
	v_add_nc_u32_e32 v17, 0x300, v0
	v_and_b32_e32 v39, 0x1fc, v21
	v_add_nc_u32_e32 v19, 0x400, v0
	v_and_b32_e32 v41, 0x1ff, v23
	v_add_nc_u32_e32 v21, 0x500, v0
	v_add_nc_u32_e32 v23, 0x600, v0
	v_add_nc_u32_e32 v0, 0x700, v0
	v_mov_b32_e32 v16, v1
	v_add_nc_u32_e32 v34, 1, v13
	v_lshlrev_b32_sdwa v32, v8, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_add_nc_u32_e32 v36, 2, v13
	v_add_nc_u32_e32 v38, 3, v13
	v_add_nc_u32_e32 v40, 4, v13
	v_lshlrev_b64 v[11:12], 2, v[11:12]
	v_lshlrev_b64 v[27:28], 2, v[0:1]
	v_add_nc_u32_e32 v0, 5, v13
	v_and_b32_e32 v29, 0x1fe, v29
	v_add_nc_u32_e32 v42, 6, v13
	v_and_b32_e32 v30, 0x1ff, v30
	v_add_nc_u32_e32 v13, 7, v13
	v_mov_b32_e32 v18, v1
	v_lshlrev_b64 v[15:16], 2, v[15:16]
	v_add_co_u32 v25, vcc_lo, s10, v25
	v_lshlrev_b32_e32 v33, 2, v33
	v_mov_b32_e32 v20, v1
	v_lshlrev_b32_sdwa v34, v8, v34 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_add_co_ci_u32_e32 v26, vcc_lo, s11, v26, vcc_lo
	v_lshlrev_b32_e32 v35, 2, v35
	v_lshlrev_b32_sdwa v36, v8, v36 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b32_e32 v37, 2, v37
	v_lshlrev_b32_sdwa v38, v8, v38 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b32_e32 v39, 2, v39
	v_lshlrev_b32_sdwa v40, v8, v40 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b32_e32 v41, 2, v41
	v_lshlrev_b32_sdwa v0, v8, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b32_e32 v29, 2, v29
	v_lshlrev_b32_sdwa v42, v8, v42 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b32_e32 v30, 2, v30
	v_lshlrev_b32_sdwa v13, v8, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshlrev_b64 v[17:18], 2, v[17:18]
	v_add_co_u32 v11, vcc_lo, s10, v11
	s_waitcnt_vscnt null, 0x0
	ds_read_b32 v31, v31
	ds_read_b32 v32, v32
	ds_read_b32 v33, v33
	ds_read_b32 v34, v34
	ds_read_b32 v35, v35
	ds_read_b32 v36, v36
	ds_read_b32 v37, v37
	ds_read_b32 v38, v38
	ds_read_b32 v39, v39
	ds_read_b32 v40, v40
	ds_read_b32 v41, v41
	ds_read_b32 v0, v0
	ds_read_b32 v29, v29
	ds_read_b32 v42, v42
	ds_read_b32 v30, v30
	ds_read_b32 v13, v13
	v_mov_b32_e32 v22, v1
	v_add_co_ci_u32_e32 v12, vcc_lo, s11, v12, vcc_lo
	v_lshlrev_b64 v[19:20], 2, v[19:20]
	v_add_co_u32 v15, vcc_lo, s10, v15
	v_mov_b32_e32 v24, v1
	v_add_co_ci_u32_e32 v16, vcc_lo, s11, v16, vcc_lo
	v_lshlrev_b64 v[21:22], 2, v[21:22]
	v_add_co_u32 v17, vcc_lo, s10, v17
	v_add_co_ci_u32_e32 v18, vcc_lo, s11, v18, vcc_lo
	v_lshlrev_b64 v[23:24], 2, v[23:24]
	v_add_co_u32 v19, vcc_lo, s10, v19
	s_waitcnt lgkmcnt(14)
	v_add_f32_e32 v31, v31, v32
	v_add_co_ci_u32_e32 v20, vcc_lo, s11, v20, vcc_lo
	v_add_co_u32 v21, vcc_lo, s10, v21
	v_add_co_ci_u32_e32 v22, vcc_lo, s11, v22, vcc_lo
	v_add_co_u32 v23, vcc_lo, s10, v23
	v_add_nc_u32_e32 v10, v10, v2
	global_store_dword v[25:26], v31, off
	s_waitcnt lgkmcnt(12)
	v_add_f32_e32 v25, v33, v34
	s_add_i32 s7, s7, 8
	s_waitcnt lgkmcnt(10)
	v_add_f32_e32 v26, v35, v36
	v_add_co_ci_u32_e32 v24, vcc_lo, s11, v24, vcc_lo
	s_addk_i32 s6, 0x800
	s_waitcnt lgkmcnt(8)
	v_add_f32_e32 v31, v37, v38
	v_add_co_u32 v27, vcc_lo, s10, v27
	s_cmp_eq_u32 s5, s7
	s_waitcnt lgkmcnt(6)
	v_add_f32_e32 v32, v39, v40
	s_waitcnt lgkmcnt(4)
	v_add_f32_e32 v0, v41, v0
	v_add_co_ci_u32_e32 v28, vcc_lo, s11, v28, vcc_lo
	s_waitcnt lgkmcnt(2)
	v_add_f32_e32 v29, v29, v42
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v13, v30, v13
	global_store_dword v[11:12], v25, off
	global_store_dword v[15:16], v26, off
	global_store_dword v[17:18], v31, off
	global_store_dword v[19:20], v32, off
	global_store_dword v[21:22], v0, off
	global_store_dword v[23:24], v29, off
	global_store_dword v[27:28], v13, off
	s_cbranch_scc0 .LBB1_5
; %bb.6:
	s_cmp_lg_u32 s4, 0
	s_cselect_b32 s6, -1, 0
	s_and_b32 vcc_lo, exec_lo, s6
	s_cbranch_vccnz .LBB1_8
	s_branch .LBB1_10
.LBB1_7:
	s_mov_b32 s5, 0
	s_cbranch_execz .LBB1_10
.LBB1_8:
	v_mul_lo_u32 v2, v9, s5
	v_lshl_or_b32 v0, s5, 8, v9
	v_add_nc_u32_e32 v3, s5, v9
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v4, 2
.LBB1_9:                                ; =>This Inner Loop Header: Depth=1
	v_and_b32_e32 v5, 0x1ff, v2
	v_lshlrev_b32_sdwa v6, v4, v3 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_add_nc_u32_e32 v3, 1, v3
	v_add_nc_u32_e32 v2, v2, v9
	s_add_i32 s4, s4, -1
	v_lshlrev_b32_e32 v5, 2, v5
	s_cmp_lg_u32 s4, 0
	s_waitcnt_vscnt null, 0x0
	ds_read_b32 v7, v5
	ds_read_b32 v8, v6
	v_lshlrev_b64 v[5:6], 2, v[0:1]
	v_add_nc_u32_e32 v0, 0x100, v0
	v_add_co_u32 v5, vcc_lo, s10, v5
	v_add_co_ci_u32_e32 v6, vcc_lo, s11, v6, vcc_lo
	s_waitcnt lgkmcnt(0)
	v_add_f32_e32 v7, v7, v8
	global_store_dword v[5:6], v7, off
	s_cbranch_scc1 .LBB1_9
.LBB1_10:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel calls
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 48
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 43
		.amdhsa_next_free_sgpr 33
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
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
; codeLenInByte = 1472
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
; Occupancy: 20
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.p2alignl 6, 3214868480
	.fill 48, 4, 3214868480
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 7
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 32
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_f2b15e5c0051522,@object ; @__hip_cuid_f2b15e5c0051522
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_f2b15e5c0051522
__hip_cuid_f2b15e5c0051522:
	.byte	0                               ; 0x0
	.size	__hip_cuid_f2b15e5c0051522, 1

	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_f2b15e5c0051522
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
amdhsa.target:   amdgcn-amd-amdhsa--gfx1012
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
