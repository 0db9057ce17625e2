"""CUDA C++ and HIP C++ read, rewritten and written back in their own words."""

from __future__ import annotations

import re

import pytest

from hotloop.rewrite.example import Example
from hotloop.rewrite.gpu import catalogue, words
from hotloop.rewrite.shape import RefusedError
from hotloop.techniques.moves import techniques

OWN = [one for one in catalogue.rewrites() if "__global__" in one.examples[0].before]
EXAMPLES = [(r, e) for r in OWN for e in r.examples]


def posed(example: Example) -> words.Posed:
    group = tuple(map(int, example.grid.split(","))) if example.grid else ()
    return words.pose(example.before, words.kernels(example.before)[0].name, group)


@pytest.mark.parametrize(("rewrite", "example"), EXAMPLES, ids=[f"{r.name}{i}" for i, (r, _) in enumerate(EXAMPLES)])
def test_example(rewrite, example):
    if not example.after:
        with pytest.raises(RefusedError, match=re.escape(example.refused)):
            words.replaced(example.before, rewrite.apply(posed(example), example.value))
        return
    before = posed(example)
    assert words.replaced(example.before, rewrite.apply(before, example.value)) == example.after
    assert all(1 <= line <= example.before.count("\n") for line in rewrite.lines(before))
    assert rewrite.twin[0] in example.after
    assert rewrite.technique in techniques()
    assert "When it applies:" in rewrite.text


def heads(text: str) -> list[str]:
    return [one.name for one in words.kernels(text + "(float *x) { x[threadIdx.x] = 0; }")]


@pytest.mark.parametrize(
    ("head", "names"),
    [
        ('extern "C" __global__ void k', ["k"]),
        ("template <typename T, int N> __global__ static void __launch_bounds__(64, 2) k", ["k"]),
        ("__global__ BOUNDS(64) void k", ["k"]),
        ("void __global__ BOUNDS k", []),
        ("__global__ void BOUNDS(64) k", []),
        ("__global__ void NAME(k)", []),
        ("__device__ void k", []),
    ],
)
def test_kernels_are_known_by_their_heads(head, names):
    assert heads(head) == names


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("__shared__ float s[4]; x[0] = s[0];", "shared memory"),
        ("x[0] = __shfl_down_sync(~0u, x[0], 1);", "exchange values: __shfl_down_sync"),
    ],
)
def test_what_threads_share_is_refused(body, reason):
    with pytest.raises(RefusedError, match=reason):
        words.pose(f"__global__ void k(float *x) {{ {body} }}", "k")


def test_macros_casts_and_references_to_elements_are_read():
    text = """__global__ void k(const float *x, float *y, unsigned n) {
    unsigned const i = static_cast<unsigned>(blockDim.x * blockIdx.x + threadIdx.x);
    if (i < n) y[i] = __ldg(&x[i]) + gridDim.x;
}
"""
    known = words.pose(text, "k", (64,))
    made = words.replaced(text, catalogue.rewritten(known, {"outputs-per-item": "1x2x1"}))
    assert "y[i + 1] = x[i + 1] + gridDim.x;" in made
