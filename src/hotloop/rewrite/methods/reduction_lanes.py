"""A sum over neighbours in memory is made by all lanes of a vector, each with a part of its own.

What it changes: ``for (k...) s += f(k)`` becomes a loop over vectors of k, whose lanes are added up behind it, and a rest.
When it applies: the loop counts by one and only adds to local variables; its loads walk along k.
What it costs: another order of the additions. On a runtime that makes vectors of neighbouring work-items, whose loads are
far from each other in such a loop, this replaces gathers by whole cache lines.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.rewrite import algebra
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Example, Keeps, Posed, Rewrite
from hotloop.rewrite.lanes import Lanes, total
from hotloop.rewrite.loops import counted
from hotloop.rewrite.shape import RefusedError


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

    def _sums(self, loop: t.For) -> list[tuple[str, t.Node]]:
        """Return what a round adds to which variable, with the values that it declares put in. Raises RefusedError."""
        values: dict[str, t.Node] = {}
        found = []
        for node in loop.body:
            if isinstance(node, t.Declare) and (made := _settled(node, self.posed, loop)):
                values |= {name: t.renamed(value, values) for name, value in made.items()}
            elif not (isinstance(node, t.Text) and node.comment):
                name, value = _addition(node)
                found.append((name, t.renamed(value, values)))
        return found

    def vectors(self, loop: t.For) -> t.Body:
        count, form = self.count, counted(loop)
        sums = self._sums(loop)
        names = [name for name, _ in sums]
        if not sums or len(set(names)) < len(names) or any(t.names_in(v) & set(names) for _, v in sums):
            raise RefusedError(f"the loop of line {loop.line} does more than add to variables")
        lanes = Lanes(self.posed, form.variable, count, frozenset(), {})
        made = [(name, lanes.of(value)) for name, value in sums]
        if not all(is_vector for _, (_, is_vector) in made) or not _walks(
            form.variable, tuple(value for _, value in sums)
        ):
            raise RefusedError(f"the loop of line {loop.line} does not walk along memory")
        k = t.Name(form.variable)
        head: list[t.Node] = [t.Declare("int", (t.Declared(form.variable, form.low),))]
        if not form.declares:
            head = [t.Do(t.Assign("=", k, form.low))]
        head.append(
            t.Declare(
                lanes.type, tuple(t.Declared(f"{n}_lanes", t.Vector(lanes.type, (t.Number("0"),))) for n in names)
            )
        )
        inner = tuple(t.Do(t.Assign("+=", t.Name(f"{n}_lanes"), v)) for n, (v, _) in made)
        below = t.Binary("<=", t.Binary("+", k, t.Number(str(count))), form.high)
        wide = t.For(None, below, t.Assign("+=", k, t.Number(str(count))), inner, loop.line)
        ends = tuple(t.Do(t.Assign("+=", t.Name(n), total(f"{n}_lanes", count))) for n in names)
        rest = replace(loop, first=None)
        all_of = (*head, wide, *ends, rest)
        return (t.Block(all_of),) if form.declares else all_of


def _settled(node: t.Declare, posed: Posed, loop: t.For) -> dict[str, t.Node]:
    """Return the values that a declaration gives for the rest of a round; empty where it is of another kind."""
    kind = posed.plain(node.type.split()[-1])
    plain = all(one.value is not None and not one.pointer and not one.extents for one in node.names)
    if not plain or kind not in _SETTLED or {one.name for one in node.names} & t.written_in(*loop.body):
        return {}
    found: dict[str, t.Node] = {}
    for one in node.names:
        assert one.value is not None
        found[one.name] = t.renamed(one.value, found)
    return found


_SETTLED = ("float", "int", "uint", "size_t")
"""Types of values that are computed again where they are used; one of double precision would round elsewhere."""


def _walks(variable: str, values: t.Body) -> bool:
    """Tell whether more loads walk along memory than jump."""
    near = far = 0
    for one in t.walk(*values):
        if isinstance(one, t.Index):
            stride = algebra.stride(algebra.polynomial(one.index), variable)
            near += stride == algebra.ONE
            far += stride not in (algebra.ONE, {})
    return near > far


def _addition(node: t.Node) -> tuple[str, t.Node]:
    """Return variable and summand of ``s += x`` or ``s = s + x``. Raises RefusedError."""
    match node:
        case t.Do(value=t.Assign(op="+=", target=t.Name(text=name), value=value)):
            return name, value
        case t.Do(
            value=t.Assign(
                op="=", target=t.Name(text=name), value=t.Binary(op="+", left=t.Name(text=left), right=value)
            )
        ):
            if left == name:
                return name, value
    raise RefusedError("a statement of the loop is no addition to a variable")


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
        Example(
            _BEFORE.replace("s += a[i * n + j];", "float d = a[i * n + j], e = d - 1.0f;\n            s += d * e;"),
            _AFTER.replace(
                "s_lanes += vload4(0, &a[i * n + j]);",
                "s_lanes += vload4(0, &a[i * n + j]) * (vload4(0, &a[i * n + j]) - (float4)(1.0f));",
            ).replace(
                "            s += a[i * n + j];",
                "            float d = a[i * n + j], e = d - 1.0f;\n            s += d * e;",
            ),
            4,
        ),
        Example(_BEFORE.replace("a[i * n + j]", "a[j * n + i]"), "", 4),
    ),
    twin=("for (; j < n; j++)", "for (; j < n - 1; j++)"),
)
