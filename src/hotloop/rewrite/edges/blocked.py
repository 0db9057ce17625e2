"""Blocks of results and their edges: a work-item does a whole block at once, and result by result where the block crosses an edge."""

from __future__ import annotations

from collections.abc import Callable, Container
from dataclasses import dataclass, replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.owned import refuse_moved
from hotloop.rewrite.components.returning import within
from hotloop.rewrite.conditions import conjuncts, joined
from hotloop.rewrite.edges.corners import corners, lessens, signs
from hotloop.rewrite.edges.interior import interior
from hotloop.rewrite.form import Posed
from hotloop.rewrite.jam import Copies, Jam
from hotloop.rewrite.shape import Item, RefusedError, Shape, upper_bounds
from hotloop.rewrite.vectors.held import Holder
from hotloop.rewrite.vectors.kinds import PROMOTED, REALS, calculated, named
from hotloop.rewrite.vectors.remembered import Memory


@dataclass(frozen=True, slots=True)
class Inner:
    """The statements of a whole block."""

    body: t.Body
    only: tuple[t.Node, ...] = ()
    """Condition, besides the block lying within the edges, under which they hold."""


def blocked(
    posed: Posed, form: Shape, copies: tuple[Copies, ...], turns: int = 1, inner: Callable[[t.Body], Inner] = Inner
) -> Posed:
    """Return a kernel whose work-items take whole blocks of results, and result by result where a block crosses an edge.

    Args:
        posed: the kernel.
        form: its form.
        copies: results of a block along each work-item's number.
        turns: blocks that a work-item does in turn.
        inner: what becomes of the statements of a whole block; all of them as they are where nothing is given.

    Raises:
        RefusedError: the text has no such blocks.
    """
    refuse_moved(posed)
    _refuse_numbers(posed, form)
    width = {copy.variable: copy.count * copy.step for copy in copies}
    form = _begun(form)
    turned = form.items[-1]
    ended = {*width, *((turned.name,) if turns > 1 else ())}
    inside = _inside(posed, form, ended)
    jammed, asked = _whole_block(posed, form, copies)
    fast = inner(jammed)
    if any(one in t.written_in(*form.work) for one in width):
        raise RefusedError("a work-item changes its own number")
    known = signs(posed, form)
    limits = [made for one in inside for made in corners(one, width, known)]
    steps = list(posed.steps)
    heads: list[t.Node] = []
    for item in form.items:
        step = width.get(item.name, 1) * (turns if item is turned else 1)
        steps[item.dimension] *= step
        heads.append(_head(item, step))
    slow = (
        _slow(posed, form, width, ended)
        if max(c.lanes for c in copies) == 1
        else _smaller(posed, form, copies, inside, ended)
    )
    if asked and max(c.lanes for c in copies) > 1 and (masked := _masked(posed, form, copies)):
        slow = (t.If(joined(limits) or t.Number("1"), masked, slow),)
    whole: t.Node = t.If(joined([*limits, *asked, *fast.only]) or t.Number("1"), fast.body, slow)
    body: t.Body = (whole,)
    if turns > 1:
        body = _turned(turned, width.get(turned.name, 1), turns, body)
        heads[form.items.index(turned)] = _head(turned, width.get(turned.name, 1) * turns, "_first")
    made = replace(posed.with_body((*heads, *form.before, *body)), per_item=tuple(steps))
    return replace(made, single=posed.single or any(copy.lanes > 1 for copy in copies))


def _whole_block(posed: Posed, form: Shape, copies: tuple[Copies, ...]) -> tuple[t.Body, tuple[t.Node, ...]]:
    """Return the statements of a whole block, and the conditions for being one: it need not ask where its edges are, or has short rows."""
    body, conditions = _jammed(posed, form, copies)
    arguments = {one.name for one in posed.function.arguments}
    holder = Holder(posed, arguments | t.declared_in(*form.before, *body) | t.names_in(*form.before, *body))
    lasting = {one.name for one in posed.function.arguments if one.pointer and "volatile" not in one.qualifiers}
    return Memory(holder.taken, lasting).body(holder.body(body)), (*conditions, *holder.limits)


def _jammed(posed: Posed, form: Shape, copies: tuple[Copies, ...]) -> tuple[t.Body, tuple[t.Node, ...]]:
    """Return the statements of all results of a block, and the conditions for being one that needs not ask where its edges are.

    Vectors have no branches: for them blocks inside are told from others first; single results only where nothing else is left.
    """
    inside, asked = interior(posed, form, copies)
    forms = [(inside, asked), (form.work, ())] if asked else [(form.work, ())]
    if max(copy.lanes for copy in copies) == 1:
        forms.reverse()
    for body, conditions in forms[:-1]:
        try:
            return Jam(posed, copies).body(body), conditions
        except RefusedError:
            continue
    return Jam(posed, copies).body(forms[-1][0]), forms[-1][1]


