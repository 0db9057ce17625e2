"""The worker's bench: loaded backends, arrays on the device, programs bound to them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop import registry
from hotloop.engine import layout
from hotloop.engine.layout import SCRATCH
from hotloop.errors import MachineError
from hotloop.model.program import Program, Scratch
from hotloop.ports import BAND_BYTES, Backend, Bound, Buffer, Dataset
from hotloop.verify.guards import make_scratch

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray


class Bench:
    """What one worker holds between requests; everything can be rebuilt from the requests alone."""

    def __init__(self, arena: Path, device_name: str) -> None:
        self.arena = arena
        self.device_name = device_name
        self._backends: dict[str, Backend] = {}
        self._buffers: dict[tuple[str, str], dict[str, Buffer]] = {}
        self._bound: dict[tuple[str, str], Bound] = {}

    def adopt(self, language: str, backend: Backend) -> None:
        """Use a backend whose device has been selected."""
        self._backends[language] = backend

    def backend(self, language: str) -> Backend:
        """Return the backend of a language, its device selected."""
        if language not in self._backends:
            made: Backend = registry.load("hotloop.backends", language, "BACKEND")()
            made.select(self.device_name)
            self._backends[language] = made
        return self._backends[language]

    def discard(self, name: str) -> None:
        """Free the arrays of a dataset and everything bound to them."""
        self._bound = {key: value for key, value in self._bound.items() if key[1] != name}
        self._buffers = {key: value for key, value in self._buffers.items() if key[1] != name}

    def bind(self, program: Program, dataset: Dataset) -> Bound:
        """Return the program with the dataset's arrays as arguments; built and loaded once."""
        key = (program.fingerprint, dataset.name)
        if key not in self._bound:
            backend = self.backend(program.language)
            backend.build(program)
            arrays = dict(self._load(program.language, dataset))
            for scratch in program.scratch:
                arrays[scratch.name] = self._scratch(backend, program, dataset, scratch)
            self._bound[key] = backend.bind(program, arrays)
        return self._bound[key]

    def restore(self, program: Program, dataset: Dataset) -> None:
        """Bring every array that a kernel may have changed back to its pristine content."""
        buffers = self._load(program.language, dataset)
        for slot in dataset.slots:
            buffers[slot.name].write(self._pristine(slot.file))
        for scratch in program.scratch:
            buffers[_scratch_name(program, scratch)].write(make_scratch(scratch.scratch_bytes))

    def restore_outputs(self, program: Program, dataset: Dataset) -> None:
        """Like `restore`, for arrays marked as outputs only; inputs are left as they are."""
        buffers = self._load(program.language, dataset)
        for slot in dataset.slots:
            if slot.output:
                buffers[slot.name].write(self._pristine(slot.file))

    def save(self, program: Program, dataset: Dataset, tag: str = "") -> None:
        """Write every banded array to the arena, where `layout.results` says. Raises MachineError."""
        buffers = self._load(program.language, dataset)
        held = {SCRATCH + area.name: _scratch_name(program, area) for area in program.scratch}
        saved = layout.results(program, dataset, tag)
        whole = np.empty(saved.total_bytes, np.uint8)
        for name, place in saved.places.items():
            buffers[held.get(name, name)].read(whole[place])
        try:
            whole.tofile(self.arena / saved.file)
        except OSError as error:
            raise MachineError(f"cannot keep results in {self.arena}: {error}; free space there.") from error

    def _load(self, language: str, dataset: Dataset) -> dict[str, Buffer]:
        key = (language, dataset.name)
        if key not in self._buffers:
            backend = self.backend(language)
            loaded: dict[str, Buffer] = {}
            for slot in dataset.slots:
                pristine = self._pristine(slot.file)
                loaded[slot.name] = backend.allocate(pristine.nbytes)
                loaded[slot.name].write(pristine)
            self._buffers[key] = loaded
        return self._buffers[key]

    def _scratch(self, backend: Backend, program: Program, dataset: Dataset, scratch: Scratch) -> Buffer:
        held = self._buffers[program.language, dataset.name]
        name = _scratch_name(program, scratch)
        if name not in held:
            held[name] = backend.allocate(scratch.scratch_bytes + 2 * BAND_BYTES)
            held[name].write(make_scratch(scratch.scratch_bytes))
        return held[name]

    def _pristine(self, file: str) -> NDArray[np.uint8]:
        return np.fromfile(self.arena / file, np.uint8)


def _scratch_name(program: Program, scratch: Scratch) -> str:
    return f"{SCRATCH}{scratch.name}:{scratch.scratch_bytes}:{program.fingerprint}"
