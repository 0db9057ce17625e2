"""What calls in a Triton function are given."""

from __future__ import annotations

import ast

from hotloop.rewrite.jitted.form import RefusedError, Script

_COUNTS = frozenset(("range", "len", "bool", "round", "tuple", "list", "zip", "enumerate", "isinstance", "getattr"))
"""Functions of Python that only count or say."""


def keyword_of(call: ast.Call, name: str) -> ast.expr | None:
    """Return what a call gives for a name."""
    return next((keyword.value for keyword in call.keywords if keyword.arg == name), None)


def constant_axis(call: ast.Call) -> int | None:
    """Return the dimension that ``program_id`` or ``num_programs`` asks about; None where it is no constant."""
    given = call.args[0] if call.args else keyword_of(call, "axis")
    return given.value if isinstance(given, ast.Constant) and isinstance(given.value, int) else None


def axis_of(call: ast.Call) -> int:
    """Return the dimension that ``program_id`` or ``num_programs`` asks about. Raises RefusedError."""
    axis = constant_axis(call)
    if axis is None:
        raise RefusedError("the dimension of a program's number is no constant")
    return axis


def ordering(call: ast.Call) -> bool:
    """Tell whether a call is inline assembly that only orders launches behind each other (PTX ISA, "griddepcontrol").

    >>> text = 'tl.inline_asm_elementwise("griddepcontrol.wait; // $0", "=r", [], dtype=tl.int32, is_pure=False, pack=1)'
    >>> ordering(ast.parse(text, mode="eval").body)
    True
    """
    match call:
        case ast.Call(func=ast.Attribute(attr="inline_asm_elementwise"), args=[ast.Constant(value=str(text)), _, ast.List(elts=[]), *_]):  # fmt: skip
            lines = (line.partition("//")[0] for line in text.splitlines())
            pieces = [piece.strip() for line in lines for piece in line.split(";") if piece.strip()]
            return bool(pieces) and all(piece.startswith("griddepcontrol.") for piece in pieces)
    return False


def counted(call: ast.Call) -> bool:
    """Tell whether it may matter how often a call runs: inline assembly that is not said to be pure, and does more than order launches.

    >>> counted(ast.parse('tl.inline_asm_elementwise("red.global.add.u32 [$1], 1;", "=r,l", [n], tl.int32, False, 1)', mode="eval").body)
    True
    """
    if not (isinstance(call.func, ast.Attribute) and call.func.attr == "inline_asm_elementwise") or ordering(call):
        return False
    pure = call.args[4] if len(call.args) > 4 else keyword_of(call, "is_pure")
    return not (isinstance(pure, ast.Constant) and pure.value is True)


def told(script: Script, call: ast.Call, word: str) -> bool:
    """Tell whether a function of numbers that all rows share is the language's own, Triton's, or one of Python's that only count.

    What is imported from elsewhere may do something once a program, such as an addition to shared memory.
    """
    func = call.func
    if isinstance(func, ast.Attribute):
        triton = isinstance(func.value, ast.Name) and func.value.id == "triton"
        return triton or script.of_language(func.value) or script.is_call(call, word)
    return word in _COUNTS
