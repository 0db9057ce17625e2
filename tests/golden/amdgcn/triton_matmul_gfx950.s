	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	matmul                          ; -- Begin function matmul
	.p2align	8
	.type	matmul,@function
matmul:                                 ; @matmul
; %bb.14:
	s_load_dwordx8 s[8:15], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.15:
.LBB0_0:
	s_load_dwordx2 s[0:1], s[4:5], 0x20
	v_and_b32_e32 v24, 0x3ff, v0
	s_lshl_b32 s14, s16, 6
	v_readfirstlane_b32 s2, v24
	s_bfe_u32 s6, s2, 0x20006
	v_and_b32_e32 v3, 7, v0
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s0, 0
	v_and_b32_e32 v1, 56, v0
	v_lshlrev_b32_e32 v2, 3, v3
	s_cselect_b64 s[2:3], -1, 0
	s_cmp_lt_i32 s0, 1
	s_mul_i32 s18, s6, 0x410
	s_cbranch_scc1 .LBB0_2
; %bb.1:
	v_or_b32_e32 v0, s6, v1
	v_or_b32_e32 v0, s14, v0
	v_or_b32_e32 v5, 4, v0
	v_mul_lo_u32 v4, v0, s1
	v_mul_lo_u32 v6, v5, s1
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[8:9]
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshlrev_b32_e32 v8, 1, v2
	v_mov_b32_e32 v9, 0
	v_lshl_add_u64 v[6:7], v[6:7], 1, s[8:9]
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[8:9]
	s_add_i32 m0, s18, 0x43c0
	s_add_i32 s7, s18, 0x5400
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[8:9]
	global_load_lds_dwordx4 v[4:5], off
	s_mov_b32 m0, s7
	s_nop 0
	global_load_lds_dwordx4 v[6:7], off
.LBB0_2:                                ; %.critedge
	s_lshl_b32 s22, s6, 6
	s_load_dword s7, s[4:5], 0x28
	s_and_b32 s15, s22, 0x80
	s_lshl_b32 s16, s17, 6
	s_and_b32 s23, s6, 1
	s_lshr_b32 s24, s15, 3
	s_and_b64 s[2:3], s[2:3], exec
	s_cselect_b32 s2, 1, 0
	v_lshrrev_b32_e32 v4, 2, v1
	s_cmp_lg_u32 s2, 1
	s_mul_i32 s19, s6, 0x440
	; asyncmark
	s_cbranch_scc1 .LBB0_4
; %bb.3:
	s_or_b32 s2, s23, s24
	v_or_b32_e32 v0, s2, v4
	v_or_b32_e32 v6, s16, v2
	v_or_b32_e32 v5, 32, v0
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v8, v0, s7
	v_mul_lo_u32 v10, v5, s7
	v_ashrrev_i32_e32 v9, 31, v8
	v_ashrrev_i32_e32 v7, 31, v6
	v_lshl_add_u64 v[8:9], v[8:9], 1, s[10:11]
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshlrev_b64 v[6:7], 1, v[6:7]
	s_mov_b32 m0, s19
	v_lshl_add_u64 v[10:11], v[10:11], 1, s[10:11]
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[6:7]
	s_add_i32 s2, s19, 0x1100
	v_lshl_add_u64 v[6:7], v[10:11], 0, v[6:7]
	global_load_lds_dwordx4 v[8:9], off
	s_mov_b32 m0, s2
	s_nop 0
	global_load_lds_dwordx4 v[6:7], off
.LBB0_4:                                ; %.critedge2
	s_sub_i32 s20, s0, 64
	s_mov_b32 s21, 0
	s_cmp_gt_i32 s20, 0
	v_lshlrev_b32_e32 v26, 4, v24
	v_lshlrev_b32_e32 v7, 3, v24
	v_lshlrev_b32_e32 v6, 8, v24
	v_lshlrev_b32_e32 v5, 1, v24
	; asyncmark
	s_cbranch_scc1 .LBB0_6
; %bb.5:                                ; %.critedge2.._crit_edge_crit_edge
	v_and_b32_e32 v29, 0x400, v6
	v_and_b32_e32 v27, 0x280, v26
	v_and_b32_e32 v28, 24, v7
	v_and_b32_e32 v30, 32, v5
	v_lshrrev_b32_e32 v31, 4, v29
	s_mov_b64 s[2:3], 0
	s_branch .LBB0_7
.LBB0_6:
	s_mov_b64 s[2:3], -1
                                        ; implicit-def: $vgpr27
                                        ; implicit-def: $vgpr28
                                        ; implicit-def: $vgpr29
                                        ; implicit-def: $vgpr30
                                        ; implicit-def: $vgpr31
