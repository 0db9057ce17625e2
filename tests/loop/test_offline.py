"""Real compilers for GPUs that are not here; each test skips when the package with its compiler is not installed."""

import os
import re
from pathlib import Path

import pytest

from hotloop.app.code import compiled as isa_compiled
from hotloop.app.code import source as isa_input
from hotloop.app.code.offline import compile_offline, read_cache
from hotloop.compilers.offer import Compiled
from hotloop.errors import MissingExtraError, UsageError
from hotloop.host import disassemble, toolchain
from hotloop.model.outcome import CompileFailed, Crashed, TimedOut

EXAMPLES = Path(__file__).parents[2] / "examples"
needs_clang = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
needs_triton = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")

SCALE_CL = (
    "__kernel void scale(__global const float *x, __global float *y) { int i = get_global_id(0); y[i] = 2 * x[i]; }\n"
)
SCALE_HIP = """extern "C" __global__ void __launch_bounds__(128) scale(const float *x, float *y)
{
    __shared__ float tile[128];
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = x[i];
    __syncthreads();
    y[i] = tile[127 - threadIdx.x] * FACTOR;
}
"""
TRITON = """import triton
import triton.language as tl
from hotloop.offline_api import offline

@triton.jit
def scale(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, 2.0 * tl.load(x_ptr + i, mask=i < n), mask=i < n)

offline(scale, name="small", constexprs={"BLOCK": 256}, num_warps=1)
"""
GLUON = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from hotloop.offline_api import offline

@gluon.jit
def copy(x_ptr, y_ptr, BLOCK: gl.constexpr, LAYOUT: gl.constexpr):
    at = gl.program_id(0) * BLOCK + gl.arange(0, BLOCK, layout=LAYOUT)
    gl.store(y_ptr + at, gl.load(x_ptr + at))

