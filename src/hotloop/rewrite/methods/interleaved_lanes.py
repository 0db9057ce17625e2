"""Lanes that lie two, three or four elements apart are loaded and stored as whole vectors, whose elements then change places.

What it changes: ``(float16)(x[3 * i], x[3 * i + 3], ...)`` becomes three loads of neighbours and the elements of these that are meant; stores of
red, green and blue, each to every third element, become stores of neighbours. Nothing is loaded or stored that was not before.
When it applies: behind blocks with vectors (`outputs-per-item`, `reduction-lanes`), where elements of pixels, of complex numbers or of places
in space are a number apart: written as one, or named for the measurement and put in by `known-sizes`. Stores of all parts of an element follow
each other.
What it costs: vectors whose elements are put together; that is a few instructions, one by one it is one for each lane.
"""

from __future__ import annotations

from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.shape import RefusedError
from hotloop.rewrite.vectors.woven import Weaver


def apply(posed: Posed, _value: int | str) -> Posed:
    """Load and store neighbours."""
    taken = t.names_in(*posed.function.body) | t.declared_in(*posed.function.body)
    body = Weaver(posed, taken | {one.name for one in posed.function.arguments}).body(posed.function.body)
    if body == posed.function.body:
        raise RefusedError("it has no vectors whose lanes lie two to four elements apart")
    return posed.with_body(body)


def lines(posed: Posed) -> tuple[int, ...]:
    """Return the lines that load or store such lanes."""
    apply(posed, 1)
    found = (node for node in t.walk(*posed.function.body) if isinstance(node, t.Declare | t.Do))
    wide = (node for node in found if any(isinstance(one, t.Vector) and len(one.values) > 1 for one in t.walk(node)))
    return tuple(sorted({node.line for node in wide} - {0})) or (posed.function.line,)


def _lanes(pattern: str, joint: str = ", ") -> str:
    """Return a text for each of eight lanes."""
    return joint.join(pattern.format(lane=lane, i=f"(i + {lane})" if lane else "i") for lane in range(8))


_BEFORE = f"""__kernel void shade(__global const float *x, __global float *y, int n) {{
    int i = get_global_id(0) * 8;
    if (i + 7 < n) {{
        float8 s = (float8)({_lanes("x[{i} * 3]")}) * (float8)({_lanes("x[{i} * 3 + 1]")});
        {{
            float8 scattered = s + (float8)(1.0f);
            {_lanes("y[{i} * 2] = scattered.s{lane};", " ")}
        }}
        {{
            float8 scattered = s;
            {_lanes("y[{i} * 2 + 1] = scattered.s{lane};", " ")}
        }}
    }} else {{
        for (int k = i; k < n; k++) {{
            y[k * 2] = x[k * 3] * x[k * 3 + 1] + 1.0f;
            y[k * 2 + 1] = x[k * 3] * x[k * 3 + 1];
        }}
    }}
}}
"""
_AFTER = """__kernel void shade(__global const float *x, __global float *y, int n) {
    int i = get_global_id(0) * 8;
    if (i + 7 < n) {
        float8 near_0 = vload8(0, &x[3 * i]);
        float8 near_1 = vload8(0, &x[3 * i + 8]);
        float8 near_2 = vload8(0, &x[3 * i + 15]);
        float8 s = (float8)(near_0.s0, near_0.s3, near_0.s6, near_1.s1, near_1.s4, near_1.s7, near_2.s3, near_2.s6) * (float8)(near_0.s1, near_0.s4, near_0.s7, near_1.s2, near_1.s5, near_2.s1, near_2.s4, near_2.s7);
        float8 part_0 = s + (float8)(1.0f);
        float8 part_1 = s;
        vstore8((float8)(part_0.s0, part_1.s0, part_0.s1, part_1.s1, part_0.s2, part_1.s2, part_0.s3, part_1.s3), 0, &y[2 * i]);
        vstore8((float8)(part_0.s4, part_1.s4, part_0.s5, part_1.s5, part_0.s6, part_1.s6, part_0.s7, part_1.s7), 0, &y[2 * i + 8]);
    } else {
        for (int k = i; k < n; k++) {
            y[k * 2] = x[k * 3] * x[k * 3 + 1] + 1.0f;
            y[k * 2 + 1] = x[k * 3] * x[k * 3 + 1];
        }
    }
}
"""

REWRITE = Rewrite(
    name="interleaved-lanes",
    text=__doc__,
    technique="vectorize",
    keeps=Keeps.BITS,
    values=(0, 1),
    apply=apply,
    lines=lines,
    gain=lambda _posed: (1.0, 6.0),
    order=80,
    examples=(
        Example(_BEFORE, _AFTER, sizes="n=77", grid="10"),
        Example(_BEFORE.replace("* 3", "* 7").replace("* 2", "* n"), ""),
        Example(_BEFORE.replace("(i + 2) * 3", "(i + 1) * 3").replace("(i + 3) * 2", "(i + 2) * 2"), ""),
    ),
    twin=("near_2.s3", "near_2.s2"),
)
