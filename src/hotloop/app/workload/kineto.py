"""A trace of PyTorch's profiler: which operators ran with which shapes, and what the kernels that they launched took.

The trace must have shapes (``record_shapes=True``). A kernel belongs to the outermost known operator around its launch; on the
processor an operator's own time counts. What a compiled graph or a CUDA graph launches has no operator, which is said.
"""

from __future__ import annotations

import ast
import gzip
import shutil
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from hotloop.dispatch import observed
from hotloop.dispatch.observed import TRANSPARENT, Given, Operand, Seen
from hotloop.errors import HotloopError, UsageError
from hotloop.host import scratch
from hotloop.model.tally import Tally
from hotloop.profilers import jsontext

SOURCE = "a trace of torch.profiler"
_EVENTS, _DEVICES = ("traceEvents", "[]"), ("deviceProperties", "[]")
_ON_DEVICE = frozenset({"kernel", "gpu_memcpy", "gpu_memset"})
_LAUNCHES = frozenset({"cuda_runtime", "cuda_driver", "privateuse1_runtime"})
_DTYPES = {"float": "float32", "double": "float64", "c10::Half": "float16", "c10::BFloat16": "bfloat16"}
_NS = 1e3
"""Nanoseconds in a microsecond, the unit of the trace's times."""
_GELU = "the trace does not tell which form of GELU ran; the exact one is assumed"
Key = tuple[object, object]
"""Process and thread."""


@dataclass(slots=True)
class _Op:
    """One operator's span on a thread."""

    seen: Seen
    began: float
    ended: float
    known: bool
    kernels: float = 0.0
    """ns of the kernels that it launched."""
    inside: float = 0.0
    """ns of known operators inside of one that is not."""


@dataclass(slots=True)
class _Trace:
    """What of a trace counts."""

    ops: dict[Key, list[_Op]] = field(default_factory=lambda: defaultdict(list))
    launches: dict[object, tuple[Key, float]] = field(default_factory=dict)
    spans: dict[object, tuple[Key, float]] = field(default_factory=dict)
    """Where operators began, by their number, which a kernel names too: for kernels whose launch is not in the trace."""
    kernels: list[tuple[object, object, float]] = field(default_factory=list)
    """Number of the launch, of the operator, and ns."""
    device: str = ""
    shaped: bool = False


def unpacked(path: Path) -> Tally:
    """Return the calls of a trace that is packed with gzip. Raises UsageError."""
    with scratch.folder() as folder:
        plain = Path(folder, "trace.json")
        try:
            with gzip.open(path, "rb") as packed, plain.open("wb") as file:
                shutil.copyfileobj(packed, file)
        except (OSError, EOFError) as error:
            raise UsageError(f"{path} cannot be unpacked ({error}): it is damaged or cut off.") from None
        return read(plain, str(path))


def read(path: Path, called: str = "") -> Tally:
    """Return the calls of a trace. Raises UsageError where it is none, or has no shapes."""
    name = called or str(path)
    trace = _Trace()
    try:
        for place, item in jsontext.stream(path, frozenset({_EVENTS, _DEVICES})):
            _take(trace, item, device=place == _DEVICES)
    except HotloopError as error:
        raise UsageError(str(error).replace(str(path), name)) from None
    if not any(trace.ops.values()):
        raise UsageError(
            f"{name} has no operators of PyTorch: give a trace of torch.profiler, made by export_chrome_trace()."
        )
    if not trace.shaped:
        raise UsageError(f"{name} has no shapes: profile with torch.profiler.profile(record_shapes=True).")
    return _tally(trace)


def _take(trace: _Trace, event: Any, *, device: bool) -> None:  # noqa: ANN401 - JSON is dynamically typed
    if not isinstance(event, dict):
        return
    if device:
        trace.device = trace.device or str(event.get("name", ""))
        return
    kind, args = str(event.get("cat", "")).casefold(), event.get("args")
    if event.get("ph") != "X" or not isinstance(args, dict):
        return
    began, took = event.get("ts"), event.get("dur")
    if not isinstance(began, int | float) or not isinstance(took, int | float):
        return
    where = event.get("pid"), event.get("tid")
    if kind in _ON_DEVICE:
        trace.kernels.append((args.get("correlation"), args.get("External id"), took * _NS))
    elif kind in _LAUNCHES:
        trace.launches[args.get("correlation")] = where, began
    elif kind == "cpu_op":
        trace.shaped = trace.shaped or "Input Dims" in args
        name = str(event.get("name", ""))
        is_known = name in observed.readers()
        if args.get("External id") is not None:
            trace.spans[args["External id"]] = where, began
        trace.ops[where].append(_Op(Seen(name, _given(args)), began, began + took, is_known))


