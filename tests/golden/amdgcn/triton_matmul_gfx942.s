	.amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	matmul                          ; -- Begin function matmul
	.p2align	8
	.type	matmul,@function
matmul:                                 ; @matmul
; %bb.20:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_load_dwordx4 s[12:15], s[0:1], 0x28
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.21:
.LBB0_0:
	v_readfirstlane_b32 s8, v0
	s_and_b32 s19, s8, 0xc0
	v_and_b32_e32 v42, 63, v0
	v_or_b32_e32 v28, s19, v42
	s_lshl_b32 s14, s16, 6
	v_lshrrev_b32_e32 v2, 3, v28
	v_or_b32_e32 v8, s14, v2
	v_lshlrev_b32_e32 v1, 3, v0
	v_mul_lo_u32 v2, v8, s11
	v_and_b32_e32 v1, 56, v1
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshl_add_u64 v[2:3], v[2:3], 1, s[2:3]
	v_mov_b32_e32 v7, 0
	v_lshlrev_b32_e32 v6, 1, v1
	s_cmp_gt_i32 s10, 0
	s_cselect_b64 s[0:1], -1, 0
	s_cmp_lt_i32 s10, 1
	v_lshl_add_u64 v[18:19], v[2:3], 0, v[6:7]
	s_cbranch_scc1 .LBB0_2
; %bb.1:
	global_load_dwordx4 v[2:5], v[18:19], off
	s_branch .LBB0_3
.LBB0_2:
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, v2
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v5, v2
.LBB0_3:
	v_or_b32_e32 v8, 32, v8
	v_mul_lo_u32 v8, v8, s11
	v_ashrrev_i32_e32 v9, 31, v8
	s_and_b64 s[20:21], s[0:1], exec
	v_lshl_add_u64 v[8:9], v[8:9], 1, s[2:3]
	s_cselect_b32 s9, 1, 0
	s_cmp_lg_u32 s9, 1
	v_lshl_add_u64 v[20:21], v[8:9], 0, v[6:7]
	s_cbranch_scc1 .LBB0_5
; %bb.4:
	global_load_dwordx4 v[10:13], v[20:21], off
	s_branch .LBB0_6
.LBB0_5:
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, v10
	v_mov_b32_e32 v12, v10
	v_mov_b32_e32 v13, v10
.LBB0_6:
	v_and_b32_e32 v29, 0xf8, v28
	v_lshrrev_b32_e32 v16, 2, v29
	s_lshl_b32 s15, s17, 6
	v_mul_lo_u32 v6, v16, s12
	v_or_b32_e32 v14, s15, v1
	v_ashrrev_i32_e32 v7, 31, v6
	s_and_b64 s[16:17], s[0:1], exec
	v_lshl_add_u64 v[6:7], v[6:7], 1, s[4:5]
	v_ashrrev_i32_e32 v15, 31, v14
	s_cselect_b32 s9, 1, 0
	s_cmp_lg_u32 s9, 1
	v_lshl_add_u64 v[22:23], v[14:15], 1, v[6:7]
	s_cbranch_scc1 .LBB0_8
; %bb.7:
	global_load_dwordx4 v[6:9], v[22:23], off
	s_branch .LBB0_9
.LBB0_8:
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
.LBB0_9:
	v_or_b32_e32 v16, 1, v16
	v_mul_lo_u32 v16, v16, s12
	v_ashrrev_i32_e32 v17, 31, v16
	s_and_b64 s[0:1], s[0:1], exec
	v_lshl_add_u64 v[16:17], v[16:17], 1, s[4:5]
	s_cselect_b32 s0, 1, 0
	s_cmp_lg_u32 s0, 1
	v_lshl_add_u64 v[24:25], v[14:15], 1, v[16:17]
	s_cbranch_scc1 .LBB0_11
; %bb.10:
	global_load_dwordx4 v[14:17], v[24:25], off
	s_branch .LBB0_12
