"""OpenCL C, CUDA C++ and HIP C++ to a tree, by tree-sitter's grammar of C; their own words are blanked first, so that places stay what they were.

Macros are not expanded: the text that comes back is the user's. What the grammar cannot make sense of becomes `Text`.
"""

from __future__ import annotations

import re
from contextvars import ContextVar
from functools import lru_cache
from typing import TYPE_CHECKING

from hotloop.errors import MissingExtraError
from hotloop.rewrite import tree as t
from hotloop.rewrite.components.heads import beginning, steps
from hotloop.rewrite.plain import OPENCL, WORDS, Dialect, blanked

if TYPE_CHECKING:
    from tree_sitter import Node as Leaf
    from tree_sitter import Parser

_SPACE = re.compile(r"\b(?:__)?(global|local|constant)\b")
_HINT = re.compile(r"^(?:;|#\s*pragma\s+(?:unroll|nounroll)\b.*\s*)$")
"""Nodes that are dropped: empty statements, and hints to the compiler about a loop that will change."""
_QUALIFIER = re.compile(r"\b(const|__const|restrict|__restrict|__restrict__|volatile)\b")


@lru_cache(maxsize=1)
def _parser() -> Parser:
    try:
        import tree_sitter_c
        from tree_sitter import Language, Parser
    except ImportError:
        raise MissingExtraError("rewriting OpenCL C", "cpu") from None
    return Parser(Language(tree_sitter_c.language()))


@lru_cache(maxsize=32)
def functions(text: str, dialect: Dialect = OPENCL) -> tuple[t.Function, ...]:
    """Return the kernel functions of a text in their order; those that the grammar misses are left out.

    Raises:
        MissingExtraError: tree-sitter is not installed.
    """
    return tuple(one for one, kernel in _all(text, dialect) if kernel)


@lru_cache(maxsize=32)
def helpers(text: str, dialect: Dialect = OPENCL) -> tuple[t.Function, ...]:
    """Return the other functions of a text. Raises MissingExtraError."""
    return tuple(one for one, kernel in _all(text, dialect) if not kernel)


def _all(text: str, dialect: Dialect) -> tuple[tuple[t.Function, bool], ...]:
    """Return functions, and whether each is a kernel."""
    plain = dialect.blanked(text)
    root = _parser().parse(plain.encode("ascii")).root_node
    _READ.set(text)
    functions = (_function(leaf, text, plain, dialect) for leaf in _below(root, "function_definition"))
    return tuple(function for function in functions if function)


_READ: ContextVar[str] = ContextVar("text", default="")  # with the words that are blanked for the grammar


def expression(text: str) -> t.Node:
    """Return an expression by itself; `Text` where it is none."""
    made = functions(f"__kernel void f(int x) {{ x = {text}; }}")
    node = made[0].body[0] if made and made[0].body else None
    assigned = isinstance(node, t.Do) and isinstance(node.value, t.Assign)
    return node.value.value if assigned else t.Text(text)  # type: ignore[union-attr]


@lru_cache(maxsize=32)
def typedefs(text: str) -> dict[str, str]:
    """Return the names that ``typedef`` gives to other types."""
    root = _parser().parse(blanked(text).encode("ascii")).root_node
    kinds: dict[str, str] = {}
    for leaf in _below(root, "type_definition"):
        kind, name = leaf.child_by_field_name("type"), leaf.child_by_field_name("declarator")
        if kind is not None and name is not None and name.type == "type_identifier":
            kinds[_text(name)] = _text(kind)
    return kinds


@lru_cache(maxsize=32)
def structures(text: str) -> dict[str, tuple[str, int]]:
    """Return the structures whose members are all of one type, with it and their count; others have no plain layout."""
    root = _parser().parse(blanked(text).encode("ascii")).root_node
    layouts: dict[str, tuple[str, int]] = {}
    for leaf in _below(root, "struct_specifier"):
        name, body = leaf.child_by_field_name("name"), leaf.child_by_field_name("body")
        typed = leaf.parent if leaf.parent and leaf.parent.type == "type_definition" else None
        outer = typed.child_by_field_name("declarator") if typed else None
        if body is None:
            continue
        kinds, count = set(), 0
        for member in _named(body, "field_declaration"):
            kinds.add(_text_of(member, "type"))
            declared = member.children_by_field_name("declarator")
            sizes = [_members(one) for one in declared]
            count += sum(sizes) if all(sizes) else 1 << 20
        if len(kinds) == 1 and 0 < count < 1 << 20:
            for one in (name, outer):
                if one is not None:
                    layouts[_text(one)] = (min(kinds), count)
    return layouts


