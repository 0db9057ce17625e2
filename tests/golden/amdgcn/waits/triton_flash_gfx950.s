	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	flash                           ; -- Begin function flash
	.p2align	8
	.type	flash,@function
flash:                                  ; @flash
.Lfunc_begin0:
; %bb.16:
	s_load_dwordx8 s[8:15], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.17:
.LBB0_0:
	v_and_b32_e32 v5, 0x3ff, v0
	s_load_dwordx2 s[2:3], s[4:5], 0x20
	v_readfirstlane_b32 s0, v5
	s_bfe_u32 s20, s0, 0x20006
	v_and_b32_e32 v10, 63, v0
	s_lshl_b32 s17, s20, 6
	v_or_b32_e32 v1, s17, v10
	s_lshl_b32 s16, s16, 6
	v_lshrrev_b32_e32 v4, 3, v1
	v_or_b32_e32 v2, s16, v4
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v2, v2, s2
	s_lshl_b32 s18, s2, 5
	v_ashrrev_i32_e32 v3, 31, v2
	v_lshlrev_b32_e32 v43, 3, v5
	v_add_u32_e32 v6, s18, v2
	v_lshl_add_u64 v[8:9], v[2:3], 1, s[8:9]
	v_and_b32_e32 v2, 56, v43
	v_ashrrev_i32_e32 v7, 31, v6
	v_mov_b32_e32 v3, 0
	v_lshlrev_b32_e32 v2, 1, v2
	v_lshl_add_u64 v[6:7], v[6:7], 1, s[8:9]
	v_lshl_add_u64 v[8:9], v[8:9], 0, v[2:3]
	v_lshl_add_u64 v[6:7], v[6:7], 0, v[2:3]
	global_load_dwordx4 v[14:17], v[8:9], off
	global_load_dwordx4 v[18:21], v[6:7], off
	v_and_b32_e32 v42, 32, v0
	s_movk_i32 s0, 0x70
	v_mov_b32_e32 v6, 0x70
	v_and_b32_e32 v41, 31, v0
	v_lshrrev_b32_e32 v0, 1, v42
	v_bitop3_b32 v49, v43, v0, s0 bitop3:0x6c
	v_bitop3_b32 v0, s17, v6, v10 bitop3:0xc8
	v_lshlrev_b32_e32 v48, 7, v41
	s_and_b32 s8, s17, 64
	v_lshlrev_b32_e32 v6, 4, v1
	v_lshlrev_b32_e32 v8, 3, v1
	v_lshrrev_b32_e32 v1, 1, v0
	v_lshl_or_b32 v7, s8, 6, v48
	v_xor_b32_e32 v11, v1, v8
	s_movk_i32 s1, 0x60
	v_xad_u32 v6, v6, v0, 0
	v_or_b32_e32 v9, v7, v49
	v_mul_lo_u32 v0, v4, s2
	v_sub_u32_e32 v8, v11, v8
	v_bitop3_b32 v7, v7, s1, v49 bitop3:0x36
	v_add_u32_e32 v12, 0, v9
	v_ashrrev_i32_e32 v1, 31, v0
	v_ashrrev_i32_e32 v8, 3, v8
	v_xad_u32 v13, v9, 32, 0
	v_xad_u32 v9, v9, 64, 0
	v_add_u32_e32 v7, 0, v7
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[10:11]
	v_add_u32_e32 v54, v8, v10
	v_lshl_add_u64 v[0:1], v[0:1], 0, v[2:3]
	v_lshlrev_b32_e32 v55, 2, v54
	ds_bpermute_b32 v0, v55, v0
	ds_bpermute_b32 v1, v55, v1
	v_cmp_gt_i32_e64 s[6:7], s3, 0
	s_cmp_gt_i32 s3, 0
	s_cselect_b64 s[0:1], -1, 0
	s_lshl_b32 s19, s20, 10
	s_waitcnt vmcnt(1)
	ds_write_b128 v6, v[14:17]
	s_waitcnt vmcnt(0)
	ds_write_b128 v6, v[18:21] offset:4096
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b128 v[84:87], v12
	ds_read_b128 v[80:83], v13
	ds_read_b128 v[76:79], v9
	ds_read_b128 v[72:75], v7
	v_lshrrev_b64 v[6:7], v54, s[6:7]
	v_and_b32_e32 v3, 1, v6
	v_cmp_eq_u32_e32 vcc, 1, v3
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_2
; %bb.1:
	s_add_i32 m0, s19, 0x21c0
	s_nop 0
	global_load_lds_dwordx4 v[0:1], off
.LBB0_2:
	s_or_b64 exec, exec, s[6:7]
	s_and_b32 s17, s17, 0x80
	s_lshr_b32 s9, s8, 6
	s_lshr_b32 s23, s17, 3
	s_and_b64 s[0:1], s[0:1], exec
	v_lshrrev_b32_e32 v0, 2, v5
	s_cselect_b32 s0, 1, 0
	v_and_b32_e32 v6, 14, v0
	s_cmp_lg_u32 s0, 1
	s_mulk_i32 s20, 0x440
	; asyncmark
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_4
; %bb.3:
	s_or_b32 s0, s23, s9
	v_or_b32_e32 v0, s0, v6
	v_mul_lo_u32 v0, v0, s2
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[12:13]
	v_mov_b32_e32 v3, 0
	v_lshl_add_u64 v[0:1], v[0:1], 0, v[2:3]
	s_mov_b32 m0, s20
	s_nop 0
	global_load_lds_dwordx4 v[0:1], off
