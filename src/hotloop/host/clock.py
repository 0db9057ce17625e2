"""The system clock behind the `Clock` port, so that tests own time."""

from __future__ import annotations

import time
from datetime import UTC, datetime


class SystemClock:
    """Real time."""

    def monotonic_s(self) -> float:
        """Seconds on a clock that never goes back."""
        return time.monotonic()

    def utc(self) -> str:
        """Current UTC time, ISO 8601 with seconds."""
        return datetime.now(UTC).isoformat(timespec="seconds")
