"""The child process that verifies and times a ladder's rungs on an NVIDIA card, or only compiles them where there is none.

It answers questions in JSON: ``device``; ``compile`` (code of a rung, nothing launched); ``verify`` (against float64 on the
card, on fresh inputs and on sizes that no tile divides); ``pair`` (two contenders in A B B A rounds, as replays of CUDA graphs
whose calls rotate through more inputs than the second-level cache holds, and both results looked at again afterwards). A
contender is a rung or a peer. It may crash at any moment: nothing is kept here that the next question does not bring again.
"""

# ruff: noqa: ANN401 - PyTorch and Triton are not typed here
from __future__ import annotations

import base64
import ctypes
import fcntl
import os
import socket
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

from hotloop.app.ladder.card.bench import Array, Bench, Driver
from hotloop.host.process import die_with_parent, receive, send
from hotloop.model.problem import Work

Arrays = tuple[Any, ...]
Launch = Callable[[], object]

LOCK = "HOTLOOP_CARD_LOCK"
"""Variable with the file that is locked while the card is used, so that ladders which run at the same time take turns."""
_SAMPLE_MS = 3.0
_MOST_CALLS = 200
_L2_TIMES = 3
"""Rotated inputs hold this many times the second-level cache."""
_SHARED_LIMIT, _FREE_SHARED_BYTES = 8, 48 * 1024
"""CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, and what needs no asking: CUDA driver API."""
_SLOW_ROUND_MS = 120.0
"""Rounds that take longer are fewer."""
_FEW_ROUNDS = 10


class Card(Protocol):
    """What a family's module ``ladders/hopper.py`` offers; arrays are PyTorch's, the output last."""

    def shapes(self, sizes: Mapping[str, Any]) -> tuple[tuple[tuple[int, ...], str], ...]:
        """Return shape and type of every array."""

    def work(self, sizes: Mapping[str, Any]) -> Work:
        """Return useful operations and compulsory bytes."""

    def bind(
        self, shop: Any, kernel: str, config: Mapping[str, Any], sizes: Mapping[str, Any], arrays: Arrays
    ) -> Launch:
        """Return a launch with fixed arguments, which goes through the shop. Raises ValueError when it cannot be."""

    def expected(self, torch: Any, sizes: Mapping[str, Any], arrays: Arrays) -> Any:
        """Return float64 results with their bounds, as `error` wants them."""

    def error(self, torch: Any, sizes: Mapping[str, Any], arrays: Arrays, known: Any) -> float:
        """Return the largest error over its bound; infinite for NaN."""

    def peers(self, torch: Any, sizes: Mapping[str, Any]) -> dict[str, Callable[[Arrays], object]]:
        """Return what users would call instead, by name; its results are not looked at."""


# -- what kernels are launched with -----------------------------------------------------------------------------------


@dataclass
class Shop:
    """Launches on the card; remembers what was launched."""

    torch: Any
    multiprocessors: int
    binary: Mapping[str, Any] = field(default_factory=dict)
    """Of a rung in CUDA C++: path, entry, grid, threads, shared bytes."""
    entries: list[str] = field(default_factory=list)
    """Kernels of one call, in order."""
    made: list[Any] = field(default_factory=list)
    """Triton's compiled kernels of one call."""

    def empty(self, shape: tuple[int, ...], dtype: str) -> Any:
        """Return memory with any content."""
        return self.torch.empty(shape, dtype=getattr(self.torch, dtype), device="cuda")

    def zeros(self, shape: tuple[int, ...], dtype: str) -> Any:
        """Return memory full of zeros."""
        return self.torch.zeros(shape, dtype=getattr(self.torch, dtype), device="cuda")

    def clear(self, array: Any) -> None:
        """Fill an array with zeros, on the current stream."""
        array.zero_()

    def run(self, function: Any, grid: tuple[int, ...], *arguments: Any, **constants: Any) -> None:
        """Launch a kernel of Triton or Gluon."""
        made = function[grid](*arguments, **constants)
        self.made.append(made)
        self.entries.append(made.metadata.name)

    def program(self, *arguments: Any) -> Launch:
        """Return the launch of the rung's cubin; numbers are 32-bit integers."""
        function = _function(self.torch, self.binary)
        values = [ctypes.c_void_p(x.data_ptr()) if hasattr(x, "data_ptr") else ctypes.c_int32(x) for x in arguments]
        table = (ctypes.c_void_p * len(values))(*(ctypes.cast(ctypes.byref(v), ctypes.c_void_p) for v in values))
        grid, threads, shared = self.binary["grid"], int(self.binary["threads"]), int(self.binary["shared_bytes"])

        def launch() -> None:
            stream = ctypes.c_void_p(self.torch.cuda.current_stream().cuda_stream)
            _must(_cuda().cuLaunchKernel(function, *grid, threads, 1, 1, shared, stream, table, None), "launching")
            self.entries.append(self.binary["entry"])

        launch.keep = (values, arguments)  # type: ignore[attr-defined] # the driver reads `table`, which points into them
        return launch


def _cuda() -> Any:
    return ctypes.CDLL("libcuda.so.1")


