"""Rounds over neighbours in memory are done by all lanes of a vector: sums and extremes, each with a part of its own, and stores.

What it changes: ``for (k...) s += f(k)`` becomes a loop over vectors of k, whose lanes are added up behind it, and a rest. Whole numbers, also of
bytes, are added up as C calculates them.
When it applies: the loop counts by one and only adds to local variables, also where a value is such, keeps their greatest or least, also with its round, and writes neighbours
that no other round reads; its loads walk along k. Where a round uses the sum so far, as running sums do, each lane has the sum up to it, made in
as many steps as the lanes can be halved.
What it costs: another order of the additions; of zeros of both signs among the greatest or least values another one may be kept. On a runtime that makes vectors of neighbouring work-items, whose loads are
far from each other in such a loop, this replaces gathers by whole cache lines.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.branches.evened import unsigned
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.loops import Counted, counted
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.mixed import MixedRounds, several
from hotloop.rewrite.vectors.rounds import Rounds


def apply(posed: Posed, value: int | str) -> Posed:
    """Make vectors of every loop that allows it."""
    work = _Work(posed, int(value))
    body = work.body(posed.function.body)
    if not work.lines:
        raise RefusedError(work.reason or "no loop only adds to variables")
    return replace(posed.with_body(body), single=True)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of such loops."""
    work = _Work(posed, 4)
    work.body(posed.function.body)
    return tuple(sorted(work.lines))


class _Work:
    def __init__(self, posed: Posed, count: int) -> None:
        self.posed, self.count = posed, count
        self.lines: set[int] = set()
        self.reason = ""

    def body(self, body: t.Body) -> t.Body:
        made: list[t.Node] = []
        for node in body:
            match node:
                case t.For():
                    made += self.loop(node)
                case t.If():
                    made.append(replace(node, yes=self.body(node.yes), no=self.body(node.no)))
                case t.Block():
                    made.append(replace(node, body=self.body(node.body)))
                case _:
                    made.append(node)
        return tuple(made)

    def loop(self, loop: t.For) -> t.Body:
        try:
            made = self.vectors(loop)
        except RefusedError as reason:
            self.reason = str(reason)
            return (replace(loop, body=self.body(loop.body)),)
        self.lines.add(loop.line)
        return made

    def vectors(self, loop: t.For) -> t.Body:
        count, form = self.count, counted(loop)
        rounds = algebra.constant(algebra.added(algebra.polynomial(form.high), algebra.polynomial(form.low), -1))
        if rounds is not None and rounds < count:
            raise RefusedError(f"the loop of line {loop.line} has fewer rounds than a vector has lanes")
        made = self._rounds(loop, form.variable)
        k = t.Name(form.variable)
        head: list[t.Node] = [t.Declare(form.declares or "int", (t.Declared(form.variable, form.low),))]
        if not form.declares:
            head = [t.Do(t.Assign("=", k, form.low))]
        below = t.Binary("<=", t.Binary("+", k, t.Number(str(count))), form.high)
        if self._wraps(form):
            below = t.Binary("&&", t.Binary("<", k, form.high), below)
        wide = t.For(
            None,
            below,
            t.Assign("+=", k, t.Number(str(count))),
            tuple(made.body),
            loop.line,
        )
        all_of = (*head, *made.begun(), wide, *made.ended(), replace(loop, first=None))
        return (t.Block(all_of),) if form.declares else all_of

    def _wraps(self, form: Counted) -> bool:
        """Tell whether a loop may begin with a number that is huge because there is no sign: it has no round, though so many more end below its bound."""
        names = t.names_in(form.low, form.high) | ({form.variable} if not form.declares else set())
        has_signs = algebra.signed(form.low, form.high) and not names & unsigned(self.posed)
        kind = self.posed.plain(form.declares.removeprefix("const "))
        has_signs = has_signs and not any(isinstance(one, t.Call) for one in t.walk(form.high))
        return not isinstance(form.low, t.Number) and not (has_signs and kind in ("", "int", "long", "short"))

    def _rounds(self, loop: t.For, variable: str) -> Rounds:
        """Return the rounds of real numbers of one type, or else of whole and short ones, too. Raises RefusedError."""
        try:
            return Rounds(self.posed, loop, variable, self.count)
        except RefusedError as reason:
            if not several(self.posed, loop):
                raise
            refused = reason
        try:
            return MixedRounds(self.posed, loop, variable, self.count)
        except RefusedError:
            raise refused from None


REWRITE = Rewrite(
    name="reduction-lanes",
    text=__doc__,
    technique="vectorize",
    keeps=Keeps.ROUNDING,
    values=(0, 4, 8, 16),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.2, 8.0),
    order=40,
)
