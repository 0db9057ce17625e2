	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	conv3d_toeplitz         ; -- Begin function conv3d_toeplitz
	.globl	conv3d_toeplitz
	.p2align	8
	.type	conv3d_toeplitz,@function
conv3d_toeplitz:                        ; @conv3d_toeplitz
; %bb.0:
	s_mov_b32 s5, 0
	s_lshl_b64 s[4:5], s[4:5], 9
	s_add_u32 s42, s4, s3
	s_addc_u32 s43, s5, 0
	s_mul_i32 s41, s2, 59
	s_mul_i32 s2, s43, 61
	s_mul_hi_u32 s4, s42, 61
	s_load_dwordx2 s[22:23], s[0:1], 0x0
	s_max_i32 s44, s41, 0
	s_add_i32 s4, s4, s2
	s_mul_i32 s2, s42, 61
	s_add_u32 s2, s2, s44
	s_addc_u32 s4, s4, 0
	s_mulk_i32 s4, 0x1c20
	s_mul_hi_u32 s5, s2, 0x1c20
	s_add_i32 s33, s5, s4
	s_mul_i32 s40, s2, 0x1c20
	s_waitcnt lgkmcnt(0)
	s_add_u32 s6, s22, s40
	s_movk_i32 s2, 0x1c2
	s_addc_u32 s7, s23, s33
	v_cmp_gt_u32_e64 s[4:5], s2, v0
	v_lshlrev_b32_e32 v38, 4, v0
                                        ; implicit-def: $vgpr2_vgpr3
	s_and_saveexec_b64 s[8:9], s[4:5]
	s_cbranch_execz .LBB0_2
; %bb.1:
	global_load_dwordx4 v[2:5], v38, s[6:7]
.LBB0_2:
	s_or_b64 exec, exec, s[8:9]
	v_add_u32_e32 v1, 0x140, v0
	s_movk_i32 s2, 0x82
	v_cmp_gt_u32_e64 s[20:21], s2, v0
	v_lshlrev_b32_e32 v76, 4, v1
                                        ; implicit-def: $vgpr6_vgpr7
	s_and_saveexec_b64 s[8:9], s[20:21]
	s_cbranch_execnz .LBB0_94
; %bb.3:
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[6:7], s[4:5]
	s_cbranch_execnz .LBB0_95
.LBB0_4:
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[20:21]
	s_cbranch_execz .LBB0_6
.LBB0_5:
	v_lshl_add_u32 v1, v1, 4, 0
	s_waitcnt vmcnt(0)
	ds_write_b128 v1, v[6:9] offset:448
.LBB0_6:
	s_or_b64 exec, exec, s[6:7]
	v_lshlrev_b32_e32 v1, 1, v0
	s_movk_i32 s2, 0x50
	v_cmp_gt_u32_e32 vcc, s2, v0
	v_lshl_add_u32 v1, v1, 1, 0
	s_and_saveexec_b64 s[6:7], vcc
; %bb.7:
	v_mov_b32_e32 v10, 0
	ds_write_b32 v1, v10 offset:128
; %bb.8:
	s_or_b64 exec, exec, s[6:7]
	s_movk_i32 s2, 0x78
	v_cmp_gt_u32_e64 s[6:7], s2, v0
	s_and_saveexec_b64 s[8:9], s[6:7]
	s_cbranch_execnz .LBB0_96
; %bb.9:
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[8:9], vcc
	s_cbranch_execnz .LBB0_97
.LBB0_10:
	s_or_b64 exec, exec, s[8:9]
	s_load_dwordx2 s[8:9], s[0:1], 0x8
	s_and_saveexec_b64 s[10:11], s[6:7]
.LBB0_11:
	v_mov_b32_e32 v10, 0
	ds_write_b32 v1, v10 offset:15648
.LBB0_12:
	s_or_b64 exec, exec, s[10:11]
	s_movk_i32 s2, 0xa0
	v_cmp_gt_u32_e32 vcc, s2, v0
	s_and_saveexec_b64 s[6:7], vcc
; %bb.13:
	v_mov_b32_e32 v10, 0
	ds_write_b32 v1, v10 offset:16128
; %bb.14:
	s_or_b64 exec, exec, s[6:7]
	s_mul_i32 s2, s3, 0x4b
	s_ashr_i32 s3, s2, 31
	v_bfe_u32 v1, v0, 4, 2
	v_bfe_u32 v28, v0, 2, 2
	s_lshl_b64 s[2:3], s[2:3], 1
	v_and_b32_e32 v25, 3, v0
	s_waitcnt lgkmcnt(0)
	s_add_u32 s2, s8, s2
	v_sub_u32_e32 v10, v1, v28
	s_addc_u32 s3, s9, s3
	v_cmp_gt_u32_e32 vcc, 5, v10
	v_cmp_eq_u32_e64 s[8:9], 0, v25
	v_mul_i32_i24_e32 v10, 5, v10
	v_mov_b32_e32 v11, 0
	s_and_b64 s[24:25], vcc, s[8:9]
	v_mov_b32_e32 v40, 0
	s_and_saveexec_b64 s[6:7], s[24:25]
	s_cbranch_execz .LBB0_16
; %bb.15:
	v_lshl_add_u64 v[12:13], v[10:11], 1, s[2:3]
	global_load_ushort v40, v[12:13], off
.LBB0_16:
	s_or_b64 exec, exec, s[6:7]
	v_sub_u32_e32 v24, 1, v25
	v_cmp_gt_u32_e64 s[10:11], 5, v24
	s_and_b64 s[26:27], vcc, s[10:11]
	v_add_u32_e32 v12, v24, v10
	s_and_saveexec_b64 s[6:7], s[26:27]
	s_cbranch_execz .LBB0_18
; %bb.17:
	v_mov_b32_e32 v13, 0
	v_lshl_add_u64 v[14:15], v[12:13], 1, s[2:3]
	global_load_ushort v11, v[14:15], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v40, v11, 16, v40
