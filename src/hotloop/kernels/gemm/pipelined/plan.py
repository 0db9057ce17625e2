"""From problem and configuration of the pipelined implementation to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.kernels.gemm.pipelined.space import buffers_of
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.kernels.gemm.shared.geometry import Geometry, macros_of, refuse, text
from hotloop.kernels.gemm.shared.slices import (
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
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Scratch
from hotloop.model.space import Config
from hotloop.targets import data


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, and with SPLIT > 1 a second one that adds.

    Raises:
        ValueError: the problem has no meaning, or the device lacks local memory, group size or a data type.
    """
    form = column_along_k(gemm(problem))
    geometry = shape(form, config)
    split, slices, ndim, mdim = config.integers("SPLIT", "SLICES", "NDIM", "MDIM")
    refuse(form, config.replace(MDIM=mdim * slices), geometry, device)
    joined = joins(form, config, geometry.groups, device)
    macros = options(form, config, device)
    source = text("shared/prelude", "shared/epilogue", "shared/stage", "shared/slices", "pipelined/pipelined")
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
    mdim, ndim, mwi, nwi, kwg, pad = config.integers("MDIM", "NDIM", "MWI", "NWI", "KWG", "PAD")
    tile_m, tile_n = mdim * mwi, ndim * nwi
    tiles_m, tiles_n = -(-form.m // tile_m), -(-form.n // tile_n)
    local_bytes = buffers_of(config) * kwg * (tile_m + tile_n + 2 * pad) * ELEMENT_BYTES[form.accumulate]
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
    full_vectors = form.n % VECTOR == 0
    macros |= {"ALIGNED_A": int(aligned(form.a)), "ALIGNED_B": int(aligned(form.b))}
    macros |= {"ALIGNED_C": int(full_vectors and aligned(form.c)), "ALIGNED_W": int(full_vectors)}
    macros["CUT_A"] = int((form.m if form.transposed_a else form.k) % VECTOR != 0)
    macros["CUT_B"] = int((form.k if form.transposed_b else form.n) % VECTOR != 0)
    macros["EVEN"] = int(form.m % tile.tile_m == 0 and form.n % tile.tile_n == 0)
    copies = "COPY" in config and config.integer("COPY") > 0
    macros["HOLD_A"] = int(not copies and form.m < tile.tile_m and _repeats(form.a, form.m, along=form.transposed_a))
    macros["HOLD_B"] = int(
        not copies and form.n < tile.tile_n and _repeats(form.b, form.n, along=not form.transposed_b)
    )
    limits = data.has(device.runtime_key, "limit of registers as an option of OpenCL C")
    limited = limits and config.integer("REGISTERS") > 0
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


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; none for an empty problem."""
    del device
    form = gemm(problem)
    if form.empty:
        return {}
    mwi, nwi, wide, kwg, split = config.integers("MWI", "NWI", "WIDE", "KWG", "SPLIT")
    buffers = buffers_of(config)
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
