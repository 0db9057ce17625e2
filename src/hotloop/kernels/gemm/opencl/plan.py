"""From problem and configuration to sources, macros, launches and scratch memory: pure."""

from __future__ import annotations

from functools import cache, lru_cache

from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.kernels.gemm.shared.geometry import Geometry, located, macros_of, refuse, text, values
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.record import Scalar
from hotloop.model.space import Config
from hotloop.targets import data

PACK_K = 64
"""Steps of k that one work-item of a pack kernel copies: 64·16 floats is 4 KiB written, enough to hide an item's cost,
and 2048 rows still give 32 items per panel to share out."""


def shape(form: Gemm, config: Config) -> Geometry:
    """Return tiles, groups and local memory; an empty problem has no groups."""
    mdim, mwi, ndim, nwi, mpi, npi, kc = config.integers("MDIM", "MWI", "NDIM", "NWI", "MPI", "NPI", "KC")
    tile_m, tile_n = mdim * mwi, ndim * nwi
    tiles_m, tiles_n = -(-form.m // tile_m), -(-form.n // tile_n)
    groups = -(-tiles_m // mpi) * -(-tiles_n // npi)
    stage_k = kc or max(1, form.k)
    elements = _local_elements(config, tile_m, tile_n, stage_k)
    return Geometry(tile_m, tile_n, tiles_m, tiles_n, groups, stage_k, elements * ELEMENT_BYTES[form.accumulate])


def _local_elements(config: Config, tile_m: int, tile_n: int, stage_k: int) -> int:
    pad, kwg, mpi, sa, sb = config.integers("PAD", "KWG", "MPI", "SA", "SB")
    rows_a = (0, kwg, mpi * stage_k)[sa]
    rows_b = (0, kwg, stage_k)[sb]
    return rows_a * (tile_m + pad) + rows_b * (tile_n + pad)


def fitted(form: Gemm, config: Config) -> Config:
    """Return the configuration that is really built for a problem.

    Two features have no meaning on some problems and give way to the nearest one that has: vectors read in place need
    VW columns (narrower problems pack B), and k blocks pass sums through C, which must hold them in full precision.
    """
    reads_b_in_place = config.integer("PACK") == 0 and config.integer("SB") == 0
    if reads_b_in_place and form.n < config.integer("VW"):
        config = config.replace(PACK=1)
    return config.replace(KC=0) if form.dtype != form.accumulate else config


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: pack launches where it packs, then one main launch.

    Raises:
        ValueError: the problem has no meaning, or the device lacks local memory, group size or a data type.
    """
    form = gemm(problem)
    config = fitted(form, config)
    geometry = shape(form, config)
    refuse(form, config, geometry, device)
    macros = options(form, config, geometry, device)
    if form.empty:
        return Program("opencl", source(), macros, source_name="gemm.cl")
    launches, scratch = _packing(form, config, geometry)
    arguments = _arguments(problem, config.integer("PACK"))
    return Program("opencl", source(), macros, (*launches, _main(config, geometry, arguments)), scratch, "gemm.cl")


@cache
def source() -> str:
    """Return the OpenCL C text."""
    return text("shared/prelude", "opencl/pack", "opencl/access", "shared/epilogue", "opencl/gemm")


def options(form: Gemm, config: Config, geometry: Geometry, device: Device) -> tuple[str, ...]:
    """Return the build options: one macro per parameter, then what the problem adds."""
    # Intel's prefetch() is a call of an empty function; the compiler's own needs the generic addresses of OpenCL C 2.0,
    # which PoCL 3.1 does not have.
    generic = bool(config.PREFETCH) and data.has(device.runtime_key, "prefetch of generic addresses by the compiler")
    staged = geometry.stage_k if 2 in config.integers("SA", "SB") else 1
    macros = {**macros_of(form), "STAGE_K": staged, "PACK_K": PACK_K, "GENERIC_FETCH": int(generic)}
    return (("-cl-std=CL2.0",) if generic else ()) + _defined(tuple(config.items())) + _defined(tuple(macros.items()))


@lru_cache(maxsize=64)
def _defined(macros: tuple[tuple[str, Scalar], ...]) -> tuple[str, ...]:
    """Return macros as options; a configuration's are the same for every problem on which it is verified."""
    return tuple([f"-D{name}={value}" for name, value in macros])


def _packing(form: Gemm, config: Config, geometry: Geometry) -> tuple[tuple[Launch, ...], tuple[Scratch, ...]]:
    """Return the pack launches and the panels they fill; nothing is packed when the operands are not read."""
    wanted = {0: (), 1: ("b",), 2: ("a", "b")}[config.integer("PACK")]
    element = ELEMENT_BYTES[form.accumulate]
    launches, scratch = [], []
    for role in wanted:
        matrix, extent, tiles, width = _operand(form, geometry, role)
        scratch.append(Scratch(f"panels_{role}", element * max(1, tiles * width * form.k)))
        if form.reads_operands:
            arguments = (*values("int32", extent, form.k), *located(matrix), Array(f"panels_{role}"))
            size = (tiles, -(-form.k // PACK_K))
            launches.append(Launch(f"pack_{role}", arguments, size, (1, 1), "pack"))
    return tuple(launches), tuple(scratch)


def _operand(form: Gemm, geometry: Geometry, role: str) -> tuple[Matrix, int, int, int]:
    """Return matrix, extent along the panels, number of panels and their width."""
    if role == "a":
        return form.a, form.m, geometry.tiles_m, geometry.tile_m
    return form.b, form.n, geometry.tiles_n, geometry.tile_n


def _main(config: Config, geometry: Geometry, arguments: tuple[Argument, ...]) -> Launch:
    ndim, mdim = config.integers("NDIM", "MDIM")
    return Launch("gemm", arguments, (geometry.groups * ndim, mdim), (ndim, mdim))


@lru_cache(maxsize=256)
def _arguments(problem: Problem, pack: int) -> tuple[Argument, ...]:
    """Return the main launch's arguments: the same for all configurations that pack the same operands."""
    form = gemm(problem)
    a = _panels("panels_a") if pack == 2 else located(form.a)
    b = _panels("panels_b") if pack >= 1 else located(form.b)
    return (
        *values("int32", form.m, form.n, form.k),
        *values(form.accumulate, form.alpha, form.beta),
        *a,
        *b,
        *located(form.c),
        Array("c" if form.bias == "none" else "bias"),
    )


def _panels(name: str) -> tuple[Argument, ...]:
    return Array(name), Value(0, "uint64"), Value(0, "int32")
