"""The OpenCL C implementation for GPUs: vectors through local memory, the next tile on its way, k shared among groups.

Where the textbook tile stops at a third of a GPU's rate, this one removes what stops it, one parameter each: aligned vector
accesses, registers that prefetch, a second buffer, a permutation against bank conflicts, addresses that advance by addition,
an order of the items in which neighbours read the same vector, slices of k for small problems. It never packs and takes every
problem of the family.

On an H200 the steps from 0.88 to 1.00 of cuBLAS at 2048 (2026-11-22, `benchmarks/gpu/sgemm_opencl.py`) were 16x8 outputs an
item with HOIST (0.88 → 0.98) and WEAVE (→ 1.00). Instructions that are no multiplications and shared memory's turns were
short, not the tail of the launch: 8192 had 0.92. REGISTERS was void before the group size was left unsaid with it.

On sizes that no tile divides, tiles at the far edges looked at every element; all tiles run at once, so the launch took as long
as they did: 0.82 of cuBLAS at 1000 with the tile of 1024, 0.51 with that of 2048. Since they begin earlier instead
(`stage.cl`), edges cost nothing there: 1.01 at 1000, 1.04 at 2000. `rounds` chooses the tile.

Few tiles leave multiprocessors idle: slices of k (SPLIT) make more of them. A second launch that adds took 4.2 to 11.8 µs on the
device and as long as the first to call. The last group at a tile (ARRIVE) mostly adds in 1 to 5 µs less (128x128x4096: 15.4 to
12.6 µs, cuBLAS 11.8), but with tiles of 64x64 and 24 slices or more, of which one group has much to read, in 1 to 12 µs more.
Small tiles whose parts share each step (SLICES) need fewer of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.kernels.gemm.plan import Geometry, macros_of, refuse, text
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.kernels.gemm.slices import (
    ARRIVE,
    NEEDS_SPLIT,
    SPLIT,
    VECTOR,
    arguments,
    copies_of_c,
    finish,
    in_place,
    joins,
    ptx,
    standard,
)
from hotloop.model.device import Device
from hotloop.model.kernel import Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Scratch
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("MDIM", (4, 8, 16, 32), "workgroup-size", "work-items of a group along m"),
    Parameter("NDIM", (4, 8, 16, 32), "workgroup-size", "work-items of a group along n"),
    Parameter("MWI", (4, 8, 16), "register-tile", "rows of C per work-item"),
    Parameter("NWI", (4, 8, 16), "register-tile", "columns of C per work-item"),
    Parameter("KWG", (8, 16, 32, 64), "cache-block", "steps of k staged in local memory at a time"),
    Parameter("KUNROLL", (1, 2, 4, 8, 16, 32, 64), "unroll", "steps of k per iteration of the inner loop"),
    Parameter("WIDE", (1, 4), "wide-local-access", "elements per access to local and global memory"),
    Parameter("BUFFERS", (1, 2), "double-buffer", "tiles of local memory; 2 need one barrier per tile instead of two"),
    Parameter(
        "COPY", (0, 2, 3, 4), "async-copy", "tiles of local memory that copies past the registers fill; 0 is without"
    ),
    Parameter("HOIST", (0, 1), "hoist-addresses", "1 goes from tile to tile by adding to addresses"),
    Parameter(
        "EARLY",
        (0, 1),
        "prefetch",
        "1 sends for the tile after next before the barrier, not for the next one behind it",
    ),
    Parameter("WEAVE", (0, 1), "wide-local-access", "1 makes pairs of neighbours read the same vector of B"),
    Parameter("PAD", (0, 4), "pad", "unused elements after each row in local memory"),
    Parameter(
        "SWZ", (1, 2, 4, 8), "swizzle", "steps, in vectors of k, after which the xor of a transposed row repeats"
    ),
    Parameter("RASTER", (0, 1, 2, 4, 8), "rasterize", "tile rows per band of groups; 1 runs along n first, 0 along m"),
    Parameter(
        "SLICES", (1, 2, 4, 8), "split-k", "parts of a group that share the steps of each tile and add in local memory"
    ),
    SPLIT,
    ARRIVE,
    Parameter(
        "REGISTERS", (0, 128, 168), "lower-registers", "most registers of an item, 0 leaves it open; NVIDIA only"
    ),
)

START = Config(
    MDIM=16, NDIM=16, MWI=4, NWI=4, KWG=16, KUNROLL=1, WIDE=1, BUFFERS=1, COPY=0, HOIST=0, EARLY=0, WEAVE=0, PAD=0, SWZ=1, RASTER=1, SLICES=1,
    SPLIT=1, ARRIVE=0, REGISTERS=0,
)  # fmt: skip
"""The textbook register tile: 16x16 work-items, 4x4 outputs each, one element per access, two barriers per tile."""

_MOST_SUMS = 128
"""Sums of an item: half of the 255 registers that it may have."""


def _v(config: Config, *names: str) -> list[int]:
    return [config.integer(name) for name in names]


def _buffers(config: Config) -> int:
    return max(config.integer(name) for name in ("BUFFERS", "COPY") if name in config)


def _sums_fit(config: Config) -> bool:
    mwi, nwi = _v(config, "MWI", "NWI")
    return mwi * nwi <= _MOST_SUMS


def _whole_vectors(config: Config) -> bool:
    mdim, ndim, mwi, nwi, kwg = _v(config, "MDIM", "NDIM", "MWI", "NWI", "KWG")
    return mwi * kwg % (VECTOR * ndim) == 0 and nwi * kwg % (VECTOR * mdim) == 0


def _unroll_fits(config: Config) -> bool:
    kwg, unroll = _v(config, "KWG", "KUNROLL")
    return unroll <= kwg


def _swizzle_injective(config: Config) -> bool:
    mdim, ndim, mwi, nwi, swz, kwg = _v(config, "MDIM", "NDIM", "MWI", "NWI", "SWZ", "KWG")
    reach = swz * max(VECTOR, 128 // kwg)
    return swz == 1 or (mdim * mwi % reach == 0 and ndim * nwi % reach == 0)


def _slices_fit(config: Config) -> bool:
    slices, mdim, ndim, mwi, nwi, kwg, unroll = _v(config, "SLICES", "MDIM", "NDIM", "MWI", "NWI", "KWG", "KUNROLL")
    whole = mwi * kwg % (VECTOR * ndim * slices) == 0 and nwi * kwg % (VECTOR * mdim * slices) == 0
    return slices == 1 or (whole and mdim <= kwg and unroll * slices <= kwg)


def _copies_alone(config: Config) -> bool:
    copy, buffers, hoist = _v(config, "COPY", "BUFFERS", "HOIST")
    return copy == 0 or (buffers == 1 and hoist == 0)


def _early_hoists(config: Config) -> bool:
    early, hoist = _v(config, "EARLY", "HOIST")
    return early <= hoist


def _weave_fits(config: Config) -> bool:
    weave, mdim, ndim = _v(config, "WEAVE", "MDIM", "NDIM")
    return weave == 0 or (ndim % 8 == 0 and mdim % 4 == 0)


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"MWI·NWI is at most {_MOST_SUMS} sums", _sums_fit, ("MWI", "NWI")),
        Constraint(
            "every item brings whole vectors of each tile", _whole_vectors, ("MDIM", "NDIM", "MWI", "NWI", "KWG")
        ),
        Constraint("KUNROLL is at most KWG", _unroll_fits, ("KWG", "KUNROLL")),
        Constraint(
            "SWZ·128/KWG, at least SWZ·4, divides both sides of the tile",
            _swizzle_injective,
            ("MDIM", "NDIM", "MWI", "NWI", "SWZ", "KWG"),
        ),
        Constraint(
            "COPY has its own buffers and addresses: BUFFERS 1, HOIST 0", _copies_alone, ("COPY", "BUFFERS", "HOIST")
        ),
        NEEDS_SPLIT,
        Constraint("EARLY needs HOIST", _early_hoists, ("EARLY", "HOIST")),
        Constraint("WEAVE needs NDIM of at least 8", _weave_fits, ("WEAVE", "MDIM", "NDIM")),
        Constraint(
            "SLICES leaves every item whole vectors and KUNROLL steps, and MDIM is at most KWG",
            _slices_fit,
            ("SLICES", "MDIM", "NDIM", "MWI", "NWI", "KWG", "KUNROLL"),
        ),
    ),
)


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, and with SPLIT > 1 a second one that adds.

    Raises:
        ValueError: the problem has no meaning, or the device lacks local memory, group size or a data type.
    """
    form = column_along_k(gemm(problem))
    geometry = shape(form, config)
    split, slices, ndim, mdim = _v(config, "SPLIT", "SLICES", "NDIM", "MDIM")
    refuse(form, config.replace(MDIM=mdim * slices), geometry, device)
    joined = joins(form, config, geometry.groups, device)
    macros = options(form, config, device)
    source = text("prelude", "epilogue", "stage", "slices", "pipelined")
    if form.empty:
        return Program("opencl", source, macros, source_name="gemm.cl")
    bias = Array("c" if form.bias == "none" else "bias")
    main = Launch(
        "gemm", arguments(form, bias, split), (geometry.groups * ndim, mdim * slices * split), (ndim, mdim * slices)
    )
    if split == 1:
        return Program("opencl", source, macros, (main,), (), "gemm.cl")
    if joined:
        sums_bytes = geometry.groups * geometry.tile_m * geometry.tile_n * ELEMENT_BYTES[form.accumulate]
        return Program("opencl", source, macros, (main,), (Scratch("work", split * sums_bytes),), "gemm.cl")
    launches = (main, finish(form, split, bias))
    return Program("opencl", source, macros, launches, (copies_of_c(form, split),), "gemm.cl")


