"""Texts that a C or C++ source has as string literals: neighbours put together as the compiler does, and changed where they stand."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

ENDINGS = (".c", ".cc", ".cpp", ".cxx", ".h", ".hh", ".hpp", ".hxx", ".inl")
_TOKEN = re.compile(
    r"""(?P<gap>\s+|\\\r?\n|//[^\n]*|/\*.*?\*/)|(?P<raw>(?:u8|[uUL])?R"(?P<mark>[^\s()\\]{0,16})\()|(?P<text>(?:u8)?")"""
    r"""|(?P<one>(?<![0-9A-Za-z_])(?:u8|[uUL])?'(?:\\.|[^'\\\n])+')|(?P<word>\w+)|.""",
    re.DOTALL,
)
_ESCAPE = re.compile(r"\\(?:(\r?\n)|([0-7]{1,3})|x([0-9A-Fa-f]+)|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "t": "\t", "r": "\r", "a": "\a", "b": "\b", "f": "\f", "v": "\v", "0": "\0"}
_UNENDED = re.compile(r"\\(?:x[0-9A-Fa-f]+|[0-7]{1,2})$")
"""An escape by number, which goes on with each further digit."""
_LONGEST = 16
"""Characters of such an escape that are looked at."""
_ESCAPED = {"\n": "\\n", "\t": "\\t", '"': '\\"', "\\": "\\\\", "\r": "\\r"}


@dataclass(slots=True)
class Chain:
    """Neighbouring literals as one text, with the place of each character in the source."""

    value: str
    starts: list[int]
    ends: list[int]


def changed(source: str, before: str, after: str) -> str | None:
    r"""Return a source with one text in its literals changed; None where it does not stand there exactly once, or cannot be changed there.

    >>> print(changed('f("a\\n" /* first */\n  "b\\n");', "a\nb\n", "a\nc\nd\n"))
    f("a\n" /* first */
      "c\n"
      "d\n");
    """
    known = list(chains(source))
    found = [(chain, chain.value.count(before)) for chain in known if before in chain.value]
    if len(found) != 1 or found[0][1] != 1:
        return None
    (chain, _) = found[0]
    first = chain.value.index(before)
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    at = [first]
    for row in old:
        at.append(at[-1] + len(row))
    edits = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    for tag, begin, end, low, high in reversed(edits):
        if tag != "equal":
            source = _replaced(source, chain, at[begin], at[end], "".join(new[low:high]))
    wanted = [one.value.replace(before, after) if one is chain else one.value for one in known]
    return source if [made.value for made in chains(source)] == wanted else None


def _replaced(source: str, chain: Chain, begin: int, end: int, text: str) -> str:
    """Return the source with some characters of a chain replaced; lines get literals of their own, one below the other."""
    start = chain.starts[begin] if begin < len(chain.value) else chain.ends[begin - 1]
    stop = chain.ends[end - 1] if end > begin else start
    raw = source.rfind("\n", 0, start) + 1
    margin = re.match(r"[ \t]*", source[raw:start])
    bound = _continued(source, start)
    apart = f'"{bound}\n{margin[0] if margin else ""}"'
    rows = [_written(row) for row in text.splitlines(keepends=True)]
    made = apart.join(rows)
    if _UNENDED.search(source[max(0, start - _LONGEST) : start]):
        made = f'" "{made}'
    if begin == end and rows:  # put before what stands there, in a literal that goes on
        made += apart if begin < len(chain.value) else ""
    return source[:start] + made + source[stop:]


def _written(row: str) -> str:
    """Return a line as it stands in a literal; some compilers take two question marks for the beginning of another character."""
    return "".join(_ESCAPED.get(mark, mark) for mark in row).replace("??", "?\\?")


def _continued(source: str, at: int) -> str:
    """Return the mark that a line needs at its end for the next one to belong to the same directive, as a macro's body must."""
    first = source.rfind("\n", 0, at) + 1
    while first and source[max(0, first - 3) : first].rstrip("\r\n").endswith("\\"):
        first = source.rfind("\n", 0, first - 1) + 1
    end = source.find("\n", at)
    line = source[at:end] if end >= 0 else ""
    return " \\" if line.rstrip().endswith("\\") or source[first:at].lstrip().startswith("#") else ""


def chains(source: str) -> Iterator[Chain]:
    """Yield what the literals of a source come to; literals with something else between them are several. Raw ones are left out."""
    chain = Chain("", [], [])
    at = 0
    while at < len(source):
        token = _TOKEN.match(source, at)
        assert token is not None
        at = token.end()
        if token["text"]:
            at = _literal(source, at, chain)
        elif token["raw"]:
            close = source.find(f'){token["mark"]}"', at)
            at = len(source) if close < 0 else close + len(token["mark"]) + 2
        elif token["gap"] is None and chain.value:
            yield chain
            chain = Chain("", [], [])
    if chain.value:
        yield chain


def _literal(source: str, at: int, chain: Chain) -> int:
    """Add a literal's characters; return where it ends."""
    marks = [chain.value]
    while at < len(source) and source[at] not in '"\n':
        step = _ESCAPE.match(source, at)
        end = step.end() if step else at + 1
        mark = source[at] if step is None else _meant(step)
        if mark:
            marks.append(mark)
            chain.starts.append(at)
            chain.ends.append(end)
        at = end
    chain.value = "".join(marks)
    return at + 1


def _meant(escape: re.Match[str]) -> str:
    line, octal, digits, plain = escape.groups()
    if line:
        return ""
    if octal or digits:
        return chr(int(octal or digits, 8 if octal else 16) & 0xFF)
    return _SIMPLE.get(plain, plain)
