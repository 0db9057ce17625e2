"""Kernels drawn at random for rewrites that plain loops never meet: structures, short vectors, functions, work-groups, counts, pixels.

The same promises as `drawn`: within its arrays, no number with a sign overflows, results are the same bits under rewrites that keep bits.
"""

from __future__ import annotations

from collections.abc import Callable

from drawn import REAL, WHOLE, Drawn, Writer, kind_of  # type: ignore[import-not-found]

GROUP = 16
"""Work-items of a group, where a text says so."""
_HEAD = "#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
_LINE = ("n",)
Arrays = dict[str, tuple[str, str]]


def text_of(w: Writer, before: str, arrays: Arrays, extents: tuple[str, ...], sizes: tuple[str, ...], *, types: dict[str, str] | None = None, group: str = "") -> Drawn:  # fmt: skip
    """Return a text around the statements that were written; `types`: names of elements that are no numbers."""
    used = "\n".join(w.lines)
    names = {kind_of(one): one for one in (*WHOLE, *REAL)}
    outputs = tuple(name for name in arrays if name[0] in "yz")
    parameters = [
        f"__global {'' if name in outputs else w.one('const ', '')}{(types or {}).get(name) or names[dtype]} *{w.one('', '', 'restrict ')}{name}"
        for name, (dtype, _) in arrays.items()
    ]
    parameters += [f"{w.one('const int', 'int')} {name}" for name in sizes]
    w.chance.shuffle(parameters)
    attribute = f"__attribute__((reqd_work_group_size({group}))) " if group else ""
    text = f"{_HEAD}{before}__kernel {attribute}void drawn({', '.join(parameters)})\n{{\n{used}\n}}\n"
    return Drawn(text, extents, arrays, outputs, sizes, w.exact)


def guarded(w: Writer) -> tuple[str, ...]:
    """Declare the number `i` of a work-item, with or without a way out, and return the grid."""
    w.put(f"{w.one('int', 'const int', 'const uint', 'size_t')} i = get_global_id(0);")
    if w.maybe(0.5):
        w.put(w.one("if (i >= n) return;", "if (!(i < n)) { return; }"))
        return ("n + 5",)
    return _LINE


def _low(w: Writer, *of: str) -> str:
    return f"({w.one(*of)} & {w.one('63', '15', '31')})"


def _near(w: Writer, last: str = "n") -> str:
    """Return the place of an element near one's own."""
    return w.one(f"{last} - 1 - i", "i", f"(i + 3) % {last}", "i > 0 ? i - 1 : 0", f"min((int)i + 1, {last} - 1)")


def bodies(w: Writer) -> Drawn:
    """Structures of one type, read and written by member or as a whole."""
    real = w.maybe(0.6)
    kind = w.one("float", "double") if real else w.one("int", "uint", "short", "uchar")
    before = w.one(
        f"typedef struct {{ {kind} p, q; {kind} v[2]; }} Body;\n",
        f"struct body {{ {kind} p; {kind} q; {kind} v[2]; }};\ntypedef struct body Body;\n",
    )
    extents = guarded(w)
    scale = "0.5f" if real else "1"
    w.put(f"Body b = a[{w.one('i', _near(w))}];")
    for _ in range(w.chance.randint(1, 4)):
        place = _near(w)
        w.put(
            w.one(
                f"b.p {w.one('=', '+=') if real else '='} a[{place}].{w.one('q', 'v[1]', 'p')} * {scale};",
                f"{{ Body o = a[{place}]; b.{w.one('q', 'v[0]')} = o.{w.one('p', 'v[1]')}; b.p = o.q; }}",
                f"for (int k = 0; k < 2; k++) b.v[k] = a[{place}].v[{w.one('k', '1 - k')}];",
                f"for (int k = 0; k < m; k++) {{ if (a[k].p > b.p) {{ b.q = a[k].{w.one('q', 'v[0]')}; }} }}",
                f"if (b.p > a[{place}].q) b.v[1] = b.{w.one('q', 'v[0]')};",
            )
        )
    w.put(w.one("y[i] = b;", "y[i] = b; y[i].q = b.v[0];", "y[i].p = b.q; y[i].v[1] = b.p;"))
    length = ("max(n, m) * 4", "n * 4")
    arrays = {"a": (kind_of(kind), length[0]), "y": (kind_of(kind), length[1])}
    return text_of(w, before, arrays, extents, ("n", "m"), types={"a": "Body", "y": "Body"})