offline(copy, constexprs={"BLOCK": 1024, "LAYOUT": gl.BlockedLayout([4], [64], [4], [0])})
"""
UNSELECTABLE = """typedef _Float16 half4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));
extern "C" __global__ __attribute__((target("mai-insts"))) void k(const half4v *x, float4v *y)
{
    y[0] = __builtin_amdgcn_mfma_f32_16x16x16f16(x[0], x[1], y[0], 0, 0, 0);
}
"""


@pytest.fixture
def file(tmp_path):
    """Return a function that writes a source file and returns its path as text."""

    def write(name, text):
        path = tmp_path / name
        path.write_text(text)
        return str(path)

    return write


def elf_machine(binary):
    return binary[:4], int.from_bytes(binary[18:20], "little")


AMDGPU, CUDA = 224, 190
"""e_machine in ELF headers (LLVM's ELF.h)."""


@needs_clang
@pytest.mark.parametrize(
    ("target", "wave_size"), [("gfx942", 64), ("gfx1012", 32), ("gfx1012:wave64", 64), ("gfx1250", 32)]
)
def test_opencl_c_for_amd(file, target, wave_size):
    made = compile_offline(file("scale.cl", SCALE_CL), target)
    assert isinstance(made, Compiled)
    assert (made.kernel, made.language, made.dialect, made.target) == ("scale", "opencl", "amdgcn", target)
    assert "global_store" in made.listing
    assert "swappc" not in made.listing
    assert elf_machine(made.binary) == (b"\x7fELF", AMDGPU)
    assert made.resources[0].wave_size == wave_size
    assert 0 < made.resources[0].vgprs < 20
    assert "clang version" in made.compiler
    assert made.log == ""


@needs_clang
@needs_triton
def test_opencl_c_for_nvidia_becomes_sass(file):
    made = compile_offline(file("scale.cl", SCALE_CL), "sm_80")
    assert isinstance(made, Compiled)
    assert made.dialect == "sass"
    assert "STG.E" in made.listing
    assert ".visible .entry scale" in made.ptx
    assert elf_machine(made.binary) == (b"\x7fELF", CUDA)


@needs_clang
@needs_triton
def test_native_functions_have_code_on_nvidia(file):
    text = SCALE_CL.replace("2 * x[i]", "native_sin(x[i]) + native_cos(x[i]) * native_log(x[i])")
    made = compile_offline(file("scale.cl", text), "sm_80")
    assert isinstance(made, Compiled)
    assert {"MUFU.SIN", "MUFU.COS", "MUFU.LG2"} <= set(made.listing.split())


@needs_clang
@pytest.mark.parametrize("target", ["gfx942", "gfx1012", "gfx1100"])
def test_hotloops_own_gemm_compiles_for_gpus(target):
    made = compile_offline("gemm", target, parameters={"MWI": 4, "NWI": 4, "VW": 4})
    assert isinstance(made, Compiled)
    assert made.kernel == "gemm"
    assert made.listing.count("v_fma") + made.listing.count("v_pk_fma") + made.listing.count("v_dual_fma") > 16
    resources = next(kernel for kernel in made.resources if kernel.name == "gemm")
    assert (resources.workgroup_max, resources.lds_bytes) == (256, 16 * (64 + 64) * 4)
    assert resources.vgpr_spills == 0


@needs_clang
def test_mathematical_functions_leave_no_calls_behind(file):
    text = "__kernel void k(__global float4 *x) { x[0] = tanh(x[0]) + erf(x[1]) + exp(x[2]) * fma(x[0], x[1], x[2]); }"
    made = compile_offline(file("k.cl", text), "gfx1030")
    assert isinstance(made, Compiled)
    assert "swappc" not in made.listing
    assert "__oclc" not in made.listing


@needs_clang
@pytest.mark.parametrize("include", ["", "#include <hip/hip_runtime.h>\n"])
def test_hip_with_and_without_its_header(file, include):
    made = compile_offline(file("scale.hip", include + SCALE_HIP), "gfx90a", parameters={"FACTOR": 3}, optimization=1)
    assert isinstance(made, Compiled)
    (kernel,) = made.resources
    assert (made.kernel, kernel.lds_bytes, kernel.workgroup_max) == ("scale", 512, 128)
    assert kernel.occupancy_waves == 8
    assert made.options == ("-O1", "-DFACTOR=3")
    assert "s_barrier" in made.listing


ATOMICS_HIP = """extern "C" __global__ void k(float *p, unsigned *q, unsigned long long *w, int *i, int n)
{
    float s = 0;
    for (int at = threadIdx.x; at < n; at += blockDim.x)
        s += __sinf(p[at]) + __cosf(p[at]) + __logf(p[at]) + rsqrtf(p[at]);
    atomicAdd(p, s), atomicCAS(q, 0u, 3u), atomicMin(i, 5), atomicExch(q + 1, 3u), atomicOr(q, 1u), atomicCAS(w, 0ull, 3ull);
}
"""


@needs_clang
@pytest.mark.parametrize("target", ["gfx942", "gfx1201"])
def test_what_kernels_call_is_what_the_processor_has(file, target):
    made = compile_offline(file("k.hip", ATOMICS_HIP), target)
    assert isinstance(made, Compiled)
    assert {name for name in ("v_rsq_f32", "v_sin_f32", "v_cos_f32", "atomic_cmpswap") if name in made.listing} == {
        "v_rsq_f32", "v_sin_f32", "v_cos_f32", "atomic_cmpswap"
    }  # fmt: skip
    assert "v_div_scale" not in made.listing, "a reciprocal root is one instruction, no root and a division"


@needs_triton
def test_cuda_through_whatever_compiles_it_here(file):
    if toolchain.nvcc() is None and toolchain.package("ziglang") is None:
        pytest.skip("neither nvcc nor the package ziglang is installed")
    made = compile_offline(file("scale.cu", SCALE_HIP), "sm_90", parameters={"FACTOR": "2.0f"})
    assert isinstance(made, Compiled)
    assert "BAR.SYNC" in made.listing
    assert (made.resources[0].lds_bytes, made.resources[0].barriers) == (512, 1)


@needs_clang
@needs_triton
def test_cuda_without_nvcc(file, monkeypatch):
    monkeypatch.setattr(toolchain, "nvcc", lambda: None)
    made = compile_offline(
        file("scale.cu", "#include <cuda_runtime.h>\n" + SCALE_HIP), "sm_90", parameters={"FACTOR": 2}
    )
    assert isinstance(made, Compiled)
    assert "clang version" in made.compiler
    assert "BAR.SYNC" in made.listing
    again = compile_offline(file("scale.ptx", made.ptx) + ":scale", "sm_90")
    assert isinstance(again, Compiled)
    assert again.resources == made.resources


@needs_triton
@pytest.mark.parametrize(("target", "dialect", "store"), [("gfx942", "amdgcn", "store"), ("sm_90", "sass", "STG.E")])
def test_triton_for_both_vendors(file, target, dialect, store):
    made = compile_offline(file("k.py", TRITON) + ":small", target, parameters={"BLOCK": 512})
    assert isinstance(made, Compiled)
    assert (made.kernel, made.language, made.dialect) == ("scale", "triton", dialect)
    assert store in made.listing
    assert made.options == ("BLOCK=512", "num_warps=1")
    kernel = made.resources[0]
    assert (kernel.workgroup_max, kernel.lds_bytes, kernel.dynamic_lds) == (kernel.wave_size, 0, False)
    assert "triton 3" in made.compiler


@needs_triton
def test_gluon_is_recognised_by_what_the_file_imports(file):
    made = compile_offline(file("k.py", GLUON), "gfx942")
    assert isinstance(made, Compiled)
    assert (made.language, made.kernel, made.resources[0].workgroup_max) == ("gluon", "copy", 256)
    assert "global_load_dwordx4" in made.listing


@needs_triton
@pytest.mark.parametrize(
    ("example", "target"), [("softmax_triton", "gfx942"), ("matmul_triton", "sm_90"), ("transpose_gluon", "sm_90")]
)
def test_what_a_kernel_file_declares_for_running_is_enough_to_compile(example, target):
    made = compile_offline(str(EXAMPLES / f"{example}.py"), target)
    assert isinstance(made, Compiled), made
    assert made.listing


@needs_triton
def test_parameters_change_the_start_of_a_kernel_file():
    made = compile_offline(str(EXAMPLES / "softmax_triton.py"), "gfx942", parameters={"BLOCK": 512, "num_warps": 2})
    assert isinstance(made, Compiled), made
    assert {"BLOCK=512", "num_warps=2"} <= set(made.options)


@needs_triton
def test_an_undeclared_kernel_tells_which_value_is_missing(file):
    with pytest.raises(UsageError, match=r"constexpr BLOCK has no value.*or give -P BLOCK=VALUE"):
        compile_offline(file("k.py", TRITON) + ":scale", "gfx942")


@needs_triton
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import triton\nraise RuntimeError('mine')\n", "raises RuntimeError when it is loaded: mine"),
        ("import triton\nimport no_such_module\n", "raises ModuleNotFoundError when it is loaded"),
        ("import triton\ndef (\n", r"k\.py:2: invalid syntax"),
        ("import triton\n", "has no Triton or Gluon kernel"),
        (TRITON + "offline(scale, name='second')\n", r"has several kernels \(scale, small, second\)"),
        (TRITON.replace("BLOCK\": 256", "NOPE\": 256"), "kernel scale has no parameter 'NOPE'"),
    ],
)  # fmt: skip
def test_a_file_that_is_no_kernel_file_is_an_error_of_the_user(file, text, message):
    with pytest.raises(UsageError, match=message):
        compile_offline(file("k.py", text), "gfx942")


