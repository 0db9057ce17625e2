"""The configurations of the kernel for every head size where nothing was measured, and what is worth a measurement."""

from __future__ import annotations

from hotloop.kernels.attention.general.space import PARAMETERS, widths
from hotloop.kernels.attention.problem import Shape
from hotloop.model.space import Config
from hotloop.targets.machine import multiprocessors

_ROWS, _WIDE = 128, 128
"""Rows of a tile at most; head size up to which tiles are full."""
_FEW = 64
"""Rows up to which all heads of a group share one tile."""
_EACH = 2
"""Programs for each multiprocessor, so that one works while another waits."""
_LEAST_BLOCKS = 2
"""Blocks of keys that a piece has at least."""
_UNITS = multiprocessors("sm_90")
"""Multiprocessors where they are not known: an H200's."""


def config_for(shape: Shape, units: int = 0) -> Config:
    """Return the configuration of a shape on a device of `units` multiprocessors."""
    return _cut(_few(shape) if shape.length_q * shape.group <= _FEW else _many(shape), shape, units or _UNITS)


def worth_trying(shape: Shape, units: int = 0) -> tuple[Config, ...]:
    """Return the configurations that a measurement should compare, the usual one first."""
    first = config_for(shape, units)
    others = (
        {"stages": first.integer("stages") + 1}, {"keys": 2 * first.integer("keys")}, {"warps": max(1, first.integer("warps") // 2)},
        {"rows": max(16, first.integer("rows") // 2), "warps": max(1, first.integer("warps") // 2)},
        {"split": 2 * first.integer("split")},
    )  # fmt: skip
    return tuple(dict.fromkeys((first, *(first.replace(**other) for other in others))))


def _few(shape: Shape) -> Config:
    count = shape.length_q * shape.group
    height = max(16, 1 << (count - 1).bit_length())
    return Config(rows=height, keys=64, warps=4, stages=3 if sum(widths(shape.size)) <= _WIDE else 2, pack=1, split=1)


def _many(shape: Shape) -> Config:
    if sum(widths(shape.size)) <= _WIDE:
        return Config(rows=_ROWS, keys=64, warps=8, stages=2, pack=0, split=1)
    return Config(rows=64, keys=32, warps=4, stages=2, pack=0, split=1)


def _cut(config: Config, shape: Shape, units: int) -> Config:
    """Return the configuration with keys in as many pieces as fill the device, none of them short."""
    pack = config.integer("pack")
    count, heads = (shape.length_q * shape.group, shape.kv_heads) if pack else (shape.length_q, shape.heads)
    programs = -(-count // config.integer("rows")) * heads * shape.batch
    blocks = -(-min(shape.length_k, 2 * shape.window or shape.length_k) // config.integer("keys"))
    wanted = min(_EACH * units // programs, blocks // _LEAST_BLOCKS)
    return config.replace(split=max(int(splits) for splits in PARAMETERS[-1].values if int(splits) <= max(1, wanted)))
