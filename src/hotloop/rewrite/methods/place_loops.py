"""One work-item does what a group did: between two barriers a loop over the places.

What it changes: ``get_local_id`` becomes a loop's variable, barriers go, and what a place keeps across a barrier gets an element of an array,
or is calculated again. Local memory stays what it is, in groups of one work-item, which counts there without atomic functions.
When it applies: groups of a known size that meet at barriers, in loops and branches that are the same for all of them.
What it costs: a group's work is one item's, too little to go round where there are few groups. A runtime that runs places one after another
does the same by itself, but for every statement and with all variables kept; it makes no vectors where barriers are in loops.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from hotloop.rewrite import tree as t
from hotloop.rewrite.components.counters import each_in_its_head
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.groups.apart import PLACES, alike
from hotloop.rewrite.groups.counts import plain
from hotloop.rewrite.groups.fission import Fission
from hotloop.rewrite.groups.places import meets, waits
from hotloop.rewrite.shape import RefusedError

OUTER, INNER = "outer", "inner"
"""Where the loops over the places are: around loops that are the same for all places, or within them."""


def apply(posed: Posed, value: int | str) -> Posed:
    """Make the statements of a group one item's."""
    dimensions = len(posed.extents) or len(posed.group)
    if prod(posed.group) < 2 or prod(posed.group[dimensions:]) > 1:
        raise RefusedError("its groups are of no known size")
    posed = replace(posed, group=(*posed.group, 1, 1)[:dimensions])
    if not any(map(meets, posed.function.body)):
        raise RefusedError("its places do not meet")
    if set(PLACES) & (t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)):
        raise RefusedError(f"it has a variable that is called {PLACES[0]}")
    body = tuple(t.changed(one, lambda node: _asked(node, posed)) for one in each_in_its_head(posed.function.body))
    parts = Fission(posed, body, inner=value == INNER)
    if value == OUTER and not alike(parts.body):
        raise RefusedError("it has no loop but those in which its places meet, or which differ between them")
    made = parts.made()
    ends = tuple(_divided(end, size) for end, size in zip(posed.extents, posed.group, strict=False))
    made = plain(posed, tuple(one for one in made if not waits(one)))
    return replace(posed.with_body(made), group=(), regrouped=True, extents=ends, lone=True, apart=True)


def _asked(node: t.Node, posed: Posed) -> t.Node | None:
    """Return what a question about a work-item's place becomes."""
    if not isinstance(node, t.Call):
        return None
    if node.function in {helper.function.name for helper in posed.helpers} and _asks(node.function, posed):
        raise RefusedError(f"{node.function} asks for a place")
    if not node.function.startswith("get_") or node.function in ("get_group_id", "get_num_groups", "get_work_dim"):
        return None
    at = node.arguments[0] if len(node.arguments) == 1 else None
    if not isinstance(at, t.Number) or at.text not in "012":
        raise RefusedError(f"it asks for {node.function}")
    wide = (*posed.group, 1, 1, 1)[int(at.text)]
    size = t.Cast("size_t", t.Number(str(wide)))
    place: t.Node = t.Name(PLACES[int(at.text)]) if wide > 1 else t.Cast("size_t", t.Number("0"))
    match node.function:
        case "get_local_id":
            return place
        case "get_local_size" | "get_enqueued_local_size":
            return size
        case "get_global_id":
            return t.Binary("+", t.Binary("*", t.Call("get_group_id", (at,)), size), place)
        case "get_global_size":
            return t.Binary("*", t.Call("get_num_groups", (at,)), size)
    raise RefusedError(f"it asks for {node.function}")


def _asks(name: str, posed: Posed) -> bool:
    """Tell whether a function of the text asks for a place, or lets places meet, itself or by one that it calls."""
    waiting, seen = [name], set[str]()
    while waiting:
        seen.add(one := waiting.pop())
        bodies = [helper.function.body for helper in posed.helpers if helper.function.name == one]
        calls = {node.function for body in bodies for node in t.walk(*body) if isinstance(node, t.Call)}
        if any(call.startswith("get_") for call in calls) or any(meets(node) for body in bodies for node in body):
            return True
        waiting += sorted(calls - seen)
    return False


