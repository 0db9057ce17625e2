"""Which parameters of a Triton function its text may write to or read from, directly or through functions that it calls."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Mapping
from typing import Any

from hotloop.rewrite.jitted.names import names_in

_STORES = ("store", "make_block_ptr_store")
_ATOMICS = "atomic_"
_LANGUAGE = frozenset(("tl", "language", "triton"))
_UNARY: Mapping[type[ast.unaryop], Callable[[Any], object]] = {
    ast.Not: operator.not_, ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
_COMPARED: Mapping[type[ast.cmpop], Callable[[Any, Any], object]] = {
    ast.Eq: operator.eq, ast.NotEq: operator.ne, ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt,
    ast.GtE: operator.ge, ast.Is: operator.is_, ast.IsNot: operator.is_not,
    ast.In: lambda one, many: one in many, ast.NotIn: lambda one, many: one not in many,
}  # fmt: skip
_QUIET = frozenset(
    (
        "to",
        "range",
        "static_range",
        "float",
        "int",
        "min",
        "max",
        "store",
        "cast",
        "advance",
        "min_dtype",
        "is_floating",
        "is_ptr",
    )
)
"""Calls that read no memory."""
_Addresses = Callable[[ast.Call, Mapping[str, ast.FunctionDef], frozenset[str]], list[ast.AST]]


def written(text: str, entry: str) -> frozenset[str]:
    r"""Return the parameters of `entry` that reach the address of a store; more than do where the text leaves it open.

    >>> sorted(written("def f(y, x, n):\n    p = y + n\n    tl.store(p, tl.load(x))", "f"))
    ['n', 'y']

    Raises:
        ValueError: the text has no such function.
    """
    functions = {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    if entry not in functions:
        raise ValueError(f"the text has no function {entry}")
    return _written(functions, entry, frozenset())


def read(text: str, entry: str) -> frozenset[str]:
    r"""Return the parameters of `entry` that reach the address of a load or an atomic, or that another file's function is given.

    >>> sorted(read("def f(y, x, n):\n    p = y + 4\n    tl.store(p, tl.load(x))", "f"))
    ['x']

    Raises:
        ValueError: the text has no such function.
    """
    functions = {node.name: node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)}
    if entry not in functions:
        raise ValueError(f"the text has no function {entry}")
    return _reached(functions, entry, frozenset(), _sources)


def taken(text: str, values: Mapping[str, object]) -> str:
    r"""Return a text without the branches that constants rule out.

    >>> taken("if A and not B:\n    f()\nelse:\n    g()\nif C:\n    h()", {"A": True, "B": None})
    'f()\nif C:\n    h()'
    >>> taken("if B is None or B > 3:\n    f()\nif A ** 9:\n    g()", {"A": 2, "B": None})
    'f()\nif A ** 9:\n    g()'
    """
    return ast.unparse(_Taken(values).visit(ast.parse(text)))


class _Taken(ast.NodeTransformer):
    def __init__(self, values: Mapping[str, object]) -> None:
        self._values = dict(values)

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        self.generic_visit(node)
        try:
            decided = _decided(node.test, self._values)
        except (TypeError, LookupError):
            return node
        return (node.body if decided else node.orelse) or [ast.Pass()]


def _decided(test: ast.expr, values: Mapping[str, object]) -> object:
    """Return a condition's value. Raises LookupError for what is no name with a value, constant, comparison or connective."""
    match test:
        case ast.Constant(value):
            return value
        case ast.Name(name):
            return values[name]
        case ast.UnaryOp(sign, operand):
            return _UNARY[type(sign)](_decided(operand, values))
        case ast.BoolOp(connective, operands):
            parts = (_decided(operand, values) for operand in operands)
            return all(parts) if isinstance(connective, ast.And) else any(parts)
        case ast.Compare(left, relations, others):
            sides = [_decided(side, values) for side in (left, *others)]
            pairs = zip(relations, sides, sides[1:], strict=False)
            return all(_COMPARED[type(relation)](one, other) for relation, one, other in pairs)
    raise LookupError(ast.unparse(test))


