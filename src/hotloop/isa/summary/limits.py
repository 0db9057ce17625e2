"""Limits on machine code, as continuous integration sets them: what is not known fails, with the reason."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace

from hotloop.errors import UsageError
from hotloop.isa.summary.facts import GLOBAL_WAITS, LOCAL_WAITS, spilled
from hotloop.isa.summary.model import KernelReport, Site, Unstated

_EXPOSED = "exposed"
_UNSTATED = "the metadata do not state it"


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What a kernel may use and must reach; None: no limit. Names are those of the options."""

    max_vgpr: int | None = None
    max_agpr: int | None = None
    max_sgpr: int | None = None
    max_lds: int | None = None
    """Local memory of a work-group in bytes, static and as launched."""
    max_scratch: int | None = None
    """Private memory of a work-item in bytes."""
    max_spills: int | None = None
    """Vector registers; `--no-spills` is 0."""
    min_occupancy: int | None = None
    """Waves per SIMD on AMD, warps per SM on NVIDIA."""
    max_exposed_loads: int | None = None
    """Global loads and copies of the hot loop whose latency is exposed."""
    max_exposed_lds: int | None = None
    max_serial_loads: int | None = None
    max_barriers: int | None = None
    """Per iteration of the hot loop."""
    max_instructions_per_matrix: float | None = None
    min_matrix: int | None = None
    """Matrix instructions in the hot loop."""
    max_code: int | None = None
    """Machine code in bytes."""
    max_hazards: int | None = None
    """Missing waits: registers used too early or never written, local memory writes in flight at a barrier; `--no-hazards` is 0."""
    max_finding: float | None = None
    """Share of the run time that the largest finding may explain."""


@dataclass(frozen=True, slots=True)
class Check:
    """One limit on one kernel."""

    kernel: str
    target: str
    origin: str
    limit: str
    """Name of the option without dashes, e.g. ``max-vgpr``."""
    bound: float
    value: float | None
    """None: not known."""
    passed: bool
    message: str
    """One sentence."""
    site: Site | None


@dataclass(frozen=True, slots=True)
class _Measure:
    """What a limit is compared with: a property of the code."""

    value: float | None
    reason: str = ""
    """Why it is not known."""
    site: Site | None = None


def merged(base: Limits, over: Limits) -> Limits:
    """Return the limits of both; where both have one, the second's."""
    given = {field.name: value for field in fields(Limits) if (value := getattr(over, field.name)) is not None}
    return replace(base, **given)


def check(reports: Sequence[KernelReport], limits: Limits) -> tuple[Check, ...]:
    """Return every limit on every kernel. Raises UsageError when there is no limit."""
    chosen = [(field.name, bound) for field in fields(Limits) if (bound := getattr(limits, field.name)) is not None]
    if not chosen:
        raise UsageError("no limit is given; say e.g. --max-vgpr 128 --no-spills, or --limits FILE.")
    return tuple(_check(report, name, float(bound)) for report in reports for name, bound in chosen)


def _check(report: KernelReport, name: str, bound: float) -> Check:
    measure = _MEASURES[name](report)
    limit = name.replace("_", "-")
    least = name.startswith("min_")
    passed = measure.value is not None and (measure.value >= bound if least else measure.value <= bound)
    what = limit.partition("-")[2].replace("-", " ")
    if measure.value is None:
        message = f"{report.kernel}: {what} is not known: {measure.reason}"
    else:
        against = f"{'' if passed else 'but '}the limit is {'at least' if least else 'at most'} {bound:g}"
        message = f"{report.kernel}: {what} is {measure.value:.4g}, {against}"
    return Check(
        report.kernel, report.target, report.origin, limit, bound, measure.value, passed, message, measure.site
    )


_FILES = {"vgprs": "VGPR", "agprs": "AGPR", "sgprs": "SGPR"}
"""Register files by the name of the resource."""


def _resource(name: str) -> Callable[[KernelReport], _Measure]:
    def read(report: KernelReport) -> _Measure:
        value = getattr(report.resources, name) if report.resources else None
        reason = report.why_no_resources or _UNSTATED
        return _Measure(value, reason, _peak(report, _FILES.get(name, "")))

    return read


