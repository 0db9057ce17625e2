"""Trees of comparisons in local memory: half of the places take over what the other half has where it is better, with what belongs to it.

The greatest value with its place is found so. Which of equal values is kept follows from the order of the tree, so that the tree stays what it is: its
halves are compared as vectors, and where fewer than a vector's lanes are left, one by one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import conjuncts, joined

_PLACE, _STEP, _AT = t.Name("place"), t.Name("apart"), t.Name("member")
_LANES = 16
_WIDTH = frozenset(["float", "int", "uint", "unsigned int", "unsigned"])
"""Types as wide as the lanes of a comparison."""
_COMPARED = frozenset(["<", ">", "<=", ">=", "==", "!="])


@dataclass(frozen=True, slots=True)
class Best:
    """What a tree of comparisons does, of elements at a place and one step behind it."""

    arrays: tuple[str, ...]
    """What is taken over."""
    condition: t.Node
    """When, in terms of the names ``place`` and ``apart``."""

    def extreme(self) -> str | None:
        """Return the function that chooses the same of one array's whole numbers; None where it takes more.

        Of real numbers none does: a comparison with NaN fails, whichever of the two it is.
        """
        asked, turned = self.condition, False
        if isinstance(asked, t.Unary):
            asked, turned = asked.value, True
        match asked:
            case t.Binary(op="<" | ">" as op, left=t.Index(index=left), right=t.Index(index=right)) if len(
                self.arrays
            ) == 1 and (left == _PLACE) != (right == _PLACE):
                return "max" if ((op == ">") == (right == _PLACE)) != turned else "min"
        return None


def best(branch: t.If, step: t.Name, within: tuple[t.Node, ...]) -> Best | None:
    """Return what the branch of a tree's round does; None of one that does more than to take over what is better.

    Args:
        branch: by which half of the places do something.
        step: how far the other half is away.
        within: the conditions that tell that half.
    """
    asked = [one for one in conjuncts(branch.condition) if one not in within]
    inner = _put_in(branch.yes)
    while inner is not None and len(inner) == 1 and isinstance(one := inner[0], t.If) and not one.no:
        asked += conjuncts(one.condition)
        inner = _put_in(one.yes)
    if not inner or not asked:
        return None
    there = (t.Binary("+", _PLACE, step), t.Binary("+", step, _PLACE))
    taken: list[str] = []
    for node in inner:
        match node:
            case t.Do(
                value=t.Assign(
                    op="=",
                    target=t.Index(base=t.Name(text=to), index=at),
                    value=t.Index(base=t.Name(text=array), index=other),
                )
            ) if to == array and at == _PLACE and other in there and array not in taken:
                taken.append(array)
            case _:
                return None
    condition = joined([t.renamed(one, {step.text: _STEP}) for one in asked])
    if condition is None or not _plain(condition, set(taken)):
        return None
    return Best(tuple(taken), condition)


def _put_in(body: t.Body) -> t.Body | None:
    """Return statements without variables that hold elements until they are compared; None where these may have changed by then."""
    held: dict[str, t.Node] = {}
    rest: list[t.Node] = []
    for node in body:
        match node:
            case t.Text(comment=True):
                continue
            case t.Declare(names=names) if not rest and all(one.value is not None and not one.extents for one in names):
                held |= {one.name: t.renamed(one.value, held) for one in names if one.value is not None}
            case t.Do(value=t.Assign(op="=", target=t.Index() as target, value=value)) if held:
                rest.append(t.Do(t.Assign("=", target, t.renamed(value, held)), node.line))
            case t.If() if held:
                rest.append(t.renamed(node, held))
            case _:
                rest.append(node)
    rest = [_branch(node) for node in rest]
    if held and t.written_in(*body) & set(held):
        return None
    return tuple(rest)


def _branch(node: t.Node) -> t.Node:
    """Return a choice between an element and what it is as a branch that takes the other one over."""
    match node:
        case t.Do(
            value=t.Assign(op="=", target=target, value=t.Choice(condition=t.Binary() as condition, yes=yes, no=no))
        ) if target in (yes, no):
            asked, other = (condition, yes) if no == target else (t.Unary("!", condition), no)
            return t.If(asked, (t.Do(t.Assign("=", target, other), node.line),), (), node.line)
    return node


def _plain(condition: t.Node, arrays: set[str]) -> bool:
    """Tell a condition that only compares elements of the arrays at a place and one step behind."""
    match condition:
        case t.Binary(op="&&" | "||", left=left, right=right):
            return _plain(left, arrays) and _plain(right, arrays)
        case t.Unary(op="!", value=t.Binary() as value):
            return _plain(value, arrays)
        case t.Binary(op=op, left=left, right=right) if op in _COMPARED:
            return all(_element(one, arrays) for one in (left, right))
    return False


def _element(node: t.Node, arrays: set[str]) -> bool:
    places = (_PLACE, t.Binary("+", _PLACE, _STEP), t.Binary("+", _STEP, _PLACE))
    return (
        isinstance(node, t.Index)
        and isinstance(node.base, t.Name)
        and node.base.text in arrays
        and node.index in places
    )


def fitting(kinds: Mapping[str, str], arrays: tuple[str, ...]) -> bool:
    """Tell whether arrays have elements of which one comparison's lanes choose."""
    return all(kinds.get(one, "") in _WIDTH for one in arrays)


