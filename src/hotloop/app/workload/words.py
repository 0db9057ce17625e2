"""What tuning a workload means for the whole program, as text and as JSON data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from hotloop import units
from hotloop.app import userfile
from hotloop.app.workload.order import Order, Shape
from hotloop.app.workload.outcome import Tuned, Whole
from hotloop.model.tally import Line
from hotloop.report import plain
from hotloop.report.words import NONE

ONCE = "; nothing is predicted, because it was called once and its time may be that of a first call"
_LEFT = 12
"""Shapes that are left out and named."""


def before(order: Order, seconds: float) -> str:
    """Return what will be tuned, at most how long that takes, and what not, with reasons."""
    rows = [
        f"{order.tally.source}: {units.counted(len(order.worth), 'shape')} to tune, at most {units.duration(1e9 * seconds)}"
    ]
    if order.worth:
        rows.append(f"{'share':>8} {'calls':>8} {'at most':>8}  shape")
    rows += [_planned(order, shape) for shape in order.worth]
    rows += [f"left out: {_named(shape)}: {plain.line(reason)}" for shape, reason in order.left[:_LEFT]]
    if len(order.left) > _LEFT:
        rows.append(f"left out: {len(order.left) - _LEFT} more shapes, which could gain less")
    foreign = _foreign(order.tally.lines)
    if foreign and order.tally.total_ns:
        share = sum(line.total_ns or 0.0 for line in foreign) / order.tally.total_ns
        rows.append(f"{units.percent(share)} of the time is in operations that hotloop has no kernel for")
    rows += [f"note: {plain.line(note)}" for note in order.tally.notes]
    if order.most is not None:
        rows.append(f"even if every shape reached its roofline, the whole would gain {units.percent(order.most)}")
    return "\n".join(rows)


def _foreign(lines: Sequence[Line]) -> list[Line]:
    return [line for line in lines if not line.family]


def _planned(order: Order, shape: Shape) -> str:
    program_ns = order.tally.total_ns
    share = NONE if shape.total_ns is None or not program_ns else units.percent(shape.total_ns / program_ns)
    most = NONE if shape.most_ns is None or not program_ns else units.percent(shape.most_ns / program_ns)
    return f"{share:>8} {NONE if shape.count is None else shape.count:>8} {most:>8}  {_named(shape)}"


def _named(shape: Shape) -> str:
    return f"{shape.problem.family} {userfile.brief(shape.kernel, shape.problem)}"


def tuned(one: Tuned) -> str:
    """Return one line about a shape that was tuned."""
    if not one.tried and not one.worth_it:
        return f"{_named(one.shape)}: {UNTRIED}"
    if one.winner_ns is None:
        return f"{_named(one.shape)}: nothing that works was found; it stays as it is"
    took = f"{units.duration(one.winner_ns)} a call ({one.run})"
    beside = f", {one.ratio:.2f} × {plain.line(one.rival)}" if one.ratio is not None else ""
    if one.speedup is None:
        return f"{_named(one.shape)}: {took}{beside}{ONCE if one.shape.count == 1 else ''}"
    gain = (
        f"the program's calls become {one.speedup:.2f} × as fast"
        if one.worth_it
        else "not worth it: what runs now is as fast"
    )
    return f"{_named(one.shape)}: {took}{beside}; {gain}"


def after(tuned: Sequence[Tuned], whole: Whole | None) -> str:
    """Return the prediction for the whole program, or why there is none."""
    if whole is None:
        return "No prediction for the whole: the workload tells no times."
    if not tuned:
        return "Not worth it: no shape of hotloop's families could gain enough of the whole."
    interval = f" ({whole.total_ns / whole.high_ns:.2f}–{whole.total_ns / whole.low_ns:.2f})"
    text = (
        f"Predicted for the whole: {units.duration(whole.total_ns)} → {units.duration(whole.after_ns)}, "
        f"{whole.speedup:.2f} × as fast{interval}, when hotloop's kernels take the calls that they win."
    )
    if whole.speedup >= 1 + WORTH:
        return text
    untried = sum(not row.tried for row in tuned)
    if untried:
        return f"Not known whether it is worth it: at {untried} of {len(tuned)} shapes {UNTRIED}. {text}"
    return f"Not worth it. {text}"


UNTRIED = "the budget ended before anything but the start was tried; give more with --budget"
WORTH = 0.02
"""Gain of the whole from which it is worth a change of the program: the margin of the project's verdicts."""


def as_json(order: Order, tuned: Sequence[Tuned], whole: Whole | None) -> dict[str, Any]:
    """Return the same as JSON data."""
    return {
        "source": order.tally.source,
        "device": order.tally.device,
        "total_ns": order.tally.total_ns,
        "at_most": order.most,
        "tuned": [
            {**_data(row.shape), "winner_ns": row.winner_ns, "run": row.run, "rival": row.rival, "ratio": row.ratio,
             "speedup": row.speedup, "gain_ns": row.gain_ns, "worth_it": row.worth_it, "tried": row.tried}
            for row in tuned
        ],
        "left_out": [{**_data(shape), "reason": reason} for shape, reason in order.left],
        "predicted": whole
        and {"after_ns": whole.after_ns, "speedup": whole.speedup, "low": whole.total_ns / whole.high_ns,
             "high": whole.total_ns / whole.low_ns, "worth_it": whole.speedup >= 1 + WORTH},
        "notes": list(order.tally.notes),
    }  # fmt: skip


def _data(shape: Shape) -> dict[str, Any]:
    return {
        "problem": shape.problem.key, "calls": shape.count, "total_ns": shape.total_ns, "floor_ns": shape.floor_ns,
        "at_most_ns": shape.most_ns,
    }  # fmt: skip
