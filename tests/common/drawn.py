"""OpenCL kernels drawn at random: types, declarations and uses that C allows, none that it leaves undefined.

A drawn text reads within its arrays only, never overflows a number with a sign, and makes no number with a sign of a real one, so that its
results are the same bits under every correct rewrite that keeps bits. Contraction is switched off in the text.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

WHOLE = {
    "char": "int8", "uchar": "uint8", "short": "int16", "ushort": "uint16", "int": "int32", "uint": "uint32",
    "long": "int64", "ulong": "uint64",
}  # fmt: skip
REAL = {"float": "float32", "double": "float64"}
WRAPS = ("uchar", "ushort", "uint", "ulong")
"""Types of counters and sums that may wrap: narrow ones are converted, which C defines by the implementation and all take modulo."""
LONGEST = 13
"""Rounds of the longest inner loop."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A kernel's text with what a launch needs."""

    text: str
    extents: tuple[str, ...]
    """Work-items by dimension, in terms of sizes."""
    arrays: dict[str, tuple[str, str]]
    """Data type and length, an expression of sizes, of each array by name."""
    outputs: tuple[str, ...]
    sizes: tuple[str, ...]
    """Parameters that are sizes."""
    exact: bool
    """False where it divides real numbers or takes roots, which vectors round differently."""


@dataclass(slots=True)
class Writer:
    """Writes one kernel; draws decide everything."""

    chance: random.Random
    number: int = 0
    lines: list[str] = field(default_factory=list)
    whole: list[str] = field(default_factory=list)
    """Variables that hold whole numbers within ±2^15."""
    depth: int = 1
    real: str = "float"
    """Type of the sum of real numbers."""
    exact: bool = True

    def one(self, *of: str) -> str:
        return self.chance.choice(of)

    def fresh(self, stem: str = "t") -> str:
        self.number += 1
        return f"{stem}{self.number}"

    def put(self, line: str) -> None:
        self.lines.append("    " * self.depth + line)

    def maybe(self, part: float) -> bool:
        return self.chance.random() < part


def drawn(seed: int) -> Drawn:
    """Return the kernel of a seed."""
    chance = random.Random(seed)
    return chance.choice((line, line, plane))(Writer(chance))


def filled(kernel: Drawn, sizes: dict[str, int], seed: int, *, wild: bool) -> dict[str, NDArray[np.generic]]:
    """Return awkward contents of a kernel's arrays: whole ranges, ties; `wild`: NaN, infinities and zeros of both signs, too."""
    rng = np.random.default_rng(seed)
    made: dict[str, NDArray[np.generic]] = {}
    for name, (dtype, length) in kernel.arrays.items():
        count = int(eval(length, {}, dict(sizes)))
        kind = np.dtype(dtype)
        if name == "at":
            made[name] = rng.integers(0, sizes["n"], count).astype(kind)
        elif kind.kind in "iu":
            info = np.iinfo(kind)
            low, high = max(info.min, -(1 << 15)), min(info.max, (1 << 15) - 1)
            values = rng.integers(low, high + 1, count)
            made[name] = np.where(rng.random(count) < 0.4, rng.integers(max(low, -2), 3, count), values).astype(kind)
        else:
            values = np.round(rng.uniform(-2, 2, count) * 8) / 8 if seed % 2 else rng.uniform(-2, 2, count)
            if wild:
                odd = rng.choice([np.nan, np.inf, -np.inf, -0.0, 0.0, 1e-40], count)
                values = np.where(rng.random(count) < 0.1, odd, values)
            made[name] = values.astype(kind)
    return made


