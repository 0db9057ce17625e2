	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.protected	conv3d_pairs            ; -- Begin function conv3d_pairs
	.globl	conv3d_pairs
	.p2align	8
	.type	conv3d_pairs,@function
conv3d_pairs:                           ; @conv3d_pairs
; %bb.0:
	s_load_dwordx2 s[8:9], s[0:1], 0x0
	s_load_dwordx2 s[6:7], s[0:1], 0x10
	s_movk_i32 s5, 0x5a
	s_ashr_i32 s14, s3, 31
	v_cmp_gt_u32_e32 vcc, s5, v0
	s_and_saveexec_b64 s[10:11], vcc
	s_cbranch_execz .LBB0_4
; %bb.1:
	v_mul_lo_u16_e32 v1, 0xab, v0
	v_lshrrev_b16_e32 v2, 10, v1
	v_mul_lo_u16_e32 v1, 6, v2
	v_sub_u16_e32 v1, v0, v1
	v_mov_b32_e32 v3, 5
	v_cmp_lt_u16_sdwa s[16:17], v1, v3 src0_sel:BYTE_0 src1_sel:DWORD
	v_mov_b32_e32 v3, 0
	v_mov_b32_e32 v4, 0
	s_and_saveexec_b64 s[12:13], s[16:17]
	s_cbranch_execz .LBB0_3
; %bb.2:
	s_load_dwordx2 s[0:1], s[0:1], 0x8
	s_mul_i32 s15, s3, 0x96
	s_mul_hi_i32 s5, s3, 0x96
	v_mul_lo_u16_e32 v2, 5, v2
	v_mov_b32_e32 v6, 1
	s_waitcnt lgkmcnt(0)
	s_add_u32 s0, s0, s15
	s_addc_u32 s1, s1, s5
	v_lshlrev_b32_sdwa v2, v6, v2 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshl_add_u64 v[4:5], s[0:1], 0, v[2:3]
	v_lshlrev_b32_sdwa v2, v6, v1 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:DWORD src1_sel:BYTE_0
	v_lshl_add_u64 v[2:3], v[4:5], 0, v[2:3]
	global_load_ushort v4, v[2:3], off
.LBB0_3:
	s_or_b64 exec, exec, s[12:13]
	v_lshlrev_b32_e32 v1, 1, v0
	s_waitcnt vmcnt(0)
	ds_write_b16 v1, v4 offset:24696
.LBB0_4:
	s_or_b64 exec, exec, s[10:11]
	v_or_b32_e32 v1, 0xffffff00, v0
	v_lshlrev_b32_e32 v2, 2, v0
	s_mov_b64 s[0:1], 0
	v_mov_b32_e32 v3, 0
	s_movk_i32 s5, 0x171d
.LBB0_5:                                ; =>This Inner Loop Header: Depth=1
	v_add_u32_e32 v1, 0x100, v1
	v_cmp_lt_u32_e32 vcc, s5, v1
	ds_write_b32 v2, v3
	s_or_b64 s[0:1], vcc, s[0:1]
	v_add_u32_e32 v2, 0x400, v2
	s_andn2_b64 exec, exec, s[0:1]
	s_cbranch_execnz .LBB0_5
; %bb.6:
	s_or_b64 exec, exec, s[0:1]
	s_mov_b32 s5, 0
	s_lshl_b64 s[0:1], s[4:5], 9
	s_add_u32 s3, s0, s3
	s_addc_u32 s4, s1, s14
	v_readfirstlane_b32 s0, v0
	s_cmpk_gt_u32 s0, 0x24bf
	s_waitcnt lgkmcnt(0)
	s_barrier
	s_cbranch_scc1 .LBB0_11
; %bb.7:
	s_mul_i32 s1, s4, 0x6b3a0
	s_mul_hi_u32 s5, s3, 0x6b3a0
	s_add_i32 s5, s5, s1
	s_mul_i32 s1, s3, 0x6b3a0
	s_add_u32 s8, s8, s1
	s_addc_u32 s9, s9, s5
	s_lshr_b32 s5, s0, 6
	v_and_b32_e32 v1, 63, v0
	v_lshlrev_b32_e32 v2, 2, v1
	v_mov_b32_e32 v3, 0
	s_mul_i32 s0, s5, 0xa8
	v_cmp_lt_u32_e32 vcc, 39, v1
	v_lshl_add_u64 v[2:3], s[8:9], 0, v[2:3]
	s_or_b32 s8, s0, 4
	v_mov_b32_e32 v1, 0xa0
	s_branch .LBB0_9
