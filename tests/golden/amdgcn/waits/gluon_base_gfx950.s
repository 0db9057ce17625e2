	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	base                            ; -- Begin function base
	.p2align	8
	.type	base,@function
base:                                   ; @base
.Lfunc_begin0:
; %bb.5:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_load_dwordx4 s[12:15], s[0:1], 0x28
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.6:
.LBB0_0:
	v_readfirstlane_b32 s8, v0
	s_mov_b64 s[0:1], s[6:7]
	s_mov_b64 s[20:21], s[2:3]
	s_and_b32 s6, s8, 0xc0
	s_lshl_b32 s3, s16, 7
	s_lshl_b32 s2, s17, 7
	v_and_b32_e32 v1, 63, v0
	v_or_b32_e32 v64, s6, v1
	s_cmp_lt_i32 s10, 1
	v_and_b32_e32 v65, 15, v0
	s_cbranch_scc1 .LBB0_3
; %bb.1:                                ; %.lr.ph
	v_lshlrev_b32_e32 v7, 3, v64
	v_lshlrev_b32_e32 v6, 6, v65
	v_and_b32_e32 v7, 0x430, v7
	v_and_b32_e32 v8, 48, v0
	v_bitop3_b32 v6, v7, v8, v6 bitop3:0x36
	v_lshlrev_b32_e32 v7, 7, v8
	v_and_b32_e32 v8, 12, v0
	v_lshlrev_b32_e32 v3, 3, v0
	v_lshlrev_b32_e32 v9, 6, v8
	v_lshlrev_b32_e32 v8, 2, v8
	v_bitop3_b32 v3, v3, v8, 24 bitop3:0x6c
	v_add_u32_e32 v1, s6, v1
	v_or3_b32 v3, v7, v9, v3
	v_lshrrev_b32_e32 v7, 4, v1
	v_add_u32_e32 v8, 16, v7
	v_mul_lo_u32 v8, s12, v8
	v_mul_lo_u32 v7, s12, v7
	v_lshrrev_b32_e32 v1, 2, v1
	v_lshlrev_b32_e32 v2, 3, v65
	v_lshlrev_b32_e32 v4, 4, v64
	v_lshlrev_b32_e32 v5, 1, v0
	s_movk_i32 s7, 0x70
	v_add_u32_e32 v8, s2, v8
	v_add_u32_e32 v7, s2, v7
	v_add_u32_e32 v1, s3, v1
	v_bitop3_b32 v5, v4, v5, 48 bitop3:0x78
	v_bitop3_b32 v4, v4, v64, s7 bitop3:0x78
	s_lshr_b32 s7, s8, 1
	v_add_lshl_u32 v66, v8, v2, 1
	v_add_lshl_u32 v67, v7, v2, 1
	v_add_u32_e32 v2, 64, v1
	v_and_b32_e32 v0, 3, v0
	s_mov_b32 s23, 0x27000
	s_mov_b32 s22, 0x7ffffffe
	v_bitop3_b32 v3, s7, v3, 32 bitop3:0x6c
	v_mul_lo_u32 v2, s11, v2
	v_lshlrev_b32_e32 v0, 4, v0
	v_mul_lo_u32 v1, s11, v1
	v_mov_b32_e32 v48, 0
	s_and_b32 s21, s21, 0xffff
	s_and_b32 s5, s5, 0xffff
	s_lshl_b32 s9, s12, 6
	v_lshl_add_u32 v68, v2, 1, v0
	v_lshl_add_u32 v69, v1, 1, v0
	s_mov_b32 s11, 0
	v_add_u32_e32 v70, 0, v5
	v_add_u32_e32 v71, 0, v4
	v_add_u32_e32 v72, 0, v6
	v_add_u32_e32 v73, 0, v3
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_mov_b32_e32 v49, v48
	v_mov_b32_e32 v50, v48
	v_mov_b32_e32 v51, v48
	v_mov_b32_e32 v60, v48
	v_mov_b32_e32 v61, v48
	v_mov_b32_e32 v62, v48
	v_mov_b32_e32 v63, v48
	v_mov_b32_e32 v56, v48
	v_mov_b32_e32 v57, v48
	v_mov_b32_e32 v58, v48
	v_mov_b32_e32 v59, v48
	v_mov_b32_e32 v52, v48
	v_mov_b32_e32 v53, v48
	v_mov_b32_e32 v54, v48
	v_mov_b32_e32 v55, v48
	v_mov_b32_e32 v44, v48
	v_mov_b32_e32 v45, v48
	v_mov_b32_e32 v46, v48
	v_mov_b32_e32 v47, v48
	v_mov_b32_e32 v40, v48
	v_mov_b32_e32 v41, v48
	v_mov_b32_e32 v42, v48
	v_mov_b32_e32 v43, v48
	v_mov_b32_e32 v36, v48
	v_mov_b32_e32 v37, v48
	v_mov_b32_e32 v38, v48
	v_mov_b32_e32 v39, v48
	v_mov_b32_e32 v32, v48
	v_mov_b32_e32 v33, v48
	v_mov_b32_e32 v34, v48
	v_mov_b32_e32 v35, v48
	v_mov_b32_e32 v28, v48
	v_mov_b32_e32 v29, v48
	v_mov_b32_e32 v30, v48
	v_mov_b32_e32 v31, v48
	v_mov_b32_e32 v24, v48
	v_mov_b32_e32 v25, v48
	v_mov_b32_e32 v26, v48
	v_mov_b32_e32 v27, v48
	v_mov_b32_e32 v20, v48
	v_mov_b32_e32 v21, v48
	v_mov_b32_e32 v22, v48
	v_mov_b32_e32 v23, v48
	v_mov_b32_e32 v16, v48
	v_mov_b32_e32 v17, v48
	v_mov_b32_e32 v18, v48
	v_mov_b32_e32 v19, v48
	v_mov_b32_e32 v12, v48
	v_mov_b32_e32 v13, v48
	v_mov_b32_e32 v14, v48
	v_mov_b32_e32 v15, v48
	v_mov_b32_e32 v8, v48
	v_mov_b32_e32 v9, v48
	v_mov_b32_e32 v10, v48
	v_mov_b32_e32 v11, v48
	v_mov_b32_e32 v4, v48
	v_mov_b32_e32 v5, v48
	v_mov_b32_e32 v6, v48
	v_mov_b32_e32 v7, v48
	v_mov_b32_e32 v0, v48
	v_mov_b32_e32 v1, v48
	v_mov_b32_e32 v2, v48
	v_mov_b32_e32 v3, v48
	.p2align	5, , 4
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	buffer_load_dwordx4 v[74:77], v69, s[20:23], 0 offen
	buffer_load_dwordx4 v[78:81], v68, s[20:23], 0 offen
	buffer_load_dwordx4 v[82:85], v67, s[4:7], 0 offen
	buffer_load_dwordx4 v[86:89], v66, s[4:7], 0 offen
	s_barrier
	s_add_i32 s11, s11, 32
	v_add_u32_e32 v66, s9, v66
	v_add_u32_e32 v67, s9, v67
	v_add_u32_e32 v68, 64, v68
	s_cmp_lt_i32 s11, s10
	v_add_u32_e32 v69, 64, v69
	s_waitcnt vmcnt(3)
	ds_write_b128 v70, v[74:77]
	s_waitcnt vmcnt(2)
	ds_write_b128 v70, v[78:81] offset:4096
	s_waitcnt vmcnt(1)
	ds_write_b128 v71, v[82:85] offset:8192
	s_waitcnt vmcnt(0)
	ds_write_b128 v71, v[86:89] offset:12288
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b64_tr_b16 v[90:91], v73 offset:8384
	ds_read_b64_tr_b16 v[76:77], v73 offset:9280
	ds_read_b64_tr_b16 v[74:75], v73 offset:8192
	ds_read_b128 v[78:81], v72
	ds_read_b64_tr_b16 v[82:83], v73 offset:8256
	ds_read_b64_tr_b16 v[84:85], v73 offset:9216
	ds_read_b64_tr_b16 v[86:87], v73 offset:8320
	ds_read_b64_tr_b16 v[88:89], v73 offset:9408
	ds_read_b64_tr_b16 v[92:93], v73 offset:9344
	s_waitcnt lgkmcnt(5)
	v_mfma_f32_16x16x32_f16 v[48:51], v[74:77], v[78:81], v[48:51]
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x32_f16 v[60:63], v[82:85], v[78:81], v[60:63]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x32_f16 v[56:59], v[86:89], v[78:81], v[56:59]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[52:55], v[90:93], v[78:81], v[52:55]
	ds_read_b128 v[78:81], v72 offset:2048
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[44:47], v[74:77], v[78:81], v[44:47]
	v_mfma_f32_16x16x32_f16 v[40:43], v[82:85], v[78:81], v[40:43]
	v_mfma_f32_16x16x32_f16 v[36:39], v[86:89], v[78:81], v[36:39]
	v_mfma_f32_16x16x32_f16 v[32:35], v[90:93], v[78:81], v[32:35]
	ds_read_b128 v[78:81], v72 offset:4096
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[28:31], v[74:77], v[78:81], v[28:31]
	v_mfma_f32_16x16x32_f16 v[24:27], v[82:85], v[78:81], v[24:27]
	v_mfma_f32_16x16x32_f16 v[20:23], v[86:89], v[78:81], v[20:23]
	v_mfma_f32_16x16x32_f16 v[16:19], v[90:93], v[78:81], v[16:19]
	ds_read_b128 v[78:81], v72 offset:6144
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[12:15], v[74:77], v[78:81], v[12:15]
	v_mfma_f32_16x16x32_f16 v[8:11], v[82:85], v[78:81], v[8:11]
	v_mfma_f32_16x16x32_f16 v[4:7], v[86:89], v[78:81], v[4:7]
	v_mfma_f32_16x16x32_f16 v[0:3], v[90:93], v[78:81], v[0:3]
	s_cbranch_scc1 .LBB0_2
	s_branch .LBB0_4