def line(w: Writer) -> Drawn:
    """Return a kernel of one dimension: each work-item has an element, a row and a column."""
    first, second, result = w.one(*WHOLE, *REAL), w.one(*WHOLE), w.one(*WHOLE, *REAL)
    arrays = {
        "a": (kind_of(first), "n * m"), "b": (kind_of(second), "n"), "r": (w.one("float32", "float64"), "n * m"),
        "c": (kind_of(w.one(*WHOLE)), "m"), "at": ("int32", "n"), "y": (kind_of(result), "n"),
        "z": (kind_of(w.one(*WHOLE, *REAL)), "n * m"),
    }  # fmt: skip
    before = w.lines
    w.put(f"{w.one('const int', 'int', 'const uint', 'size_t', 'int')} i = get_global_id(0);")
    guarded = w.maybe(0.5)
    if guarded:
        w.put(w.one("if (i >= n) return;", "if (!(i < n)) { return; }"))
    _work(w, arrays, "i", ("b[i]", "b[n - 1 - i]", "b[(i + 3) % n]", "b[at[i]]", "b[i > 0 ? i - 1 : 0]", "c[i % m]"))
    _store(w, arrays["y"][0], "y[i]")
    if w.maybe(0.4):
        k = w.fresh("k")
        w.put(f"for (int {k} = 0; {k} < m; {k}++) z[i * m + {k}] {w.one('=', '+=', '=')} {_sum(w, arrays['z'][0], k)};")
    return _whole(w, before, arrays, ("n + 5",) if guarded else ("n",), ("n", "m"))


def plane(w: Writer) -> Drawn:
    """Return a kernel of two dimensions with neighbours that conditions guard."""
    first, result = w.one(*WHOLE, *REAL), w.one(*WHOLE, *REAL)
    arrays = {
        "a": (kind_of(first), "h * n"), "b": (kind_of(w.one(*WHOLE)), "h * n"), "r": (w.one("float32", "float64"), "h * n"),
        "c": (kind_of(w.one(*WHOLE)), "m"), "y": (kind_of(result), "h * n"),
    }  # fmt: skip
    before = w.lines
    across, down = ("0", "1") if w.maybe(0.7) else ("1", "0")
    kind = w.one("const int", "int", "int")
    w.put(f"{kind} x = get_global_id({across});")
    w.put(f"{kind} v = get_global_id({down});")
    guarded = w.maybe(0.6)
    if guarded:
        w.put(w.one("if (x >= n || v >= h) return;", "if (!(x < n && v < h)) return;"))
    w.put("const int i = v * n + x;")
    _work(w, arrays, "x", ("b[i]", "b[v * n + (x + 1) % n]", "b[(v + 1) % h * n + x]", "b[v * n + max(x - 1, 0)]"))
    _window(w)
    _store(w, arrays["y"][0], "y[i]")
    extents = ("n + 3", "h + 2") if guarded else ("n", "h")
    return _whole(w, before, arrays, extents if across == "0" else extents[::-1], ("n", "h", "m"))


def kind_of(name: str) -> str:
    """Return NumPy's name of a type."""
    return {**WHOLE, **REAL}[name]


def _named(dtype: str) -> str:
    return next(name for name, other in {**WHOLE, **REAL}.items() if other == dtype)


def _whole(w: Writer, lines: list[str], arrays: dict[str, tuple[str, str]], extents: tuple[str, ...], sizes: tuple[str, ...]) -> Drawn:  # fmt: skip
    """Return a text around the statements that were written."""
    used = "\n".join(lines)
    arrays = {name: value for name, value in arrays.items() if f"{name}[" in used or f" {name} +" in used}
    outputs = tuple(name for name in arrays if name in "yz")
    parameters = [
        f"__global {'' if name in outputs else w.one('const ', '', 'const ')}{_named(dtype)} "
        f"*{w.one('', '', 'restrict ') if name in outputs else w.one('', '', 'const ')}{name}"
        for name, (dtype, _) in arrays.items()
    ]
    parameters += [f"{w.one('const int', 'int')} {name}" for name in sizes]
    w.chance.shuffle(parameters)
    head = "#pragma OPENCL FP_CONTRACT OFF\n#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    head += "#define TWICE(v) v + v\n#define LOW(v) ((v) & 63)\n#define PICK(p, q) ((p) > (q) ? (p) : (q))\n"
    text = head + f"__kernel void drawn({', '.join(parameters)})\n{{\n{used}\n}}\n"
    return Drawn(text, extents, arrays, outputs, sizes, w.exact)


