	.amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	stage1                          ; -- Begin function stage1
	.p2align	8
	.type	stage1,@function
stage1:                                 ; @stage1
.Lfunc_begin0:
; %bb.8:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_load_dwordx4 s[12:15], s[0:1], 0x28
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.9:
.LBB0_0:
	v_readfirstlane_b32 s14, v0
	s_and_b32 s15, s14, 0xc0
	v_and_b32_e32 v1, 63, v0
	v_or_b32_e32 v6, s15, v1
	s_lshl_b32 s9, s16, 7
	v_lshrrev_b32_e32 v2, 2, v6
	v_or_b32_e32 v4, s9, v2
	v_lshlrev_b32_e32 v2, 3, v0
	v_and_b32_e32 v70, 15, v0
	s_mov_b64 s[20:21], s[2:3]
	s_lshl_b32 s8, s17, 7
	v_or_b32_e32 v5, 64, v4
	v_and_b32_e32 v2, 24, v2
	v_lshrrev_b32_e32 v7, 4, v6
	v_lshlrev_b32_e32 v3, 3, v70
	v_mul_lo_u32 v4, v4, s11
	v_or_b32_e32 v8, 16, v7
	v_or_b32_e32 v9, s8, v3
	v_mul_lo_u32 v5, v5, s11
	v_mul_lo_u32 v7, v7, s12
	s_and_b32 s21, s21, 0xffff
	s_mov_b32 s23, 0x27000
	s_mov_b32 s22, 0x7ffffffe
	v_add_lshl_u32 v4, v4, v2, 1
	s_mov_b64 s[0:1], s[6:7]
	v_mul_lo_u32 v8, v8, s12
	buffer_load_dwordx4 v[10:13], v4, s[20:23], 0 offen
	v_add_lshl_u32 v4, v5, v2, 1
	s_and_b32 s5, s5, 0xffff
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_add_lshl_u32 v5, v7, v9, 1
	buffer_load_dwordx4 v[14:17], v5, s[4:7], 0 offen
	v_add_lshl_u32 v5, v8, v9, 1
	buffer_load_dwordx4 v[18:21], v5, s[4:7], 0 offen
	buffer_load_dwordx4 v[22:25], v4, s[20:23], 0 offen
	v_lshlrev_b32_e32 v5, 1, v0
	v_and_b32_e32 v7, 48, v5
	v_lshlrev_b32_e32 v8, 4, v6
	v_and_b32_e32 v71, 0x70, v6
	v_xor_b32_e32 v77, v8, v7
	v_xor_b32_e32 v78, v8, v71
	v_add_u32_e32 v7, 0, v77
	v_add_u32_e32 v8, 0, v78
	s_mov_b32 s6, 0
	v_lshrrev_b32_e32 v4, 1, v0
	v_and_b32_e32 v72, 16, v0
	v_lshlrev_b32_e32 v5, 6, v70
	v_lshlrev_b32_e32 v73, 1, v70
	s_cmp_gt_i32 s10, 32
	v_lshlrev_b32_e32 v6, 3, v6
	s_waitcnt vmcnt(2)
	ds_write_b128 v8, v[14:17] offset:16384
	ds_write_b128 v7, v[10:13]
	s_waitcnt vmcnt(1)
	ds_write_b128 v8, v[18:21] offset:20480
	s_waitcnt vmcnt(0)
	ds_write_b128 v7, v[22:25] offset:4096
	v_lshlrev_b32_e32 v7, 6, v0
	s_cbranch_scc1 .LBB0_3
; %bb.1:                                ; %.._crit_edge_crit_edge
	s_movk_i32 s2, 0x430
	v_and_b32_e32 v8, 24, v4
	v_and_or_b32 v9, v6, s2, v5
	v_xor_b32_e32 v74, v9, v8
	v_and_b32_e32 v8, 0x800, v7
	s_lshr_b32 s2, s14, 1
	v_xor_b32_e32 v76, 32, v74
	v_and_or_b32 v75, s2, 32, v8
	s_mov_b64 s[2:3], 0
	s_and_b64 s[2:3], s[2:3], exec
	s_cselect_b32 s2, 1, 0
	s_cmp_lg_u32 s2, 1
	s_cbranch_scc0 .LBB0_4
