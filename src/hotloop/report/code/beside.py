"""One kernel on several targets, side by side in one table."""

from __future__ import annotations

from collections.abc import Sequence

from hotloop.isa.summary.facts import spilled
from hotloop.isa.summary.model import KernelReport
from hotloop.report.section import Section
from hotloop.units import percent, size

_UNKNOWN = "–"


def table(reports: Sequence[KernelReport]) -> Section:
    """Return the table: a row for each figure, a column for each kernel and target."""
    several = len({report.kernel for report in reports}) > 1
    names = (f"{r.target}{f' {r.kernel}' if several else ''}" for r in reports)
    columns = [_column(report) for report in reports]
    rows = tuple((name, *(column[name] for column in columns)) for name in columns[0])
    return Section("", (), ("", *names), rows)


def _column(report: KernelReport) -> dict[str, str]:
    used, room, hot = report.resources, report.room.occupancy, report.hot
    tempo = hot.tempo
    bound = tempo.bound if tempo else None
    best = report.findings[0] if report.findings else None
    return {
        "vector registers": _number(
            used.vgprs if used and used.vgprs is not None else used.total_vgprs if used else None
        ),
        "accumulation registers": _number(used.agprs if used else None),
        "scalar registers": _number(used.sgprs if used else None),
        "spilled": _number(spilled(used) if used else None),
        "local memory": size(used.lds_bytes) if used and used.lds_bytes is not None else _UNKNOWN,
        "code": size(report.code_bytes) if report.code_bytes else _UNKNOWN,
        "waves": f"{room.waves} of {room.max_waves}" if room and room.launches else _UNKNOWN,
        "hot code, instructions": str(hot.instructions),
        "matrix or multiply-add": f"{hot.units} {hot.unit}" if hot.units else "0",
        "cycles, one wave alone": _number(tempo.alone_cycles if tempo else None),
        "of them standing still": _number(tempo.stall_cycles if tempo else None),
        "cycles per wave, bound": f"{bound.cycles:.4g}" if bound else _UNKNOWN,
        "bound by": bound.by if bound else _UNKNOWN,
        "carried chain, cycles": _number(tempo.carried_cycles if tempo else None),
        "largest finding": f"{best.rule} {percent(best.share)}" if best else "none",
    }


def _number(value: int | None) -> str:
    return _UNKNOWN if value is None else str(value)
