"""Choice of the problems and inputs that a verification runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, cycle
from numbers import Number
from typing import TYPE_CHECKING, Literal

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import floating, numeric
from hotloop.model.kernel import Empty, Kernel
from hotloop.model.problem import Problem
from hotloop.raised import raised
from hotloop.verify.distributions import INTEGERS, NORMAL, POSITIVE, SPECIAL, choices, redraw
from hotloop.verify.domain import ANY, COUNTER, STAYS, STRUCTURE, freedoms
from hotloop.verify.drawing import asked_ends, generator
from hotloop.verify.oracle import again
from hotloop.verify.poison import ALL, PATTERNS
from hotloop.verify.sizes import completed, lengthened, narrowed
from hotloop.verify.told.columns import fitting, parted, shared, whole
from hotloop.verify.told.drawn import known
from hotloop.verify.told.idle import idled
from hotloop.verify.told.landmarks import numbers
from hotloop.verify.told.orders import reordered
from hotloop.verify.told.steered import PARTS, redrawn
from hotloop.verify.told.uneven import uneven
from hotloop.verify.told.unread import following, tied
from hotloop.verify.variety import (
    BLOCKS,
    CHAINS,
    COARSE,
    DIGESTS,
    EXCHANGED,
    IDLE,
    KINDS,
    LANDMARKS,
    LARGEST,
    LATE,
    ORDERS,
    PATCHES,
    SOON,
    STEERED,
    STRIPED,
    UNEVEN,
    vary,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

Level = Literal["quick", "full"]
Within = Literal["all", "asked", "others"]
"""All cases of a level; those of the asked problem; or those of other sizes, none far beyond, with inputs as the file draws them."""

_OTHER_SEED, _VARIED_SEED, _ADDED_SEED, _LONG_SEED = 500_009, 10_000, 20_000, 30_000
"""Offsets that keep the seeds of different kinds of case apart."""
_PLACE_SEEDS = 100
"""The same of the problems that meet a kind."""
_LAUNCHED_BYTES = 64 * 2**20
"""Bytes that a launched kernel moves beyond which its reference is asked for as seldom as can be."""
_QUICK_AWKWARD = 3  # awkward problems of a quick check: enough to meet each loop's remainder, few enough for a search


@dataclass(frozen=True, slots=True)
class Case:
    """One problem with one kind of input. The same case always draws the same inputs."""

    problem: Problem
    distribution: str
    seed: int
    poison: int
    """Pattern that outputs and scratch areas hold before the run."""
    added: bool = False
    """True for a problem that hotloop chose; it is skipped if the file's functions refuse it."""
    marks: frozenset[float] = frozenset()
    """Numbers of a candidate's text that its kernel's file does not have."""


def cases(kernel: Kernel, problem: Problem, level: Level = "full", seed: int = 0) -> tuple[Case, ...]:
    """Return the cases of a verification, those most likely to reveal an error first.

    ``quick`` checks each candidate of a search: the asked problem with normal inputs and three awkward ones.
    ``full`` runs the asked problem and every awkward one with every distribution, and both poison patterns for each.

    Args:
        kernel: whose inputs are linear or not, and which problems are awkward for it.
        problem: what the user asked for.
        level: how thorough.
        seed: another seed, other inputs; a fresh one for each run keeps kernels from fitting the test.
    """
    if level == "quick":
        return tuple(_quick(kernel, problem, seed))
    return tuple(_full(kernel, problem, seed))


def belongs(case: Case, asked: Problem, within: Within) -> bool:
    """Tell whether a case is among those within which a check stays."""
    if within == "others":
        return case.problem != asked and case.distribution == NORMAL and not (case.added and _far(case.problem, asked))
    return within == "all" or case.problem == asked


def _far(problem: Problem, asked: Problem) -> bool:
    """Tell whether a size is far beyond all asked ones: a right kernel may add up one by one what nobody meant to be so long."""
    most = [max((size for size in one.sizes.values() if isinstance(size, int)), default=0) for one in (problem, asked)]
    return most[0] > _FAR * most[1]


_FAR = 16


def tamed(case: Case, spreads: Callable[[Problem], bool]) -> Case:
    """Return a case, with normal inputs where a kernel says that NaN and infinity reach more results than the reference has them in."""
    return replace(case, distribution=NORMAL) if case.distribution == SPECIAL and spreads(case.problem) else case


