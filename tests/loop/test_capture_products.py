"""Operations of captured products, counted while the text runs: what masks fill up is no work, and what cannot be counted is told."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import pytest

from hotloop.cli.main import main

pytestmark = pytest.mark.skipif(
    find_spec("torch") is None or find_spec("triton") is None, reason="needs PyTorch and Triton"
)
PROGRAM = """import torch
import triton
import triton.language as tl


@triton.jit
def matmul(c, a, b, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    m, n = tl.program_id(0) * BM + tl.arange(0, BM), tl.program_id(1) * BN + tl.arange(0, BN)
    acc = tl.zeros((BM, BN), tl.float32)
    for first in range(0, K, BK):
        k = first + tl.arange(0, BK)
        x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < M) & (k[None, :] < K), other=0.0)
        y = tl.load(b + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
        acc += tl.dot(x, y)
    tl.store(c + m[:, None] * N + n[None, :], acc, mask=(m[:, None] < M) & (n[None, :] < N))


@triton.jit
def weighed(q, k, v, m, n, N, scale):
    s = tl.dot(q, tl.trans(k)) * scale
    s = tl.where((n[None, :] <= m[:, None]) & (n[None, :] < N), s, -float("inf"))
    return tl.dot(tl.exp(s).to(v.dtype), v), tl.sum(tl.exp(s), 1)


@triton.jit
def attention(o, q, k, v, N, scale, B: tl.constexpr, D: tl.constexpr):
    m, d = tl.program_id(0) * B + tl.arange(0, B), tl.arange(0, D)
    rows = tl.load(q + m[:, None] * D + d[None, :], mask=m[:, None] < N, other=0.0)
    acc, total = tl.zeros((B, D), tl.float32), tl.zeros((B,), tl.float32)
    for first in range(0, (tl.program_id(0) + 1) * B, B):
        n = first + tl.arange(0, B)
        ks = tl.load(k + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
        vs = tl.load(v + n[:, None] * D + d[None, :], mask=n[:, None] < N, other=0.0)
        part, sums = weighed(rows, ks, vs, m, n, N, scale)
        acc += part
        total += sums
    tl.store(o + m[:, None] * D + d[None, :], acc / total[:, None], mask=m[:, None] < N)


@triton.jit
def grouped(c, a, b, offsets, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    group = tl.program_id(0)
    first, last = tl.load(offsets + group), tl.load(offsets + group + 1)
    n, k = tl.arange(0, BN), tl.arange(0, BK)
    y = tl.load(b + group * K * N + k[:, None] * N + n[None, :], mask=(k[:, None] < K) & (n[None, :] < N), other=0.0)
    for row in range(first, last, BM):
        m = row + tl.arange(0, BM)
        x = tl.load(a + m[:, None] * K + k[None, :], mask=(m[:, None] < last) & (k[None, :] < K), other=0.0)
        tl.store(c + m[:, None] * N + n[None, :], tl.dot(x, y), mask=(m[:, None] < last) & (n[None, :] < N))


@triton.jit
def bytes8(c, a, b, B: tl.constexpr):
    i, j = tl.arange(0, B)[:, None], tl.arange(0, B)[None, :]
    tl.store(c + i * B + j, tl.dot(tl.load(a + i * B + j), tl.load(b + i * B + j)))


@triton.jit
def doubled(y, x, n, B: tl.constexpr):
    i = tl.program_id(0) * B + tl.arange(0, B)
    tl.store(y + i, tl.load(x + i, mask=i < n) * 2, mask=i < n)


def new(*shape, dtype=torch.float32):
    return torch.rand(*shape).to(dtype) + 0.5


half = torch.float16
matmul[(3, 2)](new(70, 40), new(70, 50), new(50, 40), 70, 40, 50, BM=32, BN=32, BK=16)
attention[(3,)](new(40, 16), new(40, 16, dtype=half), new(40, 16, dtype=half), new(40, 16, dtype=half), 40, 0.1, B=16, D=16)
offsets = torch.tensor([0, 20, 20, 53], dtype=torch.int32)
grouped[(3,)](new(53, 24), new(53, 30, dtype=half), new(3, 30, 24, dtype=half), offsets, 24, 30, BM=16, BN=32, BK=32)
bytes8[(1,)](torch.zeros(32, 32, dtype=torch.int32), *(torch.ones(32, 32, dtype=torch.int8) for _ in "ab"), B=32)
doubled[(2,)](new(100), new(100), 100, B=64)
"""


@pytest.fixture(scope="module")
def place(tmp_path_factory):
    folder = tmp_path_factory.mktemp("products")
    (folder / "program.py").write_text(PROGRAM)
    capture = [
        "capture",
        "--no-roof",
        "--out",
        str(folder / "p.capture"),
        "--",
        sys.executable,
        str(folder / "program.py"),
    ]
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv("TRITON_INTERPRET", "1")
        with pytest.raises(SystemExit) as left:
            main(capture)
    assert left.value.code == 0
    return folder / "p.capture"


@pytest.mark.parametrize(
    ("name", "flops", "rate", "told"),
    [
        ("matmul", 2 * 70 * 40 * 50, "tfloat32", "without factors that are zero"),
        # of each program the whole of q·kᵀ within the length, of p·v what the mask leaves, and all of the eight rows beyond the end
        ("attention", 2 * 16 * (16 * 16 + 16 * 32 + 8 * 40 + 40 * 41 // 2 + 8 * 40), "bfloat16", "without factors that are zero"),
        ("grouped", 2 * 53 * 24 * 30, "bfloat16", "without factors that are zero"),
        ("bytes8", 0.0, "", "nothing measures how fast"),
        ("doubled", 0.0, "", "operations are not counted"),
    ],
)  # fmt: skip
def test_operations_of_products_are_counted(place, name, flops, rate, told):
    from hotloop.app.captured import load as captured

    kernel = captured.load(place, name, 60.0)
    work = kernel.work(kernel.problem)
    assert (work.flops, work.products) == (pytest.approx(flops), rate)
    assert told in work.convention
