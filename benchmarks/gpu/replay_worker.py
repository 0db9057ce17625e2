"""A worker that also tells what its time for a request went into; `replay.py` puts it in the place of `hotloop.engine.worker`.

A part's time is its own: what runs inside another part does not count for that.
"""

from __future__ import annotations

import time
from collections import defaultdict
from functools import wraps

from hotloop.engine import rounds, worker
from hotloop.engine.bench import Bench

PARTS = (
    (Bench, "_adopt", "load"), (Bench, "build", "load"), (Bench, "bind", "bind"), (Bench, "restore", "restore"), (Bench, "save", "save"),
    (Bench, "spoil", "spoil"), (Bench, "poison", "poison"), (worker.Worker, "_run", "run"), (rounds, "clocked", "samples"),
    (rounds, "_calibrate", "calibrate"), (rounds, "_keep", "keep"), (rounds, "contender_of", "contenders"), (worker, "told", "encode"),
)  # fmt: skip
"""Functions and the part that each is."""
_spent_s: dict[str, float] = defaultdict(float)
_within_s: list[float] = []
"""Of each function that is under way, what others inside it took."""


def timed(function, part):
    """Return a function whose own time counts for a part."""

    @wraps(function)
    def run(*given, **named):
        began_s = time.perf_counter()
        _within_s.append(0.0)
        try:
            return function(*given, **named)
        finally:
            took_s = time.perf_counter() - began_s
            _spent_s[part] += took_s - _within_s.pop()
            if _within_s:
                _within_s[-1] += took_s

    return run


def answered(handle):
    """Return a worker's function that answers requests, with what it spent its time for in the answer."""

    @wraps(handle)
    def answer(self, message):
        _spent_s.clear()
        began_s = time.perf_counter()
        told = handle(self, message)
        whole_ms = 1e3 * (time.perf_counter() - began_s)
        parts_ms = {part: round(1e3 * spent_s, 3) for part, spent_s in _spent_s.items()}
        return {**told, "took_ms": {"whole": round(whole_ms, 3), **parts_ms}}

    return answer


def main() -> None:
    """Serve requests as the worker does."""
    for owner, name, part in PARTS:
        setattr(owner, name, timed(getattr(owner, name), part))
    worker.Worker.handle = answered(worker.Worker.handle)
    worker.main()


if __name__ == "__main__":
    main()
