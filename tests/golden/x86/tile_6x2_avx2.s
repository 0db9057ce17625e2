00000000000004e0 <tile>:
 4e0:	endbr64
			12d: R_X86_64_64	.lrodata.cst4+0x4
			137: R_X86_64_64	.lrodata.cst32+0x20
			172: R_X86_64_64	.lrodata.cst8
			35b: R_X86_64_64	.lrodata.cst4
			365: R_X86_64_64	.lrodata.cst32
 4e4:	push   rbp
 4e5:	mov    rbp,rsp
 4e8:	push   r15
 4ea:	push   r14
 4ec:	push   r13
 4ee:	push   r12
 4f0:	push   rbx
 4f1:	and    rsp,0xfffffffffffffff8
 4f5:	sub    rsp,0x68
 4f9:	mov    rax,QWORD PTR [rdi+0x10]
 4fd:	mov    r9,QWORD PTR [rsi]
 500:	mov    r8,QWORD PTR [rdi+0xd8]
 507:	mov    rsi,QWORD PTR [rsi+0x8]
 50b:	movsxd rcx,DWORD PTR [rdi+0x4]
 50f:	mov    edx,DWORD PTR [rdi+0x8]
 512:	mov    QWORD PTR [rsp+0x18],rax
 517:	mov    rax,QWORD PTR [rdi+0x18]
 51b:	imul   rsi,r8
 51f:	add    rsi,QWORD PTR [rdi+0x38]
 523:	mov    QWORD PTR [rsp+0x20],rcx
 528:	mov    QWORD PTR [rsp+0x40],rax
 52d:	mov    rax,QWORD PTR [rdi+0x20]
 531:	add    r8,rsi
 534:	mov    QWORD PTR [rsp+0x10],r8
 539:	lea    r8,[rcx*4+0x0]
 541:	mov    QWORD PTR [rsp+0x50],rax
 546:	mov    rax,QWORD PTR [rdi+0xd0]
 54d:	imul   r9,rax
 551:	add    r9,QWORD PTR [rdi+0x30]
 555:	add    rax,r9
 558:	mov    QWORD PTR [rsp+0x8],r9
 55d:	mov    QWORD PTR [rsp+0x48],rax
 562:	mov    rax,rsi
 565:	shl    rax,0x21
 569:	lea    rdi,[rax+rax*2]
 56d:	mov    eax,r9d
 570:	shl    eax,0x4
 573:	movabs r9,0x600000000
 57d:	mov    DWORD PTR [rsp+0x4],eax
 581:	lea    rax,[rdx*4+0x0]
 589:	mov    r10,rdi
 58c:	neg    r10
 58f:	jmp    5d7 <tile+0xf7>
 591:	data16 data16 data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 5a0:	mov    rsi,QWORD PTR [rsp+0x38]
 5a5:	mov    rdi,QWORD PTR [rsp+0x30]
 5aa:	mov    r10,QWORD PTR [rsp+0x28]
 5af:	movabs r9,0x600000000
 5b9:	movabs rcx,0xfffffffa00000000
 5c3:	inc    rsi
 5c6:	add    rdi,r9
 5c9:	add    r10,rcx
 5cc:	cmp    rsi,QWORD PTR [rsp+0x10]
 5d1:	je     7fd <tile+0x31d>
 5d7:	mov    rcx,rdi
 5da:	sar    rcx,0x3f
 5de:	mov    r11d,0x1
 5e4:	mov    QWORD PTR [rsp+0x30],rdi
 5e9:	mov    QWORD PTR [rsp+0x38],rsi
 5ee:	mov    QWORD PTR [rsp+0x28],r10
 5f3:	mov    r15d,DWORD PTR [rsp+0x4]
 5f8:	or     rcx,rdi
 5fb:	cmovg  rcx,r11
 5ff:	cmp    r10,rdi
 602:	cmovg  rdi,r10
 606:	imul   rsi,r9
 60a:	mov    r9,QWORD PTR [rsp+0x20]
 60f:	shr    rdi,0x20
 613:	imul   rdi,rax
 617:	sar    rsi,0x20
 61b:	lea    r10,[rsi+0x1]
 61f:	lea    r11,[rsi+0x2]
 623:	lea    rbx,[rsi+0x4]
 627:	lea    r13,[rsi+0x5]
 62b:	imul   rdi,rcx
 62f:	lea    rcx,[rsi+0x3]
 633:	imul   r10,r9
 637:	imul   r11,r9
 63b:	add    rdi,QWORD PTR [rsp+0x18]
 640:	imul   rsi,r9
 644:	imul   rbx,r9
 648:	imul   r13,r9
 64c:	imul   rcx,r9
 650:	mov    r9,QWORD PTR [rsp+0x8]
 655:	mov    QWORD PTR [rsp+0x60],r10
 65a:	mov    QWORD PTR [rsp+0x58],r11
 65f:	jmp    721 <tile+0x241>
 664:	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 670:	vxorps xmm0,xmm0,xmm0
 674:	vxorps xmm1,xmm1,xmm1
 678:	vxorps xmm2,xmm2,xmm2
 67c:	vxorps xmm3,xmm3,xmm3
 680:	vxorps xmm4,xmm4,xmm4
 684:	vxorps xmm5,xmm5,xmm5
 688:	vxorps xmm6,xmm6,xmm6
 68c:	vxorps xmm7,xmm7,xmm7
 690:	vxorps xmm8,xmm8,xmm8
 695:	vxorps xmm9,xmm9,xmm9
 69a:	vxorps xmm10,xmm10,xmm10
 69f:	vxorps xmm11,xmm11,xmm11
 6a4:	mov    r11,QWORD PTR [rsp+0x50]
 6a9:	mov    r10d,r9d
 6ac:	shl    r10d,0x4
 6b0:	inc    r9
 6b3:	add    r15d,0x10
 6b7:	movsxd r10,r10d
 6ba:	lea    r10,[r11+r10*4]
 6be:	mov    r11,QWORD PTR [rsp+0x60]
 6c3:	vmovups YMMWORD PTR [r10+rsi*4],ymm11
 6c9:	vmovups YMMWORD PTR [r10+rsi*4+0x20],ymm10
 6d0:	vmovups YMMWORD PTR [r10+r11*4],ymm9
 6d6:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm8
 6dd:	mov    r11,QWORD PTR [rsp+0x58]
 6e2:	vmovups YMMWORD PTR [r10+r11*4],ymm7
 6e8:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm6
 6ef:	vmovups YMMWORD PTR [r10+rcx*4],ymm5
 6f5:	vmovups YMMWORD PTR [r10+rcx*4+0x20],ymm4
 6fc:	vmovups YMMWORD PTR [r10+rbx*4],ymm3
 702:	vmovups YMMWORD PTR [r10+rbx*4+0x20],ymm2
 709:	vmovups YMMWORD PTR [r10+r13*4],ymm1
 70f:	vmovups YMMWORD PTR [r10+r13*4+0x20],ymm0
 716:	cmp    r9,QWORD PTR [rsp+0x48]
 71b:	je     5a0 <tile+0xc0>
 721:	test   edx,edx
 723:	jle    670 <tile+0x190>
 729:	mov    r11,QWORD PTR [rsp+0x40]
 72e:	movsxd r10,r15d
 731:	vxorps xmm0,xmm0,xmm0
 735:	vxorps xmm1,xmm1,xmm1
 739:	vxorps xmm2,xmm2,xmm2
 73d:	vxorps xmm3,xmm3,xmm3
 741:	vxorps xmm4,xmm4,xmm4
 745:	vxorps xmm5,xmm5,xmm5
 749:	vxorps xmm6,xmm6,xmm6
 74d:	vxorps xmm7,xmm7,xmm7
 751:	vxorps xmm8,xmm8,xmm8
 756:	vxorps xmm9,xmm9,xmm9
 75b:	vxorps xmm10,xmm10,xmm10
 760:	vxorps xmm11,xmm11,xmm11
 765:	lea    r10,[r11+r10*4]
 769:	xor    r11d,r11d
 76c:	nop    DWORD PTR [rax+0x0]
 770:	vmovups ymm13,YMMWORD PTR [r10]
 775:	vmovups ymm12,YMMWORD PTR [r10+0x20]
 77b:	vbroadcastss ymm14,DWORD PTR [rdi+r11*4]
 781:	lea    r12,[rdi+r11*4]
 785:	lea    r14,[rax+rax*1]
 789:	inc    r11
 78c:	add    r10,r8
 78f:	vfmadd231ps ymm11,ymm14,ymm13
 794:	vfmadd231ps ymm10,ymm12,ymm14
 799:	vbroadcastss ymm14,DWORD PTR [r12+rdx*4]
 79f:	vfmadd231ps ymm9,ymm14,ymm13
 7a4:	vfmadd231ps ymm8,ymm12,ymm14
 7a9:	vbroadcastss ymm14,DWORD PTR [r12+rdx*8]
 7af:	add    r12,r14
 7b2:	add    r14,r12
 7b5:	vbroadcastss ymm15,DWORD PTR [r14+rdx*4]
 7bb:	vfmadd231ps ymm7,ymm14,ymm13
 7c0:	vfmadd231ps ymm6,ymm12,ymm14
 7c5:	vbroadcastss ymm14,DWORD PTR [r12+rdx*4]
 7cb:	vfmadd231ps ymm1,ymm15,ymm13
 7d0:	vfmadd231ps ymm0,ymm15,ymm12
 7d5:	vfmadd231ps ymm5,ymm14,ymm13
 7da:	vfmadd231ps ymm4,ymm12,ymm14
 7df:	vbroadcastss ymm14,DWORD PTR [r12+rdx*8]
 7e5:	vfmadd231ps ymm3,ymm14,ymm13
 7ea:	vfmadd231ps ymm2,ymm12,ymm14
 7ef:	cmp    rdx,r11
 7f2:	jne    770 <tile+0x290>
 7f8:	jmp    6a4 <tile+0x1c4>
 7fd:	lea    rsp,[rbp-0x28]
 801:	pop    rbx
 802:	pop    r12
 804:	pop    r13
 806:	pop    r14
 808:	pop    r15
 80a:	pop    rbp
 80b:	vzeroupper
 80e:	ret
