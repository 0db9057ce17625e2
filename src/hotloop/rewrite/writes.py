"""Which parameters of a Triton function its text may write to, directly or through functions that it calls."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_STORES = ("store", "make_block_ptr_store")
_ATOMICS = "atomic_"


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


def _written(functions: Mapping[str, ast.FunctionDef], entry: str, above: frozenset[str]) -> frozenset[str]:
    function = functions[entry]
    parameters = [one.arg for one in (*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs)]
    origins = _origins(function, parameters)
    found: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Call):
            for target in _targets(node, functions, above | {entry}):
                for name in _names(target):
                    found |= origins.get(name, {name})
    return frozenset(found) & frozenset(parameters)


def _origins(function: ast.FunctionDef, parameters: list[str]) -> dict[str, set[str]]:
    """Return the parameters that each variable may come from, to a fixed point: loops carry them on."""
    found: dict[str, set[str]] = {name: {name} for name in parameters}
    rows = list(_assigned(function))
    for _ in range(len(rows) + 1):
        before = {name: len(one) for name, one in found.items()}
        for target, value in rows:
            found.setdefault(target, set()).update(*(found.get(name, set()) for name in value))
        if before == {name: len(one) for name, one in found.items()}:
            break
    return found


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
            rows += [(name, names) for target in targets for name in _names(target)]
    return rows


def _loaded(value: ast.AST) -> set[str]:
    """Return the names of an expression; what stands in the address of a load is no address of its result."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr == "load":
        return set()
    return _names(value)


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)}


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
    if name in functions and name not in above:
        callee = functions[name]
        names = [argument.arg for argument in callee.args.args]
        hit = _written(functions, name, above)
        given = dict(zip(names, call.args, strict=False)) | {
            keyword.arg: keyword.value for keyword in call.keywords if keyword.arg
        }
        return [value for key, value in given.items() if key in hit]
    return []