def _work(w: Writer, arrays: dict[str, tuple[str, str]], own: str, places: tuple[str, ...]) -> None:
    """Declare sums and change them by some statements."""
    w.real = w.one("float", "float", "double")
    w.put(f"{w.real} f = {w.one('0', '1.5f', 'r[i]')};")
    w.put(f"int {w.one('q = 0, e = 3', 'q = 1, e = (int)LOW(i)')};")
    w.put(f"{w.one('uint', 'uint', *WRAPS)} s = {w.one('0', f'{w.one(*places)} & 63', 'f > 0 ? 3 : 40')};")
    w.whole += ["q", "e"]
    for _ in range(w.chance.randint(2, 4)):
        w.chance.choice((_branch, _loop, _loop, _loop, _assign, _scope, _jump))(w, arrays, own, places)


def _assign(w: Writer, _arrays: dict[str, tuple[str, str]], _own: str, places: tuple[str, ...]) -> None:
    match w.chance.randint(0, 6):
        case 0:
            w.put(f"s {w.one('+=', '-=', '^=', '|=', '*=')} {_small(w, places)};")
        case 1:
            w.put(f"s += {_small(w, places)}, q++;")
        case 2:
            name = w.fresh()
            w.put(f"{w.one('const int', 'volatile int', 'int', 'short', 'uchar')} {name} = {_low(w, places)};")
            w.put(f"s += TWICE({name}) * 3;")
        case 3:
            w.put(f"f = {_condition(w, places)} ? f * 0.5f : {_condition(w, places)} ? f + 1 : -f;")
        case 4:
            w.put(f"q = LOW(q + {_low(w, places)});")
        case 5:
            w.put(f"s <<= {w.one('1', '(s & 3)')};")
        case _:
            w.put(
                f"f {w.one('+=', '-=', '*=')} {w.one('(float)LOW(s)', 'r[i]', f'fmax(f, ({w.real})0.25f)', 'fabs(f)')};"
            )


def _low(w: Writer, places: tuple[str, ...]) -> str:
    """Return a number from 0 to 63."""
    return f"({w.one(w.one(*places), *w.whole, '(int)s')} & {w.one('63', '15', '31')})"


def _small(w: Writer, places: tuple[str, ...]) -> str:
    """Return a whole number that is small enough to be added to or multiplied by another."""
    match w.chance.randint(0, 7):
        case 0:
            return f"{_low(w, places)} * {_low(w, places)}"
        case 1:
            return f"({_condition(w, places)} ? {_low(w, places)} : {_low(w, places)} - 7)"
        case 2:
            return f"PICK({_low(w, places)}, {_low(w, places)})"
        case 3:
            return f"min({_low(w, places)}, {w.one('9', '40', 'LOW(q)')})"
        case 4:
            return f"({_low(w, places)} >> 1 | {_low(w, places)} << 2)"
        case 5:
            return f"(uchar)({_low(w, places)} * 9)"
        case 6:
            return f"!{_low(w, places)}"
        case _:
            return _low(w, places)


def _condition(w: Writer, places: tuple[str, ...]) -> str:
    less = w.one("<", "<=", ">", ">=", "==", "!=")
    match w.chance.randint(0, 5):
        case 0:
            return f"f {less} {w.one('0', '0.5f', 'r[i]')}"
        case 1:
            return f"!(f {w.one('<', '>')} r[i])"
        case 2:
            return f"({_low(w, places)} {less} {_low(w, places)} {w.one('&&', '||')} {_low(w, places)} {less} 20)"
        case 3:
            return f"{_low(w, places)} & 1"
        case 4:
            return f"i - 1u < {w.one('n - 2u', '5u')}"
        case _:
            return f"{_low(w, places)} {less} {w.one('7', _low(w, places))}"


