"""Which names of straight Triton code are read before they have a value, and which of them are blocks."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Iterator

from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.kinds import BUILT_IN, ELEMENTWISE

_BLOCKS = ("arange", "zeros", "full", "make_block_ptr", "make_tensor_descriptor", "load_tensor_descriptor")
_DEEP = 12
"""Variables put in for each other before a piece is given up."""
_DECORATORS = frozenset(("jit", "constexpr_function"))


def loads(node: ast.AST) -> set[str]:
    """Return the names that a piece reads; what ``+=`` stands for reads its target."""
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name) and isinstance(inner.ctx, ast.Load)}
    for one in ast.walk(node):
        if isinstance(one, ast.AugAssign) and isinstance(one.target, ast.Name):
            names.add(one.target.id)
    return names


def stores(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names that pieces give a value.

    >>> sorted(stores(ast.parse("a, b = f(c)").body))
    ['a', 'b']
    """
    every = (inner for node in nodes for inner in ast.walk(node))
    return {one.id for one in every if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}


def early(body: list[ast.stmt], given: set[str]) -> set[str]:
    r"""Return the names that statements read before they have given them a value on every way; `given` grows by those that have one.

    >>> early(ast.parse("a = b\nif c:\n    d = a\nelse:\n    d = 1\ne = d").body, set()) == {"b", "c"}
    True
    >>> sorted(early(ast.parse("for i in n:\n    a = i\n    a += b\n    c += a\nd = a").body, set()))
    ['a', 'b', 'c', 'n']
    """
    names: set[str] = set()
    for node in body:
        match node:
            case ast.If(test=test, body=inner, orelse=other):
                names |= loads(test) - given
                first, second = set(given), set(given)
                names |= early(inner, first) | early(other, second)
                given |= first & second
            case ast.For(target=target, iter=test, body=inner, orelse=other):
                names |= (loads(test) - given) | early(inner, given | stores([target])) | early(other, set(given))
            case ast.While(test=test, body=inner, orelse=other):
                names |= (loads(test) - given) | early(inner, set(given)) | early(other, set(given))
            case _:
                names |= loads(node) - given
                given |= stores([node])
    return names


def behind(script: Script, loop: ast.stmt) -> set[str]:
    """Return the names that are read after a loop with the values that they have there."""
    names: set[str] = set()
    around: ast.stmt = loop
    while around is not script.kernel:
        holder, body = next(_holding(script, around))
        names |= early(body[body.index(around) + 1 :], set())
        if isinstance(holder, ast.For | ast.While):
            names |= early(body, set()) | (loads(holder.test) if isinstance(holder, ast.While) else set())
        around = holder
    return names


def _holding(script: Script, statement: ast.stmt) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
    for node in ast.walk(script.kernel):
        for body in (getattr(node, "body", None), getattr(node, "orelse", None)):
            if isinstance(body, list) and statement in body and isinstance(node, ast.stmt):
                yield node, body


def blocks(script: Script) -> set[str]:
    """Return the names of the kernel that may be blocks: what stems from ``tl.arange`` and its like."""
    tensors: set[str] = set()
    while True:
        before = len(tensors)
        for node in ast.walk(script.kernel):
            match node:
                case ast.Assign(value=value) | ast.AugAssign(value=value) | ast.AnnAssign(value=ast.expr() as value):
                    if loads(value) & tensors or _makes(script, value):
                        tensors |= stores([node])
        if len(tensors) == before:
            return tensors


def _makes(script: Script, node: ast.AST, above: frozenset[str] = frozenset()) -> bool:
    """Tell whether a piece may make a block, itself or by a function that it calls."""
    if any(not _single(call) for call in script.calls(node, *_BLOCKS)):
        return True
    for call in (inner for inner in ast.walk(node) if isinstance(inner, ast.Call)):
        name = call.func.id if isinstance(call.func, ast.Name) else ""
        own = local(script, call)
        if own is not None and name not in above and _makes(script, own, above | {name}):
            return True
        if own is None and name and not hasattr(builtins, name) and name not in _DECORATORS:
            return True
        if isinstance(call.func, ast.Attribute) and call.func.attr == "load" and not script.is_call(call, "load"):
            return True
    return False


def _single(call: ast.Call) -> bool:
    """Tell whether it makes a number, ``tl.full([], 0.0, tl.float32)``."""
    return bool(call.args) and isinstance(call.args[0], ast.List | ast.Tuple) and not call.args[0].elts


