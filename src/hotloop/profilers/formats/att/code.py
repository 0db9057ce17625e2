"""``code.json``: the traced code with executions, cycles and, where PC sampling was on, samples.

``header`` is a comma string of ten names, or a list of thirteen with PC sampling; columns are found by name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Final

from hotloop.model.evidence import Absent
from hotloop.profilers.formats.att.listing import kernels_of
from hotloop.profilers.jsontext import Json, integer_of, load
from hotloop.profilers.source import named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import Profile
from hotloop.profiles.trace import ThreadTrace, TracedInstruction, TracedKernel

_TEN: Final = ("ISA", "_", "LineNumber", "Source", "Codeobj", "Vaddr", "Hit", "Latency", "Stall", "Idle")
REASONS: Final = (
    "NONE", "NO_INSTRUCTION_AVAILABLE", "ALU_DEPENDENCY", "WAITCNT", "INTERNAL_INSTRUCTION", "BARRIER_WAIT", "ARBITER_NOT_WIN",
    "ARBITER_WIN_EX_STALL", "OTHER_WAIT", "SLEEP_WAIT",
)  # fmt: skip
"""Names of the ten numbers in ``Stall_Reasons``, in the order of the enumeration
``rocprofiler_pc_sampling_instruction_not_issued_reason_t`` of rocprofiler-sdk."""
_SAMPLED: Final = "only PC sampling was on: there are samples, no executions and cycles"

_STALLS: Final = "the file has none, or some below zero or longer than the latency that they are a part of"


def read(path: Path) -> Profile:
    """Return the traced code. Raises ProfileError."""
    trace, version = read_code(path)
    return Profile(tool="att", source=path.name, format="code (JSON)", tool_version=version, trace=trace,
                   absent=(*absences(trace), Absent("waves", "this file holds sums over waves; its folder holds the waves")))  # fmt: skip


def absences(trace: ThreadTrace) -> tuple[Absent, ...]:
    """Return what the code of a trace does not say."""
    if trace.sampled:
        return tuple(Absent(name, _SAMPLED) for name in ("hits", "latency_cycles", "stall_cycles"))
    timed = (i for k in trace.kernels for i in k.instructions if i.latency_cycles is not None)
    return (Absent("stall_cycles", _STALLS),) if any(i.stall_cycles is None for i in timed) else ()


def read_code(path: Path) -> tuple[ThreadTrace, str | None]:
    """Return the code as a trace without waves, and the decoder's version. Raises ProfileError."""
    content = load(path)
    rows = content.get("code") if isinstance(content, dict) else None
    if not isinstance(rows, list):
        raise ProfileError(f"{named(path)} has no list 'code': no thread trace, or a damaged one.")
    columns = _columns(content.get("header"))
    kernels = kernels_of(_rows(path, rows, columns))
    everything = [i for k in kernels for i in k.instructions]
    sampled = not any(i.hits or i.latency_cycles for i in everything) and any(
        i.samples_issued or i.samples_stalled for i in everything
    )
    version = content.get("version")
    trace = ThreadTrace(kernels=_without_counts(kernels) if sampled else kernels, sampled=sampled)
    return trace, version if isinstance(version, str) else None


def _columns(header: Json) -> dict[str, int]:
    if isinstance(header, str):
        names = tuple(name.strip() for name in header.split(","))
    elif isinstance(header, list):
        names = tuple(str(name).strip() for name in header)
    else:
        names = _TEN
    return {name.lower(): place for place, name in reversed(list(enumerate(names)))}


def _rows(path: Path, rows: list[Json], columns: dict[str, int]) -> Iterator[tuple[TracedInstruction, str]]:
    if not {"isa", "vaddr"} <= columns.keys():
        raise ProfileError(
            f"{named(path)} has a header without ISA and Vaddr: a version of the decoder that is not known."
        )
    for number, row in enumerate(rows):
        if not isinstance(row, list):
            raise ProfileError(f"{named(path)}, row {number} of 'code' is no list: the file is damaged.")
        cells = {name: row[place] if place < len(row) else None for name, place in columns.items()}
        line = integer_of(cells.get("linenumber"))
        source = cells.get("source")
        yield (
            TracedInstruction(
                line=number if line is None else line,
                text=str(cells["isa"] or "").strip(),
                address=integer_of(cells["vaddr"]) or 0,
                code_object=integer_of(cells.get("codeobj")),
                source=source if isinstance(source, str) else "",
                hits=integer_of(cells.get("hit")),
                latency_cycles=integer_of(cells.get("latency")),
                stall_cycles=integer_of(cells.get("stall")),
                idle_cycles=integer_of(cells.get("idle")),
                samples_issued=integer_of(cells.get("pc_issued")),
                samples_stalled=integer_of(cells.get("pc_stalled")),
                stall_reasons=_reasons(cells.get("stall_reasons")),
            ),
            source if isinstance(source, str) else "",
        )


def _reasons(counts: Json) -> dict[str, int]:
    if not isinstance(counts, list):
        return {}
    named_counts = ((REASONS[i] if i < len(REASONS) else f"reason {i}", integer_of(n)) for i, n in enumerate(counts))
    return {name: count for name, count in named_counts if count}


def _without_counts(kernels: tuple[TracedKernel, ...]) -> tuple[TracedKernel, ...]:
    """Turn the zeros of a trace that was not recorded into what they are: not known."""
    return tuple(
        replace(k, instructions=tuple(
            replace(i, hits=None, latency_cycles=None, stall_cycles=None, idle_cycles=None) for i in k.instructions
        ))
        for k in kernels
    )  # fmt: skip
