"""What a Triton function's text says about the types of its parameters: what is loaded from is a pointer, and so on.

Followed are assignments (``at = x + i``; ``x += n``) and calls of functions in the same module, to a small depth. It is a guess: the
element type is 32-bit floating point unless the name is that of an index array or the source casts the pointer.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterator, Mapping
from typing import Any

_ADDRESSED = frozenset((
    "load", "store", "make_block_ptr", "make_tensor_descriptor", "atomic_add", "atomic_max", "atomic_min", "atomic_cas",
    "atomic_xchg", "atomic_and", "atomic_or", "atomic_xor", "buffer_load", "async_copy_global_to_shared",
))  # fmt: skip
"""Functions whose first argument is, or starts from, an address."""
_FLOATS = frozenset((
    "eps", "epsilon", "scale", "sm_scale", "softmax_scale", "alpha", "beta", "gamma", "p", "lr", "temperature", "softcap",
    "label_smoothing", "lse_square_scale", "momentum", "dropout", "dropout_p", "rate", "threshold", "limit", "theta", "weight_decay",
))  # fmt: skip
"""Names that people give to real numbers."""
_INDICES = ("indices", "index", "idx", "offsets", "lens", "lengths", "seqlen", "labels", "target", "targets", "ids")
_MARKS = ("_ptr", "_pointer", "ptr_", "p_")
_KEEPING = frozenset((
    "where", "minimum", "maximum", "min", "max", "cdiv", "reshape", "view", "broadcast_to", "expand_dims", "trans", "multiple_of",
))  # fmt: skip
"""Functions whose result is one of their arguments, or as whole as they are."""
_WHOLE = (ast.FloorDiv, ast.LShift, ast.RShift, ast.BitAnd, ast.BitOr, ast.BitXor)
"""Operators that Triton has for whole numbers only."""
_OWN = "="
"""Marks a parameter's own value, apart from what is loaded through it."""
_DEPTH = 4
_POINTER, _INDEX, _REAL = "*fp32", "*i32", "fp32"


def types(function: Callable[..., Any]) -> dict[str, str]:
    """Return Triton types by parameter, as far as the text of a function suggests any."""
    used = indices(function)
    kinds = {name: _INDEX if name in used or _indexed(name) else _POINTER for name in pointers(function)}
    names = inspect.signature(function).parameters
    return {**{name: _REAL for name in names if _real(name) and name not in used}, **kinds}


def indices(function: Callable[..., Any], depth: int = _DEPTH) -> frozenset[str]:
    """Return the parameters of a function that are whole numbers, or point to some.

    Those are which become part of an address, bound a loop, are shifted, masked or divided without rest, here or in a function that is called.
    """
    definition = _definition(function)
    if definition is None:
        return frozenset()
    given = {argument.arg for argument in (*definition.args.args, *definition.args.kwonlyargs)}
    holds = _holdings(definition, given)
    used: set[str] = set()
    for node in ast.walk(definition):
        used |= set(_passed(node, holds, function.__globals__, depth))
        for expression in _counted(node):
            used |= _held(expression, holds)
        if isinstance(node, ast.Call) and _addressed(node) and node.args:
            used |= set().union(*(_held(part, holds) for part in _offsets(node.args[0])))
    own = {name.removeprefix(_OWN) for name in used if name.startswith(_OWN)}
    loaded = _origins(definition, {name for name in used if not name.startswith(_OWN)})
    return frozenset(((own - pointers(function, depth)) | loaded) & given)


def _holdings(definition: ast.FunctionDef, given: set[str]) -> dict[str, set[str]]:
    """Return what the values of names were made of: a parameter's own value, or what was loaded through a pointer."""
    holds = {name: {_OWN + name} for name in given}
    for _ in range(_DEPTH):
        for node in ast.walk(definition):
            match node:
                case (
                    ast.Assign(targets=[ast.Name(id=name)], value=value)
                    | ast.AugAssign(target=ast.Name(id=name), value=value)
                ):
                    holds.setdefault(name, set()).update(_held(value, holds))
    return holds


def _held(value: ast.expr, holds: Mapping[str, set[str]]) -> set[str]:
    """Return the bases of loads, and marked the parameters, whose value an expression still is in another form."""
    match value:
        case ast.Name(id=name):
            return holds.get(name, set())
        case ast.BinOp(left=left, right=right):
            return _held(left, holds) | _held(right, holds)
        case ast.Subscript(value=inner):
            return _held(inner, holds)
        case ast.Call(func=ast.Attribute(attr="load"), args=[address, *_]):
            return set(_base(address))
        case ast.Call(func=ast.Attribute(value=inner, attr="to"), args=[ast.Attribute(attr=kind)]) if "int" in kind:
            return _held(inner, holds)
        case ast.Call(func=ast.Attribute(attr=name), args=args) if name in _KEEPING:
            return set().union(*(_held(argument, holds) for argument in args))
    return set()


