"""Measurement of a device's ceilings (FMA rate, copy bandwidth, launch cost) with the engine that times the candidates."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial
from importlib import import_module
from math import inf
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from hotloop.app.events import Notice, Stage
from hotloop.app.run.inputs.sizes import rotation_bytes
from hotloop.kernels.ceiling.opencl import CHAINS
from hotloop.model.codec import decode
from hotloop.model.device import Ceilings
from hotloop.model.dtype import item_bytes
from hotloop.model.kernel import Empty
from hotloop.model.language import language
from hotloop.model.subject import key
from hotloop.ports import BAND_BYTES, Executed, Timed, TimeRequest

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable
    from types import ModuleType

    from numpy.typing import NDArray

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.ports import Clock, Dataset

T = TypeVar("T")
COPY_ELEMENTS = 1 << 24
"""float32 elements that are copied: 64 MiB read and 64 MiB written, more than the caches of known CPUs hold."""
_GPU_COPY_ELEMENTS = 1 << 26
"""float32 elements copied on GPUs: 256 MiB each way, because GPUs have up to 256 MiB of last-level cache."""
_LEAST_COPIED_BYTES = 16 * 2**20
"""Fewer bytes are not copied for a call that moves fewer: what it takes is a launch's time, not the memory's."""
_WHOLE = 1024
"""The number of copied elements is a multiple of this, so that no kernel needs code for a remainder."""
_WIDE, _NARROW = (8, 16), (1, 4)
"""Vector widths at which the FMA rate is measured: those among which the best is expected, and others if time permits."""
_ROUNDS, _FEW_ROUNDS = 12, 3
"""Rounds of a measurement, and rounds after which the time limit is checked."""
_TIMINGS = len(_WIDE) + len(_NARROW) + 3
"""Number of measurements that share a time limit: FMA rates, copy, update in place, launch."""
_AGAIN = 3
"""Number of measurements that share the limit where ceilings are measured again."""
FIXED_POINT = 2.0
"""Value to which x ← 0.5·x + 1 converges; the result of the FMA kernel shows that its loop really ran."""


_STORED = {"bfloat16": "uint16", "tfloat32": "float32"}
"""How results of types are kept that NumPy has not; ``tfloat32`` is what matrix units make of single precision."""
_FASTEST_FIRST = ("bfloat16", "float16", "float32", "float64")
"""Floating-point types, in descending order of the rates of units that multiply them."""


def _programs(device: Device) -> ModuleType:
    """Return the module of `hotloop.kernels.ceiling` that measures devices of a backend: ``fma_rate``, ``copy``, ``empty``.

    A module may also have ``update``, which changes an array in place.
    """
    return import_module(f"hotloop.kernels.ceiling.{language(device.backend).ceiling}")


def dtype_of(problem: Problem, device: Device, arrays: Iterable[str] = ()) -> str:
    """Return the data type whose FMA rate limits a problem; without matrix units, 16-bit types compute in float32.

    If the problem names no type, as in users' files, the fastest type among `arrays`, the types of its arrays, is taken: a
    ceiling that is too low would make a correct kernel look impossible.
    """
    own = (
        ("float32", "float64", "float16", "bfloat16")
        if language(device.backend).matrix_units
        else ("float32", "float64")
    )
    named = problem.sizes.get("dtype")
    candidates = [str(named)] if named is not None else [dtype for dtype in _FASTEST_FIRST if dtype in set(arrays)]
    return next((dtype for dtype in candidates[:1] if dtype in own), "float32")


def of(desk: Desk, workload: Workload, limit_s: float = inf) -> Ceilings | None:
    """Return the ceilings of a workload on its device, in about `limit_s` seconds; None where they cannot be measured, or not in that time."""
    if limit_s <= 0:
        _late(desk)
        return None
    arrays = [slot.dtype for slot in workload.sets()[0].slots]
    work = workload.kernel.work(workload.problem)
    small = language(desk.device.backend).matrix_units and any(item_bytes(element) == 1 for element in arrays)
    counted = work.flops > 0 and not work.products
    if small and counted:
        return None  # matrix units multiply 8-bit types faster than anything measured here
    dtype = work.products or dtype_of(workload.problem, desk.device, arrays)
    moved = 0.0 if counted or desk.device.kind != "gpu" else work.bytes
    return measure(desk, dtype, limit_s, counted=counted, moved_bytes=moved)


def measure(
    desk: Desk, dtype: str = "float32", limit_s: float = inf, *, counted: bool = True, moved_bytes: float = 0.0
) -> Ceilings | None:
    """Return measured ceilings, recorded in the run's journal; None where they cannot be measured.

    Where no operations are `counted`, the FMA rate limits nothing, or is that of matrix units, and is measured at one width only. `moved_bytes`: what a call
    moves; the bandwidth is then that of copying as many, see `copy_bandwidth`.
    """
    if not language(desk.device.backend).ceiling or desk.device.interpreted:  # would take minutes and mean nothing
        return None
    what = f" of {moved_bytes:.0f} bytes" if moved_bytes else "" if counted else " of bytes"
    name = key(f"ceilings {dtype}{what}", desk.device.fingerprint)
    first, then = (_WIDE, _NARROW) if counted else (_WIDE[:1], ())
    measured = partial(_measure, desk, dtype, limit_s, first, then, moved_bytes)
    # under a key of its own: what is measured holds for an hour, not for an hour after it was used last
    earlier = desk.remember(f"earlier {name}", Ceilings | None, lambda: _known(desk, name))
    return earlier or desk.remember(name, Ceilings | None, measured)


def _known(desk: Desk, name: str) -> Ceilings | None:
    """Return what an earlier run measured; None where none did a short while ago. One that was disturbed is measured again where it is reached."""
    recorded = desk.earlier(name)
    try:
        earlier = recorded and decode(json.loads(recorded)["data"], Ceilings | None)  # type: ignore[arg-type]
    except (ValueError, TypeError, LookupError):
        return None
    if not earlier:
        return None
    desk.tell(Notice("this machine's ceilings are those of a run within the last hour; --fresh measures them"))
    return replace(earlier, source=f"{earlier.source} by an earlier run")


def _measure(
    desk: Desk, dtype: str, limit_s: float, first: tuple[int, ...], then: tuple[int, ...], moved_bytes: float
) -> Ceilings | None:
    desk.tell(Stage("measuring this machine's ceilings (FMA rate, copy bandwidth, launch cost)"))
    each_s, parts = limit_s / _TIMINGS, Parts(desk.clock, limit_s)
    measured = {width: parts.made(partial(fma_rate, desk, dtype, width, each_s)) for width in first}
    bandwidth = parts.made(partial(copy_bandwidth, desk, each_s, whole=False, moved_bytes=moved_bytes))
    if parts.left_out:  # by a part of them correct kernels would look impossible
        _late(desk)
        return None
    launch_ns = parts.made(partial(launch_cost, desk, each_s))
    updated = None if moved_bytes or bandwidth is None else parts.made(partial(_update_bandwidth, desk, each_s))
    measured |= {width: parts.made(partial(fma_rate, desk, dtype, width, each_s)) for width in then}
    rates = tuple(sorted((width, rate) for width, rate in measured.items() if rate))
    if not rates or bandwidth is None:
        desk.tell(Notice("ceilings could not be measured; there will be no roofline"))
        return None
    best = max(rate for _, rate in rates)
    return Ceilings(
        flops_per_s=best,
        bytes_per_s=max(bandwidth, updated or 0.0),
        launch_ns=launch_ns,
        flops_by_width=rates,
        dtype=dtype,
        source=f"measured on {desk.device.key}",
        copied_bytes=moved_bytes,
    )


def _late(desk: Desk) -> None:
    """Say that there are no ceilings."""
    desk.tell(Notice("the budget leaves no time for this machine's ceilings; there will be no roofline"))


class Parts:
    """Parts of a measurement within a limit: none is begun that would end beyond it if it took as long as the longest before it."""

    def __init__(self, clock: Clock, limit_s: float) -> None:
        self._clock, self._limit_s, self._began_s = clock, limit_s, clock.monotonic_s()
        self._longest_s, self.left_out = 0.0, False

    def made(self, make: Callable[[], T]) -> T | None:
        """Return what a part measures; None where there was no time for it, which is noted."""
        before_s = self._clock.monotonic_s()
        if before_s + self._longest_s - self._began_s > self._limit_s:
            self.left_out = True
            return None
        part = make()
        self._longest_s = max(self._longest_s, self._clock.monotonic_s() - before_s)
        return part


def peak(desk: Desk, ceilings: Ceilings, limit_s: float = inf) -> Ceilings:
    """Measure the ceilings again in about `limit_s` seconds, the FMA rate at its best width only, and return the higher values."""
    width = max(ceilings.flops_by_width, key=lambda row: row[1])[0]
    each_s, parts, moved_bytes = limit_s / _AGAIN, Parts(desk.clock, limit_s), ceilings.copied_bytes
    rate = parts.made(partial(fma_rate, desk, ceilings.dtype, width, each_s)) or 0.0
    bandwidth = parts.made(partial(copy_bandwidth, desk, each_s, moved_bytes=moved_bytes)) or 0.0
    return replace(
        ceilings,
        flops_per_s=max(ceilings.flops_per_s, rate),
        bytes_per_s=max(ceilings.bytes_per_s, bandwidth),
    )


def fma_rate(desk: Desk, dtype: str, width: int, limit_s: float = inf) -> float | None:
    """Return the FMA rate at one vector width in flop/s, or None when the kernel fails or computes nonsense."""
    made = _programs(desk.device).fma_rate(desk.device, dtype, width)
    if made is None:
        return None
    dataset = desk.engine.dataset(
        f"fma{dtype}{width}", {"out": Empty((made.items,), _STORED.get(dtype, dtype))}, ("out",)
    )
    try:
        ran = desk.engine.execute(made.program, dataset)
        if not isinstance(ran, Executed):
            return None
        out = _numbers(ran.arrays["out"][BAND_BYTES:-BAND_BYTES], dtype)
        if not np.allclose(out, FIXED_POINT * CHAINS * width, rtol=1e-2):
            return None
        call_ns = _best_ns(desk, made.program, limit_s, dataset)
        return None if call_ns is None else made.flops / (1e-9 * call_ns)
    finally:
        desk.engine.discard(dataset)


def copy_bandwidth(desk: Desk, limit_s: float = inf, *, whole: bool = True, moved_bytes: float = 0.0) -> float | None:
    """Return bytes read and written per second by a copy, or None if it fails.

    With `whole` an update in place is measured, too, and the higher bandwidth is returned. With `moved_bytes` as many are copied,
    in arrays that take turns as those of timed kernels do: a short call does not reach the bandwidth of a long one, whatever it
    computes, because its first and last programs have the memory to themselves.
    """
    if moved_bytes:
        return _copy_bandwidth(desk, limit_s, min(max(moved_bytes, _LEAST_COPIED_BYTES), 8.0 * _copied(desk.device)))
    copied = _copy_bandwidth(desk, limit_s)
    return copied if copied is None or not whole else max(copied, _update_bandwidth(desk, limit_s))


def _update_bandwidth(desk: Desk, limit_s: float) -> float:
    """Return bytes read and written per second by an update in place; 0 if there is no program for it, or it fails."""
    count, update = _copied(desk.device), getattr(_programs(desk.device), "update", None)
    program = update(desk.device, count) if update else None
    if program is None:
        return 0.0
    y = np.linspace(0, 1, count, dtype=np.float32)
    dataset = desk.engine.dataset("update", {"y": y}, ("y",))
    try:
        ran = desk.engine.execute(program, dataset)
        if not isinstance(ran, Executed) or not np.array_equal(
            ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32), np.float32(1) - y
        ):
            return 0.0
        call_ns = _best_ns(desk, program, limit_s, dataset)
        return 0.0 if call_ns is None else 2 * y.nbytes / (1e-9 * call_ns)
    finally:
        desk.engine.discard(dataset)


def _copy_bandwidth(desk: Desk, limit_s: float, moved_bytes: float = 0.0) -> float | None:
    count = _copied(desk.device) if not moved_bytes else -(-int(moved_bytes / 8) // _WHOLE) * _WHOLE
    x = np.arange(count, dtype=np.float32)
    turns = max(1, -(-rotation_bytes(desk.device) // (2 * x.nbytes))) if moved_bytes else 1
    datasets = [desk.engine.dataset(f"copy{turn}", {"x": x, "y": Empty((count,))}, ("y",)) for turn in range(turns)]
    try:
        program = _programs(desk.device).copy(desk.device, count)
        ran = desk.engine.execute(program, datasets[0])
        if not isinstance(ran, Executed):
            return None
        if not np.array_equal(ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32), x):
            return None
        call_ns = _best_ns(desk, program, limit_s, *datasets)
        return None if call_ns is None else 2 * x.nbytes / (1e-9 * call_ns)
    finally:
        for dataset in datasets:
            desk.engine.discard(dataset)


def _copied(device: Device) -> int:
    """Return how many float32 elements to copy: on a GPU at least four times its last-level cache, if that is known."""
    if device.kind != "gpu":
        return COPY_ELEMENTS
    elements = device.llc_bytes or _GPU_COPY_ELEMENTS  # of four bytes each
    return -(-min(max(elements, COPY_ELEMENTS), _GPU_COPY_ELEMENTS) // _WHOLE) * _WHOLE


def launch_cost(desk: Desk, limit_s: float = inf) -> float | None:
    """Return the wall time of an empty launch in a batch of launches, in ns, or None."""
    dataset = desk.engine.dataset("launch", {"out": Empty((16,))}, ())
    try:
        return _best_ns(desk, _programs(desk.device).empty(), limit_s, dataset, wall=True)
    finally:
        desk.engine.discard(dataset)


def _best_ns(desk: Desk, program: Program, limit_s: float, *datasets: Dataset, wall: bool = False) -> float | None:
    """Return the fastest call, because a ceiling is what the machine can do undisturbed.

    On a GPU its own clock decides, as it does for the candidates, unless `wall` time is asked for.
    """
    first = TimeRequest(programs=(program,), datasets=datasets, rounds=_FEW_ROUNDS, target_sample_ns=3e6)
    began_s = desk.clock.monotonic_s()
    timed = desk.engine.time(first)
    if not isinstance(timed, Timed):
        return None
    rounds, spent_s = list(timed.rounds), desk.clock.monotonic_s() - began_s
    if more := _ROUNDS - _FEW_ROUNDS if limit_s == inf else _more(spent_s, limit_s):
        again = desk.engine.time(replace(first, rounds=more, calls=timed.calls))
        rounds += again.rounds if isinstance(again, Timed) else ()
    samples = [sample for each in rounds for _, sample in each.samples]
    own = [sample.device_ns / sample.calls for sample in samples if sample.device_ns]
    return min(own) if own and desk.device.kind == "gpu" and not wall else min(sample.call_ns for sample in samples)


def _more(spent_s: float, limit_s: float) -> int:
    """Return how many more rounds fit into the limit, given the wall time of the first rounds.

    >>> _more(0.1, 1.0), _more(0.5, 1.0), _more(2.0, 1.0)
    (9, 3, 0)
    """
    return max(0, min(_ROUNDS - _FEW_ROUNDS, int(_FEW_ROUNDS * (limit_s - spent_s) / max(spent_s, 1e-3))))


def _numbers(raw: NDArray[np.uint8], dtype: str) -> NDArray[np.generic]:
    """Return bytes as numbers; a bfloat16 is the upper half of a float32."""
    if dtype != "bfloat16":
        return raw.view(_STORED.get(dtype, dtype))
    return (raw.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
