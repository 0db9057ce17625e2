"""What structures of one type of numbers consist of, as a text declares them."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
_PACKED = r"(?:__attribute__\s*\(\(\s*(?:__)?packed(?:__)?\s*\)\)\s*)?"
_STRUCTURE = re.compile(
    rf"\bstruct\s+{_PACKED}(\w+)?\s*\{{([^{{}}]*)\}}\s*{_PACKED}(\w+)?\s*{_PACKED};|"
    rf"\bstruct\s*{_PACKED}()\{{([^{{}}]*)\}}\s*{_PACKED}(\w+)?\s*{_PACKED};"
)
_MEMBER = re.compile(r"^(\w+)(?:\s*\[\s*(\d+)\s*\])?$")
_WIDE = re.compile(r"^(?:float|double|int|uint|u?char|u?short|u?long|unsigned(?: int)?)(?:2|4|8|16)?$")


@dataclass(frozen=True, slots=True)
class Structure:
    """A structure whose members all have one type, so that it lies in memory as so many of them."""

    kind: str
    members: Mapping[str, tuple[int, int]]
    """Place of a member's first value and how many it has (0: it is a single one), by name."""

    @property
    def size(self) -> int:
        """Number of values."""
        return sum(count or 1 for _, count in self.members.values())


def structured(text: str) -> dict[str, Structure]:
    """Return such structures by their names; others, and those that are told how they are aligned, are left out.

    >>> structured("typedef struct { float x, y; float v[2]; } Body;")["Body"].members
    {'x': (0, 0), 'y': (1, 0), 'v': (2, 2)}
    """
    found: dict[str, Structure] = {}
    for match in _STRUCTURE.finditer(_COMMENT.sub(" ", text)):
        tag, body, name = match.groups()[:3] if match[2] is not None else match.groups()[3:]
        made = _members(body)
        for one in (tag, name):
            if one and made is not None:
                found[one] = made
    return found


def _members(body: str) -> Structure | None:
    kinds, members, place = set[str](), dict[str, tuple[int, int]](), 0
    for line in filter(None, (one.strip() for one in body.split(";"))):
        kind, _, names = line.rpartition(" ") if "," not in line else _split(line)
        kinds.add(" ".join(kind.split()))
        for each in names.split(","):
            found = _MEMBER.match(each.strip())
            if found is None or found[1] in members:
                return None
            count = int(found[2] or 0)
            members[found[1]] = (place, count)
            place += count or 1
    if len(kinds) != 1 or not _WIDE.match(kind := kinds.pop()):
        return None
    return Structure(kind, members)


def _split(line: str) -> tuple[str, str, str]:
    """Return a type and the names behind it, of which there are several."""
    before, comma, rest = line.partition(",")
    kind, space, first = before.strip().rpartition(" ")
    return kind, space, first + comma + rest
