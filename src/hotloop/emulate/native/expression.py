"""Expressions of the tables as C, with NumPy's rules of types: what one back end computes the other computes too."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

_NUMPY = {
    "u16": np.uint16, "i16": np.int16, "f16": np.float16, "u32": np.uint32, "i32": np.int32, "f32": np.float32,
    "u64": np.uint64, "i64": np.int64, "f64": np.float64, "bool": np.bool_,
}  # fmt: skip
_NAMES = {np.dtype(value): key for key, value in _NUMPY.items()}
_WEAK = ("int", "float")
_OPERATORS: Mapping[type[ast.AST], str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^",
    ast.LShift: "<<", ast.RShift: ">>",
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Typed:
    """A C expression and its type: a name of `_NUMPY`, or ``int`` or ``float`` for a constant that takes any."""

    text: str
    kind: str

    def to(self, kind: str) -> str:
        """Return it converted."""
        return self.text if kind == self.kind else f"({_c(kind)})({self.text})"

    @property
    def wide(self) -> str:
        """Return the C expression that converts it to double; float16 is converted to float first."""
        return f"(f64)(f32)({self.text})" if self.kind == "f16" else f"(f64)({self.text})"


class Untranslatable(Exception):  # noqa: N818 - tells that the other back end must do it
    """An expression that has no C here."""


def translated(text: str, variables: Mapping[str, str]) -> Typed:
    """Return an expression of the tables in C.

    Args:
        text: as a row of the tables has it.
        variables: types of the names in it.

    Raises:
        Untranslatable: it calls a function that has no C.

    >>> translated("(a << (b & 31)) | 1", {"a": "u32", "b": "u32"}).text
    '((((a) << (((b) & ((u32)(31)))))) | ((u32)(1)))'
    """
    return _Translator(variables).typed(ast.parse(text, mode="eval").body)


def _c(kind: str) -> str:
    return "int" if kind == "bool" else kind


def _common(*kinds: str) -> str:
    """Return the type that NumPy computes in; constants take the type of what they meet."""
    strong = [kind for kind in kinds if kind not in _WEAK]
    if not strong:
        return "f64" if "float" in kinds else "i64"
    found = np.result_type(*(_NUMPY[kind] for kind in strong))
    if "float" in kinds and found.kind != "f":
        found = np.result_type(found, np.float64)
    return _NAMES[np.dtype(found)]


class _Translator:
    def __init__(self, variables: Mapping[str, str]) -> None:
        self._variables = variables

    def typed(self, node: ast.AST) -> Typed:
        match node:
            case ast.Name(id=name):
                return Typed(name, self._variables[name])
            case ast.Constant(value=bool(value)):
                return Typed(str(int(value)), "bool")
            case ast.Constant(value=int(value)):
                return Typed(f"{value}" if abs(value) < 1 << 31 else f"{value}ull", "int")
            case ast.Constant(value=float(value)):
                return Typed(repr(value), "float")
            case ast.BinOp(left=left, op=op, right=right):
                return self._binary(self.typed(left), _OPERATORS[type(op)], self.typed(right))
            case ast.Compare(left=left, ops=[op], comparators=[right]):
                return self._compared(self.typed(left), _OPERATORS[type(op)], self.typed(right))
            case ast.UnaryOp(op=op, operand=operand):
                return _unary(op, self.typed(operand))
            case ast.Call(func=ast.Name(id=name), args=arguments):
                return _called(name, [self.typed(argument) for argument in arguments])
        raise Untranslatable(ast.dump(node))

    def _binary(self, left: Typed, sign: str, right: Typed) -> Typed:
        kind = _common(left.kind, right.kind)
        one, two = _converted(left, kind), _converted(right, kind)
        if kind == "f16":
            return Typed(f"((f16)((f32)({one}) {sign} (f32)({two})))", kind)
        if kind in ("u16", "i16"):
            return Typed(f"(({kind})(({one}) {sign} ({two})))", kind)
        if kind in ("i32", "i64") and sign == "<<":
            bare = kind.replace("i", "u")
            return Typed(f"(({kind})(({bare})({one}) << ({two})))", kind)
        return Typed(f"(({one}) {sign} ({two}))", kind)

    def _compared(self, left: Typed, sign: str, right: Typed) -> Typed:
        kind = _common(left.kind, right.kind)
        one, two = _converted(left, kind), _converted(right, kind)
        if kind == "f16":
            one, two = f"(f32)({one})", f"(f32)({two})"
        return Typed(f"(({one}) {sign} ({two}))", "bool")


def _converted(value: Typed, kind: str) -> str:
    return value.to(kind) if value.kind in _WEAK or value.kind != kind else value.text


def _unary(op: ast.AST, value: Typed) -> Typed:
    if isinstance(op, ast.Invert):
        if value.kind == "bool":
            return Typed(f"(!({value.text}))", "bool")
        return Typed(f"(({value.kind})~({value.text}))", value.kind)
    if isinstance(op, ast.USub):
        return Typed(f"(-({value.text}))" if value.kind in _WEAK else f"(({value.kind})-({value.text}))", value.kind)
    raise Untranslatable(ast.dump(op))


# -- functions --------------------------------------------------------------------------------------------------------

_FIXED: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "fma32": ("fma32", ("f32", "f32", "f32"), "f32"), "fma16": ("fma16", ("f16", "f16", "f16"), "f16"),
    "fma64": ("fma64", ("f64", "f64", "f64"), "f64"),
    **{name: (name, ("f32",), "f32") for name in ("rcp", "rsq")},
    **{name: (f"{name}32", ("f32",), "f32") for name in ("sqrtf", "exp2f", "log2f", "sinf", "cosf")},
    **{name: (name, ("f16",), "f16") for name in ("rcp16", "rsq16", "sqrt16", "exp16", "log16", "sin16", "cos16")},
    "umulhi": ("umulhi", ("u32", "u32"), "u32"), "imulhi": ("imulhi", ("i32", "i32"), "i32"),
    "u24": ("u24", ("u32",), "u32"), "i24": ("i24", ("i32",), "i32"),
    "bfe_u": ("bfe_u", ("u32", "u32", "u32"), "u32"), "bfe_i": ("bfe_i", ("i32", "u32", "u32"), "i32"),
    "clz": ("clz", ("u32",), "i32"), "ctz": ("ctz", ("u32",), "i32"), "cls": ("cls", ("u32",), "i32"),
    "clz64": ("clz64", ("u64",), "i32"), "ctz64": ("ctz64", ("u64",), "i32"),
    "field_u": ("field_u", ("u32", "u32"), "u32"), "field_i": ("field_i", ("i32", "u32"), "i32"),
    "field_u64": ("field_u64", ("u64", "u32"), "u64"),
    "perm": ("perm", ("u32", "u32", "u32"), "u32"), "alignbit": ("alignbit", ("u32", "u32", "u32"), "u32"),
    "alignbyte": ("alignbyte", ("u32", "u32", "u32"), "u32"), "sad_u8": ("sad_u8", ("u32", "u32", "u32"), "u32"),
    "msad_u8": ("msad_u8", ("u32", "u32", "u32"), "u32"),
    **{name: (name, ("u64", "u32", "u64"), "u64") for name in ("qsad_u8", "mqsad_u8")},
    "quadmask": ("quadmask", ("u64",), "u64"), "replicate": ("replicate", ("u32",), "u64"),
    "to_half": ("half_f32", ("f32",), "f16"), "towards_zero": ("towards_zero", ("f32",), "f16"),
    "half_of": ("f16_of", ("u16",), "f16"), "to_bf16": ("to_bf16", ("f32",), "u16"),
    "unorm": ("unorm", ("wide", "f64"), "u16"), "snorm": ("snorm", ("wide", "f64"), "i16"),
    "frexp_exponent": ("exponent_any", ("wide",), "i32"),
}  # fmt: skip
"""C function, types of its arguments (``wide``: as a double), type of its result."""
_BY_TYPE = frozenset({"fmin", "fmax", "minimum", "maximum", "med3", "fmed3", "fract", "reverse"})
"""Functions with a form for each type; all arguments and the result have it."""
_ROUNDINGS = frozenset({"trunc", "ceil", "rint", "floor", "sqrt"})


def _called(name: str, given: list[Typed]) -> Typed:
    if name in _NUMPY:
        return Typed(f"({given[0].to(name)})", name)
    if name in _FIXED:
        function, kinds, result = _FIXED[name]
        values = [v.wide if k == "wide" else _converted(v, k) for v, k in zip(given, kinds, strict=True)]
        return Typed(f"{function}({', '.join(values)})", result)
    if name in _BY_TYPE:
        kind = _common(*(value.kind for value in given))
        return Typed(f"{name}_{kind}({', '.join(_converted(value, kind) for value in given)})", kind)
    if name in _ROUNDINGS:
        return _rounded(name, given[0])
    special = _SPECIAL.get(name)
    if special is None:
        raise Untranslatable(name)
    return special(given)


def _rounded(name: str, value: Typed) -> Typed:
    if value.kind == "f16":
        return Typed(f"((f16)__builtin_{name}f((f32)({value.text})))", "f16")
    return Typed(f"__builtin_{name}{'f' if value.kind == 'f32' else ''}({value.text})", value.kind)


def _select(given: list[Typed]) -> Typed:
    kind = _common(given[1].kind, given[2].kind)
    return Typed(f"(({given[0].text}) ? ({_converted(given[1], kind)}) : ({_converted(given[2], kind)}))", kind)


def _to_whole(function: str, letter: str) -> Callable[[list[Typed]], Typed]:
    def made(given: list[Typed]) -> Typed:
        bits = int(given[1].text) if len(given) > 1 else 32
        kind = f"{letter}{bits}"
        return Typed(f"(({kind}){function}({given[0].wide}, {bits}))", kind)

    return made


def _packed(given: list[Typed]) -> Typed:
    low, high = (f"bits_half({v.text})" if v.kind == "f16" else f"(u16)({v.text})" for v in given)
    return Typed(f"((u32)({low}) | (u32)({high}) << 16)", "u32")


def _scaled(given: list[Typed]) -> Typed:
    text = f"ldexp_any({given[0].wide}, (i32)({given[1].text}))"
    return Typed(f"half_of({text})" if given[0].kind == "f16" else f"(({given[0].kind}){text})", given[0].kind)


def _mantissa(given: list[Typed]) -> Typed:
    text = f"mantissa_any({given[0].wide})"
    return Typed(f"half_of({text})" if given[0].kind == "f16" else f"(({given[0].kind}){text})", given[0].kind)


_SPECIAL: Mapping[str, Callable[[list[Typed]], Typed]] = {
    "select": _select,
    "to_unsigned": _to_whole("to_unsigned_f64", "u"),
    "to_signed": _to_whole("to_signed_f64", "i"),
    "pack": _packed,
    "ldexp": _scaled,
    "frexp_mantissa": _mantissa,
    "popcount": lambda given: Typed(f"popcount_{given[0].kind.replace('i', 'u')}({given[0].text})", "u32"),
    "isnan": lambda given: Typed(f"(({given[0].text}) != ({given[0].text}))", "bool"),
}
