	.amdgcn_target "amdgpu12.50-amd-amdhsa-unknown-gfx1250"
	.amdhsa_code_object_version 5
	.text
	.globl	matmul                          ; -- Begin function matmul
	.p2align	8
	.type	matmul,@function
matmul:                                 ; @matmul
; %bb.0:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_MODE, 25, 1), 1 ;  msbs: dst=0 src0=0 src1=0 src2=0
	s_mov_b64 s[64:65], 0
	v_nop
	global_prefetch_b8 v0, s[64:65] scope:SCOPE_SE
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	v_mov_b32_e32 v7, 0
	s_bfe_u32 s2, ttmp8, 0x50019
	s_lshl_b32 s12, ttmp9, 6
	v_dual_lshlrev_b32 v3, 4, v0 :: v_dual_bitop2_b32 v2, 31, v0 bitop3:0x40
	v_and_b32_e32 v4, 7, v0
	v_dual_lshlrev_b32 v1, 1, v0 :: v_dual_bitop2_b32 v42, 16, v0 bitop3:0x40
	s_lshl_b32 s2, s2, 5
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_and_b32_e32 v6, 48, v3
	v_dual_lshlrev_b32 v3, 3, v4 :: v_dual_bitop2_b32 v40, s2, v2 bitop3:0x54
	v_lshlrev_b32_e32 v32, 7, v4
	s_clause 0x1
	s_load_b128 s[4:7], s[0:1], 0x20 nv
	s_load_b128 s[8:11], s[0:1], 0x0 nv
	v_bfe_u32 v4, v40, 3, 4
	v_dual_lshrrev_b32 v5, 2, v40 :: v_dual_lshlrev_b32 v8, 4, v40
	s_wait_xcnt 0x0
	s_load_b64 s[0:1], s[0:1], 0x10 nv
	s_lshl_b32 s3, ttmp7, 6
	v_or_b32_e32 v9, 16, v4
	v_and_or_b32 v5, v5, 31, s12
	v_and_b32_e32 v10, 0x7f0, v8
	v_bfe_u32 v8, v8, 8, 3
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_or_b32_e32 v11, 32, v5
	v_lshl_add_u32 v45, v8, 4, v10
	v_lshl_add_u32 v46, v8, 5, v10
	s_and_b32 s13, s3, 0x3fffc0
	s_mov_b32 s15, 0
	v_or_b32_e32 v14, s13, v3
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v4, s6, v4
	v_mul_lo_u32 v8, s5, v5
	v_mul_lo_u32 v10, s6, v9
	v_mul_lo_u32 v12, s5, v11
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_dual_ashrrev_i32 v5, 31, v4 :: v_dual_add_nc_u32 v15, 0, v45
	v_dual_ashrrev_i32 v9, 31, v8 :: v_dual_add_nc_u32 v16, 0, v46
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[10:11]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_lshl_add_u64 v[8:9], v[8:9], 1, s[8:9]
	v_lshl_add_u64 v[10:11], v[10:11], 1, s[10:11]
	v_ashrrev_i32_e32 v13, 31, v12
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_2) | instid1(VALU_DEP_4)
	v_add_nc_u64_e32 v[8:9], v[8:9], v[6:7]
	v_add_nc_u32_e32 v17, 0x23e0, v15
	v_add_nc_u32_e32 v15, 0x2c60, v15
	v_lshl_add_u64 v[12:13], v[12:13], 1, s[8:9]
	v_add_nc_u32_e32 v18, 0x900, v16
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_1)
	v_add_nc_u64_e32 v[12:13], v[12:13], v[6:7]
	v_lshlrev_b32_e32 v6, 1, v14
	s_cmp_gt_i32 s4, 0
	s_cselect_b32 vcc_lo, -1, 0
	v_add_nc_u64_e32 v[4:5], v[4:5], v[6:7]
	s_sub_co_i32 s16, s4, 32
	v_add_nc_u64_e32 v[10:11], v[10:11], v[6:7]
	s_cmp_gt_i32 s16, 0
	v_cndmask_b32_e32 v6, 0x7fffffff, v17, vcc_lo
	v_dual_cndmask_b32 v14, 0x7fffffff, v16 :: v_dual_cndmask_b32 v15, 0x7fffffff, v15
	v_cndmask_b32_e32 v16, 0x7fffffff, v18, vcc_lo
	s_wait_alu depctr_va_vdst(2)
	global_load_async_to_lds_b128 v6, v[8:9], off
	s_wait_alu depctr_va_vdst(1)
	global_load_async_to_lds_b128 v15, v[12:13], off
	global_load_async_to_lds_b128 v14, v[4:5], off
	s_wait_alu depctr_va_vdst(0)
	global_load_async_to_lds_b128 v16, v[10:11], off
	s_cbranch_scc1 .LBB0_2
