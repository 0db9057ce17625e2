	.amdgcn_target "amdgpu9.42-amd-amdhsa-unknown-gfx942"
	.amdhsa_code_object_version 5
	.text
	.globl	stage2                          ; -- Begin function stage2
	.p2align	8
	.type	stage2,@function
stage2:                                 ; @stage2
.Lfunc_begin0:
; %bb.6:
	s_load_dwordx2 s[2:3], s[0:1], 0x0
	s_load_dwordx8 s[4:11], s[0:1], 0x8
	s_load_dwordx4 s[12:15], s[0:1], 0x28
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.7:
.LBB0_0:
	v_readfirstlane_b32 s8, v0
	s_and_b32 s18, s8, 0xc0
	v_and_b32_e32 v1, 63, v0
	v_or_b32_e32 v8, s18, v1
	s_mov_b64 s[20:21], s[2:3]
	s_lshl_b32 s3, s16, 7
	v_lshrrev_b32_e32 v2, 2, v8
	v_and_b32_e32 v80, 15, v0
	s_lshl_b32 s2, s17, 7
	v_or_b32_e32 v5, s3, v2
	v_lshrrev_b32_e32 v7, 4, v8
	v_lshlrev_b32_e32 v3, 3, v80
	v_or_b32_e32 v6, 64, v5
	v_or_b32_e32 v9, 16, v7
	v_or_b32_e32 v4, s2, v3
	s_mov_b64 s[0:1], s[6:7]
	v_mul_lo_u32 v10, v5, s11
	v_mul_lo_u32 v11, v6, s11
	v_mad_u64_u32 v[6:7], s[6:7], v7, s12, v[4:5]
	v_mad_u64_u32 v[4:5], s[6:7], v9, s12, v[4:5]
	s_mov_b32 s23, 0x27000
	s_mov_b32 s22, 0x7ffffffe
	v_lshlrev_b32_e32 v2, 3, v0
	s_and_b32 s5, s5, 0xffff
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_lshlrev_b32_e32 v9, 1, v6
	v_and_b32_e32 v2, 24, v2
	buffer_load_dwordx4 v[18:21], v9, s[4:7], 0 offen
	v_lshlrev_b32_e32 v9, 1, v4
	s_and_b32 s21, s21, 0xffff
	v_add_lshl_u32 v5, v10, v2, 1
	v_add_lshl_u32 v7, v11, v2, 1
	buffer_load_dwordx4 v[22:25], v9, s[4:7], 0 offen
	buffer_load_dwordx4 v[26:29], v7, s[20:23], 0 offen
	buffer_load_dwordx4 v[14:17], v5, s[20:23], 0 offen
	s_lshl_b32 s14, s12, 5
	v_add_lshl_u32 v6, v6, s14, 1
	v_add_lshl_u32 v4, v4, s14, 1
	buffer_load_dwordx4 v[158:161], v5, s[20:23], 0 offen offset:64
	buffer_load_dwordx4 v[150:153], v6, s[4:7], 0 offen
	buffer_load_dwordx4 v[146:149], v4, s[4:7], 0 offen
	buffer_load_dwordx4 v[154:157], v7, s[20:23], 0 offen offset:64
	v_lshlrev_b32_e32 v9, 1, v0
	v_lshrrev_b32_e32 v10, 1, v0
	v_bfe_i32 v11, v0, 4, 1
	v_lshlrev_b32_e32 v0, 6, v0
	v_and_b32_e32 v0, 0x800, v0
	s_lshr_b32 s6, s8, 1
	s_movk_i32 s9, 0x430
	v_lshlrev_b32_e32 v12, 6, v80
	v_lshlrev_b32_e32 v13, 1, v80
	v_and_b32_e32 v4, 0x440, v11
	v_and_or_b32 v0, s6, 32, v0
	v_lshlrev_b32_e32 v6, 3, v8
	v_and_b32_e32 v10, 24, v10
	v_lshlrev_b32_e32 v5, 4, v8
	v_and_b32_e32 v81, 0x70, v8
	v_or3_b32 v88, v0, v4, v13
	v_and_or_b32 v0, v6, s9, v12
	v_and_b32_e32 v9, 48, v9
	v_xor_b32_e32 v92, v5, v81
	v_xor_b32_e32 v91, v0, v10
	v_xor_b32_e32 v93, v5, v9
	v_xor_b32_e32 v89, 16, v88
	v_add_u32_e32 v6, 0, v92
	v_add_u32_e32 v0, 0, v91
	v_xor_b32_e32 v90, 32, v91
	v_add_u32_e32 v4, 0, v88
	v_add_u32_e32 v5, 0, v93
	v_add_u32_e32 v7, 0, v90
	v_xor_b32_e32 v84, 32, v88
	v_xor_b32_e32 v85, 48, v88
	v_xor_b32_e32 v86, 64, v88
	v_xor_b32_e32 v87, 0x50, v88
	v_xor_b32_e32 v82, 0x60, v88
	v_xor_b32_e32 v83, 0x70, v88
	s_mov_b32 s9, 64
	s_cmpk_lt_i32 s10, 0x41
	s_mov_b32 s14, 0
	s_waitcnt vmcnt(7)
	ds_write_b128 v6, v[18:21] offset:16384
	s_waitcnt vmcnt(4)
	ds_write_b128 v5, v[14:17]
	ds_write_b128 v6, v[22:25] offset:20480
	ds_write_b128 v5, v[26:29] offset:4096
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b64 v[138:141], v0 offset1:4
	ds_read2st64_b64 v[134:137], v0 offset0:8 offset1:12
	ds_read2st64_b64 v[142:145], v7 offset1:4
	ds_read2st64_b64 v[130:133], v7 offset0:8 offset1:12
	v_add_u32_e32 v0, 0, v89
	ds_read_u16 v107, v4 offset:16384
	ds_read_u16 v102, v4 offset:20480
	ds_read_u16 v95, v4 offset:20608
	ds_read_u16 v106, v0 offset:16640
	ds_read_u16 v103, v0 offset:20736
	ds_read_u16 v94, v0 offset:20864
	ds_read_u16 v98, v0 offset:16768
	ds_read_u16 v99, v4 offset:16512
	v_add_u32_e32 v0, 0, v84
	v_add_u32_e32 v4, 0, v85
	ds_read_u16 v116, v0 offset:16896
	ds_read_u16 v114, v0 offset:20992
	ds_read_u16 v110, v0 offset:21120
	ds_read_u16 v118, v4 offset:17152
	ds_read_u16 v115, v4 offset:21248
	ds_read_u16 v111, v4 offset:21376
	ds_read_u16 v112, v4 offset:17280
	ds_read_u16 v113, v0 offset:17024
	v_add_u32_e32 v0, 0, v86
	v_add_u32_e32 v4, 0, v87
	ds_read_u16 v108, v0 offset:16384
	ds_read_u16 v105, v0 offset:20480
	ds_read_u16 v96, v0 offset:20608
	ds_read_u16 v109, v4 offset:16640
	ds_read_u16 v104, v4 offset:20736
	ds_read_u16 v97, v4 offset:20864
	ds_read_u16 v100, v4 offset:16768
	ds_read_u16 v101, v0 offset:16512
	v_add_u32_e32 v0, 0, v82
	v_add_u32_e32 v4, 0, v83
	ds_read_u16 v123, v0 offset:16896
	ds_read_u16 v122, v0 offset:20992
	ds_read_u16 v117, v0 offset:21120
	ds_read_u16 v125, v4 offset:17152
	ds_read_u16 v124, v4 offset:21248
	ds_read_u16 v119, v4 offset:21376
	ds_read_u16 v120, v4 offset:17280
	ds_read_u16 v121, v0 offset:17024
	s_cbranch_scc1 .LBB0_4
