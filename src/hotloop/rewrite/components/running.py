"""Variables that run along with loops as what they are in each round: ``for (k...) { s += a[at]; at += n; }`` reads ``a[at + k * n]``.

Kernels move a pointer or a number on at the end of each round, or within an expression (``*p++``). Indices that say where they are
in terms of loops' own numbers are what ranges and rewrites look at. What moves behind a condition stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import BOTH
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.shape import RefusedError

_PASSES = 4
"""Passes at most: a variable may run along with another one."""
_NOTHING = t.Number("0")


def settled(function: t.Function) -> t.Function:
    """Return a kernel in which variables that run along with its loops are set once; itself where none does."""
    body = apart(function.body)
    pointers = [t.Declared(argument.name, pointer="*") for argument in function.arguments if argument.pointer]
    for _ in range(_PASSES):
        scene = _Scene.of(function, body)
        made = body
        for one in pointers:
            made = _tried(made, _Running(one.name, "", scene))
        made = _settled(made, scene)
        if made == body:
            break
        body = made
    return function if body == function.body else replace(function, body=body)


# -- what moves within an expression -----------------------------------------------------------------------------------------


def apart(body: t.Body) -> t.Body:
    """Return statements in which ``x = a[i++]`` is ``x = a[i]; i += 1``."""
    return tuple(made for node in body for made in _apart(node))


def _apart(node: t.Node) -> Iterator[t.Node]:
    match node:
        case t.For() | t.Block():
            yield replace(node, body=apart(node.body))
        case t.If():
            yield replace(node, yes=apart(node.yes), no=apart(node.no))
        case t.Do(value=t.Postfix()):
            yield node
        case t.Do() | t.Declare(names=(_,)):
            moved = [one for one in t.walk(node) if isinstance(one, t.Postfix) and isinstance(one.value, t.Name)]
            named = [inner.text for inner in t.walk(node) if isinstance(inner, t.Name)]
            skips = any(isinstance(one, t.Choice | t.Text) or (isinstance(one, t.Binary) and one.op in BOTH) for one in t.walk(node))  # fmt: skip
            if skips or any(named.count(one.value.text) > 1 for one in moved):  # type: ignore[attr-defined]
                moved = []
            yield t.changed(node, _still) if moved else node
            yield from (t.Do(t.Assign(f"{one.op[0]}=", one.value, t.Number("1")), node.line) for one in moved)
        case _:
            yield node


def _rounds(form: Counted, *, together: bool) -> t.Node:
    """Return how many rounds a loop has: none where it begins behind its end; `together`: ends may be subtracted, as they have signs."""
    if (constant := algebra.constant(algebra.added(algebra.polynomial(form.high), algebra.polynomial(form.low), -1))) is not None:  # fmt: skip
        return t.Number(str(max(constant, 0)))
    if form.low == _NOTHING:
        return t.Choice(t.Binary(">", form.high, form.low), form.high, _NOTHING)
    if together and (whole := algebra.difference(form.high, form.low)) is not None:
        return t.Choice(t.Binary(">", whole, _NOTHING), whole, _NOTHING)
    return t.Choice(t.Binary(">", form.high, form.low), t.Binary("-", form.high, form.low), _NOTHING)


def _still(node: t.Node) -> t.Node | None:
    match node:
        case t.Unary(op="*", value=t.Postfix(value=t.Name() as name)):
            return t.Index(name, _NOTHING)
        case t.Postfix(value=t.Name() as name):
            return name
    return None


# -- what runs along with loops ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Scene:
    """What is known of all of a kernel."""

    kinds: Mapping[str, str]
    """Types of variables and of parameters by value, of those that have one type."""
    again: frozenset[str]
    """Variables that statements set again: an expression with one of them means something else later."""
    hidden: frozenset[str]
    """Words of statements that are not understood, and variables whose address is taken."""

    @classmethod
    def of(cls, function: t.Function, body: t.Body) -> _Scene:
        nodes = tuple(t.walk(*body))
        kinds = {argument.name: _bare(argument.type) for argument in function.arguments if not argument.pointer}
        for node in (one for one in nodes if isinstance(one, t.Declare)):
            kind = _bare(node.type)
            for one in node.names:
                kinds[one.name] = kind if kinds.get(one.name, kind) == kind else ""
        heads = [part for one in nodes if isinstance(one, t.For) and not isinstance(one.first, t.Declare) for part in (one.first, one.step) if part]  # fmt: skip
        again = t.written_in(*(one for one in nodes if isinstance(one, t.Do)), *heads)
        texts = [one.text for one in nodes if isinstance(one, t.Text) and not one.comment]
        taken = {one.value.text for one in nodes if isinstance(one, t.Unary) and one.op == "&" and isinstance(one.value, t.Name)}  # fmt: skip
        return cls(kinds, frozenset(again), frozenset({*taken, *re.findall(r"[A-Za-z_]\w*", " ".join(texts))}))


def _bare(kind: str) -> str:
    return " ".join(word for word in kind.split() if word != "const")


def _settled(body: t.Body, scene: _Scene) -> t.Body:
    """Return statements in which variables that run from their declaration on are set once."""
    made: list[t.Node] = []
    rest = tuple(_inner(node, scene) for node in body)
    while rest:
        node, rest = rest[0], rest[1:]
        made.append(node)
        if isinstance(node, t.Declare) and "volatile" not in node.type:
            for one in _begun(node, scene):
                rest = _tried(rest, one)
    return tuple(made)


def _begun(node: t.Declare, scene: _Scene) -> Iterator[_Running]:
    """Yield the numbers and pointers that a declaration gives a value."""
    for variable in node.names:
        whole = algebra.is_whole(node.type) or variable.pointer == "*"
        if whole and variable.value is not None and not variable.extents:
            yield _Running(variable.name, "" if variable.pointer else _bare(node.type), scene)


def _inner(node: t.Node, scene: _Scene) -> t.Node:
    match node:
        case t.For() | t.Block():
            return replace(node, body=_settled(node.body, scene))
        case t.If():
            return replace(node, yes=_settled(node.yes, scene), no=_settled(node.no, scene))
    return node


def _tried(body: t.Body, running: _Running) -> t.Body:
    """Return statements in which a variable is set once; the same where that cannot be done."""
    if running.name not in t.written_in(*body) or running.name in running.scene.hidden | t.declared_in(*body):
        return body
    try:
        return running.body(body, None)[0]
    except RefusedError:
        return body


@dataclass(frozen=True, slots=True)
class _Running:
    """A variable that is moved on."""

    name: str
    kind: str
    """Its type; empty of a pointer."""
    scene: _Scene

    def body(self, body: t.Body, far: t.Node | None) -> tuple[t.Body, t.Node | None]:
        """Return statements that do not move it, and how far it has come behind them, None: not at all. Raises RefusedError."""
        made: list[t.Node] = []
        for node in body:
            if (by := self._by(node)) is not None:
                far = by if far is None else t.Binary("+", far, by)
            elif self.name not in t.written_in(node):
                made.append(self._put(node, far))
            else:
                inner, far = self._inside(node, far)
                made.append(inner)
        return tuple(made), far

    def _by(self, node: t.Node) -> t.Node | None:
        """Return by how much a statement moves it; None of another statement. Raises RefusedError where that changes later."""
        by: t.Node | None = None
        own = t.Name(self.name)
        match node.value if isinstance(node, t.Do) else None:
            case t.Postfix(op=op, value=value) | t.Unary(op="++" | "--" as op, value=value) if value == own:
                by = t.Number("1") if op == "++" else t.Unary("-", t.Number("1"))
            case t.Assign(op="+=", target=target, value=value) if target == own:
                by = value
            case t.Assign(op="-=", target=target, value=value) if target == own:
                by = t.Unary("-", value)
            case t.Assign(op="=", target=target, value=t.Binary(op="+", left=left, right=value)) if target == left == own:  # fmt: skip
                by = value
        if by is not None and (
            t.names_in(by) & {self.name, *self.scene.again}
            or any(not isinstance(inner, t.Name | t.Number | t.Binary | t.Unary) for inner in t.walk(by))
            or not all(algebra.is_whole(self.scene.kinds.get(name, "int")) for name in t.names_in(by))
        ):
            raise RefusedError(f"{self.name} moves by what changes")
        return by

    def _inside(self, node: t.Node, far: t.Node | None) -> tuple[t.Node, t.Node | None]:
        hidden = set() if far is None else t.names_in(far) & t.declared_in(node)
        if hidden or any(isinstance(inner, t.Text) and not inner.comment for inner in t.walk(node)):
            raise RefusedError("a name means something else there, or the loop is left early")
        match node:
            case t.Block(body=body):
                made, end = self.body(body, far)
                if end is not None and t.names_in(end) & t.declared_in(node):
                    raise RefusedError("it moves by what is gone later")
                return replace(node, body=made), end
            case t.For() if self.name not in t.names_in(*(x for x in (node.first, node.condition, node.step) if x)):
                return self._loop(node, far)
        raise RefusedError(f"{self.name} moves behind a condition")

    def _loop(self, node: t.For, far: t.Node | None) -> tuple[t.Node, t.Node | None]:
        form = counted(node)
        _, each = self.body(node.body, None)
        assert each is not None
        inside = t.declared_in(node) | t.written_in(node)
        if t.names_in(each) & inside or t.names_in(form.low) & t.written_in(*node.body):
            raise RefusedError("it moves by another amount each round")
        number: t.Node = t.Name(form.variable)
        done = self._times(number if form.low == _NOTHING else t.Binary("-", number, form.low), each)
        made, _ = self.body(node.body, done if far is None else t.Binary("+", far, done))
        signed = algebra.signed(form.low, form.high) and all(
            self.scene.kinds.get(name, "int") in ("int", "long") for name in t.names_in(form.low, form.high)
        )
        end = self._times(_rounds(form, together=signed), each)
        if t.names_in(end) & t.declared_in(node):
            raise RefusedError("its end is not known behind the loop")
        return replace(node, body=made), end if far is None else t.Binary("+", far, end)

    def _times(self, rounds: t.Node, each: t.Node) -> t.Node:
        """Return how far so many rounds move it, in its own type; of a pointer with a sign."""
        signed = {"int"} if not self.kind else {self.kind}
        kinds = {self.scene.kinds.get(name, "int") for name in t.names_in(rounds, each)}
        kind = self.kind or ("int" if kinds <= {"int", "uint", "unsigned", "unsigned int"} else "long")
        made = rounds if each == t.Number("1") else t.Binary("*", rounds, each)
        return made if kinds <= signed else t.Cast(kind, made)

    def _put(self, node: t.Node, far: t.Node | None) -> t.Node:
        """Return a statement with the variable so far on."""
        if far is None:
            return node
        if t.names_in(far) & t.declared_in(node):
            raise RefusedError("a name means something else there")

        def change(one: t.Node) -> t.Node | None:
            if not self.kind and isinstance(one, t.Index) and one.base == t.Name(self.name):
                index = t.changed(one.index, change)
                return t.Index(one.base, far if index == _NOTHING else t.Binary("+", far, index))
            return t.Binary("+", one, far) if one == t.Name(self.name) else None

        return t.changed(node, change)