@needs_triton
def test_what_triton_refuses_is_a_value_with_its_line(file):
    made = compile_offline(file("k.py", TRITON.replace("2.0 * tl.load", "tl.nonsense * tl.load")), "gfx942")
    assert isinstance(made, CompileFailed)
    assert "nonsense" in made.log
    assert made.line is not None


@needs_clang
def test_what_clang_refuses_is_a_value_with_its_line(file):
    made = compile_offline(file("k.cl", SCALE_CL + "\n__kernel void bad() { nonsense(); }\n"), "gfx942")
    assert isinstance(made, CompileFailed)
    assert made.line == 3


@needs_clang
def test_an_abort_inside_llvm_is_an_outcome(file):
    made = compile_offline(file("k.hip", UNSELECTABLE), "gfx1012")
    assert isinstance(made, Crashed)
    assert made.stage == "build"


@needs_triton
def test_an_abort_inside_tritons_process_is_an_outcome(file):
    made = compile_offline(file("k.py", "import triton, os\nos.abort()\n"), "gfx942")
    assert isinstance(made, Crashed)
    assert made.signal == 6


@needs_clang
def test_a_compiler_that_hangs_is_an_outcome(file, tmp_path):
    os.mkfifo(tmp_path / "never.h")  # opening it blocks until somebody writes
    made = compile_offline(file("k.cl", '#include "never.h"\n' + SCALE_CL), "gfx942", limit_s=2)
    assert made == TimedOut("build", 2)


@needs_triton
def test_a_file_that_never_ends_is_an_outcome(file):
    made = compile_offline(file("k.py", "import triton\nwhile True: pass\n"), "gfx942", limit_s=4)
    assert made == TimedOut("build", 4)


