	.amdgcn_target "amdgcn-amd-amdhsa--gfx908"
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
	v_ashrrev_i32_e32 v2, 31, v1
	v_lshlrev_b64 v[1:2], 2, v[1:2]
	v_lshlrev_b32_e32 v5, 2, v0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v4, s1
	v_add_co_u32_e32 v3, vcc, s0, v1
	v_addc_co_u32_e32 v4, vcc, v4, v2, vcc
	global_load_dword v4, v[3:4], off
	v_mov_b32_e32 v3, 0
	s_mov_b32 s0, 0
	s_waitcnt vmcnt(0)
	ds_write_b32 v5, v4
	v_mov_b32_e32 v4, 2
	s_waitcnt lgkmcnt(0)
	s_barrier
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	v_lshlrev_b32_sdwa v5, v4, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_mov_b32_e32 v6, s0
	ds_read_b32 v5, v5
	ds_read_b32 v6, v6
	s_add_i32 s0, s0, 4
	v_add_u32_e32 v0, 1, v0
	s_cmpk_eq_i32 s0, 0xc0
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v3, v5, v6
	s_cbranch_scc0 .LBB0_1
; %bb.2:
	v_mov_b32_e32 v4, s3
	v_add_co_u32_e32 v0, vcc, s2, v1
	v_addc_co_u32_e32 v1, vcc, v4, v2, vcc
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
; codeLenInByte = 164
; TotalNumSgprs: 11
; NumVgprs: 7
; NumAgprs: 0
; TotalNumVgprs: 7
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 1024 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 1
; NumSGPRsForWavesPerEU: 11
; NumVGPRsForWavesPerEU: 7
; Occupancy: 10
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
	s_mov_b64 s[14:15], s[2:3]
	s_mov_b64 s[12:13], s[0:1]
	s_load_dword s6, s[4:5], 0x10
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_add_u32 s12, s12, s7
	v_lshlrev_b32_e32 v22, 2, v0
	s_addc_u32 s13, s13, 0
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s7, s6, 31
	v_mov_b32_e32 v0, s1
	v_add_co_u32_e32 v1, vcc, s0, v22
	v_addc_co_u32_e32 v2, vcc, 0, v0, vcc
	s_lshl_b64 s[4:5], s[6:7], 2
	v_mov_b32_e32 v6, s5
	v_add_co_u32_e32 v0, vcc, s4, v1
	v_addc_co_u32_e32 v1, vcc, v2, v6, vcc
	v_add_co_u32_e32 v2, vcc, s4, v0
	global_load_dword v0, v[0:1], off
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	v_add_co_u32_e32 v4, vcc, s4, v2
	v_addc_co_u32_e32 v5, vcc, v3, v6, vcc
	v_add_co_u32_e32 v7, vcc, s4, v4
	v_addc_co_u32_e32 v8, vcc, v5, v6, vcc
	v_add_co_u32_e32 v9, vcc, s4, v7
	v_addc_co_u32_e32 v10, vcc, v8, v6, vcc
	v_add_co_u32_e32 v11, vcc, s4, v9
	v_addc_co_u32_e32 v12, vcc, v10, v6, vcc
	v_add_co_u32_e32 v14, vcc, s4, v11
	v_addc_co_u32_e32 v15, vcc, v12, v6, vcc
                                        ; kill: killed $vgpr11 killed $vgpr12
	v_cmp_lt_i64_e64 s[8:9], s[6:7], 1
	buffer_store_dword v22, off, s[12:15], 0 offset:8 ; 4-byte Folded Spill
	s_waitcnt vmcnt(1)
	v_accvgpr_write_b32 a9, v0
	global_load_dword v0, v[2:3], off
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a2, v0
	global_load_dword v26, v[4:5], off
	global_load_dword v21, v[7:8], off
	global_load_dword v17, v[9:10], off
                                        ; kill: killed $vgpr7 killed $vgpr8
                                        ; kill: killed $vgpr9 killed $vgpr10
	global_load_dword v0, v[11:12], off
	s_nop 0
	global_load_dword v10, v[14:15], off
	s_waitcnt vmcnt(1)
	buffer_store_dword v0, off, s[12:15], 0 ; 4-byte Folded Spill
	v_add_co_u32_e32 v0, vcc, s4, v14
	v_addc_co_u32_e32 v1, vcc, v15, v6, vcc
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v18, v[0:1], off
	global_load_dword v4, v[2:3], off
                                        ; kill: killed $vgpr0 killed $vgpr1
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v13, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v6, vcc
	global_load_dword v12, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v6, vcc
	global_load_dword v14, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v6, vcc
	global_load_dword v15, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v6, vcc
	global_load_dword v16, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v6, vcc
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v19, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v20, v[2:3], off
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v11, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v23, v[2:3], off
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v24, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v25, v[2:3], off
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v27, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v28, v[2:3], off
	v_add_co_u32_e32 v2, vcc, s4, v0
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	global_load_dword v29, v[0:1], off
	v_add_co_u32_e32 v0, vcc, s4, v2
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	global_load_dword v30, v[2:3], off
	v_add_co_u32_e32 v2, vcc, s4, v0
	global_load_dword v0, v[0:1], off
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	s_waitcnt vmcnt(16)
	v_accvgpr_write_b32 a19, v4
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[12:15], 0 offset:4 ; 4-byte Folded Spill
	v_add_co_u32_e32 v0, vcc, s4, v2
	global_load_dword v2, v[2:3], off
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a4, v2
	v_add_co_u32_e32 v2, vcc, s4, v0
	global_load_dword v0, v[0:1], off
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a5, v0
	v_add_co_u32_e32 v0, vcc, s4, v2
	global_load_dword v2, v[2:3], off
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a6, v2
	v_add_co_u32_e32 v2, vcc, s4, v0
	global_load_dword v0, v[0:1], off
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a7, v0
	v_add_co_u32_e32 v0, vcc, s4, v2
	global_load_dword v2, v[2:3], off
	v_addc_co_u32_e32 v1, vcc, v3, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a8, v2
	v_add_co_u32_e32 v2, vcc, s4, v0
	global_load_dword v0, v[0:1], off
	v_addc_co_u32_e32 v3, vcc, v1, v6, vcc
	v_add_co_u32_e32 v4, vcc, s4, v2
	v_addc_co_u32_e32 v5, vcc, v3, v6, vcc
	v_add_co_u32_e32 v7, vcc, s4, v4
	v_addc_co_u32_e32 v8, vcc, v5, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a10, v0
	global_load_dword v0, v[2:3], off
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a11, v0
	global_load_dword v0, v[4:5], off
	v_add_co_u32_e32 v4, vcc, s4, v7
	v_addc_co_u32_e32 v5, vcc, v8, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a1, v0
	global_load_dword v0, v[7:8], off
	v_add_co_u32_e32 v7, vcc, s4, v4
	v_addc_co_u32_e32 v8, vcc, v5, v6, vcc
	v_add_co_u32_e32 v1, vcc, s4, v7
	v_addc_co_u32_e32 v2, vcc, v8, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a13, v0
	global_load_dword v0, v[4:5], off
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a14, v0
	global_load_dword v0, v[7:8], off
	v_add_co_u32_e32 v8, vcc, s4, v1
	v_addc_co_u32_e32 v9, vcc, v2, v6, vcc
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a15, v0
	global_load_dword v0, v[1:2], off
	v_add_co_u32_e32 v1, vcc, s4, v8
	v_addc_co_u32_e32 v2, vcc, v9, v6, vcc
	s_and_b64 vcc, exec, s[8:9]
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a17, v0
	global_load_dword v0, v[8:9], off
	s_waitcnt vmcnt(0)
	v_accvgpr_write_b32 a18, v0
	global_load_dword v0, v[1:2], off
	global_load_dword v9, v22, s[0:1]
	s_waitcnt vmcnt(1)
	v_accvgpr_write_b32 a16, v0
	s_cbranch_vccnz .LBB1_4
