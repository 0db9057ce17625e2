"""Numbers that one loop alone moves on begin in its head, however the text spells that; what others use stays where it is."""

import pytest

from hotloop.rewrite import parse, write
from hotloop.rewrite.components.counters import in_heads

HEAD = "__kernel void f(__global float *x, int n, uint m)"


def shown(body):
    function = parse.functions(f"{HEAD} {{\n{body}\n}}\n")[0]
    return " ".join(" ".join(write.statements(in_heads(function.body), "", "")).split())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("int a, b; for (a = n, b = 2; a < 9; a += 4, b += 3) { x[a] = b; }", "for (int a = n, b = 2; a < 9; a += 4) { x[a] = b; b += 3; }"),
        ("for (int a = n, b = 2; a < 9; a += 4, b += 3) { x[a] = b; }", "for (int a = n, b = 2; a < 9; a += 4) { x[a] = b; b += 3; }"),
        ("uint a = m, b = 1; while (a < 9) { x[a] = b; a += 4; b += m; }", "for (uint a = m, b = 1; a < 9;) { x[a] = b; a += 4; b += m; }"),
        ("int a; for (a = 0; a < 9; a++) { x[a] = 1; } if (n) { for (a = n; a < 9; a++) { x[a] = 2; } }", "for (int a = 0; a < 9; a++) { x[a] = 1; } if (n) { for (int a = n; a < 9; a++) { x[a] = 2; } }"),
        ("int a; for (a = 0; a < 9; a++) { x[a] = 1; } for (a = a + 1; a < 9; a++) { x[a] = 2; }", "int a; for (a = 0; a < 9; a++) { x[a] = 1; } for (a = a + 1; a < 9; a++) { x[a] = 2; }"),
        ("int a; for (a = 0; a < 9; a++) { x[a] = 1; for (a = 0; a < 9; a++) { x[a] = 2; } } for (a = 1; a < n; a++) { x[a] = 3; }", "int a; for (a = 0; a < 9; a++) { x[a] = 1; for (a = 0; a < 9; a++) { x[a] = 2; } } for (a = 1; a < n; a++) { x[a] = 3; }"),
        ("int a; for (a = 0; a < 9; a++) { x[a] = 1; } x[a] = 2;", "int a; for (a = 0; a < 9; a++) { x[a] = 1; } x[a] = 2;"),
        ("int a, b = 1; for (a = 0; a < 9; a++) { x[a] = b; b += 3; } x[b] = 2;", "int b = 1; for (int a = 0; a < 9; a++) { x[a] = b; b += 3; } x[b] = 2;"),
        ("int a, b = n; n = 2; for (a = 0; a < 9; a++) { x[a] = b; b += 3; }", "int b = n; n = 2; for (int a = 0; a < 9; a++) { x[a] = b; b += 3; }"),
        ("int a; for (a = 0; a < 9; a++) { x[a] = 1; } do { a--; } while (a > n);", "int a; for (a = 0; a < 9; a++) { x[a] = 1; } do { a--; } while (a > n);"),
        ("int a, b = x[0]; x[0] = 2; for (a = 0; a < 9; a++) { x[a] = b; b += 3; }", "int b = x[0]; x[0] = 2; for (int a = 0; a < 9; a++) { x[a] = b; b += 3; }"),
        ("int a, b = x[0]; barrier(1); for (a = 0; a < 9; a++) { x[a] = b; b += 3; }", "int b = x[0]; barrier(1); for (int a = 0; a < 9; a++) { x[a] = b; b += 3; }"),
        ("int a, b = x[0]; int c = 2; for (a = 0; a < 9; a++) { x[a] = b; b += c; }", "int c = 2; for (int a = 0, b = x[0]; a < 9; a++) { x[a] = b; b += c; }"),
        ("int a; uint b = m; for (a = 0; a < 9; a++) { x[a] = b; b += 3; }", "uint b = m; for (int a = 0; a < 9; a++) { x[a] = b; b += 3; }"),
    ],
)  # fmt: skip
def test_a_loops_own_numbers(before, after):
    assert shown(before) == after
