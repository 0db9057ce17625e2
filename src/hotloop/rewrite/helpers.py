"""A kernel's own functions put in where it calls them: what they read and write of its arrays is looked at, never written back."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache

from hotloop.rewrite import parse
from hotloop.rewrite import tree as t
from hotloop.rewrite.blocks import pointed
from hotloop.rewrite.form import Helper

_DEEP = 4
"""Depth of calls up to which the body of a helper function replaces its call."""
_LARGEST = 4_000
"""Nodes of a body beyond which no further call is replaced."""
_RETURN = re.compile(r"^return\b(.*);$", re.DOTALL)


def inlined(function: t.Function, helpers: tuple[t.Function, ...]) -> t.Function:
    """Return a kernel with the statements of the functions that it calls before each call; itself where it calls none of them.

    A function that only returns an expression becomes that expression. Values of others stay calls.
    """
    by_name = {helper.name: helper for helper in helpers}
    if not by_name.keys() & _called(function.body):
        return function
    return replace(function, body=_Inliner(by_name).body(function.body))


def places(body: t.Body, helpers: tuple[t.Function, ...]) -> t.Body:
    """Return statements in which functions that only say where a work-item is are that expression."""
    pointing = {
        function.name: function
        for function in helpers
        if not any(a.pointer for a in function.arguments) and _says_place(function)
    }
    inliner = _Inliner(pointing)
    return tuple(inliner.plain(node) for node in body) if pointing.keys() & _called(body) else body


def _says_place(helper: t.Function) -> bool:
    """Tell a function that is one expression of work-items' numbers, or of other such functions."""
    real = [statement for statement in helper.body if not t.is_comment(statement)]
    value = returned(real[0]) if len(real) == 1 else None
    calls = [] if value is None else [node for node in t.walk(value) if isinstance(node, t.Call)]
    return any(call.function.startswith("get_") for call in calls) and not any(
        isinstance(node, t.Index) for node in t.walk(value or t.Text(""))
    )


def _called(body: t.Body) -> set[str]:
    return {node.function for node in t.walk(*body) if isinstance(node, t.Call)}


@lru_cache(maxsize=32)
def typed(text: str, functions: tuple[t.Function, ...]) -> tuple[Helper, ...]:
    """Return functions of a text with the types that they return, those left out of which it is not to be seen.

    >>> text = "static inline float half_of(float x) { return x / 2; }"
    >>> typed(text, parse.helpers(text))[0].kind
    'float'
    """
    made = []
    for function in functions:
        before = re.search(rf"([\w\s]+?)\s+{re.escape(function.name)}\s*$", text[: function.head[0]])
        words = before.group(1).split("\n")[-1].split() if before else []
        kind = " ".join(word for word in words if word not in _LINKAGE)
        if kind and kind not in ("else", "return") and re.fullmatch(r"(?:unsigned |signed )?\w+", kind):
            made.append(Helper(function, kind))
    return tuple(made)


_LINKAGE = ("static", "inline", "const", "__inline", "extern", "__attribute__", "__inline__")


