"""A Triton winner beside the program's own kernel in the program's file, and what launches one or the other.

A text that is right for some sizes only, or that needs another grid or other constants, is of no use in the place of the kernel
alone: the host would have to be changed with it, wherever it launches it. Here the kernel stays, the winner stands before it under
another name, and a decorator above ``triton.jit`` launches the winner where it fits. So nothing but the kernel's file changes.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from hotloop.app.run.kept.adoption import Adoption
from hotloop.model.record import Scalar
from hotloop.rewrite.jitted.scene import SHARED

_SUFFIX = "_faster"


@dataclass(frozen=True, slots=True)
class _Own:
    """The kernel's definition in its file."""

    first: int
    """Line of its first decorator, from 1."""
    jit: int
    """Line of ``@triton.jit``."""
    margin: str
    names: frozenset[str]
    """What is defined beside it."""
    enclosed: bool
    """Whether it stands within a function or a class, where one function does not find another."""


def beside(text: str, line: int, adoption: Adoption) -> str | None:
    """Return a program's file with the winner and what chooses it; None where the kernel is not decorated with ``jit``, or a name is taken.

    Args:
        text: the file as it is.
        line: where the kernel begins in it.
        adoption: the winner, and what its launch asks for.
    """
    own = _own(text, line, adoption.entry)
    if own is None:
        return None
    winner = _winner(adoption)
    names = {*winner, _chooser_name(adoption.entry)}
    if own.names & names or (own.enclosed and len(winner) > 1):
        return None
    added = [row for function in winner.values() for row in (*function.split("\n"), "", "")]
    added += [*_chooser(adoption, winner=bool(winner)), "", ""]
    rows = text.split("\n")  # as Python counts them: a form feed ends none
    rows.insert(own.jit - 1, f"{own.margin}@{_chooser_name(adoption.entry)}")
    rows[own.first - 1 : own.first - 1] = [own.margin + row if row.strip() else row for row in added]
    return "\n".join(rows)


def _chooser_name(entry: str) -> str:
    return f"_{entry.lstrip('_')}_chosen"


def _own(text: str, line: int, entry: str) -> _Own | None:
    """Return where the kernel is defined; it begins in a line, or is the only one of its name."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return None
    found = [row for row in _definitions(tree, tree, enclosed=False) if row[0].name == entry]
    for node, scope, enclosed in found:
        first = _first(node)
        jit = [one for one in node.decorator_list if _called(one).rpartition(".")[2] == "jit"]
        if len(jit) == 1 and jit[0] is node.decorator_list[-1] and (first == line or len(found) == 1):
            names = frozenset(one.name for one, place, _ in _definitions(tree, tree, enclosed=False) if place is scope)
            return _Own(first, jit[0].lineno, " " * node.col_offset, names, enclosed)
    return None


def _definitions(node: ast.AST, scope: ast.AST, *, enclosed: bool) -> Iterator[tuple[ast.FunctionDef, ast.AST, bool]]:
    """Yield every function with the module, function or class in which it is defined, and whether that is none of a module."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef):
            yield child, scope, enclosed
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield from _definitions(child, child, enclosed=True)
        elif isinstance(child, ast.stmt | ast.ExceptHandler):
            yield from _definitions(child, scope, enclosed=enclosed)


def _first(node: ast.FunctionDef) -> int:
    return min([one.lineno for one in node.decorator_list] or [node.lineno])


def _called(decorator: ast.expr) -> str:
    return ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)


def _functions(text: str) -> dict[str, str]:
    """Return the text of each function at the top level, with decorators."""
    rows = text.split("\n")
    found = [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)]
    return {node.name: "\n".join(rows[_first(node) - 1 : node.end_lineno]) for node in found}


def _winner(adoption: Adoption) -> dict[str, str]:
    """Return all functions that the rewrite made or changed, by name; those that it changed get names of their own."""
    before, after = _functions(adoption.before), _functions(adoption.after)
    changed = {name: text for name, text in after.items() if before.get(name) != text}
    renamed = {name: f"{name}{_SUFFIX}" for name in changed if name in before}
    return {renamed.get(name, name): _renamed(text, renamed) for name, text in changed.items()}


def _renamed(text: str, names: dict[str, str]) -> str:
    """Return a text with names in its code changed; strings, comments, attributes and keywords stay."""
    places = sorted(_places(ast.parse(text), names), reverse=True)
    rows = [row.encode() for row in text.split("\n")]
    for line, column, name in places:
        row = rows[line - 1]
        rows[line - 1] = row[:column] + names[name].encode() + row[column + len(name.encode()) :]
    return b"\n".join(rows).decode()


def _places(tree: ast.Module, names: dict[str, str]) -> Iterator[tuple[int, int, str]]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Name) and node.id in names:
            yield node.lineno, node.col_offset, node.id
        elif isinstance(node, ast.FunctionDef) and node.name in names:
            yield node.lineno, node.col_offset + len("def "), node.name


