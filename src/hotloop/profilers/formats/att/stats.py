"""``stats_*.csv``: one row an instruction with its executions and cycles, summed over the traced waves.

The decoder writes ``CodeObj``, its documentation ``Codeobj``. Rows of the kernels' names have ``; `` before the name and
count 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.att.code import absences
from hotloop.profilers.formats.att.listing import kernels_of
from hotloop.profilers.tables.csvtext import Table, table
from hotloop.profiles.cell import integer
from hotloop.profiles.profile import Profile
from hotloop.profiles.trace import ThreadTrace, TracedInstruction

_COLUMNS = ("CodeObj", "Vaddr", "Instruction", "Hitcount", "Latency", "Stall", "Idle", "Source")


def read(path: Path) -> Profile:
    """Return the traced code. Raises ProfileError."""
    with table(path) as opened:
        kernels = kernels_of(_rows(opened))
        notes = tuple(opened.notes)
    absent: tuple[Absent, ...] = (
        Absent("waves", "statistics hold sums over waves; the ui_output folder holds the waves"),
    )
    if not kernels:
        absent = (
            *absent,
            Absent("instructions", "no wave ran on the traced compute unit: launch more waves, or trace another"),
        )
    trace = ThreadTrace(kernels=kernels)
    return Profile(tool="att", source=path.name, format="instruction statistics (CSV)", trace=trace,
                   absent=(*absent, *absences(trace)), notes=notes)  # fmt: skip


def _rows(opened: Table) -> Iterator[tuple[TracedInstruction, str]]:
    places = [opened.index(name) for name in _COLUMNS]
    for number, row in enumerate(opened.rows):
        code, address, text, hits, latency, stall, idle, source = (None if p is None else row[p] for p in places)
        yield (
            TracedInstruction(
                line=number,
                text=(text or "").strip(),
                address=_whole(address) or 0,
                code_object=_whole(code),
                source=(source or "").strip(),
                hits=_whole(hits),
                latency_cycles=_whole(latency),
                stall_cycles=_whole(stall),
                idle_cycles=_whole(idle),
            ),
            source or "",
        )


def _whole(text: str | None) -> int | None:
    return None if text is None else integer(text)
