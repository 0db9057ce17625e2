"""A tree back to text, and one function's text back into its file."""

from __future__ import annotations

import re

from hotloop.rewrite import tree as t

_RANK = {
    "*": 12, "/": 12, "%": 12, "+": 11, "-": 11, "<<": 10, ">>": 10, "<": 9, ">": 9, "<=": 9, ">=": 9, "==": 8,
    "!=": 8, "&": 7, "^": 6, "|": 5, "&&": 4, "||": 3,
}  # fmt: skip
"""How tightly operators bind, as C has it."""
_CHOICE, _ASSIGN, _PREFIX, _POSTFIX = 2, 1, 13, 14
_CLEARER = frozenset({"&", "|", "^", "<<", ">>"})
"""Operators whose operands get parentheses although C needs none: compilers warn of some."""
_COMPARES = frozenset({"<", ">", "<=", ">=", "==", "!="})
"""Operators that get parentheses around others of their own: compilers refuse ``a < b < c``."""


def expression(node: t.Node, least: int = 0) -> str:
    """Return an expression as text, in parentheses where it binds less tightly than `least`.

    >>> from hotloop.rewrite.tree import Binary, Name
    >>> expression(Binary("*", Binary("+", Name("i"), Name("j")), Name("n")))
    '(i + j) * n'
    """
    text, rank = _written(node)
    return f"({text})" if rank < least else text


def _written(node: t.Node) -> tuple[str, int]:
    match node:
        case t.Name(text=text) | t.Number(text=text):
            return text, 15
        case t.Text(text=text):
            return text, 0
        case t.Binary(op=op, left=left, right=right):
            rank = _RANK[op]
            inner = rank + 1 if op in _CLEARER else rank
            if op == "||":  # C needs none around &&, compilers warn
                inner = _RANK["&&"] + 1 if isinstance(left, t.Binary) and left.op == "&&" else rank
            if op in _COMPARES:
                return f"{expression(left, _RANK['<'] + 1)} {op} {expression(right, _RANK['<'] + 1)}", rank
            return f"{expression(left, inner)} {op} {expression(right, rank + 1)}", rank
        case t.Unary(op=op, value=value):
            inside = expression(value, _PREFIX)
            return (f"{op} {inside}" if inside.startswith(op[-1]) else f"{op}{inside}"), _PREFIX
        case t.Postfix(op=op, value=value):
            return f"{expression(value, _POSTFIX)}{op}", _POSTFIX
        case t.Assign(op=op, target=target, value=value):
            return f"{expression(target, _PREFIX)} {op} {expression(value, _ASSIGN)}", _ASSIGN
        case t.Choice(condition=condition, yes=yes, no=no):
            parts = (expression(condition, _CHOICE + 1), expression(yes, _CHOICE), expression(no, _CHOICE))
            return f"{parts[0]} ? {parts[1]} : {parts[2]}", _CHOICE
    return _access(node)


def _access(node: t.Node) -> tuple[str, int]:
    """Return what binds as tightly as a name does, or a prefix."""
    match node:
        case t.Call(function=function, arguments=arguments):
            return f"{function}({', '.join(expression(argument, _ASSIGN) for argument in arguments)})", _POSTFIX
        case t.Index(base=base, index=index):
            return f"{expression(base, _POSTFIX)}[{expression(index)}]", _POSTFIX
        case t.Member(base=base, dot=dot, field=field):
            return f"{expression(base, _POSTFIX)}{dot}{field}", _POSTFIX
        case t.Cast(type=kind, value=value):
            return f"({kind}){expression(value, _PREFIX)}", _PREFIX
        case t.Vector(type=kind, values=values):
            return f"({kind})({', '.join(expression(value, _ASSIGN) for value in values)})", _PREFIX
        case t.Table(values=values):
            return f"{{{', '.join(expression(value, _ASSIGN) for value in values)}}}", _POSTFIX
    raise TypeError(f"{type(node).__name__} is no expression")


def statements(body: t.Body, indent: str, step: str) -> list[str]:
    """Return statements as lines."""
    return [line for statement in body for line in _statement(statement, indent, step)]