.LBB0_11:
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, 0
.LBB0_12:
	v_lshlrev_b32_e32 v30, 4, v28
	v_and_b32_e32 v28, 0x78, v28
	v_xor_b32_e32 v28, v30, v28
	v_add_u32_e32 v32, 0, v28
	s_waitcnt vmcnt(0)
	ds_write2st64_b64 v32, v[2:3], v[10:11] offset1:8
	v_xor_b32_e32 v2, 8, v28
	v_add_u32_e32 v33, 0, v2
	v_and_b32_e32 v2, 6, v0
	ds_write2st64_b64 v33, v[4:5], v[12:13] offset1:8
	v_lshlrev_b32_e32 v3, 2, v2
	v_bfe_i32 v5, v0, 0, 1
	s_movk_i32 s0, 0x440
	v_lshrrev_b32_e32 v4, 1, v29
	v_and_or_b32 v3, v5, s0, v3
	v_xor_b32_e32 v3, v3, v4
	v_lshl_or_b32 v2, v2, 10, v3
	s_mov_b32 s20, 0x5040100
	v_add_u32_e32 v34, 0, v2
	v_perm_b32 v3, v14, v6, s20
	ds_write_b32 v34, v3 offset:8192
	v_xor_b32_e32 v3, 8, v2
	s_mov_b32 s21, 0x7060302
	v_add_u32_e32 v35, 0, v3
	v_perm_b32 v3, v14, v6, s21
	ds_write_b32 v35, v3 offset:8320
	v_xor_b32_e32 v3, 16, v2
	v_add_u32_e32 v36, 0, v3
	v_perm_b32 v3, v15, v7, s20
	ds_write_b32 v36, v3 offset:8448
	v_xor_b32_e32 v3, 24, v2
	v_add_u32_e32 v37, 0, v3
	v_perm_b32 v3, v15, v7, s21
	ds_write_b32 v37, v3 offset:8576
	v_xor_b32_e32 v3, 32, v2
	v_add_u32_e32 v38, 0, v3
	v_perm_b32 v3, v16, v8, s20
	ds_write_b32 v38, v3 offset:8704
	v_xor_b32_e32 v3, 40, v2
	v_add_u32_e32 v39, 0, v3
	v_perm_b32 v3, v16, v8, s21
	v_and_b32_e32 v26, 31, v0
	s_and_b32 s16, s8, 0x80
	v_and_b32_e32 v27, 32, v0
	s_and_b32 s17, s8, 64
	ds_write_b32 v39, v3 offset:8832
	v_xor_b32_e32 v3, 48, v2
	v_xor_b32_e32 v2, 56, v2
	s_sub_i32 s18, s10, 64
	v_add_u32_e32 v40, 0, v3
	v_perm_b32 v3, v17, v9, s20
	v_add_u32_e32 v41, 0, v2
	v_perm_b32 v2, v17, v9, s21
	s_cmp_lt_i32 s18, 1
	v_bfe_i32 v31, v0, 4, 1
	v_lshlrev_b32_e32 v28, 7, v26
	v_and_b32_e32 v30, 15, v0
	v_lshrrev_b32_e32 v29, 2, v27
	ds_write_b32 v40, v3 offset:8960
	ds_write_b32 v41, v2 offset:9088
	s_cbranch_scc1 .LBB0_16
