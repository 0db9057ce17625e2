"""Rounds of a loop as vectors: what they write and read again."""

import pytest

from hotloop.rewrite import catalogue, expand, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError


def made(body: str) -> str:
    text = (
        "__kernel void f(__global const float *x, __global float *y, int n, int m, __global int *t, __global const int *w) {\n"
        f"int i = get_global_id(0);\nfloat s = 0.0f;\n{body}\ny[i * m] = s;\n}}\n"
    )
    function = expand.read(text).known["f"]
    changed = catalogue.rewritten(Posed(function, (t.Name("n"),), parse.typedefs(text)), {"reduction-lanes": 4})
    return write.replaced(text, function, changed.function)


def test_what_a_round_wrote_is_not_loaded_again():
    text = made("for (int k = 0; k < m; k++) { y[i * m + k] = exp(x[k]); s += y[i * m + k]; }")
    assert "float4 written_0 = exp(vload4(0, &x[k]));" in text
    assert "vstore4(written_0, 0, &y[i * m + k]);" in text
    assert "s_lanes += written_0;" in text


@pytest.mark.parametrize(
    "round_",
    [
        "y[i * m + k] = x[k]; y[i * m + k] += 1.0f; s += x[k];",
        "y[i * m + k] = x[k]; s += y[i * m + k + 1];",
        "y[i * m + k] = x[k]; s += y[i * m];",
    ],
)
def test_a_round_that_writes_twice_or_reads_elsewhere_has_no_vectors(round_):
    with pytest.raises(RefusedError):
        made(f"int c = 0; for (int k = 0; k < m; k++) {{ {round_} }}")


def test_a_sum_that_a_round_uses_is_that_up_to_each_lane():
    text = made("for (int k = 0; k < m; k++) { s += x[k]; y[i * m + k] = s; }")
    assert "s_so_far += (float4)(0, s_so_far.s0, s_so_far.s1, s_so_far.s2);" in text
    assert "s_so_far += (float4)(0, 0, s_so_far.s0, s_so_far.s1);" in text
    assert "s_so_far += (float4)(s);" in text
    assert "s = s_so_far.s3;" in text, "the next vector goes on from the last lane"
    assert "vstore4(s_so_far, 0, &y[i * m + k]);" in text


def test_so_are_counts_and_places_of_an_array_that_another_array_names():
    text = made("int c = 0; for (int k = 0; k < m; k++) { c += w[k]; t[i * w[0] + k] = c; }")
    assert "int4 c_so_far = vload4(0, &w[k]);" in text
    assert "vstore4(c_so_far, 0, &t[i * w[0] + k]);" in text


def test_and_sums_of_some():
    text = made("for (int k = 0; k < m; k++) { if (x[k] > 0.0f) { s += x[k]; } y[i * m + k] = s; }")
    assert "float4 s_so_far = select((float4)(0.0f), vload4(0, &x[k]), vload4(0, &x[k]) > (float4)(0.0f));" in text


@pytest.mark.parametrize(
    "round_",
    [
        "y[i * m + k] = s; s += x[k];",
        "s += x[k]; y[i * m + k] = s; s += 1.0f;",
        "s += s * x[k]; y[i * m + k] = s;",
        "t[i * m + k] += 0.5f * x[k];",
        "c += w[k]; t[c + k] = w[k];",
    ],
)
def test_other_uses_of_a_sum_have_no_vectors(round_):
    with pytest.raises(RefusedError):
        made(f"int c = 0; for (int k = 0; k < m; k++) {{ {round_} }}")


@pytest.mark.parametrize(
    ("head", "asked"),
    [
        ("size_t k = n - 1; k < m", "k < m && k + 4 <= m"),
        ("int k = n; k < (uint)m", "k < (uint)m && k + 4 <= (uint)m"),
        ("int k = n; k < m", "; k + 4 <= m"),
    ],
)
def test_a_loop_that_begins_at_a_huge_number_has_no_round(head, asked):
    text = made(f"for ({head}; k++) {{ s += x[k]; }}")
    assert asked in text
    assert f"{head.partition(';')[0]};" in text, "the number keeps its type"
