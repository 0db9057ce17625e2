"""A Triton kernel with the functions of its file put in where it calls them, so that rewrites find the loops and loads that stand there.

Only calls that are a statement of their own are replaced, of functions that go through memory, loops or products: others are left as they are.
Triton inlines every call itself, so that the text means what it meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from copy import copy
from dataclasses import dataclass
from functools import lru_cache

from hotloop.rewrite.jitted.form import Edit, RefusedError, Script
from hotloop.rewrite.jitted.names import assigned_in, names_in
from hotloop.rewrite.jitted.writes import taken

_DEEP = 8
"""Calls that are put in at most, one after the other."""
_LONGEST = 400
"""Lines of a kernel beyond which no further call is put in."""


@lru_cache(maxsize=256)
def inlined(script: Script) -> Script:
    """Return the kernel with its functions put in, or itself where none can be."""
    for _ in range(_DEEP):
        kernel = script.kernel
        call = next(_calls(script), None)
        if call is None or (kernel.end_lineno or 0) - kernel.lineno > _LONGEST:
            break
        try:
            script = _put_in(script, call)
        except RefusedError:
            break
    return script


def live(script: Script, values: Mapping[str, object]) -> str:
    r"""Return what a launch runs of a text: the kernel without what is only said and without branches that constants rule out, and what it calls.

    >>> text = "def f():\n    'x = randn(3)'\n    if A:\n        g()\n    h()\ndef g():\n    rand(1)\ndef h():\n    pass"
    >>> live(Script(text, "f"), {"A": False})
    'def f():\n    pass\n    h()\ndef h():\n    pass'
    """
    whole = inlined(script)
    texts = [taken(_unsaid(whole.kernel), values)]
    waiting = {function.name: function for function in whole.functions if function is not whole.kernel}
    for text in texts:
        called = names_in(ast.parse(text)) & waiting.keys()
        texts += [_unsaid(waiting.pop(name)) for name in sorted(called)]
    return "\n".join(texts)


def _unsaid(function: ast.FunctionDef) -> str:
    """Return a function's text without comments and without what describes it."""
    body = [one for one in function.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
    bare = copy(function)
    bare.body, bare.decorator_list = body or [ast.Pass()], []
    return ast.unparse(ast.fix_missing_locations(bare))


@dataclass(frozen=True, slots=True)
class _Call:
    """A statement that calls a function of the file, and what stands for the function's parameters."""

    statement: ast.Assign | ast.AugAssign | ast.Expr
    function: ast.FunctionDef
    given: Mapping[str, ast.expr]


def _calls(script: Script) -> Iterator[_Call]:
    """Yield the calls that can be put in, in the order of the text."""
    by_name = {function.name: function for function in script.functions if function is not script.kernel}
    for node in ast.walk(script.kernel):
        if not isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) or not isinstance(node.value, ast.Call):
            continue
        callee = node.value.func
        function = by_name.get(callee.id) if isinstance(callee, ast.Name) else None
        if function is None or not _whole_lines(script, node) or not _simple(script, function):
            continue
        given = _given(function, node.value)
        if given is not None and _fits(node, function):
            yield _Call(node, function, given)


def _whole_lines(script: Script, node: ast.stmt) -> bool:
    """Tell whether a statement shares its lines with no other."""
    lines = script.text.encode().splitlines()
    before = lines[node.lineno - 1][: node.col_offset]
    behind = lines[(node.end_lineno or node.lineno) - 1][node.end_col_offset or 0 :].strip()
    return not before.strip() and (not behind or behind.startswith(b"#"))


