"""From a problem and a configuration to launches of the Hopper kernel: pure.

Few queries that see all keys are a special case: the queries of a group of heads become the rows of one tile, and keys are cut
into pieces that as many programs compute; a second launch merges their outputs. Heads between the sizes of tiles lie in the next larger
tile: the descriptors' copies bring zeros for what is beyond a row, which add nothing to a score, and write nothing there. Multiplied is the
first half of the tile and, of the rest, the least power of two that holds the head (`parts`): 64 and 16 elements for 80 instead of 128.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from hotloop.kernels import _jit
from hotloop.kernels.attention.gluon.rows import TARGET, few_queries
from hotloop.kernels.attention.gluon.space import (
    ROWS,
    SIZES,
    held,
    parts,
    registers,
    rows,
    shared_bytes,
    threads,
    width,
)
from hotloop.kernels.attention.problem import Shape, shape_of
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta
from hotloop.model.problem import Problem
from hotloop.model.program import Address, Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config

DTYPES = ("bfloat16", "float16")
Steps = tuple[int, int, int, int]
"""Elements from one batch, head, row and element of an array to the next."""
_USED = ("merge", "products", "tiles")
"""Modules of this folder that the kernel imports."""
_WARPS = 4
_NARROW = 1024
"""Elements of all pieces of a row that one warp merges; more take four."""


@dataclass(frozen=True, slots=True)
class Strides:
    """Distances between the elements of each array."""

    q: Steps
    k: Steps
    v: Steps
    o: Steps

    @classmethod
    def dense(cls, shape: Shape) -> Strides:
        """Return the strides of arrays without gaps."""
        queries = _dense(shape.heads, shape.length_q, shape.size)
        keys = _dense(shape.kv_heads, shape.length_k, shape.size)
        return cls(queries, keys, keys, queries)


@dataclass(frozen=True, slots=True, kw_only=True)
class Sweep:
    """What one launch of the kernel computes, whatever its configuration."""

    shape: Shape
    """Sizes of the problem; for packed sequences there are `batch` of them, each as long as the longest one."""
    strides: Strides
    out: str = "o"
    """Array of the outputs; with pieces of the keys it has a head for each."""
    sums: str = ""
    """Array of the logarithms; empty where none are wanted."""
    split: int = 1
    """Number of parts that the keys are cut into; different programs work on them."""
    packed: tuple[int, int] | None = None
    """Rows of all sequences of queries and of keys, which lie one after the other; None where each has a place of its own."""


source = partial(_jit.text, "hotloop.kernels.attention.gluon.kernel")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, or two where keys are cut into pieces.

    Raises:
        ValueError: the problem has no meaning, or its type or size, or the device, rule the configuration out.
    """
    shape = shape_of(problem)
    return program(shape, Strides.dense(shape), config, device)


