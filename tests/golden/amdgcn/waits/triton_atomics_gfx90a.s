	.amdgcn_target "amdgpu9.0a-amd-amdhsa-unknown-gfx90a"
	.amdhsa_code_object_version 5
	.text
	.globl	atomics                         ; -- Begin function atomics
	.p2align	8
	.type	atomics,@function
atomics:                                ; @atomics
.Lfunc_begin0:
; %bb.31:
	s_load_dwordx2 s[6:7], s[4:5], 0x0
	s_load_dwordx4 s[8:11], s[4:5], 0x8
	s_load_dwordx2 s[12:13], s[4:5], 0x18
	s_load_dword s14, s[4:5], 0x20
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.32:
.LBB0_0:
	v_readfirstlane_b32 s0, v0
	s_and_b32 s0, s0, 0xc0
	s_lshl_b32 s4, s15, 9
	v_and_or_b32 v16, v0, 63, s0
	v_lshl_or_b32 v10, v16, 1, s4
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshlrev_b64 v[2:3], 2, v[10:11]
	v_mov_b32_e32 v1, s9
	v_add_co_u32_e64 v4, s[0:1], s8, v2
	v_mov_b32_e32 v6, 0
	v_cmp_gt_i32_e32 vcc, s14, v10
	v_addc_co_u32_e64 v5, s[0:1], v1, v3, s[0:1]
	v_mov_b32_e32 v8, v6
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_2
; %bb.1:
	global_load_dword v8, v[4:5], off
.LBB0_2:
	s_or_b64 exec, exec, s[0:1]
	v_or_b32_e32 v1, 1, v10
	v_cmp_gt_i32_e64 s[0:1], s14, v1
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_4
; %bb.3:
	global_load_dword v6, v[4:5], off offset:4
.LBB0_4:
	s_or_b64 exec, exec, s[2:3]
	v_mov_b32_e32 v1, s7
	v_add_co_u32_e64 v10, s[2:3], s6, v2
	v_addc_co_u32_e64 v11, s[2:3], v1, v3, s[2:3]
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v18, 0
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execz .LBB0_6
; %bb.5:
	global_load_dword v18, v[10:11], off
.LBB0_6:
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_8
; %bb.7:
	global_load_dword v17, v[10:11], off offset:4
.LBB0_8:
	s_or_b64 exec, exec, s[2:3]
	s_waitcnt vmcnt(0)
	v_ashrrev_i32_e32 v9, 31, v8
	v_lshlrev_b64 v[12:13], 2, v[8:9]
	v_mov_b32_e32 v1, s11
	v_add_co_u32_e64 v2, s[2:3], s10, v12
	v_ashrrev_i32_e32 v7, 31, v6
	v_addc_co_u32_e64 v3, s[2:3], v1, v13, s[2:3]
	v_lshlrev_b64 v[14:15], 2, v[6:7]
	v_add_co_u32_e64 v20, s[2:3], s10, v14
	v_addc_co_u32_e64 v21, s[2:3], v1, v15, s[2:3]
	v_lshlrev_b32_e32 v1, 3, v16
	v_add_u32_e32 v7, 0, v1
	v_xor_b32_e32 v1, 64, v1
	v_and_b32_e32 v19, 0xfe, v16
	v_bfe_i32 v22, v0, 0, 1
	v_or_b32_e32 v24, s4, v16
	v_add_u32_e32 v9, 0, v1
	v_lshlrev_b32_e32 v1, 2, v19
	v_and_b32_e32 v0, 0x840, v22
	v_lshlrev_b32_e32 v16, 2, v16
	ds_write_b64 v9, v[20:21] offset:2048
	v_xor_b32_e32 v0, v1, v0
	v_add_u32_e32 v20, 0, v16
	v_xor_b32_e32 v16, 64, v16
	v_add_u32_e32 v23, 0, v0
	v_add_u32_e32 v21, 0, v16
	ds_write_b64 v7, v[2:3]
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b64 v[0:3], v23 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_write_b32 v21, v17 offset:1024
	v_lshlrev_b32_e32 v16, 1, v19
	v_and_b32_e32 v17, 0x440, v22
	v_xor_b32_e32 v16, v16, v17
	v_add_u32_e32 v22, 0, v16
	ds_write_b32 v20, v18
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b32 v[16:17], v22 offset1:2
	v_cmp_gt_i32_e64 s[2:3], s14, v24
	s_waitcnt lgkmcnt(0)
	s_barrier
                                        ; implicit-def: $vgpr18
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_cbranch_execz .LBB0_12
; %bb.9:
	global_load_dword v19, v[0:1], off
	s_mov_b64 s[8:9], 0