def _simple(script: Script, function: ast.FunctionDef) -> bool:
    """Tell whether a function's statements may stand in the place of its call, and are worth it."""
    decorators = [script.source(one).rpartition(".")[2] for one in function.decorator_list]
    given = function.args
    if decorators != ["jit"] or given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs:
        return False
    nodes = [inner for statement in function.body for inner in ast.walk(statement)]
    apart = (ast.FunctionDef, ast.Lambda, ast.ListComp, ast.GeneratorExp, ast.Global, ast.Nonlocal, ast.While)
    returns = [node for node in nodes if isinstance(node, ast.Return)]
    if any(isinstance(node, apart) for node in nodes) or returns not in ([], [function.body[-1]]):
        return False
    calls_itself = any(isinstance(node, ast.Name) and node.id == function.name for node in nodes)
    memory = next(script.calls(function, "load", "store", "dot", "atomic_add"), None) is not None
    loops = any(isinstance(node, ast.For) for node in nodes)
    return not calls_itself and (memory or loops)


def _given(function: ast.FunctionDef, call: ast.Call) -> Mapping[str, ast.expr] | None:
    """Return by parameter what a call gives it; None where that cannot be told."""
    names = [argument.arg for argument in function.args.args]
    if any(isinstance(arg, ast.Starred) for arg in call.args) or len(call.args) > len(names):
        return None
    given = dict(zip(names, call.args, strict=False))
    for keyword in call.keywords:
        if keyword.arg is None or keyword.arg not in names or keyword.arg in given:
            return None
        given[keyword.arg] = keyword.value
    defaults = function.args.defaults
    for name, default in zip(names[len(names) - len(defaults) :], defaults, strict=True):
        given.setdefault(name, default)
    return given if len(given) == len(names) else None


def _fits(statement: ast.Assign | ast.AugAssign | ast.Expr, function: ast.FunctionDef) -> bool:
    """Tell whether what a function returns can be assigned as the statement does."""
    values = _returned(function)
    if isinstance(statement, ast.Expr):
        return True
    if isinstance(statement, ast.AugAssign) or len(statement.targets) != 1:
        return isinstance(statement, ast.AugAssign) and len(values) == 1
    targets = _targets(statement)
    return bool(targets) and len(targets) == len(values)


def _returned(function: ast.FunctionDef) -> list[ast.expr]:
    last = function.body[-1]
    if not isinstance(last, ast.Return) or last.value is None:
        return []
    return list(last.value.elts) if isinstance(last.value, ast.Tuple) else [last.value]


def _targets(statement: ast.Assign) -> list[str]:
    """Return the names that are assigned; none where others than names are."""
    target = statement.targets[0]
    parts = target.elts if isinstance(target, ast.Tuple) else [target]
    names = [part.id for part in parts if isinstance(part, ast.Name)]
    return names if len(names) == len(parts) else []


def _put_in(script: Script, call: _Call) -> Script:
    """Return the text with the statements of one function in the place of its call."""
    names, head = _renamed(script, call)
    body = [statement for statement in call.function.body if not isinstance(statement, ast.Return)]
    said = body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)
    body = body[1:] if said else body
    own = _named(script, call.function, names)
    pad = " " * call.statement.col_offset
    lines = [pad + line for line in head]
    lines += _moved(own, call.function, body, pad)
    lines += [pad + line for line in _assigned(call, [_text(one, names) for one in _returned(call.function)])]
    return script.edited([Edit(call.statement, "\n".join(lines or [f"{pad}pass"]).lstrip())])


def _renamed(script: Script, call: _Call) -> tuple[dict[str, str], list[str]]:
    """Return what each variable of the function is called in the kernel, and the assignments that stand before its statements."""
    function, kept = call.function, _kept(call)
    assigned = assigned_in(function)
    used = script.names
    names: dict[str, str] = {}
    head: list[str] = []
    for parameter, value in call.given.items():
        text = script.source(value)
        if parameter in kept:
            names[parameter] = text
        elif parameter not in assigned and _lasting(value, set(kept.values()), call):
            names[parameter] = text if isinstance(value, ast.Name | ast.Constant) else f"({text})"
        else:
            names[parameter] = _fresh(parameter, used)
            head.append(f"{names[parameter]} = {text}")
    for variable in sorted(assigned - set(names)):
        names[variable] = _fresh(variable, used)
    return names, head


