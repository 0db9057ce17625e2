"""The arithmetic of the tables as C: a loop over lanes for each vector row, a function for each scalar row and comparison."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from hotloop.emulate.native.expression import Typed, Untranslatable, translated
from hotloop.emulate.native.layout import OPERATIONS
from hotloop.emulate.semantics.compares import CONDITIONS, KINDS
from hotloop.emulate.semantics.row import SCALAR, VECTOR, Row

_LOOP = "    for (int l = 0; l < LANES; l++)"


@cache
def vector_functions() -> Mapping[str, int]:
    """Return the number of the C function of each vector instruction that has one."""
    return {name: number for number, (name, _) in enumerate(_vectors())}


@cache
def scalar_functions() -> Mapping[str, int]:
    """Return the same of scalar instructions, and of scalar comparisons as ``lt i32``."""
    return {name: number for number, (name, _) in enumerate(_scalars())}


@cache
def compare_functions() -> Mapping[str, int]:
    """Return the number of the C function of each vector comparison, as ``lt f32``."""
    return {name: number for number, (name, _) in enumerate(_compares())}


def generated() -> str:
    """Return what the interpreter's sources include as ``rows.h``."""
    names = ", ".join(f"OP_{name}" for name in OPERATIONS)
    parts = [f"enum {{ {names} }};"]
    for title, kind, found in (
        ("rows", "void (*const rows[])(const void *, const void *, const void *, void *)", _vectors()),
        ("compares", "void (*const compares[])(const void *, const void *, u8 *)", _compares()),
        ("scalars", "void (*const scalars[])(u64, u64, u64, u64, u32, u64 *, u32 *)", _scalars()),
    ):
        bodies = [(f"{title}_{n}", name, body) for n, (name, body) in enumerate(found)]
        parts += [f"/* {name} */\n" + body.replace("NAME", label) for label, name, body in bodies]
        parts.append(f"static {kind} = {{{', '.join(label for label, _, _ in bodies)}}};")
    return "\n".join(parts) + "\n"


def _type(kind: str) -> str:
    return {"bf16": "f32", "k16": "i32"}.get(kind, kind)


def _result(value: Typed, kind: str) -> str:
    """Return a value as the type that is written: bits of equal size are taken as they are."""
    if value.kind == kind:
        return value.text
    if value.kind == "f32" and kind in ("u32", "i32"):
        return f"bits_of({value.text})"
    if value.kind in ("u32", "i32") and kind == "f32":
        return f"f32_of((u32)({value.text}))"
    return value.to(kind)


# -- vector rows ------------------------------------------------------------------------------------------------------


@cache
def _vectors() -> tuple[tuple[str, str], ...]:
    return tuple((row.name, body) for row in VECTOR.values() for body in _vector(row))


def _vector(row: Row) -> Iterator[str]:
    kinds = [_type(kind) for kind in (*row.sources, *((row.result,) if row.tied else ()))]
    try:
        value = translated(row.text, dict(zip("abc", kinds, strict=False)))
    except Untranslatable:
        return
    out = _type(row.result)
    names = "abc"[: len(kinds)]
    heads = "".join(f"    const {kind} *restrict A{n} = x{n};\n" for n, kind in zip(names, kinds, strict=True))
    reads = "".join(f" {kind} {n} = A{n}[l]; (void){n};" for n, kind in zip(names, kinds, strict=True))
    unused = "".join(f"(void)x{n}; " for n in "abc"[len(kinds) :])
    yield (
        "static void NAME(const void *xa, const void *xb, const void *xc, void *to) {\n"
        f"{heads}    {out} *restrict R = to;\n    {unused}\n{_LOOP} {{{reads} R[l] = {_result(value, out)}; }}\n}}"
    )


# -- comparisons ------------------------------------------------------------------------------------------------------


@cache
def _compares() -> tuple[tuple[str, str], ...]:
    found = [
        (f"{name} {kind}", _compare(text, kind))
        for name, text in CONDITIONS.items()
        for kind in KINDS
        if kind[0] == "f" or "isnan" not in text
    ]
    return (*found, *((f"class {kind}", _class(kind)) for kind in KINDS if kind[0] == "f"))


def _compare(text: str, kind: str) -> str:
    value = translated(text, {"a": kind, "b": kind})
    return (
        f"static void NAME(const void *xa, const void *xb, u8 *hit) {{\n    const {kind} *restrict A = xa, *restrict B = xb;\n"
        f"{_LOOP} {{ {kind} a = A[l], b = B[l]; (void)a, (void)b; hit[l] = {value.text}; }}\n}}"
    )


def _class(kind: str) -> str:
    return (
        f"static void NAME(const void *xa, const void *xb, u8 *hit) {{\n    const {kind} *A = xa;\n    const u32 *B = xb;\n"
        f"{_LOOP} hit[l] = (u8)class_{kind}(A[l], B[l]);\n}}"
    )


# -- scalar rows ------------------------------------------------------------------------------------------------------


@cache
def _scalars() -> tuple[tuple[str, str], ...]:
    rows = [(row.name, body) for row in SCALAR.values() for body in _scalar(row)]
    conditions = [
        (f"{name} {kind}", _scalar_compare(text, kind))
        for name, text in CONDITIONS.items()
        for kind in KINDS
        if kind[0] == "f" or "isnan" not in text
    ]
    return (*rows, *conditions)


def _scalar(row: Row) -> Iterator[str]:
    kinds = {n: _type(kind) for n, kind in zip("abc", row.sources, strict=False)}
    has_result = row.result != "-"
    variables = {**kinds, "scc": "u32", **({"d": _type(row.result)} if has_result else {})}
    try:
        value = translated(row.text, variables)
        kind = value.kind if value.kind not in ("int", "float") else "u32"
        flag = translated(row.condition, {**variables, "r": kind}) if row.condition else None
    except Untranslatable:
        return
    reads = "".join(f" {_read(n, k)}" for n, k in kinds.items()) + (_read("d", _type(row.result)) if has_result else "")
    out = f" *result = {_bits(_result(value, _type(row.result)), _type(row.result))};" if has_result else ""
    kept = f" {kind} r = {value.to(kind)}; (void)r; *flag = ({flag.text}) != 0;" if flag else ""
    yield (
        "static void NAME(u64 xa, u64 xb, u64 xc, u64 xd, u32 scc, u64 *result, u32 *flag) {\n"
        f"    (void)xa, (void)xb, (void)xc, (void)xd, (void)scc, (void)result, (void)flag;\n   {reads}{kept}{out}\n}}"
    )


def _scalar_compare(text: str, kind: str) -> str:
    value = translated(text, {"a": kind, "b": kind})
    return (
        "static void NAME(u64 xa, u64 xb, u64 xc, u64 xd, u32 scc, u64 *result, u32 *flag) {\n"
        f"    (void)xc, (void)xd, (void)scc, (void)result;\n    {_read('a', kind)} {_read('b', kind)} *flag = {value.text};\n}}"
    )


def _read(name: str, kind: str) -> str:
    of = {"f32": f"f32_of((u32)x{name})", "f64": f"f64_of(x{name})", "f16": f"f16_of((u16)x{name})"}
    return f"{kind} {name} = {of.get(kind, f'({kind})x{name}')}; (void){name};"


def _bits(text: str, kind: str) -> str:
    of = {"f32": f"bits_of({text})", "f64": f"bits64({text})", "f16": f"bits_half({text})"}
    return of.get(kind, f"(u64)({kind.replace('i', 'u')})({text})")