; %bb.13:                               ; %.lr.ph
	v_lshlrev_b32_e32 v2, 3, v30
	s_lshl_b32 s0, s16, 5
	v_xor_b32_e32 v3, v2, v29
	v_or3_b32 v3, s0, v28, v3
	v_xor_b32_e32 v4, 16, v3
	v_add_u32_e32 v44, 0, v4
	v_xor_b32_e32 v4, 32, v3
	v_add_u32_e32 v45, 0, v4
	v_xor_b32_e32 v4, 48, v3
	v_add_u32_e32 v46, 0, v4
	v_xor_b32_e32 v4, 64, v3
	v_add_u32_e32 v47, 0, v4
	v_xor_b32_e32 v4, 0x50, v3
	v_add_u32_e32 v43, 0, v3
	v_add_u32_e32 v48, 0, v4
	v_xor_b32_e32 v4, 0x60, v3
	v_xor_b32_e32 v3, 0x70, v3
	v_add_u32_e32 v49, 0, v4
	v_add_u32_e32 v50, 0, v3
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b64 v[70:71], v43
	ds_read_b64 v[72:73], v44
	ds_read_b64 v[74:75], v45
	ds_read_b64 v[76:77], v46
	ds_read_b64 v[78:79], v47
	ds_read_b64 v[80:81], v48
	ds_read_b64 v[82:83], v49
	ds_read_b64 v[84:85], v50
	s_lshl_b32 s8, s12, 6
	s_ashr_i32 s9, s8, 31
	s_cmp_eq_u32 s17, 0
	s_cselect_b32 s0, 0, 0x1010
	v_and_b32_e32 v3, 0x808, v31
	v_or_b32_e32 v4, s0, v29
	v_xor_b32_e32 v3, v3, v4
	v_xor_b32_e32 v2, v3, v2
	v_lshl_or_b32 v6, v30, 7, v2
	s_lshl_b64 s[0:1], s[8:9], 1
	v_xor_b32_e32 v7, 16, v6
	v_xor_b32_e32 v8, 32, v6
	v_xor_b32_e32 v9, 48, v6
	v_xor_b32_e32 v10, 64, v6
	v_xor_b32_e32 v11, 0x50, v6
	v_xor_b32_e32 v12, 0x60, v6
	v_xor_b32_e32 v13, 0x70, v6
	v_lshl_add_u64 v[2:3], v[22:23], 0, s[0:1]
	v_lshl_add_u64 v[4:5], v[24:25], 0, s[0:1]
	s_setprio 1
	global_load_dwordx4 v[58:61], v[18:19], off offset:128
	global_load_dwordx4 v[62:65], v[20:21], off offset:128
	; sched_barrier mask(0x00000000)
	v_add_u32_e32 v24, 0, v6
	v_add_u32_e32 v53, 0, v10
	v_add_u32_e32 v25, 0, v7
	v_add_u32_e32 v51, 0, v8
	v_add_u32_e32 v52, 0, v9
	ds_read_b64 v[86:87], v24 offset:8192
	ds_read_b64 v[88:89], v25 offset:8192
	ds_read_b64 v[90:91], v51 offset:8192
	ds_read_b64 v[92:93], v52 offset:8192
	v_add_u32_e32 v54, 0, v11
	v_add_u32_e32 v55, 0, v12
	v_add_u32_e32 v56, 0, v13
	ds_read_b64 v[94:95], v53 offset:8192
	ds_read_b64 v[96:97], v54 offset:8192
	ds_read_b64 v[98:99], v55 offset:8192
	ds_read_b64 v[100:101], v56 offset:8192
	s_setprio 0
	global_load_dwordx4 v[18:21], v[2:3], off
	global_load_dwordx4 v[66:69], v[4:5], off
	s_waitcnt lgkmcnt(7)
	v_mfma_f32_32x32x8_f16 v[2:17], v[86:87], v[70:71], 0
	v_mov_b32_e32 v23, 0
	; sched_barrier mask(0x00000001)
	s_setprio 1
	s_waitcnt lgkmcnt(6)
	v_mfma_f32_32x32x8_f16 v[2:17], v[88:89], v[72:73], v[2:17]
	s_waitcnt lgkmcnt(5)
	v_mfma_f32_32x32x8_f16 v[2:17], v[90:91], v[74:75], v[2:17]
	s_waitcnt lgkmcnt(4)
	v_mfma_f32_32x32x8_f16 v[2:17], v[92:93], v[76:77], v[2:17]
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_32x32x8_f16 v[2:17], v[94:95], v[78:79], v[2:17]
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x8_f16 v[2:17], v[96:97], v[80:81], v[2:17]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 v[2:17], v[98:99], v[82:83], v[2:17]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[100:101], v[84:85], v[2:17]
	s_setprio 0
	s_waitcnt vmcnt(0)
	v_perm_b32 v22, v66, v18, s20
	v_perm_b32 v18, v66, v18, s21
	s_barrier
	ds_write_b32 v34, v22 offset:8192
	ds_write_b32 v35, v18 offset:8320
	v_perm_b32 v18, v67, v19, s20
	ds_write_b32 v36, v18 offset:8448
	v_perm_b32 v18, v67, v19, s21
	ds_write_b32 v37, v18 offset:8576
	v_perm_b32 v18, v68, v20, s20
	ds_write_b32 v38, v18 offset:8704
	v_perm_b32 v18, v68, v20, s21
	ds_write_b32 v39, v18 offset:8832
	v_perm_b32 v18, v69, v21, s20
	ds_write_b32 v40, v18 offset:8960
	v_perm_b32 v18, v69, v21, s21
	s_cmpk_lt_u32 s18, 0x41
	ds_write2st64_b64 v32, v[58:59], v[62:63] offset1:8
	ds_write2st64_b64 v33, v[60:61], v[64:65] offset1:8
	ds_write_b32 v41, v18 offset:9088
	s_cbranch_scc1 .LBB0_17
