	.amdgcn_target "amdgcn-amd-amdhsa--gfx1012"
	.amdhsa_code_object_version 6
	.text
	.protected	array                   ; -- Begin function array
	.globl	array
	.p2align	8
	.type	array,@function
array:                                  ; @array
; %bb.0:
	s_clause 0x1
	s_load_dword s6, s[4:5], 0x10
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	s_add_u32 s0, s0, s7
	s_addc_u32 s1, s1, 0
	s_mov_b32 s14, 0
	s_waitcnt lgkmcnt(0)
	s_ashr_i32 s7, s6, 31
	s_mov_b64 s[12:13], s[8:9]
	s_lshl_b64 s[4:5], s[6:7], 2
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	s_load_dword s7, s[12:13], 0x0
	v_mov_b32_e32 v1, s14
	s_add_i32 s14, s14, 4
	s_add_u32 s12, s12, s4
	s_addc_u32 s13, s13, s5
	s_cmpk_eq_i32 s14, 0x100
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s7
	buffer_store_dword v2, v1, s[0:3], 0 offen
	s_cbranch_scc0 .LBB0_1
; %bb.2:
	v_lshlrev_b32_e32 v0, 2, v0
	s_cmp_lt_i32 s6, 1
	global_load_dword v1, v0, s[10:11]
	s_cbranch_scc1 .LBB0_5
; %bb.3:
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v2, v1
.LBB0_4:                                ; =>This Inner Loop Header: Depth=1
	v_and_b32_e32 v3, 63, v2
	v_add_nc_u32_e32 v2, 1, v2
	s_add_i32 s6, s6, -1
	s_cmp_eq_u32 s6, 0
	v_lshl_add_u32 v3, v3, 2, 0
	buffer_load_dword v4, v3, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v4, 1.0, v4
	buffer_store_dword v4, v3, s[0:3], 0 offen
	s_cbranch_scc0 .LBB0_4
.LBB0_5:
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v1, 63, v1
	v_lshl_add_u32 v1, v1, 2, 0
	buffer_load_dword v1, v1, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	global_store_dword v0, v1, s[8:9]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel array
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 272
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
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 5
		.amdhsa_next_free_sgpr 15
		.amdhsa_reserve_vcc 0
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
	.size	array, .Lfunc_end0-array
                                        ; -- End function
	.set array.num_vgpr, 5
	.set array.num_agpr, 0
	.set array.numbered_sgpr, 15
	.set array.num_named_barrier, 0
	.set array.private_seg_size, 272
	.set array.uses_vcc, 0
	.set array.uses_flat_scratch, 0
	.set array.has_dyn_sized_stack, 0
	.set array.has_recursion, 0
	.set array.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 228
; TotalNumSgprs: 15
; NumVgprs: 5
; ScratchSize: 272
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 15
; NumVGPRsForWavesPerEU: 5
; Occupancy: 20
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.protected	spills                  ; -- Begin function spills
	.globl	spills
	.p2align	8
	.type	spills,@function