def short_vectors(w: Writer) -> Drawn:
    """Short vectors: arithmetic, components, swizzles, sums in loops."""
    count = w.chance.choice((2, 4))
    kind = w.one("float", "float", "double", "int", "uint")
    vector, real = f"{kind}{count}", kind in REAL
    extents = guarded(w)
    w.put(f"{vector} p = a[i];")
    w.put(f"{vector} s = {w.one(f'({vector})(0)', 'p', 'a[' + _near(w) + ']')};")
    mask = "" if real else " & 63"
    for _ in range(w.chance.randint(1, 4)):
        last = "y" if count == 2 else w.one("z", "w", "y")
        w.put(
            w.one(
                f"for (int k = 0; k < m; k++) {{ {vector} d = (a[k]{mask}) - p; s += {w.one('d', 'd * d.x' if real else 'd')}; }}",
                f"s.{w.one('x', last)} {w.one('=', '+=') if real else '='} p.{w.one('x', last)};",
                f"s = {w.one('max', 'min')}(s, p);" if not real else f"s = {w.one('fmax', 'fmin')}(s, p);",
                f"s = s {w.one('+', '-')} (a[{_near(w)}]{mask});",
                f"if (p.x > s.{last}) s = p;",
                f"p = s{'.yx' if count == 2 else w.one('.yxwz', '.wzyx', '.xxyy')};"
                if w.maybe(0.7)
                else f"p = -s{mask};",
                f"s *= ({vector})({w.one('2', '0.5f') if real else '1'});",
            )
        )
        w.put("s = s & 255; p = p & 255;" if not real else ";")
    w.put(w.one("y[i] = s;", "y[i] = s + p;", f"y[i] = ({vector})(s.x, {', '.join(['p.y'] * (count - 1))});"))
    arrays = {"a": (kind_of(kind), f"max(n, m) * {count}"), "y": (kind_of(kind), f"n * {count}")}
    return text_of(w, "", arrays, extents, ("n", "m"), types={"a": vector, "y": vector})


def functions(w: Writer) -> Drawn:
    """Functions with early ends, narrow parameters, hidden names, and calls behind conditions."""
    narrow, kind = w.one("uchar", "short", "int", "uint"), w.one(*WHOLE)
    before = (
        f"int low(int i) {{ return i & 31; }}\n"
        f"uint mixed({narrow} a, uint s) {{ if (a > 5) return s ^ 3; s += a & 15; {w.one('', 'a = 3; ', 'if (s & 1) return a & 7; ')}return s + (a & 3); }}\n"
        f"{w.one('inline ', '', 'static ')}float near(float f, int k) {{ float i = f * 0.5f; if (k < 2) return f; {w.one('', 'i += 1; ', 'for (int q = 0; q < 3; q++) i += q; ')}return i + k; }}\n"
        f"uint all_of(__global const {kind} *p, int n) {{ uint s = 0; for (int k = 0; k < n; k++) s += p[k] & 63; return s; }}\n"
    )
    extents = guarded(w)
    w.put("uint s = 7; int q = 1; float f = r[i];")
    for _ in range(w.chance.randint(2, 5)):
        w.put(
            w.one(
                f"s = mixed({w.one('s', 'q', 'b[i]', 's + q')}, {w.one('s', 'b[i] & 63')});",
                f"f = near(f, low({w.one('s', 'q', 'b[i]')}));",
                f"if (low(s) > 3 {w.one('&&', '||')} mixed(q, s) > 9) q = low(q + {w.one('1', 's')});",
                f"for (int k = 0; k < m; k++) {{ s += mixed(k, {w.one('s', 'k')}) & 31; f += near(r[k % n], k); }}",
                f"s += {w.one('q > 1 ? low(s) : mixed(s, 1)', 'mixed(q++ & 7, s)', 'all_of(b, min(m, n))')};",
                "q = low(q) + low(s);",
                f"{{ int i = low(q); s += {w.one('mixed(i, s)', 'low(i + s)')}; }}",
            )
        )
    w.put(w.one("y[i] = s; z[i] = f;", "y[i] = mixed(s, q); z[i] = near(f, q & 3);"))
    arrays = {"b": (kind_of(kind), "n"), "r": ("float32", "n"), "y": ("uint32", "n"), "z": ("float32", "n")}
    return text_of(w, before, arrays, extents, ("n", "m"))


def powers(w: Writer) -> Drawn:
    """Powers with small exponents of what may be anything, and of what changes."""
    real = w.one("float", "double")
    mark = "f" if real == "float" else ""
    extents = guarded(w)
    w.put(f"{real} f = a[i], g = 0;")
    for _ in range(w.chance.randint(1, 3)):
        what = w.one("f", "a[i]", "f - a[i]", "(f + 1)", "fabs(f)", "g")
        exponent = w.one("2.0", "3.0", "4.0", "2.5") + mark
        power = w.one(
            f"pow({what}, {exponent})", f"pown({what}, {w.one('2', '3', '4', '5')})", f"powr(fabs({what}), 2.0{mark})"
        )
        w.put(w.one(f"g += {power};", f"f = {power};", f"for (int k = 0; k < m; k++) g += {power} * c[k];"))
        w.put("f = f > 4 ? 4 : f < -4 ? -4 : f; g = g > 9 ? 9 : g < -9 ? -9 : g;")
    w.put("y[i] = f + g;")
    w.exact = False
    return text_of(
        w, "", {"a": (kind_of(real), "n"), "c": (kind_of(real), "m"), "y": (kind_of(real), "n")}, extents, ("n", "m")
    )