def _chooser(adoption: Adoption, *, winner: bool) -> list[str]:
    """Return the decorator's lines."""
    entry, faster = adoption.entry, f"{adoption.entry}{_SUFFIX}"
    changed = {name: value for name, value in adoption.config.items() if value != adoption.start.get(name)}
    launched = "faster.run" if winner else "super().run"
    return [
        f"def {_chooser_name(entry)}(own, faster={faster}):" if winner else f"def {_chooser_name(entry)}(own):",
        f'    """Return {entry} as it is launched: {_title(adoption, faster, winner=winner)}."""',
        "    import inspect",
        "",
        "    parameters = inspect.signature(own.fn).parameters.values()",
        "    defaults = {one.name: one.default for one in parameters if one.default is not one.empty}",
        "",
        "    class Chosen(type(own)):",
        "        def run(self, *args, grid, warmup, **options):",
        "            given = {**defaults, **dict(zip(self.arg_names, args)), **options}",
        *(f"            {row}" for row in _constants(adoption, changed)),
        "            size = [*(grid(given) if callable(grid) else grid), 1, 1][:3]",
        *(f"            {row}" for row in _divided(adoption)),
        *(f"            {row}" for row in _guarded(adoption)),
        *(f"            {row}" for row in _relaunched(adoption)),
        f"            return {launched}(grid=tuple(size), warmup=warmup, **given)",
        "",
        "    chosen = object.__new__(Chosen)",
        "    vars(chosen).update(vars(own))",
        "    return chosen",
    ]


def _title(adoption: Adoption, faster: str, *, winner: bool) -> str:
    if not winner:
        return "with the constants that are fastest"
    return f"{faster} where it is right" if adoption.guards else f"as {faster}, with the grid that it needs"


def _constants(adoption: Adoption, changed: Mapping[str, Scalar]) -> list[str]:
    """Return the lines that change constants, where the launch has those that were optimized."""
    if not changed:
        return []
    start = {name: adoption.start[name] for name in adoption.config if name in adoption.start}
    return [
        f"optimized = {start!r}",
        "usual = all(given.get(name, value) == value for name, value in optimized.items())",
        f"given |= {changed!r} if usual else {{}}",
    ]


def _divided(adoption: Adoption) -> list[str]:
    """Return the lines that follow the constants where the host has counted programs by those that it had."""
    if not adoption.divided:
        return []
    return [
        "counted = [*(grid({**given, **optimized}) if callable(grid) else grid), 1, 1][:3]",
        "if usual and size == counted:",
        *(f"    size[{one.axis}] = -(-size[{one.axis}] * {one.own} // {one.new})" for one in adoption.divided),
    ]


def _guarded(adoption: Adoption) -> list[str]:
    """Return the lines that launch the program's own kernel where the winner's text would not be right."""
    rows = []
    if any(SHARED in one for one in adoption.guards):
        rows += [
            'places = [one.untyped_storage().data_ptr() for one in given.values() if hasattr(one, "untyped_storage")]',
            "shared = len(places) - len(set(places))",
        ]
    if adoption.guards:
        conditions = [_spelled(one) for one in adoption.guards]
        joined = " and ".join(f"({one})" for one in conditions) if len(conditions) > 1 else conditions[0]
        rows += [
            f"if not ({joined}):",
            "    return super().run(*args, grid=grid, warmup=warmup, **options)",
        ]
    return rows


def _relaunched(adoption: Adoption) -> list[str]:
    """Return the lines that change the number of programs, and tell the winner how many there were."""
    rows = []
    for one in adoption.fewer:
        own = f"size[{one.axis}]"
        count = f"-(-{own} // {one.by})" if one.by > 1 else own
        count = f"{count} * {one.times}" if one.times > 1 else count
        count = f"min({count}, {one.each * adoption.units})" if one.each else count
        why = f"  # {one.each} for each of {adoption.units} compute units" if one.each else ""
        rows.append(f'given["{one.argument}"], {own} = {own}, {count}{why}')
    return rows


def _spelled(condition: str) -> str:
    """Return a condition on a launch as Python, of its arguments and its grid.

    >>> _spelled("num_programs(0) * x <= 2147483647 and shared_memory() == 0")
    'size[0] * given["x"] <= 2147483647 and shared == 0'
    """
    return ast.unparse(_Given().visit(ast.parse(condition, mode="eval"))).replace("'", '"')


class _Given(ast.NodeTransformer):
    """Makes names of parameters what a launch gives for them, and what is asked of its grid and its memory what is known of them."""

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Subscript(ast.Name("given", ast.Load()), ast.Constant(node.id), ast.Load())

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if ast.unparse(node) == SHARED:
            return ast.Name("shared", ast.Load())
        return ast.Subscript(ast.Name("size", ast.Load()), node.args[0], ast.Load())


def sentence(adoption: Adoption) -> str:
    """Return in words what the file does now."""
    asked: Sequence[str] = adoption.guards
    where = f" where {' and '.join(asked)}, the kernel as it was elsewhere" if asked else ""
    what = f"{adoption.entry}{_SUFFIX}" if adoption.before != adoption.after else "it"
    return f"{adoption.entry}: the decorator above it launches {what} with the grid and the constants that won{where}; hosts stay as they are"
