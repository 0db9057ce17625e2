"""What a group loads into local memory is read where it came from, and its work-items become those of the whole grid.

What it changes: a tile's element becomes the element of global memory that was put there, barriers go, and groups with places in
them become numbers of the whole grid, from which blocks of results can be made.
When it applies: the size of a group is known; each local array is filled by one statement, element by element, from memory that the
kernel does not write, also behind a condition (what nobody filled is 0), by several statements that agree on what belongs at each place (a
halo behind branches), in loops that the group shares (tiles with a halo, row by row or in one line), in a loop over elements of one's own, or by
one work-item for all; work-items use their places for nothing else, or square groups do
once both places are exchanged (tiles of a transpose).
What it costs: loads that a processor without caches would make again and again. A CPU's runtime pays for every barrier with a loop
over the group, and local memory is memory like all other there.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import grid, staged
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.counters import in_heads
from hotloop.rewrite.conditions import conjuncts
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError, shape

_LOCAL = re.compile(r"\b(?:__)?local\b")


def apply(posed: Posed, _value: int | str) -> Posed:
    """Undo the staging."""
    if not posed.group:
        raise RefusedError("the size of its groups is not known")
    if not _grouped(posed.function.body):
        raise RefusedError("it asks for no place within a group")
    unsigned = {one.name for one in posed.function.arguments if posed.plain(one.type) not in ("int", "short", "char")}
    filled = frozenset(staged.arrays(posed.function))
    reader = grid.Grid(
        posed.group,
        posed.constants,
        posed.extents,
        unsigned=frozenset(unsigned),
        values=posed.values,
        shared=filled,
    )
    body = reader.named(_once(in_heads(posed.function.body)))
    shared = tuple(name for name in staged.arrays(posed.function) if _shared(name, body, reader, posed))
    body = staged.unstaged(body, shared, reader)
    body = tuple(_known(statement, frozenset()) for statement in _whole(body, reader))
    body = _declared(body, len(posed.group), reader)
    made = replace(posed.with_body(body), group=(), regrouped=True)
    shape(made.function)
    return made


def _once(body: t.Body) -> t.Body:
    """Return statements in which a variable that gets another value among the outermost is another variable from there on."""
    kinds = {
        one.name: node.type for node in body if isinstance(node, t.Declare) for one in node.names if not one.extents
    }
    made: list[t.Node] = []
    for number, node in enumerate(body):
        match node:
            case t.Do(value=t.Assign(op="=", target=t.Name(text=name), value=value)) if name in kinds:
                fresh, rest = f"{name}_then", body[number + 1 :]
                if fresh in t.declared_in(*body) or name in t.written_in(*rest):
                    return body
                declared = t.Declare(kinds[name], (t.Declared(fresh, value),), node.line)
                return _once((*made, declared, *(t.renamed(one, {name: t.Name(fresh)}) for one in rest)))
        made.append(node)
    return body


def _whole(body: t.Body, reader: grid.Grid) -> t.Body:
    """Return statements by numbers of the whole grid; in square groups those may do it that have exchanged places."""
    try:
        return tuple(reader.whole(statement) for statement in body)
    except RefusedError:
        if len(reader.group) != 2 or reader.group[0] != reader.group[1]:
            raise
    first, second = (grid.PLACE.format(number) for number in range(2))
    turned: dict[str, t.Node] = {first: t.Name(second), second: t.Name(first)}
    reader.known = {name: t.renamed(value, turned) for name, value in reader.known.items()}
    return tuple(reader.whole(t.renamed(statement, turned)) for statement in body)


def _known(node: t.Node, holds: frozenset[t.Node]) -> t.Node:
    """Return a statement without questions whose answer a branch around them has given."""
    match node:
        case t.If(condition=condition, yes=yes, no=no):
            changed = t.written_in(*yes)
            inner = holds | {conjunct for conjunct in conjuncts(condition) if not t.names_in(conjunct) & changed}
            return replace(
                node, yes=tuple(_known(one, inner) for one in yes), no=tuple(_known(one, holds) for one in no)
            )
        case t.Block(body=body):
            return replace(node, body=tuple(_known(statement, holds) for statement in body))
    return t.changed(node, lambda one: _answered(one, holds))


def _answered(node: t.Node, holds: frozenset[t.Node]) -> t.Node | None:
    if isinstance(node, t.Choice) and holds.issuperset(conjuncts(node.condition)):
        return node.yes
    return None


def _grouped(body: t.Body) -> bool:
    asked = {node.function for node in t.walk(*body) if isinstance(node, t.Call)}
    return bool(asked & {"get_local_id", "get_group_id"})


def _shared(name: str, body: t.Body, reader: grid.Grid, posed: Posed) -> bool:
    """Tell whether an array is the group's: one of local memory, or one that is filled place by place."""
    if posed.function.argument(name) is not None:
        return True
    declared = (node for node in t.walk(*body) if isinstance(node, t.Declare) and _LOCAL.search(node.type))
    if any(variable.name == name for node in declared for variable in node.names):
        return True
    elements = [node for node in t.walk(*body) if isinstance(node, t.Index) and t.names_in(node.base) == {name}]
    return any(reader.moves(element.index) for element in elements)


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
    numbers = [(number, grid.NUMBER.format(number)) for number in range(dimensions)]
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
    calls = {inner.function for inner in t.walk(node) if isinstance(inner, t.Call)}
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
_TURNED = """__attribute__((reqd_work_group_size(16, 16, 1)))
__kernel void turn(__global const float *a, __global float *b, int n, int m) {
    __local float tile[16 * 17];
    int column = get_global_id(0), row = get_global_id(1);
    if (column < n && row < m) {
        int from = row * n + column;
        tile[get_local_id(1) * 17 + get_local_id(0)] = a[from];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    column = get_group_id(1) * 16 + get_local_id(0);
    row = get_group_id(0) * 16 + get_local_id(1);
    if (column < m && row < n) {
        b[row * m + column] = tile[get_local_id(0) * 17 + get_local_id(1)];
    }
}
"""
_TURNED_AFTER = """__kernel void turn(__global const float *a, __global float *b, int n, int m) {
    int item_0 = get_global_id(0);
    int item_1 = get_global_id(1);
    if (item_1 < m && item_0 < n) {
        b[m * item_0 + item_1] = a[n * item_1 + item_0];
    }
}
"""
_OBLONG = _TURNED.replace("size(16, 16, 1)", "size(16, 8, 1)")
_STALE = _BEFORE.replace("left[y][x] =", "if (p + x < l) left[y][x] =")
_TWICE = _BEFORE.replace("left[y][x] = a[row * l + p + x];", "left[y][x] = a[row * l + p + x]; left[y][0] = 0.0f;")

