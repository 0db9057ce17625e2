"""Launches through pyopencl in a Python source: found by the kernel's name, and changed in place.

Python binds names in many ways. A launch is changed only where each occurrence of a name that leads to it is understood: the program is
bound once, to what is built there; a kernel's own name is bound to this kernel alone; both are used for nothing but what is known here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hotloop.captures import strings
from hotloop.captures.hosts.sizes import Sizes, UnclearError, fewer

_SETTERS = ("set_scalar_arg_dtypes",)
"""What may be done with a kernel beside launching it."""
_ENQUEUE = "enqueue_nd_range_kernel"
_MAKERS = ("Kernel", "getattr")
_OTHER_WAYS = ("all_kernels", "__getattr__", "__getattribute__", "__dict__")
"""Members of a program that lead to kernels without their names."""


@dataclass(frozen=True, slots=True)
class Found:
    """Launches of a kernel in a source, and the names that lead to it there."""

    launches: tuple[tuple[ast.expr, ast.expr], ...] = ()
    """Work-items and group of each."""
    names: frozenset[str] = frozenset()


def found(source: str, entry: str) -> Found:
    """Return every launch of a kernel; none where the source does not name it.

    Raises:
        UnclearError: the kernel is used in a way that is not understood.
    """
    tree = strings.parsed(source)
    return Found() if tree is None else _Reader(tree, entry).found()


def launches(source: str, entry: str) -> list[tuple[ast.expr, ast.expr]]:
    """Return the work-items and the group of every launch, see `found`."""
    return list(found(source, entry).launches)


def changed(source: str, sizes: Sizes) -> str:
    """Return a source with every launch of a kernel changed. Raises UnclearError."""
    own = launches(source, sizes.entry)
    edits = [
        edit for whole, group in own for edit in ((whole, _whole(source, whole, sizes)), (group, str(sizes.group)))
    ]
    placed = sorted(((*strings.span(source, node), text) for node, text in edits), reverse=True)
    made = source
    for start, end, text in placed:
        made = made[:start] + text + made[end:]
    if len(launches(made, sizes.entry)) != len(own):
        raise UnclearError("its launch cannot be written")
    return made


class _Reader:
    """A source's tree, in which a kernel is followed from its program to its launches."""

    def __init__(self, tree: ast.Module, entry: str) -> None:
        self.tree, self.entry = tree, entry
        self.nodes = list(ast.walk(tree))
        self.above = {id(child): node for node in self.nodes for child in ast.iter_child_nodes(node)}
        self.calls: list[tuple[ast.Call, int]] = []

    def found(self) -> Found:
        """Return the launches and the names that lead to them. Raises UnclearError."""
        kernels = [self._kernel(node) for node in self.nodes if _names(node, self.entry)]
        if not kernels:
            return Found()
        programs = {ast.unparse(program): program for _, program in kernels}
        if len(programs) != 1:
            raise UnclearError(f"{', '.join(sorted(programs))} may be other than the program that has {self.entry}")
        (program,) = programs
        aliases = [target for kernel, _ in kernels if (target := self._used(kernel)) is not None]
        known = [*(kernel for kernel, _ in kernels), *aliases, *self._program(program)]
        for target in aliases:
            loads = self._loads(ast.unparse(target))
            if any(self._used(load) is not None for load in loads):
                raise UnclearError(f"line {target.lineno} gives {self.entry} a name that is given on")
            self._in_sight(target, loads)
            known += loads
        names = frozenset(one.rpartition(".")[2] for one in (program, *map(ast.unparse, aliases)))
        known += [one for one in map(_emptied, self.nodes) if one is not None]
        self._nothing_else(names, known)
        return Found(tuple(_sizes(call, first) for call, first in self.calls), names | {self.entry})

    def _loads(self, name: str) -> list[ast.expr]:
        read = (node for node in self.nodes if isinstance(node, ast.Name | ast.Attribute))
        return [node for node in read if isinstance(node.ctx, ast.Load) and ast.unparse(node) == name]

    def _kernel(self, node: ast.AST) -> tuple[ast.expr, ast.expr]:
        """Return the expression that is the kernel where it is named, and its program. Raises UnclearError."""
        if isinstance(node, ast.Attribute):
            return node, node.value
        call = self.above.get(id(node))
        if isinstance(call, ast.Call) and _called(call) in _MAKERS and call.args[1:] == [node] and not call.keywords:
            return call, call.args[0]
        raise UnclearError(f"line {getattr(node, 'lineno', 0)} names {self.entry} otherwise than by launching it")

    def _used(self, kernel: ast.expr) -> ast.expr | None:
        """Return the name that a kernel gets; None where it is launched, or described. Raises UnclearError where neither is so."""
        user = self.above.get(id(kernel))
        if isinstance(user, ast.Call) and user.func is kernel:
            self.calls.append((user, 1))
            return None
        if isinstance(user, ast.Call) and _called(user) == _ENQUEUE and user.args[1:2] == [kernel]:
            self.calls.append((user, 2))
            return None
        if isinstance(user, ast.Attribute) and user.attr in _SETTERS:
            return None
        target = _target(user)
        if target is None:
            raise UnclearError(f"line {kernel.lineno} uses {self.entry} otherwise than by launching it")
        return target

    def _program(self, name: str) -> list[ast.expr]:
        """Return where a program is bound and used. Raises UnclearError where it is not built here, or something else may be done with it."""
        targets = [target for node in self.nodes if _emptied(node) is None and (target := _target(node)) is not None]
        bound = [target for target in targets if ast.unparse(target) == name]
        if len(bound) != 1 or not _built(self.above[id(bound[0])]):
            raise UnclearError(f"{name} is not built once in this file, so that it may be another program")
        loads = self._loads(name)
        for load in loads:
            user = self.above[id(load)]
            member = isinstance(user, ast.Attribute) and user.attr not in _OTHER_WAYS
            named = isinstance(user, ast.Call) and _called(user) in _MAKERS and user.args[:1] == [load]
            if not member and not (named and isinstance(user, ast.Call) and isinstance(user.args[-1], ast.Constant)):
                raise UnclearError(f"line {load.lineno} uses {name} so that it may launch {self.entry}, too")
        self._in_sight(bound[0], loads)
        return [*bound, *loads]

    def _in_sight(self, target: ast.expr, loads: Iterable[ast.expr]) -> None:
        """Raise UnclearError where a name is used out of the function, or the class, in which it is bound."""
        kinds = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
        member = isinstance(target, ast.Attribute)
        scope = self._around(target, ast.ClassDef if member else kinds | ast.ClassDef)
        for load in loads:
            around = self._around(load, ast.ClassDef) if member else load
            while not member and around is not None and around is not scope:
                around = self.above.get(id(around))
            if around is not scope or (isinstance(scope, ast.ClassDef) and not member):
                raise UnclearError(f"{ast.unparse(target)} in line {load.lineno} may be another one")

    def _around(self, node: ast.AST | None, kinds: type | object) -> ast.AST | None:
        while node is not None and not isinstance(node, kinds):  # type: ignore[arg-type]
            node = self.above.get(id(node))
        return node

    def _nothing_else(self, names: frozenset[str], known: Iterable[ast.AST]) -> None:
        """Raise UnclearError where a name occurs otherwise: bound by a definition, an import, a pattern, a loop, or as a text."""
        fine = {id(node) for node in known}
        for node in self.nodes:
            if id(node) not in fine and (name := next((one for one in _words(node) if one in names), "")):
                user = self.above.get(id(node))
                line = getattr(node, "lineno", getattr(user, "lineno", 0))
                raise UnclearError(f"line {line} has {name}, too, which may be another one")


