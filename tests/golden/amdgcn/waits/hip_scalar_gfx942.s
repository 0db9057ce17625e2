	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	scal                    ; -- Begin function scal
	.globl	scal
	.p2align	8
	.type	scal,@function
scal:                                   ; @scal
; %bb.0:
	s_load_dwordx2 s[8:9], s[0:1], 0x98
	s_load_dword s14, s[0:1], 0x0
	s_mov_b32 s3, 0
	s_lshl_b64 s[10:11], s[2:3], 2
	s_waitcnt lgkmcnt(0)
	s_add_u32 s4, s8, s10
	s_addc_u32 s5, s9, s11
	s_load_dword s3, s[4:5], 0x0
	s_cmp_gt_i32 s14, 0
	s_cbranch_scc1 .LBB0_3
; %bb.1:
	s_load_dwordx2 s[6:7], s[0:1], 0x88
	s_cbranch_execz .LBB0_4
; %bb.2:
	v_mov_b32_e32 v1, 0
	s_branch .LBB0_6
.LBB0_3:
	s_load_dwordx2 s[6:7], s[0:1], 0x88
.LBB0_4:
	s_add_i32 s12, s2, 1
	s_mov_b32 s13, 0
	s_lshl_b64 s[16:17], s[12:13], 2
	s_add_u32 s16, s8, s16
	s_addc_u32 s17, s9, s17
	s_add_i32 s12, s2, 2
	s_lshl_b64 s[18:19], s[12:13], 2
	s_add_u32 s18, s8, s18
	s_addc_u32 s19, s9, s19
	s_add_i32 s12, s2, 3
	s_lshl_b64 s[20:21], s[12:13], 2
	s_add_u32 s20, s8, s20
	s_addc_u32 s21, s9, s21
	s_add_i32 s12, s2, 4
	s_lshl_b64 s[22:23], s[12:13], 2
	s_add_u32 s22, s8, s22
	s_addc_u32 s23, s9, s23
	s_add_i32 s12, s2, 5
	s_lshl_b64 s[24:25], s[12:13], 2
	s_add_u32 s24, s8, s24
	s_addc_u32 s25, s9, s25
	s_add_i32 s12, s2, 6
	s_lshl_b64 s[26:27], s[12:13], 2
	s_add_u32 s26, s8, s26
	s_addc_u32 s27, s9, s27
	s_add_i32 s12, s2, 7
	s_lshl_b64 s[28:29], s[12:13], 2
	s_add_u32 s28, s8, s28
	s_addc_u32 s29, s9, s29
	s_add_i32 s12, s2, 8
	s_lshl_b64 s[30:31], s[12:13], 2
	s_add_u32 s30, s8, s30
	s_addc_u32 s31, s9, s31
	s_add_i32 s12, s2, 9
	s_load_dword s33, s[16:17], 0x0
	s_load_dword s34, s[18:19], 0x0
	s_load_dword s35, s[20:21], 0x0
	s_load_dword s36, s[22:23], 0x0
	s_load_dword s37, s[24:25], 0x0
	s_load_dword s38, s[26:27], 0x0
	s_load_dword s39, s[28:29], 0x0
	s_load_dword s40, s[30:31], 0x0
	s_lshl_b64 s[16:17], s[12:13], 2
	s_add_u32 s16, s8, s16
	s_addc_u32 s17, s9, s17
	s_add_i32 s12, s2, 10
	s_lshl_b64 s[18:19], s[12:13], 2
	s_add_u32 s18, s8, s18
	s_addc_u32 s19, s9, s19
	s_add_i32 s12, s2, 11
	s_lshl_b64 s[20:21], s[12:13], 2
	s_add_u32 s20, s8, s20
	s_addc_u32 s21, s9, s21
	s_add_i32 s12, s2, 12
	s_lshl_b64 s[22:23], s[12:13], 2
	s_add_u32 s22, s8, s22
	s_addc_u32 s23, s9, s23
	s_add_i32 s12, s2, 13
	s_lshl_b64 s[24:25], s[12:13], 2
	s_add_u32 s24, s8, s24
	s_addc_u32 s25, s9, s25
	s_add_i32 s12, s2, 14
	s_lshl_b64 s[26:27], s[12:13], 2
	s_add_u32 s26, s8, s26
	s_addc_u32 s27, s9, s27
	s_add_i32 s12, s2, 15
	s_lshl_b64 s[12:13], s[12:13], 2
	s_add_u32 s12, s8, s12
	s_addc_u32 s13, s9, s13
	s_load_dword s28, s[16:17], 0x0
	s_load_dword s29, s[18:19], 0x0
	s_load_dword s30, s[20:21], 0x0
	s_load_dword s31, s[22:23], 0x0
	s_load_dword s41, s[24:25], 0x0
	s_load_dword s42, s[26:27], 0x0
	s_load_dword s43, s[12:13], 0x0
	s_add_u32 s15, s0, 4
	s_addc_u32 s16, s1, 0
	s_mov_b64 s[12:13], 0
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s3
	v_mov_b32_e32 v3, s33
	v_mov_b32_e32 v4, s34
	v_mov_b32_e32 v5, s35
	v_mov_b32_e32 v6, s36
	v_mov_b32_e32 v7, s37
	v_mov_b32_e32 v8, s38
	v_mov_b32_e32 v9, s39
	v_mov_b32_e32 v10, s40
	v_mov_b32_e32 v11, s28
	v_mov_b32_e32 v12, s29
	v_mov_b32_e32 v13, s30
	v_mov_b32_e32 v14, s31
	v_mov_b32_e32 v15, s41
	v_mov_b32_e32 v16, s42
	v_mov_b32_e32 v17, s43
	v_mov_b32_e32 v18, v0
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	s_mul_i32 s20, s13, 0xaaaaaaab
	s_mul_hi_u32 s21, s12, 0xaaaaaaab
	s_mul_hi_u32 s19, s13, 0xaaaaaaab
	v_and_b32_e32 v19, 15, v18
	s_add_u32 s20, s20, s21
	s_mul_i32 s18, s12, 0xaaaaaaaa
	v_cmp_eq_u32_e32 vcc, 1, v19
	s_addc_u32 s19, s19, 0
	s_mul_hi_u32 s17, s12, 0xaaaaaaaa
	v_cndmask_b32_e32 v20, v2, v3, vcc
	v_cmp_eq_u32_e32 vcc, 2, v19
	s_add_u32 s18, s18, s20
	s_addc_u32 s17, s17, 0
	v_cndmask_b32_e32 v20, v20, v4, vcc
	v_cmp_eq_u32_e32 vcc, 3, v19
	s_add_u32 s17, s19, s17
	s_mul_i32 s23, s13, 0xaaaaaaaa
	v_cndmask_b32_e32 v20, v20, v5, vcc
	v_cmp_eq_u32_e32 vcc, 4, v19
	s_addc_u32 s19, 0, 0
	s_mul_hi_u32 s22, s13, 0xaaaaaaaa
	v_cndmask_b32_e32 v20, v20, v6, vcc
	v_cmp_eq_u32_e32 vcc, 5, v19
	s_add_u32 s18, s23, s17
	s_addc_u32 s19, s22, s19
	v_cndmask_b32_e32 v20, v20, v7, vcc
	v_cmp_eq_u32_e32 vcc, 6, v19
	s_lshr_b64 s[20:21], s[18:19], 4
	s_lshr_b32 s17, s19, 4
	v_cndmask_b32_e32 v20, v20, v8, vcc
	v_cmp_eq_u32_e32 vcc, 7, v19
	s_mul_hi_u32 s18, s20, 0xffffffa0
	s_mulk_i32 s17, 0xffa0
	v_cndmask_b32_e32 v20, v20, v9, vcc
	v_cmp_eq_u32_e32 vcc, 8, v19
	s_sub_i32 s18, s18, s20
	s_mul_i32 s19, s20, 0xffffffa0
	v_cndmask_b32_e32 v20, v20, v10, vcc
	v_cmp_eq_u32_e32 vcc, 9, v19
	s_add_i32 s17, s18, s17
	s_add_u32 s18, s15, s19
	v_cndmask_b32_e32 v20, v20, v11, vcc
	v_cmp_eq_u32_e32 vcc, 10, v19
	s_addc_u32 s19, s16, s17
	s_and_b32 s17, s12, 3
	v_cndmask_b32_e32 v20, v20, v12, vcc
	v_cmp_eq_u32_e32 vcc, 11, v19
	s_lshl_b32 s17, s17, 3
	s_load_dwordx2 s[20:21], s[0:1], s17 offset:0x68
	v_cndmask_b32_e32 v20, v20, v13, vcc
	v_cmp_eq_u32_e32 vcc, 12, v19
	s_load_dword s17, s[18:19], 0x0
	v_add_u32_e32 v18, 7, v18
	v_cndmask_b32_e32 v20, v20, v14, vcc
	v_cmp_eq_u32_e32 vcc, 13, v19
	s_nop 1
	v_cndmask_b32_e32 v20, v20, v15, vcc
	v_cmp_eq_u32_e32 vcc, 14, v19
	s_nop 1
	v_cndmask_b32_e32 v20, v20, v16, vcc
	v_cmp_eq_u32_e32 vcc, 15, v19
	s_nop 1
	v_cndmask_b32_e32 v20, v20, v17, vcc
	v_ashrrev_i32_e32 v21, 31, v20
	v_lshlrev_b64 v[22:23], 2, v[20:21]
	v_lshl_add_u64 v[24:25], s[6:7], 0, v[22:23]
	global_load_dword v19, v[24:25], off
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[22:23], s[20:21], 0, v[22:23]
	global_load_dword v21, v[22:23], off
	v_add_u32_e32 v22, 1, v20
	v_add_u32_e32 v20, s12, v20
	v_and_b32_e32 v20, 15, v20
	v_cmp_eq_u32_e32 vcc, 0, v20
	s_add_u32 s12, s12, 1
	s_addc_u32 s13, s13, 0
	v_cndmask_b32_e32 v2, v2, v22, vcc
	v_cmp_eq_u32_e32 vcc, 1, v20
	s_add_u32 s15, s15, 4
	s_addc_u32 s16, s16, 0
	v_cndmask_b32_e32 v3, v3, v22, vcc
	v_cmp_eq_u32_e32 vcc, 2, v20
	s_cmp_eq_u32 s14, s12
	s_waitcnt vmcnt(1)
	v_fmac_f32_e32 v1, s17, v19
	v_cndmask_b32_e32 v4, v4, v22, vcc
	v_cmp_eq_u32_e32 vcc, 3, v20
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v21
	v_cndmask_b32_e32 v5, v5, v22, vcc
	v_cmp_eq_u32_e32 vcc, 4, v20
	s_nop 1
	v_cndmask_b32_e32 v6, v6, v22, vcc
	v_cmp_eq_u32_e32 vcc, 5, v20
	s_nop 1
	v_cndmask_b32_e32 v7, v7, v22, vcc
	v_cmp_eq_u32_e32 vcc, 6, v20
	s_nop 1
	v_cndmask_b32_e32 v8, v8, v22, vcc
	v_cmp_eq_u32_e32 vcc, 7, v20
	s_nop 1
	v_cndmask_b32_e32 v9, v9, v22, vcc
	v_cmp_eq_u32_e32 vcc, 8, v20
	s_nop 1
	v_cndmask_b32_e32 v10, v10, v22, vcc
	v_cmp_eq_u32_e32 vcc, 9, v20
	s_nop 1
	v_cndmask_b32_e32 v11, v11, v22, vcc
	v_cmp_eq_u32_e32 vcc, 10, v20
	s_nop 1
	v_cndmask_b32_e32 v12, v12, v22, vcc
	v_cmp_eq_u32_e32 vcc, 11, v20
	s_nop 1
	v_cndmask_b32_e32 v13, v13, v22, vcc
	v_cmp_eq_u32_e32 vcc, 12, v20
	s_nop 1
	v_cndmask_b32_e32 v14, v14, v22, vcc
	v_cmp_eq_u32_e32 vcc, 13, v20
	s_nop 1
	v_cndmask_b32_e32 v15, v15, v22, vcc
	v_cmp_eq_u32_e32 vcc, 14, v20
	s_nop 1
	v_cndmask_b32_e32 v16, v16, v22, vcc
	v_cmp_eq_u32_e32 vcc, 15, v20
	s_nop 1
	v_cndmask_b32_e32 v17, v17, v22, vcc
	s_cbranch_scc0 .LBB0_5
