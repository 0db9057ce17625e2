"""The worker's bench: loaded backends, arrays on the device, programs bound to them."""

from __future__ import annotations

import contextlib
import json
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, cast

import numpy as np

from hotloop import registry
from hotloop.engine import fit, layout, metered, names, private
from hotloop.engine.exchange import Exchange
from hotloop.engine.filling import Filling
from hotloop.engine.layout import SCRATCH
from hotloop.engine.pinned import LEAST_BYTES, MOST_BYTES, Pinned, Pinning, Shown
from hotloop.errors import MachineError
from hotloop.model.codec import decode
from hotloop.model.language import language
from hotloop.model.outcome import Artifact
from hotloop.model.program import Program, Scratch
from hotloop.ports import (
    BAND_BYTES,
    Backend,
    Bound,
    Buffer,
    BuildError,
    Dataset,
    Fencing,
    LaunchError,
    Separable,
    Sharing,
    Slot,
)
from hotloop.verify.guards import make_scratch
from hotloop.verify.texts.includes import refused

if TYPE_CHECKING:
    from pathlib import Path

    from numpy.typing import NDArray

    from hotloop.model.device import Device

MOST_PROGRAMS = 64
"""Number of programs that stay bound to arrays: enough for several candidates with their verification cases."""
LEAST_SCRATCH_BYTES = 2**30
"""Scratch memory that bound programs may hold in total on any device, however small."""
_SCRATCH_PART = 8
"""Scratch areas may take 1 / this of the device's memory; arrays of verification cases and of the rotation need the rest."""


@dataclass(slots=True)
class _Loaded:
    """One program with its bindings and scratch areas, by dataset names."""

    bound: dict[tuple[str, str], Bound] = field(default_factory=dict)
    """Bound programs by (dataset, dataset whose output arrays are written)."""
    scratch: dict[str, dict[str, Buffer]] = field(default_factory=dict)
    """Scratch areas by dataset, then by name; freed together with the bindings that use them."""
    area_bytes: int = 0
    """Total size of the scratch areas for one dataset."""

    @property
    def scratch_bytes(self) -> int:
        """Device memory of the scratch areas for all datasets."""
        return len(self.scratch) * self.area_bytes


