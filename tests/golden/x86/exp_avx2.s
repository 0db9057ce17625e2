0000000000000250 <expo>:
 250:	endbr64
			61: R_X86_64_64	.lrodata.cst16
			6b: R_X86_64_64	.lrodata.cst4
			75: R_X86_64_64	.lrodata.cst4+0x4
			1cf: R_X86_64_64	.ltext+0x40
			200: R_X86_64_64	.ltext
 254:	push   rbp
 255:	mov    rbp,rsp
 258:	push   r15
 25a:	push   r14
 25c:	push   r13
 25e:	push   r12
 260:	push   rbx
 261:	and    rsp,0xfffffffffffffff0
 265:	sub    rsp,0x20
 269:	mov    rdx,QWORD PTR [rsi]
 26c:	mov    rcx,QWORD PTR [rdi+0xb0]
 273:	mov    rax,QWORD PTR [rdi+0x10]
 277:	mov    rbx,QWORD PTR [rdi]
 27a:	imul   rcx,rdx
 27e:	inc    rdx
 281:	mov    QWORD PTR [rsp+0x10],rax
 286:	mov    QWORD PTR [rsp+0x8],rcx
 28b:	xor    ecx,ecx
 28d:	cmp    QWORD PTR [rdi+0xe0],rdx
 294:	sete   cl
 297:	lea    rax,[rcx+rcx*2]
 29b:	mov    r14,QWORD PTR [rdi+rax*8+0xb0]
 2a3:	mov    r15,r14
 2a6:	and    r15,0xfffffffffffffff8
 2aa:	cmp    r14,0x8
 2ae:	jb     2f1 <expo+0xa1>
 2b0:	mov    rax,QWORD PTR [rsp+0x10]
 2b5:	mov    rcx,QWORD PTR [rsp+0x8]
 2ba:	xor    r13d,r13d
 2bd:	add    rax,rcx
 2c0:	lea    r12,[rbx+rax*4]
 2c4:	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 2d0:	vmovups ymm0,YMMWORD PTR [r12+r13*4]
 2d6:	movabs rax,0x0
			2d8: R_X86_64_64	__ocl_svml_l9_expf8
 2e0:	call   rax
 2e2:	vmovups YMMWORD PTR [r12+r13*4],ymm0
 2e8:	add    r13,0x8
 2ec:	cmp    r15,r13
 2ef:	jne    2d0 <expo+0x80>
 2f1:	test   r14b,0x7
 2f5:	je     337 <expo+0xe7>
 2f7:	mov    rax,QWORD PTR [rsp+0x10]
 2fc:	mov    rcx,QWORD PTR [rsp+0x8]
 301:	movabs r12,0x0
			303: R_X86_64_64	__ocl_svml_l9_expf1
 30b:	shl    rax,0x2
 30f:	lea    rax,[rax+rcx*4]
 313:	add    rbx,rax
 316:	cs nop WORD PTR [rax+rax*1+0x0]
 320:	vmovss xmm0,DWORD PTR [rbx+r15*4]
 326:	call   r12
 329:	vmovss DWORD PTR [rbx+r15*4],xmm0
 32f:	inc    r15
 332:	cmp    r14,r15
 335:	jne    320 <expo+0xd0>
 337:	lea    rsp,[rbp-0x28]
 33b:	pop    rbx
 33c:	pop    r12
 33e:	pop    r13
 340:	pop    r14
 342:	pop    r15
 344:	pop    rbp
 345:	vzeroupper
 348:	ret