.LBB0_8:                                ;   in Loop: Header=BB0_9 Depth=1
	s_or_b64 exec, exec, s[0:1]
	s_add_i32 s0, s5, 4
	s_addk_i32 s8, 0x2a0
	s_cmpk_lt_u32 s5, 0x8f
	s_mov_b32 s5, s0
	s_cbranch_scc0 .LBB0_11
.LBB0_9:                                ; =>This Inner Loop Header: Depth=1
	s_and_b32 s0, s5, 0xff
	s_mulk_i32 s0, 0x4f
	s_lshr_b32 s0, s0, 8
	s_sub_i32 s1, s5, s0
	s_bfe_u32 s1, s1, 0x70001
	s_add_i32 s1, s1, s0
	s_bfe_u32 s0, s1, 0x30005
	s_add_i32 s9, s2, s0
	s_mul_i32 s0, s0, 49
	s_sub_i32 s10, s5, s0
	s_cmp_gt_u32 s9, 60
	s_cselect_b64 s[0:1], -1, 0
	s_add_i32 s11, s10, 0xffd1
	s_and_b32 s11, s11, 0xff
	s_cmpk_lt_u32 s11, 0xd3
	s_cselect_b64 s[12:13], -1, 0
	s_or_b64 s[0:1], s[0:1], s[12:13]
	s_nor_b64 s[12:13], s[0:1], vcc
	s_and_saveexec_b64 s[0:1], s[12:13]
	s_cbranch_execz .LBB0_8
; %bb.10:                               ;   in Loop: Header=BB0_9 Depth=1
	s_and_b32 s10, s10, 0xff
	s_mul_i32 s9, s9, 45
	s_add_i32 s10, s10, -2
	s_add_u32 s9, s10, s9
	s_addc_u32 s10, 0, 0
	s_mul_i32 s12, s10, 0xa0
	v_mad_u64_u32 v[4:5], s[10:11], s9, v1, v[2:3]
	v_add_u32_e32 v5, s12, v5
	s_mov_b32 m0, s8
	s_nop 0
	global_load_lds_dword v[4:5], off
	s_branch .LBB0_8
