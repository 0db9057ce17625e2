"""Sizes that an array of fixed length in the text cannot hold."""

import pytest

from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Record
from hotloop.verify.extents import extents, outgrown

ASKED = Problem("sort", Record(rows=24, n=512))
NAMED = [ASKED.replace(n=1024), ASKED.replace(n=2)]


def program(text, *options):
    return Program("opencl", text, options)


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        ("__local KEY a[MOST];", ("-DMOST=1024",), {1024}),
        ("#define T (4 * 8)\nfloat acc[T][2];", (), {32, 2, 64}),
        ("float acc[N], other[M + 1];", ("-DN=4",), {4}),
        ("__local float t[T + 2][T + 2];", ("-DT=8",), {10, 100}),
        ("x[5] = y[7]; return a[3];", (), set()),
        ("int z[f(3)]; int w[1 << 999];", (), set()),
        ("int v[A];", ("-DA=B", "-DB=A"), set()),
    ],
)
def test_lengths_are_read(text, options, found):
    assert extents(program(text, *options)) == found


def test_an_array_bounds_a_size_that_it_held_so_far():
    held = program("__local int a[1024];")
    assert outgrown(held, ASKED, ASKED.replace(n=65536), NAMED)
    assert not outgrown(held, ASKED, ASKED.replace(n=1023), NAMED)
    assert not outgrown(program("__local int a[4];"), ASKED, ASKED.replace(n=65536), NAMED)
    assert not outgrown(program("int i;"), ASKED, ASKED.replace(n=65536), NAMED)
