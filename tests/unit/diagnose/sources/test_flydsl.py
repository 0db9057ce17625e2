"""Mistakes in FlyDSL's sources: each rule has an example that fires and one beside it that does not."""

from textwrap import indent

import pytest

from hotloop.diagnose.sources.flydsl import mistakes

HEAD = """
import flydsl.compiler as flyc
import flydsl.expr as fx
from flydsl._mlir.dialects import arith as raw
from flydsl.utils.smem_allocator import SmemPtr

@fx.union
class Place:
    keys: fx.Array[fx.Float16, 64]
    values: fx.Array[fx.Float16, 64]

@flyc.kernel
def kernel(A: fx.Tensor, n: fx.Int32, N: fx.Constexpr[int], FLAG: fx.Constexpr[bool]):
    tid = fx.thread_idx.x
"""

EXAMPLES = {
    "wrapped-value": (
        ["A[tid] = fx.Float32(raw.addf(fx.Float32(1.0), A[tid]))", "x = A[tid]\ny = raw.mulf(x.ir_value(), lhs=x * x)"],
        [
            "x = A[tid]\nA[tid] = fx.Float32(raw.addf(x.ir_value(), fx.as_ir_value(A[tid])))",
            "A[tid] = fx.arith.addf(A[tid], A[tid])",
            "x = raw.constant(1)\ny = raw.addf(x, x)",
            "x = A[tid]\nx = fx.as_ir_value(x)\ny = raw.addf(x, x)",
        ],
    ),
    "nested-operation": (
        ["x = fx.as_ir_value(A[tid])\ny = raw.AddFOp(raw.MulFOp(x, x), x).result"],
        [
            "x = fx.as_ir_value(A[tid])\ny = raw.AddFOp(raw.MulFOp(x, x).result, x).result",
            "y = raw.addf(raw.mulf(p, p), p)",
        ],
    ),
    "python-range": (
        [
            "parts = [fx.Float32(0.0), fx.Float32(1.0)]\nfor i in range(2):\n    A[tid] = parts[i]",
            "parts = []\nfor i in range(N):\n    parts.append(A[tid + i])",
            "for i in range(N):\n    for j in fx.range_constexpr(i):\n        A[tid] = fx.Float32(0.0)",
        ],
        [
            "parts = [fx.Float32(0.0), fx.Float32(1.0)]\nfor i in fx.range_constexpr(2):\n    A[tid] = parts[i]",
            "total = fx.Float32(0.0)\nfor i in range(n):\n    total = total + A[i]\nA[tid] = total",
            "parts = [fx.Float32(0.0)]\nfor i in range(n):\n    A[i] = parts[0]",
            "for i in range(n):\n    parts = []\n    for j in fx.range_constexpr(2):\n        parts.append(A[i])",
        ],
    ),
    "runtime-const-expr": (
        [
            "if fx.const_expr(tid == 0):\n    A[tid] = fx.Float32(1.0)",
            "half = n // 2\nif fx.const_expr(half > 4):\n    pass",
        ],
        [
            "if fx.const_expr(FLAG):\n    A[tid] = fx.Float32(1.0)",
            "if fx.const_expr(N > 4):\n    pass",
            "if tid == 0:\n    pass",
        ],
    ),
    "early-return": (
        ["if tid >= n:\n    return\nA[tid] = fx.Float32(1.0)", "if tid < n:\n    for i in range(n):\n        return"],
        ["if tid < n:\n    A[tid] = fx.Float32(1.0)", "if fx.const_expr(FLAG):\n    return\nA[tid] = fx.Float32(1.0)"],
    ),
    "branch-value": (
        ["if tid < n:\n    v = A[tid]\nA[tid] = v", "if tid < n:\n    pass\nelse:\n    v = A[tid]\nA[tid] = v"],
        [
            "v = fx.Float32(0.0)\nif tid < n:\n    v = A[tid]\nA[tid] = v",
            "if tid < n:\n    v = A[tid]\nelse:\n    v = fx.Float32(0.0)\nA[tid] = v",
            "if tid < n:\n    v = A[tid]\n    A[tid] = v",
            "if fx.const_expr(FLAG):\n    v = A[tid]\nA[tid] = v",
        ],
    ),
    "overlaid-lds": (
        [
            "q = SmemPtr(base, 0, kind, shape)\nfx.gpu.barrier()\nk = SmemPtr(base, 0, kind, other)",
            "lds = fx.SharedAllocator().allocate(64)\na = fx.make_view(lds, one)\nfx.gpu.barrier()\nb = fx.make_view(lds, two)",
            "place = fx.SharedAllocator().allocate(Place)\nplace.keys.store(x)\nfx.gpu.barrier()\nplace.values.store(y)",
        ],
        [
            "q = SmemPtr(base, 0, kind, shape)\nfx.gpu.barrier()\nk = SmemPtr(base, 512, kind, other)",
            "a = fx.make_view(A, one)\nfx.gpu.barrier()\nb = fx.make_view(A, two)",
            "place = fx.SharedAllocator().allocate(Place)\nplace.keys.store(x)\nfx.gpu.barrier()\nplace.keys.load()",
        ],
    ),
}


def found(body):
    return {mistake.rule: mistake for mistake in mistakes(HEAD + indent(body, "    ") + "\n")}


@pytest.mark.parametrize(("rule", "body"), [(r, b) for r, (fires, _) in EXAMPLES.items() for b in fires])
def test_fires(rule, body):
    made = found(body)
    assert set(made) == {rule}
    last = HEAD.count("\n") + body.count("\n") + 1
    assert HEAD.count("\n") < made[rule].line <= last
    assert made[rule].silent == (rule in ("early-return", "overlaid-lds"))


@pytest.mark.parametrize(("rule", "body"), [(r, b) for r, (_, silent) in EXAMPLES.items() for b in silent])
def test_stays_silent(rule, body):
    assert rule not in found(body)
    assert found(body) == {}


@pytest.mark.parametrize(
    ("text", "fires"),
    [
        ("import flydsl\n\nclass K(flydsl.MlirModule): ...\n", True),
        ("from flydsl.utils import SmemAllocator\n", True),
        ("from flydsl.dialects.ext import arith\n", True),
        ("import flydsl.compiler as flyc\n@flyc.kernel\ndef k(): ...\n", False),
        ("from flydsl.utils.smem_allocator import SmemAllocator\n", False),
    ],
)
def test_api_of_reported_kernels(text, fires):
    assert [mistake.rule for mistake in mistakes(text)] == (["old-api"] if fires else [])


def test_what_is_no_kernel_is_left_alone():
    helper = (
        "import flydsl.expr as fx\ndef helper(A):\n    if fx.thread_idx.x > 3:\n        return A\n    return None\n"
    )
    assert mistakes(helper) == ()
    assert mistakes("def broken(:") == ()


def test_says_where_what_and_how():
    (mistake,) = found("if tid >= n:\n    return\nA[tid] = fx.Float32(1.0)").values()
    assert str(mistake).startswith(f"line {HEAD.count(chr(10)) + 2}: a return below a condition of the card")
    assert str(mistake).endswith("; put the rest below the opposite condition (early-return)")
