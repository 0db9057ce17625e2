"""A candidate that is nothing but source text and numbers: no code of its own runs in any process of hotloop's.

Its launch is data: the entry, work-items and group size as sums and products of the problem's sizes, macros and options.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.candidate.remote import Remote
from hotloop.errors import UsageError
from hotloop.model.kernel import Empty, Implementation, Kernel, Variant
from hotloop.model.program import Argument, Array, Input, Launch, Program
from hotloop.model.space import Config, Space

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem

_LARGEST = 1 << 62
_MOST_LETTERS = 500
_SOURCE_BYTES = 4 << 20
_FORBIDDEN = (
    "-I", "-i", "--i", "--pre-include", "--sysroot", "--config", "-specs", "-B", "-Xclang", "-Xpreprocessor", "-Wp,", "-x", "-fplugin", "-load",
    "@", "-o", "-MF", "-MD", "-save-temps", "--save-temps",
)  # fmt: skip
"""Beginnings of options that make a compiler read or write other files, or hand such an option on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Recipe:
    """What the command line says of a source."""

    file: Path
    entry: str
    items: str
    """Work-items per dimension, ``n, rows * 64``."""
    group: str = ""
    """Work-group size per dimension; empty: the runtime's choice."""
    macros: Sequence[str] = ()
    """``NAME=VALUE``, values as in `items` where they can be worked out."""
    options: Sequence[str] = ()
    arguments: Sequence[str] = ()
    """Inputs in the order of the kernel's arguments; empty: the incumbent's."""


def candidate(recipe: Recipe, incumbent: Kernel, language: str) -> Remote:
    """Return a source as a candidate.

    Raises:
        UsageError: the file cannot be read, or something in the recipe makes no sense.
    """
    text = _read(recipe.file)
    for name, given in (("--option", recipe.options), ("--define", recipe.macros)):
        for option in given:  # OpenCL takes all options as one text, in which a blank begins another one
            if any(part.startswith(_FORBIDDEN) for part in option.split()):
                raise UsageError(f"{name} {option} makes the compiler read or write other files; leave it out.")

    def plan(problem: Problem, _config: Config, _device: Device) -> Program:
        items = numbers("--items", recipe.items, problem)
        group = numbers("--group", recipe.group, problem) if recipe.group else None
        if group is not None and len(group) != len(items):
            raise UsageError(f"--items and --group have different numbers of dimensions: {items} and {group}.")
        if group is not None and any(whole % part for whole, part in zip(items, group, strict=True)):
            raise ValueError(f"global size {items} is not a multiple of work-group size {group}")
        macros = tuple(f"-D{_macro(macro, problem)}" for macro in recipe.macros)
        launch = Launch(recipe.entry, _arguments(recipe, incumbent, problem), items, group)
        return Program(language, text, macros + tuple(recipe.options), (launch,), source_name=recipe.file.name)

    plan(incumbent.problem, Config(), None)  # type: ignore[arg-type]
    implementation = Implementation("source", language, Space(()), Config(), plan)
    return Remote(str(recipe.file), incumbent.family, incumbent.problem, Variant(implementation, Config()))


def _read(file: Path) -> str:
    try:
        with file.open("rb") as opened:
            data = opened.read(_SOURCE_BYTES + 1)
        text = data.decode()
    except OSError as error:
        raise UsageError(f"--source {file} cannot be read: {error.strerror}.") from error
    except ValueError:
        raise UsageError(f"--source {file} is no text.") from None
    if len(data) > _SOURCE_BYTES:
        raise UsageError(f"--source {file} is longer than {_SOURCE_BYTES >> 20} MiB; that is no kernel.")
    return text


def _arguments(recipe: Recipe, incumbent: Kernel, problem: Problem) -> tuple[Argument, ...]:
    """Return the arguments of a launch: the incumbent's inputs, arrays by name and numbers by value."""
    import numpy as np

    inputs = incumbent.inputs(problem, np.random.default_rng(0))
    if unknown := [name for name in recipe.arguments if name not in inputs]:
        raise UsageError(f"--args names {unknown[0]}, which inputs does not return; it returns {', '.join(inputs)}.")
    return tuple(_argument(name, inputs[name]) for name in recipe.arguments or inputs)


def _argument(name: str, value: object) -> Argument:
    import numpy as np

    if isinstance(value, np.ndarray | Empty):
        return Array(name)
    return Input(
        name, value.dtype.name if isinstance(value, np.generic) else "int32" if isinstance(value, int) else "float32"
    )


def _macro(text: str, problem: Problem) -> str:
    name, equals, value = text.partition("=")
    if not name.isidentifier():
        raise UsageError(f"--define {text}: {name!r} is no name of a macro; write NAME=VALUE.")
    if not equals:
        return name
    try:
        return f"{name}={number('--define', value, problem)}"
    except UsageError:
        return text


def numbers(option: str, text: str, problem: Problem) -> tuple[int, ...]:
    """Return sizes by dimension from ``n, rows * 64``. Raises UsageError, or ValueError where one is below 1."""
    numbers_given = tuple(number(option, part, problem) for part in _parts(text))
    if not 1 <= len(numbers_given) <= 3 or min(numbers_given) < 1:
        raise ValueError(f"{option} {text} is {numbers_given}")
    return numbers_given


def _parts(text: str) -> list[str]:
    depth, parts = 0, [""]
    for letter in text:
        depth += (letter == "(") - (letter == ")")
        if letter == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def number(option: str, text: str, problem: Problem) -> int:
    """Return the value of whole-number arithmetic on a problem's sizes: ``+ - * // %``, ``min``, ``max``, ``up(n, 64)``.

    >>> from hotloop.model.problem import Problem
    >>> from hotloop.model.record import Record
    >>> number("--items", "up(n, 64) // 4 + 1", Problem("k", Record(n=100)))
    33

    Raises:
        UsageError: it is none.
    """
    try:
        if len(text) > _MOST_LETTERS:
            raise ValueError(text)
        value = _value(ast.parse(text.strip(), mode="eval").body, problem.sizes)
    except (SyntaxError, ValueError, LookupError, ArithmeticError, RecursionError, MemoryError):
        sizes = ", ".join(problem.sizes)
        raise UsageError(
            f"{option} {text:.80}: write whole-number arithmetic on {sizes}, such as up(n, 64) // 4."
        ) from None
    return value


def _value(node: ast.expr, sizes: Mapping[str, object]) -> int:
    match node:
        case ast.Constant(value=int() as value) if not isinstance(value, bool):
            number = value
        case ast.Name(id=name) if isinstance(sizes[name], int):
            number = int(str(sizes[name]))
        case ast.BinOp(left=left, op=operator, right=right) if type(operator) in _OPERATORS:
            number = _OPERATORS[type(operator)](_value(left, sizes), _value(right, sizes))
        case ast.Call(func=ast.Name(id=name), args=[first, second], keywords=[]) if name in _FUNCTIONS:
            number = _FUNCTIONS[name](_value(first, sizes), _value(second, sizes))
        case _:
            raise ValueError
    if abs(number) > _LARGEST:
        raise ValueError(number)
    return number


_OPERATORS = {
    ast.Add: int.__add__, ast.Sub: int.__sub__, ast.Mult: int.__mul__, ast.FloorDiv: int.__floordiv__, ast.Mod: int.__mod__,
}  # fmt: skip
_FUNCTIONS: dict[str, Callable[[int, int], int]] = {
    "min": min,
    "max": max,
    "up": lambda value, step: -(-value // step) * step,
}
