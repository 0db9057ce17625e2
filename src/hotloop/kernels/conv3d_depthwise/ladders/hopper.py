"""The depthwise conv3d ladder on NVIDIA cards: shapes, CUDA C++ of each rung, reference and peer.

Arrays are x [n, c, d, h, w], weights [c, kd, kh, kw] and y in bfloat16. What a card module offers is
`hotloop.app.ladder.card.child.Card`.
"""

# ruff: noqa: ANN401 - arrays are PyTorch's
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from itertools import product
from typing import Any

from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda.rungs import PARTS, Rung
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model.ladder import Unit
from hotloop.model.problem import Work

PEERS = ("PyTorch", "copy of x")
_HALF_ULP = 2.0**-8
"""Of bfloat16, which the result is rounded to."""
_CLANG = """#if defined(__clang__) && !defined(__NVCC__)  // nvcc and NVRTC know it, clang without CUDA's headers does not
__device__ static inline unsigned long long __cvta_generic_to_shared(const void* p) {
    unsigned long long r;
    asm("cvta.to.shared.u64 %0, %1;" : "=l"(r) : "l"(p));
    return r;
}
#endif
"""
_SUMS = 4e-5
"""Of the sum of absolute products: float32 sums, which matrix units round towards zero."""


def shape_of(sizes: Mapping[str, Any]) -> Shape:
    """Return the convolution."""

    def triple(prefix: str) -> tuple[int, int, int]:
        return int(sizes[f"{prefix}d"]), int(sizes[f"{prefix}h"]), int(sizes[f"{prefix}w"])

    return Shape(int(sizes["n"]), int(sizes["c"]), triple(""), triple("k"), triple("p"))


def shapes(sizes: Mapping[str, Any]) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return shape and type of x, weights and y."""
    shape = shape_of(sizes)
    forms = (shape.n, shape.c, *shape.size), (shape.c, *shape.kernel), (shape.n, shape.c, *shape.output)
    return tuple((form, "bfloat16") for form in forms)


def work(sizes: Mapping[str, Any]) -> Work:
    """Return two operations per tap and output, and every array moved once."""
    shape = shape_of(sizes)
    return Work(float(shape.flops), float(shape.compulsory_bytes))


def unit(kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any]) -> Unit:
    """Return source and launch of one rung. Raises ValueError when it does not take the shape."""
    make: Callable[..., Rung] = getattr(rungs, kernel)
    rung = make(shape_of(sizes), **config)
    return Unit(
        language="cuda", name="conv3d.cu", text=_text(), entry=rung.entry, options=rung.options, grid=rung.grid,
        threads=rung.threads, shared_bytes=rung.shared_bytes,
    )  # fmt: skip


@cache
def _text() -> str:
    folder = resources.files("hotloop.kernels.conv3d_depthwise.cuda")
    return "\n".join([_CLANG, *((folder / f"{part}.cuh").read_text(encoding="utf-8") for part in PARTS)])


def bind(
    shop: Any, kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any], arrays: tuple[Any, ...]
) -> Callable[[], None]:
    """Return a launch of the rung's compiled unit."""
    del kernel, config, sizes
    launch: Callable[[], None] = shop.program(*arrays)
    return launch


def expected(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the result and the bound of its error: the float64 sum of shifted products, and their absolute values."""
    shape = shape_of(sizes)
    x, weights = arrays[0].double(), arrays[1].double()
    (pd, ph, pw), (od, oh, ow) = shape.padding, shape.output
    wide = torch.nn.functional.pad(x, (pw, pw, ph, ph, pd, pd))
    want = torch.zeros((shape.n, shape.c, od, oh, ow), device=x.device, dtype=torch.float64)
    size = torch.zeros_like(want)
    for a, b, e in product(*map(range, shape.kernel)):
        term = wide[:, :, a : a + od, b : b + oh, e : e + ow] * weights[None, :, a, b, e, None, None, None]
        want += term
        size += term.abs_()
    return want, size.mul_(_SUMS).add_(want.abs(), alpha=1.01 * _HALF_ULP).add_(1e-7)


def error(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...], known: tuple[Any, Any]) -> float:
    """Return the largest error over its bound; infinite for NaN."""
    del torch, sizes
    ratio = float((arrays[-1].double() - known[0]).abs_().div_(known[1]).max())
    return ratio if ratio == ratio else float("inf")


def peers(torch: Any, sizes: Mapping[str, Any]) -> dict[str, Callable[[tuple[Any, ...]], object]]:
    """Return PyTorch's own convolution, and a copy of as many bytes as must move."""
    shape = shape_of(sizes)

    def own(arrays: tuple[Any, ...]) -> object:
        weights = arrays[1].unsqueeze(1)
        return torch.nn.functional.conv3d(arrays[0], weights, padding=shape.padding, groups=shape.c)

    return {"PyTorch": own, "copy of x": lambda arrays: torch.empty_like(arrays[0]).copy_(arrays[0])}