.LBB0_11:
	v_mov_b32_e32 v1, 0x6078
	v_mov_b32_e32 v6, 0x6088
	s_waitcnt vmcnt(0) lgkmcnt(0)
	s_barrier
	ds_read2_b64 v[2:5], v1 offset1:1
	ds_read2_b64 v[6:9], v6 offset1:1
	v_mov_b32_e32 v1, 0x6098
	v_mov_b32_e32 v14, 0x60a8
	ds_read2_b64 v[10:13], v1 offset1:1
	ds_read2_b64 v[14:17], v14 offset1:1
	v_mov_b32_e32 v1, 0x60b8
	v_mov_b32_e32 v22, 0x60c8
	ds_read2_b64 v[18:21], v1 offset1:1
	ds_read2_b64 v[22:25], v22 offset1:1
	v_mov_b32_e32 v1, 0x60d8
	v_mov_b32_e32 v30, 0x60e8
	s_mul_i32 s4, s4, 59
	s_mul_hi_u32 s0, s3, 59
	ds_read2_b64 v[26:29], v1 offset1:1
	ds_read2_b64 v[30:33], v30 offset1:1
	v_mov_b32_e32 v1, 0x60f8
	v_mov_b32_e32 v38, 0x6108
	s_add_i32 s0, s0, s4
	s_mul_i32 s3, s3, 59
	s_ashr_i32 s1, s2, 31
	ds_read2_b64 v[34:37], v1 offset1:1
	ds_read2_b64 v[38:41], v38 offset1:1
	v_mov_b32_e32 v1, 0x6118
	s_add_u32 s2, s3, s2
	v_mov_b32_e32 v47, 0
	ds_read2_b64 v[42:45], v1 offset1:1
	ds_read_b32 v46, v47 offset:24872
	s_addc_u32 s0, s0, s1
	s_mulk_i32 s0, 0x1c20
	s_mul_hi_u32 s1, s2, 0x1c20
	s_add_i32 s1, s1, s0
	s_mulk_i32 s2, 0x1c20
	s_add_u32 s0, s6, s2
	s_addc_u32 s1, s7, s1
	s_waitcnt lgkmcnt(11)
	v_lshlrev_b32_e32 v1, 16, v4
	s_waitcnt lgkmcnt(10)
	v_lshlrev_b32_e32 v4, 16, v7
	s_waitcnt lgkmcnt(9)
	v_lshlrev_b32_e32 v7, 16, v10
	v_lshlrev_b32_e32 v10, 16, v13
	s_waitcnt lgkmcnt(8)
	v_lshlrev_b32_e32 v13, 16, v16
	s_waitcnt lgkmcnt(7)
	v_lshlrev_b32_e32 v16, 16, v19
	s_waitcnt lgkmcnt(6)
	v_lshlrev_b32_e32 v19, 16, v22
	v_lshlrev_b32_e32 v22, 16, v25
	s_waitcnt lgkmcnt(5)
	v_lshlrev_b32_e32 v25, 16, v28
	s_waitcnt lgkmcnt(4)
	v_lshlrev_b32_e32 v28, 16, v31
	s_waitcnt lgkmcnt(3)
	v_lshlrev_b32_e32 v31, 16, v34
	v_lshlrev_b32_e32 v34, 16, v37
	s_waitcnt lgkmcnt(2)
	v_lshlrev_b32_e32 v37, 16, v40
	s_waitcnt lgkmcnt(1)
	v_lshlrev_b32_e32 v40, 16, v43
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v43, 16, v46
	s_mov_b64 s[2:3], 0
	s_mov_b32 s4, 0xcccd
	s_movk_i32 s5, 0xa8
	s_movk_i32 s6, 0x607
