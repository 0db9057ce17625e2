"""Entry point of a process that warms up one program and launches it repeatedly, for a profiler to wrap.

    python -m hotloop.engine.solo REQUEST.json

The process does nothing else, so everything that a profiler counts belongs to the program. If the profiler counts whole
processes, the request names two pipes by which counting is enabled after the warm-up. Prints the device times as JSON.
"""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Self

from hotloop.engine.bench import Bench
from hotloop.errors import HotloopError, UsageError
from hotloop.host.process import die_with_parent
from hotloop.model.codec import decode
from hotloop.model.program import Program
from hotloop.ports import Bound, BuildError, Dataset, LaunchError

MODULE = "hotloop.engine.solo"


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """A program that one process launches alone, under a profiler for example."""

    program: Program
    dataset: Dataset
    arena: str
    """Folder with the dataset's files."""
    device: str = ""
    """Part of the device's name, as in requests to the worker."""
    warmups: int = 3
    launches: int = 5
    control: str = ""
    """Pipe that takes ``enable`` and ``disable``; empty: the profiler counts launches itself."""
    answer: str = ""
    """Pipe on which the profiler acknowledges."""


def run(request: Request) -> list[float | None]:
    """Warm up, launch, and return the device time in ns of each counted launch, None if it is unknown.

    Raises:
        BuildError, LaunchError: the candidate failed.
        MachineError: there is no such device.
    """
    bench = Bench(Path(request.arena), request.device)
    program, dataset = request.program, request.dataset
    bound = bench.bind(program, dataset)
    fresh = any(slot.output and slot.input for slot in dataset.slots)
    for _ in range(request.warmups):
        bench.restore_outputs(program, dataset)
        _once(bound)
    spent: list[float | None] = []
    with _Switch(request.control, request.answer) as switch:
        for number in range(request.launches):
            if fresh and number:  # arrays that a kernel reads and writes are restored, so that values do not drift
                switch.off()
                bench.restore_outputs(program, dataset)
            switch.on()
            spent.append(_once(bound))
        switch.off()
    return spent


def _once(bound: Bound) -> float | None:
    bound.enqueue()
    return bound.finish()


class _Switch:
    """Tells a profiler when to count; without pipes it does nothing."""

    def __init__(self, control: str, answer: str) -> None:
        self._names, self._counting = (control, answer), False
        self._pipes: list[IO[str]] = []

    def __enter__(self) -> Self:
        if all(self._names):
            control, answer = (Path(name) for name in self._names)
            self._pipes = [control.open("w", encoding="utf-8"), answer.open(encoding="utf-8")]
        return self

    def __exit__(self, *_: object) -> None:
        for pipe in self._pipes:
            with contextlib.suppress(OSError):
                pipe.close()

    def on(self) -> None:
        """Start counting, unless counting has started already."""
        self._say("enable", counting=True)

    def off(self) -> None:
        """Stop counting."""
        self._say("disable", counting=False)

    def _say(self, word: str, *, counting: bool) -> None:
        if not self._pipes or self._counting == counting:
            return
        control, answer = self._pipes
        with contextlib.suppress(BrokenPipeError):  # the profiler has ended; the launches continue uncounted
            control.write(f"{word}\n")
            control.flush()
            answer.readline()
        self._counting = counting


@contextlib.contextmanager
def _told() -> Iterator[None]:
    """Turn every failure into one sentence and an exit code, as the command line does."""
    try:
        yield
    except BuildError as error:
        sys.exit(f"does not compile: {str(error).strip()[:2000]}")
    except (LaunchError, MemoryError) as error:
        sys.exit(f"cannot be launched: {str(error) or 'out of memory'}")
    except HotloopError as error:
        print(error, file=sys.stderr)  # noqa: T201 - a program of its own
        sys.exit(error.exit_code)


def read(path: Path) -> Request:
    """Return the request in a file. Raises UsageError."""
    try:
        return decode(json.loads(path.read_text(encoding="utf-8")), Request)
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} is no request: {error}; it is written by hotloop profile.") from error


def main() -> None:
    """Run the request that the command line names."""
    die_with_parent()
    with _told():
        if len(sys.argv) != 2:
            raise UsageError(f"give one file: python -m {MODULE} REQUEST.json.")
        spent = run(read(Path(sys.argv[1])))
        print(json.dumps({"device_ns": spent}))  # noqa: T201 - a program of its own


if __name__ == "__main__":
    main()
