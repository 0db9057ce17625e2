0000000000000810 <local16>:
 810:	endbr64
			12d: R_X86_64_64	.lrodata.cst4+0x4
			137: R_X86_64_64	.lrodata.cst32+0x20
			172: R_X86_64_64	.lrodata.cst8
			35b: R_X86_64_64	.lrodata.cst4
			365: R_X86_64_64	.lrodata.cst32
 814:	push   rbp
 815:	mov    rbp,rsp
 818:	push   r15
 81a:	push   r14
 81c:	push   r13
 81e:	push   r12
 820:	push   rbx
 821:	and    rsp,0xffffffffffffff80
 825:	sub    rsp,0x100
 82c:	mov    rbx,rsp
 82f:	movsxd rcx,DWORD PTR [rdi+0x4]
 833:	mov    rdx,QWORD PTR [rdi+0x18]
 837:	mov    rax,QWORD PTR [rsi+0x18]
 83b:	mov    r9,QWORD PTR [rdi+0x10]
 83f:	mov    r15d,DWORD PTR [rdi+0x8]
 843:	xor    r13d,r13d
 846:	mov    r10,rsp
 849:	mov    QWORD PTR [rbx+0x58],rcx
 84d:	mov    rcx,QWORD PTR [rdi+0x20]
 851:	mov    QWORD PTR [rbx+0x70],rdx
 855:	test   rax,rax
 858:	mov    edx,0x900
 85d:	mov    QWORD PTR [rbx+0x78],r9
 861:	cmovne rdx,r13
 865:	sub    r10,rdx
 868:	and    r10,0xffffffffffffff80
 86c:	mov    QWORD PTR [rbx+0x68],rcx
 870:	mov    rsp,r10
 873:	mov    r11,QWORD PTR [rdi+0xd0]
 87a:	mov    r14,QWORD PTR [rdi+0xd8]
 881:	mov    rcx,QWORD PTR [rsi]
 884:	mov    rsi,QWORD PTR [rsi+0x8]
 888:	mov    rdx,r11
 88b:	imul   rdx,r14
 88f:	imul   rdx,QWORD PTR [rdi+0xe0]
 897:	shl    rdx,0x4
 89b:	test   rax,rax
 89e:	cmovne rdx,r13
 8a2:	imul   rsi,r14
 8a6:	add    rsi,QWORD PTR [rdi+0x38]
 8aa:	imul   rcx,r11
 8ae:	add    rcx,QWORD PTR [rdi+0x30]
 8b2:	lea    rdi,[rax+0x900]
 8b9:	mov    QWORD PTR [rbx+0x48],rsi
 8bd:	mov    rsi,rsp
 8c0:	sub    rsi,rdx
 8c3:	mov    QWORD PTR [rbx+0x50],rcx
 8c7:	and    rsi,0xffffffffffffff80
 8cb:	test   rax,rax
 8ce:	cmovne r10,rax
 8d2:	cmove  rdi,rsi
 8d6:	lea    r12,[r10+0x80]
 8dd:	mov    rsp,rsi
 8e0:	lea    rax,[rdi+0xc]
 8e4:	add    r10,0x480
 8eb:	xor    edx,edx
 8ed:	xor    r8d,r8d
 8f0:	mov    QWORD PTR [rbx+0x40],rdi
 8f4:	mov    QWORD PTR [rbx+0x38],r15
 8f8:	mov    QWORD PTR [rbx+0x60],rax
 8fc:	nop    DWORD PTR [rax+0x0]
 900:	mov    esi,0x6
 905:	vxorps xmm0,xmm0,xmm0
 909:	test   r15d,r15d
 90c:	jle    b38 <local16+0x328>
 912:	xor    eax,eax
 914:	jmp    930 <local16+0x120>
 916:	cs nop WORD PTR [rax+rax*1+0x0]
 920:	add    r8,0x10
 924:	cmp    esi,0x6
 927:	jne    b20 <local16+0x310>
 92d:	jmp    900 <local16+0xf0>
 92f:	nop
 930:	mov    rcx,QWORD PTR [rbx+0x48]
 934:	vmovss DWORD PTR [rdi+r8*1+0x8],xmm0
 93b:	mov    QWORD PTR [rdi+r8*1],rax
 93f:	mov    edi,esi
 941:	mov    r9,QWORD PTR [rbx+0x78]
 945:	lea    esi,[rdx+rcx*1]
 948:	imul   esi,r15d
 94c:	movsxd r15,r13d
 94f:	inc    r13
 952:	add    esi,eax
 954:	add    esi,r15d
 957:	movsxd rcx,edx
 95a:	movsxd rsi,esi
 95d:	add    rax,rcx
 960:	shl    rcx,0x6
 964:	imul   rax,QWORD PTR [rbx+0x58]
 969:	vmovss xmm0,DWORD PTR [r9+rsi*4]
 96f:	lea    rsi,[r12+rcx*1]
 973:	mov    r9,QWORD PTR [rbx+0x70]
 977:	add    rcx,r10
 97a:	vmovss DWORD PTR [rsi+r15*4],xmm0
 980:	mov    rsi,QWORD PTR [rbx+0x50]
 984:	add    esi,r15d
 987:	movsxd rsi,esi
 98a:	lea    rsi,[r9+rsi*4]
 98e:	vmovss xmm0,DWORD PTR [rsi+rax*4]
 993:	mov    esi,edi
 995:	vmovss DWORD PTR [rcx+r15*4],xmm0
 99b:	cmp    r13,r11
 99e:	jb     9ae <local16+0x19e>
 9a0:	inc    rdx
 9a3:	mov    r13d,0x0
 9a9:	cmp    rdx,r14
 9ac:	jae    9c0 <local16+0x1b0>
 9ae:	mov    r15,QWORD PTR [rbx+0x38]
 9b2:	mov    rdi,QWORD PTR [rbx+0x40]
 9b6:	jmp    920 <local16+0x110>
 9bb:	nop    DWORD PTR [rax+rax*1+0x0]
 9c0:	mov    rdx,QWORD PTR [rbx+0x60]
 9c4:	mov    r15,QWORD PTR [rbx+0x38]
 9c8:	mov    rdi,QWORD PTR [rbx+0x40]
 9cc:	xor    r9d,r9d
 9cf:	xor    r8d,r8d
 9d2:	jmp    9e4 <local16+0x1d4>
 9d4:	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 9e0:	add    rdx,0x10
 9e4:	movsxd rax,r9d
 9e7:	movsxd rcx,r8d
 9ea:	inc    r9
 9ed:	shl    rcx,0x6
 9f1:	lea    rax,[r10+rax*4]
 9f5:	lea    r13,[r12+rcx*1]
 9f9:	vmovss xmm0,DWORD PTR [rax]
 9fd:	vmovss xmm1,DWORD PTR [r13+0x0]
 a03:	vmovss xmm2,DWORD PTR [r13+0x4]
 a09:	vfmadd213ss xmm1,xmm0,DWORD PTR [rdx-0x4]
 a0f:	vmovss xmm0,DWORD PTR [r13+0x8]
 a15:	vfmadd231ss xmm1,xmm2,DWORD PTR [rax+0x40]
 a1b:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x80]
 a24:	vmovss xmm1,DWORD PTR [r13+0xc]
 a2a:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0xc0]
 a33:	vmovss xmm0,DWORD PTR [r13+0x10]
 a39:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x100]
 a42:	vmovss xmm1,DWORD PTR [r13+0x14]
 a48:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x140]
 a51:	vmovss xmm0,DWORD PTR [r13+0x18]
 a57:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x180]
 a60:	vmovss xmm1,DWORD PTR [r13+0x1c]
 a66:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x1c0]
 a6f:	vmovss xmm0,DWORD PTR [r13+0x20]
 a75:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x200]
 a7e:	vmovss xmm1,DWORD PTR [r13+0x24]
 a84:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x240]
 a8d:	vmovss xmm0,DWORD PTR [r13+0x28]
 a93:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x280]
 a9c:	vmovss xmm1,DWORD PTR [r13+0x2c]
 aa2:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x2c0]
 aab:	vmovss xmm0,DWORD PTR [r13+0x30]
 ab1:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x300]
 aba:	vmovss xmm1,DWORD PTR [r13+0x34]
 ac0:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x340]
 ac9:	vmovss xmm0,DWORD PTR [r13+0x38]
 acf:	vfmadd132ss xmm0,xmm1,DWORD PTR [rax+0x380]
 ad8:	vmovss xmm1,DWORD PTR [r13+0x3c]
 ade:	vfmadd132ss xmm1,xmm0,DWORD PTR [rax+0x3c0]
 ae7:	vmovss DWORD PTR [rdx],xmm1
 aeb:	cmp    r9,r11
 aee:	jb     9e0 <local16+0x1d0>
 af4:	inc    r8
 af7:	cmp    r8,r14
 afa:	jae    b10 <local16+0x300>
 afc:	xor    r9d,r9d
 aff:	jmp    9e0 <local16+0x1d0>
 b04:	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 b10:	mov    esi,0x2
 b15:	xor    r13d,r13d
 b18:	xor    edx,edx
 b1a:	xor    r8d,r8d
 b1d:	nop    DWORD PTR [rax]
 b20:	vmovss xmm0,DWORD PTR [rdi+r8*1+0xc]
 b27:	mov    rax,QWORD PTR [rdi+r8*1]
 b2b:	add    rax,0x10
 b2f:	cmp    rax,r15
 b32:	jb     930 <local16+0x120>
 b38:	mov    rcx,QWORD PTR [rbx+0x48]
 b3c:	mov    rax,QWORD PTR [rbx+0x50]
 b40:	mov    r9,QWORD PTR [rbx+0x68]
 b44:	add    ecx,edx
 b46:	imul   ecx,DWORD PTR [rbx+0x58]
 b4a:	add    eax,r13d
 b4d:	inc    r13
 b50:	add    ecx,eax
 b52:	movsxd rax,ecx
 b55:	vmovss DWORD PTR [r9+rax*4],xmm0
 b5b:	cmp    r13,r11
 b5e:	jb     920 <local16+0x110>
 b64:	inc    rdx
 b67:	mov    r13d,0x0
 b6d:	cmp    rdx,r14
 b70:	jb     920 <local16+0x110>
 b76:	lea    rsp,[rbp-0x28]
 b7a:	pop    rbx
 b7b:	pop    r12
 b7d:	pop    r13
 b7f:	pop    r14
 b81:	pop    r15
 b83:	pop    rbp
 b84:	ret
