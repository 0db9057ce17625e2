"""A bare source as a kernel: problem, inputs, reference and a space of rewrites, all derived from the text.

The reference is the text itself in double precision. The bound of an element is a few roundings of its own, or what the text
as published is off by on the same inputs, whichever is more.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from math import lcm
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.bare import alone, complete, contents, lengths, missing, moves, trials
from hotloop.app.bare import inputs as drawing
from hotloop.app.bare.alike import ALIKE, EXACT, INPUTS, given
from hotloop.app.bare.call import Call
from hotloop.app.bare.hosted import Launched, hosted
from hotloop.app.bare.named import check
from hotloop.app.bare.oracle import Oracle, Truth, options_of, unjudged, widened
from hotloop.app.bare.order import kernels
from hotloop.app.bare.plan import planner
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import Loop, Repeated, Wish, held, numbers
from hotloop.compilers import reading
from hotloop.errors import BadShapeError, KernelFileError, UnknownNameError, UsageError
from hotloop.host import memory
from hotloop.model.kernel import Implementation, Kernel, Tolerance
from hotloop.model.outcome import ARGUMENT_INFO, Artifact, Parameter, describe
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Program
from hotloop.model.record import Record, Scalar
from hotloop.rewrite import expand
from hotloop.rewrite.amounts import overlap
from hotloop.rewrite.expand import Read

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.engine.local import LocalEngine
    from hotloop.model.kernel import Inputs, Outputs

_WELL = 1e-3
"""Relative difference in norm between single and double precision below which a kind of inputs is taken."""
DOUBLE = "the reference is the kernel's own text in double precision: a mistake of the text itself is not found"
AS_IT_IS = (
    "the reference is the kernel as it is, for its text does not run in double precision: neither a mistake nor an error of "
    "rounding of the text itself is found"
)
PINNED = "other sizes were not tried: the work-items are plain numbers; name them by sizes, e.g. --global n,m, to have them tried"
ALONE = "other sizes were not tried: with what was named they give nothing finite, or what depends on the order of work-items"
_SMALL = ((37, 31, 29, 43, 61, 47), (31, 30, 43, 46, 29, 58), (64, 128, 96, 64, 128, 96))
"""Small sizes to try: sizes that no block divides (one or three more than a multiple of four); such sizes beside even ones, so that rows fit
blocks and columns do not; and even sizes."""


@dataclass(frozen=True, slots=True)
class Known:
    """Arrays of a launch that a program really made."""

    kept: Mapping[str, NDArray[np.generic]]
    """Elements of each array by its name: all of them, or the first ones."""
    lengths: Mapping[str, int]
    """Length of each array in scalars, so that a vector type counts once for each component."""
    fixed: bool
    """True where other sizes cannot be launched: the grid is the program's own."""
    launched: tuple[Launched, ...] = ()
    """All launches of the program that are known."""
    complete: bool = True
    """Whether the program has no further ones."""


def load(path: Path, entry: str, wish: Wish, limit_s: float, known: Known | None = None) -> Kernel:
    """Return the kernel of a source. The worker that computes references lives as long as this process.

    `known` are the arrays that a captured program used: inputs are theirs, or of their kind.

    Raises:
        UsageError: sizes are missing, or do not fit.
        KernelFileError: the source does not build.
    """
    engine = _engine(limit_s)
    text = _buildable(engine, path, entry, wish)
    filled = not wish.globals
    bare = Source(path, text, expand.read(text, wish.options, filled=filled), {}, {}, wish, wish.launches)
    sizes = numbers(wish)
    signatures = _signatures(engine, bare, sizes)
    options = options_of(replace(bare, signatures=signatures), sizes)
    functions = expand.read(text, options, filled=filled)
    order = _order(path, signatures, functions.known, entry, wish)
    source = Source(path, text, functions, signatures, expand.typedefs(text, options), wish, order)
    launched = tuple(dict.fromkeys(kernels(order)))
    for name in {*wish.globals, *wish.locals} - {"*", *launched}:
        raise UnknownNameError(f"kernel among the launches of {path.name}", name, launched)
    sizes = complete.numbers(source, sizes)
    check(source, sizes)
    try:
        with memory.limited():
            return _Made(source, Oracle(engine, source), known).kernel(sizes)
    except MemoryError:
        raise BadShapeError(
            f"the arrays of {path.name} at these sizes do not fit in memory; name smaller ones."
        ) from None


