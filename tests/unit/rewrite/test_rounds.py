"""Rounds of a loop as vectors: what they write and read again."""

import pytest

from hotloop.rewrite import catalogue, expand, parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError


def made(body: str) -> str:
    text = (
        "__kernel void f(__global const float *x, __global float *y, int n, int m) {\n"
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
        made(f"for (int k = 0; k < m; k++) {{ {round_} }}")
