	.amdgcn_target "amdgpu12.01-amd-amdhsa-unknown-gfx1201"
	.amdhsa_code_object_version 5
	.text
	.globl	matmul                          ; -- Begin function matmul
	.p2align	8
	.type	matmul,@function
matmul:                                 ; @matmul
; %bb.0:
	s_clause 0x1
	s_load_b64 s[8:9], s[0:1], 0x20
	s_load_b128 s[4:7], s[0:1], 0x0
	v_and_b32_e32 v32, 31, v0
	s_bfe_u32 s16, ttmp8, 0x50019
	s_lshl_b32 s14, ttmp9, 6
	s_lshl_b32 s19, s16, 5
	v_dual_mov_b32 v5, 0 :: v_dual_and_b32 v10, 3, v0
	v_or_b32_e32 v40, s19, v32
	v_dual_mov_b32 v6, 0 :: v_dual_mov_b32 v7, 0
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_lshlrev_b32_e32 v36, 4, v10
	v_lshrrev_b32_e32 v1, 2, v40
	s_delay_alu instid0(VALU_DEP_1)
	v_and_or_b32 v2, v1, 31, s14
	v_mov_b32_e32 v1, 0
	s_wait_kmcnt 0x0
	s_cmp_gt_i32 s8, 0
	s_cselect_b32 s2, -1, 0
	v_mul_lo_u32 v3, s9, v2
	s_cmp_lt_i32 s8, 1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v4, 31, v3
	v_lshlrev_b64_e32 v[8:9], 1, v[3:4]
	v_lshlrev_b32_e32 v3, 3, v10
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v4, vcc_lo, s4, v8
	v_add_co_ci_u32_e64 v8, null, s5, v9, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_co_u32 v17, vcc_lo, v4, v36
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v18, null, 0, v8, vcc_lo
	v_mov_b32_e32 v8, 0
	s_cbranch_scc1 .LBB0_2
; %bb.1:
	global_load_b128 v[5:8], v[17:18], off
.LBB0_2:
	v_or_b32_e32 v2, 32, v2
	s_load_b32 s20, s[0:1], 0x28
	v_dual_mov_b32 v3, 0 :: v_dual_lshlrev_b32 v4, 1, v3
	s_and_b32 s3, s2, exec_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(SALU_CYCLE_1)
	v_mul_lo_u32 v9, s9, v2
	v_mov_b32_e32 v2, 0
	s_cselect_b32 s3, 1, 0
	s_cmp_lg_u32 s3, 1
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v10, 31, v9
	v_lshlrev_b64_e32 v[9:10], 1, v[9:10]
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_co_u32 v9, vcc_lo, s4, v9
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v10, null, s5, v10, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_co_u32 v19, vcc_lo, v9, v4
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v20, null, 0, v10, vcc_lo
	v_mov_b32_e32 v4, 0
	s_cbranch_scc1 .LBB0_4
; %bb.3:
	global_load_b128 v[1:4], v[19:20], off
.LBB0_4:
	v_dual_mov_b32 v14, 0 :: v_dual_and_b32 v25, 0x78, v40
	v_dual_mov_b32 v9, 0 :: v_dual_and_b32 v42, 7, v0
	s_lshl_b32 s3, ttmp7, 6
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_lshrrev_b32_e32 v10, 2, v25
	s_and_b32 s15, s3, 0x3fffc0
	v_lshlrev_b32_e32 v33, 3, v42
	v_mov_b32_e32 v15, 0
	s_and_b32 s3, s2, exec_lo
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v11, s20, v10
	s_cselect_b32 s3, 1, 0
	s_wait_alu depctr_sa_sdst(0)
	v_or_b32_e32 v16, s15, v33
	v_mov_b32_e32 v13, 0
	s_cmp_lg_u32 s3, 1
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v12, 31, v11
	v_lshlrev_b64_e32 v[21:22], 1, v[11:12]
	v_lshlrev_b32_e32 v12, 1, v16
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_co_u32 v11, vcc_lo, s6, v21
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v16, null, s7, v22, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_co_u32 v21, vcc_lo, v11, v12
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v22, null, 0, v16, vcc_lo
	v_mov_b32_e32 v16, 0
	s_cbranch_scc1 .LBB0_6
; %bb.5:
	global_load_b128 v[13:16], v[21:22], off
