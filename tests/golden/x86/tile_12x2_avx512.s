0000000000000510 <tile>:
     510:	f3 0f 1e fa          	endbr64
			177: R_X86_64_64	.lrodata.cst4+0x4
			186: R_X86_64_64	.lrodata.cst32
			194: R_X86_64_64	.lrodata.cst8+0x8
			1a3: R_X86_64_64	.rodata+0xc0
			1b3: R_X86_64_64	.rodata+0x100
			1cd: R_X86_64_64	.lrodata.cst8
			3c6: R_X86_64_64	.rodata
			3df: R_X86_64_64	.rodata+0x40
			3f3: R_X86_64_64	.rodata+0x80
			403: R_X86_64_64	.lrodata.cst4
     514:	55                   	push   rbp
     515:	48 89 e5             	mov    rbp,rsp
     518:	41 57                	push   r15
     51a:	41 56                	push   r14
     51c:	41 55                	push   r13
     51e:	41 54                	push   r12
     520:	53                   	push   rbx
     521:	48 83 e4 f8          	and    rsp,0xfffffffffffffff8
     525:	48 81 ec a8 00 00 00 	sub    rsp,0xa8
     52c:	48 63 4f 04          	movsxd rcx,DWORD PTR [rdi+0x4]
     530:	8b 57 08             	mov    edx,DWORD PTR [rdi+0x8]
     533:	48 8b 47 10          	mov    rax,QWORD PTR [rdi+0x10]
     537:	48 89 44 24 30       	mov    QWORD PTR [rsp+0x30],rax
     53c:	48 8b 47 18          	mov    rax,QWORD PTR [rdi+0x18]
     540:	48 89 44 24 58       	mov    QWORD PTR [rsp+0x58],rax
     545:	48 8b 47 20          	mov    rax,QWORD PTR [rdi+0x20]
     549:	48 89 44 24 68       	mov    QWORD PTR [rsp+0x68],rax
     54e:	48 8b 87 d0 00 00 00 	mov    rax,QWORD PTR [rdi+0xd0]
     555:	4c 8b 87 d8 00 00 00 	mov    r8,QWORD PTR [rdi+0xd8]
     55c:	4c 8b 0e             	mov    r9,QWORD PTR [rsi]
     55f:	4c 0f af c8          	imul   r9,rax
     563:	4c 03 4f 30          	add    r9,QWORD PTR [rdi+0x30]
     567:	48 8b 76 08          	mov    rsi,QWORD PTR [rsi+0x8]
     56b:	49 0f af f0          	imul   rsi,r8
     56f:	48 03 77 38          	add    rsi,QWORD PTR [rdi+0x38]
     573:	4c 01 c8             	add    rax,r9
     576:	48 89 44 24 60       	mov    QWORD PTR [rsp+0x60],rax
     57b:	49 01 f0             	add    r8,rsi
     57e:	4c 89 44 24 28       	mov    QWORD PTR [rsp+0x28],r8
     583:	48 89 f0             	mov    rax,rsi
     586:	48 c1 e0 22          	shl    rax,0x22
     58a:	48 8d 3c 40          	lea    rdi,[rax+rax*2]
     58e:	49 89 fa             	mov    r10,rdi
     591:	49 f7 da             	neg    r10
     594:	4c 89 4c 24 20       	mov    QWORD PTR [rsp+0x20],r9
     599:	44 89 c8             	mov    eax,r9d
     59c:	c1 e0 05             	shl    eax,0x5
     59f:	89 44 24 1c          	mov    DWORD PTR [rsp+0x1c],eax
     5a3:	49 b9 00 00 00 00 0c 	movabs r9,0xc00000000
     5aa:	00 00 00 
     5ad:	48 8d 04 95 00 00 00 	lea    rax,[rdx*4+0x0]
     5b4:	00 
     5b5:	48 89 4c 24 38       	mov    QWORD PTR [rsp+0x38],rcx
     5ba:	4c 8d 04 8d 00 00 00 	lea    r8,[rcx*4+0x0]
     5c1:	00 
     5c2:	eb 43                	jmp    607 <tile+0xf7>
     5c4:	66 66 66 2e 0f 1f 84 	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
     5cb:	00 00 00 00 00 
     5d0:	48 8b 74 24 50       	mov    rsi,QWORD PTR [rsp+0x50]
     5d5:	48 ff c6             	inc    rsi
     5d8:	48 8b 7c 24 48       	mov    rdi,QWORD PTR [rsp+0x48]
     5dd:	49 b9 00 00 00 00 0c 	movabs r9,0xc00000000
     5e4:	00 00 00 
     5e7:	4c 01 cf             	add    rdi,r9
     5ea:	48 b9 00 00 00 00 f4 	movabs rcx,0xfffffff400000000
     5f1:	ff ff ff 
     5f4:	4c 8b 54 24 40       	mov    r10,QWORD PTR [rsp+0x40]
     5f9:	49 01 ca             	add    r10,rcx
     5fc:	48 3b 74 24 28       	cmp    rsi,QWORD PTR [rsp+0x28]
     601:	0f 84 63 04 00 00    	je     a6a <tile+0x55a>
     607:	48 89 f9             	mov    rcx,rdi
     60a:	48 c1 f9 3f          	sar    rcx,0x3f
     60e:	48 09 f9             	or     rcx,rdi
     611:	41 bb 01 00 00 00    	mov    r11d,0x1
     617:	49 0f 4f cb          	cmovg  rcx,r11
     61b:	49 39 fa             	cmp    r10,rdi
     61e:	48 89 7c 24 48       	mov    QWORD PTR [rsp+0x48],rdi
     623:	4c 89 54 24 40       	mov    QWORD PTR [rsp+0x40],r10
     628:	49 0f 4f fa          	cmovg  rdi,r10
     62c:	48 c1 ef 20          	shr    rdi,0x20
     630:	48 0f af f8          	imul   rdi,rax
     634:	48 0f af f9          	imul   rdi,rcx
     638:	48 03 7c 24 30       	add    rdi,QWORD PTR [rsp+0x30]
     63d:	48 89 74 24 50       	mov    QWORD PTR [rsp+0x50],rsi
     642:	49 0f af f1          	imul   rsi,r9
     646:	48 c1 fe 20          	sar    rsi,0x20
     64a:	4c 8d 4e 01          	lea    r9,[rsi+0x1]
     64e:	4c 8d 56 02          	lea    r10,[rsi+0x2]
     652:	4c 8d 5e 03          	lea    r11,[rsi+0x3]
     656:	48 8d 5e 04          	lea    rbx,[rsi+0x4]
     65a:	4c 8d 7e 05          	lea    r15,[rsi+0x5]
     65e:	4c 8d 66 06          	lea    r12,[rsi+0x6]
     662:	4c 8d 6e 07          	lea    r13,[rsi+0x7]
     666:	48 8d 4e 08          	lea    rcx,[rsi+0x8]
     66a:	48 89 4c 24 10       	mov    QWORD PTR [rsp+0x10],rcx
     66f:	48 8d 4e 09          	lea    rcx,[rsi+0x9]
     673:	48 89 4c 24 08       	mov    QWORD PTR [rsp+0x8],rcx
     678:	48 8d 4e 0a          	lea    rcx,[rsi+0xa]
     67c:	48 89 0c 24          	mov    QWORD PTR [rsp],rcx
     680:	4c 8d 76 0b          	lea    r14,[rsi+0xb]
     684:	48 8b 4c 24 38       	mov    rcx,QWORD PTR [rsp+0x38]
     689:	48 0f af f1          	imul   rsi,rcx
     68d:	4c 0f af c9          	imul   r9,rcx
     691:	4c 89 8c 24 a0 00 00 	mov    QWORD PTR [rsp+0xa0],r9
     698:	00 
     699:	4c 0f af d1          	imul   r10,rcx
     69d:	4c 89 94 24 98 00 00 	mov    QWORD PTR [rsp+0x98],r10
     6a4:	00 
     6a5:	4c 0f af d9          	imul   r11,rcx
     6a9:	4c 89 9c 24 90 00 00 	mov    QWORD PTR [rsp+0x90],r11
     6b0:	00 
     6b1:	48 0f af d9          	imul   rbx,rcx
     6b5:	48 89 9c 24 88 00 00 	mov    QWORD PTR [rsp+0x88],rbx
     6bc:	00 
     6bd:	4c 0f af f9          	imul   r15,rcx
     6c1:	4c 89 bc 24 80 00 00 	mov    QWORD PTR [rsp+0x80],r15
     6c8:	00 
     6c9:	4c 0f af e1          	imul   r12,rcx
     6cd:	4c 89 64 24 78       	mov    QWORD PTR [rsp+0x78],r12
     6d2:	4c 0f af e9          	imul   r13,rcx
     6d6:	4c 89 6c 24 70       	mov    QWORD PTR [rsp+0x70],r13
     6db:	4c 8b 4c 24 10       	mov    r9,QWORD PTR [rsp+0x10]
     6e0:	4c 0f af c9          	imul   r9,rcx
     6e4:	4c 89 4c 24 10       	mov    QWORD PTR [rsp+0x10],r9
     6e9:	4c 8b 4c 24 08       	mov    r9,QWORD PTR [rsp+0x8]
     6ee:	4c 0f af c9          	imul   r9,rcx
     6f2:	4c 89 4c 24 08       	mov    QWORD PTR [rsp+0x8],r9
     6f7:	4c 8b 0c 24          	mov    r9,QWORD PTR [rsp]
     6fb:	4c 0f af c9          	imul   r9,rcx
     6ff:	4c 89 0c 24          	mov    QWORD PTR [rsp],r9
     703:	4c 0f af f1          	imul   r14,rcx
     707:	8b 5c 24 1c          	mov    ebx,DWORD PTR [rsp+0x1c]
     70b:	4c 8b 6c 24 20       	mov    r13,QWORD PTR [rsp+0x20]
     710:	e9 91 01 00 00       	jmp    8a6 <tile+0x396>
     715:	66 66 2e 0f 1f 84 00 	data16 cs nop WORD PTR [rax+rax*1+0x0]
     71c:	00 00 00 00 
     720:	c5 f8 57 c0          	vxorps xmm0,xmm0,xmm0
     724:	c5 f0 57 c9          	vxorps xmm1,xmm1,xmm1
     728:	c5 e8 57 d2          	vxorps xmm2,xmm2,xmm2
     72c:	c5 e0 57 db          	vxorps xmm3,xmm3,xmm3
     730:	c5 d8 57 e4          	vxorps xmm4,xmm4,xmm4
     734:	c5 d0 57 ed          	vxorps xmm5,xmm5,xmm5
     738:	c5 c8 57 f6          	vxorps xmm6,xmm6,xmm6
     73c:	c5 c0 57 ff          	vxorps xmm7,xmm7,xmm7
     740:	c4 41 38 57 c0       	vxorps xmm8,xmm8,xmm8
     745:	c4 41 30 57 c9       	vxorps xmm9,xmm9,xmm9
     74a:	c4 41 28 57 d2       	vxorps xmm10,xmm10,xmm10
     74f:	c4 41 20 57 db       	vxorps xmm11,xmm11,xmm11
     754:	c4 41 18 57 e4       	vxorps xmm12,xmm12,xmm12
     759:	c4 41 10 57 ed       	vxorps xmm13,xmm13,xmm13
     75e:	c4 41 08 57 f6       	vxorps xmm14,xmm14,xmm14
     763:	c4 41 00 57 ff       	vxorps xmm15,xmm15,xmm15
     768:	62 a1 7c 00 57 c0    	vxorps xmm16,xmm16,xmm16
     76e:	62 a1 74 00 57 c9    	vxorps xmm17,xmm17,xmm17
     774:	62 a1 6c 00 57 d2    	vxorps xmm18,xmm18,xmm18
     77a:	62 a1 64 00 57 db    	vxorps xmm19,xmm19,xmm19
     780:	62 a1 5c 00 57 e4    	vxorps xmm20,xmm20,xmm20
     786:	62 a1 54 00 57 ed    	vxorps xmm21,xmm21,xmm21
     78c:	62 a1 4c 00 57 f6    	vxorps xmm22,xmm22,xmm22
     792:	62 a1 44 00 57 ff    	vxorps xmm23,xmm23,xmm23
     798:	48 8b 4c 24 68       	mov    rcx,QWORD PTR [rsp+0x68]
     79d:	4a 8d 0c b9          	lea    rcx,[rcx+r15*4]
     7a1:	62 e1 7c 48 11 3c b1 	vmovups ZMMWORD PTR [rcx+rsi*4],zmm23
     7a8:	62 e1 7c 48 11 74 b1 	vmovups ZMMWORD PTR [rcx+rsi*4+0x40],zmm22
     7af:	01 
     7b0:	4c 8b 8c 24 a0 00 00 	mov    r9,QWORD PTR [rsp+0xa0]
     7b7:	00 
     7b8:	62 a1 7c 48 11 2c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm21
     7bf:	62 a1 7c 48 11 64 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm20
     7c6:	01 
     7c7:	4c 8b 8c 24 98 00 00 	mov    r9,QWORD PTR [rsp+0x98]
     7ce:	00 
     7cf:	62 a1 7c 48 11 1c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm19
     7d6:	62 a1 7c 48 11 54 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm18
     7dd:	01 
     7de:	4c 8b 8c 24 90 00 00 	mov    r9,QWORD PTR [rsp+0x90]
     7e5:	00 
     7e6:	62 a1 7c 48 11 0c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm17
     7ed:	62 a1 7c 48 11 44 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm16
     7f4:	01 
     7f5:	4c 8b 8c 24 88 00 00 	mov    r9,QWORD PTR [rsp+0x88]
     7fc:	00 
     7fd:	62 31 7c 48 11 3c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm15
     804:	62 31 7c 48 11 74 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm14
     80b:	01 
     80c:	4c 8b 8c 24 80 00 00 	mov    r9,QWORD PTR [rsp+0x80]
     813:	00 
     814:	62 31 7c 48 11 2c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm13
     81b:	62 31 7c 48 11 64 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm12
     822:	01 
     823:	4c 8b 4c 24 78       	mov    r9,QWORD PTR [rsp+0x78]
     828:	62 31 7c 48 11 1c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm11
     82f:	62 31 7c 48 11 54 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm10
     836:	01 
     837:	4c 8b 4c 24 70       	mov    r9,QWORD PTR [rsp+0x70]
     83c:	62 31 7c 48 11 0c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm9
     843:	62 31 7c 48 11 44 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm8
     84a:	01 
     84b:	4c 8b 4c 24 10       	mov    r9,QWORD PTR [rsp+0x10]
     850:	62 b1 7c 48 11 3c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm7
     857:	62 b1 7c 48 11 74 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm6
     85e:	01 
     85f:	4c 8b 4c 24 08       	mov    r9,QWORD PTR [rsp+0x8]
     864:	62 b1 7c 48 11 2c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm5
     86b:	62 b1 7c 48 11 64 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm4
     872:	01 
     873:	4c 8b 0c 24          	mov    r9,QWORD PTR [rsp]
     877:	62 b1 7c 48 11 1c 89 	vmovups ZMMWORD PTR [rcx+r9*4],zmm3
     87e:	62 b1 7c 48 11 54 89 	vmovups ZMMWORD PTR [rcx+r9*4+0x40],zmm2
     885:	01 
     886:	62 b1 7c 48 11 0c b1 	vmovups ZMMWORD PTR [rcx+r14*4],zmm1
     88d:	62 b1 7c 48 11 44 b1 	vmovups ZMMWORD PTR [rcx+r14*4+0x40],zmm0
     894:	01 
     895:	49 ff c5             	inc    r13
     898:	83 c3 20             	add    ebx,0x20
     89b:	4c 3b 6c 24 60       	cmp    r13,QWORD PTR [rsp+0x60]
     8a0:	0f 84 2a fd ff ff    	je     5d0 <tile+0xc0>
     8a6:	44 89 e9             	mov    ecx,r13d
     8a9:	c1 e1 05             	shl    ecx,0x5
     8ac:	4c 63 f9             	movsxd r15,ecx
     8af:	85 d2                	test   edx,edx
     8b1:	0f 8e 69 fe ff ff    	jle    720 <tile+0x210>
     8b7:	48 63 cb             	movsxd rcx,ebx
     8ba:	4c 8b 4c 24 58       	mov    r9,QWORD PTR [rsp+0x58]
     8bf:	49 8d 0c 89          	lea    rcx,[r9+rcx*4]
     8c3:	c5 f8 57 c0          	vxorps xmm0,xmm0,xmm0
     8c7:	c5 f0 57 c9          	vxorps xmm1,xmm1,xmm1
     8cb:	c5 e8 57 d2          	vxorps xmm2,xmm2,xmm2
     8cf:	c5 e0 57 db          	vxorps xmm3,xmm3,xmm3
     8d3:	c5 d8 57 e4          	vxorps xmm4,xmm4,xmm4
     8d7:	c5 d0 57 ed          	vxorps xmm5,xmm5,xmm5
     8db:	c5 c8 57 f6          	vxorps xmm6,xmm6,xmm6
     8df:	c5 c0 57 ff          	vxorps xmm7,xmm7,xmm7
     8e3:	c4 41 38 57 c0       	vxorps xmm8,xmm8,xmm8
     8e8:	c4 41 30 57 c9       	vxorps xmm9,xmm9,xmm9
     8ed:	c4 41 28 57 d2       	vxorps xmm10,xmm10,xmm10
     8f2:	c4 41 20 57 db       	vxorps xmm11,xmm11,xmm11
     8f7:	c4 41 18 57 e4       	vxorps xmm12,xmm12,xmm12
     8fc:	c4 41 10 57 ed       	vxorps xmm13,xmm13,xmm13
     901:	c4 41 08 57 f6       	vxorps xmm14,xmm14,xmm14
     906:	c4 41 00 57 ff       	vxorps xmm15,xmm15,xmm15
     90b:	62 a1 7c 00 57 c0    	vxorps xmm16,xmm16,xmm16
     911:	62 a1 74 00 57 c9    	vxorps xmm17,xmm17,xmm17
     917:	62 a1 6c 00 57 d2    	vxorps xmm18,xmm18,xmm18
     91d:	62 a1 64 00 57 db    	vxorps xmm19,xmm19,xmm19
     923:	62 a1 5c 00 57 e4    	vxorps xmm20,xmm20,xmm20
     929:	62 a1 54 00 57 ed    	vxorps xmm21,xmm21,xmm21
     92f:	62 a1 4c 00 57 f6    	vxorps xmm22,xmm22,xmm22
     935:	62 a1 44 00 57 ff    	vxorps xmm23,xmm23,xmm23
     93b:	45 31 c9             	xor    r9d,r9d
     93e:	66 90                	xchg   ax,ax
     940:	62 61 7c 48 10 09    	vmovups zmm25,ZMMWORD PTR [rcx]
     946:	62 61 7c 48 10 41 01 	vmovups zmm24,ZMMWORD PTR [rcx+0x40]
     94d:	62 22 7d 48 18 14 8f 	vbroadcastss zmm26,DWORD PTR [rdi+r9*4]
     954:	4e 8d 14 8f          	lea    r10,[rdi+r9*4]
     958:	62 82 2d 40 b8 f9    	vfmadd231ps zmm23,zmm26,zmm25
     95e:	62 82 3d 40 b8 f2    	vfmadd231ps zmm22,zmm24,zmm26
     964:	4d 8d 1c 02          	lea    r11,[r10+rax*1]
     968:	62 42 7d 48 18 14 92 	vbroadcastss zmm26,DWORD PTR [r10+rdx*4]
     96f:	62 82 2d 40 b8 e9    	vfmadd231ps zmm21,zmm26,zmm25
     975:	62 82 3d 40 b8 e2    	vfmadd231ps zmm20,zmm24,zmm26
     97b:	49 01 c3             	add    r11,rax
     97e:	62 42 7d 48 18 14 d2 	vbroadcastss zmm26,DWORD PTR [r10+rdx*8]
     985:	62 82 2d 40 b8 d9    	vfmadd231ps zmm19,zmm26,zmm25
     98b:	62 82 3d 40 b8 d2    	vfmadd231ps zmm18,zmm24,zmm26
     991:	62 42 7d 48 18 14 93 	vbroadcastss zmm26,DWORD PTR [r11+rdx*4]
     998:	62 82 2d 40 b8 c9    	vfmadd231ps zmm17,zmm26,zmm25
     99e:	62 82 3d 40 b8 c2    	vfmadd231ps zmm16,zmm24,zmm26
     9a4:	4c 8d 24 00          	lea    r12,[rax+rax*1]
     9a8:	4d 01 dc             	add    r12,r11
     9ab:	62 42 7d 48 18 14 d3 	vbroadcastss zmm26,DWORD PTR [r11+rdx*8]
     9b2:	62 12 2d 40 b8 f9    	vfmadd231ps zmm15,zmm26,zmm25
     9b8:	62 12 3d 40 b8 f2    	vfmadd231ps zmm14,zmm24,zmm26
     9be:	4d 8d 14 94          	lea    r10,[r12+rdx*4]
     9c2:	62 42 7d 48 18 14 94 	vbroadcastss zmm26,DWORD PTR [r12+rdx*4]
     9c9:	62 12 2d 40 b8 e9    	vfmadd231ps zmm13,zmm26,zmm25
     9cf:	62 12 3d 40 b8 e2    	vfmadd231ps zmm12,zmm24,zmm26
     9d5:	62 22 7d 48 18 14 10 	vbroadcastss zmm26,DWORD PTR [rax+r10*1]
     9dc:	49 01 c2             	add    r10,rax
     9df:	62 12 2d 40 b8 d9    	vfmadd231ps zmm11,zmm26,zmm25
     9e5:	62 12 3d 40 b8 d2    	vfmadd231ps zmm10,zmm24,zmm26
     9eb:	62 22 7d 48 18 14 10 	vbroadcastss zmm26,DWORD PTR [rax+r10*1]
     9f2:	49 01 c2             	add    r10,rax
     9f5:	62 12 2d 40 b8 c9    	vfmadd231ps zmm9,zmm26,zmm25
     9fb:	62 12 3d 40 b8 c2    	vfmadd231ps zmm8,zmm24,zmm26
     a01:	62 22 7d 48 18 14 10 	vbroadcastss zmm26,DWORD PTR [rax+r10*1]
     a08:	49 01 c2             	add    r10,rax
     a0b:	62 92 2d 40 b8 f9    	vfmadd231ps zmm7,zmm26,zmm25
     a11:	62 92 3d 40 b8 f2    	vfmadd231ps zmm6,zmm24,zmm26
     a17:	62 22 7d 48 18 14 10 	vbroadcastss zmm26,DWORD PTR [rax+r10*1]
     a1e:	49 01 c2             	add    r10,rax
     a21:	62 92 2d 40 b8 e9    	vfmadd231ps zmm5,zmm26,zmm25
     a27:	62 92 3d 40 b8 e2    	vfmadd231ps zmm4,zmm24,zmm26
     a2d:	62 22 7d 48 18 14 10 	vbroadcastss zmm26,DWORD PTR [rax+r10*1]
     a34:	49 01 c2             	add    r10,rax
     a37:	62 92 2d 40 b8 d9    	vfmadd231ps zmm3,zmm26,zmm25
     a3d:	62 22 7d 48 18 1c 10 	vbroadcastss zmm27,DWORD PTR [rax+r10*1]
     a44:	62 92 3d 40 b8 d2    	vfmadd231ps zmm2,zmm24,zmm26
     a4a:	62 92 25 40 b8 c9    	vfmadd231ps zmm1,zmm27,zmm25
     a50:	62 92 25 40 b8 c0    	vfmadd231ps zmm0,zmm27,zmm24
     a56:	49 ff c1             	inc    r9
     a59:	4c 01 c1             	add    rcx,r8
     a5c:	4c 39 ca             	cmp    rdx,r9
     a5f:	0f 85 db fe ff ff    	jne    940 <tile+0x430>
     a65:	e9 2e fd ff ff       	jmp    798 <tile+0x288>
     a6a:	48 8d 65 d8          	lea    rsp,[rbp-0x28]
     a6e:	5b                   	pop    rbx
     a6f:	41 5c                	pop    r12
     a71:	41 5d                	pop    r13
     a73:	41 5e                	pop    r14
     a75:	41 5f                	pop    r15
     a77:	5d                   	pop    rbp
     a78:	c5 f8 77             	vzeroupper
     a7b:	c3                   	ret
