"""The text of a C program: without comments, where what a bracket opens ends, its kernels, and what they declare in local memory."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hotloop.model.program import Program

OWN = f"hotloop_{secrets.token_hex(6)}"
"""Beginning of all names that are added to a text: no text can know them and give them another meaning."""
ME = "get_local_id(0) + get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2))"
"""A work-item's place in its group."""
SECRET = secrets.randbits(31) | 1
"""Odd number from which the turns of work-items are drawn: no text can know which of them a look takes."""
GROUP = "get_group_id(0) + get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2))"
"""A group's place among all."""
TURN = f"((uint)({GROUP}) * {SECRET}u >> 15)"
"""A number that differs from group to group in no order."""
_PLACES = ("get_local_id", "get_local_size", "get_global_size", "get_global_id", "get_group_id", "get_num_groups")
_PLAIN = re.compile(
    r"/\*.*?\*/|//[^\n]*|(?P<line>(?m:^)[ \t]*(?:#|%:)[ \t]*(?:(?:include|include_next|import|embed|line|\d+)\b[^\n\"'/]*\"[^\n\"]*\""
    r"|(?:error|warning|pragma)\b[^\n/]*))|_Pragma\s*\(\s*\"(?:\\.|[^\"\\\n])*\""
    r"|(?P<quoted>\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*')|(?P<pair><:|:>|<%|%>|%:)"
    r"|(?P<name>(?:[^\W\d]|\$|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})(?:\w|\$|\\u[0-9a-fA-F]{4}|\\U[0-9a-fA-F]{8})*)",
    re.DOTALL,
)
"""Comments, lines for the preprocessor whose texts must stay, texts and characters, brackets of two characters, and names."""
_PAIRS = {"<:": "[", ":>": "]", "<%": "{", "%>": "}", "%:": "#"}
_MISLEADING = re.compile(r"[][(){};,#]|/(?=[/*])")
_SPELLED = re.compile(r"\\u([0-9a-fA-F]{4})|\\U([0-9a-fA-F]{8})")
_SPLIT = re.compile(r"(?:\\|\?\?/)[ \t\v\f]*\n")
_ATTRIBUTE = r"(?:__attribute__\s*\(\([^;{}]*?\)\)\s*)*"
_KERNEL = re.compile(rf"(?<!\w){_ATTRIBUTE}(?:__)?kernel\s+{_ATTRIBUTE}void\s+{_ATTRIBUTE}(\w+)\s*\(")
_OPENED = re.compile(rf"\s*{_ATTRIBUTE}\{{")
_NAMED = re.compile(r"([A-Za-z_]\w*)\s*(?:\[[^\[\]]*\]\s*)?$")
_WORDS = r"__local|local"
_ALIAS = re.compile(rf"#[ \t]*define[ \t]+(\w+)[ \t]+[^\n]*\b(?:{_WORDS})\b")
_OPTION = re.compile(rf"-D\s*(\w+)=(?:{_WORDS})\b")
_EXTENT, _EXTRA = re.compile(r"\[[^\[\]]*\]"), re.compile(r"__attribute__\s*\(\(.*?\)\)\)?")
_VARIABLE = re.compile(r"([A-Za-z_]\w*)\s*((?:\[[^\[\]]*\]\s*)*)$")

_WORD = re.compile(r"\b(?:__)?kernel\b")
_NO_FUNCTION = re.compile(r"=\s*\Z|\b(?:struct|union|enum)\b[^()]*(?:\(\([^{}]*\)\)[^()]*)?\Z")
"""What stands before a brace that opens values or the members of a type."""


@dataclass(frozen=True, slots=True)
class Definition:
    """Where a kernel stands in a text."""

    name: str
    start: int
    named: int
    """Position at which its name begins."""
    parameters: int
    """Position at which the text of its parameters begins."""
    close: int
    """Place of the bracket that ends them."""
    body: int
    """Place behind the brace that opens its body."""
    end: int


@dataclass(frozen=True, slots=True)
class Variable:
    """One variable of a declaration in local memory."""

    kind: str
    name: str
    extents: str


def bare(source: str) -> str:
    r"""Return the same text as a plain one; its lines keep their numbers, but for those that a backslash joins.

    It has no comments, no brackets of two characters, none within texts and characters, and names of letters, digits and underscores.

    >>> bare("a /* one\ntwo */ b // c\nd")
    'a \n b \nd'
    >>> bare("a // ends where a compiler says\rb")
    'a \nb'
    >>> bare('"/*{" \'}\' t<:4:>')
    '"\\057*\\173" \'\\175\' t[4]'
    >>> bare("t$ = x;") == bare("t$ = x;") != bare("u$ = x;")
    True
    """
    return _PLAIN.sub(_plain, _SPLIT.sub("", source.replace("\r\n", "\n").replace("\r", "\n")))


