"""Whether each value of a kernel is one for all programs, one for its own row, a block, or a block for its own row.

A kernel that takes one row a program takes several when every value that depends on the row gets a dimension for rows in front. What
must be written otherwise for that is collected here as edits; where a value cannot have that dimension, the kernel is refused.
"""

from __future__ import annotations

import ast
from collections.abc import Collection
from dataclasses import dataclass, field

from hotloop.rewrite.jitted import folds
from hotloop.rewrite.jitted.calls import axis_of, counted, keyword_of, ordering, told
from hotloop.rewrite.jitted.folds import Kind, met
from hotloop.rewrite.jitted.form import Edit, RefusedError, Script

ELEMENTWISE = frozenset((
    "exp", "exp2", "expm1", "log", "log2", "log1p", "sqrt", "sqrt_rn", "rsqrt", "abs", "fabs", "sin", "cos",
    "tan", "tanh", "sigmoid", "erf", "floor", "ceil", "round", "maximum", "minimum", "where", "cdiv", "fdiv",
    "div_rn", "pow", "clamp", "cast", "fma", "umulhi", "interleave",
))  # fmt: skip
"""Functions that compute each element by itself."""
BUILT_IN = frozenset(("min", "max", "abs", "float", "int"))
"""Python's own that do."""
_REDUCTIONS = frozenset(("sum", "max", "min", "argmax", "argmin", "xor_sum"))
_SCANS = frozenset(("cumsum", "cumprod"))
_FILLED = frozenset(("zeros", "full"))
_PLAIN = frozenset(("dtype", "type", "element_ty"))
_SAME = frozenset(("to", "cast"))
_SAYS = frozenset(("static_assert", "static_print", "constexpr", "debug_barrier", "device_assert", "device_print"))