; %bb.1:
	v_accvgpr_write_b32 a26, v11
	buffer_load_dword v11, off, s[12:15], 0 ; 4-byte Folded Reload
	buffer_load_dword v2, off, s[12:15], 0 offset:4 ; 4-byte Folded Reload
	v_accvgpr_write_b32 a20, v29
	v_accvgpr_write_b32 a21, v28
	v_accvgpr_write_b32 a22, v27
	v_accvgpr_write_b32 a23, v26
	v_accvgpr_write_b32 a24, v25
	v_accvgpr_write_b32 a25, v23
	v_accvgpr_write_b32 a27, v21
	v_accvgpr_write_b32 a28, v20
	v_accvgpr_write_b32 a29, v19
	v_accvgpr_write_b32 a30, v18
	v_accvgpr_write_b32 a31, v17
	v_accvgpr_write_b32 a3, v14
	v_accvgpr_write_b32 a12, v12
	s_waitcnt vmcnt(2)
	v_accvgpr_write_b32 a0, v9
	v_mov_b32_e32 v22, v24
	v_accvgpr_read_b32 v12, a19
	v_accvgpr_read_b32 v1, a2
	v_accvgpr_read_b32 v3, a4
	v_accvgpr_read_b32 v4, a5
	v_accvgpr_read_b32 v5, a6
	v_accvgpr_read_b32 v6, a7
	v_accvgpr_read_b32 v7, a8
	v_accvgpr_read_b32 v8, a9
	v_accvgpr_read_b32 v9, a10
	v_accvgpr_read_b32 v0, a11
	v_accvgpr_read_b32 v29, a1
	v_accvgpr_read_b32 v28, a13
	v_accvgpr_read_b32 v27, a14
	v_accvgpr_read_b32 v26, a15
	v_accvgpr_read_b32 v25, a16
	v_accvgpr_read_b32 v24, a17
	v_accvgpr_read_b32 v23, a18