@needs_clang
def test_a_file_without_a_kernel_is_not_compiled_to_nothing(file):
    made = compile_offline(file("k.cl", "float f(float x) { return x; }\n"), "gfx942")
    assert made == CompileFailed("k.cl compiles, but defines no kernel")


@needs_triton
def test_a_cache_folder_is_read_without_its_source(file, tmp_path, monkeypatch):
    made = compile_offline(file("k.py", TRITON), "gfx942")
    entry = tmp_path / "cache" / "ABC"
    entry.mkdir(parents=True)
    (entry / "scale.hsaco").write_bytes(made.binary)
    (entry / "scale.amdgcn").write_text(made.listing)
    (entry / "scale.json").write_text(
        '{"name": "scale", "shared": 0, "num_warps": 1, "target": {"backend": "hip", "arch": "gfx942", "warp_size": 64}}'
    )
    (again,) = read_cache(tmp_path / "cache")
    assert again.resources == made.resources


@needs_clang
def test_objdump_reads_what_clang_made(file):
    if toolchain.llvm_objdump() is None:
        pytest.skip("there is no llvm-objdump")
    made = compile_offline(file("scale.cl", SCALE_CL), "gfx1030")  # known to every llvm-objdump since 11
    assert isinstance(made, Compiled)
    text = disassemble.amdgcn(made.binary)
    assert "<scale>:" in text
    assert "s_endpgm" in text


def test_a_missing_compiler_names_its_extra(file, monkeypatch):
    monkeypatch.setattr(toolchain, "package", lambda name: None)
    with pytest.raises(MissingExtraError, match=r"hotloop\[amd\]"):
        compile_offline(file("scale.cl", SCALE_CL), "gfx942")
    with pytest.raises(MissingExtraError, match=r"hotloop\[amd\]"):
        compile_offline(file("k.py", TRITON), "gfx942")


def test_temporary_folders_do_not_stay(file, tmp_path, monkeypatch):
    if toolchain.package("ziglang") is None:
        pytest.skip("the package ziglang is not installed")
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    (tmp_path / "temporary").mkdir()
    compile_offline(file("k.hip", UNSELECTABLE), "gfx1012")
    compile_offline(file("scale.cl", SCALE_CL), "gfx942")
    assert list((tmp_path / "temporary").iterdir()) == []


@needs_clang
def test_a_users_kernel_file_with_opencl_c(file):
    file(
        "twice.cl",
        "__kernel void twice(__global const float *x, __global float *y) { y[get_global_id(0)] = UP * x[0]; }\n",
    )
    text = """import hotloop as hl

@hl.kernel(problem=dict(n=1024), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n))
class twice:
    def inputs(p, rng): return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n))
    def reference(p, x, y): return dict(y=2 * x.astype("f8"))
    opencl = hl.OpenCL("twice.cl", entry="twice", params=dict(UP=[2, 4]), global_size=lambda p, c: (p.n,))
"""
    made = compile_offline(file("twice.py", text) + ":twice", "gfx1012", parameters={"UP": 4})
    assert isinstance(made, Compiled)
    assert (made.kernel, made.language) == ("twice", "opencl")
    assert "-DUP=4" in made.options


@needs_triton
def test_tritons_own_intermediate_form(file):
    text = """module {
  tt.func public @store_one(%p: !tt.ptr<f32> {tt.divisibility = 16 : i32}) {
    %c = arith.constant 1.0 : f32
    tt.store %p, %c : !tt.ptr<f32>
    tt.return
  }
}
"""
    made = compile_offline(file("k.ttir", text), "gfx942", parameters={"num_warps": 2})
    assert isinstance(made, Compiled)
    assert (made.kernel, made.language, made.resources[0].workgroup_max) == ("store_one", "triton", 128)


