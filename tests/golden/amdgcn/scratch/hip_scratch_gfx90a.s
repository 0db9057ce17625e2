	.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"
	.amdhsa_code_object_version 6
	.text
	.protected	array                   ; -- Begin function array
	.globl	array
	.p2align	8
	.type	array,@function
array:                                  ; @array
; %bb.0:
	s_load_dword s6, s[4:5], 0x10
	s_load_dwordx4 s[8:11], s[4:5], 0x0
	s_add_u32 s0, s0, s7
	s_addc_u32 s1, s1, 0
	s_mov_b64 s[4:5], -1
	s_waitcnt lgkmcnt(0)
	s_cmp_eq_u32 s6, 1
	s_cbranch_scc1 .LBB0_4
; %bb.1:
	s_ashr_i32 s7, s6, 31
	s_lshl_b64 s[4:5], s[6:7], 2
	s_mov_b32 s7, 0
	s_mov_b64 s[12:13], s[8:9]
.LBB0_2:                                ; =>This Inner Loop Header: Depth=1
	s_load_dword s14, s[12:13], 0x0
	v_mov_b32_e32 v1, s7
	s_add_i32 s7, s7, 4
	s_add_u32 s12, s12, s4
	s_addc_u32 s13, s13, s5
	s_cmpk_eq_i32 s7, 0x100
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s14
	buffer_store_dword v2, v1, s[0:3], 0 offen
	s_cbranch_scc0 .LBB0_2
; %bb.3:
	s_mov_b64 s[4:5], 0
.LBB0_4:
	s_and_b64 vcc, exec, s[4:5]
	s_cbranch_vccz .LBB0_7
; %bb.5:
	s_mov_b32 s7, 0
	s_mov_b64 s[4:5], s[8:9]
.LBB0_6:                                ; =>This Inner Loop Header: Depth=1
	s_load_dwordx2 s[12:13], s[4:5], 0x0
	v_mov_b32_e32 v1, s7
	s_add_i32 s7, s7, 8
	s_add_u32 s4, s4, 8
	s_addc_u32 s5, s5, 0
	s_cmpk_eq_i32 s7, 0x100
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v2, s13
	v_mov_b32_e32 v3, s12
	buffer_store_dword v2, v1, s[0:3], 0 offen offset:4
	buffer_store_dword v3, v1, s[0:3], 0 offen
	s_cbranch_scc0 .LBB0_6
.LBB0_7:
	v_lshlrev_b32_e32 v1, 2, v0
	global_load_dword v1, v1, s[10:11]
	s_cmp_lt_i32 s6, 1
	s_cbranch_scc1 .LBB0_18
; %bb.8:
	s_cmp_lt_u32 s6, 6
	s_cselect_b64 s[10:11], -1, 0
	s_and_b64 vcc, exec, s[10:11]
	v_mov_b32_e32 v2, 0
	s_cbranch_vccnz .LBB0_14
; %bb.9:
	s_add_i32 s4, s6, -1
	s_and_b32 s5, s4, 63
	s_waitcnt vmcnt(0)
	v_xor_b32_e32 v2, -1, v1
	v_and_b32_e32 v2, 63, v2
	s_cmp_lt_u32 s4, 64
	v_cmp_le_u16_e32 vcc, s5, v2
	s_cselect_b64 s[4:5], -1, 0
	s_and_b64 s[12:13], vcc, s[4:5]
	s_mov_b64 s[10:11], -1
	v_mov_b32_e32 v2, 0
	s_and_saveexec_b64 s[4:5], s[12:13]
	s_cbranch_execz .LBB0_13
; %bb.10:
	s_and_b32 s7, s6, 0x7e
	s_mov_b32 s10, 0
	v_mov_b32_e32 v2, v1
	s_mov_b32 s11, s7
.LBB0_11:                               ; =>This Inner Loop Header: Depth=1
	v_and_b32_e32 v3, 63, v2
	v_lshl_add_u32 v3, v3, 2, s10
	buffer_load_dword v4, v3, s[0:3], 0 offen
	buffer_load_dword v5, v3, s[0:3], 0 offen offset:4
	s_add_i32 s11, s11, -2
	v_add_u32_e32 v2, 2, v2
	s_cmp_lg_u32 s11, 0
	s_waitcnt vmcnt(0)
	v_pk_add_f32 v[4:5], v[4:5], 1.0 op_sel_hi:[1,0]
	buffer_store_dword v4, v3, s[0:3], 0 offen
	buffer_store_dword v5, v3, s[0:3], 0 offen offset:4
	s_cbranch_scc1 .LBB0_11
