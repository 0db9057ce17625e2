"""How inputs are drawn for verification: each distribution makes another kind of mistake visible.

``normal`` is what the kernel's own `inputs` gave. ``positive`` has no cancellation, so a small relative error cannot
hide behind a small result. ``wide`` spreads magnitudes over many binades: a lost or doubled term is no longer small.
``integers`` makes sums exact: one wrong element in millions is off by at least one. ``special`` plants NaN and infinities.

All but ``normal`` and ``positive`` change only inputs in which the outputs are linear (`Kernel.linear`): there the error
bound stays meaningful, NaN and infinities spread by definition, and no domain (``log`` of a negative) is left.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeGuard

import numpy as np

from hotloop.errors import UnknownNameError
from hotloop.model.dtype import FLOAT8, floating
from hotloop.model.kernel import Kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs

    Draw = Callable[["NDArray[np.generic]", np.random.Generator], NDArray[np.generic]]

NORMAL, POSITIVE, WIDE, INTEGERS, SPECIAL = "normal", "positive", "wide", "integers", "special"
ALL = (NORMAL, POSITIVE, WIDE, INTEGERS, SPECIAL)

_BINADES = {FLOAT8: 3, "float16": 3, "float64": 40}
_USUAL_BINADES = 12
"""Magnitudes reach from 2^-n to 2^n by type: products and long sums stay within its range."""
_LARGEST = 3
"""Largest of the small integers."""


def choices(kernel: Kernel) -> tuple[str, ...]:
    """Return the distributions that make sense for a kernel."""
    return ALL if kernel.linear else (NORMAL, POSITIVE)


def redraw(distribution: str, inputs: Inputs, linear: tuple[str, ...], rng: np.random.Generator) -> Inputs:
    """Return inputs of the same names, types and shapes, drawn from another distribution.

    Scalars, integer arrays and `Empty` outputs stay what they are; arrays that stay are shared, not copied.

    Raises:
        UnknownNameError: no such distribution.
    """
    if distribution not in ALL:
        raise UnknownNameError("distribution", distribution, ALL)
    if distribution == NORMAL:
        return dict(inputs)
    draw = _DRAWS[distribution]
    # One array with signs left is enough for sums to cancel, and small sums hide what large ones would show.
    chosen = tuple(inputs) if distribution == POSITIVE else linear
    return {
        name: np.asarray(draw(value, rng), value.dtype) if name in chosen and _floats(value) else value
        for name, value in inputs.items()
    }


def _positive(values: NDArray[np.generic], _rng: np.random.Generator) -> NDArray[np.generic]:
    """Return magnitudes, unless all are negative: then that is the input's domain."""
    with np.errstate(invalid="ignore"):  # an input of NaN; only bfloat16 warns of the comparison
        return np.asarray(np.abs(values)) if (values > 0).any() else values  # type: ignore[operator]


def _wide(values: NDArray[np.generic], rng: np.random.Generator) -> NDArray[np.generic]:
    reach = _BINADES.get(values.dtype.name, _USUAL_BINADES)
    return np.asarray(np.exp2(rng.uniform(-reach, reach, values.shape)) * rng.choice((-1.0, 1.0), values.shape))


def _integers(values: NDArray[np.generic], rng: np.random.Generator) -> NDArray[np.generic]:
    return rng.integers(-_LARGEST, _LARGEST, values.shape, endpoint=True)


def _special(values: NDArray[np.generic], rng: np.random.Generator) -> NDArray[np.generic]:
    """Return a copy with a NaN and both infinities at random places, or one of them where there is little room."""
    planted = values.copy()
    kinds = np.array([np.nan, np.inf, -np.inf]) if values.size >= 8 else rng.choice([np.nan, np.inf, -np.inf], 1)
    places = rng.choice(values.size, min(values.size, kinds.size), replace=False)
    planted.reshape(-1)[places] = kinds[: places.size]
    return planted


_DRAWS: dict[str, Draw] = {POSITIVE: _positive, WIDE: _wide, INTEGERS: _integers, SPECIAL: _special}


def _floats(value: object) -> TypeGuard[NDArray[np.generic]]:
    return isinstance(value, np.ndarray) and floating(value.dtype) and value.size > 0
