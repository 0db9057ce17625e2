	.amdgcn_target "amdgpu9.50-amd-amdhsa-unknown-gfx950"
	.amdhsa_code_object_version 5
	.text
	.globl	stage2                          ; -- Begin function stage2
	.p2align	8
	.type	stage2,@function
stage2:                                 ; @stage2
.Lfunc_begin0:
; %bb.6:
	s_load_dwordx8 s[8:15], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_branch .LBB0_0
	.p2align	8
; %bb.7:
.LBB0_0:
	v_and_b32_e32 v8, 0x3ff, v0
	s_load_dwordx2 s[6:7], s[4:5], 0x20
	s_load_dword s20, s[4:5], 0x28
	v_readfirstlane_b32 s18, v8
	s_bfe_u32 s21, s18, 0x20006
	v_and_b32_e32 v1, 63, v0
	s_lshl_b32 s19, s21, 6
	v_or_b32_e32 v3, s19, v1
	s_lshl_b32 s15, s16, 7
	v_lshrrev_b32_e32 v64, 2, v3
	v_and_b32_e32 v65, 15, v0
	s_lshl_b32 s14, s17, 7
	v_or_b32_e32 v5, s15, v64
	v_lshrrev_b32_e32 v7, 4, v3
	v_lshlrev_b32_e32 v3, 3, v65
	v_or_b32_e32 v6, 64, v5
	v_lshlrev_b32_e32 v2, 3, v8
	v_or_b32_e32 v9, 16, v7
	v_or_b32_e32 v4, s14, v3
	v_and_b32_e32 v2, 24, v2
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v10, v5, s7
	v_mul_lo_u32 v11, v6, s7
	v_mad_u64_u32 v[6:7], s[2:3], v7, s20, v[4:5]
	v_mad_u64_u32 v[4:5], s[2:3], v9, s20, v[4:5]
	s_lshl_b32 s17, s21, 10
	s_mov_b64 s[0:1], s[10:11]
	s_and_b32 s9, s9, 0xffff
	s_mov_b32 s11, 0x27000
	s_mov_b32 s10, 0x7ffffffe
	v_add_lshl_u32 v5, v10, v2, 1
	s_mov_b32 m0, s17
	v_add_lshl_u32 v7, v11, v2, 1
	buffer_load_dwordx4 v5, s[8:11], 0 offen lds
	s_add_i32 m0, s17, 0x1000
	s_and_b32 s1, s1, 0xffff
	buffer_load_dwordx4 v7, s[8:11], 0 offen lds
	s_mov_b32 s2, s10
	s_mov_b32 s3, s11
	s_add_i32 m0, s17, 0x4000
	v_lshlrev_b32_e32 v9, 1, v6
	buffer_load_dwordx4 v9, s[0:3], 0 offen lds
	s_add_i32 m0, s17, 0x5000
	v_lshlrev_b32_e32 v9, 1, v4
	buffer_load_dwordx4 v9, s[0:3], 0 offen lds
	s_add_i32 m0, s17, 0x2000
	v_add_u32_e32 v5, 64, v5
	; asyncmark
	s_lshl_b32 s16, s20, 5
	buffer_load_dwordx4 v5, s[8:11], 0 offen lds
	s_add_i32 m0, s17, 0x3000
	v_add_u32_e32 v5, 64, v7
	buffer_load_dwordx4 v5, s[8:11], 0 offen lds
	s_add_i32 m0, s17, 0x6000
	v_add_lshl_u32 v5, v6, s16, 1
	buffer_load_dwordx4 v5, s[0:3], 0 offen lds
	s_add_i32 m0, s17, 0x7000
	v_add_lshl_u32 v4, v4, s16, 1
	buffer_load_dwordx4 v4, s[0:3], 0 offen lds
	s_and_b32 s16, s19, 0x80
	v_lshlrev_b32_e32 v4, 6, v65
	v_and_b32_e32 v0, 48, v0
	s_lshl_b32 s2, s16, 3
	v_or3_b32 v67, s2, v4, v0
	v_add_u32_e32 v4, 0, v67
	; asyncmark
	; wait_asyncmark(1)
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b128 v[96:99], v4
	ds_read_b128 v[88:91], v4 offset:2048
	ds_read_b128 v[80:83], v4 offset:4096
	ds_read_b128 v[72:75], v4 offset:6144
	v_lshlrev_b32_e32 v4, 6, v8
	v_and_b32_e32 v4, 0x300, v4
	s_lshr_b32 s2, s18, 1
	s_and_b32 s2, s2, 32
	v_lshl_or_b32 v0, v0, 7, v4
	v_or3_b32 v66, s2, v0, v2
	v_add_u32_e32 v0, 0, v66
	ds_read_b64_tr_b16 v[100:101], v0 offset:16384
	ds_read_b64_tr_b16 v[92:93], v0 offset:16448
	ds_read_b64_tr_b16 v[84:85], v0 offset:16512
	ds_read_b64_tr_b16 v[76:77], v0 offset:16576
	ds_read_b64_tr_b16 v[102:103], v0 offset:17408
	ds_read_b64_tr_b16 v[94:95], v0 offset:17472
	ds_read_b64_tr_b16 v[86:87], v0 offset:17536
	ds_read_b64_tr_b16 v[78:79], v0 offset:17600
	s_mov_b32 s18, 64
	s_mov_b32 s2, 0
	s_cmpk_lt_i32 s6, 0x41
	s_movk_i32 s3, 0x1000
	s_cbranch_scc1 .LBB0_4