def _branch(w: Writer, arrays: dict[str, tuple[str, str]], own: str, places: tuple[str, ...]) -> None:
    w.put(f"if ({_condition(w, places)}) {{")
    w.depth += 1
    _assign(w, arrays, own, places)
    w.depth -= 1
    if w.maybe(0.5):
        w.put("} else {")
        w.depth += 1
        _assign(w, arrays, own, places)
        w.depth -= 1
    w.put("}")


def _scope(w: Writer, arrays: dict[str, tuple[str, str]], own: str, places: tuple[str, ...]) -> None:
    """Write a block whose variable hides one of outside, or a choice among cases."""
    if w.maybe(0.5):
        w.put(f"{{ int e = LOW({w.one(*places)}); s += e * 2; e++; q = LOW(q + e); }}")
        return
    w.put(f"switch ({_low(w, places)} & 3) {{ case 0: s += 5; break; case 1: q = LOW(q + 1); default: s ^= 9; }}")


def _jump(w: Writer, arrays: dict[str, tuple[str, str]], own: str, places: tuple[str, ...]) -> None:
    """Write an early way out, by `goto` or by `do`."""
    if w.maybe(0.3):
        name = w.fresh("out")
        w.put(f"if ({_condition(w, places)}) goto {name};")
        _assign(w, (arrays), own, places) if w.maybe(0.0) else w.put(f"s += {_low(w, places)};")
        w.put(f"{name}: ;")
        return
    k = w.fresh("d")
    w.put(f"int {k} = {_low(w, places)} & 7;")
    w.put(f"do {{ s += {w.one(k, 'c[0]', f'LOW({k} * 3)')} & 31; {k}--; }} while ({k} > 0);")


def _loop(w: Writer, arrays: dict[str, tuple[str, str]], own: str, places: tuple[str, ...]) -> None:
    """Write a loop over a row, a column or a table, in one of many spellings."""
    k = w.fresh("k")
    kind = w.one("int", "int", "uint", "short", "uchar", "ushort", "char", "long", "size_t", "const_")
    kind = "int" if kind == "const_" else kind
    signed = kind in ("int", "short", "char", "long")
    heads = [
        f"for ({kind} {k} = 0; {k} < m; {w.one(f'{k}++', f'++{k}', f'{k} += 1', f'{k} = {k} + 1')}) {{",
        f"for ({kind} {k} = 0; {k} < m; {k} += 2) {{",
        f"for (uint {k} = m; {k}-- > 0;) {{",
    ]
    if signed:
        heads += [
            f"for ({kind} {k} = m - 1; {k} >= 0; {w.one(f'{k}--', f'--{k}', f'{k} -= 1', f'{k} -= 2')}) {{",
            f"for ({kind} {k} = 0; {k} <= m - 1; {k}++) {{",
        ]
    before = f"int {k}n = 0; __global const {_named(arrays['a'][0])} *{k}p = a + {'i * m' if 'h' not in arrays['a'][1] else 'v * n'};"
    if w.maybe(0.15):
        w.put(f"{kind} {k} = 0;")
        heads = [f"while ({k} < m) {{"]
    head = w.chance.choice(heads)
    w.put(before)
    w.put(head)
    w.depth += 1
    _body(w, arrays, k, places)
    if head.startswith("while"):
        w.put(f"{k}++;")
    w.depth -= 1
    w.put("}")
    w.put(f"q = LOW(q + {k}n);")


