	.amdgcn_target "amdgpu11.00-amd-amdhsa-unknown-gfx1100"
	.amdhsa_code_object_version 5
	.text
	.globl	mm
	.p2align	8
	.type	mm,@function
mm:
	v_readfirstlane_b32 s6, v0
	s_clause 0x1
	s_load_b32 s10, s[0:1], 0x1c
	s_load_b64 s[2:3], s[0:1], 0x0
	v_and_b32_e32 v20, 31, v0
	s_lshl_b32 s7, s14, 7
	s_and_b32 s12, s6, 0xe0
	v_dual_mov_b32 v5, 0 :: v_dual_and_b32 v24, 3, v0
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_or_b32_e32 v17, s12, v20
	v_dual_mov_b32 v7, 0 :: v_dual_lshlrev_b32 v8, 3, v24
	v_mov_b32_e32 v6, 0
	s_delay_alu instid0(VALU_DEP_3) | instskip(NEXT) | instid1(VALU_DEP_3)
	v_lshrrev_b32_e32 v1, 2, v17
	v_dual_mov_b32 v8, 0 :: v_dual_lshlrev_b32 v21, 1, v8
	s_delay_alu instid0(VALU_DEP_2) | instskip(SKIP_3) | instid1(VALU_DEP_2)
	v_or_b32_e32 v2, s7, v1
	v_mov_b32_e32 v1, 0
	s_waitcnt lgkmcnt(0)
	s_cmp_gt_i32 s10, 0
	v_mul_lo_u32 v3, v2, s10
	s_cselect_b32 s11, -1, 0
	s_cmp_lt_i32 s10, 1
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v4, 31, v3
	v_lshlrev_b64 v[3:4], 1, v[3:4]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v22, vcc_lo, s2, v3
	v_add_co_ci_u32_e64 v23, null, s3, v4, vcc_lo
	s_cbranch_scc1 .LBB0_2
	v_add_co_u32 v3, vcc_lo, v22, v21
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v4, null, 0, v23, vcc_lo
	global_load_b128 v[5:8], v[3:4], off
.LBB0_2:
	v_or_b32_e32 v2, 64, v2
	s_load_b64 s[4:5], s[0:1], 0x8
	s_and_b32 s8, s11, exec_lo
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_lo_u32 v2, v2, s10
	v_ashrrev_i32_e32 v3, 31, v2
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_lshlrev_b64 v[9:10], 1, v[2:3]
	v_dual_mov_b32 v2, 0 :: v_dual_mov_b32 v3, 0
	v_add_co_u32 v4, vcc_lo, s2, v9
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_2) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v9, null, s3, v10, vcc_lo
	s_cselect_b32 s2, 1, 0
	v_add_co_u32 v65, vcc_lo, v4, v21
	v_add_co_ci_u32_e64 v66, null, 0, v9, vcc_lo
	v_mov_b32_e32 v4, 0
	s_cmp_lg_u32 s2, 1
	s_cbranch_scc1 .LBB0_4
	global_load_b128 v[1:4], v[65:66], off
.LBB0_4:
	v_dual_mov_b32 v14, 0 :: v_dual_and_b32 v71, 15, v0
	s_load_b32 s9, s[0:1], 0x18
	s_lshl_b32 s8, s15, 7
	v_dual_mov_b32 v16, 0 :: v_dual_and_b32 v25, 0xf0, v17
	s_delay_alu instid0(VALU_DEP_2)
	v_lshl_or_b32 v10, v71, 3, s8
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v13, 0
	s_and_b32 s2, s11, exec_lo
	v_lshrrev_b32_e32 v26, 3, v25
	v_ashrrev_i32_e32 v11, 31, v10
	v_mov_b32_e32 v15, 0
	s_cselect_b32 s2, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	s_cmp_lg_u32 s2, 1
	v_lshlrev_b64 v[18:19], 1, v[10:11]
	s_cbranch_scc1 .LBB0_6
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v10, v26, s9
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_ashrrev_i32_e32 v11, 31, v10
	v_lshlrev_b64 v[10:11], 1, v[10:11]
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v10, vcc_lo, s4, v10
	v_add_co_ci_u32_e64 v11, null, s5, v11, vcc_lo
	s_delay_alu instid0(VALU_DEP_2) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v10, vcc_lo, v10, v18
	v_add_co_ci_u32_e64 v11, null, v11, v19, vcc_lo
	global_load_b128 v[13:16], v[10:11], off