def _peak(report: KernelReport, *files: str) -> Site | None:
    """Return where most registers of a file are live."""
    return next((pressure.site for pressure in report.pressure if pressure.file in files), None)


def _vgprs(report: KernelReport) -> _Measure:
    used = report.resources
    if used is None:
        return _Measure(None, report.why_no_resources)
    vgprs = used.vgprs if used.vgprs is not None else used.total_vgprs
    return _Measure(vgprs, _UNSTATED, _peak(report, "VGPR", "R"))


def _lds(report: KernelReport) -> _Measure:
    used = report.resources
    if used is None:
        return _Measure(None, report.why_no_resources)
    if Unstated.LOCAL_MEMORY in report.room.unstated:
        return _Measure(None, report.room.bound_only)
    return _Measure(used.lds_bytes, _UNSTATED)


def _spills(report: KernelReport) -> _Measure:
    used = report.resources
    if used is None:
        return _Measure(None, report.why_no_resources)
    return _Measure(spilled(used), "the metadata count no spills, and the kernel has private memory")


def _occupancy(report: KernelReport) -> _Measure:
    room = report.room
    if room.occupancy is None:
        return _Measure(None, room.why_not)
    if not room.occupancy.launches:
        return _Measure(0.0)
    return (
        _Measure(None, f"at most {room.occupancy.waves}: {room.bound_only}")
        if room.bound_only
        else _Measure(room.occupancy.waves)
    )


def _exposed(groups: Sequence[str]) -> Callable[[KernelReport], _Measure]:
    def count(report: KernelReport) -> _Measure:
        hot = report.hot
        if hot.why_no_hiding:
            return _Measure(None, hot.why_no_hiding)
        exposed = sum(h.operations for h in hot.hiding if h.group in groups and h.verdict == _EXPOSED)
        return _Measure(exposed, "", _first_wait(report))

    return count


def _first_wait(report: KernelReport) -> Site | None:
    return next((wait.site for wait in report.hot.waits if wait.blockers), None)


def _hot(read: Callable[[KernelReport], float | None], reason: str) -> Callable[[KernelReport], _Measure]:
    return lambda report: _Measure(read(report), reason, _first_wait(report))


def _serial(report: KernelReport) -> _Measure:
    return _Measure(None, report.hot.why_no_hiding) if report.hot.why_no_hiding else _Measure(report.hot.serial_loads)


def _count(report: KernelReport, what: str) -> int:
    return next((c.count for c in report.hot.counts if c.what == what), 0)


def _hazards(report: KernelReport) -> _Measure:
    if report.why_no_waits and not report.unwritten:
        return _Measure(None, report.why_no_waits)
    return _Measure(len(report.hazards) + len(report.unwritten))


def _per_matrix(report: KernelReport) -> float | None:
    matrices = _count(report, "matrix")
    return report.hot.instructions / matrices if matrices else None


_MEASURES: Mapping[str, Callable[[KernelReport], _Measure]] = {
    "max_vgpr": _vgprs,
    "max_agpr": _resource("agprs"),
    "max_sgpr": _resource("sgprs"),
    "max_lds": _lds,
    "max_scratch": _resource("scratch_bytes"),
    "max_spills": _spills,
    "min_occupancy": _occupancy,
    "max_exposed_loads": _exposed(GLOBAL_WAITS),
    "max_exposed_lds": _exposed(LOCAL_WAITS),
    "max_serial_loads": _serial,
    "max_barriers": _hot(lambda report: float(_count(report, "barrier")), ""),
    "max_instructions_per_matrix": _hot(_per_matrix, "the hot loop has no matrix instruction"),
    "min_matrix": _hot(lambda report: float(_count(report, "matrix")), ""),
    "max_code": lambda report: _Measure(report.code_bytes, "the listing does not tell the code's size"),
    "max_hazards": _hazards,
    "max_finding": lambda report: _Measure(max((finding.share for finding in report.findings), default=0.0)),
}