.LBB0_7:                                ; %Flow29
	s_and_b32 s17, s22, 64
	s_and_b64 s[2:3], s[2:3], exec
	v_and_b32_e32 v25, 32, v24
	s_cselect_b32 s2, 1, 0
	v_mov_b32_e32 v0, 0
	s_cmp_lg_u32 s2, 1
	v_lshlrev_b32_e32 v32, 10, v3
	v_lshrrev_b32_e32 v33, 1, v25
	v_lshlrev_b32_e32 v34, 4, v3
	s_cbranch_scc1 .LBB0_10
; %bb.8:                                ; %.lr.ph
	s_add_i32 s23, s23, s24
	v_and_b32_e32 v29, 0x400, v6
	v_add_u32_e32 v6, s23, v4
	s_waitcnt lgkmcnt(0)
	s_lshl_b32 s2, s7, 6
	v_add_u32_e32 v3, 32, v6
	s_ashr_i32 s3, s2, 31
	v_mul_lo_u32 v4, s7, v3
	v_add_u32_e32 v2, s16, v2
	v_and_b32_e32 v30, 32, v5
	v_ashrrev_i32_e32 v5, 31, v4
	s_lshl_b64 s[2:3], s[2:3], 1
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[2:3]
	v_lshlrev_b64 v[2:3], 1, v[2:3]
	v_lshl_add_u64 v[4:5], v[4:5], 0, v[2:3]
	v_lshl_add_u64 v[16:17], s[10:11], 0, v[4:5]
	v_mul_lo_u32 v4, s7, v6
	v_ashrrev_i32_e32 v5, 31, v4
	s_add_i32 s6, s6, s14
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[2:3]
	v_add_u32_e32 v1, s6, v1
	v_lshl_add_u64 v[2:3], v[4:5], 0, v[2:3]
	v_add_u32_e32 v4, 4, v1
	v_lshl_add_u64 v[18:19], s[10:11], 0, v[2:3]
	v_and_b32_e32 v2, 7, v24
	v_mul_lo_u32 v4, s1, v4
	v_lshlrev_b32_e32 v2, 4, v2
	v_mov_b32_e32 v3, v0
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[4:5], v[4:5], 1, v[2:3]
	v_lshl_add_u64 v[4:5], s[8:9], 0, v[4:5]
	s_mov_b64 s[6:7], 0x80
	v_lshl_add_u64 v[20:21], v[4:5], 0, s[6:7]
	v_mul_lo_u32 v4, s1, v1
	v_ashrrev_i32_e32 v5, 31, v4
	v_lshl_add_u64 v[2:3], v[4:5], 1, v[2:3]
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[2:3]
	v_and_b32_e32 v35, 0x180, v26
	s_lshl_b32 s22, s15, 2
	v_and_b32_e32 v27, 0x280, v26
	v_and_b32_e32 v28, 24, v7
	v_lshrrev_b32_e32 v31, 4, v29
	v_lshl_add_u64 v[22:23], v[2:3], 0, s[6:7]
	s_movk_i32 s1, 0x43c0
	s_mov_b32 s8, 0
	v_mov_b32_e32 v1, v0
	v_mov_b32_e32 v2, v0
	v_mov_b32_e32 v3, v0
	v_mov_b32_e32 v4, v0
	v_mov_b32_e32 v5, v0
	v_mov_b32_e32 v6, v0
	v_mov_b32_e32 v7, v0
	v_mov_b32_e32 v8, v0
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v10, v0
	v_mov_b32_e32 v11, v0
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, v0
	v_mov_b32_e32 v14, v0
	v_mov_b32_e32 v15, v0
	s_mov_b32 s9, 0
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_add_i32 s8, s8, 1
	s_cmp_lt_i32 s8, 2
	s_cselect_b32 s8, s8, 0
	s_lshl_b32 s11, s8, 12
	s_mov_b32 s10, s21
	s_lshl_b32 s21, s8, 13
	s_lshr_b32 s23, s11, 5
	s_lshr_b32 s11, s11, 3
	s_add_i32 s23, s21, s23
	s_add_i32 s21, s21, s11
	s_add_i32 s11, s23, s18
	s_add_i32 m0, s11, 0x43c0
	; wait_asyncmark(0)
	s_waitcnt vmcnt(0)
	s_barrier
	s_add_i32 s24, s21, s19
	global_load_lds_dwordx4 v[22:23], off
	s_add_i32 m0, s11, 0x5400
	s_add_i32 s1, s1, s22
	global_load_lds_dwordx4 v[20:21], off
	s_mov_b32 m0, s24
	; asyncmark
	v_add3_u32 v36, s10, v30, v27
	global_load_lds_dwordx4 v[18:19], off
	s_add_i32 m0, s24, 0x1100
	v_add3_u32 v37, s1, v35, v32
	global_load_lds_dwordx4 v[16:17], off
	v_add3_u32 v36, v36, v28, v29
	v_add3_u32 v37, v37, v33, v34
	v_add3_u32 v36, v36, s17, v31
	ds_read_b128 v[38:41], v37
	ds_read_b128 v[42:45], v37 offset:32
	ds_read_b128 v[46:49], v37 offset:64
	ds_read_b128 v[50:53], v37 offset:96
	; asyncmark
	ds_read_b64_tr_b16 v[54:55], v36
	ds_read_b64_tr_b16 v[56:57], v36 offset:256
	ds_read_b64_tr_b16 v[58:59], v36 offset:2176
	ds_read_b64_tr_b16 v[60:61], v36 offset:2432
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x16_f16 v[0:15], v[54:57], v[38:41], v[0:15]
	ds_read_b64_tr_b16 v[38:39], v36 offset:4352
	s_add_i32 s9, s9, 64
	s_add_i32 s1, s23, 0x43c0
	v_lshl_add_u64 v[22:23], v[22:23], 0, s[6:7]
	v_lshl_add_u64 v[20:21], v[20:21], 0, s[6:7]
	v_lshl_add_u64 v[18:19], v[18:19], 0, s[2:3]
	s_cmp_lt_i32 s9, s20
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x16_f16 v[0:15], v[58:61], v[42:45], v[0:15]
	ds_read_b64_tr_b16 v[40:41], v36 offset:4608
	ds_read_b64_tr_b16 v[42:43], v36 offset:6528
	ds_read_b64_tr_b16 v[44:45], v36 offset:6784
	v_lshl_add_u64 v[16:17], v[16:17], 0, s[2:3]
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x16_f16 v[0:15], v[38:41], v[46:49], v[0:15]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[0:15], v[42:45], v[50:53], v[0:15]
	s_cbranch_scc1 .LBB0_9
	s_branch .LBB0_11
