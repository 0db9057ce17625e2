"""Arrays beside inaccessible pages for one run, so that a read out of bounds kills the worker instead of staying unnoticed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from hotloop.engine.bench import banded_area
from hotloop.ports import Buffer, Fencing, Run
from hotloop.verify.guards import make_scratch

if TYPE_CHECKING:
    from collections.abc import Iterator

    import numpy as np
    from numpy.typing import NDArray

    from hotloop.engine.bench import Bench


@runtime_checkable
class Sealing(Protocol):
    """Memory that can be made such that whoever writes it is ended."""

    def seal(self) -> None:
        """Let nobody write it from now on."""


def buffers(bench: Bench, asked: Run) -> dict[str, Buffer]:
    """Return all arrays and scratch areas of a run, loaded and fenced; empty if the backend cannot fence."""
    backend = bench.backend(asked.program.language)
    if not isinstance(backend, Fencing):
        return {}
    made: dict[str, Buffer] = {}
    read_only = {slot.name for slot in asked.dataset.slots if slot.input and not slot.output}
    for name, size_bytes, content in _contents(bench, asked):
        wanted = not asked.only or name == asked.only
        fenced = backend.fence(size_bytes, place=asked.fence) if wanted else backend.allocate(size_bytes)
        if fenced is None:
            return {}
        fenced.write(content)
        if wanted and name in read_only and isinstance(fenced, Sealing):
            fenced.seal()
        made[name] = fenced
    return made


def _contents(bench: Bench, asked: Run) -> Iterator[tuple[str, int, NDArray[np.uint8]]]:
    for slot in asked.dataset.slots:
        pristine = bench.pristine(slot.file)
        yield slot.name, pristine.nbytes, pristine
    for area in asked.program.scratch:
        yield area.name, banded_area(area), make_scratch(area.scratch_bytes, zeroed=area.zeroed)
