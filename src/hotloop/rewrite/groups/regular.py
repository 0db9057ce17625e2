"""Trees of sums and extremes in local memory, whatever their loops look like, as the one loop that is looked for.

Neighbours first or halves first, steps that a ``while`` halves, indices that are doubled, rounds that stand one after another, one place that adds up
for all: the statements are followed place by place (`Lockstep`). Where element 0 holds in the end what all places put there, each once, they are a
tree; what is added in which order is all that differs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.groups.alone import bare
from hotloop.rewrite.groups.lockstep import Lockstep, Sum
from hotloop.rewrite.groups.places import PLACE, first_only, meets, waits
from hotloop.rewrite.groups.trees import short, tree
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.unordered import is_whole

_EXTREMES = frozenset(["fmax", "fmin", "max", "min"])
_LONGEST = 64
"""Statements of a tree whose rounds stand one after another, at most."""
_STEP = "regular"
"""The variable of the loop that is made."""
_MEET = t.Do(t.Call("barrier", (t.Name("CLK_LOCAL_MEM_FENCE"),)))


@dataclass(frozen=True, slots=True)
class Regular:
    """Looks for trees in the statements of a group of one dimension."""

    size: int
    arrays: Mapping[str, str]
    """Local memory, and the types of its elements."""
    types: Mapping[str, str]
    """Types of variables."""
    whole: t.Body
    """All statements of the kernel."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements with trees as the usual loop, in groups of as many places as a tree takes."""
        if self.size & (self.size - 1):
            return body
        body = _stepped(tuple(part for node in body for part in self._served(node)))
        made: list[t.Node] = []
        at = 0
        while at < len(body):
            node = body[at]
            if isinstance(node, t.For) and tree(node, self.size) is None and meets(node):
                inner = self.body(node.body)
                if inner != node.body:
                    made.append(t.For(node.first, node.condition, node.step, inner, node.line))
                    at += 1
                    continue
            length, how = self._tree(body, at)
            if how:
                made += _usual(how, self.size)
                at += length
                continue
            made.append(node)
            at += 1
        return tuple(made)

    def _served(self, node: t.Node) -> Iterator[t.Node]:
        """Yield a statement, what one place adds up for all apart from what it does with that."""
        if not isinstance(node, t.If) or node.no or first_only(node.condition) is None:
            yield node
            return
        for number, inner in enumerate(node.yes):
            total = self._adds(inner)
            if total is None:
                continue
            (name, array), before, rest = total, node.yes[: number + 1], node.yes[number + 1 :]
            own = t.declared_in(*before) | t.written_in(*before)
            kept = own & t.names_in(*rest) - {name}
            if name not in own or name in t.written_in(*rest) or kept or not rest:
                break
            if short(self.types.get(name, "")) != short(self.arrays[array]) or not self._only_added(array):
                break
            first = t.Index(t.Name(array), t.Number("0"))
            if rest[0] == t.Do(t.Assign("=", first, t.Name(name)), getattr(rest[0], "line", 0)):
                break  # it does that itself
            yield t.If(node.condition, (*before, t.Do(t.Assign("=", first, t.Name(name)))), (), node.line)
            yield _MEET
            yield t.If(node.condition, tuple(t.renamed(one, {name: first}) for one in rest), (), node.line)
            return
        yield node

    def _only_added(self, array: str) -> bool:
        """Tell whether all that becomes of an array's elements is that one place adds them up: then nobody sees that the first one has the sum."""
        mentioned = sum(one == t.Name(array) for one in t.walk(*self.whole))
        own = t.Index(t.Name(array), t.Name(PLACE))
        filled = sum(isinstance(one, t.Assign) and one.op == "=" and one.target == own for one in t.walk(*self.whole))
        added = sum(
            isinstance(one, t.For) and (found := self._adds(one)) is not None and found[1] == array
            for one in t.walk(*self.whole)
        )
        return mentioned == filled + added

    def _adds(self, node: t.Node) -> tuple[str, str] | None:
        """Return the variable to which a loop adds the elements of an array of the group, and that array; None of other statements."""
        body = [one for one in node.body if not t.is_comment(one)] if isinstance(node, t.For) else []
        match body:
            case [t.Do(value=t.Assign(op="+=", target=t.Name(text=name), value=t.Index(base=t.Name(text=array))))] if (
                array in self.arrays
            ):
                return name, array
        return None

    def _tree(self, body: t.Body, at: int) -> tuple[int, dict[str, str]]:
        """Return how many statements from one on are a tree, and how it combines elements of which array; 0 and nothing where they are none."""
        if not waits(body[at]) and not (isinstance(body[at], t.For) and meets(body[at])):
            return 0, {}
        window: list[t.Node] = []
        seen: dict[str, str] = {}
        for node in body[at : at + _LONGEST]:
            if not waits(node) and tree(node, self.size) is not None:
                break
            plain = _sums(node, seen, self.arrays)
            if plain is None or self._other(plain):
                break
            window.append(plain)
            if seen and self._whole(window, body[:at], seen):
                rest = body[at + len(window) :]
                if (t.written_in(*window) | t.declared_in(*window)) & (t.names_in(*rest) - t.declared_in(*rest)):
                    return 0, {}
                return len(window), seen
        return 0, {}

    def _other(self, node: t.Node) -> bool:
        """Tell whether a statement reads or writes other memory than that of the group."""
        return any(
            isinstance(one, t.Index) and not (isinstance(one.base, t.Name) and one.base.text in self.arrays)
            for one in t.walk(node)
        )

    def _whole(self, window: list[t.Node], before: t.Body, seen: dict[str, str]) -> bool:
        """Tell whether element 0 of each array is all of it after these statements."""
        group = Lockstep(self.size, frozenset(seen))
        _numbers(group, before)
        try:
            for name in seen:
                for place in range(self.size):
                    group.put((name, place), place)
            group.all(tuple(window))
        except RefusedError:
            return False
        every = {name: {(name, place) for place in range(self.size)} for name in seen}
        found = {name: group.memory.get((name, 0), Sum({})).parts for name in seen}
        return all(
            set(found[name]) == every[name] and (seen[name] != "+" or set(found[name].values()) == {1}) for name in seen
        )