def program(shape: Shape, strides: Strides, config: Config, device: Device) -> Program:
    """Return the program for arrays that lie as they do. Raises ValueError as `plan` does."""
    refuse(shape, config, device)
    sums = "lse" if shape.lse else ""
    dense = _dense(shape.heads, shape.length_q, shape.size)
    folds = few_queries(shape, config) and shape.size in SIZES
    if not folds or strides.q != dense or strides.o != dense:
        return swept(Sweep(shape=shape, strides=strides, sums=sums), config, device)
    folded = replace(
        shape, heads=shape.kv_heads, length_q=shape.length_q * shape.group, causal=False, shift=0, scale=shape.factor
    )  # fmt: skip
    steps = replace(Strides.dense(folded), k=strides.k, v=strides.v)
    tiles, blocks = shape.batch * shape.kv_heads, -(-shape.length_k // config.integer("keys"))
    split = pieces(tiles, blocks, device.compute_units)
    if split == 1:
        return swept(Sweep(shape=folded, strides=steps, sums=sums), config, device)
    return _in_pieces(folded, steps, split, sums, config, device)


def pieces(tiles: int, blocks: int, units: int) -> int:
    """Return into how many pieces the keys are cut, so that few tiles keep `units` multiprocessors busy.

    `blocks` are those of the keys; a piece has two at least, so that one is loaded while another is multiplied.
    """
    return max(1, min(units // tiles, blocks // 2))


def refuse(shape: Shape, config: Config, device: Device) -> None:
    """Raise ValueError when type, size or device rule the configuration out."""
    if shape.dtype not in DTYPES:
        raise ValueError(f"the kernel takes {' and '.join(DTYPES)}, not {shape.dtype}")
    if shape.window:
        raise ValueError("the Hopper kernel has no window")
    width(shape.size)  # raises where no tile holds such a head
    if device.target != TARGET:
        raise ValueError(f"the kernel is for Hopper GPUs ({TARGET}), not {device.target or device.name}")
    device.check_shared(shared_bytes(config, shape.size))
    if held(config, shape.size) >= registers(config)[0]:
        raise ValueError(
            f"{held(config, shape.size)} registers of scores, weights and sums; a thread has {registers(config)[0]}"
        )


def swept(sweep: Sweep, config: Config, device: Device) -> Program:
    """Return the program of one launch."""
    launch, dynamic = _launch(sweep, config, device)
    meta = Meta(
        values=_values(sweep, config, dynamic=dynamic),
        dtypes=_dtypes(sweep),
        descriptors=_descriptors(sweep, config),
        uses=_uses(),
    )
    return Program("gluon", source(), meta.options, (launch,), _counter(dynamic=dynamic), "kernel.py")


def _in_pieces(shape: Shape, strides: Strides, split: int, sums: str, config: Config, device: Device) -> Program:
    """Return the program of two launches: each piece of the keys is a head of its own, then they are merged."""
    heads, length, size = shape.heads * split, shape.length_q, shape.size
    steps = replace(strides, o=_dense(heads, length, size))
    sweep = Sweep(shape=shape, strides=steps, out="parts", sums="logs", split=split)
    first, dynamic = _launch(sweep, config, device)
    merging: Mapping[str, object] = {
        "WIDTH": 1 << (split - 1).bit_length(),
        "SUMS": bool(sums),
        "combine.num_warps": 1 if split * size <= _NARROW else _WARPS,
        **({} if sums else {"sums": None}),
    }
    meta = Meta(
        values={**_values(sweep, config, dynamic=dynamic), **merging},
        dtypes={**_dtypes(sweep), "o": shape.dtype, **({sums: "float32"} if sums else {})},
        descriptors=_descriptors(sweep, config),
        uses=_uses(),
    )
    given: tuple[Argument, ...] = (
        Address("parts"), Array("logs"), Array("o"), *((Array(sums),) if sums else ()),
        *_integers(length, split),
    )  # fmt: skip
    group = 32 * int(str(merging["combine.num_warps"]))
    last = Launch("combine", given, (shape.batch * shape.heads * group, length), (group, 1), "merge")
    rows_of_parts = shape.batch * heads * length
    scratch = (
        Scratch("parts", 2 * rows_of_parts * size),
        Scratch("logs", 4 * rows_of_parts),
        *_counter(dynamic=dynamic),
    )
    return Program("gluon", source(), meta.options, (first, last), scratch, "kernel.py")


def _launch(sweep: Sweep, config: Config, device: Device) -> tuple[Launch, bool]:
    """Return the launch of the kernel, and whether its programs fetch tiles from a counter."""
    shape = sweep.shape
    tiles = -(-shape.length_q // rows(config)) * shape.heads * sweep.split * shape.batch
    programs = min(tiles, device.compute_units) if config.integer("resident") else tiles
    dynamic, group = tiles > programs, threads(config)
    return Launch("forward", _arguments(sweep, dynamic=dynamic), (programs * group,), (group,)), dynamic


def _arguments(sweep: Sweep, *, dynamic: bool) -> tuple[Argument, ...]:
    """Return the arguments in the kernel's order, without those that its constants leave out."""
    shape, packed = sweep.shape, sweep.packed
    tail = (Address(sweep.out), *_integers(*sweep.strides.o[1:3])) if packed else ()
    starts = (Array("starts_q"), Array("starts_k")) if packed else ()
    step = packed[0] if packed else shape.length_q
    sums = (Array(sweep.sums), *_integers(step)) if sweep.sums else ()
    numbers = (shape.batch, shape.heads * sweep.split, shape.group, shape.length_q, shape.length_k, shape.shift)
    return (
        Array("q"), Array("k"), Array("v"), Array(sweep.out), *tail, *sums, *((Array("counter"),) if dynamic else ()),
        *starts, Value(shape.factor, "float32"), *_integers(*numbers, sweep.split),
    )  # fmt: skip


def _values(sweep: Sweep, config: Config, *, dynamic: bool) -> dict[str, object]:
    """Return the kernel's constants; arguments that it does without are None."""
    packed = sweep.packed is not None
    consumer, producer = registers(config)
    absent = (
        *(() if packed else ("tail", "tail_head", "tail_row", "starts_q", "starts_k")),
        *(() if sweep.sums else ("lse", "lse_head")),
        *(() if dynamic else ("counter",)),
    )
    return {
        "ROWS": ROWS, "GROUPS": config.integer("groups"), "BN": config.integer("keys"), "D": width(sweep.shape.size),
        "STAGES": config.integer("stages"), "BAND": config.integer("band"), "OVERLAP": bool(config["overlap"]),
        "STAGGER": bool(config["stagger"]), "CAUSAL": sweep.shape.causal, "VARLEN": packed, "LSE": bool(sweep.sums),
        "SHARE": bool(config["share"]), "DYNAMIC": dynamic, "REGISTERS": consumer, "SPARE": producer,
        "CUT": sweep.split > 1, "num_warps": _WARPS, "enable_fp_fusion": True, **dict.fromkeys(absent), **({} if packed else _parts(sweep.shape.size)),
    }  # fmt: skip


def _parts(size: int) -> dict[str, object]:
    """Return the constants that say how much of a tile heads of a size need; none where it is all of it."""
    first, rest = parts(size)
    return {} if first == width(size) else {"FIRST": first, "REST": rest}


def _dtypes(sweep: Sweep) -> dict[str, str]:
    tiles = dict.fromkeys(("q", "k", "v", sweep.out), sweep.shape.dtype)
    starts = dict.fromkeys(("starts_q", "starts_k"), "int32") if sweep.packed else {}
    return {**tiles, **starts, "counter": "int32", **({sweep.sums: "float32"} if sweep.sums else {})}


def _descriptors(sweep: Sweep, config: Config) -> dict[str, Descriptor]:
    shape, keys = sweep.shape, config.integer("keys")
    batch, length_q, length_k = shape.batch, shape.length_q, shape.length_k
    if sweep.packed:
        batch, (length_q, length_k) = 1, sweep.packed
    queries, pairs = (batch, shape.heads, length_q, shape.size), (batch, shape.kv_heads, length_k, shape.size)
    outputs = (batch, shape.heads * sweep.split, length_q, shape.size)
    return {
        "q": _descriptor(queries, ROWS, sweep.strides.q, shape.dtype),
        "k": _descriptor(pairs, keys, sweep.strides.k, shape.dtype),
        "v": _descriptor(pairs, keys, sweep.strides.v, shape.dtype),
        sweep.out: _descriptor(outputs, ROWS, sweep.strides.o, shape.dtype),
    }


def _descriptor(extents: Steps, height: int, strides: Steps, dtype: str) -> Descriptor:
    block = (1, 1, height, width(extents[3]))
    return Descriptor(extents, block, strides, f"NVMMASharedLayout.get_default_for({list(block)}, {dtype})")


def _counter(*, dynamic: bool) -> tuple[Scratch, ...]:
    """Return the counter from which programs fetch tiles; the last fetch of a call sets it back."""
    return (Scratch("counter", 4, zeroed=True),) if dynamic else ()


def _dense(heads: int, length: int, size: int) -> Steps:
    return heads * length * size, length * size, size, 1


def _integers(*values: int) -> tuple[Argument, ...]:
    return tuple(Value(value, "int32") for value in values)


def _uses() -> Mapping[str, str]:
    return _jit.uses(*(f"hotloop.kernels.attention.gluon.{name}" for name in _USED))


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape = shape_of(problem)
    return {
        "config.accumulators": float(config.integer("keys") // 2 + sum(parts(shape.size)) // 2),
        "config.local_bytes": float(shared_bytes(config, shape.size)),
        "config.reuse": float(rows(config)),
    }