SEVERAL = """import triton
import triton.language as tl
import hotloop as hl
from hotloop.triton_api import Descriptor

@triton.jit
def plain(y, x, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, 2 * tl.load(x + i, mask=i < n), mask=i < n)

@triton.jit
def tiled(y, x, n, ROWS: tl.constexpr, COLS: tl.constexpr):
    at = tl.program_id(0) * ROWS
    y.store([at, 0], 2 * x.load([at, 0]))

@triton.jit
def broken(y, x, n, BLOCK: tl.constexpr): pass

@hl.kernel(problem=dict(n=1024), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n))
class scaled:
    def inputs(p, rng): return dict(y=hl.empty((p.n // 64, 64)), x=hl.empty((p.n // 64, 64)), n=p.n)
    def reference(p, x, y, n): return dict(y=2 * x.astype("f8"))
    first = hl.Triton(plain, params=dict(BLOCK=[128, 1024]), grid=lambda p, c: (1,))
    second = hl.Triton(tiled, params=dict(ROWS=[16], COLS=[64]), grid=lambda p, c: (1,),
        descriptors=lambda p, c: {name: Descriptor((p.n // 64, 64), (c.ROWS, c.COLS)) for name in "xy"})
    third = hl.Triton(broken, params=dict(BLOCK=[1]), grid=lambda p, c: (1,), constants=lambda p, c: 1 // 0)
"""
LAID = """from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import mbarrier, tma
import hotloop as hl
from hotloop.triton_api import Descriptor

@gluon.jit
def move(x, y, N: gl.constexpr):
    tile = gl.allocate_shared_memory(x.dtype, [N, N], x.layout)
    bar = gl.allocate_shared_memory(gl.int64, [1], mbarrier.MBarrierLayout())
    mbarrier.init(bar, count=1)
    mbarrier.expect(bar, x.block_type.nbytes)
    tma.async_load(x, [0, 0], bar, tile)
    mbarrier.wait(bar, 0)
    tma.async_store(y, [0, 0], tile)
    tma.store_wait(0)

SHARED = "gl.NVMMASharedLayout(swizzle_byte_width=128, element_bitwidth=16, rank=2)"

@hl.kernel(problem=dict(n=64), work=lambda p: hl.Work(flops=1, bytes=4 * p.n**2))
class moved:
    def inputs(p, rng): return dict(x=hl.empty((p.n, p.n), "float16"), y=hl.empty((p.n, p.n), "float16"))
    def reference(p, x, y): return dict(y=x)
    gluon = hl.Gluon(move, params=dict(N=[64]), grid=lambda p, c: (1,),
        descriptors=lambda p, c: {name: Descriptor((p.n, p.n), (c.N, c.N), layout=SHARED) for name in "xy"})
"""


@needs_triton
def test_only_the_implementation_that_is_asked_for_is_worked_out(file):
    path = file("several.py", SEVERAL)
    made = compile_offline(f"{path}:plain", "gfx942")
    assert isinstance(made, Compiled), made
    assert made.kernel == "plain"
    broken = compile_offline(f"{path}:broken", "gfx942")
    assert isinstance(broken, CompileFailed)
    assert "constants of third in several.py raises ZeroDivisionError" in broken.log
    with pytest.raises(UsageError, match=r"has several kernels \(plain, tiled, broken\); choose one"):
        compile_offline(path, "gfx942")
    with pytest.raises(UsageError, match=r"'tile'; known: broken, plain, tiled; did you mean tiled\?"):
        compile_offline(f"{path}:tile", "gfx942")


@needs_triton
@pytest.mark.parametrize(("target", "copy"), [("sm_90", "UTMALDG.2D"), ("gfx942", "global_load_dword")])
def test_arrays_declared_as_descriptors_are_compiled_as_descriptors(file, target, copy):
    made = compile_offline(file("several.py", SEVERAL) + ":tiled", target)
    assert isinstance(made, Compiled), made
    assert copy in made.listing


@needs_triton
def test_descriptors_of_gluon_have_their_layout(file):
    made = compile_offline(file("laid.py", LAID), "sm_90")
    assert isinstance(made, Compiled), made
    assert "UTMALDG.2D" in made.listing
    assert "UTMASTG.2D" in made.listing


@needs_triton
def test_a_layout_that_does_not_fit_the_gpu_is_told_in_the_compilers_words(file):
    path = file("k.py", GLUON.replace("[64], [4]", "[32], [4]"))  # a wave of gfx942 has 64 lanes
    made = compile_offline(path, "gfx942")
    assert isinstance(made, CompileFailed)
    assert re.match(
        r".*k\.py:7:\d+: error: Result has an invalid layout: #ttg\.blocked<.*threadsPerWarp = \[32\]", made.log
    )
    with pytest.raises(UsageError, match=r"does not compile: .*k\.py:7:\d+: error: Result has an invalid layout: #ttg"):
        isa_input.read(isa_compiled.Request(text=path, target="gfx942"))