.LBB0_6:
	v_or_b32_e32 v10, 1, v10
	s_and_b32 s2, s2, exec_lo
	s_cselect_b32 s2, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	s_cmp_lg_u32 s2, 1
	v_mul_lo_u32 v10, s20, v10
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshlrev_b64_e32 v[23:24], 1, v[10:11]
	v_dual_mov_b32 v10, 0 :: v_dual_mov_b32 v11, 0
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_add_co_u32 v23, vcc_lo, s6, v23
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v24, null, s7, v24, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_add_co_u32 v23, vcc_lo, v23, v12
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v24, null, 0, v24, vcc_lo
	v_mov_b32_e32 v12, 0
	s_cbranch_scc1 .LBB0_8
; %bb.7:
	global_load_b128 v[9:12], v[23:24], off
.LBB0_8:
	v_lshlrev_b32_e32 v26, 4, v40
	v_lshlrev_b32_e32 v27, 1, v0
	v_lshrrev_b32_e32 v25, 1, v25
	s_load_b64 s[2:3], s[0:1], 0x10
	s_wait_loadcnt 0x0
	v_mov_b16_e32 v28.h, v9.l
	v_and_b32_e32 v26, 0x7f0, v26
	v_and_b32_e32 v27, 48, v27
	v_xor_b32_e32 v25, v25, v36
	v_lshrrev_b32_e32 v9, 16, v9
	v_mov_b16_e32 v28.l, v13.l
	v_lshrrev_b32_e32 v13, 16, v13
	v_xor_b32_e32 v26, v26, v27
	v_lshl_or_b32 v25, v42, 9, v25
	v_mov_b16_e32 v13.h, v9.l
	v_and_b32_e32 v41, 15, v0
	v_mov_b16_e32 v27.l, v14.l
	v_add_nc_u32_e32 v47, 0, v26
	v_xor_b32_e32 v9, 16, v25
	v_add_nc_u32_e32 v46, 0, v25
	v_lshrrev_b32_e32 v26, 16, v10
	ds_store_b128 v47, v[5:8]
	ds_store_b128 v47, v[1:4] offset:2048
	v_xor_b32_e32 v1, 32, v25
	v_lshrrev_b32_e32 v5, 16, v15
	v_xor_b32_e32 v4, 48, v25
	v_lshrrev_b32_e32 v6, 16, v16
	v_add_nc_u32_e32 v48, 0, v9
	v_add_nc_u32_e32 v49, 0, v1
	v_lshrrev_b32_e32 v1, 16, v11
	v_add_nc_u32_e32 v50, 0, v4
	v_lshrrev_b32_e32 v2, 16, v14
	v_add_nc_u32_e32 v34, 0x1000, v46
	v_mov_b16_e32 v27.h, v10.l
	v_mov_b16_e32 v5.h, v1.l
	v_lshrrev_b32_e32 v1, 16, v12
	v_mov_b16_e32 v2.h, v26.l
	v_add_nc_u32_e32 v35, 0x1000, v48
	v_mov_b16_e32 v3.l, v15.l
	v_mov_b16_e32 v3.h, v11.l
	v_mov_b16_e32 v6.h, v1.l
	v_bfe_i32 v1, v0, 3, 1
	v_add_nc_u32_e32 v37, 0x1000, v49
	v_add_nc_u32_e32 v38, 0x1000, v50
	v_lshlrev_b32_e32 v45, 3, v0
	v_and_b32_e32 v44, 16, v0
	v_and_b32_e32 v43, 0x210, v1
	v_mov_b16_e32 v4.l, v16.l
	v_mov_b16_e32 v4.h, v12.l
	s_sub_co_i32 s18, s8, 32
	s_and_b32 s17, s19, 64
	s_wait_alu depctr_sa_sdst(0)
	s_cmp_lt_i32 s18, 1
	ds_store_2addr_b32 v34, v28, v13 offset1:16
	ds_store_2addr_b32 v35, v27, v2 offset0:32 offset1:48
	ds_store_2addr_b32 v37, v3, v5 offset0:64 offset1:80
	ds_store_2addr_b32 v38, v4, v6 offset0:96 offset1:112
	s_cbranch_scc1 .LBB0_12
