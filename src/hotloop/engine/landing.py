"""Results of runs, copied from the files in which a worker leaves them.

Those of a large run on a GPU have a file of their own that stays mapped and pinned in the worker. There are few such files, but more than
one: while one is copied here, the worker fills another for the next candidate. What a file holds is never evidence by itself: nobody
looks at it before it is copied, and no later run is told to write to it until then. A later run that does so all the same, for the
pages are the device's to write, would make an earlier one's results right; so the worker notes some words of them before it goes on
(`layout.words`), and a copy that has others counts for nothing.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from hotloop.engine import answers, layout
from hotloop.engine.spare import Spare
from hotloop.model.outcome import LaunchFailed
from hotloop.ports import Executed

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.engine.answers import Answer, Failed
    from hotloop.host.arena import Arena
    from hotloop.model.program import Program
    from hotloop.ports import Dataset, Run, TimeRequest

_BESIDE_BYTES = 2**28
"""Most bytes of results for which there is more than one file."""
_ROOM = 4
"""A further file is begun where the arena has room for so many."""


@dataclass(frozen=True, slots=True)
class Landed:
    """An answer whose results lie in a file that nobody else uses yet."""

    landings: Landings
    runs: Sequence[Run]
    file: str
    answer: Answer

    def copied(self) -> tuple[Executed | Failed, ...]:
        """Return the results. Raises one of `answers.NONSENSE`."""
        seed, digest = self.answer["runs"][0]["seen"]
        return answers.executed(self.runs, partial(self.landings.read, seen=(seed, digest)), self.file, self.answer)


class Landings:
    """Hands out the files by name, and copies what lies in them."""

    def __init__(self, arena: Arena) -> None:
        self._arena, self._spare = arena, Spare()
        self._changed = threading.Condition()
        self._taken: set[str] = set()

    @contextmanager
    def taken(self, runs: Sequence[Run]) -> Iterator[str]:
        """Return a file for the results of a single run, which is nobody else's within the block; waits for one. Empty: for several runs.

        Who holds one must not wait for the worker, because whoever waits here may have it.
        """
        if len(runs) != 1:
            yield ""
            return
        size_bytes = layout.results(runs[0].program, runs[0].dataset).total_bytes
        with self._changed:
            while (name := self._free(size_bytes)) is None:
                self._changed.wait()
            self._taken.add(name)
        try:
            yield name
        finally:
            with self._changed:
                self._taken.discard(name)
                self._changed.notify_all()

    def given(self, runs: Sequence[Run], file: str, answer: Answer) -> tuple[Executed | Failed, ...] | Landed:
        """Return the results of runs, or the answer itself where the results lie in `file`. Raises one of `answers.NONSENSE`."""
        if file and answers.landed(runs, answer):
            return Landed(self, runs, file, answer)
        return answers.executed(runs, self.read, layout.RUNS, answer)

    def read(
        self, file: str, saved: Sequence[layout.Results], seen: layout.Seen | None = None
    ) -> list[dict[str, NDArray[np.uint8]]]:
        """Return copies of the arrays that runs left in a file. Raises ValueError where they are not what was `seen` there."""
        return layout.read(self._arena, file, saved, self._spare, seen)

    def timed(self, asked: TimeRequest | None, program: Program, dataset: Dataset) -> Executed | LaunchFailed:
        """Return the arrays that a timed call of the latest request left in a dataset whose index was in `judged`."""
        judged = () if asked is None else tuple(asked.datasets[number % len(asked.datasets)] for number in asked.judged)
        if asked is None or program not in asked.programs or dataset.name not in [kept.name for kept in judged]:
            return LaunchFailed("the program was not part of the last timing request")
        last = len(asked.programs) - 1 - asked.programs[::-1].index(program)
        file, saved = layout.timed_file(dataset, last), layout.results(program, dataset)
        try:
            return Executed(layout.read(self._arena, file, [saved])[0])
        except (OSError, ValueError) as error:
            return LaunchFailed(f"the results of the timed run cannot be read: {error}")

    def _free(self, size_bytes: int) -> str | None:
        names = layout.LANDED if self._beside(size_bytes) else layout.LANDED[:1]
        return next((name for name in names if name not in self._taken), None)

    def _beside(self, size_bytes: int) -> bool:
        """Tell whether such results may lie in more than one file."""
        if size_bytes > _BESIDE_BYTES:
            return False
        last = self._arena.path / layout.LANDED[-1]
        large = last.exists() and last.stat().st_size >= size_bytes
        return large or self._arena.free_bytes >= _ROOM * size_bytes
