"""Declarations in the styles that people write: what rewrites see of them."""

import pytest

from hotloop.rewrite import expand
from hotloop.rewrite import tree as t
from hotloop.rewrite.shape import RefusedError, extents, shape

HEAD = "__kernel void f(__global const float *a, __global float *b, int n, int m) {"


def known(body, before=""):
    return expand.read(f"{before}\n{HEAD}{body}}}", filled=True).known["f"]


@pytest.mark.parametrize(
    ("before", "body"),
    [
        ("", "int l = get_local_id(0), g = get_global_id(0); if (g < n) b[g] = a[g];"),
        (
            "",
            "int g, k; float s; g = get_global_id(0); if (g >= n) return; s = 0; for (k = 0; k < m; k++) s += a[g * m + k]; b[g] = s;",
        ),
        ("", "size_t const g = get_global_id( 0 ) ; if ( g<n ) { b [ g ]=a [ g ] ; }"),
        ("#define ID get_global_id(0)", "const uint g = ID, k = 0; if (g < n) b[g] = a[g + k];"),
        ("int here(void) { return get_global_id(0); }", "int g = here(); if (g < n) b[g] = a[g];"),
        (
            "",
            "int l = get_local_id(0), g = get_group_id(0), L = get_local_size(0), i = g * L + l; if (i < n) b[i] = a[i];",
        ),
    ],
)
def test_a_work_items_number_is_found_however_it_is_declared(before, body):
    form = shape(known(body, before))
    assert [one.dimension for one in form.items] == [0]
    assert extents(form) == ((t.Name("n"),), True)


@pytest.mark.parametrize(
    ("before", "body"),
    [
        (
            "",
            "int2 p = (int2)(get_global_id(0), get_global_id(1)); if (p.x < n && p.y < m) b[p.y * n + p.x] = a[p.y * n + p.x];",
        ),
        (
            "",
            "int2 p = {get_global_id(0), get_global_id(1)}; if (p.x < n && p.y < m) b[p.y * n + p.x] = a[p.y * n + p.x];",
        ),
        (
            "",
            "int2 p; p.x = get_global_id(0); p.y = get_global_id(1); if (p.x >= n || p.y >= m) return; b[p.y * n + p.x] = a[p.y * n + p.x];",
        ),
        (
            "inline int2 at(void) { return (int2)(get_global_id(0), get_global_id(1)); }",
            "const int2 p = at(); if (p.x < n && p.y < m) b[p.y * n + p.x] = a[p.y * n + p.x];",
        ),
    ],
)
def test_a_vector_of_two_places_is_two_numbers(before, body):
    form = shape(known(body, before))
    assert [one.name for one in form.items] == ["p_x", "p_y"]
    assert extents(form) == ((t.Name("n"), t.Name("m")), True)


@pytest.mark.parametrize(
    "body",
    [
        "int2 p = (int2)(get_global_id(0), get_global_id(1)); if (p.x < n) b[p.x] = dot(convert_float2(p), 1);",  # used whole
        "int2 p = (int2)(get_global_id(0), get_global_id(1)); p = p + 1; if (p.x < n) b[p.x] = 1;",
        "int g, *p = &g; g = get_global_id(0); *p = 3; if (g < n) b[g] = 1;",  # its address is taken
        "int g; if (n > 3) g = get_global_id(0); if (g < n) b[g] = 1;",  # some have another value
        "int g; g = g + get_global_id(0); if (g < n) b[g] = 1;",
    ],
)
def test_what_would_change_the_meaning_is_left_alone(body):
    with pytest.raises(RefusedError):
        extents(shape(known(body)))


def test_a_variable_that_carries_its_value_from_round_to_round_stays_outside():
    function = known(
        "int i, j; float last; i = get_global_id(0); for (j = 0; j < m; j++) { b[j] = last; last = a[j]; }"
    )
    outside = [one for one in function.body if isinstance(one, t.Declare)]
    assert "last" in t.declared_in(*outside)
    loop = next(one for one in function.body if isinstance(one, t.For))
    assert t.declared_in(loop) == {"j"}


def test_each_of_two_loops_gets_a_variable_of_its_own():
    function = known(
        "int k; float s = 0; for (k = 0; k < n; k++) s += a[k]; for (k = 0; k < m; k++) s += a[k]; b[0] = s;"
    )
    loops = [one for one in function.body if isinstance(one, t.For)]
    assert [t.declared_in(one) for one in loops] == [{"k"}, {"k"}]
    assert not any(isinstance(one, t.Declare) and one.names[0].name == "k" for one in function.body)


def test_a_variable_that_is_read_behind_its_loop_stays_outside():
    function = known("int k; for (k = 0; k < n; k++) b[k] = a[k]; b[m] = k;")
    assert "k" in t.declared_in(*(one for one in function.body if isinstance(one, t.Declare)))


def test_a_scalar_in_local_memory_stays_what_it_is():
    function = known("__local float s; int g; g = get_global_id(0); s = a[0]; if (g < n) b[g] = s;")
    declared = [one for one in function.body if isinstance(one, t.Declare) and one.names[0].name == "s"]
    assert declared[0].names[0].value is None


def test_a_fence_that_nobody_sees_is_none():
    body = "int i = get_global_id(0); float s = a[i]; mem_fence(CLK_LOCAL_MEM_FENCE); b[i] = s;"
    assert "mem_fence" not in str(known(body).body)
    for seen in ("barrier(CLK_LOCAL_MEM_FENCE); b[i] = s;", "volatile int k = 0; b[i] = s + k;"):
        assert "mem_fence" in str(known(body.replace("b[i] = s;", seen)).body)
    assert "mem_fence" in str(known("__local float t[64]; " + body).body)
    lock = "void take(__global int *m) { while (atomic_cmpxchg(m, 0, 1)) {} }"
    assert "mem_fence" in str(known(body, lock).body)
