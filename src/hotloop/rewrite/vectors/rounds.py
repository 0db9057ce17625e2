"""A round of a loop along memory as a vector of rounds: its sums, extremes, values of its own and the elements that it writes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.computed import component
from hotloop.rewrite.conditions import assigned, fresh
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import named
from hotloop.rewrite.vectors.lanes import Lanes

_EXTREMES = frozenset(["fmax", "fmin", "max", "min"])
_SIGNS = frozenset(["<", ">"])
_NUMBERS = frozenset(["int", "uint", "size_t"])


@dataclass(slots=True)
class Rounds:
    """Makes the statements of as many rounds as a vector has lanes."""

    posed: Posed
    loop: t.For
    variable: str
    count: int
    lanes: Lanes = field(init=False)
    sums: dict[str, str] = field(default_factory=dict)
    """Variables that rounds change together: by ``+``, by the function that takes the greater or lesser, or by the comparison (``>``, ``<``)
    of a value with the one so far, which leaves NaN out where such a function may not."""
    wide: set[str] = field(default_factory=set)
    """Variables of double precision to which values of single precision are added."""
    bests: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Variables that keep the greatest (``>``) or least (``<``) value, with the variable that keeps its round."""
    body: list[t.Node] = field(default_factory=list)
    places: dict[str, t.Node] = field(default_factory=dict)
    """Whole numbers of a round, put in where they find elements."""
    written: dict[t.Node, t.Name] = field(default_factory=dict)
    """Vectors of elements that the round has written, by the element: it may read them again."""
    running: set[str] = field(default_factory=set)
    """Sums whose value so far the round uses behind adding to them."""
    near: int = 0
    far: int = 0
    """Elements that walk along memory, and that jump."""

    def __post_init__(self) -> None:
        """Read the loop. Raises RefusedError."""
        self.lanes = self._lanes()
        for node in self.loop.body:
            if not t.is_comment(node):
                self.body += self.statement(self._again(t.renamed(node, self.places) if self.places else node))
        own = t.written_in(*self.loop.body) | {self.variable}
        own -= self.running
        kept = {*self.sums, *self.bests, *(place for _, place in self.bests.values())}
        if kept & t.names_in(*self.body) or len(kept) < len(self.sums) + 2 * len(self.bests):
            raise self._more()
        if self.bests and self.lanes.kind != "float":
            raise RefusedError(f"the loop of line {self.loop.line} looks for the best of other values than float")
        if not self.body or self.near <= self.far or own - {self.variable} - kept:
            raise RefusedError(f"the loop of line {self.loop.line} does not walk along memory")
        self._apart()

    def _lanes(self) -> Lanes:
        return Lanes(self.posed, self.variable, self.count, frozenset(), {})

    def _more(self) -> RefusedError:
        return RefusedError(f"the loop of line {self.loop.line} does more than sum, choose and store")

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        """Yield what a statement becomes. Raises RefusedError."""
        match node:
            case t.Declare():
                yield from self.declared(node)
            case t.If(
                condition=asked,
                yes=(t.Do(value=t.Assign(op="+=" | "-=" as op, target=t.Name() as name, value=value)),),
                no=(),
            ) if not self._bounds(asked):
                kept = t.Choice(asked, value, t.Number("0.0f"))
                yield from self.statement(t.Do(t.Assign(op, name, kept), node.line))
            case t.If(condition=t.Binary(op=">" | "<" as op, left=left, right=right), yes=(chosen,), no=()):
                if not isinstance(right, t.Name) or chosen != t.Do(t.Assign("=", right, left), _line(chosen)):
                    raise self._more()
                kept = t.Choice(t.Binary(op, left, right), left, right)
                yield from self.statement(t.Do(t.Assign("=", right, kept), node.line))
            case t.If(condition=t.Binary(op=">" | "<" as op, left=left, right=t.Name(text=best)), yes=(_, _), no=()):
                yield from self._best(op, left, best, assigned(node.yes) or [], fresh("chosen", node))
            case t.Do(value=t.Assign(target=t.Name(text=name), op=op, value=value)):
                how, value = _joined(name, op, value)
                if not how or self.sums.get(name) or not self._real(name):
                    raise self._more()
                if how == "+" and self._goes_on(name, node):
                    yield from self._so_far(name, value)
                    return
                self.sums[name] = how = self._way(name, how)
                lanes, made = t.Name(f"{name}_lanes"), self._part(name, value)
                yield t.Do(
                    t.Assign("+=", lanes, made) if how == "+" else t.Assign("=", lanes, _taken(how, lanes, made))
                )
            case t.Do(value=t.Assign(target=t.Index() as target) as assign):
                yield from self._writes(node, target, assign)
            case _:
                raise self._more()

    def _writes(self, node: t.Do, target: t.Index, assign: t.Assign) -> Iterator[t.Node]:
        """Yield what a round writes, in a variable of its own where it reads that again. Raises RefusedError."""
        made = self._stored(target, assign.value)
        if assign.op != "=":
            made = t.Binary(assign.op[:-1], self._vector(target), made)
        if self.lanes.stride(target) != algebra.ONE:
            raise RefusedError(f"the loop of line {self.loop.line} writes elements that are no neighbours")
        self.near += 1
        if sum(inner == target for inner in t.walk(*self.loop.body)) > 1:
            name = fresh(f"written_{len(self.written)}", t.Block(self.posed.function.body))
            yield t.Declare(self.lanes.type, (t.Declared(name, made),))
            self.written[target] = made = t.Name(name)
            self.lanes.vectors |= {name}
        place = self.lanes.place(target)
        yield t.Do(t.Call(f"vstore{self.count}", (made, t.Number("0"), place)), node.line)

    def _goes_on(self, name: str, node: t.Node) -> bool:
        """Tell whether the statements behind one that adds to a variable, and none before it, use what it has so far."""
        places = [at for at, one in enumerate(self.loop.body) if name in t.written_in(one)]
        if len(places) != 1 or name in self.running:
            return False
        before, behind = self.loop.body[: places[0]], self.loop.body[places[0] + 1 :]
        return name in t.names_in(*behind) and name not in t.names_in(*before) and isinstance(node, t.Do)

    def _so_far(self, name: str, value: t.Node) -> Iterator[t.Node]:
        """Yield statements that make a vector of the sums up to each round, and hand the last one on. Raises RefusedError."""
        made, kind = self._part(name, value), "".join(self._kinds(name))
        if name in self.wide or name in t.names_in(value) or f"{kind}{self.count}" != self._type_of(kind):
            raise self._more()
        sums = t.Name(fresh(f"{name}_so_far", t.Block(self.posed.function.body)))
        yield t.Declare(f"{kind}{self.count}", (t.Declared(sums.text, made),))
        far = 1
        while far < self.count:
            moved = [component(sums, lane - far) if lane >= far else t.Number("0") for lane in range(self.count)]
            yield t.Do(t.Assign("+=", sums, t.Vector(f"{kind}{self.count}", tuple(moved))))
            far *= 2
        yield t.Do(t.Assign("+=", sums, t.Vector(f"{kind}{self.count}", (t.Name(name),))))
        yield t.Do(t.Assign("=", t.Name(name), component(sums, self.count - 1)))
        self.running.add(name)
        self.written[t.Name(name)] = sums
        self.lanes.vectors |= {sums.text}
        typed = t.Declare(kind, (t.Declared(sums.text),))
        self.lanes.posed = self.posed.with_body((*self.posed.function.body, typed))

    def _type_of(self, _kind: str) -> str:
        """Return the type of vectors of a kind; of real numbers all vectors have one."""
        return self.lanes.type

    def _again(self, node: t.Node) -> t.Node:
        """Return a statement with what the round wrote in the place of elements that it reads again."""
        if not self.written:
            return node
        targets = [one.target for one in t.walk(node) if isinstance(one, t.Assign)]
        if any(isinstance(one, t.Index) for one in targets):
            places = [one.index for one in targets if isinstance(one, t.Index)]
            if (
                any(one in self.written for one in targets) or t.names_in(*places) & self.running
            ):  # each lane has its own sum
                raise self._more()
            match node:
                case t.Do(value=t.Assign(value=value) as assign):
                    return t.Do(t.Assign(assign.op, assign.target, t.changed(value, self.written.get)), node.line)
            raise self._more()
        return t.changed(node, self.written.get)

    def _bounds(self, condition: t.Node) -> bool:
        """Tell whether a condition depends on the round's number: then what it guards may lie outside of an array and is not read before."""
        bare = t.changed(condition, lambda one: t.Number("0") if isinstance(one, t.Index) else None)
        return self.variable in t.names_in(bare)

    def _best(self, op: str, value: t.Node, best: str, given: list[t.Assign], chosen: str) -> Iterator[t.Node]:
        """Yield statements by which each lane keeps its best value so far and the round that had it, of equal ones the first."""
        k = t.Name(self.variable)
        places = [one.target.text for one in given if isinstance(one.target, t.Name) and one.value == k]
        both = {t.Assign("=", t.Name(best), value), *(t.Assign("=", t.Name(place), k) for place in places)}
        if len(places) != 1 or set(given) != both or best in self.bests or self._kinds(best) != {"float"}:
            raise self._more()
        (place,) = places
        kind = "".join(self._kinds(place))
        if kind not in ("int", "uint"):
            raise self._more()
        self.bests[best] = (op, place)
        made, mask, lanes = self._vector(value), t.Name(chosen), t.Name(f"{best}_lanes")
        apart = t.Vector(f"{kind}{self.count}", tuple(t.Number(str(lane)) for lane in range(self.count)))
        here = t.Binary("+", t.Vector(f"{kind}{self.count}", (k,)), apart)
        asked = t.Declare(f"int{self.count}", (t.Declared(mask.text, t.Binary(op, made, lanes)),))
        pairs = ((lanes, made), (t.Name(f"{place}_lanes"), here))
        kept = (t.Do(t.Assign("=", old, t.Call("select", (old, new, mask)))) for old, new in pairs)
        yield t.Block((asked, *kept))

    def _kinds(self, name: str) -> set[str]:
        """Return the types with which a variable is declared, by OpenCL's short names; of a parameter nothing."""
        return {
            named(self.posed.plain(node.type))
            for node in t.walk(*self.posed.function.body)
            if isinstance(node, t.Declare) and any(one.name == name and not one.extents for one in node.names)
        }

    def _real(self, name: str) -> bool:
        """Tell whether a variable is of real numbers: a whole one loses what is behind the point in every round."""
        return self._types(name) <= {"float", "double"}

    def _types(self, name: str) -> set[str]:
        return {
            self.posed.plain(node.type.split()[-1])
            for node in t.walk(*self.posed.function.body)
            if isinstance(node, t.Declare) and any(variable.name == name for variable in node.names)
        }

    def _way(self, _name: str, how: str) -> str:
        """Return by which function a variable takes another one in."""
        return how

    def _part(self, name: str, value: t.Node) -> t.Node:
        """Return what a variable takes in, in its precision."""
        made = self._vector(value)
        if self._types(name) != {"double"} or self.lanes.kind == "double":
            return made
        self.wide.add(name)
        return t.Call(f"convert_double{self.count}", (made,))

    def declared(self, node: t.Declare) -> Iterator[t.Node]:
        """Yield what a declaration becomes. Raises RefusedError."""
        kind = self.posed.plain(node.type.split()[-1])
        for one in node.names:
            if one.value is None or one.pointer or one.extents or one.name in t.written_in(*self.loop.body):
                raise self._more()
            if kind in _NUMBERS:
                if any(isinstance(node, t.Index) or self._rounded(node) for node in t.walk(one.value)):
                    raise self._more()
                self.places[one.name] = t.renamed(one.value, self.places)
                continue
            if kind != "float":  # a value of double precision is rounded elsewhere
                raise self._more()
            made = self._vector(one.value)
            yield t.Declare(self.lanes.type, (t.Declared(one.name, made),))
            self.lanes.vectors |= {one.name}

    def _rounded(self, node: t.Node) -> bool:
        """Tell a part of a whole number that is none itself, as far as parameters and constants show."""
        argument = self.posed.function.argument(node.text) if isinstance(node, t.Name) else None
        real = argument is not None and not algebra.is_whole(self.posed.plain(argument.type))
        return real or (isinstance(node, t.Number) and algebra.constant(algebra.polynomial(node)) is None)

    def _stored(self, target: t.Index, value: t.Node) -> t.Node:
        """Return what is written as a vector of the array's type. Raises RefusedError."""
        made, is_vector = self.lanes.of(value)
        kind = self.posed.type_of(target.base.text) if isinstance(target.base, t.Name) else ""
        if kind not in ("float", "double") or self.lanes.kind not in ("", kind):
            raise RefusedError(f"the loop of line {self.loop.line} writes elements of another type")
        self.lanes.kind = kind
        self._walked(value)
        return made if is_vector else t.Vector(self.lanes.type, (made,))

    def _vector(self, value: t.Node) -> t.Node:
        made, is_vector = self.lanes.of(value)
        if not is_vector:
            raise RefusedError(f"the loop of line {self.loop.line} does not walk along memory")
        self._walked(value)
        return made

    def _walked(self, value: t.Node) -> None:
        for inner in t.walk(value):
            if isinstance(inner, t.Index):
                stride = algebra.stride(algebra.polynomial(inner.index), self.variable)
                self.near += stride == algebra.ONE
                self.far += stride not in (algebra.ONE, {})

    def _apart(self) -> None:
        """Refuse a loop that reads another element of an array than the one that it writes. Raises RefusedError."""
        written: dict[t.Node, algebra.Polynomial] = {}
        for node in self.loop.body:
            if isinstance(node, t.Do) and isinstance(node.value, t.Assign) and isinstance(node.value.target, t.Index):
                written[node.value.target.base] = algebra.polynomial(node.value.target.index, self.places)
        for inner in t.walk(*self.loop.body):
            if isinstance(inner, t.Index) and algebra.polynomial(inner.index, self.places) != written.get(
                inner.base, algebra.polynomial(inner.index, self.places)
            ):
                raise RefusedError(f"the loop of line {self.loop.line} reads what another round writes")

    def begun(self) -> Iterator[t.Node]:
        """Yield the declaration of what rounds change together."""
        sums = {name: t.Declared(f"{name}_lanes", self._first(name, how)) for name, how in self.sums.items()}
        names = [one for name, one in sums.items() if name not in self.wide]
        names += [t.Declared(f"{name}_lanes", self._first(name, "")) for name in self.bests]
        if names:
            yield t.Declare(self.lanes.type, tuple(names))
        if self.wide:
            yield t.Declare(f"double{self.count}", tuple(sums[name] for name in sums if name in self.wide))
        for _, place in self.bests.values():
            kind = f"{''.join(self._kinds(place))}{self.count}"
            yield t.Declare(kind, (t.Declared(f"{place}_lanes", t.Vector(kind, (t.Name(place),))),))

    def _first(self, name: str, how: str) -> t.Node:
        kind = f"double{self.count}" if name in self.wide else self.lanes.type
        return t.Vector(kind, (t.Number("0") if how == "+" else t.Name(name),))

    def ended(self) -> Iterator[t.Node]:
        """Yield what becomes of it behind the loop."""
        for best, (op, place) in self.bests.items():
            for lane in range(self.count):
                yield _better(op, (t.Name(best), t.Name(place)), lane)
        for name, how in self.sums.items():
            if how == "+":
                yield t.Do(t.Assign("+=", t.Name(name), total(f"{name}_lanes", self.count)))
            else:
                parts = [component(t.Name(f"{name}_lanes"), lane) for lane in range(self.count)]
                while len(parts) > 1:
                    half = len(parts) // 2
                    parts = [_further(how, *pair) for pair in zip(parts[:half], parts[half:], strict=True)]
                yield t.Do(t.Assign("=", t.Name(name), parts[0]))


