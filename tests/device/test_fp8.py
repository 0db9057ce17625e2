"""`hotloop.ops.gemm_fp8` on a real GPU: numbers against float64 of what the operands mean, both ways of adding, CUDA graphs."""

from __future__ import annotations

import pytest

from hotloop import ops

torch = pytest.importorskip("torch")
if not torch.cuda.is_available() or torch.cuda.get_device_capability() < (9, 0):
    pytest.skip("no CUDA device with matrix instructions for 8-bit floats from shared memory", allow_module_level=True)
pytestmark = [pytest.mark.device, pytest.mark.filterwarnings("ignore")]
functional = torch.nn.functional
HALF_ULP = {torch.bfloat16: 2.0**-8, torch.float16: 2.0**-11}
DEEP = {False: 2.0**-9, True: 2.0**-4}
"""Largest error of a sum over the root of the sum of its squared terms, by `fast_accum`: the instruction keeps about 14 bits."""


@pytest.fixture(autouse=True)
def fresh():
    torch.manual_seed(12)
    ops.refresh()
    yield
    ops.refresh()


def draw(m, n, k, *, rows=False, columns=False):
    a = torch.randn(m, k, device="cuda").to(torch.float8_e4m3fn)
    w = torch.randn(n, k, device="cuda").to(torch.float8_e4m3fn)
    scale_a = torch.rand(m, 1, device="cuda") + 0.5 if rows else torch.tensor(0.25, device="cuda")
    scale_b = torch.rand(1, n, device="cuda") + 0.5 if columns else torch.tensor([0.5], device="cuda")
    return a, w.t(), scale_a, scale_b


def exact(a, b, scale_a, scale_b):
    """Return the product in float64, and the root of the sum of its squared terms."""
    a, b, factor = a.float().double(), b.float().double(), scale_a.double() * scale_b.double()
    return (a @ b) * factor, (a.square() @ b.square()).sqrt() * factor


STEEPEST = {"none": 1.0, "relu": 1.0, "gelu": 1.13, "silu": 1.1}
"""How much of a sum's error an activation passes on at most: the largest slope, of GELU near 1.4, of SiLU near 2.4."""


def within(found, wanted, slack):
    bound = HALF_ULP[found.dtype] * 1.01 * wanted.abs() + slack + 1e-7
    assert torch.isfinite(found).all()
    assert float(((found.double() - wanted).abs() / bound).max()) <= 1


@pytest.mark.parametrize("fast", [False, True])
@pytest.mark.parametrize(
    "shape",
    [
        (1, 4096, 4096), (16, 4096, 14336), (33, 1024, 8192), (64, 8192, 8192), (100, 264, 1008), (256, 4096, 4096),
        (256, 14336, 4096), (2048, 2048, 2048), (1000, 1000, 1040), (4100, 2056, 528),
    ],
    ids=str,
)  # fmt: skip
def test_products(shape, fast):
    operands = draw(*shape)
    assert ops.explain_choice("gemm_fp8", *operands, fast_accum=fast).implementation in ("triton", "gluon")
    total, size = exact(*operands)
    for _ in range(2):  # the counters of slices are used again
        found = ops.gemm_fp8(*operands, fast_accum=fast)
        within(found, total, DEEP[fast] * size)
    assert torch.equal(found, ops.gemm_fp8(*operands, fast_accum=fast))


@pytest.mark.parametrize("dtype", [torch.bfloat16, torch.float16])
@pytest.mark.parametrize("activation", ["none", "relu", "gelu", "silu"])
@pytest.mark.parametrize(("rows", "columns"), [(False, False), (True, False), (False, True), (True, True)])
@pytest.mark.parametrize("shape", [(24, 512, 2048), (300, 520, 1024)], ids=str)
def test_factors_bias_and_activation(shape, rows, columns, activation, dtype):
    operands = draw(*shape, rows=rows, columns=columns)
    bias = torch.randn(shape[1], device="cuda").to(dtype)
    total, size = exact(*operands)
    finish = {"none": lambda x: x, "relu": torch.relu, "gelu": functional.gelu, "silu": functional.silu}[activation]
    found = ops.gemm_fp8(*operands, bias=bias, activation=activation, dtype=dtype)
    within(found, finish(total + bias.double()), STEEPEST[activation] * DEEP[False] * size)


@pytest.mark.parametrize(("rows", "columns"), [(False, False), (True, True), (True, False)])
@pytest.mark.parametrize("activation", ["none", "gelu-tanh"])
def test_what_the_kernel_does_not_take_pytorch_computes(rows, columns, activation):
    operands = draw(48, 256, 512, rows=rows, columns=columns)
    total, size = exact(*operands)
    functions = {"none": lambda x: x, "gelu-tanh": lambda x: functional.gelu(x, approximate="tanh")}
    options = {"activation": activation, "dtype": torch.bfloat16 if activation != "none" else torch.float32}
    choice = ops.explain_choice("gemm_fp8", *operands, **options)
    assert choice.implementation == "torch"
    found = ops.gemm_fp8(*operands, **options)
    error = (found.double() - functions[activation](total)).abs()
    assert bool((error <= 2.0**-7 * total.abs() + DEEP[False] * size).all())


def test_a_graph_can_be_replayed():
    operands = draw(16, 4096, 4096)
    wanted = ops.gemm_fp8(*operands)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        made = [ops.gemm_fp8(*operands) for _ in range(4)]
    for _ in range(3):
        for one in made:
            one.fill_(float("nan"))
        graph.replay()
        torch.cuda.synchronize()
        assert all(torch.equal(one, wanted) for one in made)
