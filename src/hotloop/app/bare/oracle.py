"""What a bare source computes: its own text with single precision redefined as double, run beside the candidates' worker.

Its own text in single precision runs too: how far the two differ is how well conditioned the problem is, which no formula
for all kernels could say.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING
from zlib import crc32

import numpy as np

from hotloop.app.bare import alone, asking
from hotloop.app.bare.source import Source
from hotloop.errors import KernelFileError, UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.outcome import Artifact, describe
from hotloop.model.program import Argument, Program, Raw, Value
from hotloop.ports import BAND_BYTES, Executed
from hotloop.verify.mirror import orders

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.local import LocalEngine

_LANES = ("2", "3", "4", "8", "16")
HEADER = "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n" + "".join(
    f"#define float{lanes} double{lanes}\n" for lanes in ("", *_LANES)
)
"""Preprocessor lines that turn a text of single precision into one of double precision."""
_ROUGH = ("sin", "cos", "tan", "exp", "exp2", "exp10", "log", "log2", "log10", "sqrt", "rsqrt", "powr")
HEADER += "".join(f"#define {kind}_{name} {name}\n" for kind in ("native", "half") for name in _ROUGH)
HEADER += "".join(
    f"#define {kind}_divide(a, b) ((a) / (b))\n#define {kind}_recip(a) (1.0 / (a))\n" for kind in ("native", "half")
)
"""Functions of little precision have no double: the exact ones stand in."""
NARROW = "".join(f"#define double{lanes} float{lanes}\n" for lanes in ("", *_LANES))
NARROW += "".join(f"#define convert_double{lanes} convert_float{lanes}\n" for lanes in ("", *_LANES))
"""What turns a text of double precision into one of single: what that is off by, in smaller steps, is what double is."""
_FINER = float(np.finfo(np.float64).eps / np.finfo(np.float32).eps)
_BOTH = 2.0
"""What is judged and what it is judged by are both off by as much there: nothing is more exact than double precision."""
_KEPT = 4
_RUNS = 45
"""Runs of a text that a gain takes where each is long, from the inputs' choice to the last comparison: 16 for references (in double
precision counted one and a half times) to choose inputs, of the first case, two timed sets, new content and the winner's two; 7 of
the baseline; two comparisons of 8 to 10 with what is met beside them."""
_AGAIN = 5
"""Times that a first run must fit into a budget to be done again before its text is called too long for it."""
_SHORT_S = 0.5
"""A run below this may have been mostly a disturbance."""
_COMPILING_S = 3.0
"""Time in s that the compiler may have taken of the very first run, beside the text: some runtimes compile at the first launch."""


@dataclass(slots=True)
class Truth:
    """Results of one set of inputs."""

    outputs: Mapping[str, NDArray[np.generic]]
    own: Mapping[str, NDArray[np.generic]]
    """Results of the text as it is, without double precision."""
    double: bool
    off: Mapping[str, NDArray[np.float64]] = field(default_factory=dict)
    """Effect of double precision's own rounding on each output, as far as the same text in single precision shows it."""

    @property
    def finite(self) -> bool:
        """Tell whether all numbers are finite in both."""
        return all(bool(np.isfinite(array).all()) for array in (*self.outputs.values(), *self.own.values()))

    @property
    def wild(self) -> bool:
        """Tell whether a few results are so much larger than most that on other inputs of the kind they leave the range of numbers."""
        return any(_wild(array) for array in self.own.values() if array.dtype.kind == "f")

    @property
    def error(self) -> float:
        """Return the greatest relative difference in norm between the two."""
        worst = 0.0
        for name, value in self.outputs.items():
            if value.dtype.kind == "f":
                norm = float(np.linalg.norm(value.astype(np.float64)))
                off = float(np.linalg.norm(value.astype(np.float64) - self.own[name].astype(np.float64)))
                worst = max(worst, off / norm if norm else 0.0)
        return worst


