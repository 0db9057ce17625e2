"""Several programs share the rounds of a loop that one program does.

What it changes: where there was one program there are several, each of which does every second, fourth, ... round: ``range(a, b, c)`` becomes
``range(a + part * c, b, c * 4)``, and ``tl.program_id(0)`` the number that the program had. The host launches so many times as many programs and
says how many there were.
When it applies: the loop is the last that the kernel does, nothing is carried from one of its rounds to another, and each round stores to
elements of its own: at a stride that is a parameter, or a block behind the block before. It stores to an array in one place of its text.
What it costs: what stands before the loop is done by each of them. It pays where the programs are too few for the device.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from math import prod

from hotloop.rewrite.jitted.addresses import UNKNOWN, roots, stored
from hotloop.rewrite.jitted.calls import axis_of
from hotloop.rewrite.jitted.flow import early, stores
from hotloop.rewrite.jitted.form import Edit, Keeps, RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.names import names_in
from hotloop.rewrite.jitted.scene import SHARED, Relaunch, Scene
from hotloop.rewrite.jitted.writes import written

_DEEP = 12
_FULL = 8
"""Programs for each unit beyond which more of them bring nothing."""


def apply(script: Script, value: int | str) -> Script:
    """Have several programs do the rounds in turn."""
    assert isinstance(value, int)
    loop = _loop(script)
    _independent(script, loop)
    part, count = script.fresh("part", "part_of_rounds"), _count(script)
    edits = [Edit(one, f"({script.numbered(one, f'{script.tl}.program_id(0) % {count}')})") for one in _numbers(script)]
    body = script.kernel.body
    first = next(statement for statement in body if not _said(statement))
    pad = " " * first.col_offset
    edits.append(Edit(first, f"{part} = {script.tl}.program_id(0) // {count}\n{pad}", "before"))
    edits += _bounds(script, loop, part, value)
    return script.edited([*edits, script.parameter(count)])


def _count(script: Script) -> str:
    return script.fresh("n_programs", "n_programs_in_all")


def _said(node: ast.stmt) -> bool:
    """Tell whether a statement is the text that describes the kernel."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


def _loop(script: Script) -> ast.For:
    """Return the loop at the kernel's end. Raises RefusedError."""
    body = [
        statement
        for statement in script.kernel.body
        if not (isinstance(statement, ast.Return) and statement.value is None)
    ]
    loop = body[-1]
    if not isinstance(loop, ast.For) or loop.orelse or not isinstance(loop.target, ast.Name):
        raise RefusedError("it does not end with a loop")
    call = loop.iter
    if (
        not isinstance(call, ast.Call)
        or not call.args
        or any(isinstance(argument, ast.Starred) for argument in call.args)
    ):
        raise RefusedError("its last loop is of another form")
    if not (script.is_call(call, "range") or (isinstance(call.func, ast.Name) and call.func.id == "range")):
        raise RefusedError("its last loop is of another form")
    for one in body[:-1]:
        if any(_acts(script, call) for call in ast.walk(one) if isinstance(call, ast.Call)):
            raise RefusedError("it does more than compute before its last loop")
    return loop


def _acts(script: Script, call: ast.Call) -> bool:
    """Tell whether a call may change memory."""
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    if any(function.name == name for function in script.functions):
        return bool(written(script.text, name))
    return name == "store" or name.startswith("atomic_") or "descriptor" in name or name in ("debug_barrier", "inline_asm_elementwise")  # fmt: skip


def _independent(script: Script, loop: ast.For) -> None:
    """Refuse a loop whose rounds know of each other."""
    inside = [node for statement in loop.body for node in ast.walk(statement)]
    if any(isinstance(node, ast.Break | ast.Return | ast.While) for node in inside):
        raise RefusedError("its last loop may end early")
    assert isinstance(loop.target, ast.Name)
    number = loop.target.id
    if carried := early(loop.body, {number}) & stores(loop.body):
        raise RefusedError(f"a round goes on with {min(carried)} of the round before")
    _apart(script)
    calls = [node for node in inside if isinstance(node, ast.Call) and _acts(script, node)]
    if not calls or not all(script.is_call(one, "store") and one.args for one in calls):
        raise RefusedError("it stores in another form")
    arrays = [roots(script, call.args[0]) for call in calls]
    for n, call in enumerate(calls):
        once = not any(
            arrays[n] & other for other in arrays[:n]
        )  # a second store may go where another round's first one went
        if not once or not _own(script, loop, call.args[0], number):
            raise RefusedError(f"rounds may store to one place (line {call.lineno})")


def _apart(script: Script) -> None:
    """Refuse a kernel that may load from what it stores to."""
    if any(next(script.calls(one, "load"), None) for one in script.reached if one is not script.kernel):
        raise RefusedError("what it calls loads")
    from_memory = _pointers(script, "load")
    if UNKNOWN in from_memory or from_memory & _pointers(script, "store"):
        raise RefusedError("it loads from what it stores to")


def _pointers(script: Script, word: str) -> frozenset[str]:
    """Return the parameters whose memory the kernel loads from, or stores to."""
    return frozenset().union(*(roots(script, call.args[0]) for call in script.calls(script.kernel, word) if call.args))


def _numbers(script: Script) -> list[ast.Call]:
    """Return where it asks for its number in the first dimension. Raises RefusedError."""
    numbers = []
    for function in script.reached:
        for call in script.calls(function, "program_id", "num_programs"):
            axis = axis_of(call)
            if axis == 0 and (function is not script.kernel or not script.is_call(call, "program_id")):
                raise RefusedError("it asks how many programs there are, or what it calls asks for its number")
            numbers += [call] if axis == 0 else []
    return numbers


