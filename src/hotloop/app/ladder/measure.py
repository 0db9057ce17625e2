"""The child process that runs a ladder's kernels on an AMD card, with PyTorch; it may crash at any moment.

It answers two questions, both as JSON: ``device`` (which card) and ``rungs`` (verify, then time in interleaved rounds). What a
family's arguments are and when a result is right, its own module says, see `Card`.
"""

from __future__ import annotations

import ctypes
import socket
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from hotloop.compilers.child import load
from hotloop.host.process import die_with_parent, receive, send

_CACHE_BYTES = 512 * 2**20
"""Rotated inputs, outputs included: twice the last-level cache of an MI300X (256 MiB, AMD CDNA 3 white paper)."""
_SAMPLE_MS = 4.0
_MOST_CALLS = 1000
_FUNCTION_ATTRIBUTE_SHARED = 8
"""hipFuncAttributeMaxDynamicSharedMemorySize: HIP's header ``hip_runtime_api.h``."""

Arguments = tuple[Any, ...]
Call = Callable[[Arguments], None]


class Card(Protocol):
    """What a family's module for cards offers; arrays are PyTorch's."""

    def inputs(self, torch: Any, problem: Mapping[str, Any], seed: int) -> Arguments:  # noqa: ANN401
        """Return the arguments of a launch, the poisoned output last."""

    def error(self, torch: Any, problem: Mapping[str, Any], arguments: Arguments) -> float:  # noqa: ANN401
        """Return the largest error of the output over its bound; infinite for NaN."""

    def launch(self, declared: Any, problem: Mapping[str, Any], arguments: Arguments) -> None:  # noqa: ANN401
        """Launch a kernel of Triton or Gluon; families whose rungs are code objects have no need of it."""


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one question; what goes wrong comes back as ``failed``."""
    try:
        return _device() if message["ask"] == "device" else _rungs(message)
    except Exception as error:  # noqa: BLE001 - driver, compiler and allocator raise whatever they like
        return {"failed": f"{type(error).__name__}: {error}"}


def _torch() -> Any:  # noqa: ANN401 - not typed, and only on machines with a card
    return import_module("torch")


def _device() -> dict[str, Any]:
    torch = _torch()
    if not torch.cuda.is_available() or not torch.version.hip:
        return {"failed": "PyTorch sees no AMD GPU"}
    found = torch.cuda.get_device_properties(0)
    return {"name": found.name, "target": found.gcnArchName.partition(":")[0]}


def _rungs(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return per round the ns of one call of each kernel, and each kernel's largest error over its bound."""
    torch, problem, card = _torch(), message["problem"], import_module(message["card"])
    calls = {kernel["name"]: _call(kernel, card, problem) for kernel in message["kernels"]}
    errors = {name: _error(torch, card, call, problem, int(message["seed"])) for name, call in calls.items()}
    if bad := [name for name, ratio in errors.items() if not ratio <= 1.0]:
        return {"errors": errors, "failed": f"wrong result: {', '.join(bad)}"}
    sets = _sets(lambda seed: card.inputs(torch, problem, seed))
    return {"errors": errors, "rounds": _timed(list(calls.values()), sets, int(message["rounds"]))}


def _error(torch: Any, card: Any, call: Call, problem: Mapping[str, Any], seed: int) -> float:  # noqa: ANN401
    arguments = card.inputs(torch, problem, seed)
    call(arguments)
    torch.cuda.synchronize()
    return float(card.error(torch, problem, arguments))


def _call(kernel: Mapping[str, Any], card: Any, problem: Mapping[str, Any]) -> Call:  # noqa: ANN401
    if "binary" in kernel:
        return _module(kernel)
    declared = load(Path(kernel["path"]), kernel["name"], kernel["language"])
    return lambda arguments: card.launch(declared, problem, arguments)


def _module(kernel: Mapping[str, Any]) -> Call:
    """Load a code object with the HIP runtime that PyTorch brought, and return its launch on PyTorch's stream."""
    hip = ctypes.CDLL(loaded("libamdhip64.so", Path("/proc/self/maps").read_text(encoding="utf-8")))

    def must(code: int, what: str) -> None:
        if code:
            hip.hipGetErrorString.restype = ctypes.c_char_p
            raise RuntimeError(f"{what}: {hip.hipGetErrorString(code).decode()}")

    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _torch().cuda.current_stream()  # the context exists from here on
    must(hip.hipModuleLoad(ctypes.byref(module), kernel["binary"].encode()), "loading the code object")
    must(hip.hipModuleGetFunction(ctypes.byref(function), module, kernel["entry"].encode()), kernel["entry"])
    shared = ctypes.c_uint(int(kernel["shared_bytes"]))
    if shared.value:
        must(hip.hipFuncSetAttribute(function, _FUNCTION_ATTRIBUTE_SHARED, ctypes.c_int(shared.value)), "dynamic LDS")
    grid = [ctypes.c_uint(extent) for extent in kernel["grid"]]
    threads = [ctypes.c_uint(extent) for extent in (int(kernel["threads"]), 1, 1)]

    def call(arguments: Arguments) -> None:
        pointers = [ctypes.c_void_p(array.data_ptr()) for array in arguments]
        table = (ctypes.c_void_p * len(pointers))(*(ctypes.cast(ctypes.byref(p), ctypes.c_void_p) for p in pointers))
        stream = ctypes.c_void_p(_torch().cuda.current_stream().cuda_stream)
        must(hip.hipModuleLaunchKernel(function, *grid, *threads, shared, stream, table, None), "launching")

    return call


def loaded(name: str, maps: str) -> str:
    """Return the path of a library that this process has loaded, from the text of its memory map, else the library's name.

    PyTorch's build for ROCm brings a runtime of its own in its folder: a second one would not know the first one's memory.
    """
    paths = [line.split(maxsplit=5)[5] for line in maps.splitlines() if f"/{name}" in line]
    return paths[0] if paths else name


def _sets(make: Callable[[int], Arguments]) -> list[Arguments]:
    """Return enough sets of arguments that no cache holds them all."""
    found = [make(0)]
    each = sum(array.nbytes for array in found[0])
    return found + [make(seed) for seed in range(1, max(2, -(-_CACHE_BYTES // each)))]


def _timed(calls: list[Call], sets: list[Arguments], rounds: int) -> list[list[float]]:
    """Return ns per call; the order of the kernels turns around every round, and inputs rotate."""
    counts = [_count(call, sets) for call in calls]
    found = []
    for number in range(rounds + 1):
        order = list(range(len(calls)))[:: 1 if number % 2 == 0 else -1]
        took = {at: _sample(calls[at], sets, counts[at], number) for at in order}
        found.append([took[at] for at in range(len(calls))])
    return found[1:]


def _count(call: Call, sets: list[Arguments]) -> int:
    _sample(call, sets, 2, 0)
    return max(1, min(_MOST_CALLS, int(_SAMPLE_MS * 1e6 / _sample(call, sets, 5, 0)) + 1))


def _sample(call: Call, sets: list[Arguments], count: int, first: int) -> float:
    torch = _torch()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for number in range(count):
        call(sets[(first + number) % len(sets)])
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) * 1e6 / count


def main() -> None:
    """Answer until the parent hangs up."""
    die_with_parent()
    channel = socket.socket(fileno=int(sys.argv[1]))
    while True:
        try:
            message = receive(channel)
        except EOFError:
            return
        send(channel, answer(message))


if __name__ == "__main__":
    main()
