"""The softmax ladder on NVIDIA cards: shapes, CUDA C++ of each rung, reference and peers.

Arrays are x and y [rows, columns] in bfloat16. What a card module offers is `hotloop.app.ladder.card.child.Card`.
"""

# ruff: noqa: ANN401 - arrays are PyTorch's
from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from importlib import resources
from typing import Any

from hotloop.kernels.reduction.cuda.plan import source
from hotloop.kernels.reduction.geometry import ELEMENTS, OPERATIONS
from hotloop.model.ladder import Unit
from hotloop.model.problem import Work

PEERS = ("PyTorch", "copy")
_HALF_ULP = 2.0**-8
"""Of bfloat16, which the result is rounded to."""
_FLOPS = 5
"""Per element: maximum, multiply-add, exponential, sum, scaling."""
_ENTRIES = {"tree": "softmax_tree", "online": "softmax_online", "rows": "rows_reduce"}


def shapes(sizes: Mapping[str, Any]) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return shape and type of x and y."""
    return (((int(sizes["rows"]), int(sizes["columns"])), "bfloat16"),) * 2


def work(sizes: Mapping[str, Any]) -> Work:
    """Return five operations per element, and both arrays moved once."""
    elements = float(int(sizes["rows"]) * int(sizes["columns"]))
    return Work(_FLOPS * elements, 4 * elements, "max, fma, exp, sum and scale per element; each array moved once")


def unit(kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any]) -> Unit:
    """Return source and launch of one rung."""
    rows, columns = int(sizes["rows"]), int(sizes["columns"])
    macros = {
        "OP": OPERATIONS.index("softmax"), "ELEM": ELEMENTS["bfloat16"], "COLUMNS": columns, "EPSILON": "0.0f",
        "ROWS": 1, "VEC": 1, "HELD": 0, **config,
    }  # fmt: skip
    threads = int(macros["LANES"]) * int(macros["ROWS"])
    options = tuple(f"-D{name}={value}" for name, value in macros.items())
    grid = (-(-rows // int(macros["ROWS"])), 1, 1)
    return Unit(
        language="cuda",
        name="softmax.cu",
        text=_text(),
        entry=_ENTRIES[kernel],
        options=options,
        grid=grid,
        threads=threads,
    )


@cache
def _text() -> str:
    own = resources.files("hotloop.kernels.reduction.ladders") / "softmax.cuh"
    return f"{source()}\n{own.read_text(encoding='utf-8')}"


def bind(
    shop: Any, kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any], arrays: tuple[Any, ...]
) -> Callable[[], None]:
    """Return a launch of the rung's compiled unit; `rows_reduce` takes a scale and a shift that softmax does not read."""
    del config
    x, y = arrays
    given = (x, x, y, x) if kernel == "rows" else (x, y)
    launch: Callable[[], None] = shop.program(*given, int(sizes["rows"]))
    return launch


def expected(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the result and the bound of its error: float32 sums of all columns, and one rounding at the end."""
    x = arrays[0].double()
    want = torch.softmax(x, 1)
    terms = (2.0 + (x - x.amax(1, keepdim=True)).abs_() + int(sizes["columns"]) ** 0.5) * torch.finfo(torch.float32).eps
    return want, want * (1.01 * _HALF_ULP + 4 * terms) + 1e-30


def error(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...], known: tuple[Any, Any]) -> float:
    """Return the largest error over its bound; infinite for NaN."""
    del torch, sizes
    ratio = float((arrays[-1].double() - known[0]).abs_().div_(known[1]).max())
    return ratio if ratio == ratio else float("inf")


def peers(torch: Any, sizes: Mapping[str, Any]) -> dict[str, Callable[[tuple[Any, ...]], object]]:
    """Return PyTorch's softmax and a copy."""
    del sizes
    return {
        "PyTorch": lambda arrays: torch.softmax(arrays[0], 1, dtype=arrays[0].dtype),
        "copy": lambda arrays: arrays[1].copy_(arrays[0]),
    }
