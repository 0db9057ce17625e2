"""Compiles the kernels whose listings lie in this folder, without any GPU.

The Gluon kernels are those of hotloop's own ladder (``hotloop/kernels/gemm/ladders/stages.py``), the others are in this file.
Run: ``python generate.py`` with hotloop, ``triton==3.9.0`` and ``ziglang==0.17.0`` installed; it rewrites every ``*.s`` here. Debug
directives and machine paths are taken out, the code is as the compiler wrote it.
"""

# ruff: noqa: E741

import pathlib
import re
import subprocess
import sys
import tempfile

import triton
import triton.language as tl
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon._runtime import GluonASTSource

from hotloop.kernels.gemm.ladders.stages import DIVISIBLE, SIGNATURE, base, constants, stage1, stage2

HERE = pathlib.Path(__file__).parent


def keep(name: str, listing: str) -> None:
    """Write a listing without debug information."""
    code = listing.partition("\t.section\t.debug")[0]
    metadata = re.search(r"^\t\.amdgpu_metadata\n.*?^\t\.end_amdgpu_metadata\n", listing, re.MULTILINE | re.DOTALL)
    code = re.sub(r"^(\t\.(loc|file|cfi_\w+|ident)\b.*|\.Ltmp\d+:.*|\s*; .*\.py:.*)\n", "", code, flags=re.MULTILINE)
    text = code if metadata is None or ".amdgpu_metadata" in code else code + metadata[0]
    (HERE / f"{name}.s").write_text(text)
    print(name, len(text))


# -- plain Triton -----------------------------------------------------------------------------------------------------