def marked(case: Case, kernel: Kernel, text: str) -> Case:
    """Return a case whose content is made of numbers of a text with those, too, that the file does not have."""
    return replace(case, marks=numbers(text[:_TEXT]) - kernel.marks)


_TEXT = 1 << 18
"""Characters of a text whose numbers are looked for; of what is longer most are tables, or it is no text."""


def declared(every: tuple[Case, ...]) -> tuple[Case, ...]:
    """Return the cases that the user or the file names, without those that hotloop chose."""
    return tuple(case for case in every if not case.added)


def draw(kernel: Kernel, case: Case) -> Inputs:
    """Return the inputs of a case.

    Raises:
        MemoryError: they do not fit in memory.
        KernelFileError: the kernel's `inputs` raises, or returns something that is no array, `Empty` or number.
    """
    rng = generator(case.seed)
    try:
        inputs = kernel.inputs(case.problem, rng)
    except MemoryError:
        raise
    except Exception as error:
        raise KernelFileError(
            f"inputs of {kernel.family} raises on {case.problem.key}: {raised(error)}; see {_origin(kernel)}."
        ) from error
    if not isinstance(inputs, Mapping):
        raise KernelFileError(
            f"inputs of {kernel.family} must return arrays and numbers by name; see {_origin(kernel)}."
        )
    for name, value in inputs.items():
        if not _usable(value):
            raise KernelFileError(f"inputs of {kernel.family} gives {name} = {_brief(value)}, not an array or number.")
        if isinstance(value, np.ndarray) and not value.dtype.isnative:  # a device would read other numbers
            raise KernelFileError(
                f"inputs of {kernel.family} gives {name} as {value.dtype.str}, not in this machine's byte order; give "
                f"{name}.astype({value.dtype.name!r}), see {_origin(kernel)}."
            )
    if unknown := sorted(set(kernel.domain) - set(inputs) - set(kernel.problem.sizes)):
        raise KernelFileError(
            f"domain of {kernel.family} names {', '.join(unknown)}, which is no size, and inputs does not return it; "
            f"see {_origin(kernel)}."
        )
    if kernel.varied and (case.distribution in KINDS or case.distribution == POSITIVE):
        return _varied(kernel, case, inputs, rng)
    return redraw(case.distribution, inputs, kernel.linear, rng)


def _brief(value: object) -> str:
    """Return a value in few words of one line; an array of objects is told by its type."""
    return f"an array of {value.dtype}" if isinstance(value, np.ndarray) else " ".join(repr(value).split())[:60]


class UnvariedError(ValueError):
    """No input of the kernel may be changed in the way that a case requires."""


def _varied(kernel: Kernel, case: Case, inputs: Inputs, rng: np.random.Generator) -> Inputs:
    """Return inputs of a kind that their own values allow. Raises UnvariedError."""
    if case.distribution == IDLE:
        return _idled(kernel, case, inputs)
    other = generator(case.seed + _OTHER_SEED)
    again = kernel.inputs(case.problem, other)
    ends = asked_ends(rng, inputs).items() & asked_ends(other, again).items()
    chosen = _flagged(kernel, case, (inputs, again))
    inputs, again = chosen, inputs if chosen is again else again
    related = known(kernel, case.problem)
    cuts = fitting(related.columns, inputs)
    kernel = replace(kernel, domain={**dict.fromkeys(related.tied, STRUCTURE), **shared(kernel.domain, cuts)})
    drawn, inputs, again = inputs, parted(inputs, cuts), parted(again, cuts)
    followed = following(inputs, again, kernel.unread, kernel.domain)
    with np.errstate(all="ignore"):
        free = freedoms(inputs, again, kernel.domain)
        told = _TOLD.get(case.distribution)
        spaced = told(kernel, case, inputs, again, rng) if told and not followed and not related.bounded else None
    free = tied(free, followed, kernel.domain) | dict.fromkeys(related.inner, STAYS)
    free |= {name: replace(free[name], signs=False) for name in related.onesided & free.keys()}
    unsaid = free.keys() - {
        name for name, word in kernel.domain.items() if word == ANY
    }  # where the whole type may stand
    free |= {name: replace(free[name], ends=pair) for name, pair in ends if name in unsaid}
    if case.distribution == STEERED:
        return _steered(
            kernel, case, drawn, frozen=any(not free[name].values for name in free if free[name] != COUNTER)
        )
    if case.distribution == POSITIVE:
        signed = {name for name, freedom in free.items() if freedom.signs}
        positive = {k: _positive(v) if k in signed and isinstance(v, np.ndarray) else v for k, v in inputs.items()}
        return whole(positive, drawn, cuts)
    with np.errstate(all="ignore"):  # of NaN that signals, and of what is too large for a type
        varied = spaced if told else vary(case.distribution, inputs, free, rng, kernel.marks | case.marks, _turn(case))
    if varied is None:
        raise UnvariedError(f"{case.distribution} changes nothing of {kernel.family}")
    return whole(varied, drawn, cuts)