def _refuse_numbers(posed: Posed, form: Shape) -> None:
    """Refuse work-items' numbers that end before a block does, ``uchar i``, and names that loops over the results of a block would have twice."""
    for item in form.items:
        kind = named(posed.plain(item.type))
        if kind in PROMOTED or calculated(kind) in REALS:
            raise RefusedError(f"{item.name} is a work-item's number of type {item.type}, which may end within a block")
        own = {f"{item.name}_{ending}" for ending in ("one", "part", "first")}
        if clash := own & (t.declared_in(*posed.function.body) | {one.name for one in posed.function.arguments}):
            raise RefusedError(f"results of a block would be counted by {min(clash)}, which it has already")


def _head(item: Item, step: int, suffix: str = "") -> t.Declare:
    """Return the declaration of a work-item's variable that counts blocks."""
    call: t.Node = t.Call("get_global_id", (t.Number(str(item.dimension)),))
    scaled = t.Binary("*", call, t.Number(str(step))) if step > 1 else call
    value = scaled if item.offset is None else t.Binary("+", scaled, item.offset)
    return t.Declare(item.type, (t.Declared(item.name + suffix, value),), item.line)


def in_turn(posed: Posed, form: Shape, count: int) -> Posed:
    """Return a kernel whose work-items do the work of so many along their first number, one after another in a loop.

    Work-items without barriers have no order among each other, so this is one of theirs. Raises RefusedError.
    """
    refuse_moved(posed)
    _refuse_numbers(posed, form)
    if any(item.name in t.written_in(*form.work) for item in form.items):
        raise RefusedError("a work-item changes its own number")
    first, steps = form.items[0], list(posed.steps)
    if first.dimension >= len(steps):
        raise RefusedError("nothing says where its results end")
    steps[first.dimension] *= count
    heads = [_head(item, count if item is first else 1) for item in form.items]
    rounds = _slow(posed, form, {first.name: count}, {first.name})
    return replace(posed.with_body((*heads, *form.before, *rounds)), per_item=tuple(steps))


def _turned(item: Item, width: int, turns: int, body: t.Body) -> t.Body:
    """Let an item do several blocks in turn."""
    first = t.Name(f"{item.name}_first")
    begin = t.Declare(item.type, (t.Declared(item.name, first),))
    below = t.Binary("<", t.Name(item.name), t.Binary("+", first, t.Number(str(width * turns))))
    return (t.For(begin, below, t.Assign("+=", t.Name(item.name), t.Number(str(width))), body),)


def _inside(posed: Posed, form: Shape, blocked: set[str]) -> list[t.Node]:
    """Return the conditions that a result is wanted: those of the text, and the launch's own where the text has none."""
    conditions = [] if form.guard is None else list(within(form.guard))
    conditions = [t.renamed(condition, {}) for condition in conditions]
    return conditions + _limits(posed, form, blocked)


def _limits(posed: Posed, form: Shape, blocked: Container[str]) -> list[t.Node]:
    """Return where the launch ends along numbers that the text itself does not keep below: blocks would go on behind it. Raises RefusedError."""
    limits: list[t.Node] = []
    visible = {argument.name for argument in posed.function.arguments if not argument.pointer} | posed.constants.keys()
    for item in form.items:
        if item.name not in blocked:
            continue
        ends = [] if form.guard is None or form.otherwise else list(upper_bounds(form.guard, item.name))
        if item.dimension >= len(posed.extents):
            if not ends:
                raise RefusedError("nothing says where its results end")
            continue
        below = _below(posed, item)
        far = algebra.polynomial(below.right)
        if not ends or (t.names_in(below.right) <= visible and all(algebra.polynomial(end) != far for end in ends)):
            limits.append(_moved_back(posed, item) or below)
    return limits


def _below(posed: Posed, item: Item) -> t.Binary:
    end = posed.extents[item.dimension]
    return t.Binary("<", t.Name(item.name), end if item.offset is None else t.Binary("+", end, item.offset))


