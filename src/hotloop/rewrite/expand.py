"""A source as the compiler sees it: macros put in, branches of the preprocessor decided, by the library pcpp.

What a kernel reads and writes often stands in macros; the text itself stays what it is, for people and for the patch.
"""

from __future__ import annotations

import io
import re
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from hotloop.errors import MissingExtraError
from hotloop.rewrite import helpers, items, parse, pointers
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.begun import begun
from hotloop.rewrite.components.headed import headed
from hotloop.rewrite.components.running import settled
from hotloop.rewrite.form import Helper
from hotloop.rewrite.members import Structure, structured
from hotloop.rewrite.shape import RefusedError, number
from hotloop.rewrite.tidy import tidy

if TYPE_CHECKING:
    from collections.abc import Mapping

_DIRECTIVE = re.compile(r"^[ \t]*#[ \t]*(?:define|if|ifdef|ifndef|include|undef)\b", re.MULTILINE)
_INSIDE = re.compile(r"^[ \t]*#", re.MULTILINE)
_NUMBER = re.compile(r"^[(\s]*[-+]?[\d.][\w.]*[)\s]*$")
_COUNT = re.compile(r"^[(\s]*(?:0[xX][0-9a-fA-F]+|[1-9]\d*|0)[)\s]*$")
_WORD = re.compile(r"[A-Za-z_]\w*")
_KNOWN = ("__OPENCL_VERSION__ 300", "__OPENCL_C_VERSION__ 120", "cl_khr_fp64 1", "__ENDIAN_LITTLE__ 1")
"""Macros that OpenCL compilers define."""


@dataclass(frozen=True, slots=True)
class Expanded:
    """The text without macros, and which of their names stand for more than a number."""

    text: str
    macros: frozenset[str]
    numbers: Mapping[str, int] = field(default_factory=dict)
    """Macros that stand for whole numbers."""
    names: Mapping[str, str] = field(default_factory=dict)
    """Macros that stand for another name."""


@lru_cache(maxsize=16)
def expanded(text: str, options: tuple[str, ...] = ()) -> Expanded:
    r"""Return a text as the preprocessor leaves it; one without directives stays as it is.

    >>> expanded("#define AT(i) x[i]\nfloat f(int k) { return AT(k + 1); }").text.strip()
    'float f(int k) { return x[k + 1]; }'

    Raises:
        MissingExtraError: pcpp is not installed.
    """
    if not _DIRECTIVE.search(text) and not any(option.startswith("-D") for option in options):
        return Expanded(text, frozenset())
    reader = _reader()
    for line in (*_KNOWN, *(_defined(option) for option in options if option.startswith("-D"))):
        reader.define(line)
    for one in options:
        if one.startswith("-I"):
            reader.add_path(one[2:].strip().strip('"'))
    reader.parse(text, "kernel.cl")
    written = io.StringIO()
    reader.write(written)
    macros = {name for name, one in reader.macros.items() if one.arglist is not None or not _plain(one)}
    plain = {
        name: "".join(str(one.value) for one in each.value)
        for name, each in reader.macros.items()
        if each.arglist is None
    }
    numbers = {name: int(text.strip("() "), 0) for name, text in plain.items() if _COUNT.match(text)}
    others = {name: text for name, text in plain.items() if text.isidentifier()}
    return Expanded(written.getvalue(), frozenset(macros), numbers, others)


def _reader() -> Any:  # noqa: ANN401 - pcpp has no types
    try:
        from pcpp.preprocessor import Action, OutputDirective, Preprocessor
    except ImportError:
        raise MissingExtraError("reading macros of OpenCL C", "cpu") from None

    class Reader(Preprocessor):  # type: ignore[misc]
        """A preprocessor that reports no errors: the compiler has read the text before and has told them."""

        def on_error(self, file: str, line: int, msg: str) -> None:
            del file, line, msg

        def on_directive_unknown(self, directive: Any, *_more: object) -> bool | None:  # noqa: ANN401 - a token of pcpp
            return True if directive.value in ("error", "warning") else None

        def on_include_not_found(self, *_where: object) -> None:
            raise OutputDirective(Action.IgnoreAndRemove)

    made = Reader()
    made.line_directive = None
    return made


def _defined(option: str) -> str:
    name, _, value = option[2:].strip().partition("=")
    return f"{name} {value or 1}"


def _plain(macro: Any) -> bool:  # noqa: ANN401
    return bool(_NUMBER.match("".join(str(one.value) for one in macro.value)))