def _positive(value: NDArray[np.generic]) -> NDArray[np.generic]:
    """Return magnitudes; infinities stay, for one sign of them may be a mark of what is missing."""
    sizes: NDArray[np.generic] = np.abs(value)
    return np.where(np.isinf(sizes.astype(np.float64)), value, sizes) if floating(value.dtype) else sizes


def _steered(kernel: Kernel, case: Case, inputs: Inputs, *, frozen: bool) -> Inputs:
    """Return inputs made of numbers that lie elsewhere, where arrays stay as drawn otherwise. Raises UnvariedError."""
    parts = PARTS[_turn(case)]
    made = redrawn(partial(kernel.inputs, case.problem), inputs, case.seed, parts) if frozen else None
    if made is None:
        raise UnvariedError(f"all of {kernel.family} is changed by other kinds")
    return made


def _spaced(kernel: Kernel, case: Case, inputs: Inputs, again: Inputs, rng: np.random.Generator) -> Inputs | None:
    return uneven(inputs, again, kernel.domain, case.problem.sizes.values(), rng)


def _reordered(kernel: Kernel, _case: Case, inputs: Inputs, again: Inputs, rng: np.random.Generator) -> Inputs | None:
    return reordered(inputs, again, kernel.domain, rng)


_TOLD = {UNEVEN: _spaced, ORDERS: _reordered}
"""Kinds that change what shows an order or a relation, and keep it."""


def _flagged(kernel: Kernel, case: Case, draws: tuple[Inputs, ...]) -> Inputs:
    """Return one of several draws: of a kernel with flags the least ones for every other problem, the greatest for the others.

    A flag changes what a kernel does at a limit, so each kind of input must meet it set and not set, which chance alone leaves open.
    """
    small = min((case.problem, *_others(kernel, case.problem)), key=lambda one: kernel.work(one).bytes)
    if len({_flags(kernel.inputs(small, generator(case.seed + turn))) for turn in range(_FLAG_DRAWS)}) == 1:
        return draws[0]
    more = (
        kernel.inputs(case.problem, generator(case.seed + turn * _OTHER_SEED)) for turn in range(2, 2 + _FLAG_DRAWS)
    )
    return (min, max)[_turn(case)]((*draws, *more), key=_flags)


def _turn(case: Case) -> int:
    """Return 0 or 1: of a problem that meets a kind twice, one after the other."""
    return case.seed // _PLACE_SEEDS % 2


def _flags(inputs: Inputs) -> tuple[int, ...]:
    """Return the numbers by value that are small and whole, a size among them."""
    whole = (value for value in inputs.values() if isinstance(value, int | np.integer))
    return tuple(int(value) for value in whole if abs(int(value)) < _LARGEST_FLAG)


_FLAG_DRAWS, _LARGEST_FLAG = 4, 16


def _idled(kernel: Kernel, case: Case, inputs: Inputs) -> Inputs:
    """Return inputs with a number that is zero and NaN in what nobody may look at then. Raises UnvariedError."""
    more = (kernel.inputs(case.problem, generator(case.seed + turn * _OTHER_SEED)) for turn in range(1, _IDLE_DRAWS))
    made = idled(
        partial(again, kernel, case.problem), chain((inputs,), more), kernel.domain, every=case.poison % 2 == 1
    )
    if made is None:
        raise UnvariedError(f"no number of {kernel.family} is zero")
    return made


_IDLE_DRAWS = 6
"""Seeds of which one may draw a number that is zero."""


def _usable(value: object) -> bool:
    return isinstance(value, Empty | Number | np.generic) or (isinstance(value, np.ndarray) and numeric(value.dtype))


def _origin(kernel: Kernel) -> str:
    return kernel.origin or "its definition"


