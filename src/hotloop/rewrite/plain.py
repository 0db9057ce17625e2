"""OpenCL C as plain C of the same length: its own words blanked, and parentheses that the grammar of C would take for casts."""

from __future__ import annotations

import re

WORDS = re.compile(
    r"\b(?:__)?(?:kernel|global|local|constant|private|read_only|write_only|read_write)\b(?!\s*[\(=,;.\[)])"
)
"""OpenCL's own, where they do not name something."""
_ATTRIBUTE = re.compile(r"__attribute__\s*\(\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)\)")
_COMMENT = r"//[^\n]*|/\*[\s\S]*?\*/"


def blanked(text: str) -> str:
    """Return a text of the same length without OpenCL's own words, and with letters of one byte only.

    >>> blanked("__global float *a")
    '         float *a'
    """
    return uncast(without(text, _ATTRIBUTE, WORDS))


def without(text: str, *patterns: re.Pattern[str]) -> str:
    """Return a text of the same length in which what matches outside of comments is blank, with letters of one byte only."""
    plain = "".join(letter if ord(letter) < 128 else "?" for letter in text)
    for pattern in patterns:
        plain = re.sub(rf"{_COMMENT}|{pattern.pattern}", _blank, plain)
    return plain


_WRAPPED = re.compile(r"\(\s*([A-Za-z_]\w*)\s*\)(?=\s*[-+*&])")
_TYPE = re.compile(
    r"^(?:u?(?:char|short|int|long)|half|float|double)(?:2|3|4|8|16)?$|^(?:bool|void|signed|unsigned|\w+_t)$"
)


_NAMING = (
    r"\btypedef\b[^;{}]*\b([A-Za-z_]\w*)\s*;",
    r"\}\s*([A-Za-z_]\w*)\s*;",
    r"#\s*define\s+([A-Za-z_]\w*)",
    r"\bstruct\s+([A-Za-z_]\w*)",
)
"""What gives types names; macros may."""


def uncast(text: str) -> str:
    """Return a text in which ``(i) + n`` is no cast of ``+n``: names in parentheses lose them where they are no types."""
    named = {name for pattern in _NAMING for name in re.findall(pattern, text)}

    def types(name: str) -> bool:
        return name in named or bool(_TYPE.match(name))

    def bare(found: re.Match[str]) -> str:
        before = text[: found.start()].rstrip()
        cast = re.search(r"\(\s*([A-Za-z_]\w*)\s*\)$", before)
        called = bool(re.search(r"[\w\])]$", before)) and not re.search(r"\breturn$", before)
        if types(found.group(1)) or (called and not (cast and types(cast.group(1)))):
            return found.group()
        return re.sub(r"[()]", " ", found.group())

    return _WRAPPED.sub(bare, text)


def _blank(found: re.Match[str]) -> str:
    words = found.group()
    return words if words.startswith(("//", "/*")) else re.sub(r"[^\n]", " ", words)
