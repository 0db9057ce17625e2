"""Compile one kernel for sm_90 and print what came of it: python compile_child.py gluon|jit '{"size": 128, ...}'."""

import json
import sys

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.experimental.gluon import language as gl
from triton.experimental.gluon._runtime import GluonASTSource

from hotloop.host import disassemble
from hotloop.kernels.attention.gluon import kernel as gluon
from hotloop.kernels.attention.plan import FEW, ROWS, Plain, config_for
from hotloop.kernels.attention.triton import kernel as jit


def specialized(size, causal, packed=False, cut=False):
    config = FEW[size] if cut else config_for(size)

    def tiles(rows):
        layout = gl.NVMMASharedLayout.get_default_for([1, 1, rows, size], gl.bfloat16)
        return f"tensordesc<bf16[1, 1, {rows}, {size}],{layout!r}>"

    types = {"q": tiles(ROWS), "k": tiles(config.keys), "v": tiles(config.keys), "o": tiles(ROWS), "scale": "fp32"}
    types |= dict.fromkeys(("batches", "heads_q", "group", "length_q", "length_k", "shift"), "i32")
    optional = {
        "tail": "*bf16", "tail_head": "i32", "tail_row": "i32", "lse": "*fp32", "lse_head": "i32",
        "starts_q": "*i32", "starts_k": "*i32",
    }  # fmt: skip
    constants = {
        "ROWS": ROWS, "GROUPS": config.groups, "BN": config.keys, "D": size, "STAGES": config.stages,
        "BAND": config.band, "OVERLAP": config.overlap, "STAGGER": config.stagger, "CAUSAL": causal,
        "VARLEN": packed, "LSE": packed, "SHARE": config.share, "DYNAMIC": config.resident,
        "REGISTERS": config.registers, "SPARE": config.spare, "CUT": cut,
    }  # fmt: skip
    if packed:
        types |= optional
    else:
        constants |= dict.fromkeys(optional)
    if not cut:
        constants |= {"split": 1}
    else:
        types |= {"split": "i32"}
        constants = {name: value for name, value in constants.items() if not name.startswith("lse")} | {"LSE": True}
        types |= {"lse": "*fp32", "lse_head": "i32"}
    if config.resident:
        types["counter"] = "*i32"
    else:
        constants["counter"] = None
    order = gluon.forward.arg_names
    types = {name: types.get(name, "constexpr") for name in order}
    source = GluonASTSource(gluon.forward, signature=types, constexprs=constants)
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options={"num_warps": 4})


def plain(size, causal):
    config = Plain()
    rows, keys = (f"tensordesc<bf16[1, 1, {n}, {size}]>" for n in (config.rows, config.keys))
    types = {"q": rows, "k": keys, "v": keys, "o": rows, "scale": "fp32"}
    types |= dict.fromkeys(("heads", "group", "length_q", "length_k"), "i32")
    constants = {"lse": None, "BM": config.rows, "BN": config.keys, "D": size, "CAUSAL": causal, "LSE": False}
    constants |= {"KEEP": True, "EXIT": True}
    types = {name: types.get(name, "constexpr") for name in jit.forward.arg_names}
    source = ASTSource(jit.forward, signature=types, constexprs=constants)
    options = {"num_warps": config.warps, "num_stages": config.stages}
    return triton.compile(source, target=GPUTarget("cuda", 90, 32), options=options)


def main():
    kernel = {"gluon": specialized, "jit": plain}[sys.argv[1]](**json.loads(sys.argv[2]))
    ptx = kernel.asm["ptx"]
    binary = kernel.asm["cubin"]
    (usage,) = disassemble.usage(binary)
    facts = {
        "registers": usage.registers,
        "stack_bytes": usage.stack_bytes,
        "waits": disassemble.sass(binary).count("WARPGROUP.DEPBAR"),
        "shared_bytes": kernel.metadata.shared,
        "wgmma": ptx.count("wgmma.mma_async"),
        "setmaxnreg": ptx.count("setmaxnreg"),
    }
    print(json.dumps(facts))


if __name__ == "__main__":
    main()
