from __future__ import annotations

import pytest

from hotloop.model.program import Program
from hotloop.verify.remnants.cleared import cleared

HEAD = "__kernel void k(__global float *x, __local float *given) { "


def text(source, times=1):
    made = cleared(Program("opencl", HEAD + source + " }"), times)
    return "" if made is None else made.source


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("__local float t[16][N + 1];", ["t"]),
        ("local int a[4], b; __local __attribute__((aligned(16))) float4 c[2];", ["a", "b", "c"]),
        ("__local volatile uint count;", ["count"]),
        ("float t[4]; __global float *local_sums;", []),
        ("__local float *at = given;", []),
        ("x[0] = p.local;", []),
    ],
)
def test_local_arrays_of_the_text_are_overwritten_where_they_are_declared(source, names):
    made = text(source)
    assert [f"&{name}, sizeof({name})" in made for name in names] == [True] * len(names)
    assert made.count("hotloop_clear((") == len(names)
    assert bool(made) is bool(names)


def test_a_macro_for_the_word_is_seen_through_and_twice_is_twice():
    source = "#define SHARED __local\n" + HEAD + "SHARED float t[4]; }"
    made = cleared(Program("opencl", source), 2)
    assert made is not None
    assert made.source.count("hotloop_clear((") == 2
    assert made.source.count("barrier(") == 1
    assert cleared(Program("cuda", "__local float t[4];"), 1) is None
    named = cleared(Program("opencl", HEAD + "L int t[4]; }", ("-DL=__local",)), 1)
    assert named is not None


def test_private_arrays_are_overwritten_too_where_they_have_no_values_and_structures_stay():
    source = (
        "typedef struct { float q[3]; } s; " + HEAD + "__local float t[4]; volatile float a[4][2], b[3]; float4 c[2]; "
        "float set[2] = {0}; int n; x[n] = 1; for (int i = 0; i < 3; ++i) { s d[2]; return; } }"
    )
    made, never = (cleared(Program("opencl", source), times) for times in (1, 0))
    assert made is not None
    assert [f"memset((void *)&{name}, 0x7f, sizeof({name}));" in made.source for name in ("a", "b", "c", "d")] == [
        True
    ] * 4
    assert made.source.count("__builtin_memset") == 4
    assert never is not None
    assert never.source.count("barrier(") == 1
    assert "memset" not in never.source
    assert "hotloop_clear((" not in never.source