def _counted(node: ast.AST) -> Iterator[ast.expr]:
    """Yield the expressions that a node of a function takes for whole numbers."""
    match node:
        case ast.BinOp(left=left, op=op, right=right) if isinstance(op, _WHOLE):
            yield from (left, right)
        case ast.AugAssign(target=ast.Name() as left, op=op, value=right) if isinstance(op, _WHOLE):
            yield from (left, right)
        case ast.Call(func=ast.Name(id="range") | ast.Attribute(attr="range" | "cdiv"), args=args):
            yield from args


def _passed(node: ast.AST, holds: Mapping[str, set[str]], names: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield what a called function takes for whole numbers, or for pointers to some."""
    match node:
        case ast.Call(func=ast.Name(id=name), args=args) if depth > 1:
            inner = getattr(names.get(name), "fn", None)
            if not inspect.isfunction(inner):
                return
            wanted, through = indices(inner, depth - 1), pointers(inner, depth - 1)
            for at, argument in zip(inspect.signature(inner).parameters, args, strict=False):
                if at in wanted:
                    yield from _base(argument) if at in through else _held(argument, holds)


def _offsets(address: ast.expr) -> Iterator[ast.expr]:
    """Yield what an address adds to its base."""
    while isinstance(address, ast.BinOp) and isinstance(address.op, ast.Add):
        yield address.right
        address = address.left


def _definition(function: Callable[..., Any]) -> ast.FunctionDef | None:
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, SyntaxError, TypeError):
        return None
    return next((node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)), None)


def _addressed(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Attribute) and call.func.attr in _ADDRESSED


def pointers(function: Callable[..., Any], depth: int = _DEPTH) -> frozenset[str]:
    """Return the parameters of a function that it, or a function that it calls, reads or writes memory through."""
    definition = _definition(function)
    if definition is None:
        return frozenset()
    used: set[str] = set()
    for call in (node for node in ast.walk(definition) if isinstance(node, ast.Call)):
        used |= set(_through(call, function.__globals__, depth))
    given = {argument.arg for argument in (*definition.args.args, *definition.args.kwonlyargs)}
    return frozenset(_origins(definition, used) & given)


def _through(call: ast.Call, names: Mapping[str, Any], depth: int) -> Iterator[str]:
    """Yield the names at the base of what a call takes for addresses."""
    match call.func:
        case ast.Attribute(attr=name, value=ast.Name(id="tl" | "gl" | "ttgl" | "libdevice" | "triton")) if (
            name in _ADDRESSED
        ):
            given = call.args[:1] or [word.value for word in call.keywords if word.arg in ("pointer", "base")]
            for argument in given:
                yield from _base(argument)
        case ast.Name(id=name) if depth > 1:
            inner = getattr(names.get(name), "fn", None)
            if not inspect.isfunction(inner):
                return
            wanted = pointers(inner, depth - 1)
            order = list(inspect.signature(inner).parameters)
            for at, argument in zip(order, call.args, strict=False):
                if at in wanted:
                    yield from _base(argument)
            for word in call.keywords:
                if word.arg in wanted:
                    yield from _base(word.value)


def _base(address: ast.expr) -> Iterator[str]:
    """Yield the names that an address may start from: the left-most ones of a sum, both sides of a choice."""
    match address:
        case ast.Name(id=name):
            yield name
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub(), right=right):
            yield from _base(left)
            if isinstance(left, ast.Constant | ast.Call):
                yield from _base(right)
        case ast.IfExp(body=first, orelse=second):
            yield from _base(first)
            yield from _base(second)
        case ast.Call(func=ast.Attribute(value=inner, attr="to")):
            yield from _base(inner)
        case ast.Call(func=ast.Attribute(attr="multiple_of" | "max_contiguous" | "advance" | "cast"), args=[first, *_]):
            yield from _base(first)


def _origins(definition: ast.FunctionDef, names: set[str]) -> set[str]:
    """Return names with all those that they were made of, through assignments."""
    made: dict[str, set[str]] = {}
    for node in ast.walk(definition):
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made.setdefault(name, set()).update(_made_of(value))
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                made.setdefault(name, set()).update(_made_of(value))
            case ast.Assign(targets=[ast.Tuple(elts=targets)], value=ast.Tuple(elts=values)):
                for target, value in zip(targets, values, strict=False):
                    if isinstance(target, ast.Name):
                        made.setdefault(target.id, set()).update(_made_of(value))
    reached, waiting = set(names), list(names)
    while waiting:
        name = waiting.pop()
        more = made.get(name, set()) - reached
        reached |= more
        waiting += more
    return reached


def _made_of(value: ast.expr) -> set[str]:
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute) and value.func.attr in _ADDRESSED:
        made = value.func.attr.startswith("make_")
        return set(_base(value.args[0])) if made and value.args else set()
    return set(_base(value))


def _indexed(name: str) -> bool:
    plain = name.lower()
    for mark in _MARKS:
        plain = plain.removesuffix(mark)
    return plain.endswith(_INDICES)


def _real(name: str) -> bool:
    return name.lower() in _FLOATS or name.lower().endswith(("_scale", "_eps", "_alpha", "_beta", "_weight"))
