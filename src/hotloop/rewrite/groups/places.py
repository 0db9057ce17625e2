"""What statements of a group's places do: which are the same for all, which only the first place does, what adds up."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.reals import literal
from hotloop.rewrite.conditions import conjuncts
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.staged import MEETING

PLACE = "place"
"""Name of the number of a place within its group."""


def waits(node: t.Node) -> bool:
    """Tell a barrier."""
    return isinstance(node, t.Do) and isinstance(node.value, t.Call) and node.value.function in MEETING


def meets(node: t.Node) -> bool:
    """Tell whether a group meets somewhere in a statement."""
    return any(isinstance(inner, t.Call) and inner.function in MEETING for inner in t.walk(node))


def element(node: t.Node, total: dict[str, t.Name]) -> t.Node | None:
    """Return the variable that a place's own element of local memory becomes."""
    if isinstance(node, t.Index) and isinstance(node.base, t.Name) and node.index == t.Name(PLACE):
        return total.get(node.base.text)
    return None


def nowhere(node: t.Node) -> t.Node | None:
    """Return the first place for the name of a place."""
    return t.Number("0") if node == t.Name(PLACE) else None


def uses(node: t.Node, names: set[str]) -> bool:
    """Tell whether a statement uses or declares one of these names."""
    return bool((t.names_in(node) | t.declared_in(node)) & names)


def empty(node: t.Node) -> bool:
    """Tell declarations without values."""
    return isinstance(node, t.Declare) and all(variable.value is None for variable in node.names)


def outer(names: set[str], nodes: list[t.Node]) -> set[str]:
    """Return the names that statements behind these may use."""
    own = {name for node in nodes if isinstance(node, t.Declare) for name in t.declared_in(node)}
    return names - (t.declared_in(*nodes) - own)


def stays(nodes: t.Body) -> None:
    """Refuse statements that end a loop or the kernel for one place."""
    if any(isinstance(inner, t.Text) and not inner.comment for inner in t.walk(*nodes)):
        raise RefusedError("a place leaves a loop or the kernel, or does what is not understood")


def first_only(condition: t.Node) -> t.Body | None:
    """Return the rest of a condition that lets only the first work-item of a group pass; None if it lets others pass, too."""
    first = (
        t.Binary("==", t.Name(PLACE), t.Number("0")),
        t.Binary("==", t.Number("0"), t.Name(PLACE)),
        t.Unary("!", t.Name(PLACE)),
        t.Binary("<", t.Name(PLACE), t.Number("1")),
    )
    parts = list(conjuncts(condition))
    rest = tuple(part for part in parts if part not in first)
    return rest if len(rest) < len(parts) else None


def varying_in(nodes: list[t.Node]) -> set[str]:
    """Return the variables whose values differ between places."""
    varying = {PLACE}
    for _ in range(len(nodes) + 20):
        before = len(varying)
        varying |= {name for name, value in t.assignments(*nodes) if t.names_in(value) & varying}
        for loop in (inner for inner in t.walk(*nodes) if isinstance(inner, t.For)):
            head = [one for one in (loop.first, loop.condition, loop.step) if one is not None]
            if t.names_in(*head) & varying:  # another number of rounds for each
                varying |= t.written_in(*loop.body, *head)
        if len(varying) == before:
            break
    written = t.written_in(*nodes) | t.declared_in(*nodes)
    return varying & written


def harmless(node: t.Node) -> None:
    """Refuse a statement that is not the same when it is done once instead of by each place."""
    for one in t.walk(node):
        target = one.target if isinstance(one, t.Assign) else one.value if isinstance(one, t.Postfix) else None
        memory = target is not None and not isinstance(t.written_whole(target), t.Name)
        again = not isinstance(one, t.Assign) or one.op != "="
        if (memory and again) or (isinstance(one, t.Do) and not isinstance(one.value, t.Assign | t.Postfix | t.Unary)):
            raise RefusedError("all its places change one element of memory")
        if isinstance(one, t.Text) and not one.comment:
            raise RefusedError("a statement of it is not understood")


def given_in(node: t.Node, names: set[str]) -> list[str]:
    """Return the sums to which a statement gives a place's value, once on each way through it."""
    if isinstance(node, t.If):
        yes = sorted(name for one in node.yes for name in given_in(one, names))
        no = sorted(name for one in node.no for name in given_in(one, names))
        if yes != no:
            raise RefusedError("a place gives a value to a sum across places under a condition")
        return yes
    written = t.written_in(node) & names
    if written and not isinstance(node, t.Do):
        raise RefusedError("a place gives several values to a sum across places")
    return sorted(written)


