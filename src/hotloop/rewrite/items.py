"""Work-items as bounds, grids and rewrites know them: by ``get_global_id``, one for each result.

A number that is put together of its group's, ``get_group_id(0) * get_local_size(0) + get_local_id(0)``, is the global one, for launches
have no offset here, and ``get_num_groups(0) * get_local_size(0)`` is the grid's size, for all groups have one. A loop from it on in steps of
the whole grid is a condition where the grid is as large as the loop is long.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t

_PARTS = ("get_group_id", "get_local_size", "get_local_id")
_SIZES = ("get_local_size", "get_enqueued_local_size")
_PRODUCTS, _SUMS = ("mul24",), ("mad24", "mad")


def direct(function: t.Function) -> t.Function:
    """Return a kernel that asks for such numbers at once; itself where it has none."""
    named = _named(function)
    body = tuple(_put(node, named) for node in function.body)
    return function if body == function.body else replace(function, body=_without(body, named))


def unstrided(function: t.Function) -> t.Function:
    """Return a kernel whose last statement is no loop over the grid any more; itself where it is none.

    Only for launches of at least as many work-items as the loop has rounds.
    """
    real = [node for node in function.body if not t.is_comment(node)]
    if not real or not isinstance(loop := real[-1], t.For):
        return function
    before, first = _begun(function.body[: function.body.index(loop)], loop.first)
    if first is None:
        return function
    asked = {one.name: one.value for _, one in t.set_once(*function.body) if whole_grid(one.value)}
    name, value = first.names[0].name, first.names[0].value
    if isinstance(value, t.Name) and value.text in asked:
        value = asked[value.text]
        first = replace(first, names=(replace(first.names[0], value=value),))
    below = isinstance(loop.condition, t.Binary) and loop.condition.op == "<" and loop.condition.left == t.Name(name)
    if (
        not below
        or name in t.written_in(*loop.body)
        or not _over_grid(name, value, _named_step(loop.step, asked))
        or _jumps(loop.body)
    ):
        return function
    assert loop.condition is not None
    guarded = t.If(loop.condition, loop.body, (), loop.line)
    return replace(function, body=(*_without(before, asked, (first, guarded)), first, guarded))


def whole_grid(value: t.Node | None) -> bool:
    """Tell whether a value is a work-item's place in the whole grid, or the grid's size."""
    return isinstance(value, t.Call) and value.function in ("get_global_id", "get_global_size")


def _named_step(step: t.Node | None, asked: Mapping[str, t.Node | None]) -> t.Node | None:
    """Return how a loop goes on, with the grid's size in the place of a variable that holds it."""
    names = {name: value for name, value in asked.items() if value is not None}
    return None if step is None else t.renamed(step, {n: v for n, v in names.items() if n not in t.written_in(step)})


def _begun(before: t.Body, first: t.Node | None) -> tuple[t.Body, t.Declare | None]:
    """Return how a loop's variable begins as a declaration, and what stands before it; None where it is no variable of its own."""
    if isinstance(first, t.Declare) and len(first.names) == 1:
        return before, first
    if isinstance(first, t.Assign) and first.op == "=" and isinstance(first.target, t.Name):
        bare = t.Declared(first.target.text)
        for one in before:
            if isinstance(one, t.Declare) and one.names == (bare,):
                rest = tuple(other for other in before if other is not one)
                return rest, replace(one, names=(replace(bare, value=first.value),))
    return before, None


def _over_grid(name: str, value: t.Node | None, step: t.Node | None) -> bool:
    """Tell whether a loop begins at the work-item's number and goes on by the grid's size."""
    if not isinstance(value, t.Call) or value.function != "get_global_id" or not isinstance(step, t.Assign):
        return False
    by = step.value
    if step.op == "=" and isinstance(by, t.Binary) and by.op == "+" and by.left == t.Name(name):
        by = by.right
    elif step.op != "+=":
        return False
    return step.target == t.Name(name) and by == t.Call("get_global_size", value.arguments)


