	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
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
	s_and_b32 s9, s8, 0xc0
	v_and_b32_e32 v66, 63, v0
	v_or_b32_e32 v3, s9, v66
	s_mov_b64 s[20:21], s[2:3]
	s_lshl_b32 s3, s16, 7
	v_lshrrev_b32_e32 v1, 2, v3
	v_and_b32_e32 v64, 15, v0
	s_lshl_b32 s2, s17, 7
	v_or_b32_e32 v5, s3, v1
	v_lshrrev_b32_e32 v7, 4, v3
	v_lshlrev_b32_e32 v1, 3, v64
	v_or_b32_e32 v6, 64, v5
	v_or_b32_e32 v9, 16, v7
	v_or_b32_e32 v4, s2, v1
	s_mov_b64 s[0:1], s[6:7]
	v_mul_lo_u32 v10, v5, s11
	v_mul_lo_u32 v11, v6, s11
	v_mad_u64_u32 v[6:7], s[6:7], v7, s12, v[4:5]
	v_mad_u64_u32 v[4:5], s[6:7], v9, s12, v[4:5]
	s_mov_b32 s23, 0x27000
	s_mov_b32 s22, 0x7ffffffe
	v_lshlrev_b32_e32 v8, 3, v0
	s_and_b32 s5, s5, 0xffff
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_lshlrev_b32_e32 v9, 1, v6
	v_and_b32_e32 v2, 24, v8
	buffer_load_dwordx4 v[16:19], v9, s[4:7], 0 offen
	v_lshlrev_b32_e32 v9, 1, v4
	s_and_b32 s21, s21, 0xffff
	v_add_lshl_u32 v5, v10, v2, 1
	v_add_lshl_u32 v7, v11, v2, 1
	buffer_load_dwordx4 v[20:23], v9, s[4:7], 0 offen
	buffer_load_dwordx4 v[24:27], v7, s[20:23], 0 offen
	buffer_load_dwordx4 v[12:15], v5, s[20:23], 0 offen
	buffer_load_dwordx4 v[116:119], v5, s[20:23], 0 offen offset:64
	s_lshl_b32 s14, s12, 5
	v_add_lshl_u32 v5, v6, s14, 1
	v_add_lshl_u32 v4, v4, s14, 1
	buffer_load_dwordx4 v[108:111], v5, s[4:7], 0 offen
	buffer_load_dwordx4 v[100:103], v4, s[4:7], 0 offen
	buffer_load_dwordx4 v[120:123], v7, s[20:23], 0 offen offset:64
	v_lshlrev_b32_e32 v4, 1, v0
	v_and_b32_e32 v5, 48, v0
	v_and_b32_e32 v0, 12, v0
	v_lshlrev_b32_e32 v9, 6, v0
	v_lshlrev_b32_e32 v0, 2, v0
	s_movk_i32 s6, 0x70
	v_bitop3_b32 v0, v8, v0, 24 bitop3:0x6c
	v_lshlrev_b32_e32 v8, 4, v3
	v_lshlrev_b32_e32 v10, 3, v3
	v_lshlrev_b32_e32 v6, 6, v64
	v_lshlrev_b32_e32 v7, 7, v5
	v_bitop3_b32 v68, v8, v3, s6 bitop3:0x78
	v_and_b32_e32 v3, 0x430, v10
	s_lshr_b32 s7, s8, 1
	v_or3_b32 v0, v7, v9, v0
	v_bitop3_b32 v67, v3, v5, v6 bitop3:0x36
	v_bitop3_b32 v69, v8, v4, 48 bitop3:0x78
	v_bitop3_b32 v65, s7, v0, 32 bitop3:0x6c
	v_add_u32_e32 v4, 0, v68
	v_add_u32_e32 v5, 0, v67
	v_add_u32_e32 v0, 0, v69
	v_add_u32_e32 v3, 0, v65
	s_mov_b32 s15, 64
	s_mov_b32 s14, 0
	s_cmpk_lt_i32 s10, 0x41
	v_mov_b32_e32 v70, 0x70
	s_waitcnt vmcnt(7)
	ds_write_b128 v4, v[16:19] offset:16384
	s_waitcnt vmcnt(4)
	ds_write_b128 v0, v[12:15]
	ds_write_b128 v4, v[20:23] offset:20480
	ds_write_b128 v0, v[24:27] offset:4096
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b128 v[96:99], v5
	ds_read_b128 v[88:91], v5 offset:2048
	ds_read_b128 v[84:87], v5 offset:4096
	ds_read_b128 v[76:79], v5 offset:6144
	ds_read_b64_tr_b16 v[114:115], v3 offset:17472
	ds_read_b64_tr_b16 v[94:95], v3 offset:17600
	ds_read_b64_tr_b16 v[82:83], v3 offset:17536
	ds_read_b64_tr_b16 v[106:107], v3 offset:17408
	ds_read_b64_tr_b16 v[112:113], v3 offset:16384
	ds_read_b64_tr_b16 v[104:105], v3 offset:16448
	ds_read_b64_tr_b16 v[92:93], v3 offset:16512
	ds_read_b64_tr_b16 v[80:81], v3 offset:16576
	s_cbranch_scc1 .LBB0_4