; %bb.1:                                ; %.lr.ph.preheader
	v_add_u32_e32 v0, s18, v1
	v_lshrrev_b32_e32 v1, 4, v0
	v_add_u32_e32 v4, 0x50, v1
	v_or_b32_e32 v1, 64, v1
	v_mul_lo_u32 v4, s12, v4
	v_mul_lo_u32 v1, s12, v1
	v_add_u32_e32 v4, s2, v4
	v_add_u32_e32 v1, s2, v1
	v_lshrrev_b32_e32 v0, 2, v0
	v_add_lshl_u32 v126, v4, v3, 1
	v_add_lshl_u32 v127, v1, v3, 1
	v_add_u32_e32 v3, s3, v0
	v_add_u32_e32 v0, 64, v3
	v_mad_u64_u32 v[0:1], s[6:7], s11, v0, v[2:3]
	v_mov_b32_e32 v4, 0x80
	v_lshl_add_u32 v128, v0, 1, v4
	v_mad_u64_u32 v[0:1], s[6:7], s11, v3, v[2:3]
	s_mov_b32 s15, 0x5040100
	v_lshl_add_u32 v129, v0, 1, v4
	v_mov_b32_e32 v0, 0
	s_waitcnt lgkmcnt(14)
	v_perm_b32 v65, v118, v116, s15
	v_perm_b32 v79, v115, v114, s15
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v67, v125, v123, s15
	s_waitcnt lgkmcnt(3)
	v_perm_b32 v77, v124, v122, s15
	v_perm_b32 v69, v112, v113, s15
	v_perm_b32 v75, v111, v110, s15
	s_waitcnt lgkmcnt(0)
	v_perm_b32 v71, v120, v121, s15
	v_perm_b32 v73, v119, v117, s15
	s_lshl_b32 s16, s12, 6
	v_mov_b32_e32 v1, v0
	v_mov_b32_e32 v2, v0
	v_mov_b32_e32 v3, v0
	v_mov_b32_e32 v52, v0
	v_mov_b32_e32 v53, v0
	v_mov_b32_e32 v54, v0
	v_mov_b32_e32 v55, v0
	v_mov_b32_e32 v28, v0
	v_mov_b32_e32 v29, v0
	v_mov_b32_e32 v30, v0
	v_mov_b32_e32 v31, v0
	v_mov_b32_e32 v4, v0
	v_mov_b32_e32 v5, v0
	v_mov_b32_e32 v6, v0
	v_mov_b32_e32 v7, v0
	v_mov_b32_e32 v56, v0
	v_mov_b32_e32 v57, v0
	v_mov_b32_e32 v58, v0
	v_mov_b32_e32 v59, v0
	v_mov_b32_e32 v8, v0
	v_mov_b32_e32 v9, v0
	v_mov_b32_e32 v10, v0
	v_mov_b32_e32 v11, v0
	v_mov_b32_e32 v12, v0
	v_mov_b32_e32 v13, v0
	v_mov_b32_e32 v14, v0
	v_mov_b32_e32 v15, v0
	v_mov_b32_e32 v16, v0
	v_mov_b32_e32 v17, v0
	v_mov_b32_e32 v18, v0
	v_mov_b32_e32 v19, v0
	v_mov_b32_e32 v60, v0
	v_mov_b32_e32 v61, v0
	v_mov_b32_e32 v62, v0
	v_mov_b32_e32 v63, v0
	v_mov_b32_e32 v20, v0
	v_mov_b32_e32 v21, v0
	v_mov_b32_e32 v22, v0
	v_mov_b32_e32 v23, v0
	v_mov_b32_e32 v32, v0
	v_mov_b32_e32 v33, v0
	v_mov_b32_e32 v34, v0
	v_mov_b32_e32 v35, v0
	v_mov_b32_e32 v36, v0
	v_mov_b32_e32 v37, v0
	v_mov_b32_e32 v38, v0
	v_mov_b32_e32 v39, v0
	v_mov_b32_e32 v40, v0
	v_mov_b32_e32 v41, v0
	v_mov_b32_e32 v42, v0
	v_mov_b32_e32 v43, v0
	v_mov_b32_e32 v44, v0
	v_mov_b32_e32 v45, v0
	v_mov_b32_e32 v46, v0
	v_mov_b32_e32 v47, v0
	v_mov_b32_e32 v48, v0
	v_mov_b32_e32 v49, v0
	v_mov_b32_e32 v50, v0
	v_mov_b32_e32 v51, v0
	v_mov_b32_e32 v24, v0
	v_mov_b32_e32 v25, v0
	v_mov_b32_e32 v26, v0
	v_mov_b32_e32 v27, v0
