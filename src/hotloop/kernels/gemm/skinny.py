"""The OpenCL C implementation for few rows or few columns: the long operand streams from memory to registers, read once.

Such a product is as long as the reading of its long operand. A tile in local memory makes every item wait for the slowest of
its group at each step, and most of its width along the short side is idle: matrix times vector reached 0.4 to 0.9 of cuBLAS with the
best of them (once 1.5, where cuBLAS was slow). Here nobody waits before the end. An item reads vectors of the long operand, several
on their way, and the items that share an output add what they have in local memory once.

It takes every problem of the family, either operand being the long one, along k or across it; with many rows and columns it reads
the long one once for each FEW of the others.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels.gemm.plan import Geometry, macros_of, refuse, text
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, Matrix, gemm
from hotloop.kernels.gemm.slices import (
    ARRIVE,
    NEEDS_SPLIT,
    SPLIT,
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
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("ODIM", (1, 2, 4, 8, 16, 32, 64, 128, 256), "workgroup-size", "work-items of a group along the long side"),
    Parameter("KDIM", (1, 2, 4, 8, 16, 32, 64, 128, 256), "workgroup-size", "work-items of a group along k"),
    Parameter("OWI", (1, 2, 4, 8), "work-per-item", "rows of the long operand per work-item, or vectors across them"),
    Parameter("FEW", (1, 2, 4, 8, 16), "register-tile", "rows or columns of the short side per work-item"),
    Parameter("VW", (1, 2, 4, 8, 16), "vectorize", "elements of the long operand per access to global memory"),
    Parameter("KUNROLL", (1, 2, 4, 8, 16), "unroll", "vectors of each row, or across rows, on their way at once"),
    SPLIT,
    ARRIVE,
)  # fmt: skip

START = Config(ODIM=8, KDIM=32, OWI=1, FEW=1, VW=1, KUNROLL=1, SPLIT=1, ARRIVE=0)
"""The textbook dot product: 32 items share an output, one element per access."""

_MOST_ITEMS = 1024
_MOST_ELEMENTS = 256
"""Elements that an item adds up or has on their way: as many registers has an item of a GPU; AVX-512 has room for twice as many."""
_MOST_LOCAL = 8192
"""Sums of a group: 32 KiB of float32 in local memory."""


def _group_fits(config: Config) -> bool:
    odim, kdim = config.integers("ODIM", "KDIM")
    return odim * kdim <= _MOST_ITEMS


def _registers_fit(config: Config) -> bool:
    owi, few, vw, unroll = config.integers("OWI", "FEW", "VW", "KUNROLL")
    return owi * (few + unroll) * vw <= _MOST_ELEMENTS


def _sums_fit(config: Config) -> bool:
    odim, kdim, owi, few, vw = config.integers("ODIM", "KDIM", "OWI", "FEW", "VW")
    return odim * kdim * owi * few * vw <= _MOST_LOCAL


SPACE = Space(
    PARAMETERS,
    (
        Constraint(f"ODIM·KDIM is at most {_MOST_ITEMS} work-items", _group_fits, ("ODIM", "KDIM")),
        Constraint(
            f"OWI·(FEW + KUNROLL)·VW is at most {_MOST_ELEMENTS} elements",
            _registers_fit,
            ("OWI", "FEW", "VW", "KUNROLL"),
        ),
        Constraint(
            f"ODIM·KDIM·OWI·FEW·VW is at most {_MOST_LOCAL} sums of a group",
            _sums_fit,
            ("ODIM", "KDIM", "OWI", "FEW", "VW"),
        ),
        NEEDS_SPLIT,
    ),
)


@dataclass(frozen=True, slots=True)
class Sides:
    """A product as its long operand sees it."""

    matrix: Matrix
    """The operand with more rows or columns of C, read once."""
    short: Matrix
    outputs: int
    """Of C along the long side."""
    few: int
    """Rows or columns of C along the short side."""
    along_k: bool
    """True where the long operand's rows lie along k."""
    short_along_k: bool
    """True where the short operand's neighbours along k lie side by side, of a single row or column whatever its flag says."""
    long_a: bool

    @classmethod
    def of(cls, form: Gemm) -> Sides:
        """Return the sides of a product; of a square one A is the long operand."""
        if form.m >= form.n:
            short = form.transposed_b or (form.n == 1 and form.b.ld == 1)
            along = not form.transposed_a or (form.m == 1 and form.a.ld == 1)
            return cls(form.a, form.b, form.m, form.n, along, short, long_a=True)
        short = not form.transposed_a or (form.m == 1 and form.a.ld == 1)
        return cls(form.b, form.a, form.n, form.m, form.transposed_b, short, long_a=False)

    def aligned(self, vector: int) -> bool:
        """Return whether every row of the long operand begins at a whole vector."""
        rows = (self.along_k and self.outputs == 1) or self.matrix.ld % vector == 0
        return rows and self.matrix.offset % vector == 0

    def short_wide(self, vector: int) -> bool:
        """Return whether the short operand can be read in vectors along k."""
        rows = self.few == 1 or self.short.ld % vector == 0
        return self.short_along_k and rows and self.short.offset % vector == 0


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
    macros, source = options(form, config, device), text("prelude", "epilogue", "slices", "skinny")
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


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the dot product."""
    names = ("OWI", "FEW", "VW", "KUNROLL", "SPLIT")
    return float(sum(config.integer(name) > 1 for name in names) + config.integer("ARRIVE"))


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


SKINNY = Implementation("opencl-skinny", "opencl", SPACE, START, plan, simplicity, traits)
