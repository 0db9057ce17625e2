"""Inputs and judgement of the conv3d ladder on a card; arrays are PyTorch's, which only such machines have."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import product
from typing import Any

from hotloop.model.dtype import roundoff

_FACTOR = 2.0
_HALF_ULP = roundoff("bfloat16")
"""Of bfloat16, which the output is rounded to."""


def inputs(torch: Any, problem: Mapping[str, Any], seed: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return x, weights and y full of NaN in bfloat16, as the layout wants them.

    ncdhw: x [n, c, d, h, w], weights [c, kd, kh, kw]; ndhwc: x [n, d, h, w, c], weights [kd, kh, kw, c].
    """
    n, c = int(problem["n"]), int(problem["c"])
    size, window, output = _sizes(problem)
    maker = torch.Generator(device="cuda").manual_seed(seed)
    last = problem["layout"] == "ndhwc"
    shapes = ((n, *size, c), (*window, c)) if last else ((n, c, *size), (c, *window))
    x, w = (torch.randn(shape, generator=maker, device="cuda").to(torch.bfloat16) for shape in shapes)
    y = torch.full((n, *output, c) if last else (n, c, *output), float("nan"), device="cuda", dtype=torch.bfloat16)
    return x, w, y


def error(torch: Any, problem: Mapping[str, Any], arguments: tuple[Any, Any, Any]) -> float:  # noqa: ANN401
    """Return the largest error over 2 · taps · eps · (|x| * |w|) in float32 and the output's rounding; infinite for NaN.

    The reference is the sum of shifted products in float64, image by image.
    """
    x, w, y = arguments
    last = problem["layout"] == "ndhwc"
    worst = 0.0
    for image in range(int(problem["n"])):
        own = (x[image].movedim(-1, 0), w.movedim(-1, 0), y[image].movedim(-1, 0)) if last else (x[image], w, y[image])
        worst = max(worst, _image(torch, problem, *(array.double() for array in own)))
    return worst


def _image(torch: Any, problem: Mapping[str, Any], x: Any, w: Any, y: Any) -> float:  # noqa: ANN401
    """Return the largest ratio of one image: x [c, d, h, w], w [c, kd, kh, kw], y [c, od, oh, ow]."""
    _, window, (od, oh, ow) = _sizes(problem)
    pd, ph, pw = (int(problem[f"p{axis}"]) for axis in "dhw")
    wide = torch.nn.functional.pad(x, (pw, pw, ph, ph, pd, pd))
    want, size = torch.zeros_like(y), torch.zeros_like(y)
    for kd, kh, kw in product(*map(range, window)):
        term = w[:, kd, kh, kw, None, None, None] * wide[:, kd : kd + od, kh : kh + oh, kw : kw + ow]
        want += term
        size += term.abs()
    taps = window[0] * window[1] * window[2]
    bound = _FACTOR * taps * torch.finfo(torch.float32).eps * size + 1.01 * _HALF_ULP * want.abs() + 1e-30
    ratio = float(((y - want).abs() / bound).max().item())
    return ratio if ratio == ratio else float("inf")


def _sizes(problem: Mapping[str, Any]) -> tuple[tuple[int, int, int], tuple[int, int, int], tuple[int, int, int]]:
    """Return input sizes, window and output sizes of a dense convolution."""

    def triple(prefix: str) -> tuple[int, int, int]:
        d, h, w = (int(problem[prefix + axis]) for axis in "dhw")
        return d, h, w

    size, window, padding = triple(""), triple("k"), triple("p")
    d, h, w = (s + 2 * p - k + 1 for s, k, p in zip(size, window, padding, strict=True))
    return size, window, (d, h, w)
