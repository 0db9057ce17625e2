"""Whole numbers of a launch become constants of its code, so that dividing by them takes a multiplication and a shift.

What it changes: parameters without ``tl.constexpr`` get it: with ``divisors`` those by which the kernel divides or takes a remainder, also through
variables and functions of its file; with ``sizes`` those, too, that loops end at and that offsets are compared with.
When it applies: the kernel gives such a parameter no other value and asks for no attribute of it (``n.to``), which a constant has not, and its
decorator does not say of it ``do_not_specialize``.
What it costs: the kernel is compiled anew for every value of such a parameter, so it is for sizes of a program, not for numbers that change with
every call.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Scene

_DEEP = 6
"""Functions that call each other before what they do with a parameter is given up."""


def apply(script: Script, value: int | str) -> Script:
    """Make constants of the parameters."""
    names = sizes(script, script.kernel, value)
    edits = [_constant(script, argument) for argument in script.kernel.args.args if argument.arg in names]
    if not edits:
        raise RefusedError("it divides by no parameter" if value == "divisors" else "it asks for no size")
    return script.edited(edits)


def _constant(script: Script, parameter: ast.arg) -> Edit:
    return Edit(parameter, f"{parameter.arg}: {script.tl}.constexpr")


def sizes(script: Script, function: ast.FunctionDef, value: int | str, depth: int = 0) -> set[str]:
    """Return the parameters of a function that can become constants, and are worth it."""
    meaning = _meaning(function)
    wanted: set[str] = set()
    for node in _asked(script, function, value, depth):
        wanted |= _names(node, meaning)
    plain = {
        argument.arg
        for argument in function.args.args
        if "constexpr" not in ast.unparse(argument.annotation or argument)
    }
    return (wanted & plain) - _changed(function) - _varying(function)


def _asked(script: Script, function: ast.FunctionDef, value: int | str, depth: int) -> Iterator[ast.expr]:
    """Yield expressions of whose names constants shall be made."""
    for node in ast.walk(function):
        match node:
            case ast.BinOp(op=ast.FloorDiv() | ast.Mod(), right=right):
                yield right
            case ast.AugAssign(op=ast.FloorDiv() | ast.Mod(), value=right):
                yield right
            case ast.Call(func=ast.Name(id=name), args=args) if depth < _DEEP:
                yield from _handed(script, name, args, value, depth)
                if name == "range" and value == "sizes":
                    yield from args
            case ast.Call(args=args) if value == "sizes" and script.is_call(node, "range"):
                yield from args
            case ast.Compare(ops=[ast.Lt()], comparators=[right]) if value == "sizes":
                yield right


def _handed(script: Script, name: str, given: list[ast.expr], value: int | str, depth: int) -> Iterator[ast.expr]:
    """Yield what a function of the file is given for its own divisors."""
    callee = next((function for function in script.functions if function.name == name), None)
    if callee is not None:
        names = sizes(script, callee, value, depth + 1)
        yield from (node for node, one in zip(given, callee.args.args, strict=False) if one.arg in names)


def _meaning(function: ast.FunctionDef) -> dict[str, ast.expr]:
    """Return by variable what it stands for, where it is given one value."""
    given: dict[str, list[ast.expr | None]] = {}
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                given.setdefault(name, []).append(value)
            case ast.Name(id=name, ctx=ast.Store()):
                given.setdefault(name, [])
    return {name: rows[0] for name, rows in given.items() if len(rows) == 1 and rows[0] is not None}


def _names(node: ast.expr, meaning: dict[str, ast.expr], depth: int = 0) -> set[str]:
    """Return the names in an expression of names, numbers and arithmetic; nothing where something else stands in it."""
    match node:
        case ast.Name(id=name) if name in meaning and depth < _DEEP:
            return _names(meaning[name], meaning, depth + 1)
        case ast.Name(id=name):
            return {name}
        case ast.BinOp(left=left, right=right):
            return _names(left, meaning, depth) | _names(right, meaning, depth)
    return set()


def _changed(function: ast.FunctionDef) -> set[str]:
    """Return names that are given a value, or asked for an attribute."""
    changed = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            changed.add(node.id)
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            changed.add(node.value.id)
    return changed


def _varying(function: ast.FunctionDef) -> set[str]:
    """Return the parameters for whose every value nothing shall be compiled anew, as the decorator says; all where it does not spell them out."""
    names: dict[object, str] = dict(enumerate(argument.arg for argument in function.args.args))
    varying: set[str] = set()
    for decorator in function.decorator_list:
        for keyword in decorator.keywords if isinstance(decorator, ast.Call) else ():
            if keyword.arg == "do_not_specialize":
                parts = keyword.value.elts if isinstance(keyword.value, ast.List | ast.Tuple) else [keyword.value]
                values = [part.value if isinstance(part, ast.Constant) else None for part in parts]
                varying |= {names.get(v, str(v)) for v in values if v is not None}
                varying |= set(names.values()) if None in values else set()
    return varying


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return more where blocks are divided, by numbers that are not 1, which Triton makes constants by itself."""
    divisors = [name for name in sizes(script, script.kernel, "divisors") if scene.values.get(name) != 1]
    if value == "divisors":
        return (0.98, 1.3) if divisors else None
    return (0.97, 1.3) if divisors else (0.98, 1.12)


REWRITE = Rewrite(
    name="constant-sizes",
    text=__doc__,
    technique="hoist-addresses",
    keeps=Keeps.BITS,
    values=("off", "divisors", "sizes"),
    apply=apply,
    gain=(0.98, 1.2),
    expects=expects,
    reaches=True,
    order=70,
)