; %bb.1:                                ; %.lr.ph.preheader
	v_add_u32_e32 v0, s19, v1
	v_lshrrev_b32_e32 v1, 4, v0
	v_add_u32_e32 v4, 0x50, v1
	v_or_b32_e32 v1, 64, v1
	v_mul_lo_u32 v4, s20, v4
	v_mul_lo_u32 v1, s20, v1
	v_add_u32_e32 v4, s14, v4
	v_add_u32_e32 v1, s14, v1
	v_lshrrev_b32_e32 v0, 2, v0
	v_add_lshl_u32 v68, v4, v3, 1
	v_add_lshl_u32 v69, v1, v3, 1
	v_add_u32_e32 v3, s15, v0
	v_add_u32_e32 v0, 64, v3
	s_lshl_b32 s19, s20, 6
	v_mad_u64_u32 v[0:1], s[20:21], s7, v0, v[2:3]
	v_mov_b32_e32 v4, 0x80
	v_lshl_add_u32 v70, v0, 1, v4
	v_mad_u64_u32 v[0:1], s[20:21], s7, v3, v[2:3]
	v_mov_b32_e32 v56, 0
	v_lshl_add_u32 v71, v0, 1, v4
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
	s_mov_b32 s7, s2
	s_lshl_b32 s20, s7, 13
	s_add_i32 s20, s17, s20
	s_mov_b32 m0, s20
	s_waitcnt lgkmcnt(0)
	s_barrier
	buffer_load_dwordx4 v71, s[8:11], 0 offen lds
	s_add_i32 m0, s20, 0x1000
	s_mov_b32 s2, s10
	s_mov_b32 s3, s11
	buffer_load_dwordx4 v70, s[8:11], 0 offen lds
	s_add_i32 m0, s20, 0x4000
	s_nop 0
	buffer_load_dwordx4 v69, s[0:3], 0 offen lds
	s_add_i32 m0, s20, 0x5000
	s_nop 0
	buffer_load_dwordx4 v68, s[0:3], 0 offen lds
	s_xor_b32 s2, s7, 1
	s_lshl_b32 s3, s2, 13
	v_add_u32_e32 v104, s3, v67
	v_add_u32_e32 v105, s3, v66
	; asyncmark
	; wait_asyncmark(1)
	s_waitcnt vmcnt(4)
	s_barrier
	ds_read_b128 v[106:109], v104
	ds_read_b128 v[110:113], v104 offset:2048
	ds_read_b128 v[114:117], v104 offset:4096
	ds_read_b128 v[118:121], v104 offset:6144
	ds_read_b64_tr_b16 v[122:123], v105 offset:16384
	ds_read_b64_tr_b16 v[124:125], v105 offset:16448
	ds_read_b64_tr_b16 v[126:127], v105 offset:16512
	ds_read_b64_tr_b16 v[128:129], v105 offset:16576
	ds_read_b64_tr_b16 v[130:131], v105 offset:17408
	ds_read_b64_tr_b16 v[132:133], v105 offset:17472
	ds_read_b64_tr_b16 v[134:135], v105 offset:17536
	ds_read_b64_tr_b16 v[104:105], v105 offset:17600
	; sched_barrier mask(0x00000000)
	v_mfma_f32_16x16x32_f16 v[56:59], v[100:103], v[96:99], v[56:59]
	s_add_i32 s18, s18, 32
	v_add_u32_e32 v68, s19, v68
	v_add_u32_e32 v69, s19, v69
	v_mfma_f32_16x16x32_f16 v[60:63], v[92:95], v[96:99], v[60:63]
	v_add_u32_e32 v70, 64, v70
	s_cmp_lt_i32 s18, s6
	v_add_u32_e32 v71, 64, v71
	v_mfma_f32_16x16x32_f16 v[52:55], v[84:87], v[96:99], v[52:55]
	v_mfma_f32_16x16x32_f16 v[48:51], v[76:79], v[96:99], v[48:51]
	s_waitcnt lgkmcnt(11)
	v_mov_b32_e32 v96, v106
	v_mov_b32_e32 v97, v107
	v_mov_b32_e32 v98, v108
	v_mfma_f32_16x16x32_f16 v[44:47], v[100:103], v[88:91], v[44:47]
	v_mov_b32_e32 v99, v109
	v_mfma_f32_16x16x32_f16 v[40:43], v[92:95], v[88:91], v[40:43]
	v_mfma_f32_16x16x32_f16 v[36:39], v[84:87], v[88:91], v[36:39]
	v_mfma_f32_16x16x32_f16 v[32:35], v[76:79], v[88:91], v[32:35]
	s_waitcnt lgkmcnt(10)
	v_mov_b32_e32 v88, v110
	v_mov_b32_e32 v89, v111
	v_mov_b32_e32 v90, v112
	v_mfma_f32_16x16x32_f16 v[28:31], v[100:103], v[80:83], v[28:31]
	v_mov_b32_e32 v91, v113
	v_mfma_f32_16x16x32_f16 v[24:27], v[92:95], v[80:83], v[24:27]
	v_mfma_f32_16x16x32_f16 v[20:23], v[84:87], v[80:83], v[20:23]
	v_mfma_f32_16x16x32_f16 v[16:19], v[76:79], v[80:83], v[16:19]
	s_waitcnt lgkmcnt(9)
	v_mov_b32_e32 v80, v114
	v_mov_b32_e32 v81, v115
	v_mov_b32_e32 v82, v116
	v_mfma_f32_16x16x32_f16 v[12:15], v[100:103], v[72:75], v[12:15]
	v_mov_b32_e32 v83, v117
	s_waitcnt lgkmcnt(7)
	v_mov_b32_e32 v100, v122
	v_mov_b32_e32 v101, v123
	v_mfma_f32_16x16x32_f16 v[8:11], v[92:95], v[72:75], v[8:11]
	s_waitcnt lgkmcnt(3)
	v_mov_b32_e32 v102, v130
	v_mov_b32_e32 v103, v131
	v_mov_b32_e32 v92, v124
	v_mfma_f32_16x16x32_f16 v[4:7], v[84:87], v[72:75], v[4:7]
	v_mov_b32_e32 v93, v125
	s_waitcnt lgkmcnt(2)
	v_mov_b32_e32 v94, v132
	v_mov_b32_e32 v95, v133
	v_mfma_f32_16x16x32_f16 v[0:3], v[76:79], v[72:75], v[0:3]
	v_mov_b32_e32 v72, v118
	v_mov_b32_e32 v73, v119
	v_mov_b32_e32 v74, v120
	v_mov_b32_e32 v75, v121
	v_mov_b32_e32 v84, v126
	v_mov_b32_e32 v85, v127
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v86, v134
	v_mov_b32_e32 v87, v135
	v_mov_b32_e32 v76, v128
	v_mov_b32_e32 v77, v129
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v78, v104
	v_mov_b32_e32 v79, v105
	s_cbranch_scc1 .LBB0_2
