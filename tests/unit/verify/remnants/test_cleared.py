from __future__ import annotations

import re

import pytest

from hotloop.model.program import Array, Launch, Local, Program, Value
from hotloop.verify.remnants.cleared import cleared, doubled
from hotloop.verify.remnants.text import OWN

HEAD = "__kernel void k(__global float *x, __local float *given) { "
CLEAR = f"{OWN}_clear((volatile __local uint *)"


def text(source):
    made = cleared(Program("opencl", HEAD + source + " }"), other=True)
    return "" if made is None else made.source


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("__local float t[16][N + 1];", ["t"]),
        ("local int a[4], b; __local __attribute__((aligned(16))) float4 c[2];", ["a", "b", "c"]),
        ("__local volatile uint count;", ["count"]),
        ("__lo\\\ncal float t[MAX(2, N)];", ["t"]),
        ("float t[4]; __global float *local_sums;", []),
        ("__local float *at = given;", []),
        ("x[0] = p.local;", []),
    ],
)
def test_local_arrays_of_the_text_are_overwritten_where_they_are_declared(source, names):
    made = text(source)
    assert [f"&{name}, sizeof({name})" in made for name in names] == [True] * len(names)
    behind = len(re.findall(rf"&{OWN}_behind_\w+, sizeof", made))
    assert (behind > 0) is bool(names)
    assert made.count(CLEAR) == len(names) + behind
    assert bool(made) is bool(names)


def test_a_macro_for_the_word_is_seen_through_and_the_two_texts_do_the_same_otherwise():
    source = "#define SHARED __local\n" + HEAD + "SHARED float t[4]; }"
    made, kept = (cleared(Program("opencl", source), other=other) for other in (True, False))
    assert made is not None
    assert kept is not None
    assert made.source.count(CLEAR) == 2  # of the array, and of what lies behind it
    assert made.source.count("barrier(") == 1
    assert made.source == kept.source
    apart = [cleared(Program("opencl", source), other=other, shared=False) for other in (True, False)]
    assert apart[0].source.replace("/ 4, true)", "/ 4, false)") == apart[1].source != apart[0].source
    assert cleared(Program("cuda", "__local float t[4];"), other=True) is None
    named = cleared(Program("opencl", HEAD + "L int t[4]; }", ("-DL=__local",)), other=True)
    assert named is not None


def test_local_memory_that_comes_as_an_argument_is_overwritten_before_anything_else():
    launch = Launch("k", (Array("x"), Local(64)), (8,))
    made = cleared(Program("opencl", HEAD + "x[0] = given[0]; }", launches=(launch,)), other=True)
    assert made is not None
    begun = HEAD.replace("given)", f"given, const uint {OWN}_clears)").rstrip()
    assert f"{begun} {CLEAR}given, 144u, {OWN}_clears); barrier(CLK_LOCAL_MEM_FENCE); x[0]" in " ".join(
        made.source.split()
    )


def test_both_programs_are_compiled_once_but_where_a_macro_makes_a_kernel():
    launch = Launch("k", (Array("x"), Local(64)), (8,))
    source = HEAD + "__local float t[4]; }\n#define K __kernel\nK void j(void) { __local int more[2]; }"
    plain, made = (
        [cleared(Program("opencl", text, launches=(launch,)), other=other) for other in (False, True)]
        for text in (source.partition("\n")[0], source)
    )
    assert plain[0].build_key == plain[1].build_key
    assert [one.launches[0].arguments[2:] for one in plain] == [(Value(how, "uint32"),) for how in range(2)]
    assert made[0].build_key != made[1].build_key
    assert made[1].launches[0].arguments == (Array("x"), Local(576))
    assert f"{OWN}_clears" not in made[1].source


def test_the_names_that_are_added_are_no_text_s_to_know_and_places_are_no_macros():
    made = text("__local float t[4];")
    assert (
        made.index("#undef get_local_id")
        < made.index("_clear(volatile")
        < made.index("pop_macro")
        < made.index(HEAD.partition(")")[0])
    )
    assert len(OWN) > len("hotloop_") + 8


def test_all_that_is_declared_in_plain_sight_is_there_twice():
    made = doubled(Program("opencl", HEAD + "__local float t[4][N], s; __typeof__(t) hidden; }"))
    assert made is not None
    assert f"__local float {OWN}_t[4][N];" in made.source
    assert f"__local float {OWN}_s;" in made.source
    assert f"{OWN}_hidden" not in made.source
    assert doubled(Program("opencl", HEAD + "}")) is None
