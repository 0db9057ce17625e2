0000000000000b90 <_ZGVdN8uuuuuu_local16>:
 b90:	endbr64
			12d: R_X86_64_64	.lrodata.cst4+0x4
			137: R_X86_64_64	.lrodata.cst32+0x20
			172: R_X86_64_64	.lrodata.cst8
			35b: R_X86_64_64	.lrodata.cst4
			365: R_X86_64_64	.lrodata.cst32
 b94:	push   rbp
 b95:	mov    rbp,rsp
 b98:	push   r15
 b9a:	push   r14
 b9c:	push   r13
 b9e:	push   r12
 ba0:	push   rbx
 ba1:	and    rsp,0xffffffffffffff80
 ba5:	sub    rsp,0x100
 bac:	mov    rbx,rsp
 baf:	movsxd rcx,DWORD PTR [rdi+0x4]
 bb3:	mov    rax,QWORD PTR [rsi+0x18]
 bb7:	xor    r10d,r10d
 bba:	mov    r9,rsp
 bbd:	mov    QWORD PTR [rbx+0x50],rcx
 bc1:	mov    ecx,DWORD PTR [rdi+0x8]
 bc4:	test   rax,rax
 bc7:	mov    QWORD PTR [rbx+0x40],rcx
 bcb:	mov    rcx,QWORD PTR [rdi+0x10]
 bcf:	mov    QWORD PTR [rbx+0x70],rcx
 bd3:	mov    rcx,QWORD PTR [rdi+0x20]
 bd7:	mov    QWORD PTR [rbx+0x68],rcx
 bdb:	mov    ecx,0x900
 be0:	cmovne rcx,r10
 be4:	sub    r9,rcx
 be7:	and    r9,0xffffffffffffff80
 beb:	mov    rsp,r9
 bee:	mov    r11,QWORD PTR [rdi+0xd0]
 bf5:	mov    r14,QWORD PTR [rdi+0xd8]
 bfc:	movabs rdx,0x3ffffffffffffff8
 c06:	mov    r12,QWORD PTR [rsi]
 c09:	lea    rcx,[r11+0x7]
 c0d:	and    rdx,rcx
 c10:	imul   rdx,r14
 c14:	imul   rdx,QWORD PTR [rdi+0xe0]
 c1c:	shl    rdx,0x2
 c20:	test   rax,rax
 c23:	lea    rcx,[rdx+rdx*2]
 c27:	mov    rdx,QWORD PTR [rsi+0x8]
 c2b:	cmovne rcx,r10
 c2f:	imul   r12,r11
 c33:	add    r12,QWORD PTR [rdi+0x30]
 c37:	imul   rdx,r14
 c3b:	add    rdx,QWORD PTR [rdi+0x38]
 c3f:	mov    QWORD PTR [rbx+0x48],rdx
 c43:	mov    rdx,rsp
 c46:	sub    rdx,rcx
 c49:	lea    rcx,[rax+0x900]
 c50:	and    rdx,0xffffffffffffff80
 c54:	test   rax,rax
 c57:	cmovne r9,rax
 c5b:	cmove  rcx,rdx
 c5f:	lea    r13,[r9+0x80]
 c66:	mov    rsp,rdx
 c69:	vmovq  xmm1,QWORD PTR [rdi+0x18]
 c6e:	lea    rax,[rcx+0x40]
 c72:	mov    QWORD PTR [rbx+0x58],rcx
 c76:	movabs rcx,0x0
			c78: R_X86_64_64	.lrodata.cst32+0x40
 c80:	add    r9,0x480
 c87:	xor    edi,edi
 c89:	xor    edx,edx
 c8b:	vmovdqu ymm0,YMMWORD PTR [rcx]
 c8f:	mov    QWORD PTR [rbx+0x60],rax
 c93:	vpbroadcastq ymm1,xmm1
 c98:	nop    DWORD PTR [rax+rax*1+0x0]
 ca0:	cmp    DWORD PTR [rbx+0x40],0x0
 ca4:	mov    r8d,0x7
 caa:	vxorps xmm2,xmm2,xmm2
 cae:	jle    f9a <_ZGVdN8uuuuuu_local16+0x40a>
 cb4:	xor    eax,eax
 cb6:	mov    rcx,QWORD PTR [rbx+0x58]
 cba:	movsxd r15,r10d
 cbd:	add    r10,0x8
 cc1:	lea    esi,[r15+r12*1]
 cc5:	mov    QWORD PTR [rbx+0x78],r15
 cc9:	vmovups YMMWORD PTR [rcx+rdx*1+0x20],ymm2
 ccf:	mov    QWORD PTR [rcx+rdx*1],rax
 cd3:	mov    rcx,QWORD PTR [rbx+0x48]
 cd7:	vmovd  xmm2,esi
 cdb:	lea    esi,[rax+r15*1]
 cdf:	mov    r15,r11
 ce2:	mov    r11,r9
 ce5:	mov    r9,r14
 ce8:	mov    r14,r12
 ceb:	mov    r12,QWORD PTR [rbx+0x70]
 cef:	vpbroadcastd ymm2,xmm2
 cf4:	vpaddd ymm2,ymm2,ymm0
 cf8:	add    ecx,edi
 cfa:	imul   ecx,DWORD PTR [rbx+0x40]
 cfe:	add    ecx,esi
 d00:	movsxd rsi,edi
 d03:	movsxd rcx,ecx
 d06:	add    rax,rsi
 d09:	shl    rsi,0x6
 d0d:	imul   rax,QWORD PTR [rbx+0x50]
 d12:	vmovups ymm3,YMMWORD PTR [r12+rcx*4]
 d18:	mov    r12,r14
 d1b:	mov    r14,r9
 d1e:	mov    r9,r11
 d21:	mov    r11,r15
 d24:	mov    r15,QWORD PTR [rbx+0x78]
 d28:	lea    rcx,[r13+rsi*1+0x0]
 d2d:	add    rsi,r9
 d30:	vmovups YMMWORD PTR [rcx+r15*4],ymm3
 d36:	vextracti128 xmm3,ymm2,0x1
 d3c:	vpmovzxdq ymm2,xmm2
 d41:	vpmovzxdq ymm3,xmm3
 d46:	vpsllq ymm2,ymm2,0x20
 d4b:	vpsllq ymm3,ymm3,0x20
 d50:	vpsrad ymm4,ymm3,0x1e
 d55:	vpsrlq ymm3,ymm3,0x1e
 d5a:	vpblendd ymm3,ymm3,ymm4,0xaa
 d60:	vpsrad ymm4,ymm2,0x1e
 d65:	vpsrlq ymm2,ymm2,0x1e
 d6a:	vpblendd ymm2,ymm2,ymm4,0xaa
 d70:	vmovq  xmm4,rax
 d75:	vpbroadcastq ymm4,xmm4
 d7a:	vpsllq ymm4,ymm4,0x2
 d7f:	vpaddq ymm4,ymm1,ymm4
 d83:	vpaddq ymm2,ymm4,ymm2
 d87:	vmovq  rax,xmm2
 d8c:	vmovss xmm5,DWORD PTR [rax]
 d90:	vpextrq rax,xmm2,0x1
 d96:	vextracti128 xmm2,ymm2,0x1
 d9c:	vinsertps xmm5,xmm5,DWORD PTR [rax],0x10
 da2:	vmovq  rax,xmm2
 da7:	vinsertps xmm5,xmm5,DWORD PTR [rax],0x20
 dad:	vpextrq rax,xmm2,0x1
 db3:	vpaddq ymm2,ymm4,ymm3
 db7:	vinsertps xmm3,xmm5,DWORD PTR [rax],0x30
 dbd:	vmovq  rax,xmm2
 dc2:	vmovss xmm4,DWORD PTR [rax]
 dc6:	vpextrq rax,xmm2,0x1
 dcc:	vextracti128 xmm2,ymm2,0x1
 dd2:	vinsertps xmm4,xmm4,DWORD PTR [rax],0x10
 dd8:	vmovq  rax,xmm2
 ddd:	vpextrq rcx,xmm2,0x1
 de3:	vinsertps xmm4,xmm4,DWORD PTR [rax],0x20
 de9:	vinsertps xmm2,xmm4,DWORD PTR [rcx],0x30
 def:	vmovups XMMWORD PTR [rsi+r15*4],xmm3
 df5:	vmovups XMMWORD PTR [rsi+r15*4+0x10],xmm2
 dfc:	cmp    r10,r11
 dff:	jb     f70 <_ZGVdN8uuuuuu_local16+0x3e0>
 e05:	inc    rdi
 e08:	mov    r10d,0x0
 e0e:	cmp    rdi,r14
 e11:	jb     f70 <_ZGVdN8uuuuuu_local16+0x3e0>
 e17:	mov    rax,QWORD PTR [rbx+0x60]
 e1b:	xor    r10d,r10d
 e1e:	xor    r15d,r15d
 e21:	jmp    e34 <_ZGVdN8uuuuuu_local16+0x2a4>
 e23:	data16 data16 data16 cs nop WORD PTR [rax+rax*1+0x0]
 e30:	add    rax,0x60
 e34:	movsxd rsi,r10d
 e37:	movsxd rcx,r15d
 e3a:	add    r10,0x8
 e3e:	shl    rcx,0x6
 e42:	lea    rsi,[r9+rsi*4]
 e46:	lea    rdx,[r13+rcx*1+0x0]
 e4b:	vbroadcastss ymm2,DWORD PTR [rdx]
 e50:	vmovups ymm3,YMMWORD PTR [rsi]
 e54:	vfmadd213ps ymm3,ymm2,YMMWORD PTR [rax-0x20]
 e5a:	vbroadcastss ymm2,DWORD PTR [rdx+0x4]
 e60:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x40]
 e66:	vbroadcastss ymm3,DWORD PTR [rdx+0x8]
 e6c:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x80]
 e75:	vbroadcastss ymm2,DWORD PTR [rdx+0xc]
 e7b:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0xc0]
 e84:	vbroadcastss ymm3,DWORD PTR [rdx+0x10]
 e8a:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x100]
 e93:	vbroadcastss ymm2,DWORD PTR [rdx+0x14]
 e99:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x140]
 ea2:	vbroadcastss ymm3,DWORD PTR [rdx+0x18]
 ea8:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x180]
 eb1:	vbroadcastss ymm2,DWORD PTR [rdx+0x1c]
 eb7:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x1c0]
 ec0:	vbroadcastss ymm3,DWORD PTR [rdx+0x20]
 ec6:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x200]
 ecf:	vbroadcastss ymm2,DWORD PTR [rdx+0x24]
 ed5:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x240]
 ede:	vbroadcastss ymm3,DWORD PTR [rdx+0x28]
 ee4:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x280]
 eed:	vbroadcastss ymm2,DWORD PTR [rdx+0x2c]
 ef3:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x2c0]
 efc:	vbroadcastss ymm3,DWORD PTR [rdx+0x30]
 f02:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x300]
 f0b:	vbroadcastss ymm2,DWORD PTR [rdx+0x34]
 f11:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x340]
 f1a:	vbroadcastss ymm3,DWORD PTR [rdx+0x38]
 f20:	vfmadd132ps ymm3,ymm2,YMMWORD PTR [rsi+0x380]
 f29:	vbroadcastss ymm2,DWORD PTR [rdx+0x3c]
 f2f:	vfmadd132ps ymm2,ymm3,YMMWORD PTR [rsi+0x3c0]
 f38:	vmovups YMMWORD PTR [rax],ymm2
 f3c:	cmp    r10,r11
 f3f:	jb     e30 <_ZGVdN8uuuuuu_local16+0x2a0>
 f45:	inc    r15
 f48:	mov    edi,0x0
 f4d:	mov    edx,0x0
 f52:	mov    r8d,0x0
 f58:	xor    r10d,r10d
 f5b:	cmp    r15,r14
 f5e:	jb     e30 <_ZGVdN8uuuuuu_local16+0x2a0>
 f64:	jmp    f7e <_ZGVdN8uuuuuu_local16+0x3ee>
 f66:	cs nop WORD PTR [rax+rax*1+0x0]
 f70:	add    rdx,0x60
 f74:	cmp    r8d,0x7
 f78:	je     ca0 <_ZGVdN8uuuuuu_local16+0x110>
 f7e:	mov    rcx,QWORD PTR [rbx+0x58]
 f82:	vmovups ymm2,YMMWORD PTR [rcx+rdx*1+0x40]
 f88:	mov    rax,QWORD PTR [rcx+rdx*1]
 f8c:	add    rax,0x10
 f90:	cmp    rax,QWORD PTR [rbx+0x40]
 f94:	jb     cb6 <_ZGVdN8uuuuuu_local16+0x126>
 f9a:	mov    rax,QWORD PTR [rbx+0x48]
 f9e:	mov    rsi,QWORD PTR [rbx+0x68]
 fa2:	lea    ecx,[r10+r12*1]
 fa6:	add    r10,0x8
 faa:	add    eax,edi
 fac:	imul   eax,DWORD PTR [rbx+0x50]
 fb0:	add    eax,ecx
 fb2:	cdqe
 fb4:	vmovups YMMWORD PTR [rsi+rax*4],ymm2
 fb9:	cmp    r10,r11
 fbc:	jb     f70 <_ZGVdN8uuuuuu_local16+0x3e0>
 fbe:	inc    rdi
 fc1:	mov    r10d,0x0
 fc7:	cmp    rdi,r14
 fca:	jb     f70 <_ZGVdN8uuuuuu_local16+0x3e0>
 fcc:	lea    rsp,[rbp-0x28]
 fd0:	pop    rbx
 fd1:	pop    r12
 fd3:	pop    r13
 fd5:	pop    r14
 fd7:	pop    r15
 fd9:	pop    rbp
 fda:	vzeroupper
 fdd:	ret
