"""The body of a loop over scalars, written for a block of its rounds at once.

Every value that depends on the loop's number becomes a block, every load and store whose address does gets a mask of the rounds that there are,
what a branch decides for each round becomes that mask or a ``tl.where``, and what a sum takes of each round is summed. What cannot be written so
is refused.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from hotloop.rewrite.jitted.addresses import UNKNOWN, apart, place, roots, step, stored
from hotloop.rewrite.jitted.extremes import extreme
from hotloop.rewrite.jitted.flow import early, loads, local, plain, start_type, stores
from hotloop.rewrite.jitted.form import RefusedError, Script
from hotloop.rewrite.jitted.kinds import BUILT_IN, ELEMENTWISE, everywhere

_EXTREMES = {"maximum": ("max", "-float('inf')"), "minimum": ("min", "float('inf')")}
_DEEP = 12
"""Variables put in for each other before an address is given up."""
_WIDE = ("32", "64")
"""Bits of whole numbers that hold every address's offset."""


@dataclass(slots=True)
class Lanes:
    """One loop whose rounds become lanes."""

    script: Script
    number: str
    """The loop's variable."""
    mask: str
    """Name of the mask of rounds that there are."""
    outside: set[str]
    """Names that have a value before the loop."""
    wide: set[str] = field(default_factory=set)
    """Names that are one value for each lane."""
    selected: dict[str, ast.FunctionDef] = field(default_factory=dict)
    """Functions that decide by a lane, and must choose instead."""
    made: list[tuple[ast.stmt, list[ast.stmt]]] = field(default_factory=list)
    """Statements with what stands for each; branches that are the same for all lanes are looked into."""
    _masks: int = 1
    _own: list[ast.stmt] = field(default_factory=list)
    """The body as it was found."""
    sums: set[str] = field(default_factory=set)
    _meaning: dict[str, ast.expr] = field(default_factory=dict)
    """Expression of each variable that the body assigns once."""

    def walk(self, body: list[ast.stmt]) -> None:
        """Find what stands for the body's statements. Raises RefusedError."""
        self._own, body = body, [extreme(self.script, statement) for statement in body]
        self.wide = {self.number}
        self.sums = early(body, {self.number}) & stores(body)
        self._spread(body)
        self._checked(body)
        self._statements(body, self.mask, set(self.outside))

    # --- what must hold ------------------------------------------------------------------------------------------------

    def _checked(self, body: list[ast.stmt]) -> None:
        """Find the sums, and refuse what one round has from another."""
        for name in self.sums:
            if sum(name in loads(one) or name in stores([one]) for one in _simple(body)) != 1:
                raise RefusedError(f"a round needs {name} of the round before")
        names = [one.id for node in body for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]  # fmt: skip
        given = [inner for node in body for inner in ast.walk(node) if isinstance(inner, ast.Assign)]
        self._meaning = {
            name: one.value
            for one in given
            for name in stores(one.targets)
            if names.count(name) == 1 and len(one.targets) == 1
        }
        self._effects(body)
        written, read = self._memory(body, "store"), self._memory(body, "load")
        for one, other in combinations([call.args[0] for call in written], 2):
            if self._shared(body, one, other) and self._meets(body, one, other):
                raise RefusedError(f"a round may store where another does ({ast.unparse(one)}, {ast.unparse(other)})")
        for call in read:
            for one in written:
                if self._shared(body, call.args[0], one.args[0]) and not self._same(body, call.args[0], one.args[0]):
                    raise RefusedError(f"a round may read what another has written to {ast.unparse(one.args[0])}")

    def _effects(self, body: list[ast.stmt]) -> None:
        """Refuse a body that gives its number a value, or calls what may do more than compute."""
        if self.number in stores(body):
            raise RefusedError(f"its body gives {self.number} another value")
        for call in (inner for node in body for inner in ast.walk(node) if isinstance(inner, ast.Call)):
            word = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
            own = local(self.script, call)
            named = isinstance(call.func, ast.Name) and own is None and word not in BUILT_IN
            if named or word.startswith(("atomic_", "inline_asm")) or (own is not None and not plain(self.script, own)):
                raise RefusedError(f"{word} may do more than compute each element by itself")
            if self.script.is_call(call, "load", "store") and not call.args:
                raise RefusedError(f"line {call.lineno} names its pointer")

    def _shared(self, body: list[ast.stmt], one: ast.expr, other: ast.expr) -> bool:
        """Tell whether two addresses may be of one array in one loop."""
        if apart(body, self.number, one, other):
            return False
        first, second = roots(self.script, one), roots(self.script, other)
        return bool(first & second) or UNKNOWN in first | second

    def _same(self, body: list[ast.stmt], one: ast.expr, other: ast.expr) -> bool:
        """Tell whether two addresses are the same in a round."""
        places = [place(address, self._meaning) for address in (one, other)]
        names = {name for whole in places for node in whole.nodes for name in loads(node)} & stores(body)
        fixed = all(name not in self.sums and sum(stored(node, name) for node in body) == 1 for name in names)
        return fixed and (places[0].terms, places[0].offset) == (places[1].terms, places[1].offset)

    def _meets(self, body: list[ast.stmt], one: ast.expr, other: ast.expr) -> bool:
        """Tell whether a round's first address may be another round's second."""
        if self._same(body, one, other):
            return False
        first, second = (place(address, self._meaning) for address in (one, other))
        steps = [step(term, self.number) for term in first.nodes if self._differs(term)]
        return first.terms != second.terms or abs(first.offset - second.offset) >= min(steps, default=1)

    def _memory(self, body: list[ast.stmt], kind: str) -> list[ast.Call]:
        return [call for statement in body for call in self.script.calls(statement, kind)]

    def _spread(self, body: list[ast.stmt]) -> None:
        """Find what differs between lanes: by value, or as a branch that differs gives it."""
        while True:
            before = len(self.wide)
            self._spread_once(body, decided=False)
            if len(self.wide) == before:
                return

    def _spread_once(self, body: list[ast.stmt], *, decided: bool) -> None:
        for node in body:
            if isinstance(node, ast.If):
                inner = decided or self._differs(node.test)
                self._spread_once(node.body, decided=inner)
                self._spread_once(node.orelse, decided=inner)
            elif decided or (getattr(node, "value", None) is not None and self._differs(node)):
                self.wide |= stores([node]) - self.sums

    def _differs(self, node: ast.AST) -> bool:
        return bool(loads(node) & self.wide)

    # --- statements ----------------------------------------------------------------------------------------------------

    def _statements(self, body: list[ast.stmt], mask: str, given: set[str]) -> list[ast.stmt]:
        every: list[ast.stmt] = []
        for node in body:
            made = self._statement(node, mask, given)
            if mask == self.mask and not (isinstance(node, ast.If) and not self._differs(node.test)):
                self.made.append((node, made))
            every += made
        return every

    def _statement(self, node: ast.stmt, mask: str, given: set[str]) -> list[ast.stmt]:
        match node:
            case ast.If(test=test) if self._differs(test):
                return self._decided(node, mask, given)
            case ast.If(test=test, body=inner, orelse=other):
                first, second = set(given), set(given)
                made = ast.If(test, self._statements(inner, mask, first), self._statements(other, mask, second))
                given |= first & second
                return [ast.copy_location(made, node)]
            case (
                ast.Assign(targets=[ast.Name(id=name)], value=value)
                | ast.AugAssign(target=ast.Name(id=name), value=value)
            ) if name in self.sums:
                return [self._summed(node, name, value, mask)]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._given(node, name, self._value(value, mask), mask, given)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                whole = ast.BinOp(ast.Name(target.id, ast.Load()), op, self._value(value, mask))
                return self._given(node, name, whole if mask != self.mask else None, mask, given) or [
                    ast.AugAssign(target, op, self._value(value, mask))
                ]
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value) if name not in self.sums:
                return self._given(node, name, self._value(value, mask), mask, given)
            case ast.Expr(value=ast.Constant()) | ast.Pass():
                return [node]
            case ast.Expr(value=ast.Call() as call) if self.script.is_call(call, "store"):
                return [ast.Expr(self._stored(call, mask))]
        raise RefusedError(f"line {node.lineno} is a statement of another form")

    def _given(self, node: ast.stmt, name: str, value: ast.expr | None, mask: str, given: set[str]) -> list[ast.stmt]:
        """Return what gives a name its value, which in a branch leaves other lanes theirs."""
        if value is None:
            return []
        if mask != self.mask and name in given:
            value = self._where(_name(mask), value, _name(name))
        given.add(name)
        return [ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)]

    def _decided(self, node: ast.If, mask: str, given: set[str]) -> list[ast.stmt]:
        """Return both branches, each for its lanes."""
        test = self.truth(node.test, mask)
        self._masks += 1
        chosen = self.script.fresh(f"{self.mask}_{self._masks}")
        made: list[ast.stmt] = [_assign(chosen, ast.BinOp(_name(mask), ast.BitAnd(), test))]
        made += self._statements(node.body, chosen, given)
        if node.orelse:
            self._masks += 1
            others = self.script.fresh(f"{self.mask}_{self._masks}")
            made.append(_assign(others, ast.BinOp(_name(mask), ast.BitAnd(), ast.UnaryOp(ast.Invert(), _name(chosen)))))
            made += self._statements(node.orelse, others, given)
        return made

    def _summed(self, node: ast.stmt, name: str, value: ast.expr, mask: str) -> ast.stmt:
        """Return what adds all lanes to a sum, or takes their greatest or least."""
        if isinstance(node, ast.AugAssign) and isinstance(node.op, ast.Add | ast.Sub):
            whole = self._over("sum", name, value, "0", mask)
            return ast.AugAssign(ast.Name(name, ast.Store()), node.op, whole)
        match value:
            case ast.BinOp(left=ast.Name(id=left), op=ast.Add() | ast.Sub() as op, right=one) if left == name:
                return _assign(name, ast.BinOp(_name(name), op, self._over("sum", name, one, "0", mask)))
            case ast.Call(args=[ast.Name(id=left), one], keywords=[]) if left == name:
                return self._extreme(value, name, one, mask)
        raise RefusedError(f"a round needs {name} of the round before")

    def _extreme(self, call: ast.Call, name: str, one: ast.expr, mask: str) -> ast.stmt:
        word = call.func.attr if isinstance(call.func, ast.Attribute) else f"{getattr(call.func, 'id', '')}imum"
        if word not in _EXTREMES or (isinstance(call.func, ast.Name) and call.func.id not in ("max", "min")):
            raise RefusedError(f"a round needs {name} of the round before")
        over, beyond = _EXTREMES[word]
        return _assign(name, ast.Call(call.func, [_name(name), self._over(over, name, one, beyond, mask)], []))

    def _over(self, word: str, name: str, value: ast.expr, beyond: str, mask: str) -> ast.expr:
        """Return what all lanes give a sum, in the sum's own type: a block of halves is not summed as halves."""
        kind = start_type(self.script, name, self._own)
        if name in loads(value) or kind is None or ("int" in kind and word != "sum"):
            raise RefusedError(f"a round needs {name} of the round before, or its type is not known")
        if not self._differs(value):
            raise RefusedError(f"what line {value.lineno} adds is the same in each round")
        other = ast.parse(beyond, mode="eval").body
        every = self._where(_name(mask), self._value(value, mask), other)
        if word == "sum":
            every = ast.Call(ast.Attribute(every, "to", ast.Load()), [ast.parse(kind, mode="eval").body], [])
        return ast.Call(self._of(word), [every], [ast.keyword("axis", ast.Constant(0))])

    # --- expressions ---------------------------------------------------------------------------------------------------

    def _value(self, node: ast.expr, mask: str) -> ast.expr:
        return _Expression(self, mask).visit(copy.deepcopy(node))  # type: ignore[no-any-return]

    def truth(self, node: ast.expr, mask: str) -> ast.expr:
        """Return a condition of each lane: a whole number is none yet."""
        made = self._value(node, mask)
        if isinstance(node, ast.Compare | ast.BoolOp):
            return made
        return ast.Compare(made, [ast.NotEq()], [ast.Constant(0)])

    def _stored(self, call: ast.Call, mask: str) -> ast.Call:
        if len(call.args) < 2 or not self._linear(call.args[0]):
            raise RefusedError(f"where its store in line {call.lineno} goes in each round is not known to differ")
        named = [ast.keyword(keyword.arg, self._value(keyword.value, mask)) for keyword in call.keywords]
        made = ast.Call(call.func, [self._value(argument, mask) for argument in call.args], named)
        return masked(made, 2, mask)

    def _linear(self, node: ast.expr, depth: int = 0) -> bool:
        """Tell whether an address is the loop's number, perhaps times something, plus what is the same in each round."""
        if isinstance(node, ast.Name) and node.id == self.number:
            return True
        if not self._differs(node) or depth > _DEEP:
            return False
        match node:
            case ast.Name(id=name):
                return name in self._meaning and self._linear(self._meaning[name], depth + 1)
            case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
                sides = [one for one in (left, right) if self._differs(one)]
                zero = any(isinstance(one, ast.Constant) and not one.value for one in (left, right))
                return (
                    len(sides) == 1
                    and not (zero and isinstance(node.op, ast.Mult))
                    and self._linear(sides[0], depth + 1)
                )
            case ast.Call(func=ast.Attribute(value=value, attr="to"), args=[kind]) if ast.unparse(kind)[-2:] in _WIDE:
                return self._linear(value, depth + 1)
        return False

    def _of(self, word: str) -> ast.expr:
        return ast.Attribute(_name(self.script.tl), word, ast.Load())

    def _where(self, *given: ast.expr) -> ast.Call:
        return ast.Call(self._of("where"), list(given), [])

    def loaded(self, call: ast.Call, mask: str) -> ast.Call:
        """Return a load of every lane's own address. Raises RefusedError for one that only some lanes may make."""
        if call.args and self._differs(call.args[0]):
            return masked(call, 1, mask)
        if mask != self.mask:
            raise RefusedError(f"line {call.lineno} loads for some rounds only what is the same for all")
        return call

    def chosen(self, *given: ast.expr) -> ast.Call:
        """Return the call that chooses for each lane."""
        return self._where(*given)

    def differs(self, node: ast.AST) -> bool:
        """Tell whether a value may differ between lanes."""
        return self._differs(node)

    def called(self, call: ast.Call) -> None:
        """Refuse a function that is not known to compute each lane by itself; note one that decides by it."""
        script, func = self.script, call.func
        word = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if (own := local(script, call)) is not None:
            if any(isinstance(node, ast.If | ast.IfExp) for node in ast.walk(own)):
                self.selected[own.name] = own
        elif script.is_call(call, "load") or word in ELEMENTWISE | {"to", "abs"} or word in BUILT_IN:
            return
        else:
            raise RefusedError(f"what {word} does with a block is not known")