.LBB0_10:                               ; %atomicrmw.start
                                        ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v18, v19, v16
	global_atomic_cmpswap v18, v[0:1], v[18:19], off glc
	s_waitcnt vmcnt(0)
	v_cmp_eq_u32_e64 s[4:5], v18, v19
	s_or_b64 s[8:9], s[4:5], s[8:9]
	v_mov_b32_e32 v19, v18
	s_andn2_b64 exec, exec, s[8:9]
	s_cbranch_execnz .LBB0_10
; %bb.11:                               ; %Flow52
	s_or_b64 exec, exec, s[8:9]
.LBB0_12:                               ; %Flow53
	s_or_b64 exec, exec, s[6:7]
	v_or_b32_e32 v0, 0x100, v24
	v_cmp_gt_i32_e64 s[4:5], s14, v0
                                        ; implicit-def: $vgpr0
	s_and_saveexec_b64 s[8:9], s[4:5]
	s_cbranch_execz .LBB0_16
; %bb.13:
	global_load_dword v1, v[2:3], off
	s_mov_b64 s[10:11], 0
.LBB0_14:                               ; %atomicrmw.start2
                                        ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v0, v1, v17
	global_atomic_cmpswap v0, v[2:3], v[0:1], off glc
	s_waitcnt vmcnt(0)
	buffer_wbinvl1_vol
	v_cmp_eq_u32_e64 s[6:7], v0, v1
	s_or_b64 s[10:11], s[6:7], s[10:11]
	v_mov_b32_e32 v1, v0
	s_andn2_b64 exec, exec, s[10:11]
	s_cbranch_execnz .LBB0_14
; %bb.15:                               ; %Flow50
	s_or_b64 exec, exec, s[10:11]
.LBB0_16:                               ; %Flow51
	s_or_b64 exec, exec, s[8:9]
	s_barrier
	ds_write2st64_b32 v22, v18, v0 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v0, v21 offset:1024
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_18
; %bb.17:
	ds_read_b32 v1, v20
	s_waitcnt lgkmcnt(0)
	global_store_dword v[10:11], v1, off
.LBB0_18:
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[0:1]
	s_cbranch_execz .LBB0_20
; %bb.19:
	s_waitcnt lgkmcnt(0)
	global_store_dword v[10:11], v0, off offset:4
.LBB0_20:
	s_or_b64 exec, exec, s[6:7]
	v_mov_b32_e32 v1, s13
	s_waitcnt lgkmcnt(0)
	v_add_co_u32_e64 v0, s[6:7], s12, v12
	v_addc_co_u32_e64 v1, s[6:7], v1, v13, s[6:7]
	v_mov_b32_e32 v3, s13
	v_add_co_u32_e64 v2, s[6:7], s12, v14
	v_addc_co_u32_e64 v3, s[6:7], v3, v15, s[6:7]
	s_barrier
	ds_write_b64 v7, v[0:1]
	ds_write_b64 v9, v[2:3] offset:2048
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b64 v[0:3], v23 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_write_b32 v20, v8
	ds_write_b32 v21, v6 offset:1024
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b32 v[6:7], v22 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_and_saveexec_b64 s[6:7], s[2:3]
	s_cbranch_execz .LBB0_23
; %bb.21:
	global_load_dword v9, v[0:1], off
	s_mov_b64 s[8:9], 0
