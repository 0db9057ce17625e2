"""Which configurations of the OpenCL GEMM meet cuBLAS and CLBlast, and how they are built.

    python benchmarks/gpu/sgemm_configs.py INDEX COUNT     # build every COUNTth from INDEX on, for the driver's cache

Prints a line of JSON for each: its build options and what the compiler said of registers and spills.
`LARGE` holds the winners on an H200 (2026-11-22) and, for what each feature brings, the way there: one change a row.
`UNTUNED` are shapes of which no table knows; they run what dispatch chooses.
"""

from __future__ import annotations

import json
import os
import sys
import warnings
from functools import cache

from hotloop.host import runtimes

os.environ.update(runtimes.loader_environment())  # before pyopencl loads its ICD loader, which reads them once

import pyopencl as cl

from hotloop.dispatch.family import find
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.pipelined.space import START
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.model.device import Device
from hotloop.model.kernel import Variant
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.ops import book, choose

warnings.filterwarnings("ignore", category=cl.CompilerWarning)  # -cl-nv-verbose makes every build say something

SQUARE = START.replace(MWI=8, NWI=8, KWG=16, KUNROLL=16, WIDE=4, SWZ=4, RASTER=0)
"""256 items of 8x8: what won before HOIST and WEAVE, with as many registers as the compiler likes."""
PADDED = SQUARE.replace(SWZ=1, PAD=4, HOIST=1)
FLAT = PADDED.replace(MDIM=8, MWI=16, KWG=8, KUNROLL=8)
"""128 items of 16x8: two groups on a multiprocessor."""
BIG = FLAT.replace(MDIM=16, NWI=16, MWI=8, EARLY=1, WEAVE=1)
"""256 items of 8x16, one group on a multiprocessor: the tile that cuBLAS takes."""
LARGE = [
    FLAT.replace(WEAVE=1),
    BIG,
    *(FLAT.replace(WEAVE=1, RASTER=rows) for rows in (1, 4)),
    BIG.replace(RASTER=4),
    FLAT.replace(WEAVE=1, EARLY=1),
    BIG.replace(MWI=16, NWI=8),
    PADDED.replace(KWG=8, KUNROLL=8, BUFFERS=2, EARLY=1, WEAVE=1, REGISTERS=128),
    SQUARE,
    SQUARE.replace(REGISTERS=128),
    PADDED.replace(REGISTERS=128),
    FLAT,
    FLAT.replace(HOIST=0),
    FLAT.replace(HOIST=0, COPY=2, WEAVE=1),
]
WOVEN = PADDED.replace(MDIM=8, NDIM=8, KWG=32, KUNROLL=8, SLICES=4, BUFFERS=2, EARLY=1, WEAVE=1)
HALVES = WOVEN.replace(SLICES=2, KUNROLL=16)
LONG = START.replace(MDIM=8, NDIM=8, KWG=32, KUNROLL=32, WIDE=4, BUFFERS=2, SWZ=4, RASTER=8)
"""What won on small problems before SLICES."""
SMALL = {
    256: [
        WOVEN.replace(MDIM=4, MWI=4, NWI=4),
        WOVEN.replace(MWI=4, NWI=4),
        HALVES.replace(MWI=4, NWI=4),
        WOVEN.replace(MDIM=4, MWI=4, NWI=4, BUFFERS=1),
        WOVEN.replace(MDIM=4, MWI=4, NWI=4, BUFFERS=1, SLICES=1, KUNROLL=32),
        LONG.replace(MDIM=4),
    ],
    512: [
        WOVEN.replace(MDIM=16, MWI=4, NWI=4, KWG=16, KUNROLL=16, SLICES=1),
        HALVES.replace(NDIM=16, MWI=4, NWI=4),
        WOVEN.replace(MWI=4, PAD=0, SWZ=4),
        WOVEN.replace(NWI=4),
        WOVEN.replace(MWI=4, NWI=4),
        HALVES.replace(NWI=4, BUFFERS=1, EARLY=0),
        LONG.replace(NDIM=16),
    ],
    1024: [
        HALVES.replace(MDIM=16, KWG=16, KUNROLL=8),
        HALVES.replace(MDIM=16, BUFFERS=1),
        HALVES,
        HALVES.replace(NDIM=16, KWG=16, KUNROLL=8, BUFFERS=1),
        WOVEN.replace(NDIM=16, NWI=4, KWG=16, KUNROLL=16, SLICES=1),
        LONG.replace(NDIM=16, MWI=8),
    ],
}