spills:                                 ; @spills
; %bb.0:
	s_mov_b64 s[10:11], s[2:3]
	s_mov_b64 s[8:9], s[0:1]
	s_clause 0x1
	s_load_dword s6, s[4:5], 0x10
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	v_mov_b32_e32 v10, 0
	s_add_u32 s8, s8, s7
	s_addc_u32 s9, s9, 0
	buffer_store_dword v0, off, s[8:11], 0  ; 4-byte Folded Spill
	s_waitcnt lgkmcnt(0)
	v_add_nc_u32_e32 v9, s6, v0
	s_cmp_lt_i32 s6, 1
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:96 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:100 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	v_lshlrev_b64 v[2:3], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	global_load_dword v0, v[0:1], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:72 ; 4-byte Folded Spill
	v_add_co_u32 v0, vcc_lo, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:104 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[8:11], 0 offset:108 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v3, vcc_lo
	v_lshlrev_b64 v[2:3], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	global_load_dword v15, v[0:1], off
	v_add_co_u32 v0, vcc_lo, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:112 ; 4-byte Folded Spill
	buffer_store_dword v3, off, s[8:11], 0 offset:116 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v3, vcc_lo
	global_load_dword v14, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:120 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:124 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v23, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:128 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:132 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v17, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:136 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:140 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v18, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:144 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:148 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v19, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:152 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:156 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v16, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:160 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:164 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v0, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:8 ; 4-byte Folded Spill
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:168 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:172 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v0, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:12 ; 4-byte Folded Spill
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:176 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:180 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v21, v[0:1], off
	v_lshlrev_b64 v[1:2], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v0, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:184 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:188 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v1, vcc_lo, s3, v2, vcc_lo
	global_load_dword v22, v[0:1], off
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v2, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:192 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:196 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v3, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[2:3], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:16 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v3, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:200 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:204 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v4, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[3:4], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:20 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v3, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:208 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:212 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v4, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[3:4], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:24 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v3, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:216 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:220 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v4, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[3:4], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:28 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v4, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:224 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:228 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v5, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[4:5], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:76 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_nc_u32_e32 v9, s6, v9
	v_add_co_u32 v5, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:232 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:236 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, v9
	v_mov_b32_e32 v4, v10
	v_add_nc_u32_e32 v3, s6, v3
	v_add_co_ci_u32_e32 v6, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[5:6], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:80 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[9:10]
	v_add_co_u32 v7, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:240 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:244 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v8, vcc_lo, s3, v1, vcc_lo
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	global_load_dword v20, v[7:8], off
	v_add_co_u32 v9, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:256 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:260 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v10, vcc_lo, s3, v1, vcc_lo
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	global_load_dword v10, v[9:10], off
	v_add_co_u32 v11, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:264 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:268 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v12, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[11:12], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:84 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	v_add_co_u32 v11, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:280 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:284 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v12, vcc_lo, s3, v1, vcc_lo
	global_load_dword v0, v[11:12], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v0, off, s[8:11], 0 offset:4 ; 4-byte Folded Spill
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	v_add_co_u32 v12, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:296 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:300 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v13, vcc_lo, s3, v1, vcc_lo
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	global_load_dword v9, v[12:13], off
	v_add_co_u32 v12, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:248 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:252 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v13, vcc_lo, s3, v1, vcc_lo
	v_lshlrev_b64 v[0:1], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	global_load_dword v8, v[12:13], off
	v_add_co_u32 v12, vcc_lo, s2, v0
	buffer_store_dword v0, off, s[8:11], 0 offset:272 ; 4-byte Folded Spill
	buffer_store_dword v1, off, s[8:11], 0 offset:276 ; 4-byte Folded Spill
	s_waitcnt vmcnt(0)
	buffer_store_dword v8, off, s[8:11], 0 offset:32 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v13, vcc_lo, s3, v1, vcc_lo
	v_lshlrev_b64 v[1:2], 2, v[3:4]
	v_add_nc_u32_e32 v3, s6, v3
	global_load_dword v0, v[12:13], off
	v_add_co_u32 v12, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:288 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:292 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v13, vcc_lo, s3, v2, vcc_lo
	global_load_dword v1, v[12:13], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v1, off, s[8:11], 0 offset:88 ; 4-byte Folded Spill
	v_lshlrev_b64 v[1:2], 2, v[3:4]
	v_add_co_u32 v12, vcc_lo, s2, v1
	buffer_store_dword v1, off, s[8:11], 0 offset:304 ; 4-byte Folded Spill
	buffer_store_dword v2, off, s[8:11], 0 offset:308 ; 4-byte Folded Spill
	v_add_co_ci_u32_e32 v13, vcc_lo, s3, v2, vcc_lo
	global_load_dword v1, v[12:13], off
	s_waitcnt vmcnt(0)
	buffer_store_dword v1, off, s[8:11], 0 offset:92 ; 4-byte Folded Spill
	buffer_load_dword v1, off, s[8:11], 0   ; 4-byte Folded Reload
	s_waitcnt vmcnt(0)
	v_lshlrev_b32_e32 v2, 2, v1
	global_load_dword v13, v2, s[2:3]
	s_cbranch_scc1 .LBB1_4