.LBB0_2:                                ; %.lr.ph
                                        ; =>This Inner Loop Header: Depth=1
	s_xor_b32 s14, s14, 1
	s_lshl_b32 s11, s14, 13
	v_add_u32_e32 v64, s11, v93
	s_barrier
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_add_u32_e32 v66, s11, v92
	s_waitcnt vmcnt(3)
	ds_write_b128 v64, v[158:161]
	s_waitcnt vmcnt(0)
	ds_write_b128 v64, v[154:157] offset:4096
	ds_write_b128 v66, v[150:153] offset:16384
	ds_write_b128 v66, v[146:149] offset:20480
	buffer_load_dwordx4 v[158:161], v129, s[20:23], 0 offen
	buffer_load_dwordx4 v[154:157], v128, s[20:23], 0 offen
	buffer_load_dwordx4 v[150:153], v127, s[4:7], 0 offen
	buffer_load_dwordx4 v[146:149], v126, s[4:7], 0 offen
	v_add_u32_e32 v64, s11, v91
	v_add_u32_e32 v121, s11, v82
	v_add_u32_e32 v120, s11, v83
	v_add_u32_e32 v66, s11, v90
	v_add_u32_e32 v68, s11, v88
	v_add_u32_e32 v70, s11, v89
	v_add_u32_e32 v72, s11, v84
	v_add_u32_e32 v74, s11, v85
	v_add_u32_e32 v76, s11, v86
	v_add_u32_e32 v78, s11, v87
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read2st64_b64 v[178:181], v64 offset1:4
	ds_read2st64_b64 v[182:185], v64 offset0:8 offset1:12
	ds_read2st64_b64 v[186:189], v66 offset1:4
	ds_read2st64_b64 v[190:193], v66 offset0:8 offset1:12
	ds_read_u16 v162, v68 offset:16384
	ds_read_u16 v164, v68 offset:20480
	ds_read_u16 v166, v68 offset:20608
	ds_read_u16 v163, v70 offset:16640
	ds_read_u16 v165, v70 offset:20736
	ds_read_u16 v170, v70 offset:20864
	ds_read_u16 v167, v70 offset:16768
	ds_read_u16 v168, v68 offset:16512
	ds_read_u16 v116, v72 offset:16896
	ds_read_u16 v114, v72 offset:20992
	ds_read_u16 v110, v72 offset:21120
	ds_read_u16 v118, v74 offset:17152
	ds_read_u16 v115, v74 offset:21248
	ds_read_u16 v111, v74 offset:21376
	ds_read_u16 v112, v74 offset:17280
	ds_read_u16 v113, v72 offset:17024
	ds_read_u16 v169, v76 offset:16384
	ds_read_u16 v172, v76 offset:20480
	ds_read_u16 v174, v76 offset:20608
	ds_read_u16 v171, v78 offset:16640
	ds_read_u16 v173, v78 offset:20736
	ds_read_u16 v177, v78 offset:20864
	ds_read_u16 v175, v78 offset:16768
	ds_read_u16 v176, v76 offset:16512
	ds_read_u16 v123, v121 offset:16896
	ds_read_u16 v122, v121 offset:20992
	ds_read_u16 v117, v121 offset:21120
	ds_read_u16 v125, v120 offset:17152
	ds_read_u16 v124, v120 offset:21248
	ds_read_u16 v119, v120 offset:21376
	ds_read_u16 v120, v120 offset:17280
	ds_read_u16 v121, v121 offset:17024
	; sched_barrier mask(0x00000000)
	v_perm_b32 v64, v106, v107, s15
	v_perm_b32 v66, v109, v108, s15
	v_perm_b32 v68, v98, v99, s15
	v_perm_b32 v70, v100, v101, s15
	v_perm_b32 v78, v103, v102, s15
	v_perm_b32 v76, v104, v105, s15
	v_perm_b32 v74, v94, v95, s15
	v_perm_b32 v72, v97, v96, s15
	v_mfma_f32_16x16x16_f16 v[0:3], v[64:65], v[138:139], v[0:3]
	s_add_i32 s9, s9, 32
	s_cmp_lt_i32 s9, s10
	v_add_u32_e32 v126, s16, v126
	v_mfma_f32_16x16x16_f16 v[40:43], v[64:65], v[136:137], v[40:43]
	v_add_u32_e32 v127, s16, v127
	v_add_u32_e32 v128, 64, v128
	v_add_u32_e32 v129, 64, v129
	v_mfma_f32_16x16x16_f16 v[52:55], v[66:67], v[138:139], v[52:55]
	s_waitcnt lgkmcnt(10)
	v_mov_b32_e32 v97, v177
	v_mov_b32_e32 v96, v174
	s_waitcnt lgkmcnt(9)
	v_mov_b32_e32 v100, v175
	v_mfma_f32_16x16x16_f16 v[28:31], v[68:69], v[138:139], v[28:31]
	s_waitcnt lgkmcnt(8)
	v_mov_b32_e32 v101, v176
	v_mov_b32_e32 v94, v170
	v_mov_b32_e32 v95, v166
	v_mfma_f32_16x16x16_f16 v[4:7], v[70:71], v[138:139], v[4:7]
	v_mov_b32_e32 v138, v178
	v_mov_b32_e32 v139, v179
	v_mov_b32_e32 v98, v167
	v_mfma_f32_16x16x16_f16 v[56:59], v[64:65], v[140:141], v[56:59]
	v_mov_b32_e32 v99, v168
	v_mov_b32_e32 v104, v173
	v_mov_b32_e32 v105, v172
	v_mfma_f32_16x16x16_f16 v[8:11], v[66:67], v[140:141], v[8:11]
	v_mov_b32_e32 v109, v171
	v_mov_b32_e32 v108, v169
	v_mov_b32_e32 v103, v165
	v_mfma_f32_16x16x16_f16 v[12:15], v[68:69], v[140:141], v[12:15]
	v_mov_b32_e32 v102, v164
	v_mov_b32_e32 v106, v163
	v_mov_b32_e32 v107, v162
	v_mfma_f32_16x16x16_f16 v[16:19], v[70:71], v[140:141], v[16:19]
	v_mov_b32_e32 v140, v180
	v_mov_b32_e32 v141, v181
	v_mfma_f32_16x16x16_f16 v[60:63], v[64:65], v[134:135], v[60:63]
	v_perm_b32 v65, v118, v116, s15
	v_mfma_f32_16x16x16_f16 v[20:23], v[66:67], v[134:135], v[20:23]
	v_mfma_f32_16x16x16_f16 v[32:35], v[68:69], v[134:135], v[32:35]
	v_mfma_f32_16x16x16_f16 v[36:39], v[70:71], v[134:135], v[36:39]
	v_mov_b32_e32 v134, v182
	v_mov_b32_e32 v135, v183
	v_mfma_f32_16x16x16_f16 v[44:47], v[66:67], v[136:137], v[44:47]
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v67, v125, v123, s15
	v_mfma_f32_16x16x16_f16 v[48:51], v[68:69], v[136:137], v[48:51]
	v_perm_b32 v69, v112, v113, s15
	v_mfma_f32_16x16x16_f16 v[24:27], v[70:71], v[136:137], v[24:27]
	v_mov_b32_e32 v136, v184
	v_mov_b32_e32 v137, v185
	s_waitcnt lgkmcnt(0)
	v_perm_b32 v71, v120, v121, s15
	v_mfma_f32_16x16x16_f16 v[0:3], v[78:79], v[142:143], v[0:3]
	v_mfma_f32_16x16x16_f16 v[40:43], v[78:79], v[132:133], v[40:43]
	v_mfma_f32_16x16x16_f16 v[52:55], v[76:77], v[142:143], v[52:55]
	v_mfma_f32_16x16x16_f16 v[28:31], v[74:75], v[142:143], v[28:31]
	v_mfma_f32_16x16x16_f16 v[4:7], v[72:73], v[142:143], v[4:7]
	v_mov_b32_e32 v142, v186
	v_mov_b32_e32 v143, v187
	v_mfma_f32_16x16x16_f16 v[56:59], v[78:79], v[144:145], v[56:59]
	v_mfma_f32_16x16x16_f16 v[8:11], v[76:77], v[144:145], v[8:11]
	v_mfma_f32_16x16x16_f16 v[12:15], v[74:75], v[144:145], v[12:15]
	v_mfma_f32_16x16x16_f16 v[16:19], v[72:73], v[144:145], v[16:19]
	v_mov_b32_e32 v144, v188
	v_mov_b32_e32 v145, v189
	v_mfma_f32_16x16x16_f16 v[60:63], v[78:79], v[130:131], v[60:63]
	v_perm_b32 v79, v115, v114, s15
	v_mfma_f32_16x16x16_f16 v[20:23], v[76:77], v[130:131], v[20:23]
	v_mfma_f32_16x16x16_f16 v[32:35], v[74:75], v[130:131], v[32:35]
	v_mfma_f32_16x16x16_f16 v[36:39], v[72:73], v[130:131], v[36:39]
	v_mov_b32_e32 v130, v190
	v_mov_b32_e32 v131, v191
	v_mfma_f32_16x16x16_f16 v[44:47], v[76:77], v[132:133], v[44:47]
	v_perm_b32 v77, v124, v122, s15
	v_mfma_f32_16x16x16_f16 v[48:51], v[74:75], v[132:133], v[48:51]
	v_perm_b32 v75, v111, v110, s15
	v_mfma_f32_16x16x16_f16 v[24:27], v[72:73], v[132:133], v[24:27]
	v_mov_b32_e32 v132, v192
	v_mov_b32_e32 v133, v193
	v_perm_b32 v73, v119, v117, s15
	s_cbranch_scc1 .LBB0_2
