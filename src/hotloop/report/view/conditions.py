"""Under which circumstances a run was measured, as (name, text) pairs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop import units
from hotloop.model.outcome import Measured
from hotloop.report.plain import discreet

if TYPE_CHECKING:
    from hotloop.model.device import Ceilings, Device
    from hotloop.model.outcome import Conditions
    from hotloop.model.problem import Work
    from hotloop.report.view.record import RunRecord

Pairs = list[tuple[str, str]]


def gather(record: RunRecord) -> tuple[tuple[str, str], ...]:
    """Return device, runtime, ceilings, measurement mode, load and noise, then what the record adds or corrects, without passwords."""
    pairs = _device(record.device) + _ceilings(record.ceilings) + _work(record.work)
    pairs += _measurement(_winning(record)) + _noise(record.noise)
    merged = dict(pairs)
    merged.update(record.conditions)
    return tuple((name, discreet(text)) for name, text in merged.items() if text)


def _winning(record: RunRecord) -> Conditions | None:
    outcomes = [s.outcome for s in record.steps if s.index == record.winner]
    outcomes += [s.outcome for s in record.steps]
    return next((o.conditions for o in outcomes if isinstance(o, Measured)), None)


def _device(device: Device) -> Pairs:
    units_text = "hardware threads" if device.kind == "cpu" else "compute units"
    return [
        ("device", f"{device.name} ({device.kind}, {device.compute_units} {units_text})"),
        ("runtime", device.runtime),
        ("driver", device.driver),
        ("target", device.target),
        ("last-level cache", units.size(device.llc_bytes) if device.llc_bytes else ""),
    ]


def _ceilings(ceilings: Ceilings | None) -> Pairs:
    if ceilings is None:
        return [("ceilings", "not measured")]
    return [
        (f"{ceilings.dtype} FMA ceiling", f"{units.rate(ceilings.flops_per_s, 'FLOP/s')} ({ceilings.source})"),
        ("copy bandwidth", f"{units.rate(ceilings.bytes_per_s, 'B/s')} ({ceilings.source})"),
        ("empty launch", units.duration(ceilings.launch_ns) if ceilings.launch_ns is not None else ""),
    ]


def _work(work: Work) -> Pairs:
    return [
        ("work", f"{units.rate(work.flops, 'flop')}, {units.rate(work.bytes, 'B')} compulsory"),
        ("counted as", work.convention),
    ]


def _measurement(conditions: Conditions | None) -> Pairs:
    if conditions is None:
        return []
    load, cpu = conditions.load_average, conditions.cpu_share
    return [
        ("clock", conditions.clock),
        ("mode", conditions.mode),
        ("load average", f"{load:.2f}" if load is not None else ""),
        ("processor share", units.percent(cpu) if cpu is not None else ""),
        ("note", conditions.note),
    ]


def _noise(noise: float | None) -> Pairs:
    return [
        ("noise floor", f"± {units.percent(noise)} between identical variants" if noise is not None else "not measured")
    ]
