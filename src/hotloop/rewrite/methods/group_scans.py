"""One work-item does what a group did, where the group's running sums go through local memory in steps.

When it applies: groups of a known size along one dimension that put values into local memory, add up there between barriers in whatever
order, and read what is there. The places are followed one by one on sums instead of numbers; where every element that is read afterwards is
the sum over a range that grows with it (a scan, of all up to it or of all before it) or the sum of all, a loop in order takes the place of the steps.

What it costs: real numbers are added in another order, in double precision, as one after another would be rounded more often; a group's work is
one item's, too little to go round where there are few groups. Steps in which each place works need many times the additions, and a
runtime that runs places one after another pays for every barrier with a loop over the group.
"""

from __future__ import annotations

from math import log2

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.groups.alone import placed
from hotloop.rewrite.groups.places import waits
from hotloop.rewrite.groups.scans import Scans


def apply(posed: Posed, _value: int | str) -> Posed:
    """Make the statements of a group one item's."""
    return Scans(posed, placed(posed)).alone()


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines where the group meets."""
    apply(posed, 1)
    meets = [inner for inner in t.walk(*posed.function.body) if waits(inner) and isinstance(inner, t.Do)]
    return tuple(sorted({one.line for one in meets if one.line}))


def gain(posed: Posed) -> tuple[float, float]:
    """Return what is expected: up to twice the steps that there were."""
    return (1.2, 2.0 * log2(posed.group[0])) if posed.group and posed.group[0] > 2 else (1.0, 2.0)


_BEFORE = """__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void running(__global const float *x, __global float *y, __local float *a, __local float *b) {
    int l = get_local_id(0);
    a[l] = x[get_global_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 1; s < 64; s <<= 1) {
        b[l] = l >= s ? a[l] + a[l - s] : a[l];
        barrier(CLK_LOCAL_MEM_FENCE);
        __local float *c = a;
        a = b;
        b = c;
    }
    y[get_global_id(0)] = a[l];
}
"""
_AFTER = """__kernel __attribute__((vec_type_hint(float4))) void running(__global const float *x, __global float *y, __local float *a, __local float *b) {
    int group = get_global_id(0);
    float a_own[64];
    for (int place = 0; place < 64; place++) {
        a_own[place] = x[group * 64 + place];
    }
    double a_total = 0;
    for (int at = 0; at < 64; at++) {
        a_total += a_own[at];
        a_own[at] = a_total;
    }
    for (int place = 0; place < 64; place++) {
        y[group * 64 + place] = a_own[place];
    }
}
"""
_TREES = """__attribute__((reqd_work_group_size(32, 1, 1)))
__kernel void running(__global const int *x, __global int *y, __global int *sums) {
    __local int a[64];
    int l = get_local_id(0), g = get_group_id(0), step = 1, all;
    a[2 * l] = x[64 * g + 2 * l];
    a[2 * l + 1] = x[64 * g + 2 * l + 1];
    for (int d = 32; d > 0; d >>= 1) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) a[step * (2 * l + 2) - 1] += a[step * (2 * l + 1) - 1];
        step *= 2;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) { all = a[63]; a[63] = 0; }
    for (int d = 1; d < 64; d *= 2) {
        step >>= 1;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < d) {
            int left = a[step * (2 * l + 1) - 1];
            a[step * (2 * l + 1) - 1] = a[step * (2 * l + 2) - 1];
            a[step * (2 * l + 2) - 1] += left;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 0) sums[g] = all;
    y[64 * g + 2 * l] = a[2 * l];
    y[64 * g + 2 * l + 1] = a[2 * l + 1];
}
"""
_TREES_AFTER = """__kernel __attribute__((vec_type_hint(float4))) void running(__global const int *x, __global int *y, __global int *sums) {
    int group = get_global_id(0);
    int a[64];
    int g = group;
    for (int place = 0; place < 32; place++) {
        a[2 * place] = x[64 * g + 2 * place];
        a[2 * place + 1] = x[64 * g + 2 * place + 1];
    }
    int a_total = 0;
    for (int at = 0; at < 64; at++) {
        int held = a[at];
        a[at] = a_total;
        a_total += held;
    }
    sums[g] = a_total;
    for (int place = 0; place < 32; place++) {
        y[64 * g + 2 * place] = a[2 * place];
        y[64 * g + 2 * place + 1] = a[2 * place + 1];
    }
}
"""
_KEEPS = """__attribute__((reqd_work_group_size(64, 1, 1)))
__kernel void running(__global int *x, __global int *sums, __global int *last, int n) {
    __local int a[64];
    int i = get_global_id(0), l = get_local_id(0);
    int v = i < n ? x[i] : 0;
    a[l] = v;
    for (int s = 1; s < 64; s *= 2) {
        int t = 0;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l >= s) t = a[l - s];
        barrier(CLK_LOCAL_MEM_FENCE);
        a[l] += t;
    }
    if (l == 0) sums[get_group_id(0)] = 7;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (l == 63) last[get_group_id(0)] = a[63];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < n) x[i] = a[l] - v;
}
"""
_KEEPS_AFTER = """__kernel __attribute__((vec_type_hint(float4))) void running(__global int *x, __global int *sums, __global int *last, int n) {
    int group = get_global_id(0);
    int a[64];
    int v_each[64];
    for (int place = 0; place < 64; place++) {
        v_each[place] = group * 64 + place < n ? x[group * 64 + place] : 0;
        a[place] = v_each[place];
    }
    int a_total = 0;
    for (int at = 0; at < 64; at++) {
        a_total += a[at];
        a[at] = a_total;
    }
    sums[group] = 7;
    for (int place = 0; place < 64; place++) {
        if (place == 63) {
            last[group] = a[63];
        }
    }
    for (int place = 0; place < 64; place++) {
        if (group * 64 + place < n) {
            x[group * 64 + place] = a[place] - v_each[place];
        }
    }
}
"""
_STORES = (
    _TREES.replace("{ all = a[63]; a[63] = 0; }", "{ sums[g] = a[63]; a[63] = 0; }")
    .replace("    if (l == 0) sums[g] = all;\n", "")
    .replace(", all;", ";")
)
_RACE = _BEFORE.replace("b[l] = l", "a[l] = l")
_PRODUCT = _BEFORE.replace("a[l] + a[l - s]", "a[l] * a[l - s]")
_SHORT = _BEFORE.replace("s < 64", "s < 32")
_EARLY = _BEFORE.replace("    barrier(CLK_LOCAL_MEM_FENCE);\n    for", "    for")

REWRITE = Rewrite(
    name="group-scans",
    text=__doc__,
    technique="bypass-local",
    keeps=Keeps.ROUNDING,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=gain,
    order=4,
    examples=(
        Example(_BEFORE, _AFTER, sizes="a=64,b=64", grid="256"),
        Example(_TREES, _TREES_AFTER, grid="128"),
        Example(_KEEPS, _KEEPS_AFTER),
        Example(_STORES, _TREES_AFTER),
        Example(_RACE, ""),
        Example(_PRODUCT, ""),
        Example(_SHORT, ""),
        Example(_EARLY, ""),
    ),
    twin=("at = 0; at < 64", "at = 0; at < 63"),
)
"""Groups of work-items that add up running sums, as one item."""