.LBB0_6:
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s3, 1
	s_cbranch_scc1 .LBB0_11
; %bb.7:
	s_add_u32 s8, s8, s10
	s_addc_u32 s9, s9, s11
	s_add_u32 s8, s8, 4
	s_addc_u32 s9, s9, 0
	v_mov_b32_e32 v3, 0
	s_branch .LBB0_9
.LBB0_8:                                ;   in Loop: Header=BB0_9 Depth=1
	s_add_i32 s3, s3, -1
	s_add_u32 s8, s8, 16
	s_addc_u32 s9, s9, 0
	s_add_u32 s4, s4, 4
	s_addc_u32 s5, s5, 0
	s_cmp_eq_u32 s3, 0
	s_cbranch_scc1 .LBB0_11
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_load_dword s11, s[8:9], 0x0
	s_load_dword s10, s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	v_cvt_f32_i32_e32 v2, s11
	s_cmp_lt_i32 s10, 6
	v_mul_f32_e32 v1, v1, v2
	s_cbranch_scc1 .LBB0_8
; %bb.10:                               ;   in Loop: Header=BB0_9 Depth=1
	v_add_u32_e32 v2, s10, v0
	v_lshl_add_u64 v[4:5], v[2:3], 2, s[6:7]
	global_load_dword v2, v[4:5], off
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v1, v1, v2
	s_branch .LBB0_8
