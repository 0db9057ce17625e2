"""Rounds over neighbours in memory are done by all lanes of a vector: sums and extremes, each with a part of its own, and stores.

What it changes: ``for (k...) s += f(k)`` becomes a loop over vectors of k, whose lanes are added up behind it, and a rest. Whole numbers, also of
bytes, are added up as C calculates them.
When it applies: the loop counts by one and only adds to local variables, also where a value is such, keeps their greatest or least, also with its round, and writes neighbours
that no other round reads; its loads walk along k.
What it costs: another order of the additions. On a runtime that makes vectors of neighbouring work-items, whose loads are
far from each other in such a loop, this replaces gathers by whole cache lines.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.mixed import MixedRounds, several
from hotloop.rewrite.vectors.rounds import Rounds


def apply(posed: Posed, value: int | str) -> Posed:
    """Make vectors of every loop that allows it."""
    work = _Work(posed, int(value))
    body = work.body(posed.function.body)
    if not work.lines:
        raise RefusedError(work.reason or "no loop only adds to variables")
    return replace(posed.with_body(body), single=True)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines of such loops."""
    work = _Work(posed, 4)
    work.body(posed.function.body)
    return tuple(sorted(work.lines))


class _Work:
    def __init__(self, posed: Posed, count: int) -> None:
        self.posed, self.count = posed, count
        self.lines: set[int] = set()
        self.reason = ""

    def body(self, body: t.Body) -> t.Body:
        made: list[t.Node] = []
        for node in body:
            match node:
                case t.For():
                    made += self.loop(node)
                case t.If():
                    made.append(replace(node, yes=self.body(node.yes), no=self.body(node.no)))
                case t.Block():
                    made.append(replace(node, body=self.body(node.body)))
                case _:
                    made.append(node)
        return tuple(made)

    def loop(self, loop: t.For) -> t.Body:
        try:
            made = self.vectors(loop)
        except RefusedError as reason:
            self.reason = str(reason)
            return (replace(loop, body=self.body(loop.body)),)
        self.lines.add(loop.line)
        return made

    def vectors(self, loop: t.For) -> t.Body:
        count, form = self.count, counted(loop)
        rounds = algebra.constant(algebra.added(algebra.polynomial(form.high), algebra.polynomial(form.low), -1))
        if rounds is not None and rounds < count:
            raise RefusedError(f"the loop of line {loop.line} has fewer rounds than a vector has lanes")
        made = self._rounds(loop, form.variable)
        k = t.Name(form.variable)
        head: list[t.Node] = [t.Declare("int", (t.Declared(form.variable, form.low),))]
        if not form.declares:
            head = [t.Do(t.Assign("=", k, form.low))]
        below = t.Binary("<=", t.Binary("+", k, t.Number(str(count))), form.high)
        wide = t.For(None, below, t.Assign("+=", k, t.Number(str(count))), tuple(made.body), loop.line)
        all_of = (*head, *made.begun(), wide, *made.ended(), replace(loop, first=None))
        return (t.Block(all_of),) if form.declares else all_of

    def _rounds(self, loop: t.For, variable: str) -> Rounds:
        """Return the rounds of real numbers of one type, or else of whole and short ones, too. Raises RefusedError."""
        try:
            return Rounds(self.posed, loop, variable, self.count)
        except RefusedError as reason:
            if not several(self.posed, loop):
                raise
            refused = reason
        try:
            return MixedRounds(self.posed, loop, variable, self.count)
        except RefusedError:
            raise refused from None


