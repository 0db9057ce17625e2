"""A program is everything a worker needs to compile and launch one variant on one problem: pure, serialisable data.

Families and users' files produce programs in the parent process; the isolated worker receives only this, so no code of
the user or of a family runs beside the candidate kernel.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import TYPE_CHECKING

from hotloop.model.record import DIGITS, digest

if TYPE_CHECKING:
    from hotloop.model.device import Device


@dataclass(frozen=True, slots=True)
class Array:
    """A kernel argument: the buffer of a named array of the dataset, or of a scratch area."""

    name: str


@dataclass(frozen=True, slots=True)
class Address(Array):
    """A kernel argument: the address of an array that the program also passes as a tensor descriptor."""


@dataclass(frozen=True, slots=True)
class Tiled(Array):
    """A kernel argument of CUDA C++ passed by value: how the copy engine sees a matrix of 16-bit elements (a ``CUtensorMap``)."""

    dtype: str
    """``bfloat16`` or ``float16``."""
    extents: tuple[int, int]
    """Rows and columns of the matrix."""
    pitch: int
    """Elements from one row to the next."""
    box: tuple[int, int]
    """Rows and columns that one copy moves; rows of a box lie in 128 swizzled bytes."""


@dataclass(frozen=True, slots=True)
class Value:
    """A kernel argument passed by value."""

    value: float
    dtype: str
    """NumPy type name, e.g. ``int32`` or ``float32``; it decides the size that the kernel sees."""


@dataclass(frozen=True, slots=True)
class Local:
    """A kernel argument that reserves work-group local memory."""

    local_bytes: int


@dataclass(frozen=True, slots=True)
class Input:
    """A kernel argument passed by value that the kernel's inputs supply by name, see `Program.resolved`."""

    name: str
    dtype: str


@dataclass(frozen=True, slots=True)
class Null:
    """A null pointer as kernel argument."""


@dataclass(frozen=True, slots=True)
class Raw:
    """An argument passed by value as its bytes: a structure, a short vector."""

    hex: str
    """The bytes in the memory layout of the kernel's compiler, two hexadecimal digits each."""


Argument = Array | Address | Tiled | Value | Local | Input | Null | Raw


def three(extents: Sequence[int]) -> tuple[int, int, int]:
    """Return the extents of one to three dimensions as those of three."""
    x, y, z = (*extents, 1, 1)[:3]
    return x, y, z


