"""Triton and Gluon programs for a processor that is not here: each launch is compiled for the types, constants and divisibility that it passes.

Triton makes another kernel of the same text where a number is 1, is a multiple of 16 or needs 64 bits, so code belongs to a launch and not to a
program, as it does with C.
"""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final

from hotloop import offline_api, registry
from hotloop.app.code import offline
from hotloop.app.emulate import described
from hotloop.compilers.launch import OPTIONS
from hotloop.compilers.offer import Compiled, Compiler, Failed, Passed, Request
from hotloop.errors import UsageError
from hotloop.host import scratch
from hotloop.model.jit import Meta, parse
from hotloop.model.outcome import describe
from hotloop.model.program import Argument, Array, Input, Launch, Null, Program, Value
from hotloop.model.record import Scalar
from hotloop.targets.target import Target

LANGUAGES: Final = ("triton", "gluon")
_POINTED: Final = {numpy: name for name, numpy in offline_api.NUMPY.items()}
"""Triton's names of types by NumPy's."""
_INT32, _INT64 = 1 << 31, 1 << 63
_TYPICAL = 16
"""A number that nobody knows before there are inputs: most are multiples of 16."""
_UNFIT = "invalid layout"
"""What Gluon's compiler says of a layout for warps of another size."""
_TYPE = "triton.language."
"""What the text of a type of Triton's begins with, as Python writes it."""
_LAYOUT: Final = re.compile(r"(?:[a-z]\w*\.)*\w+Layout\(.*\)$", re.DOTALL)
"""A layout of Gluon's, as Python writes it."""


@dataclass(frozen=True, slots=True)
class Each:
    """The code of a Triton program, compiled launch by launch and kept."""

    program: Program
    aim: Target
    _made: dict[Request, Compiled] = field(default_factory=dict, compare=False, repr=False)

    @property
    def target(self) -> str:
        """Return the processor."""
        return str(self.aim)

    def serving(self, launch: Launch) -> tuple[Compiled, Launch]:
        """Return the code for a launch, and the launch with the arguments that it takes, as it takes them.

        Raises:
            UsageError: there is none, in the compiler's words.
        """
        request = self._request(launch)
        if request not in self._made:
            self._made[request] = self._compiled(request)
        code = self._made[request]
        pairs = enumerate(zip(launch.arguments, request.passed, strict=True))
        taken = tuple(_taken(given, passed) for place, (given, passed) in pairs if place not in code.folded)
        descriptors = self._meta(launch).descriptors
        spread = tuple(described.spread(taken, descriptors, code)) if descriptors else taken
        return code, replace(launch, arguments=spread)

    def _meta(self, launch: Launch) -> Meta:
        return parse(self.program.options).seen_by(launch.entry)

    def _request(self, launch: Launch) -> Request:
        meta = self._meta(launch)
        return Request(
            source=Path(self.program.source_name or "kernel.py"),
            target=self.aim,
            kernel=launch.entry,
            parameters=_parameters(self.program, meta, launch.entry),
            search=meta.search,
            package=meta.package,
            passed=tuple(_passed(meta, given) for given in launch.arguments),
        )

    def _compiled(self, request: Request) -> Compiled:
        front: Compiler = registry.load(offline.COMPILERS, self.program.language, "COMPILER")
        if why := front.refusal(self.aim):
            raise UsageError(why)
        with scratch.folder() as place:
            path = Path(place) / "kernel.py"
            path.write_text(self.program.source, encoding="utf-8")
            result = front.compile(replace(request, source=path))
        if isinstance(result, Compiled):
            return replace(result, listing=_named(result.listing, path, request.source))
        raise UsageError(f"{request.kernel} of {request.source} for {self.aim.name}: {_said(result, path, request)}.")


def _named(listing: str, written: Path, source: Path) -> str:
    """Return a listing whose lines come from the file that a user knows, not from the copy that was compiled."""
    return listing.replace(f'"{written.parent.resolve()}" "{written.name}"', f'"{source}"')


def _said(result: Failed, written: Path, request: Request) -> str:
    """Return what became of compiling a copy of a source, with the name that the source has for its reader."""
    text = (
        describe(result).replace(str(written.resolve()), str(request.source)).replace(str(written), str(request.source))
    )
    wave = request.target.wave_size
    hint = f"; a warp has {wave} threads on {request.target.name}, and so must each layout" if _UNFIT in text else ""
    return text.rstrip(".") + hint


def _parameters(program: Program, meta: Meta, entry: str) -> tuple[tuple[str, Scalar], ...]:
    """Return the values of a kernel's compile-time parameters, and the options of the compiler that are its or the whole program's."""
    own = _arguments(program.source, entry)
    values: dict[str, object] = {**meta.values, **{name: _typed(name, text) for name, text in meta.expressions.items()}}
    mine = {name: value for name, value in values.items() if name in own}
    options = {name: values[name] for name in OPTIONS if name in values and name not in own}
    options |= {name: values[f"{entry}.{name}"] for name in OPTIONS if f"{entry}.{name}" in values}
    return tuple(sorted((name, _scalar(value)) for name, value in (mine | options).items()))


def _arguments(source: str, entry: str) -> tuple[str, ...]:
    """Return the names of a function's parameters."""
    for node in ast.parse(source).body:
        if isinstance(node, ast.FunctionDef) and node.name == entry:
            return tuple(one.arg for one in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    raise UsageError(f"the source has no kernel named {entry!r}.")


def _typed(name: str, text: str) -> str:
    if _LAYOUT.match(text):
        return f"gl.{text.removeprefix('gl.')}"
    if not text.startswith(_TYPE):
        raise UsageError(
            f"{name} is {text}, which is no number, text, type or layout: the compiler cannot be told it from here."
        )
    return f"tl.{text.removeprefix(_TYPE)}"


def _scalar(value: object) -> Scalar:
    return value if isinstance(value, bool | int | float | str) else "None"


def _passed(meta: Meta, given: Argument) -> Passed:
    """Return what the compiler is told of an argument. Raises UsageError for one that Triton has not."""
    match given:
        case Array(name=name):
            pointed, made = _pointer(name, meta.dtypes.get(name, "uint8")), described.described(given, meta.descriptors)
            return Passed(described.kind(pointed, made) if made else pointed)
        case Value(value=value, dtype=dtype):
            return _number(value, dtype)
        case Input(dtype=dtype):
            return _number(_TYPICAL, dtype)
        case Null():
            return Passed()
    raise UsageError(f"an argument of a Triton or Gluon kernel is an array or a number, not {type(given).__name__}.")


def _pointer(name: str, dtype: str) -> str:
    if dtype not in _POINTED:
        raise UsageError(f"{name} is an array of {dtype}, a type that Triton does not have.")
    return f"*{_POINTED[dtype]}"


def _number(value: float, dtype: str) -> Passed:
    """Return a number as Triton types it: a whole one by its size, any other one is float32."""
    if not dtype.startswith(("int", "uint")):
        return Passed("i1", int(value)) if dtype == "bool" else Passed("fp32", float(value))
    whole = int(value)
    return Passed("i32" if -_INT32 <= whole < _INT32 else "i64" if whole < _INT64 else "u64", whole)


def _taken(given: Argument, passed: Passed | None) -> Argument:
    """Return an argument with the type that it was compiled with."""
    if passed is None or passed.value is None or not isinstance(given, Value):
        return given
    return replace(given, dtype=offline_api.NUMPY[passed.kind])
