"""Compile one kernel for sm_90 and print what came of it: python compile_child.py hopper '{"config": [...], "act": 2}'."""

import json
import re
import sys
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource

from hotloop.host import disassemble
from hotloop.kernels.gemm import int4_jit
from hotloop.kernels.gemm_fp8.gluon import scaled_hopper as gluon_fp8
from hotloop.kernels.gemm_fp8.triton import scaled as fp8_jit

TARGET = GPUTarget("cuda", 90, 32)
COPY = "cp.async.bulk.tensor.2d.shared"


def tiles(rows, columns, element="bf16"):
    """Return the type of a descriptor of such blocks, with the widest swizzle."""
    size = 1 if element.startswith("fp8") else 2
    width = next(width for width in (128, 64, 32) if columns * size % width == 0)
    return f"tensordesc<{element}[{rows}, {columns}],{gl.NVMMASharedLayout(width, 8 * size)!r}>"


def weights4(rows, columns, splits, stages, element):
    """Return the kernel of 4-bit weights for aligned sizes."""
    pointers = {
        "a": element,
        "w": "u8",
        "scale": element,
        "c": element,
        "bias": element,
        "work": "fp32",
        "arrived": "i32",
    }
    types = {name: f"*{kind}" for name, kind in pointers.items()} | dict.fromkeys(("m", "n", "k", "stride"), "i32")
    constants = {"BM": rows, "BN": columns, "SPLITS": splits, "BIAS": True, "ACT": 2, "FAST": True}
    order = int4_jit.weights4.arg_names
    aligned = {(order.index(name),): [["tt.divisibility", 16]] for name in types if name != "m"}
    types = {name: types.get(name, "constexpr") for name in order}
    source = ASTSource(int4_jit.weights4, signature=types, constexprs=constants, attrs=aligned)
    return triton.compile(source, target=TARGET, options={"num_warps": 4, "num_stages": stages})


def eight(entry, rows, columns, depth, warps, stages, splits, exact):
    """Return a kernel of 8-bit floats with all its epilogue, for aligned sizes."""
    kernel = getattr(fp8_jit, entry)
    pointers = {"c": "bf16", "bias": "bf16", "scale_a": "fp32", "scale_b": "fp32", "work": "fp32", "arrived": "i32"}
    types = {name: f"*{kind}" for name, kind in pointers.items()} | dict.fromkeys("mnk", "i32")
    types |= {"a": f"tensordesc<fp8e4nv[{rows}, {depth}]>", "w": f"tensordesc<fp8e4nv[{columns}, {depth}]>"}
    if entry == "scaled":
        types["c"] = f"tensordesc<bf16[{rows}, {columns}]>"
    constants = {
        "BM": rows, "BN": columns, "BK": depth, "GROUP": 8, "PROGRAMS": 132, "SPLITS": splits, "ROWS": True,
        "COLUMNS": True, "EXACT": exact, "BIAS": True, "ACT": 2, "CHAIN": 1, "WIDEN": False,
    }  # fmt: skip
    order = kernel.arg_names
    plain = [name for name in order if types.get(name, "").startswith("*") or name in ("n", "k")]
    source = ASTSource(
        kernel,
        signature={name: types.get(name, "constexpr") for name in order},
        constexprs={name: value for name, value in constants.items() if name in order},
        attrs={(order.index(name),): [["tt.divisibility", 16]] for name in plain},
    )
    return triton.compile(source, target=TARGET, options={"num_warps": warps, "num_stages": stages})


def scaled_hopper(rows, columns, stages, exact):
    """Return the warp-specialized kernel of 8-bit floats with all its epilogue."""
    kernel, eight_bits = gluon_fp8.scaled_hopper, "fp8e4nv"
    types = {"a": tiles(rows, 128, eight_bits), "w": tiles(columns, 128, eight_bits), "c": tiles(rows // 2, 64)}
    types |= {"bias": "*bf16", "scale_a": "*fp32", "scale_b": "*fp32"} | dict.fromkeys("mnk", "i32")
    constants = {
        "GROUP": 8, "PROGRAMS": 132, "STAGES": stages, "BUFFERS": 1, "ROWS": True, "COLUMNS": True, "EXACT": exact,
        "BIAS": True, "ACT": 2, "CHAIN": 1,
    }  # fmt: skip
    types = {name: types.get(name, "constexpr") for name in kernel.arg_names}
    return triton.compile(
        GluonASTSource(kernel, signature=types, constexprs=constants), target=TARGET, options={"num_warps": 4}
    )


def around(ptx):
    """Return how many waits for the kernel before there are, and copies into shared memory before and after the last one."""
    before, _, after = ptx.rpartition("griddepcontrol.wait")
    return ptx.count("griddepcontrol.wait"), before.count(COPY), after.count(COPY)


def main():
    known = (weights4, eight, scaled_hopper)
    kernel = {one.__name__: one for one in known}[sys.argv[1]](**json.loads(sys.argv[2]))
    ptx, binary = kernel.asm["ptx"], kernel.asm["cubin"]
    (usage,) = disassemble.usage(binary)
    names = re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)", disassemble.sass(binary), re.MULTILINE)
    facts = {
        "registers": usage.registers,
        "stack_bytes": usage.stack_bytes,
        "shared_bytes": kernel.metadata.shared,
        "wgmma": ptx.count("wgmma.mma_async"),
        "places": {
            one: ptx.find(one)
            for one in ("griddepcontrol.wait", "cp.async.bulk.tensor", "ld.global", "st.global", "atom.")
        },
        "around_last_wait": around(ptx),
        "instructions": {name: names.count(name) for name in sorted(set(names))},
    }
    if len(sys.argv) > 3:
        Path(sys.argv[3]).write_text(ptx)
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
