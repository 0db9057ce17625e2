"""A reference in the arithmetic of float32, each operation rounded up or down by chance: what a formula itself makes of rounding.

Inputs that are moved a little do not show it all: of opposite points on a sphere, where an arc sine is taken near one, any two
formulas differ by the root of what they round. So every result of a NumPy function that float32 cannot hold takes one of its two
neighbours there (stochastic arithmetic; Vignes, Discrete Stochastic Arithmetic for Validating Results of Numerical Software,
Numerical Algorithms 37, 2004). What float32 holds stays as it is, so that exact sums stay exact.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from math import isfinite
from struct import pack
from time import process_time
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.dtype import floating

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs
    from hotloop.verify.condition import Outputs

TRIES, _MOST_TRIES, _MORE_S = 8, 64, 1.0
"""Attempts in any case, and where decisions still change; further ones end after so many seconds of processor time."""
_JUMP = 2.0**-10
"""Part of an output's root mean square beyond which a change is no rounding of a number, but another decision."""
_FOLLOWED = (np.float64, np.float32)
_STILL = 6
"""Attempts in a row without a new jump after which none is expected."""
_ROOM, _HALF_ULP = 4.0, 2.0**-24
_STEPS = (1, -1, 2, -2)
"""By how many of these numbers are moved: what is computed of them is rounded more than once."""
_ODD = np.uint64(0x9E3779B97F4A7C15)


