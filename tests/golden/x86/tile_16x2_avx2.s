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
     4f1:	and    rsp,0xffffffffffffffe0
     4f5:	sub    rsp,0x380
     4fc:	mov    rdx,QWORD PTR [rdi+0x10]
     500:	mov    r9,QWORD PTR [rsi]
     503:	mov    r8,QWORD PTR [rdi+0xd8]
     50a:	mov    rsi,QWORD PTR [rsi+0x8]
     50e:	movsxd rax,DWORD PTR [rdi+0x4]
     512:	mov    ecx,DWORD PTR [rdi+0x8]
     515:	mov    QWORD PTR [rsp+0x60],rdx
     51a:	mov    rdx,QWORD PTR [rdi+0x18]
     51e:	imul   rsi,r8
     522:	add    rsi,QWORD PTR [rdi+0x38]
     526:	lea    r12,[rax*4+0x0]
     52e:	mov    QWORD PTR [rsp+0x68],rax
     533:	mov    QWORD PTR [rsp+0x78],rdx
     538:	mov    rdx,QWORD PTR [rdi+0x20]
     53c:	add    r8,rsi
     53f:	mov    QWORD PTR [rsp+0x58],r8
     544:	mov    QWORD PTR [rsp+0x88],rdx
     54c:	mov    rdx,QWORD PTR [rdi+0xd0]
     553:	imul   r9,rdx
     557:	add    r9,QWORD PTR [rdi+0x30]
     55b:	lea    rdi,[rcx*4+0x0]
     563:	add    rdx,r9
     566:	mov    r8d,r9d
     569:	shl    r8d,0x4
     56d:	mov    QWORD PTR [rsp+0x50],r9
     572:	mov    QWORD PTR [rsp+0x80],rdx
     57a:	mov    edx,esi
     57c:	shl    edx,0x4
     57f:	mov    DWORD PTR [rsp+0x48],r8d
     584:	jmp    5aa <tile+0xca>
     586:	cs nop WORD PTR [rax+rax*1+0x0]
     590:	mov    rsi,QWORD PTR [rsp+0x70]
     595:	mov    edx,DWORD PTR [rsp+0x4c]
     599:	inc    rsi
     59c:	add    edx,0x10
     59f:	cmp    rsi,QWORD PTR [rsp+0x58]
     5a4:	je     dfe <tile+0x91e>
     5aa:	mov    r8,QWORD PTR [rsp+0x68]
     5af:	mov    eax,esi
     5b1:	shl    eax,0x4
     5b4:	movsxd r13,edx
     5b7:	mov    DWORD PTR [rsp+0x4c],edx
     5bb:	mov    QWORD PTR [rsp+0x70],rsi
     5c0:	movsxd rdx,eax
     5c3:	imul   r13,rdi
     5c7:	add    r13,QWORD PTR [rsp+0x60]
     5cc:	lea    r10,[rdx+0x2]
     5d0:	lea    rax,[rdx+0x7]
     5d4:	lea    r11,[rdx+0x3]
     5d8:	lea    r9,[rdx+0x1]
     5dc:	lea    rbx,[rdx+0x4]
     5e0:	lea    r14,[rdx+0x5]
     5e4:	lea    r15,[rdx+0x6]
     5e8:	lea    rsi,[rdx+0xe]
     5ec:	mov    QWORD PTR [rsp+0x40],rax
     5f1:	lea    rax,[rdx+0x8]
     5f5:	mov    QWORD PTR [rsp+0x38],rax
     5fa:	lea    rax,[rdx+0x9]
     5fe:	imul   r10,r8
     602:	imul   r11,r8
     606:	mov    QWORD PTR [rsp+0x30],rax
     60b:	lea    rax,[rdx+0xa]
     60f:	imul   r9,r8
     613:	imul   rbx,r8
     617:	imul   r14,r8
     61b:	imul   r15,r8
     61f:	imul   rsi,r8
     623:	mov    QWORD PTR [rsp+0x28],rax
     628:	lea    rax,[rdx+0xb]
     62c:	mov    QWORD PTR [rsp+0x20],rax
     631:	lea    rax,[rdx+0xc]
     635:	mov    QWORD PTR [rsp+0xb0],r10
     63d:	mov    r10,QWORD PTR [rsp+0x40]
     642:	mov    QWORD PTR [rsp+0xa8],r11
     64a:	mov    r11,QWORD PTR [rsp+0x38]
     64f:	mov    QWORD PTR [rsp+0x18],rax
     654:	lea    rax,[rdx+0xd]
     658:	mov    QWORD PTR [rsp+0xb8],r9
     660:	mov    r9,QWORD PTR [rsp+0x50]
     665:	mov    QWORD PTR [rsp+0xa0],rbx
     66d:	mov    QWORD PTR [rsp+0x98],r14
     675:	mov    QWORD PTR [rsp+0x90],r15
     67d:	mov    QWORD PTR [rsp+0x10],rax
     682:	lea    rax,[rdx+0xf]
     686:	imul   rdx,r8
     68a:	imul   rax,r8
     68e:	imul   r10,r8
     692:	imul   r11,r8
     696:	mov    QWORD PTR [rsp+0x40],r10
     69b:	mov    r10,QWORD PTR [rsp+0x30]
     6a0:	mov    QWORD PTR [rsp+0x38],r11
     6a5:	mov    r11,QWORD PTR [rsp+0x28]
     6aa:	imul   r10,r8
     6ae:	imul   r11,r8
     6b2:	mov    QWORD PTR [rsp+0x30],r10
     6b7:	mov    r10,QWORD PTR [rsp+0x20]
     6bc:	mov    QWORD PTR [rsp+0x28],r11
     6c1:	mov    r11,QWORD PTR [rsp+0x18]
     6c6:	imul   r10,r8
     6ca:	imul   r11,r8
     6ce:	mov    QWORD PTR [rsp+0x20],r10
     6d3:	mov    r10,QWORD PTR [rsp+0x10]
     6d8:	mov    QWORD PTR [rsp+0x18],r11
     6dd:	imul   r10,r8
     6e1:	mov    r8d,DWORD PTR [rsp+0x48]
     6e6:	mov    QWORD PTR [rsp+0x10],r10
     6eb:	jmp    9ca <tile+0x4ea>
     6f0:	vxorps xmm1,xmm1,xmm1
     6f4:	vxorps xmm0,xmm0,xmm0
     6f8:	vmovups YMMWORD PTR [rsp+0x300],ymm1
     701:	vmovups YMMWORD PTR [rsp+0x2a0],ymm1
     70a:	vmovups YMMWORD PTR [rsp+0x240],ymm1
     713:	vmovups YMMWORD PTR [rsp+0x220],ymm1
     71c:	vmovups YMMWORD PTR [rsp+0x200],ymm1
     725:	vmovups YMMWORD PTR [rsp+0x1e0],ymm1
     72e:	vmovups YMMWORD PTR [rsp+0x1c0],ymm1
     737:	vmovups YMMWORD PTR [rsp+0x1a0],ymm1
     740:	vmovups YMMWORD PTR [rsp+0x180],ymm1
     749:	vmovups YMMWORD PTR [rsp+0x160],ymm1
     752:	vmovups YMMWORD PTR [rsp+0x140],ymm1
     75b:	vmovups YMMWORD PTR [rsp+0x120],ymm1
     764:	vmovups YMMWORD PTR [rsp+0x100],ymm1
     76d:	vmovups YMMWORD PTR [rsp+0x2e0],ymm1
     776:	vmovups YMMWORD PTR [rsp+0x2c0],ymm1
     77f:	vmovups YMMWORD PTR [rsp+0x280],ymm1
     788:	vmovups YMMWORD PTR [rsp+0x260],ymm1
     791:	vmovups YMMWORD PTR [rsp+0xc0],ymm1
     79a:	vxorps xmm5,xmm5,xmm5
     79e:	vxorps xmm6,xmm6,xmm6
     7a2:	vxorps xmm7,xmm7,xmm7
     7a6:	vxorps xmm8,xmm8,xmm8
     7ab:	vxorps xmm9,xmm9,xmm9
     7b0:	vxorps xmm10,xmm10,xmm10
     7b5:	vxorps xmm11,xmm11,xmm11
     7ba:	vxorps xmm12,xmm12,xmm12
     7bf:	vxorps xmm13,xmm13,xmm13
     7c4:	vxorps xmm14,xmm14,xmm14
     7c9:	vxorps xmm15,xmm15,xmm15
     7ce:	vxorps xmm3,xmm3,xmm3
     7d2:	vmovups YMMWORD PTR [rsp+0xe0],ymm1
     7db:	mov    r11,QWORD PTR [rsp+0x88]
     7e3:	vmovups ymm1,YMMWORD PTR [rsp+0xe0]
     7ec:	vmovups ymm2,YMMWORD PTR [rsp+0x260]
     7f5:	inc    r9
     7f8:	add    r8d,0x10
     7fc:	lea    r10,[r11+r10*4]
     800:	mov    r11,QWORD PTR [rsp+0xb8]
     808:	vmovups YMMWORD PTR [r10+rdx*4],ymm1
     80e:	vmovups YMMWORD PTR [r10+rdx*4+0x20],ymm3
     815:	vmovups ymm1,YMMWORD PTR [rsp+0xc0]
     81e:	vmovups ymm3,YMMWORD PTR [rsp+0x280]
     827:	vmovups YMMWORD PTR [r10+r11*4],ymm15
     82d:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm14
     834:	mov    r11,QWORD PTR [rsp+0xb0]
     83c:	vmovups YMMWORD PTR [r10+r11*4],ymm13
     842:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm12
     849:	mov    r11,QWORD PTR [rsp+0xa8]
     851:	vmovups YMMWORD PTR [r10+r11*4],ymm11
     857:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm10
     85e:	mov    r11,QWORD PTR [rsp+0xa0]
     866:	vmovups YMMWORD PTR [r10+r11*4],ymm9
     86c:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm8
     873:	mov    r11,QWORD PTR [rsp+0x98]
     87b:	vmovups YMMWORD PTR [r10+r11*4],ymm7
     881:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm6
     888:	mov    r11,QWORD PTR [rsp+0x90]
     890:	vmovups YMMWORD PTR [r10+r11*4],ymm5
     896:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm1
     89d:	mov    r11,QWORD PTR [rsp+0x40]
     8a2:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     8a8:	vmovups ymm2,YMMWORD PTR [rsp+0x2c0]
     8b1:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     8b8:	mov    r11,QWORD PTR [rsp+0x38]
     8bd:	vmovups ymm3,YMMWORD PTR [rsp+0x2e0]
     8c6:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     8cc:	vmovups ymm2,YMMWORD PTR [rsp+0x100]
     8d5:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     8dc:	mov    r11,QWORD PTR [rsp+0x30]
     8e1:	vmovups ymm3,YMMWORD PTR [rsp+0x120]
     8ea:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     8f0:	vmovups ymm2,YMMWORD PTR [rsp+0x140]
     8f9:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     900:	mov    r11,QWORD PTR [rsp+0x28]
     905:	vmovups ymm3,YMMWORD PTR [rsp+0x160]
     90e:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     914:	vmovups ymm2,YMMWORD PTR [rsp+0x180]
     91d:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     924:	mov    r11,QWORD PTR [rsp+0x20]
     929:	vmovups ymm3,YMMWORD PTR [rsp+0x1a0]
     932:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     938:	vmovups ymm2,YMMWORD PTR [rsp+0x1c0]
     941:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     948:	mov    r11,QWORD PTR [rsp+0x18]
     94d:	vmovups ymm3,YMMWORD PTR [rsp+0x1e0]
     956:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     95c:	vmovups ymm2,YMMWORD PTR [rsp+0x200]
     965:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     96c:	mov    r11,QWORD PTR [rsp+0x10]
     971:	vmovups ymm3,YMMWORD PTR [rsp+0x220]
     97a:	vmovups YMMWORD PTR [r10+r11*4],ymm2
     980:	vmovups ymm2,YMMWORD PTR [rsp+0x240]
     989:	vmovups YMMWORD PTR [r10+r11*4+0x20],ymm3
     990:	vmovups ymm3,YMMWORD PTR [rsp+0x2a0]
     999:	vmovups YMMWORD PTR [r10+rsi*4],ymm2
     99f:	vmovups ymm2,YMMWORD PTR [rsp+0x300]
     9a8:	vmovups YMMWORD PTR [r10+rsi*4+0x20],ymm3
     9af:	vmovups YMMWORD PTR [r10+rax*4],ymm2
     9b5:	vmovups YMMWORD PTR [r10+rax*4+0x20],ymm0
     9bc:	cmp    r9,QWORD PTR [rsp+0x80]
     9c4:	je     590 <tile+0xb0>
     9ca:	mov    r10d,r9d
     9cd:	shl    r10d,0x4
     9d1:	movsxd r10,r10d
     9d4:	test   ecx,ecx
     9d6:	jle    6f0 <tile+0x210>
     9dc:	mov    rbx,QWORD PTR [rsp+0x78]
     9e1:	movsxd r11,r8d
     9e4:	vxorps xmm1,xmm1,xmm1
     9e8:	vxorps xmm0,xmm0,xmm0
     9ec:	vmovups YMMWORD PTR [rsp+0x300],ymm1
     9f5:	vmovups YMMWORD PTR [rsp+0x2a0],ymm1
     9fe:	vmovups YMMWORD PTR [rsp+0x240],ymm1
     a07:	vmovups YMMWORD PTR [rsp+0x220],ymm1
     a10:	vmovups YMMWORD PTR [rsp+0x200],ymm1
     a19:	vmovups YMMWORD PTR [rsp+0x1e0],ymm1
     a22:	vmovups YMMWORD PTR [rsp+0x1c0],ymm1
     a2b:	vmovups YMMWORD PTR [rsp+0x1a0],ymm1
     a34:	vmovups YMMWORD PTR [rsp+0x180],ymm1
     a3d:	vmovups YMMWORD PTR [rsp+0x160],ymm1
     a46:	vmovups YMMWORD PTR [rsp+0x140],ymm1
     a4f:	vmovups YMMWORD PTR [rsp+0x120],ymm1
     a58:	vmovups YMMWORD PTR [rsp+0x100],ymm1
     a61:	vmovups YMMWORD PTR [rsp+0x2e0],ymm1
     a6a:	vmovups YMMWORD PTR [rsp+0x2c0],ymm1
     a73:	xor    r15d,r15d
     a76:	vmovups YMMWORD PTR [rsp+0x280],ymm1
     a7f:	vmovups YMMWORD PTR [rsp+0x260],ymm1
     a88:	vmovups YMMWORD PTR [rsp+0xc0],ymm1
     a91:	vxorps xmm5,xmm5,xmm5
     a95:	vxorps xmm6,xmm6,xmm6
     a99:	vxorps xmm7,xmm7,xmm7
     a9d:	vxorps xmm8,xmm8,xmm8
     aa2:	vxorps xmm9,xmm9,xmm9
     aa7:	vxorps xmm10,xmm10,xmm10
     aac:	vxorps xmm11,xmm11,xmm11
     ab1:	vxorps xmm12,xmm12,xmm12
     ab6:	vxorps xmm13,xmm13,xmm13
     abb:	vxorps xmm14,xmm14,xmm14
     ac0:	vxorps xmm15,xmm15,xmm15
     ac5:	vxorps xmm3,xmm3,xmm3
     ac9:	vmovups YMMWORD PTR [rsp+0xe0],ymm1
     ad2:	lea    r11,[rbx+r11*4]
     ad6:	cs nop WORD PTR [rax+rax*1+0x0]
     ae0:	vmovups YMMWORD PTR [rsp+0x340],ymm0
     ae9:	vmovups ymm0,YMMWORD PTR [r11]
     aee:	vmovups ymm1,YMMWORD PTR [r11+0x20]
     af4:	vbroadcastss ymm2,DWORD PTR [r13+r15*4+0x0]
     afb:	vmovups ymm4,YMMWORD PTR [rsp+0xe0]
     b04:	lea    rbx,[r13+r15*4+0x0]
     b09:	lea    r14,[rdi+rdi*1]
     b0d:	inc    r15
     b10:	add    r11,r12
     b13:	vfmadd231ps ymm4,ymm2,ymm0
     b18:	vfmadd231ps ymm3,ymm1,ymm2
     b1d:	vbroadcastss ymm2,DWORD PTR [rbx+rcx*4]
     b23:	vmovups YMMWORD PTR [rsp+0x320],ymm3
     b2c:	vmovups ymm3,YMMWORD PTR [rsp+0xc0]
     b35:	vmovups YMMWORD PTR [rsp+0xe0],ymm4
     b3e:	vmovups ymm4,YMMWORD PTR [rsp+0x260]
     b47:	vfmadd231ps ymm15,ymm2,ymm0
     b4c:	vfmadd231ps ymm14,ymm1,ymm2
     b51:	vbroadcastss ymm2,DWORD PTR [rbx+rcx*8]
     b57:	add    rbx,r14
     b5a:	add    r14,rbx
     b5d:	vfmadd231ps ymm13,ymm2,ymm0
     b62:	vfmadd231ps ymm12,ymm1,ymm2
     b67:	vbroadcastss ymm2,DWORD PTR [rbx+rcx*4]
     b6d:	vfmadd231ps ymm11,ymm2,ymm0
     b72:	vfmadd231ps ymm10,ymm1,ymm2
     b77:	vbroadcastss ymm2,DWORD PTR [rbx+rcx*8]
     b7d:	lea    rbx,[r14+rcx*4]
     b81:	vfmadd231ps ymm9,ymm2,ymm0
     b86:	vfmadd231ps ymm8,ymm1,ymm2
     b8b:	vbroadcastss ymm2,DWORD PTR [r14+rcx*4]
     b91:	vfmadd231ps ymm7,ymm2,ymm0
     b96:	vfmadd231ps ymm6,ymm1,ymm2
     b9b:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     ba1:	add    rbx,rdi
     ba4:	vfmadd231ps ymm3,ymm1,ymm2
     ba9:	vfmadd231ps ymm5,ymm2,ymm0
     bae:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     bb4:	add    rbx,rdi
     bb7:	vmovups YMMWORD PTR [rsp+0xc0],ymm3
     bc0:	vmovaps ymm3,ymm15
     bc4:	vmovaps ymm15,ymm14
     bc9:	vmovaps ymm14,ymm13
     bce:	vmovaps ymm13,ymm12
     bd3:	vmovaps ymm12,ymm11
     bd8:	vmovaps ymm11,ymm10
     bdd:	vmovaps ymm10,ymm9
     be2:	vmovaps ymm9,ymm8
     be7:	vmovaps ymm8,ymm7
     beb:	vmovaps ymm7,ymm8
     bef:	vmovaps ymm8,ymm9
     bf4:	vmovaps ymm9,ymm10
     bf9:	vmovaps ymm10,ymm11
     bfe:	vmovaps ymm11,ymm12
     c03:	vmovaps ymm12,ymm13
     c08:	vmovaps ymm13,ymm14
     c0d:	vmovaps ymm14,ymm15
     c12:	vmovaps ymm15,ymm3
     c16:	vmovups ymm3,YMMWORD PTR [rsp+0x280]
     c1f:	vfmadd231ps ymm4,ymm2,ymm0
     c24:	vfmadd231ps ymm3,ymm1,ymm2
     c29:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     c2f:	add    rbx,rdi
     c32:	vmovups YMMWORD PTR [rsp+0x260],ymm4
     c3b:	vmovups YMMWORD PTR [rsp+0x280],ymm3
     c44:	vmovups ymm3,YMMWORD PTR [rsp+0x2c0]
     c4d:	vfmadd231ps ymm3,ymm2,ymm0
     c52:	vmovups YMMWORD PTR [rsp+0x2c0],ymm3
     c5b:	vmovups ymm3,YMMWORD PTR [rsp+0x2e0]
     c64:	vfmadd231ps ymm3,ymm1,ymm2
     c69:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     c6f:	add    rbx,rdi
     c72:	vmovups YMMWORD PTR [rsp+0x2e0],ymm3
     c7b:	vmovups ymm3,YMMWORD PTR [rsp+0x100]
     c84:	vfmadd231ps ymm3,ymm2,ymm0
     c89:	vmovups YMMWORD PTR [rsp+0x100],ymm3
     c92:	vmovups ymm3,YMMWORD PTR [rsp+0x120]
     c9b:	vfmadd231ps ymm3,ymm1,ymm2
     ca0:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     ca6:	add    rbx,rdi
     ca9:	vmovups YMMWORD PTR [rsp+0x120],ymm3
     cb2:	vmovups ymm3,YMMWORD PTR [rsp+0x140]
     cbb:	vfmadd231ps ymm3,ymm2,ymm0
     cc0:	vmovups YMMWORD PTR [rsp+0x140],ymm3
     cc9:	vmovups ymm3,YMMWORD PTR [rsp+0x160]
     cd2:	vfmadd231ps ymm3,ymm1,ymm2
     cd7:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     cdd:	add    rbx,rdi
     ce0:	vmovups YMMWORD PTR [rsp+0x160],ymm3
     ce9:	vmovups ymm3,YMMWORD PTR [rsp+0x180]
     cf2:	vfmadd231ps ymm3,ymm2,ymm0
     cf7:	vmovups YMMWORD PTR [rsp+0x180],ymm3
     d00:	vmovups ymm3,YMMWORD PTR [rsp+0x1a0]
     d09:	vfmadd231ps ymm3,ymm1,ymm2
     d0e:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     d14:	add    rbx,rdi
     d17:	vmovups YMMWORD PTR [rsp+0x1a0],ymm3
     d20:	vmovups ymm3,YMMWORD PTR [rsp+0x1c0]
     d29:	vfmadd231ps ymm3,ymm2,ymm0
     d2e:	vmovups YMMWORD PTR [rsp+0x1c0],ymm3
     d37:	vmovups ymm3,YMMWORD PTR [rsp+0x1e0]
     d40:	vfmadd231ps ymm3,ymm1,ymm2
     d45:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     d4b:	add    rbx,rdi
     d4e:	vmovups YMMWORD PTR [rsp+0x1e0],ymm3
     d57:	vmovups ymm3,YMMWORD PTR [rsp+0x200]
     d60:	vfmadd231ps ymm3,ymm2,ymm0
     d65:	vmovups YMMWORD PTR [rsp+0x200],ymm3
     d6e:	vmovups ymm3,YMMWORD PTR [rsp+0x220]
     d77:	vfmadd231ps ymm3,ymm1,ymm2
     d7c:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     d82:	add    rbx,rdi
     d85:	vmovups YMMWORD PTR [rsp+0x220],ymm3
     d8e:	vmovups ymm3,YMMWORD PTR [rsp+0x240]
     d97:	vfmadd231ps ymm3,ymm2,ymm0
     d9c:	vmovups YMMWORD PTR [rsp+0x240],ymm3
     da5:	vmovups ymm3,YMMWORD PTR [rsp+0x2a0]
     dae:	vfmadd231ps ymm3,ymm1,ymm2
     db3:	vbroadcastss ymm2,DWORD PTR [rdi+rbx*1]
     db9:	vmovups YMMWORD PTR [rsp+0x2a0],ymm3
     dc2:	vmovups ymm3,YMMWORD PTR [rsp+0x300]
     dcb:	vfmadd231ps ymm3,ymm2,ymm0
     dd0:	vmovups ymm0,YMMWORD PTR [rsp+0x340]
     dd9:	vmovups YMMWORD PTR [rsp+0x300],ymm3
     de2:	vmovups ymm3,YMMWORD PTR [rsp+0x320]
     deb:	vfmadd231ps ymm0,ymm2,ymm1
     df0:	cmp    rcx,r15
     df3:	jne    ae0 <tile+0x600>
     df9:	jmp    7db <tile+0x2fb>
     dfe:	lea    rsp,[rbp-0x28]
     e02:	pop    rbx
     e03:	pop    r12
     e05:	pop    r13
     e07:	pop    r14
     e09:	pop    r15
     e0b:	pop    rbp
     e0c:	vzeroupper
     e0f:	ret
