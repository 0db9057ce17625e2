"""Words of a C text that keep anybody from telling which private memory its functions have without a value.

A macro that declares, or that stands for a name, brackets or a semicolon in a declaration; a jump over a declaration, which is a jump over what
overwrites it as well; a union of which one member has a value; a structure that a function hands back without setting it; memory without a name. And C++.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hotloop.verify.remnants.declarations import BUILT_IN, declarations
from hotloop.verify.remnants.text import bare, bodies, closing

if TYPE_CHECKING:
    from collections.abc import Sequence

_MACRO = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(\w+)(\([^()\n]*\))?[ \t]*([^\n]*)$", re.MULTILINE)
_OPTION = re.compile(r"(?:\A|\s)-D\s*(\w+)(?:=(\S*))?")
_WORDS = re.compile(
    r"\bgoto\b|\b\w*alloca\w*(?=\s*\()|\btypedef\s+union\b|\bswitch\s*\([^{};]*\)\s*\{(?!\s*(?:case|default)\b)"
)
_CPLUSPLUS = re.compile(r"(?:\A|\s)-[\w=-]*\s*\S*\+\+\S*")
"""A language whose declarations are not told by the grammar of C: constructors that set nothing, templates, types that are deduced."""
_RETURNS = re.compile(r"\breturn\b[^;{}]*;\s*\Z")
_NO_HEAD = re.compile(r"^[ \t]*#[^\n]*|\b__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)", re.MULTILINE)
_FUNCTION = re.compile(r"(\w+)[\s*]+\w+\s*\([^{}]*\Z")
_MEANT = (
    r"if|for|const|volatile|void|sizeof|unsigned|u?(?:char|int|long)|size_t|bool|\w*typeof\w*|\w*alignof\w*|__attribute__|noinline|always_inline"
    r"|(?:__)?(?:kernel|global|local|constant|private)|\w*barrier|CLK_\w+|get_(?:global|local|group|num)_\w+|__builtin_\w+"
)
"""Words of the language that what is added to a text uses, and their kin."""
_ELSEWHERE = re.compile(
    r"^[ \t]*#[ \t]*ifndef[ \t]+__OPENCL_(?:C_)?VERSION__[ \t]*\n(?:[ \t]*(?:#[ \t]*(?:define|undef)\b[^\n]*)?\n)*",
    re.MULTILINE,
)
"""The beginning of what is only for other compilers."""
_ALIAS = re.compile(r"[*&(\s]*([A-Za-z_]\w*)[)\s]*")
_REST = r"(?:\s*(?:(?:{0})\s*\([^()]*\)|(?!(?:return|break|continue|else)\b)[A-Za-z_]\w*(?!\s*\()))+\s*(?:\[[^\[\];]*\]\s*)*[;,]"
"""What may be the rest of a declaration that a macro begins: words, other macros, lengths. `{0}`: the macros."""
_PUNCTUATION = re.compile(r"[^\w\s]+")


def doubt(source: str, options: Sequence[str] = ()) -> str:
    r"""Return the words that leave it open which private memory a text has; empty where it has none such. `options`: of its compiler.

    >>> doubt("void f(float *y) { float t[9]; y[0] = t[1]; }"), doubt("#define T(n) float n[9]\nvoid f(void) { T(t); }")
    ('', '#define T')
    >>> doubt("void f(int n) { switch (n) { float t[9]; case 0: g(t); } }"), doubt("#define A(i) x[i]; y += 1")
    ('switch (n) {', '')
    >>> doubt("", ("-cl-std=CLC++2021",)), doubt("", ("-cl-std=CL2.0", "-DN=3"))
    ('-cl-std=CLC++2021', '')
    """
    given = " ".join(options)
    text = bare("".join(f"#define {name} {body}\n" for name, body in _OPTION.findall(given)) + source)
    if found := _CPLUSPLUS.search(given) or _WORDS.search(text):
        return " ".join(found[0].split())
    macros = {found[1]: found[3] for found in _MACRO.finditer(text)}
    aliases = ((name, found[1]) for name, body in macros.items() if (found := _ALIAS.fullmatch(body)))
    if any(re.search(rf"\b{alias}\s*=[^;=]*\b{name}\b", text) for name, alias in aliases):
        return "a variable that a macro names as its own value"
    for name, body in macros.items():
        if (
            _PUNCTUATION.fullmatch(body or "x")
            or _unbalanced(body)
            or any(one.names for one in declarations(f") {body}"))
        ):
            return f"#define {name}"
    if _cut(text):
        return "#if"
    if words := _passed(text, [found[1] for found in _MACRO.finditer(text) if found[2]]):
        return words
    for begin, close in bodies(text):
        if _torn(text[begin:close]):
            return "#if within a declaration"
        head = _NO_HEAD.sub("", text[max(text.rfind(";", 0, begin), text.rfind("}", 0, begin)) + 1 : begin - 1])
        made = _FUNCTION.search(head)
        if made and made[1] != "void" and not BUILT_IN.fullmatch(made[1]) and not _RETURNS.search(text[begin:close]):
            return f"{' '.join(head.split())} without a return at its end"
        for one in declarations(text[begin:close]):
            if one.partly or not macros.keys().isdisjoint(one.named):
                return "a union of which one member has a value" if one.partly else "a variable named by a macro"
    return ""


def _cut(text: str) -> bool:
    r"""Tell whether braces between two lines of a condition for the preprocessor do not belong together: not all of them are compiled.

    >>> _cut("#if 0\n}\n#endif"), _cut("#if A\nf() { y;\n#if B\n{ }\n#endif\n}\n#else\n#endif\n{")
    (True, False)
    """
    parts = re.split(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|elif|else|endif)\b[^\n]*$", text, flags=re.MULTILINE)
    open_braces = list[int]()
    for word, part in zip(parts[1::2], parts[2::2], strict=True):
        if not word.startswith("if") and open_braces and open_braces.pop():
            return True
        open_braces += [0] if word != "endif" else []
        if open_braces:
            open_braces[-1] += part.count("{") - part.count("}")
    return False


def _torn(body: str) -> bool:
    r"""Tell whether a condition for the preprocessor stands within a statement, behind a word or a bracket and not among arguments.

    >>> _torn("float\n#if A\nt[4];"), _torn("f(a\n#if A\n, b\n#endif\n); x = 1;\n#if B\ny = 2;\n#endif")
    (True, False)
    """
    found = re.finditer(r"[\w\]*]\s*\n[ \t]*#[ \t]*(?:if|ifdef|ifndef|elif|else|endif)\b", body)
    heads = re.compile(r"^[ \t]*#[^\n]*\Z", re.MULTILINE)
    before = (body[: one.start() + 1] for one in found)
    return any(part.count("(") == part.count(")") and not heads.search(part) for part in before)


def _passed(text: str, macros: Sequence[str]) -> str:
    """Return where a macro is given a declaration, or a word follows what it makes, which may be the rest of one; else empty."""
    rest = re.compile(_REST.format("|".join(macros)))
    uses = re.compile(rf"^[ \t]*#[^\n]*|\b({'|'.join(macros)})\s*\(", re.MULTILINE)
    for found in uses.finditer(text) if macros else ():
        close = closing(text, found.end(), "()") if found[1] else None
        if close is None:
            continue
        given = declarations(f") {text[found.end() : close]}")
        if any(one.names and not BUILT_IN.fullmatch(one.named[0]) for one in given) or rest.match(text, close + 1):
            return " ".join(text[found.start() : close + 1].split())[:80]
    return ""


def renamed(source: str, options: Sequence[str] = ()) -> str:
    r"""Return the line by which a text gives a word of the language another meaning, which what a look adds to it would have as well; else empty.

    Lines for compilers that do not know OpenCL C are left out.

    >>> renamed("#define sizeof(a) 0"), renamed("#define SIZE 4"), renamed("", ("-Duchar=char",))
    ('#define sizeof', '', '-Duchar')
    >>> renamed("#ifndef __OPENCL_VERSION__\n#define __global\n#endif"), renamed("#ifdef A\n#define __global\n#endif")
    ('', '#define __global')
    """
    if given := re.search(rf"(?:\A|\s)-[DU]\s*(?:{_MEANT})(?=\W|\Z)", " ".join(options)):
        return given[0].strip()
    found = re.search(
        rf"^[ \t]*#[ \t]*(?:define|undef)[ \t]+(?:{_MEANT})\b", _ELSEWHERE.sub("", bare(source)), re.MULTILINE
    )
    return " ".join(found[0].split()) if found else ""


def _unbalanced(text: str) -> bool:
    """Tell whether a text has an opening bracket without its closing one, or the other way round."""
    return any(text.count(opened) != text.count(closed) for opened, closed in ("()", "[]", "{}"))