.LBB1_2:                                ; =>This Inner Loop Header: Depth=1
	v_accvgpr_read_b32 v14, a0
	v_accvgpr_write_b32 a1, v16
	v_accvgpr_read_b32 v16, a30
	v_accvgpr_read_b32 v19, a26
	v_fma_f32 v14, v14, v8, 1.0
	v_fma_f32 v8, v8, v16, 1.0
	v_accvgpr_read_b32 v21, a21
	v_accvgpr_read_b32 v20, a23
	v_fma_f32 v16, v16, v19, 1.0
	v_fma_f32 v20, v20, v21, 1.0
	v_accvgpr_write_b32 a2, v15
	v_accvgpr_read_b32 v15, a31
	v_accvgpr_write_b32 a30, v16
	v_accvgpr_read_b32 v16, a1
	v_accvgpr_read_b32 v17, a29
	v_fma_f32 v15, v15, v26, 1.0
	v_accvgpr_write_b32 a23, v20
	s_waitcnt vmcnt(1)
	v_fma_f32 v11, v11, v20, 1.0
	v_accvgpr_read_b32 v20, a3
	v_fma_f32 v16, v16, v22, 1.0
	v_fma_f32 v1, v1, v17, 1.0
	v_fma_f32 v10, v10, v13, 1.0
	v_fma_f32 v13, v13, v9, 1.0
	v_fma_f32 v20, v20, v15, 1.0
	v_fma_f32 v17, v17, v3, 1.0
	v_fma_f32 v19, v19, v14, 1.0
	v_fma_f32 v22, v22, v16, 1.0
	v_fma_f32 v21, v21, v27, 1.0
	v_accvgpr_write_b32 a31, v15
	v_accvgpr_read_b32 v15, a2
	v_accvgpr_read_b32 v18, a27
	v_accvgpr_write_b32 a4, v13
	v_accvgpr_read_b32 v13, a12
	v_accvgpr_write_b32 a3, v20
	v_fma_f32 v15, v15, v20, 1.0
	v_accvgpr_write_b32 a29, v17
	v_accvgpr_read_b32 v17, a28
	v_accvgpr_write_b32 a26, v19
	v_accvgpr_read_b32 v19, a25
	v_accvgpr_read_b32 v20, a22
	v_accvgpr_write_b32 a1, v22
	v_accvgpr_read_b32 v22, a24
	v_accvgpr_write_b32 a21, v21
	v_accvgpr_read_b32 v21, a20
	v_fma_f32 v18, v18, v6, 1.0
	v_fma_f32 v13, v13, v23, 1.0
	v_fma_f32 v17, v17, v29, 1.0
	v_fma_f32 v19, v19, v10, 1.0
	v_fma_f32 v22, v22, v20, 1.0
	v_fma_f32 v20, v20, v5, 1.0
	v_fma_f32 v21, v21, v1, 1.0
	s_waitcnt vmcnt(0)
	v_fma_f32 v2, v2, v17, 1.0
	v_fma_f32 v12, v12, v30, 1.0
	v_accvgpr_write_b32 a0, v14
	v_accvgpr_write_b32 a22, v20
	v_accvgpr_write_b32 a28, v17
	v_accvgpr_write_b32 a20, v21
	v_fma_f32 v4, v4, v7, 1.0
	v_accvgpr_write_b32 a27, v18
	v_accvgpr_write_b32 a12, v13
	v_accvgpr_write_b32 a25, v19
	v_fma_f32 v0, v0, v2, 1.0
	v_fma_f32 v28, v28, v25, 1.0
	v_accvgpr_write_b32 a24, v22
	s_add_i32 s6, s6, -1
	v_fma_f32 v30, v30, v12, 1.0
	v_fma_f32 v3, v3, v21, 1.0
	v_fma_f32 v5, v5, v24, 1.0
	v_fma_f32 v6, v6, v18, 1.0
	v_fma_f32 v7, v7, v13, 1.0
	v_accvgpr_read_b32 v13, a4
	v_fma_f32 v9, v9, v19, 1.0
	v_fma_f32 v29, v29, v0, 1.0
	v_fma_f32 v27, v27, v11, 1.0
	v_fma_f32 v26, v26, v15, 1.0
	v_fma_f32 v24, v24, v22, 1.0
	v_accvgpr_read_b32 v22, a1
	v_fma_f32 v23, v23, v4, 1.0
	s_cmp_lg_u32 s6, 0
	v_fma_f32 v25, v25, v28, 1.0
	s_cbranch_scc1 .LBB1_2
