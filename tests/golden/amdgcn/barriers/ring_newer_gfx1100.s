	.amdgcn_target "amdgpu11.00-amd-amdhsa-unknown-gfx1100"
	.amdhsa_code_object_version 6
	.text
	.protected	ring                    ; -- Begin function ring
	.globl	ring
	.p2align	8
	.type	ring,@function
ring:                                   ; @ring
; %bb.0:
	s_clause 0x1
	s_load_b128 s[4:7], s[0:1], 0x0
	s_load_b64 s[2:3], s[0:1], 0x10
	v_lshlrev_b32_e32 v2, 2, v0
	s_mov_b32 s8, s15
	s_mov_b32 s9, 0
	s_load_b32 s0, s[0:1], 0x18
	s_lshl_b64 s[10:11], s[8:9], 2
	s_waitcnt lgkmcnt(0)
	global_load_b32 v1, v2, s[4:5]
	s_add_u32 s6, s6, s10
	s_addc_u32 s7, s7, s11
	s_load_b32 s1, s[6:7], 0x0
	s_cmp_lt_i32 s0, 1
	s_waitcnt vmcnt(0)
	ds_store_b32 v2, v1
	s_cbranch_scc1 .LBB0_4
; %bb.1:
	v_xor_b32_e32 v0, 64, v0
	v_add_co_u32 v1, s4, s4, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_add_co_ci_u32_e64 v3, null, s5, 0, s4
	v_lshlrev_b32_e32 v4, 2, v0
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v0, vcc_lo, 0x400, v1
	v_add_co_ci_u32_e64 v1, null, 0, v3, vcc_lo
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s1
	.p2align	6
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_gl0_inv
	global_load_b32 v5, v[0:1], off
	s_and_b32 s4, s9, 1
	s_add_i32 s9, s9, 1
	v_lshl_or_b32 v6, s4, 10, v4
	v_add_co_u32 v0, vcc_lo, 0x400, v0
	s_and_b32 s5, s9, 1
	v_add_co_ci_u32_e64 v1, null, 0, v1, vcc_lo
	ds_load_b32 v6, v6
	v_lshl_or_b32 v7, s5, 10, v2
	s_cmp_eq_u32 s0, s9
	s_waitcnt lgkmcnt(0)
	v_fmac_f32_e32 v3, s1, v6
	s_waitcnt vmcnt(0)
	ds_store_b32 v7, v5
	s_cbranch_scc0 .LBB0_2
; %bb.3:                                ; %Flow12
	global_store_b32 v2, v3, s[2:3]
	s_endpgm
.LBB0_4:
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v3, s1
	global_store_b32 v2, v3, s[2:3]
	s_endpgm
.Lfunc_end0:
	.size	ring, .Lfunc_end0-ring
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel ring
		.amdhsa_group_segment_fixed_size 2048
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 28
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
		.amdhsa_next_free_vgpr 8
		.amdhsa_next_free_sgpr 16
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
		.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end0-ring)<<4)&1008)>>4
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
	.set .Lring.numbered_sgpr, 16
	.set .Lring.num_named_barrier, 0
	.set .Lring.private_seg_size, 0
	.set .Lring.uses_vcc, 1
	.set .Lring.uses_flat_scratch, 0
	.set .Lring.has_dyn_sized_stack, 0
	.set .Lring.has_recursion, 0
	.set .Lring.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 332
; TotalNumSgprs: 18
; NumVgprs: 8
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 2048 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 18
; NumVGPRsForWavesPerEU: 8
; Occupancy: 16
; WaveLimiterHint : 0
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
	.set amdgpu.max_num_vgpr, 0
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 0
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_66f9469860ca2cc0,@object ; @__hip_cuid_66f9469860ca2cc0
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_66f9469860ca2cc0
__hip_cuid_66f9469860ca2cc0:
	.byte	0                               ; 0x0
	.size	__hip_cuid_66f9469860ca2cc0, 1

	.section	".note.GNU-stack","",@progbits
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
    .group_segment_fixed_size: 2048
    .kernarg_segment_align: 8
    .kernarg_segment_size: 28
    .max_flat_workgroup_size: 256
    .name:           ring
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         ring.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     8
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgpu11.00-amd-amdhsa-unknown-gfx1100
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
