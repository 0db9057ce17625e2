"""What an OpenCL kernel's text says about itself where its author does not: local memory and barriers, as ``config.*`` facts."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from math import prod

from hotloop.metrics.fact import evidence, fact
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.model.program import Launch, Local, Program

_REMARK = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_DEFINE = re.compile(r"^\s*#\s*define\s+(\w+)\s+(.+?)\s*$", re.MULTILINE)
_OPTION = re.compile(r"-D\s*(\w+)(?:=(\S+))?")
_BARRIER = re.compile(r"\b(?:barrier|work_group_barrier|sub_group_barrier)\s*\(")
_LOCAL = re.compile(r"\b(?:__local|local)\s+(?:volatile\s+)?(?P<type>\w+)\s+(?P<names>[^;()*]+);")
_ARRAY = re.compile(r"(\w+)\s*((?:\[[^\]]+\])*)")
_BYTES = {"char": 1, "uchar": 1, "bool": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "float": 4, "long": 8,
          "ulong": 8, "double": 8, "size_t": 8}  # fmt: skip
_VECTOR = re.compile(r"([a-z_]+?)(2|3|4|8|16)?")
_TYPEDEF = re.compile(r"\btypedef\s+(\w+)\s+(\w+)\s*;")
_THREE, _FOUR = 3, 4


def source_facts(program: Program, launch: Launch) -> Evidence:
    """Return ``config.barriers`` and ``config.local_bytes`` of an OpenCL C kernel; nothing for what its text leaves open.

    Barriers are counted as they stand: a loop may repeat them, so the figure is the least.
    """
    if program.language != "opencl":
        return Evidence()
    code = _REMARK.sub(" ", program.source)
    body = _body(code, launch.entry)
    if body is None:
        return Evidence()
    macros = {**dict(_DEFINE.findall(code)), **{n: v or "1" for n, v in _OPTION.findall(" ".join(program.options))}}
    source = f"text of {launch.entry}"
    rows: list[Fact] = [fact("config.barriers", len(_BARRIER.findall(body)), Provenance.DERIVED, f"{source}, at least")]
    given = sum(a.local_bytes for a in launch.arguments if isinstance(a, Local))
    sizes = list(_sizes(body, macros, {new: old for old, new in _TYPEDEF.findall(code)}))
    if None not in sizes:
        total = given + sum(size for size in sizes if size is not None)
        rows.append(fact("config.local_bytes", total, Provenance.DERIVED, source))
    return evidence(rows)


def _body(code: str, entry: str) -> str | None:
    """Return a function's text between its braces; None when it is made by macros."""
    match = re.search(rf"\b{re.escape(entry)}\s*\(", code)
    begin = code.find("{", match.end()) if match else -1
    if begin < 0:
        return None
    depth = 0
    for place in range(begin, len(code)):
        depth += {"{": 1, "}": -1}.get(code[place], 0)
        if not depth:
            return code[begin : place + 1]
    return None


def _sizes(body: str, macros: Mapping[str, str], types: Mapping[str, str]) -> Iterator[int | None]:
    """Yield the bytes of each local array; None where an extent is not a number."""
    for declared in _LOCAL.finditer(body):
        kind = declared["type"]
        width = _width(types.get(kind, macros.get(kind, kind)))
        for _, extents in _ARRAY.findall(declared["names"]):
            numbers = [_number(text, macros) for text in re.findall(r"\[([^\]]+)\]", extents)]
            sized = [number for number in numbers if number is not None]
            yield width * prod(sized) if width is not None and len(sized) == len(numbers) else None


def _width(kind: str) -> int | None:
    match = _VECTOR.fullmatch(kind)
    if match is None or match[1] not in _BYTES:
        return None
    lanes = int(match[2] or 1)
    return _BYTES[match[1]] * (_FOUR if lanes == _THREE else lanes)


def _number(text: str, macros: Mapping[str, str], depth: int = 8) -> int | None:
    """Return the value of a constant expression with macros in it; None when it has none."""
    while depth and (names := [name for name in re.findall(r"[A-Za-z_]\w*", text) if name in macros]):
        text = re.sub(rf"\b{names[0]}\b", f"({macros[names[0]]})", text)
        depth -= 1
    try:
        value = _computed(ast.parse(text.strip().replace("/", "//"), mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError):
        return None
    return value


def _computed(node: ast.expr) -> int:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.BinOp(left=left, op=operator, right=right):
            low, high = _computed(left), _computed(right)
            match operator:
                case ast.Add():
                    return low + high
                case ast.Sub():
                    return low - high
                case ast.Mult():
                    return low * high
                case ast.FloorDiv():
                    return low // high
                case ast.LShift():
                    return low << high
    raise ValueError("no constant")
