"""Launches through pyopencl in a Python source: found by the kernel's name, and changed in place."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from hotloop.captures import strings
from hotloop.captures.hosts.sizes import Sizes, UnclearError, fewer

_SETTERS = ("set_scalar_arg_dtypes",)
"""What may be done with a kernel beside launching it."""
_ENQUEUE = "enqueue_nd_range_kernel"


def launches(source: str, entry: str) -> list[tuple[ast.expr, ast.expr]]:
    """Return the work-items and the group of every launch of a kernel; none where the source does not name it.

    Raises:
        UnclearError: the kernel is used in a way that is not understood.
    """
    tree = strings.parsed(source)
    if tree is None:
        return []
    used = {id(node): node for node in ast.walk(tree) if _names(node, entry)}
    bases = {ast.unparse(node.value) for node in used.values() if isinstance(node, ast.Attribute)}
    if len(bases) > 1 or bases & _imported(tree):
        raise UnclearError(f"{', '.join(sorted(bases))} may be other than the program that has {entry}")
    made = [_target(node) for node in ast.walk(tree) if _made(node, entry, used)]
    aliases = set(made) - {""}
    if aliases:
        if sum(_given(node) in aliases for node in ast.walk(tree)) != len(made):
            raise UnclearError(f"{', '.join(sorted(aliases))} is not always {entry}")
        used |= {id(node): node for node in ast.walk(tree) if _load(node) and ast.unparse(node) in aliases}
    found = [_sizes(call, first) for call, first in _calls(tree, used)]
    if used:
        (line, *_) = sorted(getattr(node, "lineno", 0) for node in used.values())
        raise UnclearError(f"line {line} uses {entry} otherwise than by launching it")
    return found


def changed(source: str, sizes: Sizes) -> str:
    """Return a source with every launch of a kernel changed. Raises UnclearError."""
    found = launches(source, sizes.entry)
    edits = [
        edit for whole, group in found for edit in ((whole, _whole(source, whole, sizes)), (group, str(sizes.group)))
    ]
    placed = sorted(((*strings.span(source, node), text) for node, text in edits), reverse=True)
    made = source
    for start, end, text in placed:
        made = made[:start] + text + made[end:]
    if len(launches(made, sizes.entry)) != len(found):
        raise UnclearError("its launch cannot be written")
    return made


def _names(node: ast.AST, entry: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == entry
    return isinstance(node, ast.Constant) and node.value == entry


def _imported(tree: ast.AST) -> set[str]:
    """Return the names that stand for modules, or for what is in them: a method of one may be called like a kernel."""
    found = [one for node in ast.walk(tree) if isinstance(node, ast.Import | ast.ImportFrom) for one in node.names]
    return {(one.asname or one.name).partition(".")[0] for one in found}


def _load(node: ast.AST) -> bool:
    return isinstance(node, ast.Name | ast.Attribute) and isinstance(node.ctx, ast.Load)


def _given(node: ast.AST) -> str:
    """Return the name that a node gives a value to; empty where it is none."""
    if isinstance(node, ast.arg):
        return node.arg
    stored = isinstance(node, ast.Name | ast.Attribute) and not isinstance(node.ctx, ast.Load)
    return ast.unparse(node) if stored else ""


def _made(node: ast.AST, entry: str, used: dict[int, ast.AST]) -> bool:
    """Tell whether a statement gives a kernel a name of its own; what it uses of it is understood then."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return False
    value = node.value
    if isinstance(value, ast.Attribute) and value.attr == entry:
        return used.pop(id(value), None) is not None
    named = isinstance(value, ast.Call) and ast.unparse(value.func).rpartition(".")[2] in ("Kernel", "getattr")
    if isinstance(value, ast.Call) and named and len(value.args) == 2 and _names(value.args[1], entry):
        return used.pop(id(value.args[1]), None) is not None
    return False


def _target(node: ast.AST) -> str:
    assert isinstance(node, ast.Assign)
    return ast.unparse(node.targets[0]) if isinstance(node.targets[0], ast.Name | ast.Attribute) else ""


def _calls(tree: ast.AST, used: dict[int, ast.AST]) -> Iterator[tuple[ast.Call, int]]:
    """Yield calls that launch a kernel, with the place of the work-items among their arguments; what they use is understood then."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        if used.pop(id(node.func), None) is not None:
            yield node, 1
        elif isinstance(node.func, ast.Attribute) and node.func.attr in _SETTERS:
            used.pop(id(node.func.value), None)
        elif _enqueues(node) and used.pop(id(node.args[1]), None) is not None:
            yield node, 2


def _enqueues(node: ast.Call) -> bool:
    return ast.unparse(node.func).rpartition(".")[2] == _ENQUEUE and len(node.args) > 1


def _sizes(call: ast.Call, first: int) -> tuple[ast.expr, ast.expr]:
    """Return a launch's work-items and group. Raises UnclearError."""
    head: Sequence[ast.expr] = call.args[: first + 2]
    words = [word.arg for word in call.keywords if word.arg != "wait_for"]
    more = _enqueues(call) and len(call.args) > first + 2
    if len(head) < first + 2 or more or any(isinstance(one, ast.Starred) for one in head) or words:
        raise UnclearError(f"the launch in line {call.lineno} does not name work-items and group in their places alone")
    return head[first], head[first + 1]


def _whole(source: str, node: ast.expr, sizes: Sizes) -> str:
    """Return the work-items of a changed launch. Raises UnclearError where the program launches other dimensions."""
    pairs = sizes.pairs()
    text = _text(source, node)
    if all(by == 1 for by, _ in pairs):
        return text
    if not isinstance(node, ast.Tuple | ast.List):
        bys, groups = (tuple(column) for column in zip(*pairs, strict=True))
        return f"tuple((size + by - 1) // by * group for size, by, group in zip({text}, {bys}, {groups}, strict=True))"
    if len(node.elts) != len(pairs) or any(isinstance(one, ast.Starred) for one in node.elts):
        raise UnclearError(f"the launch in line {node.lineno} has other dimensions than the one that was optimized")
    parts = [
        _text(source, one) if pair == (1, 1) else fewer(_bracketed(source, one), *pair, "//")
        for one, pair in zip(node.elts, pairs, strict=True)
    ]
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"


def _bracketed(source: str, node: ast.expr) -> str:
    text = _text(source, node)
    plain = isinstance(node, ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript)
    return text if plain else f"({text})"


def _text(source: str, node: ast.expr) -> str:
    start, end = strings.span(source, node)
    return source[start:end]
