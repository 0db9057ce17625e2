"""Kernels drawn at random whose work-items meet in groups, count in shared memory, or hold pixels of several channels."""

from __future__ import annotations

import random
from collections.abc import Callable

from drawn import REAL, WHOLE, Drawn, Writer, kind_of  # type: ignore[import-not-found]
from drawn_kinds import GROUP, KINDS, guarded, text_of  # type: ignore[import-not-found]

_BARRIER = "barrier(CLK_LOCAL_MEM_FENCE);"


def _real(w: Writer, kind: str) -> None:
    """Note that sums of real numbers are rounded as the runtime likes: it gives the same statements other bits behind barriers and before them."""
    w.exact = w.exact and kind not in REAL


def _value(w: Writer, kind: str, place: str) -> str:
    """Return what a work-item puts into local memory: small, where it is a whole number."""
    return f"a[{place}]" if kind in REAL else f"(a[{place}] & {w.one('63', '255')})"


def group_sum(w: Writer) -> Drawn:
    """Each place puts a value into local memory, which is halved until one place has the sum or the extreme."""
    kind = w.one("float", "float", "int", "uint")
    _real(w, kind)
    w.put(f"__local {kind} part[{GROUP}];")
    w.put(f"{w.one('int', 'const int', 'uint')} l = get_local_id(0);")
    w.put("int i = get_global_id(0);")
    start = _value(w, kind, "i")
    if w.maybe(0.5):
        w.put(f"{kind} own = {w.one('0', start)};")
        w.put(f"for (int k = {w.one('0', 'l')}; k < m; k += {w.one('1', str(GROUP))}) own += c[k] & 31;")
        start = w.one("own", f"own + {start}")
    w.put(f"part[l] = {start};")
    best = w.maybe(0.3)
    join = f"part[l] = {w.one('max', 'min') if kind not in REAL else w.one('fmax', 'fmin')}(part[l], part[l + s]);"
    join = join if best else "part[l] += part[l + s];"
    early = w.maybe(0.5)
    w.put(_BARRIER)
    w.put(f"for (int s = {w.one(str(GROUP // 2), 'get_local_size(0) / 2')}; s > 0; {w.one('s >>= 1', 's /= 2')}) {{")
    w.put(f"    if (l < s) {w.one('{ ' + join + ' }', join)}")
    w.put(f"    {_BARRIER}")
    w.put("}")
    w.put(
        f"if ({w.one('l == 0', '!l')}) {w.one('y[get_group_id(0)]', f'y[i / {GROUP}]')} = part[0]{w.one('', ' * 2', ' + 1')};"
    )
    if early and w.maybe(0.5):
        w.put("z[i] = part[0] + l;")
    used = "\n".join(w.lines)
    arrays = {"a": (kind_of(kind), f"n * {GROUP}"), "c": ("int32", "m"), "y": (kind_of(kind), "n"), "z": (kind_of(kind), f"n * {GROUP}")}  # fmt: skip
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, (f"n * {GROUP}",), ("n", "m"), group=f"{GROUP}, 1, 1")  # fmt: skip