def _members(leaf: Leaf) -> int:
    """Return the number of values of a structure's member; 0 where it is not known."""
    if leaf.type == "field_identifier":
        return 1
    size = leaf.child_by_field_name("size")
    inner = leaf.child_by_field_name("declarator")
    if leaf.type == "array_declarator" and size is not None and inner is not None and _text(size).isdigit():
        return int(_text(size)) * _members(inner)
    return 0


def _below(leaf: Leaf, kind: str) -> list[Leaf]:
    leaves = [leaf] if leaf.type == kind else []
    return leaves or [one for child in leaf.children for one in _below(child, kind)]


def _function(leaf: Leaf, text: str, plain: str, dialect: Dialect) -> tuple[t.Function, bool] | None:
    body, declarator = leaf.child_by_field_name("body"), leaf.child_by_field_name("declarator")
    while declarator is not None and declarator.type != "function_declarator":
        declarator = declarator.child_by_field_name("declarator")
    if body is None or declarator is None or body.type != "compound_statement":
        return None
    name, head = declarator.child_by_field_name("declarator"), declarator.child_by_field_name("parameters")
    if name is None or head is None:
        return None
    written = (text[_begin(one) : one.end_byte] for one in _named(head, "parameter_declaration"))
    arguments = tuple(_argument(one, dialect) for one in written if one.strip() != "void")
    place, row = (body.start_byte, body.end_byte), name.start_point.row + 1
    made = t.Function(_text(name), arguments, _body(body), row, place, (head.start_byte, head.end_byte))
    return made, _is_kernel(text, plain, leaf, name, dialect)


def _begin(leaf: Leaf) -> int:
    """Return where a parameter begins: behind the comma or parenthesis before it, as its first words are blanked."""
    return leaf.start_byte if leaf.prev_sibling is None else int(leaf.prev_sibling.end_byte)


def _is_kernel(text: str, plain: str, leaf: Leaf, name: Leaf, dialect: Dialect) -> bool:
    """Tell a kernel by the word before its name: behind the end of what stands before it."""
    before = text[: name.start_byte]
    start = max(plain.rfind("}", 0, leaf.start_byte), plain.rfind(";", 0, leaf.start_byte), 0)
    return bool(dialect.kernel.search(before, start))


def _argument(text: str, dialect: Dialect) -> t.Argument:
    named = _SPACE.search(text)
    space = dialect.space or (named.group(1) if named else "")
    qualifiers = tuple(dict.fromkeys(q.strip("_") for q in _QUALIFIER.findall(text)))
    bare = _QUALIFIER.sub(" ", WORDS.sub(" ", re.sub(r"/\*.*?\*/", " ", text, flags=re.DOTALL)))
    name = re.findall(r"[A-Za-z_]\w*", bare.partition("[")[0])[-1]
    kind = re.sub(rf"\b{name}\b.*$", "", bare, flags=re.DOTALL).replace("*", " ")
    pointer = "*" in bare or "[" in bare
    return t.Argument(name, " ".join(kind.split()), space if pointer else "", qualifiers)


def _named(leaf: Leaf, kind: str) -> list[Leaf]:
    return [child for child in leaf.named_children if child.type == kind]


def _text(leaf: Leaf) -> str:
    return (leaf.text or b"").decode()


def _line(leaf: Leaf) -> int:
    return int(leaf.start_point.row) + 1


def _body(leaf: Leaf) -> t.Body:
    if leaf.type == "compound_statement":
        return tuple(_statement(child) for child in leaf.named_children if not _HINT.match(_text(child)))
    return (_statement(leaf),)


def _statement(leaf: Leaf) -> t.Node:
    made = _understood(leaf)
    heads = [part for part in t.children(made) if not isinstance(made, t.Block) and not isinstance(part, _STATEMENTS)]
    misread = any(isinstance(inner, t.Cast) and not _TYPED.match(inner.type) for inner in t.walk(*heads))
    return t.Text(_text(leaf), _line(leaf)) if misread else made


_STATEMENTS = (t.Do, t.If, t.For, t.Block)
_TYPED = re.compile(r"^[A-Za-z_][\w\s]*[\s*]*$")
"""A type of a cast; what else the grammar takes for one, ``(a[i]) * n``, is a product."""


