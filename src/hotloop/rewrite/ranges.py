"""What numbers an index takes: intervals of expressions where sizes are numbers, and how long an array must be for them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from math import inf

from hotloop.rewrite import tree as t
from hotloop.rewrite.amounts.intervals import UNKNOWN, Interval, called, combined, quotient, union, within
from hotloop.rewrite.amounts.reals import CASTS, KINDS, is_real, literal, names_of_reals
from hotloop.rewrite.amounts.trips import below, counting, moved, replaced, trips
from hotloop.rewrite.blocks import block, pointed
from hotloop.rewrite.conditions import conjuncts, negated


@dataclass(slots=True)
class Reach:
    """How far the accesses of one kernel reach, by array."""

    last: dict[str, float] = field(default_factory=dict)
    """Greatest index; infinite where it is not known."""
    first: dict[str, float] = field(default_factory=dict)
    """Least index, likewise."""
    stored: dict[str, Interval] = field(default_factory=dict)
    """Indices of what assignments write, by array."""
    read: set[str] = field(default_factory=set)
    written: set[str] = field(default_factory=set)


def reach(
    function: t.Function,
    values: Mapping[str, float],
    extents: tuple[int, ...],
    group: tuple[int, ...] | None = None,
    held: Mapping[str, Interval] | None = None,
) -> Reach:
    """Return how far a launch's accesses go, with its numbers by parameter, its work-items and those of a group by dimension.

    `held` says of arrays what their elements may be, where more is known than their types.
    """
    touched = Reach()
    state = {name: (float(value), float(value)) for name, value in values.items()}
    cells = {one.name: KINDS.get(one.type, UNKNOWN) for one in function.arguments if one.pointer} | dict(held or {})
    _Walk(touched, extents, group, cells, names_of_reals(function)).body(function.body, state)
    return touched


@dataclass(slots=True)
class _Walk:
    reach: Reach
    extents: tuple[int, ...]
    group: tuple[int, ...] | None
    arrays: Mapping[str, Interval]
    """Range of the elements of each array, as far as its type determines it."""
    reals: frozenset[str]
    """Variables and arrays that are no whole numbers."""

    def body(self, body: t.Body, state: dict[str, Interval]) -> dict[str, Interval]:
        for node in body:
            state = self.statement(node, state)
        return state

    def statement(self, node: t.Node, state: dict[str, Interval]) -> dict[str, Interval]:
        match node:
            case t.Declare(names=names):
                for one in names:
                    if one.value is not None:
                        self.look(one.value, state)
                        state = {**state, self.subject(one): self.value(one.value, state)}
                    else:
                        state = {**state, one.name: UNKNOWN}
                return state
            case t.Do(value=value):
                self.look(value, state)
                return self.assigned(value, state)
            case t.Block(body=body):
                return self.body(body, state)
            case t.If():
                return self.branch(node, state)
            case t.For():
                return self.loop(node, state)
            case t.Text(comment=True):
                return state
            case t.Text(text=text):  # not understood: whatever it names may be anything
                self.lost(re.findall(r"[A-Za-z_]\w*", text))
                words = set(re.findall(r"[A-Za-z_]\w*", text))
                return {name: UNKNOWN if name.rstrip("[]") in words else one for name, one in state.items()}
        return state

    @staticmethod
    def subject(one: t.Declared) -> str:
        """Return under which name a declared variable's value is kept: the elements of an array together."""
        return f"{one.name}[]" if one.extents else one.name

    def assigned(self, node: t.Node, state: dict[str, Interval]) -> dict[str, Interval]:
        match node:
            case t.Assign(op="=", target=t.Name(text=name), value=value):
                return {**state, name: self.value(value, state)}
            case t.Assign(op=op, target=t.Name(text=name), value=value) if op[:-1] in _WHOLE and name not in self.reals:
                return {**state, name: combined(op[:-1], state.get(name, UNKNOWN), self.value(value, state))}
            case t.Assign(op="+=" | "-=" as op, target=t.Name(text=name), value=value):
                return {**state, name: combined(op[0], state.get(name, UNKNOWN), self.value(value, state))}
            case t.Assign(target=t.Name(text=name)) | t.Postfix(value=t.Name(text=name)):
                return {**state, name: UNKNOWN}
            case t.Assign(target=t.Member(base=t.Name(text=name), field=field)):
                return {**state, name: UNKNOWN, f"{name}.{field}": UNKNOWN}
            case t.Assign(target=t.Index(base=t.Name(text=name))):
                return {**state, f"{name}[]": UNKNOWN}
        return state

    def branch(self, node: t.If, state: dict[str, Interval]) -> dict[str, Interval]:
        self.look(node.condition, state)
        inner = self.refined(node.condition, state)
        if inner is not None:
            yes = self.body(node.yes, inner)
            if _leaves(node.yes):
                opposite = negated(node.condition, {})
                return (self.refined(opposite, state) or state) if opposite is not None else state
        else:
            yes = state
        no = self.body(node.no, dict(state))
        return {name: union(yes.get(name, one), no.get(name, one)) for name, one in state.items()}

    def loop(self, node: t.For, state: dict[str, Interval]) -> dict[str, Interval]:
        begun = dict(state)
        name = None
        if isinstance(node.first, t.Declare):
            begun = self.statement(node.first, begun)
            name = node.first.names[0].name
        elif isinstance(node.first, t.Assign) and isinstance(node.first.target, t.Name):
            begun = self.assigned(node.first, begun)
            name = node.first.target.text
        changed = t.written_in(*node.body, *([node.step] if node.step else [])) | _stored(node.body)
        wide = {one: (UNKNOWN if one in changed else value) for one, value in begun.items()}
        wide |= self.returning(node, begun, wide)
        wide |= {one: (begun[one][0], inf) for one in counting(node) & set(begun)}
        if name is not None and name in begun and node.step is not None:
            wide[name] = _swept(begun[name], node.step)
        inner = self.refined(below(node), wide) if node.condition is not None else wide
        if inner is not None and name is not None and name in inner and name not in t.written_in(*node.body):
            among = inner

            def value(one: t.Node) -> Interval:
                return self.value(one, among)

            more = moved(node.body, trips(inner[name], node.step, value), begun, value)
            wide, inner = {**wide, **more}, {**inner, **more}
        if node.condition is not None:
            self.look(node.condition, wide)
        if inner is not None:
            after = self.body(node.body, inner)
            if node.step is not None:
                self.look(node.step, after)
        return wide

    def returning(self, node: t.For, begun: dict[str, Interval], wide: dict[str, Interval]) -> dict[str, Interval]:
        """Return where variables stay that a loop only gives new values, such as the next element of a list."""
        if any(isinstance(one, t.Text) and not one.comment for one in t.walk(*node.body)):  # it may leave anywhere
            return {}
        given = {one.target.text for one in replaced(node) if isinstance(one.target, t.Name)}
        kept = {one: begun[one] for one in given & set(begun) if begun[one] != UNKNOWN}
        apart = replace(self, reach=Reach())
        for _ in range(2 if kept else 0):
            inner = {**wide, **kept}
            if node.condition is not None:
                inner = apart.refined(node.condition, inner) or inner
            after = apart.body(node.body, inner)
            more = {one: union(value, after.get(one, UNKNOWN)) for one, value in kept.items()}
            if more == kept:
                return kept
            kept = more
        return {}

    def refined(self, condition: t.Node, state: dict[str, Interval]) -> dict[str, Interval] | None:
        """Return the state where a condition holds, None where it never does."""
        made = dict(state)
        for one in conjuncts(condition):
            if not isinstance(one, t.Binary):
                continue
            for op, left, right in ((one.op, one.left, one.right), (_TURNED.get(one.op, ""), one.right, one.left)):
                if not isinstance(left, t.Name) or left.text not in made:
                    continue
                low, high = made[left.text]
                least, most = self.value(right, made)
                if op in ("<", "<=", "=="):
                    high = min(high, most - (op == "<"))
                if op in (">", ">=", "=="):
                    low = max(low, least + (op == ">"))
                if one.op == "!=" and least == most and left.text not in self.reals:
                    low, high = low + (low == least), high - (high == least)
                if low > high:
                    return None
                made[left.text] = (low, high)
        return made

    def look(self, node: t.Node, state: dict[str, Interval]) -> None:
        for one, written, read in accesses(node):
            if isinstance(one.base, t.Name) and one.base.text in self.arrays:
                name = one.base.text
                low, high = self.value(one.index, state)
                self.reach.last[name] = max(self.reach.last.get(name, -1.0), high)
                self.reach.first[name] = min(self.reach.first.get(name, inf), low)
                if written:
                    self.reach.written.add(name)
                if read:
                    self.reach.read.add(name)
        for target in _targets(node):
            if isinstance(target.base, t.Name):
                ends = self.value(target.index, state)
                self.reach.stored[target.base.text] = union(self.reach.stored.get(target.base.text, ends), ends)
        self.lost([one.text for one in _bare(node) if isinstance(one, t.Name)])

    def lost(self, names: list[str]) -> None:
        """Take it that arrays may be read and written anywhere."""
        for name in self.arrays.keys() & set(names):
            self.reach.last[name], self.reach.first[name] = inf, -inf
            self.reach.read.add(name)
            self.reach.written.add(name)

    def value(self, node: t.Node, state: Mapping[str, Interval]) -> Interval:
        match node:
            case t.Number(text=text) if (number := literal(text)) is not None:
                return number, number
            case t.Name(text=text):
                return state.get(text, UNKNOWN)
            case t.Member(base=t.Name(text=text), dot=".", field=field):
                return state.get(f"{text}.{field}", state.get(text, UNKNOWN))  # of a vector's numbers all are alike
            case t.Cast(type=kind, value=inner):
                return within(CASTS.get(kind), self.value(inner, state))
            case t.Unary(op="+" | "-" as op, value=inner):
                low, high = self.value(inner, state)
                return (low, high) if op == "+" else (-high, -low)
            case t.Call(function=function, arguments=arguments):
                return self.called(function, arguments, state)
            case t.Binary(op=op, left=left, right=right):
                combine = quotient if op == "/" and is_real(node, self.reals) else partial(combined, op)
                return combine(self.value(left, state), self.value(right, state))
            case t.Choice(yes=yes, no=no):
                return union(self.value(yes, state), self.value(no, state))
            case t.Index(base=t.Name(text=name)):
                return self.arrays[name] if name in self.arrays else state.get(f"{name}[]", UNKNOWN)
            case t.Member(base=t.Index(base=t.Name(text=name)), dot="."):
                return self.arrays.get(name, UNKNOWN)
            case t.Table(values=values) if values:
                ends = [self.value(value, state) for value in values]
                return min(low for low, _ in ends), max(high for _, high in ends)
        return UNKNOWN

    def called(self, function: str, arguments: t.Body, state: Mapping[str, Interval]) -> Interval:
        if function.startswith("get_") and len(arguments) == 1 and isinstance(arguments[0], t.Number):
            return self.numbered(function, int(arguments[0].text))
        ends = [self.value(argument, state) for argument in arguments]
        return called(function, ends)

    def numbered(self, function: str, dimension: int) -> Interval:
        """Return what a question about a work-item's place answers."""
        whole = float(self.extents[dimension]) if dimension < len(self.extents) else 1.0
        if function == "get_global_id":
            return 0.0, whole - 1.0
        if function == "get_global_size":
            return whole, whole
        if self.group is None:  # the runtime chooses
            return UNKNOWN
        part = float(self.group[dimension]) if dimension < len(self.group) else 1.0
        groups = float(-(-whole // part))
        ends = {
            "get_local_id": (0.0, part - 1.0),
            "get_local_size": (part, part),
            "get_group_id": (0.0, groups - 1.0),
            "get_num_groups": (groups, groups),
            "get_global_offset": (0.0, 0.0),
        }
        return ends.get(function, UNKNOWN)


_WHOLE = ("+", "-", "*", "/", "%", "<<", ">>", "&")
"""Operators whose assignments change whole numbers as the operators do."""
_TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def accesses(node: t.Node) -> Iterator[tuple[t.Index, bool, bool]]:
    """Yield the array elements below an expression, and whether each is written and read."""
    if isinstance(node, t.Assign):
        if isinstance(node.target, t.Index):
            yield node.target, True, node.op != "="
            yield from accesses(node.target.index)
        elif element := _component(node.target):  # the others of the vector stay
            yield element, True, True
            yield from accesses(element.index)
        else:
            yield from accesses(node.target)
        yield from accesses(node.value)
        return
    if isinstance(node, t.Postfix) and (element := _component(node.value)):
        yield element, True, True
        return
    if isinstance(node, t.Call) and (element := _updated(node)):
        yield element, True, True
        for one in (element.index, *node.arguments[1:]):
            yield from accesses(one)
        return
    if isinstance(node, t.Call) and (access := block(node)):
        yield access.last, access.written, not access.written
        for one in access.rest:
            yield from accesses(one)
        return
    if (
        isinstance(node, t.Unary) and node.op == "&" and isinstance(node.value, t.Index)
    ):  # whoever gets it may write there
        yield node.value, True, True
        yield from accesses(node.value.index)
        return
    if isinstance(node, t.Index):
        yield node, False, True
    for child in t.children(node):
        yield from accesses(child)


def scattering(body: t.Body) -> Iterator[t.Index]:
    """Yield the elements that statements write."""
    for node in t.walk(*body):
        if isinstance(node, t.Do):
            yield from (element for element, written, _ in accesses(node.value) if written)


def _stored(body: t.Body) -> set[str]:
    """Return the arrays of elements that statements write, by the names under which their values are kept."""
    targets = (node.target for node in t.walk(*body) if isinstance(node, t.Assign))
    return {f"{one.base.text}[]" for one in targets if isinstance(one, t.Index) and isinstance(one.base, t.Name)}


def _updated(node: t.Call) -> t.Index | None:
    """Return the element that an atomic function changes, as far as its first argument says which."""
    if not node.function.startswith(("atom_", "atomic_")) or not node.arguments:
        return None
    return pointed(node.arguments[0])


def _targets(node: t.Node) -> Iterator[t.Index]:
    """Yield the elements that assignments below an expression write."""
    for inner in t.walk(node):
        target = inner.target if isinstance(inner, t.Assign) else inner.value if isinstance(inner, t.Postfix) else None
        if target is not None and (element := _component(target)):
            yield element


def _component(node: t.Node) -> t.Index | None:
    """Return the element that is changed by writing to it, or to a part of it."""
    while isinstance(node, t.Member):
        node = node.base
    return node if isinstance(node, t.Index) else None


def _bare(node: t.Node) -> Iterator[t.Node]:
    """Yield names that stand for more than one element: a pointer that is passed on or moved."""
    if isinstance(node, t.Index) and isinstance(node.base, t.Name):
        yield from _bare(node.index)
        return
    if isinstance(node, t.Call) and (element := _updated(node)) and isinstance(element.base, t.Name):
        for one in (element.index, *node.arguments[1:]):
            yield from _bare(one)
        return
    if isinstance(node, t.Call) and (access := block(node)) and isinstance(access.last.base, t.Name):
        for one in access.rest:
            yield from _bare(one)
        return
    if isinstance(node, t.Name):
        yield node
    for child in t.children(node):
        yield from _bare(child)


def _leaves(body: t.Body) -> bool:
    return bool(body) and isinstance(body[-1], t.Text) and body[-1].text.startswith("return")


def _swept(begun: Interval, step: t.Node) -> Interval:
    """Return every value that a loop's variable may take before its condition is looked at."""
    op = step.op if isinstance(step, t.Postfix | t.Unary | t.Assign) else ""
    if op in ("++", "+=", "*=", "<<="):
        return begun[0], inf
    if op in ("--", "-=", "/=", ">>="):
        return -inf, begun[1]
    return UNKNOWN