.LBB0_2:
	v_mov_b32_e32 v63, 0
	v_mov_b32_e32 v62, v63
	v_mov_b32_e32 v61, v63
	v_mov_b32_e32 v60, v63
	v_mov_b32_e32 v3, v63
	v_mov_b32_e32 v2, v63
	v_mov_b32_e32 v1, v63
	v_mov_b32_e32 v0, v63
	v_mov_b32_e32 v7, v63
	v_mov_b32_e32 v6, v63
	v_mov_b32_e32 v5, v63
	v_mov_b32_e32 v4, v63
	v_mov_b32_e32 v19, v63
	v_mov_b32_e32 v18, v63
	v_mov_b32_e32 v17, v63
	v_mov_b32_e32 v16, v63
	v_mov_b32_e32 v11, v63
	v_mov_b32_e32 v10, v63
	v_mov_b32_e32 v9, v63
	v_mov_b32_e32 v8, v63
	v_mov_b32_e32 v23, v63
	v_mov_b32_e32 v22, v63
	v_mov_b32_e32 v21, v63
	v_mov_b32_e32 v20, v63
	v_mov_b32_e32 v15, v63
	v_mov_b32_e32 v14, v63
	v_mov_b32_e32 v13, v63
	v_mov_b32_e32 v12, v63
	v_mov_b32_e32 v35, v63
	v_mov_b32_e32 v34, v63
	v_mov_b32_e32 v33, v63
	v_mov_b32_e32 v32, v63
	v_mov_b32_e32 v27, v63
	v_mov_b32_e32 v26, v63
	v_mov_b32_e32 v25, v63
	v_mov_b32_e32 v24, v63
	v_mov_b32_e32 v31, v63
	v_mov_b32_e32 v30, v63
	v_mov_b32_e32 v29, v63
	v_mov_b32_e32 v28, v63
	v_mov_b32_e32 v39, v63
	v_mov_b32_e32 v38, v63
	v_mov_b32_e32 v37, v63
	v_mov_b32_e32 v36, v63
	v_mov_b32_e32 v43, v63
	v_mov_b32_e32 v42, v63
	v_mov_b32_e32 v41, v63
	v_mov_b32_e32 v40, v63
	v_mov_b32_e32 v47, v63
	v_mov_b32_e32 v46, v63
	v_mov_b32_e32 v45, v63
	v_mov_b32_e32 v44, v63
	v_mov_b32_e32 v51, v63
	v_mov_b32_e32 v50, v63
	v_mov_b32_e32 v49, v63
	v_mov_b32_e32 v48, v63
	v_mov_b32_e32 v59, v63
	v_mov_b32_e32 v58, v63
	v_mov_b32_e32 v57, v63
	v_mov_b32_e32 v56, v63
	v_mov_b32_e32 v55, v63
	v_mov_b32_e32 v54, v63
	v_mov_b32_e32 v53, v63
	v_mov_b32_e32 v52, v63
	s_branch .LBB0_7
.LBB0_3:
	s_mov_b64 s[2:3], -1
                                        ; implicit-def: $vgpr74
                                        ; implicit-def: $vgpr76
                                        ; implicit-def: $vgpr75
	s_and_b64 s[2:3], s[2:3], exec
	s_cselect_b32 s2, 1, 0
	s_cmp_lg_u32 s2, 1
	s_cbranch_scc1 .LBB0_2