.LBB0_18:
	s_or_b64 exec, exec, s[6:7]
	v_sub_u32_e32 v13, 2, v25
	v_cmp_gt_u32_e64 s[12:13], 5, v13
	s_and_b64 s[28:29], vcc, s[12:13]
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v41, 0
	v_add_u32_e32 v14, v13, v10
	s_and_saveexec_b64 s[6:7], s[28:29]
	s_cbranch_execz .LBB0_20
; %bb.19:
	v_lshl_add_u64 v[16:17], v[14:15], 1, s[2:3]
	global_load_ushort v41, v[16:17], off
.LBB0_20:
	s_or_b64 exec, exec, s[6:7]
	v_xor_b32_e32 v15, 3, v25
	v_add_u32_e32 v16, v15, v10
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_22
; %bb.21:
	v_mov_b32_e32 v17, 0
	v_lshl_add_u64 v[18:19], v[16:17], 1, s[2:3]
	global_load_ushort v11, v[18:19], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v41, v11, 16, v41
.LBB0_22:
	s_or_b64 exec, exec, s[6:7]
	v_sub_u32_e32 v17, 4, v25
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v42, 0
	v_add_u32_e32 v18, v17, v10
	s_and_saveexec_b64 s[6:7], vcc
	s_cbranch_execz .LBB0_24
; %bb.23:
	v_lshl_add_u64 v[20:21], v[18:19], 1, s[2:3]
	global_load_ushort v42, v[20:21], off
.LBB0_24:
	s_or_b64 exec, exec, s[6:7]
	v_sub_u32_e32 v19, 5, v25
	v_cmp_ne_u32_e64 s[14:15], 0, v25
	s_and_b64 s[30:31], vcc, s[14:15]
	v_add_u32_e32 v20, v19, v10
	s_and_saveexec_b64 s[6:7], s[30:31]
	s_cbranch_execz .LBB0_26
; %bb.25:
	v_mov_b32_e32 v21, 0
	v_lshl_add_u64 v[22:23], v[20:21], 1, s[2:3]
	global_load_ushort v11, v[22:23], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v42, v11, 16, v42
.LBB0_26:
	s_or_b64 exec, exec, s[6:7]
	v_sub_u32_e32 v21, 6, v25
	v_cmp_lt_u32_e64 s[16:17], 1, v25
	s_and_b64 s[34:35], vcc, s[16:17]
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v43, 0
	v_add_u32_e32 v22, v21, v10
	s_and_saveexec_b64 s[6:7], s[34:35]
	s_cbranch_execz .LBB0_28
; %bb.27:
	v_lshl_add_u64 v[26:27], v[22:23], 1, s[2:3]
	global_load_ushort v43, v[26:27], off
.LBB0_28:
	s_or_b64 exec, exec, s[6:7]
	v_cmp_eq_u32_e64 s[18:19], 3, v25
	s_and_b64 s[36:37], vcc, s[18:19]
	s_and_saveexec_b64 s[6:7], s[36:37]
	s_cbranch_execz .LBB0_30
; %bb.29:
	v_mov_b32_e32 v11, 0
	v_lshl_add_u64 v[26:27], v[10:11], 1, s[2:3]
	global_load_ushort v11, v[26:27], off offset:8
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v43, v11, 16, v43
.LBB0_30:
	s_or_b64 exec, exec, s[6:7]
	v_or_b32_e32 v11, 4, v1
	v_sub_u32_e32 v11, v11, v28
	v_cmp_gt_u32_e64 s[6:7], 5, v11
	v_mul_u32_u24_e32 v11, 5, v11
	s_and_b64 s[8:9], s[6:7], s[8:9]
	v_mov_b32_e32 v44, 0
	v_lshlrev_b32_e32 v29, 1, v11
	s_and_saveexec_b64 s[38:39], s[8:9]
	s_cbranch_execz .LBB0_32
; %bb.31:
	global_load_ushort v44, v29, s[2:3]
.LBB0_32:
	s_or_b64 exec, exec, s[38:39]
	s_and_b64 s[10:11], s[6:7], s[10:11]
	v_add_u32_e32 v24, v24, v11
	s_and_saveexec_b64 s[38:39], s[10:11]
	s_cbranch_execz .LBB0_34
; %bb.33:
	v_mov_b32_e32 v25, 0
	v_lshl_add_u64 v[26:27], v[24:25], 1, s[2:3]
	global_load_ushort v23, v[26:27], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v44, v23, 16, v44
.LBB0_34:
	s_or_b64 exec, exec, s[38:39]
	s_and_b64 s[12:13], s[6:7], s[12:13]
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v45, 0
	v_add_u32_e32 v26, v13, v11
	s_and_saveexec_b64 s[38:39], s[12:13]
	s_cbranch_execz .LBB0_36
; %bb.35:
	v_lshl_add_u64 v[30:31], v[26:27], 1, s[2:3]
	global_load_ushort v45, v[30:31], off
.LBB0_36:
	s_or_b64 exec, exec, s[38:39]
	v_add_lshl_u32 v30, v15, v11, 1
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execz .LBB0_38
; %bb.37:
	global_load_ushort v13, v30, s[2:3]
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v45, v13, 16, v45
.LBB0_38:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v46, 0
	v_add_lshl_u32 v31, v17, v11, 1
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execz .LBB0_40
; %bb.39:
	global_load_ushort v46, v31, s[2:3]
.LBB0_40:
	s_or_b64 exec, exec, s[38:39]
	s_and_b64 s[14:15], s[6:7], s[14:15]
	v_add_lshl_u32 v32, v19, v11, 1
	s_and_saveexec_b64 s[38:39], s[14:15]
	s_cbranch_execz .LBB0_42
; %bb.41:
	global_load_ushort v13, v32, s[2:3]
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v46, v13, 16, v46
.LBB0_42:
	s_or_b64 exec, exec, s[38:39]
	s_and_b64 s[16:17], s[6:7], s[16:17]
	v_mov_b32_e32 v47, 0
	v_add_lshl_u32 v33, v21, v11, 1
	s_and_saveexec_b64 s[38:39], s[16:17]
	s_cbranch_execz .LBB0_44
; %bb.43:
	global_load_ushort v47, v33, s[2:3]