def _taken(how: str, lanes: t.Node, made: t.Node) -> t.Call:
    """Return how lanes take values in."""
    if how in _SIGNS:
        return t.Call("select", (lanes, made, t.Binary(how, made, lanes)))
    return t.Call(how, (lanes, made))


def _further(how: str, first: t.Node, second: t.Node) -> t.Node:
    """Return which of two lanes' values is the further one."""
    if how in _SIGNS:
        return t.Choice(t.Binary(how, second, first), second, first)
    return t.Call(how, (first, second))


def _better(op: str, kept: tuple[t.Name, t.Name], lane: int) -> t.If:
    """Return how the best of one lane is taken over: where it is better, or as good and earlier."""
    offered = [component(t.Name(f"{one.text}_lanes"), lane) for one in kept]
    earlier = t.Binary("&&", t.Binary("==", offered[0], kept[0]), t.Binary("<", offered[1], kept[1]))
    taken = tuple(t.Do(t.Assign("=", old, new)) for old, new in zip(kept, offered, strict=True))
    return t.If(t.Binary("||", t.Binary(op, offered[0], kept[0]), earlier), taken, ())


def _line(node: t.Node) -> int:
    return node.line if isinstance(node, t.Do) else 0


def _joined(name: str, op: str, value: t.Node) -> tuple[str, t.Node]:
    """Return how a statement changes a variable, and by what; empty where it is no sum and no extreme."""
    own = t.Name(name)
    if op in ("+=", "-="):
        return "+", value if op == "+=" else t.Unary("-", value)
    match value:
        case t.Call(function="mad" | "fma", arguments=(left, right, last)) if op == "=" and last == own:
            return "+", t.Binary("*", left, right)
        case t.Choice(condition=t.Binary(op=">" | "<" as sign, left=left, right=right), yes=yes, no=no) if (
            op == "=" and right == own == no and yes == left
        ):
            return sign, left
        case t.Binary(op="+", left=left, right=right) if op == "=" and own in (left, right):
            return "+", right if left == own else left
        case t.Call(function=how, arguments=(left, right)) if op == "=" and how in _EXTREMES and own in (left, right):
            return how, right if left == own else left
    return "", value


def total(vector: str, count: int) -> t.Node:
    """Return the sum of a vector's lanes, in pairs.

    >>> from hotloop.rewrite.write import expression
    >>> expression(total("v", 4))
    'v.s0 + v.s2 + (v.s1 + v.s3)'
    """
    parts = [component(t.Name(vector), lane) for lane in range(count)]
    while len(parts) > 1:
        half = len(parts) // 2
        parts = [t.Binary("+", a, b) for a, b in zip(parts[:half], parts[half:], strict=True)]
    return parts[0]