; %bb.1:                                ; %.._crit_edge_crit_edge
	v_and_b32_e32 v33, 16, v0
	s_and_b32 s14, s2, 32
	s_mov_b32 s3, 0
	s_wait_alu depctr_vm_vsrc(1)
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b32_e32 v4, 6, v33
	v_and_or_b32 v4, v1, 16, v4
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_or3_b32 v44, v4, s14, v32
	v_lshrrev_b32_e32 v4, 3, v44
	s_delay_alu instid0(VALU_DEP_1)
	v_and_b32_e32 v47, 0xe0, v4
	s_branch .LBB0_3
.LBB0_2:
	s_mov_b32 s3, -1
                                        ; implicit-def: $vgpr33
                                        ; implicit-def: $vgpr44
                                        ; implicit-def: $vgpr47
.LBB0_3:                                ; %Flow65
	s_and_b32 s14, s2, 64
	s_and_b32 s3, s3, exec_lo
	v_and_b32_e32 v41, 15, v0
	s_cselect_b32 s3, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	s_cmp_lg_u32 s3, 1
	v_lshlrev_b32_e32 v43, 6, v41
	s_cbranch_scc1 .LBB0_7
; %bb.4:                                ; %.lr.ph
	v_add_nc_u32_e32 v2, s2, v2
	s_delay_alu instid0(VALU_DEP_2)
	v_lshl_or_b32 v48, s14, 4, v43
	s_wait_alu depctr_vm_vsrc(1)
	v_lshlrev_b32_e32 v4, 6, v42
	v_add_lshl_u32 v8, s13, v3, 1
	v_mov_b32_e32 v9, 0
	v_bfe_u32 v3, v2, 3, 4
	v_and_b32_e32 v52, 3, v0
	v_lshrrev_b32_e32 v33, 4, v48
	v_and_or_b32 v44, v1, 16, v4
	v_bfe_u32 v0, v2, 2, 5
	v_mul_lo_u32 v34, s6, v3
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v10, v9 :: v_dual_mov_b32 v11, v9
	v_dual_mov_b32 v12, v9 :: v_dual_bitop2_b32 v1, 16, v3 bitop3:0x54
	v_dual_mov_b32 v13, v9 :: v_dual_add_nc_u32 v0, s12, v0
	v_dual_mov_b32 v14, v9 :: v_dual_mov_b32 v15, v9
	s_delay_alu instid0(VALU_DEP_3)
	v_mul_lo_u32 v36, s6, v1
	v_dual_mov_b32 v24, v9 :: v_dual_mov_b32 v25, v9
	v_mov_b32_e32 v26, v9
	v_mul_lo_u32 v38, s5, v0
	v_dual_mov_b32 v27, v9 :: v_dual_mov_b32 v28, v9
	v_dual_mov_b32 v29, v9 :: v_dual_add_nc_u32 v0, 32, v0
	v_dual_mov_b32 v30, v9 :: v_dual_mov_b32 v31, v9
	v_dual_mov_b32 v16, v9 :: v_dual_mov_b32 v17, v9
	s_delay_alu instid0(VALU_DEP_3)
	v_mul_lo_u32 v50, s5, v0
	v_dual_mov_b32 v18, v9 :: v_dual_mov_b32 v19, v9
	v_dual_mov_b32 v20, v9 :: v_dual_ashrrev_i32 v35, 31, v34
	v_dual_mov_b32 v21, v9 :: v_dual_mov_b32 v22, v9
	v_dual_mov_b32 v23, v9 :: v_dual_mov_b32 v0, v9
	v_dual_mov_b32 v1, v9 :: v_dual_mov_b32 v2, v9
	v_dual_mov_b32 v3, v9 :: v_dual_mov_b32 v4, v9
	v_dual_mov_b32 v5, v9 :: v_dual_mov_b32 v6, v9
	v_mov_b32_e32 v7, v9
	v_and_b32_e32 v49, 0x70, v33
	v_dual_ashrrev_i32 v37, 31, v36 :: v_dual_ashrrev_i32 v51, 31, v50
	v_ashrrev_i32_e32 v39, 31, v38
	s_lshl_b32 s18, s6, 5
	s_and_b32 s2, s2, 32
	s_ashr_i32 s19, s18, 31
	v_or3_b32 v44, v44, s2, v32
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_lshrrev_b32_e32 v32, 3, v44
	s_lshl_b64 s[2:3], s[18:19], 1
	v_and_b32_e32 v47, 0xe0, v32
	v_lshl_add_u64 v[32:33], v[34:35], 1, s[2:3]
	v_lshl_add_u64 v[34:35], v[36:37], 1, s[2:3]
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[32:33], v[32:33], v[8:9]
	v_add_nc_u64_e32 v[34:35], v[34:35], v[8:9]
	v_lshlrev_b32_e32 v8, 4, v52
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_add_nc_u64_e32 v[32:33], s[10:11], v[32:33]
	v_add_nc_u64_e32 v[34:35], s[10:11], v[34:35]
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_lshl_add_u64 v[36:37], v[50:51], 1, v[8:9]
	v_lshl_add_u64 v[38:39], v[38:39], 1, v[8:9]
	v_mov_b32_e32 v8, v9
	v_add_nc_u64_e32 v[36:37], s[8:9], v[36:37]
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[38:39], s[8:9], v[38:39]
	v_add_nc_u64_e32 v[36:37], 64, v[36:37]
	s_delay_alu instid0(VALU_DEP_2)
	v_add_nc_u64_e32 v[38:39], 64, v[38:39]
	s_movk_i32 s5, 0x23e0
	s_mov_b32 s8, 0
	s_mov_b32 s6, 0
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	s_wait_asynccnt 0x0
	s_barrier_signal -1
	s_add_co_i32 s8, s8, 1
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lt_i32 s8, 2
	s_cselect_b32 s8, s8, 0
	s_add_co_i32 s6, s6, 32
	v_nop
	v_nop
	v_add_nc_u32_e32 v50, s5, v48
	s_wait_alu depctr_vm_vsrc(0)
	v_nop
	v_add3_u32 v78, s15, v44, v47
	s_delay_alu instid0(VALU_DEP_3)
	v_add3_u32 v62, v50, v42, v49
	s_lshl_b32 s5, s8, 11
	s_lshl_b32 s9, s8, 12
	s_lshr_b32 s10, s5, 3
	s_lshr_b32 s5, s5, 2
	s_add_co_i32 s10, s9, s10
	s_add_co_i32 s15, s9, s5
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_add_nc_u32 v50, s10, v45 :: v_dual_add_nc_u32 v66, s15, v46
	v_add_nc_u32_e32 v51, 0x23e0, v50
	v_add_nc_u32_e32 v50, 0x2c60, v50
	s_delay_alu instid0(VALU_DEP_3)
	v_add_nc_u32_e32 v67, 0x900, v66
	s_add_co_i32 s5, s10, 0x23e0
	s_cmp_lt_i32 s6, s16
	s_barrier_wait -1
	s_wait_alu depctr_va_vdst(2)
	global_load_async_to_lds_b128 v51, v[38:39], off
	s_wait_alu depctr_va_vdst(1)
	global_load_async_to_lds_b128 v50, v[36:37], off
	s_barrier_signal -1
	s_wait_alu depctr_vm_vsrc(1)
	v_add_nc_u64_e32 v[38:39], 64, v[38:39]
	s_wait_alu depctr_vm_vsrc(0)
	v_add_nc_u64_e32 v[36:37], 64, v[36:37]
	s_barrier_wait -1
	ds_load_b128 v[50:53], v62
	ds_load_b128 v[54:57], v62 offset:32
	ds_load_b128 v[58:61], v62 offset:2176
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[62:65], v62 offset:2208
	global_load_async_to_lds_b128 v66, v[32:33], off
	s_wait_alu depctr_va_vdst(2)
	global_load_async_to_lds_b128 v67, v[34:35], off
	s_wait_alu depctr_vm_vsrc(0)
	v_add_nc_u64_e32 v[32:33], s[2:3], v[32:33]
	v_add_nc_u64_e32 v[34:35], s[2:3], v[34:35]
	s_wait_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	ds_load_tr16_b128 v[66:69], v78
	ds_load_tr16_b128 v[70:73], v78 offset:2304
	ds_load_tr16_b128 v[74:77], v78 offset:64
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_tr16_b128 v[78:81], v78 offset:2368
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x32_f16 v[8:15], v[66:73], v[50:57], v[8:15]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[24:31], v[74:81], v[50:57], v[24:31]
	v_wmma_f32_16x16x32_f16 v[16:23], v[66:73], v[58:65], v[16:23]
	v_wmma_f32_16x16x32_f16 v[0:7], v[74:81], v[58:65], v[0:7]
	s_cbranch_scc1 .LBB0_5
