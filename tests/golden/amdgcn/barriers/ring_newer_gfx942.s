	.amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	ring                    ; -- Begin function ring
	.globl	ring
	.p2align	8
	.type	ring,@function
ring:                                   ; @ring
; %bb.0:
	s_load_dwordx4 s[4:7], s[0:1], 0x0
	s_load_dwordx2 s[8:9], s[0:1], 0x10
	v_lshlrev_b32_e32 v2, 2, v0
	s_mov_b32 s3, 0
	s_load_dword s10, s[0:1], 0x18
	s_waitcnt lgkmcnt(0)
	global_load_dword v1, v2, s[4:5]
	s_lshl_b64 s[0:1], s[2:3], 2
	s_add_u32 s0, s6, s0
	s_addc_u32 s1, s7, s1
	s_load_dword s2, s[0:1], 0x0
	v_mov_b32_e32 v3, 0
	s_cmp_lt_i32 s10, 1
	s_waitcnt vmcnt(0)
	ds_write_b32 v2, v1
	s_cbranch_scc1 .LBB0_4
; %bb.1:
	v_xor_b32_e32 v0, 64, v0
	v_lshlrev_b32_e32 v4, 2, v0
	v_lshl_add_u64 v[0:1], s[4:5], 0, v[2:3]
	s_mov_b64 s[0:1], 0x400
	v_lshl_add_u64 v[0:1], v[0:1], 0, s[0:1]
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s2
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	s_waitcnt lgkmcnt(0)
	s_barrier
	global_load_dword v7, v[0:1], off
	s_add_i32 s4, s3, 1
	s_and_b32 s3, s3, 1
	v_lshl_or_b32 v5, s3, 10, v4
	ds_read_b32 v5, v5
	s_and_b32 s5, s4, 1
	v_lshl_add_u64 v[0:1], v[0:1], 0, s[0:1]
	s_mov_b32 s3, s4
	v_lshl_or_b32 v6, s5, 10, v2
	s_cmp_eq_u32 s10, s4
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v3, s2, v5
	s_waitcnt vmcnt(0)
	ds_write_b32 v6, v7
	s_cbranch_scc0 .LBB0_2
; %bb.3:                                ; %Flow12
	global_store_dword v2, v3, s[8:9]
	s_endpgm
.LBB0_4:
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s2
	global_store_dword v2, v3, s[8:9]
	s_endpgm
.Lfunc_end0:
	.size	ring, .Lfunc_end0-ring
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ring
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 28
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
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 11
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 0
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
	.set .Lring.num_vgpr, 8
	.set .Lring.num_agpr, 0
	.set .Lring.numbered_sgpr, 11
	.set .Lring.num_named_barrier, 0
	.set .Lring.private_seg_size, 0
	.set .Lring.uses_vcc, 0
	.set .Lring.uses_flat_scratch, 0
	.set .Lring.has_dyn_sized_stack, 0
	.set .Lring.has_recursion, 0
	.set .Lring.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 252
; TotalNumSgprs: 17
; NumVgprs: 8
; NumAgprs: 0
; TotalNumVgprs: 8
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 2048 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 17
; NumVGPRsForWavesPerEU: 8
; AccumOffset: 8
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 1
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
	.type	__hip_cuid_92c54ede6cf2331b,@object ; @__hip_cuid_92c54ede6cf2331b
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_92c54ede6cf2331b
__hip_cuid_92c54ede6cf2331b:
	.byte	0                               ; 0x0
	.size	__hip_cuid_92c54ede6cf2331b, 1

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
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .max_flat_workgroup_size: 256
    .name:           ring
    .private_segment_fixed_size: 0
    .sgpr_count:     17
    .sgpr_spill_count: 0
    .symbol:         ring.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     8
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.42-amd-amdhsa-unknown-gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