def _quick(kernel: Kernel, problem: Problem, seed: int) -> Iterator[Case]:
    yield Case(problem, NORMAL, seed, 0)
    if _costly(kernel, problem):
        return
    kinds = choices(kernel)
    second = INTEGERS if INTEGERS in kinds else kinds[-1]
    awkward = _spread(_alike(problem, _others(kernel, problem)), _QUICK_AWKWARD)
    if not awkward:
        yield Case(problem, second, seed + 1, 1)
    order = cycle((second, NORMAL, kinds[-1]))
    for index, (small, distribution) in enumerate(zip(awkward, order, strict=False), 1):
        yield Case(small, distribution, seed + index, (index + 1) % PATTERNS)


def _costly(kernel: Kernel, problem: Problem) -> bool:
    """Tell whether a case takes seconds, and none is smaller: the reference is a launch whose large arrays come and go.

    A candidate then meets one case before the calls that are timed, which are judged, too; the others wait for what is kept.
    """
    return kernel.launched and kernel.work(problem).bytes >= _LAUNCHED_BYTES


def _full(kernel: Kernel, problem: Problem, seed: int) -> Iterator[Case]:
    others = _others(kernel, problem)
    if _costly(kernel, problem):  # positive numbers, and each other problem once
        yield from (Case(problem, kind, seed + index, index) for index, kind in enumerate((NORMAL, POSITIVE)))
        yield from (Case(size, NORMAL, seed + index, index % PATTERNS) for index, size in enumerate(others, 2))
        return
    for place, size in enumerate((problem, *others)):
        for index, distribution in enumerate((*choices(kernel), NORMAL)):
            yield Case(size, distribution, seed + index, (place + index) % PATTERNS)
    if kernel.varied:
        yield from _varieties(problem, others, seed + _VARIED_SEED)
        for index, size in enumerate(completed(kernel, problem, others)):
            for poison in range(2):
                yield Case(size, NORMAL, seed + _ADDED_SEED + index, poison and 1 + index % 3, added=True)
            if any(size.sizes[name] in (1, 2) and size.sizes[name] != asked for name, asked in problem.sizes.items()):
                # of rows of one element the result is at a number at which kernels turn, too
                yield Case(size, LANDMARKS, seed + _ADDED_SEED + index, 0, added=True)
        for index, size in enumerate(lengthened(kernel, problem, others)):
            yield Case(size, NORMAL, seed + _LONG_SEED + index, index % 2, added=True)
        for index, size in enumerate(narrowed(kernel, problem, others)):
            yield Case(size, LARGEST, seed + _LONG_SEED + index, index % 2, added=True)


def _varieties(problem: Problem, others: tuple[Problem, ...], seed: int) -> Iterator[Case]:
    """Yield every kind on the asked problem, twice, and on the largest and smallest of the others."""
    chosen = dict.fromkeys((problem, *others[:1], *others[-1:], problem))
    for place, size in (
        *enumerate(chosen),
        (len(chosen) | 1, problem),
    ):  # an odd place: with flags that are the other way round
        for index, kind in sorted(enumerate(KINDS), key=lambda one: one[1] not in SOON):
            if kind == COARSE and place:  # one of a kind with ties, which all of these problems meet
                continue
            if kind in _ROOMY and size != problem:
                continue
            yield Case(size, kind, seed + _PLACE_SEEDS * place + index, (place + index) % ALL, added=True)


_ROOMY = (PATCHES, UNEVEN, STRIPED, LATE, CHAINS, BLOCKS, ORDERS, EXCHANGED, DIGESTS)
"""Kinds for which small problems have no room."""


def _others(kernel: Kernel, problem: Problem) -> tuple[Problem, ...]:
    return tuple(other for other in dict.fromkeys(kernel.awkward(problem)) if other != problem)


def _alike(problem: Problem, others: tuple[Problem, ...]) -> tuple[Problem, ...]:
    """Return the problems with the names (types, layouts, epilogues) of the asked one, if there are enough of them.

    Names become macros of the source: another name is another program, whose compilation costs a candidate of a search
    more than all else, and whose bugs are not those of the program that is timed. The full check meets them all.
    """
    same = tuple(other for other in others if _names(other) == _names(problem))
    return same if len(same) >= _QUICK_AWKWARD else others


def _names(problem: Problem) -> tuple[str, ...]:
    return tuple(value for value in problem.sizes.values() if isinstance(value, str))


def _spread(problems: tuple[Problem, ...], count: int) -> tuple[Problem, ...]:
    """Return evenly spaced members, first and last among them."""
    if len(problems) <= count:
        return problems
    step = (len(problems) - 1) / (count - 1)
    return tuple(problems[round(i * step)] for i in range(count))