; %bb.6:                                ; %Flow
	v_mov_b32_e32 v33, v42
	s_branch .LBB0_8
.LBB0_7:
	s_wait_alu depctr_vm_vsrc(1)
	v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v5, 0
	v_dual_mov_b32 v4, 0 :: v_dual_mov_b32 v3, 0
	v_dual_mov_b32 v2, 0 :: v_dual_mov_b32 v1, 0
	v_dual_mov_b32 v0, 0 :: v_dual_mov_b32 v23, 0
	v_dual_mov_b32 v22, 0 :: v_dual_mov_b32 v21, 0
	v_dual_mov_b32 v20, 0 :: v_dual_mov_b32 v19, 0
	v_dual_mov_b32 v18, 0 :: v_dual_mov_b32 v17, 0
	s_wait_alu depctr_vm_vsrc(0)
	v_dual_mov_b32 v16, 0 :: v_dual_mov_b32 v31, 0
	v_dual_mov_b32 v30, 0 :: v_dual_mov_b32 v29, 0
	v_dual_mov_b32 v28, 0 :: v_dual_mov_b32 v27, 0
	v_dual_mov_b32 v26, 0 :: v_dual_mov_b32 v25, 0
	v_dual_mov_b32 v24, 0 :: v_dual_mov_b32 v15, 0
	v_dual_mov_b32 v14, 0 :: v_dual_mov_b32 v13, 0
	v_dual_mov_b32 v12, 0 :: v_dual_mov_b32 v11, 0
	v_dual_mov_b32 v10, 0 :: v_dual_mov_b32 v9, 0
	v_mov_b32_e32 v8, 0
	s_movk_i32 s5, 0x23e0