.LBB0_3:
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v2, v3
	v_mov_b32_e32 v1, v3
	v_mov_b32_e32 v0, v3
	v_mov_b32_e32 v7, v3
	v_mov_b32_e32 v6, v3
	v_mov_b32_e32 v5, v3
	v_mov_b32_e32 v4, v3
	v_mov_b32_e32 v11, v3
	v_mov_b32_e32 v10, v3
	v_mov_b32_e32 v9, v3
	v_mov_b32_e32 v8, v3
	v_mov_b32_e32 v15, v3
	v_mov_b32_e32 v14, v3
	v_mov_b32_e32 v13, v3
	v_mov_b32_e32 v12, v3
	v_mov_b32_e32 v19, v3
	v_mov_b32_e32 v18, v3
	v_mov_b32_e32 v17, v3
	v_mov_b32_e32 v16, v3
	v_mov_b32_e32 v23, v3
	v_mov_b32_e32 v22, v3
	v_mov_b32_e32 v21, v3
	v_mov_b32_e32 v20, v3
	v_mov_b32_e32 v27, v3
	v_mov_b32_e32 v26, v3
	v_mov_b32_e32 v25, v3
	v_mov_b32_e32 v24, v3
	v_mov_b32_e32 v31, v3
	v_mov_b32_e32 v30, v3
	v_mov_b32_e32 v29, v3
	v_mov_b32_e32 v28, v3
	v_mov_b32_e32 v35, v3
	v_mov_b32_e32 v34, v3
	v_mov_b32_e32 v33, v3
	v_mov_b32_e32 v32, v3
	v_mov_b32_e32 v39, v3
	v_mov_b32_e32 v38, v3
	v_mov_b32_e32 v37, v3
	v_mov_b32_e32 v36, v3
	v_mov_b32_e32 v43, v3
	v_mov_b32_e32 v42, v3
	v_mov_b32_e32 v41, v3
	v_mov_b32_e32 v40, v3
	v_mov_b32_e32 v47, v3
	v_mov_b32_e32 v46, v3
	v_mov_b32_e32 v45, v3
	v_mov_b32_e32 v44, v3
	v_mov_b32_e32 v55, v3
	v_mov_b32_e32 v54, v3
	v_mov_b32_e32 v53, v3
	v_mov_b32_e32 v52, v3
	v_mov_b32_e32 v59, v3
	v_mov_b32_e32 v58, v3
	v_mov_b32_e32 v57, v3
	v_mov_b32_e32 v56, v3
	v_mov_b32_e32 v63, v3
	v_mov_b32_e32 v62, v3
	v_mov_b32_e32 v61, v3
	v_mov_b32_e32 v60, v3
	v_mov_b32_e32 v51, v3
	v_mov_b32_e32 v50, v3
	v_mov_b32_e32 v49, v3
	v_mov_b32_e32 v48, v3