.LBB0_10:
	v_mov_b32_e32 v15, 0
	s_movk_i32 s1, 0x43c0
	v_mov_b32_e32 v14, v15
	v_mov_b32_e32 v13, v15
	v_mov_b32_e32 v12, v15
	v_mov_b32_e32 v11, v15
	v_mov_b32_e32 v10, v15
	v_mov_b32_e32 v9, v15
	v_mov_b32_e32 v8, v15
	v_mov_b32_e32 v7, v15
	v_mov_b32_e32 v6, v15
	v_mov_b32_e32 v5, v15
	v_mov_b32_e32 v4, v15
	v_mov_b32_e32 v3, v15
	v_mov_b32_e32 v2, v15
	v_mov_b32_e32 v1, v15
	v_mov_b32_e32 v0, v15
.LBB0_11:                               ; %Flow30
	s_load_dword s2, s[4:5], 0x2c
	s_add_i32 s0, s0, 63
	s_cmp_lt_i32 s0, 64
	; wait_asyncmark(0)
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_13
; %bb.12:
	v_add3_u32 v16, s21, v30, v27
	v_add3_u32 v16, v16, v28, v29
	v_add3_u32 v16, v16, s17, v31
	ds_read_b64_tr_b16 v[18:19], v16
	ds_read_b64_tr_b16 v[20:21], v16 offset:256
	v_and_b32_e32 v17, 0x180, v26
	s_lshl2_add_u32 s0, s15, s1
	v_add3_u32 v17, s0, v17, v32
	v_add3_u32 v17, v17, v33, v34
	ds_read_b128 v[26:29], v17
	ds_read_b64_tr_b16 v[30:31], v16 offset:2176
	ds_read_b64_tr_b16 v[32:33], v16 offset:2432
	ds_read_b128 v[34:37], v17 offset:32
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_32x32x16_f16 v[0:15], v[18:21], v[26:29], v[0:15]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[0:15], v[30:33], v[34:37], v[0:15]
	ds_read_b64_tr_b16 v[18:19], v16 offset:4352
	ds_read_b64_tr_b16 v[20:21], v16 offset:4608
	ds_read_b128 v[26:29], v17 offset:64
	ds_read_b64_tr_b16 v[30:31], v16 offset:6528
	ds_read_b64_tr_b16 v[32:33], v16 offset:6784
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x16_f16 v[0:15], v[18:21], v[26:29], v[0:15]
	ds_read_b128 v[16:19], v17 offset:96
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[0:15], v[30:33], v[16:19], v[0:15]
.LBB0_13:                               ; %._crit_edge._crit_edge
	v_lshrrev_b32_e32 v16, 2, v25
	s_lshr_b32 s0, s17, 1
	v_or_b32_e32 v16, s0, v16
	s_lshr_b32 s0, s15, 2
	v_or_b32_e32 v20, s16, v16
	s_nop 6
	v_cvt_pk_f16_f32 v16, v0, v1
	v_and_or_b32 v0, v24, 31, s0
	v_or_b32_e32 v0, s14, v0
	v_mul_lo_u32 v0, v0, s2
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[12:13]
	v_ashrrev_i32_e32 v21, 31, v20
	v_cvt_pk_f16_f32 v18, v4, v5
	v_lshl_add_u64 v[4:5], v[20:21], 1, v[0:1]
	v_cvt_pk_f16_f32 v17, v2, v3
	v_cvt_pk_f16_f32 v19, v6, v7
	v_cvt_pk_f16_f32 v0, v8, v9
	v_cvt_pk_f16_f32 v1, v10, v11
	v_cvt_pk_f16_f32 v2, v12, v13
	v_cvt_pk_f16_f32 v3, v14, v15
	v_permlane32_swap_b32_e32 v16, v18
	v_permlane32_swap_b32_e32 v17, v19
	v_permlane32_swap_b32_e32 v0, v2
	global_store_dwordx4 v[4:5], v[16:19], off
	v_permlane32_swap_b32_e32 v1, v3
	global_store_dwordx4 v[4:5], v[0:3], off offset:32
	s_endpgm