def _bounds(script: Script, loop: ast.For, part: str, value: int) -> Iterator[Edit]:
    """Yield what the loop's range becomes."""
    assert isinstance(loop.iter, ast.Call)
    texts = [script.source(argument) for argument in loop.iter.args]
    args = loop.iter.args
    if len(args) == 1:
        yield Edit(args[0], f"{part}, {texts[0]}, {value}")
        return
    step = f"({texts[2]})" if len(args) > 2 else "1"
    yield Edit(args[0], f"({texts[0]}) + {part}" + (f" * {step}" if len(args) > 2 else ""))
    if len(args) > 2:
        yield Edit(args[2], f"{step} * {value}")
    else:
        yield Edit(args[1], f", {value}", "behind")


def _own(script: Script, loop: ast.For, address: ast.expr, number: str) -> bool:
    """Tell whether each round has addresses of its own, as far as strides are those of arrays."""
    terms = list(_terms(script, address))
    rising = [one for one in terms if _depends(script, one, number)]
    if len(rising) != 1:
        return False
    factor = _factor(script, rising[0], number)
    if factor is None:
        return False
    if factor and factor in _strides(script):
        return True
    assert isinstance(loop.iter, ast.Call)
    step = script.source(loop.iter.args[2]) if len(loop.iter.args) > 2 else ""
    blocks = [[*map(ast.unparse, one.args)] for one in terms if isinstance(one, ast.Call) and script.is_call(one, "arange")]  # fmt: skip
    return blocks == [["0", step or factor]] and bool(step) != bool(factor)


def _strides(script: Script) -> set[str]:
    """Return the parameters that are numbers of the launch, no constants of the text."""
    return {argument.arg for argument in script.kernel.args.args if not argument.annotation or "constexpr" not in ast.unparse(argument.annotation)}  # fmt: skip


def _meaning(script: Script, name: str) -> ast.expr | None:
    """Return what a variable stands for in the last loop: what it is given there, or else before, once only."""
    loop = _loop(script)
    within = loop if stored(loop, name) else script.kernel
    given = [n.value for n in ast.walk(within) if isinstance(n, ast.Assign) and [*map(ast.unparse, n.targets)] == [name]]  # fmt: skip
    return given[0] if len(given) == 1 == stored(within, name) else None


def _terms(script: Script, node: ast.expr, depth: int = 0) -> Iterator[ast.expr]:
    """Yield what an address is the sum of, with what variables stand for."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _terms(script, left, depth)
            yield from _terms(script, right, depth)
        case ast.Subscript(value=value, slice=ast.Tuple(elts=elements)) if all(
            isinstance(one, ast.Slice) or (isinstance(one, ast.Constant) and one.value is None) for one in elements
        ):
            yield from _terms(script, value, depth)
        case ast.Name(id=name) if depth < _DEEP and (meant := _meaning(script, name)) is not None:
            yield from _terms(script, meant, depth + 1)
        case _:
            yield node


def _depends(script: Script, node: ast.AST, number: str, depth: int = 0) -> bool:
    """Tell whether an expression may depend on a loop's number."""
    names = names_in(node)
    if number in names or depth > _DEEP:
        return True
    given = (one for one in ast.walk(script.kernel) if isinstance(one, ast.Assign | ast.AugAssign | ast.AnnAssign))
    return any(
        _depends(script, one.value, number, depth + 1)
        for one in given
        if one.value is not None and stores([one]) & names and one.value is not node
    )


def _factor(script: Script, term: ast.expr, number: str, depth: int = 0) -> str | None:
    """Return what a number that perhaps has something added is multiplied with, empty for nothing; None for another form."""
    match term:
        case ast.Name(id=name) if name == number:
            return ""
        case ast.Name(id=name) if depth < _DEEP and (meant := _meaning(script, name)) is not None:
            return _factor(script, meant, number, depth + 1)
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            if not _depends(script, right, number):
                return _factor(script, left, number, depth + 1)
            fixed = not _depends(script, left, number) and isinstance(op, ast.Add)
            return _factor(script, right, number, depth + 1) if fixed else None
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            for one, other in ((left, right), (right, left)):
                if not _depends(script, other, number) and _factor(script, one, number, depth + 1) == "":
                    return ast.unparse(other)
    return None


def guard(script: Script, _value: int | str) -> str:
    """Return that no two arguments are the same memory, and that strides lead on."""
    loop = _loop(script)
    assert isinstance(loop.target, ast.Name)
    calls = [call for statement in loop.body for call in script.calls(statement, "store")]
    every = [term for call in calls for term in _terms(script, call.args[0])]
    factors = {_factor(script, one, loop.target.id) for one in every if _depends(script, one, loop.target.id)}
    strides = sorted(factor for factor in factors if factor and factor in _strides(script))
    return " and ".join([f"{SHARED} == 0", *(f"{stride} >= 1" for stride in strides)])


def expects(script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
    """Return more the fewer programs there are for the device, and little where each of them does an earlier loop, too."""
    assert isinstance(value, int)
    most = _FULL * scene.units / max(1, prod(scene.grid))
    if most < 2.0 or value > 2 * most:
        return None
    before = any(
        isinstance(statement, ast.For | ast.While) for statement in script.kernel.body if statement is not _loop(script)
    )
    return 0.9, 1.3 if before else 1.0 + 0.5 * (min(float(value), most) - 1.0)


REWRITE = Rewrite(
    name="rounds-apart",
    text=__doc__,
    technique="split-k",
    keeps=Keeps.BITS,
    values=(0, 4, 2, 8, 16),
    apply=apply,
    gain=(0.9, 2.0),
    expects=expects,
    guard=guard,
    relaunch=lambda script, value: Relaunch(argument=_count(script), times=int(value)),
    order=40,
)  # fmt: skip