; %bb.1:                                ; %.lr.ph.preheader
	v_add_u32_e32 v0, s9, v66
	v_lshrrev_b32_e32 v3, 4, v0
	v_add_u32_e32 v4, 0x50, v3
	v_or_b32_e32 v3, 64, v3
	v_mul_lo_u32 v3, s12, v3
	v_add_u32_e32 v3, s2, v3
	v_lshrrev_b32_e32 v0, 2, v0
	v_mul_lo_u32 v4, s12, v4
	v_add_lshl_u32 v72, v3, v1, 1
	v_add_u32_e32 v3, s3, v0
	v_add_u32_e32 v4, s2, v4
	v_add_u32_e32 v0, 64, v3
	v_add_lshl_u32 v71, v4, v1, 1
	v_mad_u64_u32 v[0:1], s[6:7], s11, v0, v[2:3]
	v_mov_b32_e32 v4, 0x80
	v_lshl_add_u32 v73, v0, 1, v4
	v_mad_u64_u32 v[0:1], s[6:7], s11, v3, v[2:3]
	v_mov_b32_e32 v56, 0
	s_lshl_b32 s16, s12, 6
	v_lshl_add_u32 v74, v0, 1, v4
	v_mov_b32_e32 v57, v56
	v_mov_b32_e32 v58, v56
	v_mov_b32_e32 v59, v56
	v_mov_b32_e32 v60, v56
	v_mov_b32_e32 v61, v56
	v_mov_b32_e32 v62, v56
	v_mov_b32_e32 v63, v56
	v_mov_b32_e32 v52, v56
	v_mov_b32_e32 v53, v56
	v_mov_b32_e32 v54, v56
	v_mov_b32_e32 v55, v56
	v_mov_b32_e32 v48, v56
	v_mov_b32_e32 v49, v56
	v_mov_b32_e32 v50, v56
	v_mov_b32_e32 v51, v56
	v_mov_b32_e32 v44, v56
	v_mov_b32_e32 v45, v56
	v_mov_b32_e32 v46, v56
	v_mov_b32_e32 v47, v56
	v_mov_b32_e32 v40, v56
	v_mov_b32_e32 v41, v56
	v_mov_b32_e32 v42, v56
	v_mov_b32_e32 v43, v56
	v_mov_b32_e32 v36, v56
	v_mov_b32_e32 v37, v56
	v_mov_b32_e32 v38, v56
	v_mov_b32_e32 v39, v56
	v_mov_b32_e32 v32, v56
	v_mov_b32_e32 v33, v56
	v_mov_b32_e32 v34, v56
	v_mov_b32_e32 v35, v56
	v_mov_b32_e32 v28, v56
	v_mov_b32_e32 v29, v56
	v_mov_b32_e32 v30, v56
	v_mov_b32_e32 v31, v56
	v_mov_b32_e32 v24, v56
	v_mov_b32_e32 v25, v56
	v_mov_b32_e32 v26, v56
	v_mov_b32_e32 v27, v56
	v_mov_b32_e32 v20, v56
	v_mov_b32_e32 v21, v56
	v_mov_b32_e32 v22, v56
	v_mov_b32_e32 v23, v56
	v_mov_b32_e32 v16, v56
	v_mov_b32_e32 v17, v56
	v_mov_b32_e32 v18, v56
	v_mov_b32_e32 v19, v56
	v_mov_b32_e32 v12, v56
	v_mov_b32_e32 v13, v56
	v_mov_b32_e32 v14, v56
	v_mov_b32_e32 v15, v56
	v_mov_b32_e32 v8, v56
	v_mov_b32_e32 v9, v56
	v_mov_b32_e32 v10, v56
	v_mov_b32_e32 v11, v56
	v_mov_b32_e32 v4, v56
	v_mov_b32_e32 v5, v56
	v_mov_b32_e32 v6, v56
	v_mov_b32_e32 v7, v56
	v_mov_b32_e32 v0, v56
	v_mov_b32_e32 v1, v56
	v_mov_b32_e32 v2, v56
	v_mov_b32_e32 v3, v56