; %bb.1:
	buffer_store_dword v22, off, s[8:11], 0 offset:44 ; 4-byte Folded Spill
	buffer_store_dword v21, off, s[8:11], 0 offset:56 ; 4-byte Folded Spill
	buffer_store_dword v14, off, s[8:11], 0 ; 4-byte Folded Spill
	v_mov_b32_e32 v5, v0
	s_waitcnt vmcnt(0)
	v_mov_b32_e32 v22, v13
	s_clause 0x3                            ; 16-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:84
	buffer_load_dword v7, off, s[8:11], 0 offset:88
	buffer_load_dword v0, off, s[8:11], 0 offset:4
	buffer_load_dword v11, off, s[8:11], 0 offset:92
	buffer_store_dword v2, off, s[8:11], 0 offset:312 ; 4-byte Folded Spill
	buffer_store_dword v16, off, s[8:11], 0 offset:36 ; 4-byte Folded Spill
	buffer_store_dword v19, off, s[8:11], 0 offset:40 ; 4-byte Folded Spill
	buffer_store_dword v18, off, s[8:11], 0 offset:48 ; 4-byte Folded Spill
	buffer_store_dword v23, off, s[8:11], 0 offset:60 ; 4-byte Folded Spill
	buffer_store_dword v17, off, s[8:11], 0 offset:64 ; 4-byte Folded Spill
	s_clause 0x2                            ; 12-byte Folded Reload
	buffer_load_dword v23, off, s[8:11], 0 offset:72
	buffer_load_dword v6, off, s[8:11], 0 offset:76
	buffer_load_dword v8, off, s[8:11], 0 offset:80
	v_mov_b32_e32 v18, v15
	v_mov_b32_e32 v3, v9
	buffer_store_dword v20, off, s[8:11], 0 offset:68 ; 4-byte Folded Spill
	buffer_store_dword v10, off, s[8:11], 0 offset:52 ; 4-byte Folded Spill