; %bb.14:                               ; %.peel.next
	v_add_u32_e32 v18, s19, v42
	v_lshrrev_b32_e32 v42, 3, v18
	v_mul_lo_u32 v18, s12, v42
	v_lshlrev_b32_e32 v20, 1, v18
	v_add_u32_e32 v18, s12, v20
	v_add_u32_e32 v58, s15, v1
	s_lshl_b64 s[8:9], s[8:9], 2
	v_ashrrev_i32_e32 v19, 31, v18
	v_ashrrev_i32_e32 v59, 31, v58
	v_ashrrev_i32_e32 v21, 31, v20
	v_and_b32_e32 v0, 7, v0
	v_add_u32_e32 v42, s14, v42
	v_lshl_add_u64 v[18:19], v[18:19], 1, s[8:9]
	v_lshlrev_b64 v[58:59], 1, v[58:59]
	v_lshl_add_u64 v[20:21], v[20:21], 1, s[8:9]
	v_lshlrev_b32_e32 v22, 4, v0
	v_add_u32_e32 v0, 32, v42
	v_lshl_add_u64 v[18:19], v[18:19], 0, v[58:59]
	v_lshl_add_u64 v[20:21], v[20:21], 0, v[58:59]
	v_mul_lo_u32 v0, s11, v0
	v_mul_lo_u32 v58, s11, v42
	v_ashrrev_i32_e32 v1, 31, v0
	v_ashrrev_i32_e32 v59, 31, v58
	v_lshl_add_u64 v[0:1], v[0:1], 1, v[22:23]
	v_lshl_add_u64 v[22:23], v[58:59], 1, v[22:23]
	v_lshl_add_u64 v[18:19], s[4:5], 0, v[18:19]
	v_lshl_add_u64 v[20:21], s[4:5], 0, v[20:21]
	v_lshl_add_u64 v[0:1], s[2:3], 0, v[0:1]
	s_mov_b64 s[4:5], 0x100
	v_lshl_add_u64 v[22:23], s[2:3], 0, v[22:23]
	v_lshl_add_u64 v[0:1], v[0:1], 0, s[4:5]
	v_lshl_add_u64 v[22:23], v[22:23], 0, s[4:5]
	s_mov_b32 s4, 64
	s_mov_b32 s5, 0x5040100
	s_mov_b32 s8, 0x7060302
	s_mov_b64 s[2:3], 0x80
.LBB0_15:                               ; =>This Inner Loop Header: Depth=1
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b64 v[74:75], v43
	ds_read_b64 v[76:77], v44
	ds_read_b64 v[78:79], v45
	ds_read_b64 v[80:81], v46
	ds_read_b64 v[82:83], v47
	ds_read_b64 v[84:85], v48
	ds_read_b64 v[86:87], v49
	ds_read_b64 v[88:89], v50
	s_setprio 1
	global_load_dwordx4 v[58:61], v[22:23], off
	global_load_dwordx4 v[62:65], v[0:1], off
	; sched_barrier mask(0x00000000)
	ds_read_b64 v[90:91], v24 offset:8192
	ds_read_b64 v[92:93], v25 offset:8192
	ds_read_b64 v[94:95], v51 offset:8192
	ds_read_b64 v[96:97], v52 offset:8192
	ds_read_b64 v[98:99], v53 offset:8192
	ds_read_b64 v[100:101], v54 offset:8192
	ds_read_b64 v[102:103], v55 offset:8192
	ds_read_b64 v[104:105], v56 offset:8192
	s_setprio 0
	global_load_dwordx4 v[66:69], v[20:21], off
	global_load_dwordx4 v[70:73], v[18:19], off
	s_waitcnt lgkmcnt(7)
	v_mfma_f32_32x32x8_f16 v[2:17], v[90:91], v[74:75], v[2:17]
	; sched_barrier mask(0x00000001)
	s_setprio 1
	s_waitcnt lgkmcnt(6)
	v_mfma_f32_32x32x8_f16 v[2:17], v[92:93], v[76:77], v[2:17]
	s_waitcnt lgkmcnt(5)
	v_mfma_f32_32x32x8_f16 v[2:17], v[94:95], v[78:79], v[2:17]
	s_waitcnt lgkmcnt(4)
	v_mfma_f32_32x32x8_f16 v[2:17], v[96:97], v[80:81], v[2:17]
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_32x32x8_f16 v[2:17], v[98:99], v[82:83], v[2:17]
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x8_f16 v[2:17], v[100:101], v[84:85], v[2:17]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 v[2:17], v[102:103], v[86:87], v[2:17]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[104:105], v[88:89], v[2:17]
	s_setprio 0
	s_waitcnt vmcnt(0)
	v_perm_b32 v42, v70, v66, s5
	s_barrier
	ds_write_b32 v34, v42 offset:8192
	v_perm_b32 v42, v70, v66, s8
	ds_write_b32 v35, v42 offset:8320
	v_perm_b32 v42, v71, v67, s5
	ds_write_b32 v36, v42 offset:8448
	v_perm_b32 v42, v71, v67, s8
	ds_write_b32 v37, v42 offset:8576
	v_perm_b32 v42, v72, v68, s5
	ds_write_b32 v38, v42 offset:8704
	v_perm_b32 v42, v72, v68, s8
	ds_write_b32 v39, v42 offset:8832
	v_perm_b32 v42, v73, v69, s5
	s_add_i32 s4, s4, 64
	ds_write_b32 v40, v42 offset:8960
	v_perm_b32 v42, v73, v69, s8
	v_lshl_add_u64 v[18:19], v[18:19], 0, s[0:1]
	v_lshl_add_u64 v[20:21], v[20:21], 0, s[0:1]
	v_lshl_add_u64 v[0:1], v[0:1], 0, s[2:3]
	s_cmp_lt_i32 s4, s18
	v_lshl_add_u64 v[22:23], v[22:23], 0, s[2:3]
	ds_write2st64_b64 v32, v[58:59], v[62:63] offset1:8
	ds_write2st64_b64 v33, v[60:61], v[64:65] offset1:8
	ds_write_b32 v41, v42 offset:9088
	s_cbranch_scc1 .LBB0_15
	s_branch .LBB0_17
