"""Triton's launcher on the executor: kernels of any package run on this CPU, on the tensors that its own host code gives them.

    import triton_on_cpu; triton_on_cpu.install()      # EMU_TARGET=gfx942; PyTorch and the package must be importable
    from liger_kernel.ops.rms_norm import LigerRMSNormFunction
    LigerRMSNormFunction.apply(x, w, 1e-6)             # compare with PyTorch's own; triton_on_cpu.RECORD has a row a launch

A kernel is compiled for the target, executed in two orders (two more where a race within a work-group is suspected) on the
tensors' memory, and its results are written back. A tuned kernel takes the first configuration whose local memory fits.
"""

from __future__ import annotations

import ctypes
import inspect
import os
import time

import numpy as np
import torch
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from triton.runtime import autotuner, jit

from hotloop.emulate.launch import Inside, Launch, run
from hotloop.emulate.machine import Options, Order
from hotloop.emulate.program import load
from hotloop.model.dtype import dtype_of
from hotloop.targets.target import Target

TARGET = os.environ.get("EMU_TARGET", "gfx942")
WAVE = Target.of(TARGET).wave_size
RECORD = []
KNOWN = {}
HOOK = None
TYPES = {
    torch.float32: "fp32",
    torch.float16: "fp16",
    torch.bfloat16: "bf16",
    torch.float64: "fp64",
    torch.int64: "i64",
    torch.int32: "i32",
    torch.int16: "i16",
    torch.int8: "i8",
    torch.uint8: "u8",
    torch.bool: "i1",
    torch.float8_e4m3fn: "fp8e4nv",
    torch.float8_e5m2: "fp8e5",
    torch.float8_e4m3fnuz: "fp8e4b8",
    torch.float8_e5m2fnuz: "fp8e5b16",
    torch.uint16: "u16",
    torch.uint32: "u32",
    torch.uint64: "u64",
}


class _Properties:
    gcnArchName = TARGET  # noqa: N815 - PyTorch's name
    multi_processor_count = 4
    name = "emulated"
    total_memory = 1 << 34
    warp_size = 64
    major = 9
    minor = 4
    shared_memory_per_block = 65536
    shared_memory_per_block_optin = 65536


FLOATS = {
    torch.float16: np.float16,
    torch.bfloat16: dtype_of("bfloat16"),
    torch.float32: np.float32,
    torch.float64: np.float64,
}
"""Types of arrays that are told to be of floats: copies of one sum may differ in their last bits there."""


def storage(t):
    s = t.untyped_storage()
    return np.frombuffer((ctypes.c_uint8 * s.nbytes()).from_address(s.data_ptr()), np.uint8)


def typed(array, t):
    size = t.element_size()
    n = array.nbytes // size * size
    kind = FLOATS.get(t.dtype) or {1: np.uint8, 2: np.uint16, 4: np.uint32, 8: np.uint64}[size]
    return array[:n].view(kind)


def unwrap(v):
    if hasattr(v, "value") and type(v).__name__ == "constexpr":
        return v.value
    return v


