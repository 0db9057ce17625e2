	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.amdhsa_code_object_version 6
	.text
	.protected	conv3d_blocks           ; -- Begin function conv3d_blocks
	.globl	conv3d_blocks
	.p2align	8
	.type	conv3d_blocks,@function
conv3d_blocks:                          ; @conv3d_blocks
; %bb.0:
	s_load_dwordx4 s[12:15], s[0:1], 0x0
	s_load_dwordx2 s[16:17], s[0:1], 0x10
	v_or_b32_e32 v1, 0xffffffc0, v0
	v_lshlrev_b32_e32 v8, 2, v0
	s_mov_b32 s20, s3
	s_mov_b64 s[0:1], 0
	v_mov_b32_e32 v2, 0
	s_movk_i32 s3, 0x14bf
	v_mov_b32_e32 v3, v8
	v_mov_b32_e32 v4, v1
.LBB0_1:                                ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v4, 64, v4
	v_cmp_lt_u32_e32 vcc, s3, v4
	ds_write_b32 v3, v2
	s_or_b64 s[0:1], vcc, s[0:1]
	v_add_u32_e32 v3, 0x100, v3
	s_andn2_b64 exec, exec, s[0:1]
	s_cbranch_execnz .LBB0_1
; %bb.2:
	s_or_b64 exec, exec, s[0:1]
	s_mul_hi_u32 s0, s4, 0xaaaaaaab
	s_lshr_b32 s18, s0, 3
	s_mul_i32 s0, s18, 12
	s_sub_i32 s0, s4, s0
	s_lshl_b32 s24, s0, 2
	s_mov_b32 s7, 0
	s_lshl_b32 s3, s20, 4
	s_add_i32 s21, s24, -2
	s_movk_i32 s0, 0x50
	s_mov_b32 s19, s7
	v_cmp_gt_u32_e32 vcc, s0, v0
	s_cmp_gt_u32 s2, 60
	v_lshlrev_b32_e32 v2, 1, v0
	s_mul_hi_u32 s26, s18, 0xd674000
	s_mul_i32 s27, s18, 0xd674000
	s_mul_hi_u32 s28, s3, 0x6b3a0
	s_mul_i32 s29, s3, 0x6b3a0
	s_mul_i32 s5, s2, 45
	s_mul_i32 s25, s18, 48
	s_waitcnt lgkmcnt(0)
	; wave barrier
	s_cbranch_scc1 .LBB0_15
; %bb.3:
	s_add_u32 s0, s27, s29
	s_addc_u32 s1, s26, s28
	s_add_u32 s0, s12, s0
	v_mov_b32_e32 v3, 0
	s_addc_u32 s1, s13, s1
	v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
	s_lshl2_add_u32 s0, s4, s5
	s_sub_i32 s30, s0, s25
	s_not_b32 s31, s25
	v_add_u32_e32 v9, 4, v2
	s_add_i32 s30, s30, -2
	v_add_u32_e32 v3, 0xac, v2
	s_add_i32 s31, s31, s0
	s_mov_b32 s33, 0
	s_mov_b64 s[8:9], 0x80
	s_mov_b32 s34, 0
	s_mov_b32 s35, 0
	s_branch .LBB0_6
.LBB0_4:                                ;   in Loop: Header=BB0_6 Depth=1
	s_or_b64 exec, exec, s[10:11]
.LBB0_5:                                ;   in Loop: Header=BB0_6 Depth=1
	s_add_i32 s35, s35, 2
	s_add_i32 s34, s34, 1
	s_add_i32 s33, s33, 2
	v_add_u32_e32 v9, 0x150, v9
	s_cmpk_lg_i32 s35, 0x80
	v_add_u32_e32 v3, 0x150, v3
	s_cbranch_scc0 .LBB0_15
.LBB0_6:                                ; =>This Loop Header: Depth=1
                                        ;     Child Loop BB0_9 Depth 2
                                        ;     Child Loop BB0_14 Depth 2
	s_and_b32 s0, s35, 6
	s_lshr_b32 s36, s35, 3
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_mulk_i32 s36, 0xab9
	s_cbranch_scc1 .LBB0_11
; %bb.7:                                ;   in Loop: Header=BB0_6 Depth=1
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB0_10
; %bb.8:                                ;   in Loop: Header=BB0_6 Depth=1
	s_add_i32 s0, s30, s36
	s_and_b32 s1, s34, 3
	s_lshl1_add_u32 s0, s1, s0
	s_mul_i32 s6, s0, 0x50
	v_lshl_add_u64 v[6:7], s[6:7], 1, v[4:5]
	s_mov_b64 s[22:23], 0
	v_mov_b32_e32 v10, v1
	v_mov_b32_e32 v11, v9
.LBB0_9:                                ;   Parent Loop BB0_6 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v12, v[6:7], off
	v_add_u32_e32 v10, 64, v10
	v_cmp_lt_u32_e64 s[0:1], 15, v10
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[8:9]
	s_or_b64 s[22:23], s[0:1], s[22:23]
	s_waitcnt vmcnt(0)
	ds_write_b16 v11, v12
	v_add_u32_e32 v11, 0x80, v11
	s_andn2_b64 exec, exec, s[22:23]
	s_cbranch_execnz .LBB0_9
.LBB0_10:                               ;   in Loop: Header=BB0_6 Depth=1
	s_or_b64 exec, exec, s[10:11]
.LBB0_11:                               ;   in Loop: Header=BB0_6 Depth=1
	s_or_b32 s0, s35, 1
	s_and_b32 s0, s0, 7
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_cbranch_scc1 .LBB0_5
; %bb.12:                               ;   in Loop: Header=BB0_6 Depth=1
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB0_4
; %bb.13:                               ;   in Loop: Header=BB0_6 Depth=1
	s_add_i32 s0, s31, s36
	s_and_b32 s1, s33, 7
	s_add_i32 s0, s0, s1
	s_mul_i32 s6, s0, 0x50
	v_lshl_add_u64 v[6:7], s[6:7], 1, v[4:5]
	s_mov_b64 s[22:23], 0
	v_mov_b32_e32 v10, v1
	v_mov_b32_e32 v11, v3
.LBB0_14:                               ;   Parent Loop BB0_6 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v12, v[6:7], off
	v_add_u32_e32 v10, 64, v10
	v_cmp_lt_u32_e64 s[0:1], 15, v10
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[8:9]
	s_or_b64 s[22:23], s[0:1], s[22:23]
	s_waitcnt vmcnt(0)
	ds_write_b16 v11, v12
	v_add_u32_e32 v11, 0x80, v11
	s_andn2_b64 exec, exec, s[22:23]
	s_cbranch_execnz .LBB0_14
	s_branch .LBB0_4
.LBB0_15:
	v_or_b32_e32 v3, 0x5400, v8
	s_mov_b64 s[6:7], 0
	v_mov_b32_e32 v4, 0
	s_movk_i32 s8, 0x14bf
	v_mov_b32_e32 v5, v1
.LBB0_16:                               ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v5, 64, v5
	v_cmp_lt_u32_e64 s[0:1], s8, v5
	ds_write_b32 v3, v4
	s_or_b64 s[6:7], s[0:1], s[6:7]
	v_add_u32_e32 v3, 0x100, v3
	s_andn2_b64 exec, exec, s[6:7]
	s_cbranch_execnz .LBB0_16
; %bb.17:
	s_or_b64 exec, exec, s[6:7]
	s_add_i32 s0, s2, 1
	s_cmp_gt_u32 s0, 60
	s_waitcnt lgkmcnt(0)
	; wave barrier
	s_cbranch_scc1 .LBB0_30
; %bb.18:
	s_add_u32 s0, s27, s29
	s_addc_u32 s1, s26, s28
	s_add_u32 s0, s12, s0
	v_mov_b32_e32 v3, 0
	s_addc_u32 s1, s13, s1
	v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
	s_lshl2_add_u32 s0, s4, s5
	s_sub_i32 s31, s0, s25
	v_add_u32_e32 v9, 0x5404, v2
	s_add_i32 s30, s31, 43
	v_add_u32_e32 v3, 0x54ac, v2
	s_add_i32 s31, s31, 44
	s_mov_b32 s7, 0
	s_mov_b32 s33, 0
	s_mov_b64 s[8:9], 0x80
	s_mov_b32 s34, 0
	s_mov_b32 s35, 0
	s_branch .LBB0_21
.LBB0_19:                               ;   in Loop: Header=BB0_21 Depth=1
	s_or_b64 exec, exec, s[10:11]
.LBB0_20:                               ;   in Loop: Header=BB0_21 Depth=1
	s_add_i32 s35, s35, 2
	s_add_i32 s34, s34, 1
	s_add_i32 s33, s33, 2
	v_add_u32_e32 v9, 0x150, v9
	s_cmpk_lg_i32 s35, 0x80
	v_add_u32_e32 v3, 0x150, v3
	s_cbranch_scc0 .LBB0_30
.LBB0_21:                               ; =>This Loop Header: Depth=1
                                        ;     Child Loop BB0_24 Depth 2
                                        ;     Child Loop BB0_29 Depth 2
	s_and_b32 s0, s35, 6
	s_lshr_b32 s36, s35, 3
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_mulk_i32 s36, 0xab9
	s_cbranch_scc1 .LBB0_26
; %bb.22:                               ;   in Loop: Header=BB0_21 Depth=1
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB0_25
; %bb.23:                               ;   in Loop: Header=BB0_21 Depth=1
	s_add_i32 s0, s30, s36
	s_and_b32 s1, s34, 3
	s_lshl1_add_u32 s0, s1, s0
	s_mul_i32 s6, s0, 0x50
	v_lshl_add_u64 v[6:7], s[6:7], 1, v[4:5]
	s_mov_b64 s[22:23], 0
	v_mov_b32_e32 v10, v1
	v_mov_b32_e32 v11, v9
.LBB0_24:                               ;   Parent Loop BB0_21 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v12, v[6:7], off
	v_add_u32_e32 v10, 64, v10
	v_cmp_lt_u32_e64 s[0:1], 15, v10
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[8:9]
	s_or_b64 s[22:23], s[0:1], s[22:23]
	s_waitcnt vmcnt(0)
	ds_write_b16 v11, v12
	v_add_u32_e32 v11, 0x80, v11
	s_andn2_b64 exec, exec, s[22:23]
	s_cbranch_execnz .LBB0_24
.LBB0_25:                               ;   in Loop: Header=BB0_21 Depth=1
	s_or_b64 exec, exec, s[10:11]
