"""Mistakes in FlyDSL kernels, found in the syntax tree; nothing is imported or run.

A kernel is a function below ``flyc.kernel``: its body runs once, to build the program, and control flow is rewritten on the
way. The rules are those that FlyDSL's own documents warn of (docs/flydsl_for_dummies, chapters 3 and 4, and the reported
MI300X attention work). What the compiler makes of each was tried with FlyDSL 0.4.2: all but two end in an exception that
names neither the rule nor, often, the place; an early return and LDS views that overlap compile and give wrong results.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from hotloop.diagnose.sources import Mistake

_RAW_MODULES = ("flydsl._mlir.dialects", "flydsl.dialects")
_UNWRAPPING = frozenset({"ir_value", "as_ir_value", "unwrap", "_to_raw", "_raw", "result", "results"})
_INDEXES = frozenset({"thread_idx", "block_idx", "thread_id", "block_id", "lane_id", "warp_id"})
_STATIC_CALLS = frozenset(
    {"const_expr", "range_constexpr", "len", "size", "rank", "get_shape", "get_stride", "isinstance"}
)
_NUMBERS = frozenset(
    {
        "Boolean", "Float16", "BFloat16", "Float32", "Float64", "Vector",
        *(f"{sign}{bits}" for sign in ("Int", "Uint") for bits in (4, 8, 16, 32, 64, 128)),
    }
)  # fmt: skip
_GROWING = frozenset({"append", "extend", "insert"})
_VIEWS = frozenset({"SmemPtr", "make_view", "recast_ptr"})
_GONE = {
    ("flydsl", "MlirModule"): "functions below flyc.kernel and flyc.jit replace classes",
    ("flydsl", "kernel"): "use flydsl.compiler.kernel",
    ("flydsl", "jit"): "use flydsl.compiler.jit",
    ("flydsl", "compile"): "use flydsl.compiler.compile",
    ("flydsl.utils", "SmemAllocator"): "use fx.SharedAllocator, or flydsl.utils.smem_allocator for old kernels",
    ("flydsl.dialects", "ext"): "use flydsl.expr",
    ("flydsl.dialects.ext", ""): "use flydsl.expr",
}
"""Names of reported kernels that FlyDSL 0.4.2 no longer has."""


def mistakes(text: str) -> tuple[Mistake, ...]:
    """Return the mistakes of a file, in order of lines; none where it is no Python or has no FlyDSL kernel."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return ()
    raw, unions, mistaken = _raw_names(tree), _unions(tree), [*_gone(tree)]
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any(_last(d) == "kernel" for d in node.decorator_list):
            kernel = _Kernel(node, raw, unions)
            mistaken.extend(mistake for rule in _RULES for mistake in rule(kernel))
    return tuple(sorted(set(mistaken)))


# -- names ------------------------------------------------------------------------------------------------------------


def _last(node: ast.AST) -> str:
    """Return the last name of ``a.b.c``, of a call of it, or of a subscript of it."""
    match node:
        case ast.Call(func=inner) | ast.Subscript(value=inner):
            return _last(inner)
        case ast.Attribute(attr=name) | ast.Name(id=name):
            return name
    return ""


def _first(node: ast.AST) -> str:
    """Return the first name of ``a.b.c``."""
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _raw_names(tree: ast.Module) -> frozenset[str]:
    """Return what a file calls MLIR's own dialects, whose constructors take raw values only."""
    names = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(_RAW_MODULES):
            names |= {alias.asname or alias.name for alias in node.names}
        elif isinstance(node, ast.Import):
            names |= {a.asname for a in node.names if a.asname and a.name.startswith(_RAW_MODULES)}
    return frozenset(names)