.LBB0_44:
	s_or_b64 exec, exec, s[38:39]
	s_and_b64 s[18:19], s[6:7], s[18:19]
	s_and_saveexec_b64 s[38:39], s[18:19]
	s_cbranch_execz .LBB0_46
; %bb.45:
	global_load_ushort v11, v29, s[2:3] offset:8
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v47, v11, 16, v47
.LBB0_46:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v48, 0
	s_and_saveexec_b64 s[38:39], s[24:25]
	s_cbranch_execz .LBB0_48
; %bb.47:
	v_lshl_add_u64 v[34:35], v[10:11], 1, s[2:3]
	global_load_ushort v48, v[34:35], off offset:50
.LBB0_48:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[26:27]
	s_cbranch_execz .LBB0_50
; %bb.49:
	v_mov_b32_e32 v13, 0
	v_lshl_add_u64 v[34:35], v[12:13], 1, s[2:3]
	global_load_ushort v11, v[34:35], off offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v48, v11, 16, v48
.LBB0_50:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v49, 0
	s_and_saveexec_b64 s[38:39], s[28:29]
	s_cbranch_execz .LBB0_52
; %bb.51:
	v_lshl_add_u64 v[34:35], v[14:15], 1, s[2:3]
	global_load_ushort v49, v[34:35], off offset:50
.LBB0_52:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_54
; %bb.53:
	v_mov_b32_e32 v17, 0
	v_lshl_add_u64 v[34:35], v[16:17], 1, s[2:3]
	global_load_ushort v11, v[34:35], off offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v49, v11, 16, v49
.LBB0_54:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v50, 0
	s_and_saveexec_b64 s[38:39], vcc
	s_cbranch_execz .LBB0_56
; %bb.55:
	v_lshl_add_u64 v[34:35], v[18:19], 1, s[2:3]
	global_load_ushort v50, v[34:35], off offset:50
.LBB0_56:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[30:31]
	s_cbranch_execz .LBB0_58
; %bb.57:
	v_mov_b32_e32 v21, 0
	v_lshl_add_u64 v[34:35], v[20:21], 1, s[2:3]
	global_load_ushort v11, v[34:35], off offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v50, v11, 16, v50
.LBB0_58:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v51, 0
	s_and_saveexec_b64 s[38:39], s[34:35]
	s_cbranch_execnz .LBB0_98
; %bb.59:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[36:37]
	s_cbranch_execnz .LBB0_99
.LBB0_60:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v52, 0
	s_and_saveexec_b64 s[38:39], s[8:9]
	s_cbranch_execnz .LBB0_100
.LBB0_61:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[10:11]
	s_cbranch_execz .LBB0_63
.LBB0_62:
	v_mov_b32_e32 v25, 0
	v_lshl_add_u64 v[34:35], v[24:25], 1, s[2:3]
	global_load_ushort v11, v[34:35], off offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v52, v11, 16, v52
.LBB0_63:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v53, 0
	s_and_saveexec_b64 s[38:39], s[12:13]
	s_cbranch_execnz .LBB0_101
; %bb.64:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execnz .LBB0_102
.LBB0_65:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v54, 0
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execnz .LBB0_103
.LBB0_66:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[14:15]
	s_cbranch_execnz .LBB0_104
.LBB0_67:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v55, 0
	s_and_saveexec_b64 s[38:39], s[16:17]
	s_cbranch_execnz .LBB0_105
.LBB0_68:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[18:19]
	s_cbranch_execz .LBB0_70
.LBB0_69:
	global_load_ushort v11, v29, s[2:3] offset:58
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v55, v11, 16, v55
.LBB0_70:
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v56, 0
	s_and_saveexec_b64 s[38:39], s[24:25]
	s_cbranch_execz .LBB0_72
; %bb.71:
	v_lshl_add_u64 v[34:35], v[10:11], 1, s[2:3]
	global_load_ushort v56, v[34:35], off offset:100
.LBB0_72:
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[24:25], s[26:27]
	s_cbranch_execz .LBB0_74
; %bb.73:
	v_mov_b32_e32 v13, 0
	v_lshl_add_u64 v[12:13], v[12:13], 1, s[2:3]
	global_load_ushort v11, v[12:13], off offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v56, v11, 16, v56
.LBB0_74:
	s_or_b64 exec, exec, s[24:25]
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v57, 0
	s_and_saveexec_b64 s[24:25], s[28:29]
	s_cbranch_execz .LBB0_76
; %bb.75:
	v_lshl_add_u64 v[12:13], v[14:15], 1, s[2:3]
	global_load_ushort v57, v[12:13], off offset:100
.LBB0_76:
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[24:25], vcc
	s_cbranch_execz .LBB0_78
; %bb.77:
	v_mov_b32_e32 v17, 0
	v_lshl_add_u64 v[12:13], v[16:17], 1, s[2:3]
	global_load_ushort v11, v[12:13], off offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v57, v11, 16, v57
.LBB0_78:
	s_or_b64 exec, exec, s[24:25]
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v58, 0
	s_and_saveexec_b64 s[24:25], vcc
	s_cbranch_execz .LBB0_80
; %bb.79:
	v_lshl_add_u64 v[12:13], v[18:19], 1, s[2:3]
	global_load_ushort v58, v[12:13], off offset:100
.LBB0_80:
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[24:25], s[30:31]
	s_cbranch_execz .LBB0_82
; %bb.81:
	v_mov_b32_e32 v21, 0
	v_lshl_add_u64 v[12:13], v[20:21], 1, s[2:3]
	global_load_ushort v11, v[12:13], off offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v58, v11, 16, v58
.LBB0_82:
	s_or_b64 exec, exec, s[24:25]
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v59, 0
	s_and_saveexec_b64 s[24:25], s[34:35]
	s_cbranch_execnz .LBB0_106
; %bb.83:
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[24:25], s[36:37]
	s_cbranch_execnz .LBB0_107
.LBB0_84:
	s_or_b64 exec, exec, s[24:25]
	v_mov_b32_e32 v60, 0
	s_and_saveexec_b64 s[24:25], s[8:9]
	s_cbranch_execnz .LBB0_108
.LBB0_85:
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[8:9], s[10:11]
	s_cbranch_execz .LBB0_87
