	.build_version macos, 15, 0
	.section	__TEXT,__text,regular,pure_instructions
	.globl	_dot                            ; -- Begin function dot
	.p2align	2
_dot:                                   ; @dot
	.cfi_startproc
; %bb.0:
	cmp	w2, #1
	b.lt	LBB0_3
; %bb.1:
	mov	w8, w2
	cmp	w2, #4
	b.hs	LBB0_4
; %bb.2:
	mov	x9, #0                          ; =0x0
	movi.2d	v0, #0000000000000000
	b	LBB0_7
LBB0_3:
	movi.2d	v0, #0000000000000000
	ret
LBB0_4:
	and	x9, x8, #0x7ffffffc
	movi.2d	v0, #0000000000000000
	mov	x10, x0
	mov	x11, x1
	and	x12, x8, #0x7ffffffc
LBB0_5:                                 ; =>This Inner Loop Header: Depth=1
	ldr	q1, [x10], #16
	ldr	q2, [x11], #16
	fmla.4s	v0, v1, v2
	subs	x12, x12, #4
	b.ne	LBB0_5
; %bb.6:
	faddp.4s	v0, v0, v0
	faddp.2s	s0, v0
	cmp	x9, x8
	b.eq	LBB0_9
LBB0_7:
	lsl	x11, x9, #2
	add	x10, x1, x11
	add	x11, x0, x11
	sub	x8, x8, x9
LBB0_8:                                 ; =>This Inner Loop Header: Depth=1
	ldr	s1, [x11], #4
	ldr	s2, [x10], #4
	fmadd	s0, s2, s1, s0
	subs	x8, x8, #1
	b.ne	LBB0_8
LBB0_9:
	ret
	.cfi_endproc
                                        ; -- End function
	.globl	_look_up                        ; -- Begin function look_up
	.p2align	2
_look_up:                               ; @look_up
	.cfi_startproc
; %bb.0:
	cmp	w3, #1
	b.lt	LBB1_3
; %bb.1:
	mov	w8, w3
LBB1_2:                                 ; =>This Inner Loop Header: Depth=1
	ldrsw	x9, [x2], #4
	ldr	s0, [x1, x9, lsl #2]
	str	s0, [x0], #4
	subs	x8, x8, #1
	b.ne	LBB1_2
LBB1_3:
	ret
	.cfi_endproc
                                        ; -- End function
	.globl	_count                          ; -- Begin function count
	.p2align	2
_count:                                 ; @count
	.cfi_startproc
; %bb.0:
	cbz	x2, LBB2_2
LBB2_1:                                 ; =>This Inner Loop Header: Depth=1
	ldrb	w8, [x1], #1
	ldr	w9, [x0, x8, lsl #2]
	add	w9, w9, #1
	str	w9, [x0, x8, lsl #2]
	subs	x2, x2, #1
	b.ne	LBB2_1
LBB2_2:
	ret
	.cfi_endproc
                                        ; -- End function
	.globl	_sum_up                         ; -- Begin function sum_up
	.p2align	2
_sum_up:                                ; @sum_up
	.cfi_startproc
; %bb.0:
	cmp	w2, #1
	b.lt	LBB3_9
; %bb.1:
	ldr	s0, [x0]
	mov	w8, w2
	cmp	w2, #12
	b.lo	LBB3_6
; %bb.2:
	add	x9, x0, #4
	add	x10, x1, x8, lsl #2
	cmp	x0, x10
	ccmp	x1, x9, #2, lo
	b.lo	LBB3_6
; %bb.3:
	and	x9, x8, #0x7ffffffc
	movi.2d	v1, #0000000000000000
	mov.s	v1[0], v0[0]
	mov	x10, x1
	and	x11, x8, #0x7ffffffc
LBB3_4:                                 ; =>This Inner Loop Header: Depth=1
	ldr	q0, [x10], #16
	fadd.4s	v1, v1, v0
	subs	x11, x11, #4
	b.ne	LBB3_4
; %bb.5:
	faddp.4s	v0, v1, v1
	faddp.2s	s0, v0
	str	s0, [x0]
	cmp	x9, x8
	b.ne	LBB3_7
	b	LBB3_9
LBB3_6:
	mov	x9, #0                          ; =0x0
LBB3_7:
	add	x10, x1, x9, lsl #2
	sub	x8, x8, x9
LBB3_8:                                 ; =>This Inner Loop Header: Depth=1
	ldr	s1, [x10], #4
	fadd	s0, s0, s1
	str	s0, [x0]
	subs	x8, x8, #1
	b.ne	LBB3_8
LBB3_9:
	ret
	.cfi_endproc
                                        ; -- End function
.subsections_via_symbols
