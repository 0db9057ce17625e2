"""When whatever an engine is at is left, because the budget of a run is spent."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from math import inf
from time import monotonic

from hotloop.errors import SpentError


class Due:
    """A time of the monotonic clock; none at first."""

    def __init__(self) -> None:
        self._until_s = inf

    def after(self, limit_s: float) -> None:
        """Let the time be over in `limit_s` seconds; infinity: never."""
        self._until_s = monotonic() + limit_s

    def left_s(self) -> float | None:
        """Return what is left, None where there is no limit. Raises SpentError."""
        left_s = self._until_s - monotonic()
        if left_s <= 0:
            raise SpentError("the budget ended in the middle of this; give more with --budget.")
        return None if left_s == inf else left_s

    def within(self, limit_s: float) -> float:
        """Return a limit, or what is left where that is less. Raises SpentError."""
        left_s = self.left_s()
        return limit_s if left_s is None else min(limit_s, left_s)

    @contextmanager
    def waiting(self) -> Iterator[None]:
        """Turn a wait for something that took longer than what was left into SpentError."""
        try:
            yield
        except TimeoutError:
            raise SpentError("the budget ended while something was compiled; give more with --budget.") from None