.LBB0_86:
	v_mov_b32_e32 v25, 0
	v_lshl_add_u64 v[10:11], v[24:25], 1, s[2:3]
	global_load_ushort v10, v[10:11], off offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v60, v10, 16, v60
.LBB0_87:
	s_or_b64 exec, exec, s[8:9]
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v61, 0
	s_and_saveexec_b64 s[8:9], s[12:13]
	s_cbranch_execnz .LBB0_109
; %bb.88:
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[8:9], s[6:7]
	s_cbranch_execnz .LBB0_110
.LBB0_89:
	s_or_b64 exec, exec, s[8:9]
	v_mov_b32_e32 v62, 0
	s_and_saveexec_b64 s[8:9], s[6:7]
	s_cbranch_execnz .LBB0_111
.LBB0_90:
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[6:7], s[14:15]
	s_cbranch_execnz .LBB0_112
.LBB0_91:
	s_or_b64 exec, exec, s[6:7]
	v_mov_b32_e32 v63, 0
	s_and_saveexec_b64 s[6:7], s[16:17]
	s_cbranch_execnz .LBB0_113
.LBB0_92:
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[18:19]
	s_cbranch_execnz .LBB0_114
.LBB0_93:
	s_or_b64 exec, exec, s[6:7]
	s_cmp_lt_i32 s41, 61
	s_cbranch_scc1 .LBB0_115
	s_branch .LBB0_203
.LBB0_94:
	global_load_dwordx4 v[6:9], v76, s[6:7]
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[6:7], s[4:5]
	s_cbranch_execz .LBB0_4
.LBB0_95:
	v_lshl_add_u32 v10, v0, 4, 0
	s_waitcnt vmcnt(0)
	ds_write_b128 v10, v[2:5] offset:448
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[20:21]
	s_cbranch_execnz .LBB0_5
	s_branch .LBB0_6
.LBB0_96:
	v_mov_b32_e32 v10, 0
	ds_write_b32 v1, v10 offset:7648
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[8:9], vcc
	s_cbranch_execz .LBB0_10
.LBB0_97:
	v_mov_b32_e32 v10, 0
	ds_write_b32 v1, v10 offset:8128
	s_or_b64 exec, exec, s[8:9]
	s_load_dwordx2 s[8:9], s[0:1], 0x8
	s_and_saveexec_b64 s[10:11], s[6:7]
	s_cbranch_execnz .LBB0_11
	s_branch .LBB0_12
.LBB0_98:
	v_lshl_add_u64 v[34:35], v[22:23], 1, s[2:3]
	global_load_ushort v51, v[34:35], off offset:50
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[36:37]
	s_cbranch_execz .LBB0_60
.LBB0_99:
	v_mov_b32_e32 v11, 0
	v_lshl_add_u64 v[34:35], v[10:11], 1, s[2:3]
	global_load_ushort v11, v[34:35], off offset:58
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v51, v11, 16, v51
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v52, 0
	s_and_saveexec_b64 s[38:39], s[8:9]
	s_cbranch_execz .LBB0_61
.LBB0_100:
	global_load_ushort v52, v29, s[2:3] offset:50
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[10:11]
	s_cbranch_execnz .LBB0_62
	s_branch .LBB0_63
.LBB0_101:
	v_lshl_add_u64 v[34:35], v[26:27], 1, s[2:3]
	global_load_ushort v53, v[34:35], off offset:50
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execz .LBB0_65
.LBB0_102:
	global_load_ushort v11, v30, s[2:3] offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v53, v11, 16, v53
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v54, 0
	s_and_saveexec_b64 s[38:39], s[6:7]
	s_cbranch_execz .LBB0_66
.LBB0_103:
	global_load_ushort v54, v31, s[2:3] offset:50
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[14:15]
	s_cbranch_execz .LBB0_67
.LBB0_104:
	global_load_ushort v11, v32, s[2:3] offset:50
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v54, v11, 16, v54
	s_or_b64 exec, exec, s[38:39]
	v_mov_b32_e32 v55, 0
	s_and_saveexec_b64 s[38:39], s[16:17]
	s_cbranch_execz .LBB0_68
.LBB0_105:
	global_load_ushort v55, v33, s[2:3] offset:50
	s_or_b64 exec, exec, s[38:39]
	s_and_saveexec_b64 s[38:39], s[18:19]
	s_cbranch_execnz .LBB0_69
	s_branch .LBB0_70
.LBB0_106:
	v_lshl_add_u64 v[12:13], v[22:23], 1, s[2:3]
	global_load_ushort v59, v[12:13], off offset:100
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[24:25], s[36:37]
	s_cbranch_execz .LBB0_84
.LBB0_107:
	v_mov_b32_e32 v11, 0
	v_lshl_add_u64 v[10:11], v[10:11], 1, s[2:3]
	global_load_ushort v10, v[10:11], off offset:108
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v59, v10, 16, v59
	s_or_b64 exec, exec, s[24:25]
	v_mov_b32_e32 v60, 0
	s_and_saveexec_b64 s[24:25], s[8:9]
	s_cbranch_execz .LBB0_85
.LBB0_108:
	global_load_ushort v60, v29, s[2:3] offset:100
	s_or_b64 exec, exec, s[24:25]
	s_and_saveexec_b64 s[8:9], s[10:11]
	s_cbranch_execnz .LBB0_86
	s_branch .LBB0_87
.LBB0_109:
	v_lshl_add_u64 v[10:11], v[26:27], 1, s[2:3]
	global_load_ushort v61, v[10:11], off offset:100
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[8:9], s[6:7]
	s_cbranch_execz .LBB0_89
.LBB0_110:
	global_load_ushort v10, v30, s[2:3] offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v61, v10, 16, v61
	s_or_b64 exec, exec, s[8:9]
	v_mov_b32_e32 v62, 0
	s_and_saveexec_b64 s[8:9], s[6:7]
	s_cbranch_execz .LBB0_90
.LBB0_111:
	global_load_ushort v62, v31, s[2:3] offset:100
	s_or_b64 exec, exec, s[8:9]
	s_and_saveexec_b64 s[6:7], s[14:15]
	s_cbranch_execz .LBB0_91
