"""JSON for the nouns: ``encode`` and ``decode`` are exact inverses for every dataclass of this package.

Unions carry the type's name under ``"is"``. Decoding never executes anything and refuses unknown types, so stores and
messages of a worker can be read without trust.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from hotloop.model import outcome, program
from hotloop.model.record import Record
from hotloop.model.space import Config

if TYPE_CHECKING:
    from cattrs import Converter

T = TypeVar("T")


@cache
def converter() -> Converter:
    """Build the converter once; cattrs is imported only when something is stored or sent."""
    from cattrs.preconf.json import make_converter
    from cattrs.strategies import configure_tagged_union

    made = make_converter(forbid_extra_keys=False)
    for kind in (Record, Config):
        made.register_unstructure_hook(kind, dict)
        made.register_structure_hook(kind, lambda value, cls: cls(value))
    made.register_structure_hook(program.Value, lambda data, _: _value(data))
    for union in (outcome.Outcome, outcome.Failure, program.Argument):
        configure_tagged_union(union, made, tag_name="is")
    made.register_unstructure_hook(outcome.Outcome, _once(made.get_unstructure_hook(outcome.Outcome)))
    return made


def _value(data: Any) -> program.Value:  # noqa: ANN401 - JSON is dynamically typed
    """Return an argument with its number as it was given: 1 and 1.0 are told apart by a fingerprint, and 2⁶⁰ + 1 is no float."""
    number = data["value"]
    if not isinstance(number, int | float):
        raise TypeError(f"{number!r} is no number")
    return program.Value(number, str(data["dtype"]))


def _once(hook: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a hook that knows its latest answer: an outcome goes into the journal and, with its trial, into the store."""
    latest: list[tuple[object, Any]] = [(None, None)]

    def unstructured(value: object) -> Any:  # noqa: ANN401 - JSON is dynamically typed
        if latest[0][0] is not value:
            latest[0] = value, hook(value)
        return latest[0][1]

    return unstructured


def encode(value: object, kind: object | None = None) -> Any:  # noqa: ANN401 - JSON is dynamically typed
    """Return plain JSON data for a noun; give `kind` for a bare union member (``encode(outcome, Outcome)``)."""
    return converter().unstructure(value, unstructure_as=kind)


def decode(data: object, kind: type[T]) -> T:
    """Return the noun that `encode` was given.

    Raises:
        ValueError: the data is not such a noun (truncated, foreign or of a newer version).
    """
    try:
        return converter().structure(data, kind)
    except Exception as error:  # cattrs groups its errors; callers need one kind
        raise ValueError(f"not a {getattr(kind, '__name__', kind)}: {error}") from error
