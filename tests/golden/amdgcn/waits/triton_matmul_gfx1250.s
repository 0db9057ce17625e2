	.amdgcn_target "amdgpu12.50-amd-amdhsa-unknown-gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	matmul                          ; -- Begin function matmul
	.p2align	8
	.type	matmul,@function
matmul:                                 ; @matmul
.Lfunc_begin0:
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	v_mov_b32_e32 v9, 0
	s_clause 0x1
	s_load_b64 s[2:3], s[0:1], 0x28 nv
	s_load_b128 s[12:15], s[0:1], 0x0 nv
	v_dual_lshlrev_b32 v4, 3, v0 :: v_dual_bitop2_b32 v2, 31, v0 bitop3:0x40
	v_dual_lshlrev_b32 v3, 6, v0 :: v_dual_bitop2_b32 v16, 16, v0 bitop3:0x40
	v_lshlrev_b32_e32 v1, 1, v0
	s_load_b128 s[4:7], s[0:1], 0x18 nv
	s_delay_alu instid0(VALU_DEP_3)
	v_and_b32_e32 v17, 24, v4
	s_bfe_u32 s8, ttmp8, 0x50019
	s_load_b64 s[16:17], s[0:1], 0x10 nv
	s_lshl_b32 s23, s8, 5
	s_mov_b32 s8, 0
	v_dual_lshlrev_b32 v8, 1, v17 :: v_dual_bitop2_b32 v18, s23, v2 bitop3:0x54
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(VALU_DEP_2)
	v_bfe_u32 v20, v18, 2, 5
	v_lshlrev_b32_e32 v5, 4, v18
	s_mov_b32 s9, s8
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v4, s2, v20
	v_cmp_gt_i32_e32 vcc_lo, s6, v17
	v_and_b32_e32 v6, 0x7f0, v5
	v_bfe_u32 v7, v5, 8, 3
	v_cmp_gt_i32_e64 s0, s6, v20
	v_ashrrev_i32_e32 v5, 31, v4
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_lshl_add_u32 v21, v7, 4, v6
	v_lshl_add_u32 v22, v7, 5, v6
	v_lshl_add_u64 v[10:11], v[4:5], 1, s[14:15]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add3_u32 v4, 0, v21, 0x11e0
	v_dual_cndmask_b32 v14, 0x7fffffff, v4 :: v_dual_add_nc_u32 v5, 0, v22
	v_cndmask_b32_e64 v15, v4, 0x7fffffff, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_4) | instid1(VALU_DEP_1)
	v_cndmask_b32_e64 v19, 0x7fffffff, v5, s0
	v_cndmask_b32_e64 v23, v5, 0x7fffffff, s0
	s_lshl_b32 s1, ttmp9, 5
	s_mov_b32 s10, s8
	v_or_b32_e32 v4, s1, v20
	v_mul_lo_u32 v12, s7, v4
	s_delay_alu instid0(VALU_DEP_1)
	v_ashrrev_i32_e32 v13, 31, v12
	s_mov_b32 s11, s8
	s_lshl_b32 s0, ttmp7, 5
	v_mov_b64_e32 v[4:5], s[8:9]
	v_mov_b64_e32 v[6:7], s[10:11]
	v_lshl_add_u64 v[12:13], v[12:13], 1, s[12:13]
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_3) | instid1(VALU_DEP_1)
	v_add_nc_u64_e32 v[12:13], v[12:13], v[8:9]
	s_and_b32 s20, s0, 0x1fffe0
	s_sub_co_i32 s22, s6, 32
	v_or_b32_e32 v8, s20, v17
	v_lshlrev_b32_e32 v8, 1, v8
	s_cmp_gt_i32 s22, 0
	s_wait_alu depctr_va_vdst(2)
	global_load_async_to_lds_b128 v14, v[12:13], off
	v_add_nc_u64_e32 v[10:11], v[10:11], v[8:9]
	ds_store_b128 v15, v[4:7]
	s_wait_alu depctr_va_vdst(0)
	global_load_async_to_lds_b128 v19, v[10:11], off
	ds_store_b128 v23, v[4:7]
	s_cbranch_scc1 .LBB0_2