.LBB0_112:
	global_load_ushort v10, v32, s[2:3] offset:100
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v62, v10, 16, v62
	s_or_b64 exec, exec, s[6:7]
	v_mov_b32_e32 v63, 0
	s_and_saveexec_b64 s[6:7], s[16:17]
	s_cbranch_execz .LBB0_92
.LBB0_113:
	global_load_ushort v63, v33, s[2:3] offset:100
	s_or_b64 exec, exec, s[6:7]
	s_and_saveexec_b64 s[6:7], s[18:19]
	s_cbranch_execz .LBB0_93
.LBB0_114:
	global_load_ushort v10, v29, s[2:3] offset:108
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v63, v10, 16, v63
	s_or_b64 exec, exec, s[6:7]
	s_cmp_lt_i32 s41, 61
	s_cbranch_scc0 .LBB0_203
.LBB0_115:
	s_load_dwordx2 s[2:3], s[0:1], 0x10
	s_sub_i32 s0, 59, s41
	s_min_i32 s8, s0, 59
	v_lshrrev_b32_e32 v10, 6, v0
	v_mul_u32_u24_e32 v11, 0xcd, v0
	v_mov_b32_e32 v12, 2
	s_add_i32 s0, s8, s41
	v_lshlrev_b16_sdwa v11, v12, v11 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:WORD_1
	v_mul_lo_u16_e32 v12, 52, v10
	v_mov_b32_e32 v13, 5
	s_min_i32 s0, s0, 59
	v_mul_lo_u16_sdwa v12, v12, v13 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:BYTE_1 src1_sel:DWORD
	s_sub_i32 s24, s0, s44
	s_mul_i32 s43, s43, 59
	s_mul_hi_u32 s0, s42, 59
	v_or_b32_e32 v11, v28, v11
	v_sub_u16_e32 v10, v10, v12
	s_add_i32 s24, s24, 2
	s_add_i32 s0, s0, s43
	s_mul_i32 s42, s42, 59
	s_ashr_i32 s1, s41, 31
	v_mul_u32_u24_e32 v11, 12, v11
	v_lshlrev_b16_e32 v10, 4, v10
	s_add_u32 s14, s42, s41
	v_and_b32_e32 v10, 0xf0, v10
	v_lshlrev_b32_e32 v0, 2, v0
	v_or_b32_e32 v1, v11, v1
	s_addc_u32 s15, s0, s1
	s_max_i32 s25, s8, -1
	v_and_or_b32 v0, v0, 12, v10
	v_mul_u32_u24_e32 v10, 0x50, v1
	v_mov_b32_e32 v39, 0
	s_add_u32 s12, s22, s40
	v_lshlrev_b32_e32 v10, 1, v10
	v_lshlrev_b32_e32 v12, 1, v0
	s_movk_i32 s6, 0x4c
	s_addc_u32 s13, s23, s33
	v_mov_b32_e32 v11, v39
	v_mov_b32_e32 v13, 0x1c20
	v_add3_u32 v77, 0, v10, v12
	v_cmp_ne_u32_e64 s[0:1], 0, v0
	v_cmp_gt_u32_e64 s[6:7], s6, v0
	v_cmp_lt_u32_e32 vcc, 44, v1
	v_cmp_gt_u32_e64 s[8:9], 41, v1
	v_cmp_gt_u32_e64 s[10:11], 37, v1
	v_lshl_add_u64 v[0:1], s[12:13], 0, v[38:39]
	s_mulk_i32 s15, 0x1c20
	v_mad_u64_u32 v[10:11], s[12:13], s14, v13, v[10:11]
	v_add_u32_e32 v11, s15, v11
	v_mov_b32_e32 v13, v39
	v_lshl_add_u64 v[10:11], v[10:11], 0, v[12:13]
	s_waitcnt lgkmcnt(0)
	v_lshl_add_u64 v[10:11], s[2:3], 0, v[10:11]
	s_movk_i32 s2, 0xc7c0
	s_mov_b32 s3, -1
	s_mov_b32 s18, 0
	s_add_i32 s25, s25, 2
	v_lshl_add_u64 v[64:65], v[10:11], 0, s[2:3]
	s_mov_b64 s[2:3], 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v18, 0
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v24, 0
	v_mov_b32_e32 v25, 0
	v_mov_b32_e32 v26, 0
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v28, 0
	v_mov_b32_e32 v29, 0
	v_mov_b32_e32 v30, 0
	v_mov_b32_e32 v31, 0
	v_mov_b32_e32 v32, 0
	v_mov_b32_e32 v33, 0
	s_xor_b64 s[14:15], vcc, -1
	s_mov_b32 s26, 0x7f800001
	s_movk_i32 s27, 0x7fff
	v_mov_b32_e32 v39, 64
	s_mov_b32 s28, 0
	s_branch .LBB0_118
.LBB0_116:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
.LBB0_117:                              ;   in Loop: Header=BB0_118 Depth=1
	s_add_u32 s2, s2, 0x1c20
	s_addc_u32 s3, s3, 0
	s_cmp_eq_u32 s25, s29
	s_mov_b32 s18, s29
	s_cbranch_scc1 .LBB0_203
.LBB0_118:                              ; =>This Inner Loop Header: Depth=1
	s_add_i32 s29, s18, 1
	s_cmp_lt_i32 s29, s24
	s_cselect_b64 s[16:17], -1, 0
	s_cmp_ge_i32 s29, s24
	s_barrier
	s_cbranch_scc1 .LBB0_124
; %bb.119:                              ;   in Loop: Header=BB0_118 Depth=1
	v_lshl_add_u64 v[34:35], v[0:1], 0, s[2:3]
	s_and_saveexec_b64 s[12:13], s[4:5]
	s_cbranch_execz .LBB0_121
; %bb.120:                              ;   in Loop: Header=BB0_118 Depth=1
	s_waitcnt vmcnt(0)
	v_add_co_u32_e32 v2, vcc, 0x1000, v34
	s_nop 1
	v_addc_co_u32_e32 v3, vcc, 0, v35, vcc
	global_load_dwordx4 v[2:5], v[2:3], off offset:3104
