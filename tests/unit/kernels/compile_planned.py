"""Compile the programs that implementations plan for an H200 and print what came of each, without a GPU.

python compile_planned.py <<< '{"family": "gemm_fp8", "implementation": "triton", "config": {...}, "sizes": {...}}'

A line is asked, a line is answered. `config` and `sizes` are changes of the implementation's start and of the family's default problem.
`listed` asks for what stands in the machine code, too: disassembling takes as long as compiling a small kernel.
"""

import json
import re
import sys
import tempfile
from collections import Counter
from functools import partial
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget

from hotloop import registry
from hotloop.drivers import jit as driver
from hotloop.drivers import torch as driver_torch
from hotloop.host import disassemble
from hotloop.model.device import Device
from hotloop.model.jit import parse

COPY = "cp.async.bulk.tensor.2d.shared"
H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90",
    compute_units=132, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
BYTES = {"float8_e4m3fn": 1, "uint8": 1, "bfloat16": 2, "float16": 2, "float32": 4, "int32": 4}


def main():
    for line in sys.stdin:
        print(json.dumps(facts(json.loads(line))), flush=True)


def facts(asked):
    kernel = registry.load("hotloop.kernels", asked["family"], "KERNEL")
    made = kernel.implementation(asked["implementation"])
    config = made.start.replace(**asked["config"])
    assert made.space.violation(config) is None, made.space.violation(config)
    program = made.plan(kernel.problem.replace(**asked["sizes"]), config, H200)
    binary = {launch.entry: compiled(program, launch) for launch in program.launches}[program.main.entry]
    ptx = binary.asm["ptx"]
    (usage,) = disassemble.usage(binary.asm["cubin"])
    places = ("griddepcontrol.wait", "cp.async.bulk.tensor", "ld.global", "st.global", "atom.")
    return {
        "registers": usage.registers,
        "stack_bytes": usage.stack_bytes,
        "shared_bytes": binary.metadata.shared,
        "wgmma": ptx.count("wgmma.mma_async"),
        "setmaxnreg": ptx.count("setmaxnreg"),
        "places": {name: ptx.find(name) for name in places},
        "around_last_wait": around(ptx),
        **(listed(binary.asm["cubin"]) if asked.get("listed") else {}),
    }


def listed(cubin):
    sass = disassemble.sass(cubin)
    names = re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)", sass, re.MULTILINE)
    return {"waits": sass.count("WARPGROUP.DEPBAR"), "instructions": Counter(names)}


def around(ptx):
    """Return how many waits for the kernel before there are, and copies into shared memory before and after the last one."""
    before, _, after = ptx.rpartition("griddepcontrol.wait")
    return ptx.count("griddepcontrol.wait"), before.count(COPY), after.count(COPY)


def compiled(program, launch):
    """Compile one launch the way a worker does: the text run as a module, a value placed for every parameter."""
    driver_torch.torch_type = Type
    triton.runtime.driver.set_active(Driver())
    with tempfile.TemporaryDirectory() as folder:
        module = driver.loaded(program, parse(program.options), Path(folder))
        function, meta = driver.function(module, launch.entry), module.meta.seen_by(launch.entry)
        placed = driver.placed(function, module, launch, partial(driver.stand_in, meta))
        options = driver.compiler_options(module, program, launch)
        return function.warmup(*placed.values(), grid=driver.grid(launch), **options)


class Type:
    """A type as Triton asks PyTorch's for it."""

    def __init__(self, name):
        self.name, self.itemsize = name, BYTES[name]

    def __str__(self):
        return f"torch.{self.name}"

    def __eq__(self, other):
        return self.name == other.name

    def __hash__(self):
        return hash(self.name)


Type.__name__, Type.__module__ = "dtype", "torch"  # by which Triton knows a type that stands for an array


class Driver:
    """What Triton asks of a card when it only compiles."""

    def get_current_target(self):
        return GPUTarget("cuda", 90, 32)

    def get_current_device(self):
        return 0

    def get_current_stream(self, device=0):
        return device


if __name__ == "__main__":
    main()