.LBB0_4:
	s_sub_i32 s21, s3, 32
	s_mov_b32 s22, 0
	s_cmp_gt_i32 s21, 0
	v_and_b32_e32 v44, 4, v5
	v_and_b32_e32 v45, 8, v5
	v_lshlrev_b32_e32 v7, 1, v5
	; asyncmark
	s_cbranch_scc1 .LBB0_6
; %bb.5:                                ; %.._crit_edge_crit_edge
	v_and_b32_e32 v51, 0x118, v43
	v_lshlrev_b32_e32 v52, 8, v44
	v_lshlrev_b32_e32 v53, 4, v45
	v_and_b32_e32 v46, 32, v7
	v_lshlrev_b32_e32 v56, 4, v44
	s_mov_b64 s[6:7], 0
	s_branch .LBB0_7
.LBB0_6:
	s_mov_b64 s[6:7], -1
                                        ; implicit-def: $vgpr51
                                        ; implicit-def: $vgpr52
                                        ; implicit-def: $vgpr53
                                        ; implicit-def: $vgpr46
                                        ; implicit-def: $vgpr56
.LBB0_7:                                ; %Flow142
	s_load_dword s0, s[4:5], 0x28
	s_and_b64 s[4:5], s[6:7], exec
	s_cselect_b32 s1, 1, 0
	v_mov_b32_e32 v3, 0
	s_cmp_lg_u32 s1, 1
	v_mov_b32_e32 v37, 0
	v_mov_b32_e32 v40, 0xff800000
	v_or_b32_e32 v50, v49, v48
	v_lshlrev_b32_e32 v47, 1, v41
	v_cmp_eq_u32_e32 vcc, 0, v42
	s_cbranch_scc1 .LBB0_10
