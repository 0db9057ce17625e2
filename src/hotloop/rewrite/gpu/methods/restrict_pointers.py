"""Parameters that are pointers promise that nothing else points there, and that what is only read stays as it is.

What it changes: ``float *a`` becomes ``const float *__restrict__ a`` where the kernel only reads it, ``float *__restrict__ a`` elsewhere.
When it applies: a pointer lacks the promise, and none is used other than by its elements. A program that passes one array twice must not have it.
What it costs: nothing. The compiler keeps loaded values over stores to other arrays, and loads through the read-only cache.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Keeps, Posed, Rewrite
from hotloop.rewrite.ranges import accesses
from hotloop.rewrite.shape import RefusedError


def apply(posed: Posed, value: int | str) -> Posed:
    """Apply it to all pointers."""
    del value
    function = posed.function
    pointers = {argument.name for argument in function.arguments if argument.pointer}
    elements = [access for statement in function.body for access in accesses(statement)]
    opaque = (node for node in t.walk(*function.body) if isinstance(node, t.Text) and not node.comment)
    if any(node.text.replace(" ", "") != "return;" for node in opaque):
        raise RefusedError("a statement of it has no form that is understood")
    if pointers & _bare(function.body):
        raise RefusedError("it uses a pointer other than by its elements")
    written = {one.base.text for one, stored, _ in elements if stored and isinstance(one.base, t.Name)}
    arguments = tuple(_promised(argument, written) if argument.pointer else argument for argument in function.arguments)
    if arguments == function.arguments:
        raise RefusedError("its pointers promise it already")
    return replace(posed, function=replace(function, arguments=arguments))


def _bare(body: t.Body) -> set[str]:
    """Return names that stand elsewhere than before an index."""
    names: set[str] = set()

    def visit(node: t.Node) -> None:
        for child in t.children(node):
            if isinstance(child, t.Name) and not (isinstance(node, t.Index) and child is node.base):
                names.add(child.text)
            visit(child)

    for statement in body:
        visit(statement)
    return names


def _promised(one: t.Argument, written: set[str]) -> t.Argument:
    const = () if one.name in written else ("const",)
    return replace(one, qualifiers=tuple(dict.fromkeys((*const, "restrict", *one.qualifiers))))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the line of the kernel's name."""
    return (posed.function.line,)


REWRITE = Rewrite(
    name="restrict-pointers",
    text=__doc__,
    package="hotloop.rewrite.gpu.methods",
    technique="path",
    keeps=Keeps.BITS,
    values=("off", "on"),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 1.2),
    order=30,
)
