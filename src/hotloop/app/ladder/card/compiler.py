"""The child process that compiles one Triton or Gluon program for an NVIDIA card that is not here; the compiler may abort it.

The program goes the way of a worker's: options parsed, the text run as a module, a value placed for every parameter. Types stand
in for PyTorch's, and a target for a card.
"""

# ruff: noqa: ANN401 - Triton is not typed here
from __future__ import annotations

import base64
from collections.abc import Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from hotloop.compilers.process import serve
from hotloop.drivers import jit as driver
from hotloop.drivers import torch as driver_torch
from hotloop.host import scratch
from hotloop.model.codec import decode
from hotloop.model.jit import parse
from hotloop.model.program import Launch, Program

_BYTES = {
    "bfloat16": 2, "float16": 2, "float32": 4, "int32": 4, "uint8": 1, "int8": 1, "float8_e4m3fn": 1, "float8_e5m2": 1,
}  # fmt: skip


class Type:
    """A type as Triton asks PyTorch's for it."""

    def __init__(self, name: str) -> None:
        self.name, self.itemsize = name, _BYTES[name]

    def __str__(self) -> str:
        return f"torch.{self.name}"


Type.__name__, Type.__module__ = "dtype", "torch"  # by which Triton knows a type without an array


class Card:
    """What Triton asks of a card when it only compiles."""

    def __init__(self, target: Any) -> None:
        self._target = target

    def get_current_target(self) -> Any:
        """Return the target that was asked for."""
        return self._target

    def get_current_device(self) -> int:
        """Return the first one."""
        return 0

    def get_current_stream(self, device: int = 0) -> int:
        """Return the default one."""
        return device


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the code of each launch of a program, or why there is none under ``failed``."""
    try:
        return _compiled(decode(message["program"], Program), int(message["capability"]))
    except Exception as error:  # noqa: BLE001 - whatever the compiler raises means that it refuses
        lines = str(error).splitlines()
        return {"failed": f"{type(error).__name__}: {lines[0] if lines else ''}"[:400]}


def _compiled(program: Program, capability: int) -> dict[str, Any]:
    from triton.backends.compiler import GPUTarget
    from triton.runtime import driver as runtime

    types = {name: Type(name) for name in _BYTES}
    driver_torch.torch_type = types.__getitem__  # type: ignore[assignment]
    runtime.set_active(Card(GPUTarget("cuda", capability, 32)))
    with scratch.folder() as folder:
        module = driver.loaded(program, parse(program.options), Path(folder))
        code = [_code(module, program, launch) for launch in program.launches]
    return {"code": code, "triton": import_module("triton").__version__}


def _code(module: driver.Module, program: Program, launch: Launch) -> dict[str, Any]:
    function, meta = driver.function(module, launch.entry), module.meta.seen_by(launch.entry)
    placed = driver.placed(function, module, launch, partial(driver.stand_in, meta))
    options = driver.compiler_options(module, program, launch)
    made = function.warmup(*placed.values(), grid=driver.grid(launch), **options)
    return {
        "symbol": made.metadata.name,
        "cubin": base64.b64encode(made.asm["cubin"]).decode(),
        "shared_bytes": made.metadata.shared,
        "threads": 32 * made.metadata.num_warps,
    }


if __name__ == "__main__":
    serve(answer)