def _given(args: dict[str, Any]) -> tuple[Given, ...]:
    """Return an operator's arguments: tensors by shape, others as the trace writes them."""
    shapes, types = args.get("Input Dims") or [], args.get("Input type") or args.get("Input Types") or []
    strides, values = args.get("Input Strides") or [], args.get("Concrete Inputs") or []
    return tuple(
        _argument(shape, _at(types, i), _at(strides, i), _at(values, i)) for i, shape in enumerate(shapes)
    )  # fmt: skip


def _at(values: Any, index: int) -> Any:  # noqa: ANN401
    return values[index] if isinstance(values, list) and index < len(values) else None


def _argument(shape: Any, kind: Any, strides: Any, value: Any) -> Given:  # noqa: ANN401
    complete = isinstance(shape, list) and all(type(extent) is int for extent in shape)
    if complete and kind and kind not in ("Scalar", "ScalarList", "TensorList", "GenericList"):
        extents = tuple(shape)
        usable = (
            isinstance(strides, list)
            and len(strides) == len(extents)
            and all(type(extent) is int for extent in strides)
        )
        return Operand(
            extents, tuple(strides) if usable else observed.tight(extents), _DTYPES.get(str(kind), str(kind))
        )
    return _value(value)


def _value(text: Any) -> Given:  # noqa: ANN401
    if not isinstance(text, str) or not text:
        return None
    try:
        value = ast.literal_eval(text)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return text
    if isinstance(value, list):
        return tuple(value) if all(type(number) is int for number in value) else None
    return value if isinstance(value, bool | int | float | str) else None


def _tally(trace: _Trace) -> Tally:
    outer = {where: list(_outermost(ops)) for where, ops in trace.ops.items()}
    lost = _charge(trace, outer)
    on_device = bool(trace.kernels)
    calls = [call for ops in outer.values() for call in _calls(ops, on_device=on_device)]
    total = sum(ns for *_, ns in trace.kernels) if on_device else sum(ns for _, _, ns in calls)
    notes = []
    if on_device and lost:
        notes.append(
            f"{100 * lost / total:.1f} % of the kernels' time was launched outside of operators with shapes (CUDA graphs, compiled code)"
        )
    if any(seen.after == "gelu-erf" for seen, _, _ in calls):
        notes.append(_GELU)
    device = trace.device if on_device else "cpu"
    return Tally(
        source=SOURCE, device=device, lines=observed.summed(calls), total_ns=total or None, notes=tuple(notes)
    )  # fmt: skip


def _outermost(ops: list[_Op]) -> Iterator[_Op]:
    """Yield operators in the order of time: known ones that are inside no other known one, and outermost unknown ones."""
    enclosing: _Op | None = None
    outer: _Op | None = None
    for op in sorted(ops, key=lambda span: (span.began, -span.ended)):
        if enclosing is not None and op.began < enclosing.ended:
            continue
        inside = outer is not None and op.began < outer.ended
        if op.known:
            enclosing = op
            if inside and outer is not None:
                outer.inside += (op.ended - op.began) * _NS
            yield op
        elif not inside:
            outer = op
            yield op


def _charge(trace: _Trace, outer: dict[Key, list[_Op]]) -> float:
    """Add each kernel's time to the operator that launched it; return the time of those that none did."""
    begins = {where: [op.began for op in ops] for where, ops in outer.items()}
    lost = 0.0
    for correlation, number, ns in trace.kernels:
        where, at = trace.launches.get(correlation) or trace.spans.get(number) or ((None, None), 0.0)
        index = bisect_right(begins.get(where, []), at)
        around = [op for op in outer.get(where, [])[max(0, index - 2) : index] if op.began <= at <= op.ended]
        if around:
            around[-1].kernels += ns
        else:
            lost += ns
    return lost


def _calls(ops: list[_Op], *, on_device: bool) -> Iterator[tuple[Seen, int, float]]:
    """Yield calls with their times, an activation together with the product before it."""
    before: tuple[Seen, float] | None = None
    for op in ops:
        ns = op.kernels if on_device else (op.ended - op.began) * _NS - op.inside
        seen = op.seen if op.known else Seen(op.seen.name, ())
        if op.seen.name in TRANSPARENT:
            if ns and on_device:
                yield seen, 1, ns
            continue
        function = observed.activation(op.seen)
        if before is not None and function and _of(before[0], op.seen):
            yield replace(before[0], after=function), 1, before[1] + ns
            before = None
            continue
        if before is not None:
            yield before[0], 1, before[1]
        before = seen, ns
    if before is not None:
        yield before[0], 1, before[1]


def _of(product: Seen, after: Seen) -> bool:
    """Tell whether an activation has as many elements as the product before it has made."""
    reader, x = observed.readers().get(product.name), after.maybe(0)
    if reader is None or reader.made is None or x is None or product.after:
        return False
    try:
        return reader.made(product) == x.elements
    except ValueError:
        return False