def added_in(node: t.Node, names: set[str]) -> set[str]:
    """Return the sums to which a statement only adds something, whether behind conditions or not; empty if it does anything else to sums."""
    match node:
        case t.If(yes=yes, no=no) if not t.names_in(node.condition) & names:
            parts = [added_in(one, names) for one in (*yes, *no)]
            return set().union(*parts) if all(parts) else set()
        case t.Do(value=t.Assign(op="+=", target=t.Name(text=name), value=value)) if name in names:
            return set() if t.names_in(value) & names else {name}
    return set()


def counter(node: t.For, nodes: list[t.Node]) -> str:
    """Return the variable that is declared before a loop, counts in it and is used nowhere else; empty where there is none."""
    last = node.body[-1] if node.body else None
    match node.first, node.step, node.condition, last:
        case (
            None,
            None,
            t.Binary(op="<", left=t.Name(text=name)),
            t.Do(value=t.Assign(op="+=", target=t.Name(text=moved))),
        ) if name == moved:
            others = [one for one in nodes if one is not node and name in t.names_in(one)]
            own = [one for one in nodes if isinstance(one, t.Declare) and t.declared_in(one) == {name}]
            return name if not others and len(own) == 1 else ""
    return ""


def headed(node: t.For, nodes: list[t.Node]) -> t.For:
    """Return a loop whose counter begins and moves on in its head."""
    name = counter(node, nodes)
    if not name:
        return node
    begin = next(one for one in nodes if isinstance(one, t.Declare) and t.declared_in(one) == {name})
    last = node.body[-1]
    assert isinstance(last, t.Do)
    return replace(node, first=begin, step=last.value, body=node.body[:-1])


def filled(nodes: Iterable[t.Node], target: t.Node, name: str) -> bool:
    """Tell whether statements give a variable, or an element of an array of a name, a value, whatever holds, before they use it."""
    for node in nodes:
        match node:
            case t.Do(value=t.Assign(op="=", target=to, value=value)) if to == target:
                return name not in t.names_in(value)
            case t.If(condition=condition, yes=yes, no=no) if name not in t.names_in(condition):
                if filled(yes, target, name) and filled(no, target, name):
                    return True
            case t.Block(body=body) if filled(body, target, name):
                return True
        if name in t.names_in(node):
            return False
    return False


def given_by(nodes: list[t.Node], names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield the variables that sums across places are given in the end, each with its sum."""
    for node in nodes:
        match node:
            case t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=t.Name(text=part))) if name in names:
                yield part, name


def sums_in(nodes: list[t.Node], names: dict[str, str]) -> dict[str, str]:
    """Return what adds up in loops, and how: the sums across places, and variables that one is given in the end."""
    return {**names, **{part: names[name] for part, name in given_by(nodes, names)}}


def neutral(value: t.Node, how: str) -> None:
    """Refuse a first value that would count more than once."""
    zero = isinstance(value, t.Number) and literal(value.text) == 0
    if not (zero if how == "+" else PLACE not in t.names_in(value)):
        raise RefusedError("a sum across places begins with something")


def only_grows(body: t.Body, name: str, how: str) -> bool:
    """Tell whether all that statements do with a variable is to add to it."""
    mentioned = sum(node == t.Name(name) for node in t.walk(*body))
    grows = [inner for inner in t.walk(*body) if isinstance(inner, t.Assign) and inner.target == t.Name(name)]
    values = [_by(one, name, how) for one in grows]
    own = sum(2 if one.op == "=" else 1 for one in grows)
    return all(value is not None and name not in t.names_in(value) for value in values) and mentioned == own


def _by(node: t.Assign, name: str, how: str) -> t.Node | None:
    """Return by what an assignment changes a sum, None where it does so in another way."""
    match node:
        case t.Assign(op="+=", value=value) if how == "+":
            return value
        case t.Assign(op="=", value=t.Binary(op="+", left=t.Name(text=left), right=value)) if (
            how == "+" and left == name
        ):
            return value
        case t.Assign(op="=", value=t.Call(function="mad" | "fma", arguments=(left, right, t.Name(text=last)))) if (
            how == "+" and last == name
        ):
            return t.Binary("*", left, right)
        case t.Assign(op="=", value=t.Call(function=function, arguments=(left, right))) if function == how:
            if t.Name(name) in (left, right):
                return right if left == t.Name(name) else left
    return None
