	.amdgcn_target "amdgcn-amd-amdhsa--gfx1012"
	.amdhsa_code_object_version 6
	.text
	.protected	window                  ; -- Begin function window
	.globl	window
	.p2align	8
	.type	window,@function
window:                                 ; @window
; %bb.0:
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	v_lshl_or_b32 v1, s6, 8, v0
	v_lshlrev_b32_e32 v6, 2, v0
	v_ashrrev_i32_e32 v2, 31, v1
	v_lshlrev_b64 v[1:2], 2, v[1:2]
	s_waitcnt lgkmcnt(0)
	v_add_co_u32 v3, vcc_lo, s0, v1
	v_add_co_ci_u32_e32 v4, vcc_lo, s1, v2, vcc_lo
	s_mov_b32 s0, 0
	global_load_dword v5, v[3:4], off
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 2
	s_waitcnt vmcnt(0)
	ds_write_b32 v6, v5
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_gl0_inv
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	v_lshlrev_b32_sdwa v5, v4, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_mov_b32_e32 v6, s0
	v_add_nc_u32_e32 v0, 1, v0
	s_add_i32 s0, s0, 4
	ds_read_b32 v5, v5
	ds_read_b32 v6, v6
	s_cmpk_eq_i32 s0, 0xc0
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v3, v5, v6
	s_cbranch_scc0 .LBB0_1
; %bb.2:
	v_add_co_u32 v0, vcc_lo, s2, v1
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	s_waitcnt_vscnt null, 0x0
	global_store_dword v[0:1], v3, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel window
		.amdhsa_group_segment_fixed_size 1024
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 16
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
		.amdhsa_next_free_vgpr 7
		.amdhsa_next_free_sgpr 7
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
.Lfunc_end0:
	.size	window, .Lfunc_end0-window
                                        ; -- End function
	.set window.num_vgpr, 7
	.set window.num_agpr, 0
	.set window.numbered_sgpr, 7
	.set window.num_named_barrier, 0
	.set window.private_seg_size, 0
	.set window.uses_vcc, 1
	.set window.uses_flat_scratch, 0
	.set window.has_dyn_sized_stack, 0
	.set window.has_recursion, 0
	.set window.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 180
; TotalNumSgprs: 9
; NumVgprs: 7
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 9
; NumVGPRsForWavesPerEU: 7
; Occupancy: 20
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.protected	crowded                 ; -- Begin function crowded
	.globl	crowded
	.p2align	8
	.type	crowded,@function