.LBB0_4:                                ; %.lr.ph
	s_movk_i32 s2, 0x430
	v_and_b32_e32 v4, 24, v4
	v_and_or_b32 v5, v6, s2, v5
	v_xor_b32_e32 v74, v5, v4
	v_bfe_i32 v0, v0, 4, 1
	v_and_b32_e32 v4, 0x800, v7
	s_lshr_b32 s3, s14, 1
	v_and_b32_e32 v0, 0x440, v0
	v_and_or_b32 v75, s3, 32, v4
	v_or3_b32 v79, v75, v0, v73
	v_add_u32_e32 v0, s15, v1
	v_lshrrev_b32_e32 v1, 4, v0
	v_add_u32_e32 v4, 48, v1
	v_or_b32_e32 v1, 32, v1
	v_mul_lo_u32 v4, s12, v4
	v_mul_lo_u32 v1, s12, v1
	v_add_u32_e32 v4, s8, v4
	v_add_u32_e32 v1, s8, v1
	v_lshrrev_b32_e32 v0, 2, v0
	v_add_lshl_u32 v80, v4, v3, 1
	v_add_lshl_u32 v81, v1, v3, 1
	v_add_u32_e32 v3, s9, v0
	v_add_u32_e32 v0, 64, v3
	v_mad_u64_u32 v[0:1], s[6:7], s11, v0, v[2:3]
	v_lshl_add_u32 v82, v0, 1, 64
	v_mad_u64_u32 v[0:1], s[6:7], s11, v3, v[2:3]
	v_mov_b32_e32 v52, 0
	s_mov_b32 s2, 32
	s_lshl_b32 s3, s12, 6
	v_lshl_add_u32 v83, v0, 1, 64
	s_mov_b32 s11, 0
	s_mov_b32 s12, 0x5040100
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_mov_b32_e32 v53, v52
	v_mov_b32_e32 v54, v52
	v_mov_b32_e32 v55, v52
	v_mov_b32_e32 v56, v52
	v_mov_b32_e32 v57, v52
	v_mov_b32_e32 v58, v52
	v_mov_b32_e32 v59, v52
	v_mov_b32_e32 v48, v52
	v_mov_b32_e32 v49, v52
	v_mov_b32_e32 v50, v52
	v_mov_b32_e32 v51, v52
	v_mov_b32_e32 v44, v52
	v_mov_b32_e32 v45, v52
	v_mov_b32_e32 v46, v52
	v_mov_b32_e32 v47, v52
	v_mov_b32_e32 v40, v52
	v_mov_b32_e32 v41, v52
	v_mov_b32_e32 v42, v52
	v_mov_b32_e32 v43, v52
	v_mov_b32_e32 v36, v52
	v_mov_b32_e32 v37, v52
	v_mov_b32_e32 v38, v52
	v_mov_b32_e32 v39, v52
	v_mov_b32_e32 v28, v52
	v_mov_b32_e32 v29, v52
	v_mov_b32_e32 v30, v52
	v_mov_b32_e32 v31, v52
	v_mov_b32_e32 v24, v52
	v_mov_b32_e32 v25, v52
	v_mov_b32_e32 v26, v52
	v_mov_b32_e32 v27, v52
	v_mov_b32_e32 v32, v52
	v_mov_b32_e32 v33, v52
	v_mov_b32_e32 v34, v52
	v_mov_b32_e32 v35, v52
	v_mov_b32_e32 v12, v52
	v_mov_b32_e32 v13, v52
	v_mov_b32_e32 v14, v52
	v_mov_b32_e32 v15, v52
	v_mov_b32_e32 v20, v52
	v_mov_b32_e32 v21, v52
	v_mov_b32_e32 v22, v52
	v_mov_b32_e32 v23, v52
	v_mov_b32_e32 v8, v52
	v_mov_b32_e32 v9, v52
	v_mov_b32_e32 v10, v52
	v_mov_b32_e32 v11, v52
	v_mov_b32_e32 v16, v52
	v_mov_b32_e32 v17, v52
	v_mov_b32_e32 v18, v52
	v_mov_b32_e32 v19, v52
	v_mov_b32_e32 v4, v52
	v_mov_b32_e32 v5, v52
	v_mov_b32_e32 v6, v52
	v_mov_b32_e32 v7, v52
	v_mov_b32_e32 v0, v52
	v_mov_b32_e32 v1, v52
	v_mov_b32_e32 v2, v52
	v_mov_b32_e32 v3, v52
	v_mov_b32_e32 v60, v52
	v_mov_b32_e32 v61, v52
	v_mov_b32_e32 v62, v52
	v_mov_b32_e32 v63, v52
	v_xor_b32_e32 v76, 32, v74
	v_xor_b32_e32 v84, 64, v79
	v_xor_b32_e32 v85, 16, v79
	v_xor_b32_e32 v86, 32, v79
	v_xor_b32_e32 v87, 48, v79
	v_xor_b32_e32 v88, 0x50, v79
	v_xor_b32_e32 v89, 0x60, v79
	v_xor_b32_e32 v90, 0x70, v79
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	buffer_load_dwordx4 v[92:95], v83, s[20:23], 0 offen
	buffer_load_dwordx4 v[96:99], v82, s[20:23], 0 offen
	buffer_load_dwordx4 v[100:103], v81, s[4:7], 0 offen
	buffer_load_dwordx4 v[104:107], v80, s[4:7], 0 offen
	s_lshl_b32 s15, s11, 13
	v_add_u32_e32 v64, s15, v79
	v_add_u32_e32 v65, s15, v85
	v_add_u32_e32 v66, s15, v86
	v_add_u32_e32 v67, s15, v87
	v_add_u32_e32 v68, s15, v84
	v_add_u32_e32 v69, s15, v88
	v_add_u32_e32 v91, s15, v89
	v_add_u32_e32 v108, s15, v90
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_u16 v109, v64 offset:16384
	ds_read_u16 v110, v65 offset:16640
	ds_read_u16 v111, v65 offset:16768
	ds_read_u16 v112, v64 offset:16512
	ds_read_u16 v113, v66 offset:16896
	ds_read_u16 v114, v67 offset:17152
	ds_read_u16 v115, v67 offset:17280
	ds_read_u16 v116, v66 offset:17024
	ds_read_u16 v117, v68 offset:16384
	ds_read_u16 v118, v69 offset:16640
	ds_read_u16 v119, v69 offset:16768
	ds_read_u16 v125, v68 offset:16512
	ds_read_u16 v127, v91 offset:16896
	ds_read_u16 v128, v108 offset:17152
	ds_read_u16 v129, v108 offset:17280
	ds_read_u16 v130, v91 offset:17024
	ds_read_u16 v133, v91 offset:20992
	ds_read_u16 v134, v108 offset:21248
	ds_read_u16 v135, v108 offset:21376
	ds_read_u16 v91, v91 offset:21120
	ds_read_u16 v131, v64 offset:20480
	ds_read_u16 v132, v65 offset:20736
	ds_read_u16 v65, v65 offset:20864
	ds_read_u16 v64, v64 offset:20608
	ds_read_u16 v136, v66 offset:20992
	ds_read_u16 v137, v67 offset:21248
	ds_read_u16 v67, v67 offset:21376
	ds_read_u16 v66, v66 offset:21120
	ds_read_u16 v138, v68 offset:20480
	ds_read_u16 v139, v69 offset:20736
	ds_read_u16 v69, v69 offset:20864
	ds_read_u16 v68, v68 offset:20608
	v_add_u32_e32 v140, s15, v74
	s_waitcnt lgkmcnt(14)
	v_perm_b32 v120, v110, v109, s12
	v_perm_b32 v122, v111, v112, s12
	v_perm_b32 v121, v114, v113, s12
	v_perm_b32 v123, v115, v116, s12
	v_perm_b32 v124, v118, v117, s12
	v_perm_b32 v126, v119, v125, s12
	v_perm_b32 v125, v128, v127, s12
	v_perm_b32 v127, v129, v130, s12
	ds_read2st64_b64 v[108:111], v140 offset1:4
	ds_read2st64_b64 v[112:115], v140 offset0:8 offset1:12
	v_add_u32_e32 v140, s15, v76
	s_waitcnt lgkmcnt(12)
	v_perm_b32 v128, v132, v131, s12
	s_waitcnt lgkmcnt(10)
	v_perm_b32 v130, v65, v64, s12
	s_waitcnt lgkmcnt(6)
	v_perm_b32 v131, v67, v66, s12
	v_perm_b32 v129, v137, v136, s12
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v132, v139, v138, s12
	s_waitcnt lgkmcnt(2)
	v_perm_b32 v68, v69, v68, s12
	v_perm_b32 v69, v135, v91, s12
	v_perm_b32 v133, v134, v133, s12
	ds_read2st64_b64 v[116:119], v140 offset1:4
	ds_read2st64_b64 v[64:67], v140 offset0:8 offset1:12
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x16_f16 v[52:55], v[120:121], v[108:109], v[52:55]
	s_xor_b32 s11, s11, 1
	s_lshl_b32 s15, s11, 13
	s_add_i32 s2, s2, 32
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x16_f16 v[60:63], v[126:127], v[114:115], v[60:63]
	s_cmp_lt_i32 s2, s10
	v_add_u32_e32 v91, s15, v77
	v_add_u32_e32 v80, s3, v80
	v_mfma_f32_16x16x16_f16 v[48:51], v[122:123], v[108:109], v[48:51]
	v_add_u32_e32 v81, s3, v81
	v_add_u32_e32 v82, 64, v82
	v_add_u32_e32 v83, 64, v83
	v_mfma_f32_16x16x16_f16 v[44:47], v[126:127], v[108:109], v[44:47]
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mfma_f32_16x16x16_f16 v[40:43], v[120:121], v[110:111], v[40:43]
	v_mfma_f32_16x16x16_f16 v[36:39], v[124:125], v[110:111], v[36:39]
	v_mfma_f32_16x16x16_f16 v[28:31], v[122:123], v[110:111], v[28:31]
	v_mfma_f32_16x16x16_f16 v[24:27], v[126:127], v[110:111], v[24:27]
	v_mfma_f32_16x16x16_f16 v[0:3], v[122:123], v[114:115], v[0:3]
	v_mfma_f32_16x16x16_f16 v[4:7], v[124:125], v[114:115], v[4:7]
	v_mfma_f32_16x16x16_f16 v[8:11], v[126:127], v[112:113], v[8:11]
	v_mfma_f32_16x16x16_f16 v[12:15], v[124:125], v[112:113], v[12:15]
	v_mfma_f32_16x16x16_f16 v[16:19], v[120:121], v[114:115], v[16:19]
	v_mfma_f32_16x16x16_f16 v[56:59], v[124:125], v[108:109], v[56:59]
	v_add_u32_e32 v108, s15, v78
	s_waitcnt vmcnt(3)
	ds_write_b128 v91, v[92:95]
	s_waitcnt vmcnt(2)
	ds_write_b128 v91, v[96:99] offset:4096
	s_waitcnt vmcnt(1)
	ds_write_b128 v108, v[100:103] offset:16384
	s_waitcnt vmcnt(0)
	ds_write_b128 v108, v[104:107] offset:20480
	v_mfma_f32_16x16x16_f16 v[20:23], v[122:123], v[112:113], v[20:23]
	v_mfma_f32_16x16x16_f16 v[32:35], v[120:121], v[112:113], v[32:35]
	v_mfma_f32_16x16x16_f16 v[52:55], v[128:129], v[116:117], v[52:55]
	v_mfma_f32_16x16x16_f16 v[48:51], v[130:131], v[116:117], v[48:51]
	v_mfma_f32_16x16x16_f16 v[44:47], v[68:69], v[116:117], v[44:47]
	v_mfma_f32_16x16x16_f16 v[40:43], v[128:129], v[118:119], v[40:43]
	v_mfma_f32_16x16x16_f16 v[36:39], v[132:133], v[118:119], v[36:39]
	v_mfma_f32_16x16x16_f16 v[28:31], v[130:131], v[118:119], v[28:31]
	v_mfma_f32_16x16x16_f16 v[24:27], v[68:69], v[118:119], v[24:27]
	v_mfma_f32_16x16x16_f16 v[0:3], v[130:131], v[66:67], v[0:3]
	v_mfma_f32_16x16x16_f16 v[4:7], v[132:133], v[66:67], v[4:7]
	v_mfma_f32_16x16x16_f16 v[8:11], v[68:69], v[64:65], v[8:11]
	v_mfma_f32_16x16x16_f16 v[12:15], v[132:133], v[64:65], v[12:15]
	v_mfma_f32_16x16x16_f16 v[56:59], v[132:133], v[116:117], v[56:59]
	v_mfma_f32_16x16x16_f16 v[16:19], v[128:129], v[66:67], v[16:19]
	v_mfma_f32_16x16x16_f16 v[20:23], v[130:131], v[64:65], v[20:23]
	v_mfma_f32_16x16x16_f16 v[32:35], v[128:129], v[64:65], v[32:35]
	v_mfma_f32_16x16x16_f16 v[60:63], v[68:69], v[66:67], v[60:63]
	s_cbranch_scc1 .LBB0_5
