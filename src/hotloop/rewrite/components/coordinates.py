"""Short vectors of whole numbers, such as the ``int2`` of a pixel's place, as one variable for each component.

An index that is calculated with such vectors is a polynomial only in their components: lengths of arrays, bounds and strides are seen
in these. Vectors of data, ``float4`` for instance, stay what they are.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial, reduce

from hotloop.rewrite import tree as t
from hotloop.rewrite.conditions import acts

_KIND = re.compile(r"^(?:const )?(u?(?:char|short|int|long))([234])(?: const)?$")
_WIDE = ("int", "uint", "long", "ulong")
"""Types with which components calculate as numbers of their own do; shorter ones would be widened."""
_NUMBER = re.compile(r"^(?:const )?(?:signed )?(?:(unsigned)(?: (int|long))?|(u?(?:int|long)))(?: const)?$")
_LETTERS = "xyzw"
_EACH = ("min", "max", "clamp")
"""Functions that do the same with each component, also where one side is a number."""
_ORDERS = ("<", "<=", ">", ">=", "==", "!=")
_JOINS = {"all": "&&", "any": "||"}
"""What a question about all components of a comparison is, component by component."""


class _StaysError(Exception):
    """A vector is used in a way that has no form component by component."""


def apart(body: t.Body, arguments: tuple[t.Argument, ...] = ()) -> t.Body:
    """Return statements of a function with such vectors as variables; the same object where they have none."""
    kinds, given = _declared(body, {argument.name for argument in arguments}), _given(body, arguments)
    while kinds:
        try:
            return _Apart(kinds, _numbers(body, arguments), given).all(body)
        except _StaysError as reason:
            kinds = {name: kind for name, kind in kinds.items() if name != str(reason)}
    return body


def _given(body: t.Body, arguments: tuple[t.Argument, ...]) -> dict[str, tuple[str, int]]:
    """Return base type and length of the parameters that are such vectors and that nothing hides, by name."""
    hidden = {one.name for node in t.walk(*body) if isinstance(node, t.Declare) for one in node.names}
    kinds = {one.name: _KIND.match(one.type) for one in arguments if not one.pointer and one.name not in hidden}
    return {name: (kind.group(1), int(kind.group(2))) for name, kind in kinds.items() if kind}


def _numbers(body: t.Body, arguments: tuple[t.Argument, ...]) -> Mapping[str, str]:
    """Return the variables that are numbers of one of the wide types wherever they are declared, with that type."""
    kinds: dict[str, set[str]] = {one.name: {_wide(one.type, plain=not one.pointer)} for one in arguments}
    for node in t.walk(*body):
        if isinstance(node, t.Declare):
            for one in node.names:
                kinds.setdefault(one.name, set()).add(_wide(node.type, plain=not one.pointer and not one.extents))
    return {name: min(known) for name, known in kinds.items() if len(known) == 1 and known != {""}}


def _wide(kind: str, *, plain: bool) -> str:
    """Return which of the wide types a type is; empty: none.

    >>> [_wide(kind, plain=True) for kind in ("const int", "unsigned", "unsigned long", "ulong", "size_t", "short")]
    ['int', 'uint', 'ulong', 'ulong', '', '']
    """
    found = _NUMBER.match(kind) if plain else None
    if found is None:
        return ""
    return f"u{found[2] or 'int'}" if found[1] else found[3]


def _declared(body: t.Body, others: set[str]) -> dict[str, tuple[str, int]]:
    """Return base type and length of the vectors of whole numbers that may come apart, by name."""
    found: dict[str, set[tuple[str, int]]] = {name: {("", 0)} for name in others}
    for node in t.walk(*body):
        if isinstance(node, t.Declare):
            kind = _KIND.match(node.type)
            for one in node.names:
                whole = kind is not None and not one.pointer and not one.extents
                found.setdefault(one.name, set()).add(
                    (kind.group(1), int(kind.group(2))) if kind and whole else ("", 0)
                )
    taken = t.names_in(*body) | found.keys()
    unread = " ".join(inner.text for inner in t.walk(*body) if isinstance(inner, t.Text) and not inner.comment)
    made: dict[str, tuple[str, int]] = {}
    for name, kinds in found.items():
        (base, count), *more = kinds
        names = {f"{name}_{letter}" for letter in _LETTERS[:count]}
        if base and not more and not names & taken and not re.search(rf"\b{name}\b", unread):
            made[name] = (base, count)
    return made


@dataclass(slots=True)
class _Apart:
    kinds: Mapping[str, tuple[str, int]]
    numbers: Mapping[str, str]
    """Variables that are whole numbers of one of the wide types, with that type."""
    given: Mapping[str, tuple[str, int]]
    """Parameters that are such vectors: their components have names of their own already."""

    def all(self, body: t.Body) -> t.Body:
        """Return statements component by component. Raises _StaysError with the name of a vector that stays."""
        made = tuple(new for node in body for new in self.statement(node))
        return body if len(made) == len(body) and all(a is b for a, b in zip(made, body, strict=True)) else made

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Declare(names=names) if any(one.name in self.kinds for one in names):
                yield from self._declaration(node)
            case t.Do(value=t.Assign(target=t.Name(text=name)) as assign) if name in self.kinds:
                yield from self._assigned(node, assign, name)
            case t.For() | t.Block():
                yield self._with(node, body=self.all(node.body))
            case t.If():
                yield self._with(node, yes=self.all(node.yes), no=self.all(node.no))
            case _:
                yield self.number(node)

    def _with(self, node: t.Node, **bodies: t.Body) -> t.Node:
        """Return a statement with other statements in it, and what stands in its head component by component."""
        heads = {
            name: self.number(one)
            for name in ("first", "condition", "step")
            if isinstance(one := getattr(node, name, None), t.Node)
        }
        new = {name: one for name, one in {**bodies, **heads}.items() if one is not getattr(node, name)}
        return replace(node, **new) if new else node  # type: ignore[type-var]

    def number(self, node: t.Node) -> t.Node:
        """Return an expression that is no such vector, with components as variables."""

        def change(one: t.Node) -> t.Node | None:
            if (asked := self._asked(one)) is not None:
                return asked
            if isinstance(one, t.Member) and isinstance(one.base, t.Name) and one.base.text in self.kinds:
                return self._component(one, one.base.text)
            if (
                isinstance(one, t.Name | t.Declared)
                and (name := getattr(one, "text", getattr(one, "name", ""))) in self.kinds
            ):
                raise _StaysError(name)
            return None

        return t.changed(node, change)

    def _asked(self, node: t.Node) -> t.Node | None:
        """Return what ``all`` or ``any`` ask of a comparison of vectors, component by component; None of all else."""
        match node:
            case t.Call(function="all" | "any" as word, arguments=(t.Binary(op=op, left=left, right=right),)) if (
                op in _ORDERS and (name := next((one for one in self.kinds if one in t.names_in(node)), ""))
            ):
                parts = [
                    t.Binary(op, *(self._side(one, place, name) for one in (left, right)))
                    for place in range(self.kinds[name][1])
                ]
                # What stands behind && or || is not always reached, and shorter numbers would be compared as wider ones.
                if self.kinds[name][0] not in _WIDE or any(acts(one) for one in t.walk(*parts)):
                    raise _StaysError(name)
                return reduce(partial(t.Binary, _JOINS[word]), parts)
        return None

    def _component(self, node: t.Member, name: str) -> t.Node:
        letter = {f"s{place}": letter for place, letter in enumerate(_LETTERS)}.get(node.field.lower(), node.field)
        if node.dot != "." or letter not in _LETTERS[: self.kinds[name][1]] or len(letter) != 1:
            raise _StaysError(name)
        return t.Name(f"{name}_{letter}")

    def _declaration(self, node: t.Declare) -> Iterator[t.Node]:
        base = re.sub(r"[234](?= |$)", "", node.type)
        for variable in node.names:
            if variable.name not in self.kinds:
                yield replace(node, names=(self.number(variable),))  # type: ignore[arg-type]
                continue
            for letter, value in zip(_LETTERS, self._values(variable.value, variable.name), strict=False):
                yield replace(node, type=base, names=(t.Declared(f"{variable.name}_{letter}", value),))

    def _assigned(self, node: t.Do, assign: t.Assign, name: str) -> Iterator[t.Node]:
        if assign.op not in ("=", "+=", "-=", "*=") or (assign.op != "=" and self.kinds[name][0] not in _WIDE):
            raise _StaysError(name)
        values = self._values(assign.value, name, inner=assign.op != "=")
        targets = [t.Name(f"{name}_{letter}") for letter in _LETTERS[: len(values)]]
        for place, value in enumerate(values):
            if value is None or {one.text for one in targets[:place]} & t.names_in(value):
                raise _StaysError(name)
        for target, value in zip(targets, values, strict=True):
            assert value is not None
            yield replace(node, value=t.Assign(assign.op, target, value))

    def _values(self, value: t.Node | None, name: str, *, inner: bool = False) -> list[t.Node | None]:
        """Return the components of a value that a vector gets."""
        count = self.kinds[name][1]
        if value is None:
            return [None] * count
        if inner and not self._whole(value, name):
            return [self._each(value, name, once=False) for _ in range(count)]
        return [self._part(value, place, name, inner=inner) for place in range(count)]

    def _part(self, node: t.Node, place: int, name: str, *, inner: bool = False) -> t.Node:
        """Return one component of an expression for the vector of a name; `inner` within a calculation, where nothing else converts it."""
        base, count = self.kinds[name]
        match node:
            case t.Name(text=text) if text in self.kinds:
                if self.kinds[text] != self.kinds[name]:
                    raise _StaysError(name)
                return t.Name(f"{text}_{_LETTERS[place]}")
            case t.Name(text=text) if text in self.given:
                if self.given[text] != self.kinds[name]:
                    raise _StaysError(name)
                return t.Member(node, ".", _LETTERS[place])
            case t.Vector(type=kind, values=values) if kind == f"{base}{count}" and len(values) in (1, count):
                each = self._each(values[place if len(values) > 1 else 0], name, once=len(values) > 1)
                return t.Cast(base, each) if inner and not self._sure(each, base) else each
            case t.Table(values=values) if len(values) == count and not inner:
                return self._each(values[place], name, once=True)
            case t.Cast(type=kind, value=value) if kind == f"{base}{count}" and not self._whole(value, name):
                each = self._each(value, name, once=False)
                return each if self._sure(each, base) else t.Cast(base, each)
            case t.Binary(op="+" | "-" | "*" as op, left=left, right=right) if base in _WIDE:
                return t.Binary(op, *(self._side(one, place, name) for one in (left, right)))
            case t.Unary(op="-", value=value) if base in _WIDE:
                return t.Unary("-", self._part(value, place, name, inner=True))
            case t.Call(function=function, arguments=arguments) if function in _EACH and base in _WIDE:
                return t.Call(function, tuple(self._side(argument, place, name) for argument in arguments))
        raise _StaysError(name)

    def _side(self, node: t.Node, place: int, name: str) -> t.Node:
        """Return one component of a side of a calculation, which may be a number for all of them: that is converted to the vector's type first.

        Beside a number of the vector's type a plain literal is converted to it anyway.
        """
        if self._whole(node, name):
            return self._part(node, place, name, inner=True)
        base, each = self.kinds[name][0], self._each(node, name, once=False)
        literal = isinstance(each, t.Number) and each.text.isdigit()
        return each if literal or self._sure(each, base) else t.Cast(base, each)

    def _sure(self, node: t.Node, base: str) -> bool:
        """Tell whether a number is known to be of exactly a type: another one would be compared, divided or overflow otherwise."""
        match node:
            case t.Number(text=text):
                return text.isdigit() and base == "int"
            case t.Name(text=text):
                vector = self.kinds.get(text.rpartition("_")[0])
                return base in (self.numbers.get(text), vector[0] if vector else None)
            case t.Member(base=t.Name(text=text)):
                return self.given.get(text, ("", 0))[0] == base
            case t.Binary(op="+" | "-" | "*" | "/" | "%", left=left, right=right):
                return base in _WIDE and self._sure(left, base) and self._sure(right, base)
            case t.Unary(op="-", value=value):
                return base in _WIDE and self._sure(value, base)
        return False

    def _whole(self, node: t.Node, name: str) -> bool:
        """Tell whether an expression is a vector, False of a number."""
        match node:
            case t.Name(text=text):
                return text in self.kinds or text in self.given
            case t.Vector() | t.Table():
                return True
            case t.Member() | t.Number():
                return False
            case t.Cast(type=kind):
                return bool(_KIND.match(kind))
            case t.Binary(left=left, right=right):
                return self._whole(left, name) or self._whole(right, name)
            case t.Unary(value=value):
                return self._whole(value, name)
            case t.Call(function=function, arguments=arguments) if function in _EACH:
                return any(self._whole(argument, name) for argument in arguments)
            case t.Call(function=function) if function.startswith("get_"):
                return False
        raise _StaysError(name)

    def _each(self, node: t.Node, name: str, *, once: bool) -> t.Node:
        """Return a number that a component gets, converted as in a vector; one that changes something is no number for all."""
        made = self.number(node)
        if not once and any(acts(one) or (isinstance(one, t.Call) and not self._pure(one)) for one in t.walk(made)):
            raise _StaysError(name)
        return made

    def _pure(self, call: t.Call) -> bool:
        return call.function.startswith(("get_", "convert_")) or call.function in (*_EACH, "clamp", "abs")
