"""Index arithmetic as polynomials: how an address moves when one variable moves by one.

A polynomial maps products of names to whole coefficients; what is no sum of products (a division, an element of an array)
is a name of its own, which counts as depending on every variable in it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import reduce

from hotloop.rewrite import tree as t
from hotloop.rewrite.write import expression

Polynomial = dict[tuple[str, ...], int]
"""Coefficients by sorted names of a product; the empty product is the constant."""
_WHOLE = re.compile(r"^(0[xX][0-9a-fA-F]+|\d+)[uUlL]*$")
_DEPTH = 8
"""Variables in terms of each other that are put in: more would be circles."""
_TYPES = frozenset(
    {
        "int",
        "uint",
        "unsigned",
        "unsigned int",
        "long",
        "ulong",
        "unsigned long",
        "long long",
        "unsigned long long",
        "size_t",
        "ptrdiff_t",
    }
    | {f"{sign}int{bits}_t" for sign in ("", "u") for bits in (32, 64)}
)


def is_whole(kind: str) -> bool:
    """Tell a type of whole numbers that sizes and indices have.

    >>> is_whole("const unsigned int"), is_whole("float")
    (True, False)
    """
    return " ".join(word for word in kind.split() if word not in ("const", "volatile")) in _TYPES


def polynomial(node: t.Node, known: Mapping[str, t.Node] | None = None) -> Polynomial:
    """Return an expression as a polynomial; names in `known` stand for their expressions.

    >>> from hotloop.rewrite.tree import Binary, Name, Number
    >>> polynomial(Binary("-", Binary("*", Name("n"), Name("i")), Number("1")))
    {('i', 'n'): 1, (): -1}
    """
    match node:
        case t.Number(text=text) if whole := _WHOLE.match(text):
            return _clean({(): int(whole.group(1), 0)})
        case t.Name(text=text):
            if known and text in known:
                rest = {name: one for name, one in known.items() if name != text}
                return polynomial(known[text], rest)
            return {(text,): 1}
        case t.Binary(op="+", left=left, right=right):
            return added(polynomial(left, known), polynomial(right, known))
        case t.Binary(op="-", left=left, right=right):
            return added(polynomial(left, known), polynomial(right, known), -1)
        case t.Binary(op="*", left=left, right=right):
            return multiplied(polynomial(left, known), polynomial(right, known))
        case t.Unary(op="-", value=value):
            return added({}, polynomial(value, known), -1)
        case t.Unary(op="+", value=value):
            return polynomial(value, known)
        case t.Cast(type=kind, value=value) if is_whole(kind):
            return polynomial(value, known)
    return {(f"@{expression(_put_in(node, known) if known else node)}",): 1}


def _put_in(node: t.Node, known: Mapping[str, t.Node]) -> t.Node:
    """Return an expression with all that variables stand for put in, also what stands for those in turn."""
    for _ in range(_DEPTH):
        names = {name: known[name] for name in t.names_in(node) if name in known}
        if not names:
            break
        node = t.renamed(node, names)
    return node


def added(left: Polynomial, right: Polynomial, times: int = 1) -> Polynomial:
    """Return ``left + times · right``."""
    made = dict(left)
    for names, value in right.items():
        made[names] = made.get(names, 0) + times * value
    return _clean(made)


def multiplied(left: Polynomial, right: Polynomial) -> Polynomial:
    """Return the product."""
    made: Polynomial = {}
    for a, x in left.items():
        for b, y in right.items():
            names = tuple(sorted((*a, *b)))
            made[names] = made.get(names, 0) + x * y
    return _clean(made)


def signed(*nodes: t.Node) -> bool:
    """Tell whether the constants and casts in expressions have signs: with others, a small number less a large one is a huge one.

    >>> signed(t.Number("2")), signed(t.Number("2u")), signed(t.Cast("uint", t.Name("x")))
    (True, False, False)
    """
    return not any(
        (isinstance(inner, t.Cast) and inner.type not in ("int", "long"))
        or (isinstance(inner, t.Number) and "u" in inner.text.lower())
        for inner in t.walk(*nodes)
    )


def difference(high: t.Node, low: t.Node) -> t.Node | None:
    """Return a difference of sums of products without what both have; None where something else is in it.

    >>> from hotloop.rewrite.tree import Binary, Name
    >>> expression(difference(Binary("+", Name("x"), Name("r")), Binary("-", Name("x"), Name("r"))))
    '2 * r'
    """
    terms = added(polynomial(high), polynomial(low), -1)
    if any(name.startswith("@") for names in terms for name in names):
        return None
    made: t.Node | None = None
    for names, factor in sorted(terms.items(), reverse=True):
        parts = (
            [t.Name(name) for name in names] if factor == 1 and names else [t.Number(str(factor)), *map(t.Name, names)]
        )
        product: t.Node = reduce(lambda left, right: t.Binary("*", left, right), parts)
        made = product if made is None else t.Binary("+", made, product)
    return t.Number("0") if made is None else made


def _clean(given: Polynomial) -> Polynomial:
    return {names: value for names, value in given.items() if value}


def depends(given: Polynomial, variable: str) -> bool:
    """Tell whether a variable stands anywhere in a polynomial, also inside what is no product.

    >>> depends(polynomial(t.Binary("%", t.Name("q"), t.Number("7")), {"q": t.Name("r"), "r": t.Name("j")}), "j")
    True
    """
    return any(_mentions(name, variable) for names in given for name in names)


def _mentions(name: str, variable: str) -> bool:
    return name == variable or (name.startswith("@") and re.search(rf"\b{re.escape(variable)}\b", name) is not None)


def stride(given: Polynomial, variable: str) -> Polynomial | None:
    """Return by how much a polynomial grows when a variable grows by one; None where that is not one number for all values.

    >>> stride({("i", "n"): 1, ("j",): 1}, "i"), stride({("i", "i"): 1}, "i")
    ({('n',): 1}, None)
    """
    made: Polynomial = {}
    for names, value in given.items():
        count = sum(_mentions(name, variable) for name in names)
        if not count:
            continue
        if count > 1 or variable not in names:
            return None
        rest = list(names)
        rest.remove(variable)
        made[tuple(rest)] = made.get(tuple(rest), 0) + value
    return _clean(made)


ONE: Polynomial = {(): 1}
"""The stride of neighbours in memory."""


def constant(given: Polynomial) -> int | None:
    """Return the value of a polynomial without names, None of others."""
    return given.get((), 0) if all(not names for names in given) else None


# --- numbers -----------------------------------------------------------------------------------------------------------


def _quotient(a: int, b: int) -> int:
    """Return a quotient as C has it, rounded towards zero."""
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


CALCULATED: Mapping[str, Callable[[int, int], int]] = {
    "+": int.__add__, "-": int.__sub__, "*": int.__mul__, "<<": int.__lshift__, ">>": int.__rshift__,
    "/": _quotient, "%": lambda a, b: a - b * _quotient(a, b), "min": min, "max": max,
}  # fmt: skip
"""Integer arithmetic of C, by operator or function."""
COMPARED: Mapping[str, Callable[[int, int], bool]] = {
    "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__, "==": int.__eq__, "!=": int.__ne__,
}  # fmt: skip
_MASKS: Mapping[str, Callable[[int, int], int]] = {"&": int.__and__, "|": int.__or__, "^": int.__xor__}
_FURTHEST = 62
"""Bits of the longest shift: more would be no size."""


def defined(op: str, right: int) -> bool:
    """Tell whether an operation has a value: no division by zero, no shift too far.

    >>> defined("/", 0), defined("<<", 5)
    (False, True)
    """
    return not (op in ("/", "%") and right == 0) and not (op in ("<<", ">>") and not 0 <= right <= _FURTHEST)


def calculated(op: str, left: int, right: int) -> int | None:
    """Return what an operator makes of two whole numbers, None where that is nothing.

    >>> calculated("&", 12, 10), calculated("%", 1, 0), calculated("-", 1, 2)
    (8, None, -1)
    """
    made = CALCULATED.get(op) or COMPARED.get(op) or _MASKS.get(op)
    return int(made(left, right)) if made is not None and defined(op, right) else None


def rounded_up(node: t.Node, by: int) -> t.Node:
    """Return how many pieces of `by` a number takes, the last of which may be short."""
    return t.Binary("/", t.Binary("+", node, t.Number(str(by - 1))), t.Number(str(by)))


def quotient(given: Polynomial, by: Polynomial) -> Polynomial | None:
    """Return how many times a polynomial is in another, None where that is not whole.

    >>> width, height = {("n",): 1, (): 2}, {("m",): 1}
    >>> quotient({("m", "n"): 3, ("m",): 6}, width)
    {('m',): 3}
    >>> quotient({("m", "n"): 3, ("m",): 5}, width) is None
    True
    """
    if not by:
        return None
    names = sorted({name for product in (*given, *by) for name in product})

    def order(product: tuple[str, ...]) -> tuple[int, ...]:
        return tuple(product.count(name) for name in names)

    made: Polynomial = {}
    first, rest = max(by, key=order), dict(given)
    while rest:
        top = max(rest, key=order)
        factor = _without(top, first)
        if factor is None or rest[top] % by[first]:
            return None
        made[factor] = times = rest[top] // by[first]
        for product, value in by.items():
            key = tuple(sorted((*product, *factor)))
            rest[key] = rest.get(key, 0) - times * value
        rest = {product: value for product, value in rest.items() if value}
    return made


def _without(product: tuple[str, ...], part: tuple[str, ...]) -> tuple[str, ...] | None:
    """Return what is left of a product without a part of it, None where that is not in it."""
    left = list(product)
    for name in part:
        if name not in left:
            return None
        left.remove(name)
    return tuple(left)