class Rounded(np.ndarray[Any, Any]):
    """An array whose results are rounded to float32, up or down by their value and a number."""

    attempt: int

    def __array_finalize__(self, other: object) -> None:
        """Keep the number."""
        self.attempt = getattr(other, "attempt", 0)

    def __getitem__(self, place: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Return an element as an array, too: references that loop compute with elements."""
        found = super().__getitem__(place)
        if isinstance(found, np.ndarray):
            return found
        return _element(found, self.attempt)

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *inputs: Any, **options: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's on plain arrays and round what it returns."""
        if options.get("out"):
            options["out"] = tuple(map(_plain, options["out"]))
        computed = getattr(ufunc, method)(*map(_plain, inputs), **options)
        if isinstance(computed, tuple):
            return tuple(self._rounded(array) for array in computed)
        return self._rounded(computed)

    def __array_function__(self, function: Callable[..., Any], types: Any, args: Any, kwargs: Any) -> Any:  # noqa: ANN401 - NumPy's protocol
        """Call a function of NumPy's that is none of its universal ones: of `where` and `stack` comes an array of this kind, too."""
        found = super().__array_function__(function, types, args, kwargs)
        if isinstance(found, list | tuple) and type(found) in (list, tuple):
            return type(found)(self._followed(part) for part in found)
        return self._followed(found)

    def _followed(self, found: Any) -> Any:  # noqa: ANN401
        return self._rounded(found) if type(found) is np.ndarray else found

    def _rounded(self, found: Any) -> Any:  # noqa: ANN401
        if not isinstance(found, np.ndarray | np.generic) or found.dtype not in _FOLLOWED:
            return found
        if (
            found.dtype == np.float32
        ):  # the reference rounds this step itself; what it computes of it in double is followed
            return _element(found, self.attempt)
        if np.ndim(found) == 0:
            return _element(_beside(float(found), self.attempt), self.attempt)
        value = np.asarray(found)
        near = value.astype(np.float32)
        away = np.where(near < value, np.float32(np.inf), np.float32(-np.inf))
        other = np.nextafter(near, away)
        chosen = np.where(_odd(value, self.attempt), near, other).astype(np.float64)
        result = np.where((near == value) | ~np.isfinite(other), value, chosen).view(Rounded)
        result.attempt = self.attempt
        return result


def room(
    reference: Callable[[Inputs], Outputs], inputs: Inputs, outputs: Outputs, *, numbers: bool = False
) -> dict[str, NDArray[np.float64]]:
    """Return by how much floating-point outputs differ when a reference rounds to float32, with room.

    `numbers`: those that are passed by value are moved by a unit in the last place at most, too, for what a reference computes of
    them alone it computes outside arrays: a step times an index of millions.
    """
    most = {name: np.zeros(value.shape) for name, value in outputs.items() if floating(value.dtype)}
    large = {name: _JUMP * _size(outputs[name]) for name in most}
    jumped = 0
    with np.errstate(all="ignore"):
        for attempt, answer in enumerate(answers(reference, inputs, numbers=numbers)):
            if attempt >= TRIES and attempt - jumped > _STILL:
                break
            for name, before in most.items():
                change = np.abs(answer[name].astype(np.float64) - np.asarray(outputs[name], np.float64))
                most[name] = np.maximum(before, np.nan_to_num(change, nan=0.0, posinf=0.0))
                if ((most[name] > large[name]) & (before <= large[name])).any():
                    jumped = attempt
    return {name: _ROOM * change for name, change in most.items()}


def answers(
    reference: Callable[[Inputs], Outputs], inputs: Inputs, *, numbers: bool = False
) -> Iterator[dict[str, NDArray[Any]]]:
    """Yield what a reference returns when it rounds to float32, each time in other directions; `TRIES` times, and more often where there is time."""
    began_s = process_time()
    for attempt in range(_MOST_TRIES):
        if attempt >= TRIES and process_time() - began_s > _MORE_S:
            return
        answer = reference({name: _of(value, attempt, numbers) for name, value in inputs.items()})
        yield {name: np.asarray(_plain(value)) for name, value in answer.items()}


def _size(output: NDArray[Any]) -> float:
    """Return the root mean square of what is finite."""
    wide = np.asarray(output, np.float64)
    known = wide[np.isfinite(wide)]
    return float(np.sqrt(np.mean(known * known))) if known.size else 0.0


def _of(value: Any, attempt: int, numbers: bool) -> Any:  # noqa: ANN401, FBT001 - inputs are arrays and numbers
    if numbers and isinstance(value, float | np.floating):
        return np.float64(value) * (1.0 + _HALF_ULP * _STEPS[attempt % len(_STEPS)])
    if not isinstance(value, np.ndarray) or not floating(value.dtype) or value.dtype.kind != "f":
        return value
    watched = value.copy().view(Rounded)
    watched.attempt = attempt
    return watched


def _element(value: Any, attempt: int) -> Any:  # noqa: ANN401 - a number of NumPy's or Python's
    element = np.asarray(value).view(Rounded)
    element.attempt = attempt
    return element


def _beside(value: float, attempt: int) -> float:
    """Return one of the two neighbours of a number in float32, as `Rounded` does for arrays, in a fraction of the time."""
    near = float(np.float32(value))
    other = float(np.nextafter(np.float32(value), np.float32(np.inf if near < value else -np.inf)))
    if near == value or not isfinite(other):
        return value
    return near if _chance(value, attempt) else other


def _chance(value: float, attempt: int) -> bool:
    bits = (int.from_bytes(pack("<d", value), "little") + attempt * 7919 + 1) * int(_ODD) % 2**64
    return (bits ^ bits >> 29) >> 17 & 1 == 1


def noted(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function in whose own text `float(x)` leaves what is rounded an array: else Python would compute on in double precision."""
    if not isinstance(function, FunctionType):
        return function
    made = FunctionType(
        function.__code__,
        {**function.__globals__, "float": _number},
        function.__name__,
        function.__defaults__,
        function.__closure__,
    )
    made.__kwdefaults__ = function.__kwdefaults__
    return made


def _number(value: Any = 0.0) -> Any:  # noqa: ANN401 - as `float`
    return _element(float(value), value.attempt) if isinstance(value, Rounded) else float(value)


def among(values: Iterable[object]) -> bool:
    """Tell whether values are those of a reference that rounds its steps."""
    return any(isinstance(value, Rounded) for value in values)


def _plain(value: Any) -> Any:  # noqa: ANN401
    return value.view(np.ndarray) if isinstance(value, Rounded) else value


def _odd(value: NDArray[np.float64], attempt: int) -> NDArray[np.bool_]:
    bits = (value.view(np.uint64) + np.uint64(attempt * 7919 + 1)) * _ODD
    return np.asarray((bits ^ (bits >> np.uint64(29))) >> np.uint64(17) & np.uint64(1) == 1)