def group_scan(w: Writer) -> Drawn:
    """Running sums through local memory in steps, of all up to a place or of all before it."""
    kind = w.one("float", "int", "uint")
    w.put(f"__local {kind} own[{GROUP}], other[{GROUP}];")
    w.put("int l = get_local_id(0);")
    w.put(f"own[l] = {_value(w, kind, 'get_global_id(0)')};")
    w.put(_BARRIER)
    w.put(f"for (int s = 1; s < {GROUP}; s {w.one('<<= 1', '*= 2')}) {{")
    if w.maybe(0.5):
        w.put(f"    other[l] = l {w.one('>= s', '> s - 1')} ? own[l] + own[l - s] : own[l];")
        w.put(f"    {_BARRIER}")
        w.put("    own[l] = other[l];")
    else:
        w.put(f"    {kind} before = l >= s ? own[l - s] : 0;")
        w.put(f"    {_BARRIER}")
        w.put("    own[l] += before;")
    w.put(f"    {_BARRIER}")
    w.put("}")
    w.put(
        w.one(
            "y[get_global_id(0)] = own[l];",
            "y[get_global_id(0)] = l > 0 ? own[l - 1] : 0;",
            f"y[get_global_id(0)] = own[l]; if (l == {GROUP - 1}) z[get_group_id(0)] = own[l];",
            f"y[get_global_id(0)] = own[{GROUP - 1}] - own[l];",
        )
    )
    used = "\n".join(w.lines)
    arrays = {"a": (kind_of(kind), f"n * {GROUP}"), "y": (kind_of(kind), f"n * {GROUP}"), "z": (kind_of(kind), "n")}
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, (f"n * {GROUP}",), ("n",), group=f"{GROUP}, 1, 1")  # fmt: skip


def tile(w: Writer) -> Drawn:
    """A group loads a row with its halo, or a square, and reads what its neighbours loaded."""
    kind = w.one("float", "int", "uchar", "short")
    low = "" if kind in REAL else " & 63"
    _real(w, kind)
    if w.maybe(0.5):
        return _rounds(w, kind, low)
    w.put(f"__local {kind} t[{GROUP + 2}];")
    w.put("int l = get_local_id(0); int i = get_global_id(0);")
    w.put("t[l + 1] = a[i];")
    edge = w.one(f"{w.one('0', '3')}", "a[0]", "a[i]")
    w.put(f"if (l == 0) t[0] = i > 0 ? a[i - 1] : {edge};")
    w.put(f"if (l == {GROUP - 1}) t[{GROUP + 1}] = i + 1 < n * {GROUP} ? a[i + 1] : {w.one('0', 'a[i]')};")
    if w.maybe(0.9):
        w.put(_BARRIER)
    else:
        w.put(f"{_BARRIER} {_BARRIER}")
    result = "float" if kind in REAL else "int"
    w.put(f"{result} s = 0;")
    w.put(f"for (int k = {w.one('0', '1')}; k <= 2; k++) s += (t[l + k]{low}) * {w.one('k', '3', '(c[0] & 7)')};")
    w.put(f"y[i] = s {w.one('+', '-')} (t[l + {w.one('0', '1', '2')}]{low});")
    arrays = {"a": (kind_of(kind), f"n * {GROUP}"), "c": ("int32", "m"), "y": (kind_of(result), f"n * {GROUP}")}
    used = "\n".join(w.lines)
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, (f"n * {GROUP}",), ("n", "m"), group=f"{GROUP}, 1, 1")  # fmt: skip


def _rounds(w: Writer, kind: str, low: str) -> Drawn:
    """A group loads a piece of what all need, uses it, and loads the next one."""
    result = "float" if kind in REAL else "uint"
    w.put(f"__local {kind} t[{GROUP}];")
    w.put("int l = get_local_id(0); int i = get_global_id(0);")
    w.put(f"{result} s = {w.one('0', '3')};")
    w.put(f"for (int p = 0; p < n * {GROUP}; p += {GROUP}) {{")
    w.put(f"    t[l] = a[p + l]; {_BARRIER}")
    each = w.one(f"s += (t[k]{low}) * 3;", f"if (p + k != i) s += t[k]{low};", f"s += (t[k]{low}) * (c[k % m] & 7);")
    w.put(f"    for (int k = 0; k < {GROUP}; k++) {{ {each} }}")
    w.put(f"    {_BARRIER}")
    w.put("}")
    w.put(f"y[i] = s {w.one('+', '-')} {w.one('a[i]', 'i', '1')};")
    arrays = {"a": (kind_of(kind), f"n * {GROUP}"), "c": ("int32", "m"), "y": (kind_of(result), f"n * {GROUP}")}
    used = "\n".join(w.lines)
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, (f"n * {GROUP}",), ("n", "m"), group=f"{GROUP}, 1, 1")  # fmt: skip


