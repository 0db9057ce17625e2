"""Parts of statements that a rewrite asks for: indices, numbers, what changes memory, and what stands inside."""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import BOTH, acts
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import WHOLES, calculated


def indices(body: t.Body) -> t.Body:
    """Return the places of all elements that statements use."""
    return tuple(node.index for node in t.walk(*body) if isinstance(node, t.Index))


def widened(node: t.Node, name: str, rest: t.Body) -> bool:
    """Tell a declaration of a number of 64 bits that the rest calculates with other than for places: its expression in its place might have fewer bits."""
    words = node.type.split() if isinstance(node, t.Declare) else []
    long = [word for word in words if word != "const"] in (["long"], ["ulong"], ["unsigned", "long"])
    return long and name in calculated_names(rest)


def calculated_names(body: t.Body) -> set[str]:
    """Return the names that stand outside of places, and outside of whole numbers that stand in places only."""
    declared = [node for node in t.walk(*body) if isinstance(node, t.Declare) and algebra.is_whole(node.type)]
    whole = {variable.name: variable for node in declared for variable in node.names}
    names: set[str] = set()
    left: list[t.Node] = list(body)
    while left:
        node = left.pop()
        if isinstance(node, t.Name):
            if node.text not in names and node.text in whole:
                left += t.children(whole[node.text])
            names.add(node.text)
        elif isinstance(node, t.Index):
            left.append(node.base)
        elif not (isinstance(node, t.Declared) and node.name in whole):
            left += t.children(node)
    return names


def counts(kind: str) -> bool:
    """Tell a type of whole numbers or truths."""
    return algebra.is_whole(kind) or calculated(kind) in WHOLES or kind == "bool"


def exact(value: t.Node, posed: Posed) -> bool:
    """Tell a value of whole numbers all through: what a declaration rounds may not stand in its place."""
    whole = {argument.name: counts(posed.plain(argument.type)) for argument in posed.function.arguments}
    for node in t.walk(*posed.function.body):
        for one in node.names if isinstance(node, t.Declare) else ():
            whole[one.name] = whole.get(one.name, True) and counts(posed.plain(_bare(node.type)))  # type: ignore[attr-defined]
    return all(
        whole.get(node.text, True)
        if isinstance(node, t.Name)
        else counts(posed.plain(node.type))
        if isinstance(node, t.Cast)
        else not isinstance(node, t.Number) or algebra.constant(algebra.polynomial(node)) is not None
        for node in t.walk(value)
    )


def _bare(kind: str) -> str:
    return " ".join(word for word in kind.split() if word not in ("const", "__private", "private"))


_MOST_READ = 4
"""Elements that a branch which writes may read: each stands once for every lane, and of an image's border nine are a page of text to compile."""


def long(node: t.Node) -> bool:
    """Tell a branch that reads more elements than are worth asking for one by one."""
    return len({inner for inner in t.walk(node) if isinstance(inner, t.Index)}) > _MOST_READ


def parted(body: t.Body) -> set[str]:
    """Return the variables to which branches and loops give values."""
    return t.written_in(*(node for node in t.walk(*body) if isinstance(node, t.If | t.For)))


def stores(body: t.Body) -> bool:
    """Tell whether statements change memory: what was read before may not be read again behind them."""
    return any(
        isinstance(node, t.Call | t.Text) or (isinstance(node, t.Assign) and not isinstance(node.target, t.Name))
        for node in t.walk(*body)
        if not t.is_comment(node)
    )


def variable(node: t.Node) -> str:
    """Return the name of a variable that is written. Raises RefusedError for what is neither a variable nor an element."""
    if not isinstance(node, t.Name):
        raise RefusedError("it writes to something that is neither a variable nor an element")
    return node.text


def inside(node: t.Node) -> t.Body:
    """Return the statements inside a statement; of a loop also what is done after each round."""
    match node:
        case t.If(yes=yes, no=no):
            return (t.Block(yes), t.Block(no))
        case t.For(first=first, step=step, body=body):
            begun = (first,) if isinstance(first, t.Declare) else ()
            return (*begun, *body, *(() if step is None else (t.Do(step),)))
        case t.Block(body=body):
            return body
    return ()


def counted_up(node: t.Node) -> t.Node:
    """Return a statement in which ``count++`` by itself is ``count += 1``, as other sums are written."""

    def change(one: t.Node) -> t.Node | None:
        match one:
            case t.Do(
                value=t.Postfix(op=op, value=t.Name() as name) | t.Unary(op="++" | "--" as op, value=t.Name() as name)
            ):
                return replace(one, value=t.Assign(f"{op[0]}=", name, t.Number("1")))
        return None

    return t.changed(node, change)


def plain(body: t.Body) -> t.Body:
    """Return statements in that form.

    Raises RefusedError where a variable is changed amid an expression: whether and how often follows from the rest of it.
    """
    if any(map(_changes, body)):
        raise RefusedError("a variable is changed amid an expression")
    return tuple(map(counted_up, body))


def _changes(node: t.Node) -> bool:
    """Tell a statement that changes something amid an expression; what begins and ends a loop is asked for once for all copies, or by masks."""
    match node:
        case t.For(body=body) | t.Block(body=body):
            return any(map(_changes, body))
        case t.If(condition=condition):
            return any(map(_acts, t.walk(condition))) or any(map(_changes, (*node.yes, *node.no)))
        case t.Do(value=value):
            return any(map(_counts, t.walk(*t.children(value))))
    return any(map(_counts, t.walk(node)))


def _counts(node: t.Node) -> bool:
    """Tell a change that is another one each time that it is made, or is made now and then only."""
    perhaps: t.Body = (node.yes, node.no) if isinstance(node, t.Choice) else ()
    if isinstance(node, t.Binary) and node.op in BOTH:
        perhaps = (node.right,)
    again = _acts(node) and (not isinstance(node, t.Assign) or node.op != "=")
    return again or any(map(_acts, t.walk(*perhaps)))


def _acts(node: t.Node) -> bool:
    return acts(node) and not isinstance(node, t.Text)
