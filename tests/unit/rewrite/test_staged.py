"""What a group puts into local memory is read where it came from, in texts of spellings beside the examples of the rewrite."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

FILTER = """__kernel void f(__global const float *x, __global const float *w, __global float *y, int n) {
    __local float k[25];
    int i = get_global_id(0), j = get_global_id(1), l = get_local_id(1) * 16 + get_local_id(0);
    if (l < 25) k[l] = w[l];
    barrier(CLK_LOCAL_MEM_FENCE);
    float s = 0.0f;
    for (int a = 0; a < 25; a++) s += k[a] * x[j * n + i + a];
    y[j * n + i] = s;
}
"""
CHUNKS = """__kernel void f(__global const float *x, __global float *y, __local float *t, int n) {
    int i = get_global_id(0), l = get_local_id(0), L = get_local_size(0);
    float s = 0.0f;
    for (int k = 0; k < n / L; k++) {
        t[l] = x[k * L + l];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (int j = 0; j < L; j++) s += t[j] * y[i];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[i] = s;
}
"""


STENCIL = """__kernel void f(__global const int *x, __global int *y, int radius, __local int *t) {
    int g = get_global_id(0) + radius, l = get_local_id(0) + radius, size = get_local_size(0), s = 0;
    t[l] = x[g];
    if (get_local_id(0) < radius) {
        t[l - radius] = x[g - radius];
        t[l + size] = x[g + size];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int o = -radius; o <= radius; o++) s += t[l + o];
    y[g] = s;
}
"""


HALO = """__kernel void f(__global const float *x, __global float *y, int n) {
    __local float t[66];
    int l = get_local_id(0), i = get_global_id(0);
    float s = 0.0f;
    for (int k = 0; k < n; k++) {
        t[l + 1] = x[64 * k + i + 1];
        if (l < 1) {
            t[l] = x[64 * k + i];
            t[l + 65] = x[64 * k + i + 65];
        }
        barrier(CLK_LOCAL_MEM_FENCE);
        s += t[l] + t[l + 2];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    y[i] = s;
}
"""


def made(text, *group):
    posed = Posed(parse.functions(text)[0], tuple(t.Name("n") for _ in group), {}, group=group)
    return " ".join("\n".join(write.statements(rewritten(posed, {"local-staging": 1}).function.body, "", "")).split())


def test_places_that_fill_in_one_line():
    assert "s += (a < 25 ? w[a] : 0) * x[n * item_1 + a + item_0];" in made(FILTER, 16, 16)
    assert "s += (a < 25 ? w[a] : 0) * x[n * item_1 + a + item_0];" in made(FILTER, 16, 16, 1)


def test_a_size_that_is_declared_beside_places_is_still_declared():
    assert "int L = 64;" in made(CHUNKS, 64)


def test_loops_that_begin_alike_in_all_groups_keep_their_numbers():
    text = made(STENCIL, 64)
    assert "for (int o = -radius; o <= radius; o++) { s += x[item_0 + o + radius]; }" in text
    assert "y[item_0 + radius] = s;" in text


@pytest.mark.parametrize("condition", ["l < 1 && k == 0", "l < 1 && x[k] > 0", "l < n - k"])
def test_what_a_round_does_not_fill_is_that_of_the_round_before(condition):
    assert "s += x[item_0 + 64 * k] + x[item_0 + 64 * k + 2];" in made(HALO, 64)
    with pytest.raises(RefusedError):
        made(HALO.replace("l < 1", condition), 64)