; %bb.12:
	s_cmp_lg_u32 s6, s7
	s_cselect_b64 s[10:11], -1, 0
	v_mov_b32_e32 v2, s7
	s_orn2_b64 s[10:11], s[10:11], exec
.LBB0_13:
	s_or_b64 exec, exec, s[4:5]
.LBB0_14:
	s_and_saveexec_b64 s[4:5], s[10:11]
	s_cbranch_execz .LBB0_17
; %bb.15:
	v_sub_u32_e32 v3, s6, v2
	s_waitcnt vmcnt(0)
	v_add_u32_e32 v2, v2, v1
	s_mov_b64 s[6:7], 0
	s_mov_b32 s10, 0
.LBB0_16:                               ; =>This Inner Loop Header: Depth=1
	v_and_b32_e32 v4, 63, v2
	v_lshl_add_u32 v4, v4, 2, s10
	buffer_load_dword v5, v4, s[0:3], 0 offen
	v_add_u32_e32 v3, -1, v3
	v_cmp_eq_u32_e32 vcc, 0, v3
	v_add_u32_e32 v2, 1, v2
	s_or_b64 s[6:7], vcc, s[6:7]
	s_waitcnt vmcnt(0)
	v_add_f32_e32 v5, 1.0, v5
	buffer_store_dword v5, v4, s[0:3], 0 offen
	s_andn2_b64 exec, exec, s[6:7]
	s_cbranch_execnz .LBB0_16
.LBB0_17:
	s_or_b64 exec, exec, s[4:5]
.LBB0_18:
	s_waitcnt vmcnt(0)
	v_and_b32_e32 v1, 63, v1
	s_mov_b32 s4, 0
	v_lshl_add_u32 v1, v1, 2, s4
	buffer_load_dword v1, v1, s[0:3], 0 offen
	v_lshlrev_b32_e32 v0, 2, v0
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
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 6
		.amdhsa_next_free_sgpr 15
		.amdhsa_accum_offset 8
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
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
	.size	array, .Lfunc_end0-array
                                        ; -- End function
	.set array.num_vgpr, 6
	.set array.num_agpr, 0
	.set array.numbered_sgpr, 15
	.set array.num_named_barrier, 0
	.set array.private_seg_size, 272
	.set array.uses_vcc, 1
	.set array.uses_flat_scratch, 0
	.set array.has_dyn_sized_stack, 0
	.set array.has_recursion, 0
	.set array.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 528
; TotalNumSgprs: 19
; NumVgprs: 6
; NumAgprs: 0
; TotalNumVgprs: 6
; ScratchSize: 272
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 2
; VGPRBlocks: 0
; NumSGPRsForWavesPerEU: 19
; NumVGPRsForWavesPerEU: 6
; AccumOffset: 8
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 1
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.protected	spills                  ; -- Begin function spills
	.globl	spills
	.p2align	8
	.type	spills,@function