def _jumps(body: t.Body) -> bool:
    """Tell whether a statement leaves the loop's body early."""
    texts = (node.text for node in t.walk(*body) if isinstance(node, t.Text) and not node.comment)
    return any(word in text for text in texts for word in ("continue", "break", "return", "goto"))


def _named(function: t.Function) -> dict[str, t.Node]:
    """Return variables whose value is the work-item's position throughout the kernel."""
    changed = t.written_in(*function.body)
    values: dict[str, list[t.Node | None]] = {}
    for node in t.walk(*function.body):
        if isinstance(node, t.Declared):
            values.setdefault(node.name, []).append(node.value if _asks(node.value) else None)
    return {
        name: one[0] for name, one in values.items() if len(one) == 1 and one[0] is not None and name not in changed
    }


def _asks(node: t.Node | None) -> bool:
    return (
        isinstance(node, t.Call) and node.function in (*_PARTS, *_SIZES, "get_num_groups") and len(node.arguments) == 1
    )


def _put(node: t.Node, named: Mapping[str, t.Node]) -> t.Node:
    def change(one: t.Node) -> t.Node | None:
        for pair in _products(one):
            if (dimension := _whole_size(pair, named)) is not None:
                return t.Call("get_global_size", (dimension,))
        for product, place in _sums(one):
            for group, size in _products(product):
                dimension = _dimension((group, size, place), named)
                if dimension is not None:
                    return t.Call("get_global_id", (dimension,))
        return None

    return t.changed(node, change)


def _sums(node: t.Node) -> tuple[tuple[t.Node, t.Node], ...]:
    """Return a sum as product and addend, in both orders."""
    match node:
        case t.Binary(op="+", left=left, right=right):
            return (left, right), (right, left)
        case t.Call(function=name, arguments=(left, right, more)) if name in _SUMS:
            return ((t.Binary("*", left, right), more),)
    return ()


def _products(node: t.Node) -> tuple[tuple[t.Node, t.Node], ...]:
    match node:
        case t.Binary(op="*", left=left, right=right):
            return (left, right), (right, left)
        case t.Call(function=name, arguments=(left, right)) if name in _PRODUCTS:
            return (left, right), (right, left)
    return ()


def _dimension(parts: tuple[t.Node, t.Node, t.Node], named: Mapping[str, t.Node]) -> t.Node | None:
    """Return of which dimension group, its size and the place in it are, None where they are not these three."""
    asked = [named.get(part.text, part) if isinstance(part, t.Name) else part for part in parts]
    if not all(_asks(one) for one in asked):
        return None
    group, size, place = (one for one in asked if isinstance(one, t.Call))
    spelled_out = group.function == _PARTS[0] and size.function in _SIZES and place.function == _PARTS[2]
    return group.arguments[0] if spelled_out and group.arguments == size.arguments == place.arguments else None


def _whole_size(parts: tuple[t.Node, t.Node], named: Mapping[str, t.Node]) -> t.Node | None:
    """Return of which dimension the number of groups and their size are, whose product is the grid's size; None where they are not these two."""
    groups, size = (named.get(part.text, part) if isinstance(part, t.Name) else part for part in parts)
    if not isinstance(groups, t.Call) or not isinstance(size, t.Call) or groups.arguments != size.arguments:
        return None
    whole = groups.function == "get_num_groups" and size.function == "get_local_size" and len(size.arguments) == 1
    return size.arguments[0] if whole else None


def _without(body: t.Body, named: Mapping[str, t.Node | None], after: t.Body = ()) -> t.Body:
    """Return the outermost statements without declarations of which nothing is used any more, nor in what comes after them."""
    kept: list[t.Node] = []
    for place, node in enumerate(body):
        rest = (*body[place + 1 :], *after)
        if isinstance(node, t.Declare) and all(
            declared.name in named and declared.name not in t.names_in(*rest) for declared in node.names
        ):
            continue
        kept.append(node)
    return tuple(kept)
