"""Variables that run along with loops are read as what they are in each round."""

import pytest

from hotloop.rewrite import write
from hotloop.rewrite.expand import read

HEAD = "__kernel void f(__global const float *a, __global float *b, __const int n, int w, uint m) {\n    int i = get_global_id(0);\n"


def made(body: str) -> str:
    function = read(f"{HEAD}{body}\n}}").known["f"]
    return " ".join(" ".join(write.statements(function.body, "", "")).split())


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at]; at += w; }", "b[i] += a[at + k * w];"),
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at++]; }", "b[i] += a[at + k];"),
        ("int at = i; for (int k = 2; k <= n; k++) { at -= w; b[i] += a[at]; }", "a[at + ((k - 2) * -w + -w)]"),
        ("for (int k = 0; k < n; k++) { b[i] += *a++; }", "b[i] += a[k];"),
        ("__global const float *p = a + i; for (int k = 0; k < n; k++) { b[i] += p[2]; p += w; }", "a[i + (k * w + 2)]"),
        ("int at = 0; for (uint k = 0; k < 3; k++) { b[i] += a[at]; at += 2; } b[at] = 1;", "b[at + 3 * 2] = 1;"),
        ("int at = 0; for (int k = 0; k < n; k++) { at++; } b[at] = 1;", "b[at + (n > 0 ? n : 0)] = 1;"),
        ("int at = 0; for (int y = 0; y < n; y++) { for (int x = 0; x < 3; x++) { b[i] += a[at++]; } at += w; }", "a[at + (y * (3 + w) + x)]"),
        ("int k; for (int j = 0, k = i; j < n; j++, k += w) b[i] += a[k];", "b[i] += a[k + j * w];"),
        ("int j, k; for (j = 0, k = i; j < n; j++, k += w) b[i] += a[k];", "b[i] += a[k + j * w];"),
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at]; at += m; }", "a[at + (int)(k * m)]"),
    ],
)  # fmt: skip
def test_they_are_told_by_the_loops_own_numbers(body, part):
    assert part in made(body)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at]; if (a[k] > 0) { at += w; } }", "at += w;"),
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at]; at += k; }", "at += k;"),
        ("int at = i; for (int k = 0; k < n; k++) { int s = k; b[i] += a[at]; at += s; }", "at += s;"),
        ("int at = i; for (int k = 0; k < n; k++) { if (k > w) { break; } at += 2; } b[at] = 1;", "at += 2;"),
        ("int at = i; for (int k = 0; k < n; k++) { at += w; w++; } b[at] = 1;", "at += w;"),
        ("int at = i, c = 3; for (int k = 0; k < n; k++) { at += c; } c = 2; b[at] = 1;", "at += c;"),
        ("int at = i; for (int k = 0; k < at; k++) { at += 2; } b[at] = 1;", "at += 2;"),
        ("int at = i; for (int k = 0; k < n; k++) { b[i] += a[at] * w > 3 ? a[at++] : 0; }", "at++"),
        ("float at = i; for (int k = 0; k < n; k++) { at += 0.1f; } b[i] = at;", "at += 0.1f;"),
        ("int at = i; for (int k = 0; k < 5; k++) { at += w; { int w = 4; b[at] = w; } } b[at] = 1;", "at += w;"),
        ("int at = i; for (int j = 0, k = i; j < n; j++, k = j * 2) b[i] += a[k];", "= j * 2"),
    ],
)  # fmt: skip
def test_what_moves_otherwise_stays(body, part):
    assert part in made(body)