; %bb.8:                                ; %.lr.ph
	v_lshl_add_u64 v[0:1], s[10:11], 0, v[2:3]
	v_lshl_add_u64 v[34:35], s[12:13], 0, v[2:3]
	v_bfe_i32 v2, v5, 3, 1
	v_mov_b32_e32 v8, 0x210
	v_and_b32_e32 v13, 24, v43
	s_movk_i32 s4, 0x108
	s_movk_i32 s1, 0x60
	v_cndmask_b32_e64 v8, v8, 0, vcc
	v_bitop3_b32 v2, v2, v13, s4 bitop3:0x6c
	v_bitop3_b32 v59, v49, s1, v48 bitop3:0x36
	v_lshlrev_b32_e32 v14, 5, v44
	s_lshr_b32 s1, s17, 1
	v_xor_b32_e32 v2, v2, v8
	v_and_b32_e32 v46, 32, v7
	v_xor_b32_e32 v9, v8, v47
	v_or3_b32 v2, s1, v14, v2
	s_add_i32 s9, s9, s23
	s_lshl_b32 s6, s8, 1
	v_lshl_add_u32 v5, v41, 2, 0
	v_bitop3_b32 v10, s8, v8, v47 bitop3:0xf6
	v_bitop3_b32 v11, s8, 8, v9 bitop3:0x36
	v_bitop3_b32 v12, s8, 32, v9 bitop3:0x36
	v_bitop3_b32 v9, s8, 40, v9 bitop3:0x36
	v_or_b32_e32 v8, v2, v46
	v_bitop3_b32 v2, v2, 32, v7 bitop3:0x34
	v_add3_u32 v6, s9, v6, 32
	v_or_b32_e32 v4, 32, v4
	v_bitop3_b32 v57, v49, 32, v48 bitop3:0x36
	v_bitop3_b32 v58, v49, 64, v48 bitop3:0x36
	v_and_b32_e32 v51, 0x118, v43
	v_lshlrev_b32_e32 v52, 8, v44
	v_lshlrev_b32_e32 v53, 4, v45
	v_lshlrev_b32_e32 v56, 4, v44
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s4, s0
	s_mov_b32 s5, s0
	v_mul_lo_u32 v36, s2, v6
	s_movk_i32 s11, 0x21c0
	v_mul_lo_u32 v38, s2, v4
	v_mov_b32_e32 v60, 0
	v_mov_b32_e32 v70, 0xff800000
	v_bfrev_b32_e32 v61, -2
	s_mov_b32 s1, 1.0
	v_add_u32_e32 v62, s6, v5
	v_add_u32_e32 v63, s17, v5
	v_add_u32_e32 v64, 0, v10
	v_add_u32_e32 v65, 0, v11
	v_add_u32_e32 v66, 0, v12
	v_add_u32_e32 v67, 0, v9
	v_add_u32_e32 v68, 0, v8
	v_add_u32_e32 v69, 0, v2
	s_mov_b32 s6, s0
	s_mov_b32 s7, s0
	s_mov_b32 s9, s0
	s_mov_b32 s12, 0
	s_mov_b32 s10, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, v3
	v_mov_b32_e32 v14, v3
	v_mov_b32_e32 v15, v3
	v_mov_b32_e32 v12, v3
	v_mov_b32_e32 v13, v3
	v_mov_b32_e32 v10, v3
	v_mov_b32_e32 v11, v3
	v_mov_b32_e32 v8, v3
	v_mov_b32_e32 v9, v3
	v_mov_b32_e32 v6, v3
	v_mov_b32_e32 v7, v3
	v_mov_b32_e32 v4, v3
	v_mov_b32_e32 v5, v3
	v_mov_b32_e32 v2, v3
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_add_i32 s12, s12, 1
	s_cmp_lt_i32 s12, 2
	s_cselect_b32 s12, s12, 0
	v_ashrrev_i32_e32 v39, 31, v38
	s_lshl_b32 s13, s12, 12
	v_lshrrev_b64 v[18:19], v54, exec
	v_ashrrev_i32_e32 v37, 31, v36
	v_lshl_add_u64 v[20:21], v[38:39], 1, v[0:1]
	v_add_u32_e32 v23, s11, v50
	v_add_u32_e32 v24, s11, v57
	v_add_u32_e32 v39, s11, v58
	v_add_u32_e32 v40, s11, v59
	s_add_i32 s11, s13, 0x21c0
	v_and_b32_e32 v22, 1, v18
	v_lshl_add_u64 v[88:89], v[36:37], 1, v[34:35]
	v_add3_u32 v37, s22, v53, v51
	s_add_i32 s22, s11, s19
	ds_bpermute_b32 v18, v55, v20
	v_mov_b32_e32 v20, s22
	v_cmp_eq_u32_e32 vcc, 1, v22
	ds_bpermute_b32 v19, v55, v21
	; wait_asyncmark(0)
	s_waitcnt vmcnt(0) lgkmcnt(0)
	v_cndmask_b32_e32 v20, v61, v20, vcc
	s_barrier
	v_readfirstlane_b32 s22, v20
	s_mov_b32 m0, s22
	s_lshl_b32 s22, s12, 8
	s_and_b32 s22, s22, 0x1fffff00
	s_add_i32 s22, s13, s22
	global_load_lds_dwordx4 v[18:19], off
	s_add_i32 m0, s22, s20
	; asyncmark
	ds_read_b128 v[90:93], v23
	ds_read_b128 v[94:97], v24
	global_load_lds_dwordx4 v[88:89], off
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x16_f16 v[18:33], v[90:93], v[84:87], 0
	v_add3_u32 v37, v37, v52, s8
	v_add3_u32 v37, v37, v46, v56
	s_add_i32 s10, s10, 32
	v_add_u32_e32 v36, s18, v36
	v_add_u32_e32 v38, s18, v38
	s_cmp_lt_i32 s10, s21
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[18:33], v[94:97], v[80:83], v[18:33]
	ds_read_b128 v[90:93], v39
	ds_read_b128 v[94:97], v40
	; asyncmark
	ds_read_b64_tr_b16 v[100:101], v37
	ds_read_b64_tr_b16 v[102:103], v37 offset:512
	ds_read_b64_tr_b16 v[104:105], v37 offset:2176
	ds_read_b64_tr_b16 v[106:107], v37 offset:2688
	s_waitcnt lgkmcnt(5)
	v_mfma_f32_32x32x16_f16 v[18:33], v[90:93], v[76:79], v[18:33]
	s_waitcnt lgkmcnt(4)
	v_mfma_f32_32x32x16_f16 v[18:33], v[94:97], v[72:75], v[18:33]
	s_nop 11
	v_pk_mul_f32 v[88:89], s[6:7], v[22:23]
	v_pk_mul_f32 v[90:91], s[6:7], v[20:21]
	v_pk_mul_f32 v[92:93], s[4:5], v[18:19]
	v_mov_b32_e32 v94, v29
	v_mov_b32_e32 v95, v30
	v_mov_b32_e32 v96, v27
	v_mov_b32_e32 v97, v28
	v_pk_mul_f32 v[30:31], v[30:31], s[8:9]
	v_pk_mul_f32 v[28:29], v[32:33], s[0:1] op_sel_hi:[1,0]
	v_max_f32_e32 v30, v92, v93
	v_max3_f32 v37, v91, v88, v89
	v_pk_mul_f32 v[88:89], s[0:1], v[94:95] op_sel_hi:[0,1]
	v_pk_mul_f32 v[92:93], s[0:1], v[96:97] op_sel_hi:[0,1]
	v_mul_f32_e32 v27, s0, v26
	v_pk_mul_f32 v[98:99], s[6:7], v[24:25]
	v_max3_f32 v28, v89, v31, v28
	v_max3_f32 v40, v92, v93, v88
	v_max3_f32 v39, v98, v99, v27
	v_max3_f32 v37, v30, v90, v37
	v_max3_f32 v28, v40, v28, v29
	v_max3_f32 v28, v37, v39, v28
	v_mov_b32_e32 v29, v28
	s_nop 1
	v_permlane32_swap_b32_e32 v28, v29
	v_max3_f32 v40, v70, v28, v29
	v_sub_f32_e32 v37, v70, v40
	v_mov_b32_e32 v27, v92
	v_pk_mov_b32 v[90:91], v[92:93], v[88:89] op_sel:[1,0]
	v_mov_b32_e32 v30, v89
	v_exp_f32_e32 v39, v37
	v_pk_fma_f32 v[18:19], s[4:5], v[18:19], v[40:41] op_sel_hi:[1,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[22:23], s[6:7], v[22:23], v[40:41] op_sel_hi:[1,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[24:25], s[6:7], v[24:25], v[40:41] op_sel_hi:[1,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[26:27], s[0:1], v[26:27], v[40:41] op_sel_hi:[1,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[28:29], v[32:33], s[0:1], v[40:41] op_sel_hi:[1,0,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_add_f32 v[32:33], v[90:91], v[40:41] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
	v_pk_add_f32 v[30:31], v[30:31], v[40:41] op_sel_hi:[1,0] neg_lo:[0,1] neg_hi:[0,1]
	v_pk_fma_f32 v[20:21], s[6:7], v[20:21], v[40:41] op_sel_hi:[1,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_exp_f32_e32 v18, v18
	v_exp_f32_e32 v19, v19
	v_exp_f32_e32 v22, v22
	v_exp_f32_e32 v23, v23
	v_exp_f32_e32 v24, v24
	v_exp_f32_e32 v25, v25
	v_exp_f32_e32 v26, v26
	v_exp_f32_e32 v27, v27
	v_exp_f32_e32 v32, v32
	v_exp_f32_e32 v33, v33
	v_exp_f32_e32 v30, v30
	v_exp_f32_e32 v31, v31
	v_exp_f32_e32 v28, v28
	v_exp_f32_e32 v29, v29
	v_exp_f32_e32 v20, v20
	v_exp_f32_e32 v21, v21
	ds_write_b32 v62, v39 offset:16896
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v70, v63 offset:16896
	v_cvt_pk_f16_f32 v37, v18, v19
	v_cvt_pk_f16_f32 v88, v26, v27
	v_cvt_pk_f16_f32 v89, v22, v23
	v_cvt_pk_f16_f32 v90, v32, v33
	v_cvt_pk_f16_f32 v91, v24, v25
	v_cvt_pk_f16_f32 v92, v30, v31
	v_cvt_pk_f16_f32 v93, v28, v29
	v_cvt_pk_f16_f32 v71, v20, v21
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_write_b16 v64, v37 offset:16832
	ds_write_b16_d16_hi v64, v37 offset:16960
	ds_write_b16 v64, v88 offset:18880
	ds_write_b16_d16_hi v64, v88 offset:19008
	ds_write_b16 v65, v71 offset:17088
	ds_write_b16_d16_hi v65, v71 offset:17216
	ds_write_b16 v65, v90 offset:19136
	ds_write_b16_d16_hi v65, v90 offset:19264
	ds_write_b16 v66, v89 offset:17856
	ds_write_b16_d16_hi v66, v89 offset:17984
	ds_write_b16 v66, v92 offset:19904
	ds_write_b16_d16_hi v66, v92 offset:20032
	ds_write_b16 v67, v91 offset:18112
	ds_write_b16_d16_hi v67, v91 offset:18240
	ds_write_b16 v67, v93 offset:20160
	ds_write_b16_d16_hi v67, v93 offset:20288
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b64_tr_b16 v[88:89], v68 offset:16832
	ds_read_b64_tr_b16 v[90:91], v69 offset:17856
	ds_read_b64_tr_b16 v[94:95], v69 offset:19904
	ds_read_b64_tr_b16 v[92:93], v68 offset:18880
	v_pk_mul_f32 v[2:3], v[2:3], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[4:5], v[4:5], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[6:7], v[6:7], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[8:9], v[8:9], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[10:11], v[10:11], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[12:13], v[12:13], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[14:15], v[14:15], v[70:71] op_sel_hi:[1,0]
	v_pk_mul_f32 v[16:17], v[16:17], v[70:71] op_sel_hi:[1,0]
	v_pk_add_f32 v[18:19], v[18:19], v[20:21]
	v_pk_add_f32 v[20:21], v[22:23], v[24:25]
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_32x32x16_f16 v[2:17], v[100:103], v[88:91], v[2:17]
	v_add_f32_e64 v22, v26, v32
	v_add_f32_e64 v23, v27, v33
	v_add_f32_e64 v24, v30, v28
	v_add_f32_e64 v25, v31, v29
	v_add_f32_e64 v18, v18, v20
	v_add_f32_e64 v19, v19, v21
	v_pk_add_f32 v[20:21], v[22:23], v[24:25]
	v_mov_b32_e32 v70, v40
	v_pk_add_f32 v[18:19], v[18:19], v[20:21]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[2:17], v[104:107], v[92:95], v[2:17]
	v_add_f32_e32 v18, v18, v19
	v_mov_b32_e32 v19, v18
	s_nop 1
	v_permlane32_swap_b32_e32 v18, v19
	v_add_f32_e32 v37, v18, v19
	v_fmac_f32_e32 v37, v60, v39
	v_mov_b32_e32 v60, v37
	s_cbranch_scc1 .LBB0_9
	s_branch .LBB0_11
.LBB0_10:
	s_movk_i32 s11, 0x21c0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v16, 0
.LBB0_11:                               ; %._crit_edge
	v_add3_u32 v0, s22, v53, v51
	v_add3_u32 v0, v0, v52, s8
	v_add3_u32 v0, v0, v46, v56
	; wait_asyncmark(0)
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	ds_read_b64_tr_b16 v[52:53], v0
	ds_read_b64_tr_b16 v[54:55], v0 offset:512
	ds_read_b64_tr_b16 v[56:57], v0 offset:2176
	ds_read_b64_tr_b16 v[58:59], v0 offset:2688
	s_add_i32 s1, s3, 31
	s_cmp_gt_i32 s1, 31
	v_mov_b32_e32 v0, 0
	s_cselect_b64 vcc, -1, 0
	s_cmp_lt_i32 s1, 32
	v_mov_b32_e32 v26, 0
	v_mov_b32_e32 v33, 0
	v_mov_b32_e32 v1, v0
	v_mov_b32_e32 v34, v0
	v_mov_b32_e32 v35, v0
	v_mov_b32_e32 v28, v0
	v_mov_b32_e32 v29, v0
	v_mov_b32_e32 v18, v0
	v_mov_b32_e32 v19, v0
	v_mov_b32_e32 v20, v0
	v_mov_b32_e32 v21, v0
	v_mov_b32_e32 v22, v0
	v_mov_b32_e32 v23, v0
	v_mov_b32_e32 v24, v0
	v_mov_b32_e32 v25, v0
	s_cbranch_scc1 .LBB0_13
; %bb.12:
	v_add_u32_e32 v0, s11, v50
	ds_read_b128 v[60:63], v0
	v_xad_u32 v0, v50, 32, s11
	s_movk_i32 s1, 0x60
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[18:33], v[60:63], v[84:87], 0
	ds_read_b128 v[60:63], v0
	v_xad_u32 v0, v50, 64, s11
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[18:33], v[60:63], v[80:83], v[18:33]
	ds_read_b128 v[60:63], v0
	v_bitop3_b32 v0, v49, s1, v48 bitop3:0x36
	v_add_u32_e32 v0, s11, v0
	ds_read_b128 v[48:51], v0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_32x32x16_f16 v[18:33], v[60:63], v[76:79], v[18:33]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[18:33], v[48:51], v[72:75], v[18:33]
	s_nop 11
	v_mov_b32_e32 v0, v31
	v_mov_b32_e32 v1, v32
	v_mov_b32_e32 v34, v27
	v_mov_b32_e32 v35, v28
	v_mov_b32_e32 v28, v29
	v_mov_b32_e32 v29, v30
.LBB0_13:
	v_pk_mul_f32 v[30:31], s[0:1], v[24:25] op_sel_hi:[0,1]
	v_pk_mul_f32 v[38:39], s[0:1], v[22:23] op_sel_hi:[0,1]
	v_pk_mul_f32 v[48:49], s[0:1], v[20:21] op_sel_hi:[0,1]
	v_pk_mul_f32 v[50:51], s[0:1], v[18:19] op_sel_hi:[0,1]
	v_mul_f32_e32 v27, s0, v26
	v_pk_mul_f32 v[60:61], s[0:1], v[28:29] op_sel_hi:[0,1]
	v_pk_mul_f32 v[62:63], s[0:1], v[34:35] op_sel_hi:[0,1]
	v_pk_mul_f32 v[64:65], s[0:1], v[0:1] op_sel_hi:[0,1]
	v_mul_f32_e32 v32, s0, v33
	v_max_f32_e32 v36, v50, v51
	v_max3_f32 v38, v49, v38, v39
	v_max3_f32 v27, v30, v31, v27
	v_max3_f32 v30, v62, v63, v60
	v_max3_f32 v31, v61, v64, v65
	v_max3_f32 v36, v36, v48, v38
	v_max3_f32 v30, v30, v31, v32
	v_max3_f32 v27, v36, v27, v30
	v_mov_b32_e32 v30, v27
	s_nop 1
	v_permlane32_swap_b32_e32 v27, v30
	v_max3_f32 v30, v40, v27, v30
	v_pk_fma_f32 v[18:19], s[0:1], v[18:19], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[20:21], s[0:1], v[20:21], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[22:23], s[0:1], v[22:23], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[24:25], s[0:1], v[24:25], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_fma_f32 v31, s0, v26, -v30
	v_pk_fma_f32 v[26:27], s[0:1], v[34:35], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[28:29], s[0:1], v[28:29], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_pk_fma_f32 v[0:1], s[0:1], v[0:1], v[30:31] op_sel_hi:[0,1,0] neg_lo:[0,0,1] neg_hi:[0,0,1]
	v_fma_f32 v36, s0, v33, -v30
	v_exp_f32_e32 v32, v18
	v_exp_f32_e32 v33, v19
	v_exp_f32_e32 v34, v20
	v_exp_f32_e32 v35, v21
	v_exp_f32_e32 v22, v22
	v_exp_f32_e32 v23, v23
	v_exp_f32_e32 v24, v24
	v_exp_f32_e32 v25, v25
	v_exp_f32_e32 v38, v31
	v_exp_f32_e32 v39, v26
	v_exp_f32_e32 v26, v27
	v_exp_f32_e32 v27, v28
	v_exp_f32_e32 v28, v29
	v_exp_f32_e32 v29, v0
	v_exp_f32_e32 v48, v1
	v_exp_f32_e32 v49, v36
	v_sub_f32_e32 v0, v40, v30
	v_pk_add_f32 v[18:19], v[32:33], v[34:35]
	v_pk_add_f32 v[20:21], v[22:23], v[24:25]
	v_pk_add_f32 v[30:31], v[38:39], v[26:27]
	v_pk_add_f32 v[50:51], v[28:29], v[48:49]
	v_exp_f32_e32 v1, v0
	v_pk_add_f32 v[18:19], v[18:19], v[20:21]
	v_pk_add_f32 v[20:21], v[30:31], v[50:51]
	v_cvt_pk_f16_f32 v22, v22, v23
	v_cvt_pk_f16_f32 v23, v24, v25
	v_cvt_pk_f16_f32 v25, v26, v27
	v_cvt_pk_f16_f32 v26, v28, v29
	v_mov_b32_e32 v28, 0x210
	v_cmp_eq_u32_e64 s[0:1], 0, v42
	v_pk_add_f32 v[18:19], v[18:19], v[20:21]
	v_lshlrev_b32_e32 v0, 2, v41
	v_cndmask_b32_e64 v28, v28, 0, s[0:1]
	v_add_f32_e32 v20, v18, v19
	v_lshl_or_b32 v18, s8, 1, v0
	v_or_b32_e32 v0, s17, v0
	v_bitop3_b32 v29, s8, v28, v47 bitop3:0xf6
	v_add_u32_e32 v18, 0, v18
	ds_write_b32 v18, v1 offset:16896
	v_add_u32_e32 v19, 0, v0
	v_cvt_pk_f16_f32 v30, v32, v33
	v_cvt_pk_f16_f32 v24, v38, v39
	v_add_u32_e32 v32, 0, v29
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v0, v19 offset:16896
	v_cvt_pk_f16_f32 v31, v34, v35
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_write_b16 v32, v30 offset:16832
	ds_write_b16_d16_hi v32, v30 offset:16960
	ds_write_b16 v32, v24 offset:18880
	ds_write_b16_d16_hi v32, v24 offset:19008
	v_xad_u32 v24, v29, 8, 0
	ds_write_b16 v24, v31 offset:17088
	ds_write_b16_d16_hi v24, v31 offset:17216
	ds_write_b16 v24, v25 offset:19136
	ds_write_b16_d16_hi v24, v25 offset:19264
	v_xad_u32 v24, v29, 32, 0
	ds_write_b16 v24, v22 offset:17856
	ds_write_b16_d16_hi v24, v22 offset:17984
	ds_write_b16 v24, v26 offset:19904
	ds_write_b16_d16_hi v24, v26 offset:20032
	v_xad_u32 v22, v29, 40, 0
	v_cvt_pk_f16_f32 v27, v48, v49
	ds_write_b16 v22, v23 offset:18112
	ds_write_b16_d16_hi v22, v23 offset:18240
	ds_write_b16 v22, v27 offset:20160
	ds_write_b16_d16_hi v22, v27 offset:20288
	v_mov_b32_e32 v22, 0x108
	v_cmp_eq_u32_e64 s[0:1], 0, v45
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_cndmask_b32_e64 v22, v22, 0, s[0:1]
	s_lshr_b32 s0, s17, 1
	v_bitop3_b32 v22, v22, v43, 24 bitop3:0x78
	v_lshl_or_b32 v23, v44, 5, s0
	v_xor_b32_e32 v22, v22, v28
	v_or3_b32 v22, v23, v22, v46
	v_add_u32_e32 v23, 0, v22
	v_xad_u32 v24, v22, 32, 0
	ds_read_b64_tr_b16 v[26:27], v23 offset:16832
	ds_read_b64_tr_b16 v[22:23], v23 offset:18880
	ds_read_b64_tr_b16 v[28:29], v24 offset:17856
	ds_read_b64_tr_b16 v[24:25], v24 offset:19904
	s_and_b64 s[0:1], vcc, exec
	v_mov_b32_e32 v21, v20
	s_cselect_b32 s0, 1, 0
	s_cmp_lg_u32 s0, 1
	v_permlane32_swap_b32_e32 v20, v21
	s_cbranch_scc1 .LBB0_15
; %bb.14:
	v_pk_mul_f32 v[16:17], v[16:17], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[14:15], v[14:15], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[12:13], v[12:13], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[10:11], v[10:11], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[8:9], v[8:9], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[6:7], v[6:7], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[4:5], v[4:5], v[0:1] op_sel_hi:[1,0]
	v_pk_mul_f32 v[2:3], v[2:3], v[0:1] op_sel_hi:[1,0]
	s_waitcnt lgkmcnt(1)
	s_nop 0
	v_mfma_f32_32x32x16_f16 v[2:17], v[52:55], v[26:29], v[2:17]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_32x32x16_f16 v[2:17], v[56:59], v[22:25], v[2:17]
.LBB0_15:
	v_add_f32_e32 v0, v20, v21
	v_fmac_f32_e32 v0, v37, v1
	v_cndmask_b32_e32 v0, v37, v0, vcc
	ds_write_b32 v18, v0
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b32 v21, v19
	v_lshrrev_b32_e32 v1, 2, v42
	s_lshr_b32 s0, s8, 1
	v_or_b32_e32 v20, s0, v1
	s_lshr_b32 s0, s17, 2
	v_or_b32_e32 v1, s0, v41
	s_waitcnt lgkmcnt(0)
	v_div_scale_f32 v22, s[0:1], v21, v21, v2
	v_or_b32_e32 v0, s16, v1
	v_rcp_f32_e32 v23, v22
	v_mul_lo_u32 v0, v0, s2
	v_ashrrev_i32_e32 v1, 31, v0
	v_lshl_add_u64 v[0:1], v[0:1], 1, s[14:15]
	v_lshlrev_b32_e32 v18, 1, v20
	v_mov_b32_e32 v19, 0
	v_lshl_add_u64 v[0:1], v[0:1], 0, v[18:19]
	v_fma_f32 v18, -v22, v23, 1.0
	v_fmac_f32_e32 v23, v18, v23
	v_div_scale_f32 v18, vcc, v2, v21, v2
	v_mul_f32_e32 v19, v18, v23
	v_fma_f32 v20, -v22, v19, v18
	v_fmac_f32_e32 v19, v20, v23
	v_div_scale_f32 v20, s[0:1], v21, v21, v3
	v_fma_f32 v18, -v22, v19, v18
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v18, v18, v23, v19
	v_div_fixup_f32 v2, v18, v21, v2
	v_fma_f32 v18, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v18, v22
	v_div_scale_f32 v18, vcc, v3, v21, v3
	v_mul_f32_e32 v19, v18, v22
	v_fma_f32 v23, -v20, v19, v18
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v18, -v20, v19, v18
	v_div_scale_f32 v20, s[0:1], v21, v21, v4
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v18, v18, v22, v19
	v_div_fixup_f32 v3, v18, v21, v3
	v_cvt_pk_f16_f32 v2, v2, v3
	v_fma_f32 v18, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v18, v23
	v_div_scale_f32 v18, vcc, v4, v21, v4
	v_mul_f32_e32 v19, v18, v23
	v_fma_f32 v22, -v20, v19, v18
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v18, -v20, v19, v18
	v_div_scale_f32 v20, s[0:1], v21, v21, v5
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v18, v18, v23, v19
	v_div_fixup_f32 v18, v18, v21, v4
	v_fma_f32 v4, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v4, v22
	v_div_scale_f32 v4, vcc, v5, v21, v5
	v_mul_f32_e32 v19, v4, v22
	v_fma_f32 v23, -v20, v19, v4
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v4, -v20, v19, v4
	v_div_scale_f32 v20, s[0:1], v21, v21, v6
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v4, v4, v22, v19
	v_div_fixup_f32 v5, v4, v21, v5
	v_fma_f32 v4, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v4, v23
	v_div_scale_f32 v4, vcc, v6, v21, v6
	v_mul_f32_e32 v19, v4, v23
	v_fma_f32 v22, -v20, v19, v4
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v4, -v20, v19, v4
	v_div_scale_f32 v20, s[0:1], v21, v21, v7
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v4, v4, v23, v19
	v_div_fixup_f32 v4, v4, v21, v6
	v_fma_f32 v6, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v6, v22
	v_div_scale_f32 v6, vcc, v7, v21, v7
	v_mul_f32_e32 v19, v6, v22
	v_fma_f32 v23, -v20, v19, v6
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v6, -v20, v19, v6
	v_div_scale_f32 v20, s[0:1], v21, v21, v8
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v6, v6, v22, v19
	v_div_fixup_f32 v6, v6, v21, v7
	v_cvt_pk_f16_f32 v4, v4, v6
	v_fma_f32 v7, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v7, v23
	v_div_scale_f32 v7, vcc, v8, v21, v8
	v_mul_f32_e32 v19, v7, v23
	v_fma_f32 v22, -v20, v19, v7
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v7, -v20, v19, v7
	v_div_scale_f32 v20, s[0:1], v21, v21, v9
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v7, v7, v23, v19
	v_div_fixup_f32 v7, v7, v21, v8
	v_permlane32_swap_b32_e32 v2, v4
	v_fma_f32 v8, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v8, v22
	v_div_scale_f32 v8, vcc, v9, v21, v9
	v_mul_f32_e32 v19, v8, v22
	v_fma_f32 v23, -v20, v19, v8
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v8, -v20, v19, v8
	v_div_scale_f32 v20, s[0:1], v21, v21, v10
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v8, v8, v22, v19
	v_div_fixup_f32 v8, v8, v21, v9
	v_fma_f32 v9, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v9, v23
	v_div_scale_f32 v9, vcc, v10, v21, v10
	v_mul_f32_e32 v19, v9, v23
	v_fma_f32 v22, -v20, v19, v9
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v9, -v20, v19, v9
	v_div_scale_f32 v20, s[0:1], v21, v21, v11
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v9, v9, v23, v19
	v_div_fixup_f32 v9, v9, v21, v10
	v_fma_f32 v10, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v10, v22
	v_div_scale_f32 v10, vcc, v11, v21, v11
	v_mul_f32_e32 v19, v10, v22
	v_fma_f32 v23, -v20, v19, v10
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v10, -v20, v19, v10
	v_div_scale_f32 v20, s[0:1], v21, v21, v12
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v10, v10, v22, v19
	v_div_fixup_f32 v10, v10, v21, v11
	v_cvt_pk_f16_f32 v6, v9, v10
	v_fma_f32 v11, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v11, v23
	v_div_scale_f32 v11, vcc, v12, v21, v12
	v_mul_f32_e32 v19, v11, v23
	v_fma_f32 v22, -v20, v19, v11
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v11, -v20, v19, v11
	v_div_scale_f32 v20, s[0:1], v21, v21, v13
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v11, v11, v23, v19
	v_div_fixup_f32 v11, v11, v21, v12
	v_fma_f32 v12, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v12, v22
	v_div_scale_f32 v12, vcc, v13, v21, v13
	v_mul_f32_e32 v19, v12, v22
	v_fma_f32 v23, -v20, v19, v12
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v12, -v20, v19, v12
	v_div_scale_f32 v20, s[0:1], v21, v21, v14
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v12, v12, v22, v19
	v_div_fixup_f32 v12, v12, v21, v13
	v_fma_f32 v13, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v13, v23
	v_div_scale_f32 v13, vcc, v14, v21, v14
	v_mul_f32_e32 v19, v13, v23
	v_fma_f32 v22, -v20, v19, v13
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v13, -v20, v19, v13
	v_div_scale_f32 v20, s[0:1], v21, v21, v15
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v13, v13, v23, v19
	v_div_fixup_f32 v13, v13, v21, v14
	v_fma_f32 v14, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v14, v22
	v_div_scale_f32 v14, vcc, v15, v21, v15
	v_mul_f32_e32 v19, v14, v22
	v_fma_f32 v23, -v20, v19, v14
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v14, -v20, v19, v14
	v_div_scale_f32 v20, s[0:1], v21, v21, v16
	v_rcp_f32_e32 v23, v20
	v_div_fmas_f32 v14, v14, v22, v19
	v_div_fixup_f32 v14, v14, v21, v15
	v_fma_f32 v15, -v20, v23, 1.0
	v_fmac_f32_e32 v23, v15, v23
	v_div_scale_f32 v15, vcc, v16, v21, v16
	v_mul_f32_e32 v19, v15, v23
	v_fma_f32 v22, -v20, v19, v15
	v_fmac_f32_e32 v19, v22, v23
	v_fma_f32 v15, -v20, v19, v15
	v_div_scale_f32 v20, s[0:1], v21, v21, v17
	v_rcp_f32_e32 v22, v20
	v_div_fmas_f32 v15, v15, v23, v19
	v_div_fixup_f32 v15, v15, v21, v16
	v_fma_f32 v16, -v20, v22, 1.0
	v_fmac_f32_e32 v22, v16, v22
	v_div_scale_f32 v16, vcc, v17, v21, v17
	v_mul_f32_e32 v19, v16, v22
	v_fma_f32 v23, -v20, v19, v16
	v_fmac_f32_e32 v19, v23, v22
	v_fma_f32 v16, -v20, v19, v16
	v_div_fmas_f32 v3, v16, v22, v19
	v_div_fixup_f32 v16, v3, v21, v17
	v_cvt_pk_f16_f32 v3, v18, v5
	v_cvt_pk_f16_f32 v5, v7, v8
	v_cvt_pk_f16_f32 v7, v11, v12
	v_cvt_pk_f16_f32 v8, v13, v14
	v_cvt_pk_f16_f32 v9, v15, v16
	v_permlane32_swap_b32_e32 v3, v5
	v_permlane32_swap_b32_e32 v6, v8
	v_permlane32_swap_b32_e32 v7, v9
	global_store_dwordx4 v[0:1], v[2:5], off
	global_store_dwordx4 v[0:1], v[6:9], off offset:32
	s_endpgm
.Lfunc_end0:
	.size	flash, .Lfunc_end0-flash
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel flash
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 320
		.amdhsa_user_sgpr_count 16
		.amdhsa_user_sgpr_dispatch_ptr 1
		.amdhsa_user_sgpr_queue_ptr 1
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 1
		.amdhsa_user_sgpr_kernarg_preload_length 8
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 2
		.amdhsa_next_free_vgpr 108
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 108
		.amdhsa_reserve_vcc 1
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
	.set .Lflash.num_vgpr, 108
	.set .Lflash.num_agpr, 0
	.set .Lflash.numbered_sgpr, 24
	.set .Lflash.num_named_barrier, 0
	.set .Lflash.private_seg_size, 0
	.set .Lflash.uses_vcc, 1
	.set .Lflash.uses_flat_scratch, 0
	.set .Lflash.has_dyn_sized_stack, 0
	.set .Lflash.has_recursion, 0
	.set .Lflash.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 4996
; TotalNumSgprs: 30
; NumVgprs: 108
; NumAgprs: 0
; TotalNumVgprs: 108
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 13
; NumSGPRsForWavesPerEU: 30
; NumVGPRsForWavesPerEU: 108
; AccumOffset: 108
; Occupancy: 4
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
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
      - .offset:         36
        .size:           4
        .value_kind:     by_value
      - .offset:         40
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
      - .offset:         64
        .size:           4
        .value_kind:     hidden_block_count_x
      - .offset:         68
        .size:           4
        .value_kind:     hidden_block_count_y
      - .offset:         72
        .size:           4
        .value_kind:     hidden_block_count_z
      - .offset:         76
        .size:           2
        .value_kind:     hidden_group_size_x
      - .offset:         78
        .size:           2
        .value_kind:     hidden_group_size_y
      - .offset:         80
        .size:           2
        .value_kind:     hidden_group_size_z
      - .offset:         82
        .size:           2
        .value_kind:     hidden_remainder_x
      - .offset:         84
        .size:           2
        .value_kind:     hidden_remainder_y
      - .offset:         86
        .size:           2
        .value_kind:     hidden_remainder_z
      - .offset:         104
        .size:           8
        .value_kind:     hidden_global_offset_x
      - .offset:         112
        .size:           8
        .value_kind:     hidden_global_offset_y
      - .offset:         120
        .size:           8
        .value_kind:     hidden_global_offset_z
      - .offset:         128
        .size:           2
        .value_kind:     hidden_grid_dims
      - .offset:         144
        .size:           8
        .value_kind:     hidden_hostcall_buffer
      - .offset:         152
        .size:           8
        .value_kind:     hidden_multigrid_sync_arg
      - .offset:         160
        .size:           8
        .value_kind:     hidden_heap_v1
      - .offset:         168
        .size:           8
        .value_kind:     hidden_default_queue
      - .offset:         176
        .size:           8
        .value_kind:     hidden_completion_action
      - .offset:         184
        .size:           4
        .value_kind:     hidden_dynamic_lds_size
      - .offset:         264
        .size:           8
        .value_kind:     hidden_queue_ptr
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 320
    .max_flat_workgroup_size: 256
    .name:           flash
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         flash.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     108
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
