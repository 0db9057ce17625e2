"""A generator that returns other numbers for one chosen call and the same for all others: each call draws from a stream of its own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import chain, islice, product
from math import prod
from types import CodeType, FrameType
from typing import Any

import numpy as np

ELEMENTWISE = frozenset(
    (
        "random",
        "standard_normal",
        "normal",
        "uniform",
        "integers",
        "exponential",
        "standard_exponential",
        "lognormal",
        "laplace",
        "poisson",
        "gamma",
        "beta",
        "binomial",
        "chisquare",
        "f",
        "geometric",
        "gumbel",
        "hypergeometric",
        "logistic",
        "logseries",
        "negative_binomial",
        "pareto",
        "power",
        "rayleigh",
        "standard_cauchy",
        "standard_gamma",
        "standard_t",
        "triangular",
        "vonmises",
        "wald",
        "weibull",
        "zipf",
    )
)
"""Methods whose results' elements have nothing to do with each other: one of them may become another one."""
_OTHERS = frozenset(
    (
        "choice",
        "permutation",
        "permuted",
        "shuffle",
        "bytes",
        "dirichlet",
        "multinomial",
        "multivariate_hypergeometric",
        "multivariate_normal",
    )
)
MANY = 6
"""Most rows of a call, and most calls of a line, each of which may be an array."""
LEAST = 4
"""Elements of an array at least: of fewer, chance makes what looks like a relation."""
_SEED = 1
_WIDE = 2**16
"""Limit from which on a single integer is taken for a seed of another generator."""
Line = tuple[tuple[object, ...], ...]
"""A place in the file that draws: the calls that led there, from inside out, each with its function and where in it. A helper that is called
from two places is two lines."""
Site = tuple[Line, int]
"""A call: its line, and which of that line's calls it was; -1: all of them."""
Part = tuple[int, int]
"""An axis of what a call returns, and a place along it."""


@dataclass(frozen=True, slots=True)
class Change:
    """Which call becomes another one: as a whole, a part of it, or some elements that follow each other."""

    site: Site
    turn: int
    part: Part | None = None
    places: range | None = None
    calls: range | None = None
    """Of a site that is all calls of a line: only these of them."""

    def hits(self, line: Line, turn: int) -> bool:
        """Tell whether a call is one that becomes another one."""
        return self.site[0] == line and self.site[1] in (-1, turn) and (self.calls is None or turn in self.calls)


class Traced(np.random.Generator):
    """A generator each of whose calls draws from a stream of its own, so that one of them can be another one and all others stay.

    Streams are numbered in the order in which the file first draws from them: what is drawn hangs neither on Python's version nor on how the
    file is formatted.
    """

    def __init__(self, change: Change | None = None, lines: dict[Line, int] | None = None) -> None:
        super().__init__(np.random.PCG64(_SEED))
        self._change = change
        self._met: dict[Line, int] = {}
        self.lines: dict[Line, int] = {} if lines is None else lines
        """The number of each line; given to the next generator, so that the same line is the same stream there."""
        self.calls: dict[Site, tuple[str, tuple[int, ...]]] = {}
        """Method, and form of the result, of each call."""
        self.limits: dict[Site, set[tuple[int, ...]]] = {}
        """Limits with which each call drew integers."""
        self.moved = 0.0
        """By how much the element was changed."""

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - any method of NumPy's
        if name not in ELEMENTWISE and name not in _OTHERS:
            return super().__getattribute__(name)

        def call(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's
            return self._drawn(name, _line(sys._getframe(1)), args, options)  # noqa: SLF001 - which line asks

        return call

    def _drawn(self, name: str, line: Line, args: tuple[Any, ...], options: dict[str, Any]) -> Any:  # noqa: ANN401 - NumPy's
        turn = self._met[line] = self._met.get(line, -1) + 1
        stream = self.lines.setdefault(line, len(self.lines))

        def draw(seed: int) -> Any:  # noqa: ANN401 - NumPy's
            made = getattr(np.random.default_rng([_SEED, stream, turn, seed]), name)(*args, **options)
            return made.copy() if options.get("out") is not None else made

        if name in ("integers", "choice"):
            ends = args[:2] if name == "integers" else [end for end in args[:1] if np.ndim(end) == 0]
            self.limits[line, turn] = set(_limits(ends, options))
        change = self._change
        chosen = change is not None and change.hits(line, turn)
        if change is not None and chosen and change.part is None and change.places is None:
            return draw(1 + change.turn)
        made = draw(0)
        self.calls[line, turn] = (name, np.shape(made))
        result = self._changed(made, draw(1 + change.turn), change) if change is not None and chosen else made
        if options.get("out") is not None:
            options["out"][...] = result
            return options["out"]
        return result

    def _changed(self, made: Any, other: Any, change: Change) -> Any:  # noqa: ANN401 - of the method's type
        """Return a result of which a part, or some elements, are those of another one."""
        if not isinstance(made, np.ndarray):
            self.moved = float(other) - float(made)
            return other
        result = made.copy()
        if change.part is not None:
            axis, place = change.part
            if made.ndim and place < made.shape[axis]:
                np.moveaxis(result, axis, 0)[place] = np.moveaxis(other, axis, 0)[place]
        elif change.places is not None and change.places.start < made.size:
            chosen = slice(change.places.start, change.places.stop)
            result.reshape(-1)[chosen] = other.reshape(-1)[chosen]
            self.moved = float(other.reshape(-1)[chosen][0]) - float(made.reshape(-1)[chosen][0])
        return result

    def seeds(self, site: Site) -> bool:
        """Tell whether a call draws an integer, or a few, so large that they are seeds of other generators, of which nothing is known."""
        method, form = self.calls.get(site, ("", ()))
        if method != "integers" or prod(form) >= LEAST:
            return False
        limits = chain.from_iterable(self.limits.get(site, set()))
        return any(abs(limit) >= _WIDE for limit in limits)


def asked(inputs: Callable[[Any, np.random.Generator], Any], problem: object, rng: Traced) -> Any:  # noqa: ANN401 - the file's
    """Return what a file draws with a generator; lines are told apart by what leads to them from here."""
    return inputs(problem, rng)


def _line(frame: FrameType | None) -> Line:
    """Return the calls that led to a frame, up to where the file was asked."""
    steps: list[tuple[object, ...]] = []
    while frame is not None and frame.f_code is not asked.__code__:
        steps.append((id(frame.f_code), *_position(frame.f_code, frame.f_lasti)))
        frame = frame.f_back
    return tuple(steps)


@lru_cache(maxsize=1024)
def _position(code: CodeType, instruction: int) -> tuple[object, ...]:
    """Return which text an instruction stands for; its number is not the same once Python has specialized a function that is warm."""
    return next(islice(code.co_positions(), instruction // 2, None), (instruction,))


def _limits(args: Sequence[Any], options: Mapping[str, Any]) -> Iterator[tuple[int, ...]]:
    """Yield what limits integers, or from how many one is chosen: of arrays of limits all that differ."""
    ends = [*args, *(options[name] for name in ("low", "high") if name in options)]
    whole = [[end] if type(end) is int else np.unique(end).tolist() for end in ends if _integral(end)]
    yield from product(*whole) if whole else ()


def _integral(end: object) -> bool:
    return type(end) is int or np.asarray(end).dtype.kind in "iu"