; %bb.1:                                ; %.._crit_edge_crit_edge
	v_and_b32_e32 v26, 16, v0
	s_wait_alu depctr_vm_vsrc(0)
	v_and_b32_e32 v4, 0x1c0, v3
	s_and_b32 s9, s23, 32
	s_mov_b32 s0, 0
	v_lshlrev_b32_e32 v5, 5, v26
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_and_or_b32 v5, v1, 16, v5
	v_or3_b32 v24, v5, s9, v4
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshrrev_b32_e32 v4, 3, v24
	v_and_b32_e32 v25, 0x60, v4
	s_branch .LBB0_3
.LBB0_2:
	s_mov_b32 s0, -1
                                        ; implicit-def: $vgpr26
                                        ; implicit-def: $vgpr24
                                        ; implicit-def: $vgpr25
.LBB0_3:                                ; %Flow48
	s_and_b32 s21, s23, 64
	s_and_b32 s0, s0, exec_lo
	s_wait_alu depctr_vm_vsrc(0)
	v_and_b32_e32 v19, 15, v0
	s_cselect_b32 s0, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	s_cmp_lg_u32 s0, 1
	v_lshlrev_b32_e32 v23, 6, v19
	s_cbranch_scc1 .LBB0_7
; %bb.4:                                ; %.lr.ph
	v_add_nc_u32_e32 v4, s23, v2
	s_delay_alu instid0(VALU_DEP_2)
	v_lshl_or_b32 v26, s21, 4, v23
	v_and_b32_e32 v24, 0x1c0, v3
	v_lshlrev_b32_e32 v5, 5, v16
	v_add_lshl_u32 v2, s20, v17, 1
	v_bfe_u32 v7, v4, 2, 5
	v_dual_mov_b32 v3, 0 :: v_dual_bitop2_b32 v10, 3, v0 bitop3:0x40
	v_lshrrev_b32_e32 v8, 4, v26
	v_and_or_b32 v25, v1, 16, v5
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_mul_lo_u32 v0, s2, v7
	v_dual_mov_b32 v4, v3 :: v_dual_mov_b32 v5, v3
	v_dual_mov_b32 v6, v3 :: v_dual_add_nc_u32 v9, s1, v7
	v_and_b32_e32 v27, 0x70, v8
	v_dual_mov_b32 v7, v3 :: v_dual_mov_b32 v8, v3
	v_ashrrev_i32_e32 v1, 31, v0
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_lo_u32 v14, s7, v9
	v_dual_mov_b32 v9, v3 :: v_dual_ashrrev_i32 v15, 31, v14
	s_lshl_b32 s10, s2, 5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_4) | instid1(VALU_DEP_1)
	s_ashr_i32 s11, s10, 31
	s_mov_b32 s9, s8
	s_lshl_b64 s[18:19], s[10:11], 1
	s_mov_b32 s10, s8
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[18:19]
	v_add_nc_u64_e32 v[0:1], v[0:1], v[2:3]
	v_lshlrev_b32_e32 v2, 4, v10
	s_mov_b32 s11, s8
	s_and_b32 s0, s23, 32
	s_delay_alu instid0(VALU_DEP_2)
	v_add_nc_u64_e32 v[0:1], s[14:15], v[0:1]
	v_mov_b64_e32 v[12:13], s[10:11]
	v_mov_b64_e32 v[10:11], s[8:9]
	v_lshl_add_u64 v[14:15], v[14:15], 1, v[2:3]
	v_mov_b32_e32 v2, v3
	v_or3_b32 v24, v25, s0, v24
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[14:15], s[12:13], v[14:15]
	v_lshrrev_b32_e32 v25, 3, v24
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[14:15], 64, v[14:15]
	v_and_b32_e32 v25, 0x60, v25
	s_movk_i32 s2, 0x11e0
	s_mov_b32 s7, s22
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	s_wait_asynccnt 0x0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_add_co_i32 s9, s9, 1
	v_cmp_gt_i32_e32 vcc_lo, s7, v17
	v_cmp_gt_i32_e64 s0, s7, v20
	v_add_nc_u32_e32 v44, s2, v26
	s_wait_alu depctr_vm_vsrc(0)
	v_nop
	v_add3_u32 v40, s8, v24, v25
	s_delay_alu instid0(VALU_DEP_3)
	v_add3_u32 v32, v44, v16, v27
	s_cmp_lt_i32 s9, 2
	s_cselect_b32 s9, s9, 0
	s_add_co_i32 s10, s10, 32
	s_lshl_b32 s2, s9, 10
	s_lshl_b32 s8, s9, 11
	s_lshr_b32 s11, s2, 3
	s_lshr_b32 s2, s2, 2
	s_add_co_i32 s11, s8, s11
	s_add_co_i32 s8, s8, s2
	s_add_co_i32 s2, s11, 0x11e0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_add_nc_u32 v44, s8, v22 :: v_dual_add_nc_u32 v45, s2, v21
	v_cndmask_b32_e64 v46, 0x7fffffff, v44, s0
	s_delay_alu instid0(VALU_DEP_2)
	v_cndmask_b32_e32 v47, 0x7fffffff, v45, vcc_lo
	v_cndmask_b32_e64 v28, v45, 0x7fffffff, vcc_lo
	v_cndmask_b32_e64 v36, v44, 0x7fffffff, s0
	s_barrier_wait -1
	s_sub_co_i32 s7, s7, 32
	s_cmp_lt_i32 s10, s22
	s_wait_alu depctr_va_vdst(2)
	global_load_async_to_lds_b128 v47, v[14:15], off
	s_wait_alu depctr_vm_vsrc(0)
	v_add_nc_u64_e32 v[14:15], 64, v[14:15]
	s_wait_alu depctr_va_vdst(2)
	ds_store_b128 v28, v[10:13]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[28:31], v32
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[32:35], v32 offset:32
	global_load_async_to_lds_b128 v46, v[0:1], off
	s_wait_alu depctr_vm_vsrc(0)
	v_add_nc_u64_e32 v[0:1], s[18:19], v[0:1]
	s_wait_alu depctr_va_vdst(2)
	ds_store_b128 v36, v[10:13]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_tr16_b128 v[36:39], v40
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_tr16_b128 v[40:43], v40 offset:1152
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[2:9], v[36:43], v[28:35], v[2:9]
	s_cbranch_scc1 .LBB0_5
