"""Expressions over several values of one variable at once: loads, arithmetic and calls as OpenCL C's vectors."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.choices import chosen
from hotloop.rewrite.components.computed import component, followed
from hotloop.rewrite.components.functions import ELEMENTWISE, shortened
from hotloop.rewrite.components.literals import CONSTANT, DOUBLE, LITERAL, SINGLE, UNSIGNED
from hotloop.rewrite.components.typed import types_in
from hotloop.rewrite.conditions import BOTH, asks, assigned, divides, fresh, spelled
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.kinds import PROMOTED, REALS, WHOLES, calculated, named
from hotloop.rewrite.vectors.longer import LONG, ULONG, lengthened, shortened_to

_WHOLE = frozenset(["min", "max", "clamp", "popcount", "clz", "mul24", "mad24", "mul_hi", "rotate", "hadd", "rhadd"])
_SHIFTS = ("<<", ">>")
_BITS = ("&", "|", "^", "%", *_SHIFTS)


@dataclass(slots=True)
class Lanes:
    """Makes vectors of what depends on a variable; everything else is the same in all lanes."""

    posed: Posed
    variable: str
    count: int
    vectors: frozenset[str]
    """Local variables that are vectors."""
    known: Mapping[str, t.Node]
    """Whole numbers with one value for good, by name."""
    kind: str = ""
    """Type of the lanes of all vectors where they have one, found with the first load."""
    mixed: bool = False
    """True where vectors have lanes of the type that C calculates in, each its own, and are converted as in C."""

    @property
    def type(self) -> str:
        """Name of the vector's type."""
        return self.vector(self.kind or "float")

    def vector(self, kind: str) -> str:
        """Return the name of the type of vectors of a kind."""
        return f"{kind}{self.count}"

    def wide(self, node: t.Node, kind: str) -> t.Node:
        """Return an expression as a vector of a kind, as if assigned to one. Raises RefusedError."""
        return self.fit(*self.of(node), kind)

    def fit(self, made: t.Node, own: str, kind: str) -> t.Node:
        """Return a value as a vector of a kind: converted, or in all lanes where it is none (`own` is empty)."""
        return self._converted(made, own, kind) if own else t.Vector(self.vector(kind), (made,))

    def joined(self, assign: t.Assign) -> tuple[t.Node, str]:
        """Return the value that a target has after an assignment, as a vector, and the type of its lanes. Raises RefusedError."""
        made, own = self.of(assign.value)
        if assign.op == "=":
            return made, own
        target, kind = self.of(assign.target)
        if not own and kind in REALS:  # of whatever precision it is written
            return t.Binary(assign.op[:-1], target, t.Vector(self.vector(kind), (made,))), kind
        return self._binary(assign.op[:-1], assign.target, assign.value)

    def _converted(self, vector: t.Node, own: str, kind: str) -> t.Node:
        if own == kind or not self.mixed:
            return vector
        if kind == ULONG and own in WHOLES:
            return lengthened(vector, self.count, own)
        if own == ULONG and kind in WHOLES:
            return shortened_to(vector, self.count, kind)
        return t.Call(f"convert_{self.vector(kind)}", (vector,))

    def of(self, node: t.Node) -> tuple[t.Node, str]:
        """Return an expression and the type of its lanes, empty where it is no vector. Raises RefusedError."""
        match node:
            case t.Number():
                return node, ""
            case t.Name(text=text):
                if text in self.known and not self._moves(node) and self._own(node):
                    return self.of(self.known[text])
                if text == self.variable or (text in self.known and self._moves(node)):
                    return self._counted(text)
                return node, self._kind_of(text) if text in self.vectors else ""
            case t.Index():
                return self._element(node)
            case t.Member(base=t.Index() as element) if kind := self.posed.part_of(node):
                return self._part(node, element, kind)
            case t.Binary(op=op, left=left, right=right):
                return self._binary(op, left, right)
            case t.Unary(op="-" | "+" | "~" as op, value=value):
                inner, own = self.of(value)
                return t.Unary(op, inner), own
            case t.Call(function=function, arguments=arguments):
                return self._call(function, arguments)
            case t.Cast() if (made := self._cast(node)) is not None:
                return made
        if self.differs(node):
            return chosen(self, node)
        return node, ""

    def _cast(self, node: t.Cast) -> tuple[t.Node, str] | None:
        """Return a cast, None of one that has no form for vectors."""
        kind, value, wanted = node.type, node.value, named(self.posed.plain(node.type))
        if isinstance(value, t.Name) and self.mixed and self._counts(value, kind):
            return t.Vector(
                self.vector(wanted), tuple(t.Cast(kind, self.lane(value, at)) for at in range(self.count))
            ), wanted
        inner, own = self.of(value)
        if not own:
            return t.Cast(kind, inner), ""
        if wanted == own or (self.mixed and calculated(wanted) in REALS | WHOLES):
            return self.rounded(self._converted(inner, own, calculated(wanted)), wanted), calculated(wanted)
        return None

    def _counts(self, name: t.Name, kind: str) -> bool:
        """Tell a work-item's number, or one that is calculated of it, that is converted to a number of which vectors are made."""
        moves = name.text not in self.vectors and self._moves(name)
        return moves and named(self.posed.plain(kind)) in REALS | WHOLES

    def _counted(self, name: str) -> tuple[t.Node, str]:
        """Return such a number lane by lane. Raises RefusedError."""
        kind = self._declared(name)
        if not self.mixed or kind not in WHOLES | {ULONG} or self._written(name) != kind:
            raise RefusedError(f"{name} is used as a number of a type of which no vectors are made here")
        return t.Vector(self.vector(kind), tuple(self.lane(t.Name(name), lane) for lane in range(self.count))), kind

    def rounded(self, made: t.Node, kind: str) -> t.Node:
        """Return a vector of the type in which C calculates with a kind, as what is left of it in that kind."""
        return self._converted(self._shortened(made, kind), kind, calculated(kind)) if kind in PROMOTED else made

    def _shortened(self, made: t.Node, kind: str) -> t.Node:
        """Return a vector of ``int`` in a shorter type: the last bits, as processors keep them."""
        return t.Call(f"convert_{self.vector(kind.replace('unsigned ', 'u'))}", (made,))

    def _kind_of(self, name: str) -> str:
        """Return the type of the lanes of a variable that is a vector."""
        kind = self._declared(name) if self.mixed else self.kind or "float"
        if kind not in REALS | WHOLES:
            raise RefusedError(f"the type of {name} is not known, or has no vectors")
        return kind

    def differs(self, node: t.Node) -> bool:
        """Tell whether a value may differ between lanes, through however many variables."""
        names, seen = t.names_in(node), set[str]()
        while names:
            if names & self.vectors or self.variable in names:
                return True
            seen |= names
            names = {one for name in names if name in self.known for one in t.names_in(self.known[name])} - seen
        return False

    def _moves(self, node: t.Node) -> bool:
        return algebra.depends(algebra.polynomial(node, self.known), self.variable)

    def stride(self, element: t.Index) -> algebra.Polynomial | None:
        """Return how far an element moves from lane to lane. Raises RefusedError where that depends on data."""
        if t.names_in(element.index) & self.vectors:
            raise RefusedError("an index depends on computed values")
        return algebra.stride(algebra.polynomial(element.index, self.known), self.variable)

    def computed(self, element: t.Index) -> bool:
        """Tell whether an index depends on values that are calculated or read lane by lane."""
        if not self.mixed or self._own(element.index):
            return self.mixed
        read = [one for one in t.walk(followed(element.index, self.known)) if isinstance(one, t.Index)]
        return any(self._moves(one.index) or self._own(one.index) for one in read) and self._moves(element.index)

    def _own(self, node: t.Node) -> bool:
        """Tell whether a value is calculated of vectors."""
        return bool(t.names_in(followed(node, self.known)) & self.vectors)

    def place(self, element: t.Index) -> t.Node:
        """Return the address of an element."""
        return t.Unary("&", element)

    def _element(self, node: t.Index) -> tuple[t.Node, str]:
        if not isinstance(node.base, t.Name) or self.posed.function.argument(node.base.text) is None:
            if self._moves(node) or t.names_in(node) & self.vectors:
                raise RefusedError("it reads an array of its own in lanes")
            return node, ""
        stride = None if (computed := self.computed(node)) else self.stride(node)
        if stride == {}:
            return node, ""
        element = self.posed.type_of(node.base.text)
        kind = calculated(element)
        if kind not in (REALS | WHOLES if self.mixed else {self.kind} if self.kind else REALS):
            raise RefusedError(f"elements of {node.base.text} are {element}: vectors of one type of numbers are made")
        self.kind = self.kind or kind
        if stride == algebra.ONE:
            load = t.Call(f"vload{self.count}", (t.Number("0"), self.place(node)))
            return load if element not in PROMOTED else t.Call(f"convert_{self.vector(kind)}", (load,)), kind
        if stride is None and not computed:
            raise RefusedError(f"the index of {node.base.text} does not move evenly")
        return t.Vector(self.vector(kind), tuple(self.lane(node, lane) for lane in range(self.count))), kind

    def _part(self, node: t.Node, element: t.Index, kind: str) -> tuple[t.Node, str]:
        """Return a component of an element that is a short vector: neighbours are put together one by one."""
        stride = self.stride(element)
        if stride == {}:
            return node, ""
        if stride is None or not self.mixed:
            raise RefusedError("components of short vectors do not move evenly")
        kind = calculated(kind)
        self.kind = self.kind or kind
        return t.Vector(self.vector(kind), tuple(self.lane(node, lane) for lane in range(self.count))), kind

    def stored(self, target: t.Index, made: t.Node, own: str) -> t.Node:
        """Return a value as a vector of the elements of an array."""
        element = self.element(target)
        fitting = self.fit(made, own, calculated(element))
        return self._shortened(fitting, element) if element in PROMOTED else fitting

    def element(self, target: t.Index) -> str:
        """Return the type of an array's elements by its short name."""
        if not isinstance(target.base, t.Name):
            raise RefusedError("it writes an array that is no parameter")
        return named(self.posed.type_of(target.base.text))

    def lane(self, node: t.Node, lane: int) -> t.Node:
        """Return an expression as one lane of the vector computes it: the loop's variable is moved on by the lane's number."""
        moved = t.Binary("+", t.Name(self.variable), t.Number(str(lane)))
        differing = [name for name in self.known if self._moves(t.Name(name)) or self._own(t.Name(name))]
        inner = followed(node, {name: self.known[name] for name in differing})
        own = {name: component(t.Name(name), lane) for name in t.names_in(inner) & self.vectors}
        return t.renamed(inner, {**own, **({self.variable: moved} if lane else {})})

    def _binary(self, op: str, left: t.Node, right: t.Node) -> tuple[t.Node, str]:
        a, kind_a = self.of(left)
        b, kind_b = self.of(right)
        if not kind_a and not kind_b:
            return t.Binary(op, a, b), ""
        kind = self.common((a, kind_a), (b, kind_b))
        if op in _SHIFTS:  # the left side alone says in which type C shifts
            kind = kind_a if kind in WHOLES else ""
        if (op not in "+-*/" and (op not in _BITS or kind not in WHOLES)) or (kind == ULONG and op not in "+-*"):
            raise RefusedError(f"{op} has no form for vectors here")
        return t.Binary(op, self.side(a, kind_a, kind), self.side(b, kind_b, kind)), kind

    def common(self, *sides: tuple[t.Node, str]) -> str:
        """Return the type in which C calculates with several values."""
        kinds = {kind for _, kind in sides if kind}
        if kinds & REALS and not self.mixed:
            return self.kind or "float"
        scalars = {self.scalar(node) for node, kind in sides if not kind}
        if "double" in scalars:
            return "double"
        if not kinds & REALS:
            if not scalars <= {"int", "uint", "float", ULONG}:
                raise RefusedError("a part of a calculation with whole numbers is not known to be int, uint or float")
            kinds |= scalars
        return next(kind for kind in ("double", "float", ULONG, "uint", "int") if kind in kinds)

    def side(self, node: t.Node, own: str, kind: str) -> t.Node:
        """Return one side of a calculation as a vector of the type in which C calculates."""
        return self._converted(node, own, kind) if own else self._spread(node, kind)

    def compared(self, node: t.Node) -> tuple[t.Node, str]:
        """Return a condition lane by lane, and the type in which it compares. Raises RefusedError."""
        node = spelled(node)
        if isinstance(node, t.Unary) and node.op == "!" and asks(node.value):
            made, kind = self.compared(node.value)
            return t.Unary("~", made), kind
        if not isinstance(node, t.Binary) or not asks(node):
            raise RefusedError("a condition is no comparison")
        if node.op in BOTH:
            (left, kind), (right, other) = self.compared(node.left), self.compared(node.right)
            if (kind in LONG) != (other in LONG):
                left, right, kind = self.mask_for(left, kind, "int"), self.mask_for(right, other, "int"), "int"
            return t.Binary(BOTH[node.op], left, right), kind
        sides = [self.of(side) for side in (node.left, node.right)]
        kind = self.common(*sides)
        if kind != "double" and any(self.scalar(side) == "double" for side, own in sides if not own):
            raise RefusedError("it compares in double precision")
        return t.Binary(node.op, *(self.side(side, own, kind) for side, own in sides)), kind

    def branch(self, node: t.If) -> t.Body:
        """Return a branch that only assigns variables as choices of each lane. Raises RefusedError."""
        condition, compared = self.compared(node.condition)
        yes, no = assigned(node.yes), assigned(node.no)
        if yes is None or no is None:
            raise RefusedError(f"the branch of line {node.line} does more than assign")
        mask = t.Name(fresh("chosen", node))
        made = (
            *(self._selected(one, mask, compared) for one in yes),
            *(self._selected(one, mask, compared, otherwise=True) for one in no),
        )
        if len(made) < 2 or not t.written_in(*node.yes, *node.no) & t.names_in(node.condition):
            return tuple(t.renamed(one, {mask.text: condition}) for one in made)
        kind = self.vector("long" if compared in LONG else "int")
        return (t.Block((t.Declare(kind, (t.Declared(mask.text, condition),)), *made)),)

    def _selected(self, assign: t.Assign, mask: t.Node, compared: str, *, otherwise: bool = False) -> t.Node:
        """Return an assignment that only the chosen lanes make, or only the others."""
        target, kind = self.of(assign.target)
        changed, own = self.joined(assign)
        if {kind, own} & {*WHOLES, ULONG} and any(map(divides, t.walk(assign))):
            raise RefusedError("a whole number that is divided by zero ends a program, chosen or not")
        value = self.kept(assign.target, self.fit(changed, own, kind))
        pair = (value, target) if otherwise else (target, value)
        return t.Do(t.Assign("=", assign.target, t.Call("select", (*pair, self.mask_for(mask, compared, kind)))))

    def mask_for(self, condition: t.Node, compared: str, kind: str) -> t.Node:
        """Return a condition of lanes as wide as what it compares, with lanes as wide as what it chooses."""
        if (kind in LONG) == (compared in LONG):
            return condition
        return t.Call("convert_" + self.vector("long" if kind in LONG else "int"), (condition,))

    def _spread(self, node: t.Node, kind: str) -> t.Node:
        if isinstance(node, t.Number) and kind == "float" and DOUBLE.match(node.text):
            raise RefusedError(f"{node.text} is a constant of double precision")
        return t.Vector(self.vector(kind), (node,))

    def scalar(self, node: t.Node) -> str:
        """Return the type that C has for what is the same in all lanes; empty where it is not known."""
        match node:
            case t.Number(text=text) if SINGLE.match(text):
                return "float"
            case t.Number(text=text) if LITERAL.match(text) or UNSIGNED.match(text):
                return "uint" if text[-1] in "uU" or UNSIGNED.match(text) else "int"
            case t.Name(text=text):
                return "float" if CONSTANT.match(text) else self._declared(text)
            case t.Index(base=t.Name(text=text)) if self.posed.function.argument(text) is not None:
                return calculated(self.posed.type_of(text))
            case t.Member() if kind := self.posed.part_of(node):
                return calculated(kind)
            case t.Unary(op="-" | "+", value=value):
                return self.scalar(value)
            case t.Cast(type=kind):
                return calculated(self.posed.plain(kind))
            case t.Binary(op=op, left=left, right=right) if op in "+-*/" or op in _BITS:
                kinds = {self.scalar(left), self.scalar(right)}
                if ULONG in kinds <= {*WHOLES, ULONG} and op in "+-*":
                    return ULONG
                if not kinds <= WHOLES or (op in _SHIFTS and len(kinds) > 1):
                    return "float" if kinds <= {"int", "uint", "float"} and op in "+-*/" else ""
                return "uint" if "uint" in kinds else "int"
        return ""

    def _declared(self, name: str) -> str:
        """Return the type in which C calculates with a variable, empty where it has none or several."""
        return calculated(self._written(name))

    def kept(self, variable: t.Node, made: t.Node) -> t.Node:
        """Return what is left of a vector in a variable."""
        return self.rounded(made, self._written(variable.text)) if isinstance(variable, t.Name) else made

    def _written(self, name: str) -> str:
        """Return the type with which a variable is declared, empty where it has none or several."""
        argument = self.posed.function.argument(name)
        kinds = {argument.type} if argument is not None and not argument.pointer else set()
        kinds |= types_in(self.posed.function.body).get(name, set())
        if not kinds and name in self.posed.constants:
            return "int"
        return named(self.posed.plain(kinds.pop())) if len(kinds) == 1 else ""

    def _call(self, function: str, arguments: t.Body) -> tuple[t.Node, str]:
        if function == "sincos" and len(arguments) == 2:
            return self._sines(*arguments)
        made = [self.of(argument) for argument in arguments]
        kinds = {kind for _, kind in made if kind}
        if not kinds:
            return t.Call(function, tuple(one for one, _ in made)), ""
        if len(made) == 1 and function in {f"convert_{kind}" for kind in (kinds if not self.mixed else REALS | WHOLES)}:
            kind = function.removeprefix("convert_")
            return self._converted(*made[0], kind), kind
        if len(made) == 1 and self.mixed and kinds <= {"float", "int", "uint"} and (short := shortened(function)):
            return t.Call("convert_" + self.vector("int"), (t.Call(short.format(self.count), (made[0][0],)),)), "int"
        kind = self.common(*made)
        if function == "abs" and self.mixed and kinds == {kind} and kind in WHOLES:
            return t.Call(function, (made[0][0],)), "uint"
        if function not in (_WHOLE if kind in WHOLES else ELEMENTWISE) or kinds != {kind} or kind == ULONG:
            raise RefusedError(f"{function} has no form for vectors here")
        return t.Call(function, tuple(self.side(one, own, kind) for one, own in made)), kind

    def _sines(self, angle: t.Node, cosine: t.Node) -> tuple[t.Node, str]:
        """Return the sine, with the cosine in a vector of the same type."""
        made, kind = self.of(angle)
        place = cosine.value if isinstance(cosine, t.Unary) and cosine.op == "&" else None
        if kind not in REALS or not isinstance(place, t.Name) or self.of(place)[1] != kind:
            raise RefusedError("sincos has no form for vectors here")
        return t.Call("sincos", (made, cosine)), kind