.LBB0_2:                                ; %.lr.ph
                                        ; =>This Inner Loop Header: Depth=1
	s_xor_b32 s14, s14, 1
	s_lshl_b32 s11, s14, 13
	v_add_u32_e32 v75, s11, v69
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_mov_b32 s6, s22
	s_mov_b32 s7, s23
	v_add_u32_e32 v124, s11, v68
	s_waitcnt vmcnt(3)
	ds_write_b128 v75, v[116:119]
	s_waitcnt vmcnt(0)
	ds_write_b128 v75, v[120:123] offset:4096
	ds_write_b128 v124, v[108:111] offset:16384
	ds_write_b128 v124, v[100:103] offset:20480
	buffer_load_dwordx4 v[116:119], v74, s[20:23], 0 offen
	buffer_load_dwordx4 v[120:123], v73, s[20:23], 0 offen
	buffer_load_dwordx4 v[108:111], v72, s[4:7], 0 offen
	buffer_load_dwordx4 v[100:103], v71, s[4:7], 0 offen
	v_add_u32_e32 v75, s11, v67
	v_add_u32_e32 v124, s11, v65
	s_waitcnt lgkmcnt(0)
	s_barrier
	ds_read_b128 v[126:129], v75
	ds_read_b128 v[130:133], v75 offset:2048
	ds_read_b128 v[134:137], v75 offset:4096
	ds_read_b128 v[138:141], v75 offset:6144
	ds_read_b64_tr_b16 v[142:143], v124 offset:17472
	ds_read_b64_tr_b16 v[144:145], v124 offset:17600
	ds_read_b64_tr_b16 v[146:147], v124 offset:17536
	ds_read_b64_tr_b16 v[148:149], v124 offset:17408
	ds_read_b64_tr_b16 v[150:151], v124 offset:16384
	ds_read_b64_tr_b16 v[152:153], v124 offset:16448
	ds_read_b64_tr_b16 v[154:155], v124 offset:16512
	ds_read_b64_tr_b16 v[124:125], v124 offset:16576
	; sched_barrier mask(0x00000000)
	v_mfma_f32_16x16x32_f16 v[56:59], v[112:115], v[96:99], v[56:59]
	s_add_i32 s15, s15, 32
	v_add_u32_e32 v71, s16, v71
	v_add_u32_e32 v72, s16, v72
	v_mfma_f32_16x16x32_f16 v[60:63], v[104:107], v[96:99], v[60:63]
	v_add_u32_e32 v73, 64, v73
	s_cmp_lt_i32 s15, s10
	v_add_u32_e32 v74, 64, v74
	v_mfma_f32_16x16x32_f16 v[52:55], v[92:95], v[96:99], v[52:55]
	v_mfma_f32_16x16x32_f16 v[48:51], v[80:83], v[96:99], v[48:51]
	s_waitcnt lgkmcnt(11)
	v_mov_b32_e32 v96, v126
	v_mov_b32_e32 v97, v127
	v_mov_b32_e32 v98, v128
	v_mfma_f32_16x16x32_f16 v[44:47], v[112:115], v[88:91], v[44:47]
	v_mov_b32_e32 v99, v129
	v_mfma_f32_16x16x32_f16 v[40:43], v[104:107], v[88:91], v[40:43]
	v_mfma_f32_16x16x32_f16 v[36:39], v[92:95], v[88:91], v[36:39]
	v_mfma_f32_16x16x32_f16 v[32:35], v[80:83], v[88:91], v[32:35]
	s_waitcnt lgkmcnt(10)
	v_mov_b32_e32 v88, v130
	v_mov_b32_e32 v89, v131
	v_mov_b32_e32 v90, v132
	v_mfma_f32_16x16x32_f16 v[28:31], v[112:115], v[84:87], v[28:31]
	v_mov_b32_e32 v91, v133
	v_mfma_f32_16x16x32_f16 v[24:27], v[104:107], v[84:87], v[24:27]
	v_mfma_f32_16x16x32_f16 v[20:23], v[92:95], v[84:87], v[20:23]
	v_mfma_f32_16x16x32_f16 v[16:19], v[80:83], v[84:87], v[16:19]
	s_waitcnt lgkmcnt(9)
	v_mov_b32_e32 v84, v134
	v_mov_b32_e32 v85, v135
	v_mov_b32_e32 v86, v136
	v_mfma_f32_16x16x32_f16 v[12:15], v[112:115], v[76:79], v[12:15]
	v_mov_b32_e32 v87, v137
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v112, v150
	v_mov_b32_e32 v113, v151
	v_mfma_f32_16x16x32_f16 v[8:11], v[104:107], v[76:79], v[8:11]
	v_mov_b32_e32 v114, v142
	v_mov_b32_e32 v115, v143
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v104, v152
	v_mfma_f32_16x16x32_f16 v[4:7], v[92:95], v[76:79], v[4:7]
	v_mov_b32_e32 v105, v153
	v_mov_b32_e32 v106, v148
	v_mov_b32_e32 v107, v149
	v_mfma_f32_16x16x32_f16 v[0:3], v[80:83], v[76:79], v[0:3]
	v_mov_b32_e32 v76, v138
	v_mov_b32_e32 v77, v139
	v_mov_b32_e32 v78, v140
	v_mov_b32_e32 v79, v141
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v92, v154
	v_mov_b32_e32 v93, v155
	v_mov_b32_e32 v94, v144
	v_mov_b32_e32 v95, v145
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v80, v124
	v_mov_b32_e32 v81, v125
	v_mov_b32_e32 v82, v146
	v_mov_b32_e32 v83, v147
	s_cbranch_scc1 .LBB0_2