.LBB0_6:
	s_and_b32 s2, s11, exec_lo
	v_dual_mov_b32 v10, 0 :: v_dual_mov_b32 v11, 0
	v_mov_b32_e32 v12, 0
	s_cselect_b32 s2, 1, 0
	s_delay_alu instid0(SALU_CYCLE_1)
	s_cmp_lg_u32 s2, 1
	s_cbranch_scc1 .LBB0_8
	v_or_b32_e32 v9, 1, v26
	s_waitcnt lgkmcnt(0)
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_mul_lo_u32 v9, v9, s9
	v_ashrrev_i32_e32 v10, 31, v9
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_lshlrev_b64 v[9:10], 1, v[9:10]
	v_add_co_u32 v9, vcc_lo, s4, v9
	s_delay_alu instid0(VALU_DEP_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_add_co_ci_u32_e64 v10, null, s5, v10, vcc_lo
	v_add_co_u32 v9, vcc_lo, v9, v18
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v10, null, v10, v19, vcc_lo
	global_load_b128 v[9:12], v[9:10], off
.LBB0_8:
	v_lshlrev_b32_e32 v24, 4, v24
	v_lshrrev_b32_e32 v25, 2, v25
	v_lshlrev_b32_e32 v26, 1, v0
	v_lshlrev_b32_e32 v27, 4, v17
	s_load_b64 s[0:1], s[0:1], 0x10
	s_waitcnt vmcnt(0)
	v_lshrrev_b32_e32 v29, 16, v10
	v_xor_b32_e32 v24, v25, v24
	v_and_b32_e32 v25, 48, v26
	v_mov_b16_e32 v26.h, v9.l
	v_lshrrev_b32_e32 v9, 16, v9
	v_mov_b16_e32 v26.l, v13.l
	v_lshl_or_b32 v24, v71, 9, v24
	v_xor_b32_e32 v25, v27, v25
	v_lshrrev_b32_e32 v13, 16, v13
	v_mov_b16_e32 v13.h, v9.l
	v_mov_b16_e32 v27.l, v14.l
	v_xor_b32_e32 v9, 16, v24
	v_add_nc_u32_e32 v77, 0, v25
	v_xor_b32_e32 v25, 32, v24
	v_add_nc_u32_e32 v28, 0, v24
	ds_store_b128 v77, v[5:8]
	ds_store_b128 v77, v[1:4] offset:4096
	v_add_nc_u32_e32 v1, 0, v9
	v_lshrrev_b32_e32 v3, 16, v11
	v_xor_b32_e32 v5, 48, v24
	v_lshrrev_b32_e32 v6, 16, v15
	v_lshrrev_b32_e32 v7, 16, v16
	v_add_nc_u32_e32 v79, 0x2000, v1
	v_add_nc_u32_e32 v1, 0, v25
	v_mov_b16_e32 v6.h, v3.l
	v_add_nc_u32_e32 v3, 0, v5
	v_lshrrev_b32_e32 v2, 16, v14
	v_add_nc_u32_e32 v78, 0x2000, v28
	v_add_nc_u32_e32 v80, 0x2000, v1
	v_lshrrev_b32_e32 v1, 16, v12
	v_mov_b16_e32 v27.h, v10.l
	v_mov_b16_e32 v2.h, v29.l
	v_mov_b16_e32 v4.l, v15.l
	v_mov_b16_e32 v4.h, v11.l
	v_mov_b16_e32 v7.h, v1.l
	v_bfe_i32 v1, v0, 3, 1
	v_add_nc_u32_e32 v81, 0x2000, v3
	v_lshlrev_b32_e32 v72, 6, v71
	v_lshlrev_b32_e32 v73, 3, v17
	v_lshlrev_b32_e32 v74, 6, v0
	v_lshlrev_b32_e32 v76, 3, v0
	v_and_b32_e32 v75, 0x210, v1
	v_mov_b16_e32 v5.l, v16.l
	v_mov_b16_e32 v5.h, v12.l
	s_sub_i32 s11, s10, 32
	s_mov_b32 s2, 0
	s_cmp_lt_i32 s11, 1
	ds_store_2addr_b32 v78, v26, v13 offset1:16
	ds_store_2addr_b32 v79, v27, v2 offset0:32 offset1:48
	ds_store_2addr_b32 v80, v4, v6 offset0:64 offset1:80
	ds_store_2addr_b32 v81, v5, v7 offset0:96 offset1:112
	s_cbranch_scc1 .LBB0_11
	v_dual_mov_b32 v17, 0 :: v_dual_add_nc_u32 v2, s12, v20
	v_and_b32_e32 v1, 48, v76
	s_bfe_i32 s3, s6, 0x10005
	v_add_co_u32 v82, vcc_lo, v22, v21
	v_and_or_b32 v3, 0x420, s3, v75
	v_add_co_ci_u32_e64 v83, null, 0, v23, vcc_lo
	s_waitcnt lgkmcnt(0)
	v_add_co_u32 v84, vcc_lo, s4, v18
	v_mov_b32_e32 v18, v17
	v_and_or_b32 v1, 0x1c0, v74, v1
	v_lshrrev_b32_e32 v2, 3, v2
	s_lshl_b32 s3, s6, 5
	v_and_or_b32 v4, 0x430, v73, v72
	v_add_co_ci_u32_e64 v85, null, s5, v19, vcc_lo
	v_xor_b32_e32 v1, v3, v1
	v_dual_mov_b32 v19, v17 :: v_dual_and_b32 v2, 62, v2
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_1) | instid1(VALU_DEP_4)
	v_xor_b32_e32 v3, 16, v4
	v_xor_b32_e32 v5, 32, v4
	v_and_or_b32 v1, 0x800, s3, v1
	s_delay_alu instid0(VALU_DEP_4) | instskip(SKIP_2) | instid1(VALU_DEP_4)
	v_dual_mov_b32 v20, v17 :: v_dual_add_nc_u32 v7, 33, v2
	v_dual_mov_b32 v21, v17 :: v_dual_add_nc_u32 v2, 32, v2
	v_xor_b32_e32 v6, 48, v4
	v_xor_b32_e32 v8, 16, v1
	v_xor_b32_e32 v9, 32, v1
	v_xor_b32_e32 v10, 48, v1
	v_mul_lo_u32 v67, s9, v7
	v_mul_lo_u32 v69, s9, v2
	v_dual_mov_b32 v23, v17 :: v_dual_add_nc_u32 v86, 0, v4
	v_dual_mov_b32 v22, v17 :: v_dual_add_nc_u32 v87, 0, v3
	v_dual_mov_b32 v57, v17 :: v_dual_add_nc_u32 v88, 0, v5
	v_dual_mov_b32 v24, v17 :: v_dual_add_nc_u32 v89, 0, v6
	v_dual_mov_b32 v59, v17 :: v_dual_add_nc_u32 v90, 0, v1
	v_dual_mov_b32 v58, v17 :: v_dual_add_nc_u32 v91, 0, v8
	v_dual_mov_b32 v61, v17 :: v_dual_add_nc_u32 v92, 0, v9
	v_dual_mov_b32 v60, v17 :: v_dual_add_nc_u32 v93, 0, v10
	v_mov_b32_e32 v62, v17
	v_mov_b32_e32 v63, v17
	v_mov_b32_e32 v64, v17
	v_mov_b32_e32 v49, v17
	v_mov_b32_e32 v50, v17
	v_mov_b32_e32 v51, v17
	v_mov_b32_e32 v52, v17
	v_mov_b32_e32 v53, v17
	v_mov_b32_e32 v54, v17
	v_mov_b32_e32 v55, v17
	v_mov_b32_e32 v56, v17
	v_mov_b32_e32 v41, v17
	v_mov_b32_e32 v42, v17
	v_mov_b32_e32 v43, v17
	v_mov_b32_e32 v44, v17
	v_mov_b32_e32 v45, v17
	v_mov_b32_e32 v46, v17
	v_mov_b32_e32 v47, v17
	v_mov_b32_e32 v48, v17
	v_mov_b32_e32 v33, v17
	v_mov_b32_e32 v34, v17
	v_mov_b32_e32 v35, v17
	v_mov_b32_e32 v36, v17
	v_mov_b32_e32 v37, v17
	v_mov_b32_e32 v38, v17
	v_mov_b32_e32 v39, v17
	v_mov_b32_e32 v40, v17
	v_mov_b32_e32 v25, v17
	v_mov_b32_e32 v26, v17
	v_mov_b32_e32 v27, v17
	v_mov_b32_e32 v28, v17
	v_mov_b32_e32 v29, v17
	v_mov_b32_e32 v30, v17
	v_mov_b32_e32 v31, v17
	v_mov_b32_e32 v32, v17
	v_mov_b32_e32 v9, v17
	v_mov_b32_e32 v10, v17
	v_mov_b32_e32 v11, v17
	v_mov_b32_e32 v12, v17
	v_mov_b32_e32 v13, v17
	v_mov_b32_e32 v14, v17
	v_mov_b32_e32 v15, v17
	v_mov_b32_e32 v16, v17
	v_mov_b32_e32 v1, v17
	v_mov_b32_e32 v2, v17
	v_mov_b32_e32 v3, v17
	v_mov_b32_e32 v4, v17
	v_mov_b32_e32 v5, v17
	v_mov_b32_e32 v6, v17
	v_mov_b32_e32 v7, v17
	v_mov_b32_e32 v8, v17
	s_lshl_b32 s4, s9, 5