def _written(functions: Mapping[str, ast.FunctionDef], entry: str, above: frozenset[str]) -> frozenset[str]:
    return _reached(functions, entry, above, _targets)


def _reached(
    functions: Mapping[str, ast.FunctionDef], entry: str, above: frozenset[str], addresses: _Addresses
) -> frozenset[str]:
    """Return the parameters that reach one of the addresses in a function."""
    function = functions[entry]
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    origins = _origins(function, parameters)
    reached: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            for target in addresses(node, functions, above | {entry}):
                for name in names_in(target):
                    reached |= origins.get(name, {name})
    return frozenset(reached) & frozenset(parameters)


def _origins(function: ast.FunctionDef, parameters: list[str]) -> dict[str, set[str]]:
    """Return the parameters that each variable may come from, to a fixed point: loops carry them on."""
    sources: dict[str, set[str]] = {name: {name} for name in parameters}
    rows = list(_assigned(function))
    for _ in range(len(rows) + 1):
        before = {name: len(one) for name, one in sources.items()}
        for target, value in rows:
            sources.setdefault(target, set()).update(*(sources.get(name, set()) for name in value))
        if before == {name: len(one) for name, one in sources.items()}:
            break
    return sources


def _assigned(function: ast.FunctionDef) -> list[tuple[str, set[str]]]:
    rows = []
    for node in ast.walk(function):
        targets: list[ast.expr] = []
        if isinstance(node, ast.Assign):
            targets = node.targets
        elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.For):
            targets = [node.target]
        value = getattr(node, "value", None) or getattr(node, "iter", None)
        if targets and isinstance(value, ast.AST):
            names = _loaded(value)
            rows += [(name, names) for target in targets for name in names_in(target)]
    return rows


def _loaded(value: ast.AST) -> set[str]:
    """Return the names of an expression; what stands in the address of a load is no address of its result."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "load":
        return set()
    return names_in(value)


def _targets(call: ast.Call, functions: Mapping[str, ast.FunctionDef], above: frozenset[str]) -> list[ast.AST]:
    """Return the addresses that a call writes to."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if isinstance(call.func, ast.Attribute) and (name in _STORES or name.startswith(_ATOMICS)):
        own: list[ast.AST] = (
            [call.args[0]] if call.args else [keyword.value for keyword in call.keywords if keyword.arg == "pointer"]
        )
        return (
            [*own, call.func.value] if not isinstance(call.func.value, ast.Name) or call.func.value.id != "tl" else own
        )
    return _handed(call, name, functions, above, _targets)


def _sources(call: ast.Call, functions: Mapping[str, ast.FunctionDef], above: frozenset[str]) -> list[ast.AST]:
    """Return the addresses that a call may read from."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    given: list[ast.AST] = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute):
        if name in ("load", "gather") or name.startswith(_ATOMICS):
            first = given[:1] if not isinstance(call.func.value, ast.Name) or call.func.value.id in _LANGUAGE else []
            return first if first and isinstance(call.func.value, ast.Name) else [*given[:1], call.func.value]
        return (
            []
            if name in _QUIET or (isinstance(call.func.value, ast.Name) and call.func.value.id in _LANGUAGE)
            else given
        )
    if name in functions:
        return _handed(call, name, functions, above, _sources)
    return given if name not in _QUIET else []


def _handed(
    call: ast.Call, name: str, functions: Mapping[str, ast.FunctionDef], above: frozenset[str], addresses: _Addresses
) -> list[ast.AST]:
    """Return what a call gives to those parameters of a function of the text that reach such an address there."""
    if name not in functions or name in above:
        return []
    names = [argument.arg for argument in functions[name].args.args]
    hit = _reached(functions, name, above, addresses)
    given = dict(zip(names, call.args, strict=False)) | {
        keyword.arg: keyword.value for keyword in call.keywords if keyword.arg
    }
    return [value for key, value in given.items() if key in hit]