def _plain(found: re.Match[str]) -> str:
    if found[0][:2] in ("/*", "//"):
        return "\n" * found[0].count("\n")
    if found["quoted"]:
        return _MISLEADING.sub(lambda one: f"\\{ord(one[0]):03o}", found[0])
    if found["pair"]:
        return _PAIRS[found["pair"]]
    if found["name"] and not re.fullmatch(r"[A-Za-z_0-9]+", found[0]):
        name = _SPELLED.sub(lambda one: chr(int(one[1] or one[2], 16)), found[0])
        return f"{OWN}_{name.encode('utf-8', 'replace').hex()}"
    return found[0]


def prelude(text: str) -> str:
    """Return lines to put in front of a program, in which what tells the place of a work-item means what it always means."""
    kept = "".join(f'#pragma push_macro("{name}")\n#undef {name}\n' for name in _PLACES)
    back = "".join(f'#pragma pop_macro("{name}")\n' for name in _PLACES)
    return f"{kept}{text}\n{back}#line 1\n"


def closing(text: str, start: int, pair: str) -> int | None:
    """Return the place of the bracket that closes one opened before a place; None where none does.

    >>> closing("f(g(x), y) z", 2, "()"), closing("f(x", 2, "()")
    (9, None)
    """
    depth = 1
    for place in range(start, len(text)):
        depth += (text[place] == pair[0]) - (text[place] == pair[1])
        if not depth:
            return place
    return None


def kernels(text: str) -> Iterator[Definition | None]:
    """Yield the kernels that a text without comments defines; None for one that is declared only, or cannot be told."""
    for found in _KERNEL.finditer(text):
        close = closing(text, found.end(), "()")
        opened = None if close is None else _OPENED.match(text, close + 1)
        end = closing(text, opened.end(), "{}") if opened else None
        if close is None or opened is None or end is None:
            yield None
        else:
            yield Definition(found[1], found.start(), found.start(1), found.end(), close, opened.end(), end + 1)


def parameters(text: str) -> list[str] | None:
    """Return the names of parameters; None where they cannot be told.

    >>> parameters("__global const float *x, int n, __local float part[]"), parameters("void"), parameters("int, float y")
    (['x', 'n', 'part'], [], None)
    """
    plain = text.strip()
    if plain in ("", "void"):
        return []
    if "#" in plain or "(" in plain:
        return None
    parts = [part.strip() for part in plain.split(",")]
    found = [_NAMED.search(part) for part in parts]
    named = [
        one[1] for one, part in zip(found, parts, strict=True) if one and re.search(r"[\s*]", part[: one.start() + 1])
    ]
    return named if len(named) == len(parts) else None


def in_local_memory(program: Program) -> re.Pattern[str]:
    """Return what finds declarations in local memory in a program's text: the first group is what stands behind the word."""
    aliases = [*_ALIAS.findall(program.source), *_OPTION.findall(" ".join(program.options))]
    return re.compile(rf"(?<![\w.>])(?:{'|'.join((_WORDS, *aliases))})\s+([^;{{}}]*);")


def variables(declared: str) -> list[Variable]:
    """Return the variables of a declaration; none where it has pointers or is a list of parameters.

    >>> [(v.kind, v.name, v.extents) for v in variables("volatile float tile[16 * (N + 1)][4], sums[MAX(A, B)]")]
    [('volatile float', 'tile', '[16 * (N + 1)][4]'), ('volatile float', 'sums', '[MAX(A, B)]')]
    >>> [v.name for v in variables("int found")], variables("float *at"), variables("float *p, int n)")
    (['found'], [], [])
    """
    plain = _EXTRA.sub("", declared)
    flat = _EXTENT.sub(lambda found: "[" + "_" * (len(found[0]) - 2) + "]", plain)
    if "*" in flat or "(" in flat or ")" in flat:
        return []
    made, begin, kind = [], 0, ""
    for part in flat.split(","):
        whole = plain[begin : begin + len(part)].rstrip()
        begin += len(part) + 1
        if (found := _VARIABLE.search(whole)) is None:
            return []
        kind = kind or whole[: found.start()].strip()
        made.append(Variable(kind, found[1], found[2].strip()))
    return made


def alike(program: Program, plain: str) -> list[Definition] | None:
    """Return the kernels of a text, where each stands there in plain sight and can have one more argument; else None."""
    every = [
        kernel
        for kernel in kernels(plain)
        if kernel and parameters(plain[kernel.parameters : kernel.close]) is not None
    ]
    launched = {launch.entry for launch in program.launches}
    seen = len(every) == len(_WORD.findall(plain)) and launched <= {kernel.name for kernel in every}
    return every if seen else None


def longer(given: str, name: str) -> str:
    """Return the text of parameters with one more number of this name."""
    return f"{given}, const uint {name}" if given.strip() not in ("", "void") else f"const uint {name}"


def bodies(text: str) -> Iterator[tuple[int, int]]:
    """Yield where the bodies of a text's functions begin and end, however they are defined: all that braces enclose but values and members."""
    at = end = 0
    while (opened := text.find("{", at)) >= 0:
        close = closing(text, opened + 1, "{}")
        if close is None:
            return
        if not _NO_FUNCTION.search(text[max(end, text.rfind(";", end, opened) + 1) : opened]):
            yield opened + 1, close
        at = end = close + 1