; %bb.6:                                ; %Flow
	s_lshl_b32 s6, s11, 12
.LBB0_7:                                ; %._crit_edge
	v_mov_b32_e32 v68, 0x440
	v_cmp_eq_u32_e32 vcc, 0, v72
	s_lshl1_add_u32 s2, s6, 0
	s_waitcnt lgkmcnt(0)
	v_cndmask_b32_e64 v68, v68, 0, vcc
	v_or3_b32 v72, v75, v68, v73
	v_add_u32_e32 v68, s2, v72
	v_xor_b32_e32 v69, 0x110, v72
	s_barrier
	v_add_u32_e32 v69, s2, v69
	ds_read_u16 v73, v68 offset:16384
	ds_read_u16 v75, v68 offset:20480
	ds_read_u16 v88, v68 offset:20608
	ds_read_u16 v80, v69 offset:16384
	ds_read_u16 v82, v69 offset:20480
	ds_read_u16 v90, v69 offset:20608
	ds_read_u16 v86, v69 offset:16512
	ds_read_u16 v89, v68 offset:16512
	v_xor_b32_e32 v68, 0x220, v72
	v_add_u32_e32 v68, s2, v68
	v_xor_b32_e32 v69, 0x330, v72
	v_add_u32_e32 v69, s2, v69
	ds_read_u16 v81, v68 offset:16384
	ds_read_u16 v83, v68 offset:20480
	ds_read_u16 v91, v68 offset:20608
	ds_read_u16 v84, v69 offset:16384
	ds_read_u16 v85, v69 offset:20480
	ds_read_u16 v92, v69 offset:20608
	ds_read_u16 v87, v69 offset:16512
	ds_read_u16 v93, v68 offset:16512
	v_xor_b32_e32 v68, 0x150, v72
	v_xad_u32 v95, v72, 64, s2
	v_add_u32_e32 v96, s2, v68
	v_xor_b32_e32 v68, 0x260, v72
	v_xor_b32_e32 v72, 0x370, v72
	v_add_u32_e32 v103, s2, v68
	s_mov_b32 s3, 0x5040100
	v_add_u32_e32 v72, s2, v72
	ds_read_u16 v97, v95 offset:16384
	ds_read_u16 v98, v95 offset:20608
	ds_read_u16 v99, v96 offset:16384
	ds_read_u16 v100, v96 offset:20608
	ds_read_u16 v101, v96 offset:16512
	ds_read_u16 v102, v95 offset:16512
	s_waitcnt lgkmcnt(10)
	v_perm_b32 v69, v84, v81, s3
	v_perm_b32 v68, v80, v73, s3
	v_perm_b32 v80, v82, v75, s3
	ds_read_u16 v73, v103 offset:16384
	ds_read_u16 v75, v103 offset:20480
	ds_read_u16 v104, v103 offset:20608
	ds_read_u16 v82, v72 offset:16384
	ds_read_u16 v84, v72 offset:20480
	ds_read_u16 v105, v72 offset:20608
	ds_read_u16 v72, v72 offset:16512
	ds_read_u16 v103, v103 offset:16512
	v_add_u32_e32 v74, s2, v74
	ds_read2st64_b64 v[64:67], v74 offset1:4
	s_waitcnt lgkmcnt(14)
	v_perm_b32 v81, v85, v83, s3
	s_waitcnt lgkmcnt(5)
	v_perm_b32 v83, v82, v73, s3
	v_perm_b32 v82, v99, v97, s3
	v_perm_b32 v87, v87, v93, s3
	v_perm_b32 v86, v86, v89, s3
	v_perm_b32 v89, v92, v91, s3
	v_perm_b32 v88, v90, v88, s3
	s_waitcnt lgkmcnt(1)
	v_perm_b32 v91, v72, v103, s3
	v_perm_b32 v90, v101, v102, s3
	ds_read_u16 v73, v95 offset:20480
	ds_read_u16 v95, v96 offset:20480
	v_add_u32_e32 v94, s2, v76
	ds_read2st64_b64 v[76:79], v94 offset1:4
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x16_f16 v[52:55], v[68:69], v[64:65], v[52:55]
	v_perm_b32 v85, v84, v75, s3
	s_waitcnt lgkmcnt(1)
	v_perm_b32 v84, v95, v73, s3
	v_perm_b32 v93, v105, v104, s3
	v_mfma_f32_16x16x16_f16 v[56:59], v[82:83], v[64:65], v[56:59]
	v_perm_b32 v92, v100, v98, s3
	s_lshr_b32 s2, s14, 3
	s_and_b32 s1, s1, 0xffff
	v_mfma_f32_16x16x16_f16 v[48:51], v[86:87], v[64:65], v[48:51]
	s_mov_b32 s3, 0x27000
	v_mfma_f32_16x16x16_f16 v[44:47], v[90:91], v[64:65], v[44:47]
	v_mfma_f32_16x16x16_f16 v[40:43], v[68:69], v[66:67], v[40:43]
	v_mfma_f32_16x16x16_f16 v[36:39], v[82:83], v[66:67], v[36:39]
	v_mfma_f32_16x16x16_f16 v[28:31], v[86:87], v[66:67], v[28:31]
	v_mfma_f32_16x16x16_f16 v[24:27], v[90:91], v[66:67], v[24:27]
	ds_read2st64_b64 v[64:67], v74 offset0:8 offset1:12
	ds_read2st64_b64 v[72:75], v94 offset0:8 offset1:12
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x16_f16 v[52:55], v[80:81], v[76:77], v[52:55]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x16_f16 v[32:35], v[68:69], v[64:65], v[32:35]
	v_mfma_f32_16x16x16_f16 v[12:15], v[82:83], v[64:65], v[12:15]
	v_mfma_f32_16x16x16_f16 v[20:23], v[86:87], v[64:65], v[20:23]
	v_mfma_f32_16x16x16_f16 v[8:11], v[90:91], v[64:65], v[8:11]
	v_and_or_b32 v64, s2, 16, v70
	v_or_b32_e32 v64, s9, v64
	v_lshrrev_b32_e32 v70, 2, v71
	v_mfma_f32_16x16x16_f16 v[56:59], v[84:85], v[76:77], v[56:59]
	v_or_b32_e32 v65, 32, v64
	v_or_b32_e32 v70, s8, v70
	v_or_b32_e32 v71, 32, v70
	v_mfma_f32_16x16x16_f16 v[48:51], v[88:89], v[76:77], v[48:51]
	s_mov_b32 s2, 0x7ffffffe
	v_mul_lo_u32 v65, v65, s13
	v_mfma_f32_16x16x16_f16 v[16:19], v[68:69], v[66:67], v[16:19]
	v_or_b32_e32 v68, 64, v64
	v_or_b32_e32 v69, 0x60, v64
	v_mul_lo_u32 v64, v64, s13
	v_mfma_f32_16x16x16_f16 v[44:47], v[92:93], v[76:77], v[44:47]
	v_mul_lo_u32 v68, v68, s13
	v_mul_lo_u32 v69, v69, s13
	v_mfma_f32_16x16x16_f16 v[4:7], v[82:83], v[66:67], v[4:7]
	v_mfma_f32_16x16x16_f16 v[0:3], v[86:87], v[66:67], v[0:3]
	v_mfma_f32_16x16x16_f16 v[60:63], v[90:91], v[66:67], v[60:63]
	v_add_lshl_u32 v66, v64, v70, 2
	buffer_store_dwordx4 v[52:55], v66, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[40:43], v[80:81], v[78:79], v[40:43]
	s_nop 0
	v_add_lshl_u32 v52, v71, v64, 2
	buffer_store_dwordx4 v[56:59], v52, s[0:3], 0 offen
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x16_f16 v[32:35], v[80:81], v[72:73], v[32:35]
	v_mfma_f32_16x16x16_f16 v[12:15], v[84:85], v[72:73], v[12:15]
	v_mfma_f32_16x16x16_f16 v[20:23], v[88:89], v[72:73], v[20:23]
	v_mfma_f32_16x16x16_f16 v[8:11], v[92:93], v[72:73], v[8:11]
	v_or_b32_e32 v72, 64, v70
	v_or_b32_e32 v73, 0x60, v70
	v_add_lshl_u32 v52, v72, v64, 2
	v_mfma_f32_16x16x16_f16 v[36:39], v[84:85], v[78:79], v[36:39]
	buffer_store_dwordx4 v[48:51], v52, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[28:31], v[88:89], v[78:79], v[28:31]
	s_nop 0
	v_add_lshl_u32 v48, v73, v64, 2
	buffer_store_dwordx4 v[44:47], v48, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[24:27], v[92:93], v[78:79], v[24:27]
	s_nop 0
	v_add_lshl_u32 v44, v65, v70, 2
	buffer_store_dwordx4 v[40:43], v44, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[16:19], v[80:81], v[74:75], v[16:19]
	s_nop 0
	v_add_lshl_u32 v40, v65, v71, 2
	buffer_store_dwordx4 v[36:39], v40, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[4:7], v[84:85], v[74:75], v[4:7]
	s_nop 0
	v_add_lshl_u32 v36, v65, v72, 2
	buffer_store_dwordx4 v[28:31], v36, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[0:3], v[88:89], v[74:75], v[0:3]
	s_nop 0
	v_add_lshl_u32 v28, v65, v73, 2
	buffer_store_dwordx4 v[24:27], v28, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[60:63], v[92:93], v[74:75], v[60:63]
	s_nop 0
	v_add_lshl_u32 v24, v68, v70, 2
	buffer_store_dwordx4 v[32:35], v24, s[0:3], 0 offen
	v_add_lshl_u32 v24, v68, v71, 2
	buffer_store_dwordx4 v[12:15], v24, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v12, v68, v72, 2
	buffer_store_dwordx4 v[20:23], v12, s[0:3], 0 offen
	v_add_lshl_u32 v12, v68, v73, 2
	buffer_store_dwordx4 v[8:11], v12, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v8, v69, v70, 2
	buffer_store_dwordx4 v[16:19], v8, s[0:3], 0 offen
	v_add_lshl_u32 v8, v69, v71, 2
	buffer_store_dwordx4 v[4:7], v8, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v4, v69, v72, 2
	buffer_store_dwordx4 v[0:3], v4, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v0, v69, v73, 2
	buffer_store_dwordx4 v[60:63], v0, s[0:3], 0 offen
	s_endpgm
.Lfunc_end0:
	.size	stage1, .Lfunc_end0-stage1
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stage1
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
		.amdhsa_next_free_vgpr 141
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 144
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
	.set .Lstage1.num_vgpr, 141
	.set .Lstage1.num_agpr, 0
	.set .Lstage1.numbered_sgpr, 24
	.set .Lstage1.num_named_barrier, 0
	.set .Lstage1.private_seg_size, 0
	.set .Lstage1.uses_vcc, 1
	.set .Lstage1.uses_flat_scratch, 0
	.set .Lstage1.has_dyn_sized_stack, 0
	.set .Lstage1.has_recursion, 0
	.set .Lstage1.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 3576
; TotalNumSgprs: 30
; NumVgprs: 141
; NumAgprs: 0
; TotalNumVgprs: 141
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 17
; NumSGPRsForWavesPerEU: 30
; NumVGPRsForWavesPerEU: 141
; AccumOffset: 144
; Occupancy: 3
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 35
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
    .name:           stage1
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         stage1.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     141
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.42-amd-amdhsa-unknown-gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