.LBB0_121:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_and_saveexec_b64 s[12:13], s[20:21]
	s_cbranch_execz .LBB0_123
; %bb.122:                              ;   in Loop: Header=BB0_118 Depth=1
	s_waitcnt vmcnt(0)
	v_add_co_u32_e32 v6, vcc, 0x3000, v34
	s_nop 1
	v_addc_co_u32_e32 v7, vcc, 0, v35, vcc
	global_load_dwordx4 v[6:9], v[6:7], off offset:32
.LBB0_123:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
.LBB0_124:                              ;   in Loop: Header=BB0_118 Depth=1
	s_mul_i32 s12, s28, 0x1f40
	v_add_u32_e32 v78, s12, v77
	ds_read_b64 v[66:67], v78 offset:128
	v_mov_b32_e32 v35, 0
	v_mov_b32_e32 v36, v35
	s_and_saveexec_b64 s[12:13], s[0:1]
; %bb.125:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v36, v78 offset:124
; %bb.126:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_and_saveexec_b64 s[12:13], s[6:7]
; %bb.127:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v35, v78 offset:136
; %bb.128:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	ds_read_b64 v[72:73], v78 offset:768
	v_mov_b32_e32 v69, 0
	v_mov_b32_e32 v70, v69
	s_and_saveexec_b64 s[12:13], s[0:1]
; %bb.129:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v70, v78 offset:764
; %bb.130:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_and_saveexec_b64 s[12:13], s[6:7]
; %bb.131:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v69, v78 offset:776
; %bb.132:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_waitcnt lgkmcnt(1)
	v_mov_b32_e32 v37, v66
	v_mov_b32_e32 v34, v67
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v71, v72
	s_waitcnt vmcnt(0)
	v_mfma_f32_16x16x16_bf16 v[80:83], v[40:41], v[36:37], 0
	v_mov_b32_e32 v68, v73
	s_cmp_gt_u32 s18, 1
	s_cselect_b64 s[18:19], -1, 0
	v_mfma_f32_16x16x16_bf16 v[10:13], v[48:49], v[36:37], v[10:13]
	v_lshl_add_u64 v[66:67], v[64:65], 0, s[2:3]
	s_and_b64 s[22:23], s[18:19], s[14:15]
	v_mfma_f32_16x16x16_bf16 v[22:25], v[56:57], v[36:37], v[22:25]
	v_mfma_f32_16x16x16_bf16 v[80:83], v[42:43], v[34:35], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[10:13], v[50:51], v[34:35], v[10:13]
	v_mfma_f32_16x16x16_bf16 v[22:25], v[58:59], v[34:35], v[22:25]
	v_mfma_f32_16x16x16_bf16 v[34:37], v[44:45], v[70:71], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[80:83], v[52:53], v[70:71], v[10:13]
	v_mfma_f32_16x16x16_bf16 v[84:87], v[60:61], v[70:71], v[22:25]
	v_mfma_f32_16x16x16_bf16 v[10:13], v[46:47], v[68:69], v[34:37]
	v_mfma_f32_16x16x16_bf16 v[22:25], v[54:55], v[68:69], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[34:37], v[62:63], v[68:69], v[84:87]
	s_and_saveexec_b64 s[12:13], s[22:23]
	s_cbranch_execz .LBB0_150
; %bb.133:                              ;   in Loop: Header=BB0_118 Depth=1
	s_nop 4
	v_and_b32_e32 v72, 0x7fffffff, v34
	v_cmp_gt_u32_e32 vcc, s26, v72
                                        ; implicit-def: $vgpr72
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.134:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v72, v34, 16, 1
	v_add3_u32 v72, v34, v72, s27
	v_lshrrev_b32_e32 v72, 16, v72
; %bb.135:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.136:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v72, v34, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.137:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v35
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr73
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.138:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v35, 16, 1
	v_add3_u32 v34, v35, v34, s27
	v_and_b32_e32 v73, 0xffff0000, v34
; %bb.139:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.140:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v35
	v_or_b32_e32 v73, 0x400000, v34
; %bb.141:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v36
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr74
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.142:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v36, 16, 1
	v_add3_u32 v34, v36, v34, s27
	v_lshrrev_b32_e32 v74, 16, v34
; %bb.143:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.144:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v74, v36, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.145:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v37
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr75
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.146:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v37, 16, 1
	v_add3_u32 v34, v37, v34, s27
	v_and_b32_e32 v75, 0xffff0000, v34
                                        ; implicit-def: $vgpr34_vgpr35_vgpr36_vgpr37
; %bb.147:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.148:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v37
	v_or_b32_e32 v75, 0x400000, v34
; %bb.149:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_or_b32_e32 v34, v73, v72
	v_or_b32_e32 v35, v75, v74
	global_store_dwordx2 v[66:67], v[34:35], off
.LBB0_150:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_nop 3
	ds_read_b64 v[34:35], v78 offset:1408
	v_mov_b32_e32 v73, 0
	v_mov_b32_e32 v74, v73
	s_and_saveexec_b64 s[12:13], s[0:1]
; %bb.151:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v74, v78 offset:1404
; %bb.152:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_and_saveexec_b64 s[12:13], s[6:7]
; %bb.153:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v73, v78 offset:1416
; %bb.154:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	v_mfma_f32_16x16x16_bf16 v[80:83], v[40:41], v[70:71], 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v75, v34
	v_mov_b32_e32 v72, v35
	v_cndmask_b32_e64 v34, 0, 1, s[18:19]
	v_mfma_f32_16x16x16_bf16 v[14:17], v[48:49], v[70:71], v[14:17]
	v_cmp_ne_u32_e64 s[12:13], 1, v34
	s_andn2_b64 vcc, exec, s[18:19]
	v_mfma_f32_16x16x16_bf16 v[26:29], v[56:57], v[70:71], v[26:29]
	v_mfma_f32_16x16x16_bf16 v[80:83], v[42:43], v[68:69], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[14:17], v[50:51], v[68:69], v[14:17]
	v_mfma_f32_16x16x16_bf16 v[26:29], v[58:59], v[68:69], v[26:29]
	v_mfma_f32_16x16x16_bf16 v[68:71], v[44:45], v[74:75], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[80:83], v[52:53], v[74:75], v[14:17]
	v_mfma_f32_16x16x16_bf16 v[84:87], v[60:61], v[74:75], v[26:29]
	v_mfma_f32_16x16x16_bf16 v[14:17], v[46:47], v[72:73], v[68:71]
	v_mfma_f32_16x16x16_bf16 v[26:29], v[54:55], v[72:73], v[80:83]
	v_mfma_f32_16x16x16_bf16 v[34:37], v[62:63], v[72:73], v[84:87]
	s_cbranch_vccnz .LBB0_174
