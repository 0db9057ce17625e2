"""A jitted function that stands within another function or a class: its text, and what it closes over, at the margin.

Packages make kernels in functions, to import Triton late or for each type and size. What such a function closes over has one value
by the time it is launched, so it is written as that value: a plain number or text, a type of Triton's, a module, or another
jitted function. Anything else is refused, as is a name with another meaning at the top level that is needed there, too.
"""

from __future__ import annotations

import ast
import inspect
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from types import CodeType, ModuleType
from typing import Any

from hotloop.errors import KernelFileError

_WRAPPERS = 8
"""More decorators than anybody puts above ``triton.jit``."""
_MISSING = object()
_Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(slots=True)
class Lifted:
    """What stands for a function that is not at the top level."""

    statements: list[ast.stmt] = field(default_factory=list)
    """The function itself, and what it needs from the functions around it: imports, and jitted functions that it calls."""
    values: dict[str, str] = field(default_factory=dict)
    """Statement that gives a name its value, by name."""
    line: int = 0
    """Line in which those statements are put: one with the head of a function around them."""
    shadowed: set[str] = field(default_factory=set)
    """Names with another value at the top level."""
    needs: set[str] = field(default_factory=set)
    """Names of the top level that those values are."""


def plain(kernel: object) -> Callable[..., Any] | None:
    """Return the Python function below ``triton.jit`` and other decorators of Triton's, or None."""
    for _ in range(_WRAPPERS):
        if inspect.isfunction(kernel):
            return kernel
        kernel = getattr(kernel, "fn", None)
    return None


def defines(statement: ast.AST, code: CodeType) -> bool:
    """Tell whether a statement is the definition that a function was made of."""
    if not isinstance(statement, ast.FunctionDef) or statement.name != code.co_name:
        return False
    last = max(line or 0 for _, _, line in code.co_lines())
    return code.co_firstlineno <= statement.lineno <= last


def lifted(tree: ast.Module, function: Callable[..., Any]) -> Lifted | None:
    """Return a function of a module's text from within others; None where the text has no such function.

    Raises:
        KernelFileError: it closes over something that has no text.
    """
    place = _place(tree, function.__code__)
    if place is None or not place[1]:
        return None
    made = Lifted(line=next((one.lineno for one in reversed(place[1]) if not isinstance(one, ast.ClassDef)), 0))
    _lift(tree, function, made)
    return made


def _lift(tree: ast.Module, function: Callable[..., Any], made: Lifted) -> None:
    place = _place(tree, function.__code__)
    if place is None or place[0] in made.statements:
        return
    node, scopes = place
    made.statements.append(node)
    closed = cells(function)
    for name, value in closed.items():
        _close(tree, name, value, function, made)
    rest = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)} - set(closed)
    for statement in _imports(scopes):
        names = {alias.asname or alias.name.partition(".")[0] for alias in statement.names}
        if names & rest and statement not in made.statements:
            made.statements.append(statement)


def cells(function: Callable[..., Any]) -> dict[str, Any]:
    """Return what a function closes over, by name; what has no value yet is missing."""
    values = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        try:
            values[name] = cell.cell_contents
        except ValueError:
            continue
    return values


def _close(tree: ast.Module, name: str, value: object, function: Callable[..., Any], made: Lifted) -> None:
    """Write what a name is bound to, unless it is the same at the top level."""
    top = function.__globals__.get(name, _MISSING)
    if top is value:
        return
    if top is not _MISSING:
        made.shadowed.add(name)
    inner = plain(value)
    if inner is not None and inner.__name__ == name and _place(tree, inner.__code__) is not None:
        _lift(tree, inner, made)
        return
    text = spelled(name, value)
    if inner is not None and function.__globals__.get(inner.__name__) is value:
        text, made.needs = f"{name} = {inner.__name__}", made.needs | {inner.__name__}
    if text is None or made.values.setdefault(name, text) != text:
        raise KernelFileError(
            f"{function.__name__} is made inside a function and uses {name} of it, a {type(value).__name__} that has no text "
            "of its own; give it the value as a constant."
        )


def spelled(name: str, value: object) -> str | None:
    """Return a statement that gives a name a value; None where it is no number, text, type, module or function of a module."""
    if isinstance(value, ModuleType):
        return f"import {value.__name__} as {name}" if sys.modules.get(value.__name__) is value else None
    if isinstance(value, float) and not math.isfinite(value):
        return f"{name} = float({str(value)!r})"
    if value is None or isinstance(value, bool | int | float | str):
        return f"{name} = {value!r}"
    if type(value).__name__ == "constexpr" and (inner := spelled(name, getattr(value, "value", _MISSING))):
        return f"{inner}; from triton.language import constexpr; {name} = constexpr({name})" if " = " in inner else None
    if type(value).__name__ == "dtype" and type(value).__module__.startswith("triton"):
        short = next(
            (n for n, member in vars(sys.modules["triton.language"]).items() if member is value or member == value), ""
        )
        return f"from triton.language import {short} as {name}" if short else None
    home, own = _home(value)
    return f"from {home} import {own} as {name}" if home else None


def _home(value: object) -> tuple[str, str]:
    """Return the module that has a function, and its name there."""
    base = plain(value) or value
    module, name = str(getattr(base, "__module__", "")), str(getattr(base, "__name__", ""))
    there = getattr(sys.modules.get(module), name, _MISSING) if name else _MISSING
    return (module, name) if there is value and module != "__main__" else ("", "")


def _place(tree: ast.Module, code: CodeType) -> tuple[ast.FunctionDef, list[_Scope]] | None:
    """Return the definition that a function was made of, and the functions and classes around it from the outside."""
    return next(((node, scopes) for node, scopes in _walk(tree, []) if defines(node, code)), None)


def _walk(node: ast.AST, scopes: list[_Scope]) -> Iterator[tuple[ast.FunctionDef, list[_Scope]]]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child, scopes
        if isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _walk(child, [*scopes, child] if isinstance(child, _Scope) else scopes)


def _imports(scopes: Iterable[_Scope]) -> Iterator[ast.Import | ast.ImportFrom]:
    """Yield the imports of some functions, those of functions within them not."""
    pending: list[ast.AST] = [inner for scope in scopes for inner in scope.body]
    while pending:
        node = pending.pop(0)
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield node
        elif isinstance(node, ast.stmt | ast.ExceptHandler) and not isinstance(node, _Scope):
            pending += ast.iter_child_nodes(node)


def without(body: Iterable[ast.stmt], made: Lifted, bound: Callable[[ast.stmt], Iterable[str]]) -> list[ast.stmt]:
    """Return a module's statements but those that bind what was lifted, and the lifted ones in their places."""
    own = {node.name for node in made.statements if isinstance(node, ast.FunctionDef)} | set(made.values)
    kept = [statement for statement in body if own.isdisjoint(bound(statement))]
    return sorted([*kept, *made.statements], key=lambda one: one.lineno)


def confused(chosen: Iterable[ast.stmt], made: Lifted) -> set[str]:
    """Return the names that statements of the top level use, too, where they mean something else."""
    outer = [statement for statement in chosen if statement not in made.statements]
    used = {node.id for statement in outer for node in ast.walk(statement) if isinstance(node, ast.Name)}
    return used & made.shadowed


def fingerprints(function: Callable[..., Any]) -> Mapping[str, str]:
    """Return what tells whether a function closes over the same values, by name; modules are what they are called."""
    rows = {}
    for name, value in cells(function).items():
        inner = plain(value)
        rows[name] = inspect.getsource(inner) if inner is not None else spelled(name, value) or repr(value)
    return rows
