"""What the code of small kernels says first, against what limits them by hand; each test skips without its compiler."""

import pytest

from hotloop.app.code import analysis
from hotloop.host import toolchain

needs_clang = pytest.mark.skipif(toolchain.package("ziglang") is None, reason="the package ziglang is not installed")
needs_triton = pytest.mark.skipif(toolchain.package("triton") is None, reason="the package triton is not installed")

ROWS = """import triton
import triton.language as tl
from hotloop.offline_api import offline

@triton.jit
def rms_norm(y, x, w, n, eps, BLOCK: tl.constexpr):
    at = tl.program_id(0) * n + tl.arange(0, BLOCK)
    row = tl.load(x + at)
    scale = tl.rsqrt(tl.sum(row * row, 0) / n + eps)
    tl.store(y + at, row * scale * tl.load(w + tl.arange(0, BLOCK)))

@triton.jit
def cross_entropy(loss, x, chosen, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    biggest, total = -float("inf"), 0.0
    for begin in range(0, n, BLOCK):
        at = begin + tl.arange(0, BLOCK)
        part = tl.load(x + row * n + at, mask=at < n, other=-float("inf"))
        now = tl.maximum(biggest, tl.max(part, 0))
        total = total * tl.exp(biggest - now) + tl.sum(tl.exp(part - now), 0)
        biggest = now
    tl.store(loss + row, biggest + tl.log(total) - tl.load(x + row * n + tl.load(chosen + row)))

offline(rms_norm, constexprs={"BLOCK": 4096}, num_warps=8)
offline(cross_entropy, constexprs={"BLOCK": 4096}, num_warps=8)
"""
BODIES = """extern "C" __global__ void __launch_bounds__(256) forces(const float4 *p, float4 *a, int n)
{
    __shared__ float4 tile[256];
    float4 me = p[blockIdx.x * 256 + threadIdx.x];
    float x = 0, y = 0, z = 0;
    for (int begin = 0; begin < n; begin += 256) {
        tile[threadIdx.x] = p[begin + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float4 o = tile[j];
            float dx = o.x - me.x, dy = o.y - me.y, dz = o.z - me.z;
            float r = __builtin_amdgcn_rsqf(dx * dx + dy * dy + dz * dz + 1e-6f);
            float s = o.w * r * r * r;
            x += dx * s; y += dy * s; z += dz * s;
        }
        __syncthreads();
    }
    float4 out; out.x = x; out.y = y; out.z = z; out.w = 0;
    a[blockIdx.x * 256 + threadIdx.x] = out;
}
"""
PRODUCT = """extern "C" __global__ void __launch_bounds__(256) product(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * 16 + threadIdx.x / 16, column = blockIdx.x * 16 + threadIdx.x % 16;
    float sum = 0;
    for (int k = 0; k < n; k++)
        sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
"""


@pytest.fixture
def found(tmp_path):
    """Return a function that writes a file and returns the report of a kernel in it for a target."""

    def analysed(name, text, kernel, target):
        path = tmp_path / name
        path.write_text(text)
        (report,) = analysis.analyse(analysis.Request(text=f"{path}:{kernel}", target=target))
        return report

    return analysed


def rules(report):
    return [finding.rule for finding in report.findings]


@needs_triton
@pytest.mark.parametrize(
    ("kernel", "target"), [("rms_norm", "gfx942"), ("rms_norm", "sm_90"), ("cross_entropy", "sm_90")]
)
def test_rows_that_are_read_and_written_are_bound_by_memory(found, kernel, target):
    report = found("rows.py", ROWS, kernel, target)
    assert rules(report)[0] == "static-memory-bound"
    assert not {"static-matrix-unused", "static-low-density"} & set(rules(report))


@needs_triton
def test_more_waves_than_the_processor_launches_are_the_codes_fault_not_an_options(found):
    """32 waves of 64 lanes are 2,048 work-items."""
    report = found("rows.py", ROWS.replace("num_warps=8", "num_warps=32"), "rms_norm", "gfx942")
    assert report.room.why_not.startswith("the code was compiled for groups of 2048 work-items (32 waves of 64)")
    assert "--workgroup" not in report.room.why_not


@needs_clang
def test_forces_between_bodies_are_bound_by_the_vector_unit(found):
    report = found("bodies.hip", BODIES, "forces", "gfx942")
    assert not {"static-matrix-unused", "static-low-density", "static-memory-bound"} & set(rules(report))
    assert rules(report)[0] == "static-unit-bound"
    assert "vector unit" in report.findings[0].message


@needs_clang
def test_a_product_reads_again_what_others_read_so_its_traffic_is_not_called_the_memorys(found):
    report = found("product.hip", PRODUCT, "product", "gfx942")
    assert "static-memory-bound" not in rules(report)
    assert rules(report)[0] == "static-exposed-loads"