def _unions(tree: ast.Module) -> frozenset[str]:
    classes = (node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    return frozenset(c.name for c in classes if any(_last(d) in ("union", "Union") for d in c.decorator_list))


def _gone(tree: ast.Module) -> Iterator[Mistake]:
    names = {a.asname or a.name: a.name for n in ast.walk(tree) if isinstance(n, ast.Import) for a in n.names}
    for node in ast.walk(tree):
        asked: list[tuple[int, str, str]] = []
        if isinstance(node, ast.ImportFrom):
            asked = [(node.lineno, node.module or "", alias.name) for alias in node.names]
        elif isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
            asked = [(node.lineno, names.get(node.value.id, ""), node.attr)]
        for line, module, name in asked:
            advice = _GONE.get((module, name)) or _GONE.get((module, ""))
            if advice:
                yield Mistake(line, "old-api", f"{module}.{name} is gone from FlyDSL", advice, silent=False)


@dataclass
class _Kernel:
    """A kernel's body and what is known of its names."""

    node: ast.FunctionDef
    raw: frozenset[str]
    unions: frozenset[str]
    """Classes of the file whose members lie in one place."""
    tensors: set[str] = field(default_factory=set)
    wrapped: set[str] = field(default_factory=set)
    """Names of values in FlyDSL's own classes."""
    runtime: set[str] = field(default_factory=set)
    """Names of values that only the card knows."""
    lists: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for argument in (*self.node.args.args, *self.node.args.kwonlyargs):
            kind = _last(argument.annotation) if argument.annotation else ""
            if kind == "Tensor":
                self.tensors.add(argument.arg)
            elif kind in _NUMBERS:
                self.wrapped.add(argument.arg)
                self.runtime.add(argument.arg)
        for node in self.walk():
            if isinstance(node, ast.Assign):
                self._assign(node)
            elif isinstance(node, ast.For) and _runtime_loop(node):
                self.runtime |= {n.id for n in ast.walk(node.target) if isinstance(n, ast.Name)}

    def walk(self) -> Iterator[ast.AST]:
        """Yield the nodes of the body in source order, without those of functions inside."""
        yield from _inside(self.node.body)

    def _assign(self, node: ast.Assign) -> None:
        names = {n.id for target in node.targets for n in _targets(target)}
        if isinstance(node.value, ast.List | ast.ListComp | ast.Tuple):
            self.lists |= names
        if self.is_wrapped(node.value):
            self.wrapped |= names
        else:
            self.wrapped -= names
        if self.is_runtime(node.value):
            self.runtime |= names

    def is_wrapped(self, node: ast.AST) -> bool:
        """Tell whether an expression certainly is a value of FlyDSL's own classes."""
        match node:
            case ast.Name(id=name):
                return name in self.wrapped
            case ast.Subscript(value=ast.Name(id=name)):
                return name in self.tensors
            case ast.BinOp(left=left, right=right):
                return self.is_wrapped(left) or self.is_wrapped(right)
            case ast.UnaryOp(operand=inner):
                return self.is_wrapped(inner)
            case ast.Call(func=function):
                return _last(function) in _NUMBERS and _first(function) not in self.raw
        return False

    def is_runtime(self, node: ast.AST) -> bool:
        """Tell whether an expression depends on a value that only the card knows."""
        match node:
            case ast.Call(func=function) if _last(function) in _STATIC_CALLS:
                return False
            case ast.Attribute(attr=name) if name in _INDEXES:
                return True
            case ast.Attribute(attr="shape" | "dtype" | "element_type"):
                return False
            case ast.Call(func=function) if _last(function) in _INDEXES:
                return True
            case ast.Name(id=name):
                return name in self.runtime
            case ast.Subscript(value=ast.Name(id=name)) if name in self.tensors:
                return True
        return any(self.is_runtime(child) for child in ast.iter_child_nodes(node))

    def is_raw_call(self, node: ast.AST) -> bool:
        """Tell whether a call builds an operation of a dialect."""
        if not isinstance(node, ast.Call):
            return False
        named = isinstance(node.func, ast.Attribute) and _first(node.func) in self.raw
        return named or (isinstance(node.func, ast.Name) and node.func.id in self.raw)


def _inside(body: list[ast.stmt]) -> Iterator[ast.AST]:
    for statement in body:
        yield from _descend(statement)


def _descend(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
        return
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _descend(child)


def _targets(node: ast.AST) -> Iterator[ast.Name]:
    if isinstance(node, ast.Name):
        yield node
    elif isinstance(node, ast.Tuple | ast.List):
        for child in node.elts:
            yield from _targets(child)


def _runtime_loop(node: ast.For) -> bool:
    return isinstance(node.iter, ast.Call) and isinstance(node.iter.func, ast.Name) and node.iter.func.id == "range"


# -- rules ------------------------------------------------------------------------------------------------------------


def _wrapped_values(kernel: _Kernel) -> Iterator[Mistake]:
    for node in kernel.walk():
        if not kernel.is_raw_call(node):
            continue
        assert isinstance(node, ast.Call)
        for argument in (*node.args, *(keyword.value for keyword in node.keywords)):
            if _last(argument) not in _UNWRAPPING and kernel.is_wrapped(argument):
                what = f"{ast.unparse(argument)} is a value of FlyDSL's own, {ast.unparse(node.func)} takes raw ones"
                yield Mistake(
                    node.lineno, "wrapped-value", what, "give .ir_value() or fx.as_ir_value(...) of it", silent=False
                )


def _nested_operations(kernel: _Kernel) -> Iterator[Mistake]:
    for node in kernel.walk():
        if not kernel.is_raw_call(node):
            continue
        assert isinstance(node, ast.Call)
        for argument in node.args:
            if kernel.is_raw_call(argument) and _last(argument).endswith("Op"):
                what = f"{_last(argument)} is an operation, {ast.unparse(node.func)} takes its result"
                yield Mistake(argument.lineno, "nested-operation", what, "give .result of it", silent=False)


def _python_ranges(kernel: _Kernel) -> Iterator[Mistake]:
    for loop in kernel.walk():
        if not isinstance(loop, ast.For) or not _runtime_loop(loop):
            continue
        index, outer = {name.id for name in _targets(loop.target)}, kernel.lists - _assigned(loop.body)
        if reason := next((r for node in _inside(loop.body) if (r := _unrolls(outer, node, index))), ""):
            what = f"range makes a loop of the card here, but its body {reason}"
            advice = "use fx.range_constexpr, which unrolls"
            yield Mistake(loop.lineno, "python-range", what, advice, silent=False)


def _unrolls(lists: set[str], node: ast.AST, index: set[str]) -> str:
    """Return what a loop's body does that only an unrolled one can, or an empty text."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=place) if name in lists and _uses(place, index):
            return f"indexes the Python list {name}"
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr=grows)) if name in lists and grows in _GROWING:
            return f"lets the Python list {name} grow"
        case ast.Call(func=function) if _last(function) in ("range_constexpr", "const_expr") and _uses(node, index):
            return f"needs its index as a constant in {_last(function)}"
    return ""


def _uses(node: ast.AST, names: set[str]) -> bool:
    return any(isinstance(inner, ast.Name) and inner.id in names for inner in ast.walk(node))


def _constant_conditions(kernel: _Kernel) -> Iterator[Mistake]:
    for node in kernel.walk():
        if isinstance(node, ast.Call) and _last(node.func) == "const_expr":
            bad = [argument for argument in node.args if kernel.is_runtime(argument)]
            for argument in bad:
                what = f"{ast.unparse(argument)} is known on the card only, const_expr decides while compiling"
                yield Mistake(node.lineno, "runtime-const-expr", what, "leave const_expr out", silent=False)


def _early_returns(kernel: _Kernel) -> Iterator[Mistake]:
    for node in kernel.walk():
        if isinstance(node, ast.If) and kernel.is_runtime(node.test):
            for inner in _inside([*node.body, *node.orelse]):
                if isinstance(inner, ast.Return):
                    what = "a return below a condition of the card returns nowhere: all lanes go on"
                    yield Mistake(
                        inner.lineno, "early-return", what, "put the rest below the opposite condition", silent=True
                    )


def _branch_values(kernel: _Kernel) -> Iterator[Mistake]:
    parameters: set[str] = {a.arg for a in (*kernel.node.args.args, *kernel.node.args.kwonlyargs)}
    for at, statement in enumerate(kernel.node.body):
        if isinstance(statement, ast.If) and kernel.is_runtime(statement.test):
            first, second = (_assigned(body) for body in (statement.body, statement.orelse))
            later = {
                node.id
                for node in _inside(kernel.node.body[at + 1 :])
                if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)
            }
            for name in sorted(((first ^ second) - parameters) & later):
                what = f"{name} gets its value in one branch of a condition of the card and is used after it"
                yield Mistake(
                    statement.lineno, "branch-value", what, f"give {name} a value before the if", silent=False
                )
        parameters |= _assigned([statement])


def _assigned(body: list[ast.stmt]) -> set[str]:
    return {
        name.id
        for node in _inside(body)
        if isinstance(node, ast.Assign | ast.AugAssign | ast.AnnAssign | ast.For)
        for target in (node.targets if isinstance(node, ast.Assign) else [node.target])
        for name in _targets(target)
    }


def _overlays(kernel: _Kernel) -> Iterator[Mistake]:
    """Two views of one place in LDS: reads of the one have moved past the barrier before writes of the other (reported)."""
    if any(isinstance(n, ast.Call) and _last(n.func) in ("barrier", "s_barrier") for n in kernel.walk()):
        seen: dict[str, str] = {}
        for line, name, place, view in (*_views(kernel), *_members(kernel)):
            if seen.setdefault(place, view) != view:
                what = f"{name} lies where another view of {place} lies, and only barriers keep them apart"
                advice = "look at the order in the machine code (hotloop isa), or give each its own place"
                yield Mistake(line, "overlaid-lds", what, advice, silent=True)
                seen[place] = view


def _views(kernel: _Kernel) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, name, place and text of every view of LDS."""
    for node in kernel.walk():
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or _last(node.value) not in _VIEWS:
            continue
        call, names = node.value, [name.id for target in node.targets for name in _targets(target)]
        if call.args and names and _shared(kernel, call):
            count = 2 if _last(call) == "SmemPtr" else 1
            yield node.lineno, names[0], " at ".join(map(ast.unparse, call.args[:count])), ast.unparse(call)


def _members(kernel: _Kernel) -> Iterator[tuple[int, str, str, str]]:
    """Yield line, name, place and text of every use of a member of a union in LDS."""
    places = {
        name.id
        for node in kernel.walk()
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _last(node.value) == "allocate"
        if any(_last(argument) in kernel.unions for argument in node.value.args)
        for target in node.targets
        for name in _targets(target)
    }
    for node in kernel.walk():
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in places:
            yield node.lineno, ast.unparse(node), node.value.id, node.attr


def _shared(kernel: _Kernel, call: ast.Call) -> bool:
    """Tell whether a view is one of LDS: SmemPtr is, others when their base comes from an allocator of it."""
    if _last(call) == "SmemPtr":
        return True
    base = _first(call.args[0])
    for node in kernel.walk():
        if isinstance(node, ast.Assign) and any(name.id == base for t in node.targets for name in _targets(t)):
            text = ast.unparse(node.value).lower()
            return any(word in text for word in ("shared", "smem", "lds", "allocat"))
    return False


_RULES: tuple[Callable[[_Kernel], Iterator[Mistake]], ...] = (
    _wrapped_values,
    _nested_operations,
    _python_ranges,
    _constant_conditions,
    _early_returns,
    _branch_values,
    _overlays,
)
