"""An immutable, hashable set of named scalars: the sizes of a problem, the parameters of a configuration."""

from __future__ import annotations

import hashlib
import json
from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView
from typing import Self

Scalar = bool | int | float | str


def scalar(text: str) -> int | float | str:
    """Return a text as a number if it is one.

    >>> scalar("8"), scalar("0.5"), scalar("abc")
    (8, 0.5, 'abc')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text


class Record(Mapping[str, Scalar]):
    """Named scalars, kept in order, readable as attributes.

    >>> tile = Record(m=6, n=16)
    >>> tile.m * tile.n, tile.replace(m=4), Record(m=6) == Record(m=6)
    (96, Record(m=4, n=16), True)
    """

    __slots__ = ("_hash", "_items", "_text")
    _items: dict[str, Scalar]
    _hash: int | None
    _text: str | None

    def __init__(self, items: Mapping[str, Scalar] | None = None, /, **named: Scalar) -> None:
        plain = items if type(items) is dict else {} if items is None else dict(items.items())
        object.__setattr__(self, "_items", {**plain, **named})
        object.__setattr__(self, "_hash", None)
        object.__setattr__(self, "_text", None)

    def __getitem__(self, name: str) -> Scalar:
        return self._items[name]

    def __getattr__(self, name: str) -> Scalar:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self._items[name]
        except KeyError:
            raise AttributeError(f"no {name!r}; known names: {', '.join(self._items)}") from None

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"cannot set {name!r}: records are immutable, use replace()")

    def __iter__(self) -> Iterator[str]:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    # What follows is there already, in Python; records are asked hundreds of times for each candidate of a search.

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def keys(self) -> KeysView[str]:
        """Return the names."""
        return self._items.keys()

    def values(self) -> ValuesView[Scalar]:
        """Return the values in the order of their names."""
        return self._items.values()

    def items(self) -> ItemsView[str, Scalar]:
        """Return names with their values."""
        return self._items.items()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and self._items == other._items

    def __hash__(self) -> int:
        if self._hash is None:
            object.__setattr__(self, "_hash", hash(frozenset(self._items.items())))
        assert self._hash is not None
        return self._hash

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{k}={v!r}' for k, v in self._items.items())})"

    def __str__(self) -> str:
        if self._text is None:  # keys of problems are asked for with every case of every candidate
            object.__setattr__(self, "_text", " ".join([f"{k}={v}" for k, v in self._items.items()]))
        assert self._text is not None
        return self._text

    def __reduce__(self) -> tuple[type[Self], tuple[dict[str, Scalar]]]:
        return type(self), (dict(self._items),)

    def integer(self, name: str) -> int:
        """Return a value as an integer; the typed way to read a size or a tile parameter."""
        return int(self._items[name])

    def integers(self, *names: str) -> tuple[int, ...]:
        """Return several values as integers."""
        items = self._items
        return tuple([int(items[name]) for name in names])

    def replace(self, **changes: Scalar) -> Self:
        """Return a copy with some values changed or added."""
        return type(self)({**self._items, **changes})

    def changes_to(self, other: Record) -> tuple[str, ...]:
        """Return the names whose values differ in `other`, for one-line explanations of a step.

        >>> Record(a=1, b=2).changes_to(Record(a=1, b=3))
        ('b',)
        """
        return tuple(k for k in {**self._items, **other._items} if self._items.get(k) != other._items.get(k))

    @property
    def fingerprint(self) -> str:
        """Twelve hexadecimal digits that depend on names and values, not on their order."""
        return digest(dict(sorted(self._items.items())))


def digest(value: object) -> str:
    """Return a short stable fingerprint of any JSON-able value."""
    return hashlib.sha256(_PLAIN.encode(value).encode()).hexdigest()[:DIGITS]


_PLAIN = json.JSONEncoder(sort_keys=True, separators=(",", ":"), default=str)


DIGITS = 12
"""Hexadecimal digits of a fingerprint."""
