00000000000000a0 <naive>:
  a0:	f3 0f 1e fa          	endbr64
  a4:	55                   	push   rbp
  a5:	48 89 e5             	mov    rbp,rsp
  a8:	41 57                	push   r15
  aa:	41 56                	push   r14
  ac:	41 55                	push   r13
  ae:	41 54                	push   r12
  b0:	53                   	push   rbx
  b1:	48 83 e4 f8          	and    rsp,0xfffffffffffffff8
  b5:	48 83 ec 48          	sub    rsp,0x48
  b9:	4c 8b 1e             	mov    r11,QWORD PTR [rsi]
  bc:	4c 8b b7 d8 00 00 00 	mov    r14,QWORD PTR [rdi+0xd8]
  c3:	48 8b 76 08          	mov    rsi,QWORD PTR [rsi+0x8]
  c7:	48 8b 9f d0 00 00 00 	mov    rbx,QWORD PTR [rdi+0xd0]
  ce:	48 8b 57 10          	mov    rdx,QWORD PTR [rdi+0x10]
  d2:	48 63 47 04          	movsxd rax,DWORD PTR [rdi+0x4]
  d6:	8b 4f 08             	mov    ecx,DWORD PTR [rdi+0x8]
  d9:	4c 8b 4f 18          	mov    r9,QWORD PTR [rdi+0x18]
  dd:	4c 8b 57 20          	mov    r10,QWORD PTR [rdi+0x20]
  e1:	49 0f af f6          	imul   rsi,r14
  e5:	48 03 77 38          	add    rsi,QWORD PTR [rdi+0x38]
  e9:	4c 0f af db          	imul   r11,rbx
  ed:	4c 03 5f 30          	add    r11,QWORD PTR [rdi+0x30]
  f1:	48 89 54 24 20       	mov    QWORD PTR [rsp+0x20],rdx
  f6:	48 89 1c 24          	mov    QWORD PTR [rsp],rbx
  fa:	49 01 f6             	add    r14,rsi
  fd:	49 89 f0             	mov    r8,rsi
 100:	48 89 de             	mov    rsi,rbx
 103:	48 83 e6 f8          	and    rsi,0xfffffffffffffff8
 107:	4c 01 de             	add    rsi,r11
 10a:	4c 89 74 24 18       	mov    QWORD PTR [rsp+0x18],r14
 10f:	48 89 74 24 08       	mov    QWORD PTR [rsp+0x8],rsi
 114:	48 83 fb 08          	cmp    rbx,0x8
 118:	0f 83 30 02 00 00    	jae    34e <naive+0x2ae>
 11e:	48 8b 14 24          	mov    rdx,QWORD PTR [rsp]
 122:	f6 c2 07             	test   dl,0x7
 125:	0f 84 11 02 00 00    	je     33c <naive+0x29c>
 12b:	48 bb 00 00 00 00 00 	movabs rbx,0x0
 132:	00 00 00 
			12d: R_X86_64_64	.lrodata.cst4+0x4
 135:	49 be 00 00 00 00 00 	movabs r14,0x0
 13c:	00 00 00 
			137: R_X86_64_64	.lrodata.cst32+0x20
 13f:	49 01 d3             	add    r11,rdx
 142:	48 8b 54 24 08       	mov    rdx,QWORD PTR [rsp+0x8]
 147:	c4 e1 f9 6e c0       	vmovq  xmm0,rax
 14c:	44 89 c7             	mov    edi,r8d
 14f:	0f af f9             	imul   edi,ecx
 152:	4c 8d 3c 85 00 00 00 	lea    r15,[rax*4+0x0]
 159:	00 
 15a:	89 ce                	mov    esi,ecx
 15c:	81 e6 fc ff ff 7f    	and    esi,0x7ffffffc
 162:	c5 d1 ef ed          	vpxor  xmm5,xmm5,xmm5
 166:	4c 89 54 24 40       	mov    QWORD PTR [rsp+0x40],r10
 16b:	c4 e2 79 18 0b       	vbroadcastss xmm1,DWORD PTR [rbx]
 170:	48 bb 00 00 00 00 00 	movabs rbx,0x0
 177:	00 00 00 
			172: R_X86_64_64	.lrodata.cst8
 17a:	c4 c1 7e 6f 16       	vmovdqu ymm2,YMMWORD PTR [r14]
 17f:	c4 e2 7d 59 c0       	vpbroadcastq ymm0,xmm0
 184:	4c 89 5c 24 38       	mov    QWORD PTR [rsp+0x38],r11
 189:	c4 e2 7d 59 23       	vpbroadcastq ymm4,QWORD PTR [rbx]
 18e:	c5 e5 73 d0 20       	vpsrlq ymm3,ymm0,0x20
 193:	48 8d 14 95 00 00 00 	lea    rdx,[rdx*4+0x0]
 19a:	00 
 19b:	48 89 54 24 28       	mov    QWORD PTR [rsp+0x28],rdx
 1a0:	eb 27                	jmp    1c9 <naive+0x129>
 1a2:	66 66 66 66 66 2e 0f 	data16 data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 1a9:	1f 84 00 00 00 00 00 
 1b0:	4c 8b 44 24 30       	mov    r8,QWORD PTR [rsp+0x30]
 1b5:	8b 7c 24 14          	mov    edi,DWORD PTR [rsp+0x14]
 1b9:	49 ff c0             	inc    r8
 1bc:	01 cf                	add    edi,ecx
 1be:	4c 3b 44 24 18       	cmp    r8,QWORD PTR [rsp+0x18]
 1c3:	0f 84 73 01 00 00    	je     33c <naive+0x29c>
 1c9:	48 8b 5c 24 20       	mov    rbx,QWORD PTR [rsp+0x20]
 1ce:	48 63 d7             	movsxd rdx,edi
 1d1:	89 7c 24 14          	mov    DWORD PTR [rsp+0x14],edi
 1d5:	48 8b 7c 24 08       	mov    rdi,QWORD PTR [rsp+0x8]
 1da:	41 89 c4             	mov    r12d,eax
 1dd:	45 0f af e0          	imul   r12d,r8d
 1e1:	4c 89 44 24 30       	mov    QWORD PTR [rsp+0x30],r8
 1e6:	4c 89 24 24          	mov    QWORD PTR [rsp],r12
 1ea:	4c 8d 2c 93          	lea    r13,[rbx+rdx*4]
 1ee:	48 8b 54 24 28       	mov    rdx,QWORD PTR [rsp+0x28]
 1f3:	eb 28                	jmp    21d <naive+0x17d>
 1f5:	66 66 2e 0f 1f 84 00 	data16 cs nop WORD PTR [rax+rax*1+0x0]
 1fc:	00 00 00 00 
 200:	c5 c9 ef f6          	vpxor  xmm6,xmm6,xmm6
 204:	45 8d 04 3c          	lea    r8d,[r12+rdi*1]
 208:	48 ff c7             	inc    rdi
 20b:	48 83 c2 04          	add    rdx,0x4
 20f:	4d 63 c0             	movsxd r8,r8d
 212:	c4 81 7a 11 34 82    	vmovss DWORD PTR [r10+r8*4],xmm6
 218:	4c 39 df             	cmp    rdi,r11
 21b:	74 93                	je     1b0 <naive+0x110>
 21d:	48 c1 e2 1e          	shl    rdx,0x1e
 221:	48 c1 fa 1e          	sar    rdx,0x1e
 225:	85 c9                	test   ecx,ecx
 227:	7e d7                	jle    200 <naive+0x160>
 229:	83 f9 04             	cmp    ecx,0x4
 22c:	73 12                	jae    240 <naive+0x1a0>
 22e:	c5 c9 ef f6          	vpxor  xmm6,xmm6,xmm6
 232:	31 db                	xor    ebx,ebx
 234:	e9 cd 00 00 00       	jmp    306 <naive+0x266>
 239:	0f 1f 80 00 00 00 00 	nop    DWORD PTR [rax+0x0]
 240:	48 63 df             	movsxd rbx,edi
 243:	4d 89 cc             	mov    r12,r9
 246:	45 31 f6             	xor    r14d,r14d
 249:	c5 fd 6f fa          	vmovdqa ymm7,ymm2
 24d:	c5 f8 28 f1          	vmovaps xmm6,xmm1
 251:	49 8d 1c 99          	lea    rbx,[r9+rbx*4]
 255:	66 66 2e 0f 1f 84 00 	data16 cs nop WORD PTR [rax+rax*1+0x0]
 25c:	00 00 00 00 
 260:	c5 bd 73 d7 20       	vpsrlq ymm8,ymm7,0x20
 265:	c5 45 f4 cb          	vpmuludq ymm9,ymm7,ymm3
 269:	c5 45 f4 d0          	vpmuludq ymm10,ymm7,ymm0
 26d:	c5 c5 d4 fc          	vpaddq ymm7,ymm7,ymm4
 271:	c5 3d f4 c0          	vpmuludq ymm8,ymm8,ymm0
 275:	c4 41 35 d4 c0       	vpaddq ymm8,ymm9,ymm8
 27a:	c4 c1 3d 73 f0 20    	vpsllq ymm8,ymm8,0x20
 280:	c4 41 2d d4 c0       	vpaddq ymm8,ymm10,ymm8
 285:	c4 41 f9 7e c0       	vmovq  r8,xmm8
 28a:	c4 43 f9 16 c2 01    	vpextrq r10,xmm8,0x1
 290:	c4 43 7d 39 c0 01    	vextracti128 xmm8,ymm8,0x1
 296:	c4 41 f9 7e c3       	vmovq  r11,xmm8
 29b:	c4 43 f9 16 c1 01    	vpextrq r9,xmm8,0x1
 2a1:	c4 21 7a 10 04 83    	vmovss xmm8,DWORD PTR [rbx+r8*4]
 2a7:	c4 23 39 21 04 93 10 	vinsertps xmm8,xmm8,DWORD PTR [rbx+r10*4],0x10
 2ae:	c4 23 39 21 04 9b 20 	vinsertps xmm8,xmm8,DWORD PTR [rbx+r11*4],0x20
 2b5:	c4 23 39 21 04 8b 30 	vinsertps xmm8,xmm8,DWORD PTR [rbx+r9*4],0x30
 2bc:	c4 82 39 b8 74 b5 00 	vfmadd231ps xmm6,xmm8,XMMWORD PTR [r13+r14*4+0x0]
 2c3:	49 83 c6 04          	add    r14,0x4
 2c7:	49 39 f6             	cmp    r14,rsi
 2ca:	72 94                	jb     260 <naive+0x1c0>
 2cc:	c5 ca 58 fd          	vaddss xmm7,xmm6,xmm5
 2d0:	c5 7a 16 c6          	vmovshdup xmm8,xmm6
 2d4:	4d 89 e1             	mov    r9,r12
 2d7:	4c 8b 54 24 40       	mov    r10,QWORD PTR [rsp+0x40]
 2dc:	4c 8b 5c 24 38       	mov    r11,QWORD PTR [rsp+0x38]
 2e1:	4c 8b 24 24          	mov    r12,QWORD PTR [rsp]
 2e5:	48 89 f3             	mov    rbx,rsi
 2e8:	c5 ba 58 ff          	vaddss xmm7,xmm8,xmm7
 2ec:	c5 49 c6 c6 01       	vshufpd xmm8,xmm6,xmm6,0x1
 2f1:	c5 c8 c6 f6 ff       	vshufps xmm6,xmm6,xmm6,0xff
 2f6:	c5 ba 58 ff          	vaddss xmm7,xmm8,xmm7
 2fa:	c5 c2 58 f6          	vaddss xmm6,xmm7,xmm6
 2fe:	39 ce                	cmp    esi,ecx
 300:	0f 84 fe fe ff ff    	je     204 <naive+0x164>
 306:	4d 89 fe             	mov    r14,r15
 309:	4c 0f af f3          	imul   r14,rbx
 30d:	49 01 d6             	add    r14,rdx
 310:	4d 01 ce             	add    r14,r9
 313:	66 66 66 66 2e 0f 1f 	data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 31a:	84 00 00 00 00 00 
 320:	c4 c1 7a 10 7c 9d 00 	vmovss xmm7,DWORD PTR [r13+rbx*4+0x0]
 327:	48 ff c3             	inc    rbx
 32a:	c4 c2 41 b9 36       	vfmadd231ss xmm6,xmm7,DWORD PTR [r14]
 32f:	4d 01 fe             	add    r14,r15
 332:	48 39 d9             	cmp    rcx,rbx
 335:	75 e9                	jne    320 <naive+0x280>
 337:	e9 c8 fe ff ff       	jmp    204 <naive+0x164>
 33c:	48 8d 65 d8          	lea    rsp,[rbp-0x28]
 340:	5b                   	pop    rbx
 341:	41 5c                	pop    r12
 343:	41 5d                	pop    r13
 345:	41 5e                	pop    r14
 347:	41 5f                	pop    r15
 349:	5d                   	pop    rbp
 34a:	c5 f8 77             	vzeroupper
 34d:	c3                   	ret
 34e:	c4 c1 79 6e c3       	vmovd  xmm0,r11d
 353:	4c 89 c6             	mov    rsi,r8
 356:	41 89 f6             	mov    r14d,esi
 359:	48 be 00 00 00 00 00 	movabs rsi,0x0
 360:	00 00 00 
			35b: R_X86_64_64	.lrodata.cst4
 363:	48 ba 00 00 00 00 00 	movabs rdx,0x0
 36a:	00 00 00 
			365: R_X86_64_64	.lrodata.cst32
 36d:	c4 c1 f9 6e c9       	vmovq  xmm1,r9
 372:	44 0f af f1          	imul   r14d,ecx
 376:	c4 e2 7d 58 c0       	vpbroadcastd ymm0,xmm0
 37b:	c5 fd fe 02          	vpaddd ymm0,ymm0,YMMWORD PTR [rdx]
 37f:	c4 e2 7d 58 16       	vpbroadcastd ymm2,DWORD PTR [rsi]
 384:	c4 e2 7d 59 c9       	vpbroadcastq ymm1,xmm1
 389:	4c 89 c2             	mov    rdx,r8
 38c:	eb 13                	jmp    3a1 <naive+0x301>
 38e:	66 90                	xchg   ax,ax
 390:	48 ff c2             	inc    rdx
 393:	41 01 ce             	add    r14d,ecx
 396:	48 3b 54 24 18       	cmp    rdx,QWORD PTR [rsp+0x18]
 39b:	0f 84 7d fd ff ff    	je     11e <naive+0x7e>
 3a1:	48 8b 7c 24 20       	mov    rdi,QWORD PTR [rsp+0x20]
 3a6:	41 89 c7             	mov    r15d,eax
 3a9:	49 63 f6             	movsxd rsi,r14d
 3ac:	44 0f af fa          	imul   r15d,edx
 3b0:	4d 89 dc             	mov    r12,r11
 3b3:	c5 fd 6f d8          	vmovdqa ymm3,ymm0
 3b7:	48 8d 3c b7          	lea    rdi,[rdi+rsi*4]
 3bb:	eb 26                	jmp    3e3 <naive+0x343>
 3bd:	0f 1f 00             	nop    DWORD PTR [rax]
 3c0:	c5 d8 57 e4          	vxorps xmm4,xmm4,xmm4
 3c4:	c5 f9 7e de          	vmovd  esi,xmm3
 3c8:	49 83 c4 08          	add    r12,0x8
 3cc:	c5 e5 fe da          	vpaddd ymm3,ymm3,ymm2
 3d0:	44 01 fe             	add    esi,r15d
 3d3:	48 63 f6             	movsxd rsi,esi
 3d6:	c4 c1 7c 11 24 b2    	vmovups YMMWORD PTR [r10+rsi*4],ymm4
 3dc:	4c 3b 64 24 08       	cmp    r12,QWORD PTR [rsp+0x8]
 3e1:	74 ad                	je     390 <naive+0x2f0>
 3e3:	85 c9                	test   ecx,ecx
 3e5:	7e d9                	jle    3c0 <naive+0x320>
 3e7:	c4 e3 7d 39 dd 01    	vextracti128 xmm5,ymm3,0x1
 3ed:	c4 e2 7d 35 e3       	vpmovzxdq ymm4,xmm3
 3f2:	45 31 ed             	xor    r13d,r13d
 3f5:	31 db                	xor    ebx,ebx
 3f7:	c4 e2 7d 35 ed       	vpmovzxdq ymm5,xmm5
 3fc:	c5 dd 73 f4 20       	vpsllq ymm4,ymm4,0x20
 401:	c5 cd 72 e4 1e       	vpsrad ymm6,ymm4,0x1e
 406:	c5 dd 73 d4 1e       	vpsrlq ymm4,ymm4,0x1e
 40b:	c4 e3 5d 02 e6 aa    	vpblendd ymm4,ymm4,ymm6,0xaa
 411:	c5 d5 73 f5 20       	vpsllq ymm5,ymm5,0x20
 416:	c5 cd 72 e5 1e       	vpsrad ymm6,ymm5,0x1e
 41b:	c5 d5 73 d5 1e       	vpsrlq ymm5,ymm5,0x1e
 420:	c4 e3 55 02 ee aa    	vpblendd ymm5,ymm5,ymm6,0xaa
 426:	c5 f5 d4 f4          	vpaddq ymm6,ymm1,ymm4
 42a:	c5 d9 ef e4          	vpxor  xmm4,xmm4,xmm4
 42e:	c5 f5 d4 ed          	vpaddq ymm5,ymm1,ymm5
 432:	66 66 66 66 66 2e 0f 	data16 data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 439:	1f 84 00 00 00 00 00 
 440:	c4 c1 f9 6e fd       	vmovq  xmm7,r13
 445:	49 01 c5             	add    r13,rax
 448:	c4 e2 7d 59 ff       	vpbroadcastq ymm7,xmm7
 44d:	c5 c5 73 f7 02       	vpsllq ymm7,ymm7,0x2
 452:	c5 55 d4 c7          	vpaddq ymm8,ymm5,ymm7
 456:	c5 cd d4 ff          	vpaddq ymm7,ymm6,ymm7
 45a:	c4 61 f9 7e c6       	vmovq  rsi,xmm8
 45f:	c5 7a 10 0e          	vmovss xmm9,DWORD PTR [rsi]
 463:	c4 63 f9 16 c6 01    	vpextrq rsi,xmm8,0x1
 469:	c4 43 7d 39 c0 01    	vextracti128 xmm8,ymm8,0x1
 46f:	c4 63 31 21 0e 10    	vinsertps xmm9,xmm9,DWORD PTR [rsi],0x10
 475:	c4 61 f9 7e c6       	vmovq  rsi,xmm8
 47a:	c4 63 31 21 0e 20    	vinsertps xmm9,xmm9,DWORD PTR [rsi],0x20
 480:	c4 63 f9 16 c6 01    	vpextrq rsi,xmm8,0x1
 486:	c4 63 31 21 06 30    	vinsertps xmm8,xmm9,DWORD PTR [rsi],0x30
 48c:	c4 e1 f9 7e fe       	vmovq  rsi,xmm7
 491:	c5 7a 10 0e          	vmovss xmm9,DWORD PTR [rsi]
 495:	c4 e3 f9 16 fe 01    	vpextrq rsi,xmm7,0x1
 49b:	c4 e3 7d 39 ff 01    	vextracti128 xmm7,ymm7,0x1
 4a1:	c4 63 31 21 0e 10    	vinsertps xmm9,xmm9,DWORD PTR [rsi],0x10
 4a7:	c4 e1 f9 7e fe       	vmovq  rsi,xmm7
 4ac:	c4 63 31 21 0e 20    	vinsertps xmm9,xmm9,DWORD PTR [rsi],0x20
 4b2:	c4 e3 f9 16 fe 01    	vpextrq rsi,xmm7,0x1
 4b8:	c4 e3 31 21 3e 30    	vinsertps xmm7,xmm9,DWORD PTR [rsi],0x30
 4be:	c4 62 7d 18 0c 9f    	vbroadcastss ymm9,DWORD PTR [rdi+rbx*4]
 4c4:	48 ff c3             	inc    rbx
 4c7:	c4 c3 45 18 f8 01    	vinsertf128 ymm7,ymm7,xmm8,0x1
 4cd:	c4 e2 35 b8 e7       	vfmadd231ps ymm4,ymm9,ymm7
 4d2:	48 39 d9             	cmp    rcx,rbx
 4d5:	0f 85 65 ff ff ff    	jne    440 <naive+0x3a0>
 4db:	e9 e4 fe ff ff       	jmp    3c4 <naive+0x324>
