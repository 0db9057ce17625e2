"""Values that a parameter can move to, in the order in which they are worth trying."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.record import Scalar
    from hotloop.model.space import Parameter

_OFF = ("", "none", "off", "no", "direct", "false")


def numeric(parameter: Parameter) -> bool:
    """Tell whether all values are numbers, so that ratios have a meaning."""
    return all(isinstance(value, int | float) for value in parameter.values)


def larger(parameter: Parameter, value: Scalar) -> tuple[Scalar, ...]:
    """Return the values beyond `value`, nearest first: greater numbers, or later positions of an ordered list.

    An enumeration of names has no direction: all its other values count.
    """
    ordered = _ordered(parameter)
    if not parameter.ordinal and not numeric(parameter):
        return tuple(v for v in ordered if v != value)
    return tuple(ordered[ordered.index(value) + 1 :]) if value in ordered else ()


def smaller(parameter: Parameter, value: Scalar) -> tuple[Scalar, ...]:
    """Return the values before `value`, nearest first; see `larger`."""
    ordered = _ordered(parameter)
    if not parameter.ordinal and not numeric(parameter):
        return tuple(v for v in ordered if v != value)
    return tuple(reversed(ordered[: ordered.index(value)])) if value in ordered else ()


def beside(parameter: Parameter, value: Scalar) -> tuple[Scalar, ...]:
    """Return the nearest values on both sides, larger first; all others for an enumeration."""
    if not parameter.ordinal:
        return tuple(v for v in dict.fromkeys(parameter.values) if v != value)
    return (*larger(parameter, value)[:1], *smaller(parameter, value)[:1])


def is_off(value: Scalar) -> bool:
    """Tell whether a value of a switch means that the feature is not used.

    >>> is_off(0), is_off("none"), is_off("ab"), is_off(2)
    (True, True, False, False)
    """
    return value.lower() in _OFF if isinstance(value, str) else not value


def off(parameter: Parameter) -> Scalar | None:
    """Return the value that switches a feature off, None when there is none."""
    return next((value for value in parameter.values if is_off(value)), None)


def ratio(after: Scalar, before: Scalar) -> float:
    """Return after / before of two positive numbers; 2 where values have no ratio (a step up by name).

    >>> ratio(8, 2), ratio("b", "a"), ratio(1, 0)
    (4.0, 2.0, 2.0)
    """
    if isinstance(after, str) or isinstance(before, str) or before <= 0 or after <= 0:
        return 2.0
    return float(after) / float(before)


def _ordered(parameter: Parameter) -> list[Scalar]:
    values = list(dict.fromkeys(parameter.values))
    return sorted(values, key=float) if numeric(parameter) else values