def compared(found: Best, names: Mapping[str, str], size: int) -> Iterator[t.Node]:
    """Yield the loops of a tree over so many elements of arrays that are called otherwise now."""
    ask = t.changed(found.condition, lambda node: _named(node, names))
    arrays = [t.Name(names[one]) for one in found.arrays]
    if size // 2 >= _LANES:
        yield _halving(size // 2, _LANES, (_vectors(ask, arrays),), _LANES)
    taken = tuple(t.Do(t.Assign("=", t.Index(one, _AT), t.Index(one, _there()))) for one in arrays)
    yield _halving(min(size // 2, _LANES // 2), 1, (t.If(ask, taken),), 1)


def _there() -> t.Node:
    return t.Binary("+", _AT, _STEP)


def _named(node: t.Node, names: Mapping[str, str]) -> t.Node | None:
    """Return an element of an array by the array's other name and the number of a round."""
    if isinstance(node, t.Index) and isinstance(node.base, t.Name):
        return t.Index(t.Name(names[node.base.text]), _AT if node.index == _PLACE else _there())
    return None


def _halving(first: int, least: int, body: t.Body, by: int) -> t.For:
    """Return a loop over halves down to a size, and in it one over their elements."""
    begin = t.Declare("int", (t.Declared(_STEP.text, t.Number(str(first))),))
    start = t.Declare("int", (t.Declared(_AT.text, t.Number("0")),))
    go: t.Node = t.Postfix("++", _AT) if by == 1 else t.Assign("+=", _AT, t.Number(str(by)))
    inner = t.For(start, t.Binary("<", _AT, _STEP), go, body)
    return t.For(begin, t.Binary(">=", _STEP, t.Number(str(least))), t.Assign("/=", _STEP, t.Number("2")), (inner,))


def _vectors(ask: t.Node, arrays: list[t.Name]) -> t.Node:
    """Return the round of a vector of elements."""
    mask = t.Name("better")
    yield_from: list[t.Node] = [t.Declare(f"int{_LANES}", (t.Declared(mask.text, t.changed(ask, _loaded)),))]
    for one in arrays:
        chosen = t.Call("select", (_load(t.Index(one, _AT)), _load(t.Index(one, _there())), mask))
        yield_from.append(t.Do(t.Call(f"vstore{_LANES}", (chosen, t.Number("0"), t.Unary("&", t.Index(one, _AT))))))
    return t.Block(tuple(yield_from))


def _loaded(node: t.Node) -> t.Node | None:
    """Return elements as vectors, and what joins comparisons lane by lane."""
    if isinstance(node, t.Index):
        return _load(node)
    if isinstance(node, t.Unary) and node.op == "!":
        return t.Unary("~", t.changed(node.value, _loaded))
    if isinstance(node, t.Binary) and node.op in ("&&", "||"):
        return t.Binary("&" if node.op == "&&" else "|", t.changed(node.left, _loaded), t.changed(node.right, _loaded))
    return None


def _load(node: t.Index) -> t.Node:
    return t.Call(f"vload{_LANES}", (t.Number("0"), t.Unary("&", node)))