@dataclass(frozen=True, slots=True)
class Read:
    """The kernels of a text."""

    known: Mapping[str, t.Function]
    """Kernels after macro expansion, for analysis."""
    kept: Mapping[str, t.Function]
    """Kernels as they stand in the text, for rewriting, except where macros hide what they do. Positions are those of the text."""
    structures: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Structures whose members are all of one type, with that type and their number."""
    required: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """Work-items of a group, of kernels whose attribute requires them."""
    constants: Mapping[str, int] = field(default_factory=dict)
    """Macros that are whole numbers."""
    deep: Mapping[str, t.Function] = field(default_factory=dict)
    """The kernels that call functions of the text, with these put in: what is read and written is looked at there."""

    helpers: tuple[Helper, ...] = ()
    """Functions that kernels may call, without macros."""
    outside: Mapping[str, str] = field(default_factory=dict)
    """Types of the constants that stand outside of functions, by name."""
    members: Mapping[str, Structure] = field(default_factory=dict)
    """The same structures with what they consist of."""

    def looked(self, kernel: str) -> t.Function:
        """Return a kernel that is known as its accesses are looked at."""
        return self.deep.get(kernel, self.known[kernel])


def read(text: str, options: tuple[str, ...] = (), *, filled: bool = False) -> Read:
    """Return the kernels of a text by name; `filled` says that grids are as large as loops over them. Raises MissingExtraError."""
    whole = expanded(text, options)
    if whole.text is text:
        own = _direct(text, filled=filled)
        return Read(
            own,
            own,
            parse.structures(text),
            _required(text, own),
            deep=_deep(text, filled=filled),
            helpers=_typed(text),
            outside=outside(text),
            members=structured(text),
        )
    functions = _direct(whole.text, filled=filled)
    own = _direct(_spelled(text, whole.names), filled=filled)
    kept: dict[str, t.Function] = {}
    made = _called(text, options, tuple(written for written in own if "(" in written))
    for written, function in own.items():
        name = made.get(written) or whole.names.get(written, written)
        written_text = text[function.head[0] : function.span[1]]
        hidden = _INSIDE.search(written_text) or whole.macros & set(_WORD.findall(written_text))
        hides = (hidden or name != written) and name in functions
        kept[name] = _placed(functions[name], function) if hides else function
    for name in functions.keys() - kept.keys():
        if (place := headed(text, functions[name], whole.macros)) is not None:
            kept[name] = _placed(functions[name], place)
    structures, deep = parse.structures(whole.text), _deep(whole.text, filled=filled)
    return Read(
        {**own, **functions},
        kept,
        structures,
        _required(whole.text, functions),
        whole.numbers,
        deep,
        _typed(whole.text),
        outside(whole.text),
        structured(whole.text),
    )


_OUTSIDE = re.compile(r"^[ \t]*(?:__)?constant\s+(?:const\s+)?(\w+)\s+(?:const\s+)?(\w+)\s*=", re.MULTILINE)


def outside(text: str) -> dict[str, str]:
    r"""Return the types of single constants that stand outside of functions.

    >>> outside("__constant float2 zero = (float2)(0, 0);\nconstant int table[2] = {1, 2};")
    {'zero': 'float2'}
    """
    return {name: kind for kind, name in _OUTSIDE.findall(text)}


def _called(text: str, options: tuple[str, ...], calls: tuple[str, ...]) -> dict[str, str]:
    """Return the names that calls of macros become, of kernels whose heads have such a call for a name.

    >>> _called("#define NAME(a, b) a##_##b", (), ("NAME(sum, float)",))
    {'NAME(sum, float)': 'sum_float'}
    """
    if not calls:
        return {}
    lines = expanded("\n".join((text, *calls)), options).text.rstrip().splitlines()
    return dict(zip(calls, (line.strip() for line in lines[-len(calls) :]), strict=False))


def _spelled(text: str, names: Mapping[str, str]) -> str:
    """Return a text of the same length with OpenCL's own words where macros as long stand for them.

    >>> _spelled("KERNEL void f(GLOBAL_MEM int *x)", {"KERNEL": "__kernel", "GLOBAL_MEM": "__global"})
    'kernel void f(global     int *x)'
    """
    words = {name: word.strip("_") for name, word in names.items()}
    words = {name: word.ljust(len(name)) for name, word in words.items() if word in _SPACES and len(word) <= len(name)}
    return _WORD.sub(lambda match: words.get(match[0], match[0]), text) if words else text


_SPACES = ("kernel", "global", "local", "constant", "private")


def _direct(text: str, *, filled: bool) -> dict[str, t.Function]:
    """Return kernels by name, with indices that begin at arrays and work-items that are asked for at once."""
    own = parse.helpers(text)
    return {function.name: _seen(tidy(function, own, text), filled=filled) for function in parse.functions(text)}


def _seen(function: t.Function, *, filled: bool) -> t.Function:
    made = items.direct(pointers.direct(settled(begun(function))))
    return items.unstrided(made) if filled else made


def _typed(text: str) -> tuple[Helper, ...]:
    return helpers.typed(text, parse.helpers(text))


def _deep(text: str, *, filled: bool) -> dict[str, t.Function]:
    """Return the kernels that call functions of the text, with these put in."""
    own = parse.helpers(text)
    put_in = (
        (function, helpers.inlined(function, own))
        for function in (tidy(each, own, text) for each in parse.functions(text))
    )
    return {one.name: _seen(made, filled=filled) for one, made in put_in if made is not one}


_REQUIRED = re.compile(r"\breqd_work_group_size\s*\(((?:[^()]|\([^()]*\))*)\)")


def _required(text: str, functions: Mapping[str, t.Function]) -> dict[str, tuple[int, ...]]:
    """Return the sizes of groups that attributes before the heads of functions require."""
    sizes: dict[str, tuple[int, ...]] = {}
    ended = 0
    for one in sorted(functions.values(), key=lambda each: each.head[0]):
        attribute = _REQUIRED.search(text, ended, one.head[0])
        ended = one.span[1]
        if attribute is not None:
            with suppress(RefusedError):
                sizes[one.name] = tuple(number(parse.expression(part), {}) for part in attribute.group(1).split(","))
    return sizes


def typedefs(text: str, options: tuple[str, ...] = ()) -> dict[str, str]:
    """Return the names that ``typedef`` and macros give to other types."""
    return parse.typedefs(text) | parse.typedefs(expanded(text, options).text)


def _placed(expanded: t.Function, own: t.Function) -> t.Function:
    """Return a function without macros at the place of the text's own; its lines are those where that begins."""
    body = tuple(_lined(statement, own.line) for statement in expanded.body)
    return replace(expanded, body=body, line=own.line, span=own.span, head=own.head)


def _lined(node: t.Node, line: int) -> t.Node:
    def moved(one: t.Node) -> t.Node | None:
        if isinstance(one, t.Text | t.Declare | t.Do | t.If | t.For | t.Block) and one.line not in (0, line):
            return _lined(replace(one, line=line), line)
        return None

    return t.changed(node, moved)