.LBB0_26:                               ;   in Loop: Header=BB0_21 Depth=1
	s_or_b32 s0, s35, 1
	s_and_b32 s0, s0, 7
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_cbranch_scc1 .LBB0_20
; %bb.27:                               ;   in Loop: Header=BB0_21 Depth=1
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB0_19
; %bb.28:                               ;   in Loop: Header=BB0_21 Depth=1
	s_add_i32 s0, s31, s36
	s_and_b32 s1, s33, 7
	s_add_i32 s0, s0, s1
	s_mul_i32 s6, s0, 0x50
	v_lshl_add_u64 v[6:7], s[6:7], 1, v[4:5]
	s_mov_b64 s[22:23], 0
	v_mov_b32_e32 v10, v1
	v_mov_b32_e32 v11, v3
.LBB0_29:                               ;   Parent Loop BB0_21 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v12, v[6:7], off
	v_add_u32_e32 v10, 64, v10
	v_cmp_lt_u32_e64 s[0:1], 15, v10
	v_lshl_add_u64 v[6:7], v[6:7], 0, s[8:9]
	s_or_b64 s[22:23], s[0:1], s[22:23]
	s_waitcnt vmcnt(0)
	ds_write_b16 v11, v12
	v_add_u32_e32 v11, 0x80, v11
	s_andn2_b64 exec, exec, s[22:23]
	s_cbranch_execnz .LBB0_29
	s_branch .LBB0_19
.LBB0_30:
	v_or_b32_e32 v3, 0xa800, v8
	s_mov_b64 s[6:7], 0
	v_mov_b32_e32 v4, 0
	s_movk_i32 s8, 0x14bf
	v_mov_b32_e32 v5, v1
.LBB0_31:                               ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v5, 64, v5
	v_cmp_lt_u32_e64 s[0:1], s8, v5
	ds_write_b32 v3, v4
	s_or_b64 s[6:7], s[0:1], s[6:7]
	v_add_u32_e32 v3, 0x100, v3
	s_andn2_b64 exec, exec, s[6:7]
	s_cbranch_execnz .LBB0_31
; %bb.32:
	s_or_b64 exec, exec, s[6:7]
	s_add_i32 s0, s2, 2
	s_cmp_gt_u32 s0, 60
	s_waitcnt lgkmcnt(0)
	; wave barrier
	s_cbranch_scc1 .LBB0_45
; %bb.33:
	s_add_u32 s0, s27, s29
	s_addc_u32 s1, s26, s28
	s_add_u32 s0, s12, s0
	v_mov_b32_e32 v3, 0
	s_addc_u32 s1, s13, s1
	v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
	s_lshl2_add_u32 s0, s4, s5
	s_sub_i32 s13, s0, s25
	v_add_u32_e32 v6, 0xa804, v2
	s_add_i32 s12, s13, 0x58
	v_add_u32_e32 v7, 0xa8ac, v2
	s_addk_i32 s13, 0x59
	s_mov_b32 s5, 0
	s_mov_b32 s22, 0
	s_mov_b64 s[6:7], 0x80
	s_mov_b32 s23, 0
	s_mov_b32 s25, 0
	s_branch .LBB0_36
.LBB0_34:                               ;   in Loop: Header=BB0_36 Depth=1
	s_or_b64 exec, exec, s[8:9]
.LBB0_35:                               ;   in Loop: Header=BB0_36 Depth=1
	s_add_i32 s25, s25, 2
	s_add_i32 s23, s23, 1
	s_add_i32 s22, s22, 2
	v_add_u32_e32 v6, 0x150, v6
	s_cmpk_lg_i32 s25, 0x80
	v_add_u32_e32 v7, 0x150, v7
	s_cbranch_scc0 .LBB0_45
.LBB0_36:                               ; =>This Loop Header: Depth=1
                                        ;     Child Loop BB0_39 Depth 2
                                        ;     Child Loop BB0_44 Depth 2
	s_and_b32 s0, s25, 6
	s_lshr_b32 s26, s25, 3
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_mulk_i32 s26, 0xab9
	s_cbranch_scc1 .LBB0_41
; %bb.37:                               ;   in Loop: Header=BB0_36 Depth=1
	s_and_saveexec_b64 s[8:9], vcc
	s_cbranch_execz .LBB0_40
; %bb.38:                               ;   in Loop: Header=BB0_36 Depth=1
	s_add_i32 s0, s12, s26
	s_and_b32 s1, s23, 3
	s_lshl1_add_u32 s0, s1, s0
	s_mul_i32 s4, s0, 0x50
	v_lshl_add_u64 v[2:3], s[4:5], 1, v[4:5]
	s_mov_b64 s[10:11], 0
	v_mov_b32_e32 v8, v1
	v_mov_b32_e32 v9, v6
.LBB0_39:                               ;   Parent Loop BB0_36 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v10, v[2:3], off
	v_add_u32_e32 v8, 64, v8
	v_cmp_lt_u32_e64 s[0:1], 15, v8
	v_lshl_add_u64 v[2:3], v[2:3], 0, s[6:7]
	s_or_b64 s[10:11], s[0:1], s[10:11]
	s_waitcnt vmcnt(0)
	ds_write_b16 v9, v10
	v_add_u32_e32 v9, 0x80, v9
	s_andn2_b64 exec, exec, s[10:11]
	s_cbranch_execnz .LBB0_39
.LBB0_40:                               ;   in Loop: Header=BB0_36 Depth=1
	s_or_b64 exec, exec, s[8:9]
.LBB0_41:                               ;   in Loop: Header=BB0_36 Depth=1
	s_or_b32 s0, s25, 1
	s_and_b32 s0, s0, 7
	s_add_i32 s0, s21, s0
	s_cmp_gt_u32 s0, 44
	s_cbranch_scc1 .LBB0_35
; %bb.42:                               ;   in Loop: Header=BB0_36 Depth=1
	s_and_saveexec_b64 s[8:9], vcc
	s_cbranch_execz .LBB0_34
; %bb.43:                               ;   in Loop: Header=BB0_36 Depth=1
	s_add_i32 s0, s13, s26
	s_and_b32 s1, s22, 7
	s_add_i32 s0, s0, s1
	s_mul_i32 s4, s0, 0x50
	v_lshl_add_u64 v[2:3], s[4:5], 1, v[4:5]
	s_mov_b64 s[10:11], 0
	v_mov_b32_e32 v8, v1
	v_mov_b32_e32 v9, v7
.LBB0_44:                               ;   Parent Loop BB0_36 Depth=1
                                        ; =>  This Inner Loop Header: Depth=2
	global_load_ushort v10, v[2:3], off
	v_add_u32_e32 v8, 64, v8
	v_cmp_lt_u32_e64 s[0:1], 15, v8
	v_lshl_add_u64 v[2:3], v[2:3], 0, s[6:7]
	s_or_b64 s[10:11], s[0:1], s[10:11]
	s_waitcnt vmcnt(0)
	ds_write_b16 v9, v10
	v_add_u32_e32 v9, 0x80, v9
	s_andn2_b64 exec, exec, s[10:11]
	s_cbranch_execnz .LBB0_44
	s_branch .LBB0_34
.LBB0_45:
	s_mov_b32 s21, 0
	v_lshrrev_b32_e32 v120, 2, v0
	v_and_b32_e32 v154, 3, v0
	s_lshl_b64 s[0:1], s[20:21], 4
	v_or_b32_e32 v2, s0, v120
	s_movk_i32 s0, 0x96
	v_mov_b64_e32 v[0:1], s[14:15]
	v_lshl_or_b32 v4, v120, 3, v154
	v_mov_b32_e32 v121, 0
	v_mad_u64_u32 v[122:123], s[4:5], v2, s0, v[0:1]
	v_mov_b32_e32 v0, 0x96
	v_mul_u32_u24_e32 v155, 0xa8, v4
	v_mul_hi_u32_u24_e32 v5, 0x96, v120
	v_mul_u32_u24_e32 v4, 0x96, v120
	v_mov_b32_e32 v7, 0x960
	v_mad_u32_u24 v123, s1, v0, v123
	v_sub_co_u32_e64 v0, s[10:11], 1, v154
	v_mov_b32_e32 v1, v121
	v_mad_u64_u32 v[4:5], s[12:13], s20, v7, v[4:5]
	v_cmp_gt_u32_e64 s[4:5], 5, v0
	v_sub_u32_e32 v2, 2, v154
	v_mov_b32_e32 v3, v121
	v_lshl_add_u64 v[0:1], v[0:1], 1, v[4:5]
	v_cmp_gt_u32_e64 s[6:7], 5, v2
	v_lshl_add_u64 v[126:127], s[14:15], 0, v[0:1]
	v_lshl_add_u64 v[0:1], v[2:3], 1, v[4:5]
	v_lshlrev_b32_e32 v2, 1, v154
	v_lshl_add_u64 v[128:129], s[14:15], 0, v[0:1]
	v_sub_u32_e32 v0, 8, v2
	v_mov_b32_e32 v1, v121
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[0:1]
	v_lshl_add_u64 v[130:131], s[14:15], 0, v[0:1]
	v_sub_u32_e32 v0, 10, v2
	v_mov_b32_e32 v1, v121
	v_xor_b32_e32 v6, 3, v154
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[0:1]
	v_lshlrev_b32_e32 v6, 1, v6
	v_mov_b32_e32 v7, v121
	v_lshl_add_u64 v[132:133], s[14:15], 0, v[0:1]
	v_sub_u32_e32 v0, 12, v2
	v_mov_b32_e32 v1, v121
	v_lshl_add_u64 v[6:7], v[4:5], 0, v[6:7]
	v_lshl_add_u64 v[0:1], v[4:5], 0, v[0:1]
	v_mov_b32_e32 v156, 0
	v_cmp_eq_u32_e32 vcc, 0, v154
	v_cmp_ne_u32_e64 s[0:1], 0, v154
	v_cmp_eq_u32_e64 s[8:9], 3, v154
	v_lshl_add_u64 v[124:125], s[14:15], 0, v[6:7]
	v_lshl_add_u64 v[134:135], s[14:15], 0, v[0:1]
	s_mov_b64 s[12:13], 0
	v_mov_b32_e32 v76, 0
	v_mov_b32_e32 v77, 0
	v_mov_b32_e32 v78, 0
	v_mov_b32_e32 v79, 0
	v_mov_b32_e32 v72, 0
	v_mov_b32_e32 v73, 0
	v_mov_b32_e32 v74, 0
	v_mov_b32_e32 v75, 0
	v_mov_b32_e32 v68, 0
	v_mov_b32_e32 v69, 0
	v_mov_b32_e32 v70, 0
	v_mov_b32_e32 v71, 0
	v_mov_b32_e32 v64, 0
	v_mov_b32_e32 v65, 0
	v_mov_b32_e32 v66, 0
	v_mov_b32_e32 v67, 0
	v_mov_b32_e32 v60, 0
	v_mov_b32_e32 v61, 0
	v_mov_b32_e32 v62, 0
	v_mov_b32_e32 v63, 0
	v_mov_b32_e32 v56, 0
	v_mov_b32_e32 v57, 0
	v_mov_b32_e32 v58, 0
	v_mov_b32_e32 v59, 0
	v_mov_b32_e32 v52, 0
	v_mov_b32_e32 v53, 0
	v_mov_b32_e32 v54, 0
	v_mov_b32_e32 v55, 0
	v_mov_b32_e32 v48, 0
	v_mov_b32_e32 v49, 0
	v_mov_b32_e32 v50, 0
	v_mov_b32_e32 v51, 0
	v_mov_b32_e32 v44, 0
	v_mov_b32_e32 v45, 0
	v_mov_b32_e32 v46, 0
	v_mov_b32_e32 v47, 0
	v_mov_b32_e32 v40, 0
	v_mov_b32_e32 v41, 0
	v_mov_b32_e32 v42, 0
	v_mov_b32_e32 v43, 0
	v_mov_b32_e32 v36, 0
	v_mov_b32_e32 v37, 0
	v_mov_b32_e32 v38, 0
	v_mov_b32_e32 v39, 0
	v_mov_b32_e32 v32, 0
	v_mov_b32_e32 v33, 0
	v_mov_b32_e32 v34, 0
	v_mov_b32_e32 v35, 0
	v_mov_b32_e32 v28, 0
	v_mov_b32_e32 v29, 0
	v_mov_b32_e32 v30, 0
	v_mov_b32_e32 v31, 0
	v_mov_b32_e32 v24, 0
	v_mov_b32_e32 v25, 0
	v_mov_b32_e32 v26, 0
	v_mov_b32_e32 v27, 0
	v_mov_b32_e32 v20, 0
	v_mov_b32_e32 v21, 0
	v_mov_b32_e32 v22, 0
	v_mov_b32_e32 v23, 0
	v_mov_b32_e32 v16, 0
	v_mov_b32_e32 v17, 0
	v_mov_b32_e32 v18, 0
	v_mov_b32_e32 v19, 0
	v_mov_b32_e32 v12, 0
	v_mov_b32_e32 v13, 0
	v_mov_b32_e32 v14, 0
	v_mov_b32_e32 v15, 0
	v_mov_b32_e32 v8, 0
	v_mov_b32_e32 v9, 0
	v_mov_b32_e32 v10, 0
	v_mov_b32_e32 v11, 0
	v_mov_b32_e32 v4, 0
	v_mov_b32_e32 v5, 0
	v_mov_b32_e32 v6, 0
	v_mov_b32_e32 v7, 0
	v_mov_b32_e32 v0, 0
	v_mov_b32_e32 v1, 0
	v_mov_b32_e32 v2, 0
	v_mov_b32_e32 v3, v156
	s_waitcnt lgkmcnt(0)
	; wave barrier
	s_branch .LBB0_47
