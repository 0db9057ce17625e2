"""Products take 16-bit numbers as they were loaded, not as single precision that they were made into.

What it changes: a factor of ``tl.dot`` that was loaded and made ``tl.float32`` gets ``.to(P.dtype.element_ty)``, the type behind its pointer, which
compilers see cancel the conversion: the product of two 16-bit numbers is exact in either way. ``both`` changes products of two such factors;
``one`` also those of such a factor and a computed one, which is rounded to that type.
When it applies: a factor stems from loads by one parameter, at least one of which is made single; with ``one`` the product asks for no more
than ``tf32``. Worth trying where the parameters point to 16 bits.
What it costs: ``both`` nothing: matrix units multiply 16 bits twice as fast as single precision, of half the memory. ``one`` what the computed factor's
numbers lose, which the check of results decides on.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.rewrite.jitted.addresses import UNKNOWN, roots, stored
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.scene import Scene

_SINGLE, _TURNING = "float32", ("trans", "permute")
_SHORT = frozenset({"float16", "bfloat16"})
"""Types of 16 bits whose products single precision holds exactly."""
_PRECISE = ("ieee", "tf32x3", "False")
"""What asks for more than 11 bits of a factor."""
_BOTH = (1.0, 2.6)
_ONE = (0.9, 2.2)
"""Predicted gains: matrix units of an H200 multiply 16 bits at twice the rate of single precision (NVIDIA's data sheet: 989 and 494 TFLOP/s)."""


@dataclass(frozen=True, slots=True)
class _Factor:
    """Where the numbers of a product's factor come from."""

    bases: frozenset[str] = frozenset({UNKNOWN})
    """Parameters that they are loaded by, `UNKNOWN` among them where they are computed."""
    widened: bool = False
    """Whether any of them are made single after they were loaded."""

    def __or__(self, other: _Factor) -> _Factor:
        return _Factor(self.bases | other.bases, self.widened or other.widened)

    @property
    def plain(self) -> bool:
        """Tell whether they are nothing but what one parameter points to."""
        return len(self.bases) == 1 and UNKNOWN not in self.bases

    @property
    def base(self) -> str:
        """Return the parameter that they are loaded by; empty where there are several, or none."""
        known = self.bases - {UNKNOWN}
        return next(iter(known)) if len(known) == 1 else ""


def apply(script: Script, value: int | str) -> Script:
    """Name the stored type of the factors of each such product."""
    edits = [edit for product in _products(script, value) for edit in product.edits(script)]
    if not edits:
        raise RefusedError("it has no product of numbers that were made single after they were loaded")
    return script.edited(edits)


@dataclass(frozen=True, slots=True)
class _Product:
    """A product whose factors may have the type in which one of them is stored."""

    call: ast.Call
    types: tuple[str, str]
    """Parameter for each factor that points to the type which it gets."""

    def edits(self, script: Script) -> Iterator[Edit]:
        """Yield what gives both factors their types."""
        for factor, base in zip(self.call.args[:2], self.types, strict=True):
            yield _typed(script, factor, f"{base}.dtype.element_ty")


def _products(script: Script, value: int | str) -> Iterator[_Product]:
    for call in script.calls(script.kernel, "dot"):
        if len(call.args) < 2 or any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        left, right = (_factor(script, arg) for arg in call.args[:2])
        if left.plain and right.plain and (left.widened or right.widened):
            yield _Product(call, (left.base, right.base))
        elif value == "one" and not _precise(call):
            base = next((one.base for one in (left, right) if one.base and one.widened), "")
            if base:
                yield _Product(call, (base, base))


def _precise(call: ast.Call) -> bool:
    """Tell whether a product asks for more than 11 bits of its factors."""
    asked = (
        ast.unparse(one.value).strip("'\"") for one in call.keywords if one.arg in ("input_precision", "allow_tf32")
    )
    return any(one in _PRECISE for one in asked)


def _factor(script: Script, node: ast.expr, seen: frozenset[str] = frozenset()) -> _Factor:
    """Return where a factor's numbers come from, through variables, transpositions and conversions."""
    match node:
        case ast.Name(id=name):
            return _Factor(frozenset()) if name in seen else _variable(script, name, seen | {name})
        case ast.Call(func=ast.Attribute(value=value, attr="to"), args=[kind, *_]) if not script.is_call(node, "to"):
            return _converted(script, value, kind, seen)
        case ast.Call(args=[value, kind]) if script.is_call(node, "cast"):
            return _converted(script, value, kind, seen)
        case ast.Call(args=[value, *_]) if script.is_call(node, *_TURNING):
            return _factor(script, value, seen)
        case ast.Attribute(value=value, attr="T"):
            return _factor(script, value, seen)
        case ast.Call(args=[place, *_]) if script.is_call(node, "load"):
            return _Factor(roots(script, place))
    return _Factor()


def _converted(script: Script, value: ast.expr, kind: ast.expr, seen: frozenset[str]) -> _Factor:
    """Return where numbers come from that get another type: single, or that of numbers which are single."""
    inner = _factor(script, value, seen)
    if isinstance(kind, ast.Attribute) and kind.attr == _SINGLE:
        return _Factor(inner.bases, widened=True)
    return inner if ast.unparse(kind).endswith(".dtype") else _Factor()


def _variable(script: Script, name: str, seen: frozenset[str]) -> _Factor:
    """Return where the numbers of a variable come from: all that it is given."""
    made, given = _Factor(frozenset()), 0
    for node in ast.walk(script.kernel):
        match node:
            case ast.Assign(targets=[ast.Name(id=own)], value=value) if own == name:
                made, given = made | _factor(script, value, seen), given + 1
    return made if given == stored(script.kernel, name) and given else made | _Factor()


def _typed(script: Script, node: ast.expr, kind: str) -> Edit:
    """Return the edit that converts a factor, inside of what turns it and in the place of another conversion."""
    match node:
        case ast.Call(args=[value, *_]) if script.is_call(node, *_TURNING):
            return _typed(script, value, kind)
        case ast.Attribute(value=value, attr="T"):
            return _typed(script, value, kind)
        case ast.Call(func=ast.Attribute(attr="to"), args=[old], keywords=[]):
            return Edit(old, kind)
    whole = isinstance(node, ast.Name | ast.Call | ast.Attribute | ast.Subscript)
    text = script.source(node)
    return Edit(node, f"{text if whole else f'({text})'}.to({kind})")


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Worth trying where all these products are of 16 bits, and a better bet where no factor is rounded."""
    named = {base for product in _products(script, value) for base in product.types}
    types = {scene.types.get(base, "") for base in named}
    if len(types) != 1 or not types <= _SHORT:
        return None
    return _BOTH if value == "both" else _ONE


REWRITE = Rewrite(
    name="stored-products",
    text=__doc__,
    technique="narrower-type",
    keeps=Keeps.BOUND,
    values=("off", "both", "one"),
    apply=apply,
    gain=_ONE,
    expects=expects,
    order=4,
)
