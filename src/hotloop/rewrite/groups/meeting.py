"""A group's statements as one item's: what each place does becomes a loop over the places, a tree of sums across them becomes a sum.

Between two barriers the places of a group have no order among each other, so that a loop over them is right; what only one place does is
done once, and so is what is the same for all.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import joined
from hotloop.rewrite.grid import expression
from hotloop.rewrite.groups.neutral import begins, either, holds, open_ended, pruned
from hotloop.rewrite.groups.places import (
    PLACE,
    added_in,
    counter,
    element,
    empty,
    filled,
    first_only,
    given_by,
    given_in,
    harmless,
    headed,
    meets,
    neutral,
    nowhere,
    only_grows,
    outer,
    stays,
    sums_in,
    uses,
    varying_in,
    waits,
)
from hotloop.rewrite.groups.searches import Bests, own
from hotloop.rewrite.groups.trees import Tree, grown, tree, typed, zero
from hotloop.rewrite.groups.walked import walked
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.unordered import is_whole
from hotloop.rewrite.vectors.held import stores


@dataclass(slots=True)
class Group:
    """Makes the statements of all places of a group."""

    size: int
    kinds: dict[str, str]
    """Types of the arrays that trees go over."""
    types: Mapping[str, str] = field(default_factory=dict)
    """Types of variables."""
    private: set[str] = field(default_factory=set)
    """Variables of which each place had its own, and that are gone."""
    known: set[str] = field(default_factory=set)
    """Sums that are declared."""

    def body(self, body: t.Body) -> t.Body:
        """Return statements that do not meet. Raises RefusedError."""
        made: list[t.Node] = []
        waiting: list[t.Node] = []
        met = False
        for node in body:
            if waits(node):
                met = True
                continue
            summing = tree(node, self.size)
            if summing is None and met:
                made += self.apart(waiting)
                waiting = []
            met = False
            if summing is not None:
                made += self._summed(waiting, summing)
                waiting = []
            elif isinstance(node, t.For) and meets(node):
                made += [*self.apart(waiting), self._around(node)]
                waiting = []
            else:
                waiting.append(node)
        return (*made, *self.apart(waiting))

    def _around(self, node: t.For) -> t.Node:
        """Return a loop in whose rounds the group meets: it is the same for all places."""
        head = [one for one in (node.first, node.condition, node.step) if one is not None]
        if t.names_in(*head) & {PLACE, *self.private}:
            raise RefusedError("its places meet in a loop that differs between them")
        before = set(self.known)
        made = replace(node, body=self.body(node.body))
        self.known = before
        return made

    # --- between barriers ---------------------------------------------------------------------------------------------------

    def apart(self, nodes: list[t.Node]) -> Iterator[t.Node]:
        """Yield statements without a sum across places."""
        varying = varying_in(nodes)
        own: list[t.Node] = []
        for node in nodes:
            self.allowed(node)
            whole = self._once(node, varying)
            if whole is None:
                own.append(node)
                continue
            if own and (whole != (node,) or t.written_in(node) & t.names_in(*own)):
                yield from self.each(own)
                own = []
            yield from whole
        yield from self.each(own)
        self.private |= outer(varying, nodes)

    def _once(self, node: t.Node, varying: set[str]) -> t.Body | None:
        """Return what is done once for all places; None of a statement that each place does."""
        if isinstance(node, t.If) and not node.no and (rest := first_only(node.condition)) is not None:
            inner = tuple(t.changed(one, nowhere) for one in node.yes)
            rest = tuple(t.changed(one, nowhere) for one in rest)
            stays(inner)
            if (t.names_in(*inner, *rest) | t.declared_in(*inner)) & varying:
                raise RefusedError("what one place does needs a variable of its own")
            condition = joined(list(rest))
            if condition is None:
                return (t.Block(inner),) if t.declared_in(*inner) else inner
            return (t.If(condition, inner, (), node.line),)
        if isinstance(node, t.For) and (strided := self._strided(node, varying, set())) is not None:
            return (strided,)
        if uses(node, {PLACE, *varying}):
            return None
        harmless(node)
        return (node,)

    def each(self, nodes: list[t.Node], sums: frozenset[str] = frozenset()) -> Iterator[t.Node]:
        """Yield a loop over the places around statements of each."""
        if not nodes:
            return
        stays(tuple(nodes))
        if t.written_in(*nodes) - t.declared_in(*nodes) - sums:
            raise RefusedError("a variable of each place is needed behind a barrier")
        place = t.Name(PLACE)
        begin = t.Declare("int", (t.Declared(PLACE, t.Number("0")),))
        below = t.Binary("<", place, t.Number(str(self.size)))
        yield t.For(begin, below, t.Postfix("++", place), tuple(nodes))
        self.private |= {name for node in nodes if isinstance(node, t.Declare) for name in t.declared_in(node)}

    def allowed(self, node: t.Node) -> None:
        """Refuse a statement that needs what is gone. Raises RefusedError."""
        if uses(node, self.private):
            raise RefusedError("a variable of each place is needed behind a barrier")
        arrays = {one.base.text for one in t.walk(node) if isinstance(one, t.Index) and isinstance(one.base, t.Name)}
        if arrays & set(self.kinds):
            raise RefusedError("local memory holds something else than a sum")

    # --- sums across places -------------------------------------------------------------------------------------------------

    def _summed(self, nodes: list[t.Node], summing: Tree) -> Iterator[t.Node]:
        """Yield statements that end in sums across places."""
        summing = self._extreme(summing)
        if summing.best is not None:
            yield from Bests(self, summing.best).made(nodes)
            return
        summing = Tree({array: typed(how, self.kinds[array]) for array, how in summing.how.items()})
        total = {name: t.Name(f"{name}_total") for name in summing.how}
        private = [t.changed(node, lambda one: element(one, {name: own(name) for name in total})) for node in nodes]
        nodes = [t.changed(node, lambda one: element(one, total)) for node in nodes]
        for node in nodes:
            self.allowed(node)
        names = {one.text: summing.how[array] for array, one in total.items()}
        for array, one in total.items():
            first = zero(summing.how[array], self.kinds[array])
            if first is None:
                raise RefusedError("the extremes of such numbers have no first value here")
            declared = t.Declare(self.kinds[array], (t.Declared(one.text, first),))
            yield t.Do(t.Assign("=", one, first)) if one.text in self.known else declared
            self.known.add(one.text)
        before = set(self.private)
        try:
            made = list(self._added_up(nodes, names))
        except RefusedError as reason:
            self.private = before
            try:
                made = list(self._own_first(private, summing))
            except RefusedError:
                raise reason from None
        yield from made

    def _extreme(self, summing: Tree) -> Tree:
        """Return a search for the greatest or least of whole numbers as that extreme, whose order nobody sees."""
        found = summing.best
        if found is None or not is_whole(self.kinds[found.arrays[0]]) or (how := found.extreme()) is None:
            return summing
        return Tree({found.arrays[0]: how})

    def _added_up(self, nodes: list[t.Node], names: dict[str, str]) -> Iterator[t.Node]:
        """Yield statements in which places add to sums what they would have put into local memory."""
        loops = [node for node in nodes if isinstance(node, t.For) and uses(headed(node, nodes), {PLACE})]
        varying = varying_in(nodes)
        yield from self._loops(nodes, names) if loops else self._places(nodes, names, varying)
        self.private |= outer(varying, nodes) - set(names)

    def _own_first(self, nodes: list[t.Node], summing: Tree) -> Iterator[t.Node]:
        """Yield a loop over the places, each of which has a variable instead of its element and adds that in the end."""
        arrays = list(summing.how)
        if not all(filled(nodes, own(one), own(one).text) for one in arrays):
            raise RefusedError("a place's part of a sum is what it was before")
        begun = [t.Declare(self.kinds[one], (t.Declared(own(one).text),)) for one in arrays]
        added = [t.Do(grown(f"{one}_total", summing.how[one], own(one))) for one in arrays]
        varying = varying_in(nodes) | {own(one).text for one in arrays}
        totals = frozenset(f"{one}_total" for one in arrays)
        made = list(self.each_behind([*begun, *nodes, *added], varying, totals))
        yield from made
        loops = [node for one in made[-1:] if isinstance(one, t.For) for node in one.body]
        ways = {f"{one}_total": summing.how[one] for one in arrays}
        yield from self._unordered(loops, ways, {f"{one}_total": self.kinds[one] for one in arrays})
        self.private |= outer(varying, nodes)

    def each_behind(
        self, nodes: list[t.Node], varying: set[str], given: frozenset[str] = frozenset()
    ) -> Iterator[t.Node]:
        """Yield a loop over the places around their own statements, behind those that are the same for all; `given`: what all may write."""
        mine: list[t.Node] = []
        for node in nodes:
            if uses(node, {PLACE, *varying}):
                mine.append(node)
                continue
            harmless(node)
            if t.written_in(node) & t.names_in(*mine):
                raise RefusedError("what is the same for all places changes between what each does")
            yield node
        own_names = {name for node in mine if isinstance(node, t.Declare) for name in t.declared_in(node)}
        yield from self.each(mine, given | own_names)

    def _places(self, nodes: list[t.Node], names: dict[str, str], varying: set[str]) -> Iterator[t.Node]:
        """Yield a loop over the places, each of which adds what it has."""
        own: list[t.Node] = []
        whole: list[t.Node] = []
        given: list[str] = []
        kinds = {f"{array}_total": kind for array, kind in self.kinds.items()}
        for node in nodes:
            if uses(node, {PLACE, *varying, *names}):
                more = added_in(node, set(names))
                made = node if more else self._added(node, names)
                if more and (not more <= set(given) or any(names[one] != "+" for one in more)):
                    raise RefusedError("a place changes its part of a sum in another way")
                given += [] if more else given_in(made, set(names))
                own += pruned(made, names, kinds)
                whole.append(made)
                continue
            harmless(node)
            if t.written_in(node) & t.names_in(*own):
                raise RefusedError("what is the same for all places changes between what each does")
            yield node
        if sorted(given) != sorted(names):
            raise RefusedError("a place gives no value, or several, to a sum across places")
        apart = all(isinstance(one, t.If | t.Do) for one in own)  # each loop may have bounds of its own
        for part in [[one] for one in own] if apart else [own]:
            yield from self.each(part, frozenset(names))
        yield from self._unordered(whole, names, kinds)

    def _unordered(self, nodes: list[t.Node], names: Mapping[str, str], kinds: Mapping[str, str]) -> Iterator[t.Node]:
        """Yield what finds the extremes anew where no place had a real number: of NaN alone the extreme is NaN, not where the search began."""
        found = [name for name, how in names.items() if open_ended(how, kinds[name])]
        if found:
            if stores(tuple(nodes), t.declared_in(*nodes)):
                raise RefusedError("what places write beside an extreme would be written twice where all are NaN")
            ends = [t.Binary("==", t.Name(name), zero(names[name], kinds[name]) or t.Name(name)) for name in found]
            begun = [t.changed(node, lambda one: begins(one, found)) for node in nodes]
            sums = [t.Do(t.Assign("=", t.Name(one), t.Number("0"))) for one in names if names[one] == "+"]
            yield t.If(either(ends), (*sums, *self.each(begun, frozenset(names))), ())

    def _added(self, node: t.Node, names: dict[str, str]) -> t.Node:
        """Return a statement that adds to a sum where it gave a place's value."""
        match node:
            case t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=value)) if name in names:
                if t.names_in(value) & set(names):
                    raise RefusedError("a place's part of a sum is read before it is added")
                return replace(node, value=grown(name, names[name], value))
            case t.If(yes=yes, no=no) if set(names) & t.written_in(*yes, *no):
                return replace(node, yes=self._all(yes, names), no=self._all(no, names))
        if set(names) & t.names_in(node):
            raise RefusedError("a place's part of a sum is used for something else")
        return node

    def _all(self, body: t.Body, names: dict[str, str]) -> t.Body:
        return tuple(self._added(node, names) for node in body)

    def _loops(self, nodes: list[t.Node], names: dict[str, str]) -> Iterator[t.Node]:
        """Yield loops that go over the places, too, and add up at once."""
        sums = sums_in(nodes, names)
        for part, array in given_by(nodes, names):
            if not holds(self.types.get(part, ""), self.kinds[array.removesuffix("_total")], names[array]):
                raise RefusedError(f"{part} has room for what one place adds up, not all of them")
        counters = {c for node in nodes if isinstance(node, t.For) and (c := counter(node, nodes))}
        begun, given = set[str](), list[str]()
        for node in nodes:
            match node:
                case t.Declare() if t.declared_in(node) <= counters:
                    continue
                case t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=t.Name(text=part))) if (
                    name in names and sums.get(part) == names[name] and part in begun - names.keys()
                ):
                    given.append(name)
                case (
                    t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=value))
                    | t.Declare(names=(t.Declared(name=name, value=t.Node() as value),))
                ) if name in sums and name not in begun:
                    neutral(value, sums[name])
                    begun.add(name)
                    given += [name] * (name in names)
                case t.For() if uses(headed(node, nodes), {PLACE, *sums}):
                    yield self._part(headed(node, nodes), sums, begun)
                    continue
                case _:
                    if uses(node, {PLACE, *sums}) and not empty(node):
                        raise RefusedError("a place's part of a sum is more than a loop's")
                    harmless(node)
            yield node
        if sorted(given) != sorted(names):
            raise RefusedError("a place gives no value, or several, to a sum across places")

    def _part(self, node: t.For, sums: dict[str, str], begun: set[str]) -> t.Node:
        """Return a loop that adds to sums as one over all places."""
        for name in (t.written_in(*node.body) - t.declared_in(*node.body)) | sums.keys():
            if name not in sums or not only_grows(node.body, name, sums[name]):
                raise RefusedError(f"{name} is no sum of the loop of line {node.line}")
            if uses(node, {name}) and name not in begun:
                raise RefusedError(f"{name} begins elsewhere")
        made = self._strided(node, set(), set(sums)) or walked(node, self.size) or self._rounds(node, sums, begun)
        if made is None:
            raise RefusedError(f"the loop of line {node.line} goes over its places in another way")
        return made

    def _rounds(self, node: t.For, sums: dict[str, str], begun: set[str]) -> t.Node | None:
        """Return a loop that is the same for all places and has such loops in it; None of another loop."""
        head = [one for one in (node.first, node.condition, node.step) if one is not None]
        own, made = {PLACE, *sums}, list[t.Node]()
        if t.names_in(*head) & own:
            return None
        for one in node.body:
            if isinstance(inner := headed(one, list(node.body)) if isinstance(one, t.For) else one, t.For) and uses(
                inner, own
            ):
                made.append(self._part(inner, sums, begun))
            elif uses(one, own):
                return None
            else:
                harmless(one)
                made.append(one)
        return replace(node, body=tuple(made))

    def _strided(self, node: t.For, varying: set[str], sums: set[str]) -> t.Node | None:
        """Return a loop that each place begins at its own number as one over all of them; None of another loop."""
        match node:
            case t.For(
                first=t.Declare(type=kind, names=(t.Declared(name=name, value=t.Node() as begin),)),
                condition=t.Binary(op="<", left=t.Name(text=bound), right=end),
                step=t.Assign(op="+=", target=t.Name(text=moved), value=by),
            ) if bound == moved == name:
                pass
            case _:
                return None
        varying = varying - t.declared_in(node)
        used = {PLACE, name, *varying, *t.written_in(*node.body)}
        if algebra.stride(algebra.polynomial(begin), PLACE) != algebra.ONE or t.names_in(end, by) & used:
            return None
        free = t.names_in(*node.body) & {PLACE, *varying}
        leaves = any(isinstance(inner, t.Text) and not inner.comment for inner in t.walk(*node.body))
        kept = t.written_in(*node.body) - t.declared_in(*node.body) - sums
        if free or leaves or kept or name in t.written_in(*node.body):
            return None
        first = expression(algebra.added(algebra.polynomial(begin), {(PLACE,): 1}, -1))
        return self._over(node, kind, name, first, end, by)

    def _over(self, node: t.For, kind: str, name: str, first: t.Node, end: t.Node, by: t.Node) -> t.Node:
        counter, next_ = t.Name(name), t.Postfix("++", t.Name(name))
        plain = " ".join(word for word in kind.split() if word != "const")
        if algebra.constant(algebra.polynomial(by)) == self.size:
            begin = t.Declare(plain, (t.Declared(name, first),))
            return t.For(begin, t.Binary("<", counter, end), next_, node.body, node.line)
        start, stop = t.Name(f"{name}_first"), t.Name(f"{name}_end")
        far = t.Binary("+", start, t.Number(str(self.size)))
        ended = t.Declare(plain, (t.Declared(stop.text, t.Choice(t.Binary("<", far, end), far, end)),))
        begin = t.Declare(plain, (t.Declared(name, start),))
        inner = t.For(begin, t.Binary("<", counter, stop), next_, node.body, node.line)
        outer = t.Declare(plain, (t.Declared(start.text, first),))
        return t.For(outer, t.Binary("<", start, end), t.Assign("+=", start, by), (ended, inner), node.line)