spills:                                 ; @spills
; %bb.0:
	s_load_dword s6, s[4:5], 0x10
	s_mov_b64 s[10:11], s[2:3]
	s_mov_b64 s[8:9], s[0:1]
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	v_mov_b32_e32 v34, v0
	v_mov_b32_e32 v9, 0
	s_waitcnt lgkmcnt(0)
	v_add_u32_e32 v8, s6, v34
	s_add_u32 s8, s8, s7
	v_lshlrev_b64 v[18:19], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	s_addc_u32 s9, s9, 0
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:136 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:140 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[6:7], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[10:11], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[36:37], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	s_cmp_lt_i32 s6, 1
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:112 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:116 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_add_co_u32_e32 v4, vcc, s2, v6
	buffer_store_dword v6, off, s[8:11], 0 offset:96 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v7, off, s[8:11], 0 offset:100 ; 4-byte Folded Spill
	v_mov_b32_e32 v5, s3
	v_addc_co_u32_e32 v5, vcc, v5, v7, vcc
	v_add_co_u32_e32 v6, vcc, s2, v10
	buffer_store_dword v10, off, s[8:11], 0 offset:48 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v11, off, s[8:11], 0 offset:52 ; 4-byte Folded Spill
	v_mov_b32_e32 v7, s3
	v_addc_co_u32_e32 v7, vcc, v7, v11, vcc
	global_load_dword v16, v[0:1], off
	global_load_dword v17, v[2:3], off
	global_load_dword v14, v[4:5], off
                                        ; kill: killed $vgpr0 killed $vgpr1
                                        ; kill: killed $vgpr4 killed $vgpr5
                                        ; kill: killed $vgpr2 killed $vgpr3
	global_load_dword v15, v[6:7], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:56 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:60 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[38:39], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[30:31], 2, v[8:9]
	v_mov_b32_e32 v7, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[12:13], 2, v[8:9]
	v_mov_b32_e32 v11, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[46:47], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:24 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:28 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	v_mov_b32_e32 v5, s3
	v_add_co_u32_e32 v4, vcc, s2, v38
	v_addc_co_u32_e32 v5, vcc, v5, v39, vcc
	v_add_co_u32_e32 v6, vcc, s2, v30
	v_addc_co_u32_e32 v7, vcc, v7, v31, vcc
	v_add_co_u32_e32 v10, vcc, s2, v12
	buffer_store_dword v12, off, s[8:11], 0 offset:80 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v13, off, s[8:11], 0 offset:84 ; 4-byte Folded Spill
	global_load_dword v0, v[0:1], off
	s_nop 0
	global_load_dword v1, v[2:3], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[44:45], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	s_waitcnt vmcnt(1)
	buffer_store_dword v0, off, s[8:11], 0 offset:184 ; 4-byte Folded Spill
	s_waitcnt vmcnt(1)
	buffer_store_dword v1, off, s[8:11], 0 offset:188 ; 4-byte Folded Spill
	v_addc_co_u32_e32 v11, vcc, v11, v13, vcc
	v_mov_b32_e32 v13, s3
	v_add_co_u32_e32 v12, vcc, s2, v46
	v_addc_co_u32_e32 v13, vcc, v13, v47, vcc
	global_load_dword v26, v[4:5], off
	global_load_dword v27, v[6:7], off
	global_load_dword v0, v[10:11], off
	global_load_dword v1, v[12:13], off
	v_lshlrev_b64 v[10:11], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[6:7], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[42:43], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	s_waitcnt vmcnt(1)
	buffer_store_dword v0, off, s[8:11], 0 offset:176 ; 4-byte Folded Spill
	s_waitcnt vmcnt(1)
	buffer_store_dword v1, off, s[8:11], 0 offset:180 ; 4-byte Folded Spill
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:32 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:36 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_mov_b32_e32 v3, s3
	v_add_co_u32_e32 v2, vcc, s2, v44
	v_addc_co_u32_e32 v3, vcc, v3, v45, vcc
	global_load_dword v0, v[0:1], off
	s_nop 0
	global_load_dword v1, v[2:3], off
	v_mov_b32_e32 v3, s3
	s_waitcnt vmcnt(1)
	buffer_store_dword v0, off, s[8:11], 0 offset:8 ; 4-byte Folded Spill
	s_waitcnt vmcnt(1)
	buffer_store_dword v1, off, s[8:11], 0 offset:12 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_co_u32_e32 v0, vcc, s2, v10
	v_addc_co_u32_e32 v1, vcc, v1, v11, vcc
	v_add_co_u32_e32 v2, vcc, s2, v6
	v_addc_co_u32_e32 v3, vcc, v3, v7, vcc
	global_load_dword v20, v[0:1], off
	global_load_dword v21, v[2:3], off
	v_mov_b32_e32 v1, s3
	v_add_co_u32_e32 v0, vcc, s2, v42
	v_addc_co_u32_e32 v1, vcc, v1, v43, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:16 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:20 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	global_load_dword v22, v[0:1], off
	global_load_dword v23, v[2:3], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:40 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:44 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:64 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:68 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	global_load_dword v24, v[0:1], off
	global_load_dword v25, v[2:3], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:88 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:92 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:104 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:108 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	global_load_dword v28, v[0:1], off
	global_load_dword v29, v[2:3], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:120 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:124 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:128 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:132 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	global_load_dword v32, v[0:1], off
	global_load_dword v33, v[2:3], off
	v_lshlrev_b64 v[2:3], 2, v[8:9]
	v_add_co_u32_e32 v0, vcc, s2, v2
	buffer_store_dword v2, off, s[8:11], 0 offset:144 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v3, off, s[8:11], 0 offset:148 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[4:5], 2, v[8:9]
	v_add_u32_e32 v8, s6, v8
	v_lshlrev_b64 v[8:9], 2, v[8:9]
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	v_add_co_u32_e32 v2, vcc, s2, v4
	buffer_store_dword v4, off, s[8:11], 0 offset:152 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v5, off, s[8:11], 0 offset:156 ; 4-byte Folded Spill
	v_mov_b32_e32 v3, s3
	v_addc_co_u32_e32 v3, vcc, v3, v5, vcc
	global_load_dword v12, v[0:1], off
	global_load_dword v13, v[2:3], off
	v_add_co_u32_e32 v0, vcc, s2, v18
	buffer_store_dword v18, off, s[8:11], 0 offset:160 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v19, off, s[8:11], 0 offset:164 ; 4-byte Folded Spill
	v_mov_b32_e32 v1, s3
	v_mov_b32_e32 v3, s3
	v_mov_b32_e32 v5, s3
	v_addc_co_u32_e32 v1, vcc, v1, v19, vcc
	v_add_co_u32_e32 v2, vcc, s2, v36
	buffer_store_dword v36, off, s[8:11], 0 offset:72 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v37, off, s[8:11], 0 offset:76 ; 4-byte Folded Spill
	v_addc_co_u32_e32 v3, vcc, v3, v37, vcc
	global_load_dword v40, v[2:3], off
	global_load_dword v19, v[0:1], off
	v_mov_b32_e32 v0, v34
	buffer_store_dword v0, off, s[8:11], 0 offset:168 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v1, off, s[8:11], 0 offset:172 ; 4-byte Folded Spill
	v_add_co_u32_e32 v4, vcc, s2, v8
	v_lshlrev_b32_e32 v0, 2, v34
	v_addc_co_u32_e32 v5, vcc, v5, v9, vcc
	global_load_dword v18, v0, s[2:3]
	global_load_dword v35, v[4:5], off
	s_cbranch_scc1 .LBB1_4