.LBB1_2:                                ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(4)
	buffer_store_dword v0, off, s[8:11], 0 offset:4 ; 4-byte Folded Spill
	v_mov_b32_e32 v19, v3
	s_clause 0x2                            ; 12-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:40
	buffer_load_dword v14, off, s[8:11], 0 offset:24
	buffer_load_dword v21, off, s[8:11], 0 offset:28
	s_waitcnt vmcnt(4)
	v_mov_b32_e32 v1, v6
	buffer_load_dword v6, off, s[8:11], 0 offset:8 ; 4-byte Folded Reload
	v_mov_b32_e32 v0, v7
	buffer_load_dword v7, off, s[8:11], 0 offset:20 ; 4-byte Folded Reload
	s_load_dword s4, s[2:3], 0x0
	v_mov_b32_e32 v20, v22
	v_mov_b32_e32 v22, v5
	buffer_load_dword v5, off, s[8:11], 0 offset:36 ; 4-byte Folded Reload
	v_mov_b32_e32 v4, v23
	s_clause 0x5                            ; 24-byte Folded Reload
	buffer_load_dword v12, off, s[8:11], 0
	buffer_load_dword v2, off, s[8:11], 0 offset:12
	buffer_load_dword v23, off, s[8:11], 0 offset:44
	buffer_load_dword v16, off, s[8:11], 0 offset:64
	buffer_load_dword v9, off, s[8:11], 0 offset:48
	buffer_load_dword v10, off, s[8:11], 0 offset:16
	s_add_i32 s6, s6, -1
	s_add_u32 s2, s2, 4
	s_addc_u32 s3, s3, 0
	s_cmp_lg_u32 s6, 0
	s_waitcnt vmcnt(11) lgkmcnt(0)
	v_fma_f32 v20, v20, v3, s4
	s_waitcnt vmcnt(7)
	v_fma_f32 v3, v3, v7, s4
	v_fma_f32 v7, v7, v13, s4
	v_fma_f32 v13, v13, v20, s4
	s_waitcnt vmcnt(6)
	v_fma_f32 v4, v4, v5, s4
	v_fma_f32 v5, v5, v14, s4
	buffer_store_dword v7, off, s[8:11], 0 offset:20 ; 4-byte Folded Spill
	v_mov_b32_e32 v7, v0
	buffer_load_dword v0, off, s[8:11], 0 offset:4 ; 4-byte Folded Reload
	v_fma_f32 v15, v18, v6, s4
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v18, off, s[8:11], 0 offset:56
	buffer_load_dword v17, off, s[8:11], 0 offset:60
	buffer_store_dword v5, off, s[8:11], 0 offset:36 ; 4-byte Folded Spill
	v_mov_b32_e32 v5, v22
	buffer_load_dword v22, off, s[8:11], 0 offset:68 ; 4-byte Folded Reload
	buffer_store_dword v3, off, s[8:11], 0 offset:40 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, v19
	buffer_load_dword v19, off, s[8:11], 0 offset:52 ; 4-byte Folded Reload
	v_fma_f32 v6, v6, v21, s4
	s_waitcnt vmcnt(9)
	v_fma_f32 v12, v12, v2, s4
	s_waitcnt vmcnt(7)
	v_fma_f32 v16, v16, v23, s4
	s_waitcnt vmcnt(5)
	v_fma_f32 v9, v9, v10, s4
	v_fma_f32 v21, v21, v3, s4
	buffer_store_dword v6, off, s[8:11], 0 offset:8 ; 4-byte Folded Spill
	v_mov_b32_e32 v6, v1
	buffer_store_dword v12, off, s[8:11], 0 ; 4-byte Folded Spill
	buffer_store_dword v16, off, s[8:11], 0 offset:64 ; 4-byte Folded Spill
	buffer_store_dword v21, off, s[8:11], 0 offset:28 ; 4-byte Folded Spill
	buffer_store_dword v9, off, s[8:11], 0 offset:48 ; 4-byte Folded Spill
	v_fma_f32 v2, v2, v6, s4
	buffer_store_dword v2, off, s[8:11], 0 offset:12 ; 4-byte Folded Spill
	s_waitcnt vmcnt(4)
	v_fma_f32 v14, v14, v0, s4
	v_fma_f32 v0, v0, v4, s4
	s_waitcnt vmcnt(2)
	v_fma_f32 v17, v17, v18, s4
	v_fma_f32 v18, v18, v8, s4
	v_fma_f32 v8, v8, v5, s4
	s_waitcnt vmcnt(1)
	v_fma_f32 v23, v23, v22, s4
	v_fma_f32 v22, v22, v7, s4
	v_fma_f32 v5, v5, v17, s4
	buffer_store_dword v18, off, s[8:11], 0 offset:56 ; 4-byte Folded Spill
	v_mov_b32_e32 v18, v15
	buffer_load_dword v15, off, s[8:11], 0 offset:32 ; 4-byte Folded Reload
	buffer_store_dword v23, off, s[8:11], 0 offset:44 ; 4-byte Folded Spill
	s_waitcnt vmcnt(1)
	v_fma_f32 v10, v10, v19, s4
	buffer_store_dword v22, off, s[8:11], 0 offset:68 ; 4-byte Folded Spill
	v_fma_f32 v19, v19, v11, s4
	v_mov_b32_e32 v22, v20
	v_mov_b32_e32 v23, v4
	v_fma_f32 v3, v3, v18, s4
	v_fma_f32 v7, v7, v16, s4
	v_fma_f32 v11, v11, v9, s4
	buffer_store_dword v10, off, s[8:11], 0 offset:16 ; 4-byte Folded Spill
	buffer_store_dword v14, off, s[8:11], 0 offset:24 ; 4-byte Folded Spill
	buffer_store_dword v19, off, s[8:11], 0 offset:52 ; 4-byte Folded Spill
	s_waitcnt vmcnt(0)
	v_fma_f32 v6, v6, v15, s4
	v_fma_f32 v15, v15, v12, s4
	buffer_store_dword v15, off, s[8:11], 0 offset:32 ; 4-byte Folded Spill
	buffer_store_dword v17, off, s[8:11], 0 offset:60 ; 4-byte Folded Spill
	s_cbranch_scc1 .LBB1_2
; %bb.3:
	buffer_store_dword v11, off, s[8:11], 0 offset:92 ; 4-byte Folded Spill
	buffer_store_dword v0, off, s[8:11], 0 offset:4 ; 4-byte Folded Spill
	buffer_store_dword v7, off, s[8:11], 0 offset:88 ; 4-byte Folded Spill
	buffer_store_dword v13, off, s[8:11], 0 offset:84 ; 4-byte Folded Spill
	buffer_store_dword v8, off, s[8:11], 0 offset:80 ; 4-byte Folded Spill
	buffer_store_dword v6, off, s[8:11], 0 offset:76 ; 4-byte Folded Spill
	buffer_store_dword v23, off, s[8:11], 0 offset:72 ; 4-byte Folded Spill
	v_mov_b32_e32 v15, v18
	s_clause 0xa                            ; 44-byte Folded Reload
	buffer_load_dword v17, off, s[8:11], 0 offset:64
	buffer_load_dword v18, off, s[8:11], 0 offset:60
	buffer_load_dword v19, off, s[8:11], 0 offset:48
	buffer_load_dword v16, off, s[8:11], 0 offset:40
	buffer_load_dword v21, off, s[8:11], 0 offset:36
	buffer_load_dword v23, off, s[8:11], 0 offset:56
	buffer_load_dword v8, off, s[8:11], 0 offset:44
	buffer_load_dword v14, off, s[8:11], 0
	buffer_load_dword v10, off, s[8:11], 0 offset:52
	buffer_load_dword v2, off, s[8:11], 0 offset:312
	buffer_load_dword v20, off, s[8:11], 0 offset:68
	v_mov_b32_e32 v9, v3
	v_mov_b32_e32 v0, v5
	v_mov_b32_e32 v13, v22
	s_branch .LBB1_5
