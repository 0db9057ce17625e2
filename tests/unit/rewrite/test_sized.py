"""Parameters that are as large as a group stand for its size, where that was named for both, and only for rewrites that ask for it."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed
from hotloop.rewrite.groups.sized import sized
from hotloop.rewrite.shape import RefusedError

TEXT = """__kernel void turned(__global const float *x, __global float *y, __local float *tile, int n, int side) {
    int i = get_local_id(0), j = get_local_id(1);
    tile[j * side + i] = x[(get_group_id(1) * side + j) * n + get_group_id(0) * side + i];
    barrier(CLK_LOCAL_MEM_FENCE);
    y[(get_group_id(0) * side + j) * n + get_group_id(1) * side + i] = tile[i * side + j];
}
"""


def posed(**values):
    function = parse.functions(TEXT)[0]
    return Posed(function, (t.Name("n"), t.Name("n")), {}, group=(16, 16), values=values)


def test_a_parameter_that_is_as_large_as_a_group_is_its_size():
    made = rewritten(posed(n=64, side=16), {"local-staging": 1})
    text = " ".join("\n".join(write.statements(made.function.body, "", "")).split())
    assert "y[n * item_0 + item_1] = x[n * item_1 + item_0];" in text


@pytest.mark.parametrize("values", [{}, {"n": 64, "side": 8}], ids=["not named", "another size"])
def test_another_parameter_is_not(values):
    with pytest.raises(RefusedError):
        rewritten(posed(**values), {"local-staging": 1})


def test_one_that_changes_is_not():
    before = posed(n=64, side=16)
    body = (*before.function.body, t.Do(t.Postfix("++", t.Name("side"))))
    with pytest.raises(RefusedError):
        rewritten(before.with_body(body), {"local-staging": 1})


def test_the_length_of_what_is_computed_is_no_size_of_a_group():
    kernel = posed(n=16, side=16)
    made = sized(kernel).function.body
    assert "n" in t.names_in(*made)
    assert "side" not in t.names_in(*made)


CHANCE = """__kernel void rows(__global const float *x, __global float *y, __local float *part, int n, int k) {
    int row = get_group_id(0), place = get_local_id(0);
    float s = 0;
    WORK
    part[place] = s;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int half = get_local_size(0) / 2; half > 0; half /= 2) {
        if (place < half) part[place] += part[place + half];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (place == 0) y[row] = part[0];
}
"""


@pytest.mark.parametrize(
    ("work", "as_large"),
    [
        ("for (int j = 0; j < k; j++) s += x[get_global_id(0) * k + j];", False),
        ("for (int j = place; j < k; j += get_local_size(0)) s += x[row * k + j];", False),
        ("if (place < k) s = x[row * k + place];", False),
        ("int last = k - 1; s = x[row * k + min(place, last)]; if (last >= place) s *= 2;", False),
        ("s = x[(row + k) * n + place];", False),
        ("s = x[row * k + place];", True),
        ("int first = k * row; for (int j = 0; j < k; j++) s += x[(first + place) * n + j];", True),
    ],
)
def test_a_number_that_is_as_large_by_chance_is_no_size_of_a_group(work, as_large):
    function = parse.functions(CHANCE.replace("WORK", work))[0]
    kernel = Posed(function, (t.Name("n"),), {}, group=(64,), values={"n": 640, "k": 64})
    assert ("k" not in t.names_in(*sized(kernel).function.body)) == as_large


def test_a_size_without_a_sign_stays_one():
    function = parse.functions(TEXT.replace("int side", "uint side"))[0]
    kernel = Posed(function, (t.Name("n"), t.Name("n")), {}, group=(16, 16), values={"n": 64, "side": 16})
    assert t.Number("16u") in t.walk(*sized(kernel).function.body)