; %bb.1:
	buffer_store_dword v8, off, s[8:11], 0 offset:248 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v9, off, s[8:11], 0 offset:252 ; 4-byte Folded Spill
	buffer_store_dword v46, off, s[8:11], 0 offset:240 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v47, off, s[8:11], 0 offset:244 ; 4-byte Folded Spill
	buffer_store_dword v44, off, s[8:11], 0 offset:232 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v45, off, s[8:11], 0 offset:236 ; 4-byte Folded Spill
	buffer_store_dword v42, off, s[8:11], 0 offset:224 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v43, off, s[8:11], 0 offset:228 ; 4-byte Folded Spill
	buffer_store_dword v10, off, s[8:11], 0 offset:216 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v11, off, s[8:11], 0 offset:220 ; 4-byte Folded Spill
	buffer_store_dword v38, off, s[8:11], 0 offset:208 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v39, off, s[8:11], 0 offset:212 ; 4-byte Folded Spill
	buffer_store_dword v6, off, s[8:11], 0 offset:200 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v7, off, s[8:11], 0 offset:204 ; 4-byte Folded Spill
	buffer_store_dword v30, off, s[8:11], 0 offset:192 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v31, off, s[8:11], 0 offset:196 ; 4-byte Folded Spill
	buffer_load_dword v38, off, s[8:11], 0 offset:176 ; 4-byte Folded Reload
	buffer_load_dword v39, off, s[8:11], 0 offset:180 ; 4-byte Folded Reload
	buffer_load_dword v36, off, s[8:11], 0 offset:184 ; 4-byte Folded Reload
	buffer_load_dword v37, off, s[8:11], 0 offset:188 ; 4-byte Folded Reload
	s_nop 0
	buffer_load_dword v30, off, s[8:11], 0 offset:8 ; 4-byte Folded Reload
	buffer_load_dword v31, off, s[8:11], 0 offset:12 ; 4-byte Folded Reload
	s_waitcnt vmcnt(23)
	buffer_store_dword v18, off, s[8:11], 0 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v19, off, s[8:11], 0 offset:4 ; 4-byte Folded Spill