.LBB0_46:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_waitcnt vmcnt(1)
	v_lshlrev_b32_e32 v45, 16, v45
	v_or_b32_e32 v109, v45, v44
	ds_read2_b64 v[46:49], v155 offset0:84 offset1:85
	ds_read2_b64 v[50:53], v155 offset0:86 offset1:87
	ds_read2_b64 v[140:143], v155 offset0:96 offset1:97
	ds_read2_b64 v[144:147], v155 offset0:98 offset1:99
	ds_read2_b64 v[148:151], v155 offset0:100 offset1:101
	ds_read2_b64 v[158:161], v155 offset0:102 offset1:103
	ds_read_b64 v[152:153], v155 offset:832
	s_waitcnt lgkmcnt(6)
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[108:109], v[48:49], v[32:35]
	s_add_u32 s12, s12, 50
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[108:109], v[46:47], v[112:115]
	s_addc_u32 s13, s13, 0
	s_waitcnt vmcnt(0) lgkmcnt(5)
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[110:111], v[50:51], v[32:35]
	s_nop 0
	ds_read2_b64 v[32:35], v155 offset0:88 offset1:89
	ds_read2_b64 v[112:115], v155 offset0:90 offset1:91
	v_mfma_f32_4x4x4_16b_bf16 v[76:79], v[110:111], v[48:49], v[44:47]
	s_cmpk_eq_i32 s12, 0x96
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[108:109], v[52:53], v[116:119]
	s_nop 0
	ds_read2_b64 v[116:119], v155 offset0:92 offset1:93
	ds_read2_b64 v[136:139], v155 offset0:94 offset1:95
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[108:109], v[50:51], v[24:27]
	v_add_u32_e32 v155, 0x5400, v155
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[112:113], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[68:71], v[110:111], v[52:53], v[24:27]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[110:111], v[114:115], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[114:115], v[12:15]
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[110:111], v[32:33], v[44:47]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[110:111], v[116:117], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[116:117], v[16:19]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[108:109], v[32:33], v[36:39]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[110:111], v[118:119], v[0:3]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[136:137], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[110:111], v[34:35], v[24:27]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[110:111], v[138:139], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[138:139], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[108:109], v[34:35], v[4:7]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[110:111], v[140:141], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[140:141], v[84:87]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[108:109], v[118:119], v[40:43]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[110:111], v[142:143], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[142:143], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[110:111], v[136:137], v[24:27]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[110:111], v[144:145], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[144:145], v[80:83]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[110:111], v[112:113], v[4:7]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[110:111], v[146:147], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[146:147], v[100:103]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[110:111], v[148:149], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[148:149], v[104:107]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[110:111], v[150:151], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[150:151], v[92:95]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[110:111], v[158:159], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[158:159], v[96:99]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[110:111], v[160:161], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[160:161], v[88:91]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[110:111], v[152:153], v[0:3]
	s_cbranch_scc1 .LBB0_107
.LBB0_47:                               ; =>This Inner Loop Header: Depth=1
	v_lshl_add_u64 v[136:137], v[122:123], 0, s[12:13]
	v_mov_b32_e32 v80, v156
	s_and_saveexec_b64 s[14:15], vcc
	s_cbranch_execz .LBB0_49
; %bb.48:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v80, v[136:137], off
.LBB0_49:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_lshl_add_u64 v[138:139], v[126:127], 0, s[12:13]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execz .LBB0_51
; %bb.50:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v81, v[138:139], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v80, v81, 16, v80
.LBB0_51:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v81, 0
	v_lshl_add_u64 v[140:141], v[128:129], 0, s[12:13]
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB0_53
; %bb.52:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v81, v[140:141], off
.LBB0_53:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_lshl_add_u64 v[146:147], v[124:125], 0, s[12:13]
	v_lshl_add_u64 v[148:149], v[130:131], 0, s[12:13]
	global_load_ushort v84, v[146:147], off
	global_load_ushort v82, v[148:149], off
	v_lshl_add_u64 v[142:143], v[132:133], 0, s[12:13]
	s_and_saveexec_b64 s[14:15], s[0:1]
	s_cbranch_execz .LBB0_55
; %bb.54:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v83, v[142:143], off
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v82, v83, 16, v82
.LBB0_55:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v83, 0
	v_lshl_add_u64 v[144:145], v[134:135], 0, s[12:13]
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execz .LBB0_57
; %bb.56:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v83, v[144:145], off
.LBB0_57:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_59
; %bb.58:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v85, v[136:137], off offset:8
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v83, v85, 16, v83
.LBB0_59:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_waitcnt vmcnt(1)
	v_lshlrev_b32_e32 v84, 16, v84
	v_or_b32_e32 v81, v84, v81
	ds_read2_b64 v[84:87], v155 offset1:1
	ds_read2_b64 v[88:91], v155 offset0:2 offset1:3
	v_mov_b32_e32 v92, 0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[76:79], v[80:81], v[84:85], v[76:79]
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[80:81], v[86:87], v[72:75]
	s_waitcnt vmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[76:79], v[82:83], v[86:87], v[76:79]
	ds_read2_b64 v[84:87], v155 offset0:4 offset1:5
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[68:71], v[80:81], v[88:89], v[68:71]
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[82:83], v[88:89], v[72:75]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[68:71], v[82:83], v[90:91], v[68:71]
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[80:81], v[90:91], v[64:67]
	ds_read2_b64 v[88:91], v155 offset0:6 offset1:7
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[80:81], v[84:85], v[60:63]
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[82:83], v[84:85], v[64:67]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[82:83], v[86:87], v[60:63]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[80:81], v[86:87], v[56:59]
	ds_read2_b64 v[84:87], v155 offset0:8 offset1:9
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[80:81], v[88:89], v[52:55]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[82:83], v[88:89], v[56:59]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[82:83], v[90:91], v[52:55]
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[80:81], v[90:91], v[48:51]
	ds_read2_b64 v[88:91], v155 offset0:10 offset1:11
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[80:81], v[84:85], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[82:83], v[84:85], v[48:51]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[82:83], v[86:87], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[80:81], v[86:87], v[40:43]
	ds_read2_b64 v[84:87], v155 offset0:12 offset1:13
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[80:81], v[88:89], v[36:39]
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[82:83], v[88:89], v[40:43]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[82:83], v[90:91], v[36:39]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[80:81], v[90:91], v[32:35]
	ds_read2_b64 v[88:91], v155 offset0:14 offset1:15
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[80:81], v[84:85], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[82:83], v[84:85], v[32:35]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[82:83], v[86:87], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[80:81], v[86:87], v[24:27]
	ds_read2_b64 v[84:87], v155 offset0:16 offset1:17
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[80:81], v[88:89], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[82:83], v[88:89], v[24:27]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[82:83], v[90:91], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[80:81], v[90:91], v[16:19]
	ds_read2_b64 v[88:91], v155 offset0:18 offset1:19
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[80:81], v[84:85], v[12:15]
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[82:83], v[84:85], v[16:19]
	ds_read_b64 v[84:85], v155 offset:160
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[80:81], v[86:87], v[8:11]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[80:81], v[88:89], v[4:7]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[80:81], v[90:91], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[82:83], v[86:87], v[12:15]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[82:83], v[88:89], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[82:83], v[90:91], v[4:7]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[80:83], v[82:83], v[84:85], v[0:3]
	s_and_saveexec_b64 s[14:15], vcc
	s_cbranch_execnz .LBB0_90
; %bb.60:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execnz .LBB0_91
.LBB0_61:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v0, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB0_63
.LBB0_62:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v0, v[140:141], off offset:10
.LBB0_63:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	global_load_ushort v1, v[146:147], off offset:10
	global_load_ushort v94, v[148:149], off offset:10
	s_and_saveexec_b64 s[14:15], s[0:1]
	s_cbranch_execnz .LBB0_92