; %bb.155:                              ;   in Loop: Header=BB0_118 Depth=1
	s_and_saveexec_b64 s[18:19], s[8:9]
	s_cbranch_execz .LBB0_173
; %bb.156:                              ;   in Loop: Header=BB0_118 Depth=1
	s_nop 3
	v_and_b32_e32 v68, 0x7fffffff, v34
	v_cmp_gt_u32_e32 vcc, s26, v68
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.157:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v68, v34, 16, 1
	v_add3_u32 v68, v34, v68, s27
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.158:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.159:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v68, v34, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.160:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v35
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr69
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.161:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v35, 16, 1
	v_add3_u32 v34, v35, v34, s27
	v_and_b32_e32 v69, 0xffff0000, v34
; %bb.162:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.163:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v35
	v_or_b32_e32 v69, 0x400000, v34
; %bb.164:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v36
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr70
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.165:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v36, 16, 1
	v_add3_u32 v34, v36, v34, s27
	v_lshrrev_b32_e32 v70, 16, v34
; %bb.166:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.167:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v70, v36, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.168:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_and_b32_e32 v34, 0x7fffffff, v37
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr71
	s_and_saveexec_b64 s[22:23], vcc
	s_xor_b64 s[22:23], exec, s[22:23]
; %bb.169:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v37, 16, 1
	v_add3_u32 v34, v37, v34, s27
	v_and_b32_e32 v71, 0xffff0000, v34
                                        ; implicit-def: $vgpr34_vgpr35_vgpr36_vgpr37
; %bb.170:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[22:23], s[22:23]
; %bb.171:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v37
	v_or_b32_e32 v71, 0x400000, v34
; %bb.172:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[22:23]
	v_or_b32_e32 v34, v69, v68
	v_or_b32_e32 v35, v71, v70
	global_store_dwordx2 v[66:67], v[34:35], off offset:640
.LBB0_173:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
.LBB0_174:                              ;   in Loop: Header=BB0_118 Depth=1
	s_nop 0
	ds_read_b64 v[68:69], v78 offset:2048
	s_nop 3
	v_mov_b32_e32 v35, 0
	v_mov_b32_e32 v36, v35
	s_and_saveexec_b64 s[18:19], s[0:1]
; %bb.175:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v36, v78 offset:2044
; %bb.176:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	s_and_saveexec_b64 s[18:19], s[6:7]
; %bb.177:                              ;   in Loop: Header=BB0_118 Depth=1
	ds_read_b32 v35, v78 offset:2056
; %bb.178:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	v_mfma_f32_16x16x16_bf16 v[78:81], v[40:41], v[74:75], 0
	s_waitcnt lgkmcnt(0)
	v_mov_b32_e32 v37, v68
	v_mov_b32_e32 v34, v69
	s_and_b64 vcc, exec, s[12:13]
	v_mfma_f32_16x16x16_bf16 v[18:21], v[48:49], v[74:75], v[18:21]
	v_mfma_f32_16x16x16_bf16 v[30:33], v[56:57], v[74:75], v[30:33]
	v_mfma_f32_16x16x16_bf16 v[78:81], v[42:43], v[72:73], v[78:81]
	v_mfma_f32_16x16x16_bf16 v[18:21], v[50:51], v[72:73], v[18:21]
	v_mfma_f32_16x16x16_bf16 v[30:33], v[58:59], v[72:73], v[30:33]
	v_mfma_f32_16x16x16_bf16 v[70:73], v[44:45], v[36:37], v[78:81]
	v_mfma_f32_16x16x16_bf16 v[78:81], v[52:53], v[36:37], v[18:21]
	v_mfma_f32_16x16x16_bf16 v[82:85], v[60:61], v[36:37], v[30:33]
	v_mfma_f32_16x16x16_bf16 v[18:21], v[46:47], v[34:35], v[70:73]
	v_mfma_f32_16x16x16_bf16 v[30:33], v[54:55], v[34:35], v[78:81]
	v_mfma_f32_16x16x16_bf16 v[34:37], v[62:63], v[34:35], v[82:85]
	s_cbranch_vccnz .LBB0_198
; %bb.179:                              ;   in Loop: Header=BB0_118 Depth=1
	s_and_saveexec_b64 s[12:13], s[10:11]
	s_cbranch_execz .LBB0_197
; %bb.180:                              ;   in Loop: Header=BB0_118 Depth=1
	s_nop 3
	v_and_b32_e32 v68, 0x7fffffff, v34
	v_cmp_gt_u32_e32 vcc, s26, v68
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[18:19], vcc
	s_xor_b64 s[18:19], exec, s[18:19]
; %bb.181:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v68, v34, 16, 1
	v_add3_u32 v68, v34, v68, s27
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.182:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[18:19], s[18:19]
; %bb.183:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v68, v34, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.184:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	v_and_b32_e32 v34, 0x7fffffff, v35
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr69
	s_and_saveexec_b64 s[18:19], vcc
	s_xor_b64 s[18:19], exec, s[18:19]
; %bb.185:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v35, 16, 1
	v_add3_u32 v34, v35, v34, s27
	v_and_b32_e32 v69, 0xffff0000, v34
; %bb.186:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[18:19], s[18:19]
; %bb.187:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v35
	v_or_b32_e32 v69, 0x400000, v34
; %bb.188:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	v_and_b32_e32 v34, 0x7fffffff, v36
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr70
	s_and_saveexec_b64 s[18:19], vcc
	s_xor_b64 s[18:19], exec, s[18:19]