def signatures(path: Path, text: str, options: tuple[str, ...], limit_s: float) -> dict[str, tuple[Parameter, ...]]:
    """Return the parameters of a text's kernels as the compiler knows them. Raises KernelFileError."""
    wish = Wish(options=options)
    return _signatures(_engine(limit_s), Source(path, text, Read({}, {}), {}, {}, wish, ()), {})


def _buildable(engine: LocalEngine, path: Path, entry: str, wish: Wish) -> str:
    """Return the text of a source, without what the asked kernel does not need where the whole does not build."""
    text = _read(path)
    if entry and not isinstance(
        engine.build(_program(Source(path, text, Read({}, {}), {}, {}, wish, ()), {})), Artifact
    ):
        return alone.alone(text, entry)
    return text


def _read(path: Path) -> str:
    try:
        return reading.text(path, most_bytes=reading.SOURCE_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name an OpenCL C source.") from None
    except ValueError as error:
        raise UsageError(f"{path} cannot be read ({reading.why(error)}); name an OpenCL C source in UTF-8.") from None


@lru_cache(maxsize=1)
def _engine(limit_s: float) -> LocalEngine:
    import atexit

    from hotloop.app.session import Options, local_engine

    engine = local_engine(Options(limit_s=limit_s))
    atexit.register(engine.close)
    engine.select("")
    return engine


def _signatures(engine: LocalEngine, bare: Source, sizes: Mapping[str, float]) -> dict[str, tuple[Parameter, ...]]:
    built = engine.build(_program(bare, sizes))
    if not isinstance(built, Artifact):
        raise KernelFileError(f"{bare.path} {describe(built)}{missing.hint(describe(built), bare.path)}.")
    if not built.signatures:
        raise KernelFileError(f"{bare.path} has no kernel function; name a source with a __kernel.")
    return dict(built.signatures)


def _program(bare: Source, sizes: Mapping[str, float]) -> Program:
    """Return a text as it is built to ask for its kernels' parameters."""
    return Program("opencl", bare.text, (*options_of(bare, sizes), ARGUMENT_INFO), source_name=bare.path.name)


def _order(
    path: Path, signatures: Mapping[str, object], functions: Mapping[str, object], entry: str, wish: Wish
) -> tuple[Repeated, ...]:
    listed = tuple(name for name in functions if name in signatures) or tuple(signatures)
    if entry and entry not in signatures:
        raise UnknownNameError(f"kernel in {path.name}", entry, listed)
    order = wish.launches or ((entry,) if entry else listed)

    def check(parts: tuple[Repeated, ...]) -> None:
        for part in parts:
            if isinstance(part, Loop):
                check(part.body)
            elif part not in signatures:
                raise UnknownNameError(f"kernel in {path.name}", part, listed)

    check(order)
    return order


class _Made:
    """The functions of a kernel, over one source."""

    def __init__(self, source: Source, oracle: Oracle, known: Known | None = None) -> None:
        self.source, self.oracle, self.known = source, oracle, known
        self.kind, self.unsteady, self.alone, self.assumed = "signed", False, False, ""
        self.held: dict[tuple[tuple[str, float], ...], dict[str, contents.Held]] = {}
        self.open, self.wide = set[str](), True
        text = "".join(source.text[slice(*f.span)] for n, f in source.functions.items() if n in source.kernels)
        calls = any(n in source.read.deep for n in source.kernels)
        self.text = source.text if calls or not text else text
        self.divisors = drawing.divisors(self.text)

    def kernel(self, sizes: dict[str, float]) -> Kernel:
        source = self.source
        named = {INPUTS: ALIKE} if self.known else {}
        problem = Problem(source.path.stem, Record({**{n: _whole(v) for n, v in sizes.items()}, **named}))
        small = (self.smaller(problem) if self.known is None or not self.known.fixed else ()) or (problem,)
        self.assumed = "" if self.known else lengths.assumed(source, sizes)
        self.oracle.double = self.doubles(small[0])
        self.choose((small[0], problem), small[-1:])
        space, start = moves.space(source)
        plan = planner(source)
        implementation = Implementation(
            "opencl", "opencl", space, start, plan, simplicity=moves.simplicity, offers=moves.offers(source, plan),
            hosted=hosted(source, self.known.launched, complete=self.known.complete) if self.known else None,
        )  # fmt: skip
        return Kernel(
            family=source.path.stem,
            problem=problem,
            inputs=self.inputs,
            reference=self.reference,
            launched=True,
            work=self.work,
            implementations=(implementation,),
            tolerance=Tolerance(terms=lambda _problem: 1.0, factor=4.0),
            magnitude=self.magnitude,
            awkward=self.others,
            origin=str(source.path),
            remarks=self.remarks,
            unsteady=trials.UNSTEADY,
        )

    def remarks(self) -> tuple[str, ...]:
        reference = DOUBLE if self.oracle.double else AS_IT_IS
        pinned = self.source.scalars() and self.source.pinned(numbers(self.source.wish))
        sizes = [PINNED] if pinned else [ALONE] if self.alone else []
        return (reference, *filter(None, [self.assumed]), *sizes, *([trials.UNSTEADY] if self.unsteady else []))

    def sizes(self, problem: Problem) -> dict[str, float]:
        return {
            name: float(value) if isinstance(value, float) else value
            for name, value in problem.sizes.items()
            if isinstance(value, int | float)
        }

    def arrays(self, problem: Problem) -> dict[str, drawing.Drawn]:
        sizes = self.sizes(problem)
        calls = self.source.calls(sizes)
        lengths = self.source.lengths(sizes, calls)
        meant = self.meant(sizes, calls, lengths)
        drawn: dict[str, drawing.Drawn] = {}
        for kernel in self.source.kernels:
            for parameter in self.source.signatures[kernel]:
                name = self.source.buffer(kernel, parameter.name)
                if name not in lengths or name in drawn:
                    continue
                cell = self.source.cell(parameter.type)
                if cell is None:
                    raise UsageError(
                        f"{self.source.path.name}: elements of {name} are {parameter.type}, of which no inputs can be drawn; "
                        "write a kernel file, see hotloop init."
                    )
                values = held(self.source.wish.sizes.get(name), sizes, f"--size {name}")
                length, divides = lengths[name] * cell.lanes, parameter.name in self.divisors
                drawn[name] = drawing.Drawn(length, cell.dtype, divides, values, meant.get(name), cell.lanes)
        return drawn

    def meant(
        self, sizes: Mapping[str, float], calls: tuple[Call, ...], lengths: Mapping[str, int]
    ) -> dict[str, contents.Held]:
        """Return what arrays of whole numbers hold, as named or as the text uses them."""
        key = tuple(sorted(sizes.items()))
        if key not in self.held:
            shown = self.known is None
            self.held[key], self.open = contents.meant(self.source, calls, lengths, sizes, shown=shown, wide=self.wide)
        return self.held[key]

    def inputs(self, problem: Problem, rng: np.random.Generator) -> Inputs:
        arrays = self.arrays(problem)
        if self.known is None:
            return drawing.draw(self.kind, arrays, rng)
        rows = {n: (self.known.kept.get(n), array.length, array.dtype) for n, array in arrays.items()}
        return given(problem.sizes.get(INPUTS), rows, rng, lanes={n: array.lanes for n, array in arrays.items()})

    def truth(self, problem: Problem, inputs: Inputs) -> Truth:
        return self.oracle.truth(self.sizes(problem), inputs)

    def reference(self, problem: Problem, inputs: Inputs) -> Outputs:
        return self.truth(problem, inputs).outputs

    def magnitude(self, problem: Problem, inputs: Inputs) -> Outputs:
        """Return the scale of rounding errors: an element's own size, and what the text as published is off by."""
        truth = self.truth(problem, inputs)
        off = trials.Errors(self.oracle, self.text).of(self.sizes(problem), inputs, truth)
        scales = {
            n: trials.scale(value, truth.own[n].dtype, off.get(n), trials.changed(truth.own[n], inputs.get(n)))
            for n, value in truth.outputs.items()
        }
        return unjudged(self.source, scales)

    def work(self, problem: Problem) -> Work:
        arrays, sizes = self.arrays(problem), self.sizes(problem)
        calls = self.source.calls(sizes)
        whole = {name: float(array.length * np.dtype(array.dtype).itemsize) for name, array in arrays.items()}
        most = {name: min(size, self.source.touched(calls).get(name, size)) for name, size in whole.items()}
        moved = sum(most.values()) + sum(most.get(name, 0.0) for name in self.source.written(calls))
        convention = "what launches reach of each array moved once, written ones twice; operations are not counted"
        return Work(flops=0.0, bytes=moved, convention=convention)

    def doubles(self, problem: Problem) -> bool:
        """Tell whether the text builds with single precision redefined as double; bytes of a structure have one layout."""
        if any(value.startswith("bytes:") for value in self.source.wish.sizes.values()):
            return False
        for only in (False, True):
            program = Program("opencl", widened(self.source, only=only), options_of(self.source, self.sizes(problem)))
            if isinstance(self.oracle.engine.build(program), Artifact):
                self.oracle.only = only
                return True
        return False

    def choose(self, problems: tuple[Problem, ...], small: tuple[Problem, ...]) -> None:
        """Choose the kind of inputs: the first on which single and double precision agree, and small problems have no order."""
        if self.known is not None:  # they are as the program has them
            return
        rated: list[tuple[bool, bool, bool, float, str]] = []
        for kind in drawing.kinds(self.text):
            self.kind, worst, wild = kind, 0.0, False
            for problem in dict.fromkeys(problems):
                truth = self.truth(problem, self.inputs(problem, np.random.default_rng(7)))
                worst, wild = max(worst, truth.error if truth.finite else float("inf")), wild or truth.wild
                if rated and (worst == float("inf"), False, wild, worst) > min(rated)[:4]:
                    break  # another kind is better whatever a larger problem shows, whose runs may take seconds
            steady = all(
                trials.steady(self.oracle, self.sizes(candidate), self.inputs(candidate, np.random.default_rng(7)))
                for candidate in small
            )
            rated.append((worst == float("inf"), not steady, wild, worst, kind))
            if worst < _WELL and steady and not wild:
                break
        infinite, self.unsteady, _, worst, self.kind = min(rated)
        if self.wide and contents.whole(self.source) and (infinite or self.unsteady or worst >= _WELL):
            self.wide, self.held = False, {}  # an exponential of a whole number, say
            self.choose(problems, small)
        # small sizes may not go with what else was named
        elif (infinite or self.unsteady) and problems[0] != problems[-1]:
            self.choose(problems[-1:], problems[-1:])
            self.alone = not self.unsteady
        elif infinite:
            raise KernelFileError(
                f"{self.source.path.name} gives no finite results on random inputs of {len(drawing.KINDS)} kinds, "
                "as where it reads outside its arrays (before their first element, say) or divides by 0: look there first; "
                "if its inputs must be of a kind, write a kernel file with inputs of its own, see hotloop init --from."
            )

    def others(self, problem: Problem) -> tuple[Problem, ...]:
        """Return further problems: small ones, and of a captured launch the program's own values."""
        if self.known is None:
            return self.smaller(problem)
        own = (problem.replace(**{INPUTS: EXACT}),)
        return own if self.known.fixed else (*own, *self.smaller(problem))

    def smaller(self, problem: Problem) -> tuple[Problem, ...]:
        """Return small problems with sizes that no block divides, whole groups where the text needs them; others' sizes stay as they are.

        Sizes that only macros or rounds use are such others.
        """
        taken = {p.name for k in self.source.kernels for p in self.source.signatures[k] if not p.space}
        bounded = [
            n
            for n, v in problem.sizes.items()
            if n in taken and isinstance(v, int) and not isinstance(v, bool) and v > 64
        ]
        if self.alone or not bounded or self.source.pinned(self.sizes(problem)):
            return ()
        problems, values = [], [problem.sizes[n] for n in bounded]
        alike = [values.index(value) for value in values]  # what is equal may have to be
        groups = [size for call in self.source.calls(self.sizes(problem)) for size in call.group or ()]
        for turn in range(3):
            for whole, places in product(dict.fromkeys((1, lcm(*groups))), (range(len(bounded)), alike)):
                chosen = (-(-_small(place, turn) // whole) * whole for place in places)
                small = problem.replace(**dict(zip(bounded, chosen, strict=True)))
                if self.possible(small) and (not self.collides(small) or self.collides(problem)):
                    problems.append(small)
                    break
        return tuple(problems)

    def collides(self, problem: Problem) -> bool:
        """Tell whether two work-items of a launch write one element: then sizes do not go together."""
        memory = self.source.read.known
        calls = (call for call in self.source.calls(self.sizes(problem)) if call.kernel in memory)
        return any(overlap.collides(memory[call.kernel], call.values, call.extents) for call in calls)

    def possible(self, problem: Problem) -> bool:
        try:
            bearable = all(array.length < 1 << 24 for array in self.arrays(problem).values())
            return bearable and self.source.whole(self.sizes(problem))
        except UsageError:
            return False


def _small(place: int, turn: int) -> int:
    """Return a size for a place among the sizes, in one of three turns."""
    return _SMALL[turn][place % len(_SMALL[turn])]


def _whole(value: float) -> Scalar:
    return int(value) if float(value).is_integer() and not isinstance(value, float) else value