; %bb.64:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v95, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execnz .LBB0_93
.LBB0_65:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_67
.LBB0_66:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v2, v[136:137], off offset:18
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v95, v2, 16, v95
.LBB0_67:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_waitcnt vmcnt(1)
	v_lshlrev_b32_e32 v1, 16, v1
	v_or_b32_e32 v93, v1, v0
	ds_read2_b64 v[84:87], v155 offset0:21 offset1:22
	ds_read2_b64 v[96:99], v155 offset0:23 offset1:24
	v_mov_b32_e32 v108, 0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[92:93], v[84:85], v[76:79]
	s_nop 0
	ds_read2_b64 v[76:79], v155 offset0:27 offset1:28
	s_waitcnt vmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[88:91], v[94:95], v[86:87], v[0:3]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[92:93], v[96:97], v[68:71]
	s_nop 0
	ds_read2_b64 v[68:71], v155 offset0:25 offset1:26
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[92:93], v[86:87], v[72:75]
	ds_read2_b64 v[84:87], v155 offset0:29 offset1:30
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[92:93], v[70:71], v[56:59]
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[92:93], v[76:77], v[52:55]
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[92:93], v[98:99], v[64:67]
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[92:93], v[68:69], v[60:63]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[94:95], v[76:77], v[56:59]
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[94:95], v[78:79], v[52:55]
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[92:93], v[78:79], v[48:51]
	ds_read2_b64 v[76:79], v155 offset0:31 offset1:32
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[94:95], v[68:69], v[64:67]
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[94:95], v[70:71], v[60:63]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[68:71], v[94:95], v[84:85], v[48:51]
	s_nop 0
	ds_read2_b64 v[48:51], v155 offset0:33 offset1:34
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[92:93], v[84:85], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[92:93], v[86:87], v[40:43]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[94:95], v[86:87], v[44:47]
	ds_read2_b64 v[84:87], v155 offset0:35 offset1:36
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[92:93], v[76:77], v[36:39]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[92:93], v[78:79], v[32:35]
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[94:95], v[76:77], v[40:43]
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[94:95], v[78:79], v[36:39]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[76:79], v[94:95], v[48:49], v[32:35]
	s_nop 0
	ds_read2_b64 v[32:35], v155 offset0:37 offset1:38
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[92:93], v[48:49], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[92:93], v[50:51], v[24:27]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[94:95], v[50:51], v[28:31]
	ds_read2_b64 v[48:51], v155 offset0:39 offset1:40
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[92:93], v[84:85], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[92:93], v[86:87], v[16:19]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[94:95], v[84:85], v[24:27]
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[94:95], v[86:87], v[20:23]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[84:87], v[94:95], v[32:33], v[16:19]
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[92:93], v[32:33], v[12:15]
	ds_read_b64 v[32:33], v155 offset:328
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[92:93], v[34:35], v[8:11]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[92:93], v[48:49], v[4:7]
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[92:93], v[50:51], v[80:83]
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[94:95], v[96:97], v[72:75]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[94:95], v[98:99], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[94:95], v[34:35], v[12:15]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[94:95], v[48:49], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[94:95], v[50:51], v[4:7]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[80:83], v[94:95], v[32:33], v[16:19]
	s_and_saveexec_b64 s[14:15], vcc
	s_cbranch_execnz .LBB0_94
; %bb.68:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execnz .LBB0_95
.LBB0_69:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v16, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB0_71
.LBB0_70:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v16, v[140:141], off offset:20
.LBB0_71:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	global_load_ushort v17, v[146:147], off offset:20
	global_load_ushort v110, v[148:149], off offset:20
	s_and_saveexec_b64 s[14:15], s[0:1]
	s_cbranch_execnz .LBB0_96
; %bb.72:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v111, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execnz .LBB0_97
.LBB0_73:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_75
.LBB0_74:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v18, v[136:137], off offset:28
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v111, v18, 16, v111
.LBB0_75:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_waitcnt vmcnt(1)
	v_lshlrev_b32_e32 v17, 16, v17
	v_or_b32_e32 v109, v17, v16
	ds_read2_b64 v[48:51], v155 offset0:42 offset1:43
	ds_read2_b64 v[92:95], v155 offset0:44 offset1:45
	v_mov_b32_e32 v150, 0
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[108:109], v[48:49], v[88:91]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[108:109], v[50:51], v[72:75]
	s_waitcnt vmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[112:115], v[110:111], v[50:51], v[16:19]
	ds_read2_b64 v[48:51], v155 offset0:46 offset1:47
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[108:109], v[94:95], v[64:67]
	s_nop 0
	ds_read2_b64 v[64:67], v155 offset0:48 offset1:49
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[108:109], v[92:93], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[110:111], v[92:93], v[32:35]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[110:111], v[94:95], v[0:3]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[92:95], v[110:111], v[48:49], v[16:19]
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[108:109], v[48:49], v[60:63]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[108:109], v[64:65], v[52:55]
	ds_read2_b64 v[60:63], v155 offset0:50 offset1:51
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[110:111], v[50:51], v[16:19]
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[108:109], v[50:51], v[56:59]
	v_mfma_f32_4x4x4_16b_bf16 v[52:55], v[110:111], v[66:67], v[52:55]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[48:51], v[110:111], v[64:65], v[48:51]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[108:109], v[66:67], v[68:71]
	ds_read2_b64 v[64:67], v155 offset0:52 offset1:53
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[108:109], v[60:61], v[44:47]
	ds_read2_b64 v[70:73], v155 offset0:56 offset1:57
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[108:109], v[62:63], v[40:43]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[110:111], v[62:63], v[44:47]
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[110:111], v[64:65], v[40:43]
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[108:109], v[64:65], v[36:39]
	ds_read2_b64 v[62:65], v155 offset0:54 offset1:55
	v_mfma_f32_4x4x4_16b_bf16 v[96:99], v[110:111], v[60:61], v[56:59]
	v_mfma_f32_4x4x4_16b_bf16 v[56:59], v[110:111], v[66:67], v[36:39]
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[108:109], v[66:67], v[76:79]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[108:109], v[62:63], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[108:109], v[64:65], v[24:27]
	v_mfma_f32_4x4x4_16b_bf16 v[100:103], v[110:111], v[62:63], v[36:39]
	v_mfma_f32_4x4x4_16b_bf16 v[60:63], v[110:111], v[64:65], v[28:31]
	v_mfma_f32_4x4x4_16b_bf16 v[64:67], v[110:111], v[70:71], v[24:27]
	s_nop 0
	ds_read2_b64 v[28:31], v155 offset0:60 offset1:61
	ds_read2_b64 v[24:27], v155 offset0:58 offset1:59
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[108:109], v[26:27], v[8:11]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[76:79], v[110:111], v[28:29], v[8:11]
	s_nop 1
	ds_read_b64 v[8:9], v155 offset:496
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[108:109], v[70:71], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[108:109], v[28:29], v[4:7]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[68:71], v[110:111], v[72:73], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[108:109], v[72:73], v[84:87]
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[108:109], v[24:25], v[12:15]
	v_mfma_f32_4x4x4_16b_bf16 v[88:91], v[110:111], v[30:31], v[4:7]
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[108:109], v[30:31], v[80:83]
	v_mfma_f32_4x4x4_16b_bf16 v[104:107], v[110:111], v[24:25], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[72:75], v[110:111], v[26:27], v[12:15]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[108:111], v[110:111], v[8:9], v[4:7]
	s_and_saveexec_b64 s[14:15], vcc
	s_cbranch_execnz .LBB0_98
; %bb.76:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execnz .LBB0_99
.LBB0_77:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v4, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB0_79
.LBB0_78:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v4, v[140:141], off offset:30
.LBB0_79:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	global_load_ushort v5, v[146:147], off offset:30
	global_load_ushort v152, v[148:149], off offset:30
	s_and_saveexec_b64 s[14:15], s[0:1]
	s_cbranch_execnz .LBB0_100
; %bb.80:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v153, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execnz .LBB0_101
.LBB0_81:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_83
.LBB0_82:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v6, v[136:137], off offset:38
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v153, v6, 16, v153
.LBB0_83:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_waitcnt vmcnt(1)
	v_lshlrev_b32_e32 v5, 16, v5
	v_or_b32_e32 v151, v5, v4
	ds_read2_b64 v[10:13], v155 offset0:63 offset1:64
	ds_read2_b64 v[20:23], v155 offset0:65 offset1:66
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[150:151], v[10:11], v[112:115]
	ds_read2_b64 v[28:31], v155 offset0:73 offset1:74
	s_waitcnt vmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[112:115], v[152:153], v[12:13], v[4:7]
	s_nop 1
	ds_read2_b64 v[4:7], v155 offset0:67 offset1:68
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[150:151], v[20:21], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[150:151], v[12:13], v[32:35]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[24:27], v[152:153], v[22:23], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[150:151], v[22:23], v[92:95]
	v_mfma_f32_4x4x4_16b_bf16 v[32:35], v[152:153], v[20:21], v[8:11]
	s_nop 0
	ds_read2_b64 v[8:11], v155 offset0:69 offset1:70
	s_waitcnt lgkmcnt(1)
	v_mfma_f32_4x4x4_16b_bf16 v[116:119], v[152:153], v[4:5], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[150:151], v[4:5], v[16:19]
	s_nop 0
	ds_read2_b64 v[18:21], v155 offset0:71 offset1:72
	v_mfma_f32_4x4x4_16b_bf16 v[36:39], v[152:153], v[6:7], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[150:151], v[6:7], v[48:51]
	s_nop 0
	ds_read2_b64 v[48:51], v155 offset0:77 offset1:78
	s_waitcnt lgkmcnt(2)
	v_mfma_f32_4x4x4_16b_bf16 v[4:7], v[152:153], v[8:9], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[150:151], v[8:9], v[52:55]
	s_nop 0
	ds_read2_b64 v[52:55], v155 offset0:79 offset1:80
	v_mfma_f32_4x4x4_16b_bf16 v[0:3], v[152:153], v[10:11], v[0:3]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[150:151], v[10:11], v[96:99]
	s_waitcnt lgkmcnt(2)
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[12:15], v[152:153], v[18:19], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[150:151], v[18:19], v[44:47]
	s_nop 0
	ds_read2_b64 v[44:47], v155 offset0:75 offset1:76
	v_mfma_f32_4x4x4_16b_bf16 v[16:19], v[152:153], v[20:21], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[150:151], v[20:21], v[40:43]
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[150:151], v[30:31], v[100:103]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[40:43], v[152:153], v[28:29], v[8:11]
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[150:151], v[28:29], v[56:59]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[8:11], v[152:153], v[30:31], v[8:11]
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[28:31], v[152:153], v[44:45], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[150:151], v[44:45], v[60:63]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[84:87], v[152:153], v[46:47], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[150:151], v[46:47], v[64:67]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[48:49], v[68:71]
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[20:23], v[152:153], v[48:49], v[20:23]
	v_mfma_f32_4x4x4_16b_bf16 v[80:83], v[152:153], v[50:51], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[50:51], v[104:107]
	ds_read2_b64 v[48:51], v155 offset0:81 offset1:82
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[100:103], v[152:153], v[52:53], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[52:53], v[72:75]
	s_nop 1
	v_mfma_f32_4x4x4_16b_bf16 v[104:107], v[152:153], v[54:55], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[54:55], v[76:79]
	s_waitcnt lgkmcnt(0)
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[92:95], v[152:153], v[48:49], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[48:49], v[88:91]
	ds_read_b64 v[48:49], v155 offset:664
	s_nop 0
	v_mfma_f32_4x4x4_16b_bf16 v[96:99], v[152:153], v[50:51], v[44:47]
	v_mfma_f32_4x4x4_16b_bf16 v[44:47], v[150:151], v[50:51], v[108:111]
	s_nop 0
	v_mov_b32_e32 v108, 0
	s_waitcnt lgkmcnt(0)
	v_mfma_f32_4x4x4_16b_bf16 v[88:91], v[152:153], v[48:49], v[44:47]
	s_and_saveexec_b64 s[14:15], vcc
	s_cbranch_execnz .LBB0_102