; %bb.6:                                ; %Flow
	v_mov_b32_e32 v26, v16
	s_branch .LBB0_8
.LBB0_7:
	v_dual_mov_b32 v8, 0 :: v_dual_mov_b32 v7, 0
	v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v5, 0
	v_dual_mov_b32 v4, 0 :: v_dual_mov_b32 v3, 0
	v_mov_b32_e32 v2, 0
	s_movk_i32 s2, 0x11e0
.LBB0_8:                                ; %._crit_edge
	s_wait_asynccnt 0x0
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_add_co_i32 s0, s6, 31
	v_add3_u32 v0, s8, v24, v25
	s_cmp_lt_i32 s0, 32
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(0)
	ds_load_tr16_b128 v[10:13], v0
	ds_load_tr16_b128 v[14:17], v0 offset:1152
	s_cbranch_scc1 .LBB0_10
; %bb.9:
	s_wait_alu depctr_vm_vsrc(0)
	v_lshl_or_b32 v0, s21, 4, v23
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_lshrrev_b32 v1, 4, v0 :: v_dual_add_nc_u32 v0, s2, v0
	v_and_b32_e32 v1, 0x70, v1
	s_delay_alu instid0(VALU_DEP_1)
	v_add3_u32 v0, v0, v26, v1
	s_wait_alu depctr_va_vdst(0)
	ds_load_b128 v[28:31], v0
	ds_load_b128 v[32:35], v0 offset:32
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[2:9], v[10:17], v[28:35], v[2:9]
.LBB0_10:                               ; %._crit_edge._crit_edge
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v1, 0 :: v_dual_lshrrev_b32 v0, 1, v18
	v_nop
	v_nop
	v_nop
	s_delay_alu instid0(TRANS32_DEP_1) | instskip(SKIP_4) | instid1(VALU_DEP_2)
	v_cvt_pk_f16_f32 v3, v2, v3
	s_lshr_b32 s0, s21, 2
	s_wait_dscnt 0x1
	v_or3_b32 v11, s0, s1, v19
	v_and_or_b32 v2, v0, 24, s20
	v_mul_lo_u32 v10, s3, v11
	v_cmp_gt_i32_e32 vcc_lo, s4, v11
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_cmp_gt_i32_e64 s0, s5, v2
	v_lshlrev_b32_e32 v0, 1, v2
	v_ashrrev_i32_e32 v11, 31, v10
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshl_add_u64 v[10:11], v[10:11], 1, s[16:17]
	v_add_nc_u64_e32 v[0:1], v[10:11], v[0:1]
	s_and_b32 s1, vcc_lo, s0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_12