.LBB1_2:                                ; =>This Inner Loop Header: Depth=1
	v_mov_b32_e32 v0, v25
	v_mov_b32_e32 v1, v28
	buffer_store_dword v0, off, s[8:11], 0 offset:8 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v1, off, s[8:11], 0 offset:12 ; 4-byte Folded Spill
	buffer_load_dword v0, off, s[8:11], 0   ; 4-byte Folded Reload
	s_nop 0
	buffer_load_dword v1, off, s[8:11], 0 offset:4 ; 4-byte Folded Reload
	s_load_dword s4, s[2:3], 0x0
	s_waitcnt vmcnt(8)
	v_mov_b32_e32 v2, v37
	v_mov_b32_e32 v3, v26
	v_mov_b32_e32 v34, v13
	s_waitcnt vmcnt(7)
	v_mov_b32_e32 v5, v30
	v_mov_b32_e32 v47, v20
	s_waitcnt vmcnt(6)
	v_pk_mov_b32 v[44:45], v[30:31], v[30:31] op_sel:[0,1]
	v_mov_b32_e32 v30, v21
	s_waitcnt lgkmcnt(0)
	v_pk_fma_f32 v[18:19], v[2:3], v[20:21], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v46, v31
	v_pk_fma_f32 v[16:17], v[16:17], v[26:27], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v6, v29
	v_pk_fma_f32 v[46:47], v[46:47], v[28:29], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v41, v36
	v_mov_b32_e32 v4, v39
	v_mov_b32_e32 v31, v22
	v_mov_b32_e32 v10, v23
	v_mov_b32_e32 v11, v24
	s_add_i32 s6, s6, -1
	v_pk_fma_f32 v[14:15], v[14:15], v[38:39], s[4:5] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[40:41], v[40:41], v[44:45], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v42, v27
	v_mov_b32_e32 v43, v38
	v_mov_b32_e32 v7, v32
	v_mov_b32_e32 v8, v33
	v_mov_b32_e32 v9, v12
	s_add_u32 s2, s2, 4
	v_pk_fma_f32 v[44:45], v[4:5], v[24:25], s[4:5] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[2:3], v[30:31], v[32:33], s[4:5] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[4:5], v[10:11], v[12:13], s[4:5] op_sel_hi:[1,1,0]
	v_pk_mov_b32 v[32:33], v[16:17], v[14:15] op_sel:[1,0]
	v_pk_mov_b32 v[10:11], v[14:15], v[40:41] op_sel:[1,0]
	s_addc_u32 s3, s3, 0
	v_pk_fma_f32 v[42:43], v[42:43], v[22:23], s[4:5] op_sel_hi:[1,1,0]
	v_pk_fma_f32 v[8:9], v[8:9], v[32:33], s[4:5] op_sel_hi:[1,1,0]
	s_cmp_lg_u32 s6, 0
	v_mov_b32_e32 v26, v19
	v_mov_b32_e32 v27, v42
	v_mov_b32_e32 v38, v43
	v_mov_b32_e32 v39, v44
	v_mov_b32_e32 v30, v45
	v_mov_b32_e32 v31, v46
	v_mov_b32_e32 v22, v3
	v_mov_b32_e32 v23, v4
	v_mov_b32_e32 v24, v5
	v_mov_b32_e32 v33, v8
	v_mov_b32_e32 v12, v9
	s_waitcnt vmcnt(0)
	v_pk_fma_f32 v[0:1], v[0:1], v[36:37], s[4:5] op_sel_hi:[1,1,0]
	v_pk_mov_b32 v[20:21], v[34:35], v[0:1] op_sel:[1,0]
	buffer_store_dword v0, off, s[8:11], 0  ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v1, off, s[8:11], 0 offset:4 ; 4-byte Folded Spill
	v_pk_fma_f32 v[34:35], v[34:35], v[10:11], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v36, v41
	v_mov_b32_e32 v37, v18
	v_mov_b32_e32 v13, v34
	v_pk_mov_b32 v[28:29], v[0:1], v[16:17] op_sel:[1,0]
	buffer_load_dword v0, off, s[8:11], 0 offset:8 ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:12 ; 4-byte Folded Reload
	v_pk_fma_f32 v[6:7], v[6:7], v[28:29], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v29, v6
	v_mov_b32_e32 v32, v7
	s_waitcnt vmcnt(0)
	v_pk_fma_f32 v[0:1], v[0:1], v[20:21], s[4:5] op_sel_hi:[1,1,0]
	v_mov_b32_e32 v20, v47
	v_mov_b32_e32 v21, v2
	v_mov_b32_e32 v25, v0
	v_mov_b32_e32 v28, v1
	s_cbranch_scc1 .LBB1_2
