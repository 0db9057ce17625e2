0000000000000e00 <_ZGVeN16uuuuuu_local16>:
     e00:	endbr64
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
     e04:	push   rbp
     e05:	mov    rbp,rsp
     e08:	push   r15
     e0a:	push   r14
     e0c:	push   r13
     e0e:	push   r12
     e10:	push   rbx
     e11:	and    rsp,0xffffffffffffff80
     e15:	sub    rsp,0x100
     e1c:	mov    rbx,rsp
     e1f:	mov    rax,QWORD PTR [rsi+0x18]
     e23:	xor    r11d,r11d
     e26:	test   rax,rax
     e29:	movsxd rcx,DWORD PTR [rdi+0x4]
     e2d:	mov    QWORD PTR [rbx+0x48],rcx
     e31:	mov    ecx,DWORD PTR [rdi+0x8]
     e34:	mov    QWORD PTR [rbx+0x38],rcx
     e38:	mov    rcx,QWORD PTR [rdi+0x10]
     e3c:	mov    QWORD PTR [rbx+0x70],rcx
     e40:	mov    rcx,QWORD PTR [rdi+0x18]
     e44:	mov    QWORD PTR [rbx+0x68],rcx
     e48:	mov    rcx,QWORD PTR [rdi+0x20]
     e4c:	mov    QWORD PTR [rbx+0x60],rcx
     e50:	mov    edx,0x900
     e55:	cmovne rdx,r11
     e59:	mov    r10,rsp
     e5c:	sub    r10,rdx
     e5f:	and    r10,0xffffffffffffff80
     e63:	mov    rsp,r10
     e66:	mov    r14,QWORD PTR [rdi+0xd0]
     e6d:	mov    r15,QWORD PTR [rdi+0xd8]
     e74:	lea    rdx,[r14+0xf]
     e78:	movabs r8,0x3ffffffffffffff0
     e82:	and    r8,rdx
     e85:	imul   r8,r15
     e89:	imul   r8,QWORD PTR [rdi+0xe0]
     e91:	shl    r8,0x2
     e95:	test   rax,rax
     e98:	lea    rdx,[r8+r8*2]
     e9c:	cmovne rdx,r11
     ea0:	mov    rcx,QWORD PTR [rsi]
     ea3:	imul   rcx,r14
     ea7:	add    rcx,QWORD PTR [rdi+0x30]
     eab:	mov    QWORD PTR [rbx+0x40],rcx
     eaf:	mov    rcx,QWORD PTR [rsi+0x8]
     eb3:	imul   rcx,r15
     eb7:	add    rcx,QWORD PTR [rdi+0x38]
     ebb:	mov    rdi,rcx
     ebe:	mov    rsi,rsp
     ec1:	sub    rsi,rdx
     ec4:	and    rsi,0xffffffffffffff80
     ec8:	lea    rcx,[rax+0x900]
     ecf:	test   rax,rax
     ed2:	cmovne r10,rax
     ed6:	cmove  rcx,rsi
     eda:	lea    r13,[r10+0x80]
     ee1:	mov    rsp,rsi
     ee4:	add    r10,0x480
     eeb:	mov    QWORD PTR [rbx+0x50],rcx
     eef:	lea    rax,[rcx+0x80]
     ef6:	mov    QWORD PTR [rbx+0x58],rax
     efa:	movabs rax,0x0
			efc: R_X86_64_64	.rodata+0x140
     f04:	vmovdqu64 zmm0,ZMMWORD PTR [rax]
     f0a:	movabs rax,0x0
			f0c: R_X86_64_64	.rodata+0x180
     f14:	vmovdqu64 zmm1,ZMMWORD PTR [rax]
     f1a:	vpxor  xmm2,xmm2,xmm2
     f1e:	movabs rax,0x0
			f20: R_X86_64_64	.rodata+0x1c0
     f28:	vmovdqu64 zmm3,ZMMWORD PTR [rax]
     f2e:	xor    edx,edx
     f30:	xor    r8d,r8d
     f33:	data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
     f40:	mov    r9d,0x7
     f46:	cmp    DWORD PTR [rbx+0x38],0x0
     f4a:	jle    f60 <_ZGVeN16uuuuuu_local16+0x160>
     f4c:	xor    eax,eax
     f4e:	vxorps xmm4,xmm4,xmm4
     f52:	jmp    f70 <_ZGVeN16uuuuuu_local16+0x170>
     f54:	data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
     f60:	vxorps xmm4,xmm4,xmm4
     f64:	jmp    11df <_ZGVeN16uuuuuu_local16+0x3df>
     f69:	nop    DWORD PTR [rax+0x0]
     f70:	mov    rcx,QWORD PTR [rbx+0x50]
     f74:	vmovups ZMMWORD PTR [rcx+r8*1+0x40],zmm4
     f7c:	mov    QWORD PTR [rcx+r8*1],rax
     f80:	lea    esi,[rdx+rdi*1]
     f83:	imul   esi,DWORD PTR [rbx+0x38]
     f87:	movsxd r12,r11d
     f8a:	mov    rcx,QWORD PTR [rbx+0x40]
     f8e:	add    ecx,r12d
     f91:	mov    QWORD PTR [rbx+0x78],r12
     f95:	vpbroadcastd zmm4,ecx
     f9b:	add    esi,eax
     f9d:	add    esi,r12d
     fa0:	movsxd rcx,edx
     fa3:	add    rax,rcx
     fa6:	shl    rcx,0x6
     faa:	movsxd rsi,esi
     fad:	mov    r12,r14
     fb0:	mov    r14,r10
     fb3:	mov    r10,r15
     fb6:	mov    r15,rdi
     fb9:	mov    rdi,QWORD PTR [rbx+0x70]
     fbd:	vmovups zmm5,ZMMWORD PTR [rdi+rsi*4]
     fc4:	mov    rdi,r15
     fc7:	mov    r15,r10
     fca:	mov    r10,r14
     fcd:	mov    r14,r12
     fd0:	lea    rsi,[r13+rcx*1+0x0]
     fd5:	mov    r12,QWORD PTR [rbx+0x78]
     fd9:	vmovups ZMMWORD PTR [rsi+r12*4],zmm5
     fe0:	vpaddd zmm4,zmm4,zmm0
     fe6:	vmovdqa64 zmm5,zmm4
     fec:	vpermt2d zmm5,zmm1,zmm2
     ff2:	vpermt2d zmm4,zmm3,zmm2
     ff8:	vpsraq zmm4,zmm4,0x1e
     fff:	vpsraq zmm5,zmm5,0x1e
    1006:	imul   rax,QWORD PTR [rbx+0x48]
    100b:	mov    rsi,QWORD PTR [rbx+0x68]
    100f:	lea    rax,[rsi+rax*4]
    1013:	kxnorb k1,k0,k0
    1017:	vxorps xmm6,xmm6,xmm6
    101b:	vgatherqps ymm6{k1},DWORD PTR [rax+zmm5*1]
    1022:	kxnorb k1,k0,k0
    1026:	vxorps xmm5,xmm5,xmm5
    102a:	vgatherqps ymm5{k1},DWORD PTR [rax+zmm4*1]
    1031:	add    rcx,r10
    1034:	vinsertf64x4 zmm4,zmm5,ymm6,0x1
    103b:	vmovups ZMMWORD PTR [rcx+r12*4],zmm4
    1042:	add    r11,0x10
    1046:	cmp    r11,r14
    1049:	jb     11b0 <_ZGVeN16uuuuuu_local16+0x3b0>
    104f:	inc    rdx
    1052:	mov    r11d,0x0
    1058:	cmp    rdx,r15
    105b:	jb     11b0 <_ZGVeN16uuuuuu_local16+0x3b0>
    1061:	mov    rax,QWORD PTR [rbx+0x58]
    1065:	xor    r11d,r11d
    1068:	xor    r12d,r12d
    106b:	jmp    1076 <_ZGVeN16uuuuuu_local16+0x276>
    106d:	nop    DWORD PTR [rax]
    1070:	add    rax,0xc0
    1076:	movsxd rcx,r12d
    1079:	shl    rcx,0x6
    107d:	movsxd rsi,r11d
    1080:	lea    rdx,[rcx+r13*1]
    1084:	vbroadcastss zmm4,DWORD PTR [rdx]
    108a:	lea    r8,[r10+rsi*4]
    108e:	vmovups zmm5,ZMMWORD PTR [r8]
    1094:	vfmadd213ps zmm5,zmm4,ZMMWORD PTR [rax-0x40]
    109b:	vbroadcastss zmm4,DWORD PTR [rdx+0x4]
    10a2:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x40]
    10a9:	vbroadcastss zmm5,DWORD PTR [rdx+0x8]
    10b0:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x80]
    10b7:	vbroadcastss zmm4,DWORD PTR [rdx+0xc]
    10be:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0xc0]
    10c5:	vbroadcastss zmm5,DWORD PTR [rdx+0x10]
    10cc:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x100]
    10d3:	vbroadcastss zmm4,DWORD PTR [rdx+0x14]
    10da:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x140]
    10e1:	vbroadcastss zmm5,DWORD PTR [rdx+0x18]
    10e8:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x180]
    10ef:	vbroadcastss zmm4,DWORD PTR [rdx+0x1c]
    10f6:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x1c0]
    10fd:	vbroadcastss zmm5,DWORD PTR [rdx+0x20]
    1104:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x200]
    110b:	vbroadcastss zmm4,DWORD PTR [rdx+0x24]
    1112:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x240]
    1119:	vbroadcastss zmm5,DWORD PTR [rdx+0x28]
    1120:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x280]
    1127:	vbroadcastss zmm4,DWORD PTR [rdx+0x2c]
    112e:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x2c0]
    1135:	vbroadcastss zmm5,DWORD PTR [rdx+0x30]
    113c:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x300]
    1143:	vbroadcastss zmm4,DWORD PTR [rdx+0x34]
    114a:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x340]
    1151:	vbroadcastss zmm5,DWORD PTR [rdx+0x38]
    1158:	vfmadd132ps zmm5,zmm4,ZMMWORD PTR [r8+0x380]
    115f:	vbroadcastss zmm4,DWORD PTR [rdx+0x3c]
    1166:	vfmadd132ps zmm4,zmm5,ZMMWORD PTR [r8+0x3c0]
    116d:	vmovups ZMMWORD PTR [rax],zmm4
    1173:	add    r11,0x10
    1177:	cmp    r11,r14
    117a:	jb     1070 <_ZGVeN16uuuuuu_local16+0x270>
    1180:	inc    r12
    1183:	xor    r11d,r11d
    1186:	mov    edx,0x0
    118b:	mov    r8d,0x0
    1191:	mov    r9d,0x0
    1197:	cmp    r12,r15
    119a:	jb     1070 <_ZGVeN16uuuuuu_local16+0x270>
    11a0:	jmp    11c1 <_ZGVeN16uuuuuu_local16+0x3c1>
    11a2:	data16 data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
    11b0:	add    r8,0xc0
    11b7:	cmp    r9d,0x7
    11bb:	je     f40 <_ZGVeN16uuuuuu_local16+0x140>
    11c1:	mov    rcx,QWORD PTR [rbx+0x50]
    11c5:	mov    rax,QWORD PTR [rcx+r8*1]
    11c9:	add    rax,0x10
    11cd:	vmovups zmm4,ZMMWORD PTR [rcx+r8*1+0x80]
    11d5:	cmp    rax,QWORD PTR [rbx+0x38]
    11d9:	jb     f70 <_ZGVeN16uuuuuu_local16+0x170>
    11df:	lea    eax,[rdx+rdi*1]
    11e2:	mov    rcx,QWORD PTR [rbx+0x40]
    11e6:	add    ecx,r11d
    11e9:	imul   eax,DWORD PTR [rbx+0x48]
    11ed:	add    eax,ecx
    11ef:	cdqe
    11f1:	mov    rcx,QWORD PTR [rbx+0x60]
    11f5:	vmovups ZMMWORD PTR [rcx+rax*4],zmm4
    11fc:	add    r11,0x10
    1200:	cmp    r11,r14
    1203:	jb     11b0 <_ZGVeN16uuuuuu_local16+0x3b0>
    1205:	inc    rdx
    1208:	mov    r11d,0x0
    120e:	cmp    rdx,r15
    1211:	jb     11b0 <_ZGVeN16uuuuuu_local16+0x3b0>
    1213:	lea    rsp,[rbp-0x28]
    1217:	pop    rbx
    1218:	pop    r12
    121a:	pop    r13
    121c:	pop    r14
    121e:	pop    r15
    1220:	pop    rbp
    1221:	vzeroupper
    1224:	ret