; %bb.9:                                ; %.lr.ph
	s_clause 0x1
	global_load_b128 v[55:58], v[17:18], off offset:64
	global_load_b128 v[59:62], v[19:20], off offset:64
	s_lshl_b32 s12, s20, 5
	s_bfe_i32 s21, s16, 0x10000
	s_ashr_i32 s13, s12, 31
	s_delay_alu instid0(SALU_CYCLE_1)
	s_lshl_b64 s[10:11], s[12:13], 1
	s_cmp_lt_u32 s18, 33
	v_add_co_u32 v0, vcc_lo, v21, s10
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v1, null, s11, v22, vcc_lo
	v_add_co_u32 v2, vcc_lo, v23, s10
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v3, null, s11, v24, vcc_lo
	s_wait_loadcnt_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	global_inv scope:SCOPE_SE
	s_clause 0x1
	global_load_b128 v[63:66], v[0:1], off
	global_load_b128 v[67:70], v[2:3], off
	v_and_b32_e32 v0, 48, v45
	s_wait_alu depctr_sa_sdst(0)
	v_and_or_b32 v2, 0x420, s21, v44
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_lshl_or_b32 v1, v41, 6, v0
	v_lshl_or_b32 v0, v42, 6, v0
	v_xor_b32_e32 v1, v1, v44
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_xor3_b32 v0, v2, v0, v43
	v_lshl_or_b32 v1, s17, 4, v1
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_3)
	v_xor_b32_e32 v3, 32, v0
	v_add_nc_u32_e32 v53, 0, v0
	v_xor_b32_e32 v2, 32, v1
	v_add_nc_u32_e32 v51, 0, v1
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_add_nc_u32_e32 v54, 0, v3
	v_add_nc_u32_e32 v52, 0, v2
	ds_load_b128 v[8:11], v51
	ds_load_b128 v[71:74], v51 offset:2048
	ds_load_b128 v[75:78], v52
	ds_load_b128 v[79:82], v52 offset:2048
	ds_load_b128 v[16:19], v53 offset:4096
	ds_load_b128 v[83:86], v53 offset:6144
	ds_load_b128 v[87:90], v54 offset:4096
	ds_load_b128 v[91:94], v54 offset:6144
	s_wait_dscnt 0x3
	v_wmma_f32_16x16x16_f16 v[24:31], v[16:19], v[8:11], 0
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x16_f16 v[0:7], v[83:86], v[8:11], 0
	v_wmma_f32_16x16x16_f16 v[8:15], v[16:19], v[71:74], 0
	v_wmma_f32_16x16x16_f16 v[16:23], v[83:86], v[71:74], 0
	s_wait_dscnt 0x1
	v_wmma_f32_16x16x16_f16 v[24:31], v[87:90], v[75:78], v[24:31]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x16_f16 v[0:7], v[91:94], v[75:78], v[0:7]
	v_wmma_f32_16x16x16_f16 v[8:15], v[87:90], v[79:82], v[8:15]
	v_wmma_f32_16x16x16_f16 v[16:23], v[91:94], v[79:82], v[16:23]
	s_wait_loadcnt 0x1
	v_mov_b16_e32 v39.l, v63.l
	s_wait_loadcnt 0x0
	v_mov_b16_e32 v39.h, v67.l
	s_barrier_signal -1
	v_lshrrev_b32_e32 v67, 16, v67
	v_mov_b16_e32 v71.h, v68.l
	v_lshrrev_b32_e32 v68, 16, v68
	v_mov_b16_e32 v72.h, v69.l
	v_lshrrev_b32_e32 v69, 16, v69
	v_mov_b16_e32 v73.h, v70.l
	v_lshrrev_b32_e32 v70, 16, v70
	v_lshrrev_b32_e32 v63, 16, v63
	v_mov_b16_e32 v71.l, v64.l
	v_lshrrev_b32_e32 v64, 16, v64
	v_mov_b16_e32 v63.h, v67.l
	v_mov_b16_e32 v72.l, v65.l
	v_lshrrev_b32_e32 v65, 16, v65
	v_mov_b16_e32 v64.h, v68.l
	v_mov_b16_e32 v73.l, v66.l
	v_lshrrev_b32_e32 v66, 16, v66
	v_mov_b16_e32 v65.h, v69.l
	v_mov_b16_e32 v66.h, v70.l
	s_barrier_wait -1
	global_inv scope:SCOPE_SE
	ds_store_b128 v47, v[55:58]
	ds_store_b128 v47, v[59:62] offset:2048
	ds_store_2addr_b32 v34, v39, v63 offset1:16
	ds_store_2addr_b32 v35, v71, v64 offset0:32 offset1:48
	ds_store_2addr_b32 v37, v72, v65 offset0:64 offset1:80
	ds_store_2addr_b32 v38, v73, v66 offset0:96 offset1:112
	s_cbranch_scc1 .LBB0_13
