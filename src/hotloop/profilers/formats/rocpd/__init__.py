"""rocpd: rocprofv3's SQLite output."""

from __future__ import annotations

import re

from hotloop.profilers.format import Format, Reader
from hotloop.profilers.source import Head
from hotloop.profilers.sqlitefile import holds

_TABLES = re.compile(r"rocpd_\w+")


def _is_rocpd(head: Head) -> bool:
    return holds(head, _TABLES)


FORMATS = (Format("rocpd SQLite", _is_rocpd, Reader("formats.rocpd.records")),)