class Bench:
    """State of a worker between requests: backends, arrays and bound programs, all of which can be rebuilt from requests.

    Kept are the programs of the present request and the most recently used others, as many as `MOST_PROGRAMS` and the
    limit on scratch memory allow. Otherwise a long search over programs with scratch areas would fill any device.
    """

    def __init__(self, arena: Path, device_name: str) -> None:
        self.arena = arena
        self.device_name = device_name
        self._backends: dict[str, Backend] = {}
        self._devices: dict[str, Device] = {}
        self._memories: dict[str, str] = {}
        self._watches: dict[str, metered.Watch] = {}
        self._buffers: dict[tuple[str, str], dict[str, Buffer]] = {}
        self._loaded: OrderedDict[str, _Loaded] = OrderedDict()
        """Bound programs by fingerprint, least recently used first."""
        self.exchanges: dict[tuple[str, tuple[str, ...]], Exchange] = {}
        """Exchange of output arrays, by memory and the names of the rotation's datasets."""
        self._held: frozenset[str] = frozenset()
        self._named: dict[int, tuple[Program, str]] = {}
        """Held programs with their fingerprints, by identity, which is theirs as long as they are here."""
        self._adopted: set[str] = set()
        """Build keys for which the arena was already searched for a build made ahead."""
        self._scratch_limit_bytes = LEAST_SCRATCH_BYTES
        self._filling = Filling()
        self._pinned, self._shown = Pinned(arena), Shown()

    def kind(self, language: str) -> str:
        """Return the kind of a language's device: ``cpu`` or ``gpu``."""
        self.backend(language)
        return self._devices[language].kind

    def adopt(self, language: str, backend: Backend, device: Device) -> None:
        """Use a backend whose device has been selected."""
        self._backends[language], self._devices[language] = backend, device
        self._memories[language] = backend.memory if isinstance(backend, Sharing) else language
        self._scratch_limit_bytes = max(LEAST_SCRATCH_BYTES, (device.global_mem_bytes or 0) // _SCRATCH_PART)

    def has(self, language: str) -> bool:
        """Return whether the backend of a language has been loaded."""
        return language in self._backends

    def backend(self, language: str) -> Backend:
        """Return the backend of a language, its device selected."""
        if language not in self._backends:
            made: Backend = registry.load("hotloop.backends", language, "BACKEND")()
            self.adopt(language, made, made.select(self.device_name))
        return self._backends[language]

    def watch(self, language: str) -> metered.Watch:
        """Return the energy meter of a language's device. Raises MachineError if there is none."""
        backend = self.backend(language)
        if language not in self._watches:
            self._watches[language] = metered.watch(self._devices[language], backend)
        return self._watches[language]

    def hold(self, programs: Iterable[Program]) -> None:
        """Keep these programs, which are needed together, until the next call of `hold`."""
        self._named = {id(program): (program, program.fingerprint) for program in programs}
        self._held = frozenset(key for _, key in self._named.values())

    def ran(self, program: Program, dataset: Dataset) -> None:
        """Note that a run which nobody timed left a dataset's results in its own arrays, where a timed call must not find them."""
        for (memory, sets), exchange in self.exchanges.items():
            if memory == self.memory(program.language) and dataset.name in sets:
                exchange.own(sets.index(dataset.name))

    def discard(self, name: str) -> None:
        """Free the arrays of a dataset and everything bound to them."""
        for loaded in self._loaded.values():
            loaded.bound = {key: bound for key, bound in loaded.bound.items() if name not in key}
            loaded.scratch.pop(name, None)
        self._buffers = {key: value for key, value in self._buffers.items() if key[1] != name}
        self.exchanges = {key: value for key, value in self.exchanges.items() if name not in key[1]}
        self._pinned.forget(name)
        self._filling.forget(name)
        self._shown.forget(name)

    def bind(self, program: Program, dataset: Dataset, donor: Dataset | None = None) -> Bound:
        """Return the program with the dataset's arrays as arguments; it is built and loaded once while it is kept.

        `donor` is a dataset of the same form whose output arrays are written instead of those of `dataset`.
        """
        loaded, giver = self._entry(program), donor or dataset
        key = dataset.name, giver.name
        if key not in loaded.bound:
            backend = self.backend(program.language)
            if not loaded.bound:  # a look binds to a hundred sets
                self._fitting(program, self.build(program))
            arrays = {**self._arrays(program, dataset, giver), **self._scratch(backend, program, dataset)}
            loaded.bound[key] = backend.bind(program, arrays)
        return loaded.bound[key]

    def build(self, program: Program) -> Artifact:
        """Compile, once per build key. Raises BuildError, also for a source that reads files of this machine."""
        backend = self.backend(program.language)
        if reason := refused(program.source) if language(program.language).preprocessed else "":
            raise BuildError(reason)
        self._adopt(backend, program)
        return backend.build(program)

    def _fitting(self, program: Program, built: Artifact) -> None:
        """Refuse what a GPU cannot launch, before arrays are loaded for it. Raises LaunchError."""
        device = self._devices[program.language]
        if device.kind == "gpu" and (misfit := fit.misfit(program, built, device)):
            raise LaunchError(misfit.reason)

    def _adopt(self, backend: Backend, program: Program) -> None:
        """Load a build that was made ahead, if there is one; if loading fails, the backend builds as usual."""
        key = names.build(program)
        if key in self._adopted:
            return
        self._adopted.add(key)
        if not isinstance(backend, Separable):
            return
        with contextlib.suppress(OSError, ValueError, LookupError, TypeError, BuildError):
            exported = (self.arena / (key + names.AHEAD)).read_bytes()
            stored = json.loads((self.arena / (key + names.ARTIFACT)).read_text(encoding="utf-8"))
            backend.adopt(program, exported, decode(stored, Artifact))

    def memory(self, language: str) -> str:
        """Return the name of the memory that holds a language's arrays; languages that share buffers have the same."""
        self.backend(language)
        return self._memories[language]

    def restore(self, program: Program, dataset: Dataset) -> None:
        """Restore the original content of every array that a kernel may have changed.

        Zeroed scratch areas are not restored, so that a kernel that fails to reset its counters fails in the next run.
        """
        self._write(program, dataset, dataset.slots)
        for area in program.scratch:
            if not area.zeroed:
                self._areas(program, dataset)[area.name].write(make_scratch(area.scratch_bytes))

    def restore_outputs(self, program: Program, dataset: Dataset) -> None:
        """Like `restore`, for arrays marked as outputs only; inputs are left as they are."""
        self._write(program, dataset, [slot for slot in dataset.slots if slot.output])

    def poison(self, program: Program, dataset: Dataset) -> None:
        """Like `restore`, for arrays that are only written."""
        self._write(program, dataset, [slot for slot in dataset.slots if slot.output and not slot.input])

    def restore_inout(self, program: Program, dataset: Dataset) -> None:
        """Like `restore`, for arrays that are read and written."""
        self._write(program, dataset, [slot for slot in dataset.slots if slot.output and slot.input])

    def restore_scratch(self, program: Program, dataset: Dataset) -> None:
        """Bring the scratch areas of a program on a dataset back to what they were before its first call."""
        for area in program.scratch:
            self._areas(program, dataset)[area.name].write(make_scratch(area.scratch_bytes, zeroed=area.zeroed))

    def spoil(self, programs: Sequence[Program], pattern: int | None, *, whole: bool) -> Bound | None:
        """Return a launch that overwrites what others left in memory of the runtime's threads; None where there is none.

        Args:
            programs: of one language; whatever one of them needs for its own variables, it can reach.
            pattern: see `hotloop.drivers.spoil`.
            whole: see there.
        """
        backend = self.backend(programs[0].language)
        if not isinstance(backend, Fencing):
            return None
        needed_bytes = max(private.met_bytes(program, backend.build(program)) for program in programs)
        return backend.spoil(pattern, needed_bytes=needed_bytes, whole=whole)

    def fill(self, program: Program, dataset: Dataset, content: Dataset) -> None:
        """Write the inputs of another dataset of the same form into the buffers of this one."""
        buffers = self._load(program.language, dataset)
        for slot in content.slots:
            if slot.input:
                buffers[slot.name].write(self.pristine(slot.file, program.language))

    def bring(self, program: Program, content: Dataset) -> None:
        """Map the inputs of a dataset, and pin them, so that filling buffers with them later is a copy and nothing else."""
        for slot in content.slots:
            if slot.input:
                self.pristine(slot.file, program.language)

    def _write(self, program: Program, dataset: Dataset, slots: Iterable[Slot]) -> None:
        buffers = self._load(program.language, dataset)
        for slot in slots:
            pristine = self.pristine(slot.file, program.language)
            self._filling.write(buffers[slot.name], pristine, self.arena / slot.file)

    def _arrays(self, program: Program, dataset: Dataset, donor: Dataset) -> dict[str, Buffer]:
        """Return the arrays of a dataset, the pure outputs those of another one."""
        own, lent = self._load(program.language, dataset), self._load(program.language, donor)
        given = {slot.name for slot in dataset.slots if slot.output and not slot.input}
        return {name: lent[name] if name in given else buffer for name, buffer in own.items()}

    def save(
        self, program: Program, dataset: Dataset, file: str, *, behind: bool = False, donor: Dataset | None = None
    ) -> None:
        """Write every banded array to a file of the arena in the layout of `layout.results`, or append it.

        Raises:
            MachineError: there is no room.
        """
        buffers = {**self._areas(program, dataset), **self._arrays(program, dataset, donor or dataset)}
        self.keep(program, dataset, buffers, file, behind=behind)

    def keep(
        self, program: Program, dataset: Dataset, buffers: Mapping[str, Buffer], file: str, *, behind: bool
    ) -> None:
        """Write these buffers, by name, to a file as `save` does. Raises MachineError when there is no room."""
        saved = layout.results(program, dataset)
        landing = self._landing(program, file, saved.total_bytes)
        for slot in dataset.slots:
            buffers[slot.name].read(landing[saved.places[slot.name]])
        for area in program.scratch:
            banded = np.empty(banded_area(area), np.uint8)
            buffers[area.name].read(banded)
            ends = landing[saved.places[SCRATCH + area.name]]
            ends[:BAND_BYTES], ends[BAND_BYTES:] = banded[:BAND_BYTES], banded[-BAND_BYTES:]
        if file in layout.LANDED:
            return
        try:
            with open(self.arena / file, "ab" if behind else "wb", opener=layout.in_place) as kept:
                kept.write(landing.data)
                kept.truncate()
        except OSError as error:
            raise MachineError(f"cannot keep results in {self.arena}: {error}; free space there.") from error

    def _landing(self, program: Program, file: str, size_bytes: int) -> NDArray[np.uint8]:
        """Return memory for results: that of the file itself where it is one that stays mapped."""
        backend = self.backend(program.language)
        if file not in layout.LANDED or not isinstance(backend, Pinning):
            return np.empty(size_bytes, np.uint8)
        return self._pinned.target(file, size_bytes, backend)

    def landed(self, program: Program, dataset: Dataset, file: str) -> NDArray[np.uint8]:
        """Return what one run left in a file that stays mapped."""
        return self._landing(program, file, layout.results(program, dataset).total_bytes)

    def lands(self, program: Program, dataset: Dataset) -> bool:
        """Tell whether the results of one run are worth a file that stays mapped."""
        large = layout.results(program, dataset).total_bytes >= LEAST_BYTES
        return large and isinstance(self.backend(program.language), Pinning)

    def _entry(self, program: Program) -> _Loaded:
        """Return the entry of a program and mark it as most recently used."""
        # A fingerprint takes longer than what is asked for, and it is asked for once for each input set.
        named = self._named.get(id(program))
        key = program.fingerprint if named is None else named[1]
        if key not in self._loaded:
            self._loaded[key] = _Loaded(area_bytes=sum(map(banded_area, program.scratch)))
            self._make_room(0)
        self._loaded.move_to_end(key)
        return self._loaded[key]

    def _make_room(self, wanted_bytes: int) -> None:
        """Free the least recently used programs until the limits hold with this much more scratch memory."""
        for key in self._spare():
            held_bytes = sum(loaded.scratch_bytes for loaded in self._loaded.values())
            crowded = len(self._loaded) > MOST_PROGRAMS
            if not crowded and (not wanted_bytes or held_bytes + wanted_bytes <= self._scratch_limit_bytes):
                return  # without a need for memory nothing is freed, because the content of scratch memory is verified later
            if crowded or self._loaded[key].scratch_bytes:
                del self._loaded[key]

    def _spare(self) -> list[str]:
        """Return the programs that may be freed: not those of the present request, nor the newest, which is being bound."""
        return [key for key in list(self._loaded)[:-1] if key not in self._held]

    def _allocate(self, backend: Backend, banded_bytes: int) -> Buffer:
        """Return device memory, after freeing programs that are not needed now if necessary. Raises LaunchError."""
        try:
            return backend.allocate(banded_bytes)
        except LaunchError:
            if not (spare := self._spare()):
                raise
            for key in spare:
                del self._loaded[key]
        return backend.allocate(banded_bytes)

    def _load(self, language: str, dataset: Dataset) -> dict[str, Buffer]:
        backend = self.backend(language)
        key = (self.memory(language), dataset.name)
        if key not in self._buffers:
            loaded: dict[str, Buffer] = {}
            for slot in dataset.slots:
                pristine = self.pristine(slot.file, language)
                loaded[slot.name] = self._allocate(backend, pristine.nbytes)
                loaded[slot.name].write(pristine)
            self._buffers[key] = loaded
        return self._buffers[key]

    def _scratch(self, backend: Backend, program: Program, dataset: Dataset) -> dict[str, Buffer]:
        """Return the scratch areas of a program for a dataset; new ones are filled with poison or zeros."""
        if not program.scratch:
            return {}
        loaded = self._entry(program)
        if dataset.name not in loaded.scratch:
            self._make_room(loaded.area_bytes)
            others = next(iter(loaded.scratch.values()), {})
            made = [area for area in program.scratch if not (area.shared and others)]
            areas = {area.name: self._allocate(backend, banded_area(area)) for area in made}
            for area in made:
                areas[area.name].write(make_scratch(area.scratch_bytes, zeroed=area.zeroed))
            loaded.scratch[dataset.name] = {**others, **areas}
        return self._areas(program, dataset)

    def _areas(self, program: Program, dataset: Dataset) -> dict[str, Buffer]:
        return self._entry(program).scratch.get(dataset.name, {})

    def pristine(self, file: str, language: str = "") -> NDArray[np.uint8]:
        """Return the banded bytes of an array as the parent wrote them, pinned where a language's device gains from it."""
        path, backend = self.arena / file, cast("object", self._backends.get(language))
        status = path.stat()
        if isinstance(backend, Pinning):
            large = status.st_size >= LEAST_BYTES
            return self._pinned.source(file, backend) if large else np.fromfile(path, np.uint8)
        if status.st_size <= MOST_BYTES:
            return self._shown.content(path, status.st_ino, status.st_size)
        if status.st_size < layout.MAPPED_BYTES:
            return np.fromfile(path, np.uint8)
        return np.memmap(path, np.uint8, "c")  # copied to the device without another copy in host memory


def banded_area(area: Scratch) -> int:
    """Return the size of a scratch area with its bands."""
    return area.scratch_bytes + 2 * BAND_BYTES
