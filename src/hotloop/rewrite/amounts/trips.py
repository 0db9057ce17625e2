"""How far variables get that a loop moves by the same amount in every round, such as an index that goes on by a row."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import inf

from hotloop.rewrite import tree as t

Interval = tuple[float, float]


def trips(variable: Interval, step: t.Node | None, value: Callable[[t.Node], Interval]) -> float:
    """Return at most how many rounds a loop has whose variable stays within an interval; infinite where that is not known."""
    low, high = variable
    by = 0.0
    match step:
        case t.Postfix(op="++" | "--") | t.Unary(op="++" | "--"):
            by = 1.0
        case t.Assign(op="+=" | "-=", value=more):
            by = max(value(more)[0], 0.0)
        case t.Assign(op="=", target=target, value=t.Binary(op="+" | "-", left=left, right=more)) if left == target:
            by = max(value(more)[0], 0.0)
    if by < 1 or high - low == inf or low == inf:
        return inf
    return max(0.0, (high - low) // by + 1)


def moved(
    body: t.Body, rounds: float, begun: Mapping[str, Interval], value: Callable[[t.Node], Interval]
) -> dict[str, Interval]:
    """Return where variables may be at any time in a loop that only adds to them, outside of loops within.

    Args:
        body: the loop's statements.
        rounds: how many there are at most.
        begun: variables before the loop.
        value: of expressions whose variables the loop does not change.
    """
    if rounds == inf:
        return {}
    changed = t.written_in(*body)
    spans: dict[str, Interval] = {}
    for name in changed & set(begun):
        steps = _steps(body, name, changed)
        if steps is None:
            continue
        low = sum(min(0.0, _by(step, value)[0]) for step in steps)
        high = sum(max(0.0, _by(step, value)[1]) for step in steps)
        spans[name] = (begun[name][0] + _times(rounds, low), begun[name][1] + _times(rounds, high))
    return spans


def _times(rounds: float, by: float) -> float:
    return 0.0 if by == 0 else rounds * by


def _by(step: t.Node, value: Callable[[t.Node], Interval]) -> Interval:
    match step:
        case t.Postfix(op=op) | t.Unary(op=op):
            return (1.0, 1.0) if op == "++" else (-1.0, -1.0)
        case t.Assign(op="+=", value=more):
            return value(more)
        case t.Assign(op="-=", value=more):
            low, high = value(more)
            return -high, -low
    return -inf, inf


def _steps(body: t.Body, name: str, changed: set[str]) -> list[t.Node] | None:
    """Return the statements that move a variable, None where one does something else to it, or stands in a loop."""
    steps: list[t.Node] = []
    for node in body:
        inner: t.Body = ()
        match node:
            case t.If(yes=yes, no=no):
                inner = (*yes, *no)
            case t.Block(body=statements):
                inner = statements
            case t.Do(value=t.Postfix(value=t.Name(text=text)) | t.Unary(op="++" | "--", value=t.Name(text=text))) if (
                text == name
            ):
                steps.append(node.value)
                continue
            case t.Do(value=t.Assign(op="+=" | "-=", target=t.Name(text=text), value=more)) if text == name:
                if t.names_in(more) & changed:
                    return None
                steps.append(node.value)
                continue
        if inner:
            below = _steps(inner, name, changed)
            if below is None or name in t.declared_in(*inner):
                return None
            steps += below
        elif name in t.written_in(node):
            return None
    return steps


def replaced(node: t.For) -> list[t.Assign]:
    """Return the assignments of variables that a loop's statements change by nothing but giving them new values."""
    made = [inner for inner in t.walk(*node.body) if isinstance(inner, t.Assign) and isinstance(inner.target, t.Name)]
    other = t.written_in(*([node.step] if node.step else [])) | {
        inner.value.text
        for inner in t.walk(*node.body)
        if isinstance(inner, t.Postfix | t.Unary) and inner.op in ("++", "--") and isinstance(inner.value, t.Name)
    }
    other |= {one.target.text for one in made if one.op != "=" and isinstance(one.target, t.Name)}
    return [one for one in made if isinstance(one.target, t.Name) and one.target.text not in other]


def counting(node: t.For) -> set[str]:
    """Return the variables that a loop's statements only count up by one."""
    up = [inner.value for inner in t.walk(*node.body) if isinstance(inner, t.Postfix | t.Unary) and inner.op == "++"]
    down = [inner.value for inner in t.walk(*node.body) if isinstance(inner, t.Postfix | t.Unary) and inner.op == "--"]
    other = [inner.target for inner in t.walk(*node.body) if isinstance(inner, t.Assign)] + down
    return {one.text for one in up if isinstance(one, t.Name) and one not in other}


def below(node: t.For) -> t.Node:
    """Return a loop's condition; one that counts up by one to a number stays below it."""
    match node.condition, node.step:
        case t.Binary(op="!=", left=left, right=right), t.Postfix(op="++", value=v) | t.Unary(op="++", value=v) if (
            v == left
        ):
            return t.Binary("<", left, right)
    assert node.condition is not None
    return node.condition