.LBB0_10:
	s_add_i32 s2, s2, 32
	v_ashrrev_i32_e32 v68, 31, v67
	s_ashr_i32 s3, s2, 31
	v_ashrrev_i32_e32 v70, 31, v69
	s_lshl_b64 s[12:13], s[2:3], 1
	s_cmp_lt_i32 s2, s11
	v_add_co_u32 v94, vcc_lo, v82, s12
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v95, null, s13, v83, vcc_lo
	v_add_co_u32 v96, vcc_lo, v65, s12
	v_add_co_ci_u32_e64 v97, null, s13, v66, vcc_lo
	s_clause 0x1
	global_load_b128 v[126:129], v[94:95], off
	global_load_b128 v[130:133], v[96:97], off
	v_lshlrev_b64 v[94:95], 1, v[67:68]
	v_lshlrev_b64 v[96:97], 1, v[69:70]
	v_add_nc_u32_e32 v67, s4, v67
	v_add_nc_u32_e32 v69, s4, v69
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_1)
	v_add_co_u32 v94, vcc_lo, v84, v94
	v_add_co_ci_u32_e64 v95, null, v85, v95, vcc_lo
	v_add_co_u32 v96, vcc_lo, v84, v96
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v97, null, v85, v97, vcc_lo
	s_waitcnt vmcnt(0)
	s_barrier
	s_waitcnt lgkmcnt(0)
	buffer_gl0_inv
	s_clause 0x1
	global_load_b128 v[134:137], v[94:95], off
	global_load_b128 v[138:141], v[96:97], off
	ds_load_b128 v[98:101], v87
	ds_load_b128 v[94:97], v86
	ds_load_b128 v[102:105], v90 offset:8192
	ds_load_b128 v[110:113], v90 offset:12288
	ds_load_b128 v[106:109], v91 offset:8192
	ds_load_b128 v[114:117], v91 offset:12288
	ds_load_b128 v[118:121], v86 offset:2048
	ds_load_b128 v[122:125], v87 offset:2048
	s_waitcnt lgkmcnt(3)
	v_wmma_f32_16x16x16_f16 v[17:24], v[102:109], v[94:101], v[17:24]
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[57:64], v[110:117], v[94:101], v[57:64]
	ds_load_b128 v[98:101], v87 offset:4096
	ds_load_b128 v[94:97], v86 offset:4096
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[49:56], v[102:109], v[118:125], v[49:56]
	v_wmma_f32_16x16x16_f16 v[41:48], v[110:117], v[118:125], v[41:48]
	ds_load_b128 v[118:121], v86 offset:6144
	ds_load_b128 v[122:125], v87 offset:6144
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[33:40], v[102:109], v[94:101], v[33:40]
	v_wmma_f32_16x16x16_f16 v[25:32], v[110:117], v[94:101], v[25:32]
	ds_load_b128 v[98:101], v89
	ds_load_b128 v[94:97], v88
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[9:16], v[102:109], v[118:125], v[9:16]
	v_wmma_f32_16x16x16_f16 v[1:8], v[110:117], v[118:125], v[1:8]
	ds_load_b128 v[102:105], v92 offset:8192
	ds_load_b128 v[110:113], v92 offset:12288
	ds_load_b128 v[106:109], v93 offset:8192
	ds_load_b128 v[114:117], v93 offset:12288
	ds_load_b128 v[118:121], v88 offset:2048
	ds_load_b128 v[122:125], v89 offset:2048
	s_waitcnt lgkmcnt(3)
	v_wmma_f32_16x16x16_f16 v[17:24], v[102:109], v[94:101], v[17:24]
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[57:64], v[110:117], v[94:101], v[57:64]
	ds_load_b128 v[98:101], v89 offset:4096
	s_waitcnt lgkmcnt(1)
	v_wmma_f32_16x16x16_f16 v[49:56], v[102:109], v[118:125], v[49:56]
	v_wmma_f32_16x16x16_f16 v[41:48], v[110:117], v[118:125], v[41:48]
	ds_load_b128 v[94:97], v88 offset:4096
	ds_load_b128 v[118:121], v88 offset:6144
	ds_load_b128 v[122:125], v89 offset:6144
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[33:40], v[102:109], v[94:101], v[33:40]
	v_wmma_f32_16x16x16_f16 v[25:32], v[110:117], v[94:101], v[25:32]
	s_waitcnt lgkmcnt(0)
	v_wmma_f32_16x16x16_f16 v[9:16], v[102:109], v[118:125], v[9:16]
	v_wmma_f32_16x16x16_f16 v[1:8], v[110:117], v[118:125], v[1:8]
	s_waitcnt vmcnt(1)
	v_lshrrev_b32_e32 v70, 16, v134
	v_lshrrev_b32_e32 v95, 16, v135
	v_lshrrev_b32_e32 v97, 16, v136
	v_lshrrev_b32_e32 v99, 16, v137
	s_waitcnt vmcnt(0)
	v_lshrrev_b32_e32 v100, 16, v138
	v_mov_b16_e64 v68.h, v134.l
	v_mov_b16_e64 v68.l, v138.l
	v_lshrrev_b32_e32 v101, 16, v139
	v_mov_b16_e32 v100.h, v70.l
	v_mov_b16_e64 v94.h, v135.l
	v_mov_b16_e64 v94.l, v139.l
	v_lshrrev_b32_e32 v102, 16, v140
	v_mov_b16_e32 v101.h, v95.l
	v_mov_b16_e64 v96.h, v136.l
	v_mov_b16_e64 v96.l, v140.l
	v_lshrrev_b32_e32 v103, 16, v141
	v_mov_b16_e32 v102.h, v97.l
	s_barrier
	buffer_gl0_inv
	v_mov_b16_e64 v98.h, v137.l
	v_mov_b16_e64 v98.l, v141.l
	v_mov_b16_e32 v103.h, v99.l
	ds_store_b128 v77, v[126:129]
	ds_store_b128 v77, v[130:133] offset:4096
	ds_store_2addr_b32 v78, v68, v100 offset1:16
	ds_store_2addr_b32 v79, v94, v101 offset0:32 offset1:48
	ds_store_2addr_b32 v80, v96, v102 offset0:64 offset1:80
	ds_store_2addr_b32 v81, v98, v103 offset0:96 offset1:112
	s_cbranch_scc1 .LBB0_10
	s_branch .LBB0_12