def _words(node: ast.AST) -> list[str]:
    """Return the names that a node itself has, as any kind of node has them."""
    values = [value for _, value in ast.iter_fields(node)]
    texts = [one for value in values for one in (value if isinstance(value, list) else [value]) if isinstance(one, str)]
    return [part for text in texts for part in (text.split(".") if isinstance(node, ast.alias) else [text])]


def _names(node: ast.AST, entry: str) -> bool:
    if isinstance(node, ast.Attribute):
        return node.attr == entry
    return isinstance(node, ast.Constant) and node.value == entry


def _target(node: ast.AST | None) -> ast.expr | None:
    """Return the one name, or member of `self`, to which a statement gives a value."""
    if not isinstance(node, ast.Assign) or len(node.targets) != 1:
        return None
    (target,) = node.targets
    member = isinstance(target, ast.Attribute) and isinstance(target.value, ast.Name) and target.value.id == "self"
    return target if isinstance(target, ast.Name) or member else None


def _emptied(node: ast.AST) -> ast.expr | None:
    """Return the name to which a statement gives `None`: nothing can be launched by it."""
    none = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and node.value.value is None
    return _target(node) if none else None


def _built(node: ast.AST) -> bool:
    """Tell whether a statement's value is a program that is made in it."""
    value = node.value if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "build":
        value = value.func.value
    return isinstance(value, ast.Call) and _called(value) == "Program"


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _sizes(call: ast.Call, first: int) -> tuple[ast.expr, ast.expr]:
    """Return a launch's work-items and group. Raises UnclearError."""
    head: Sequence[ast.expr] = call.args[: first + 2]
    words = [word.arg for word in call.keywords if word.arg != "wait_for"]
    more = _called(call) == _ENQUEUE and len(call.args) > first + 2
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