; %bb.3:
	v_accvgpr_write_b32 a18, v23
	v_accvgpr_write_b32 a17, v24
	v_accvgpr_write_b32 a16, v25
	v_accvgpr_write_b32 a15, v26
	v_accvgpr_write_b32 a14, v27
	v_accvgpr_write_b32 a13, v28
	v_accvgpr_write_b32 a1, v29
	v_accvgpr_write_b32 a11, v0
	v_accvgpr_write_b32 a10, v9
	v_accvgpr_write_b32 a9, v8
	v_accvgpr_write_b32 a8, v7
	v_accvgpr_write_b32 a7, v6
	v_accvgpr_write_b32 a6, v5
	v_accvgpr_write_b32 a5, v4
	v_accvgpr_write_b32 a4, v3
	v_accvgpr_write_b32 a2, v1
	v_accvgpr_write_b32 a19, v12
	buffer_store_dword v11, off, s[12:15], 0 ; 4-byte Folded Spill
	v_accvgpr_read_b32 v12, a12
	v_accvgpr_read_b32 v14, a3
	v_accvgpr_read_b32 v17, a31
	v_accvgpr_read_b32 v18, a30
	v_accvgpr_read_b32 v19, a29
	v_accvgpr_read_b32 v20, a28
	v_accvgpr_read_b32 v21, a27
	v_accvgpr_read_b32 v11, a26
	v_accvgpr_read_b32 v23, a25
	v_mov_b32_e32 v24, v22
	v_accvgpr_read_b32 v25, a24
	v_accvgpr_read_b32 v26, a23
	v_accvgpr_read_b32 v27, a22
	v_accvgpr_read_b32 v28, a21
	v_accvgpr_read_b32 v29, a20
	v_accvgpr_read_b32 v9, a0
	buffer_store_dword v2, off, s[12:15], 0 offset:4 ; 4-byte Folded Spill