def execute(fn, grid, args, kwargs):  # noqa: C901 - one launch from beginning to end
    names = fn.arg_names
    accepted = {k: v for k, v in kwargs.items() if k in names}
    options = {
        k: v
        for k, v in kwargs.items()
        if k not in names and k in ("num_warps", "num_stages", "waves_per_eu", "matrix_instr_nonkdim", "kpack")
    }
    bound = inspect.signature(fn.fn).bind(*args, **accepted)
    bound.apply_defaults()
    signature, constexprs, attrs, values = {}, {}, {}, []
    for number, p in enumerate(fn.params):
        v = unwrap(bound.arguments[p.name])
        if hasattr(v, "__triton_tensor__"):
            pass
        if (
            p.is_constexpr
            or v is None
            or (isinstance(v, (int,)) and not isinstance(v, bool) and v == 1 and not p.do_not_specialize)
        ):
            signature[p.name] = "constexpr"
            constexprs[p.name] = v
        elif isinstance(v, torch.Tensor) or hasattr(v, "data_ptr"):
            signature[p.name] = "*" + TYPES[v.dtype]
            values.append((p.name, v))
            if v.data_ptr() % 16 == 0:
                attrs[(number,)] = [["tt.divisibility", 16]]
        elif isinstance(v, bool):
            signature[p.name] = "i1"
            values.append((p.name, np.bool_(v)))
        elif isinstance(v, float):
            signature[p.name] = "fp32"
            values.append((p.name, np.float32(v)))
        elif isinstance(v, int):
            wide = not -(1 << 31) <= v < (1 << 31)
            signature[p.name] = "i64" if wide else "i32"
            values.append((p.name, np.int64(v) if wide else np.int32(v)))
            if v % 16 == 0 and not p.do_not_specialize:
                attrs[(number,)] = [["tt.divisibility", 16]]
        else:
            signature[p.name] = "constexpr"
            constexprs[p.name] = v
    if callable(grid):
        meta = {**bound.arguments, **kwargs}
        grid = grid({k: unwrap(v) for k, v in meta.items()})
    grid = tuple(int(g) for g in (*grid, 1, 1)[:3])
    key = (fn.fn.__module__, fn.__name__, str(signature), str(constexprs), str(attrs), str(options))
    row = {"kernel": f"{fn.fn.__module__}.{fn.__name__}", "grid": grid}
    RECORD.append(row)
    if key not in KNOWN:
        row["new"] = True
        began = time.perf_counter()
        source = ASTSource(fn, signature=signature, constexprs=constexprs, attrs=attrs)
        try:
            made = triton.compile(source, target=GPUTarget("hip", TARGET, WAVE), options=options)
        except Exception as error:
            row["status"] = "not compiled"
            row["reason"] = f"{type(error).__name__}: {error}"[:300]
            raise RuntimeError("not compiled") from error
        row["compile_s"] = round(time.perf_counter() - began, 2)
        try:
            KNOWN[key] = made, load(made.asm["amdgcn"], made.metadata.name)
        except Exception as error:
            row["status"] = "not executed"
            row["reason"] = str(error)[:300]
            raise
    made, program = KNOWN[key]
    homes, arguments, back, label = {}, [], [], []
    for name, v in values:
        if isinstance(v, np.generic):
            arguments.append(v)
            label.append(name)
            continue
        s = v.untyped_storage()
        if s.data_ptr() not in homes:
            raw = storage(v)
            homes[s.data_ptr()] = typed(raw, v).copy() if raw.nbytes else np.zeros(1, np.uint8)
            back.append((len(arguments), raw))
        home = homes[s.data_ptr()]
        offset = v.data_ptr() - s.data_ptr()
        arguments.append(Inside(home, offset) if offset else home)
        label.append(name)
    launch = Launch(
        arguments=arguments,
        grid=grid,
        workgroup=(made.metadata.num_warps * WAVE, 1, 1),
        dynamic_lds_bytes=made.metadata.shared,
        names=label,
    )
    row["lds"] = made.metadata.shared
    if HOOK:
        row["tensors"], row["constants"] = [v for _, v in values], constexprs
        row["again"] = lambda: triton.compile(
            ASTSource(fn, signature=signature, constexprs=constexprs, attrs=attrs),
            target=GPUTarget("hip", TARGET, WAVE),
            options=options,
        )
        HOOK(made, program, launch, row)
        row.pop("tensors", None), row.pop("constants", None), row.pop("again", None)
    if 0 in grid:
        return
    began = time.perf_counter()
    options_ = Options(budget=int(os.environ.get("EMU_BUDGET", "30000000")))
    try:
        done = run(program, launch, options_)
        other = run(
            program, launch, Options(late=False, order=Order.DESCENDING, backwards=True, budget=options_.budget)
        )
    except Exception as error:
        row["status"] = "not executed"
        row["reason"] = str(error)[:300]
        raise
    if done.suspects:
        row["suspects"] = len(done.suspects)
        for o in (Order.ASCENDING, Order.DESCENDING):
            third = run(program, launch, Options(order=o, budget=options_.budget))
            if any(
                np.ascontiguousarray(x).tobytes() != np.ascontiguousarray(y).tobytes()
                for x, y in zip((unpack(v) for v in done.arrays), (unpack(v) for v in third.arrays), strict=False)
            ):
                row["moved"] = True
    row["execution_s"] = round(time.perf_counter() - began, 2)
    row["instructions"] = done.executed
    findings = [*done.findings, *other.findings]
    row["findings"] = [
        f"{f.trouble}: {f.text} (line {f.line}: {f.instruction}; {f.other_instruction})" for f in findings
    ][:6]
    row["notes"] = list(done.notes)[:3]
    row["status"] = "found" if findings else "clean"
    for number, raw in back:
        new = np.ascontiguousarray(unpack(done.arrays[number])).view(np.uint8)
        raw[: new.nbytes] = new
        if new.tobytes() != np.ascontiguousarray(unpack(other.arrays[number])).view(np.uint8).tobytes():
            row["moved"] = True


def unpack(v):
    return v.array if isinstance(v, Inside) else v


def _run(self, *args, grid, warmup=False, **kwargs):
    del warmup
    return execute(self, grid, args, kwargs)


def install():
    torch.version.hip = "6.4"  # packages ask for it before they choose sizes
    torch.cuda.get_device_properties = lambda *_: _Properties
    torch.cuda.get_device_capability = lambda *_: (9, 4)
    jit.JITFunction.run = _run

    def tuned(self, *args, **kwargs):
        self.nargs = dict(zip(self.arg_names, args, strict=False))
        config = self.configs[0]
        try:
            pruned = self.prune_configs(kwargs)
            config = pruned[0] if pruned else config
        except Exception:  # noqa: BLE001 - a package may prune as it likes
            pass
        last = None
        for configuration in [config, *self.configs][:12]:
            try:
                if configuration.pre_hook:
                    configuration.pre_hook({**self.nargs, **kwargs, **configuration.all_kwargs()})
                return self.fn.run(*args, **kwargs, **configuration.all_kwargs())
            except Exception as error:
                if "of local memory;" not in str(error):
                    raise
                RECORD.pop()
                last = error
        raise last

    autotuner.Autotuner.run = tuned
