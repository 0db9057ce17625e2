"""Perfetto's binary traces, as ``rocprofv3 --output-format pftrace`` and rocprof-sys write them."""

from __future__ import annotations

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.formats.perfetto.wire import begins
from hotloop.profilers.source import Head


def _is_trace(head: Head) -> bool:
    return begins(head.raw)


FORMATS = (Format("Perfetto trace", _is_trace, Reader("formats.perfetto.trace")),)