.LBB0_11:
	s_load_dwordx2 s[0:1], s[0:1], 0x90
	v_lshl_or_b32 v2, s2, 8, v0
	v_mov_b32_e32 v3, 0
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[2:3], v[2:3], 2, s[0:1]
	global_store_dword v[2:3], v1, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel scal
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 160
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 26
		.amdhsa_next_free_sgpr 44
		.amdhsa_accum_offset 28
		.amdhsa_reserve_vcc 1
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
.Lfunc_end0:
	.size	scal, .Lfunc_end0-scal
                                        ; -- End function
	.set scal.num_vgpr, 26
	.set scal.num_agpr, 0
	.set scal.numbered_sgpr, 44
	.set scal.num_named_barrier, 0
	.set scal.private_seg_size, 0
	.set scal.uses_vcc, 1
	.set scal.uses_flat_scratch, 0
	.set scal.has_dyn_sized_stack, 0
	.set scal.has_recursion, 0
	.set scal.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1280
; TotalNumSgprs: 50
; NumVgprs: 26
; NumAgprs: 0
; TotalNumVgprs: 26
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 6
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 50
; NumVGPRsForWavesPerEU: 26
; AccumOffset: 28
; Occupancy: 8
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 6
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
	.type	__hip_cuid_3ea542143ab21d60,@object ; @__hip_cuid_3ea542143ab21d60
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_3ea542143ab21d60
__hip_cuid_3ea542143ab21d60:
	.byte	0                               ; 0x0
	.size	__hip_cuid_3ea542143ab21d60, 1

	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_3ea542143ab21d60
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .offset:         0
        .size:           136
        .value_kind:     by_value
      - .actual_access:  read_only
        .address_space:  global
        .offset:         136
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         144
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         152
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 160
    .max_flat_workgroup_size: 256
    .name:           scal
    .private_segment_fixed_size: 0
    .sgpr_count:     50
    .sgpr_spill_count: 0
    .symbol:         scal.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     26
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