; %bb.3:
	v_mov_b32_e32 v12, v9
	v_mov_b32_e32 v33, v8
	v_mov_b32_e32 v32, v7
	v_mov_b32_e32 v29, v6
	v_mov_b32_e32 v28, v1
	v_mov_b32_e32 v25, v0
	v_mov_b32_e32 v24, v5
	v_mov_b32_e32 v23, v4
	v_mov_b32_e32 v20, v47
	v_mov_b32_e32 v1, v46
	v_mov_b32_e32 v0, v45
	v_mov_b32_e32 v5, v44
	v_mov_b32_e32 v4, v43
	v_mov_b32_e32 v27, v42
	v_mov_b32_e32 v26, v19
	v_mov_b32_e32 v37, v18
	buffer_load_dword v30, off, s[8:11], 0 offset:192 ; 4-byte Folded Reload
	buffer_load_dword v31, off, s[8:11], 0 offset:196 ; 4-byte Folded Reload
	buffer_load_dword v6, off, s[8:11], 0 offset:200 ; 4-byte Folded Reload
	buffer_load_dword v7, off, s[8:11], 0 offset:204 ; 4-byte Folded Reload
	buffer_load_dword v38, off, s[8:11], 0 offset:208 ; 4-byte Folded Reload
	buffer_load_dword v39, off, s[8:11], 0 offset:212 ; 4-byte Folded Reload
	buffer_load_dword v10, off, s[8:11], 0 offset:216 ; 4-byte Folded Reload
	buffer_load_dword v11, off, s[8:11], 0 offset:220 ; 4-byte Folded Reload
	buffer_load_dword v42, off, s[8:11], 0 offset:224 ; 4-byte Folded Reload
	buffer_load_dword v43, off, s[8:11], 0 offset:228 ; 4-byte Folded Reload
	buffer_load_dword v44, off, s[8:11], 0 offset:232 ; 4-byte Folded Reload
	buffer_load_dword v45, off, s[8:11], 0 offset:236 ; 4-byte Folded Reload
	buffer_load_dword v46, off, s[8:11], 0 offset:240 ; 4-byte Folded Reload
	buffer_load_dword v47, off, s[8:11], 0 offset:244 ; 4-byte Folded Reload
	buffer_load_dword v8, off, s[8:11], 0 offset:248 ; 4-byte Folded Reload
	buffer_load_dword v9, off, s[8:11], 0 offset:252 ; 4-byte Folded Reload
	buffer_load_dword v18, off, s[8:11], 0  ; 4-byte Folded Reload
	buffer_load_dword v19, off, s[8:11], 0 offset:4 ; 4-byte Folded Reload
	v_mov_b32_e32 v13, v34
	v_mov_b32_e32 v22, v3
	v_mov_b32_e32 v21, v2
	v_mov_b32_e32 v36, v41
	buffer_store_dword v0, off, s[8:11], 0 offset:8 ; 4-byte Folded Spill
	s_nop 0
	buffer_store_dword v1, off, s[8:11], 0 offset:12 ; 4-byte Folded Spill
	s_branch .LBB1_5
.LBB1_4:
	buffer_load_dword v4, off, s[8:11], 0 offset:176 ; 4-byte Folded Reload
	buffer_load_dword v5, off, s[8:11], 0 offset:180 ; 4-byte Folded Reload
	buffer_load_dword v36, off, s[8:11], 0 offset:184 ; 4-byte Folded Reload
	buffer_load_dword v37, off, s[8:11], 0 offset:188 ; 4-byte Folded Reload
.LBB1_5:
	buffer_load_dword v0, off, s[8:11], 0 offset:168 ; 4-byte Folded Reload
	buffer_load_dword v1, off, s[8:11], 0 offset:172 ; 4-byte Folded Reload
	buffer_load_dword v2, off, s[8:11], 0 offset:160 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:164 ; 4-byte Folded Reload
	s_waitcnt vmcnt(2)
	v_mov_b32_e32 v1, s1
	v_lshlrev_b32_e32 v0, 2, v0
	global_store_dword v0, v18, s[0:1]
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:136 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:140 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v19, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:112 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:116 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v16, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:96 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:100 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v17, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:48 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:52 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v14, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:72 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:76 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v15, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:56 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:60 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v40, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:24 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:28 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v36, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:80 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:84 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v37, off
	v_add_co_u32_e32 v0, vcc, s0, v38
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v39, vcc
	global_store_dword v[0:1], v26, off
	v_add_co_u32_e32 v0, vcc, s0, v30
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v31, vcc
	global_store_dword v[0:1], v27, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(4)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(3)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:32 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:36 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v4, off
	v_add_co_u32_e32 v0, vcc, s0, v46
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v47, vcc
	global_store_dword v[0:1], v5, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(3)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(2)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:8 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:12 ; 4-byte Folded Reload
	s_waitcnt vmcnt(1)
	global_store_dword v[0:1], v2, off
	v_add_co_u32_e32 v0, vcc, s0, v44
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v45, vcc
	s_waitcnt vmcnt(1)
	global_store_dword v[0:1], v3, off
	buffer_load_dword v2, off, s[8:11], 0 offset:16 ; 4-byte Folded Reload
	s_nop 0
	buffer_load_dword v3, off, s[8:11], 0 offset:20 ; 4-byte Folded Reload
	v_add_co_u32_e32 v0, vcc, s0, v10
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v11, vcc
	global_store_dword v[0:1], v20, off
	v_add_co_u32_e32 v0, vcc, s0, v6
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v7, vcc
	global_store_dword v[0:1], v21, off
	v_add_co_u32_e32 v0, vcc, s0, v42
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v43, vcc
	global_store_dword v[0:1], v22, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(4)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(3)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:40 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:44 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v23, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:64 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:68 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v24, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:88 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:92 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v25, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:104 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:108 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v28, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:120 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:124 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v29, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:128 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:132 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v32, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:144 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:148 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v33, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	buffer_load_dword v2, off, s[8:11], 0 offset:152 ; 4-byte Folded Reload
	buffer_load_dword v3, off, s[8:11], 0 offset:156 ; 4-byte Folded Reload
	s_nop 0
	global_store_dword v[0:1], v12, off
	v_mov_b32_e32 v1, s1
	s_waitcnt vmcnt(2)
	v_add_co_u32_e32 v0, vcc, s0, v2
	s_waitcnt vmcnt(1)
	v_addc_co_u32_e32 v1, vcc, v1, v3, vcc
	global_store_dword v[0:1], v13, off
	v_add_co_u32_e32 v0, vcc, s0, v8
	v_mov_b32_e32 v1, s1
	v_addc_co_u32_e32 v1, vcc, v1, v9, vcc
	global_store_dword v[0:1], v35, off
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel spills
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 260
		.amdhsa_kernarg_size 20
		.amdhsa_user_sgpr_count 6
		.amdhsa_user_sgpr_private_segment_buffer 1
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_flat_scratch_init 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 48
		.amdhsa_next_free_sgpr 12
		.amdhsa_accum_offset 48
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_flat_scratch 0
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
.Lfunc_end1:
	.size	spills, .Lfunc_end1-spills
                                        ; -- End function
	.set spills.num_vgpr, 48
	.set spills.num_agpr, 0
	.set spills.numbered_sgpr, 12
	.set spills.num_named_barrier, 0
	.set spills.private_seg_size, 260
	.set spills.uses_vcc, 1
	.set spills.uses_flat_scratch, 0
	.set spills.has_dyn_sized_stack, 0
	.set spills.has_recursion, 0
	.set spills.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3496