def _moved_back(posed: Posed, item: Item) -> t.Binary | None:
    """Return the same of a number that may begin below zero, ``i + 1 < n`` of ``i = get_global_id(0) - 1``; None of others.

    Beside an end without a sign, -1 would be the greatest number of all.
    """
    if item.offset is None or not lessens(item.offset, ()):
        return None
    match item.offset:
        case t.Unary(op="-", value=less):
            back = t.Binary("+", t.Name(item.name), less)
        case more:
            back = t.Binary("-", t.Name(item.name), more)
    return t.Binary("<", back, posed.extents[item.dimension])


def _begun(form: Shape) -> Shape:
    """Return the form with numbers that begin where results do: a block over a border would be done result by result."""
    if form.guard is None or form.otherwise:
        return form
    items = []
    for item in form.items:
        least = max((low for condition in conjuncts(form.guard) if (low := _least(condition, item.name))), default=0)
        if not list(upper_bounds(form.guard, item.name)):  # moved on, the last block would end behind the launch
            least = 0
        more = t.Number(str(least))
        offset = item.offset if not least else more if item.offset is None else t.Binary("+", item.offset, more)
        items.append(replace(item, offset=offset) if item.offset is None else item)
    return replace(form, items=tuple(items))


def _least(condition: t.Node, name: str) -> int:
    """Return the least value that a comparison with a number leaves to a variable; 0 where it says nothing."""
    match condition:
        case t.Binary(op=">" | ">=" as op, left=t.Name(text=text), right=t.Number(text=low)) if text == name:
            pass
        case t.Binary(op="<" | "<=" as op, left=t.Number(text=low), right=t.Name(text=text)) if text == name:
            pass
        case _:
            return 0
    return int(low) + (op in "<>") if low.isdigit() else 0


def _smaller(
    posed: Posed, form: Shape, copies: tuple[Copies, ...], inside: list[t.Node], ended: Container[str]
) -> t.Body:
    """Return what is done where a block crosses an edge: single vectors, and results one by one where a vector does."""
    ones = tuple(replace(copy, count=1) for copy in copies)
    if ones == copies:
        return _slow(posed, form, {copy.variable: copy.count * copy.step for copy in copies}, ended)
    names = {copy.variable: f"{copy.variable}_part" for copy in copies if copy.count > 1}
    width = {copy.variable: copy.step for copy in copies}
    known = signs(posed, form)
    limits = [made for one in inside for made in corners(one, width, known)]
    fast, asked = _whole_block(posed, form, ones)
    slow = _slow(posed, form, width, ended)
    new: dict[str, t.Node] = {old: t.Name(name) for old, name in names.items()}
    body: t.Body = (t.renamed(t.If(joined([*limits, *asked]) or t.Number("1"), fast, slow), new),)
    types = {item.name: item.type for item in form.items}
    for one in copies:
        if one.count > 1:
            part, whole = t.Name(names[one.variable]), t.Number(str(one.count * one.step))
            below = t.Binary("<", part, t.Binary("+", t.Name(one.variable), whole))
            begin = t.Declare(types[one.variable], (t.Declared(part.text, t.Name(one.variable)),))
            step = t.Postfix("++", part) if one.step == 1 else t.Assign("+=", part, t.Number(str(one.step)))
            body = (t.For(begin, below, step, body),)
    return body


def _masked(posed: Posed, form: Shape, copies: tuple[Copies, ...]) -> t.Body:
    """Return the statements of a block in which each result asks where its edges are; nothing where they have no such form."""
    try:
        return Jam(posed, copies).body(form.work)
    except RefusedError:
        return ()


def _slow(posed: Posed, form: Shape, width: dict[str, int], ended: Container[str]) -> t.Body:
    """Return the text as it was for every result of a block, under its own condition."""
    inner = {item.name: f"{item.name}_one" for item in form.items if width.get(item.name, 1) > 1}
    names: dict[str, t.Node] = {old: t.Name(new) for old, new in inner.items()}
    limits = _limits(posed, form, ended)
    body: t.Body = form.work
    if form.guard is not None:
        body = (t.If(form.guard, form.work, form.otherwise),)
    outer = joined(limits)
    if outer is not None:
        body = (t.If(outer, body),)
    body = tuple(t.renamed(statement, names) for statement in body)
    types = {item.name: item.type for item in form.items}
    for old, new in inner.items():  # of the same type: what is below zero would not be in another one
        begin = t.Declare(types[old], (t.Declared(new, t.Name(old)),))
        below = t.Binary("<", t.Name(new), t.Binary("+", t.Name(old), t.Number(str(width[old]))))
        body = (t.For(begin, below, t.Postfix("++", t.Name(new)), body),)
    return body