crowded:                                ; @crowded
; %bb.0:
	s_clause 0x1
	s_load_dword s6, s[4:5], 0x10
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s7, s6, 31
	v_add_co_u32 v1, s4, s0, v0
	v_add_co_ci_u32_e64 v2, s4, s1, 0, s4
	s_lshl_b64 s[4:5], s[6:7], 2
	v_add_co_u32 v1, vcc_lo, v1, s4
	v_add_co_ci_u32_e32 v2, vcc_lo, s5, v2, vcc_lo
	v_add_co_u32 v3, vcc_lo, v1, s4
	v_add_co_ci_u32_e32 v4, vcc_lo, s5, v2, vcc_lo
	v_add_co_u32 v5, vcc_lo, v3, s4
	v_add_co_ci_u32_e32 v6, vcc_lo, s5, v4, vcc_lo
	v_add_co_u32 v7, vcc_lo, v5, s4
	v_add_co_ci_u32_e32 v8, vcc_lo, s5, v6, vcc_lo
	v_add_co_u32 v9, vcc_lo, v7, s4
	v_add_co_ci_u32_e32 v10, vcc_lo, s5, v8, vcc_lo
	v_add_co_u32 v11, vcc_lo, v9, s4
	v_add_co_ci_u32_e32 v12, vcc_lo, s5, v10, vcc_lo
	v_add_co_u32 v13, vcc_lo, v11, s4
	v_add_co_ci_u32_e32 v14, vcc_lo, s5, v12, vcc_lo
	s_clause 0x7
	global_load_dword v40, v0, s[0:1]
	global_load_dword v39, v[1:2], off
	global_load_dword v38, v[3:4], off
	; meta instruction
	; meta instruction
	; meta instruction
	global_load_dword v37, v[5:6], off
	global_load_dword v36, v[7:8], off
	global_load_dword v35, v[9:10], off
	global_load_dword v34, v[11:12], off
	; meta instruction
	; meta instruction
	; meta instruction
	; meta instruction
	global_load_dword v32, v[13:14], off
	v_add_co_u32 v15, vcc_lo, v13, s4
	v_add_co_ci_u32_e32 v16, vcc_lo, s5, v14, vcc_lo
	v_cmp_lt_i64_e64 s0, s[6:7], 1
	v_add_co_u32 v17, vcc_lo, v15, s4
	v_add_co_ci_u32_e32 v18, vcc_lo, s5, v16, vcc_lo
	s_clause 0x1
	global_load_dword v33, v[15:16], off
	global_load_dword v1, v[17:18], off
	v_add_co_u32 v19, vcc_lo, v17, s4
	v_add_co_ci_u32_e32 v20, vcc_lo, s5, v18, vcc_lo
	v_add_co_u32 v21, vcc_lo, v19, s4
	v_add_co_ci_u32_e32 v22, vcc_lo, s5, v20, vcc_lo
	global_load_dword v2, v[19:20], off
	v_add_co_u32 v23, vcc_lo, v21, s4
	v_add_co_ci_u32_e32 v24, vcc_lo, s5, v22, vcc_lo
	global_load_dword v3, v[21:22], off
	v_add_co_u32 v5, vcc_lo, v23, s4
	v_add_co_ci_u32_e32 v6, vcc_lo, s5, v24, vcc_lo
	global_load_dword v4, v[23:24], off
	v_add_co_u32 v7, vcc_lo, v5, s4
	v_add_co_ci_u32_e32 v8, vcc_lo, s5, v6, vcc_lo
	global_load_dword v5, v[5:6], off
	v_add_co_u32 v9, vcc_lo, v7, s4
	v_add_co_ci_u32_e32 v10, vcc_lo, s5, v8, vcc_lo
	global_load_dword v6, v[7:8], off
	v_add_co_u32 v11, vcc_lo, v9, s4
	v_add_co_ci_u32_e32 v12, vcc_lo, s5, v10, vcc_lo
	global_load_dword v7, v[9:10], off
	v_add_co_u32 v13, vcc_lo, v11, s4
	v_add_co_ci_u32_e32 v14, vcc_lo, s5, v12, vcc_lo
	global_load_dword v8, v[11:12], off
	v_add_co_u32 v15, vcc_lo, v13, s4
	v_add_co_ci_u32_e32 v16, vcc_lo, s5, v14, vcc_lo
	global_load_dword v9, v[13:14], off
	v_add_co_u32 v17, vcc_lo, v15, s4
	v_add_co_ci_u32_e32 v18, vcc_lo, s5, v16, vcc_lo
	global_load_dword v10, v[15:16], off
	v_add_co_u32 v19, vcc_lo, v17, s4
	v_add_co_ci_u32_e32 v20, vcc_lo, s5, v18, vcc_lo
	global_load_dword v11, v[17:18], off
	v_add_co_u32 v21, vcc_lo, v19, s4
	v_add_co_ci_u32_e32 v22, vcc_lo, s5, v20, vcc_lo
	global_load_dword v12, v[19:20], off
	v_add_co_u32 v23, vcc_lo, v21, s4
	v_add_co_ci_u32_e32 v24, vcc_lo, s5, v22, vcc_lo
	global_load_dword v13, v[21:22], off
	v_add_co_u32 v15, vcc_lo, v23, s4
	v_add_co_ci_u32_e32 v16, vcc_lo, s5, v24, vcc_lo
	global_load_dword v14, v[23:24], off
	v_add_co_u32 v17, vcc_lo, v15, s4
	v_add_co_ci_u32_e32 v18, vcc_lo, s5, v16, vcc_lo
	global_load_dword v15, v[15:16], off
	v_add_co_u32 v19, vcc_lo, v17, s4
	v_add_co_ci_u32_e32 v20, vcc_lo, s5, v18, vcc_lo
	global_load_dword v16, v[17:18], off
	v_add_co_u32 v21, vcc_lo, v19, s4
	v_add_co_ci_u32_e32 v22, vcc_lo, s5, v20, vcc_lo
	global_load_dword v17, v[19:20], off
	v_add_co_u32 v23, vcc_lo, v21, s4
	v_add_co_ci_u32_e32 v24, vcc_lo, s5, v22, vcc_lo
	global_load_dword v18, v[21:22], off
	v_add_co_u32 v25, vcc_lo, v23, s4
	v_add_co_ci_u32_e32 v26, vcc_lo, s5, v24, vcc_lo
	global_load_dword v19, v[23:24], off
	v_add_co_u32 v27, vcc_lo, v25, s4
	v_add_co_ci_u32_e32 v28, vcc_lo, s5, v26, vcc_lo
	global_load_dword v20, v[25:26], off
	v_add_co_u32 v29, vcc_lo, v27, s4
	v_add_co_ci_u32_e32 v30, vcc_lo, s5, v28, vcc_lo
	global_load_dword v21, v[27:28], off
	v_add_co_u32 v41, vcc_lo, v29, s4
	v_add_co_ci_u32_e32 v42, vcc_lo, s5, v30, vcc_lo
	global_load_dword v22, v[29:30], off
	v_add_co_u32 v43, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v44, vcc_lo, s5, v42, vcc_lo
	global_load_dword v23, v[41:42], off
	v_add_co_u32 v25, vcc_lo, v43, s4
	v_add_co_ci_u32_e32 v26, vcc_lo, s5, v44, vcc_lo
	global_load_dword v24, v[43:44], off
	v_add_co_u32 v27, vcc_lo, v25, s4
	v_add_co_ci_u32_e32 v28, vcc_lo, s5, v26, vcc_lo
	global_load_dword v25, v[25:26], off
	v_add_co_u32 v29, vcc_lo, v27, s4
	v_add_co_ci_u32_e32 v30, vcc_lo, s5, v28, vcc_lo
	global_load_dword v26, v[27:28], off
	v_add_co_u32 v41, vcc_lo, v29, s4
	v_add_co_ci_u32_e32 v42, vcc_lo, s5, v30, vcc_lo
	v_add_co_u32 v43, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v44, vcc_lo, s5, v42, vcc_lo
	v_add_co_u32 v45, vcc_lo, v43, s4
	v_add_co_ci_u32_e32 v46, vcc_lo, s5, v44, vcc_lo
	v_add_co_u32 v47, vcc_lo, v45, s4
	v_add_co_ci_u32_e32 v48, vcc_lo, s5, v46, vcc_lo
	global_load_dword v27, v[29:30], off
	global_load_dword v28, v[41:42], off
	global_load_dword v29, v[43:44], off
	global_load_dword v30, v[45:46], off
	global_load_dword v31, v[47:48], off
	s_and_b32 vcc_lo, exec_lo, s0
	s_cbranch_vccnz .LBB1_2