@dataclass(slots=True)
class Oracle:
    """Runs the text as published on inputs; remembers the latest answers."""

    engine: LocalEngine
    source: Source
    double: bool = True
    only: bool = False
    """Whether only a part of the text has a form in double precision, see `widened`."""
    _kept: dict[tuple[object, ...], Truth] = field(default_factory=dict)
    _count: int = 0
    _built: bool = False
    """Whether the compiler's time has passed."""
    _allowed: set[tuple[object, ...]] = field(default_factory=set)
    """Sizes whose first run was short enough for the budget: a later one that others delay does not end what has begun."""

    def truth(self, sizes: Mapping[str, float], inputs: Mapping[str, object]) -> Truth:
        """Return results in double precision where the text allows it, and the text's own.

        Raises:
            KernelFileError: the text does not build, cannot be launched or crashes.
        """
        arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
        content = tuple((name, array.nbytes, crc32(np.ascontiguousarray(array).data)) for name, array in arrays.items())
        key = (tuple(sorted(sizes.items())), *content)
        if key not in self._kept:
            while len(self._kept) >= _KEPT:
                self._kept.pop(next(iter(self._kept)))
            own = self._own(sizes, arrays)
            outputs = self._run(sizes, arrays, wide=True) if self.double and "float" in self.source.text else own
            # A number that comparisons chose may be another one in double precision: ties and near ties.
            outputs = {name: own[name] if array.dtype.kind in "iu" else array for name, array in outputs.items()}
            self._kept[key] = Truth(outputs, own, self.double, self._roundings(sizes, arrays, own))
        return self._kept[key]

    def _roundings(
        self,
        sizes: Mapping[str, float],
        arrays: Mapping[str, NDArray[np.generic]],
        own: Mapping[str, NDArray[np.generic]],
    ) -> dict[str, NDArray[np.float64]]:
        """Return what outputs of double precision are off by, from the text in single precision on inputs that have no more digits.

        There is no wider type that would show it. Where single precision computes something else, nothing is returned.
        """
        names = [name for name, array in own.items() if array.dtype == np.float64]
        program = narrowed(published(self.source, sizes)) if names else None
        if program is None or not isinstance(self.engine.build(program), Artifact):
            return {}
        narrow = {n: array.astype(np.float32) if array.dtype == np.float64 else array for n, array in arrays.items()}
        given = {n: narrow[n].astype(array.dtype) for n, array in arrays.items()}
        try:
            exact = self._run(sizes, given, wide=False)
            single = self._results(program, narrow, self.source.written(self.source.calls(sizes)))
        except KernelFileError:
            return {}
        return {
            name: distance(single[name], exact[name]) * _FINER * _BOTH
            for name in names
            if _alike(single[name], exact[name])
        }

    def _own(
        self, sizes: Mapping[str, float], arrays: Mapping[str, NDArray[np.generic]]
    ) -> dict[str, NDArray[np.generic]]:
        """Return the text's own results. Raises UsageError where the budget does not allow for as many runs as it takes."""
        outputs, once_s = self._timed(sizes, arrays)
        within_s, built = self.source.wish.within_s, self._built
        self._built = True
        asked = tuple(sorted(sizes.items()))
        due_s = once_s - (0.0 if built else _COMPILING_S)
        if not built and _RUNS * due_s > within_s > _AGAIN * once_s:  # some texts are compiled for longer
            due_s = once_s = self._timed(sizes, arrays)[1]
        if asked not in self._allowed and due_s > _SHORT_S and _RUNS * due_s > within_s:
            raise UsageError(
                f"{self.source.path.name}: a run takes {once_s:.1f} s at these sizes, and verifying and timing it takes some {_RUNS} of them, "
                f"more than the budget of {within_s:g} s; name smaller sizes, or --budget {_RUNS * once_s:.0f} and more."
            )
        self._allowed.add(asked)
        return outputs

    def _timed(
        self, sizes: Mapping[str, float], arrays: Mapping[str, NDArray[np.generic]]
    ) -> tuple[dict[str, NDArray[np.generic]], float]:
        """Return the text's own results and how many seconds they took. Raises KernelFileError."""
        clock = SystemClock()
        began_s = clock.monotonic_s()
        return self._run(sizes, arrays, wide=False), clock.monotonic_s() - began_s

    def otherwise(
        self, sizes: Mapping[str, float], inputs: Mapping[str, object]
    ) -> Iterator[dict[str, NDArray[np.generic]]]:
        """Yield the text's own results without optimization, and with its work-items in the opposite order. Raises KernelFileError."""
        arrays = {name: value for name, value in inputs.items() if isinstance(value, np.ndarray)}
        for order in orders(published(self.source, sizes)):
            yield self._results(order.program, arrays, self.source.written(self.source.calls(sizes)))

    def _run(
        self, sizes: Mapping[str, float], arrays: Mapping[str, NDArray[np.generic]], *, wide: bool
    ) -> dict[str, NDArray[np.generic]]:
        given = {
            name: (array.astype(np.float64) if wide and array.dtype == np.float32 else array)
            for name, array in arrays.items()
        }
        program = published(self.source, sizes, wide=wide)
        if wide:
            launches = tuple(
                replace(launch, entry=_wide(self.source.text, launch.entry)) for launch in program.launches
            )
            program = replace(program, source=widened(self.source, only=self.only), launches=launches)
        return self._results(program, given, self.source.written(self.source.calls(sizes)))

    def _results(
        self, program: Program, given: Mapping[str, NDArray[np.generic]], outputs: tuple[str, ...]
    ) -> dict[str, NDArray[np.generic]]:
        self._count += 1
        dataset = self.engine.dataset(f"truth{self._count}", given, outputs)
        try:
            ran = self.engine.execute(program, dataset)
        finally:
            self.engine.discard(dataset)
        if not isinstance(ran, Executed):
            raise KernelFileError(f"{self.source.path} as it is: {describe(ran)}{asking.places(self.source)}.")
        results = {}
        for name in outputs:
            payload = ran.arrays[name][BAND_BYTES:-BAND_BYTES]
            results[name] = payload.view(given[name].dtype).reshape(given[name].shape).copy()
            if name in padded(self.source):
                results[name].reshape(-1)[_PADDING] = 0  # whatever the compiler left there
        return results