def column_along_k(form: Gemm) -> Gemm:
    """Return the product with a single contiguous column of B as the row of a transposed matrix: vectors of it lie along k."""
    if form.n != 1 or form.transposed_b or form.b.ld != 1:
        return form
    ld = -(-max(1, form.k) // VECTOR) * VECTOR  # of the only row: as it suits vectors
    return replace(form, transposed_b=True, b=replace(form.b, rows=1, columns=form.k, ld=ld))


def shape(form: Gemm, config: Config) -> Geometry:
    """Return tiles, groups and local memory; an empty problem has no groups."""
    mdim, ndim, mwi, nwi, kwg, pad = _v(config, "MDIM", "NDIM", "MWI", "NWI", "KWG", "PAD")
    tile_m, tile_n = mdim * mwi, ndim * nwi
    tiles_m, tiles_n = -(-form.m // tile_m), -(-form.n // tile_n)
    local_bytes = _buffers(config) * kwg * (tile_m + tile_n + 2 * pad) * ELEMENT_BYTES[form.accumulate]
    return Geometry(tile_m, tile_n, tiles_m, tiles_n, tiles_m * tiles_n, kwg, local_bytes)


def options(form: Gemm, config: Config, device: Device) -> tuple[str, ...]:
    """Return the build options: what limits registers, one macro per parameter, then what the problem adds."""
    macros: dict[str, object] = {name: config[name] for name in config if name != "REGISTERS"}
    if "SPLIT" in config:
        macros["SPLIT"] = min(2, config.integer("SPLIT"))  # how many is the launch's matter: one build serves all
    tile = shape(form, config)
    joined = joins(form, config, tile.groups, device)
    if "ARRIVE" in config:
        macros["ARRIVE"] = int(joined)
    macros |= {"VW": VECTOR, "PACK": 0, **macros_of(form)}
    whole = form.n % VECTOR == 0
    macros |= {"ALIGNED_A": int(aligned(form.a)), "ALIGNED_B": int(aligned(form.b))}
    macros |= {"ALIGNED_C": int(whole and aligned(form.c)), "ALIGNED_W": int(whole)}
    macros["CUT_A"] = int((form.m if form.transposed_a else form.k) % VECTOR != 0)
    macros["CUT_B"] = int((form.k if form.transposed_b else form.n) % VECTOR != 0)
    macros["EVEN"] = int(form.m % tile.tile_m == 0 and form.n % tile.tile_n == 0)
    copies = "COPY" in config and config.integer("COPY") > 0
    macros["HOLD_A"] = int(not copies and form.m < tile.tile_m and _repeats(form.a, form.m, along=form.transposed_a))
    macros["HOLD_B"] = int(
        not copies and form.n < tile.tile_n and _repeats(form.b, form.n, along=not form.transposed_b)
    )
    nvidia = device.runtime_key == "nvidia"
    limited = nvidia and config.integer("REGISTERS") > 0
    macros["LIMITED"] = int(limited)
    macros["PTX"] = int(ptx(form, device))
    limit = (f"-cl-nv-maxrregcount={config.REGISTERS}",) if limited else ()
    return (
        *limit,
        *standard(form, device, joined=joined),
        *in_place(device),
        *(f"-D{name}={value}" for name, value in macros.items()),
    )


def _repeats(matrix: Matrix, extent: int, *, along: bool) -> bool:
    """Return whether what lies beyond a short side can read its last row instead, or along rows the last whole vector."""
    return not along or (extent % VECTOR == 0 and aligned(matrix))


def aligned(matrix: Matrix) -> bool:
    """Return whether every row of a matrix begins at a whole vector."""
    return matrix.ld % VECTOR == 0 and matrix.offset % VECTOR == 0


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the register tile."""
    names = ("KUNROLL", "WIDE", "BUFFERS", "COPY", "SWZ", "SLICES", "SPLIT", "RASTER")
    return float(
        sum(config.integer(name) > 1 for name in names)
        + sum(config.integer(name) != 0 for name in ("HOIST", "EARLY", "WEAVE", "PAD", "ARRIVE", "REGISTERS"))
    )


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; none for an empty problem."""
    del device
    form = gemm(problem)
    if form.empty:
        return {}
    mwi, nwi, wide, kwg, split = _v(config, "MWI", "NWI", "WIDE", "KWG", "SPLIT")
    buffers = _buffers(config)
    element, geometry = ELEMENT_BYTES[form.accumulate], shape(form, config)
    tiles = -(-form.k // (kwg * split))
    return {
        "config.accumulators": float(mwi * nwi),
        "config.local_bytes": float(geometry.local_bytes),
        "config.barriers": float(1 + tiles * (1 if buffers > 1 else 2)),
        "config.vector_elements": float(wide),
        "config.contiguous_bytes": float(wide * element),
        "config.stride_bytes": float((geometry.tile_n + config.integer("PAD")) * element),
        "config.working_set_bytes": float(kwg * (mwi + nwi) * element),
        "config.reuse": 2.0 * mwi * nwi / ((mwi + nwi) * element),
        "config.packed": 0.0,
    }


PIPELINED = Implementation("opencl-pipelined", "opencl", SPACE, START, plan, simplicity, traits)