.LBB0_22:                               ; %atomicrmw.start8
                                        ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(0)
	v_max_i32_e32 v8, v9, v6
	global_atomic_cmpswap v8, v[0:1], v[8:9], off glc
	s_waitcnt vmcnt(0)
	v_cmp_eq_u32_e64 s[2:3], v8, v9
	s_or_b64 s[8:9], s[2:3], s[8:9]
	v_mov_b32_e32 v9, v8
	s_andn2_b64 exec, exec, s[8:9]
	s_cbranch_execnz .LBB0_22
.LBB0_23:                               ; %Flow49
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[4:5]
	s_cbranch_execz .LBB0_26
; %bb.24:
	global_load_dword v9, v[2:3], off
	s_mov_b64 s[4:5], 0
.LBB0_25:                               ; %atomicrmw.start14
                                        ; =>This Inner Loop Header: Depth=1
	s_waitcnt vmcnt(0)
	v_max_i32_e32 v8, v9, v7
	global_atomic_cmpswap v8, v[2:3], v[8:9], off glc
	s_waitcnt vmcnt(0)
	buffer_wbinvl1_vol
	v_cmp_eq_u32_e64 s[2:3], v8, v9
	s_or_b64 s[4:5], s[2:3], s[4:5]
	v_mov_b32_e32 v9, v8
	s_andn2_b64 exec, exec, s[4:5]
	s_cbranch_execnz .LBB0_25
.LBB0_26:                               ; %Flow47
	s_or_b64 exec, exec, s[6:7]
	v_add_u32_e32 v8, 1, v6
	v_mov_b32_e32 v9, v6
	s_barrier
	v_add_u32_e32 v10, 1, v7
	s_barrier
	s_waitcnt vmcnt(0)
	global_atomic_cmpswap v0, v[0:1], v[8:9], off glc
	s_waitcnt vmcnt(0)
	buffer_wbinvl1_vol
	v_mov_b32_e32 v11, v7
	global_atomic_cmpswap v1, v[2:3], v[10:11], off glc
	s_waitcnt vmcnt(0)
	buffer_wbinvl1_vol
	s_barrier
	ds_write2st64_b32 v22, v0, v1 offset1:2
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v0, v21 offset:1024
	s_and_saveexec_b64 s[2:3], vcc
	s_cbranch_execnz .LBB0_29
; %bb.27:
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execnz .LBB0_30
.LBB0_28:
	s_endpgm
.LBB0_29:
	ds_read_b32 v1, v20
	s_waitcnt lgkmcnt(0)
	global_store_dword v[4:5], v1, off
	s_or_b64 exec, exec, s[2:3]
	s_and_saveexec_b64 s[2:3], s[0:1]
	s_cbranch_execz .LBB0_28
.LBB0_30:
	s_waitcnt lgkmcnt(0)
	global_store_dword v[4:5], v0, off offset:4
	s_endpgm
.Lfunc_end0:
	.size	atomics, .Lfunc_end0-atomics
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel atomics
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 56
		.amdhsa_user_sgpr_count 15
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 9
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 25
		.amdhsa_next_free_sgpr 16
		.amdhsa_accum_offset 28
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
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
	.set .Latomics.num_vgpr, 25
	.set .Latomics.num_agpr, 0
	.set .Latomics.numbered_sgpr, 16
	.set .Latomics.num_named_barrier, 0
	.set .Latomics.private_seg_size, 0
	.set .Latomics.uses_vcc, 1
	.set .Latomics.uses_flat_scratch, 0
	.set .Latomics.has_dyn_sized_stack, 0
	.set .Latomics.has_recursion, 0
	.set .Latomics.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1388
; TotalNumSgprs: 20
; NumVgprs: 25
; NumAgprs: 0
; TotalNumVgprs: 25
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 3
; NumSGPRsForWavesPerEU: 20
; NumVGPRsForWavesPerEU: 25
; AccumOffset: 28
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 15
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
      - .address_space:  global
        .offset:         24
        .size:           8
        .value_kind:     global_buffer
      - .offset:         32
        .size:           4
        .value_kind:     by_value
      - .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         48
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 56
    .max_flat_workgroup_size: 256
    .name:           atomics
    .private_segment_fixed_size: 0
    .sgpr_count:     20
    .sgpr_spill_count: 0
    .symbol:         atomics.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     25
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.0a-amd-amdhsa-unknown-gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
