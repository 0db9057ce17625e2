"""What a person names for a bare source: sizes, launches, work-groups, macros; read from short texts."""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from math import inf

from hotloop.errors import UsageError

_OPERATORS: dict[type[ast.AST], Callable[[float, float], float]] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.floordiv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.LShift: lambda a, b: int(a) << min(int(b), 62),
}  # fmt: skip
_LARGEST = 1 << 62
_NAME = re.compile(r"^[A-Za-z_]\w*$")


@dataclass(frozen=True, slots=True)
class Loop:
    """Launches that a host repeats, with a number that counts."""

    variable: str
    first: str
    end: str
    step: str
    body: tuple[Repeated, ...]


Repeated = Loop | str
"""A loop, or the name of a kernel function that is launched."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wish:
    """Everything that the user named about a source: sizes, launches, groups, reference."""

    sizes: Mapping[str, str] = field(default_factory=dict)
    """Numbers, expressions of other sizes, ``null``, ``bytes:HEX`` or ``values:N:M`` by parameter, macro or ``kernel.parameter``."""
    launches: tuple[Repeated, ...] = ()
    """Empty: every kernel function of the source once, in its order."""
    globals: Mapping[str, str] = field(default_factory=dict)
    """Work-items by kernel function (or ``*``), dimensions separated by commas."""
    locals: Mapping[str, str] = field(default_factory=dict)
    """Work-items of a group, likewise."""
    options: tuple[str, ...] = ()
    """Build options."""
    order: str = ""
    """The launches as they were written."""
    reference: str = ""
    """``MODULE:FUNCTION`` that says what is right; empty: the text itself."""
    within_s: float = field(default=inf, compare=False)
    """Budget of the run that follows: a text of which a run takes too much of it is refused at once."""

    @property
    def empty(self) -> bool:
        """Tell whether nothing was named."""
        return self == Wish()

    def text(self) -> str:
        """Return everything in one line, for identities."""
        return repr(
            (
                sorted(self.sizes.items()),
                self.launches,
                sorted(self.globals.items()),
                sorted(self.locals.items()),
                self.options,
            )
        )


def wish(
    sizes: tuple[str, ...], launches: str = "", globals_: tuple[str, ...] = (), locals_: tuple[str, ...] = (),
    options: tuple[str, ...] = (), reference: str = "",
) -> Wish:  # fmt: skip
    """Return what options of the command line name. Raises UsageError."""
    return Wish(
        sizes=_pairs("--size", sizes),
        launches=sequence(launches) if launches else (),
        order=launches,
        globals=_geometry(globals_),
        locals=_geometry(locals_),
        options=options,
        reference=reference,
    )


def _pairs(option: str, given: tuple[str, ...]) -> dict[str, str]:
    pairs: dict[str, str] = {}
    for text in given:
        for pair in text.split(","):
            name, equals, value = (part.strip() for part in pair.partition("="))
            if not equals or not value or not re.match(r"^[A-Za-z_][\w.]*$", name):
                raise UsageError(f"{option} {text}: {pair!r} is not NAME=VALUE; write e.g. {option} n=1024.")
            if name in pairs:
                raise UsageError(f"{option} names {name} twice; give it one value.")
            pairs[name] = value
    return pairs


def _geometry(given: tuple[str, ...]) -> dict[str, str]:
    geometry: dict[str, str] = {}
    for text in given:
        name, equals, value = text.partition("=")
        geometry[name.strip() if equals else "*"] = re.sub(r"(?<=\d)x(?=\d)", ",", value if equals else text).strip()
    return geometry


def sequence(text: str) -> tuple[Repeated, ...]:
    """Return launches as data: names in order, ``k=0:n(first second)`` for a loop of the host, ``0:n:2`` with a step.

    >>> sequence("init k=0:n-1(scale update)")
    ('init', Loop(variable='k', first='0', end='n-1', step='1', body=('scale', 'update')))

    Raises:
        UsageError: the text is not understood.
    """
    body, rest = _parts(text.strip(), text)
    if rest:
        raise UsageError(f"--launches {text}: there is a closing parenthesis too many.")
    return body


_LOOP = re.compile(r"^\s*([A-Za-z_]\w*)\s*=\s*([^:()\s]+(?:\([^()]*\))?)\s*:\s*([^:\s(]+)(?:\s*:\s*([^:\s(]+))?\s*\(")
_WORD = re.compile(r"^\s*,?\s*([A-Za-z_]\w*)\s*,?")


def _parts(text: str, whole: str) -> tuple[tuple[Repeated, ...], str]:
    made: list[Repeated] = []
    while text.strip():
        if loop := _LOOP.match(text):
            body, rest = _parts(text[loop.end() :], whole)
            if not rest.startswith(")") or not body:
                raise UsageError(f"--launches {whole}: the loop over {loop.group(1)} has no end or no kernel.")
            made.append(Loop(loop.group(1), loop.group(2), loop.group(3), loop.group(4) or "1", body))
            text = rest[1:]
        elif word := _WORD.match(text):
            made.append(word.group(1))
            text = text[word.end() :]
        elif text.lstrip().startswith(")"):
            return tuple(made), text.lstrip()
        else:
            raise UsageError(
                f"--launches {whole}: {text.strip()[:20]!r} is not understood; write kernels in order, and loops as k=0:n(a b)."
            )
    return tuple(made), ""


def number(text: str, values: Mapping[str, float], what: str) -> float:
    """Return the value of an expression of sizes. Raises UsageError.

    >>> number("n*n - 1", {"n": 4}, "--size a")
    15
    """
    try:
        return _value(ast.parse(text.strip(), mode="eval").body, values)
    except (SyntaxError, ValueError, ZeroDivisionError, RecursionError, MemoryError) as error:
        raise UsageError(f"{what}={text} is not understood: {error}; give numbers and names of sizes.") from None


def count(text: str, values: Mapping[str, float], what: str, least: int) -> int:
    """Return the whole number that an expression of sizes gives. Raises UsageError for one below `least`."""
    value = int(number(text, values, what))
    if value < least:
        raise UsageError(f"{what}={text} is {value}; give a whole number of at least {least}.")
    return value


def _value(node: ast.expr, values: Mapping[str, float]) -> float:
    match node:
        case ast.Constant(value=int() | float() as value):
            return _bounded(value)
        case ast.Name(id=name):
            if name not in values:
                raise ValueError(
                    f"nothing is called {name}; a macro that is a word is given as --build-option -DNAME={name}"
                )
            return values[name]
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _OPERATORS:
            return _bounded(_OPERATORS[type(op)](_value(left, values), _value(right, values)))
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_value(operand, values)
    raise ValueError("it is no sum or product")


def _bounded(number: float) -> float:
    if abs(number) >= _LARGEST:
        raise ValueError("it is too large")
    return number


def names(text: str) -> set[str]:
    """Return the names that an expression uses."""
    return {word for word in re.findall(r"[A-Za-z_]\w*", text) if _NAME.match(word)}


NO_NUMBER = ("bytes:", "values:", "null", "below:", "rising:", "order:")
"""Beginnings of what is named and no number."""


def held(text: str | None, sizes: Mapping[str, float], option: str) -> tuple[float, ...]:
    """Return the elements that are named for an array, empty where none are. Raises UsageError.

    >>> held("values:2*n:3", {"n": 4}, "--size shape")
    (8, 3)
    """
    if text is None or not text.startswith("values:"):
        return ()
    return tuple(number(part, sizes, option) for part in text.removeprefix("values:").split(":"))


def numbers(wish: Wish) -> dict[str, float]:
    """Return the named sizes that are numbers, expressions of others resolved. Raises UsageError."""
    values: dict[str, float] = {}
    waiting = {k: v for k, v in wish.sizes.items() if "." not in k and not v.startswith(NO_NUMBER)}
    for _ in range(len(waiting) + 1):
        for name, text in list(waiting.items()):
            try:
                values[name] = number(text, values, f"--size {name}")
            except UsageError:
                continue
            del waiting[name]
    for name, text in waiting.items():
        number(text, values, f"--size {name}")
    return values
