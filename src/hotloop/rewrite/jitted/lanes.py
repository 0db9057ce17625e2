"""The body of a loop over scalars, written for a block of its rounds at once.

Every value that depends on the loop's number becomes a block, every load and store whose address does gets a mask of the rounds that there are,
what a branch decides for each round becomes that mask or a ``tl.where``, and what a sum takes of each round is summed. What cannot be written so
is refused.
"""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import combinations

from hotloop.rewrite.jitted.flow import early, loads, local, stores
from hotloop.rewrite.jitted.form import RefusedError, Script
from hotloop.rewrite.jitted.kinds import ELEMENTWISE, pointer

_EXTREMES = {"maximum": ("max", "-float('inf')"), "minimum": ("min", "float('inf')")}
_DEEP = 12
"""Variables put in for each other before an address is given up."""
_BUILT_IN = frozenset(("min", "max", "abs", "float", "int"))


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
    _sums: set[str] = field(default_factory=set)
    _meaning: dict[str, ast.expr] = field(default_factory=dict)
    """By variable that the body gives one value: its expression."""

    def walk(self, body: list[ast.stmt]) -> None:
        """Find what stands for the body's statements. Raises RefusedError."""
        self._checked(body)
        self.wide = {self.number}
        self._spread(body)
        self._statements(body, self.mask, set(self.outside))

    # --- what must hold ------------------------------------------------------------------------------------------------

    def _checked(self, body: list[ast.stmt]) -> None:
        """Find the sums, and refuse what one round has from another."""
        carried = early(body, {self.number}) & stores(body)
        for name in carried:
            if sum(name in loads(one) or name in stores([one]) for one in _simple(body)) != 1:
                raise RefusedError(f"a round needs {name} of the round before")
        self._sums = carried
        names = [one.id for node in body for one in ast.walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]  # fmt: skip
        given = [one for node in body for one in ast.walk(node) if isinstance(one, ast.Assign)]
        self._meaning = {
            name: one.value
            for one in given
            for name in stores(one.targets)
            if names.count(name) == 1 and len(one.targets) == 1
        }
        written = self._memory(body, "store")
        for one, other in combinations([call.args[0] for call in written if call.args], 2):
            if pointer(one) == pointer(other) and self._meets(one, other):
                raise RefusedError(f"a round may store where another does ({pointer(one)})")
        roots = {pointer(call.args[0]): ast.unparse(call.args[0]) for call in written if call.args}
        for call in self._memory(body, "load"):
            root = pointer(call.args[0]) if call.args else ""
            if root in roots and roots[root] != ast.unparse(call.args[0]):
                raise RefusedError(f"a round may read what another has written to {root}")

    def _meets(self, one: ast.expr, other: ast.expr) -> bool:
        """Tell whether two addresses lie a known number of elements apart that another round's lie apart, too."""
        terms = [Counter(map(ast.unparse, self._terms(address))) for address in (one, other)]
        apart = [*(terms[0] - terms[1]).elements(), *(terms[1] - terms[0]).elements()]
        if not all(term.isdigit() for term in apart):
            return False
        far = abs(sum(map(int, (terms[0] - terms[1]).elements())) - sum(map(int, (terms[1] - terms[0]).elements())))
        steps = [self._step(term) for term in self._terms(one)]
        return far >= max(steps, default=1) if far else False

    def _terms(self, node: ast.expr, depth: int = 0) -> list[ast.expr]:
        """Return the terms of a sum, with what the body's variables stand for."""
        match node:
            case ast.Name(id=name) if name in self._meaning and depth < _DEEP:
                return self._terms(self._meaning[name], depth + 1)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                return [*self._terms(left, depth), *self._terms(right, depth)]
        return [node]

    def _step(self, term: ast.expr) -> int:
        """Return by how much a term that is the loop's number, perhaps times a constant, rises in a round; 1 where it is none."""
        match term:
            case ast.BinOp(left=ast.Name(id=name), op=ast.Mult(), right=ast.Constant(value=int(by))) if (
                name == self.number
            ):
                return by
            case ast.BinOp(left=ast.Constant(value=int(by)), op=ast.Mult(), right=ast.Name(id=name)) if (
                name == self.number
            ):
                return by
        return 1

    def _memory(self, body: list[ast.stmt], kind: str) -> list[ast.Call]:
        return [call for one in body for call in self.script.calls(one, kind)]

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
                self.wide |= stores([node]) - self._sums

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
            ) if name in self._sums:
                return [self._summed(node, name, value, mask)]
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                return self._given(node, name, self._value(value, mask), mask, given)
            case ast.AugAssign(target=ast.Name(id=name) as target, op=op, value=value):
                whole = ast.BinOp(ast.Name(target.id, ast.Load()), op, self._value(value, mask))
                return self._given(node, name, whole if mask != self.mask else None, mask, given) or [
                    ast.AugAssign(target, op, self._value(value, mask))
                ]
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
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
        test = self._truth(node.test, mask)
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
            whole = self._over("sum", value, "0", mask)
            return ast.AugAssign(ast.Name(name, ast.Store()), node.op, whole)
        match value:
            case ast.BinOp(left=ast.Name(id=left), op=ast.Add() | ast.Sub() as op, right=one) if left == name:
                return _assign(name, ast.BinOp(_name(name), op, self._over("sum", one, "0", mask)))
            case ast.Call(args=[ast.Name(id=left), one], keywords=[]) if left == name:
                return self._extreme(value, name, one, mask)
        raise RefusedError(f"a round needs {name} of the round before")

    def _extreme(self, call: ast.Call, name: str, one: ast.expr, mask: str) -> ast.stmt:
        word = call.func.attr if isinstance(call.func, ast.Attribute) else f"{getattr(call.func, 'id', '')}imum"
        if word not in _EXTREMES or (isinstance(call.func, ast.Name) and call.func.id not in ("max", "min")):
            raise RefusedError(f"a round needs {name} of the round before")
        over, beyond = _EXTREMES[word]
        return _assign(name, ast.Call(call.func, [_name(name), self._over(over, one, beyond, mask)], []))

    def _over(self, word: str, value: ast.expr, beyond: str, mask: str) -> ast.expr:
        if not self._differs(value):
            raise RefusedError(f"what line {value.lineno} adds is the same in each round")
        other = ast.parse(beyond, mode="eval").body
        every = self._where(_name(mask), self._value(value, mask), other)
        return ast.Call(self._of(word), [every], [ast.keyword("axis", ast.Constant(0))])

    # --- expressions ---------------------------------------------------------------------------------------------------

    def _value(self, node: ast.expr, mask: str) -> ast.expr:
        return _Expression(self, mask).visit(copy.deepcopy(node))  # type: ignore[no-any-return]

    def _truth(self, node: ast.expr, mask: str) -> ast.expr:
        made = self._value(node, mask)
        if isinstance(node, ast.Compare | ast.BoolOp):
            return made
        return ast.Compare(made, [ast.NotEq()], [ast.Constant(0)])

    def _stored(self, call: ast.Call, mask: str) -> ast.Call:
        if len(call.args) < 2 or not self._linear(call.args[0]):
            raise RefusedError(f"where its store in line {call.lineno} goes in each round is not known to differ")
        made = ast.Call(call.func, [self._value(one, mask) for one in call.args], list(call.keywords))
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
                return len(sides) == 1 and self._linear(sides[0], depth + 1)
            case ast.Call(func=ast.Attribute(value=value, attr="to")):
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
            if any(isinstance(one, ast.If | ast.IfExp) for one in ast.walk(own)):
                self.selected[own.name] = own
            elif not _plain(script, own):
                raise RefusedError(f"{own.name} does more than compute each element by itself")
        elif script.is_call(call, "load") or word in ELEMENTWISE | {"to", "abs"} or word in _BUILT_IN:
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
        test, body, other = (self.visit(one) for one in (node.test, node.body, node.orelse))
        return self._lanes.chosen(test, body, other)

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        if not self._lanes.differs(node):
            return node
        op: ast.operator = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        made: ast.expr = self.visit(node.values[0])
        for one in node.values[1:]:
            made = ast.BinOp(made, op, self.visit(one))
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
        made.args = [self.visit(one) for one in made.args]
        if isinstance(made.func, ast.Attribute):
            made.func.value = self.visit(made.func.value)
        return made


def masked(call: ast.Call, place: int, mask: str) -> ast.Call:
    """Return a load or a store that leaves other lanes alone."""
    named = {keyword.arg: keyword for keyword in call.keywords}
    own = call.args[place] if len(call.args) > place else named["mask"].value if "mask" in named else None
    both = _name(mask) if own is None or isinstance(own, ast.Constant) else ast.BinOp(own, ast.BitAnd(), _name(mask))
    if len(call.args) > place:
        call.args[place] = both
    else:
        rest = [keyword for keyword in call.keywords if keyword.arg != "mask"]
        call.keywords = [ast.keyword("mask", both), *rest]
    return call


def _plain(script: Script, function: ast.FunctionDef) -> bool:
    """Tell whether a function has nothing but sums and elementwise functions."""
    for node in ast.walk(function):
        if isinstance(node, ast.For | ast.While | ast.Subscript):
            return False
        if isinstance(node, ast.Call) and node not in function.decorator_list:
            word = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            own = local(script, node)
            if not (
                word in ELEMENTWISE | {"to"} | _BUILT_IN
                or (own is not None and own is not function and _plain(script, own))
            ):
                return False
    return True


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