def _stepped(body: t.Body) -> t.Body:
    """Return statements in which a loop whose step stands at its end, and its first value before it, has both in its head."""
    made = list(body)
    for at, node in enumerate(body):
        if not isinstance(node, t.For) or node.first is not None or not meets(node):
            continue
        last = node.body[-1] if node.body else None
        step = node.step if node.step is not None else last.value if isinstance(last, t.Do) else None
        name = step.target.text if isinstance(step, t.Assign) and isinstance(step.target, t.Name) else ""
        inner = node.body if node.step is not None else node.body[:-1]
        before = [n for n, one in enumerate(made[:at]) if name in t.declared_in(one)]
        if not name or name in t.written_in(*inner, *body[:at]) or len(before) != 1:
            continue
        declared = made[before[0]]
        others = [one for n, one in enumerate(body) if n not in (at, before[0])]
        if not isinstance(declared, t.Declare) or name in t.names_in(*others) | t.declared_in(*others):
            continue
        (one,) = (each for each in declared.names if each.name == name)
        rest = tuple(each for each in declared.names if each.name != name)
        if one.value is None or one.pointer or one.extents or name in t.names_in(*(e.value for e in rest if e.value)):
            continue
        if t.names_in(one.value) & t.written_in(*body) or any(
            isinstance(n, t.Index | t.Call) for n in t.walk(one.value)
        ):
            continue  # its first value may be another one by then
        made[before[0]] = replace(declared, names=rest)
        made[at] = replace(node, first=t.Declare(declared.type, (one,)), step=step, body=inner)
    return tuple(node for node in made if not isinstance(node, t.Declare) or node.names)