.LBB0_16:
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, v2
	v_mov_b32_e32 v4, v2
	v_mov_b32_e32 v5, v2
	v_mov_b32_e32 v6, v2
	v_mov_b32_e32 v7, v2
	v_mov_b32_e32 v8, v2
	v_mov_b32_e32 v9, v2
	v_mov_b32_e32 v10, v2
	v_mov_b32_e32 v11, v2
	v_mov_b32_e32 v12, v2
	v_mov_b32_e32 v13, v2
	v_mov_b32_e32 v14, v2
	v_mov_b32_e32 v15, v2
	v_mov_b32_e32 v16, v2
	v_mov_b32_e32 v17, v2
.LBB0_17:                               ; %._crit_edge
	s_add_i32 s10, s10, 63
	s_cmp_lt_i32 s10, 64
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_19
; %bb.18:
	s_cmp_eq_u32 s17, 0
	s_cselect_b32 s0, 0, 0x1010
	v_and_b32_e32 v0, 0x808, v31
	v_or_b32_e32 v1, s0, v29
	v_lshlrev_b32_e32 v18, 3, v30
	v_xor_b32_e32 v0, v0, v1
	v_xor_b32_e32 v0, v0, v18
	v_lshl_or_b32 v0, v30, 7, v0
	v_add_u32_e32 v1, 0, v0
	ds_read_b64 v[20:21], v1 offset:8192
	s_lshl_b32 s0, s16, 5
	v_xor_b32_e32 v1, v18, v29
	v_or3_b32 v1, s0, v28, v1
	v_add_u32_e32 v18, 0, v1
	ds_read_b64 v[22:23], v18
	v_xad_u32 v18, v0, 16, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[22:23], v[2:17]
	ds_read_b64 v[20:21], v18 offset:8192
	v_xad_u32 v18, v1, 16, 0
	ds_read_b64 v[22:23], v18
	v_xad_u32 v18, v0, 32, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[22:23], v[2:17]
	ds_read_b64 v[20:21], v18 offset:8192
	v_xad_u32 v18, v1, 32, 0
	ds_read_b64 v[22:23], v18
	v_xad_u32 v18, v0, 48, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[22:23], v[2:17]
	ds_read_b64 v[20:21], v18 offset:8192
	v_xad_u32 v18, v1, 48, 0
	ds_read_b64 v[22:23], v18
	v_xad_u32 v18, v0, 64, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[22:23], v[2:17]
	ds_read_b64 v[20:21], v18 offset:8192
	v_xad_u32 v18, v1, 64, 0
	ds_read_b64 v[22:23], v18
	v_xor_b32_e32 v18, 0x50, v0
	v_add_u32_e32 v18, 0, v18
	ds_read_b64 v[24:25], v18 offset:8192
	v_xor_b32_e32 v18, 0x50, v1
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[22:23], v[2:17]
	v_add_u32_e32 v18, 0, v18
	ds_read_b64 v[20:21], v18
	v_xor_b32_e32 v18, 0x60, v0
	v_add_u32_e32 v18, 0, v18
	ds_read_b64 v[22:23], v18 offset:8192
	v_xor_b32_e32 v0, 0x70, v0
	v_add_u32_e32 v0, 0, v0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 v[2:17], v[24:25], v[20:21], v[2:17]
	ds_read_b64 v[20:21], v0 offset:8192
	v_xor_b32_e32 v18, 0x60, v1
	v_add_u32_e32 v18, 0, v18
	ds_read_b64 v[18:19], v18
	v_xor_b32_e32 v0, 0x70, v1
	v_add_u32_e32 v0, 0, v0
	ds_read_b64 v[0:1], v0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x8_f16 v[2:17], v[22:23], v[18:19], v[2:17]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x8_f16 v[2:17], v[20:21], v[0:1], v[2:17]