@dataclass(slots=True)
class Rows:
    """One walk through a kernel that shall take `count` rows."""

    script: Script
    count: int
    rows: str
    """Name of the rows' numbers."""
    inside: str
    """Name of the mask of rows that there are."""
    axis: int = 0
    """Dimension of the programs whose numbers are the rows'."""
    edits: dict[tuple[int, str], Edit] = field(default_factory=dict)
    _kinds: dict[str, Kind] = field(default_factory=dict)
    _firsts: dict[str, ast.Assign] = field(default_factory=dict)
    """Statements that give a variable a constant, where it was last given one."""

    def walk(self) -> list[Edit]:
        """Return what must be changed. Raises RefusedError."""
        self._body(self.script.kernel.body)
        return list(self.edits.values())

    # --- statements ----------------------------------------------------------------------------------------------------

    def _body(self, body: list[ast.stmt]) -> None:
        for node in body:
            self._statement(node)

    def _statement(self, node: ast.stmt) -> None:
        match node:
            case ast.Expr(value=value) | ast.AnnAssign(target=_, value=ast.expr() as value, simple=0):
                self._kind(value)
            case ast.Assign(targets=[target], value=value):
                self._assign(node, target, value)
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                self._kinds[name] = self._kind(value)
            case ast.AugAssign(target=ast.Name(id=name), value=value):
                self._set(name, met(node, self._kinds.get(name, Kind.UNIFORM), self._kind(value)))
            case ast.If(test=test, body=[ast.Return(value=None)], orelse=[]) if self._kind(test) == Kind.ROW:
                self._left(node)
            case ast.If(test=test):
                self._uniform(test, "it decides by the row")
                self._branches(node)
            case ast.For(target=ast.Name(id=name), iter=ast.Call() as call):
                for one in (*call.args, *(keyword.value for keyword in call.keywords)):
                    self._uniform(one, "a loop's bounds depend on the row")
                self._kinds[name] = Kind.UNIFORM
                self._loop(node.body)
            case ast.While(test=test):
                self._uniform(test, "a loop ends by the row")
                self._loop(node.body)
            case ast.Return(value=None) | ast.Pass() | ast.Assert():
                pass
            case _:
                raise RefusedError(f"line {node.lineno} is a statement of another form")

    def _assign(self, node: ast.Assign, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            kinds = [self._kind(one) for one in value.elts]
            names = target.elts
        else:
            names = target.elts if isinstance(target, ast.Tuple) else [target]
            halves = len(names) == 2 and isinstance(value, ast.Call) and self.script.is_call(value, "split")
            kinds = [self._halves(value) if halves else self._kind(value)] * len(names)
            if len(names) > 1 and kinds[0] and not halves:
                raise RefusedError(f"line {node.lineno} takes several results apart")
        for one, kind in zip(names, kinds, strict=True):
            if not isinstance(one, ast.Name):
                raise RefusedError(f"line {node.lineno} assigns to no variable")
            self._set(one.id, kind)
            if len(names) == 1 and (_number(value) is not None or self._empty_shape(value)):
                self._firsts[one.id] = node

    def _set(self, name: str, kind: Kind) -> None:
        self._kinds[name] = kind
        self._firsts.pop(name, None)

    def _left(self, node: ast.If) -> None:
        """Leave rows alone for which it returns, as those that there are not."""
        start, end = (ast.Constant(None) for _ in range(2))
        start.lineno, start.col_offset = node.lineno, node.col_offset
        start.end_lineno, start.end_col_offset = node.test.lineno, node.test.col_offset
        end.lineno, end.col_offset = node.test.end_lineno or node.lineno, node.test.end_col_offset or 0
        end.end_lineno, end.end_col_offset = node.end_lineno, node.end_col_offset
        self._put(start, f"{self.inside} = {self.inside} & ~(")
        self._put(end, ")")

    def _branches(self, node: ast.If) -> None:
        kinds, firsts = dict(self._kinds), dict(self._firsts)
        self._body(node.body)
        after, made = self._kinds, self._firsts
        self._kinds, self._firsts = dict(kinds), dict(firsts)
        self._body(node.orelse)
        for name, kind in after.items():
            self._kinds[name] = folds.either(self._kinds.get(name, Kind.UNIFORM), kind)
        self._firsts = {name: one for name, one in self._firsts.items() if made.get(name) is one}

    def _loop(self, body: list[ast.stmt]) -> None:
        """Walk a loop until nothing changes; what it carries on must have its dimensions before it."""
        firsts = dict(self._firsts)
        while True:
            before = dict(self._kinds)
            self._body(body)
            grown = {name: self._kinds[name] for name, kind in before.items() if self._kinds[name] & ~kind}
            for name, kind in grown.items():
                if _carried(name, body):
                    self._first(name, kind, firsts.get(name))
            self._kinds = {name: kind | before.get(name, kind) for name, kind in self._kinds.items()}
            if not grown:
                return

    def _first(self, name: str, kind: Kind, node: ast.Assign | None) -> None:
        """Give a variable that a loop carries on its dimension for rows where it begins."""
        number = _number(node.value) if node else None
        if node is not None and kind == Kind.ROW and (shape := self._empty_shape(node.value)):
            self._put(shape, f"({self.count}, 1)")
            return
        if node is None or number is None or kind != Kind.ROW:
            raise RefusedError(f"a loop gives {name} a dimension that it does not begin with")
        tl, dtype = self.script.tl, "float32" if isinstance(number, float) else "int32"
        self._put(node.value, f"{tl}.full(({self.count}, 1), {self.script.source(node.value)}, {tl}.{dtype})")

    def _empty_shape(self, node: ast.expr) -> ast.expr | None:
        """Return the shape of a block that is made without dimensions, such as ``tl.zeros((), tl.float32)``."""
        if not isinstance(node, ast.Call) or not self.script.is_call(node, *_FILLED):
            return None
        shape = node.args[0] if node.args else keyword_of(node, "shape")
        return shape if isinstance(shape, ast.Tuple | ast.List) and not shape.elts else None

    # --- expressions ---------------------------------------------------------------------------------------------------

    def _put(self, node: ast.expr, new: str, at: str = "instead") -> None:
        self.edits[id(node), at] = Edit(node, new, at)

    def _uniform(self, node: ast.expr, reason: str) -> None:
        if self._kind(node):
            raise RefusedError(f"{reason} (line {node.lineno})")

    def _kind(self, node: ast.expr) -> Kind:
        match node:
            case ast.Constant() | ast.JoinedStr():
                return Kind.UNIFORM
            case ast.Name(id=name):
                return met(node, self._kinds.get(name, Kind.UNIFORM))
            case ast.Attribute(value=value, attr=attr):
                if not self._kind(value) or attr in _PLAIN:
                    return Kind.UNIFORM
            case ast.BinOp(left=left, op=op, right=right) if not isinstance(op, ast.MatMult):
                return met(node, self._kind(left), self._kind(right))
            case ast.Compare(left=left, comparators=[right]):
                return met(node, self._kind(left), self._kind(right))
            case ast.UnaryOp(op=op, operand=value):
                kind = self._kind(value)
                if not kind or not isinstance(op, ast.Not):
                    return kind
            case ast.IfExp(test=test, body=body, orelse=other):
                self._uniform(test, "it decides by the row")
                return met(node, self._kind(body), self._kind(other))
            case ast.Call():
                return self._call(node)
            case _:
                if not any(self._kind(child) for child in ast.iter_child_nodes(node) if isinstance(child, ast.expr)):
                    return Kind.UNIFORM
        raise RefusedError(f"{self.script.source(node)} (line {node.lineno}) has no form for several rows")

    def _call(self, node: ast.Call) -> Kind:
        script, func = self.script, node.func
        word = func.attr if isinstance(func, ast.Attribute) else getattr(func, "id", "")
        if script.is_call(node, "program_id") and axis_of(node) == self.axis:
            self._put(node, script.numbered(node, self.rows))
            return Kind.ROW
        if script.is_call(node, "num_programs") and axis_of(node) == self.axis:
            raise RefusedError("it asks how many programs there are")
        if script.is_call(node, "arange"):
            self._put(node, "[None, :]", "behind")
            return Kind.BLOCK
        if script.is_call(node, "load"):
            return self._load(node)
        if script.is_call(node, "store"):
            return self._store(node)
        if script.is_call(node, *_FILLED):
            return self._filled(node)
        if counted(node):
            raise RefusedError(f"the assembly in line {node.lineno} may do something once a program")
        kind = self._given(node)
        if script.is_call(node, "join") and kind:
            return folds.joined(node, [self._kind(one) for one in node.args])
        if script.is_call(node, "reshape") and kind:
            return self._folded(node, *folds.reshaped(script, node, kind, self.count))
        if script.is_call(node, *_REDUCTIONS) and kind:
            return self._reduced(node)
        if script.is_call(node, *_SCANS) and kind & Kind.BLOCK:
            return self._scanned(node, kind)
        return self._computed(node, word, kind)

    def _given(self, node: ast.Call) -> Kind:
        own = [node.func.value] if isinstance(node.func, ast.Attribute) else []
        given = (*own, *node.args, *(keyword.value for keyword in node.keywords))
        return met(node, *map(self._kind, given))

    def _halves(self, node: ast.expr) -> Kind:
        assert isinstance(node, ast.Call)
        return folds.halves(node, self._given(node))

    def _folded(self, node: ast.Call, kind: Kind, edit: Edit) -> Kind:
        """Note what a change of dimensions needs."""
        self.edits[id(node), "folded"] = edit
        return kind

    def _computed(self, node: ast.Call, word: str, kind: Kind) -> Kind:
        """Return the kind of what a function gives that computes each element by itself. Raises RefusedError."""
        local = next((function for function in self.script.functions if function.name == word), None)
        if local is not None and not _pure(self.script, local, frozenset()):
            raise RefusedError(f"{word} does more than compute each element by itself")
        built_in = isinstance(node.func, ast.Name) and word in BUILT_IN
        if local is not None or word in ELEMENTWISE | _SAME | _SAYS or built_in:
            return kind
        if kind:
            raise RefusedError(f"what {word} does with several rows is not known")
        if word.startswith("atomic_"):
            raise RefusedError("it adds to memory that all its programs share")
        if not told(self.script, node, word):
            raise RefusedError(f"whether {word}, which stands elsewhere, does something once a program is not known")
        return kind

    def _reduced(self, node: ast.Call) -> Kind:
        axis = node.args[1] if len(node.args) > 1 else keyword_of(node, "axis")
        if (kind := self._kind(node.args[0])) & Kind.FOLD:
            return self._folded(node, *folds.reduced(node, axis, kind))
        if (
            len(node.args) > 2
            or {keyword.arg for keyword in node.keywords} - {"axis"}
            or not self._kind(node.args[0]) & Kind.BLOCK
        ):
            raise RefusedError(f"its reduction in line {node.lineno} has another form")
        if axis is None:
            self._put(last_argument(node), ", axis=1, keep_dims=True", "behind")
        elif isinstance(axis, ast.Constant) and axis.value in (0, None):
            self._put(axis, "1, keep_dims=True")
        else:
            raise RefusedError(f"its reduction in line {node.lineno} has another form")
        return Kind.ROW

    def _scanned(self, node: ast.Call, kind: Kind) -> Kind:
        axis = node.args[1] if len(node.args) > 1 else keyword_of(node, "axis")
        if not self._kind(node.args[0]) & Kind.BLOCK:
            raise RefusedError(f"its scan in line {node.lineno} has another form")
        if axis is None:
            self._put(node.args[0], ", axis=1", "behind")
        elif isinstance(axis, ast.Constant) and axis.value == 0:
            self._put(axis, "1")
        else:
            raise RefusedError(f"its scan in line {node.lineno} has another form")
        return kind

    def _filled(self, node: ast.Call) -> Kind:
        shape = node.args[0] if node.args else keyword_of(node, "shape")
        if self._empty_shape(node):
            return self._given(node)
        if not isinstance(shape, ast.Tuple | ast.List) or len(shape.elts) != 1:
            raise RefusedError(f"line {node.lineno} makes a block of another form")
        self._put(shape.elts[0], f"{self.count}, ", "before")
        return Kind.ROW | Kind.BLOCK

    def _load(self, node: ast.Call) -> Kind:
        if not node.args or {keyword.arg for keyword in node.keywords} & {None, "boundary_check"}:
            raise RefusedError(f"its load in line {node.lineno} has another form")
        self._given(node)
        kind = self._kind(node.args[0])
        if kind & Kind.FOLD:
            raise RefusedError(f"its load in line {node.lineno} has another form")
        if kind & Kind.ROW:
            self._masked(node, 1)
        return kind

    def _store(self, node: ast.Call) -> Kind:
        if len(node.args) < 2 or {keyword.arg for keyword in node.keywords} & {None, "boundary_check"}:
            raise RefusedError(f"its store in line {node.lineno} has another form")
        if self._given(node) & Kind.FOLD:
            raise RefusedError(f"its store in line {node.lineno} has another form")
        if not self._kind(node.args[0]) & Kind.ROW:
            raise RefusedError(f"all its programs write to one place (line {node.lineno})")
        self._masked(node, 2)
        return Kind.UNIFORM

    def _masked(self, node: ast.Call, place: int) -> None:
        """Leave rows alone that there are not."""
        mask = node.args[place] if len(node.args) > place else keyword_of(node, "mask")
        if mask is None:
            self._put(last_argument(node), f", mask={self.inside}", "behind")
        elif everywhere(mask):
            self._put(mask, self.inside)
        elif isinstance(mask, ast.Name | ast.Call):
            self._put(mask, f" & {self.inside}", "behind")
        else:
            self._put(mask, "(", "before")
            self._put(mask, f") & {self.inside}", "behind")


def _carried(name: str, body: list[ast.stmt]) -> bool:
    """Tell whether a loop reads a variable before it gives it a value."""
    for node in body:
        for inner in ast.walk(node):
            if isinstance(inner, ast.Name) and inner.id == name and isinstance(inner.ctx, ast.Load):
                return True
            if isinstance(inner, ast.AugAssign) and isinstance(inner.target, ast.Name) and inner.target.id == name:
                return True
        if isinstance(node, ast.Assign) and any(isinstance(t, ast.Name) and t.id == name for t in node.targets):
            return False
    return False


def _pure(script: Script, function: ast.FunctionDef, above: frozenset[str]) -> bool:
    """Tell whether a function computes each element by itself."""
    local = {one.name: one for one in script.functions}
    for node in ast.walk(function):
        if isinstance(node, ast.Subscript | ast.For | ast.While):
            return False
        if isinstance(node, ast.Call) and node not in function.decorator_list:
            word = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            harmless = word in ELEMENTWISE | _SAME | _SAYS | {"float"} or ordering(node)
            if not harmless and (word not in local or word in above or not _pure(script, local[word], above | {word})):
                return False
    return True


def _number(node: ast.expr) -> float | int | None:
    """Return a constant's value, ``float("inf")`` included."""
    match node:
        case ast.Constant(value=bool()):
            return None
        case ast.Constant(value=int() | float() as number):
            return number
        case ast.UnaryOp(op=ast.USub(), operand=inner):
            positive = _number(inner)
            return None if positive is None else -positive
        case ast.Call(func=ast.Name(id="float"), args=[ast.Constant(value=str(text))]):
            return float(text)
    return None


def named(call: ast.Call, keywords: Collection[str]) -> bool:
    """Tell whether a call names one of some keywords, or may: it passes a dictionary on."""
    return any(keyword.arg is None or keyword.arg in keywords for keyword in call.keywords)


def last_argument(call: ast.Call) -> ast.expr:
    """Return the argument that stands last in the text."""
    every = [*call.args, *(keyword.value for keyword in call.keywords)]
    return max(every, key=lambda one: (one.end_lineno or 0, one.end_col_offset or 0))


def everywhere(mask: ast.expr) -> bool:
    """Tell whether a mask leaves nothing out."""
    return isinstance(mask, ast.Constant) and (mask.value is None or bool(mask.value))


def pointer(node: ast.expr) -> str:
    """Return the leftmost name of a sum, which is the pointer of an address; empty where there is none."""
    while isinstance(node, ast.BinOp):
        node = node.left
    return node.id if isinstance(node, ast.Name) else ""