def _numbers(group: Lockstep, before: t.Body) -> None:
    """Give places the numbers that statements before a tree say, as far as these are set once, among the outermost statements."""
    again = [name for node in before for name in t.written_in(node)]
    names = [name for node in before for name in t.declared_in(node)]
    for node in before:
        whole = isinstance(node, t.Declare) and algebra.is_whole(bare(node.type))
        for one in node.names if whole and isinstance(node, t.Declare) else ():
            if one.name in again or names.count(one.name) > 1:
                continue
            for place in range(group.size):
                try:
                    group.one(t.Declare("int", (one,)), place)
                except RefusedError:  # of no use for a tree
                    group.own[place].pop(one.name, None)


def _sums(node: t.Node, seen: dict[str, str], arrays: Mapping[str, str]) -> t.Node | None:
    """Return a statement with extremes as sums, and note in which way it combines elements of which array; None where there are several ways."""
    found: list[tuple[str, str]] = []

    def change(one: t.Node) -> t.Node | None:
        match one:
            case t.If(yes=(t.Do(value=t.Assign(op="=", target=t.Index() as to, value=t.Index() as other)),), no=()):
                match one.condition:
                    case t.Binary(op="<" | ">" as op, left=left, right=right) if {left, right} == {
                        to,
                        other,
                    } and is_whole(arrays.get(_array(to), "float")):
                        found.append((_array(to), "fmax" if (op == ">") == (left == other) else "fmin"))
                        return t.Do(t.Assign("+=", to, other), one.line)
            case t.Assign(op="+=", target=t.Name(), value=t.Index() as other) if _array(other) in arrays:
                found.append((_array(other), "+"))
            case t.Assign(target=t.Index() as to) if _array(to) in arrays:
                if (joined := _joined(one, to, arrays[_array(to)])) is not None:
                    found.append((_array(to), joined[0]))
                    return t.Assign("+=", to, joined[1])
        return None

    made = t.changed(node, change)
    for array, how in found:
        if array not in arrays or seen.setdefault(array, how) != how:
            return None
    return made


def _array(node: t.Index) -> str:
    return node.base.text if isinstance(node.base, t.Name) else ""


def _joined(given: t.Assign, to: t.Index, kind: str) -> tuple[str, t.Node] | None:
    """Return how an element of a type takes another value in, and which; None where it does not, or where NaN decides what is kept."""
    match given:
        case t.Assign(op="+=", value=value):
            return "+", value
        case t.Assign(op="=", value=t.Binary(op="+", left=left, right=right)) if to in (left, right):
            return "+", right if left == to else left
        case t.Assign(op="=", value=t.Call(function=how, arguments=(left, right))) if how in _EXTREMES and to in (
            left,
            right,
        ):
            return how, right if left == to else left
        case t.Assign(op="=", value=t.Choice(condition=t.Binary(op="<" | ">" as op, left=a, right=b), yes=yes, no=no)):
            if {yes, no} == {a, b} and to in (a, b) and is_whole(kind):
                return ("fmin" if (op == "<") == (yes == a) else "fmax"), b if a == to else a
    return None


def _usual(how: dict[str, str], size: int) -> Iterator[t.Node]:
    """Yield the loop over halves that combines elements in these ways, between barriers."""
    step, place = t.Name(_STEP), t.Name(PLACE)
    joined: list[t.Node] = []
    for array, way in how.items():
        own, other = t.Index(t.Name(array), place), t.Index(t.Name(array), t.Binary("+", place, step))
        given = t.Assign("+=", own, other) if way == "+" else t.Assign("=", own, t.Call(way, (own, other)))
        joined.append(t.Do(given))
    begin = t.Declare("int", (t.Declared(_STEP, t.Number(str(size // 2))),))
    body = (_MEET, t.If(t.Binary("<", place, step), tuple(joined)))
    yield t.For(begin, t.Binary(">", step, t.Number("0")), t.Assign(">>=", step, t.Number("1")), body)
    yield _MEET
