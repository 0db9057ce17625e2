"""Analysing machine code: from what a person names to reports with occupancy and findings."""

from __future__ import annotations

from dataclasses import dataclass, replace

from hotloop.app.code import compiled, content, source
from hotloop.diagnose.code import Launched, judged
from hotloop.isa.kernels import Listed
from hotloop.isa.summary.annotate import Annotated, annotated
from hotloop.isa.summary.build import report, timing_of
from hotloop.isa.summary.model import KernelReport
from hotloop.isa.summary.nvidia import NvidiaTiming


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(compiled.Request):
    """What to read and analyse, and what only the launch knows."""

    launched: Launched = Launched()


def analyse(request: Request) -> tuple[KernelReport, ...]:
    """Return a report for every kernel that a request names.

    Raises:
        UsageError: nothing that can be read; the message is one sentence.
        MachineError: a tool that is needed is not installed.
    """
    listed = source.read(request)
    return tuple(judged(bare(item, sources=request.sources), request.launched) for item in listed)


def of_text(text: str, origin: str, target: str = "") -> tuple[KernelReport, ...]:
    """Return a report for every kernel of a listing that is no file; `target` is its processor where the text does not say.

    Raises:
        UsageError: the text is no listing.
    """
    listed = content.read(text.encode(), origin, target)
    return tuple(judged(bare(source.aimed(item, target)), Launched()) for item in listed)


def annotate(request: Request) -> tuple[Annotated, ...]:
    """Return every kernel that a request names line by line, compiled with debug lines. Raises as `analyse` does."""
    return tuple(
        annotated(item.function, _timing(item) or timing_of(item.function, item.source.dialect), item.listing)
        for item in source.read(replace(request, sources=True))
    )


def _timing(item: Listed) -> NvidiaTiming | None:
    return NvidiaTiming(item.scheduled) if item.scheduled else None


def bare(item: Listed, *, sources: bool = False) -> KernelReport:
    """Return what the code alone tells; with `sources` also where its instructions come from."""
    return report(item.function, item.source, _timing(item), item.listing if sources else "")
