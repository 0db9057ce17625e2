"""Datasets of a run as every host can have them: in this machine's arena, and, for other machines, once each in the cluster's memory."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.engine import laying, layout
from hotloop.engine.ray.cluster import Joined
from hotloop.engine.ray.seat import SIGN
from hotloop.host.arena import Arena

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.ports import Dataset, Slot


class Shelf:
    """Lays datasets out; what is sent to many hosts goes to each machine once."""

    def __init__(self, cluster: Joined) -> None:
        self._cluster = cluster
        self._arena = Arena.create()
        self.sign = secrets.token_hex(16)
        """Content of a file in the arena: who can read it shares this machine's files."""
        (self.path / SIGN).write_text(self.sign, encoding="ascii")
        self._refs: dict[str, tuple[Dataset, tuple[Any, ...]]] = {}
        self._intact: dict[str, tuple[Slot, NDArray[np.uint8]]] = {}
        """By file: what lies there, mapped once, because each mapping costs a fault for every page that is read."""
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """The arena."""
        return self._arena.path

    def write(self, name: str, inputs: Inputs, outputs: Sequence[str], poison: int) -> Dataset:
        """Lay arrays out. Raises BadShapeError when they do not fit."""
        return laying.write(self._arena, name, inputs, outputs, poison)

    def refs(self, dataset: Dataset) -> tuple[Any, ...]:
        """Return what stands for the banded bytes of each slot in the cluster."""
        with self._lock:
            kept, refs = self._refs.get(dataset.name, (None, ()))
            if kept is not dataset:
                refs = tuple(self._cluster.put(np.fromfile(self.path / slot.file, np.uint8)) for slot in dataset.slots)
                self._refs[dataset.name] = dataset, refs
            return refs

    def whole(self, dataset: Dataset, left: Mapping[str, NDArray[np.uint8] | None]) -> dict[str, NDArray[np.uint8]]:
        """Return what a run left, with the arrays that it left as they were."""
        slots = {slot.name: slot for slot in dataset.slots}
        return {name: self._pristine(slots[name]) if array is None else array for name, array in left.items()}

    def discard(self, dataset: Dataset) -> None:
        """Free a dataset here and in the cluster's memory."""
        layout.remove(self._arena, dataset.name)
        with self._lock:
            self._refs.pop(dataset.name, None)
            for slot in dataset.slots:
                self._intact.pop(slot.file, None)

    def close(self) -> None:
        """Remove everything. Safe to call twice."""
        self._refs.clear()
        self._intact.clear()
        self._arena.remove()

    def _pristine(self, slot: Slot) -> NDArray[np.uint8]:
        with self._lock:
            kept, array = self._intact.get(slot.file, (None, None))
            if kept is not slot or array is None:
                array = layout.content(self.path / slot.file)
                array.flags.writeable = False
                self._intact[slot.file] = slot, array
            return array