; %bb.3:                                ; %._crit_edge.loopexit
	s_lshl_b32 s4, s14, 12
	s_xor_b32 s4, s4, 0x1000
	v_mov_b32_e32 v97, v177
	v_mov_b32_e32 v96, v174
	v_mov_b32_e32 v100, v175
	v_mov_b32_e32 v101, v176
	v_mov_b32_e32 v94, v170
	v_mov_b32_e32 v95, v166
	v_mov_b32_e32 v98, v167
	v_mov_b32_e32 v99, v168
	v_mov_b32_e32 v104, v173
	v_mov_b32_e32 v105, v172
	v_mov_b32_e32 v109, v171
	v_mov_b32_e32 v108, v169
	v_mov_b32_e32 v103, v165
	v_mov_b32_e32 v102, v164
	v_mov_b32_e32 v106, v163
	v_mov_b32_e32 v107, v162
	s_branch .LBB0_5
.LBB0_4:
	v_mov_b32_e32 v27, 0
	s_movk_i32 s4, 0x1000
	v_mov_b32_e32 v26, v27
	v_mov_b32_e32 v25, v27
	v_mov_b32_e32 v24, v27
	v_mov_b32_e32 v51, v27
	v_mov_b32_e32 v50, v27
	v_mov_b32_e32 v49, v27
	v_mov_b32_e32 v48, v27
	v_mov_b32_e32 v47, v27
	v_mov_b32_e32 v46, v27
	v_mov_b32_e32 v45, v27
	v_mov_b32_e32 v44, v27
	v_mov_b32_e32 v43, v27
	v_mov_b32_e32 v42, v27
	v_mov_b32_e32 v41, v27
	v_mov_b32_e32 v40, v27
	v_mov_b32_e32 v39, v27
	v_mov_b32_e32 v38, v27
	v_mov_b32_e32 v37, v27
	v_mov_b32_e32 v36, v27
	v_mov_b32_e32 v35, v27
	v_mov_b32_e32 v34, v27
	v_mov_b32_e32 v33, v27
	v_mov_b32_e32 v32, v27
	v_mov_b32_e32 v23, v27
	v_mov_b32_e32 v22, v27
	v_mov_b32_e32 v21, v27
	v_mov_b32_e32 v20, v27
	v_mov_b32_e32 v63, v27
	v_mov_b32_e32 v62, v27
	v_mov_b32_e32 v61, v27
	v_mov_b32_e32 v60, v27
	v_mov_b32_e32 v19, v27
	v_mov_b32_e32 v18, v27
	v_mov_b32_e32 v17, v27
	v_mov_b32_e32 v16, v27
	v_mov_b32_e32 v15, v27
	v_mov_b32_e32 v14, v27
	v_mov_b32_e32 v13, v27
	v_mov_b32_e32 v12, v27
	v_mov_b32_e32 v11, v27
	v_mov_b32_e32 v10, v27
	v_mov_b32_e32 v9, v27
	v_mov_b32_e32 v8, v27
	v_mov_b32_e32 v59, v27
	v_mov_b32_e32 v58, v27
	v_mov_b32_e32 v57, v27
	v_mov_b32_e32 v56, v27
	v_mov_b32_e32 v7, v27
	v_mov_b32_e32 v6, v27
	v_mov_b32_e32 v5, v27
	v_mov_b32_e32 v4, v27
	v_mov_b32_e32 v31, v27
	v_mov_b32_e32 v30, v27
	v_mov_b32_e32 v29, v27
	v_mov_b32_e32 v28, v27
	v_mov_b32_e32 v55, v27
	v_mov_b32_e32 v54, v27
	v_mov_b32_e32 v53, v27
	v_mov_b32_e32 v52, v27
	v_mov_b32_e32 v3, v27
	v_mov_b32_e32 v2, v27
	v_mov_b32_e32 v1, v27
	v_mov_b32_e32 v0, v27