@dataclass(frozen=True, slots=True)
class Launch:
    """One kernel launch; a program runs its launches in order on one in-order queue."""

    entry: str
    """Kernel function name."""
    arguments: tuple[Argument, ...]
    global_size: tuple[int, ...]
    """Work-items per dimension, before division into groups."""
    local_size: tuple[int, ...] | None = None
    """Work-items per group; None leaves the choice to the runtime."""
    phase: str = "main"
    """``main`` for the kernel proper; another word (``pack``, ``clear``) for helper launches, timed as its own phase."""
    early: bool = False
    """True: it may begin while the launch before ends, and waits for that one itself (CUDA's programmatic dependent launch)."""

    @property
    def local_bytes(self) -> int:
        """Local memory that the launch asks for, which no compiler sees."""
        return sum(argument.local_bytes for argument in self.arguments if isinstance(argument, Local))

    @property
    def work_items(self) -> int:
        """Number of work-items launched."""
        product = 1
        for extent in self.global_size:
            product *= extent
        return product

    @property
    def groups(self) -> int | None:
        """Number of work-groups, or None when the runtime chooses the group size."""
        if self.local_size is None:
            return None
        product = 1
        for extent, local in zip(self.global_size, self.local_size, strict=True):
            product *= -(-extent // local)
        return product


@dataclass(frozen=True, slots=True)
class Scratch:
    """Temporary device memory that a program uses between its launches; its content on entry is undefined."""

    name: str
    scratch_bytes: int
    zeroed: bool = False
    """True: the area is filled with zeros before the first call only, for counters that kernels reset or continue."""
    shared: bool = field(default=False, repr=False)
    """True: all input sets of a rotation have the same memory, because each call fills it before anything else."""


@dataclass(frozen=True, slots=True)
class Program:
    """Source, build options and launches of one variant on one problem.

    No launches is a valid program: it does nothing (an empty problem).
    """

    language: str
    """Name of the backend that runs it: ``opencl``, ``blas``, ``clblast``, ``null`` ..."""
    source: str
    options: tuple[str, ...] = ()
    """Build options, e.g. ``-DVW=8``."""
    launches: tuple[Launch, ...] = ()
    scratch: tuple[Scratch, ...] = field(default=())
    source_name: str = ""
    """File that the source came from, for compiler messages."""
    _identities: dict[str, str] = field(default_factory=dict, init=False, compare=False, repr=False)
    """Digests of build and launches, computed at first use: a search asks for those of each candidate about thirty times."""
    _numbered: list[tuple[Mapping[str, float], Program]] = field(
        default_factory=list, init=False, compare=False, repr=False
    )
    """The latest numbers that it was resolved with, and the program with them."""

    @property
    def build_key(self) -> str:
        """Fingerprint of what the compiler sees: programs that share it share one build."""
        if (key := self._identities.get("build")) is None:
            made = _begun(self.language, self.source).copy()
            made.update(f",{_OPTIONS.encode(self.options)}]".encode())
            key = self._identities["build"] = made.hexdigest()[:DIGITS]
        return key

    @property
    def fingerprint(self) -> str:
        """Fingerprint of build and launches together."""
        if (digits := self._identities.get("whole")) is None:
            parts = [(la.entry, la.arguments, la.global_size, la.local_size) for la in self.launches]
            launches = [[repr(part) for part in launch] for launch in parts]
            launches += [["early", launch.entry] for launch in self.launches if launch.early]
            digits = digest([self.build_key, launches, [repr(s) for s in self.scratch]])
            self._identities["whole"] = digits
        return digits

    def on(self, device: Device) -> str:
        """Return the identity of source, configuration, launches, compiler and target."""
        return digest([self.fingerprint, device.fingerprint])

    def resolved(self, scalars: Mapping[str, float]) -> Program:
        """Return the program with every `Input` argument replaced by its value; KeyError names a missing one.

        The same numbers, which nobody changes, give the same program again.
        """
        if not any(Input in map(type, la.arguments) for la in self.launches):
            return self
        if self._numbered and self._numbered[-1][0] is scalars:
            return self._numbered[-1][1]

        launches = [
            Launch(la.entry, _valued(la.arguments, scalars), la.global_size, la.local_size, la.phase, la.early)
            for la in self.launches
        ]
        made = Program(self.language, self.source, self.options, tuple(launches), self.scratch, self.source_name)
        made._identities.update({"build": self._identities["build"]} if "build" in self._identities else {})
        self._numbered[:] = [(scalars, made)]
        return made

    @property
    def main(self) -> Launch | None:
        """The main launch (the last one of phase ``main``), or None for an empty problem."""
        mains = [launch for launch in self.launches if launch.phase == "main"]
        return mains[-1] if mains else None


def _valued(arguments: tuple[Argument, ...], scalars: Mapping[str, float]) -> tuple[Argument, ...]:
    """Return arguments with every `Input` replaced by its value: for the same two, which candidates of a search share, the same ones."""
    key = id(arguments), id(scalars)
    if key not in _VALUED:
        if len(_VALUED) >= _MOST_VALUED:
            _VALUED.clear()
        made = tuple(Value(scalars[a.name], a.dtype) if isinstance(a, Input) else a for a in arguments)
        _VALUED[key] = arguments, scalars, made
    return _VALUED[key][2]


_VALUED: dict[tuple[int, int], tuple[tuple[Argument, ...], Mapping[str, float], tuple[Argument, ...]]] = {}
"""Arguments with their values, by the identities of arguments and numbers; both are kept as well, so that no other objects get these identities."""
_MOST_VALUED = 256
CODE_OBJECT = ".hsaco"
"""File-name ending that marks a HIP program compiled beforehand, whose source is a code object in base64."""
_OPTIONS = json.JSONEncoder(separators=(",", ":"), default=str)


@lru_cache(maxsize=64)
def _begun(language: str, source: str) -> hashlib._Hash:
    """Return the unfinished digest of ``[language, source, options]`` before the options; candidates of a search share it."""
    return hashlib.sha256(f"[{json.dumps(language)},{json.dumps(source)}".encode())