; TotalNumSgprs: 16
; NumVgprs: 48
; NumAgprs: 0
; TotalNumVgprs: 48
; ScratchSize: 260
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 1
; VGPRBlocks: 5
; NumSGPRsForWavesPerEU: 16
; NumVGPRsForWavesPerEU: 48
; AccumOffset: 48
; Occupancy: 8
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 11
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2align	2                               ; -- Begin function called
	.type	called,@function
called:                                 ; @called
; %bb.0:
	s_waitcnt vmcnt(0) expcnt(0) lgkmcnt(0)
	flat_load_dwordx4 v[4:7], v[0:1]
	flat_load_dwordx4 v[8:11], v[0:1] offset:16
	flat_load_dwordx4 v[12:15], v[0:1] offset:32
	flat_load_dwordx4 v[16:19], v[0:1] offset:48
	s_lshr_b32 s4, s32, 6
	v_lshrrev_b32_e32 v3, 31, v2
	v_lshl_add_u32 v1, v2, 2, s4
	v_add_lshl_u32 v2, v2, v3, 1
	v_mov_b32_e32 v0, 2.0
	v_and_b32_e32 v2, -4, v2
	s_waitcnt vmcnt(0) lgkmcnt(0)
	buffer_store_dword v5, off, s[0:3], s32 offset:4
	buffer_store_dword v4, off, s[0:3], s32
	buffer_store_dword v7, off, s[0:3], s32 offset:12
	buffer_store_dword v6, off, s[0:3], s32 offset:8
	buffer_store_dword v9, off, s[0:3], s32 offset:20
	buffer_store_dword v8, off, s[0:3], s32 offset:16
	buffer_store_dword v11, off, s[0:3], s32 offset:28
	buffer_store_dword v10, off, s[0:3], s32 offset:24
	buffer_store_dword v13, off, s[0:3], s32 offset:36
	buffer_store_dword v12, off, s[0:3], s32 offset:32
	buffer_store_dword v15, off, s[0:3], s32 offset:44
	buffer_store_dword v14, off, s[0:3], s32 offset:40
	buffer_store_dword v17, off, s[0:3], s32 offset:52
	buffer_store_dword v16, off, s[0:3], s32 offset:48
	buffer_store_dword v19, off, s[0:3], s32 offset:60
	buffer_store_dword v18, off, s[0:3], s32 offset:56
	buffer_store_dword v0, v1, s[0:3], 0 offen
	v_lshrrev_b32_e64 v1, 6, s32
	v_add_u32_e32 v0, v2, v1
	buffer_load_dword v0, v0, s[0:3], 0 offen
	s_waitcnt vmcnt(0)
	s_setpc_b64 s[30:31]