.LBB0_12:                               ; =>This Inner Loop Header: Depth=1
	v_mul_u32_u24_sdwa v46, v0, s4 dst_sel:DWORD dst_unused:UNUSED_PAD src0_sel:WORD_0 src1_sel:DWORD
	v_lshrrev_b32_e32 v46, 21, v46
	v_mul_lo_u16_e32 v48, 40, v46
	v_sub_u16_e32 v48, v0, v48
	v_lshlrev_b16_e32 v48, 1, v48
	v_lshlrev_b32_e32 v48, 1, v48
	v_mad_u32_u24 v49, v46, s5, v48
	ds_read2_b32 v[50:51], v49 offset1:1
	ds_read2_b32 v[52:53], v49 offset0:2 offset1:44
	v_mov_b32_e32 v54, 0
	v_mul_u32_u24_e32 v46, 0x50, v46
	v_lshlrev_b32_e32 v46, 1, v46
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v2, v54
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v55, 16, v52
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v3, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	v_fmac_f32_e32 v54, v55, v1
	v_mov_b32_e32 v55, 0
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v2, v55
	;;#ASMEND
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v3, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v1
	ds_read2_b32 v[50:51], v49 offset0:42 offset1:43
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v5, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v6, v54
	;;#ASMEND
	v_cmp_lt_u32_e32 vcc, s6, v0
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v5, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v6, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	v_fmac_f32_e32 v54, v52, v4
	v_fmac_f32_e32 v55, v50, v4
	ds_read2_b32 v[50:51], v49 offset0:84 offset1:85
	ds_read2_b32 v[52:53], v49 offset0:86 offset1:128
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v8, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v8, v55
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v9, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v9, v54
	;;#ASMEND
	v_fmac_f32_e32 v55, v50, v7
	ds_read2_b32 v[50:51], v49 offset0:126 offset1:127
	v_lshlrev_b32_e32 v56, 16, v52
	v_fmac_f32_e32 v54, v56, v7
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v11, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v11, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v12, v54
	;;#ASMEND
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v12, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	v_fmac_f32_e32 v54, v52, v10
	v_fmac_f32_e32 v55, v50, v10
	ds_read2_b32 v[50:51], v49 offset0:168 offset1:169
	ds_read_b32 v52, v49 offset:680
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v14, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v14, v55
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v15, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v13
	v_add_u32_e32 v50, 0x2028, v49
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v15, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v53, 16, v52
	ds_read2_b32 v[50:51], v50 offset1:1
	v_add_u32_e32 v56, 0x2000, v49
	v_fmac_f32_e32 v54, v53, v13
	ds_read2_b32 v[52:53], v56 offset0:12 offset1:54
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v17, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v17, v55
	;;#ASMEND
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v18, v54
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v18, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v16
	v_add_u32_e32 v50, 0x20d0, v49
	ds_read2_b32 v[50:51], v50 offset1:1
	v_lshlrev_b32_e32 v57, 16, v52
	v_fmac_f32_e32 v54, v57, v16
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v20, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v20, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v21, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v21, v54
	;;#ASMEND
	v_fmac_f32_e32 v55, v50, v19
	v_add_u32_e32 v50, 0x2178, v49
	v_fmac_f32_e32 v54, v52, v19
	ds_read2_b32 v[50:51], v50 offset1:1
	ds_read2_b32 v[52:53], v56 offset0:96 offset1:138
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v23, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v23, v55
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v24, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v22
	v_add_u32_e32 v50, 0x2220, v49
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v24, v54
	;;#ASMEND
	ds_read2_b32 v[50:51], v50 offset1:1
	v_lshlrev_b32_e32 v56, 16, v52
	v_fmac_f32_e32 v54, v56, v22
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v26, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v26, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v27, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v27, v54
	;;#ASMEND
	v_fmac_f32_e32 v55, v50, v25
	v_add_u32_e32 v50, 0x22c8, v49
	v_fmac_f32_e32 v54, v52, v25
	ds_read2_b32 v[50:51], v50 offset1:1
	ds_read_b32 v52, v49 offset:8912
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v29, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v29, v55
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v30, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v28
	v_add_u32_e32 v50, 0x4050, v49
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v30, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v53, 16, v52
	ds_read2_b32 v[50:51], v50 offset1:1
	v_add_u32_e32 v56, 0x4000, v49
	v_fmac_f32_e32 v54, v53, v28
	ds_read2_b32 v[52:53], v56 offset0:22 offset1:64
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v32, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v32, v55
	;;#ASMEND
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v33, v54
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v33, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v31
	v_add_u32_e32 v50, 0x40f8, v49
	ds_read2_b32 v[50:51], v50 offset1:1
	v_lshlrev_b32_e32 v57, 16, v52
	v_fmac_f32_e32 v54, v57, v31
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v35, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v35, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v36, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v36, v54
	;;#ASMEND
	v_fmac_f32_e32 v55, v50, v34
	v_add_u32_e32 v50, 0x41a0, v49
	v_fmac_f32_e32 v54, v52, v34
	ds_read2_b32 v[50:51], v50 offset1:1
	ds_read2_b32 v[52:53], v56 offset0:106 offset1:148
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v38, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v38, v55
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_alignbit_b32 v50, v52, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v39, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v52
	v_fmac_f32_e32 v55, v50, v37
	v_add_u32_e32 v50, 0x4248, v49
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v39, v54
	;;#ASMEND
	ds_read2_b32 v[50:51], v50 offset1:1
	v_lshlrev_b32_e32 v56, 16, v52
	v_fmac_f32_e32 v54, v56, v37
	s_waitcnt lgkmcnt(0)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v41, v54
	;;#ASMEND
	v_lshlrev_b32_e32 v52, 16, v53
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v41, v55
	;;#ASMEND
	v_alignbit_b32 v50, v53, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v42, v55
	;;#ASMEND
	v_and_b32_e32 v50, 0xffff0000, v53
	v_fmac_f32_e32 v55, v50, v40
	v_add_u32_e32 v50, 0x42f0, v49
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v42, v54
	;;#ASMEND
	ds_read2_b32 v[50:51], v50 offset1:1
	ds_read_b32 v49, v49 offset:17144
	v_fmac_f32_e32 v54, v52, v40
	s_waitcnt lgkmcnt(1)
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v50, v44, v54
	;;#ASMEND
	v_alignbit_b32 v50, v51, v50, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v44, v55
	;;#ASMEND
	;;#ASMSTART
	v_dot2_f32_bf16 v54, v51, v45, v54
	;;#ASMEND
	s_waitcnt lgkmcnt(0)
	v_lshlrev_b32_e32 v52, 16, v49
	v_alignbit_b32 v50, v49, v51, 16
	;;#ASMSTART
	v_dot2_f32_bf16 v55, v50, v45, v55
	;;#ASMEND
	v_and_b32_e32 v49, 0xffff0000, v49
	v_fmac_f32_e32 v54, v52, v43
	v_fmac_f32_e32 v55, v49, v43
	v_lshl_add_u64 v[50:51], s[0:1], 0, v[46:47]
	v_mov_b32_e32 v49, v47
	v_lshl_add_u64 v[48:49], v[50:51], 0, v[48:49]
	v_cvt_pk_bf16_f32 v46, v54, v55
	global_store_dword v[48:49], v46, off
	v_add_u32_e32 v46, 0x100, v0
	s_or_b64 s[2:3], vcc, s[2:3]
	v_mov_b32_e32 v0, v46
	s_andn2_b64 exec, exec, s[2:3]
	s_cbranch_execnz .LBB0_12
