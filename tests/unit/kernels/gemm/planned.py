"""Compile planned programs for sm_90 without a GPU and print what came of them, one JSON line each.

    python planned.py '[{"implementation": "hopper", "shape": [64, 64, 64], "epilogue": "none", "config": {...}}]'

Programs go the way of a worker: options parsed, the text run as a module, a value placed for every parameter. Types stand in
for PyTorch's, and a target for a card.
"""

import json
import sys
import tempfile
from functools import partial
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget

from hotloop.drivers import jit as driver
from hotloop.drivers import torch as driver_torch
from hotloop.host import disassemble
from hotloop.kernels.gemm import KERNEL
from hotloop.kernels.gemm.problem import DEFAULT
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.space import Config

H200 = Device(
    name="H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90", compute_units=132,
    local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
BYTES = {"bfloat16": 2, "float16": 2, "float32": 4, "int32": 4}


class Type:
    """A type as Triton asks PyTorch's for it."""

    def __init__(self, name):
        self.name, self.itemsize = name, BYTES[name]

    def __str__(self):
        return f"torch.{self.name}"


Type.__name__, Type.__module__ = "dtype", "torch"  # by which Triton knows a type without an array
TYPES = {name: Type(name) for name in BYTES}


class Driver:
    """What Triton asks of a card when it only compiles."""

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=0):
        return device


def compiled(row, folder):
    """Return a line for each launch of a row."""
    m, n, k = row["shape"]
    problem = DEFAULT.replace(m=m, n=n, k=k, dtype="bfloat16", epilogue=row["epilogue"])
    program = KERNEL.implementation(row["implementation"]).plan(problem, Config(row["config"]), H200)
    module = driver.loaded(program, parse(program.options), folder)
    options = driver.compiler_options(module, program)
    return [line(module, launch, options) for launch in program.launches]


def line(module, launch, options):
    function, meta = driver.function(module, launch.entry), module.meta.seen_by(launch.entry)
    placed = driver.placed(function, module, launch, partial(driver.stand_in, meta))
    kernel = function.warmup(*placed.values(), grid=driver.grid(launch), **options)
    (usage,) = disassemble.usage(kernel.asm["cubin"])
    ptx = kernel.asm["ptx"]
    return {
        "entry": kernel.metadata.name,
        "registers": usage.registers,
        "stack_bytes": usage.stack_bytes,
        "shared_bytes": kernel.metadata.shared,
        "wgmma": ptx.count("wgmma.mma_async"),
        "waits": ptx.count("griddepcontrol.wait"),
        "cooperative": kernel.metadata.launch_cooperative_grid,
        "early": kernel.metadata.launch_pdl,
    }


def main():
    driver_torch.torch_type = TYPES.__getitem__
    triton.runtime.driver.set_active(Driver())
    with tempfile.TemporaryDirectory() as folder:
        for row in json.loads(sys.argv[1]):
            print(json.dumps(compiled(row, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
