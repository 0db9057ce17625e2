	.file	"loops.c"
	.text
	.globl	dot                             // -- Begin function dot
	.p2align	2
	.type	dot,@function
dot:                                    // @dot
	.cfi_startproc
// %bb.0:
	cmp	w2, #1
	b.lt	.LBB0_3
// %bb.1:
	cmp	w2, #4
	mov	w8, w2
	b.hs	.LBB0_4
// %bb.2:
	movi	d0, #0000000000000000
	mov	x9, xzr
	b	.LBB0_7
.LBB0_3:
	movi	d0, #0000000000000000
	ret
.LBB0_4:
	movi	v0.2d, #0000000000000000
	and	x9, x8, #0x7ffffffc
	mov	x10, x0
	mov	x11, x1
	and	x12, x8, #0x7ffffffc
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ldr	q1, [x10], #16
	subs	x12, x12, #4
	ldr	q2, [x11], #16
	fmla	v0.4s, v1.4s, v2.4s
	b.ne	.LBB0_5
// %bb.6:
	faddp	v0.4s, v0.4s, v0.4s
	cmp	x9, x8
	faddp	s0, v0.2s
	b.eq	.LBB0_9
.LBB0_7:
	lsl	x11, x9, #2
	sub	x8, x8, x9
	add	x10, x1, x11
	add	x11, x0, x11
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ldr	s1, [x11], #4
	subs	x8, x8, #1
	ldr	s2, [x10], #4
	fmadd	s0, s2, s1, s0
	b.ne	.LBB0_8
.LBB0_9:
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
	.cfi_endproc
                                        // -- End function
	.globl	look_up                         // -- Begin function look_up
	.p2align	2
	.type	look_up,@function
look_up:                                // @look_up
	.cfi_startproc
// %bb.0:
	cmp	w3, #1
	b.lt	.LBB1_3
// %bb.1:
	mov	w8, w3
.LBB1_2:                                // =>This Inner Loop Header: Depth=1
	ldrsw	x9, [x2], #4
	subs	x8, x8, #1
	ldr	s0, [x1, x9, lsl #2]
	str	s0, [x0], #4
	b.ne	.LBB1_2
.LBB1_3:
	ret
.Lfunc_end1:
	.size	look_up, .Lfunc_end1-look_up
	.cfi_endproc
                                        // -- End function
	.globl	count                           // -- Begin function count
	.p2align	2
	.type	count,@function
count:                                  // @count
	.cfi_startproc
// %bb.0:
	cbz	x2, .LBB2_2
.LBB2_1:                                // =>This Inner Loop Header: Depth=1
	ldrb	w8, [x1], #1
	subs	x2, x2, #1
	ldr	w9, [x0, x8, lsl #2]
	add	w9, w9, #1
	str	w9, [x0, x8, lsl #2]
	b.ne	.LBB2_1
.LBB2_2:
	ret
.Lfunc_end2:
	.size	count, .Lfunc_end2-count
	.cfi_endproc
                                        // -- End function
	.globl	sum_up                          // -- Begin function sum_up
	.p2align	2
	.type	sum_up,@function
sum_up:                                 // @sum_up
	.cfi_startproc
// %bb.0:
	cmp	w2, #1
	b.lt	.LBB3_7
// %bb.1:
	ldr	s0, [x0]
	cmp	w2, #12
	mov	w8, w2
	b.lo	.LBB3_4
// %bb.2:
	add	x9, x1, x8, lsl #2
	cmp	x0, x9
	b.hs	.LBB3_8
// %bb.3:
	add	x9, x0, #4
	cmp	x1, x9
	b.hs	.LBB3_8
.LBB3_4:
	mov	x9, xzr
.LBB3_5:
	add	x10, x1, x9, lsl #2
	sub	x8, x8, x9
.LBB3_6:                                // =>This Inner Loop Header: Depth=1
	ldr	s1, [x10], #4
	subs	x8, x8, #1
	fadd	s0, s0, s1
	str	s0, [x0]
	b.ne	.LBB3_6
.LBB3_7:
	ret
.LBB3_8:
	movi	v1.2d, #0000000000000000
	and	x9, x8, #0x7ffffffc
	mov	x10, x1
	and	x11, x8, #0x7ffffffc
	mov	v1.s[0], v0.s[0]
.LBB3_9:                                // =>This Inner Loop Header: Depth=1
	ldr	q0, [x10], #16
	subs	x11, x11, #4
	fadd	v1.4s, v1.4s, v0.4s
	b.ne	.LBB3_9
// %bb.10:
	faddp	v0.4s, v1.4s, v1.4s
	cmp	x9, x8
	faddp	s0, v0.2s
	str	s0, [x0]
	b.eq	.LBB3_7
	b	.LBB3_5
.Lfunc_end3:
	.size	sum_up, .Lfunc_end3-sum_up
	.cfi_endproc
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
