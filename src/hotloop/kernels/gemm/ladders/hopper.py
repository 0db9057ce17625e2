"""The matrix products of the GEMM ladder for NVIDIA cards: shapes, launches, reference and peer.

Operands and result are row-major bfloat16, sums are float32. Kernels are those of ``triton/tile.py``, `persistent`,
`split` and `hopper`. What a card module offers is `hotloop.app.ladder.card.child.Card`.
"""

# mypy: disable-error-code="no-untyped-call"
# ruff: noqa: ANN401 - arrays are PyTorch's, or stand-ins with a shape where nothing is launched
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from hotloop.model.problem import Work

Launch = Callable[[], None]
_FACTOR = 4.0
PEERS = ("cuBLAS",)
_HALF_ULP = 2.0**-8
"""Of bfloat16, which the result is rounded to."""
_STRIP_BYTES = 128
"""Widest row of a block that the tensor memory accelerator swizzles: CUDA driver API, cuTensorMapEncodeTiled."""
_FINISH = (16, 64)
"""Rows and columns of C that one program of the adding kernel finishes."""


def shapes(sizes: Mapping[str, Any]) -> tuple[tuple[tuple[int, ...], str], ...]:
    """Return shape and type of A [m, k], B [k, n] and C [m, n]."""
    m, n, k = (int(sizes[name]) for name in "mnk")
    return ((m, k), "bfloat16"), ((k, n), "bfloat16"), ((m, n), "bfloat16")


def work(sizes: Mapping[str, Any]) -> Work:
    """Return 2·m·n·k operations, and every matrix moved once."""
    m, n, k = (int(sizes[name]) for name in "mnk")
    return Work(2.0 * m * n * k, 2.0 * (m * k + k * n + m * n))


def bind(
    shop: Any, kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any], arrays: tuple[Any, ...]
) -> Launch:
    """Return a launch of one kernel with fixed arguments."""
    del sizes
    return _KERNELS[kernel](shop, config, *arrays)


def expected(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...]) -> tuple[Any, Any]:
    """Return the product and the bound of its error, both float64: 4·k·eps·|A||B| in float32, and one rounding at the end."""
    a, b = arrays[0].double(), arrays[1].double()
    want = a @ b
    terms = a.abs_() @ b.abs_()
    return want, _FACTOR * int(sizes["k"]) * torch.finfo(torch.float32).eps * terms + 1.01 * _HALF_ULP * want.abs()


def error(torch: Any, sizes: Mapping[str, Any], arrays: tuple[Any, ...], known: tuple[Any, Any]) -> float:
    """Return the largest error over its bound; infinite for NaN."""
    del torch, sizes
    ratio = float(((arrays[-1].double() - known[0]).abs() / known[1]).max())
    return ratio if ratio == ratio else float("inf")


def peers(torch: Any, sizes: Mapping[str, Any]) -> dict[str, Callable[[tuple[Any, ...]], object]]:
    """Return cuBLAS through PyTorch."""
    del sizes
    return {"cuBLAS": lambda arrays: torch.matmul(arrays[0], arrays[1], out=arrays[2])}


# -- launches ---------------------------------------------------------------------------------------------------------


def _tile(shop: Any, config: Mapping[str, Any], a: Any, b: Any, c: Any) -> Launch:
    from hotloop.kernels.gemm.triton import tile

    (m, k), n, splits = a.shape, b.shape[1], int(config["SPLITS"])
    bm, bn, bk = (int(config[name]) for name in ("BM", "BN", "BK"))
    tiles, resident = _tiles(m, bm) * _tiles(n, bn), int(config["PERSISTENT"]) * shop.multiprocessors
    described = config["PATH"] == "descriptors"
    left, right = (_described(a, bm, bk), _described(b, bk, bn)) if described else (a, b)
    slices = shop.empty((splits, m, n), "float32") if splits > 1 else c
    chosen = {name: config[name] for name in ("BM", "BN", "BK", "GROUP", "SPLITS", "PATH")}
    plain = {"TRANSA": False, "TRANSB": False, "BETA": False, "BIAS": 0, "ACT": 0, "PRECISION": "ieee", "WIDEN": False}
    finish = {"SPLITS": splits, "ROWS": _FINISH[0], "COLUMNS": _FINISH[1], "BETA": False, "BIAS": 0, "ACT": 0}
    options = {"num_warps": int(config["num_warps"]), "num_stages": int(config["num_stages"])}

    def launch() -> None:
        grid = (min(tiles, resident) if resident else tiles, splits)
        shop.run(
            tile.tile, grid, left, right, c, c, slices, m, n, k, k, n, n, 0, 0, 0, 1.0, 0.0,
            PROGRAMS=resident, **chosen, **plain, **options,
        )  # fmt: skip
        if splits > 1:
            blocks = (_tiles(m, _FINISH[0]), _tiles(n, _FINISH[1]))
            shop.run(tile.add_slices, blocks, c, c, slices, m, n, n, 0, 1.0, 0.0, **finish, num_warps=4)

    return launch