; %bb.10:                               ; %.peel.next
	v_add_nc_u32_e32 v32, s19, v32
	v_add_lshl_u32 v39, s15, v33, 1
	s_lshl_b64 s[12:13], s[12:13], 2
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_bfe_u32 v34, v32, 3, 4
	v_bfe_u32 v32, v32, 2, 5
	v_mul_lo_u32 v34, s20, v34
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_nc_u32_e32 v32, s14, v32
	v_add_nc_u32_e32 v35, 32, v32
	v_mul_lo_u32 v37, s9, v32
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_lshlrev_b32_e32 v34, 1, v34
	v_mul_lo_u32 v55, s9, v35
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_2) | instid1(VALU_DEP_3)
	v_add_nc_u32_e32 v57, s20, v34
	v_ashrrev_i32_e32 v35, 31, v34
	v_ashrrev_i32_e32 v38, 31, v37
	v_ashrrev_i32_e32 v58, 31, v57
	s_delay_alu instid0(VALU_DEP_3) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_lshlrev_b64_e32 v[34:35], 1, v[34:35]
	v_ashrrev_i32_e32 v56, 31, v55
	v_lshlrev_b64_e32 v[37:38], 1, v[37:38]
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_lshlrev_b64_e32 v[32:33], 1, v[57:58]
	v_add_co_u32 v34, vcc_lo, s12, v34
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_2) | instid1(VALU_DEP_4)
	v_lshlrev_b64_e32 v[55:56], 1, v[55:56]
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v35, null, s13, v35, vcc_lo
	v_add_co_u32 v32, vcc_lo, s12, v32
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v33, null, s13, v33, vcc_lo
	v_add_co_u32 v34, vcc_lo, v34, v39
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v35, null, 0, v35, vcc_lo
	v_add_co_u32 v55, vcc_lo, v36, v55
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v56, null, 0, v56, vcc_lo
	v_add_co_u32 v39, vcc_lo, v32, v39
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v57, null, 0, v33, vcc_lo
	v_add_co_u32 v32, vcc_lo, s6, v34
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v33, null, s7, v35, vcc_lo
	v_add_co_u32 v34, vcc_lo, s6, v39
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v35, null, s7, v57, vcc_lo
	v_add_co_u32 v36, vcc_lo, v36, v37
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v37, null, 0, v38, vcc_lo
	v_add_co_u32 v38, vcc_lo, s4, v55
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v39, null, s5, v56, vcc_lo
	v_add_co_u32 v55, vcc_lo, s4, v36
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v56, null, s5, v37, vcc_lo
	v_add_co_u32 v36, vcc_lo, 0x80, v38
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v37, null, 0, v39, vcc_lo
	v_add_co_u32 v38, vcc_lo, 0x80, v55
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v39, null, 0, v56, vcc_lo
	s_mov_b32 s4, 32
