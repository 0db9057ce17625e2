"""Facts about time from the samples of a measurement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from hotloop.metrics.fact import absent, evidence, fact
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.model.outcome import Measured


def timing(
    measured: Measured, phases: Mapping[str, float], launch_ns: float | None, compute_units: int | None = None
) -> Evidence:
    """Return the ``time.*`` facts of a measurement, ``time.launch_share`` excepted (see `hotloop.metrics.launch`).

    Args:
        measured: raw samples.
        phases: device ns per call by phase, empty when the runtime has no such clock.
        launch_ns: wall time of an empty launch.
        compute_units: of the device, for the share of them that was busy.
    """
    return evidence((*_calls(measured, launch_ns), _helpers(phases), _busy(measured, compute_units)))


def _calls(measured: Measured, launch_ns: float | None) -> Iterator[Fact | Absent]:
    source = f"median of {len(measured.samples)} samples, {measured.conditions.mode}"
    yield fact("time.call_ns", measured.call_ns, Provenance.MEASURED, source)
    device_ns = measured.device_ns
    if device_ns is None:
        yield absent("time.device_ns", "the runtime has no device clock")
    else:
        yield fact("time.device_ns", device_ns, Provenance.MEASURED, source)
    if launch_ns is None:
        yield absent("time.launch_ns", "no empty launch was timed")
    else:
        yield fact("time.launch_ns", launch_ns, Provenance.MEASURED, "empty launch on this device")


def _helpers(phases: Mapping[str, float]) -> Fact | Absent:
    total = sum(phases.values())
    if total <= 0:
        return absent("time.helper_share", "the runtime gives no device time by phase")
    helpers = sum(spent for phase, spent in phases.items() if phase != "main")
    return fact("time.helper_share", helpers / total, Provenance.MEASURED, f"device time of {', '.join(phases)}")


def _busy(measured: Measured, compute_units: int | None) -> Fact | Absent:
    if measured.conditions.clock == "device":
        return absent("time.cpu_share", "the device's own clock decides; the host's CPU time says nothing about it")
    timed = [(s.cpu_ns, s.wall_ns) for s in measured.samples if s.cpu_ns is not None]
    wall_ns = sum(wall for _, wall in timed)
    if not wall_ns or not compute_units:
        return absent(
            "time.cpu_share", "no CPU time was recorded" if not wall_ns else "number of compute units unknown"
        )
    share = sum(cpu for cpu, _ in timed) / (wall_ns * compute_units)
    return fact("time.cpu_share", share, Provenance.MEASURED, f"{len(timed)} samples, {compute_units} compute units")
