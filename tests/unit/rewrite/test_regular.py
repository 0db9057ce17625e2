"""Trees in local memory are known by what they leave in element 0, however their rounds are spelled; what leaves anything else is no tree."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite import tree as t
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed
from hotloop.rewrite.shape import RefusedError

MEET = "barrier(CLK_LOCAL_MEM_FENCE);"
HEAD = f"""__kernel void f(__global const float *x, __global float *y, __local float *p, int n) {{
    int l = get_local_id(0), size = get_local_size(0);
    p[l] = x[get_global_id(0)];
    {MEET}
"""
TAIL = "if (l == 0) y[get_group_id(0)] = p[0]; }"
ROUNDS = " ".join(f"if (l < {half}) {{ p[l] += p[l + {half}]; }} {MEET}" for half in (32, 16, 8, 4, 2, 1))


def made(work, tail=TAIL, size=64, kind="float", head=HEAD):
    function = parse.functions(f"{head}{work}\n{tail}".replace("float", kind))[0]
    body = rewritten(Posed(function, (t.Name("n"),), {}, group=(size,)), {"group-sums": 1}).function.body
    return " ".join("\n".join(write.statements(body, "", "")).split())


@pytest.mark.parametrize(
    "work",
    [
        f"int i = size / 2; while (i != 0) {{ if (l < i) p[l] += p[l + i]; {MEET} i /= 2; }}",
        f"int i = size / 2; for (; i > 0; i >>= 1) {{ if (l < i) p[l] += p[l + i]; {MEET} }}",
        f"for (int s = 1; s < size; s *= 2) {{ int at = 2 * s * l; if (at < size) {{ p[at] += p[at + s]; }} {MEET} }}",
        f"for (int i = 1; i < size; i *= 2) {{ if (!(l % (i * 2)) && l + i < size) p[l] += p[l + i]; {MEET} }}",
        f"for (int s = size >> 1; s; s >>= 1) {{ if (l < s) p[l] = p[l] + p[l + s]; {MEET} }}",
        f"int o = 1; for (int i = size; i > 0; i >>= 1) {{ if (l % (2 * o) == 0 && l + o < size) p[l] += p[l + o]; {MEET} o <<= 1; }}",
        "if (l == 0) { float s = 0.0f; for (int i = 0; i < size; i++) s += p[i]; p[0] = s; }",
        ROUNDS,
    ],
)  # fmt: skip
def test_a_tree_is_a_sum(work):
    assert "p_total += x[group * 64 + place];" in made(work)


def test_what_one_place_adds_up_for_all_is_a_sum():
    tail = "if (l == 0) { float s = 0.0f; for (int i = 0; i < size; i++) { s += p[i]; } y[get_group_id(0)] = s / n; } }"
    assert "y[group] = p_total / n;" in made("", tail)


def test_what_the_first_place_adds_to_all_groups_stays_that():
    work = f"for (int s = 1; s < size; s *= 2) {{ if (!(l % (s * 2))) p[l] += p[l + s]; {MEET} }}"
    assert "atomic_add(&y[0], p_total);" in made(work, "if (!l) { atomic_add(&y[0], p[l]); } }")


def test_extremes():
    work = f"int i = size / 2; while (i != 0) {{ if (l < i) p[l] = fmax(p[l], p[l + i]); {MEET} i /= 2; }}"
    assert "p_total = fmax(p_total, x[group * 64 + place]);" in made(work)
    assert "if (p_total == -INFINITY) { for (" in made(work)  # of NaN alone
    assert "p_total = place == 0 ? x[group * 64 + place] : fmax(p_total, x[group * 64 + place]);" in made(work)
    work = f"for (int s = size / 2; s > 0; s >>= 1) {{ if (l < s) {{ if (p[l + s] < p[l]) p[l] = p[l + s]; }} {MEET} }}"
    assert "int p_total = INT_MAX;" in made(work, kind="int")
    assert "p_total = min(p_total, x[group * 64 + place]);" in made(work, kind="int")


@pytest.mark.parametrize(
    "work",
    [
        f"for (int s = 1; s < size; s *= 2) {{ if (l % (2 * s) == 0) {{ if (p[l + s] > p[l]) p[l] = p[l + s]; }} {MEET} }}",
        f"for (int s = 1; s < size; s *= 2) {{ if (l % (2 * s) == 0) {{ p[l] = p[l] > p[l + s] ? p[l] : p[l + s]; }} {MEET} }}",
    ],
)
def test_what_a_comparison_keeps_of_nan_follows_from_the_order_of_the_tree(work):
    with pytest.raises(RefusedError):
        made(work)
    assert "p_total = max(p_total, x[group * 64 + place]);" in made(work, kind="int")


@pytest.mark.parametrize(
    ("kind", "how", "far", "left"),
    [
        ("int", "min", "INT_MAX", True),
        ("uint", "min", "UINT_MAX", True),
        ("uint", "max", "0", True),
        ("float", "fmin", "INFINITY", True),
        ("uint", "min", "INT_MAX", False),  # others are larger
        ("int", "min", "UINT_MAX", False),  # that is -1
        ("float", "fmin", "INT_MAX", False),
        ("float", "max", "INT_MIN", False),
        ("int", "max", "0", False),
    ],
)
def test_only_what_changes_no_extreme_of_its_type_is_left_out(kind, how, far, left):
    tree = f"for (int i = size / 2; i > 0; i /= 2) {{ if (l < i) p[l] = {how}(p[l], p[l + i]); {MEET} }}"
    text = made(tree, kind=kind, head=HEAD.replace("x[get_global_id(0)]", f"l < n ? x[get_global_id(0)] : {far}"))
    taken = f"p_total = {how}(p_total, {'x[group * 64 + place]' if left else f'place < n ? x[group * 64 + place] : {far}'});"
    assert taken in text


@pytest.mark.parametrize(("part", "one_loop"), [("int", True), ("uint", True), ("uchar", False), ("short", False)])
def test_a_variable_that_is_too_small_for_all_places_stays_that_of_each(part, one_loop):
    tree = f"for (int i = size / 2; i > 0; i /= 2) {{ if (l < i) p[l] += p[l + i]; {MEET} }}"
    own = f"{part} s = 0; for (int j = l; j < n; j += size) s += x[j];"
    text = made(
        tree, kind="int", head=HEAD.replace("p[l] = x[get_global_id(0)];", f"{own} p[l] = s;").replace("float", "int")
    )
    assert ("for (int j = 0; j < n; j++)" in text) == one_loop
    assert ("for (int j = place; j < n; j += 64)" in text) != one_loop


def test_the_best_value_is_looked_for_in_loops_of_other_spellings():
    work = (
        f"int i = size / 2; while (i > 0) {{ if (l < i && p[l + i] <= p[l]) {{ p[l] = p[l + i]; }} {MEET} i >>= 1; }}"
    )
    assert "select(vload16(0, &p_own[member]), vload16(0, &p_own[member + apart]), better)" in made(work)


@pytest.mark.parametrize(
    "work",
    [
        f"int i = size / 2; while (i > 1) {{ if (l < i) p[l] += p[l + i]; {MEET} i /= 2; }}",  # the last round is missing
        f"int i = size / 2; while (i != 0) {{ if (l <= i) p[l] += p[l + i]; {MEET} i /= 2; }}",  # some count twice
        "int i = size / 2; while (i != 0) { if (l < i) p[l] += p[l + i]; i /= 2; }",  # nobody waits
        ROUNDS.replace("p[l + 8]", "p[l + 9]"),
        f"int i = size / 2; while (i != 0) {{ if (l < i) p[l] -= p[l + i]; {MEET} i /= 2; }}",
        f"int i = size / 2; while (i != 0) {{ if (l < i) p[l] += p[l + i] * n; {MEET} i /= 2; }}",
    ],
)  # fmt: skip
def test_what_is_no_tree_is_refused(work):
    with pytest.raises(RefusedError):
        made(work)


def test_groups_that_no_tree_takes_are_refused():
    with pytest.raises(RefusedError):
        made("if (l == 0) { float s = 0.0f; for (int i = 0; i < size; i++) s += p[i]; p[0] = s; }", size=48)


ADDED = "if (l == 0) { float s = 0.0f; for (int i = 0; i < size; i++) { s += p[i]; } y[get_group_id(0)] = s / n; }"
TREE = f"for (int i = size / 2; i > 0; i >>= 1) {{ if (l < i) p[l] += p[l + i]; {MEET} }}"


@pytest.mark.parametrize(
    ("work", "tail"),
    [
        (ADDED, f"{MEET} y[n + l] = p[0]; }}"),  # which is still what the first place put there
        (ADDED, f"{MEET} {TREE} {TAIL}"),
        (ADDED.replace("s / n", "s / p[0]"), "}"),
        (ADDED.replace("float s", "double s"), "}"),  # more digits, or more room, than elements have
        (ADDED.replace("float s", "int s"), "}"),
        (TREE, f"if (l == 0) y[n] = p[0]; {MEET} {TREE} {TAIL}"),  # nobody has put anything there since
    ],
)
def test_what_elements_hold_beside_the_sum_is_not_forgotten(work, tail):
    with pytest.raises(RefusedError):
        made(work, tail)


def test_a_counter_begins_before_what_it_begins_with_is_changed():
    text = made(TREE, f"int h = 4; int q = h; h = 7; for (; q > 0;) {{ if (l == 0) y[q] = h; {MEET} q -= 1; }} }}")
    assert "int q = h; h = 7;" in text


@pytest.mark.parametrize(
    ("fill", "kept"),
    [
        ("p[l] = x[k];", False),
        ("if (l < n) { p[l] = x[k]; } else { p[l] = 0.0f; }", False),
        ("if (k == 0 || x[k] >= p[l]) { p[l] = x[k]; }", True),
        ("if (l < n - k) { p[l] = x[k]; }", True),
    ],
)
def test_the_best_value_of_a_round_is_of_what_all_places_put_there_in_it(fill, kept):
    tree = f"for (int i = size / 2; i > 0; i /= 2) {{ if (l < i && p[l + i] >= p[l]) {{ p[l] = p[l + i]; }} {MEET} }}"
    head = HEAD.replace("p[l] = x[get_global_id(0)];", "")
    loop = f"for (int k = 0; k < n; k++) {{ {fill} {MEET} {tree} if (l == 0) y[k] = p[0]; {MEET} }}"
    if kept:
        with pytest.raises(RefusedError):
            made(loop, "}", head=head)
    else:
        assert "p_own[place] = x[k]" in made(loop, "}", head=head)


SIDE = "float s = 0; for (int j = LOW; j < n; j++) { WORK } p[l] = s;"


@pytest.mark.parametrize(
    ("low", "work", "along"),
    [
        ("0", "s += x[get_group_id(0) * n * size + l + j * size];", "x[group * n * 64 + j]"),
        ("2", "s += x[l + size * j] * y[0];", "x[j] * y[0]"),
        ("0", "float d = x[j * size + l] - y[n]; s += d * d;", "float d = x[j] - y[n];"),
        ("0", "if (x[j * size + l] > 0) s += x[j * size + l];", "if (x[j] > 0) {"),
        ("0", "s += x[j * size + l] * j;", ""),  # its number is more than a place in memory
        ("0", "s += x[j * size + l] * y[j];", ""),
        ("0", "s += x[j * size + l] * y[l];", ""),
        ("0", "s += x[j * 32 + l];", ""),  # places read what others read, too
        ("l", "s += x[j * size + l];", ""),
    ],
)
def test_what_places_read_side_by_side_is_one_loop_along_memory(low, work, along):
    fill = SIDE.replace("LOW", low).replace("WORK", work)
    tree = f"for (int i = size / 2; i > 0; i /= 2) {{ if (l < i) p[l] += p[l + i]; {MEET} }}"
    text = made(tree, head=HEAD.replace("p[l] = x[get_global_id(0)];", fill))
    whole = f"for (int j = {128 if low == '2' else 0}; j < n * 64; j++)"
    assert (whole in text and along in text and "place" not in text) if along else (whole not in text)


@pytest.mark.parametrize("rounds", ["uchar j = 0; j < n; j++", "int j = 0; j < n - j; j++"])
def test_rounds_whose_number_cannot_count_all_that_is_read_stay(rounds):
    fill = f"float s = 0; for ({rounds}) {{ s += x[l + (int)j * size]; }} p[l] = s;"
    tree = f"for (int i = size / 2; i > 0; i /= 2) {{ if (l < i) p[l] += p[l + i]; {MEET} }}"
    text = made(tree, head=HEAD.replace("p[l] = x[get_global_id(0)];", fill).replace("(int)j", "j"))
    assert f"{rounds.partition(';')[0]};" in text
    assert "64; j++" not in text


@pytest.mark.parametrize("more", ["x[get_global_id(0)] *= -1.0f;", "y[l]++;"])
def test_what_is_written_beside_an_extreme_is_written_once(more):
    work = (
        f"{more} {MEET} int i = size / 2; while (i != 0) {{ if (l < i) p[l] = fmax(p[l], p[l + i]); {MEET} i /= 2; }}"
    )
    head = HEAD.replace(MEET, "").replace("const ", "")
    with pytest.raises(RefusedError):
        made(work, head=head)
    assert "p_total += " in made(work.replace("fmax(p[l], p[l + i])", "p[l] + p[l + i]"), head=head)
