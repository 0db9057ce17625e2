"""Which threads and processes of a program launched at the same time: the times of such launches overlap, so that their sum is no time of the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from hotloop.captures.nouns import Captured

Lane = tuple[int, str]
"""Process and thread."""


class Lanes:
    """When each thread launched, and what."""

    def __init__(self) -> None:
        self._spans: dict[Lane, tuple[int, int]] = {}
        self._of: dict[int, set[Lane]] = {}

    def add(self, kernel: int, process: int, spans_ns: Mapping[str, Sequence[int]]) -> None:
        """Take from when to when each thread of a process launched a kernel.

        Args:
            kernel: its place among those of the program.
            process: number of the process.
            spans_ns: beginning of the first launch and end of the last by thread, in ns of the same clock for all.
        """
        for thread, (first, last) in spans_ns.items():
            lane = process, thread
            began, ended = self._spans.get(lane, (first, last))
            self._spans[lane] = min(began, first), max(ended, last)
            self._of.setdefault(kernel, set()).add(lane)

    def told(self, at: int, kernel: Captured) -> Captured:
        """Return a kernel that says how many threads launched while one of its own did; as it is where nothing was told of it."""
        if at not in self._of:
            return kernel
        most = max(self._beside(lane) for lane in self._of[at])
        return replace(kernel, launches=tuple(replace(launch, threads=most) for launch in kernel.launches))

    def _beside(self, lane: Lane) -> int:
        """Return how many threads launched between the first and the last launch of one, itself among them."""
        first, last = self._spans[lane]
        return sum(began <= last and first <= ended for began, ended in self._spans.values())