.LBB1_4:
	v_mov_b32_e32 v1, v23
	v_mov_b32_e32 v8, v22
	v_mov_b32_e32 v23, v21
	v_mov_b32_e32 v21, v16
	v_mov_b32_e32 v16, v19
	v_mov_b32_e32 v19, v18
	v_mov_b32_e32 v18, v1
.LBB1_5:
	s_waitcnt vmcnt(3)
	buffer_store_dword v14, off, s[8:11], 0 ; 4-byte Folded Spill
	v_mov_b32_e32 v22, v15
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v14, off, s[8:11], 0 offset:96
	buffer_load_dword v15, off, s[8:11], 0 offset:100
	s_waitcnt vmcnt(2)
	global_store_dword v2, v13, s[0:1]
	s_clause 0x8                            ; 36-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:72
	buffer_load_dword v1, off, s[8:11], 0 offset:8
	buffer_load_dword v3, off, s[8:11], 0 offset:16
	buffer_load_dword v4, off, s[8:11], 0 offset:24
	buffer_load_dword v5, off, s[8:11], 0 offset:28
	buffer_load_dword v6, off, s[8:11], 0 offset:76
	buffer_load_dword v7, off, s[8:11], 0 offset:80
	buffer_load_dword v11, off, s[8:11], 0 offset:84
	buffer_load_dword v12, off, s[8:11], 0 offset:88
	s_waitcnt vmcnt(10)
	v_add_co_u32 v14, vcc_lo, s0, v14
	s_waitcnt vmcnt(9)
	v_add_co_ci_u32_e32 v15, vcc_lo, s1, v15, vcc_lo
	s_waitcnt vmcnt(8)
	global_store_dword v[14:15], v13, off
	s_clause 0x2                            ; 12-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:104
	buffer_load_dword v14, off, s[8:11], 0 offset:108
	buffer_load_dword v15, off, s[8:11], 0
	s_waitcnt vmcnt(2)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(1)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v22, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:112
	buffer_load_dword v14, off, s[8:11], 0 offset:116
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v15, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:120
	buffer_load_dword v14, off, s[8:11], 0 offset:124
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v18, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:128
	buffer_load_dword v14, off, s[8:11], 0 offset:132
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v17, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:136
	buffer_load_dword v14, off, s[8:11], 0 offset:140
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v19, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:144
	buffer_load_dword v14, off, s[8:11], 0 offset:148
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v16, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:152
	buffer_load_dword v14, off, s[8:11], 0 offset:156
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v21, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v13, off, s[8:11], 0 offset:160
	buffer_load_dword v14, off, s[8:11], 0 offset:164
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v13
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v14, vcc_lo
	global_store_dword v[13:14], v1, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:168
	buffer_load_dword v2, off, s[8:11], 0 offset:172
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v1
	buffer_load_dword v1, off, s[8:11], 0 offset:12 ; 4-byte Folded Reload
	s_waitcnt vmcnt(1)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v2, vcc_lo
	s_waitcnt vmcnt(0)
	global_store_dword v[13:14], v1, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:176
	buffer_load_dword v2, off, s[8:11], 0 offset:180
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v2, vcc_lo
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:184
	buffer_load_dword v2, off, s[8:11], 0 offset:188
	global_store_dword v[13:14], v23, off
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v2, vcc_lo
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:192
	buffer_load_dword v2, off, s[8:11], 0 offset:196
	global_store_dword v[13:14], v8, off
	s_waitcnt vmcnt(1)
	v_add_co_u32 v13, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v14, vcc_lo, s1, v2, vcc_lo
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:200
	buffer_load_dword v2, off, s[8:11], 0 offset:204
	global_store_dword v[13:14], v3, off
	buffer_load_dword v3, off, s[8:11], 0 offset:20 ; 4-byte Folded Reload
	s_waitcnt vmcnt(2)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(1)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	s_waitcnt vmcnt(0)
	global_store_dword v[1:2], v3, off
	s_clause 0x2                            ; 12-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:208
	buffer_load_dword v2, off, s[8:11], 0 offset:212
	buffer_load_dword v3, off, s[8:11], 0 offset:4
	s_waitcnt vmcnt(2)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(1)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v4, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:216
	buffer_load_dword v2, off, s[8:11], 0 offset:220
	s_waitcnt vmcnt(1)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v5, off
	s_clause 0x2                            ; 12-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:224
	buffer_load_dword v2, off, s[8:11], 0 offset:228
	buffer_load_dword v5, off, s[8:11], 0 offset:32
	s_waitcnt vmcnt(2)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(1)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v6, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:232
	buffer_load_dword v2, off, s[8:11], 0 offset:236
	s_waitcnt vmcnt(1)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v7, off
	s_clause 0x3                            ; 16-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:240
	buffer_load_dword v2, off, s[8:11], 0 offset:244
	buffer_load_dword v6, off, s[8:11], 0 offset:288
	buffer_load_dword v7, off, s[8:11], 0 offset:292
	s_waitcnt vmcnt(3)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(2)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v20, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:256
	buffer_load_dword v2, off, s[8:11], 0 offset:260
	s_waitcnt vmcnt(1)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v10, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:264
	buffer_load_dword v2, off, s[8:11], 0 offset:268
	s_waitcnt vmcnt(1)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v11, off
	s_clause 0x3                            ; 16-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:280
	buffer_load_dword v2, off, s[8:11], 0 offset:284
	buffer_load_dword v10, off, s[8:11], 0 offset:304
	buffer_load_dword v11, off, s[8:11], 0 offset:308
	s_waitcnt vmcnt(3)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(2)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v3, off
	s_clause 0x3                            ; 16-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:296
	buffer_load_dword v2, off, s[8:11], 0 offset:300
	buffer_load_dword v3, off, s[8:11], 0 offset:272
	buffer_load_dword v4, off, s[8:11], 0 offset:276
	s_waitcnt vmcnt(3)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(2)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	global_store_dword v[1:2], v9, off
	s_clause 0x1                            ; 8-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:248
	buffer_load_dword v2, off, s[8:11], 0 offset:252
	s_waitcnt vmcnt(1)
	v_add_co_u32 v1, vcc_lo, s0, v1
	s_waitcnt vmcnt(0)
	v_add_co_ci_u32_e32 v2, vcc_lo, s1, v2, vcc_lo
	v_add_co_u32 v3, vcc_lo, s0, v3
	v_add_co_ci_u32_e32 v4, vcc_lo, s1, v4, vcc_lo
	v_add_co_u32 v6, vcc_lo, s0, v6
	v_add_co_ci_u32_e32 v7, vcc_lo, s1, v7, vcc_lo
	global_store_dword v[1:2], v5, off
	global_store_dword v[3:4], v0, off
	global_store_dword v[6:7], v12, off
	buffer_load_dword v0, off, s[8:11], 0 offset:92 ; 4-byte Folded Reload
	v_add_co_u32 v10, vcc_lo, s0, v10
	v_add_co_ci_u32_e32 v11, vcc_lo, s1, v11, vcc_lo
	s_waitcnt vmcnt(0)
	global_store_dword v[10:11], v0, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel spills
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 320
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
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 24
		.amdhsa_next_free_sgpr 12
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
	.size	spills, .Lfunc_end1-spills
                                        ; -- End function
	.set spills.num_vgpr, 24
	.set spills.num_agpr, 0
	.set spills.numbered_sgpr, 12
	.set spills.num_named_barrier, 0
	.set spills.private_seg_size, 320
	.set spills.uses_vcc, 1
	.set spills.uses_flat_scratch, 0
	.set spills.has_dyn_sized_stack, 0
	.set spills.has_recursion, 0
	.set spills.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 4024