def _must(status: int, what: str) -> None:
    if status:
        text = ctypes.c_char_p()
        _cuda().cuGetErrorString(status, ctypes.byref(text))
        raise RuntimeError(f"{what}: CUDA error {status}, {(text.value or b'?').decode()}")


def _function(torch: Any, binary: Mapping[str, Any]) -> ctypes.c_void_p:
    torch.zeros(1, device="cuda")  # the context exists from here on
    module, function = ctypes.c_void_p(), ctypes.c_void_p()
    _must(_cuda().cuModuleLoadData(ctypes.byref(module), Path(binary["path"]).read_bytes()), "loading the cubin")
    _must(_cuda().cuModuleGetFunction(ctypes.byref(function), module, binary["entry"].encode()), binary["entry"])
    shared = int(binary["shared_bytes"])
    if shared > _FREE_SHARED_BYTES:
        _must(_cuda().cuFuncSetAttribute(function, _SHARED_LIMIT, ctypes.c_int(shared)), f"{shared} B of shared memory")
    return function


@contextmanager
def alone(*, shared: bool = False) -> Iterator[None]:
    """Use the card while no other ladder times on it; what times nothing shares it. PyTorch is imported before."""
    for module in ("torch", "triton"):
        import_module(module)
    with Path(os.environ.get(LOCK, os.devnull)).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_SH if shared else fcntl.LOCK_EX)
        yield


# -- answers ----------------------------------------------------------------------------------------------------------


def answer(message: Mapping[str, Any]) -> dict[str, Any]:
    """Answer one question; what goes wrong comes back as ``failed``."""
    asked = {"device": _device, "compile": _compiled, "verify": _verified, "pair": _paired}
    try:
        return asked[message["ask"]](message)
    except Exception as error:  # noqa: BLE001 - driver, compiler and allocator raise whatever they like
        lines = str(error).splitlines()
        return {"failed": f"{type(error).__name__}: {lines[0] if lines else ''}"[:400]}


def _torch() -> Any:
    return import_module("torch")


def _device(_message: Mapping[str, Any]) -> dict[str, Any]:
    torch = _torch()
    if not torch.cuda.is_available() or torch.version.hip:
        return {"failed": "PyTorch sees no NVIDIA GPU"}
    found = torch.cuda.get_device_properties(0)
    version = ctypes.c_int()
    _must(_cuda().cuDriverGetVersion(ctypes.byref(version)), "driver version")
    tools = {"torch": torch.__version__, "cuda": torch.version.cuda, "triton": import_module("triton").__version__}
    return {
        "name": found.name, "target": f"sm_{found.major}{found.minor}", "multiprocessors": found.multi_processor_count,
        "driver": f"CUDA {version.value // 1000}.{version.value % 1000 // 10}", **tools,
    }  # fmt: skip


