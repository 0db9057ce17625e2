"""Arrays of which a kernel only computes with the elements: whatever these are, its accesses and its loops stay the same."""

from __future__ import annotations

import re
from collections.abc import Iterator

from hotloop.rewrite import tree as t

_EXACT = frozenset({"min", "max", "clamp", "select", "popcount", "clz", "ctz", "rotate", "atomic_min", "atomic_max"})
"""Functions that are defined for all whole numbers, none of which overflows."""
_COMPUTING = re.compile(r"(?:abs|abs_diff|mad|mul24|mad24|fma|f?abs|sqrt|atomic_(?:add|sub|inc|dec)|convert_\w+)$")
"""Functions that take a number for its value, too, and may overflow."""
_ARITHMETIC = frozenset({"+", "-", "*", "<<", "+=", "-=", "*=", "<<=", "++", "--"})
_PARTIAL = frozenset({"/", "%", "<<", ">>", "/=", "%=", "<<=", ">>="})
"""Operations that are not defined for every right operand."""


def free(function: t.Function) -> dict[str, bool]:
    """Return the array parameters whose elements move no access, loop, quotient or shift, each with whether sums or products of them are made.

    What is made of an element is followed through variables and local arrays; a text that hides any of it leaves the array out.

    >>> from hotloop.rewrite.parse import functions
    >>> text = "kernel void f(global int *a, global int *b, global int *n) { int i = get_global_id(0); n[b[i]] = a[i] + 1; }"
    >>> free(functions(text)[0])
    {'a': True, 'n': False}
    """
    nodes = [*t.walk(*function.body)]
    found = {}
    for argument in function.arguments:
        if argument.pointer:
            marked = _followed(nodes, argument.name)
            if not any(_depends(node, marked) for node in nodes) and not _hidden(nodes, argument.name, marked):
                found[argument.name] = any(_computes(node, marked) for node in nodes)
    return found


def _followed(nodes: list[t.Node], array: str) -> frozenset[str]:
    """Return the names that may hold an element of an array, or what is made of one."""
    marked = {array}
    while True:
        more = {
            name for node in nodes for name, value in _given(node) if name not in marked and _mentions(value, marked)
        }
        if not more:
            return frozenset(marked)
        marked |= more


def _given(node: t.Node) -> Iterator[tuple[str, t.Node]]:
    """Yield names with what they are given."""
    if isinstance(node, t.Declare):
        yield from ((one.name, one.value) for one in node.names if one.value is not None)
    elif isinstance(node, t.Assign):
        yield from ((name, node.value) for name in _base(node.target))
    elif isinstance(node, t.Call) and node.arguments:
        yield from ((name, node) for argument in node.arguments[:1] for name in _base(argument))


def _base(target: t.Node) -> Iterator[str]:
    while isinstance(target, t.Index | t.Member | t.Unary):
        target = target.value if isinstance(target, t.Unary) else target.base
    if isinstance(target, t.Name):
        yield target.text


def _mentions(node: t.Node | None, marked: frozenset[str] | set[str]) -> bool:
    return node is not None and any(isinstance(one, t.Name) and one.text in marked for one in t.walk(node))


def _depends(node: t.Node, marked: frozenset[str]) -> bool:
    """Tell whether an access, a loop, a quotient, a shift or an unknown function takes one of the names."""
    if isinstance(node, t.Index):
        return _mentions(node.index, marked)
    if isinstance(node, t.For):
        return any(_mentions(part, marked) for part in (node.first, node.condition, node.step))
    if isinstance(node, t.Binary | t.Assign) and node.op in _PARTIAL:
        return _mentions(node.right if isinstance(node, t.Binary) else node.value, marked)
    if isinstance(node, t.Unary) and node.op == "*":
        return _mentions(node.value, marked)
    if isinstance(node, t.Call) and node.function not in _EXACT and not _COMPUTING.match(node.function):
        return any(_mentions(argument, marked) for argument in node.arguments)
    return False


def _hidden(nodes: list[t.Node], array: str, marked: frozenset[str]) -> bool:
    """Tell whether a text was not understood, or an array's place is used as a number."""
    names = re.compile(rf"\b(?:{'|'.join(map(re.escape, marked))}|while|goto)\b")
    if any(isinstance(node, t.Text) and not node.comment and names.search(node.text) for node in nodes):
        return True
    if any(isinstance(node, t.For) and node.condition is None for node in nodes):  # what ends it may be any comparison
        return True
    bases = sum(isinstance(node, t.Index) and node.base == t.Name(array) for node in nodes)
    return bases < sum(node == t.Name(array) for node in nodes)


def _computes(node: t.Node, marked: frozenset[str]) -> bool:
    if isinstance(node, t.Binary | t.Unary | t.Postfix | t.Assign) and node.op in _ARITHMETIC:
        return any(_mentions(part, marked) for part in t.walk(node))
    return isinstance(node, t.Call) and bool(_COMPUTING.match(node.function)) and _mentions(node, marked)