.LBB0_11:
	v_mov_b32_e32 v8, 0
	s_delay_alu instid0(VALU_DEP_1)
	v_mov_b32_e32 v7, v8
	v_mov_b32_e32 v6, v8
	v_mov_b32_e32 v5, v8
	v_mov_b32_e32 v4, v8
	v_mov_b32_e32 v3, v8
	v_mov_b32_e32 v2, v8
	v_mov_b32_e32 v1, v8
	v_mov_b32_e32 v16, v8
	v_mov_b32_e32 v15, v8
	v_mov_b32_e32 v14, v8
	v_mov_b32_e32 v13, v8
	v_mov_b32_e32 v12, v8
	v_mov_b32_e32 v11, v8
	v_mov_b32_e32 v10, v8
	v_mov_b32_e32 v9, v8
	v_mov_b32_e32 v32, v8
	v_mov_b32_e32 v31, v8
	v_mov_b32_e32 v30, v8
	v_mov_b32_e32 v29, v8
	v_mov_b32_e32 v28, v8
	v_mov_b32_e32 v27, v8
	v_mov_b32_e32 v26, v8
	v_mov_b32_e32 v25, v8
	v_mov_b32_e32 v40, v8
	v_mov_b32_e32 v39, v8
	v_mov_b32_e32 v38, v8
	v_mov_b32_e32 v37, v8
	v_mov_b32_e32 v36, v8
	v_mov_b32_e32 v35, v8
	v_mov_b32_e32 v34, v8
	v_mov_b32_e32 v33, v8
	v_mov_b32_e32 v48, v8
	v_mov_b32_e32 v47, v8
	v_mov_b32_e32 v46, v8
	v_mov_b32_e32 v45, v8
	v_mov_b32_e32 v44, v8
	v_mov_b32_e32 v43, v8
	v_mov_b32_e32 v42, v8
	v_mov_b32_e32 v41, v8
	v_mov_b32_e32 v56, v8
	v_mov_b32_e32 v55, v8
	v_mov_b32_e32 v54, v8
	v_mov_b32_e32 v53, v8
	v_mov_b32_e32 v52, v8
	v_mov_b32_e32 v51, v8
	v_mov_b32_e32 v50, v8
	v_mov_b32_e32 v49, v8
	v_mov_b32_e32 v64, v8
	v_mov_b32_e32 v63, v8
	v_mov_b32_e32 v62, v8
	v_mov_b32_e32 v61, v8
	v_mov_b32_e32 v60, v8
	v_mov_b32_e32 v59, v8
	v_mov_b32_e32 v58, v8
	v_mov_b32_e32 v57, v8
	v_mov_b32_e32 v24, v8
	v_mov_b32_e32 v23, v8
	v_mov_b32_e32 v22, v8
	v_mov_b32_e32 v21, v8
	v_mov_b32_e32 v20, v8
	v_mov_b32_e32 v19, v8
	v_mov_b32_e32 v18, v8
	v_mov_b32_e32 v17, v8