def _understood(leaf: Leaf) -> t.Node:
    line = _line(leaf)
    if leaf.has_error:
        return t.Text(_text(leaf), line)
    match leaf.type:
        case "comment":
            return t.Text(_text(leaf), line, comment=True)
        case "expression_statement" if leaf.named_children:
            inner = leaf.named_children[0]
            return t.Do(_expression(inner), line) if inner.type != "comma_expression" else t.Text(_text(leaf), line)
        case "declaration":
            return _declaration(leaf)
        case "compound_statement":
            return t.Block(_body(leaf), line)
        case "if_statement":
            return _branch(leaf)
        case "for_statement":
            return _loop(leaf)
        case "while_statement":
            return _while(leaf)
    return t.Text(_text(leaf), line)


def _branch(leaf: Leaf) -> t.Node:
    condition, yes = leaf.child_by_field_name("condition"), leaf.child_by_field_name("consequence")
    other = leaf.child_by_field_name("alternative")
    assert condition is not None
    assert yes is not None
    no: t.Body = ()
    if other is not None:
        inner = other.named_children[-1] if other.type == "else_clause" else other
        no = _body(inner)
    return t.If(_expression(condition), _body(yes), no, _line(leaf))


def _loop(leaf: Leaf) -> t.Node:
    first, body = leaf.child_by_field_name("initializer"), leaf.child_by_field_name("body")
    condition, step = leaf.child_by_field_name("condition"), leaf.child_by_field_name("update")
    assert body is not None
    line, asked = _line(leaf), None if condition is None else _expression(condition)
    counts = set() if asked is None else t.names_in(asked)
    begins = [] if first is None else [_declaration(first)] if first.type == "declaration" else _commas(first)
    begun = beginning(begins, counts, line)
    last, more = steps([] if step is None else _commas(step), counts)
    left = more and re.search(r"\bcontinue\b", _text(body))  # behind which only some of the body is done
    if left or begun is None:
        return t.Text(_text(leaf), line)
    made = t.For(begun[0], asked, last, (*_body(body), *(t.Do(one, line) for one in more)), line)
    return t.Block((*begun[1], made), line) if begun[1] else made


def _while(leaf: Leaf) -> t.Node:
    condition, body = leaf.child_by_field_name("condition"), leaf.child_by_field_name("body")
    assert condition is not None
    assert body is not None
    return t.For(None, _expression(condition), None, _body(body), _line(leaf))


def _declaration(leaf: Leaf) -> t.Node:
    line, kind = _line(leaf), leaf.child_by_field_name("type")
    assert kind is not None
    made = []
    for one in leaf.children_by_field_name("declarator"):
        declared = _declarator(one)
        if declared is None:
            return t.Text(_text(leaf), line)
        made.append(declared)
    before = " ".join(_text(c) for c in leaf.named_children if c.type in ("type_qualifier", "storage_class_specifier"))
    if "static" in before or kind.type not in _TYPES or kind.child_by_field_name("body") is not None:
        return t.Text(_text(leaf), line)
    if space := _SPACE.search(_READ.get()[_begin(leaf) : kind.end_byte]):
        before = f"__{space[1]} {before}".strip()
    return t.Declare(f"{before} {_text(kind)}".strip(), tuple(made), line)


def _declarator(leaf: Leaf, value: t.Node | None = None) -> t.Declared | None:
    match leaf.type:
        case "identifier":
            return t.Declared(_text(leaf), value)
        case "init_declarator":
            inner, given = leaf.child_by_field_name("declarator"), leaf.child_by_field_name("value")
            if inner is None or given is None:
                return None
            return _declarator(inner, _expression(given))
        case "array_declarator":
            inner, size = leaf.child_by_field_name("declarator"), leaf.child_by_field_name("size")
            made = _declarator(inner) if inner is not None else None
            counted = t.Number(str(len(value.values))) if isinstance(value, t.Table) else None
            length = counted if size is None else _expression(size)
            if made is None or length is None:
                return None
            return t.Declared(made.name, value, made.pointer, (*made.extents, length))
        case "pointer_declarator":
            inner = leaf.child_by_field_name("declarator")
            made = _declarator(inner) if inner is not None else None
            return None if made is None else t.Declared(made.name, value, "*" + made.pointer, made.extents)
    return None


_TYPES = ("primitive_type", "type_identifier", "sized_type_specifier", "struct_specifier")
_VECTOR = re.compile(r"^(?:char|uchar|short|ushort|int|uint|long|ulong|half|float|double)\d+$")


