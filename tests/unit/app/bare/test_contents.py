"""What arrays of whole numbers hold as a text uses them: every access stays within, lists come to an end, rows fill what they share."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from hotloop.app.bare import contents, inputs
from hotloop.app.bare.source import Source
from hotloop.app.bare.wish import number, numbers, sequence, wish
from hotloop.errors import UsageError
from hotloop.model.outcome import Parameter
from hotloop.rewrite import expand, parse

HEAD = "__kernel void f(__global const float *x, {arrays}, __global float *y, const int n) {{ int i = get_global_id(0); if (i < n) {{ {body} }} }}"


def posed(arrays: str, body: str, sizes: str) -> tuple[Source, dict[str, float]]:
    """Return a source of one kernel as the compiler would know it."""
    text = HEAD.format(arrays=", ".join(f"__global const {one}" for one in arrays.split(", ")), body=body)
    if "pair" in text:
        text = "typedef struct { int first; int many; } pair; " + text
    read = expand.read(text, filled=True)
    rows = tuple(Parameter(one.name, one.type, one.space) for one in parse.functions(text)[0].arguments)
    named = wish((sizes,))
    return Source(Path("k.cl"), text, read, {"f": rows}, expand.typedefs(text), named, sequence("f")), numbers(named)


def drawn(source: Source, sizes: dict[str, float]) -> dict[str, np.ndarray]:
    calls = source.calls(sizes)
    lengths = source.lengths(sizes, calls)
    held = {**contents.inferred(source, calls, lengths)[0], **contents.told(source, sizes)}
    rows = {p.name: p.type for p in source.signatures["f"] if p.space}
    cells = {name: source.cell(kind) for name, kind in rows.items()}
    arrays = {n: inputs.Drawn(lengths[n] * c.lanes, c.dtype, held=held.get(n)) for n, c in cells.items()}
    return inputs.draw("signed", arrays, np.random.default_rng(3))


CSR = "float s = 0; for (int k = {0}; k < {1}; k++) s += x[c[k]]; y[i] = s;"
CASES = {
    "gathered": ("int *c", "y[i] = x[c[i]];", "n=900,x=40", lambda a: a["c"].max() == 39 and a["c"].min() == 0),
    "from one": ("int *c", "y[i] = x[c[i] - 1];", "n=900,x=40", lambda a: a["c"].min() == 1 and a["c"].max() == 40),
    "rows of a table": ("int *c", "for (int j = 0; j < 8; j++) y[i * 8 + j] = x[c[i] * 8 + j];", "n=90,x=80", lambda a: a["c"].max() == 9),
    "offsets": ("int *c, int *p", CSR.format("p[i]", "p[i + 1]"), "n=30,x=40,c=200", lambda a: a["p"][-1] == 200 and (np.diff(a["p"]) >= 0).all()),
    "offsets through variables": ("int *c, int *p", "int b = p[i], e = p[i + 1]; " + CSR.format("b", "e"), "n=30,x=40,c=200", lambda a: a["p"][-1] == 200 and (np.diff(a["p"]) >= 0).all()),
    "offsets from one": ("int *c, int *p", CSR.format("p[i] - 1", "p[i + 1] - 1"), "n=30,x=40,c=200", lambda a: a["p"][0] == 1 and a["p"][-1] == 201),
    "begins and ends": ("int *c, int *p, int *q", CSR.format("p[i]", "q[i]"), "n=30,x=40,c=200", lambda a: (a["p"][1:] == a["q"][:-1]).all() and a["q"][-1] == 200),
    "begins and lengths": ("int *c, int *p, int *q", CSR.format("p[i]", "p[i] + q[i]"), "n=30,x=40,c=200", lambda a: (a["p"] + a["q"] <= 200).all() and a["q"].max() > 8),
    "both in one element": ("int *c, pair *p", CSR.format("p[i].first", "p[i].first + p[i].many"), "n=30,x=40,c=200", lambda a: a["p"].reshape(-1, 2).sum(1).max() == 200),
    "lengths": ("int *c, int *q", "float s = 0; for (int k = 0; k < q[i]; k++) s += x[c[k * n + i]]; y[i] = s;", "n=30,x=40,c=300", lambda a: a["q"].max() in (9, 10)),
    "rows up to where they end": ("int *c, int *p", "int b = p[i], e = p[i + 1]; float s = 0; for (int k = b; k != e; ++k) s += x[c[k]]; y[i] = s;", "n=30,x=40,c=200", lambda a: a["p"][-1] == 200),
    "rows in a while": ("int *c, int *p", "int k = p[i]; float s = 0; while (k < p[i + 1]) { s += x[c[k]]; k++; } y[i] = s;", "n=30,x=40,c=200", lambda a: a["p"][-1] == 200),
    "pairs of numbers": ("int2 *c", "int2 m = c[i]; y[i] = x[m.y * 4 + m.x];", "n=90,x=40", lambda a: 4 < a["c"].max() < 8),
    "scattered": ("int *c", "y[c[i]] = x[i];", "n=90,y=90", lambda a: np.unique(a["c"]).size == 90),
    "counted": ("int *c", "atomic_inc(&y[c[i]]);", "n=30,y=99", lambda a: np.unique(a["c"]).size < 30),
    "a list": ("int *h, int *c", "float s = 0; int j = h[i]; while (j != -1) { s += x[j]; j = c[j]; } y[i] = s;", "n=9,x=40,c=40", lambda a: all(b == -1 or j < b < 40 for j, b in enumerate(a["c"]))),
    "a forest": ("int *c", "int j = i; while (j != c[j]) { j = c[j]; } y[i] = x[j];", "n=40,x=40,c=40", lambda a: all(0 <= b <= j for j, b in enumerate(a["c"]))),
    "no places": ("int *c", "y[i] = c[i] > 2 ? x[i] : 0;", "n=90", lambda a: set(a["c"]) == {0, 1, 2, 3}),
    "in few bits": ("uchar *c", "y[i] = x[c[i] & 15];", "n=90,x=16", lambda a: True),
    "named below": ("int *c", "y[i] = c[i];", "n=90,c=below:n", lambda a: a["c"].max() > 80),
    "named rising": ("int *c", "y[i] = c[i];", "n=90,c=rising:500:n+1", lambda a: a["c"].size == 91 and a["c"][-1] == 500),
    "named order": ("int *c", "y[i] = c[i];", "n=90,c=order:n", lambda a: sorted(a["c"]) == list(range(90))),
}  # fmt: skip


@pytest.mark.parametrize(("arrays", "body", "sizes", "right"), CASES.values(), ids=CASES)
def test_arrays_hold_what_their_use_allows(arrays, body, sizes, right):
    made = drawn(*posed(arrays, body, sizes))
    assert right(made), made


def test_what_is_reached_through_places_has_the_length_that_they_allow():
    source, sizes = posed("int *c, int *p", CSR.format("p[i]", "p[i + 1]").replace("x[", "x[2 * "), "n=30,x=40,c=200")
    assert source.lengths(sizes, source.calls(sizes))["p"] == 31, "a loop's condition reads, too"
    other, sizes = posed(
        "int *c, float *v, int *p", CSR.format("p[i]", "p[i + 1]").replace("x[", "v[k] * x["), "n=30,x=40,c=200"
    )
    assert other.lengths(sizes, other.calls(sizes))["v"] == 200
    bare, sizes = posed("int *c, int *p", CSR.format("p[i]", "p[i + 1]"), "n=30")
    calls = bare.calls(sizes)
    with pytest.raises(UsageError, match="--size x=N,c=N"):
        bare.lengths(sizes, calls)


@pytest.mark.parametrize("text", ["below:n:n:n", "order:n:n", "below:0"])
def test_a_form_that_is_not_understood_is_told(text):
    with pytest.raises(UsageError, match="write below:BOUND:LENGTH, rising:LAST:LENGTH or order:LENGTH"):
        contents.named(text, {"n": 4}, "--size c")


@pytest.mark.parametrize(("named", "asked"), [("", True), (",size=values:8", False)])
def test_what_an_array_holds_is_asked_for_unless_it_was_named(named, asked):
    source, sizes = posed("int *size, int *at", "y[i] = x[(i + at[0] * at[i]) / size[0]];", f"n=10,at=10{named}")
    with pytest.raises(UsageError, match="how long x must be") as told:
        source.lengths(sizes, source.calls(sizes))
    assert ("what size holds, too" in str(told.value)) is asked


@pytest.mark.parametrize("asked", ["99999999999999999999", "1e99", "1e400", "1 << 62", "1 << 999999999999999"])
def test_a_size_beyond_all_memory_is_called_too_large(asked: str) -> None:
    with pytest.raises(UsageError, match="is not understood: it is too large"):
        number(asked, {}, "--size n")


# --- numbers that move no access --------------------------------------------------------------------------------------

WIDE = {
    "compared": ("int *c", "y[i] = c[i] > 17 ? x[i] : 0.0f;", 2**31 - 1),
    "summed": ("int *c", "int s = 0; for (int k = 0; k < 4; k++) s += c[4 * i + k]; y[i] = s;", 1 << 12),
    "an index": ("int *c", "int at = c[i]; y[i] = x[at];", None),
    "a loop's end": ("int *c", "float s = 0; for (int k = 0; k < c[i]; k++) s = s * 0.5f + 1; y[i] = s;", None),
    "an endless loop": ("int *c", "float s = 1; for (;;) { s *= 2; if (s > c[i]) break; } y[i] = s;", None),
    "a divisor": ("int *c", "y[i] = 40 / c[i];", None),
    "a shift": ("uint *c", "y[i] = 40 >> c[i];", None),
    "an offset of a pointer": ("int *c", "__global const float *p = x + c[i]; y[i] = p[0];", None),
    "a whole array given away": ("int *c", "y[i] = vload4(i, c).x;", None),
}


@pytest.mark.parametrize("name", WIDE)
def test_arrays_that_a_text_only_computes_with_hold_any_number(name):
    arrays, body, most = WIDE[name]
    source, sizes = posed(arrays, body, "n=30,x=40,c=120")
    calls = source.calls(sizes)
    found = contents.meant(source, calls, source.lengths(sizes, calls), sizes, shown=True, wide=True)[0].get("c")
    assert (found.high if found and found.low < 0 else None) == most


def test_whole_numbers_that_a_text_divides_by_are_not_zero():
    assert inputs.divisors("q[i] = a[i] % b[i];") == {"b"}
    arrays = {"b": inputs.Drawn(100, "int32", divisor=True)}
    assert inputs.draw("signed", arrays, np.random.default_rng(3))["b"].min() == 1