.LBB1_1:                                ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(3)
	v_fma_f32 v35, v35, v28, 1.0
	v_fma_f32 v8, v8, v25, 1.0
	v_fma_f32 v37, v37, v14, 1.0
	v_fma_f32 v38, v38, v7, 1.0
	v_fma_f32 v32, v32, v2, 1.0
	v_fma_f32 v4, v4, v35, 1.0
	v_fma_f32 v17, v17, v8, 1.0
	v_fma_f32 v40, v40, v39, 1.0
	v_fma_f32 v36, v36, v21, 1.0
	v_fma_f32 v34, v34, v37, 1.0
	v_fma_f32 v1, v1, v16, 1.0
	s_waitcnt vmcnt(1)
	v_fma_f32 v3, v3, v30, 1.0
	v_fma_f32 v5, v5, v4, 1.0
	v_fma_f32 v6, v6, v11, 1.0
	v_fma_f32 v10, v10, v32, 1.0
	v_fma_f32 v12, v12, v13, 1.0
	v_fma_f32 v15, v15, v38, 1.0
	v_fma_f32 v19, v19, v22, 1.0
	v_fma_f32 v24, v24, v17, 1.0
	s_waitcnt vmcnt(0)
	v_fma_f32 v26, v26, v31, 1.0
	v_fma_f32 v39, v39, v33, 1.0
	v_fma_f32 v33, v33, v9, 1.0
	v_fma_f32 v2, v2, v23, 1.0
	v_fma_f32 v7, v7, v18, 1.0
	v_fma_f32 v9, v9, v40, 1.0
	v_fma_f32 v11, v11, v6, 1.0
	v_fma_f32 v13, v13, v20, 1.0
	v_fma_f32 v14, v14, v27, 1.0
	v_fma_f32 v16, v16, v1, 1.0
	v_fma_f32 v18, v18, v15, 1.0
	v_fma_f32 v20, v20, v29, 1.0
	v_fma_f32 v21, v21, v36, 1.0
	v_fma_f32 v22, v22, v3, 1.0
	v_fma_f32 v23, v23, v10, 1.0
	v_fma_f32 v25, v25, v24, 1.0
	v_fma_f32 v27, v27, v34, 1.0
	v_fma_f32 v28, v28, v5, 1.0
	v_fma_f32 v29, v29, v12, 1.0
	v_fma_f32 v30, v30, v19, 1.0
	v_fma_f32 v31, v31, v26, 1.0
	s_add_i32 s6, s6, -1
	s_cmp_lg_u32 s6, 0
	s_cbranch_scc1 .LBB1_1
