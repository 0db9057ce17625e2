"""OpenCL C as plain C of the same length: its own words blanked, and parentheses that the grammar of C would take for casts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

WORDS = re.compile(
    r"\b(?:__)?(?:kernel|global|local|constant|private|read_only|write_only|read_write)\b(?!\s*[\(=,;.\[)])"
)
"""Words of OpenCL C that are blanked where they are no names."""
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_CONST = re.compile(r"\b__const\b")
"""A spelling that the grammar of C does not have."""
_COMMENT = r"//[^\n]*|/\*[\s\S]*?\*/"


def blanked(text: str) -> str:
    """Return a text of the same length without OpenCL's own words, and with letters of one byte only.

    >>> blanked("__global float *a")
    '         float *a'
    """
    return uncast(_CONST.sub("const  ", without(text, _ATTRIBUTE, WORDS)))


def without(text: str, *patterns: re.Pattern[str]) -> str:
    """Return a text of the same length in which what matches outside of comments is blank, with letters of one byte only."""
    plain = "".join(letter if ord(letter) < 128 else "?" for letter in text)
    for pattern in patterns:
        plain = re.sub(rf"{_COMMENT}|{pattern.pattern}", _blank, plain)
    return plain


_TYPE = re.compile(
    r"^(?:u?(?:char|short|int|long)|half|float|double)(?:2|3|4|8|16)?$|^(?:bool|void|signed|unsigned|\w+_t)$"
)


_NAMING = (
    r"\btypedef\b[^;{}]*\b([A-Za-z_]\w*)\s*;",
    r"\}\s*([A-Za-z_]\w*)\s*;",
    r"#\s*define\s+([A-Za-z_]\w*)",
    r"\bstruct\s+([A-Za-z_]\w*)",
)
"""Keywords that give names to types; macros may do so, too."""


def uncast(text: str) -> str:
    """Return a text in which ``(i) + n`` and ``(a[i]) * n`` are no casts: names, elements and calls in parentheses lose them.

    >>> uncast("y = (a[i]) * (float)(w);")
    'y =  a[i]  * (float)(w);'
    """
    named = {name for pattern in _NAMING for name in re.findall(pattern, text)}

    def types(name: str) -> bool:
        return name in named or bool(_TYPE.match(name))

    letters = list(text)
    for begin, end in _pairs(text):
        inner = "".join(letters[begin + 1 : end])
        match = _NAME.match(inner)
        if match and not types(match.group(1)) and _postfix(inner[match.end() :]) and _loose(text, begin, end, types):
            letters[begin] = letters[end] = " "
    return "".join(letters)


_NAME = re.compile(r"\s*([A-Za-z_]\w*)\s*")
_KEPT = re.compile(rf"{_COMMENT}|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*|\"(?:[^\"\\\n]|\\.)*\"", re.MULTILINE)
"""Parts of a text that stay as they are: comments, lines of the preprocessor, strings."""


def hidden(text: str) -> str:
    """Return a text of the same length in which comments, strings and lines of the preprocessor are blank."""
    return _KEPT.sub(lambda match: " " * len(match.group()), text)


def _pairs(text: str) -> Iterator[tuple[int, int]]:
    """Yield the places of parentheses that belong together, inner ones first."""
    code = hidden(text)
    begun: list[int] = []
    for place in (match.start() for match in re.finditer(r"[()]", code)):
        if code[place] == "(":
            begun.append(place)
        elif begun:
            yield begun.pop(), place


def _postfix(text: str) -> bool:
    """Tell whether what stands behind a name is nothing but indices, fields and arguments."""
    depth = 0
    for word in re.findall(r"[\[({]|[\])}]|->\s*\w+|\.\s*\w+|\S", text):
        if word in "[({":
            depth += 1
        elif word in "])}":
            depth -= 1
        elif depth == 0 and not word.startswith((".", "->")):
            return False
    return True


def _loose(text: str, begin: int, end: int, types: Callable[[str], bool]) -> bool:
    """Tell parentheses that only group: no arguments of a call, and what a cast stands before only where an operator follows."""
    before = text[:begin].rstrip()
    cast = re.search(r"\(\s*([A-Za-z_]\w*)\s*\)$", before[-64:])
    if cast and types(cast.group(1)):
        return text[end + 1 :].lstrip()[:1] in tuple("-+*&")
    return not re.search(r"[\w\])]$", before[-1:]) or bool(re.search(r"\breturn$", before[-8:]))


def _blank(match: re.Match[str]) -> str:
    words = match.group()
    return words if words.startswith(("//", "/*")) else re.sub(r"[^\n]", " ", words)


@dataclass(frozen=True, slots=True)
class Dialect:
    """One of the C dialects that are parsed: OpenCL C, or CUDA and HIP C++."""

    blanked: Callable[[str], str]
    """A text of the same length without the language's own words."""
    kernel: re.Pattern[str]
    """The word before a kernel's name."""
    space: str = ""
    """Address space of every pointer among a kernel's parameters; empty: the text says it."""


OPENCL = Dialect(blanked, re.compile(r"\b(?:__)?kernel\b"))
