"""Arrays that nobody may look at while a number passed by value is zero: the old result where its factor is nothing.

A product with zero hides what is multiplied unless it is NaN, which the place of a result may well hold before anything was computed.
Whether an array counts is asked of the reference, so nothing is tried where it multiplies as well: with the array all NaN it must
give the same results, and with the number one instead of zero other ones; what it never reads follows from others.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from numbers import Real
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.errors import KernelFileError
from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Outputs = Mapping[str, NDArray[np.generic]]
    Answer = Callable[[Inputs], Outputs]

_FACTORS = re.compile(r"alpha|beta", re.IGNORECASE)
"""Names of numbers that everybody takes for factors, which may be zero."""
_HELD = ("fixed", "range", "positive")
"""Words of a file that keep a number from becoming zero."""


def idled(answer: Answer, draws: Iterator[Inputs], words: Mapping[str, str], *, every: bool = False) -> Inputs | None:
    """Return inputs with a number that is zero, and NaN in the arrays that it makes idle; None where no number is or may be.

    Args:
        answer: the reference.
        draws: inputs as the file draws them, from one seed after the other.
        words: what the file says, by input.
        every: all numbers are zero that one of the draws has as zero, or that may be.
    """
    if every:
        draws = _at_once(list(draws), words)
    zeroed: Inputs | None = None
    first: Inputs = {}
    for turn, drawn in enumerate(draws):
        numbers = {name: value for name, value in drawn.items() if _number(value)}
        named = [name for name, value in drawn.items() if _factor(name, value, words)]
        made: list[Inputs] = [drawn, *({**drawn, name: _typed(drawn[name], 0)} for name in named)]
        for inputs in made:
            zeros = [name for name in numbers if _zero(inputs[name])]
            if not zeros or (known := _finite(answer, inputs)) is None:
                continue
            if idle := [name for name in inputs if _idle(answer, inputs, name, zeros, known)]:
                return {**inputs, **{name: _unset(inputs[name]) for name in idle}}
            zeroed = zeroed or (None if inputs is drawn else inputs)
        if turn and numbers == first:
            break  # with no seed they are others
        first = numbers
    return zeroed


def _at_once(draws: Sequence[Inputs], words: Mapping[str, str]) -> Iterator[Inputs]:
    """Yield the first draw with every number zero that is so in one of them, or may be."""
    able = {name for one in draws for name, value in one.items() if _zero(value) or _factor(name, value, words)}
    yield {**draws[0], **{name: _typed(draws[0][name], 0) for name in able}}


def _idle(answer: Answer, inputs: Inputs, name: str, zeros: list[str], known: Outputs) -> bool:
    """Tell whether an array counts only while one of some numbers is not zero."""
    value = inputs[name]
    if not isinstance(value, np.ndarray) or not floating(value.dtype) or not value.size:
        return False
    without: Inputs = {**inputs, name: _unset(value)}
    found = _finite(answer, without)
    if found is None or any(not np.array_equal(found[key], known[key]) for key in known):
        return False
    others = (_finite(answer, {**without, zero: _typed(inputs[zero], 1)}) for zero in zeros)
    return any(other is None for other in others)


def _unset(value: Any) -> NDArray[np.generic]:  # noqa: ANN401 - an array
    return np.asarray(np.full_like(value, np.nan))


def _finite(answer: Answer, inputs: Inputs) -> Outputs | None:
    """Return what the reference answers, None where it refuses or a result is not finite."""
    try:
        found = answer(inputs)
    except KernelFileError:
        return None
    return found if all(np.isfinite(value.astype(np.float64)).all() for value in found.values()) else None


def _factor(name: str, value: object, words: Mapping[str, str]) -> bool:
    return bool(_number(value) and value != 0 and _FACTORS.fullmatch(name) and words.get(name, "") not in _HELD)


def _number(value: object) -> bool:
    return isinstance(value, Real | np.number) and not isinstance(value, bool)


def _zero(value: object) -> bool:
    return bool(_number(value) and value == 0)


def _typed(value: Any, number: int) -> Any:  # noqa: ANN401 - of the number's own type
    return value.dtype.type(number) if isinstance(value, np.generic) else type(value)(number)
