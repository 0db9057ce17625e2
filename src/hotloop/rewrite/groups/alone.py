"""One work-item in the place of a group: what it asks for its place becomes a variable, and what follows from that is put in."""

from __future__ import annotations

from dataclasses import replace
from math import prod

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.comments import uncommented
from hotloop.rewrite.components.counters import each_in_its_head
from hotloop.rewrite.components.hiding import unhidden
from hotloop.rewrite.form import Posed
from hotloop.rewrite.groups.places import PLACE
from hotloop.rewrite.shape import RefusedError

_GROUP = "group"


def placed(posed: Posed) -> t.Body:
    """Return statements in which places have a number instead of calls that ask for it. Raises RefusedError."""
    if not posed.group or prod(posed.group) != posed.group[0] or posed.group[0] < 2:
        raise RefusedError("its groups are of no known size along one dimension")
    taken = t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)
    if taken & {PLACE, _GROUP}:
        raise RefusedError(f"it has a variable that is called {PLACE} or {_GROUP}")
    plain = unhidden(
        each_in_its_head(uncommented(posed.function.body)), {argument.name for argument in posed.function.arguments}
    )
    asked = (t.changed(one, lambda node: _asked(node, posed.group)) for one in plain)
    return _inlined(tuple(asked), posed)


def alone(posed: Posed, made: t.Body) -> Posed:
    """Return a kernel whose items do what groups did."""
    head = t.Declare("int", (t.Declared(_GROUP, t.Call("get_global_id", (t.Number("0"),))),))
    ends = posed.extents and (algebra.rounded_up(posed.extents[0], posed.group[0]), *posed.extents[1:])
    return replace(posed.with_body((head, *made)), group=(), regrouped=True, extents=tuple(ends))


def counts(node: t.Node) -> bool:
    """Tell whether an expression is calculated of a place, and not only of elements that are found by one."""
    if isinstance(node, t.Name):
        return node.text in (PLACE, _GROUP)
    return not isinstance(node, t.Index) and any(counts(inner) for inner in t.children(node))


def _asked(node: t.Node, group: tuple[int, ...]) -> t.Node | None:
    """Return what a question about a work-item's place becomes."""
    if not isinstance(node, t.Call) or not node.function.startswith("get_"):
        return None
    at = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(at, t.Number) or at.text not in "012":
        raise RefusedError(f"it asks for {node.function}")
    wide = int(at.text) == 0
    size, ask = t.Number(str(group[0])), (at,)
    answers: dict[str, tuple[t.Node, t.Node]] = {
        "get_local_id": (t.Name(PLACE), t.Number("0")),
        "get_local_size": (size, t.Number("1")),
        "get_group_id": (t.Name(_GROUP), t.Call("get_global_id", ask)),
        "get_num_groups": (t.Call("get_global_size", ask), t.Call("get_global_size", ask)),
        "get_global_id": (
            t.Binary("+", t.Binary("*", t.Name(_GROUP), size), t.Name(PLACE)),
            t.Call("get_global_id", ask),
        ),
        "get_global_size": (t.Binary("*", t.Call("get_global_size", ask), size), t.Call("get_global_size", ask)),
    }
    if node.function not in answers:
        raise RefusedError(f"it asks for {node.function}")
    return answers[node.function][0 if wide else 1]


def _inlined(body: t.Body, posed: Posed) -> t.Body:
    """Return statements in which numbers of a place stand where variables did that have one value for good."""
    written = t.written_in(*body)
    values: dict[str, t.Node] = {name: t.Number(str(value)) for name, value in posed.constants.items()}
    for name in t.declared_in(*body) & values.keys():
        del values[name]
    names = set(values)
    for kind, one in t.set_once(*body):
        if one.value is None or one.pointer or one.extents or not algebra.is_whole(posed.plain(bare(kind))):
            continue
        value = t.renamed(one.value, values)
        plain = not any(isinstance(n, t.Index | t.Call | t.Text | t.Assign | t.Choice) for n in t.walk(value))
        fixed = algebra.constant(algebra.polynomial(value)) is not None
        number = value == t.Name(_GROUP) and posed.plain(bare(kind)) != "int"  # a bound with it is one of plain numbers
        if plain and not t.names_in(value) & written and (PLACE in t.names_in(value) or fixed or number):
            values[one.name] = value
    gone = set(values) - names
    return tuple(t.renamed(one, values) for one in dropped(body, gone))


def bare(kind: str) -> str:
    """Return a type without qualifiers."""
    return " ".join(word for word in kind.split() if word not in ("const", "volatile"))


def dropped(body: t.Body, names: set[str]) -> t.Body:
    """Return statements without the declarations of variables."""
    made: list[t.Node] = []
    for node in body:
        match node:
            case t.Declare(names=declared):
                if kept := tuple(one for one in declared if one.name not in names):
                    made += [replace(node, names=(one,)) for one in kept]
            case t.For() | t.Block():
                made.append(replace(node, body=dropped(node.body, names)))
            case t.If():
                made.append(replace(node, yes=dropped(node.yes, names), no=dropped(node.no, names)))
            case _:
                made.append(node)
    return tuple(made)


def kind_of(name: str, body: t.Body, posed: Posed) -> str:
    """Return the type of the elements of an array in local memory. Raises RefusedError."""
    for node in t.walk(*body):
        if isinstance(node, t.Declare) and any(variable.name == name and variable.extents for variable in node.names):
            kind = " ".join(word for word in bare(node.type).split() if word not in ("__local", "local"))
            return posed.plain(kind)
    argument = posed.function.argument(name)
    if argument is None or argument.space != "local":
        raise RefusedError(f"{name} is no local memory")
    return posed.type_of(name)