.LBB0_11:                               ; =>This Inner Loop Header: Depth=1
	global_load_b128 v[55:58], v[38:39], off
	global_load_b128 v[59:62], v[36:37], off
	v_add_co_u32 v36, vcc_lo, v36, 64
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v37, null, 0, v37, vcc_lo
	v_add_co_u32 v38, vcc_lo, v38, 64
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v39, null, 0, v39, vcc_lo
	s_wait_alu depctr_sa_sdst(0)
	s_add_co_i32 s4, s4, 32
	v_add_nc_u32_e32 v91, 0x1000, v46
	v_add_nc_u32_e32 v92, 0x1000, v48
	s_wait_alu depctr_sa_sdst(0)
	s_cmp_lt_i32 s4, s18
	v_add_nc_u32_e32 v93, 0x1000, v49
	v_add_nc_u32_e32 v94, 0x1000, v50
	s_wait_loadcnt_dscnt 0x0
	s_barrier_signal -1
	s_barrier_wait -1
	global_inv scope:SCOPE_SE
	global_load_b128 v[63:66], v[32:33], off
	global_load_b128 v[67:70], v[34:35], off
	ds_load_b128 v[71:74], v51
	ds_load_b128 v[75:78], v53 offset:4096
	ds_load_b128 v[79:82], v53 offset:6144
	ds_load_b128 v[83:86], v51 offset:2048
	ds_load_b128 v[87:90], v52
	v_add_co_u32 v34, vcc_lo, v34, s10
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v35, null, s11, v35, vcc_lo
	v_add_co_u32 v32, vcc_lo, v32, s10
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v33, null, s11, v33, vcc_lo
	s_wait_dscnt 0x3
	v_wmma_f32_16x16x16_f16 v[24:31], v[75:78], v[71:74], v[24:31]
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x16_f16 v[0:7], v[79:82], v[71:74], v[0:7]
	ds_load_b128 v[71:74], v52 offset:2048
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x16_f16 v[8:15], v[75:78], v[83:86], v[8:15]
	ds_load_b128 v[75:78], v54 offset:4096
	v_wmma_f32_16x16x16_f16 v[16:23], v[79:82], v[83:86], v[16:23]
	ds_load_b128 v[79:82], v54 offset:6144
	s_wait_dscnt 0x1
	v_wmma_f32_16x16x16_f16 v[8:15], v[75:78], v[71:74], v[8:15]
	v_wmma_f32_16x16x16_f16 v[24:31], v[75:78], v[87:90], v[24:31]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x16_f16 v[16:23], v[79:82], v[71:74], v[16:23]
	v_wmma_f32_16x16x16_f16 v[0:7], v[79:82], v[87:90], v[0:7]
	s_wait_loadcnt 0x1
	v_mov_b16_e32 v71.l, v63.l
	s_wait_loadcnt 0x0
	v_mov_b16_e32 v71.h, v67.l
	s_barrier_signal -1
	v_lshrrev_b32_e32 v67, 16, v67
	v_mov_b16_e32 v72.h, v68.l
	v_lshrrev_b32_e32 v68, 16, v68
	v_mov_b16_e32 v73.h, v69.l
	v_lshrrev_b32_e32 v69, 16, v69
	v_mov_b16_e32 v74.h, v70.l
	v_lshrrev_b32_e32 v70, 16, v70
	v_lshrrev_b32_e32 v63, 16, v63
	v_mov_b16_e32 v72.l, v64.l
	v_lshrrev_b32_e32 v64, 16, v64
	v_mov_b16_e32 v63.h, v67.l
	v_mov_b16_e32 v73.l, v65.l
	v_lshrrev_b32_e32 v65, 16, v65
	v_mov_b16_e32 v64.h, v68.l
	v_mov_b16_e32 v74.l, v66.l
	v_lshrrev_b32_e32 v66, 16, v66
	v_mov_b16_e32 v65.h, v69.l
	v_mov_b16_e32 v66.h, v70.l
	s_barrier_wait -1
	global_inv scope:SCOPE_SE
	ds_store_b128 v47, v[55:58]
	ds_store_b128 v47, v[59:62] offset:2048
	ds_store_2addr_b32 v91, v71, v63 offset1:16
	ds_store_2addr_b32 v92, v72, v64 offset0:32 offset1:48
	ds_store_2addr_b32 v93, v73, v65 offset0:64 offset1:80
	ds_store_2addr_b32 v94, v74, v66 offset0:96 offset1:112
	s_cbranch_scc1 .LBB0_11
	s_branch .LBB0_13