def flat(w: Writer) -> Drawn:
    """A number that is taken apart into row and column."""
    kind, result = w.one(*WHOLE, *REAL), w.one("int", "uint", "float")
    w.put(f"{w.one('int', 'uint', 'const int')} i = get_global_id(0);")
    bounded = w.maybe(0.6)
    if bounded:
        w.put(w.one("if (i >= n * h) return;", "if (!(i < h * n)) return;"))
    w.put(
        w.one("int x = i % n; int v = i / n;", "int v = i / n; int x = i - v * n;", "const int x = i % n, v = i / n;")
    )
    low = "(a[v * n + x] > 0)" if kind in REAL else "(a[v * n + x] & 63)"
    w.put("uint s = 1;")
    for _ in range(w.chance.randint(1, 3)):
        near = w.one(
            "v * n + (x + 1) % n", "(v + h - 1) % h * n + x", "v * n + max(x - 1, 0)", "min(v + 1, h - 1) * n + x"
        )
        w.put(
            w.one(
                f"s += {low} * 3;",
                f"s += b[{near}] & 31;",
                f"if (x > 0 {w.one('&&', '||')} v < h - 1) s ^= {low};",
                f"for (int k = 0; k < m; k++) s += b[v * n + (x + k) % n] & {w.one('7', '63')};",
                f"for (int o = -1; o <= 1; o++) {{ if (x + o < 0 || x + o >= n) {w.one('continue', 'break')}; s += b[v * n + x + o] & 31; }}",
            )
        )
    w.put("y[i] = s;")
    arrays = {
        "a": (kind_of(kind), "h * n"),
        "b": (w.one("uint8", "int32", "uint16"), "h * n"),
        "y": (kind_of(result), "h * n"),
    }
    used = "\n".join(w.lines)
    arrays = {name: one for name, one in arrays.items() if f"{name}[" in used}
    return text_of(w, "", arrays, ("n * h + 7",) if bounded else ("n * h",), ("n", "h", "m"))


def strided(w: Writer) -> Drawn:
    """A loop over the grid in steps of its size."""
    kind = w.one(*WHOLE, *REAL)
    step = w.one("get_global_size(0)", "step")
    if step == "step":
        w.put(f"const {w.one('int', 'size_t', 'uint')} step = get_global_size(0);")
    w.put(f"for ({w.one('int', 'uint', 'size_t')} i = get_global_id(0); i < n; i += {step}) {{")
    w.depth += 1
    low = "(a[i] > 0)" if kind in REAL else "(a[i] & 63)"
    w.put(f"uint s = {low};")
    for _ in range(w.chance.randint(0, 2)):
        w.put(
            w.one(
                f"s += b[{_near(w)}] & 31;",
                f"if ({low} > 4) s ^= 9;",
                "for (int k = 0; k < m; k++) s += (b[i] & 15) * k;",
            )
        )
    if w.maybe(0.3):
        w.put(f"if (s {w.one('==', '>')} 7) continue;")
    w.put(f"y[i] {w.one('=', '=', '+=')} s;")
    w.depth -= 1
    w.put("}")
    arrays = {"a": (kind_of(kind), "n"), "b": ("int16", "n"), "y": ("uint32", "n")}
    return text_of(w, "", arrays, (w.one("n", "8", "n + 3"),), ("n", "m"))


def memory_sums(w: Writer) -> Drawn:
    """Sums that live in memory while a loop runs."""
    kind = w.one("float", "uint", "uchar", "double")
    extents = guarded(w)
    low = "a[{}]" if kind in REAL else "(a[{}] & 63)"
    place = w.one("i", "i", "n - 1 - i")
    if w.maybe(0.6):
        w.put(f"y[{place}] = {w.one('0', '3')};")
    w.put(f"for (int k = 0; k < m; {w.one('k++', 'k += 2')}) {{")
    w.depth += 1
    if w.maybe(0.4):
        w.put(f"if ({w.one('(b[k] & 3) == 1', 'k == i', 'b[i] > b[k]')}) {w.one('continue', 'break')};")
    w.put(f"y[{place}] {w.one('+=', '+=', '-=', '=')} {low.format(w.one('i * m + k', 'k * n + i'))};")
    if w.maybe(0.4):
        w.put(f"if (b[k] > 0) y[{place}] {w.one('+=', '=')} {low.format('i * m')};")
    if w.maybe(0.3):
        w.put(f"z[{place}] = y[{place}];")
    w.depth -= 1
    w.put("}")
    arrays = {
        "a": (kind_of(kind), "n * m"),
        "b": ("int8", "max(n, m)"),
        "y": (kind_of(kind), "n"),
        "z": (kind_of(kind), "n"),
    }
    used = "\n".join(w.lines)
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, extents, ("n", "m"))


KINDS: dict[str, Callable[[Writer], Drawn]] = {
    "bodies": bodies,
    "short_vectors": short_vectors,
    "functions": functions,
    "powers": powers,
    "flat": flat,
    "strided": strided,
    "memory_sums": memory_sums,
}