; %bb.3:                                ; %._crit_edge.loopexit
	s_lshl_b32 s4, s14, 12
	s_xor_b32 s4, s4, 0x1000
	s_branch .LBB0_5
.LBB0_4:
	v_mov_b32_e32 v3, 0
	s_movk_i32 s4, 0x1000
	v_mov_b32_e32 v2, v3
	v_mov_b32_e32 v1, v3
	v_mov_b32_e32 v0, v3
	v_mov_b32_e32 v7, v3
	v_mov_b32_e32 v6, v3
	v_mov_b32_e32 v5, v3
	v_mov_b32_e32 v4, v3
	v_mov_b32_e32 v11, v3
	v_mov_b32_e32 v10, v3
	v_mov_b32_e32 v9, v3
	v_mov_b32_e32 v8, v3
	v_mov_b32_e32 v15, v3
	v_mov_b32_e32 v14, v3
	v_mov_b32_e32 v13, v3
	v_mov_b32_e32 v12, v3
	v_mov_b32_e32 v19, v3
	v_mov_b32_e32 v18, v3
	v_mov_b32_e32 v17, v3
	v_mov_b32_e32 v16, v3
	v_mov_b32_e32 v23, v3
	v_mov_b32_e32 v22, v3
	v_mov_b32_e32 v21, v3
	v_mov_b32_e32 v20, v3
	v_mov_b32_e32 v27, v3
	v_mov_b32_e32 v26, v3
	v_mov_b32_e32 v25, v3
	v_mov_b32_e32 v24, v3
	v_mov_b32_e32 v31, v3
	v_mov_b32_e32 v30, v3
	v_mov_b32_e32 v29, v3
	v_mov_b32_e32 v28, v3
	v_mov_b32_e32 v35, v3
	v_mov_b32_e32 v34, v3
	v_mov_b32_e32 v33, v3
	v_mov_b32_e32 v32, v3
	v_mov_b32_e32 v39, v3
	v_mov_b32_e32 v38, v3
	v_mov_b32_e32 v37, v3
	v_mov_b32_e32 v36, v3
	v_mov_b32_e32 v43, v3
	v_mov_b32_e32 v42, v3
	v_mov_b32_e32 v41, v3
	v_mov_b32_e32 v40, v3
	v_mov_b32_e32 v47, v3
	v_mov_b32_e32 v46, v3
	v_mov_b32_e32 v45, v3
	v_mov_b32_e32 v44, v3
	v_mov_b32_e32 v51, v3
	v_mov_b32_e32 v50, v3
	v_mov_b32_e32 v49, v3
	v_mov_b32_e32 v48, v3
	v_mov_b32_e32 v55, v3
	v_mov_b32_e32 v54, v3
	v_mov_b32_e32 v53, v3
	v_mov_b32_e32 v52, v3
	v_mov_b32_e32 v63, v3
	v_mov_b32_e32 v62, v3
	v_mov_b32_e32 v61, v3
	v_mov_b32_e32 v60, v3
	v_mov_b32_e32 v59, v3
	v_mov_b32_e32 v58, v3
	v_mov_b32_e32 v57, v3
	v_mov_b32_e32 v56, v3