def _body(w: Writer, arrays: dict[str, tuple[str, str]], k: str, places: tuple[str, ...]) -> None:
    """Write what a loop does: never more rounds than a row has elements."""
    flat = "h" not in arrays["a"][1]
    row = f"a[i * m + {k}]" if flat else f"a[v * n + {k} % n]"
    column = f"a[{k} * n + i]" if flat else f"a[{k} % h * n + x]"
    element = w.one(row, row, column, f"{k}p[{k}]" if flat else row, f"{k}p[{k}n++]" if flat else column)
    table = w.one(f"c[{k}]", f"c[m - 1 - {k}]", "c[0]")
    real = arrays["a"][0].startswith("float")
    value = f"({element} > 0)" if real else f"({element} & 63)"
    leaves = w.one("", "", "", "break", "continue")
    if f"{k}n++" in element:
        leaves = ""
    if leaves and not (leaves == "continue" and w.lines[-1].strip().startswith("while")):
        w.put(f"if ({w.one(f'{value} == 3', f'({table} & 31) > 29', f'{value} != ({table} & 63)')}) {leaves};")
    match w.chance.randint(0, 8):
        case 0:
            w.put(f"s += {value} * ({table} & 15);")
        case 1:
            w.put(f"s = {value} > (s & 63) ? {value} : s;" if "++" not in value else f"s += {value};")
        case 2:
            w.put(f"if ({value} {w.one('>', '<', '==')} ({table} & 63)) {{ {w.one(f'{k}n += 2', 's++', f'q = LOW({k})', 'e = LOW(e + 1)')}; }}")  # fmt: skip
        case 3:
            w.put(
                f"f += {f'{element}' if real else f'(float){value}'} * {w.one('r[i]', '0.5f', f'(float)({table} & 7)')};"
            )
        case 4:
            w.put(f"f = {w.one('fmax', 'fmin')}(f, ({w.real}){element if real else value});")
        case 5:
            w.put(f"s += {value}, {w.one(f'{k}n++', 'e ^= 1', f's ^= {table} & 31')};" if "++" not in element else f"s += {value};")  # fmt: skip
        case 6:
            w.put(f"s += {w.one(f'({table} & 1) ? {value} : 3', f'{value} ? ({table} & 7) : s & 1')};")
        case 7:
            inner = w.fresh("j")
            w.put(f"for (int {inner} = 0; {inner} < {w.one('3', f'({table} & 3)', '2')}; {inner}++) s += {w.one(inner, value if '++' not in value else inner)} * {w.one('2', inner)};")  # fmt: skip
        case _:
            name = w.fresh("l")
            w.put(f"{w.one('const ', '')}{w.one('int', 'short', 'uchar', 'uint')} {name} = {value}; s {w.one('+=', '^=', '-=')} {name};")  # fmt: skip


def _window(w: Writer) -> None:
    """Write a window around a place whose elements outside of the plane are left out, or taken from the edge."""
    value = w.one("(uint)b[(v + p) * n + x + o] & 63u", "b[(v + p) * n + (x + o)] & 31")
    guard = w.one(
        "x + o >= 0 && x + o < n && v + p >= 0 && v + p < h", "(uint)(x + o) < (uint)n && (uint)(v + p) < (uint)h"
    )
    w.put(
        f"for (int p = -{w.one('1', '2', '1')}; p <= 1; p++) for (int o = -1; o <= {w.one('1', '2')}; {w.one('o++', '++o')}) {{"
    )
    w.depth += 1
    match w.chance.randint(0, 3):
        case 0:
            w.put(f"if ({guard}) s += {value};")
        case 1:
            w.put(f"if (!({guard})) continue;")
            w.put(f"s += ({value}) * (uint)(p * 3 + o + 7);")
        case 2:
            w.put(f"s += ({guard}) ? {value} : 1;")
        case _:
            w.put("s += b[clamp(v + p, 0, h - 1) * n + clamp(x + o, 0, n - 1)] & 63;")
    w.depth -= 1
    w.put("}")


def _sum(w: Writer, dtype: str, k: str) -> str:
    return w.one("s", f"s + {k}", "q") if not dtype.startswith("float") else w.one("f", "(float)LOW(s)", f"f + {k}")


def _store(w: Writer, dtype: str, place: str) -> None:
    if w.maybe(0.2):
        w.put(f"if (q & 1) {{ {place} = 1; return; }}")
    real = dtype.startswith("float")
    value = (
        w.one("f", "f + (float)LOW(s)", "(float)LOW(s + q)") if real else w.one("s", "s + q", "q - e", "s ^ (q << 2)")
    )
    if real and w.maybe(0.15):
        w.exact = False
        value = f"f / ({value} * 0.25f + 3.0f)"
    w.put(f"{place} {w.one('=', '=', '+=') if real else '='} {value};")
