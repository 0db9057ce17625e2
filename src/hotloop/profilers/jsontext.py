"""JSON that somebody else wrote: whole files up to a size, longer ones as a stream of items, of bounded depth."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from hotloop.profilers.source import encoding_of, look, named
from hotloop.profiles.failure import ProfileError

WHOLE_BYTES: Final = 64 << 20
"""Largest file that is held in memory as a whole; its objects take about ten times as much."""
DEPTH: Final = 64
"""Deepest nesting in a stream; profilers need ten levels."""
_ITEM_CHARS: Final = 1 << 25
_CHUNK_CHARS: Final = 1 << 20
_SPACE: Final = re.compile(r"[ \t\r\n]*")

Json = Any
"""Value of a JSON text: dict, list, str, int, float, bool or None; checked where it is used."""


def load(path: Path) -> Json:
    """Return the content of a whole file.

    Raises:
        ProfileError: not readable, not JSON, nested too deeply, or larger than `WHOLE_BYTES`.
    """
    head = look(path)
    if head.size_bytes > WHOLE_BYTES:
        raise ProfileError(
            f"{named(path)} has {head.size_bytes >> 20} MiB, more than {WHOLE_BYTES >> 20}: no such file of a profiler."
        )
    try:
        return json.loads(path.read_bytes().decode(encoding_of(head.raw), "replace"))
    except RecursionError as error:
        raise ProfileError(f"{named(path)} is nested too deeply: it is no profile.") from error
    except (ValueError, OSError) as error:
        raise ProfileError(f"{named(path)} is no valid JSON ({_line(error)}): it is damaged or cut off.") from error


def whole(path: Path) -> bool:
    """Return True when a file is small enough for `load`."""
    return look(path).size_bytes <= WHOLE_BYTES


Place = tuple[str, ...]
"""The keys on the way to a value, with ``[]`` for a list: ``("agents", "[]")``."""


@dataclass(frozen=True, slots=True)
class End:
    """Stands for the end of an object in a stream."""


def stream(path: Path, wanted: frozenset[Place], ends: frozenset[Place] = frozenset()) -> Iterator[tuple[Place, Json]]:
    """Yield (place, item) of the items at the wanted places, holding one item at a time.

    Where an object at a place of `ends` closes, (place, End()) is yielded. What lies elsewhere is passed over.

    Raises:
        ProfileError: no valid JSON, nested too deeply, or one item that is too large.
    """
    head = look(path)
    encoding = encoding_of(head.raw)
    ways = frozenset(place[:length] for place in wanted for length in range(len(place)))
    try:
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            scanner = _Scanner(file.read)
            yield from _Walk(scanner, wanted, ways, ends).value(())
            if scanner.skip_space():
                raise ValueError("text after the end")
    except RecursionError as error:
        raise ProfileError(f"{named(path)} is nested too deeply: it is no profile.") from error
    except (ValueError, OSError) as error:
        raise ProfileError(f"{named(path)} is no valid JSON ({_line(error)}): it is damaged or cut off.") from error


class _Scanner:
    """A window over the text that moves forward."""

    def __init__(self, read: Callable[[int], str]) -> None:
        self._read = read
        self._text = ""
        self._place = 0
        self._decode = json.JSONDecoder().raw_decode

    def skip_space(self) -> str:
        """Pass over white space and return the next character, empty at the end."""
        while True:
            match = _SPACE.match(self._text, self._place)
            self._place = match.end() if match else self._place
            if self._place < len(self._text):
                return self._text[self._place]
            if not self._more():
                return ""

    def take(self, expected: str) -> None:
        """Pass over one character. Raises ValueError for another one."""
        if self.skip_space() != expected:
            raise ValueError(f"{expected!r} is missing")
        self._place += 1

    def item(self) -> Json:
        """Return the value that comes next, reading on until it is whole."""
        self.skip_space()
        while True:
            try:
                value, end = self._decode(self._text, self._place)
            except json.JSONDecodeError:
                if not self._more():
                    raise
                continue
            if end < len(self._text) or not self._more():  # a number may go on where the window ends
                self._place = end
                return value

    def _more(self) -> bool:
        self._text = self._text[self._place :]
        self._place = 0
        if len(self._text) > _ITEM_CHARS:
            raise ValueError(f"one item is longer than {_ITEM_CHARS >> 20} Mi characters")
        text = self._read(max(_CHUNK_CHARS, len(self._text)))
        self._text += text
        return bool(text)


@dataclass(frozen=True, slots=True)
class _Walk:
    """Goes down into lists, and into objects on the way to what is wanted; all else is decoded whole and dropped."""

    scanner: _Scanner
    wanted: frozenset[Place]
    ways: frozenset[Place]
    ends: frozenset[Place]

    def value(self, place: Place) -> Iterator[tuple[Place, Json]]:
        first = self.scanner.skip_space()
        if len(place) > DEPTH:
            raise ValueError(f"nested more than {DEPTH} levels deep")
        if place in self.wanted:
            yield place, self.scanner.item()
        elif first == "[":
            yield from self._list((*place, "[]"))
        elif first == "{" and (place in self.ways or place[-1:] != ("[]",)):
            yield from self._object(place)
        else:
            self.scanner.item()

    def _list(self, place: Place) -> Iterator[tuple[Place, Json]]:
        self.scanner.take("[")
        if self.scanner.skip_space() == "]":
            self.scanner.take("]")
            return
        while True:
            if place in self.wanted:  # the common case, without a generator for each item
                yield place, self.scanner.item()
            else:
                yield from self.value(place)
            if self.scanner.skip_space() == "]":
                self.scanner.take("]")
                return
            self.scanner.take(",")

    def _object(self, place: Place) -> Iterator[tuple[Place, Json]]:
        self.scanner.take("{")
        while self.scanner.skip_space() != "}":
            key = self.scanner.item()
            if not isinstance(key, str):
                raise ValueError("a key is no text")
            self.scanner.take(":")
            yield from self.value((*place, key))
            if self.scanner.skip_space() != "}":
                self.scanner.take(",")
        self.scanner.take("}")
        if place in self.ends:
            yield place, End()


def integer_of(value: Json) -> int | None:
    """Return a JSON value that is a whole number, else None."""
    if isinstance(value, bool):
        return None
    if isinstance(value, float):
        return int(value) if value.is_integer() and abs(value) < 1 << 63 else None
    return value if isinstance(value, int) else None


def _line(error: Exception) -> str:
    return str(error).partition("\n")[0][:120] or type(error).__name__