; %bb.11:
	s_wait_alu depctr_va_vdst(0)
	global_store_b16 v[0:1], v3, off
.LBB0_12:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v10, 1, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v10
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_14
; %bb.13:
	s_wait_alu depctr_va_vdst(2)
	global_store_d16_hi_b16 v[0:1], v3, off offset:2
.LBB0_14:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v10, 2, v2
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v3, v4, v5
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v10
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_16
; %bb.15:
	s_wait_alu depctr_va_vdst(1)
	global_store_b16 v[0:1], v3, off offset:4
.LBB0_16:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v4, 3, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v4
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_18
; %bb.17:
	s_wait_alu depctr_va_vdst(3)
	global_store_d16_hi_b16 v[0:1], v3, off offset:6
.LBB0_18:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v4, 4, v2
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v3, v6, v7
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v4
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_20
; %bb.19:
	s_wait_alu depctr_va_vdst(1)
	global_store_b16 v[0:1], v3, off offset:8
.LBB0_20:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v4, 5, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v4
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_22
; %bb.21:
	s_wait_alu depctr_va_vdst(3)
	global_store_d16_hi_b16 v[0:1], v3, off offset:10
.LBB0_22:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v4, 6, v2
	s_wait_alu depctr_vm_vsrc(0)
	v_cvt_pk_f16_f32 v3, v8, v9
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v4
	s_and_b32 s1, vcc_lo, s0
	s_and_saveexec_b32 s0, s1
	s_cbranch_execz .LBB0_24
; %bb.23:
	s_wait_alu depctr_va_vdst(1)
	global_store_b16 v[0:1], v3, off offset:12
.LBB0_24:
	s_wait_xcnt 0x0
	s_or_b32 exec_lo, exec_lo, s0
	v_or_b32_e32 v2, 7, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_cmp_gt_i32_e64 s0, s5, v2
	s_and_b32 s0, vcc_lo, s0
	s_and_saveexec_b32 s1, s0
	s_cbranch_execz .LBB0_26
; %bb.25:
	s_wait_alu depctr_va_vdst(3)
	global_store_d16_hi_b16 v[0:1], v3, off offset:14
.LBB0_26:
	s_endpgm
.Lfunc_end0:
	.size	matmul, .Lfunc_end0-matmul
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matmul
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 64
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 48
		.amdhsa_next_free_sgpr 66
		.amdhsa_named_barrier_count 0
		.amdhsa_reserve_vcc 1
		.amdhsa_reserve_xnack_mask 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_memory_ordered 1
		.amdhsa_forward_progress 1
		.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end0-matmul)<<4)&4080)>>4
		.amdhsa_round_robin_scheduling 0
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
	.set .Lmatmul.num_vgpr, 48
	.set .Lmatmul.num_agpr, 0
	.set .Lmatmul.numbered_sgpr, 66
	.set .Lmatmul.num_named_barrier, 0
	.set .Lmatmul.private_seg_size, 0
	.set .Lmatmul.uses_vcc, 1
	.set .Lmatmul.uses_flat_scratch, 0
	.set .Lmatmul.has_dyn_sized_stack, 0
	.set .Lmatmul.has_recursion, 0
	.set .Lmatmul.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 1864
; TotalNumSgprs: 68
; NumVgprs: 48
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 2
; NumSGPRsForWavesPerEU: 68
; NumVGPRsForWavesPerEU: 48
; NamedBarCnt: 0
; Occupancy: 16
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
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
    .max_flat_workgroup_size: 128
    .name:           matmul
    .private_segment_fixed_size: 0
    .sgpr_count:     68
    .sgpr_spill_count: 0
    .symbol:         matmul.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     48
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgpu12.50-amd-amdhsa-unknown-gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
