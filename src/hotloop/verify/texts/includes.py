"""What a kernel's source may take in: files of its own folder and what the compiler brings, nothing else of this machine.

A compiler that is asked to include ``/etc/hostname`` prints that file in its messages. Looked for in the text after
continued lines are joined and comments taken out, as translation does it (C11, 5.1.1.2). Where compilers differ in what is a comment, because they
know trigraphs, raw strings or apostrophes in numbers or not, the text is read in each way: none of them may show a file outside.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import lru_cache
from itertools import chain

from hotloop.verify.texts.uncommented import uncommented

_TRIGRAPHS = {"??/": "\\", "??'": "^", "??=": "#"}
_DIRECTIVE = re.compile(
    r"^[ \t\v\f]*(?:#|%:|\?\?=)[ \t\v\f]*(include_next|include|import|embed)\b[ \t\v\f]*(.*)$", re.MULTILINE
)
_ASKED = re.compile(r"(__has_include_next|__has_include|__has_embed)\s*\(([^)\n]*)")
_DATED = re.compile(
    r"\bpragma\s+GCC\s+(dependency)\b[ \t]*(.*)|\b_Pragma\s*\(\s*\"GCC\s+(dependency)\b(.*)", re.MULTILINE
)
"""Pragma that asks whether a file exists, and how old it is."""
_NAMED = re.compile(r"[\"<]([^\">]*)[\">]")
_ASSEMBLER = re.compile(r"\.\s*(incbin|include)\b")
_BESIDE = re.compile(r"^[\w+-][\w.+-]*(?:/[\w+-][\w.+-]*)*$")


@lru_cache(maxsize=64)  # asked again whenever a program gets other arrays
def refused(source: str) -> str:
    r"""Return why a source must not be compiled, one line; empty where there is no reason.

    >>> refused('#include "/etc/hostname"')
    'error: #include "/etc/hostname" reads a file outside the kernel\'s folder'
    >>> refused('#include "tile.h"'), refused('#include <cuda_fp16.h>'), refused('// #include "/etc/passwd"')
    ('', '', '')
    >>> refused('#if __has_include("/etc/hostname")')
    'error: __has_include "/etc/hostname" reads a file outside the kernel\'s folder'
    """
    return next(filter(None, map(_refused, readings(source))), "")


def readings(source: str) -> Iterable[str]:
    """Return a text without comments, in each way in which a compiler may read it."""
    lines = source.replace("\r\n", "\n")
    ended = dict.fromkeys((lines, lines.replace("\r", "\n")))  # a lone carriage return ends a line for some
    spelled = (re.sub("|".join(map(re.escape, _TRIGRAPHS)), lambda found: _TRIGRAPHS[found[0]], text) for text in ended)
    joined = (re.sub(end, "", text) for text in (*ended, *spelled) for end in (r"\\[ \t\v\f]*\n", r"\\\n"))
    return dict.fromkeys(chain.from_iterable(map(uncommented, dict.fromkeys(joined))))


def _refused(plain: str) -> str:
    """Return why a text without comments must not be compiled."""
    looks = [(f"#{word}", rest) for word, rest in _DIRECTIVE.findall(plain)] + _ASKED.findall(plain)
    if dated := _DATED.search(plain):
        return f"error: #pragma GCC {dated[1] or dated[3]} asks for the date of a file; a kernel must not"
    for word, rest in looks:
        named = _NAMED.match(rest.strip())
        if named is None:
            return f"error: {word} {rest.strip():.80} names no file; write the name of a file in the kernel's folder"
        if not _BESIDE.match(named[1]) or ".." in named[1].split("/"):
            return f"error: {word} {rest.strip():.80} reads a file outside the kernel's folder"
    if found := _ASSEMBLER.search(plain):
        return f"error: assembly with {found[0]} reads files; a kernel must not"
    return ""