.LBB1_4:
	v_accvgpr_write_b32 a0, v12
	buffer_load_dword v12, off, s[12:15], 0 offset:8 ; 4-byte Folded Reload
	v_mov_b32_e32 v22, v13
	v_accvgpr_read_b32 v1, a9
	v_mov_b32_e32 v0, v30
	v_mov_b32_e32 v30, s5
	v_accvgpr_read_b32 v2, a4
	v_accvgpr_read_b32 v3, a5
	v_accvgpr_read_b32 v4, a6
	v_accvgpr_read_b32 v5, a7
	v_accvgpr_read_b32 v6, a8
	v_accvgpr_read_b32 v7, a10
	v_accvgpr_read_b32 v8, a11
	s_waitcnt vmcnt(0)
	global_store_dword v12, v9, s[2:3]
	v_mov_b32_e32 v9, s3
	v_add_co_u32_e32 v12, vcc, s2, v12
	v_addc_co_u32_e32 v13, vcc, 0, v9, vcc
	v_mov_b32_e32 v9, s5
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v9, vcc
	global_store_dword v[12:13], v1, off
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	v_accvgpr_read_b32 v1, a2
	s_nop 1
	global_store_dword v[12:13], v1, off
	buffer_load_dword v1, off, s[12:15], 0  ; 4-byte Folded Reload
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	global_store_dword v[12:13], v26, off
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	global_store_dword v[12:13], v21, off
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	global_store_dword v[12:13], v17, off
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	s_waitcnt vmcnt(3)
	global_store_dword v[12:13], v1, off
	v_add_co_u32_e32 v12, vcc, s4, v12
	v_addc_co_u32_e32 v13, vcc, v13, v30, vcc
	v_add_co_u32_e32 v9, vcc, s4, v12
	global_store_dword v[12:13], v10, off
	v_addc_co_u32_e32 v10, vcc, v13, v30, vcc
	global_store_dword v[9:10], v18, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	v_accvgpr_read_b32 v1, a19
	s_nop 1
	global_store_dword v[9:10], v1, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v22, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	v_accvgpr_read_b32 v1, a0
	s_nop 1
	global_store_dword v[9:10], v1, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v14, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v15, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v16, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v19, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v20, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v11, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v23, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v24, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v25, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v27, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v28, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v29, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v0, off
	buffer_load_dword v0, off, s[12:15], 0 offset:4 ; 4-byte Folded Reload
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	s_waitcnt vmcnt(0)
	global_store_dword v[9:10], v0, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v2, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v3, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v4, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v5, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v6, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	global_store_dword v[9:10], v7, off
	v_add_co_u32_e32 v9, vcc, s4, v9
	v_addc_co_u32_e32 v10, vcc, v10, v30, vcc
	v_add_co_u32_e32 v0, vcc, s4, v9
	v_addc_co_u32_e32 v1, vcc, v10, v30, vcc
	v_accvgpr_read_b32 v2, a1
	global_store_dword v[9:10], v8, off
	s_nop 0
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a13
	s_nop 1
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a14
	s_nop 1
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a15
	s_nop 1
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a17
	s_nop 1
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a18
	s_nop 1
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s4, v0
	v_addc_co_u32_e32 v1, vcc, v1, v30, vcc
	v_accvgpr_read_b32 v2, a16
	s_nop 1
	global_store_dword v[0:1], v2, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel crowded
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 16
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 61
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
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
	.set crowded.num_vgpr, 31
	.set crowded.num_agpr, 32
	.set crowded.numbered_sgpr, 16
	.set crowded.num_named_barrier, 0
	.set crowded.private_seg_size, 16
	.set crowded.uses_vcc, 1
	.set crowded.uses_flat_scratch, 0
	.set crowded.has_dyn_sized_stack, 0
	.set crowded.has_recursion, 0
	.set crowded.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3044
; TotalNumSgprs: 20
; NumVgprs: 31
; NumAgprs: 32
; TotalNumVgprs: 32
; ScratchSize: 16
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 8
; VGPRBlocks: 7
; NumSGPRsForWavesPerEU: 65
; NumVGPRsForWavesPerEU: 32
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.section	.AMDGPU.csdata,"",@progbits
	.type	__hip_cuid_674bef1e8e5b88b0,@object ; @__hip_cuid_674bef1e8e5b88b0
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_674bef1e8e5b88b0
__hip_cuid_674bef1e8e5b88b0:
	.byte	0                               ; 0x0
	.size	__hip_cuid_674bef1e8e5b88b0, 1

	.ident	"clang version 22.1.8"
	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_674bef1e8e5b88b0
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
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
    .sgpr_count:     11
    .sgpr_spill_count: 0
    .symbol:         window.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     7
    .vgpr_spill_count: 0
    .wavefront_size: 64
  - .agpr_count:     32
    .args:
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
    .private_segment_fixed_size: 16
    .sgpr_count:     20
    .sgpr_spill_count: 0
    .symbol:         crowded.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     32
    .vgpr_spill_count: 5
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx908
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