.LBB0_8:                                ; %._crit_edge
	s_wait_asynccnt 0x0
	s_barrier_signal -1
	s_add_co_i32 s2, s4, 31
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lt_i32 s2, 32
	s_barrier_wait -1
	s_cbranch_scc1 .LBB0_10
; %bb.9:
	v_add3_u32 v32, s15, v44, v47
	v_lshl_or_b32 v34, s14, 4, v43
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_lshrrev_b32 v35, 4, v34 :: v_dual_add_nc_u32 v34, s5, v34
	v_and_b32_e32 v35, 0x70, v35
	s_wait_alu depctr_va_vdst(2)
	ds_load_tr16_b128 v[42:45], v32
	ds_load_tr16_b128 v[46:49], v32 offset:2304
	ds_load_tr16_b128 v[50:53], v32 offset:64
	ds_load_tr16_b128 v[54:57], v32 offset:2368
	v_add3_u32 v58, v34, v33, v35
	s_wait_alu depctr_va_vdst(0) depctr_vm_vsrc(0)
	ds_load_b128 v[32:35], v58
	ds_load_b128 v[36:39], v58 offset:32
	ds_load_b128 v[62:65], v58 offset:2208
	s_wait_alu depctr_vm_vsrc(0)
	ds_load_b128 v[58:61], v58 offset:2176
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x32_f16 v[8:15], v[42:49], v[32:39], v[8:15]
	v_wmma_f32_16x16x32_f16 v[24:31], v[50:57], v[32:39], v[24:31]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x32_f16 v[16:23], v[42:49], v[58:65], v[16:23]
	v_wmma_f32_16x16x32_f16 v[0:7], v[50:57], v[58:65], v[0:7]