def _divided(extent: t.Node, by: int) -> t.Node:
    if by == 1:
        return extent
    return t.Binary("/", t.Binary("+", extent, t.Number(str(by - 1))), t.Number(str(by)))


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where the group meets."""
    apply(posed, INNER)
    found = [inner for inner in t.walk(*posed.function.body) if waits(inner) and isinstance(inner, t.Do)]
    return tuple(sorted({one.line for one in found if one.line}))


def gain(_posed: Posed) -> tuple[float, float]:
    """Return what was seen: loops that the compiler makes vectors of, and variables that are no arrays."""
    return (1.0, 5.0)


_BEFORE = """__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void smoothed(__global const float *x, __global float *y, __local float *a, int steps) {
    int l = get_local_id(0);
    float first = x[get_global_id(0)];
    a[l] = first;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 0; s < steps; s++) {
        float other = a[63 - l];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] = 0.5f * (a[l] + other);
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[get_global_id(0)] = a[l] - first;
}
"""
_AFTER = """__kernel __attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(1, 1, 1))) void smoothed(__global const float *x, __global float *y, __local float *a, int steps) {
    float first_each[64];
    for (size_t place = 0; place < 64; place++) {
        int l = place;
        first_each[place] = x[get_group_id(0) * (size_t)64 + place];
        a[l] = first_each[place];
    }
    for (int s = 0; s < steps; s++) {
        float other_each[64];
        for (size_t place = 0; place < 64; place++) {
            int l = place;
            other_each[place] = a[63 - l];
        }
        for (size_t place = 0; place < 64; place++) {
            int l = place;
            a[l] = 0.5f * (a[l] + other_each[place]);
        }
    }
    for (size_t place = 0; place < 64; place++) {
        int l = place;
        y[get_group_id(0) * (size_t)64 + place] = a[l] - first_each[place];
    }
}
"""
_TILES = """__attribute__((reqd_work_group_size(8, 4, 1)))
__kernel void turned(__global const float *x, __global float *y, int n) {
    __local float tile[4][8];
    float sums[2] = {0.0f, 0.0f}, last;
    int i = get_local_id(0), j = get_local_id(1), row = 0;
    x += get_global_id(1) * n;
    for (int k = 0; k < n; k += 8, row++) {
        tile[j][i] = x[k + i];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int m = 0; m < 8; m++)
            sums[m % 2] += tile[j][m] * row;
        last = tile[3 - j][7 - i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (get_global_id(0) >= n) return;
    y[get_global_id(1) * n + get_global_id(0)] = sums[0] - sums[1] + last;
}
"""
_TILES_AFTER = """__kernel __attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(1, 1, 1))) void turned(__global const float *x, __global float *y, int n) {
    __local float tile[4][8];
    int row = 0;
    float sums_each[2][32];
    float last_each[32];
    for (size_t place_1 = 0; place_1 < 4; place_1++) {
        for (size_t place = 0; place < 8; place++) {
            sums_each[0][place_1 * 8 + place] = 0.0f;
            sums_each[1][place_1 * 8 + place] = 0.0f;
        }
    }
    for (int k = 0; k < n; k += 8) {
        for (size_t place_1 = 0; place_1 < 4; place_1++) {
            for (size_t place = 0; place < 8; place++) {
                int i = place;
                int j = place_1;
                __global const float *x_own = x + (get_group_id(1) * (size_t)4 + place_1) * n;
                tile[j][i] = x_own[k + i];
            }
        }
        for (int m = 0; m < 8; m++) {
            for (size_t place_1 = 0; place_1 < 4; place_1++) {
                for (size_t place = 0; place < 8; place++) {
                    int j = place_1;
                    sums_each[m % 2][place_1 * 8 + place] += tile[j][m] * row;
                }
            }
        }
        for (size_t place_1 = 0; place_1 < 4; place_1++) {
            for (size_t place = 0; place < 8; place++) {
                int i = place;
                int j = place_1;
                last_each[place_1 * 8 + place] = tile[3 - j][7 - i];
            }
        }
        row++;
    }
    for (size_t place_1 = 0; place_1 < 4; place_1++) {
        for (size_t place = 0; place < 8; place++) {
            if (get_group_id(0) * (size_t)8 + place < n) {
                y[(get_group_id(1) * (size_t)4 + place_1) * n + (get_group_id(0) * (size_t)8 + place)] = sums_each[0][place_1 * 8 + place] - sums_each[1][place_1 * 8 + place] + last_each[place_1 * 8 + place];
            }
        }
    }
}
"""
_FIRST = """__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void first(__global const float *x, __global float *y, __local float *a, int n) {
    uint l = get_local_id(0);
    a[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l < n) {
        y[get_group_id(0) * n + l] = a[63 - l];
    }
}
"""
_FIRST_AFTER = """__kernel __attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(1, 1, 1))) void first(__global const float *x, __global float *y, __local float *a, int n) {
    for (size_t place = 0; place < 64; place++) {
        uint l = place;
        a[l] = x[get_group_id(0) * (size_t)64 + place];
    }
    for (size_t place = 0; place < 64 && (uint)place < n; place++) {
        uint l = place;
        y[get_group_id(0) * n + l] = a[63 - l];
    }
}
"""
_WITHIN = """__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void within(__global const float *x, __global float *y, __local float *a, int n) {
    int i = get_global_id(0), l = get_local_id(0);
    if (i < n) {
        for (int k = l; k < 128; k += 64) a[k] = x[k];
        barrier(CLK_LOCAL_MEM_FENCE);
        float sum = 0.0f;
        for (int k = 0; k < 128; k++) sum += a[k] * x[i];
        if (l <= n / 2 && sum > 0.0f) y[i] = sum;
    }
}
"""
_WITHIN_AFTER = """__kernel __attribute__((vec_type_hint(float4))) __attribute__((reqd_work_group_size(1, 1, 1))) void within(__global const float *x, __global float *y, __local float *a, int n) {
    {
        for (size_t place = 0; place < 64; place++) {
            int i = get_group_id(0) * (size_t)64 + place;
            int l = place;
            if (i < n) {
                for (int k = l; k < 128; k += 64) {
                    a[k] = x[k];
                }
            }
        }
        float sum_each[64];
        for (size_t place = 0; place < 64; place++) {
            int i = get_group_id(0) * (size_t)64 + place;
            if (i < n) {
                sum_each[place] = 0.0f;
            }
        }
        for (int k = 0; k < 128; k++) {
            for (size_t place = 0; place < 64; place++) {
                int i = get_group_id(0) * (size_t)64 + place;
                if (i < n) {
                    sum_each[place] += a[k] * x[i];
                }
            }
        }
        for (size_t place = 0; place < 64; place++) {
            int i = get_group_id(0) * (size_t)64 + place;
            int l = place;
            if (i < n) {
                if (l <= n / 2 && sum_each[place] > 0.0f) {
                    y[i] = sum_each[place];
                }
            }
        }
    }
}
"""
_DIFFERS = _BEFORE.replace("s < steps", "s < l")
_ALONE = _BEFORE.replace("barrier(CLK_LOCAL_MEM_FENCE);", "")
_LEAVES = _BEFORE.replace("float other", "if (a[l] > 9.0f) return; float other")
_JUMPS = _BEFORE.replace("float other", "if (a[l] > 9.0f) break; float other")

REWRITE = Rewrite(
    name="place-loops",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.BITS,
    values=("off", OUTER, INNER),
    apply=apply,
    lines=lines,
    gain=gain,
    order=6,
    examples=(
        Example(_BEFORE, _AFTER, INNER, sizes="a=64,steps=3", grid="256"),
        Example(_TILES, _TILES_AFTER, INNER, sizes="n=64", grid="64,64"),
        Example(_FIRST, _FIRST_AFTER, INNER, sizes="a=64,n=9", grid="256"),
        Example(_WITHIN, _WITHIN_AFTER, INNER, sizes="a=128,n=256,x=256", grid="256"),
        Example(_FIRST, "", OUTER),
        Example(_DIFFERS, "", INNER),
        Example(_ALONE, "", INNER),
        Example(_LEAVES, "", INNER),
        Example(_JUMPS, "", INNER),
    ),
    twin=("= a[63 - l]", "= a[l]"),
)
"""Groups of work-items that meet, as one item."""