def start_type(script: Script, name: str, beside: Iterable[ast.stmt] = ()) -> str | None:
    r"""Return the type in which a variable begins, as constants or a type that is named say, `beside` some statements; None where it is not known.

    >>> text = "import triton.language as tl\ndef f(x):\n    s = 0.0\n    s += 1\n    t = tl.load(x)\n    s = s + t"
    >>> start_type(Script(text, "f"), "s"), start_type(Script(text, "f"), "t")
    ('tl.float32', None)
    """
    types: set[str | None] = set()
    left_out = {inner for one in beside for inner in ast.walk(one)}
    for node in (child for child in ast.walk(script.kernel) if child not in left_out):
        match node:
            case (
                ast.Assign(targets=[ast.Name(id=given)], value=value)
                | ast.AnnAssign(target=ast.Name(id=given), value=ast.expr() as value)
            ) if given == name and name not in loads(value):
                types.add(_type(script, value))
    return types.pop() if len(types) == 1 else None


def _type(script: Script, value: ast.expr) -> str | None:
    match value:
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return _type(script, operand)
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as number):
            return f"{script.tl}.{'float32' if isinstance(number, float) else 'int32'}"
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant()]):
            return f"{script.tl}.float32"
        case ast.Call(func=ast.Attribute(attr="to"), args=[kind, *_]):
            return script.source(kind)
        case ast.Call(args=args, keywords=keywords) if script.is_call(value, "zeros", "full", "cast"):
            at = 2 if script.is_call(value, "full") else 1
            named = next((keyword.value for keyword in keywords if keyword.arg == "dtype"), None)
            asked = named or (args[at] if len(args) > at else None)
            return script.source(asked) if asked is not None else None
    return None


def real(script: Script, node: ast.AST, depth: int = 0) -> bool:
    r"""Tell whether a piece surely has numbers with a point: they are made such, loaded beside such, or multiplied with such.

    >>> text = "import triton.language as tl\ndef f(x, i):\n    a = tl.load(x, mask=i, other=0.0)\n    b = a * 2\n    c = tl.load(x)"
    >>> [real(Script(text, "f"), ast.parse(one, mode="eval").body) for one in ("b", "c", "c * 0.5", "i")]
    [True, False, True, False]
    """
    if depth > _DEEP:
        return False
    match node:
        case ast.Constant(value=value):
            return isinstance(value, float)
        case ast.Name(id=name):
            given = [n.value for n in ast.walk(script.kernel) if isinstance(n, ast.Assign) and [*map(ast.unparse, n.targets)] == [name]]  # fmt: skip
            return bool(given) and all(real(script, one, depth + 1) for one in given)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return real(script, left, depth) or real(script, right, depth)
        case ast.BinOp(op=ast.Div()):
            return True
        case ast.UnaryOp(operand=inner) | ast.Subscript(value=inner):
            return real(script, inner, depth)
        case ast.Call(func=ast.Attribute(attr="to"), args=[kind, *_]):
            return "float" in ast.unparse(kind)
        case ast.Call(keywords=keywords) if script.is_call(node, "load"):
            return any(keyword.arg == "other" and real(script, keyword.value, depth) for keyword in keywords)
        case ast.Call() if script.is_call(node, "zeros", "full"):
            return "float" in ast.unparse(node)
        case ast.Call(args=[value, *others]) if script.is_call(node, "trans", "where", "abs", "maximum", "minimum"):
            return any(real(script, one, depth) for one in (value, *others))
        case ast.Call():
            return script.is_call(node, "exp", "exp2", "log", "log2", "sqrt", "rsqrt", "sigmoid", "erf", "sin", "cos", "dot")  # fmt: skip
    return False


def local(script: Script, call: ast.Call) -> ast.FunctionDef | None:
    """Return the function of the text that a call names."""
    name = call.func.id if isinstance(call.func, ast.Name) else ""
    return next((function for function in script.functions if function.name == name), None)


def plain(script: Script, function: ast.FunctionDef) -> bool:
    """Tell whether a function has nothing but sums and elementwise functions."""
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.While | ast.Subscript):
            return False
        if isinstance(node, ast.Call) and node not in function.decorator_list:
            word = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            own = local(script, node)
            if not (
                word in ELEMENTWISE | {"to"} | BUILT_IN
                or (own is not None and own is not function and _flat(own) and plain(script, own))
            ):
                return False
    return True


def _flat(function: ast.FunctionDef) -> bool:
    """Tell whether a function decides nothing."""
    return not any(isinstance(node, ast.If | ast.IfExp) for node in ast.walk(function))


__all__ = ["behind", "blocks", "early", "loads", "local", "plain", "real", "start_type", "stores"]
