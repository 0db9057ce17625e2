"""A kernel in CUDA C++ or HIP C++ as it stands: which rewrites apply, what a compiler makes of each, and on AMD whether it computes the same.

Nothing is timed: there may be no GPU here. For an AMD target the text as published and each rewritten one are executed (`hotloop.emulate`) on the same
random inputs, at the named sizes made small; every array must come out equal bit for bit. For NVIDIA's they are compiled only.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.code.offline import compile_offline
from hotloop.compilers import executor, reading
from hotloop.compilers.offer import Compiled
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.launch import Launch, run
from hotloop.emulate.program import load
from hotloop.errors import UnknownNameError, UsageError
from hotloop.host import scratch
from hotloop.model.outcome import Failure, describe
from hotloop.model.program import three
from hotloop.rewrite import ranges
from hotloop.rewrite.catalogue import InapplicableError
from hotloop.rewrite.gpu import catalogue, words
from hotloop.rewrite.gpu.answer import Answer, Tried
from hotloop.rewrite.shape import RefusedError, number
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.record import Scalar
    from hotloop.rewrite.form import Posed

_SMALL = (37, 53, 29, 61, 43)
"""Sizes that are executed instead of larger ones, by turn: no block divides them."""
_MOST = 64
_DTYPES = {"float": "float32", "double": "float64", "int": "int32", "unsigned int": "uint32", "unsigned": "uint32"}
_LONGEST = 1 << 24
"""Elements of an array; more would be a range that says nothing."""
_SEED = 11


def tried(
    spec: str, target: str, sizes: Mapping[str, float], group: tuple[int, ...], wanted: Mapping[str, Scalar]
) -> Answer:
    """Try every rewrite by itself, or those that are asked for together.

    Args:
        spec: ``kernel.cu``, ``kernel.hip``, with ``:kernel`` where a text has several.
        target: the GPU to compile for.
        sizes: the kernel's whole numbers by name; needed for executing.
        group: threads of a block by dimension; empty: not known.
        wanted: rewrites with their values; empty: each of them by itself.

    Raises:
        UnknownNameError: there is no such rewrite.
        UsageError: the file, the kernel or the target is not understood, or the text does not compile.
    """
    path, _, name = spec.partition(":")
    try:
        text = reading.text(Path(path), most_bytes=reading.SOURCE_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a source in CUDA C++ or HIP C++.") from None
    posed = _posed(path, text, name, group)
    bench = _Bench(Path(path), text, posed, target, dict(sizes))
    before = bench.compiled(text)
    if not isinstance(before, Compiled):
        raise UsageError(f"{path} does not compile for {target}: {describe(before)}")
    bench.begin(before)
    by_name = {rewrite.name: rewrite for rewrite in catalogue.rewrites()}
    for one in wanted.keys() - by_name.keys():
        raise UnknownNameError("rewrite", one, tuple(by_name))
    every = [{name: value} for name, rewrite in by_name.items() for value in catalogue.values(rewrite)]
    rows = [bench.attempt(each) for each in ([dict(wanted)] if wanted else every)]
    registers, spills = _taken(before)
    return Answer(posed.function.name, target, registers, spills, tuple(rows), bench.remark)


def _posed(path: str, text: str, name: str, group: tuple[int, ...]) -> Posed:
    names = [kernel.name for kernel in words.kernels(text)]
    if not names:
        raise UsageError(f"{path} has no __global__ function that is understood; name a source that has one.")
    if name and name not in names:
        raise UnknownNameError(f"kernel of {path}", name, tuple(names))
    if not name and len(names) > 1:
        raise UsageError(f"{path} has several kernels; name one: {path}:{names[0]} (it has {', '.join(names)}).")
    try:
        return words.pose(text, name or names[0], group)
    except RefusedError as reason:
        raise UsageError(f"{path}: {name or names[0]} is not rewritten: {reason}.") from None


def _taken(made: Compiled) -> tuple[int | None, int | None]:
    resources = next((resource for resource in made.resources if made.kernel in ("", resource.name)), None)
    return (None, None) if resources is None else (resources.total_vgprs or resources.vgprs, resources.vgpr_spills)


class _Bench:
    """One kernel with what its text as published computes."""

    def __init__(self, path: Path, text: str, posed: Posed, target: str, sizes: dict[str, float]) -> None:
        self.path, self.text, self.posed, self.target = path, text, posed, target
        self.sizes = {name: _small(place, value) for place, (name, value) in enumerate(sizes.items())}
        self.expected: list[NDArray[np.generic]] = []
        self.remark = ""

    def compiled(self, text: str) -> Compiled | Failure:
        """Return a text's code, or why there is none."""
        with scratch.folder() as folder:
            file = Path(folder) / f"kernel{self.path.suffix}"
            file.write_text(text, encoding="utf-8")
            return compile_offline(
                f"{file}:{self.posed.function.name}", self.target, options=(f"-I{self.path.resolve().parent}",)
            )

    def begin(self, before: Compiled) -> None:
        """Execute the text as published, or note why that cannot be."""
        if not Target.parse(self.target).amd:
            self.remark = f"compiled only: {self.target} is not executed here"
            return
        missing = [
            argument.name
            for argument in self.posed.function.arguments
            if not argument.pointer and argument.name not in self.sizes and argument.type != "float"
        ]
        if missing or not self.posed.extents or not self.posed.group:
            named = [
                *(f"--size {','.join(f'{name}=N' for name in missing)}" for _ in missing[:1]),
                *(("--local 256",) if not self.posed.group else ()),
            ]
            why = f"name {' and '.join(named)}" if named else "no condition of its text bounds its threads"
            self.remark = f"compiled only, not executed: {why}"
            return
        try:
            self.expected = self.executed(before, self.posed)
        except (EmulateError, UsageError) as error:
            self.remark = f"compiled only: the text as published was not executed ({error})"

    def attempt(self, wanted: Mapping[str, Scalar]) -> Tried:
        """Return what becomes of rewrites together."""
        names = " + ".join(f"{name} {value}" for name, value in wanted.items())
        try:
            made = catalogue.rewritten(self.posed, wanted)
            text = words.replaced(self.text, made)
            lines = {line for each in catalogue.rewrites() if each.name in wanted for line in each.lines(self.posed)}
        except InapplicableError as reason:
            return Tried(names, refused=reason.why)
        except RefusedError as reason:
            return Tried(names, refused=str(reason))
        code = self.compiled(text)
        if not isinstance(code, Compiled):
            return Tried(names, tuple(sorted(lines)), f"it does not compile: {describe(code)}")
        before, after = (each.splitlines(keepends=True) for each in (self.text, text))
        diff = "".join(difflib.unified_diff(before, after, f"a/{self.path.name}", f"b/{self.path.name}"))
        judged = self._judged(code, made)
        return Tried(names, tuple(sorted(lines)), "", words.grid(made), *_taken(code), judged, diff)

    def _judged(self, code: Compiled, made: Posed) -> str:
        if not self.expected:
            return ""
        try:
            arrays = self.executed(code, made)
        except EmulateError as error:
            return f"not executed: {error}"
        names = [argument.name for argument in made.function.arguments if argument.pointer]
        differing = [
            name for name, one, other in zip(names, arrays, self.expected, strict=True) if not _alike(one, other)
        ]
        return f"differs in {', '.join(differing)}" if differing else "same"

    def executed(self, code: Compiled, posed: Posed) -> list[NDArray[np.generic]]:
        """Return what all arrays are after a launch. Raises EmulateError, UsageError."""
        extents = tuple(max(1, number(one, self.sizes)) for one in posed.extents)
        group = (*posed.group, 1, 1)[: max(len(extents), 1)]
        items = [-(-extent // step) for extent, step in zip(extents, posed.steps, strict=True)]
        grid = [-(-item // size) for item, size in zip(items, group, strict=True)]
        launch = Launch(arguments=self._arguments(extents), grid=three(grid), workgroup=three(group))
        done = run(load(code.listing, code.kernel), launch, backend=executor.native())
        if done.findings:
            raise EmulateError(done.findings[0].text)
        given = zip(posed.function.arguments, done.arrays, strict=True)
        return [np.asarray(array) for argument, array in given if argument.pointer]

    def _arguments(self, extents: tuple[int, ...]) -> list[NDArray[np.generic] | np.generic]:
        rng = np.random.default_rng(_SEED)
        reach = ranges.reach(self.posed.function, self.sizes, extents, self.posed.group).last
        made: list[NDArray[np.generic] | np.generic] = []
        for argument in self.posed.function.arguments:
            name, last = _DTYPES.get(argument.type), reach.get(argument.name, 0.0)
            if name is None or last > _LONGEST:
                raise UsageError(f"how long {argument.name} is, or what a {argument.type} is, is not to be seen")
            dtype = np.dtype(name)
            if argument.pointer:
                scale = 1.0 if dtype.kind == "f" else 9.0
                made.append((rng.standard_normal(int(last) + 1) * scale).astype(dtype))
            else:
                made.append(np.asarray(self.sizes.get(argument.name, 1.25)).astype(dtype)[()])
        return made


def _alike(one: NDArray[np.generic], other: NDArray[np.generic]) -> bool:
    return one.tobytes() == other.tobytes()


def _small(place: int, value: float) -> float:
    return value if value <= _MOST else float(_SMALL[place % len(_SMALL)])
