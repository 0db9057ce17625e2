"""The child process that runs the Gluon kernels of a ladder on an AMD card, with PyTorch; it may crash at any moment.

It answers two questions, both as JSON: ``device`` (which card) and ``rungs`` (verify, then time in interleaved rounds).
"""

from __future__ import annotations

import socket
import sys
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from hotloop.backends.offline._child import load
from hotloop.host.process import die_with_parent, receive, send

_CACHE_BYTES = 512 * 2**20
"""Rotated inputs, C included: twice the last-level cache of an MI300X (256 MiB, AMD CDNA 3 white paper)."""
_SAMPLE_MS = 4.0
_MOST_CALLS = 1000
_FACTOR = 4.0


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
    m, n, k = (int(message[name]) for name in "mnk")
    calls = {name: _launcher(message, name) for name in message["kernels"]}
    errors = {name: _error(call, m, n, k, int(message["seed"])) for name, call in calls.items()}
    if bad := [name for name, ratio in errors.items() if not ratio <= 1.0]:
        return {"errors": errors, "failed": f"wrong result: {', '.join(bad)}"}
    return {"errors": errors, "rounds": _timed(list(calls.values()), m, n, k, int(message["rounds"]))}


def _launcher(message: Mapping[str, Any], name: str) -> Callable[[Any, Any, Any], None]:
    declared = load(Path(message["path"]), f"{name}_{message['target']}", "gluon")
    constants = dict(declared.constexprs)

    def call(a: Any, b: Any, c: Any) -> None:  # noqa: ANN401 - torch is not typed here
        (m, k), n = a.shape, b.shape[1]
        grid = (-(-m // constants["M"]), -(-n // constants["N"]))
        sizes = (m, n, k, a.stride(0), b.stride(0), c.stride(0))
        declared.kernel[grid](a, b, c, *sizes, **constants, num_warps=declared.num_warps)  # type: ignore[index]

    return call


def _inputs(m: int, n: int, k: int, seed: int) -> tuple[Any, Any, Any]:
    torch = _torch()
    maker = torch.Generator(device="cuda").manual_seed(seed)
    a = torch.randn((m, k), generator=maker, device="cuda", dtype=torch.float16)
    b = torch.randn((k, n), generator=maker, device="cuda", dtype=torch.float16)
    return a, b, torch.full((m, n), float("nan"), device="cuda", dtype=torch.float32)


def _error(call: Callable[[Any, Any, Any], None], m: int, n: int, k: int, seed: int) -> float:
    """Return the largest error over 4 k eps |A||B| in float32, with a poisoned C; infinite for NaN."""
    torch = _torch()
    a, b, c = _inputs(m, n, k, seed)
    call(a, b, c)
    left, right = a.double(), b.double()
    bound = _FACTOR * k * torch.finfo(torch.float32).eps * (left.abs() @ right.abs())
    ratio = ((c.double() - left @ right).abs() / bound).max().item()
    return float(ratio) if ratio == ratio else float("inf")


def _timed(calls: list[Callable[[Any, Any, Any], None]], m: int, n: int, k: int, rounds: int) -> list[list[float]]:
    """Return ns per call; the order of the kernels turns around every round, and inputs rotate."""
    each = 2 * (m * k + k * n) + 4 * m * n
    sets = [_inputs(m, n, k, seed) for seed in range(max(2, -(-_CACHE_BYTES // each)))]
    counts = [_count(call, sets) for call in calls]
    found = []
    for number in range(rounds + 1):
        order = list(range(len(calls)))[:: 1 if number % 2 == 0 else -1]
        took = {at: _sample(calls[at], sets, counts[at], number) for at in order}
        found.append([took[at] for at in range(len(calls))])
    return found[1:]


def _count(call: Callable[[Any, Any, Any], None], sets: list[tuple[Any, Any, Any]]) -> int:
    _sample(call, sets, 2, 0)
    return max(1, min(_MOST_CALLS, int(_SAMPLE_MS * 1e6 / _sample(call, sets, 5, 0)) + 1))


def _sample(call: Callable[[Any, Any, Any], None], sets: list[tuple[Any, Any, Any]], count: int, first: int) -> float:
    torch = _torch()
    begin, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    begin.record()
    for number in range(count):
        call(*sets[(first + number) % len(sets)])
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