.LBB0_12:
	s_add_i32 s10, s10, 31
	s_waitcnt lgkmcnt(0)
	s_cmp_lt_i32 s10, 32
	s_barrier
	buffer_gl0_inv
	s_cbranch_scc1 .LBB0_14
	v_and_b32_e32 v65, 48, v76
	s_bfe_i32 s2, s6, 0x10005
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_and_or_b32 v66, 0x420, s2, v75
	s_lshl_b32 s2, s6, 5
	v_and_or_b32 v65, 0x1c0, v74, v65
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_2)
	v_xor_b32_e32 v65, v66, v65
	v_and_or_b32 v66, 0x430, v73, v72
	v_and_or_b32 v65, 0x800, s2, v65
	s_delay_alu instid0(VALU_DEP_2)
	v_xad_u32 v67, v66, 16, 0
	v_add_nc_u32_e32 v68, 0, v66
	ds_load_b128 v[104:107], v68 offset:4096
	ds_load_b128 v[108:111], v67 offset:4096
	v_xad_u32 v69, v65, 16, 0
	v_add_nc_u32_e32 v70, 0, v65
	ds_load_b128 v[76:79], v67
	ds_load_b128 v[72:75], v68
	ds_load_b128 v[84:87], v69 offset:12288
	ds_load_b128 v[92:95], v69 offset:8192
	ds_load_b128 v[88:91], v70 offset:8192
	ds_load_b128 v[80:83], v70 offset:12288
	ds_load_b128 v[100:103], v67 offset:2048
	ds_load_b128 v[96:99], v68 offset:2048
	v_xad_u32 v69, v66, 48, 0
	v_xad_u32 v66, v66, 32, 0
	ds_load_b128 v[116:119], v67 offset:6144
	ds_load_b128 v[112:115], v68 offset:6144
	ds_load_b128 v[124:127], v69 offset:2048
	ds_load_b128 v[132:135], v69
	v_xad_u32 v67, v65, 48, 0
	v_xad_u32 v65, v65, 32, 0
	ds_load_b128 v[120:123], v66 offset:2048
	ds_load_b128 v[128:131], v66
	s_waitcnt lgkmcnt(9)
	v_wmma_f32_16x16x16_f16 v[17:24], v[88:95], v[72:79], v[17:24]
	s_waitcnt lgkmcnt(8)
	v_wmma_f32_16x16x16_f16 v[57:64], v[80:87], v[72:79], v[57:64]
	ds_load_b128 v[76:79], v67 offset:12288
	ds_load_b128 v[140:143], v67 offset:8192
	ds_load_b128 v[72:75], v65 offset:12288
	ds_load_b128 v[136:139], v65 offset:8192
	s_waitcnt lgkmcnt(10)
	v_wmma_f32_16x16x16_f16 v[49:56], v[88:95], v[96:103], v[49:56]
	v_wmma_f32_16x16x16_f16 v[41:48], v[80:87], v[96:103], v[41:48]
	ds_load_b128 v[96:99], v66 offset:4096
	v_wmma_f32_16x16x16_f16 v[33:40], v[88:95], v[104:111], v[33:40]
	v_wmma_f32_16x16x16_f16 v[25:32], v[80:87], v[104:111], v[25:32]
	ds_load_b128 v[100:103], v69 offset:4096
	ds_load_b128 v[108:111], v69 offset:6144
	ds_load_b128 v[104:107], v66 offset:6144
	s_waitcnt lgkmcnt(12)
	v_wmma_f32_16x16x16_f16 v[9:16], v[88:95], v[112:119], v[9:16]
	v_wmma_f32_16x16x16_f16 v[1:8], v[80:87], v[112:119], v[1:8]
	s_waitcnt lgkmcnt(5)
	v_wmma_f32_16x16x16_f16 v[57:64], v[72:79], v[128:135], v[57:64]
	s_waitcnt lgkmcnt(4)
	v_wmma_f32_16x16x16_f16 v[17:24], v[136:143], v[128:135], v[17:24]
	v_wmma_f32_16x16x16_f16 v[49:56], v[136:143], v[120:127], v[49:56]
	v_wmma_f32_16x16x16_f16 v[41:48], v[72:79], v[120:127], v[41:48]
	s_waitcnt lgkmcnt(2)
	v_wmma_f32_16x16x16_f16 v[33:40], v[136:143], v[96:103], v[33:40]
	v_wmma_f32_16x16x16_f16 v[25:32], v[72:79], v[96:103], v[25:32]
	s_waitcnt lgkmcnt(0)
	v_wmma_f32_16x16x16_f16 v[9:16], v[136:143], v[104:111], v[9:16]
	v_wmma_f32_16x16x16_f16 v[1:8], v[72:79], v[104:111], v[1:8]