_BEFORE = """__kernel void rows(__global const float *a, __global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float s = 0.0f;
        int j;
        for (j = 0; j < n; j++) {
            s += a[i * n + j];
        }
        y[i] = s;
    }
}
"""
_AFTER = """__kernel void rows(__global const float *a, __global float *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float s = 0.0f;
        int j;
        j = 0;
        float4 s_lanes = (float4)(0);
        for (; j + 4 <= n; j += 4) {
            s_lanes += vload4(0, &a[i * n + j]);
        }
        s += s_lanes.s0 + s_lanes.s2 + (s_lanes.s1 + s_lanes.s3);
        for (; j < n; j++) {
            s += a[i * n + j];
        }
        y[i] = s;
    }
}
"""
_PLAIN, _FUSED = "s += a[i * n + j];", "s = mad(a[i * n + j], a[i * n + j], s);"
_FUSED_AFTER = _AFTER.replace(_PLAIN, _FUSED).replace(
    "vload4(0, &a[i * n + j])", "vload4(0, &a[i * n + j]) * vload4(0, &a[i * n + j])"
)
_ABOVE = "if (a[i * n + j] > 0.5f) {\n                s += a[i * n + j];\n            }"
_ABOVE_AFTER = _AFTER.replace(_PLAIN, _ABOVE).replace(
    "+= vload4(0, &a[i * n + j])",
    "+= select((float4)(0.0f), vload4(0, &a[i * n + j]), vload4(0, &a[i * n + j]) > (float4)(0.5f))",
)
_WIDE_AFTER = (
    _AFTER.replace("float s =", "double s =")
    .replace("float4 s_lanes = (float4)", "double4 s_lanes = (double4)")
    .replace("+= vload4(0, &a[i * n + j])", "+= convert_double4(vload4(0, &a[i * n + j]))")
)
_BEST = """__kernel void best(__global const float *a, __global int *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        float top = a[i * n];
        int at = 0;
        for (int j = 1; j < n; j++) {
            if (a[i * n + j] > top) {
                at = j;
                top = a[i * n + j];
            }
        }
        y[i] = at;
    }
}
"""
_TAKEN = """            if (top_lanes.s% > top || top_lanes.s% == top && at_lanes.s% < at) {
                top = top_lanes.s%;
                at = at_lanes.s%;
            }
"""
_BEST_AFTER = f"""__kernel void best(__global const float *a, __global int *y, int n) {{
    int i = get_global_id(0);
    if (i < n) {{
        float top = a[i * n];
        int at = 0;
        {{
            int j = 1;
            float4 top_lanes = (float4)(top);
            int4 at_lanes = (int4)(at);
            for (; j + 4 <= n; j += 4) {{
                {{
                    int4 chosen = vload4(0, &a[i * n + j]) > top_lanes;
                    top_lanes = select(top_lanes, vload4(0, &a[i * n + j]), chosen);
                    at_lanes = select(at_lanes, (int4)(j) + (int4)(0, 1, 2, 3), chosen);
                }}
            }}
{"".join(_TAKEN.replace("%", str(lane)) for lane in range(4))}            for (; j < n; j++) {{
                if (a[i * n + j] > top) {{
                    at = j;
                    top = a[i * n + j];
                }}
            }}
        }}
        y[i] = at;
    }}
}}
"""
_BYTES = """__kernel void apart(__global const uchar *a, __global const uchar *b, __global uint *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        uint s = 0;
        for (int j = 0; j < n; j++) {
            int d = (int)a[i * n + j] - (int)b[j];
            s += (uint)(d * d);
        }
        y[i] = s;
    }
}
"""
_BYTES_AFTER = """__kernel void apart(__global const uchar *a, __global const uchar *b, __global uint *y, int n) {
    int i = get_global_id(0);
    if (i < n) {
        uint s = 0;
        {
            int j = 0;
            uint4 s_lanes = (uint4)(0);
            for (; j + 4 <= n; j += 4) {
                int4 d = convert_int4(vload4(0, &a[i * n + j])) - convert_int4(vload4(0, &b[j]));
                s_lanes += convert_uint4(d * d);
            }
            s += s_lanes.s0 + s_lanes.s2 + (s_lanes.s1 + s_lanes.s3);
            for (; j < n; j++) {
                int d = (int)a[i * n + j] - (int)b[j];
                s += (uint)(d * d);
            }
        }
        y[i] = s;
    }
}
"""

REWRITE = Rewrite(
    name="reduction-lanes",
    text=__doc__,
    technique="vectorize",
    keeps=Keeps.ROUNDING,
    values=(0, 4, 8, 16),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.2, 8.0),
    order=40,
    examples=(
        Example(_BEFORE, _AFTER, 4),
        Example(_BEFORE.replace(_PLAIN, _FUSED), _FUSED_AFTER, 4),
        Example(_BEFORE.replace("float s =", "double s ="), _WIDE_AFTER, 4),
        Example(_BEFORE.replace(_PLAIN, _ABOVE), _ABOVE_AFTER, 4),
        Example(_BEFORE.replace(_PLAIN, "if (j < i) s += a[i * n + j];"), "", 4),
        Example(
            _BEFORE.replace("s += a[i * n + j];", "float d = a[i * n + j];\n            s += d * d;"),
            _AFTER.replace(
                "s_lanes += vload4(0, &a[i * n + j]);",
                "float4 d = vload4(0, &a[i * n + j]);\n            s_lanes += d * d;",
            ).replace("            s += a[i * n + j];", "            float d = a[i * n + j];\n            s += d * d;"),
            4,
        ),
        Example(
            _BEFORE.replace("s += a", "s = fmax(s, a").replace("+ j];", "+ j]);"),
            _AFTER.replace("(float4)(0)", "(float4)(s)")
            .replace("s_lanes += vload4(0, &a[i * n + j]);", "s_lanes = fmax(s_lanes, vload4(0, &a[i * n + j]));")
            .replace(
                "s += s_lanes.s0 + s_lanes.s2 + (s_lanes.s1 + s_lanes.s3);",
                "s = fmax(fmax(s_lanes.s0, s_lanes.s2), fmax(s_lanes.s1, s_lanes.s3));",
            )
            .replace("s += a[i * n + j];", "s = fmax(s, a[i * n + j]);"),
            4,
        ),
        Example(_BEFORE.replace("s += a[i * n + j]", "y[i * n + j] = y[i * n + j - 1]"), "", 4),
        Example(_BEFORE.replace("a[i * n + j]", "a[j * n + i]"), "", 4),
        Example(_BYTES, _BYTES_AFTER, 4),
        Example(_BYTES.replace("(uint)(d * d)", "0.5f * d"), "", 4),  # a whole number loses a part every time
        Example(_BYTES.replace("s += (uint)(d * d)", "s = max(s, (uint)d) + d"), "", 4),
        Example(_BEST, _BEST_AFTER, 4),
        Example(_BEST.replace("> top", ">= top"), "", 4),
        Example(_BEST.replace("int at", "float at"), "", 4),
        Example(_BEST.replace("at = j;", "at += j;"), "", 4),
        Example(_BEST.replace("at = j;", "at = top;"), "", 4),
        Example(_BEST.replace("a[i * n + j] >", "a[i * n + j] + at >"), "", 4),
    ),
    twin=("for (; j < n; j++)", "for (; j < n - 1; j++)"),
)