; %bb.3:                                ; %._crit_edge.loopexit
	s_lshl_b32 s0, s2, 12
	s_xor_b32 s3, s0, 0x1000
	s_branch .LBB0_5
.LBB0_4:
	v_mov_b32_e32 v3, 0
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
	s_lshl1_add_u32 s1, s3, 0
	v_add_u32_e32 v66, s1, v66
	; wait_asyncmark(0)
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	v_mfma_f32_16x16x32_f16 v[28:31], v[100:103], v[80:83], v[28:31]
	s_load_dword s0, s[4:5], 0x2c
	v_add_u32_e32 v67, s1, v67
	ds_read_b128 v[104:107], v67
	ds_read_b128 v[108:111], v67 offset:2048
	ds_read_b128 v[112:115], v67 offset:4096
	ds_read_b128 v[116:119], v67 offset:6144
	v_mfma_f32_16x16x32_f16 v[24:27], v[92:95], v[80:83], v[24:27]
	s_lshr_b32 s1, s16, 3
	v_or_b32_e32 v65, s1, v65
	v_or_b32_e32 v65, s15, v65
	v_mfma_f32_16x16x32_f16 v[20:23], v[84:87], v[80:83], v[20:23]
	v_or_b32_e32 v67, 64, v65
	v_or_b32_e32 v68, 0x60, v65
	v_and_or_b32 v64, v64, 28, s14
	v_mfma_f32_16x16x32_f16 v[16:19], v[76:79], v[80:83], v[16:19]
	ds_read_b64_tr_b16 v[82:83], v66 offset:17408
	v_or_b32_e32 v69, 32, v64
	s_and_b32 s13, s13, 0xffff
	v_mfma_f32_16x16x32_f16 v[56:59], v[100:103], v[96:99], v[56:59]
	s_mov_b32 s15, 0x27000
	s_mov_b32 s14, 0x7ffffffe
	v_or_b32_e32 v70, 64, v64
	v_mfma_f32_16x16x32_f16 v[60:63], v[92:95], v[96:99], v[60:63]
	v_or_b32_e32 v71, 0x60, v64
	s_waitcnt lgkmcnt(0)
	v_mul_lo_u32 v67, v67, s0
	v_mul_lo_u32 v68, v68, s0
	v_mfma_f32_16x16x32_f16 v[52:55], v[84:87], v[96:99], v[52:55]
	v_mfma_f32_16x16x32_f16 v[48:51], v[76:79], v[96:99], v[48:51]
	v_mfma_f32_16x16x32_f16 v[44:47], v[100:103], v[88:91], v[44:47]
	v_mfma_f32_16x16x32_f16 v[40:43], v[92:95], v[88:91], v[40:43]
	v_mfma_f32_16x16x32_f16 v[36:39], v[84:87], v[88:91], v[36:39]
	v_mfma_f32_16x16x32_f16 v[32:35], v[76:79], v[88:91], v[32:35]
	v_mfma_f32_16x16x32_f16 v[8:11], v[92:95], v[72:75], v[8:11]
	ds_read_b64_tr_b16 v[80:81], v66 offset:16384
	ds_read_b64_tr_b16 v[88:89], v66 offset:16448
	ds_read_b64_tr_b16 v[92:93], v66 offset:16512
	ds_read_b64_tr_b16 v[96:97], v66 offset:16576
	ds_read_b64_tr_b16 v[90:91], v66 offset:17472
	ds_read_b64_tr_b16 v[94:95], v66 offset:17536
	ds_read_b64_tr_b16 v[98:99], v66 offset:17600
	v_or_b32_e32 v66, 32, v65
	s_waitcnt lgkmcnt(6)
	v_mfma_f32_16x16x32_f16 v[56:59], v[80:83], v[104:107], v[56:59]
	v_mul_lo_u32 v65, v65, s0
	v_mul_lo_u32 v66, v66, s0
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_16x16x32_f16 v[60:63], v[88:91], v[104:107], v[60:63]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_16x16x32_f16 v[52:55], v[92:95], v[104:107], v[52:55]
	v_mfma_f32_16x16x32_f16 v[12:15], v[100:103], v[72:75], v[12:15]
	v_mfma_f32_16x16x32_f16 v[4:7], v[84:87], v[72:75], v[4:7]
	v_mfma_f32_16x16x32_f16 v[0:3], v[76:79], v[72:75], v[0:3]
	v_add_lshl_u32 v72, v65, v64, 2
	buffer_store_dwordx4 v[56:59], v72, s[12:15], 0 offen
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_16x16x32_f16 v[48:51], v[96:99], v[104:107], v[48:51]
	v_add_lshl_u32 v56, v65, v69, 2
	buffer_store_dwordx4 v[60:63], v56, s[12:15], 0 offen
	v_add_lshl_u32 v56, v65, v70, 2
	v_mfma_f32_16x16x32_f16 v[44:47], v[80:83], v[108:111], v[44:47]
	buffer_store_dwordx4 v[52:55], v56, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[40:43], v[88:91], v[108:111], v[40:43]
	s_nop 0
	v_add_lshl_u32 v52, v65, v71, 2
	buffer_store_dwordx4 v[48:51], v52, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[36:39], v[92:95], v[108:111], v[36:39]
	s_nop 0
	v_add_lshl_u32 v48, v66, v64, 2
	buffer_store_dwordx4 v[44:47], v48, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[32:35], v[96:99], v[108:111], v[32:35]
	s_nop 0
	v_add_lshl_u32 v44, v66, v69, 2
	buffer_store_dwordx4 v[40:43], v44, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[28:31], v[80:83], v[112:115], v[28:31]
	s_nop 0
	v_add_lshl_u32 v40, v66, v70, 2
	buffer_store_dwordx4 v[36:39], v40, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[24:27], v[88:91], v[112:115], v[24:27]
	s_nop 0
	v_add_lshl_u32 v36, v66, v71, 2
	buffer_store_dwordx4 v[32:35], v36, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[20:23], v[92:95], v[112:115], v[20:23]
	s_nop 0
	v_add_lshl_u32 v32, v67, v64, 2
	buffer_store_dwordx4 v[28:31], v32, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[16:19], v[96:99], v[112:115], v[16:19]
	s_nop 0
	v_add_lshl_u32 v28, v67, v69, 2
	buffer_store_dwordx4 v[24:27], v28, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[12:15], v[80:83], v[116:119], v[12:15]
	s_nop 0
	v_add_lshl_u32 v24, v67, v70, 2
	buffer_store_dwordx4 v[20:23], v24, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[8:11], v[88:91], v[116:119], v[8:11]
	s_nop 0
	v_add_lshl_u32 v20, v67, v71, 2
	buffer_store_dwordx4 v[16:19], v20, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[4:7], v[92:95], v[116:119], v[4:7]
	s_nop 0
	v_add_lshl_u32 v16, v68, v64, 2
	buffer_store_dwordx4 v[12:15], v16, s[12:15], 0 offen
	v_mfma_f32_16x16x32_f16 v[0:3], v[96:99], v[116:119], v[0:3]
	s_nop 0
	v_add_lshl_u32 v12, v68, v69, 2
	buffer_store_dwordx4 v[8:11], v12, s[12:15], 0 offen
	s_nop 1
	v_add_lshl_u32 v8, v68, v70, 2
	buffer_store_dwordx4 v[4:7], v8, s[12:15], 0 offen
	s_nop 1
	v_add_lshl_u32 v4, v68, v71, 2
	buffer_store_dwordx4 v[0:3], v4, s[12:15], 0 offen
	s_endpgm