.LBB0_14:
	s_lshr_b32 s2, s6, 3
	v_bfe_u32 v0, v0, 4, 1
	s_and_b32 s2, s2, 16
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(SKIP_1) | instid1(SALU_CYCLE_1)
	v_or3_b32 v65, s2, v71, s7
	s_lshr_b32 s2, s6, 1
	s_and_b32 s2, s2, 48
	s_delay_alu instid0(SALU_CYCLE_1) | instskip(NEXT) | instid1(VALU_DEP_2)
	v_or3_b32 v73, s2, v0, s8
	v_or_b32_e32 v66, 32, v65
	v_or_b32_e32 v68, 64, v65
	v_or_b32_e32 v70, 0x60, v65
	v_mul_lo_u32 v65, v65, s9
	v_ashrrev_i32_e32 v74, 31, v73
	v_mul_lo_u32 v67, v66, s9
	v_mul_lo_u32 v69, v68, s9
	v_mul_lo_u32 v71, v70, s9
	v_ashrrev_i32_e32 v66, 31, v65
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_ashrrev_i32_e32 v68, 31, v67
	v_ashrrev_i32_e32 v70, 31, v69
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_ashrrev_i32_e32 v72, 31, v71
	v_lshlrev_b64 v[65:66], 2, v[65:66]
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_lshlrev_b64 v[67:68], 2, v[67:68]
	v_lshlrev_b64 v[69:70], 2, v[69:70]
	s_delay_alu instid0(VALU_DEP_4) | instskip(NEXT) | instid1(VALU_DEP_4)
	v_lshlrev_b64 v[71:72], 2, v[71:72]
	v_add_co_u32 v0, vcc_lo, s0, v65
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_4) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v75, null, s1, v66, vcc_lo
	v_add_co_u32 v76, vcc_lo, s0, v67
	v_lshlrev_b64 v[65:66], 2, v[73:74]
	v_add_co_ci_u32_e64 v77, null, s1, v68, vcc_lo
	v_add_co_u32 v78, vcc_lo, s0, v69
	v_add_co_ci_u32_e64 v79, null, s1, v70, vcc_lo
	v_add_co_u32 v73, vcc_lo, s0, v71
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v74, null, s1, v72, vcc_lo
	v_add_co_u32 v67, vcc_lo, v0, v65
	v_add_co_ci_u32_e64 v68, null, v75, v66, vcc_lo
	v_add_co_u32 v69, vcc_lo, v76, v65
	s_delay_alu instid0(VALU_DEP_1) | instskip(SKIP_1) | instid1(VALU_DEP_1)
	v_add_co_ci_u32_e64 v70, null, v77, v66, vcc_lo
	v_add_co_u32 v71, vcc_lo, v78, v65
	v_add_co_ci_u32_e64 v72, null, v79, v66, vcc_lo
	v_add_co_u32 v65, vcc_lo, v73, v65
	s_delay_alu instid0(VALU_DEP_1)
	v_add_co_ci_u32_e64 v66, null, v74, v66, vcc_lo
	s_clause 0x1f
	global_store_b32 v[67:68], v17, off
	global_store_b32 v[67:68], v18, off offset:8
	global_store_b32 v[67:68], v19, off offset:16
	global_store_b32 v[67:68], v20, off offset:24
	global_store_b32 v[67:68], v21, off offset:32
	global_store_b32 v[67:68], v22, off offset:40
	global_store_b32 v[67:68], v23, off offset:48
	global_store_b32 v[67:68], v24, off offset:56
	global_store_b32 v[67:68], v57, off offset:256
	global_store_b32 v[67:68], v58, off offset:264
	global_store_b32 v[67:68], v59, off offset:272
	global_store_b32 v[67:68], v60, off offset:280
	global_store_b32 v[67:68], v61, off offset:288
	global_store_b32 v[67:68], v62, off offset:296
	global_store_b32 v[67:68], v63, off offset:304
	global_store_b32 v[67:68], v64, off offset:312
	global_store_b32 v[69:70], v49, off
	global_store_b32 v[69:70], v50, off offset:8
	global_store_b32 v[69:70], v51, off offset:16
	global_store_b32 v[69:70], v52, off offset:24
	global_store_b32 v[69:70], v53, off offset:32
	global_store_b32 v[69:70], v54, off offset:40
	global_store_b32 v[69:70], v55, off offset:48
	global_store_b32 v[69:70], v56, off offset:56
	global_store_b32 v[69:70], v41, off offset:256
	global_store_b32 v[69:70], v42, off offset:264
	global_store_b32 v[69:70], v43, off offset:272
	global_store_b32 v[69:70], v44, off offset:280
	global_store_b32 v[69:70], v45, off offset:288
	global_store_b32 v[69:70], v46, off offset:296
	global_store_b32 v[69:70], v47, off offset:304
	global_store_b32 v[69:70], v48, off offset:312
	s_clause 0x1f
	global_store_b32 v[71:72], v33, off
	global_store_b32 v[71:72], v34, off offset:8
	global_store_b32 v[71:72], v35, off offset:16
	global_store_b32 v[71:72], v36, off offset:24
	global_store_b32 v[71:72], v37, off offset:32
	global_store_b32 v[71:72], v38, off offset:40
	global_store_b32 v[71:72], v39, off offset:48
	global_store_b32 v[71:72], v40, off offset:56
	global_store_b32 v[71:72], v25, off offset:256
	global_store_b32 v[71:72], v26, off offset:264
	global_store_b32 v[71:72], v27, off offset:272
	global_store_b32 v[71:72], v28, off offset:280
	global_store_b32 v[71:72], v29, off offset:288
	global_store_b32 v[71:72], v30, off offset:296
	global_store_b32 v[71:72], v31, off offset:304
	global_store_b32 v[71:72], v32, off offset:312
	global_store_b32 v[65:66], v9, off
	global_store_b32 v[65:66], v10, off offset:8
	global_store_b32 v[65:66], v11, off offset:16
	global_store_b32 v[65:66], v12, off offset:24
	global_store_b32 v[65:66], v13, off offset:32
	global_store_b32 v[65:66], v14, off offset:40
	global_store_b32 v[65:66], v15, off offset:48
	global_store_b32 v[65:66], v16, off offset:56
	global_store_b32 v[65:66], v1, off offset:256
	global_store_b32 v[65:66], v2, off offset:264
	global_store_b32 v[65:66], v3, off offset:272
	global_store_b32 v[65:66], v4, off offset:280
	global_store_b32 v[65:66], v5, off offset:288
	global_store_b32 v[65:66], v6, off offset:296
	global_store_b32 v[65:66], v7, off offset:304
	global_store_b32 v[65:66], v8, off offset:312
	s_nop 0
	s_sendmsg sendmsg(MSG_DEALLOC_VGPRS)
	s_endpgm
	.size	mm, .Lfunc_end0-mm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel mm
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 48
		.amdhsa_user_sgpr_count 14
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
		.amdhsa_system_sgpr_workgroup_id_z 0
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 144
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
		.amdhsa_inst_pref_size ((instprefsize(.Lfunc_end0-mm)<<4)&1008)>>4
		.amdhsa_exception_fp_ieee_invalid_op 0
		.amdhsa_exception_fp_denorm_src 0
		.amdhsa_exception_fp_ieee_div_zero 0
		.amdhsa_exception_fp_ieee_overflow 0
		.amdhsa_exception_fp_ieee_underflow 0
		.amdhsa_exception_fp_ieee_inexact 0
		.amdhsa_exception_int_div_zero 0
	.end_amdhsa_kernel
	.text
	.set .Lmm.num_vgpr, 144
	.set .Lmm.num_agpr, 0
	.set .Lmm.numbered_sgpr, 16
	.set .Lmm.num_named_barrier, 0
	.set .Lmm.private_seg_size, 0
	.set .Lmm.uses_vcc, 1
	.set .Lmm.uses_flat_scratch, 0
	.set .Lmm.has_dyn_sized_stack, 0
	.set .Lmm.has_recursion, 0
	.set .Lmm.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
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
      - .address_space:  global
        .offset:         32
        .size:           8
        .value_kind:     global_buffer
      - .address_space:  global
        .offset:         40
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 48
    .max_flat_workgroup_size: 256
    .name:           mm
    .private_segment_fixed_size: 0
    .sgpr_count:     18
    .sgpr_spill_count: 0
    .symbol:         mm.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     144
    .vgpr_spill_count: 0
    .wavefront_size: 32
    .workgroup_processor_mode: 1
amdhsa.target:   amdgpu11.00-amd-amdhsa-unknown-gfx1100
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