.LBB0_12:
	v_mov_b32_e32 v24, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_dual_mov_b32 v25, v24 :: v_dual_mov_b32 v26, v24
	v_dual_mov_b32 v27, v24 :: v_dual_mov_b32 v28, v24
	v_dual_mov_b32 v29, v24 :: v_dual_mov_b32 v30, v24
	v_dual_mov_b32 v31, v24 :: v_dual_mov_b32 v0, v24
	v_dual_mov_b32 v1, v24 :: v_dual_mov_b32 v2, v24
	v_dual_mov_b32 v3, v24 :: v_dual_mov_b32 v4, v24
	v_dual_mov_b32 v5, v24 :: v_dual_mov_b32 v6, v24
	v_dual_mov_b32 v7, v24 :: v_dual_mov_b32 v8, v24
	v_dual_mov_b32 v9, v24 :: v_dual_mov_b32 v10, v24
	v_dual_mov_b32 v11, v24 :: v_dual_mov_b32 v12, v24
	v_dual_mov_b32 v13, v24 :: v_dual_mov_b32 v14, v24
	v_dual_mov_b32 v15, v24 :: v_dual_mov_b32 v16, v24
	v_dual_mov_b32 v17, v24 :: v_dual_mov_b32 v18, v24
	v_dual_mov_b32 v19, v24 :: v_dual_mov_b32 v20, v24
	v_dual_mov_b32 v21, v24 :: v_dual_mov_b32 v22, v24
	v_mov_b32_e32 v23, v24
.LBB0_13:                               ; %._crit_edge
	s_wait_loadcnt_dscnt 0x0
	s_barrier_signal -1
	s_load_b32 s0, s[0:1], 0x2c
	s_add_co_i32 s1, s8, 31
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lt_i32 s1, 32
	s_barrier_wait -1
	global_inv scope:SCOPE_SE
	s_cbranch_scc1 .LBB0_15
; %bb.14:
	v_and_b32_e32 v32, 48, v45
	s_bfe_i32 s1, s16, 0x10000
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_and_or_b32 v34, 0x420, s1, v44
	v_lshl_or_b32 v33, v41, 6, v32
	v_lshl_or_b32 v32, v42, 6, v32
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_xor_b32_e32 v33, v33, v44
	v_xor3_b32 v32, v34, v32, v43
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_lshl_or_b32 v33, s17, 4, v33
	v_add_nc_u32_e32 v42, 0, v32
	v_xad_u32 v58, v32, 32, 0
	s_delay_alu instid0(VALU_DEP_3)
	v_add_nc_u32_e32 v46, 0, v33
	v_xad_u32 v62, v33, 32, 0
	ds_load_b128 v[32:35], v46
	ds_load_b128 v[36:39], v42 offset:4096
	ds_load_b128 v[42:45], v42 offset:6144
	ds_load_b128 v[46:49], v46 offset:2048
	ds_load_b128 v[50:53], v62
	ds_load_b128 v[54:57], v58 offset:4096
	ds_load_b128 v[58:61], v58 offset:6144
	ds_load_b128 v[62:65], v62 offset:2048
	s_wait_dscnt 0x6
	v_wmma_f32_16x16x16_f16 v[24:31], v[36:39], v[32:35], v[24:31]
	s_wait_dscnt 0x5
	v_wmma_f32_16x16x16_f16 v[0:7], v[42:45], v[32:35], v[0:7]
	s_wait_dscnt 0x4
	v_wmma_f32_16x16x16_f16 v[8:15], v[36:39], v[46:49], v[8:15]
	v_wmma_f32_16x16x16_f16 v[16:23], v[42:45], v[46:49], v[16:23]
	s_wait_dscnt 0x2
	v_wmma_f32_16x16x16_f16 v[24:31], v[54:57], v[50:53], v[24:31]
	s_wait_dscnt 0x1
	v_wmma_f32_16x16x16_f16 v[0:7], v[58:61], v[50:53], v[0:7]
	s_wait_dscnt 0x0
	v_wmma_f32_16x16x16_f16 v[8:15], v[54:57], v[62:65], v[8:15]
	v_wmma_f32_16x16x16_f16 v[16:23], v[58:61], v[62:65], v[16:23]
