"""Compile Triton kernels and print what came of them: python compile_child.py '[["sm_90", {"FORM": "patches"}, {"dtype": ...}]]'.

Each entry is a target, a configuration's difference from the starting one, or ``best`` for the rule's, and the shape's difference
from the video problem.
"""

import json
import re
import sys
from dataclasses import replace

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from hotloop.host import disassemble
from hotloop.kernels.conv3d_depthwise.shape import VIDEO
from hotloop.kernels.conv3d_depthwise.triton import kernel as jit
from hotloop.kernels.conv3d_depthwise.triton.plan import best, constants
from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE

TYPES = {"float32": "fp32", "float16": "fp16", "bfloat16": "bf16"}
ARRAYS = ("x", "weights", "y")


def compiled(target, config, shape):
    """Return what Triton makes of a configuration for a shape, with pointers that are multiples of 16."""
    function, values = getattr(jit, config["FORM"]), constants(shape, config)
    names = function.arg_names
    types = {name: f"*{TYPES[shape.dtype]}" if name in ARRAYS else "constexpr" for name in names}
    aligned = {(number,): [["tt.divisibility", 16]] for number, name in enumerate(names) if name in ARRAYS}
    source = ASTSource(function, signature=types, constexprs=dict(values), attrs=aligned)
    where = GPUTarget("cuda", int(target[3:]), 32) if target.startswith("sm_") else GPUTarget("hip", target, 64)
    return triton.compile(source, target=where, options={name: config[name] for name in ("num_warps", "num_stages")})


def of_nvidia(kernel):
    """Return the resources of a cubin and its instructions."""
    (usage,) = disassemble.usage(kernel.asm["cubin"])
    ptx = kernel.asm["ptx"]
    return {
        "registers": usage.registers,
        "spilled": usage.stack_bytes,
        "matrix": ptx.count("wgmma.mma_async") + len(re.findall(r"\bmma\.sync", ptx)),
        "copies": ptx.count("cp.async.ca"),
    }


def of_amd(kernel):
    """Return the same of an AMD code object's listing."""
    text = kernel.asm["amdgcn"]
    numbers = {
        name: int(value) for name, value in re.findall(r"\.(\w+_count|private_segment_fixed_size):\s*(\d+)", text)
    }
    return {
        "registers": numbers["vgpr_count"],
        "spilled": numbers["private_segment_fixed_size"],
        "matrix": len(re.findall(r"\bv_mfma_", text)),
        "copies": 0,
    }


def told(target, chosen, sizes):
    """Return the facts of one entry."""
    sizes = {name: tuple(value) if isinstance(value, list) else value for name, value in sizes.items()}
    shape = replace(VIDEO, **sizes)
    config = best(shape) if chosen == "best" else NAIVE.replace(**chosen)
    kernel = compiled(target, config, shape)
    facts = of_nvidia(kernel) if "cubin" in kernel.asm else of_amd(kernel)
    return {**facts, "shared_bytes": kernel.metadata.shared}


if __name__ == "__main__":
    print(json.dumps([told(*entry) for entry in json.loads(sys.argv[1])]))
