"""The form of a rewrite of Python text, and the text that it works on."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, count

from hotloop.rewrite.example import Example
from hotloop.rewrite.example import examples as stated
from hotloop.rewrite.form import Keeps
from hotloop.rewrite.jitted.names import names_in
from hotloop.rewrite.jitted.scene import Relaunch, Scene
from hotloop.rewrite.shape import RefusedError

_METHODS = "hotloop.rewrite.jitted.methods"
_LANGUAGE = "triton.language"
_NUMBERS = ("program_id", "num_programs")


@dataclass(frozen=True)
class Script:
    """A module's text and the function of it that is launched."""

    text: str
    entry: str

    @cached_property
    def tree(self) -> ast.Module:
        """Return its syntax. Raises RefusedError where it is no Python."""
        try:
            return ast.parse(self.text)
        except (SyntaxError, ValueError) as error:
            raise RefusedError(f"its text is no Python: {error}") from None

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef, ...]:
        """Return the functions of its top level: the kernel and what it calls."""
        return tuple(statement for statement in self.tree.body if isinstance(statement, ast.FunctionDef))

    @property
    def kernel(self) -> ast.FunctionDef:
        """Return the function that is launched. Raises RefusedError."""
        for function in self.functions:
            if function.name == self.entry:
                return function
        raise RefusedError(f"it has no function {self.entry}")

    @cached_property
    def reached(self) -> tuple[ast.FunctionDef, ...]:
        """Return the kernel and the functions of its file that it calls, directly or not."""
        functions = [self.kernel]
        for function in functions:
            names = names_in(function)
            functions += [other for other in self.functions if other.name in names and other not in functions]
        return tuple(functions)

    @cached_property
    def language(self) -> frozenset[str]:
        """Return the names under which the text knows Triton's language."""
        modules = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                modules |= {declared.asname or declared.name for declared in node.names if declared.name == _LANGUAGE}
            elif isinstance(node, ast.ImportFrom) and node.module == "triton":
                modules |= {declared.asname or declared.name for declared in node.names if declared.name == "language"}
        return frozenset(modules)

    @cached_property
    def tl(self) -> str:
        """Return the name to write for Triton's language. Raises RefusedError where the text imports it under none."""
        if not self.language:
            raise RefusedError("it imports Triton's language under no name")
        return "tl" if "tl" in self.language else min(self.language)

    def source(self, node: ast.AST) -> str:
        """Return the text of a node as it stands there."""
        return ast.get_source_segment(self.text, node) or ast.unparse(node)

    def fresh(self, *wanted: str) -> str:
        """Return the first of some names that the text does not use, or the last with a number behind it."""
        used = self.names
        more = (f"{wanted[-1]}_{number}" for number in count(2))
        return next(name for name in chain(wanted, more) if name not in used)

    @property
    def names(self) -> set[str]:
        """Return the names that the kernel and what stands beside functions use, and the functions' own."""
        used = {inner.id for node in self._around for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        used |= {node.arg for node in ast.walk(self.kernel) if isinstance(node, ast.arg)}
        return used | {function.name for function in self.functions}

    @property
    def _around(self) -> tuple[ast.stmt, ...]:
        """Return the kernel and what stands beside functions: where its names come from."""
        return tuple(
            statement
            for statement in self.tree.body
            if statement is self.kernel or not isinstance(statement, ast.FunctionDef)
        )

    def parameter(self, text: str) -> Edit:
        """Return the edit that adds a last parameter to the kernel, in the manner in which the others are written."""
        given = self.kernel.args
        if not given.args or given.vararg or given.kwonlyargs or given.kwarg:
            raise RefusedError("its parameters are not named one by one")
        before = given.args[-2] if len(given.args) > 1 else None
        last = given.defaults[-1] if given.defaults else given.args[-1]
        text += "=None" if given.defaults and "=" not in text else ""
        apart = before is not None and before.lineno != given.args[-1].lineno
        return Edit(last, f",\n{' ' * given.args[-1].col_offset}{text}" if apart else f", {text}", "behind")

    def is_call(self, node: ast.AST, *names: str) -> bool:
        """Tell whether a node calls a function of the language, such as ``tl.exp``; imported names do not count.

        Numbers of programs are those of other modules, too, which give them 64 bits, such as FlagGems' ``tle.program_id``.
        """
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or node.func.attr not in names:
            return False
        return self.of_language(node.func.value) or (node.func.attr in _NUMBERS and self._of_module(node.func.value))

    def numbered(self, call: ast.Call, text: str) -> str:
        """Return what stands for a call of ``program_id``, in as many bits."""
        assert isinstance(call.func, ast.Attribute)
        return text if self.of_language(call.func.value) else f"{self.tl}.cast({text}, {self.tl}.int64)"

    def _of_module(self, node: ast.expr) -> bool:
        """Tell whether a name is that of an import."""
        imports = (statement for statement in self.tree.body if isinstance(statement, ast.Import | ast.ImportFrom))
        named = {declared.asname or declared.name for one in imports for declared in one.names}
        return isinstance(node, ast.Name) and node.id in named

    def of_language(self, node: ast.AST) -> bool:
        """Tell whether an expression is the language's module, or ``tl.math``."""
        if isinstance(node, ast.Attribute) and node.attr == "math":
            return self.of_language(node.value)
        return ast.unparse(node) in self.language if isinstance(node, ast.Name | ast.Attribute) else False

    def calls(self, within: ast.AST, *names: str) -> Iterator[ast.Call]:
        """Yield the calls of functions of the language, in the order of the text."""
        chosen = [node for node in ast.walk(within) if isinstance(node, ast.Call) and self.is_call(node, *names)]
        yield from sorted(chosen, key=lambda one: (one.lineno, one.col_offset))

    def edited(self, edits: Sequence[Edit]) -> Script:
        """Return the script with pieces exchanged, which must not overlap. Raises RefusedError."""
        starts = _starts(self.text)
        data = self.text.encode()
        rows = sorted(((edit.span(starts, data), edit.new) for edit in edits), reverse=True)
        limit = len(data)
        for (first, last), new in rows:
            if last > limit:
                raise RefusedError("two of its changes overlap")
            data, limit = data[:first] + new.encode() + data[last:], first
        made = Script(data.decode(), self.entry)
        made.tree  # noqa: B018 - what is written is Python
        return made


@dataclass(frozen=True, slots=True)
class Edit:
    """What stands in the place of a node, or before or behind it."""

    node: ast.expr | ast.stmt | ast.arg
    new: str
    at: str = "instead"
    """``instead``, ``before`` or ``behind``."""

    def span(self, starts: list[int], data: bytes) -> tuple[int, int]:
        """Return the bytes that it replaces; a further argument comes behind parentheses that are around the last one."""
        first, last = _place(self.node, starts)
        if self.at == "behind" and self.new.startswith(","):
            first, last = _wrapped(data, first, last)
        return {"instead": (first, last), "before": (first, first), "behind": (last, last)}[self.at]


@dataclass(frozen=True, slots=True)
class Cut(Edit):
    """What takes out an argument with the comma before it, and the parentheses around either."""

    node: ast.expr
    until: ast.expr | None = None

    def span(self, starts: list[int], data: bytes) -> tuple[int, int]:
        """Return the bytes from the end of the argument before to its own end."""
        ends = (_wrapped(data, *_place(one, starts))[1] for one in (self.node, self.until or self.node))
        first, last = ends
        return first, last


def _place(node: ast.expr | ast.stmt | ast.arg, starts: list[int]) -> tuple[int, int]:
    first = starts[node.lineno - 1] + node.col_offset
    return first, starts[(node.end_lineno or node.lineno) - 1] + (node.end_col_offset or 0)


def _wrapped(data: bytes, first: int, last: int) -> tuple[int, int]:
    """Return where a piece stands with the parentheses around it that group and do not call.

    >>> _wrapped(b"f(x, ((y)))", 7, 8), _wrapped(b"f(x)", 2, 3)
    ((5, 10), (2, 3))
    """
    while True:
        ahead, behind = data[:first].rstrip(), data[last:].lstrip()
        caller = ahead[:-1].rstrip()[-1:]
        if (
            not ahead.endswith(b"(")
            or not behind.startswith(b")")
            or caller.isalnum()
            or caller in b"_)]" * bool(caller)
        ):
            return first, last
        first, last = len(ahead) - 1, len(data) - len(behind) + 1


def _starts(text: str) -> list[int]:
    """Return where each line begins, in bytes, as the syntax tree counts."""
    starts = [0]
    for line in text.encode().splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    return starts


@dataclass(frozen=True, slots=True, kw_only=True)
class Rewrite:
    """One mechanical change of a Triton kernel's text."""

    name: str
    text: str | None
    """Docstring of its module: what it changes, when it applies, what it costs."""
    technique: str
    keeps: Keeps
    values: tuple[int | str, ...]
    """Values of the parameter; the first one turns the rewrite off."""
    apply: Callable[[Script, int | str], Script]
    """Pure; raises RefusedError with the reason where it does not apply. Never asked for the first value."""
    gain: tuple[float, float]
    """Predicted interval of speedup where nothing is known of the launch."""
    expects: Callable[[Script, Scene, int | str], tuple[float, float] | None] | None = None
    """The same for one launch; None: not worth trying there."""
    guard: Callable[[Script, int | str], str] = lambda _script, _value: ""
    """Condition on the parameters under which the changed text is right (`hotloop.rewrite.jitted.scene`); empty: none."""
    relaunch: Callable[[Script, int | str], Relaunch | None] = lambda _script, _value: None
    """How the host must launch it otherwise."""
    opens: bool = False
    """True where other rewrites may apply to what it writes that do not apply to the text as it was found."""
    reaches: bool = False
    """True where it changes the functions of its file that the kernel calls, too: they need not be put into the kernel first."""
    order: int = 0
    """Place among the rewrites of one kernel: lower ones come first."""

    @property
    def examples(self) -> tuple[Example, ...]:
        """Texts of one function, from the data file beside its module; `after` empty: the rewrite must refuse it."""
        return stated(_METHODS, self.name).rows

    @property
    def twin(self) -> tuple[str, str]:
        """A piece of the first example's result and its replacement, which make the result wrong."""
        return stated(_METHODS, self.name).twin

    @property
    def title(self) -> str:
        """First sentence of the docstring."""
        return (self.text or self.name).strip().partition("\n")[0].rstrip(".")

    def predicted(self, script: Script, scene: Scene, value: int | str) -> tuple[float, float] | None:
        """Return the interval of speedup for a launch; None where it is not worth trying."""
        return self.gain if self.expects is None else self.expects(script, scene, value)

    def possible(self, script: Script) -> tuple[int | str, ...]:
        """Return the values that change a text as it was found, each in a way of its own, off first."""
        distinct, results = [self.values[0]], set()
        for value in self.values[1:]:
            text = self._text(script, value)
            made = (text, self.relaunch(script, value) if text != script.text else None)
            if text != script.text and made not in results:
                results.add(made)
                distinct.append(value)
        return tuple(distinct)

    def _text(self, script: Script, value: int | str) -> str:
        """Return the changed text, or the text itself where it does not apply."""
        try:
            return self.apply(script, value).text
        except RefusedError:
            return script.text

    def lines(self, script: Script) -> tuple[int, ...]:
        """Return the lines of a text that it changes first."""
        return next((changed(script.text, self.apply(script, one).text) for one in self.possible(script)[1:2]), ())


def changed(old: str, new: str) -> tuple[int, ...]:
    r"""Return the lines of a text at which another one begins to differ, counted from 1.

    >>> changed("a\nb\nc\n", "a\nx\nc\n")
    (2,)
    """
    from difflib import SequenceMatcher

    matched = SequenceMatcher(None, old.splitlines(), new.splitlines(), autojunk=False).get_opcodes()
    return tuple(first + 1 for kind, first, _, _, _ in matched if kind != "equal")


__all__ = ["Cut", "Edit", "Keeps", "RefusedError", "Rewrite", "Script", "changed"]