.LBB1_2:
	v_add_co_u32 v41, s0, s2, v0
	v_add_co_ci_u32_e64 v42, s0, s3, 0, s0
	s_waitcnt vmcnt(39)
	global_store_dword v0, v40, s[2:3]
	v_add_co_u32 v41, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v42, vcc_lo, s5, v42, vcc_lo
	v_add_co_u32 v43, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v44, vcc_lo, s5, v42, vcc_lo
	s_waitcnt vmcnt(38)
	global_store_dword v[41:42], v39, off
	v_add_co_u32 v45, vcc_lo, v43, s4
	v_add_co_ci_u32_e32 v46, vcc_lo, s5, v44, vcc_lo
	s_waitcnt vmcnt(37)
	global_store_dword v[43:44], v38, off
	v_add_co_u32 v47, vcc_lo, v45, s4
	v_add_co_ci_u32_e32 v48, vcc_lo, s5, v46, vcc_lo
	s_waitcnt vmcnt(36)
	global_store_dword v[45:46], v37, off
	v_add_co_u32 v49, vcc_lo, v47, s4
	v_add_co_ci_u32_e32 v50, vcc_lo, s5, v48, vcc_lo
	s_waitcnt vmcnt(35)
	global_store_dword v[47:48], v36, off
	v_add_co_u32 v39, vcc_lo, v49, s4
	v_add_co_ci_u32_e32 v40, vcc_lo, s5, v50, vcc_lo
	s_waitcnt vmcnt(34)
	global_store_dword v[49:50], v35, off
	v_add_co_u32 v41, vcc_lo, v39, s4
	v_add_co_ci_u32_e32 v42, vcc_lo, s5, v40, vcc_lo
	s_waitcnt vmcnt(33)
	global_store_dword v[39:40], v34, off
	v_add_co_u32 v37, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v38, vcc_lo, s5, v42, vcc_lo
	s_waitcnt vmcnt(32)
	global_store_dword v[41:42], v32, off
	v_add_co_u32 v43, vcc_lo, v37, s4
	v_add_co_ci_u32_e32 v44, vcc_lo, s5, v38, vcc_lo
	s_waitcnt vmcnt(31)
	global_store_dword v[37:38], v33, off
	v_add_co_u32 v35, vcc_lo, v43, s4
	v_add_co_ci_u32_e32 v36, vcc_lo, s5, v44, vcc_lo
	s_waitcnt vmcnt(30)
	global_store_dword v[43:44], v1, off
	v_add_co_u32 v39, vcc_lo, v35, s4
	v_add_co_ci_u32_e32 v40, vcc_lo, s5, v36, vcc_lo
	s_waitcnt vmcnt(29)
	global_store_dword v[35:36], v2, off
	v_add_co_u32 v41, vcc_lo, v39, s4
	v_add_co_ci_u32_e32 v42, vcc_lo, s5, v40, vcc_lo
	s_waitcnt vmcnt(28)
	global_store_dword v[39:40], v3, off
	v_add_co_u32 v32, vcc_lo, v41, s4
	v_add_co_ci_u32_e32 v33, vcc_lo, s5, v42, vcc_lo
	s_waitcnt vmcnt(27)
	global_store_dword v[41:42], v4, off
	v_add_co_u32 v0, vcc_lo, v32, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v33, vcc_lo
	s_waitcnt vmcnt(26)
	global_store_dword v[32:33], v5, off
	v_add_co_u32 v34, vcc_lo, v0, s4
	v_add_co_ci_u32_e32 v35, vcc_lo, s5, v1, vcc_lo
	s_waitcnt vmcnt(25)
	global_store_dword v[0:1], v6, off
	v_add_co_u32 v2, vcc_lo, v34, s4
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v35, vcc_lo
	s_waitcnt vmcnt(24)
	global_store_dword v[34:35], v7, off
	v_add_co_u32 v36, vcc_lo, v2, s4
	v_add_co_ci_u32_e32 v37, vcc_lo, s5, v3, vcc_lo
	s_waitcnt vmcnt(23)
	global_store_dword v[2:3], v8, off
	v_add_co_u32 v4, vcc_lo, v36, s4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v37, vcc_lo
	s_waitcnt vmcnt(22)
	global_store_dword v[36:37], v9, off
	v_add_co_u32 v0, vcc_lo, v4, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v5, vcc_lo
	s_waitcnt vmcnt(21)
	global_store_dword v[4:5], v10, off
	v_add_co_u32 v6, vcc_lo, v0, s4
	v_add_co_ci_u32_e32 v7, vcc_lo, s5, v1, vcc_lo
	s_waitcnt vmcnt(20)
	global_store_dword v[0:1], v11, off
	v_add_co_u32 v2, vcc_lo, v6, s4
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v7, vcc_lo
	s_waitcnt vmcnt(19)
	global_store_dword v[6:7], v12, off
	v_add_co_u32 v8, vcc_lo, v2, s4
	v_add_co_ci_u32_e32 v9, vcc_lo, s5, v3, vcc_lo
	s_waitcnt vmcnt(18)
	global_store_dword v[2:3], v13, off
	v_add_co_u32 v4, vcc_lo, v8, s4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v9, vcc_lo
	s_waitcnt vmcnt(17)
	global_store_dword v[8:9], v14, off
	v_add_co_u32 v0, vcc_lo, v4, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v5, vcc_lo
	s_waitcnt vmcnt(16)
	global_store_dword v[4:5], v15, off
	v_add_co_u32 v6, vcc_lo, v0, s4
	v_add_co_ci_u32_e32 v7, vcc_lo, s5, v1, vcc_lo
	s_waitcnt vmcnt(15)
	global_store_dword v[0:1], v16, off
	v_add_co_u32 v2, vcc_lo, v6, s4
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v7, vcc_lo
	s_waitcnt vmcnt(14)
	global_store_dword v[6:7], v17, off
	v_add_co_u32 v8, vcc_lo, v2, s4
	v_add_co_ci_u32_e32 v9, vcc_lo, s5, v3, vcc_lo
	s_waitcnt vmcnt(13)
	global_store_dword v[2:3], v18, off
	v_add_co_u32 v4, vcc_lo, v8, s4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v9, vcc_lo
	s_waitcnt vmcnt(12)
	global_store_dword v[8:9], v19, off
	v_add_co_u32 v0, vcc_lo, v4, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v5, vcc_lo
	s_waitcnt vmcnt(11)
	global_store_dword v[4:5], v20, off
	v_add_co_u32 v6, vcc_lo, v0, s4
	v_add_co_ci_u32_e32 v7, vcc_lo, s5, v1, vcc_lo
	s_waitcnt vmcnt(10)
	global_store_dword v[0:1], v21, off
	v_add_co_u32 v2, vcc_lo, v6, s4
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v7, vcc_lo
	s_waitcnt vmcnt(9)
	global_store_dword v[6:7], v22, off
	v_add_co_u32 v8, vcc_lo, v2, s4
	v_add_co_ci_u32_e32 v9, vcc_lo, s5, v3, vcc_lo
	s_waitcnt vmcnt(8)
	global_store_dword v[2:3], v23, off
	v_add_co_u32 v4, vcc_lo, v8, s4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v9, vcc_lo
	s_waitcnt vmcnt(7)
	global_store_dword v[8:9], v24, off
	v_add_co_u32 v0, vcc_lo, v4, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v5, vcc_lo
	s_waitcnt vmcnt(6)
	global_store_dword v[4:5], v25, off
	v_add_co_u32 v6, vcc_lo, v0, s4
	v_add_co_ci_u32_e32 v7, vcc_lo, s5, v1, vcc_lo
	s_waitcnt vmcnt(5)
	global_store_dword v[0:1], v26, off
	v_add_co_u32 v2, vcc_lo, v6, s4
	v_add_co_ci_u32_e32 v3, vcc_lo, s5, v7, vcc_lo
	v_add_co_u32 v8, vcc_lo, v2, s4
	v_add_co_ci_u32_e32 v9, vcc_lo, s5, v3, vcc_lo
	v_add_co_u32 v4, vcc_lo, v8, s4
	v_add_co_ci_u32_e32 v5, vcc_lo, s5, v9, vcc_lo
	v_add_co_u32 v0, vcc_lo, v4, s4
	v_add_co_ci_u32_e32 v1, vcc_lo, s5, v5, vcc_lo
	s_waitcnt vmcnt(4)
	global_store_dword v[6:7], v27, off
	s_waitcnt vmcnt(3)
	global_store_dword v[2:3], v28, off
	s_waitcnt vmcnt(2)
	global_store_dword v[8:9], v29, off
	s_waitcnt vmcnt(1)
	global_store_dword v[4:5], v30, off
	s_waitcnt vmcnt(0)
	global_store_dword v[0:1], v31, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel crowded
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 20
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
		.amdhsa_next_free_vgpr 57
		.amdhsa_next_free_sgpr 8
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
	.size	crowded, .Lfunc_end1-crowded
                                        ; -- End function
	.set crowded.num_vgpr, 51
	.set crowded.num_agpr, 0
	.set crowded.numbered_sgpr, 8
	.set crowded.num_named_barrier, 0
	.set crowded.private_seg_size, 0
	.set crowded.uses_vcc, 1
	.set crowded.uses_flat_scratch, 0
	.set crowded.has_dyn_sized_stack, 0
	.set crowded.has_recursion, 0
	.set crowded.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 2184
; TotalNumSgprs: 10
; NumVgprs: 51
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 7
; NumSGPRsForWavesPerEU: 10
; NumVGPRsForWavesPerEU: 57
; Occupancy: 16
; WaveLimiterHint : 0
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
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_e04f6d5fd821fe20,@object ; @__hip_cuid_e04f6d5fd821fe20
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_e04f6d5fd821fe20
__hip_cuid_e04f6d5fd821fe20:
	.byte	0                               ; 0x0
	.size	__hip_cuid_e04f6d5fd821fe20, 1

	.ident	"clang version 22.1.8"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_e04f6d5fd821fe20
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
    .group_segment_fixed_size: 1024
    .kernarg_segment_align: 8
    .kernarg_segment_size: 16
    .max_flat_workgroup_size: 256
    .name:           window
    .private_segment_fixed_size: 0
    .sgpr_count:     9
    .sgpr_spill_count: 0
    .symbol:         window.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     7
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 1024
    .name:           crowded
    .private_segment_fixed_size: 0
    .sgpr_count:     10
    .sgpr_spill_count: 0
    .symbol:         crowded.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     51
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1012
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