def _statement(node: t.Node, indent: str, step: str) -> list[str]:
    match node:
        case t.Text(text=text):
            return [indent + text.strip()]
        case t.Declare():
            return [f"{indent}{declaration(node)};"]
        case t.Do(value=value):
            return [f"{indent}{expression(value)};"]
        case t.Block(body=body):
            return [f"{indent}{{", *statements(body, indent + step, step), f"{indent}}}"]
        case t.If(condition=condition, yes=yes, no=no):
            lines = [f"{indent}if ({expression(condition)}) {{", *statements(yes, indent + step, step)]
            if no:
                lines += [f"{indent}}} else {{", *statements(no, indent + step, step)]
            return [*lines, f"{indent}}}"]
        case t.For(first=None, condition=t.Node() as condition, step=None, body=body):
            return [
                f"{indent}while ({expression(condition)}) {{",
                *statements(body, indent + step, step),
                f"{indent}}}",
            ]
        case t.For(first=first, condition=condition, step=update, body=body):
            begun = "" if first is None else declaration(first) if isinstance(first, t.Declare) else expression(first)
            while_ = "" if condition is None else f" {expression(condition)}"
            then = "" if update is None else f" {expression(update)}"
            head = f"{indent}for ({begun};{while_};{then}) {{"
            return [head, *statements(body, indent + step, step), f"{indent}}}"]
    raise TypeError(f"{type(node).__name__} is no statement")


def declaration(node: t.Declare) -> str:
    """Return a declaration without its semicolon."""
    return f"{node.type} {', '.join(map(_declared, node.names))}"


def _declared(one: t.Declared) -> str:
    extents = "".join(f"[{expression(size)}]" for size in one.extents)
    value = "" if one.value is None else f" = {expression(one.value, _ASSIGN)}"
    return f"{one.pointer}{one.name}{extents}{value}"


def argument(one: t.Argument) -> str:
    """Return a parameter as text."""
    const = "const " if "const" in one.qualifiers else ""
    volatile = "volatile " if "volatile" in one.qualifiers else ""
    if not one.pointer:
        return f"{const}{one.type} {one.name}"
    restrict = "restrict " if "restrict" in one.qualifiers else ""
    return f"__{one.space} {volatile}{const}{one.type} *{restrict}{one.name}"


def replaced(text: str, old: t.Function, new: t.Function) -> str:
    """Return the file's text with one function's parameters and body exchanged; everything else stays as it was."""
    step = "\t" if "\n\t" in text[slice(*old.span)] else "    "
    changed = text
    if new.body != old.body:
        ended = _ended(text[slice(*old.span)])
        body = "\n".join(["{", *ended, *statements(new.body, step, step), "}"])
        changed = changed[: old.span[0]] + body + changed[old.span[1] :]
    if new.arguments != old.arguments:
        head = "(" + ", ".join(map(argument, new.arguments)) + ")"
        changed = changed[: old.head[0]] + head + changed[old.head[1] :]
    return changed


_CONDITIONAL = re.compile(r"^[ \t]*#[ \t]*(if|ifdef|ifndef|endif)\b", re.MULTILINE)


def _ended(body: str) -> list[str]:
    """Return the directives that end, within a body, what began before it: heads of which one is chosen share a body."""
    open_, ended = 0, 0
    for one in _CONDITIONAL.finditer(body):
        open_ += -1 if one.group(1) == "endif" else 1
        if open_ < 0:
            open_, ended = 0, ended + 1
    return ["#endif"] * ended


_REQUIRED = re.compile(r"__attribute__\s*\(\(\s*reqd_work_group_size\s*\((?:[^()]|\([^()]*\))*\)\s*\)\)\s*")


_KERNEL = re.compile(r"\b(?:__)?kernel\b(?!.*\b(?:__)?kernel\b)", re.DOTALL)
_LONE = "__attribute__((reqd_work_group_size(1, 1, 1)))"
_VECTOR = re.compile(r"\b(?:(float|double|u?int)|vload)(2|3|4|8|16)\b")


def told(text: str, function: t.Function, *, free: bool = False, lone: bool = False, vector: str = "") -> str:
    """Return a file's text with other attributes before a function, which stands where it was.

    Args:
        text: the file's.
        function: which.
        free: without the one that requires groups of one size.
        lone: with one that requires groups of one item, where the text's first word is no macro.
        vector: what it is said to compute with, so that runtimes make no vectors of neighbouring items; empty, or where the text says
            so or its first word is a macro: nothing is said.
    """
    begin = max(text.rfind("}", 0, function.head[0]), 0)
    before = _REQUIRED.sub("", text[begin : function.head[0]]) if free else text[begin : function.head[0]]
    word = _KERNEL.search(before)
    if lone and word is not None:
        before = f"{before[: word.end()]} {_LONE}{before[word.end() :]}"
    if vector and word is not None and "vec_type_hint" not in before:
        before = f"{before[: word.end()]} __attribute__((vec_type_hint({vector}))){before[word.end() :]}"
    return text[:begin] + before + text[function.head[0] :]


def vector(body: t.Body) -> str:
    """Return the type of the first vector that statements compute with; empty where none does."""
    match = _VECTOR.search("\n".join(statements(body, "", "")))
    return f"{match[1] or 'float'}{match[2]}" if match else ""