def _expression(leaf: Leaf) -> t.Node:
    node: t.Node | None = None
    match leaf.type:
        case "identifier" | "true" | "false":
            node = t.Name(_text(leaf))
        case "number_literal" | "char_literal":
            text = _text(leaf)
            node = t.Unary("-", t.Number(text[1:].lstrip())) if text.startswith("-") else t.Number(text)
        case "parenthesized_expression" if len(leaf.named_children) == 1:
            node = _expression(leaf.named_children[0])
        case "binary_expression":
            node = t.Binary(_text_of(leaf, "operator"), _part(leaf, "left"), _part(leaf, "right"))
        case "assignment_expression":
            node = t.Assign(_text_of(leaf, "operator"), _part(leaf, "left"), _part(leaf, "right"))
        case "unary_expression" | "pointer_expression":
            node = _pointed(_text_of(leaf, "operator"), _part(leaf, "argument"))
        case "update_expression":
            node = _update(leaf)
        case _:
            node = _longer(leaf)
    return t.Text(_text(leaf), _line(leaf)) if node is None else node


def _pointed(op: str, value: t.Node) -> t.Node:
    """Return ``*(array + i + j)`` and ``*array`` as the element that it is."""
    if op == "*" and isinstance(value, t.Name):
        return t.Index(value, t.Number("0"))
    if op == "*" and isinstance(value, t.Binary) and value.op == "+":
        first, rest = value.left, value.right
        while isinstance(first, t.Binary) and first.op == "+":
            rest = t.Binary("+", first.right, rest)
            first = first.left
        if isinstance(first, t.Name):
            return t.Index(first, rest)
    return t.Unary(op, value)


def _longer(leaf: Leaf) -> t.Node | None:
    """Return an expression of the forms that have names of their own, None of what has none."""
    match leaf.type:
        case "call_expression":
            return _call(leaf)
        case "subscript_expression":
            return t.Index(_part(leaf, "argument"), _part(leaf, "index"))
        case "field_expression":
            return t.Member(_part(leaf, "argument"), _text_of(leaf, "operator"), _text_of(leaf, "field"))
        case "cast_expression":
            return _cast(leaf)
        case "initializer_list" if all(one.type != "initializer_pair" for one in leaf.named_children):
            return t.Table(tuple(_expression(one) for one in leaf.named_children if one.type != "comment"))
        case "conditional_expression":
            return t.Choice(_part(leaf, "condition"), _part(leaf, "consequence"), _part(leaf, "alternative"))
    return None


def _text_of(leaf: Leaf, field: str) -> str:
    child = leaf.child_by_field_name(field)
    return "" if child is None else _text(child)


def _part(leaf: Leaf, field: str) -> t.Node:
    child = leaf.child_by_field_name(field)
    if child is None:
        return t.Text(_text(leaf), _line(leaf))
    return _expression(child)


def _update(leaf: Leaf) -> t.Node:
    op, prefix = _text_of(leaf, "operator"), leaf.children[0].type in ("++", "--")
    value = _part(leaf, "argument")
    return t.Unary(op, value) if prefix else t.Postfix(op, value)


def _call(leaf: Leaf) -> t.Node | None:
    function, given = leaf.child_by_field_name("function"), leaf.child_by_field_name("arguments")
    if function is None or given is None:
        return None
    values = tuple(_expression(one) for one in given.named_children if one.type != "comment")
    kind = _text(function).strip("() ")
    if function.type == "parenthesized_expression" and _VECTOR.match(kind):  # which the grammar takes for a call
        return t.Vector(kind, values)
    if function.type == "parenthesized_expression" and len(values) == 1 and kind.isidentifier():
        return t.Cast(kind, values[0])
    return t.Call(_text(function), values) if function.type == "identifier" else None


def _cast(leaf: Leaf) -> t.Node:
    kind, value = _text_of(leaf, "type"), leaf.child_by_field_name("value")
    if value is not None and value.type == "parenthesized_expression" and _VECTOR.match(kind):
        inner = value.named_children[0]
        return t.Vector(kind, tuple(_commas(inner)))
    space = _SPACE.match(_READ.get()[leaf.start_byte + 1 :].lstrip()) if kind.endswith("*") else None
    kind = f"__{space[1]} {kind}" if space else kind
    return t.Cast(kind, _part(leaf, "value"))


def _commas(leaf: Leaf) -> list[t.Node]:
    if leaf.type != "comma_expression":
        return [_expression(leaf)]
    left, right = leaf.child_by_field_name("left"), leaf.child_by_field_name("right")
    assert left is not None
    assert right is not None
    return [*_commas(left), *_commas(right)]