def exchange(w: Writer) -> Drawn:
    """Places give each other values between barriers, round after round."""
    kind = w.one("float", "uint", "int")
    _real(w, kind)
    low = "{}" if kind in REAL else "({} & 255)"
    w.put(f"__local {kind} t[{GROUP}];")
    w.put("int l = get_local_id(0);")
    w.put(f"{kind} own = {_value(w, kind, 'get_global_id(0)')};")
    w.put(f"t[l] = own; {_BARRIER}")
    w.put(f"for (int s = 0; s < {w.one('m', '3')}; s++) {{")
    other = w.one(f"t[{GROUP - 1} - l]", f"t[(l + 1) % {GROUP}]", "t[l ^ 1]", "t[0]", "t[l > 0 ? l - 1 : 0]")
    w.put(f"    {kind} next = {other};")
    w.put(f"    {_BARRIER}")
    if w.maybe(0.4):
        w.put(f"    if ({w.one('l & 1', 'l > s', 's > 1')}) own = {low.format('next')};")
    w.put(f"    t[l] = {low.format(w.one('next', 't[l]'))} {w.one('+', '-')} {w.one('own', 'l', 's')};")
    w.put(f"    {_BARRIER}")
    w.put("}")
    w.put(f"y[get_global_id(0)] = t[l] {w.one('+', '-')} {low.format('own')};")
    arrays = {"a": (kind_of(kind), f"n * {GROUP}"), "y": (kind_of(kind), f"n * {GROUP}")}
    return text_of(w, "", arrays, (f"n * {GROUP}",), ("n", "m"), group=f"{GROUP}, 1, 1")


def counts(w: Writer) -> Drawn:
    """Work-items add to shared counts, in a loop or once each."""
    kind, count = w.one("uchar", "int", "ushort"), w.one("int", "uint")
    extents = guarded(w)
    at = f"a[{w.one('k', 'i')}] & {w.one('63', '15')}"
    add = w.one(
        f"atomic_inc(&y[{at}]);",
        f"atomic_add(&y[{at}], {w.one('1', '(c[0] & 7)', '2')});",
        f"atomic_add(y + ({at}), 1);",
        f"{{ int p = {at}; if (p > {w.one('3', '0')}) atomic_add(&y[p], p); }}",
    )
    if "[k]" in add or w.maybe(0.3):
        w.put(f"for (int k = {w.one('0', 'i / 2')}; k < n; k += {w.one('1', '3')}) {add}")
    else:
        w.put(add)
    arrays = {"a": (kind_of(kind), "n"), "c": ("int32", "m"), "y": (kind_of(count), "64")}
    used = "\n".join(w.lines)
    return text_of(
        w, "", {name: one for name, one in arrays.items() if f"{name}[" in used or name == "y"}, extents, ("n", "m")
    )


def pixels(w: Writer) -> Drawn:
    """Channels that lie beside each other: every second, third or fourth element."""
    kind = w.one("uchar", "float", "short", "int")
    each = w.chance.choice((2, 3, 4))
    low = "{}" if kind in REAL else "({} & 63)"
    work = "float" if kind in REAL else "int"
    extents = guarded(w)
    for channel in range(each):
        w.put(f"{work} p{channel} = {low.format(f'a[{each} * i + {channel}]')};")
    for _ in range(w.chance.randint(1, 3)):
        one, two = w.chance.randrange(each), w.chance.randrange(each)
        w.put(
            w.one(
                f"p{one} = p{two} - p{one};",
                f"p{one} = {low.format(f'p{one} + p{two} * 3')};",
                f"if (p{one} > p{two}) p{one} = {w.one('p' + str(two), '1')};",
                f"for (int k = 0; k < m; k++) p{one} += c[k] & 3;",
            )
        )
    if w.maybe(0.7):
        for channel in range(each):
            w.put(f"y[{each} * i + {channel}] = p{channel};")
    else:
        w.put(f"y[i] = p0 + p{each - 1};")
    arrays = {
        "a": (kind_of(kind), f"n * {each}"),
        "c": ("int32", "m"),
        "y": (kind_of(w.one(kind, work)), f"n * {each}"),
    }
    used = "\n".join(w.lines)
    return text_of(w, "", {name: one for name, one in arrays.items() if f"{name}[" in used}, extents, ("n", "m"))


