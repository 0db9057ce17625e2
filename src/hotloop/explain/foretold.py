"""A predicted launch beside what was measured of it: where the two part shows what the model does not know."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from math import exp, log

from hotloop.explain.page import Row, Table
from hotloop.model.evidence import Evidence
from hotloop.predict.answer import Prediction
from hotloop.units import duration, percent, size

_TITLE = "predicted and measured"
_TIME = "gpu.duration_ns"
_AGREES = 1.25
"""Factor within which a predicted amount is called right: as far as half of the predictions of whole launches come."""


@dataclass(frozen=True, slots=True)
class Foretold:
    """A table, and what follows from it."""

    table: Table
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Line:
    what: str
    fact: str
    predicted: float
    blame: str
    """Parts of the machine that the model does not know, where prediction and measurement differ."""
    unit: str = ""

    def text(self, value: float) -> str:
        match self.unit:
            case "ns":
                return duration(value)
            case "B":
                return size(int(value))
            case "share":
                return percent(value)
        return f"{value:,.4g}"


def foretold(prediction: Prediction, evidence: Evidence) -> Foretold:
    """Return a prediction beside the facts that were measured of the same launch."""
    rows, apart = [], dict[_Line, str]()
    for line in _lines(prediction):
        measured = evidence.get(line.fact)
        if not isinstance(measured, float | int):
            rows.append(Row((line.what, line.text(line.predicted), "not counted", "")))
            continue
        factor = _factor(line, float(measured))
        rows.append(Row((line.what, line.text(line.predicted), line.text(float(measured)), f"{factor:.2f}")))
        if abs(log(factor)) > log(_AGREES):
            apart[line] = f"prediction of {line.what} is off by a factor {exp(abs(log(factor))):.2f}: {line.blame}"
    notes, time = list(apart.values()), evidence.get(_TIME)
    if isinstance(time, float | int):
        counted = any(evidence.get(line.fact) is not None for line in _lines(prediction) if line.fact != _TIME)
        notes.insert(0, _verdict(prediction, float(time), apart, counted=counted))
    return Foretold(
        Table(_TITLE, ("what", "predicted", "measured", "predicted / measured"), tuple(rows)),
        (*notes, *(f"prediction, do not trust: {doubt}" for doubt in prediction.doubts)),
    )


def _lines(prediction: Prediction) -> Iterator[_Line]:
    inside = prediction.time_ns - prediction.launch_ns
    yield _Line(
        "time of a launch, without its start", _TIME, inside,
        "clocks below the peak, waits of waves for each other, address translation and channels are not modelled", "ns",
    )  # fmt: skip
    yield _Line(
        "waves",
        "gpu.waves",
        prediction.waves,
        "the launch is not the one that was given with --grid, --workgroup and --arg",
    )
    yield _Line(
        "instructions of a wave", "gpu.insts_per_wave", prediction.wave_instructions,
        "the code, its arguments or the data are not those that were measured",
    )  # fmt: skip
    yield _Line(
        "hits of the first-level cache",
        "gpu.l1_hit_rate",
        prediction.l1_hit,
        "waves of other groups share the cache otherwise than evenly",
        "share",
    )
    yield _Line(
        "hits of the second-level cache",
        "gpu.l2_hit_rate",
        prediction.l2_hit,
        "groups run apart, or lines are evicted earlier than by least recent use",
        "share",
    )
    yield _Line(
        "bytes between the caches",
        "gpu.l2_bytes",
        prediction.l2_bytes,
        "reuse in the first-level cache is another than modelled",
        "B",
    )
    yield _Line(
        "bytes of device memory",
        "gpu.hbm_bytes",
        prediction.moved_bytes,
        "reuse between groups is another, or data were not in the caches before",
        "B",
    )


def _factor(line: _Line, measured: float) -> float:
    if line.unit == "share":  # shares near 1 differ in what they leave
        return max(1 - line.predicted, 0.01) / max(1 - measured, 0.01)
    return max(line.predicted, 1e-9) / max(measured, 1e-9)


def _verdict(prediction: Prediction, measured_ns: float, apart: Collection[_Line], *, counted: bool) -> str:
    inside = prediction.time_ns - prediction.launch_ns
    low, high = prediction.low_ns - prediction.launch_ns, prediction.high_ns
    where = "inside" if low <= measured_ns <= high else "outside"
    text = (
        f"predicted for {prediction.chip}: {duration(inside)} a launch ({duration(max(low, 0.0))} to {duration(high)}), bound by {prediction.bound}; "
        f"measured under the profiler: {duration(measured_ns)}, {where} the interval"
    )
    amounts = [line for line in apart if line.fact != _TIME]
    if where == "outside" or apart:
        reason = "the amounts that were counted agree, so it is rates or overlap that the model misses"
        unknown = "none of its amounts was counted, so whether amounts or rates are wrong is not known"
        text += "; its amounts differ, see below" if amounts else f"; {reason if counted else unknown}"
    return text
