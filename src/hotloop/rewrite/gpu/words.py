"""CUDA C++ and HIP C++ read as the tree that rewrites of OpenCL C know, and written back in their own words.

``blockIdx.x * blockDim.x + threadIdx.x`` is ``get_global_id(0)`` there, ``__syncthreads()`` a barrier, ``__ldg(&a[i])`` the element itself.
Kernels whose threads exchange values, or that keep shared memory, are refused: nothing here knows what becomes of them. Macros are not put in.
"""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.rewrite import items, parse, pointers
from hotloop.rewrite import tree as t
from hotloop.rewrite.form import Posed
from hotloop.rewrite.plain import Dialect, uncast, without
from hotloop.rewrite.shape import RefusedError, extents, shape
from hotloop.rewrite.tidy import tidy
from hotloop.rewrite.write import statements

_WORDS = re.compile(
    r"\bextern\s+\"C\"(?!\s*\{)|\btemplate\s*<[^<>]*>"
    r"|\b(?:__global__|__device__|__host__|__forceinline__|__noinline__|__inline__|__restrict__|__restrict)\b"
    r"|\b__launch_bounds__\s*\((?:[^()]|\([^()]*\))*\)|__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\)"
)
_BOUNDS = re.compile(r"\b__launch_bounds__\s*\(")
_CAST = re.compile(r"\b(?:static|reinterpret)_cast\s*<([^<>]*)>(?=\s*\()")
_ASKED = {
    "threadIdx": "get_local_id",
    "blockIdx": "get_group_id",
    "blockDim": "get_local_size",
    "gridDim": "get_num_groups",
}
_OWN = {function: name for name, function in _ASKED.items()}
_MEETING = {"__syncthreads": "barrier"}
_EXCHANGE = re.compile(
    r"^(?:__shfl|__ballot|__any|__all|__syncwarp|__reduce|__activemask|__match|__syncthreads_|__threadfence|__builtin_amdgcn|__hip_)"
)
_AXES = "xyz"


def _blanked(text: str) -> str:
    plain = without(text, _WORDS)
    return uncast(_CAST.sub(lambda match: f"({match.group(1).strip()})".ljust(len(match.group())), plain))


DIALECT = Dialect(_blanked, re.compile(r"\b__global__\b"), "global")


def kernels(text: str) -> tuple[t.Function, ...]:
    """Return the kernels of a text with everything as it stands there; those with macros in their heads left out. Raises MissingExtraError."""
    plain = _blanked(text)
    return tuple(
        one
        for one in parse.functions(text, DIALECT)
        if one.name.isidentifier()
        and _named(plain[: one.head[0]], one.name)
        and not plain[one.head[1] : one.span[0]].strip()
    )


def _named(before: str, name: str) -> bool:
    """Tell whether a kernel's name is what stands before its parameters: a macro may stand there, or make the name."""
    return bool(re.search(rf"\bvoid\s+{name}\s*$", before))


def pose(text: str, kernel: str, group: tuple[int, ...] = ()) -> Posed:
    """Return a kernel as rewrites take it; `group` are the threads of a block by dimension, as far as they are known.

    Raises:
        RefusedError: no such kernel, or one that is not understood; the text says why.
    """
    own = next((one for one in kernels(text) if one.name == kernel), None)
    if own is None:
        raise RefusedError(f"{kernel} is no kernel that is understood")
    if re.search(r"\b__shared__\b", text[slice(*own.span)]):
        raise RefusedError("it keeps shared memory")
    body = tuple(t.changed(statement, _read) for statement in own.body)
    made = tidy(replace(own, body=body), parse.helpers(text, DIALECT), text)
    function = items.direct(pointers.direct(made))
    try:
        bounds = extents(shape(function, parse.typedefs(text)))[0]
    except RefusedError:
        bounds = ()
    return Posed(function, bounds, {}, group=group)


def _read(node: t.Node) -> t.Node | None:
    match node:
        case t.Member(base=t.Name(text=text), dot=".", field=axis) if text in _ASKED and axis in _AXES:
            return t.Call(_ASKED[text], (t.Number(str(_AXES.index(axis))),))
        case t.Call(function="__ldg", arguments=(t.Unary(op="&", value=element),)):
            return t.changed(element, _read)
        case t.Call(function=function) if _EXCHANGE.match(function):
            raise RefusedError(f"its threads exchange values: {function}")
        case t.Call(function=function, arguments=arguments) if function in _MEETING:
            return t.Call(_MEETING[function], arguments)
    return None


def _written(node: t.Node) -> t.Node | None:
    match node:
        case t.Call(function="get_global_id", arguments=(t.Number(text=at),)):
            group, size, place = (_question(one, at) for one in ("get_group_id", "get_local_size", "get_local_id"))
            return t.Binary("+", t.Binary("*", group, size), place)
        case t.Call(function="get_global_size", arguments=(t.Number(text=at),)):
            return t.Binary("*", _question("get_num_groups", at), _question("get_local_size", at))
        case t.Call(function=function, arguments=(t.Number(text=at),)) if function in _OWN:
            return _question(function, at)
        case t.Call(function="barrier"):
            return t.Call("__syncthreads", ())
        case t.Call(function=function) if function.startswith(("get_", "vload", "vstore", "convert_")):
            raise RefusedError(f"these languages have no {function}")
        case t.Vector(type=kind):
            raise RefusedError(f"these languages calculate with no {kind}")
    return None


def _question(function: str, dimension: str) -> t.Node:
    return t.Member(t.Name(_OWN[function]), ".", _AXES[int(dimension)])


def replaced(text: str, posed: Posed) -> str:
    """Return the file's text with one kernel as rewrites left it; everything else stays as it was. Raises RefusedError."""
    own = next(kernel for kernel in kernels(text) if kernel.name == posed.function.name)
    step = "\t" if "\n\t" in text[slice(*own.span)] else "    "
    body = tuple(t.changed(statement, _written) for statement in posed.function.body)
    made = "\n".join(["{", *statements(body, step, step), "}"])
    if posed.function.body == pose(text, own.name).function.body:
        made = text[slice(*own.span)]
    head = text[slice(*own.head)]
    if posed.function.arguments != own.arguments:
        head = "(" + ", ".join(map(argument, posed.function.arguments)) + ")"
    before = text[: own.head[0]]
    if posed.promised:
        before = _promising(before, own.name, posed.promised)
    return before + head + text[own.head[1] : own.span[0]] + made + text[own.span[1] :]


def _promising(before: str, name: str, threads: int) -> str:
    """Return what stands before a kernel's parameters with the largest block that it is launched in."""
    first = before.rindex(name)
    if _BOUNDS.search(before, max(before.rfind("}", 0, first), before.rfind(";", 0, first), 0)):
        raise RefusedError("its head says the size of its blocks already")
    return f"{before[:first]}__launch_bounds__({threads}) {before[first:]}"


def argument(one: t.Argument) -> str:
    """Return a parameter as text."""
    const = "const " if "const" in one.qualifiers else ""
    volatile = "volatile " if "volatile" in one.qualifiers else ""
    restrict = "__restrict__ " if "restrict" in one.qualifiers else ""
    return f"{volatile}{const}{one.type} {'*' if one.pointer else ''}{restrict}{one.name}"


def grid(posed: Posed) -> str:
    """Return by how much a launch's grid shrinks, as a person writes it; empty where it stays."""
    parts = [f"{_AXES[at]} / {step}" for at, step in enumerate(posed.steps) if step > 1]
    return ", ".join(parts)
