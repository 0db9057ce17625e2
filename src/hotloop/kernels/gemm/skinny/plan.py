"""From problem and configuration of the implementation for few rows or columns to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, gemm
from hotloop.kernels.gemm.shared.geometry import Geometry, macros_of, refuse, text
from hotloop.kernels.gemm.shared.slices import (
    arguments,
    copies_of_c,
    finish,
    in_place,
    joins,
    ptx,
    standard,
)
from hotloop.kernels.gemm.skinny.sides import Sides
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, and where the last group cannot add the slices a second one.

    Raises:
        ValueError: the problem has no meaning, or the device lacks local memory, group size or a data type.
    """
    form = gemm(problem)
    geometry = shape(form, config)
    odim, kdim, vw, split = config.integers("ODIM", "KDIM", "VW", "SPLIT")
    refuse(form, Config(MDIM=odim, NDIM=kdim), geometry, device)
    joined = joins(form, config, geometry.groups, device)
    macros, source = (
        options(form, config, device),
        text("shared/prelude", "shared/epilogue", "shared/slices", "skinny/skinny"),
    )
    if form.empty:
        return Program("opencl", source, macros, source_name="gemm.cl")
    bias = Array("c" if form.bias == "none" else "bias")
    items = odim * kdim
    main = Launch("gemm", arguments(form, bias, split), (geometry.groups * items, split), (items, 1))
    launches = (main,) if split == 1 or joined else (main, finish(form, split, bias, vw))
    return Program("opencl", source, macros, launches, (copies_of_c(form, split),) if split > 1 else (), "gemm.cl")


def shape(form: Gemm, config: Config) -> Geometry:
    """Return strips as tiles, groups and local memory; an empty problem has no groups."""
    sides = Sides.of(form)
    odim, kdim, owi, few, vw = config.integers("ODIM", "KDIM", "OWI", "FEW", "VW")
    lanes = 1 if sides.along_k else vw
    strip, steps = odim * owi * lanes, kdim * (vw if sides.along_k else 1)
    along, across = -(-sides.outputs // strip), -(-sides.few // few)
    local_bytes = odim * kdim * owi * few * lanes * ELEMENT_BYTES[form.accumulate]
    local_bytes += 4 * config.integer("ARRIVE")  # who arrived before
    (tile_m, tile_n), (tiles_m, tiles_n) = (
        pair if sides.long_a else pair[::-1] for pair in ((strip, few), (along, across))
    )
    return Geometry(tile_m, tile_n, tiles_m, tiles_n, along * across, steps, local_bytes)


def options(form: Gemm, config: Config, device: Device) -> tuple[str, ...]:
    """Return the build options: one macro per parameter, then what the problem adds."""
    sides, vw = Sides.of(form), config.integer("VW")
    joined = joins(form, config, shape(form, config).groups, device)
    macros: dict[str, object] = dict(config)
    macros |= {"SPLIT": min(2, config.integer("SPLIT")), "ARRIVE": int(joined)}  # how many is the launch's matter
    macros |= {"PACK": 0, **macros_of(form)}
    macros |= {"LONG_A": int(sides.long_a), "ALONG_K": int(sides.along_k), "ALIGNED": int(sides.aligned(vw))}
    macros |= {"CUT": int(sides.outputs % vw != 0), "SHORT_ALONG_K": int(sides.short_along_k)}
    macros |= {"SHORT_WIDE": int(sides.short_wide(vw)), "PTX": int(ptx(form, device))}
    macros |= {"WIDE": 1, "ALIGNED_C": 0, "ALIGNED_W": 0}  # of the second launch
    return (
        *standard(form, device, joined=joined),
        *in_place(device),
        *(f"-D{name}={value}" for name, value in macros.items()),
    )


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; none for an empty problem."""
    del device
    form = gemm(problem)
    if form.empty:
        return {}
    sides, geometry = Sides.of(form), shape(form, config)
    kdim, owi, few, vw = config.integers("KDIM", "OWI", "FEW", "VW")
    element = ELEMENT_BYTES[form.dtype]
    multiplied = owi * few
    lanes = 1 if sides.along_k else vw
    return {
        "config.accumulators": float(multiplied * vw),
        "config.local_bytes": float(geometry.local_bytes),
        "config.barriers": float(kdim.bit_length() + 2 * config.integer("ARRIVE")),
        "config.vector_elements": float(vw),
        "config.contiguous_bytes": float(vw * element),
        "config.stride_bytes": float((kdim * vw if sides.along_k else kdim * sides.matrix.ld) * element),
        "config.working_set_bytes": float(multiplied * vw * element),
        "config.reuse": 2.0 * multiplied * vw / ((owi * vw + few * (1 if lanes > 1 else vw)) * element),
        "config.packed": 0.0,
    }