; %bb.84:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execnz .LBB0_103
.LBB0_85:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v44, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execz .LBB0_87
.LBB0_86:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v44, v[140:141], off offset:40
.LBB0_87:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	global_load_ushort v45, v[146:147], off offset:40
	global_load_ushort v110, v[148:149], off offset:40
	s_and_saveexec_b64 s[14:15], s[0:1]
	s_cbranch_execnz .LBB0_104
; %bb.88:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v111, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execnz .LBB0_105
.LBB0_89:                               ;   in Loop: Header=BB0_47 Depth=1
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_46
	s_branch .LBB0_106
.LBB0_90:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v92, v[136:137], off offset:10
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execz .LBB0_61
.LBB0_91:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v0, v[138:139], off offset:10
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v92, v0, 16, v92
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v0, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execnz .LBB0_62
	s_branch .LBB0_63
.LBB0_92:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v2, v[142:143], off offset:10
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v94, v2, 16, v94
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v95, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execz .LBB0_65
.LBB0_93:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v95, v[144:145], off offset:10
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execnz .LBB0_66
	s_branch .LBB0_67
.LBB0_94:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v108, v[136:137], off offset:20
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execz .LBB0_69
.LBB0_95:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v16, v[138:139], off offset:20
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v108, v16, 16, v108
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v16, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execnz .LBB0_70
	s_branch .LBB0_71
.LBB0_96:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v18, v[142:143], off offset:20
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v110, v18, 16, v110
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v111, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execz .LBB0_73
.LBB0_97:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v111, v[144:145], off offset:20
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execnz .LBB0_74
	s_branch .LBB0_75
.LBB0_98:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v150, v[136:137], off offset:30
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execz .LBB0_77
.LBB0_99:                               ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v4, v[138:139], off offset:30
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v150, v4, 16, v150
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v4, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execnz .LBB0_78
	s_branch .LBB0_79
.LBB0_100:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v6, v[142:143], off offset:30
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v152, v6, 16, v152
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v153, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execz .LBB0_81
.LBB0_101:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v153, v[144:145], off offset:30
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execnz .LBB0_82
	s_branch .LBB0_83
.LBB0_102:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v108, v[136:137], off offset:40
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[4:5]
	s_cbranch_execz .LBB0_85
.LBB0_103:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v44, v[138:139], off offset:40
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v108, v44, 16, v108
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v44, 0
	s_and_saveexec_b64 s[14:15], s[6:7]
	s_cbranch_execnz .LBB0_86
	s_branch .LBB0_87
.LBB0_104:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v46, v[142:143], off offset:40
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v110, v46, 16, v110
	s_or_b64 exec, exec, s[14:15]
	v_mov_b32_e32 v111, 0
	s_and_saveexec_b64 s[14:15], s[10:11]
	s_cbranch_execz .LBB0_89
.LBB0_105:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v111, v[144:145], off offset:40
	s_or_b64 exec, exec, s[14:15]
	s_and_saveexec_b64 s[14:15], s[8:9]
	s_cbranch_execz .LBB0_46
.LBB0_106:                              ;   in Loop: Header=BB0_47 Depth=1
	global_load_ushort v46, v[136:137], off offset:48
	s_waitcnt vmcnt(0)
	v_lshl_or_b32 v111, v46, 16, v111
	s_branch .LBB0_46
.LBB0_107:
	v_or_b32_e32 v80, s24, v154
	v_cmp_gt_u32_e32 vcc, 45, v80
	s_and_saveexec_b64 s[0:1], vcc
	s_cbranch_execz .LBB0_429
; %bb.108:
	v_and_b32_e32 v81, 0x7fffffff, v76
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v81
                                        ; implicit-def: $vgpr82
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.109:
	v_bfe_u32 v81, v76, 16, 1
	s_movk_i32 s4, 0x7fff
	v_add3_u32 v81, v76, v81, s4
	v_lshrrev_b32_e32 v82, 16, v81
; %bb.110:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.111:
	v_mov_b32_e32 v81, 64
	v_or_b32_sdwa v82, v76, v81 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.112:
	s_or_b64 exec, exec, s[0:1]
	s_lshl_b64 s[0:1], s[18:19], 9
	s_add_u32 s0, s0, s3
	s_addc_u32 s1, s1, 0
	v_lshl_add_u64 v[84:85], s[0:1], 0, v[120:121]
	s_ashr_i32 s0, s2, 31
	v_mov_b32_e32 v86, s2
	v_mov_b32_e32 v87, s0
	v_mad_u64_u32 v[86:87], s[0:1], v84, 59, v[86:87]
	v_mov_b32_e32 v81, 0
	v_mad_u32_u24 v83, v85, 59, v87
	v_mad_u64_u32 v[80:81], s[0:1], v86, 45, v[80:81]
	s_movk_i32 s2, 0xa0
	v_mov_b64_e32 v[86:87], s[16:17]
	v_mov_b32_e32 v76, v81
	v_mad_u64_u32 v[80:81], s[0:1], v80, s2, v[86:87]
	v_mad_u64_u32 v[84:85], s[0:1], v83, 45, v[76:77]
	v_mov_b32_e32 v76, v81
	v_mad_u64_u32 v[84:85], s[0:1], v84, s2, v[76:77]
	v_and_b32_e32 v76, 0x7fffffff, v77
	s_mov_b32 s0, 0x7f800001
	v_mov_b32_e32 v81, v84
	v_cmp_gt_u32_e32 vcc, s0, v76
	global_store_short v[80:81], v82, off
                                        ; implicit-def: $vgpr76
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.113:
	v_bfe_u32 v76, v77, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v76, v77, v76, s2
	v_lshrrev_b32_e32 v76, 16, v76
; %bb.114:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.115:
	v_mov_b32_e32 v76, 64
	v_or_b32_sdwa v76, v77, v76 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.116:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v76, off offset:2
	v_and_b32_e32 v76, 0x7fffffff, v78
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v76
                                        ; implicit-def: $vgpr76
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.117:
	v_bfe_u32 v76, v78, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v76, v78, v76, s2
	v_lshrrev_b32_e32 v76, 16, v76
; %bb.118:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.119:
	v_mov_b32_e32 v76, 64
	v_or_b32_sdwa v76, v78, v76 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.120:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v76, off offset:4
	v_and_b32_e32 v76, 0x7fffffff, v79
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v76
                                        ; implicit-def: $vgpr76
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.121:
	v_bfe_u32 v76, v79, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v76, v79, v76, s2
	v_lshrrev_b32_e32 v76, 16, v76
; %bb.122:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.123:
	v_mov_b32_e32 v76, 64
	v_or_b32_sdwa v76, v79, v76 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.124:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v76, off offset:6
	v_and_b32_e32 v76, 0x7fffffff, v72
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v76
                                        ; implicit-def: $vgpr76
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.125:
	v_bfe_u32 v76, v72, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v76, v72, v76, s2
	v_lshrrev_b32_e32 v76, 16, v76
; %bb.126:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.127:
	v_mov_b32_e32 v76, 64
	v_or_b32_sdwa v76, v72, v76 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.128:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v72, 0x7fffffff, v73
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v72
	global_store_short v[80:81], v76, off offset:8
                                        ; implicit-def: $vgpr72
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.129:
	v_bfe_u32 v72, v73, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v72, v73, v72, s2
	v_lshrrev_b32_e32 v72, 16, v72
; %bb.130:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.131:
	v_mov_b32_e32 v72, 64
	v_or_b32_sdwa v72, v73, v72 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.132:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v72, off offset:10
	v_and_b32_e32 v72, 0x7fffffff, v74
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v72
                                        ; implicit-def: $vgpr72
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.133:
	v_bfe_u32 v72, v74, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v72, v74, v72, s2
	v_lshrrev_b32_e32 v72, 16, v72
; %bb.134:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.135:
	v_mov_b32_e32 v72, 64
	v_or_b32_sdwa v72, v74, v72 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.136:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v72, off offset:12
	v_and_b32_e32 v72, 0x7fffffff, v75
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v72
                                        ; implicit-def: $vgpr72
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.137:
	v_bfe_u32 v72, v75, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v72, v75, v72, s2
	v_lshrrev_b32_e32 v72, 16, v72
; %bb.138:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.139:
	v_mov_b32_e32 v72, 64
	v_or_b32_sdwa v72, v75, v72 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.140:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v72, off offset:14
	v_and_b32_e32 v72, 0x7fffffff, v68
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v72
                                        ; implicit-def: $vgpr72
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.141:
	v_bfe_u32 v72, v68, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v72, v68, v72, s2
	v_lshrrev_b32_e32 v72, 16, v72