.LBB0_10:                               ; %._crit_edge._crit_edge
	v_nop
	v_nop
	v_dual_mov_b32 v33, 0 :: v_dual_lshrrev_b32 v32, 1, v40
	v_cvt_pk_f16_f32 v8, v8, v9
	v_cvt_pk_f16_f32 v9, v10, v11
	v_cvt_pk_f16_f32 v10, v12, v13
	v_cvt_pk_f16_f32 v11, v14, v15
	v_and_or_b32 v32, v32, 24, s13
	v_cvt_pk_f16_f32 v12, v24, v25
	v_cvt_pk_f16_f32 v13, v26, v27
	v_cvt_pk_f16_f32 v14, v28, v29
	v_cvt_pk_f16_f32 v15, v30, v31
	v_lshlrev_b32_e32 v32, 1, v32
	v_cvt_pk_f16_f32 v16, v16, v17
	v_cvt_pk_f16_f32 v17, v18, v19
	v_cvt_pk_f16_f32 v18, v20, v21
	v_cvt_pk_f16_f32 v19, v22, v23
	v_cvt_pk_f16_f32 v0, v0, v1
	v_cvt_pk_f16_f32 v1, v2, v3
	v_cvt_pk_f16_f32 v2, v4, v5
	v_cvt_pk_f16_f32 v3, v6, v7
	s_lshr_b32 s2, s14, 2
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_or3_b32 v5, s2, v41, s12
	v_mul_lo_u32 v4, s7, v5
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_dual_ashrrev_i32 v5, 31, v4 :: v_dual_bitop2_b32 v6, 32, v5 bitop3:0x54
	v_mul_lo_u32 v6, s7, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_add_u64 v[4:5], v[4:5], 1, s[0:1]
	v_ashrrev_i32_e32 v7, 31, v6
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_nc_u64_e32 v[4:5], v[4:5], v[32:33]
	v_lshl_add_u64 v[6:7], v[6:7], 1, s[0:1]
	s_delay_alu instid0(VALU_DEP_1)
	v_add_nc_u64_e32 v[6:7], v[6:7], v[32:33]
	s_wait_alu depctr_va_vdst(2)
	s_clause 0x1
	global_store_b128 v[4:5], v[8:11], off
	global_store_b128 v[4:5], v[12:15], off offset:64
	s_wait_alu depctr_va_vdst(0)
	s_clause 0x1
	global_store_b128 v[6:7], v[16:19], off
	global_store_b128 v[6:7], v[0:3], off offset:64
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
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
		.amdhsa_next_free_vgpr 82
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
	.set .Lmatmul.num_vgpr, 82
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
; codeLenInByte = 2052
; TotalNumSgprs: 68
; NumVgprs: 82
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 5
; NumSGPRsForWavesPerEU: 68
; NumVGPRsForWavesPerEU: 82
; NamedBarCnt: 0
; Occupancy: 10
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
    .vgpr_count:     82
    .vgpr_spill_count: 0
    .wavefront_size: 32
amdhsa.target:   amdgpu12.50-amd-amdhsa-unknown-gfx1250
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