.Lfunc_end2:
	.size	called, .Lfunc_end2-called
                                        ; -- End function
	.set .Lcalled.num_vgpr, 20
	.set .Lcalled.num_agpr, 0
	.set .Lcalled.numbered_sgpr, 33
	.set .Lcalled.num_named_barrier, 0
	.set .Lcalled.private_seg_size, 80
	.set .Lcalled.uses_vcc, 0
	.set .Lcalled.uses_flat_scratch, 0
	.set .Lcalled.has_dyn_sized_stack, 0
	.set .Lcalled.has_recursion, 0
	.set .Lcalled.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Function info:
; codeLenInByte = 236
; TotalNumSgprs: 37
; NumVgprs: 20
; NumAgprs: 0
; TotalNumVgprs: 20
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
	s_load_dwordx2 s[6:7], s[4:5], 0x0
	s_load_dword s8, s[4:5], 0x8
	s_addc_u32 s1, s1, 0
	v_mov_b32_e32 v20, v0
	s_getpc_b64 s[4:5]
	s_add_u32 s4, s4, called@rel32@lo+4
	s_addc_u32 s5, s5, called@rel32@hi+12
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v0, s6
	v_mov_b32_e32 v1, s7
	v_mov_b32_e32 v2, s8
	s_mov_b32 s32, 0
	s_swappc_b64 s[30:31], s[4:5]
	v_lshlrev_b32_e32 v1, 2, v20
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
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_system_sgpr_private_segment_wavefront_offset 1
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 0
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 21
		.amdhsa_next_free_sgpr 33
		.amdhsa_accum_offset 24
		.amdhsa_reserve_vcc 0
		.amdhsa_reserve_flat_scratch 0
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
.Lfunc_end3:
	.size	caller, .Lfunc_end3-caller
                                        ; -- End function
	.set caller.num_vgpr, max(21, .Lcalled.num_vgpr)
	.set caller.num_agpr, max(0, .Lcalled.num_agpr)
	.set caller.numbered_sgpr, max(33, .Lcalled.numbered_sgpr)
	.set caller.num_named_barrier, max(0, .Lcalled.num_named_barrier)
	.set caller.private_seg_size, 0+max(.Lcalled.private_seg_size)
	.set caller.uses_vcc, or(0, .Lcalled.uses_vcc)
	.set caller.uses_flat_scratch, or(0, .Lcalled.uses_flat_scratch)
	.set caller.has_dyn_sized_stack, or(0, .Lcalled.has_dyn_sized_stack)
	.set caller.has_recursion, or(0, .Lcalled.has_recursion)
	.set caller.has_indirect_call, or(0, .Lcalled.has_indirect_call)
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 88
; TotalNumSgprs: 37
; NumVgprs: 21
; NumAgprs: 0
; TotalNumVgprs: 21
; ScratchSize: 80
; MemoryBound: 1
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 4
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 37
; NumVGPRsForWavesPerEU: 21
; AccumOffset: 24
; Occupancy: 8
; WaveLimiterHint : 1
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 1
; COMPUTE_PGM_RSRC2:USER_SGPR: 6
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 0
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 5
; COMPUTE_PGM_RSRC3_GFX90A:TG_SPLIT: 0
	.text
	.p2alignl 6, 3212836864
	.fill 256, 4, 3212836864
	.section	.AMDGPU.gpr_maximums,"",@progbits
	.set amdgpu.max_num_vgpr, 20
	.set amdgpu.max_num_agpr, 0
	.set amdgpu.max_num_sgpr, 33
	.set amdgpu.max_num_named_barrier, 0
	.text
	.type	__hip_cuid_a751402a7621692b,@object ; @__hip_cuid_a751402a7621692b
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_a751402a7621692b
__hip_cuid_a751402a7621692b:
	.byte	0                               ; 0x0
	.size	__hip_cuid_a751402a7621692b, 1

	.section	".note.GNU-stack","",@progbits
	.addrsig
	.addrsig_sym __hip_cuid_a751402a7621692b
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 1024
    .name:           array
    .private_segment_fixed_size: 272
    .sgpr_count:     19
    .sgpr_spill_count: 0
    .symbol:         array.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     6
    .vgpr_spill_count: 0
    .wavefront_size: 64
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
      - .offset:         16
        .size:           4
        .value_kind:     by_value
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 20
    .max_flat_workgroup_size: 1024
    .name:           spills
    .private_segment_fixed_size: 260
    .sgpr_count:     16
    .sgpr_spill_count: 0
    .symbol:         spills.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     48
    .vgpr_spill_count: 70
    .wavefront_size: 64
  - .agpr_count:     0
    .args:
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
    .sgpr_count:     37
    .sgpr_spill_count: 0
    .symbol:         caller.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     21
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx90a
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