; TotalNumSgprs: 14
; NumVgprs: 24
; ScratchSize: 320
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 14
; NumVGPRsForWavesPerEU: 24
; Occupancy: 20
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
	.text
	.p2align	2                               ; -- Begin function called
	.type	called,@function
called:                                 ; @called
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	v_add_co_u32 v3, vcc_lo, v0, 12
	v_add_co_ci_u32_e32 v4, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v5, vcc_lo, v0, 8
	v_add_co_ci_u32_e32 v6, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v7, vcc_lo, v0, 4
	v_add_co_ci_u32_e32 v8, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v9, vcc_lo, v0, 16
	v_add_co_ci_u32_e32 v10, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v11, vcc_lo, v0, 28
	v_add_co_ci_u32_e32 v12, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v13, vcc_lo, v0, 24
	v_add_co_ci_u32_e32 v14, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v15, vcc_lo, v0, 20
	v_add_co_ci_u32_e32 v16, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v17, vcc_lo, v0, 32
	v_add_co_ci_u32_e32 v18, vcc_lo, 0, v1, vcc_lo
	s_clause 0x7
	flat_load_dword v20, v[3:4]
	flat_load_dword v21, v[5:6]
	flat_load_dword v22, v[7:8]
	flat_load_dword v23, v[11:12]
	flat_load_dword v24, v[13:14]
	flat_load_dword v25, v[15:16]
	flat_load_dword v26, v[17:18]
	flat_load_dword v27, v[9:10]
	v_add_co_u32 v3, vcc_lo, v0, 44
	v_add_co_ci_u32_e32 v4, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v5, vcc_lo, v0, 40
	v_add_co_ci_u32_e32 v6, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v7, vcc_lo, v0, 36
	v_add_co_ci_u32_e32 v8, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v9, vcc_lo, v0, 48
	v_add_co_ci_u32_e32 v10, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v11, vcc_lo, v0, 60
	v_add_co_ci_u32_e32 v12, vcc_lo, 0, v1, vcc_lo
	v_add_co_u32 v13, vcc_lo, v0, 56
	v_add_co_ci_u32_e32 v14, vcc_lo, 0, v1, vcc_lo
	flat_load_dword v19, v[0:1]
	v_add_co_u32 v0, vcc_lo, v0, 52
	v_add_co_ci_u32_e32 v1, vcc_lo, 0, v1, vcc_lo
	s_clause 0x6
	flat_load_dword v15, v[3:4]
	flat_load_dword v16, v[5:6]
	flat_load_dword v17, v[7:8]
	flat_load_dword v18, v[13:14]
	flat_load_dword v28, v[0:1]
	flat_load_dword v29, v[9:10]
	flat_load_dword v30, v[11:12]
	v_lshrrev_b32_e32 v0, 31, v2
	v_lshrrev_b32_e64 v3, 5, s32
	v_mov_b32_e32 v1, 2.0
	v_add_lshl_u32 v0, v2, v0, 1
	v_lshl_add_u32 v2, v2, 2, v3
	v_lshrrev_b32_e64 v3, 5, s32
	s_waitcnt vmcnt(7) lgkmcnt(7)
	buffer_store_dword v19, off, s[0:3], s32
	buffer_store_dword v22, off, s[0:3], s32 offset:4
	buffer_store_dword v21, off, s[0:3], s32 offset:8
	buffer_store_dword v20, off, s[0:3], s32 offset:12
	buffer_store_dword v27, off, s[0:3], s32 offset:16
	buffer_store_dword v25, off, s[0:3], s32 offset:20
	buffer_store_dword v24, off, s[0:3], s32 offset:24
	buffer_store_dword v23, off, s[0:3], s32 offset:28
	buffer_store_dword v26, off, s[0:3], s32 offset:32
	s_waitcnt vmcnt(4) lgkmcnt(4)
	buffer_store_dword v17, off, s[0:3], s32 offset:36
	buffer_store_dword v16, off, s[0:3], s32 offset:40
	buffer_store_dword v15, off, s[0:3], s32 offset:44
	s_waitcnt vmcnt(1) lgkmcnt(1)
	buffer_store_dword v29, off, s[0:3], s32 offset:48
	buffer_store_dword v28, off, s[0:3], s32 offset:52
	buffer_store_dword v18, off, s[0:3], s32 offset:56
	s_waitcnt vmcnt(0) lgkmcnt(0)
	buffer_store_dword v30, off, s[0:3], s32 offset:60
	buffer_store_dword v1, v2, s[0:3], 0 offen
	v_and_b32_e32 v0, -4, v0
	v_add_nc_u32_e32 v0, v0, v3
	buffer_load_dword v0, v0, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end2:
	.size	called, .Lfunc_end2-called
                                        ; -- End function
	.set .Lcalled.num_vgpr, 31
	.set .Lcalled.num_agpr, 0
	.set .Lcalled.numbered_sgpr, 33
	.set .Lcalled.num_named_barrier, 0
	.set .Lcalled.private_seg_size, 80
	.set .Lcalled.uses_vcc, 1
	.set .Lcalled.uses_flat_scratch, 1
	.set .Lcalled.has_dyn_sized_stack, 0
	.set .Lcalled.has_recursion, 0
	.set .Lcalled.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 536
