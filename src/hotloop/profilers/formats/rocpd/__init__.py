"""rocpd: rocprofv3's SQLite output."""

from __future__ import annotations

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head


def _is_rocpd(head: Head) -> bool:
    return head.raw.startswith(b"SQLite format 3\x00") and b"rocpd_" in head.raw


FORMATS = (Format("rocpd SQLite", _is_rocpd, Reader("formats.rocpd.records")),)