@triton.jit
def matmul(a_ptr, b_ptr, c_ptr, M, N, K, sa, sb, sc, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pm = tl.program_id(0)
    pn = tl.program_id(1)
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a = a_ptr + rm[:, None] * sa + rk[None, :]
    b = b_ptr + rk[:, None] * sb + rn[None, :]
    acc = tl.zeros((BM, BN), tl.float32)
    for k in range(0, K, BK):
        x = tl.load(a, mask=rk[None, :] < K - k, other=0.0)
        y = tl.load(b, mask=rk[:, None] < K - k, other=0.0)
        acc = tl.dot(x, y, acc)
        a += BK
        b += BK * sb
    tl.store(c_ptr + rm[:, None] * sc + rn[None, :], acc.to(tl.float16), mask=(rm[:, None] < M) & (rn[None, :] < N))


@triton.jit
def softmax(x_ptr, y_ptr, sx, n, B: tl.constexpr):
    r = tl.program_id(0)
    i = tl.arange(0, B)
    x = tl.load(x_ptr + r * sx + i, mask=i < n, other=-float("inf"))
    x = x - tl.max(x, 0)
    e = tl.exp(x)
    tl.store(y_ptr + r * sx + i, e / tl.sum(e, 0), mask=i < n)


@triton.jit
def atomics(x_ptr, i_ptr, y_ptr, z_ptr, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    m = i < n
    k = tl.load(i_ptr + i, mask=m, other=0)
    x = tl.load(x_ptr + i, mask=m)
    old = tl.atomic_add(y_ptr + k, x, mask=m)
    tl.store(x_ptr + i, old, mask=m)
    tl.atomic_max(z_ptr + k, k, mask=m)
    c = tl.atomic_cas(z_ptr + k, k, k + 1)
    tl.store(i_ptr + i, c, mask=m)


@triton.jit
def flash(q_ptr, k_ptr, v_ptr, o_ptr, sq, n, scale, BM: tl.constexpr, BN: tl.constexpr, D: tl.constexpr):
    pm = tl.program_id(0)
    rm = pm * BM + tl.arange(0, BM)
    rn = tl.arange(0, BN)
    rd = tl.arange(0, D)
    q = tl.load(q_ptr + rm[:, None] * sq + rd[None, :])
    m = tl.full((BM,), -float("inf"), tl.float32)
    l = tl.zeros((BM,), tl.float32)
    acc = tl.zeros((BM, D), tl.float32)
    for s in range(0, n, BN):
        k = tl.load(k_ptr + (s + rn)[None, :] * sq + rd[:, None])
        v = tl.load(v_ptr + (s + rn)[:, None] * sq + rd[None, :])
        t = tl.dot(q, k) * scale
        mn = tl.maximum(m, tl.max(t, 1))
        p = tl.exp2(t - mn[:, None])
        al = tl.exp2(m - mn)
        l = l * al + tl.sum(p, 1)
        acc = acc * al[:, None]
        acc = tl.dot(p.to(tl.float16), v, acc)
        m = mn
    tl.store(o_ptr + rm[:, None] * sq + rd[None, :], (acc / l[:, None]).to(tl.float16))


def compile_gluon(name, kernel, arch, *, straight=False, **extra):
    """Compile a GEMM tile of 128×128×32 for four waves; `straight` copies go straight into LDS."""
    compile_source(
        name, GluonASTSource, kernel, arch, SIGNATURE, constants(arch, straight=straight, **extra), DIVISIBLE
    )


def compile_source(name, source, kernel, arch, types, constants, sixteens):
    """Compile with Triton; `sixteens` are the arguments known to be multiples of 16."""
    signature = {**types, **dict.fromkeys(constants, "constexpr")}
    attributes = {(kernel.arg_names.index(a),): [["tt.divisibility", 16]] for a in sixteens}
    target = GPUTarget("hip", arch, 64 if arch.startswith("gfx9") else 32)
    made = triton.compile(
        source(kernel, signature=signature, constexprs=constants, attrs=attributes),
        target=target,
        options={"num_warps": 4},
    )
    keep(f"{name}_{arch}", made.asm["amdgcn"])


# -- HIP --------------------------------------------------------------------------------------------------------------

PRELUDE = """
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define KERN extern "C" __global__ __attribute__((amdgpu_flat_work_group_size(256,256)))
#define TID __builtin_amdgcn_workitem_id_x()
#define BID __builtin_amdgcn_workgroup_id_x()
static inline __attribute__((device,always_inline)) void bar(){__builtin_amdgcn_fence(__ATOMIC_RELEASE,"workgroup");__builtin_amdgcn_s_barrier();__builtin_amdgcn_fence(__ATOMIC_ACQUIRE,"workgroup");}
typedef float float4v __attribute__((ext_vector_type(4)));
"""
HIP = {
    "mixed": """
KERN void mixed(int*p,float*f,const int*__restrict__ t,int*out,int n){
  __shared__ int h[256];
  h[TID]=0;bar();
  int acc=0;
  for(int i=BID*256+TID;i<n;i+=1024){
    int k=p[i];
    int old=__hip_atomic_fetch_add(&h[k&255],1,__ATOMIC_RELAXED,__HIP_MEMORY_SCOPE_WORKGROUP);
    if(old>3) acc+=__hip_atomic_fetch_add(&out[k],old,__ATOMIC_RELAXED,__HIP_MEMORY_SCOPE_AGENT);
    else __hip_atomic_fetch_max(&out[n+k],old,__ATOMIC_ACQ_REL,__HIP_MEMORY_SCOPE_AGENT);
    acc+=t[k%n];
    if(k==7){ int e=k; while(!__hip_atomic_compare_exchange_strong(&out[2*n],&e,k+1,__ATOMIC_SEQ_CST,__ATOMIC_RELAXED,__HIP_MEMORY_SCOPE_SYSTEM)) acc+=e; }
  }
  bar();
  out[3*n+TID]=h[TID^1]+acc;
}
""",
    "scalar": """
struct Arg{int n;float w[24];const float*q[4];};
KERN void scal(Arg a,const float*__restrict__ x,float*y,const int*__restrict__ tab){
  float s=0;int st[16];
  for(int i=0;i<16;i++) st[i]=tab[i+BID];
  for(int j=0;j<a.n;j++){
    int k=st[(j*7+TID)&15];
    s+=x[k]*a.w[j%24];
    st[(k+j)&15]=k+1;
    s+=a.q[j&3][k];
  }
  const int* u=tab+BID;
  for(int j=0;j<u[0];j++){ s*=(float)u[j*4+1]; if(u[j]>5) s+=x[u[j]+TID]; }
  y[BID*256+TID]=s;
}
""",
    "calls": """
__attribute__((device,noinline)) float helper(const float*p,float*q,int n){float s=0;for(int i=0;i<n;i++){s+=p[i];q[i]=s;}return s;}
KERN void calls(const float*p,float*q,double*d,int n,short*h,unsigned char*c){
  __shared__ float sm[512];
  float*w=(n&1)?sm:q;              // flat
  w[TID]=p[TID];bar();
  float s=w[TID^3];
  if(n>100) s+=helper(p+TID,q+TID,n);
  d[TID]+=s; h[TID]=h[TID+1]*3+h[TID+2]; c[TID]=c[TID+4]+c[TID+9];
  float4v v=((const float4v*)p)[TID]; float4v u=((const float4v*)p)[TID+256];
  ((float4v*)q)[TID]=v*u+s;
  for(int i=0;i<n;i++){ float z=sm[(TID*i)&511]; q[i*256+TID]=z+sm[(TID+i)&255]; }
}
""",
    "mfma": """
typedef _Float16 half4 __attribute__((ext_vector_type(4)));
typedef float f4 __attribute__((ext_vector_type(4)));
KERN void mfma(const half4*__restrict__ A,const half4*__restrict__ B,f4*C,int K){
  f4 acc[4]={};
  half4 a=A[TID],b=B[TID];
  for(int k=1;k<K;k++){
    half4 an=A[k*256+TID],bn=B[k*256+TID];
    for(int i=0;i<4;i++) acc[i]=__builtin_amdgcn_mfma_f32_16x16x16f16(a,b,acc[i],0,0,0);
    a=an;b=bn;
  }
  for(int i=0;i<4;i++) C[i*256+TID]=acc[i];
}
""",
}


def compile_hip(name, arch):
    """Compile with the clang of ziglang."""
    with tempfile.TemporaryDirectory() as folder:
        source, made = pathlib.Path(folder, "kernel.hip"), pathlib.Path(folder, "kernel.s")
        source.write_text(PRELUDE + HIP[name])
        command = [
            sys.executable,
            "-m",
            "ziglang",
            "clang",
            "-x",
            "hip",
            "--cuda-device-only",
            "-nogpuinc",
            "-nogpulib",
        ]
        command += ["-target", "x86_64-linux-gnu", f"--offload-arch={arch}", "-O3", "-S", "-o", str(made), str(source)]
        subprocess.run(command, check=True)
        keep(f"hip_{name}_{arch}", made.read_text())


def main():
    """Compile everything."""
    for arch in ("gfx942", "gfx950"):
        for kernel, extra in ((base, {}), (stage1, {}), (stage2, {"LEFT": 1, "ORDER": True})):
            compile_gluon(f"gluon_{kernel.__name__}", kernel, arch, **extra)
    compile_gluon("gluon_async2", stage2, "gfx950", straight=True, LEFT=1, ORDER=True)
    compile_gluon("gluon_async2drain", stage2, "gfx950", straight=True, LEFT=0, ORDER=True)
    half, whole = "*fp16", "i32"
    types = dict.fromkeys(("a_ptr", "b_ptr", "c_ptr"), half) | dict.fromkeys(("M", "N", "K", "sa", "sb", "sc"), whole)
    sixteens = ("a_ptr", "b_ptr", "c_ptr", "sa", "sb", "sc", "K")
    compile_source("triton_matmul", ASTSource, matmul, "gfx1250", types, {"BM": 32, "BN": 32, "BK": 32}, sixteens)
    types = {"x_ptr": "*fp32", "y_ptr": "*fp32", "sx": whole, "n": whole}
    compile_source("triton_softmax", ASTSource, softmax, "gfx1201", types, {"B": 1024}, ("x_ptr", "y_ptr", "sx"))
    types = {"x_ptr": "*fp32", "i_ptr": "*i32", "y_ptr": "*fp32", "z_ptr": "*i32", "n": whole}
    compile_source("triton_atomics", ASTSource, atomics, "gfx90a", types, {"B": 512}, ("x_ptr", "i_ptr"))
    types = dict.fromkeys(("q_ptr", "k_ptr", "v_ptr", "o_ptr"), half) | {"sq": whole, "n": whole, "scale": "fp32"}
    tile = {"BM": 64, "BN": 32, "D": 64}
    compile_source("triton_flash", ASTSource, flash, "gfx950", types, tile, ("q_ptr", "k_ptr", "v_ptr", "o_ptr", "sq"))
    for name, arch in (
        ("mixed", "gfx1030"),
        ("calls", "gfx1012"),
        ("calls", "gfx1100"),
        ("scalar", "gfx942"),
        ("mfma", "gfx908"),
    ):
        compile_hip(name, arch)


if __name__ == "__main__":
    main()