class _Expression(ast.NodeTransformer):
    """What differs between lanes, written for all of them."""

    def __init__(self, lanes: Lanes, mask: str) -> None:
        self._lanes, self._mask = lanes, mask

    def visit_IfExp(self, node: ast.IfExp) -> ast.expr:
        if not self._lanes.differs(node.test):
            return self.generic_visit(node)  # type: ignore[return-value]
        if any(True for branch in (node.body, node.orelse) for _ in self._lanes.script.calls(branch, "load")):
            raise RefusedError(f"line {node.lineno} loads for some rounds only")
        test, body, other = self._lanes.truth(node.test, self._mask), self.visit(node.body), self.visit(node.orelse)
        return self._lanes.chosen(test, body, other)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if not self._lanes.differs(node):
            return node
        op: ast.operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        made = self._lanes.truth(node.values[0], self._mask)
        for value in node.values[1:]:
            made = ast.BinOp(made, op, self._lanes.truth(value, self._mask))
        return made

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not) and self._lanes.differs(node):
            raise RefusedError(f"line {node.lineno} has no form for a block")
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Compare(self, node: ast.Compare) -> ast.expr:
        if len(node.ops) > 1 and self._lanes.differs(node):
            raise RefusedError(f"line {node.lineno} has no form for a block")
        return self.generic_visit(node)  # type: ignore[return-value]

    def visit_Call(self, node: ast.Call) -> ast.expr:
        if self._lanes.script.is_call(node, "load"):
            made = self._lanes.loaded(node, self._mask)
        else:
            made = node
            if self._lanes.differs(node):
                self._lanes.called(node)
        made.args = [self.visit(argument) for argument in made.args]
        made.keywords = [ast.keyword(keyword.arg, self.visit(keyword.value)) for keyword in made.keywords]
        if isinstance(made.func, ast.Attribute):
            made.func.value = self.visit(made.func.value)
        return made


def masked(call: ast.Call, place: int, mask: str) -> ast.Call:
    """Return a load or a store that leaves other lanes alone."""
    named = {keyword.arg: keyword for keyword in call.keywords}
    own = call.args[place] if len(call.args) > place else named["mask"].value if "mask" in named else None
    both = _name(mask) if own is None or everywhere(own) else ast.BinOp(own, ast.BitAnd(), _name(mask))
    if len(call.args) > place:
        call.args[place] = both
    else:
        rest = [keyword for keyword in call.keywords if keyword.arg != "mask"]
        call.keywords = [ast.keyword("mask", both), *rest]
    return call


def _simple(body: Iterable[ast.stmt]) -> Iterable[ast.stmt]:
    for node in body:
        if isinstance(node, ast.If):
            yield ast.Expr(node.test)
            yield from _simple((*node.body, *node.orelse))
        else:
            yield node


def _name(name: str) -> ast.Name:
    return ast.Name(name, ast.Load())


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)
