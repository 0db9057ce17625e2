"""A generator each of whose calls draws from a stream of its own, so that one of them can become another one and all others stay."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
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
        "geometric",
        "triangular",
        "chisquare",
        "rayleigh",
        "weibull",
        "pareto",
        "vonmises",
        "multinomial",
    )
)
_SEED = 1
Line = tuple[int, int]
"""A place in the file that calls: line of its function, and the instruction there."""
Site = tuple[int, int, int]
"""A call: its place, and which of that place's calls it was; -1: all of them."""


@dataclass(frozen=True, slots=True)
class Change:
    """Which call becomes another one: as a whole, a part of it along its first axis, or one element."""

    site: Site
    turn: int
    part: int | None = None
    place: int | None = None


class Traced(np.random.Generator):
    """A generator each of whose calls draws from a stream of its own, so that one of them can be another one and all others stay."""

    def __init__(self, change: Change | None = None) -> None:
        super().__init__(np.random.PCG64(_SEED))
        self._change = change
        self._met: dict[Line, int] = {}
        self.calls: dict[Site, tuple[str, tuple[int, ...]]] = {}
        """Method, and form of the result, of each call."""
        self.limits: dict[Line, set[object]] = {}
        """Limits with which each line drew integers."""
        self.moved = 0.0
        """By how much the element was changed."""

    def __getattribute__(self, name: str) -> Any:  # noqa: ANN401 - any method of NumPy's
        if name not in ELEMENTWISE and name not in _OTHERS:
            return super().__getattribute__(name)

        def call(*args: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's
            frame = sys._getframe(1)  # noqa: SLF001 - which line asks
            return self._drawn(name, (frame.f_code.co_firstlineno, frame.f_lasti), args, options)

        return call

    def _drawn(self, name: str, line: Line, args: tuple[Any, ...], options: dict[str, Any]) -> Any:  # noqa: ANN401 - NumPy's
        turn = self._met[line] = self._met.get(line, -1) + 1

        def draw(seed: int) -> Any:  # noqa: ANN401 - NumPy's
            return getattr(np.random.default_rng([_SEED, *line, turn, seed]), name)(*args, **options)

        if name in ("integers", "choice"):
            ends = args[:2] if name == "integers" else [end for end in args[:1] if np.ndim(end) == 0]
            self.limits.setdefault(line, set()).update(_limits(ends, options))
        change = self._change
        chosen = change is not None and change.site[:2] == line and change.site[2] in (-1, turn)
        if change is not None and chosen and change.part is None and change.place is None:
            return draw(1 + change.turn)
        made = draw(0)
        self.calls[(*line, turn)] = (name, np.shape(made))
        return self._changed(made, draw(1 + change.turn), change) if change is not None and chosen else made

    def _changed(self, made: Any, other: Any, change: Change) -> Any:  # noqa: ANN401 - of the method's type
        """Return a result of which a part, or one element, is that of another one."""
        if not isinstance(made, np.ndarray):
            self.moved = float(other) - float(made)
            return other
        result = made.copy()
        if change.part is not None:
            result[change.part] = other[change.part]
        elif change.place is not None and change.place < made.size:
            result.reshape(-1)[change.place] = other.reshape(-1)[change.place]
            self.moved = float(other.reshape(-1)[change.place]) - float(made.reshape(-1)[change.place])
        return result


def _limits(args: Sequence[Any], options: Mapping[str, Any]) -> Iterator[object]:
    """Yield what limits integers, or from how many one is chosen: of arrays of limits all that differ."""
    ends = [*args, *(options[name] for name in ("low", "high") if name in options)]
    whole = [np.unique(end).tolist() for end in ends if np.asarray(end).dtype.kind in "iu"]
    yield from product(*whole) if whole else ()
