"""Loops over a group's places: which places do what between two meetings."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed

HEAD = "__kernel void f(__global const float *x, __global float *y, int n, int r)"
TAIL = "barrier(CLK_LOCAL_MEM_FENCE); float m = p[l]; for (int k = 1; k < r; k++) { m += p[l + k]; } y[i] = m;"


def shown(fill, how):
    body = f"__local float p[96]; int l = get_local_id(0), i = get_global_id(0); {fill} {TAIL}"
    function = parse.functions(f"{HEAD} {{ {body} }}")[0]
    made = rewritten(Posed(function, (t.Name("n"),), {}, group=(32,)), {"place-loops": how})
    return " ".join(" ".join(write.statements(made.function.body, "", "")).split())


@pytest.mark.parametrize("how", ["outer", "inner"])
@pytest.mark.parametrize(
    ("fill", "first"),
    [
        ("if (l < r) { p[l] = x[i]; }", True),
        ("float v = x[i]; if (l < r) { p[l] = v; }", True),
        ("p[l + r] = x[i]; if (l < r) { p[l] = x[i - r]; }", False),
        ("for (int k = l; k < 96; k += 32) { p[k] = x[k]; } if (l < r) { p[l] = x[i - r]; }", False),
    ],
)
def test_what_the_first_places_do_besides_bounds_their_loop_where_it_is_all(fill, first, how):
    text = shown(fill, how)
    assert ("for (size_t place = 0; place < 32 && (int)place < r; place++)" in text) == first
    assert ("if (l < r) {" in text) != first