.LBB0_5:                                ; %._crit_edge
	s_lshl1_add_u32 s5, s4, 0
	s_mov_b32 s4, 0x5040100
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v75, v125, v123, s4
	v_perm_b32 v74, v109, v108, s4
	v_perm_b32 v69, v118, v116, s4
	v_perm_b32 v68, v106, v107, s4
	v_perm_b32 v79, v112, v113, s4
	v_perm_b32 v78, v98, v99, s4
	v_add_u32_e32 v64, s5, v93
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_waitcnt vmcnt(3)
	ds_write_b128 v64, v[158:161]
	s_waitcnt vmcnt(0)
	ds_write_b128 v64, v[154:157] offset:4096
	v_add_u32_e32 v64, s5, v92
	v_perm_b32 v77, v124, v122, s4
	v_perm_b32 v76, v104, v105, s4
	v_perm_b32 v92, v94, v95, s4
	v_perm_b32 v95, v120, v121, s4
	v_perm_b32 v94, v100, v101, s4
	v_perm_b32 v73, v115, v114, s4
	v_perm_b32 v72, v103, v102, s4
	v_perm_b32 v93, v111, v110, s4
	v_mfma_f32_16x16x16_f16 v[52:55], v[74:75], v[138:139], v[52:55]
	ds_write_b128 v64, v[150:153] offset:16384
	ds_write_b128 v64, v[146:149] offset:20480
	v_perm_b32 v99, v119, v117, s4
	v_perm_b32 v98, v97, v96, s4
	v_mfma_f32_16x16x16_f16 v[8:11], v[74:75], v[140:141], v[8:11]
	v_add_u32_e32 v88, s5, v88
	v_add_u32_e32 v89, s5, v89
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x16_f16 v[20:23], v[74:75], v[134:135], v[20:23]
	s_barrier
	v_add_u32_e32 v96, s5, v91
	v_mfma_f32_16x16x16_f16 v[44:47], v[74:75], v[136:137], v[44:47]
	v_add_u32_e32 v97, s5, v90
	v_add_u32_e32 v86, s5, v86
	v_add_u32_e32 v87, s5, v87
	v_mfma_f32_16x16x16_f16 v[64:67], v[68:69], v[138:139], v[0:3]
	s_and_b32 s1, s1, 0xffff
	v_mfma_f32_16x16x16_f16 v[0:3], v[68:69], v[136:137], v[40:43]
	v_mfma_f32_16x16x16_f16 v[56:59], v[68:69], v[140:141], v[56:59]
	v_mfma_f32_16x16x16_f16 v[40:43], v[68:69], v[134:135], v[60:63]
	ds_read2st64_b64 v[68:71], v97 offset1:4
	v_mfma_f32_16x16x16_f16 v[28:31], v[78:79], v[138:139], v[28:31]
	v_mfma_f32_16x16x16_f16 v[12:15], v[78:79], v[140:141], v[12:15]
	v_mfma_f32_16x16x16_f16 v[32:35], v[78:79], v[134:135], v[32:35]
	v_mfma_f32_16x16x16_f16 v[48:51], v[78:79], v[136:137], v[48:51]
	v_mfma_f32_16x16x16_f16 v[52:55], v[76:77], v[142:143], v[52:55]
	v_mfma_f32_16x16x16_f16 v[4:7], v[94:95], v[138:139], v[4:7]
	v_mfma_f32_16x16x16_f16 v[8:11], v[76:77], v[144:145], v[8:11]
	v_mfma_f32_16x16x16_f16 v[16:19], v[94:95], v[140:141], v[16:19]
	v_mfma_f32_16x16x16_f16 v[20:23], v[76:77], v[130:131], v[20:23]
	v_mfma_f32_16x16x16_f16 v[36:39], v[94:95], v[134:135], v[36:39]
	v_mfma_f32_16x16x16_f16 v[44:47], v[76:77], v[132:133], v[44:47]
	v_add_u32_e32 v76, s5, v84
	v_add_u32_e32 v77, s5, v85
	v_mfma_f32_16x16x16_f16 v[24:27], v[94:95], v[136:137], v[24:27]
	v_mfma_f32_16x16x16_f16 v[0:3], v[72:73], v[132:133], v[0:3]
	v_mfma_f32_16x16x16_f16 v[40:43], v[72:73], v[130:131], v[40:43]
	v_mfma_f32_16x16x16_f16 v[60:63], v[72:73], v[142:143], v[64:67]
	v_mfma_f32_16x16x16_f16 v[28:31], v[92:93], v[142:143], v[28:31]
	s_nop 1
	ds_read2st64_b64 v[64:67], v96 offset1:4
	v_mfma_f32_16x16x16_f16 v[56:59], v[72:73], v[144:145], v[56:59]
	ds_read_u16 v72, v88 offset:16384
	ds_read_u16 v73, v88 offset:20480
	ds_read_u16 v74, v88 offset:20608
	ds_read_u16 v75, v89 offset:16640
	ds_read_u16 v78, v89 offset:20736
	ds_read_u16 v90, v89 offset:20864
	ds_read_u16 v89, v89 offset:16768
	ds_read_u16 v88, v88 offset:16512
	s_waitcnt lgkmcnt(3)
	v_perm_b32 v78, v78, v73, s4
	v_mfma_f32_16x16x16_f16 v[12:15], v[92:93], v[144:145], v[12:15]
	v_mfma_f32_16x16x16_f16 v[32:35], v[92:93], v[130:131], v[32:35]
	v_mfma_f32_16x16x16_f16 v[48:51], v[92:93], v[132:133], v[48:51]
	ds_read_u16 v79, v76 offset:16896
	ds_read_u16 v84, v76 offset:20992
	ds_read_u16 v91, v76 offset:21120
	ds_read_u16 v85, v77 offset:17152
	ds_read_u16 v92, v77 offset:21248
	ds_read_u16 v93, v77 offset:21376
	ds_read_u16 v94, v77 offset:17280
	ds_read_u16 v95, v76 offset:17024
	v_perm_b32 v76, v75, v72, s4
	v_add_u32_e32 v72, s5, v82
	v_add_u32_e32 v75, s5, v83
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v77, v85, v79, s4
	s_waitcnt lgkmcnt(3)
	v_perm_b32 v79, v92, v84, s4
	ds_read_u16 v73, v72 offset:16896
	ds_read_u16 v84, v72 offset:20992
	ds_read_u16 v92, v72 offset:21120
	ds_read_u16 v82, v75 offset:17152
	ds_read_u16 v85, v75 offset:21248
	ds_read_u16 v104, v75 offset:21376
	ds_read_u16 v75, v75 offset:17280
	ds_read_u16 v72, v72 offset:17024
	v_mfma_f32_16x16x16_f16 v[4:7], v[98:99], v[142:143], v[4:7]
	s_waitcnt lgkmcnt(4)
	v_perm_b32 v83, v82, v73, s4
	s_waitcnt lgkmcnt(3)
	v_perm_b32 v85, v85, v84, s4
	v_mfma_f32_16x16x16_f16 v[16:19], v[98:99], v[144:145], v[16:19]
	v_mfma_f32_16x16x16_f16 v[36:39], v[98:99], v[130:131], v[36:39]
	v_mfma_f32_16x16x16_f16 v[24:27], v[98:99], v[132:133], v[24:27]
	ds_read_u16 v98, v86 offset:16384
	ds_read_u16 v99, v86 offset:20608
	ds_read_u16 v100, v87 offset:16640
	ds_read_u16 v101, v87 offset:20864
	ds_read_u16 v102, v87 offset:16768
	ds_read_u16 v103, v86 offset:16512
	ds_read_u16 v73, v86 offset:20480
	ds_read_u16 v86, v87 offset:20736
	s_waitcnt lgkmcnt(5)
	v_perm_b32 v82, v100, v98, s4
	v_perm_b32 v87, v94, v95, s4
	v_mfma_f32_16x16x16_f16 v[60:63], v[76:77], v[64:65], v[60:63]
	s_waitcnt lgkmcnt(0)
	v_perm_b32 v84, v86, v73, s4
	v_perm_b32 v86, v89, v88, s4
	v_perm_b32 v89, v93, v91, s4
	v_perm_b32 v88, v90, v74, s4
	v_perm_b32 v91, v75, v72, s4
	v_perm_b32 v90, v102, v103, s4
	v_perm_b32 v93, v104, v92, s4
	v_perm_b32 v92, v101, v99, s4
	v_mfma_f32_16x16x16_f16 v[52:55], v[82:83], v[64:65], v[52:55]
	s_lshr_b32 s4, s8, 3
	v_mfma_f32_16x16x16_f16 v[28:31], v[86:87], v[64:65], v[28:31]
	v_mfma_f32_16x16x16_f16 v[4:7], v[90:91], v[64:65], v[4:7]
	v_mfma_f32_16x16x16_f16 v[56:59], v[76:77], v[66:67], v[56:59]
	v_mfma_f32_16x16x16_f16 v[8:11], v[82:83], v[66:67], v[8:11]
	v_mfma_f32_16x16x16_f16 v[12:15], v[86:87], v[66:67], v[12:15]
	v_mfma_f32_16x16x16_f16 v[16:19], v[90:91], v[66:67], v[16:19]
	ds_read2st64_b64 v[64:67], v96 offset0:8 offset1:12
	ds_read2st64_b64 v[72:75], v97 offset0:8 offset1:12
	v_mfma_f32_16x16x16_f16 v[60:63], v[78:79], v[68:69], v[60:63]
	v_mfma_f32_16x16x16_f16 v[52:55], v[84:85], v[68:69], v[52:55]
	v_mfma_f32_16x16x16_f16 v[28:31], v[88:89], v[68:69], v[28:31]
	v_mfma_f32_16x16x16_f16 v[4:7], v[92:93], v[68:69], v[4:7]
	v_and_or_b32 v68, s4, 16, v80
	v_or_b32_e32 v68, s3, v68
	v_lshrrev_b32_e32 v80, 2, v81
	v_mfma_f32_16x16x16_f16 v[56:59], v[78:79], v[70:71], v[56:59]
	v_or_b32_e32 v69, 32, v68
	v_or_b32_e32 v80, s2, v80
	v_or_b32_e32 v81, 32, v80
	v_mfma_f32_16x16x16_f16 v[8:11], v[84:85], v[70:71], v[8:11]
	s_mov_b32 s3, 0x27000
	s_mov_b32 s2, 0x7ffffffe
	v_or_b32_e32 v94, 64, v80
	v_mfma_f32_16x16x16_f16 v[12:15], v[88:89], v[70:71], v[12:15]
	v_or_b32_e32 v95, 0x60, v80
	v_mul_lo_u32 v69, v69, s13
	v_mfma_f32_16x16x16_f16 v[16:19], v[92:93], v[70:71], v[16:19]
	v_or_b32_e32 v70, 64, v68
	v_or_b32_e32 v71, 0x60, v68
	v_mul_lo_u32 v68, v68, s13
	v_add_lshl_u32 v96, v68, v80, 2
	buffer_store_dwordx4 v[60:63], v96, s[0:3], 0 offen
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x16_f16 v[40:43], v[76:77], v[64:65], v[40:43]
	v_mul_lo_u32 v70, v70, s13
	v_add_lshl_u32 v60, v81, v68, 2
	buffer_store_dwordx4 v[52:55], v60, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[20:23], v[82:83], v[64:65], v[20:23]
	v_mul_lo_u32 v71, v71, s13
	v_add_lshl_u32 v52, v94, v68, 2
	buffer_store_dwordx4 v[28:31], v52, s[0:3], 0 offen
	v_add_lshl_u32 v52, v95, v68, 2
	buffer_store_dwordx4 v[4:7], v52, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[32:35], v[86:87], v[64:65], v[32:35]
	s_nop 0
	v_add_lshl_u32 v4, v69, v80, 2
	buffer_store_dwordx4 v[56:59], v4, s[0:3], 0 offen
	v_add_lshl_u32 v4, v69, v81, 2
	v_mfma_f32_16x16x16_f16 v[36:39], v[90:91], v[64:65], v[36:39]
	buffer_store_dwordx4 v[8:11], v4, s[0:3], 0 offen
	v_add_lshl_u32 v4, v69, v94, 2
	buffer_store_dwordx4 v[12:15], v4, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[0:3], v[76:77], v[66:67], v[0:3]
	v_add_lshl_u32 v4, v69, v95, 2
	buffer_store_dwordx4 v[16:19], v4, s[0:3], 0 offen
	v_add_lshl_u32 v8, v70, v80, 2
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x16_f16 v[40:43], v[78:79], v[72:73], v[40:43]
	v_add_lshl_u32 v12, v70, v95, 2
	v_mfma_f32_16x16x16_f16 v[4:7], v[82:83], v[66:67], v[44:47]
	v_mfma_f32_16x16x16_f16 v[20:23], v[84:85], v[72:73], v[20:23]
	s_nop 3
	buffer_store_dwordx4 v[40:43], v8, s[0:3], 0 offen
	v_add_lshl_u32 v8, v70, v81, 2
	v_mfma_f32_16x16x16_f16 v[32:35], v[88:89], v[72:73], v[32:35]
	v_mfma_f32_16x16x16_f16 v[28:31], v[92:93], v[72:73], v[36:39]
	buffer_store_dwordx4 v[20:23], v8, s[0:3], 0 offen
	v_add_lshl_u32 v8, v70, v94, 2
	s_nop 3
	buffer_store_dwordx4 v[32:35], v8, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[0:3], v[78:79], v[74:75], v[0:3]
	v_mfma_f32_16x16x16_f16 v[4:7], v[84:85], v[74:75], v[4:7]
	buffer_store_dwordx4 v[28:31], v12, s[0:3], 0 offen
	v_add_lshl_u32 v12, v71, v80, 2
	s_nop 3
	buffer_store_dwordx4 v[0:3], v12, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[8:11], v[86:87], v[66:67], v[48:51]
	s_nop 0
	v_add_lshl_u32 v0, v71, v81, 2
	buffer_store_dwordx4 v[4:7], v0, s[0:3], 0 offen
	v_mfma_f32_16x16x16_f16 v[0:3], v[90:91], v[66:67], v[24:27]
	s_nop 0
	v_add_lshl_u32 v4, v71, v94, 2
	v_mfma_f32_16x16x16_f16 v[8:11], v[88:89], v[74:75], v[8:11]
	v_mfma_f32_16x16x16_f16 v[0:3], v[92:93], v[74:75], v[0:3]
	s_nop 5
	buffer_store_dwordx4 v[8:11], v4, s[0:3], 0 offen
	v_add_lshl_u32 v4, v71, v95, 2
	buffer_store_dwordx4 v[0:3], v4, s[0:3], 0 offen
	s_endpgm
.Lfunc_end0:
	.size	stage2, .Lfunc_end0-stage2
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stage2
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
		.amdhsa_next_free_vgpr 194
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 196
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
	.set .Lstage2.num_vgpr, 194
	.set .Lstage2.num_agpr, 0
	.set .Lstage2.numbered_sgpr, 24
	.set .Lstage2.num_named_barrier, 0
	.set .Lstage2.private_seg_size, 0
	.set .Lstage2.uses_vcc, 0
	.set .Lstage2.uses_flat_scratch, 0
	.set .Lstage2.has_dyn_sized_stack, 0
	.set .Lstage2.has_recursion, 0
	.set .Lstage2.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 4480
; TotalNumSgprs: 30
; NumVgprs: 194
; NumAgprs: 0
; TotalNumVgprs: 194
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 24
; NumSGPRsForWavesPerEU: 30
; NumVGPRsForWavesPerEU: 194
; AccumOffset: 196
; Occupancy: 2
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 48
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
    .name:           stage2
    .private_segment_fixed_size: 0
    .sgpr_count:     30
    .sgpr_spill_count: 0
    .symbol:         stage2.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     194
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.42-amd-amdhsa-unknown-gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