; %bb.142:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.143:
	v_mov_b32_e32 v72, 64
	v_or_b32_sdwa v72, v68, v72 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.144:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v68, 0x7fffffff, v69
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v68
	global_store_short v[80:81], v72, off offset:16
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.145:
	v_bfe_u32 v68, v69, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v68, v69, v68, s2
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.146:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.147:
	v_mov_b32_e32 v68, 64
	v_or_b32_sdwa v68, v69, v68 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.148:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v68, off offset:18
	v_and_b32_e32 v68, 0x7fffffff, v70
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v68
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.149:
	v_bfe_u32 v68, v70, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v68, v70, v68, s2
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.150:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.151:
	v_mov_b32_e32 v68, 64
	v_or_b32_sdwa v68, v70, v68 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.152:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v68, off offset:20
	v_and_b32_e32 v68, 0x7fffffff, v71
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v68
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.153:
	v_bfe_u32 v68, v71, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v68, v71, v68, s2
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.154:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.155:
	v_mov_b32_e32 v68, 64
	v_or_b32_sdwa v68, v71, v68 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.156:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v68, off offset:22
	v_and_b32_e32 v68, 0x7fffffff, v64
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v68
                                        ; implicit-def: $vgpr68
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.157:
	v_bfe_u32 v68, v64, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v68, v64, v68, s2
	v_lshrrev_b32_e32 v68, 16, v68
; %bb.158:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.159:
	v_mov_b32_e32 v68, 64
	v_or_b32_sdwa v68, v64, v68 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.160:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v64, 0x7fffffff, v65
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v64
	global_store_short v[80:81], v68, off offset:24
                                        ; implicit-def: $vgpr64
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.161:
	v_bfe_u32 v64, v65, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v64, v65, v64, s2
	v_lshrrev_b32_e32 v64, 16, v64
; %bb.162:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.163:
	v_mov_b32_e32 v64, 64
	v_or_b32_sdwa v64, v65, v64 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.164:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v64, off offset:26
	v_and_b32_e32 v64, 0x7fffffff, v66
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v64
                                        ; implicit-def: $vgpr64
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.165:
	v_bfe_u32 v64, v66, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v64, v66, v64, s2
	v_lshrrev_b32_e32 v64, 16, v64
; %bb.166:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.167:
	v_mov_b32_e32 v64, 64
	v_or_b32_sdwa v64, v66, v64 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.168:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v64, off offset:28
	v_and_b32_e32 v64, 0x7fffffff, v67
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v64
                                        ; implicit-def: $vgpr64
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.169:
	v_bfe_u32 v64, v67, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v64, v67, v64, s2
	v_lshrrev_b32_e32 v64, 16, v64
; %bb.170:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.171:
	v_mov_b32_e32 v64, 64
	v_or_b32_sdwa v64, v67, v64 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.172:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v64, off offset:30
	v_and_b32_e32 v64, 0x7fffffff, v60
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v64
                                        ; implicit-def: $vgpr64
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.173:
	v_bfe_u32 v64, v60, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v64, v60, v64, s2
	v_lshrrev_b32_e32 v64, 16, v64
; %bb.174:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.175:
	v_mov_b32_e32 v64, 64
	v_or_b32_sdwa v64, v60, v64 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.176:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v60, 0x7fffffff, v61
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v60
	global_store_short v[80:81], v64, off offset:32
                                        ; implicit-def: $vgpr60
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.177:
	v_bfe_u32 v60, v61, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v60, v61, v60, s2
	v_lshrrev_b32_e32 v60, 16, v60
; %bb.178:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.179:
	v_mov_b32_e32 v60, 64
	v_or_b32_sdwa v60, v61, v60 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.180:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v60, off offset:34
	v_and_b32_e32 v60, 0x7fffffff, v62
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v60
                                        ; implicit-def: $vgpr60
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.181:
	v_bfe_u32 v60, v62, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v60, v62, v60, s2
	v_lshrrev_b32_e32 v60, 16, v60
; %bb.182:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.183:
	v_mov_b32_e32 v60, 64
	v_or_b32_sdwa v60, v62, v60 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.184:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v60, off offset:36
	v_and_b32_e32 v60, 0x7fffffff, v63
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v60
                                        ; implicit-def: $vgpr60
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.185:
	v_bfe_u32 v60, v63, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v60, v63, v60, s2
	v_lshrrev_b32_e32 v60, 16, v60
; %bb.186:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.187:
	v_mov_b32_e32 v60, 64
	v_or_b32_sdwa v60, v63, v60 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.188:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v60, off offset:38
	v_and_b32_e32 v60, 0x7fffffff, v56
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v60
                                        ; implicit-def: $vgpr60
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.189:
	v_bfe_u32 v60, v56, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v60, v56, v60, s2
	v_lshrrev_b32_e32 v60, 16, v60
; %bb.190:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.191:
	v_mov_b32_e32 v60, 64
	v_or_b32_sdwa v60, v56, v60 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.192:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v56, 0x7fffffff, v57
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v56
	global_store_short v[80:81], v60, off offset:40
                                        ; implicit-def: $vgpr56
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.193:
	v_bfe_u32 v56, v57, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v56, v57, v56, s2
	v_lshrrev_b32_e32 v56, 16, v56
; %bb.194:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.195:
	v_mov_b32_e32 v56, 64
	v_or_b32_sdwa v56, v57, v56 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.196:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v56, off offset:42
	v_and_b32_e32 v56, 0x7fffffff, v58
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v56
                                        ; implicit-def: $vgpr56
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.197:
	v_bfe_u32 v56, v58, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v56, v58, v56, s2
	v_lshrrev_b32_e32 v56, 16, v56
; %bb.198:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.199:
	v_mov_b32_e32 v56, 64
	v_or_b32_sdwa v56, v58, v56 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.200:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v56, off offset:44
	v_and_b32_e32 v56, 0x7fffffff, v59
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v56
                                        ; implicit-def: $vgpr56
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.201:
	v_bfe_u32 v56, v59, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v56, v59, v56, s2
	v_lshrrev_b32_e32 v56, 16, v56
; %bb.202:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.203:
	v_mov_b32_e32 v56, 64
	v_or_b32_sdwa v56, v59, v56 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.204:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v56, off offset:46
	v_and_b32_e32 v56, 0x7fffffff, v52
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v56
                                        ; implicit-def: $vgpr56
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.205:
	v_bfe_u32 v56, v52, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v56, v52, v56, s2
	v_lshrrev_b32_e32 v56, 16, v56
; %bb.206:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.207:
	v_mov_b32_e32 v56, 64
	v_or_b32_sdwa v56, v52, v56 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.208:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v52, 0x7fffffff, v53
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v52
	global_store_short v[80:81], v56, off offset:48
                                        ; implicit-def: $vgpr52
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.209:
	v_bfe_u32 v52, v53, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v52, v53, v52, s2
	v_lshrrev_b32_e32 v52, 16, v52
; %bb.210:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.211:
	v_mov_b32_e32 v52, 64
	v_or_b32_sdwa v52, v53, v52 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.212:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v52, off offset:50
	v_and_b32_e32 v52, 0x7fffffff, v54
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v52
                                        ; implicit-def: $vgpr52
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.213:
	v_bfe_u32 v52, v54, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v52, v54, v52, s2
	v_lshrrev_b32_e32 v52, 16, v52
; %bb.214:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.215:
	v_mov_b32_e32 v52, 64
	v_or_b32_sdwa v52, v54, v52 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.216:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v52, off offset:52
	v_and_b32_e32 v52, 0x7fffffff, v55
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v52
                                        ; implicit-def: $vgpr52
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.217:
	v_bfe_u32 v52, v55, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v52, v55, v52, s2
	v_lshrrev_b32_e32 v52, 16, v52
; %bb.218:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.219:
	v_mov_b32_e32 v52, 64
	v_or_b32_sdwa v52, v55, v52 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.220:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v52, off offset:54
	v_and_b32_e32 v52, 0x7fffffff, v48
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v52
                                        ; implicit-def: $vgpr52
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.221:
	v_bfe_u32 v52, v48, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v52, v48, v52, s2
	v_lshrrev_b32_e32 v52, 16, v52
; %bb.222:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.223:
	v_mov_b32_e32 v52, 64
	v_or_b32_sdwa v52, v48, v52 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.224:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v48, 0x7fffffff, v49
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v48
	global_store_short v[80:81], v52, off offset:56
                                        ; implicit-def: $vgpr48
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.225:
	v_bfe_u32 v48, v49, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v48, v49, v48, s2
	v_lshrrev_b32_e32 v48, 16, v48
; %bb.226:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.227:
	v_mov_b32_e32 v48, 64
	v_or_b32_sdwa v48, v49, v48 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.228:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v48, off offset:58
	v_and_b32_e32 v48, 0x7fffffff, v50
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v48
                                        ; implicit-def: $vgpr48
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.229:
	v_bfe_u32 v48, v50, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v48, v50, v48, s2
	v_lshrrev_b32_e32 v48, 16, v48
; %bb.230:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.231:
	v_mov_b32_e32 v48, 64
	v_or_b32_sdwa v48, v50, v48 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.232:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v48, off offset:60
	v_and_b32_e32 v48, 0x7fffffff, v51
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v48
                                        ; implicit-def: $vgpr48
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.233:
	v_bfe_u32 v48, v51, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v48, v51, v48, s2
	v_lshrrev_b32_e32 v48, 16, v48
; %bb.234:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.235:
	v_mov_b32_e32 v48, 64
	v_or_b32_sdwa v48, v51, v48 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.236:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v48, off offset:62
	v_and_b32_e32 v48, 0x7fffffff, v44
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v48
                                        ; implicit-def: $vgpr48
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.237:
	v_bfe_u32 v48, v44, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v48, v44, v48, s2
	v_lshrrev_b32_e32 v48, 16, v48
; %bb.238:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.239:
	v_mov_b32_e32 v48, 64
	v_or_b32_sdwa v48, v44, v48 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.240:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v44, 0x7fffffff, v45
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v44
	global_store_short v[80:81], v48, off offset:64
                                        ; implicit-def: $vgpr44
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.241:
	v_bfe_u32 v44, v45, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v44, v45, v44, s2
	v_lshrrev_b32_e32 v44, 16, v44
; %bb.242:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.243:
	v_mov_b32_e32 v44, 64
	v_or_b32_sdwa v44, v45, v44 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.244:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v44, off offset:66
	v_and_b32_e32 v44, 0x7fffffff, v46
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v44
                                        ; implicit-def: $vgpr44
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.245:
	v_bfe_u32 v44, v46, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v44, v46, v44, s2
	v_lshrrev_b32_e32 v44, 16, v44
; %bb.246:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.247:
	v_mov_b32_e32 v44, 64
	v_or_b32_sdwa v44, v46, v44 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.248:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v44, off offset:68
	v_and_b32_e32 v44, 0x7fffffff, v47
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v44
                                        ; implicit-def: $vgpr44
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.249:
	v_bfe_u32 v44, v47, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v44, v47, v44, s2
	v_lshrrev_b32_e32 v44, 16, v44
