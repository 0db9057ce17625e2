"""Limits on machine code for continuous integration: what is not known fails, with the reason."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import quote

from hotloop.diagnose.engine import rules
from hotloop.errors import MachineError, UsageError
from hotloop.isa.summary.facts import spilled
from hotloop.isa.summary.model import KernelReport, Site
from hotloop.model.finding import Finding
from hotloop.report.code import sarif

_GLOBAL = ("global loads", "copies to LDS", "copies to shared memory")
_LOCAL = ("LDS reads", "shared memory reads")
_EXPOSED = "exposed"


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
    """Missing waits: registers used too early, local memory writes in flight at a barrier; `--no-hazards` is 0."""
    max_finding: float | None = None
    """Share of the run time that the largest finding may explain."""


@dataclass(frozen=True, slots=True)
class Check:
    """One limit on one kernel."""

    kernel: str
    target: str
    origin: str
    limit: str
    """As an option without dashes, e.g. ``max-vgpr``."""
    bound: float
    value: float | None
    """None: not known."""
    passed: bool
    message: str
    """One sentence."""
    site: Site | None


@dataclass(frozen=True, slots=True)
class _Known:
    """What a limit is compared with."""

    value: float | None
    reason: str = ""
    """Why it is not known."""
    site: Site | None = None


def limits_of(path: Path) -> Limits:
    """Return the limits of a TOML file: ``max-vgpr = 128`` and so on, at the top or under ``[limits]``.

    Raises:
        UsageError: it cannot be read, or names an unknown limit or a value of the wrong kind.
    """
    try:
        data = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; give a TOML file with limits.") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} is no TOML: {error}.") from None
    table = data.get("limits", data)
    return _limits(table if isinstance(table, dict) else {}, path)


def _limits(table: Mapping[str, object], path: Path) -> Limits:
    known = {field.name for field in fields(Limits)}
    given: dict[str, Any] = {}
    for key, value in table.items():
        name = key.replace("-", "_")
        if name in ("no_spills", "no_hazards") and value is True:
            given["max" + name[2:]] = 0
            continue
        if name not in known:
            raise UsageError(
                f"{path}: {key!r} is no limit; known: {', '.join(sorted(n.replace('_', '-') for n in known))}."
            )
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise UsageError(f"{path}: {key} = {value!r} must be a number.")
        given[name] = value
    return replace(Limits(), **given)


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
    known = _MEASURES[name](report)
    limit = name.replace("_", "-")
    least = name.startswith("min_")
    passed = known.value is not None and (known.value >= bound if least else known.value <= bound)
    what = limit.partition("-")[2].replace("-", " ")
    if known.value is None:
        message = f"{report.kernel}: {what} is not known: {known.reason}"
    else:
        against = f"{'' if passed else 'but '}the limit is {'at least' if least else 'at most'} {bound:g}"
        message = f"{report.kernel}: {what} is {known.value:.4g}, {against}"
    return Check(report.kernel, report.target, report.origin, limit, bound, known.value, passed, message, known.site)


def _resource(name: str) -> Callable[[KernelReport], _Known]:
    def read(report: KernelReport) -> _Known:
        known = report.resources
        value = getattr(known, name) if known else None
        reason = report.why_no_resources or "the metadata do not state it"
        peak = next(
            (
                p.site
                for p in report.pressure
                if p.file == {"vgprs": "VGPR", "agprs": "AGPR", "sgprs": "SGPR"}.get(name)
            ),
            None,
        )
        return _Known(value, reason, peak)

    return read


def _vgprs(report: KernelReport) -> _Known:
    known = report.resources
    site = next((p.site for p in report.pressure if p.file in ("VGPR", "R")), None)
    if known is None:
        return _Known(None, report.why_no_resources)
    return _Known(known.vgprs if known.vgprs is not None else known.total_vgprs, "the metadata do not state it", site)


def _lds(report: KernelReport) -> _Known:
    known = report.resources
    if known is None:
        return _Known(None, report.why_no_resources)
    if report.room.bound_only and "local memory" in report.room.bound_only:
        return _Known(None, report.room.bound_only)
    return _Known(known.lds_bytes, "the metadata do not state it")


def _spills(report: KernelReport) -> _Known:
    known = report.resources
    if known is None:
        return _Known(None, report.why_no_resources)
    return _Known(spilled(known), "the metadata count no spills, and the kernel has private memory")


def _occupancy(report: KernelReport) -> _Known:
    room = report.room
    if room.occupancy is None:
        return _Known(None, room.why_not)
    if not room.occupancy.launches:
        return _Known(0.0)
    return (
        _Known(None, f"at most {room.occupancy.waves}: {room.bound_only}")
        if room.bound_only
        else _Known(room.occupancy.waves)
    )


def _exposed(groups: Sequence[str]) -> Callable[[KernelReport], _Known]:
    def count(report: KernelReport) -> _Known:
        hot = report.hot
        if hot.why_no_hiding:
            return _Known(None, hot.why_no_hiding)
        found = [h for h in hot.hiding if h.group in groups and h.verdict == _EXPOSED]
        return _Known(sum(h.operations for h in found), "", _first_wait(report))

    return count


def _first_wait(report: KernelReport) -> Site | None:
    return next((wait.site for wait in report.hot.waits if wait.blockers), None)


def _hot(read: Callable[[KernelReport], float | None], reason: str) -> Callable[[KernelReport], _Known]:
    return lambda report: _Known(read(report), reason, _first_wait(report))


def _serial(report: KernelReport) -> _Known:
    return _Known(None, report.hot.why_no_hiding) if report.hot.why_no_hiding else _Known(report.hot.serial_loads)


def _count(report: KernelReport, what: str) -> int:
    return next((c.count for c in report.hot.counts if c.what == what), 0)


def _hazards(report: KernelReport) -> _Known:
    if (
        report.hot.why_no_hiding
        and not report.hot.waits
        and report.hot.why_no_hiding != "straight-line code has no iterations"
    ):
        return _Known(None, report.hot.why_no_hiding)
    return _Known(len(report.hazards))


def _per_matrix(report: KernelReport) -> float | None:
    matrices = _count(report, "matrix")
    return report.hot.instructions / matrices if matrices else None


_MEASURES: Mapping[str, Callable[[KernelReport], _Known]] = {
    "max_vgpr": _vgprs,
    "max_agpr": _resource("agprs"),
    "max_sgpr": _resource("sgprs"),
    "max_lds": _lds,
    "max_scratch": _resource("scratch_bytes"),
    "max_spills": _spills,
    "min_occupancy": _occupancy,
    "max_exposed_loads": _exposed(_GLOBAL),
    "max_exposed_lds": _exposed(_LOCAL),
    "max_serial_loads": _serial,
    "max_barriers": _hot(lambda report: float(_count(report, "barrier")), ""),
    "max_instructions_per_matrix": _hot(_per_matrix, "the hot loop has no matrix instruction"),
    "min_matrix": _hot(lambda report: float(_count(report, "matrix")), ""),
    "max_code": lambda report: _Known(report.code_bytes, "the listing does not tell the code's size"),
    "max_hazards": _hazards,
    "max_finding": lambda report: _Known(max((finding.share for finding in report.findings), default=0.0)),
}


def write_sarif(path: Path, reports: Sequence[KernelReport], checks: Sequence[Check]) -> None:
    """Write broken limits as errors and findings as warnings. Raises MachineError when the file cannot be written."""
    from hotloop.version import VERSION

    failed = [check for check in checks if not check.passed]
    limits = dict.fromkeys(check.limit for check in failed)
    found = {finding.rule for report in reports for finding in report.findings}
    described = [sarif.Rule(name=f"gate/{name}", title=f"limit --{name}") for name in limits]
    described += [
        sarif.Rule(name=rule.name, title=rule.title, help=rule.doc.sentence("What to try"))
        for rule in rules()
        if rule.name in found
    ]
    results = [
        *map(_failure, failed),
        *(_finding(report, finding) for report in reports for finding in report.findings),
    ]
    text = json.dumps(sarif.render(described, results, VERSION), indent=2, ensure_ascii=False)
    try:
        path.write_text(text + "\n", encoding="utf-8")
    except OSError as error:
        raise MachineError(f"cannot write {path}: {error.strerror}; choose another path.") from None


def _failure(check: Check) -> sarif.Result:
    return sarif.Result(
        rule=f"gate/{check.limit}",
        level="error",
        message=check.message,
        file=_uri(check.origin),
        line=check.site.line if check.site else None,
        kernel=check.kernel,
    )


def _finding(report: KernelReport, finding: Finding) -> sarif.Result:
    first = next((wait.site.line for wait in report.hot.waits if wait.site.line), None)
    return sarif.Result(
        rule=finding.rule,
        level="warning",
        message=f"{report.kernel}: {finding.message}",
        file=_uri(report.origin),
        line=first,
        kernel=report.kernel,
    )


def _uri(origin: str) -> str:
    """Return a file's name as a URI reference; empty for what is no file."""
    return quote(origin) if Path(origin).is_file() else ""
