"""Compile the program that an implementation plans for an H200 and print what came of it, without a GPU.

python compile_planned.py '{"family": "gemm_fp8", "implementation": "triton", "config": {...}, "sizes": {...}}'

`config` and `sizes` are changes of the implementation's start and of the family's default problem.
"""

import importlib
import json
import re
import sys
from pathlib import Path

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource

from hotloop import registry
from hotloop.host import disassemble
from hotloop.model.device import Device
from hotloop.model.jit import parse
from hotloop.model.program import Array

TARGET = GPUTarget("cuda", 90, 32)
H200 = Device(
    name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton", runtime_key="cuda", target="sm_90",
    compute_units=132, local_mem_bytes=232448, max_workgroup=1024,
)  # fmt: skip
TYPES = {
    "float8_e4m3fn": "fp8e4nv", "bfloat16": "bf16", "float16": "fp16", "float32": "fp32", "int32": "i32", "uint8": "u8",
}  # fmt: skip


def main():
    asked = json.loads(sys.argv[1])
    kernel = registry.load("hotloop.kernels", asked["family"], "KERNEL")
    made = kernel.implementation(asked["implementation"])
    config = made.start.replace(**asked["config"])
    assert made.space.violation(config) is None, made.space.violation(config)
    program = made.plan(kernel.problem.replace(**asked["sizes"]), config, H200)
    binary = compiled(program, program.main)
    ptx = binary.asm["ptx"]
    (usage,) = disassemble.usage(binary.asm["cubin"])
    sass = disassemble.sass(binary.asm["cubin"])
    names = re.findall(r"^\s+/\*[0-9a-f]+\*/\s+(?:@!?U?P\w+\s+)?([A-Z0-9_]+)", sass, re.MULTILINE)
    places = ("griddepcontrol.wait", "cp.async.bulk.tensor", "ld.global", "st.global", "atom.")
    facts = {
        "registers": usage.registers,
        "stack_bytes": usage.stack_bytes,
        "shared_bytes": binary.metadata.shared,
        "wgmma": ptx.count("wgmma.mma_async"),
        "places": {name: ptx.find(name) for name in places},
        "instructions": {name: names.count(name) for name in sorted(set(names))},
    }
    print(json.dumps(facts))


def compiled(program, launch):
    """Compile one launch's function for the types and numbers that it would be called with."""
    meta, function = parse(program.options), getattr(source_module(program), launch.entry)
    waiting, signature, constants, attributes = list(launch.arguments), {}, {}, {}
    unspecialized = {parameter.name for parameter in function.params if parameter.do_not_specialize}
    for place, name in enumerate(function.arg_names):
        if name in meta.values:
            signature[name], constants[name] = "constexpr", meta.values[name]
            continue
        given = waiting.pop(0)
        signature[name] = typed(meta, given)
        aligned = isinstance(given, Array) or (given.value % 16 == 0 and name not in unspecialized)
        if aligned and not signature[name].startswith("tensordesc"):
            attributes[(place,)] = [["tt.divisibility", 16]]
    assert not waiting
    options = {name: value for name, value in meta.values.items() if name not in function.arg_names}
    kind = GluonASTSource if program.language == "gluon" else ASTSource
    source = kind(function, signature=signature, constexprs=constants, attrs=attributes)
    return triton.compile(source, target=TARGET, options=options)


def typed(meta, given):
    """Return Triton's name of an argument's type."""
    if not isinstance(given, Array):
        return TYPES[given.dtype]
    element = TYPES[meta.dtypes[given.name]]
    if given.name not in meta.descriptors:
        return f"*{element}"
    described = meta.descriptors[given.name]
    layout = f",{eval(described.layout, vars(gl))!r}" if described.layout else ""
    return f"tensordesc<{element}[{', '.join(map(str, described.block))}]{layout}>"


def source_module(program):
    """Return the module that a program's source is the text of."""
    root = Path(importlib.import_module("hotloop").__file__).parent
    file = next(path for path in root.rglob(program.source_name) if path.read_text() == program.source)
    return importlib.import_module(".".join(("hotloop", *file.relative_to(root).with_suffix("").parts)))


if __name__ == "__main__":
    main()