; %bb.250:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.251:
	v_mov_b32_e32 v44, 64
	v_or_b32_sdwa v44, v47, v44 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.252:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v44, off offset:70
	v_and_b32_e32 v44, 0x7fffffff, v40
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v44
                                        ; implicit-def: $vgpr44
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.253:
	v_bfe_u32 v44, v40, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v44, v40, v44, s2
	v_lshrrev_b32_e32 v44, 16, v44
; %bb.254:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.255:
	v_mov_b32_e32 v44, 64
	v_or_b32_sdwa v44, v40, v44 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.256:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v40, 0x7fffffff, v41
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v40
	global_store_short v[80:81], v44, off offset:72
                                        ; implicit-def: $vgpr40
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.257:
	v_bfe_u32 v40, v41, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v40, v41, v40, s2
	v_lshrrev_b32_e32 v40, 16, v40
; %bb.258:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.259:
	v_mov_b32_e32 v40, 64
	v_or_b32_sdwa v40, v41, v40 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.260:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v40, off offset:74
	v_and_b32_e32 v40, 0x7fffffff, v42
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v40
                                        ; implicit-def: $vgpr40
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.261:
	v_bfe_u32 v40, v42, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v40, v42, v40, s2
	v_lshrrev_b32_e32 v40, 16, v40
; %bb.262:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.263:
	v_mov_b32_e32 v40, 64
	v_or_b32_sdwa v40, v42, v40 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.264:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v40, off offset:76
	v_and_b32_e32 v40, 0x7fffffff, v43
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v40
                                        ; implicit-def: $vgpr40
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.265:
	v_bfe_u32 v40, v43, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v40, v43, v40, s2
	v_lshrrev_b32_e32 v40, 16, v40
; %bb.266:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.267:
	v_mov_b32_e32 v40, 64
	v_or_b32_sdwa v40, v43, v40 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.268:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v40, off offset:78
	v_and_b32_e32 v40, 0x7fffffff, v36
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v40
                                        ; implicit-def: $vgpr40
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.269:
	v_bfe_u32 v40, v36, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v40, v36, v40, s2
	v_lshrrev_b32_e32 v40, 16, v40
; %bb.270:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.271:
	v_mov_b32_e32 v40, 64
	v_or_b32_sdwa v40, v36, v40 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.272:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v36, 0x7fffffff, v37
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v36
	global_store_short v[80:81], v40, off offset:80
                                        ; implicit-def: $vgpr36
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.273:
	v_bfe_u32 v36, v37, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v36, v37, v36, s2
	v_lshrrev_b32_e32 v36, 16, v36
; %bb.274:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.275:
	v_mov_b32_e32 v36, 64
	v_or_b32_sdwa v36, v37, v36 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.276:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v36, off offset:82
	v_and_b32_e32 v36, 0x7fffffff, v38
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v36
                                        ; implicit-def: $vgpr36
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.277:
	v_bfe_u32 v36, v38, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v36, v38, v36, s2
	v_lshrrev_b32_e32 v36, 16, v36
; %bb.278:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.279:
	v_mov_b32_e32 v36, 64
	v_or_b32_sdwa v36, v38, v36 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.280:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v36, off offset:84
	v_and_b32_e32 v36, 0x7fffffff, v39
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v36
                                        ; implicit-def: $vgpr36
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.281:
	v_bfe_u32 v36, v39, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v36, v39, v36, s2
	v_lshrrev_b32_e32 v36, 16, v36
; %bb.282:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.283:
	v_mov_b32_e32 v36, 64
	v_or_b32_sdwa v36, v39, v36 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.284:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v36, off offset:86
	v_and_b32_e32 v36, 0x7fffffff, v32
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v36
                                        ; implicit-def: $vgpr36
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.285:
	v_bfe_u32 v36, v32, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v36, v32, v36, s2
	v_lshrrev_b32_e32 v36, 16, v36
; %bb.286:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.287:
	v_mov_b32_e32 v36, 64
	v_or_b32_sdwa v36, v32, v36 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.288:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v32, 0x7fffffff, v33
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v32
	global_store_short v[80:81], v36, off offset:88
                                        ; implicit-def: $vgpr32
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.289:
	v_bfe_u32 v32, v33, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v32, v33, v32, s2
	v_lshrrev_b32_e32 v32, 16, v32
; %bb.290:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.291:
	v_mov_b32_e32 v32, 64
	v_or_b32_sdwa v32, v33, v32 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.292:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v32, off offset:90
	v_and_b32_e32 v32, 0x7fffffff, v34
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v32
                                        ; implicit-def: $vgpr32
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.293:
	v_bfe_u32 v32, v34, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v32, v34, v32, s2
	v_lshrrev_b32_e32 v32, 16, v32
; %bb.294:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.295:
	v_mov_b32_e32 v32, 64
	v_or_b32_sdwa v32, v34, v32 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.296:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v32, off offset:92
	v_and_b32_e32 v32, 0x7fffffff, v35
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v32
                                        ; implicit-def: $vgpr32
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.297:
	v_bfe_u32 v32, v35, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v32, v35, v32, s2
	v_lshrrev_b32_e32 v32, 16, v32
; %bb.298:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.299:
	v_mov_b32_e32 v32, 64
	v_or_b32_sdwa v32, v35, v32 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.300:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v32, off offset:94
	v_and_b32_e32 v32, 0x7fffffff, v28
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v32
                                        ; implicit-def: $vgpr32
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.301:
	v_bfe_u32 v32, v28, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v32, v28, v32, s2
	v_lshrrev_b32_e32 v32, 16, v32
; %bb.302:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.303:
	v_mov_b32_e32 v32, 64
	v_or_b32_sdwa v32, v28, v32 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.304:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v28, 0x7fffffff, v29
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v28
	global_store_short v[80:81], v32, off offset:96
                                        ; implicit-def: $vgpr28
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.305:
	v_bfe_u32 v28, v29, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v28, v29, v28, s2
	v_lshrrev_b32_e32 v28, 16, v28
; %bb.306:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.307:
	v_mov_b32_e32 v28, 64
	v_or_b32_sdwa v28, v29, v28 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.308:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v28, off offset:98
	v_and_b32_e32 v28, 0x7fffffff, v30
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v28
                                        ; implicit-def: $vgpr28
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.309:
	v_bfe_u32 v28, v30, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v28, v30, v28, s2
	v_lshrrev_b32_e32 v28, 16, v28
; %bb.310:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.311:
	v_mov_b32_e32 v28, 64
	v_or_b32_sdwa v28, v30, v28 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.312:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v28, off offset:100
	v_and_b32_e32 v28, 0x7fffffff, v31
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v28
                                        ; implicit-def: $vgpr28
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.313:
	v_bfe_u32 v28, v31, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v28, v31, v28, s2
	v_lshrrev_b32_e32 v28, 16, v28
; %bb.314:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.315:
	v_mov_b32_e32 v28, 64
	v_or_b32_sdwa v28, v31, v28 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.316:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v28, off offset:102
	v_and_b32_e32 v28, 0x7fffffff, v24
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v28
                                        ; implicit-def: $vgpr28
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.317:
	v_bfe_u32 v28, v24, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v28, v24, v28, s2
	v_lshrrev_b32_e32 v28, 16, v28
; %bb.318:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.319:
	v_mov_b32_e32 v28, 64
	v_or_b32_sdwa v28, v24, v28 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.320:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v24, 0x7fffffff, v25
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v24
	global_store_short v[80:81], v28, off offset:104
                                        ; implicit-def: $vgpr24
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.321:
	v_bfe_u32 v24, v25, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v24, v25, v24, s2
	v_lshrrev_b32_e32 v24, 16, v24
; %bb.322:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.323:
	v_mov_b32_e32 v24, 64
	v_or_b32_sdwa v24, v25, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.324:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v24, off offset:106
	v_and_b32_e32 v24, 0x7fffffff, v26
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v24
                                        ; implicit-def: $vgpr24
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.325:
	v_bfe_u32 v24, v26, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v24, v26, v24, s2
	v_lshrrev_b32_e32 v24, 16, v24
; %bb.326:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.327:
	v_mov_b32_e32 v24, 64
	v_or_b32_sdwa v24, v26, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.328:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v24, off offset:108
	v_and_b32_e32 v24, 0x7fffffff, v27
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v24
                                        ; implicit-def: $vgpr24
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.329:
	v_bfe_u32 v24, v27, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v24, v27, v24, s2
	v_lshrrev_b32_e32 v24, 16, v24
; %bb.330:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.331:
	v_mov_b32_e32 v24, 64
	v_or_b32_sdwa v24, v27, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.332:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v24, off offset:110
	v_and_b32_e32 v24, 0x7fffffff, v20
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v24
                                        ; implicit-def: $vgpr24
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.333:
	v_bfe_u32 v24, v20, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v24, v20, v24, s2
	v_lshrrev_b32_e32 v24, 16, v24
; %bb.334:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.335:
	v_mov_b32_e32 v24, 64
	v_or_b32_sdwa v24, v20, v24 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.336:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v20, 0x7fffffff, v21
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v20
	global_store_short v[80:81], v24, off offset:112
                                        ; implicit-def: $vgpr20
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.337:
	v_bfe_u32 v20, v21, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v20, v21, v20, s2
	v_lshrrev_b32_e32 v20, 16, v20
; %bb.338:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.339:
	v_mov_b32_e32 v20, 64
	v_or_b32_sdwa v20, v21, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.340:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v20, off offset:114
	v_and_b32_e32 v20, 0x7fffffff, v22
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v20
                                        ; implicit-def: $vgpr20
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.341:
	v_bfe_u32 v20, v22, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v20, v22, v20, s2
	v_lshrrev_b32_e32 v20, 16, v20
; %bb.342:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.343:
	v_mov_b32_e32 v20, 64
	v_or_b32_sdwa v20, v22, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.344:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v20, off offset:116
	v_and_b32_e32 v20, 0x7fffffff, v23
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v20
                                        ; implicit-def: $vgpr20
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.345:
	v_bfe_u32 v20, v23, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v20, v23, v20, s2
	v_lshrrev_b32_e32 v20, 16, v20
; %bb.346:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.347:
	v_mov_b32_e32 v20, 64
	v_or_b32_sdwa v20, v23, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.348:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v20, off offset:118
	v_and_b32_e32 v20, 0x7fffffff, v16
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v20
                                        ; implicit-def: $vgpr20
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.349:
	v_bfe_u32 v20, v16, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v20, v16, v20, s2
	v_lshrrev_b32_e32 v20, 16, v20
