"""Inputs, launch and judgement of the Gluon ladder on a card; arrays are PyTorch's, which only such machines have."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

_FACTOR = 4.0


def inputs(torch: Any, problem: Mapping[str, Any], seed: int) -> tuple[Any, Any, Any]:  # noqa: ANN401
    """Return A [m, k] and B [k, n] in float16, normal, and C [m, n] in float32 full of NaN."""
    m, n, k = (int(problem[name]) for name in "mnk")
    maker = torch.Generator(device="cuda").manual_seed(seed)
    a = torch.randn((m, k), generator=maker, device="cuda", dtype=torch.float16)
    b = torch.randn((k, n), generator=maker, device="cuda", dtype=torch.float16)
    return a, b, torch.full((m, n), float("nan"), device="cuda", dtype=torch.float32)


def launch(declared: Any, problem: Mapping[str, Any], arguments: tuple[Any, Any, Any]) -> None:  # noqa: ANN401
    """Launch one kernel of `stages`."""
    del problem
    a, b, c = arguments
    constants = dict(declared.constexprs)
    (m, k), n = a.shape, b.shape[1]
    grid = (-(-m // constants["M"]), -(-n // constants["N"]))
    sizes = (m, n, k, a.stride(0), b.stride(0), c.stride(0))
    declared.kernel[grid](a, b, c, *sizes, **constants, num_warps=declared.num_warps)


def error(torch: Any, problem: Mapping[str, Any], arguments: tuple[Any, Any, Any]) -> float:  # noqa: ANN401
    """Return the largest error over 4 k eps |A||B| in float32; infinite for NaN."""
    left, right, found = (array.double() for array in arguments)
    bound = _FACTOR * int(problem["k"]) * torch.finfo(torch.float32).eps * (left.abs() @ right.abs())
    ratio = float(((found - left @ right).abs() / bound).max().item())
    return ratio if ratio == ratio else float("inf")