UNTUNED = [
    *((n, n, n) for n in (1000, 777, 2000, 1300, 3001, 1200)),
    (2500, 900, 1700),
    (600, 5000, 1100),
    (64, 4096, 1024),
    (128, 128, 4096),
    (256, 256, 8192),
    (64, 512, 8192),
    (32, 32, 16384),
    (16, 4096, 4096),
    (100, 333, 5000),
    (1, 4096, 4096),
    (4096, 1, 4096),
    (1, 4096, 4096, "nt"),
    (4096, 1, 4096, "tn"),
    (1, 512, 512),
    (1, 11008, 4096),
    (1, 1536, 8960),
    (1, 6000, 2500),
    (1, 32000, 4096),
    (1, 200, 30000),
    (11008, 1, 4096),
    (3000, 1, 777),
    (1536, 1, 8960),
    (16, 1, 1000000),
    (2, 5120, 5120),
    (5120, 2, 5120),
    (3, 1000, 50000),
    (5120, 4, 5120, "nt"),
    (4, 4096, 4096),
    (1000000, 1, 4),
    (2, 8, 500000),
]
"""m, n, k, and where a matrix is transposed BLAS' two letters. No tile divides the first eight, but for 1200; 777 and 3001 have no aligned row
either. The next have few tiles and a long k. Those with few rows or columns come last; `skinny.py` measured the first four of them,
or their transposes, 1x512x512 and 3000x1x777, not the others."""


def cube(n):
    """Return the shape of squares."""
    return n, n, n


def pipelined(config):
    """Return the pipelined implementation with a configuration."""
    return Variant(PIPELINED, config)


def open_device():
    """Return facts, context, a queue with events' times and one without."""
    for platform in cl.get_platforms():
        if "NVIDIA" in platform.name.upper():
            raw = platform.get_devices()[0]
            facts = Device(
                name=raw.name, kind="gpu", backend="opencl", runtime=platform.name, runtime_key="nvidia",
                target=f"sm_{raw.compute_capability_major_nv}{raw.compute_capability_minor_nv}",
                compute_units=raw.max_compute_units, local_mem_bytes=raw.local_mem_size,
                max_workgroup=raw.max_work_group_size, fp16=False, fp64=True,
            )  # fmt: skip
            context = cl.Context([raw])
            queue = cl.CommandQueue(context, raw, properties=cl.command_queue_properties.PROFILING_ENABLE)
            return facts, context, queue, cl.CommandQueue(context, raw)
    raise SystemExit("no OpenCL platform of NVIDIA")


def label(shape):
    """Return a shape's name: squares by their side, BLAS' two letters after a colon."""
    sides = shape[:3]
    return ":".join(("x".join(map(str, sides if len(set(sides)) > 1 else sides[:1])), *shape[3:]))


def parsed(text):
    """Return the shape of a name."""
    sizes, *op = text.split(":")
    sides = tuple(map(int, sizes.split("x")))
    return (*(sides if len(sides) > 1 else cube(*sides)), *op)


def problem_of(shape) -> Problem:
    """Return the problem of m, n, k and, where a matrix is transposed, BLAS' two letters."""
    m, n, k, *op = shape
    return DEFAULT.replace(m=m, n=n, k=k, op=op[0] if op else "nn")


def planned(facts, shape, variant) -> Program:
    """Return the program of a variant on a shape; ValueError where it has none."""
    return variant.program(problem_of(shape), facts)


def chosen(facts, shape):
    """Return the variant that `hotloop.ops` takes for a shape when the user's store knows nothing."""
    problem, family = problem_of(shape), find("gemm")
    choice = next(choose.choices(family, problem, facts, book.presets(family, problem, facts)))
    if choice.implementation not in (PIPELINED.name, SKINNY.name):
        raise SystemExit(f"dispatch takes {choice.implementation} on {facts.target}: {choice.reason}")
    return Variant(KERNEL.implementation(choice.implementation), choice.config)


@cache
def built(context, source: str, options: tuple[str, ...]):
    """Return a built program: sizes are arguments, so one build serves them all."""
    return cl.Program(context, source).build(options=[*options, "-cl-nv-verbose"], cache_dir=False)


def resources(made, context) -> str:
    """Return what the compiler said of registers and spills; nothing where the driver's cache had the program."""
    text = str(made.get_build_info(context.devices[0], cl.program_build_info.LOG))
    return " ".join(line.strip() for line in text.splitlines() if "registers" in line or "spill" in line)


def main():
    index, count = map(int, sys.argv[1:])
    facts, context, _, _ = open_device()
    tried = [
        (cube(256), pipelined(config)) for config in (*LARGE, *(config for some in SMALL.values() for config in some))
    ]
    for shape, variant in [*tried, *((shape, chosen(facts, shape)) for shape in UNTUNED)][index::count]:
        try:
            program = planned(facts, shape, variant)
            made = built(context, program.source, program.options)
        except (cl.Error, ValueError):  # it fails again, and is reported, where it is timed
            continue
        print(json.dumps([program.options, resources(made, context)]), flush=True)


if __name__ == "__main__":
    main()