.LBB0_19:                               ; %._crit_edge._crit_edge
	v_lshrrev_b32_e32 v0, 3, v27
	s_lshr_b32 s0, s17, 1
	v_or_b32_e32 v0, s0, v0
	s_lshr_b32 s0, s16, 2
	v_or_b32_e32 v1, s0, v26
	v_or_b32_e32 v1, s14, v1
	v_mul_lo_u32 v18, v1, s13
	v_or_b32_e32 v0, s15, v0
	v_ashrrev_i32_e32 v19, 31, v18
	v_lshl_add_u64 v[18:19], v[18:19], 1, s[6:7]
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 1, v[18:19]
	v_cvt_f16_f32_e32 v2, v2
	v_cvt_f16_f32_e32 v18, v3
	v_cvt_f16_f32_e32 v3, v4
	v_cvt_f16_f32_e32 v4, v5
	v_cvt_f16_f32_e32 v5, v6
	v_cvt_f16_f32_e32 v6, v7
	v_cvt_f16_f32_e32 v7, v8
	v_cvt_f16_f32_e32 v8, v9
	v_cvt_f16_f32_e32 v9, v10
	v_cvt_f16_f32_e32 v10, v11
	v_cvt_f16_f32_e32 v11, v12
	v_cvt_f16_f32_e32 v12, v13
	v_cvt_f16_f32_e32 v13, v14
	v_cvt_f16_f32_e32 v14, v15
	v_cvt_f16_f32_e32 v15, v16
	v_cvt_f16_f32_e32 v16, v17
	v_pack_b32_f16 v3, v3, v4
	v_pack_b32_f16 v2, v2, v18
	global_store_dwordx2 v[0:1], v[2:3], off
	v_pack_b32_f16 v3, v7, v8
	v_pack_b32_f16 v2, v5, v6
	global_store_dwordx2 v[0:1], v[2:3], off offset:16
	v_pack_b32_f16 v3, v11, v12
	v_pack_b32_f16 v2, v9, v10
	global_store_dwordx2 v[0:1], v[2:3], off offset:32
	v_pack_b32_f16 v3, v15, v16
	v_pack_b32_f16 v2, v13, v14
	global_store_dwordx2 v[0:1], v[2:3], off offset:48
	s_endpgm
.Lfunc_end0:
	.size	matmul, .Lfunc_end0-matmul
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel matmul
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
		.amdhsa_next_free_vgpr 106
		.amdhsa_next_free_sgpr 22
		.amdhsa_accum_offset 108
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
	.set .Lmatmul.num_vgpr, 106
	.set .Lmatmul.num_agpr, 0
	.set .Lmatmul.numbered_sgpr, 22
	.set .Lmatmul.num_named_barrier, 0
	.set .Lmatmul.private_seg_size, 0
	.set .Lmatmul.uses_vcc, 0
	.set .Lmatmul.uses_flat_scratch, 0
	.set .Lmatmul.has_dyn_sized_stack, 0
	.set .Lmatmul.has_recursion, 0
	.set .Lmatmul.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3088
; TotalNumSgprs: 28
; NumVgprs: 106
; NumAgprs: 0
; TotalNumVgprs: 106
; ScratchSize: 0
; MemoryBound: 1
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 13
; NumSGPRsForWavesPerEU: 28
; NumVGPRsForWavesPerEU: 106
; AccumOffset: 108
; Occupancy: 4
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 26
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
    .name:           matmul
    .private_segment_fixed_size: 0
    .sgpr_count:     28
    .sgpr_spill_count: 0
    .symbol:         matmul.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     106
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.42-amd-amdhsa-unknown-gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