.LBB0_15:                               ; %._crit_edge._crit_edge
	s_lshr_b32 s1, s17, 2
	v_lshrrev_b32_e32 v35, 1, v40
	s_wait_alu depctr_sa_sdst(0)
	v_or3_b32 v32, s1, v41, s14
	v_cvt_f16_f32_e32 v24.l, v24
	v_cvt_f16_f32_e32 v24.h, v25
	v_cvt_f16_f32_e32 v25.h, v27
	v_cvt_f16_f32_e32 v27.l, v30
	v_or_b32_e32 v33, 32, v32
	s_wait_kmcnt 0x0
	v_mul_lo_u32 v32, s0, v32
	v_and_or_b32 v30, v35, 24, s15
	v_cvt_f16_f32_e32 v25.l, v26
	v_cvt_f16_f32_e32 v26.l, v28
	v_mul_lo_u32 v34, s0, v33
	v_cvt_f16_f32_e32 v26.h, v29
	v_cvt_f16_f32_e32 v27.h, v31
	v_cvt_f16_f32_e32 v0.l, v0
	v_ashrrev_i32_e32 v33, 31, v32
	v_cvt_f16_f32_e32 v0.h, v1
	v_cvt_f16_f32_e32 v1.l, v2
	v_cvt_f16_f32_e32 v1.h, v3
	v_ashrrev_i32_e32 v35, 31, v34
	v_lshlrev_b64_e32 v[28:29], 1, v[32:33]
	v_lshlrev_b32_e32 v32, 1, v30
	v_cvt_f16_f32_e32 v2.l, v4
	v_cvt_f16_f32_e32 v2.h, v5
	v_lshlrev_b64_e32 v[30:31], 1, v[34:35]
	v_cvt_f16_f32_e32 v3.l, v6
	v_add_co_u32 v28, vcc_lo, s2, v28
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v29, null, s3, v29, vcc_lo
	s_delay_alu instid0(VALU_DEP_4)
	v_add_co_u32 v30, vcc_lo, s2, v30
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v31, null, s3, v31, vcc_lo
	v_add_co_u32 v28, vcc_lo, v28, v32
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v29, null, 0, v29, vcc_lo
	v_add_co_u32 v30, vcc_lo, v30, v32
	v_cvt_f16_f32_e32 v3.h, v7
	s_wait_alu depctr_va_vcc(0)
	v_add_co_ci_u32_e64 v31, null, 0, v31, vcc_lo
	v_cvt_f16_f32_e32 v4.l, v8
	v_cvt_f16_f32_e32 v4.h, v9
	v_cvt_f16_f32_e32 v5.l, v10
	v_cvt_f16_f32_e32 v5.h, v11
	v_cvt_f16_f32_e32 v6.l, v12
	v_cvt_f16_f32_e32 v6.h, v13
	v_cvt_f16_f32_e32 v7.l, v14
	v_cvt_f16_f32_e32 v7.h, v15
	v_cvt_f16_f32_e32 v8.l, v16
	v_cvt_f16_f32_e32 v8.h, v17
	v_cvt_f16_f32_e32 v9.l, v18
	v_cvt_f16_f32_e32 v9.h, v19
	v_cvt_f16_f32_e32 v10.l, v20
	v_cvt_f16_f32_e32 v10.h, v21
	v_cvt_f16_f32_e32 v11.l, v22
	v_cvt_f16_f32_e32 v11.h, v23
	s_clause 0x3
	global_store_b128 v[28:29], v[24:27], off
	global_store_b128 v[28:29], v[0:3], off offset:64
	global_store_b128 v[30:31], v[4:7], off
	global_store_b128 v[30:31], v[8:11], off offset:64
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
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_wavefront_size32 1
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 95
		.amdhsa_next_free_sgpr 22
		.amdhsa_reserve_vcc 1
		.amdhsa_float_round_mode_32 0
		.amdhsa_float_round_mode_16_64 0
		.amdhsa_float_denorm_mode_32 3
		.amdhsa_float_denorm_mode_16_64 3
		.amdhsa_fp16_overflow 0
		.amdhsa_workgroup_processor_mode 1
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
	.set .Lmatmul.num_vgpr, 95
	.set .Lmatmul.num_agpr, 0
	.set .Lmatmul.numbered_sgpr, 22
	.set .Lmatmul.num_named_barrier, 0
	.set .Lmatmul.private_seg_size, 0
	.set .Lmatmul.uses_vcc, 1
	.set .Lmatmul.uses_flat_scratch, 0
	.set .Lmatmul.has_dyn_sized_stack, 0
	.set .Lmatmul.has_recursion, 0
	.set .Lmatmul.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3112
; TotalNumSgprs: 24
; NumVgprs: 95
; ScratchSize: 0
; MemoryBound: 1
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 0
; VGPRBlocks: 11
; NumSGPRsForWavesPerEU: 24
; NumVGPRsForWavesPerEU: 95
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
    .sgpr_count:     24
    .sgpr_spill_count: 0
    .symbol:         matmul.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     95
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgpu12.01-amd-amdhsa-unknown-gfx1201
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
