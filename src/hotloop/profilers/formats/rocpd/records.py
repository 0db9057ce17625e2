"""Dispatches, counters and device facts of a rocpd database.

Every table carries the run's identifier (``rocpd_kernel_dispatch_<uuid>``); one file may hold several runs. The file's
views would give the same joins, but a view is a query that somebody else wrote: only tables are read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.rocpd.callsums import calls
from hotloop.profilers.jsontext import integer_of
from hotloop.profilers.source import named
from hotloop.profilers.sqlitefile import Database, database, quoted
from hotloop.profilers.summary import Summary
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Calls, DeviceFact, Dispatch, Profile
from hotloop.targets.target import Target

_DISPATCHES: Final = re.compile(r"rocpd_kernel_dispatch((?:_[0-9A-Za-z_]{0,80})?)")
_LAUNCH: Final = (
    "id", "event_id", "dispatch_id", "agent_id", "pid", "kernel_id", "start", "end", "private_segment_size",
    "group_segment_size", "grid_size_x", "grid_size_y", "grid_size_z", "workgroup_size_x", "workgroup_size_y", "workgroup_size_z",
)  # fmt: skip
_SYMBOL: Final = ("id", "display_name", "kernel_name", "sgpr_count", "arch_vgpr_count", "accum_vgpr_count")
_AGENT: Final = ("id", "type", "absolute_index", "name", "product_name", "model_name", "vendor_name")
_REASONS: Final = {"counters": "the run collected no counters", "wave_size": "rocpd holds it in no column"}

Row = dict[str, object]


def read(path: Path) -> Profile:
    """Return what all runs in the file recorded. Raises ProfileError."""
    summary, facts, made = Summary(), list[DeviceFact](), list[Calls]()
    with database(path) as opened:
        runs = sorted(
            m[1] for t in opened.tables if (m := _DISPATCHES.fullmatch(t)) and "kernel_id" in opened.columns(t)
        )
        if not runs:
            raise ProfileError(f"{named(path)} has no table rocpd_kernel_dispatch: no database of rocprofv3.")
        for run in runs:
            agents = {_whole(row["id"]): row for row in opened.select("rocpd_info_agent" + run, _AGENT)}
            for dispatch in _dispatches(opened, run, agents):
                summary.add(dispatch)
            facts.extend(_facts(agents))
            made.extend(calls(opened, run))
    gpus = {f.value for f in facts if f.name == "name" and Target.of(f.value).amd}
    kernels = summary.kernels()
    absent = summary.absent(_REASONS) if kernels else (Absent("dispatches", "the run recorded no kernel"),)
    wal = path.with_name(path.name + "-wal")
    notes = (
        (f"{named(wal)} holds changes that the tool has not written back; they were not read",) if wal.is_file() else ()
    )
    return Profile(tool="rocpd", source=path.name, format="records (SQLite)", architecture=gpus.pop() if len(gpus) == 1 else None,
                   dispatches=summary.dispatches(), kernels=kernels, span_ns=summary.span_ns(), calls=tuple(made), facts=tuple(facts), absent=absent,
                   notes=notes)  # fmt: skip


def _dispatches(opened: Database, run: str, agents: dict[int | None, Row]) -> Iterator[Dispatch]:
    symbols = {_whole(row["id"]): row for row in opened.select("rocpd_info_kernel_symbol" + run, _SYMBOL)}
    processes = {_whole(r["id"]): _whole(r["pid"]) for r in opened.select("rocpd_info_process" + run, ("id", "pid"))}
    names = {_whole(r["id"]): str(r["name"]) for r in opened.select("rocpd_info_pmc" + run, ("id", "name"))}
    counted = _Counted(_events(opened, run))
    for row in opened.select("rocpd_kernel_dispatch" + run, _LAUNCH, 'ORDER BY "event_id", "id"'):
        symbol = symbols.get(_whole(row["kernel_id"]), {})
        agent = agents.get(_whole(row["agent_id"]), {})
        start, end = _whole(row["start"]), _whole(row["end"])
        index = _whole(agent.get("absolute_index"))
        yield Dispatch(
            kernel=str(symbol.get("display_name") or symbol.get("kernel_name") or f"kernel {row['kernel_id']}"),
            dispatch_id=_whole(row["dispatch_id"]),
            device=None if index is None else f"Agent {index}",
            process_id=processes.get(_whole(row["pid"])),
            grid_items=_volume(row, "grid_size"),
            workgroup_items=_volume(row, "workgroup_size"),
            lds_bytes=_whole(row["group_segment_size"]),
            scratch_bytes=_whole(row["private_segment_size"]),
            vgprs=_whole(symbol.get("arch_vgpr_count")),
            agprs=_whole(symbol.get("accum_vgpr_count")),
            sgprs=_whole(symbol.get("sgpr_count")),
            start_ns=start,
            end_ns=end,
            duration_ns=float(end - start) if start is not None and end is not None and end > start else None,
            counters={names.get(pmc, f"counter {pmc}"): v for pmc, v in counted.of(_whole(row["event_id"])).items()},
        )


def _events(opened: Database, run: str) -> Iterator[tuple[int, int, float]]:
    """Yield (event, counter, sum over instances), in order of event."""
    table = "rocpd_pmc_event" + run
    if table not in opened.tables:
        return
    query = (
        f'SELECT "event_id", "pmc_id", sum("value") FROM {quoted(table)} WHERE "event_id" IS NOT NULL '  # noqa: S608 - quoted
        'GROUP BY "event_id", "pmc_id" ORDER BY "event_id"'
    )
    for event, pmc, value in opened.rows(query):
        if isinstance(event, int) and isinstance(pmc, int) and isinstance(value, int | float):
            yield event, pmc, float(value)


class _Counted:
    """Walks the counters beside the dispatches, both in order of event, holding one event's counters."""

    def __init__(self, events: Iterator[tuple[int, int, float]]) -> None:
        self._events = events
        self._next = next(events, None)
        self._last: tuple[int | None, dict[int, float]] = (None, {})

    def of(self, event: int | None) -> dict[int, float]:
        """Return an event's counters; events must be asked for in rising order."""
        if event is None or event == self._last[0]:
            return self._last[1] if event is not None else {}
        values: dict[int, float] = {}
        while self._next is not None and self._next[0] <= event:
            if self._next[0] == event:
                values[self._next[1]] = self._next[2]
            self._next = next(self._events, None)
        self._last = (event, values)
        return values


def _facts(agents: dict[int | None, Row]) -> Iterator[DeviceFact]:
    for row in agents.values():
        device = f"Agent {row['absolute_index']}"
        yield from (DeviceFact(device, n, str(row[n])) for n in _AGENT[1:] if row[n] not in (None, ""))


def _volume(row: Row, name: str) -> int | None:
    product = 1
    for axis in "xyz":
        side = _whole(row[f"{name}_{axis}"])
        if side is None:
            return None
        product *= side
    return product


def _whole(value: object) -> int | None:
    return integer_of(value)