; %bb.13:
	s_endpgm
	.section	.rodata,"a",@progbits
	.p2align	6, 0x0
	.end_amdhsa_kernel
	.text
.Lfunc_end0:
	.size	conv3d_pairs, .Lfunc_end0-conv3d_pairs
                                        ; -- End function
	.set conv3d_pairs.num_vgpr, 58
	.set conv3d_pairs.num_agpr, 0
	.set conv3d_pairs.numbered_sgpr, 18
	.set conv3d_pairs.num_named_barrier, 0
	.set conv3d_pairs.private_seg_size, 0
	.set conv3d_pairs.uses_vcc, 1
	.set conv3d_pairs.uses_flat_scratch, 0
	.set conv3d_pairs.has_dyn_sized_stack, 0
	.set conv3d_pairs.has_recursion, 0
	.set conv3d_pairs.has_indirect_call, 0
	.section	.AMDGPU.csdata,"",@progbits
; Kernel info:
; codeLenInByte = 2960
; TotalNumSgprs: 24
; NumVgprs: 58
; NumAgprs: 0
; TotalNumVgprs: 58
; ScratchSize: 0
; MemoryBound: 0
; FloatMode: 240
; IeeeMode: 1
; LDSByteSize: 32576 bytes/workgroup (compile time only)
; SGPRBlocks: 12
; VGPRBlocks: 10
; NumSGPRsForWavesPerEU: 102
; NumVGPRsForWavesPerEU: 81
; AccumOffset: 60
; Occupancy: 5
; WaveLimiterHint : 0
; COMPUTE_PGM_RSRC2:SCRATCH_EN: 0
; COMPUTE_PGM_RSRC2:USER_SGPR: 2
; COMPUTE_PGM_RSRC2:TRAP_HANDLER: 0
; COMPUTE_PGM_RSRC2:TGID_X_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Y_EN: 1
; COMPUTE_PGM_RSRC2:TGID_Z_EN: 1
; COMPUTE_PGM_RSRC2:TIDIG_COMP_CNT: 0
; COMPUTE_PGM_RSRC3_GFX90A:ACCUM_OFFSET: 14
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
	.type	__hip_cuid_a95a53589204c9e2,@object ; @__hip_cuid_a95a53589204c9e2
	.section	.bss,"aw",@nobits
	.globl	__hip_cuid_a95a53589204c9e2
__hip_cuid_a95a53589204c9e2:
	.byte	0                               ; 0x0
	.size	__hip_cuid_a95a53589204c9e2, 1

	.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .address_space:  global
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
    .group_segment_fixed_size: 32576
    .kernarg_segment_align: 8
    .kernarg_segment_size: 24
    .max_flat_workgroup_size: 256
    .name:           conv3d_pairs
    .private_segment_fixed_size: 0
    .sgpr_count:     24
    .sgpr_spill_count: 0
    .symbol:         conv3d_pairs.kd
    .uniform_work_group_size: 1
    .uses_dynamic_stack: false
    .vgpr_count:     58
    .vgpr_spill_count: 0
    .wavefront_size: 64
amdhsa.target:   amdgcn-amd-amdhsa--gfx950
amdhsa.version:
  - 1
  - 2
...

	.end_amdgpu_metadata
