"""A text that counts the products of matrices which it computes, beside what it computes.

Each ``tl.dot(a, b)`` also adds up in how many of its multiplications both factors are other than zero. What masks fill up with zeros is no
work, so that the count is the same for larger and smaller tiles; products with zeros in the data are left out, too. What a mask fills up otherwise,
such as exp(0) in rows of an attention beyond the last, counts as the text computes it.
"""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.flow import local
from hotloop.rewrite.jitted.form import Edit, RefusedError, Script

KINDS = ("half", "single", "other")
"""Kinds of products that are counted separately, by the type of the factors: 16 bits, single precision, all others."""
_HELPER = """

@{jit}
def {name}(counter, a, b):
    mine = {tl}.sum((a != 0).to({tl}.int32), len(a.shape) - 2)
    other = {tl}.sum((b != 0).to({tl}.int32), len(b.shape) - 1)
    KIND: {tl}.constexpr = 0 if a.dtype.primitive_bitwidth == 16 else 1 if a.dtype == {tl}.float32 else 2
    {tl}.atomic_add(counter + KIND, {tl}.sum((mine * other).to({tl}.int64)))
    return b
"""


def counting(script: Script) -> tuple[Script, str]:
    """Return the text with a first parameter that points to a count for each of `KINDS`, and that parameter's name.

    Raises:
        RefusedError: it has no product, or one of another form.
    """
    reached = _multiplying(script)
    if script.kernel not in reached:
        raise RefusedError("it has no product of matrices")
    counter, name = script.fresh("counter", "products_counter"), script.fresh("count_products", "counted_products")
    edits: list[Edit] = []
    for function in reached:
        edits += _in(script, function, reached, counter, name)
    decorator = script.source(script.kernel.decorator_list[-1]).partition("(")[0]
    made = script.edited(edits)
    return Script(made.text + _HELPER.format(jit=_jit(decorator), name=name, tl=script.tl), script.entry), counter


def _jit(decorator: str) -> str:
    """Return the decorator of a plain function of the language, whatever the kernel has."""
    return decorator if decorator.endswith("jit") else "triton.jit"


def _multiplying(script: Script) -> tuple[ast.FunctionDef, ...]:
    """Return the functions that the kernel reaches which have a product, or call one that has."""
    names = {one.name for one in script.reached if any(script.calls(one, "dot"))}
    for _ in script.reached:
        names |= {one.name for one in script.reached if any(_called(script, one, names))}
    return tuple(one for one in script.reached if one.name in names)


def _called(script: Script, function: ast.FunctionDef, names: set[str]) -> list[ast.Call]:
    calls = (node for node in ast.walk(function) if isinstance(node, ast.Call))
    return [call for call in calls if (own := local(script, call)) is not None and own.name in names]


def _in(
    script: Script, function: ast.FunctionDef, reached: tuple[ast.FunctionDef, ...], counter: str, name: str
) -> list[Edit]:
    """Return what counts in one function."""
    if not function.args.args or function.args.posonlyargs:
        raise RefusedError(f"{function.name} has no parameters")
    edits = [Edit(function.args.args[0], f"{counter}, ", "before")]
    for call in script.calls(function, "dot"):
        left, right = _factors(call)
        edits.append(Edit(right, f"{name}({counter}, {script.source(left)}, ", "before"))
        edits.append(Edit(right, ")", "behind"))
    for call in _called(script, function, {one.name for one in reached}):
        first = next(iter([*call.args, *(keyword.value for keyword in call.keywords)]), None)
        if first is None or not call.args:
            raise RefusedError(f"a call in line {call.lineno} has another form")
        edits.append(Edit(first, f"{counter}, ", "before"))
    return edits


def _factors(call: ast.Call) -> tuple[ast.expr, ast.expr]:
    if len(call.args) < 2 or any(isinstance(arg, ast.Starred) for arg in call.args[:2]):
        raise RefusedError(f"a product in line {call.lineno} has another form")
    return call.args[0], call.args[1]


__all__ = ["KINDS", "counting"]