; %bb.350:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.351:
	v_mov_b32_e32 v20, 64
	v_or_b32_sdwa v20, v16, v20 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.352:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v16, 0x7fffffff, v17
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v16
	global_store_short v[80:81], v20, off offset:120
                                        ; implicit-def: $vgpr16
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.353:
	v_bfe_u32 v16, v17, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v16, v17, v16, s2
	v_lshrrev_b32_e32 v16, 16, v16
; %bb.354:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.355:
	v_mov_b32_e32 v16, 64
	v_or_b32_sdwa v16, v17, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.356:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v16, off offset:122
	v_and_b32_e32 v16, 0x7fffffff, v18
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v16
                                        ; implicit-def: $vgpr16
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.357:
	v_bfe_u32 v16, v18, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v16, v18, v16, s2
	v_lshrrev_b32_e32 v16, 16, v16
; %bb.358:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.359:
	v_mov_b32_e32 v16, 64
	v_or_b32_sdwa v16, v18, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.360:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v16, off offset:124
	v_and_b32_e32 v16, 0x7fffffff, v19
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v16
                                        ; implicit-def: $vgpr16
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.361:
	v_bfe_u32 v16, v19, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v16, v19, v16, s2
	v_lshrrev_b32_e32 v16, 16, v16
; %bb.362:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.363:
	v_mov_b32_e32 v16, 64
	v_or_b32_sdwa v16, v19, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.364:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v16, off offset:126
	v_and_b32_e32 v16, 0x7fffffff, v12
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v16
                                        ; implicit-def: $vgpr16
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.365:
	v_bfe_u32 v16, v12, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v16, v12, v16, s2
	v_lshrrev_b32_e32 v16, 16, v16
; %bb.366:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.367:
	v_mov_b32_e32 v16, 64
	v_or_b32_sdwa v16, v12, v16 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.368:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v12, 0x7fffffff, v13
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v12
	global_store_short v[80:81], v16, off offset:128
                                        ; implicit-def: $vgpr12
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.369:
	v_bfe_u32 v12, v13, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v12, v13, v12, s2
	v_lshrrev_b32_e32 v12, 16, v12
; %bb.370:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.371:
	v_mov_b32_e32 v12, 64
	v_or_b32_sdwa v12, v13, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.372:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v12, off offset:130
	v_and_b32_e32 v12, 0x7fffffff, v14
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v12
                                        ; implicit-def: $vgpr12
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.373:
	v_bfe_u32 v12, v14, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v12, v14, v12, s2
	v_lshrrev_b32_e32 v12, 16, v12
; %bb.374:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.375:
	v_mov_b32_e32 v12, 64
	v_or_b32_sdwa v12, v14, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.376:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v12, off offset:132
	v_and_b32_e32 v12, 0x7fffffff, v15
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v12
                                        ; implicit-def: $vgpr12
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.377:
	v_bfe_u32 v12, v15, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v12, v15, v12, s2
	v_lshrrev_b32_e32 v12, 16, v12
; %bb.378:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.379:
	v_mov_b32_e32 v12, 64
	v_or_b32_sdwa v12, v15, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.380:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v12, off offset:134
	v_and_b32_e32 v12, 0x7fffffff, v8
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v12
                                        ; implicit-def: $vgpr12
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.381:
	v_bfe_u32 v12, v8, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v12, v8, v12, s2
	v_lshrrev_b32_e32 v12, 16, v12
; %bb.382:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.383:
	v_mov_b32_e32 v12, 64
	v_or_b32_sdwa v12, v8, v12 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.384:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v8, 0x7fffffff, v9
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v8
	global_store_short v[80:81], v12, off offset:136
                                        ; implicit-def: $vgpr8
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.385:
	v_bfe_u32 v8, v9, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v8, v9, v8, s2
	v_lshrrev_b32_e32 v8, 16, v8
; %bb.386:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.387:
	v_mov_b32_e32 v8, 64
	v_or_b32_sdwa v8, v9, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.388:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v8, off offset:138
	v_and_b32_e32 v8, 0x7fffffff, v10
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v8
                                        ; implicit-def: $vgpr8
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.389:
	v_bfe_u32 v8, v10, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v8, v10, v8, s2
	v_lshrrev_b32_e32 v8, 16, v8
; %bb.390:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.391:
	v_mov_b32_e32 v8, 64
	v_or_b32_sdwa v8, v10, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.392:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v8, off offset:140
	v_and_b32_e32 v8, 0x7fffffff, v11
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v8
                                        ; implicit-def: $vgpr8
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.393:
	v_bfe_u32 v8, v11, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v8, v11, v8, s2
	v_lshrrev_b32_e32 v8, 16, v8
; %bb.394:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.395:
	v_mov_b32_e32 v8, 64
	v_or_b32_sdwa v8, v11, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.396:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v8, off offset:142
	v_and_b32_e32 v8, 0x7fffffff, v4
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v8
                                        ; implicit-def: $vgpr8
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.397:
	v_bfe_u32 v8, v4, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v8, v4, v8, s2
	v_lshrrev_b32_e32 v8, 16, v8
; %bb.398:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.399:
	v_mov_b32_e32 v8, 64
	v_or_b32_sdwa v8, v4, v8 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.400:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v4, 0x7fffffff, v5
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v4
	global_store_short v[80:81], v8, off offset:144
                                        ; implicit-def: $vgpr4
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.401:
	v_bfe_u32 v4, v5, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v4, v5, v4, s2
	v_lshrrev_b32_e32 v4, 16, v4
; %bb.402:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.403:
	v_mov_b32_e32 v4, 64
	v_or_b32_sdwa v4, v5, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.404:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v4, off offset:146
	v_and_b32_e32 v4, 0x7fffffff, v6
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v4
                                        ; implicit-def: $vgpr4
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.405:
	v_bfe_u32 v4, v6, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v4, v6, v4, s2
	v_lshrrev_b32_e32 v4, 16, v4
; %bb.406:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.407:
	v_mov_b32_e32 v4, 64
	v_or_b32_sdwa v4, v6, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.408:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v4, off offset:148
	v_and_b32_e32 v4, 0x7fffffff, v7
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v4
                                        ; implicit-def: $vgpr4
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.409:
	v_bfe_u32 v4, v7, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v4, v7, v4, s2
	v_lshrrev_b32_e32 v4, 16, v4
; %bb.410:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.411:
	v_mov_b32_e32 v4, 64
	v_or_b32_sdwa v4, v7, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.412:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v4, off offset:150
	v_and_b32_e32 v4, 0x7fffffff, v0
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v4
                                        ; implicit-def: $vgpr4
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.413:
	v_bfe_u32 v4, v0, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v4, v0, v4, s2
	v_lshrrev_b32_e32 v4, 16, v4
; %bb.414:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.415:
	v_mov_b32_e32 v4, 64
	v_or_b32_sdwa v4, v0, v4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.416:
	s_or_b64 exec, exec, s[0:1]
	v_and_b32_e32 v0, 0x7fffffff, v1
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v0
	global_store_short v[80:81], v4, off offset:152
                                        ; implicit-def: $vgpr0
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.417:
	v_bfe_u32 v0, v1, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v0, v1, v0, s2
	v_lshrrev_b32_e32 v0, 16, v0
; %bb.418:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.419:
	v_mov_b32_e32 v0, 64
	v_or_b32_sdwa v0, v1, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.420:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v0, off offset:154
	v_and_b32_e32 v0, 0x7fffffff, v2
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v0
                                        ; implicit-def: $vgpr0
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.421:
	v_bfe_u32 v0, v2, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v0, v2, v0, s2
	v_lshrrev_b32_e32 v0, 16, v0
; %bb.422:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.423:
	v_mov_b32_e32 v0, 64
	v_or_b32_sdwa v0, v2, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.424:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v0, off offset:156
	v_and_b32_e32 v0, 0x7fffffff, v3
	s_mov_b32 s0, 0x7f800001
	v_cmp_gt_u32_e32 vcc, s0, v0
                                        ; implicit-def: $vgpr0
	s_and_saveexec_b64 s[0:1], vcc
	s_xor_b64 s[0:1], exec, s[0:1]
; %bb.425:
	v_bfe_u32 v0, v3, 16, 1
	s_movk_i32 s2, 0x7fff
	v_add3_u32 v0, v3, v0, s2
	v_lshrrev_b32_e32 v0, 16, v0
; %bb.426:
	s_andn2_saveexec_b64 s[0:1], s[0:1]
; %bb.427:
	v_mov_b32_e32 v0, 64
	v_or_b32_sdwa v0, v3, v0 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_1 src1_sel:DWORD
; %bb.428:
	s_or_b64 exec, exec, s[0:1]
	global_store_short v[80:81], v0, off offset:158
.LBB0_429:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.amdhsa_kernel conv3d_blocks
		.amdhsa_group_segment_fixed_size 64512
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
		.amdhsa_next_free_vgpr 257
		.amdhsa_next_free_sgpr 96
		.amdhsa_accum_offset 164
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
	.size	conv3d_blocks, .Lfunc_end0-conv3d_blocks
                                        ; -- End function
	.set conv3d_blocks.num_vgpr, 162
	.set conv3d_blocks.num_agpr, 0
	.set conv3d_blocks.numbered_sgpr, 37
	.set conv3d_blocks.num_named_barrier, 0
	.set conv3d_blocks.private_seg_size, 0
	.set conv3d_blocks.uses_vcc, 1
	.set conv3d_blocks.uses_flat_scratch, 0
	.set conv3d_blocks.has_dyn_sized_stack, 0
	.set conv3d_blocks.has_recursion, 0
	.set conv3d_blocks.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 12460
; TotalNumSgprs: 43
; NumVgprs: 162
; NumAgprs: 0
; TotalNumVgprs: 162
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 64512 bytes/workgroup (compile time only)
; SGPRBlocks: 12
; VGPRBlocks: 32
; NumSGPRsForWavesPerEU: 102
; NumVGPRsForWavesPerEU: 257
; AccumOffset: 164
; Occupancy: 1
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 40
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
	.type	__hip_cuid_ad4ea0cb1f2004b5,@object ; @__hip_cuid_ad4ea0cb1f2004b5
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_ad4ea0cb1f2004b5
__hip_cuid_ad4ea0cb1f2004b5:
	.byte	0                               ; 0x0
	.size	__hip_cuid_ad4ea0cb1f2004b5, 1

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
    .group_segment_fixed_size: 64512
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 64
    .name:           conv3d_blocks
    .private_segment_fixed_size: 0
    .sgpr_count:     43
    .sgpr_spill_count: 0
    .symbol:         conv3d_blocks.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     162
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx942
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
