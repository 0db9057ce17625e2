"""What a group loads into local memory is read where it came from, and its work-items become those of the whole grid.

What it changes: a tile's element becomes the element of global memory that was put there, barriers go, and groups with places in
them become numbers of the whole grid, from which blocks of results can be made.
When it applies: the size of a group is known; each local array is filled by one statement, element by element, from memory that the
kernel does not write; work-items use their places for nothing else.
What it costs: loads that a processor without caches would make again and again. A CPU's runtime pays for every barrier with a loop
over the group, and local memory is memory like all other there.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import grid, staged
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError, shape


def apply(posed: Posed, _value: int | str) -> Posed:
    """Undo the staging."""
    if not posed.group:
        raise RefusedError("the size of its groups is not known")
    if not _grouped(posed.function.body):
        raise RefusedError("it asks for no place within a group")
    reader = grid.Grid(posed.group, posed.constants, posed.extents)
    body = reader.named(posed.function.body)
    shared = tuple(name for name in staged.arrays(posed.function) if _shared(name, body, reader, posed))
    body = staged.unstaged(body, shared, reader)
    body = tuple(reader.whole(statement) for statement in body)
    body = _declared(body, len(posed.group), reader)
    made = replace(posed.with_body(body), group=(), regrouped=True)
    shape(made.function)
    return made


def _grouped(body: t.Body) -> bool:
    asked = {node.function for node in t.walk(*body) if isinstance(node, t.Call)}
    return bool(asked & {"get_local_id", "get_group_id"})


def _shared(name: str, body: t.Body, reader: grid.Grid, posed: Posed) -> bool:
    """Tell whether an array is the group's: one of local memory, or one that is filled place by place."""
    if posed.function.argument(name) is not None:
        return True
    elements = [node for node in t.walk(*body) if isinstance(node, t.Index) and t.names_in(node.base) == {name}]
    return any(reader.moves(one.index) for one in elements)


def _declared(body: t.Body, dimensions: int, reader: grid.Grid) -> t.Body:
    """Return statements with the numbers that they use, without variables that nobody reads any more."""
    kept = body
    for _ in range(len(reader.known) + 1):
        used = t.names_in(*kept)
        rest = tuple(_without(one, used, reader) for one in kept)
        made = tuple(statement for statement in rest if statement is not None)
        if made == kept:
            break
        kept = made
    used = t.names_in(*kept)
    numbers = [(one, grid.NUMBER.format(one)) for one in range(dimensions)]
    heads = (
        t.Declare("int", (t.Declared(name, t.Call("get_global_id", (t.Number(str(one)),))),))
        for one, name in numbers
        if name in used
    )
    return (*heads, *kept)


def _without(node: t.Node, used: set[str], reader: grid.Grid) -> t.Node | None:
    if isinstance(node, t.Declare):
        names = tuple(declared for declared in node.names if declared.name in used or declared.name not in reader.known)
        return replace(node, names=names) if names else None
    if isinstance(node, t.For | t.Block):
        return replace(node, body=_all(node.body, used, reader))
    if isinstance(node, t.If):
        return replace(node, yes=_all(node.yes, used, reader), no=_all(node.no, used, reader))
    return node


def _all(body: t.Body, used: set[str], reader: grid.Grid) -> t.Body:
    return tuple(made for statement in body if (made := _without(statement, used, reader)) is not None)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that fill local memory, or ask for places."""
    apply(posed, 1)
    return tuple(sorted({line for node in t.walk(*posed.function.body) if (line := _touched(node))}))


def _touched(node: t.Node) -> int:
    """Return the line of a statement that meets, or asks for a place; 0 of another."""
    if not isinstance(node, t.Do | t.Declare):
        return 0
    calls = {one.function for one in t.walk(node) if isinstance(one, t.Call)}
    return node.line if calls & (staged.MEETING | {"get_local_id", "get_group_id"}) else 0


_BEFORE = """__attribute__((reqd_work_group_size(16, 16, 1)))
__kernel void product(__global const float *a, __global const float *b, __global float *c, int n, int m, int l) {
    __local float left[16][16], right[16][16];
    int x = get_local_id(0), y = get_local_id(1);
    int column = get_group_id(0) * 16 + x;
    int row = get_group_id(1) * 16 + y;
    float sum = 0.0f;
    for (int p = 0; p < l; p += 16) {
        left[y][x] = a[row * l + p + x];
        right[y][x] = b[(p + y) * n + column];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int k = 0; k < 16; k++) {
            sum += left[y][k] * right[k][x];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    c[row * n + column] = sum;
}
"""
_AFTER = """__kernel void product(__global const float *a, __global const float *b, __global float *c, int n, int m, int l) {
    int item_0 = get_global_id(0);
    int item_1 = get_global_id(1);
    float sum = 0.0f;
    for (int p = 0; p < l; p += 16) {
        for (int k = 0; k < 16; k++) {
            sum += a[l * item_1 + k + p] * b[k * n + n * p + item_0];
        }
    }
    c[n * item_1 + item_0] = sum;
}
"""
_TWICE = _BEFORE.replace("left[y][x] = a[row * l + p + x];", "left[y][x] = a[row * l + p + x]; left[y][0] = 0.0f;")

REWRITE = Rewrite(
    name="local-staging",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (0.7, 4.0),
    order=5,
    examples=(Example(_BEFORE, _AFTER, sizes="n=64,m=48,l=32", grid="n,m"), Example(_TWICE, "")),
    twin=("k * n + n * p + item_0", "k * n + n * p + item_1"),
)