@dataclass(slots=True)
class _Inliner:
    known: Mapping[str, t.Function]
    depth: int = 0
    count: list[int] = field(default_factory=lambda: [0])
    done: set[t.Node] = field(default_factory=set)
    """Calls whose functions were put in: what they do with pointers is seen there."""

    def body(self, body: t.Body) -> t.Body:
        return tuple(made for node in body for made in self.statement(node))

    def statement(self, node: t.Node) -> Iterator[t.Node]:
        match node:
            case t.Block():
                yield replace(node, body=self.body(node.body))
            case t.If():
                yield from self.before(node.condition)
                yield replace(
                    node, condition=self.plain(node.condition), yes=self.body(node.yes), no=self.body(node.no)
                )
            case t.For():
                head = [one for one in (node.first, node.condition, node.step) if one is not None]
                inner = (*(made for one in head for made in self.before(one)), *self.body(node.body))
                condition = None if node.condition is None else self.plain(node.condition)
                yield replace(node, condition=condition, body=inner)
            case _:
                yield from self.before(node)
                yield self.plain(node)

    def plain(self, node: t.Node) -> t.Node:
        """Return a node in which functions that are one expression are that expression."""

        def change(one: t.Node) -> t.Node | None:
            if not isinstance(one, t.Call):
                return None
            if one in self.done:
                pairs = zip(self.known[one.function].arguments, one.arguments, strict=True)
                return t.Call(one.function, tuple(self.plain(value) for to, value in pairs if not to.pointer))
            if (inlined := self.expression(one)) is None:
                return None
            return replace(self, depth=self.depth + 1).plain(inlined) if self.depth < _DEEP else inlined

        return t.changed(node, change)

    def expression(self, call: t.Call) -> t.Node | None:
        """Return the expression that a call stands for, where its function is nothing else."""
        function = self.known.get(call.function)
        if function is None or len(function.arguments) != len(call.arguments) or self.depth > _DEEP:
            return None
        real = [statement for statement in function.body if not t.is_comment(statement)]
        value = returned(real[0]) if len(real) == 1 else None
        if value is None:
            return None
        names = {one.name: given for one, given in zip(function.arguments, call.arguments, strict=True)}
        return t.changed(t.renamed(value, names), element_of)

    def before(self, node: t.Node) -> Iterator[t.Node]:
        """Yield the statements of the functions that an expression calls."""
        if self.depth > _DEEP or self.count[0] > _LARGEST:
            return
        for call in t.walk(node):
            if isinstance(call, t.Call) and call.function in self.known and self.expression(call) is None:
                yield from self.put_in(call)

    def put_in(self, call: t.Call) -> Iterator[t.Node]:
        function = self.known[call.function]
        if len(function.arguments) != len(call.arguments):
            return
        self.done.add(call)
        self.count[0] += sum(1 for _ in t.walk(*function.body))
        own = t.declared_in(*function.body) | {argument.name for argument in function.arguments}
        names: dict[str, t.Node] = {name: t.Name(f"{name}__{self.count[0]}") for name in own}
        given = tuple(
            t.Declare(one.type, (t.Declared(f"{one.name}__{self.count[0]}", value, "*" if one.pointer else ""),))
            for one, value in zip(function.arguments, call.arguments, strict=True)
        )
        statements = tuple(t.renamed(made, names) for statement in function.body for made in _plain(statement))
        yield t.Block((*given, *replace(self, depth=self.depth + 1).body(statements)))


def element_of(node: t.Node) -> t.Node | None:
    """Return ``(a + i)[k]`` as the element that it is; None of another expression."""
    if not isinstance(node, t.Index) or isinstance(node.base, t.Name | t.Index):
        return None
    element = pointed(node.base)
    index = t.changed(node.index, element_of)
    return None if element is None else t.Index(element.base, t.Binary("+", element.index, index))


def _plain(node: t.Node) -> tuple[t.Node, ...]:
    """Return a statement in which what is returned is an expression, so that it is looked at."""
    match node:
        case t.Text(text=text) if text.startswith("return"):
            value = returned(node)
            return (t.Text("return;"),) if value is None else (t.Do(value), t.Text("return;"))
        case t.If():
            return (replace(node, yes=_all(node.yes), no=_all(node.no)),)
        case t.For() | t.Block():
            return (replace(node, body=_all(node.body)),)
    return (node,)


def _all(body: t.Body) -> t.Body:
    return tuple(made for statement in body for made in _plain(statement))


def returned(node: t.Node) -> t.Node | None:
    """Return the expression behind ``return``, None of another statement or of what is no expression."""
    match = _RETURN.match(node.text.strip()) if isinstance(node, t.Text) and not node.comment else None
    if match is None or not match.group(1).strip():
        return None
    value = parse.expression(" ".join(match.group(1).split()))
    return None if isinstance(value, t.Text) else value
