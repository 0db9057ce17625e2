"""Rounds of a loop that do nothing are left out by its bounds, instead of being asked for one by one.

What it changes: ``for (k...) if (k + i < n && i > 0) s += f(k)`` becomes a loop from the first round that does something to the last one, within an
``if`` for what is the same for all rounds. Loops around go the same way.
When it applies: the loop counts by one, all that a round does stands behind comparisons of plain ``int`` that are even in its number, and nobody
asks for the number afterwards.
What it costs: neighbouring work-items may get loops of other lengths. What is left only sums and stores, so that other rewrites apply.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.skips import kinds, without_continue
from hotloop.rewrite.conditions import acts, conjuncts, divides, joined
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.grid import expression
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.shape import RefusedError

_AT_LEAST, _BELOW = (">", ">="), ("<", "<=")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Give bounds to every loop that allows it."""
    work = _Work(posed)
    body = work.body(posed.function.body)
    if not work.lines:
        raise RefusedError(work.reason or "no loop has rounds that do nothing")
    return posed.with_body(body)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of such loops."""
    work = _Work(posed)
    work.body(posed.function.body)
    return tuple(sorted(work.lines))


@dataclass(slots=True)
class _Bounds:
    """What decides whether a round does something."""

    low: list[t.Node] = field(default_factory=list)
    """Rounds before which nothing is done."""
    high: list[t.Node] = field(default_factory=list)
    """Rounds from which on nothing is done."""
    always: list[t.Node] = field(default_factory=list)
    """What is the same for all rounds."""


class _Work:
    def __init__(self, posed: Posed) -> None:
        self.posed, self.types = posed, kinds(posed)
        self.lines: set[int] = set()
        self.reason = ""

    def body(self, body: t.Body) -> t.Body:
        return tuple(self._statement(node) for node in body)

    def _statement(self, node: t.Node) -> t.Node:
        match node:
            case t.For():
                inner = replace(node, body=self.body(node.body))
                try:
                    return self._loop(inner)
                except RefusedError as reason:
                    self.reason = str(reason)
                    return inner
            case t.If():
                return replace(node, yes=self.body(node.yes), no=self.body(node.no))
            case t.Block():
                return replace(node, body=self.body(node.body))
        return node

    def _loop(self, loop: t.For) -> t.Node:
        form, (values, only) = counted(loop), _guarded(loop, self.types)
        self._own(loop, form)
        known = {one.name: one.value for node in values for one in node.names if one.value is not None}
        bounds = _Bounds()
        for one in conjuncts(_in_terms(only.condition, known)):
            self._sort(
                one,
                form.variable,
                t.written_in(*loop.body) | t.declared_in(*loop.body),
                bounds,
            )
        kept = tuple(_needed(values, only.yes))
        made = replace(self._headed(loop, form, bounds), body=(*kept, *only.yes))
        self.lines.add(loop.line)
        always = joined(bounds.always)
        return made if always is None else t.If(always, (made,), (), loop.line)

    def _own(self, loop: t.For, form: Counted) -> None:
        """Refuse a loop whose number somebody reads elsewhere. Raises RefusedError."""

        def without(node: t.Node) -> t.Node | None:
            again = (
                isinstance(node, t.For)
                and isinstance(node.first, t.Assign)
                and node.first.target == t.Name(form.variable)
            )
            return t.Block(()) if again else None

        others = [t.changed(node, without) for node in self.posed.function.body]
        if not form.declares and form.variable in t.names_in(*others):
            raise RefusedError(f"the number of the loop of line {loop.line} is asked for elsewhere")
        if self.types.get(form.variable) != "int":
            raise RefusedError(f"the number of the loop of line {loop.line} is no int")

    def _sort(self, asked: t.Node, variable: str, moving: set[str], bounds: _Bounds) -> None:
        """Note what a comparison says about rounds. Raises RefusedError."""
        self._plain(asked)
        assert isinstance(asked, t.Binary)
        difference = algebra.added(algebra.polynomial(asked.left), algebra.polynomial(asked.right), -1)
        step = algebra.stride(difference, variable)
        if moving - {variable} & t.names_in(asked):
            raise RefusedError("what is asked for changes from round to round")
        if step == {}:
            bounds.always.append(asked)
            return
        if step not in (algebra.ONE, {(): -1}):
            raise RefusedError("what is asked for is not even in the loop's number")
        rest = algebra.added(difference, {(variable,): -1 if step == algebra.ONE else 1})
        grows = step == algebra.ONE
        ends = asked.op in _BELOW if grows else asked.op in _AT_LEAST
        place = algebra.added({}, rest, -1) if grows else rest  # k op place, or place op k
        strict = asked.op in ("<", ">")
        if ends:
            bounds.high.append(expression(place if strict else algebra.added(place, algebra.ONE)))
        else:
            bounds.low.append(expression(algebra.added(place, algebra.ONE) if strict else place))

    def _plain(self, asked: t.Node) -> None:
        """Refuse what is no comparison of sums and products of int. Raises RefusedError."""
        if not isinstance(asked, t.Binary) or asked.op not in (*_AT_LEAST, *_BELOW):
            raise RefusedError("a round asks for more than an order of numbers")
        for one in t.walk(asked):
            known = isinstance(one, t.Name) and (self.types.get(one.text) == "int" or one.text in self.posed.constants)
            number = isinstance(one, t.Number) and one.text.isdecimal()
            sums = (isinstance(one, t.Binary) and (one is asked or one.op in "+-*")) or (
                isinstance(one, t.Unary) and one.op == "-"
            )
            if not (known or number or sums):
                raise RefusedError("a round asks for more than sums of plain numbers")

    def _headed(self, loop: t.For, form: Counted, bounds: _Bounds) -> t.For:
        """Return a loop with its bounds."""
        low, high = (
            _furthest("max", form.low, bounds.low),
            _furthest("min", form.high, bounds.high),
        )
        if bounds.low or bounds.high:
            self._whole(form, bounds)
        first: t.Node = t.Assign("=", t.Name(form.variable), low)
        if form.declares:
            first = t.Declare(form.declares, (t.Declared(form.variable, low),))
        condition = t.Binary("<", t.Name(form.variable), high) if bounds.high else loop.condition
        return replace(loop, first=first, condition=condition)

    def _whole(self, form: Counted, bounds: _Bounds) -> None:
        """Refuse ends of the loop that ``min`` and ``max`` would not take beside an int. Raises RefusedError."""
        for end, others in ((form.low, bounds.low), (form.high, bounds.high)):
            for one in t.walk(end) if others else ():
                typed = (
                    isinstance(one, t.Name)
                    and self.types.get(one.text, "int" if one.text in self.posed.constants else "") != "int"
                )
                if (
                    typed
                    or isinstance(one, t.Index | t.Text | t.Member | t.Cast)
                    or (isinstance(one, t.Number) and not one.text.isdecimal())
                ):
                    raise RefusedError("the loop's own ends are no plain numbers")


def _guarded(loop: t.For, types: Mapping[str, str]) -> tuple[list[t.Declare], t.If]:
    """Return the declarations of a round and the branch that all else stands in. Raises RefusedError."""
    values, only = _taken_apart(loop, loop.body, types)
    while True:  # a branch within a branch is one that asks for both
        try:
            inner, deeper = _taken_apart(loop, only.yes, types)
        except RefusedError:
            break
        values += inner
        only = replace(deeper, condition=t.Binary("&&", only.condition, deeper.condition))
    if t.written_in(*loop.body) & t.declared_in(*values):
        raise RefusedError(f"the rounds of the loop of line {loop.line} count on by themselves")
    return values, only


def _taken_apart(loop: t.For, body: t.Body, types: Mapping[str, str]) -> tuple[list[t.Declare], t.If]:
    """Return the declarations of a body and the branch behind them. Raises RefusedError."""
    real = [one for one in without_continue(body, types) if not t.is_comment(one)]
    values = [one for one in real[:-1] if isinstance(one, t.Declare)]
    if not real or not isinstance(real[-1], t.If) or real[-1].no or len(values) < len(real) - 1:
        raise RefusedError(f"the rounds of the loop of line {loop.line} do something in any case")
    if any(
        one.value is None or one.pointer or one.extents or _reads(one.value) for node in values for one in node.names
    ):
        raise RefusedError(f"the rounds of the loop of line {loop.line} read memory in any case")
    return values, real[-1]


def _reads(value: t.Node) -> bool:
    return any(isinstance(inner, t.Index | t.Call) or acts(inner) or divides(inner) for inner in t.walk(value))


def _in_terms(condition: t.Node, known: dict[str, t.Node]) -> t.Node:
    """Return a condition in terms of what a round's own values are made of."""
    for _ in known:
        condition = t.renamed(condition, known)
    return condition


def _needed(values: list[t.Declare], yes: t.Body) -> Iterator[t.Node]:
    """Yield the declarations whose values somebody still reads."""
    read, kept = t.names_in(*yes), list[t.Node]()
    for node in reversed(values):
        names = tuple(variable for variable in node.names if variable.name in read)
        if names:
            kept.append(replace(node, names=names))
            read |= t.names_in(*(name.value for name in names if name.value is not None))
    yield from reversed(kept)


def _furthest(how: str, own: t.Node, others: list[t.Node]) -> t.Node:
    for other in others:
        own = t.Call(how, (own, other))
    return own


REWRITE = Rewrite(
    name="bounded-loops",
    text=__doc__,
    technique="skip-masked-work",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.5, 4.0),
    order=36,
)