def _verified(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the largest error over its bound for each of some sizes, and the code of a Triton or Gluon kernel."""
    with alone(shared=True):
        return _judged(message)


def _judged(message: Mapping[str, Any]) -> dict[str, Any]:
    torch, card = _torch(), import_module(message["card"])
    errors: list[float] = []
    code: list[dict[str, Any]] = []
    entries: list[str] = []
    for number, (sizes, binary) in enumerate(zip(message["sizes"], message["binaries"], strict=True)):
        shop, arrays = opened(torch, binary), drawn(torch, card, sizes, int(message["seed"]) + number)
        launch = card.bind(shop, message["kernel"], message["config"], sizes, arrays)
        errors.append(_error(torch, card, sizes, arrays, launch, int(message["seed"]) + number))
        if not number:
            code, entries = [_code(made) for made in shop.made[: len(shop.made) // 2]], list(shop.entries)
    return {"errors": errors, "code": code, "entries": entries[: len(entries) // 2]}


_known: dict[str, Any] = {}
"""The reference of the last inputs, since many rungs solve one problem."""


def _error(torch: Any, card: Any, sizes: Mapping[str, Any], arrays: Arrays, launch: Launch, seed: int) -> float:
    """Call twice on a poisoned result, compare, and look whether inputs are as before."""
    before = [array.clone() for array in arrays[:-1]]
    results = []
    for _ in range(2):  # twice: what the first call left behind must not matter
        arrays[-1].fill_(float("nan"))
        launch()
        torch.cuda.synchronize()
        results.append(arrays[-1].clone())
    if not all(torch.equal(was, now) for was, now in zip(before, arrays[:-1], strict=True)):
        return float("inf")
    key = repr((card.__name__, sorted(sizes.items()), seed))
    if key not in _known:
        if len(_known) > 3:
            _known.clear()
        _known[key] = card.expected(torch, sizes, arrays)
    return max(float(card.error(torch, sizes, (*arrays[:-1], result), _known[key])) for result in results)


def opened(torch: Any, binary: Mapping[str, Any] | None) -> Shop:
    """Return what launches a rung on this card."""
    return Shop(torch, torch.cuda.get_device_properties(0).multi_processor_count, binary or {})


def drawn(torch: Any, card: Any, sizes: Mapping[str, Any], seed: int) -> Arrays:
    """Return normal inputs and a result full of NaN."""
    maker = torch.Generator(device="cuda").manual_seed(seed)
    *inputs, (shape, dtype) = card.shapes(sizes)
    made = [torch.randn(s, generator=maker, device="cuda").to(getattr(torch, name)) for s, name in inputs]
    return (*made, torch.full(shape, float("nan"), device="cuda", dtype=getattr(torch, dtype)))


def _code(made: Any) -> dict[str, Any]:
    return {
        "symbol": made.metadata.name,
        "cubin": base64.b64encode(made.asm["cubin"]).decode(),
        "shared_bytes": made.metadata.shared,
        "threads": 32 * made.metadata.num_warps,
    }


# -- time -------------------------------------------------------------------------------------------------------------


def _paired(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return ms per call of two contenders in A B B A rounds, and the error of both results afterwards."""
    with alone():
        return _timed(message)


def _timed(message: Mapping[str, Any]) -> dict[str, Any]:
    torch, card, sizes = _torch(), import_module(message["card"]), message["sizes"]
    sets = _sets(torch, card, sizes)
    replays = [_graphed(torch, _calls(torch, card, sizes, one, sets)) for one in message["contenders"]]
    for replay, _ in replays:
        _sample(torch, replay, 1)
    each_ms = [_sample(torch, replay, 1) for replay, _ in replays]
    rounds = int(message["rounds"]) if 2 * sum(each_ms) < _SLOW_ROUND_MS else _FEW_ROUNDS
    times: list[list[float]] = [[], []]
    for _ in range(rounds):
        for which in (0, 1, 1, 0):
            replay, count = replays[which]
            times[which].append(_sample(torch, replay, 1) / count)
    errors = [
        _after(torch, card, sizes, sets[0], replay) if one.get("kernel") else None
        for one, (replay, _) in zip(message["contenders"], replays, strict=True)
    ]
    return {"times_ms": times, "calls": [count for _, count in replays], "errors": errors}


def _sets(torch: Any, card: Any, sizes: Mapping[str, Any]) -> list[Arrays]:
    """Return enough inputs that the second-level cache holds a small part of them."""
    first = drawn(torch, card, sizes, 1000)
    each = sum(array.nbytes for array in first)
    cache = getattr(torch.cuda.get_device_properties(0), "L2_cache_size", 50 * 2**20)
    return [first] + [drawn(torch, card, sizes, 1000 + n) for n in range(1, max(2, -(-_L2_TIMES * cache // each)))]


def _calls(
    torch: Any,
    card: Any,
    sizes: Mapping[str, Any],
    contender: Mapping[str, Any],
    sets: Sequence[Arrays],
) -> list[Launch]:
    if not contender.get("kernel"):
        peer = card.peers(torch, sizes)[contender["peer"]]
        return [partial(peer, arrays) for arrays in sets]
    shop = opened(torch, contender.get("binary"))
    return [card.bind(shop, contender["kernel"], contender["config"], sizes, arrays) for arrays in sets]


def _graphed(torch: Any, calls: Sequence[Launch]) -> tuple[Launch, int]:
    """Return the replay of a graph of some calls, and how many; they rotate through the sets."""
    for call in calls:
        call()
    torch.cuda.synchronize()
    alone_ms = _sample(torch, lambda: [call() for call in calls], 1) / len(calls)
    count = max(len(calls), min(_MOST_CALLS, int(_SAMPLE_MS / max(alone_ms, 1e-3)) + 1))
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        for number in range(count):
            calls[number % len(calls)]()
    return partial(_replay, graph, tuple(calls)), count


def _replay(graph: Any, _calls: Sequence[Launch]) -> None:
    """Replay a graph; whoever holds this holds its calls, whose scratch memory and counters a graph does not keep."""
    graph.replay()


def _sample(torch: Any, call: Launch, count: int) -> float:
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for _ in range(count):
        call()
    end.record()
    end.synchronize()
    return float(begin.elapsed_time(end)) / count


def _after(torch: Any, card: Any, sizes: Mapping[str, Any], arrays: Arrays, replay: Launch) -> float:
    """Return the error of what was timed: the first set's result, after one more replay."""
    arrays[-1].fill_(float("nan"))
    replay()
    torch.cuda.synchronize()
    key = repr((card.__name__, sorted(sizes.items()), "timed"))
    if key not in _known:
        if len(_known) > 3:
            _known.clear()
        _known[key] = card.expected(torch, sizes, arrays)
    return float(card.error(torch, sizes, arrays, _known[key]))


def _compiled(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return the code that the kernels of a rung have on a target."""
    from triton.backends.compiler import GPUTarget
    from triton.runtime import driver

    card, sizes = import_module(message["card"]), message["sizes"]
    driver.set_active(Driver(GPUTarget("cuda", int(message["capability"]), 32)))
    bench, arrays = Bench(int(message["multiprocessors"])), tuple(Array(*form) for form in card.shapes(sizes))
    card.bind(bench, message["kernel"], message["config"], sizes, arrays)()
    return {"code": [_code(made) for made in bench.made], "triton": import_module("triton").__version__}


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