.Lfunc_end0:
	.size	stage2, .Lfunc_end0-stage2
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel stage2
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
		.amdhsa_next_free_vgpr 136
		.amdhsa_next_free_sgpr 22
		.amdhsa_accum_offset 136
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
	.set .Lstage2.num_vgpr, 136
	.set .Lstage2.num_agpr, 0
	.set .Lstage2.numbered_sgpr, 22
	.set .Lstage2.num_named_barrier, 0
	.set .Lstage2.private_seg_size, 0
	.set .Lstage2.uses_vcc, 0
	.set .Lstage2.uses_flat_scratch, 0
	.set .Lstage2.has_dyn_sized_stack, 0
	.set .Lstage2.has_recursion, 0
	.set .Lstage2.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 2804
; TotalNumSgprs: 28
; NumVgprs: 136
; NumAgprs: 0
; TotalNumVgprs: 136
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 3
; VGPRBlocks: 16
; NumSGPRsForWavesPerEU: 28
; NumVGPRsForWavesPerEU: 136
; AccumOffset: 136
; Occupancy: 3
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 16
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 2
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 33
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
    .name:           stage2
    .private_segment_fixed_size: 0
    .sgpr_count:     28
    .sgpr_spill_count: 0
    .symbol:         stage2.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     136
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgpu9.50-amd-amdhsa-unknown-gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