def _persistent(shop: Any, config: Mapping[str, Any], a: Any, b: Any, c: Any) -> Launch:
    from hotloop.kernels.gemm.persistent.kernel import persistent

    (m, k), n = a.shape, b.shape[1]
    bm, bn, bk, halves = int(config["BM"]), int(config["BN"]), int(config["BK"]), bool(config["HALVES"])
    programs = min(shop.multiprocessors * int(config["RESIDENT"]), _tiles(m, bm) * _tiles(n, bn))
    tensors = _described(a, bm, bk), _described(b, bk, bn), _described(c, bm, bn // 2 if halves else bn)
    return lambda: shop.run(
        persistent, (programs,), *tensors, a, m, n, k, BM=bm, BN=bn, BK=bk, GROUP=int(config["GROUP"]),
        PROGRAMS=programs, BIAS=False, ACT=0, CHAIN=0, HALVES=halves, FLATTEN=bool(config["FLATTEN"]), SPECIALIZE=False,
        num_warps=int(config["num_warps"]), num_stages=int(config["num_stages"]),
    )  # fmt: skip


def _split(shop: Any, config: Mapping[str, Any], a: Any, b: Any, c: Any, *, together: bool = False) -> Launch:
    from hotloop.kernels.gemm.split import kernel as split

    (m, k), n = a.shape, b.shape[1]
    bm, bn, bk, splits = (int(config[name]) for name in ("BM", "BN", "BK", "SPLITS"))
    tiles = _tiles(m, bm) * _tiles(n, bn)
    if together and tiles * splits > shop.multiprocessors:
        raise ValueError(f"{tiles * splits} programs wait for one another on {shop.multiprocessors} multiprocessors")
    slices, arrived = shop.empty((tiles * splits * bm * bn,), "float32"), shop.zeros((tiles,), "int32")
    tensors = _described(a, bm, bk), _described(b, bk, bn)
    kernel, more = (split.meet, {"launch_cooperative_grid": True}) if together else (split.split, {})
    return lambda: shop.run(
        kernel, (tiles, splits), *tensors, c, c, slices, arrived, m, n, k, BM=bm, BN=bn, BK=bk,
        GROUP=int(config["GROUP"]), SPLITS=splits, BIAS=False, ACT=0, CHAIN=0,
        num_warps=int(config["num_warps"]), num_stages=int(config["num_stages"]), **more,
    )  # fmt: skip


def _meet(shop: Any, config: Mapping[str, Any], a: Any, b: Any, c: Any) -> Launch:
    return _split(shop, config, a, b, c, together=True)


def _hopper(shop: Any, config: Mapping[str, Any], a: Any, b: Any, c: Any) -> Launch:
    from hotloop.kernels.gemm.hopper.kernel import hopper

    (m, k), n = a.shape, b.shape[1]
    bm, bn, bk, groups = (int(config[name]) for name in ("BM", "BN", "BK", "GROUPS"))
    turns = bool(config["TAKE_TURNS"])
    rows = bm if groups == 1 or turns else bm // 2
    programs = min(shop.multiprocessors, _tiles(m, bm) * _tiles(n, bn))
    tensors = _laid(a, bm, bk), _laid(b, bk, bn), _laid(c, rows, min(bn, _STRIP_BYTES // 2))
    return lambda: shop.run(
        hopper, (programs,), *tensors, a, m, n, k, GROUP=int(config["GROUP"]), PROGRAMS=programs, SPLITS=1,
        STAGES=int(config["STAGES"]), BUFFERS=int(config["BUFFERS"]), GROUPS=groups, TAKE_TURNS=turns, BIAS=False, ACT=0,
        CHAIN=0, num_warps=4,
        **({"maxnreg": 128} if groups == 1 else {}), **({"AHEAD": int(config["AHEAD"])} if config.get("AHEAD") else {}),
    )  # fmt: skip


_KERNELS: dict[str, Callable[..., Launch]] = {
    "tile": _tile,
    "persistent": _persistent,
    "split": _split,
    "meet": _meet,
    "hopper": _hopper,
}


def _tiles(extent: int, block: int) -> int:
    return -(-extent // block)


def _described(x: Any, rows: int, columns: int) -> Any:
    """Return Triton's descriptor of a row-major matrix."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(x, list(x.shape), [x.shape[1], 1], [rows, columns])


def _laid(x: Any, rows: int, columns: int) -> Any:
    """Return Gluon's descriptor with the widest swizzle that the block allows."""
    from triton.experimental.gluon.language import NVMMASharedLayout
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    width = next(width for width in (128, 64, 32) if 2 * columns % width == 0)
    return TensorDescriptor(x, list(x.shape), [x.shape[1], 1], [rows, columns], NVMMASharedLayout(width, 16))