; %bb.189:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v36, 16, 1
	v_add3_u32 v34, v36, v34, s27
	v_lshrrev_b32_e32 v70, 16, v34
; %bb.190:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[18:19], s[18:19]
; %bb.191:                              ;   in Loop: Header=BB0_118 Depth=1
	v_or_b32_sdwa v70, v36, v39 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.192:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	v_and_b32_e32 v34, 0x7fffffff, v37
	v_cmp_gt_u32_e32 vcc, s26, v34
                                        ; implicit-def: $vgpr71
	s_and_saveexec_b64 s[18:19], vcc
	s_xor_b64 s[18:19], exec, s[18:19]
; %bb.193:                              ;   in Loop: Header=BB0_118 Depth=1
	v_bfe_u32 v34, v37, 16, 1
	v_add3_u32 v34, v37, v34, s27
	v_and_b32_e32 v71, 0xffff0000, v34
                                        ; implicit-def: $vgpr34_vgpr35_vgpr36_vgpr37
; %bb.194:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_saveexec_b64 s[18:19], s[18:19]
; %bb.195:                              ;   in Loop: Header=BB0_118 Depth=1
	v_and_b32_e32 v34, 0xffbf0000, v37
	v_or_b32_e32 v71, 0x400000, v34
; %bb.196:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[18:19]
	v_or_b32_e32 v34, v69, v68
	v_or_b32_e32 v35, v71, v70
	global_store_dwordx2 v[66:67], v[34:35], off offset:1280
.LBB0_197:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
.LBB0_198:                              ;   in Loop: Header=BB0_118 Depth=1
	s_andn2_b64 vcc, exec, s[16:17]
	s_xor_b32 s28, s28, 1
	s_cbranch_vccnz .LBB0_117
; %bb.199:                              ;   in Loop: Header=BB0_118 Depth=1
	s_mul_i32 s12, s28, 0x1f40
	s_add_i32 s16, s12, 0
	s_and_saveexec_b64 s[12:13], s[4:5]
; %bb.200:                              ;   in Loop: Header=BB0_118 Depth=1
	v_add_u32_e32 v34, s16, v38
	ds_write_b128 v34, v[2:5] offset:448
; %bb.201:                              ;   in Loop: Header=BB0_118 Depth=1
	s_or_b64 exec, exec, s[12:13]
	s_and_saveexec_b64 s[12:13], s[20:21]
	s_cbranch_execz .LBB0_116
; %bb.202:                              ;   in Loop: Header=BB0_118 Depth=1
	v_add_u32_e32 v34, s16, v76
	ds_write_b128 v34, v[6:9] offset:448
	s_branch .LBB0_116
.LBB0_203:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel conv3d_toeplitz
		.amdhsa_group_segment_fixed_size 0
		.amdhsa_private_segment_fixed_size 0
		.amdhsa_kernarg_size 24
		.amdhsa_user_sgpr_count 2
		.amdhsa_user_sgpr_dispatch_ptr 0
		.amdhsa_user_sgpr_queue_ptr 0
		.amdhsa_user_sgpr_kernarg_segment_ptr 1
		.amdhsa_user_sgpr_dispatch_id 0
		.amdhsa_user_sgpr_kernarg_preload_length 0
		.amdhsa_user_sgpr_kernarg_preload_offset 0
		.amdhsa_user_sgpr_private_segment_size 0
		.amdhsa_uses_dynamic_stack 0
		.amdhsa_enable_private_segment 0
		.amdhsa_system_sgpr_workgroup_id_x 1
		.amdhsa_system_sgpr_workgroup_id_y 1
		.amdhsa_system_sgpr_workgroup_id_z 1
		.amdhsa_system_sgpr_workgroup_info 0
		.amdhsa_system_vgpr_workitem_id 0
		.amdhsa_next_free_vgpr 88
		.amdhsa_next_free_sgpr 45
		.amdhsa_accum_offset 88
		.amdhsa_reserve_vcc 1
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
.Lfunc_end0:
	.size	conv3d_toeplitz, .Lfunc_end0-conv3d_toeplitz
                                        ; -- End function
	.set conv3d_toeplitz.num_vgpr, 88
	.set conv3d_toeplitz.num_agpr, 0
	.set conv3d_toeplitz.numbered_sgpr, 45
	.set conv3d_toeplitz.num_named_barrier, 0
	.set conv3d_toeplitz.private_seg_size, 0
	.set conv3d_toeplitz.uses_vcc, 1
	.set conv3d_toeplitz.uses_flat_scratch, 0
	.set conv3d_toeplitz.has_dyn_sized_stack, 0
	.set conv3d_toeplitz.has_recursion, 0
	.set conv3d_toeplitz.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 4772
; TotalNumSgprs: 51
; NumVgprs: 88
; NumAgprs: 0
; TotalNumVgprs: 88
; ScratchSize: 0
; MemoryBound: 1
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 0 bytes/workgroup (compile time only)
; SGPRBlocks: 6
; VGPRBlocks: 10
; NumSGPRsForWavesPerEU: 51
; NumVGPRsForWavesPerEU: 88
; AccumOffset: 88
; Occupancy: 5
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 21
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
	.type	__hip_cuid_84014be38b7f28c4,@object ; @__hip_cuid_84014be38b7f28c4
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_84014be38b7f28c4
__hip_cuid_84014be38b7f28c4:
	.byte	0                               ; 0x0
	.size	__hip_cuid_84014be38b7f28c4, 1

	.section	".note.GNU-stack","",@progbits
	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .actual_access:  read_only
        .address_space:  global
        .offset:         0
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  read_only
        .address_space:  global
        .offset:         8
        .size:           8
        .value_kind:     global_buffer
      - .actual_access:  write_only
        .address_space:  global
        .offset:         16
        .size:           8
        .value_kind:     global_buffer
    .group_segment_fixed_size: 0
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 320
    .name:           conv3d_toeplitz
    .private_segment_fixed_size: 0
    .sgpr_count:     51
    .sgpr_spill_count: 0
    .symbol:         conv3d_toeplitz.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     88
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