def columns(w: Writer) -> Drawn:
    """A plane whose first dimension goes down instead of across, of places that are vectors of two."""
    kind = w.one(*WHOLE)
    if w.maybe(0.5):
        w.put("int2 p = (int2)(get_global_id(1), get_global_id(0));")
        w.put(
            w.one(
                "if (p.x >= n || p.y >= h) return;",
                "if (any(p >= (int2)(n, h))) return;",
                "if (!all(p < (int2)(n, h))) return;",
            )
        )
        w.put(
            w.one(
                "int2 q = clamp(p + 1, (int2)(0, 0), (int2)(n - 1, h - 1));",
                "int2 q = max(p - 1, 0);",
                "int2 q = min(p + (int2)(1, 0), (int2)(n, h) - 1);",
            )
        )
        w.put("int x = p.x, v = p.y, u = q.x, o = q.y;")
    else:
        w.put("int x = get_global_id(1), v = get_global_id(0);")
        w.put("if (x >= n || v >= h) return;")
        w.put("int u = (x + 1) % n, o = v > 0 ? v - 1 : h - 1;")
    w.put("uint s = a[v * n + x] & 63;")
    w.put(
        w.one(
            "s += a[o * n + u] & 31;",
            "s += (a[v * n + u] & 15) * (a[o * n + x] & 7);",
            "if (a[o * n + x] > a[v * n + u]) s ^= 9;",
        )
    )
    w.put("y[v * n + x] = s;")
    return text_of(w, "", {"a": (kind_of(kind), "h * n"), "y": ("uint32", "h * n")}, ("h + 2", "n + 3"), ("n", "h"))


def spaced(w: Writer) -> Drawn:
    """Work-items of which only every so manieth works, on the elements up to the next one."""
    step = w.chance.choice((2, 3, 4, 8))
    kind = w.one(*WHOLE)
    w.put(f"{w.one('int', 'uint', 'size_t')} i = get_global_id(0);")
    every = w.one(f"i % {step} == 0", f"!(i % {step})", f"0 == i % {step}")
    if step != 3 and w.maybe(0.3):
        every = f"(i & {step - 1}) == 0"
    bound = f"i {w.one('<', '<=')} n - {step}" if w.maybe(0.5) else f"i + {step - 1} < n"
    w.put(f"if ({w.one(f'{every} && {bound}', f'{bound} && {every}')}) {{")
    for at in range(step):
        other = w.one(f"a[i + {step - 1 - at}] & 31", "a[i] & 15", f"(i / {step}) & 7")
        w.put(f"    y[i + {at}] = (a[i + {at}] & 63) + ({other});")
    w.put("}")
    extents = (w.one("n", "n + 5", "n + 16"),)
    return text_of(w, "", {"a": (kind_of(kind), "n"), "y": ("int32", "n")}, extents, ("n",))


_MORE: dict[str, Callable[[Writer], Drawn]] = {
    "group_sum": group_sum,
    "group_scan": group_scan,
    "tile": tile,
    "exchange": exchange,
    "counts": counts,
    "pixels": pixels,
    "columns": columns,
    "spaced": spaced,
}
EVERY = {**KINDS, **_MORE}
"""Kernels of every kind by name, plain loops aside."""


def of_kind(seed: int, kind: str = "") -> Drawn:
    """Return the kernel of a seed, of a kind where one is named."""
    chance = random.Random(seed)
    name = kind or chance.choice(tuple(EVERY))
    return EVERY[name](Writer(chance))