; TotalNumSgprs: 35
; NumVgprs: 31
; ScratchSize: 80
; MemoryBound: 1
	.text
	.protected	caller                  ; -- Begin function caller
	.globl	caller
	.p2align	8
	.type	caller,@function
caller:                                 ; @caller
; %bb.0:
	s_add_u32 s0, s0, s7
	s_clause 0x1
	s_load_dwordx2 s[6:7], s[4:5], 0x0
	s_load_dword s8, s[4:5], 0x8
	v_mov_b32_e32 v31, v0
	s_addc_u32 s1, s1, 0
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, called@rel32@lo+4
	s_addc_u32 s5, s5, called@rel32@hi+12
	s_mov_b32 s32, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v0, s6
	v_mov_b32_e32 v1, s7
	v_mov_b32_e32 v2, s8
	s_swappc_b64 s[30:31], s[4:5]
	v_lshlrev_b32_e32 v1, 2, v31
	global_store_dword v1, v0, s[6:7]
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel caller
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 80
		.amdhsa_kernarg_size 12
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
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 32
		.amdhsa_next_free_sgpr 33
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 1
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
.Lfunc_end3:
	.size	caller, .Lfunc_end3-caller
                                        ; -- End function
	.set caller.num_vgpr, max(32, .Lcalled.num_vgpr)
	.set caller.num_agpr, max(0, .Lcalled.num_agpr)
	.set caller.numbered_sgpr, max(33, .Lcalled.numbered_sgpr)
	.set caller.num_named_barrier, max(0, .Lcalled.num_named_barrier)
	.set caller.private_seg_size, 0+max(.Lcalled.private_seg_size)
	.set caller.uses_vcc, or(1, .Lcalled.uses_vcc)
	.set caller.uses_flat_scratch, or(0, .Lcalled.uses_flat_scratch)
	.set caller.has_dyn_sized_stack, or(0, .Lcalled.has_dyn_sized_stack)
	.set caller.has_recursion, or(0, .Lcalled.has_recursion)
	.set caller.has_indirect_call, or(0, .Lcalled.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 92
; TotalNumSgprs: 35
; NumVgprs: 32
; ScratchSize: 80
; MemoryBound: 1
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 35
; NumVGPRsForWavesPerEU: 32
; Occupancy: 20
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
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
	.set amdgpu.max_num_vgpr, 31
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 33
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_98c2527eff211ba0,@object ; @__hip_cuid_98c2527eff211ba0
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_98c2527eff211ba0
__hip_cuid_98c2527eff211ba0:
	.byte	0                               ; 0x0
	.size	__hip_cuid_98c2527eff211ba0, 1

	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_98c2527eff211ba0
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 1024
    .name:           array
    .private_segment_fixed_size: 272
    .sgpr_count:     15
    .sgpr_spill_count: 0
    .symbol:         array.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     5
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
    .name:           spills
    .private_segment_fixed_size: 320
    .sgpr_count:     14
    .sgpr_spill_count: 0
    .symbol:         spills.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     24
    .vgpr_spill_count: 106
    .wavefront_size: 32
    .workgroup_processor_mode: 1
  - .args:
      - .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .offset:         8
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 12
    .max_flat_workgroup_size: 1024
    .name:           caller
    .private_segment_fixed_size: 80
    .sgpr_count:     35
    .sgpr_spill_count: 0
    .symbol:         caller.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     32
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgcn-amd-amdhsa--gfx1012
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
