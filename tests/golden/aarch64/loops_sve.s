	.file	"loops.c"
	.text
	.globl	dot                             // -- Begin function dot
	.p2align	4
	.type	dot,@function
dot:                                    // @dot
	.cfi_startproc
// %bb.0:
	cmp	w2, #1
	b.lt	.LBB0_3
// %bb.1:
	mov	w8, w2
	cntw	x10
	cmp	x10, x8
	b.ls	.LBB0_4
// %bb.2:
	mov	x9, xzr
	movi	d0, #0000000000000000
	b	.LBB0_7
.LBB0_3:
	movi	d0, #0000000000000000
                                        // kill: def $s0 killed $s0 killed $z0
	ret
.LBB0_4:
	neg	x9, x10
	movi	v0.2d, #0000000000000000
	mov	x11, xzr
	and	x9, x9, x8
	ptrue	p0.s
	.p2align	5, , 16
.LBB0_5:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z1.s }, p0/z, [x0, x11, lsl #2]
	ld1w	{ z2.s }, p0/z, [x1, x11, lsl #2]
	add	x11, x11, x10
	cmp	x9, x11
	fmla	z0.s, p0/m, z2.s, z1.s
	b.ne	.LBB0_5
// %bb.6:
	faddv	s0, p0, z0.s
	cmp	x9, x8
	b.eq	.LBB0_9
.LBB0_7:
	add	x10, x1, x9, lsl #2
	add	x11, x0, x9, lsl #2
	sub	x8, x8, x9
	.p2align	5, , 16
.LBB0_8:                                // =>This Inner Loop Header: Depth=1
	ldr	s1, [x11], #4
	subs	x8, x8, #1
	ldr	s2, [x10], #4
	fmadd	s0, s2, s1, s0
	b.ne	.LBB0_8
.LBB0_9:
                                        // kill: def $s0 killed $s0 killed $z0
	ret
.Lfunc_end0:
	.size	dot, .Lfunc_end0-dot
	.cfi_endproc
                                        // -- End function
	.globl	look_up                         // -- Begin function look_up
	.p2align	4
	.type	look_up,@function
look_up:                                // @look_up
	.cfi_startproc
// %bb.0:
	cmp	w3, #1
	b.lt	.LBB1_3
// %bb.1:
	mov	w8, w3
	.p2align	5, , 16
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
	.p2align	4
	.type	count,@function
count:                                  // @count
	.cfi_startproc
// %bb.0:
	cbz	x2, .LBB2_2
	.p2align	5, , 16
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
	.p2align	4
	.type	sum_up,@function
sum_up:                                 // @sum_up
	.cfi_startproc
// %bb.0:
	cmp	w2, #1
	b.lt	.LBB3_7
// %bb.1:
	ldr	s0, [x0]
	cntw	x10
	cmp	x10, #12
	mov	w9, #12                         // =0xc
	mov	w8, w2
	csel	x9, x10, x9, hi
	cmp	x9, x8
	b.hi	.LBB3_4
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
	.p2align	5, , 16
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
	neg	x9, x10
	ptrue	p0.s, vl1
	mov	x11, xzr
	and	x9, x9, x8
	sel	z0.s, p0, z0.s, z1.s
	ptrue	p0.s
	.p2align	5, , 16
.LBB3_9:                                // =>This Inner Loop Header: Depth=1
	ld1w	{ z1.s }, p0/z, [x1, x11, lsl #2]
	add	x11, x11, x10
	cmp	x9, x11
	fadd	z0.s, z0.s, z1.s
	b.ne	.LBB3_9
// %bb.10:
	faddv	s0, p0, z0.s
	cmp	x9, x8
	str	s0, [x0]
	b.eq	.LBB3_7
	b	.LBB3_5
.Lfunc_end3:
	.size	sum_up, .Lfunc_end3-sum_up
	.cfi_endproc
                                        // -- End function
	.section	".note.GNU-stack","",@progbits
	.addrsig
