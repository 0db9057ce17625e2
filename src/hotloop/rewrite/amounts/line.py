"""Numbers that run over an array in a line, taken apart into row and column: what each of both is for a given element."""

from __future__ import annotations

from collections.abc import Mapping
from math import floor, inf

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.intervals import Interval


def in_line(number: algebra.Polynomial, sizes: Mapping[str, int]) -> bool:
    """Tell whether a number counts all places of a group once, whichever of its dimensions comes first.

    >>> in_line({("x",): 1, ("y",): 16}, {"x": 16, "y": 8}), in_line({("x",): 1, ("y",): 8}, {"x": 16, "y": 8})
    (True, False)
    """
    steps = {name: number.get((name,), 0) for name, size in sizes.items() if size > 1}
    if set(number) != {(name,) for name in steps}:
        return False
    far = 1
    for name in sorted(steps, key=lambda one: steps[one]):
        if steps[name] != far:
            return False
        far *= sizes[name]
    return True


def names_of(variable: str) -> tuple[str, str]:
    """Return the names of a number's row and column."""
    return f"{variable}_row", f"{variable}_column"


def in_rows(nodes: t.Body, variable: str, known: Mapping[str, t.Node]) -> t.Body | None:
    """Return expressions by row and column of a variable that they divide by one number; None where they do not.

    The variable must not be negative.
    """
    divisions = [n for n in t.walk(*nodes) if isinstance(n, t.Binary) and n.op in "/%" and _bare(n.left) == variable]
    widths = {algebra.constant(algebra.polynomial(one.right, known)) for one in divisions}
    width = widths.pop() if len(widths) == 1 else None
    if width is None or width < 1:
        return None
    row, column = (t.Name(one) for one in names_of(variable))
    whole = t.Binary("+", t.Binary("*", row, t.Number(str(width))), column)

    def change(node: t.Node) -> t.Node | None:
        if isinstance(node, t.Binary) and node.op in "/%" and _bare(node.left) == variable:
            return row if node.op == "/" else column
        return whole if node == t.Name(variable) else None

    return tuple(t.changed(node, change) for node in nodes)


def _bare(node: t.Node) -> str:
    while isinstance(node, t.Cast) and algebra.is_whole(node.type):
        node = node.value
    return node.text if isinstance(node, t.Name) else ""


def divided(number: algebra.Polynomial, by: int, spans: Mapping[str, Interval]) -> algebra.Polynomial | None:
    """Return how many whole rows a place is beyond the first, the rest being less than a row; None where that is not so.

    Of variables whose least and greatest value nobody knows it is taken that they stay within their row.

    >>> divided({("y",): 18, ("x",): 1, (): 19}, 18, {"x": (0.0, 15.0)})
    {('y',): 1, (): 1}
    """
    rows = {names: value // by for names, value in number.items() if names and value % by == 0}
    rest = {names: value for names, value in number.items() if names and value % by}
    begin = number.get((), 0)
    low, high = ends({**rest, (): begin}, spans)
    if inf in (-low, high):
        more = begin // by if begin % by == 0 else 0
    else:
        more = floor(low / by)
        if floor(high / by) != more:
            return None
    return {**rows, **({(): more} if more else {})}


def _ends(names: tuple[str, ...], value: int, spans: Mapping[str, Interval]) -> Interval:
    low, high = spans.get(names[0], (-inf, inf)) if len(names) == 1 else (-inf, inf)
    return min(low * value, high * value), max(low * value, high * value)


def split(number: algebra.Polynomial, length: str) -> tuple[algebra.Polynomial, algebra.Polynomial]:
    """Return how often a number has a length in it that is a name, and what is left.

    >>> split({("p", "y"): 1, ("p",): 2, ("x",): 1}, "p")
    ({('y',): 1, (): 2}, {('x',): 1})
    """
    rows: algebra.Polynomial = {}
    for names in (one for one in number if length in one):
        rest = list(names)
        rest.remove(length)
        rows[tuple(rest)] = number[names]
    return rows, {names: value for names, value in number.items() if length not in names}


def ends(number: algebra.Polynomial, spans: Mapping[str, Interval]) -> Interval:
    """Return the least and greatest value of a number.

    >>> ends({("x",): 2, (): 1}, {"x": (0.0, 15.0)})
    (1.0, 31.0)
    """
    parts = [_ends(names, value, spans) for names, value in number.items() if names]
    begin = number.get((), 0)
    return sum(low for low, _ in parts) + begin, sum(high for _, high in parts) + begin