def _wild(array: NDArray[np.generic]) -> bool:
    sizes = np.abs(array[np.isfinite(array) & (array != 0)].astype(np.float64))
    return bool(sizes.size >= _SOME and sizes.max() > _WILD * np.median(sizes))


def _wide(text: str, entry: str) -> str:
    """Return the name of a kernel where single precision is called double: a macro may make it of the type's name.

    >>> _wide("kernel void NAME(sum, Dtype)()", "sum_float"), _wide("kernel void sum_float()", "sum_float")
    ('sum_double', 'sum_float')
    """
    return entry if re.search(rf"\b{entry}\b", text) else entry.replace("float", "double")


def narrowed(program: Program) -> Program | None:
    """Return a program with double precision redefined as single; None where its numbers have a layout of their own."""
    if any(isinstance(argument, Raw) for launch in program.launches for argument in launch.arguments):
        return None
    launches = tuple(replace(launch, arguments=tuple(map(_single, launch.arguments))) for launch in program.launches)
    return replace(program, source=NARROW + program.source, launches=launches)


def _single(argument: Argument) -> Argument:
    return Value(argument.value, "float32") if isinstance(argument, Value) and argument.dtype == "float64" else argument


def distance(own: NDArray[np.generic], exact: NDArray[np.generic]) -> NDArray[np.float64]:
    """Return how far each element is from the exact one; infinite ones are as far as nothing can tell: 0."""
    with np.errstate(invalid="ignore"):  # an infinity less itself
        return np.nan_to_num(np.abs(own.astype(np.float64) - exact.astype(np.float64)), posinf=0.0)


def _alike(single: NDArray[np.generic], exact: NDArray[np.generic]) -> bool:
    """Tell whether single precision computed the same, as far as it can."""
    off, size = np.linalg.norm(distance(single, exact)), np.linalg.norm(exact.astype(np.float64))
    return bool(np.isfinite(single).all() and np.isfinite(exact).all() and off <= _SAME * size)


_SAME = 1e-2
_SOME, _WILD = 16, 1e9
"""Results of which the middle one says something, and how much larger than that the largest may be."""
_PADDING = slice(3, None, 4)


def padded(source: Source) -> frozenset[str]:
    """Return the arrays of vectors of three, each of which has a fourth place that nothing says the value of."""
    rows = ((kernel, parameter) for kernel in source.kernels for parameter in source.signatures[kernel])
    return frozenset(
        source.buffer(kernel, parameter.name) for kernel, parameter in rows if _three(source, parameter.type)
    )


def _three(source: Source, kind: str) -> bool:
    for _ in range(8):
        if kind.endswith("3") and (cell := source.cell(kind)) is not None and cell.lanes == 4:
            return True
        if kind not in source.types:
            return False
        kind = source.types[kind]
    return False


def unjudged(source: Source, scales: Mapping[str, NDArray[np.generic]]) -> dict[str, NDArray[np.generic]]:
    """Return scales of errors that let places be whatever they are that nothing says the value of."""
    reasons = {}
    for name, scale in scales.items():
        reasons[name] = scale.copy() if name in padded(source) else scale
        if name in padded(source) and scale.dtype.kind == "f":
            reasons[name].reshape(-1)[_PADDING] = _ANY
    return reasons


_ANY = 1e30


def published(source: Source, sizes: Mapping[str, float], *, wide: bool = False) -> Program:
    """Return the text as it was found, as a program, or what launches it with arrays of double precision (`wide`). Raises UsageError."""
    launches = []
    for call in source.calls(sizes):
        if min(call.extents, default=1) < 1:
            continue
        launches.append(source.launch(call, call.extents, call.group, wide=wide))
    return Program("opencl", source.text, options_of(source, sizes), tuple(launches), source_name=source.path.name)


def widened(source: Source, *, only: bool) -> str:
    """Return the text in double precision.

    `only`: without what its kernel does not need, such as functions that look at bits, and with literals of double precision, too:
    ``fmax(x, 0.0f)`` would be two functions alike.
    """
    if not only:
        return HEADER + source.text
    text = alone.alone(source.text, source.kernels[0]) if len(source.kernels) == 1 else source.text
    return HEADER + _LITERAL.sub(lambda match: f"((double){match[0]})", text)


_LITERAL = re.compile(r"(?<![\w.])(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?[fF]\b")
"""A number of single precision; its value stays."""


def options_of(source: Source, sizes: Mapping[str, float]) -> tuple[str, ...]:
    """Return build options: the folder of the source for its headers, macros that were named, and what was asked for."""
    taken = {parameter.name for rows in source.signatures.values() for parameter in rows} | set(source.loops)
    taken |= {parameter.name for function in source.read.known.values() for parameter in function.arguments}
    macros = [f"-D{name}={_plain(value)}" for name, value in sizes.items() if name not in taken and "." not in name]
    return (f"-I{source.path.resolve().parent}", *macros, *source.wish.options)


def _plain(value: float) -> str:
    return str(int(value)) if float(value).is_integer() else str(value)