def _fresh(name: str, used: set[str]) -> str:
    """Return a name that nothing has, and take it."""
    number, free = 2, name
    while free in used:
        free, number = f"{name}_{number}", number + 1
    used.add(free)
    return free


def _kept(call: _Call) -> dict[str, str]:
    """Return the parameters that the function changes and returns into the variable that it was given: they are that variable."""
    if not isinstance(call.statement, ast.Assign):
        return {}
    given = [value.id for value in call.given.values() if isinstance(value, ast.Name)]
    names = [node.id for value in call.given.values() for node in ast.walk(value) if isinstance(node, ast.Name)]
    targets = _targets(call.statement)
    returned = zip(targets, _returned(call.function), strict=True)
    return {
        value.id: target
        for target, value in returned
        if isinstance(value, ast.Name)
        and isinstance(own := call.given.get(value.id), ast.Name)
        and own.id == target
        and given.count(target) == 1 == names.count(target) == targets.count(target)
    }


def _lasting(value: ast.expr, changed: set[str], call: _Call) -> bool:
    """Tell whether an argument means the same wherever the function's text asks for it, and costs nothing to be asked for again."""
    names = names_in(value)
    plain = not any(isinstance(inner, ast.Call | ast.Subscript) for inner in ast.walk(value))
    annotated = {
        argument.arg: ast.unparse(argument.annotation) if argument.annotation else ""
        for argument in call.function.args.args
    }
    constant = any(own is value and "constexpr" in annotated[name] for name, own in call.given.items())
    return not names & changed and (isinstance(value, ast.Name | ast.Constant) or (plain and constant))


def _named(script: Script, function: ast.FunctionDef, names: Mapping[str, str]) -> Script:
    """Return the text with the variables of one function renamed there."""
    edits = [
        Edit(node, names[node.id])
        for statement in function.body
        for node in ast.walk(statement)
        if isinstance(node, ast.Name) and names.get(node.id, node.id) != node.id
    ]
    return script.edited(edits)


def _text(node: ast.expr, names: Mapping[str, str]) -> str:
    """Return an expression's text with its variables renamed."""

    class Renaming(ast.NodeTransformer):
        def visit_Name(self, name: ast.Name) -> ast.expr:
            new = names.get(name.id, name.id)
            return ast.parse(new, mode="eval").body if new != name.id else name

    return ast.unparse(Renaming().visit(ast.parse(ast.unparse(node), mode="eval").body))


def _moved(renamed: Script, function: ast.FunctionDef, body: list[ast.stmt], pad: str) -> list[str]:
    """Return the lines of a function's statements, as they stand in the text, at another depth."""
    if not body:
        return []
    own = next(one for one in renamed.functions if one.name == function.name)
    first = own.body[len(own.body) - len(function.body) + function.body.index(body[0])]
    last = own.body[len(own.body) - len(function.body) + function.body.index(body[-1])]
    lines = renamed.text.splitlines()[first.lineno - 1 : last.end_lineno]
    if len(lines[0]) - len(lines[0].lstrip()) != first.col_offset:
        raise RefusedError("a function's first statement shares its line")
    shift = " " * first.col_offset
    return [
        pad + line[first.col_offset :] if line.startswith(shift) else line and pad + line.lstrip() for line in lines
    ]


def _assigned(call: _Call, values: list[str]) -> list[str]:
    """Return the statement that assigns what the function returns, where that is not there already."""
    statement = call.statement
    if isinstance(statement, ast.Expr) or not values:
        return []
    if isinstance(statement, ast.AugAssign):
        sign = {ast.Add: "+", ast.Sub: "-", ast.Mult: "*"}.get(type(statement.op))
        if sign is None:
            raise RefusedError("what a function returns is neither added, subtracted nor multiplied")
        return [f"{ast.unparse(statement.target)} {sign}= {values[0]}"]
    pairs = [(target, value) for target, value in zip(_targets(statement), values, strict=True) if target != value]
    return [f"{', '.join(t for t, _ in pairs)} = {', '.join(v for _, v in pairs)}"] if pairs else []


__all__ = ["inlined", "live"]