_HALO = """__attribute__((reqd_work_group_size(16, 8, 1)))
__kernel void blur(__global const float *a, __global float *b, int n, int m) {
    __local float tile[10][18];
    int x = get_local_id(0), y = get_local_id(1);
    for (int r = y; r < 10; r += 8) {
        int row = clamp((int)get_group_id(1) * 8 + r - 1, 0, m - 1);
        for (int c = x; c < 18; c += 16) {
            int column = clamp((int)get_group_id(0) * 16 + c - 1, 0, n - 1);
            tile[r][c] = a[row * n + column];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        sum += tile[y + i][x] + tile[y + i][x + 2];
    }
    b[get_global_id(1) * n + get_global_id(0)] = sum;
}
"""
_HALO_AFTER = """__kernel void blur(__global const float *a, __global float *b, int n, int m) {
    int item_0 = get_global_id(0);
    int item_1 = get_global_id(1);
    float sum = 0.0f;
    for (int i = 0; i < 3; i++) {
        sum += a[clamp(i + item_1 - 1, 0, m - 1) * n + clamp(item_0 - 1, 0, n - 1)] + a[clamp(i + item_1 - 1, 0, m - 1) * n + clamp(item_0 + 1, 0, n - 1)];
    }
    b[n * item_1 + item_0] = sum;
}
"""

_OWN = """__attribute__((reqd_work_group_size(8, 1, 1)))
__kernel void nearest(__global const float *a, __global const float *b, __global float *c, int n) {
    __local float own[8 * 4], all[12];
    int x = get_local_id(0), i = get_global_id(0);
    if (x == 0) {
        for (int k = 0; k < 12; k++) {
            all[k] = b[k];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 4; k++) {
        own[x * 4 + k] = a[k * n + i];
    }
    float most = 0.0f;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 4; k++) {
            most = fmax(most, own[x * 4 + k] * all[j * 4 + k]);
        }
    }
    c[i] = most;
}
"""
_OWN_AFTER = """__kernel void nearest(__global const float *a, __global const float *b, __global float *c, int n) {
    int item_0 = get_global_id(0);
    float most = 0.0f;
    for (int j = 0; j < 3; j++) {
        for (int k = 0; k < 4; k++) {
            most = fmax(most, a[k * n + item_0] * b[4 * j + k]);
        }
    }
    c[item_0] = most;
}
"""