.LBB0_5:                                ; %Flow
	s_lshl1_add_u32 s4, s4, 0
	v_add_u32_e32 v69, s4, v69
	v_add_u32_e32 v68, s4, v68
	v_add_u32_e32 v67, s4, v67
	v_add_u32_e32 v65, s4, v65
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x32_f16 v[56:59], v[112:115], v[96:99], v[56:59]
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mfma_f32_16x16x32_f16 v[60:63], v[104:107], v[96:99], v[60:63]
	s_waitcnt vmcnt(3)
	ds_write_b128 v69, v[116:119]
	s_waitcnt vmcnt(0)
	ds_write_b128 v69, v[120:123] offset:4096
	ds_write_b128 v68, v[108:111] offset:16384
	ds_write_b128 v68, v[100:103] offset:20480
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[52:55], v[92:95], v[96:99], v[52:55]
	s_barrier
	ds_read_b64_tr_b16 v[116:117], v65 offset:17472
	ds_read_b64_tr_b16 v[120:121], v65 offset:17600
	ds_read_b64_tr_b16 v[124:125], v65 offset:17536
	ds_read_b64_tr_b16 v[128:129], v65 offset:17408
	v_mfma_f32_16x16x32_f16 v[48:51], v[80:83], v[96:99], v[48:51]
	ds_read_b128 v[72:75], v67
	ds_read_b128 v[96:99], v67 offset:2048
	s_lshr_b32 s4, s8, 3
	v_bitop3_b32 v66, s9, v70, v66 bitop3:0xc8
	v_mfma_f32_16x16x32_f16 v[44:47], v[112:115], v[88:91], v[44:47]
	v_and_or_b32 v64, s4, 16, v64
	v_or_b32_e32 v64, s3, v64
	v_lshrrev_b32_e32 v66, 2, v66
	v_mfma_f32_16x16x32_f16 v[28:31], v[112:115], v[84:87], v[28:31]
	ds_read_b128 v[100:103], v67 offset:4096
	ds_read_b128 v[108:111], v67 offset:6144
	v_or_b32_e32 v67, 64, v64
	v_or_b32_e32 v68, 0x60, v64
	v_mfma_f32_16x16x32_f16 v[12:15], v[112:115], v[76:79], v[12:15]
	ds_read_b64_tr_b16 v[114:115], v65 offset:16384
	ds_read_b64_tr_b16 v[126:127], v65 offset:16448
	ds_read_b64_tr_b16 v[118:119], v65 offset:16512
	ds_read_b64_tr_b16 v[122:123], v65 offset:16576
	v_or_b32_e32 v65, 32, v64
	v_or_b32_e32 v66, s2, v66
	s_waitcnt lgkmcnt(3)
	v_mfma_f32_16x16x32_f16 v[56:59], v[114:117], v[72:75], v[56:59]
	v_mul_lo_u32 v64, v64, s13
	v_or_b32_e32 v69, 32, v66
	s_and_b32 s1, s1, 0xffff
	v_mfma_f32_16x16x32_f16 v[40:43], v[104:107], v[88:91], v[40:43]
	s_mov_b32 s3, 0x27000
	s_mov_b32 s2, 0x7ffffffe
	v_or_b32_e32 v70, 64, v66
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x32_f16 v[60:63], v[126:129], v[72:75], v[60:63]
	v_or_b32_e32 v71, 0x60, v66
	v_mul_lo_u32 v65, v65, s13
	v_mul_lo_u32 v67, v67, s13
	v_mfma_f32_16x16x32_f16 v[36:39], v[92:95], v[88:91], v[36:39]
	v_mul_lo_u32 v68, v68, s13
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x32_f16 v[52:55], v[118:121], v[72:75], v[52:55]
	v_mfma_f32_16x16x32_f16 v[32:35], v[80:83], v[88:91], v[32:35]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[48:51], v[122:125], v[72:75], v[48:51]
	v_add_lshl_u32 v72, v64, v66, 2
	buffer_store_dwordx4 v[56:59], v72, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[44:47], v[114:117], v[96:99], v[44:47]
	s_nop 0
	v_add_lshl_u32 v56, v69, v64, 2
	buffer_store_dwordx4 v[60:63], v56, s[0:3], 0 offen
	v_add_lshl_u32 v56, v70, v64, 2
	v_mfma_f32_16x16x32_f16 v[24:27], v[104:107], v[84:87], v[24:27]
	buffer_store_dwordx4 v[52:55], v56, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[40:43], v[126:129], v[96:99], v[40:43]
	s_nop 0
	v_add_lshl_u32 v52, v71, v64, 2
	buffer_store_dwordx4 v[48:51], v52, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[20:23], v[92:95], v[84:87], v[20:23]
	s_nop 0
	v_add_lshl_u32 v48, v65, v66, 2
	buffer_store_dwordx4 v[44:47], v48, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[36:39], v[118:121], v[96:99], v[36:39]
	s_nop 0
	v_add_lshl_u32 v44, v65, v69, 2
	buffer_store_dwordx4 v[40:43], v44, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[16:19], v[80:83], v[84:87], v[16:19]
	s_nop 0
	v_add_lshl_u32 v40, v65, v70, 2
	s_nop 1
	buffer_store_dwordx4 v[36:39], v40, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[32:35], v[122:125], v[96:99], v[32:35]
	s_nop 0
	v_add_lshl_u32 v36, v65, v71, 2
	v_mfma_f32_16x16x32_f16 v[28:31], v[114:117], v[100:103], v[28:31]
	v_mfma_f32_16x16x32_f16 v[8:11], v[104:107], v[76:79], v[8:11]
	s_nop 3
	buffer_store_dwordx4 v[32:35], v36, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[24:27], v[126:129], v[100:103], v[24:27]
	s_nop 0
	v_add_lshl_u32 v32, v67, v66, 2
	buffer_store_dwordx4 v[28:31], v32, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[4:7], v[92:95], v[76:79], v[4:7]
	s_nop 0
	v_add_lshl_u32 v28, v67, v69, 2
	s_nop 1
	buffer_store_dwordx4 v[24:27], v28, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[20:23], v[118:121], v[100:103], v[20:23]
	s_nop 0
	v_add_lshl_u32 v24, v67, v70, 2
	v_mfma_f32_16x16x32_f16 v[0:3], v[80:83], v[76:79], v[0:3]
	v_mfma_f32_16x16x32_f16 v[16:19], v[122:125], v[100:103], v[16:19]
	s_nop 3
	buffer_store_dwordx4 v[20:23], v24, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[12:15], v[114:117], v[108:111], v[12:15]
	s_nop 0
	v_add_lshl_u32 v20, v67, v71, 2
	buffer_store_dwordx4 v[16:19], v20, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[8:11], v[126:129], v[108:111], v[8:11]
	s_nop 0
	v_add_lshl_u32 v16, v68, v66, 2
	s_nop 1
	buffer_store_dwordx4 v[12:15], v16, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[4:7], v[118:121], v[108:111], v[4:7]
	s_nop 0
	v_add_lshl_u32 v12, v68, v69, 2
	buffer_store_dwordx4 v[8:11], v12, s[0:3], 0 offen
	v_mfma_f32_16x16x32_f16 v[0:3], v[122:125], v[108:111], v[0:3]
	s_nop 0
	v_add_lshl_u32 v8, v68, v70, 2
	s_nop 1
	buffer_store_dwordx4 v[4:7], v8, s[0:3], 0 offen
	s_nop 1
	v_add_lshl_u32 v4, v68, v71, 2
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
		.amdhsa_next_free_vgpr 156
		.amdhsa_next_free_sgpr 24
		.amdhsa_accum_offset 156
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
	.set .Lstage2.num_vgpr, 156
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
; codeLenInByte = 2880
; TotalNumSgprs: 30
; NumVgprs: 156
; NumAgprs: 0
; TotalNumVgprs: 156
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 19
; NumSGPRsForWavesPerEU: 30
; NumVGPRsForWavesPerEU: 156
; AccumOffset: 156
; Occupancy: 3
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 0
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 38
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
    .vgpr_count:     156
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