.LBB0_4:                                ; %._crit_edge
	s_lshr_b32 s4, s8, 3
	v_and_or_b32 v65, s4, 16, v65
	v_lshrrev_b32_e32 v64, 2, v64
	v_or_b32_e32 v65, s3, v65
	v_or_b32_e32 v66, 32, v65
	v_or_b32_e32 v67, 64, v65
	v_or_b32_e32 v68, 0x60, v65
	v_and_or_b32 v64, v64, 28, s2
	v_mul_lo_u32 v65, v65, s13
	v_or_b32_e32 v69, 32, v64
	s_and_b32 s1, s1, 0xffff
	s_mov_b32 s3, 0x27000
	s_mov_b32 s2, 0x7ffffffe
	v_add_lshl_u32 v72, v65, v64, 2
	v_or_b32_e32 v70, 64, v64
	buffer_store_dwordx4 v[48:51], v72, s[0:3], 0 offen
	v_or_b32_e32 v71, 0x60, v64
	v_mul_lo_u32 v66, v66, s13
	v_add_lshl_u32 v48, v69, v65, 2
	buffer_store_dwordx4 v[60:63], v48, s[0:3], 0 offen
	v_add_lshl_u32 v48, v70, v65, 2
	buffer_store_dwordx4 v[56:59], v48, s[0:3], 0 offen
	v_add_lshl_u32 v48, v71, v65, 2
	buffer_store_dwordx4 v[52:55], v48, s[0:3], 0 offen
	v_add_lshl_u32 v48, v66, v64, 2
	buffer_store_dwordx4 v[44:47], v48, s[0:3], 0 offen
	v_mul_lo_u32 v67, v67, s13
	v_mul_lo_u32 v68, v68, s13
	v_add_lshl_u32 v44, v66, v69, 2
	buffer_store_dwordx4 v[40:43], v44, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v40, v66, v70, 2
	buffer_store_dwordx4 v[36:39], v40, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v36, v66, v71, 2
	buffer_store_dwordx4 v[32:35], v36, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v32, v67, v64, 2
	buffer_store_dwordx4 v[28:31], v32, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v28, v67, v69, 2
	buffer_store_dwordx4 v[24:27], v28, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v24, v67, v70, 2
	buffer_store_dwordx4 v[20:23], v24, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v20, v67, v71, 2
	buffer_store_dwordx4 v[16:19], v20, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v16, v68, v64, 2
	buffer_store_dwordx4 v[12:15], v16, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v12, v68, v69, 2
	buffer_store_dwordx4 v[8:11], v12, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v8, v68, v70, 2
	buffer_store_dwordx4 v[4:7], v8, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v4, v68, v71, 2
	buffer_store_dwordx4 v[0:3], v4, s[0:3], 0 offen
	s_endpgm
.Lfunc_end0:
	.size	base, .Lfunc_end0-base
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel base
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 64
		.amdhsa_user_sgpr_count 16
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 14
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 94
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 96
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
	.set .Lbase.num_vgpr, 94
	.set .Lbase.num_agpr, 0
	.set .Lbase.numbered_sgpr, 24
	.set .Lbase.num_named_barrier, 0
	.set .Lbase.private_seg_size, 0
	.set .Lbase.uses_vcc, 0
	.set .Lbase.uses_flat_scratch, 0
	.set .Lbase.has_dyn_sized_stack, 0
	.set .Lbase.has_recursion, 0
	.set .Lbase.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1912
; TotalNumSgprs: 30
; NumVgprs: 94
; NumAgprs: 0
; TotalNumVgprs: 94
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 11
; NumSGPRsForWavesPerEU: 30
; NumVGPRsForWavesPerEU: 94
; AccumOffset: 96
; Occupancy: 5
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 23
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
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 64
    .max_flat_workgroup_size: 256
    .name:           base
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         base.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     94
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