.Lfunc_end0:
	.size	matmul, .Lfunc_end0-matmul
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matmul
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 320
		.amdhsa_user_sgpr_count 16
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_kernarg_preload_length 8
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 62
		.amdhsa_next_free_sgpr 25
		.amdhsa_accum_offset 64
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_dx10_clamp 1
		.amdhsa_ieee_mode 1
		.amdhsa_fp16_overflow 0
		.amdhsa_tg_split 0
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
                                        ; -- End function
	.set .Lmatmul.num_vgpr, 62
	.set .Lmatmul.num_agpr, 0
	.set .Lmatmul.numbered_sgpr, 25
	.set .Lmatmul.num_named_barrier, 0
	.set .Lmatmul.private_seg_size, 0
	.set .Lmatmul.uses_vcc, 0
	.set .Lmatmul.uses_flat_scratch, 0
	.set .Lmatmul.has_dyn_sized_stack, 0
	.set .Lmatmul.has_recursion, 0
	.set .Lmatmul.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1892
; TotalNumSgprs: 31
; NumVgprs: 62
; NumAgprs: 0
; TotalNumVgprs: 62
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 7
; NumSGPRsForWavesPerEU: 31
; NumVGPRsForWavesPerEU: 62
; AccumOffset: 64
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 15
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.section	".note.GNU-stack","",@progbits
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
      - .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
      - .offset:         24
        .size:           4
        .value_kind:     by_value
      - .offset:         28
        .size:           4
        .value_kind:     by_value
      - .offset:         32
        .size:           4
        .value_kind:     by_value
      - .offset:         36
        .size:           4
        .value_kind:     by_value
      - .offset:         40
        .size:           4
        .value_kind:     by_value
      - .offset:         44
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         48
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         56
        .size:           8
        .value_kind:     global_buffer
      - .offset:         64
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         68
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         72
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         76
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         78
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         80
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         82
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         84
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         86
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         104
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         112
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         120
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         128
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         144
        .size:           8
        .value_kind:     hidden_hostcall_buffer
      - .offset:         152
        .size:           8
        .value_kind:     hidden_multigrid_sync_arg
      - .offset:         160
        .size:           8
        .value_kind:     hidden_heap_v1
      - .offset:         168
        .size:           8
        .value_kind:     hidden_default_queue
      - .offset:         176
        .size:           8
        .value_kind:     hidden_completion_action
      - .offset:         184
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
      - .offset:         264
        .size:           8
        .value_kind:     hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 320
    .max_flat_workgroup_size: 256
    .name:           matmul
    .private_segment_fixed_size: 0
    .sgpr_count:     31
    .sgpr_spill_count: 0
    .symbol:         matmul.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     62
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