_LINE = """__attribute__((reqd_work_group_size(16, 8, 1)))
__kernel void edge(__global const float *a, __global float *b, int n, int m) {
    __local float tile[10 * 18];
    int x = get_local_id(0), y = get_local_id(1), lane = get_local_id(1) * 16 + get_local_id(0);
    for (int p = lane; p < 180; p += 128) {
        int row = clamp((int)get_group_id(1) * 8 + p / 18 - 1, 0, m - 1);
        tile[p] = a[row * n + clamp((int)get_group_id(0) * 16 + p % 18 - 1, 0, n - 1)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    int i = get_global_id(0);
    if ((i & 1) == 0) {
        b[get_global_id(1) * n + i] = tile[y * 18 + x + 1] - tile[(y + 2) * 18 + x + 2];
    }
}
"""
_LINE_AFTER = """__kernel void edge(__global const float *a, __global float *b, int n, int m) {
    int item_0 = get_global_id(0);
    int item_1 = get_global_id(1);
    if ((item_0 & 1) == 0) {
        b[n * item_1 + item_0] = a[clamp(item_1 - 1, 0, m - 1) * n + clamp(item_0, 0, n - 1)] - a[clamp(item_1 + 1, 0, m - 1) * n + clamp(item_0 + 1, 0, n - 1)];
    }
}
"""
_BRANCHES = """__attribute__((reqd_work_group_size(16, 8, 1)))
__kernel void step(__global const float *a, __global float *b, __local float *tile, int n, int m, int pitch) {
    int i = get_global_id(0), j = get_global_id(1);
    int at = (get_local_id(1) + 1) * pitch + get_local_id(0) + 1;
    tile[at] = a[j * n + i];
    if (get_local_id(0) == 0 && i > 0) tile[at - 1] = a[j * n + i - 1];
    if (get_local_id(0) == 15 && i < n - 1) tile[at + 1] = a[j * n + i + 1];
    if (get_local_id(1) == 0 && j > 0) tile[at - pitch] = a[(j - 1) * n + i];
    if (get_local_id(1) == 7 && j < m - 1) tile[at + pitch] = a[(j + 1) * n + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i > 0 && i < n - 1 && j > 0 && j < m - 1) {
        b[j * n + i] = tile[at - 1] + tile[at + 1] - tile[at - pitch] * tile[at + pitch];
    }
}
"""
_BRANCHES_AFTER = """__kernel void step(__global const float *a, __global float *b, __local float *tile, int n, int m, int pitch) {
    int item_0 = get_global_id(0);
    int item_1 = get_global_id(1);
    if (item_0 > 0 && item_0 < n - 1 && item_1 > 0 && item_1 < m - 1) {
        b[n * item_1 + item_0] = a[n * item_1 + item_0 - 1] + a[n * item_1 + item_0 + 1] - a[n * item_1 + item_0 - n] * a[n * item_1 + item_0 + n];
    }
}
"""
_SIZES = "n=64,m=48,pitch=18,tile=180"

REWRITE = Rewrite(
    name="local-staging",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 6.0),
    order=5,
    examples=(
        Example(_BEFORE, _AFTER, sizes="n=64,m=48,l=32", grid="n,m"),
        Example(_TURNED, _TURNED_AFTER, sizes="n=48,m=32", grid="n,m"),
        Example(_OBLONG, ""),
        Example(_STALE, ""),
        Example(_TWICE, ""),
        Example(_HALO, _HALO_AFTER, sizes="n=64,m=48", grid="n,m"),
        Example(_HALO.replace("r += 8", "r += 4"), ""),  # every element is given by two
        Example(_HALO.replace("a[row * n + column]", "a[row * n + column] * x"), ""),  # by whom counts
        Example(_HALO.replace("int r = y", "int r = x"), ""),
        Example(_LINE, _LINE_AFTER, sizes="n=64,m=48", grid="n,m"),
        Example(_LINE.replace("p += 128", "p += 64"), ""),  # every element is given by two
        Example(_LINE.replace("* 18 + x + 2", "* 18 + x + 4"), ""),  # of some places the element is one of the next row
        Example(_LINE.replace("* 16 + get_local_id(0);", "* 8 + get_local_id(0);"), ""),
        Example(_OWN, _OWN_AFTER, sizes="n=64", grid="n"),
        Example(_BRANCHES, _BRANCHES_AFTER, sizes=_SIZES, grid="n,m"),
        Example(_BRANCHES.replace("n + i + 1]", "n + i + 2]"), "", sizes=_SIZES),  # another element than the rule's
        Example(_BRANCHES, "", sizes="n=64,m=48,pitch=17,tile=180"),  # its rows reach into the next ones
        Example(_BRANCHES, ""),  # nobody says how long its rows are
        Example(_OWN.replace("own[x * 4 + k] = a", "own[k] = a"), ""),  # by several, each another value
        Example(_OWN.replace("= b[k]", "= b[k + x]"), ""),
        Example(_OWN.replace("if (x == 0)", "if (x == 9)"), ""),
    ),
    twin=("k * n + n * p + item_0", "k * n + n * p + item_1"),
)
