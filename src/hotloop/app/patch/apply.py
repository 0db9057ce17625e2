"""The use case of ``hotloop patch``: read, patch, assemble, compare, prove."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from hotloop.app import userfile
from hotloop.app.code import analysis, content
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.compiled import compile_rung, rung_target, unit_of
from hotloop.app.patch import trial
from hotloop.app.patch.proof import prove
from hotloop.compilers import reading
from hotloop.compilers.assemble import assemble
from hotloop.compilers.offer import Compiled
from hotloop.errors import UsageError
from hotloop.isa.patch import recipe as recipes
from hotloop.isa.patch.stages import Patched, function_of, patch
from hotloop.isa.summary.diff import Difference, compare, pair
from hotloop.model.outcome import describe
from hotloop.model.proof import Proof
from hotloop.model.record import Scalar
from hotloop.predict.change import Clocked, clocked
from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True)
class Question:
    """What is patched, with what, and how it is launched."""

    source: str
    """A listing, ``-``, or ``FAMILY:RUNG`` of a ladder."""
    recipe: Path
    target: str = ""
    kernel: str = ""
    shape: str = ""
    """Sizes for a rung, ``name=value,...``."""
    launch: Path | None = None
    """How a listing is launched; without it nothing is executed."""
    chip: str = ""
    """The chip, as it is sold, for which the time is predicted; empty: the default chip of the target."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The patched kernel, with what changed in code, results and predicted time."""

    patched: Patched
    binary: bytes
    moved: Difference
    proof: Proof | None
    """None: nothing says how the kernel is launched."""
    clocked: Clocked | None
    """Predicted times of the launch; None: nothing says how the kernel is launched."""
    assembler: str


@dataclass(frozen=True, slots=True)
class _Given:
    text: str
    kernel: str
    target: Target
    trials: tuple[trial.Trial, ...]


def answer(question: Question, tell: Callable[[str], None] = lambda _: None) -> Answer:
    """Patch a listing and compare it with what it was; `tell` hears what is being executed.

    Raises:
        UsageError: something given cannot be read, does not apply, or is refused by the assembler.
        MachineError: a tool is not installed, or a kernel cannot be executed.
    """
    recipe = recipes.parse(_read(question.recipe), question.recipe.name)
    given = _rung(question, tell) if _is_rung(question.source) else _listing(question)
    patched = patch(given.text, recipe, given.kernel)
    made = assemble(patched.text, given.target, patched.kernel)
    if not isinstance(made, Compiled):
        raise UsageError(f"the patched listing does not assemble for {given.target}: {describe(made)}.")
    before, after = (
        analysis.of_text(text, origin, str(given.target))
        for text, origin in ((given.text, "before"), (patched.text, "after"))
    )
    moved = compare(*pair(before, after, patched.kernel))
    proof = (
        prove(given.text, patched.text, patched.kernel, given.target.name, given.trials, tell) if given.trials else None
    )
    times = (
        clocked(given.text, patched.text, patched.kernel, given.target, given.trials[0].launch, question.chip)
        if given.trials
        else None
    )
    return Answer(patched, made.binary, moved, proof, times, made.compiler)


def _is_rung(source: str) -> bool:
    family, separator, _ = source.partition(":")
    return bool(separator) and not Path(source).exists() and userfile.family_of(family) in ladder_data.families()


def _rung(question: Question, tell: Callable[[str], None]) -> _Given:
    family, _, name = question.source.partition(":")
    if not question.target:
        raise UsageError(
            f"{question.source} is compiled for a GPU that is not here; say which with --target, such as gfx950."
        )
    aim = Target.parse(question.target)
    ladder = ladder_data.ladder_for(family, aim.name)
    rung = next(iter(ladder.chosen([name], aim.name)[-1:]))
    sizes = _sizes(question.shape) or trial.small(ladder, rung, aim.name)
    if sizes and not question.shape:
        chosen = ",".join(f"{key}={value}" for key, value in sizes.items())
        tell(f"{question.source} is executed on fewer work-groups than the ladder's own problem has, --shape {chosen}")
    try:
        unit = unit_of(ladder, rung, aim.name, sizes)
    except (ValueError, KeyError) as error:
        raise UsageError(f"{question.source}, --shape {question.shape}: {error}.") from error
    if unit is None:
        raise UsageError(
            f"rungs of {ladder.name} are launched by a plan of {family}; patch a listing of it with --launch."
        )
    made = compile_rung(ladder, rung, rung_target(rung, aim), sizes)
    if not isinstance(made, Compiled):
        raise UsageError(f"{question.source} does not compile for {aim}: {describe(made)}.")
    return _Given(made.listing, made.kernel, aim, trial.of_rung(ladder, rung, unit, sizes))


def _sizes(shape: str) -> Mapping[str, Scalar]:
    sizes: dict[str, Scalar] = {}
    for part in filter(None, shape.split(",")):
        name, separator, value = part.partition("=")
        if not separator or not value.isdigit():
            raise UsageError(
                f"--shape {shape}: write name=value with whole numbers, separated by commas, not {part!r}."
            )
        sizes[name.strip()] = int(value)
    return sizes


def _listing(question: Question) -> _Given:
    text = _read(Path(question.source))
    with content.told(question.source):
        function = function_of(text, question.kernel)
    named = question.target or function.target
    if not named:
        raise UsageError("the listing names no processor; say which with --target, such as gfx942.")
    trials = trial.of_file(_read(question.launch), question.launch.name) if question.launch else ()
    return _Given(text, function.name, Target.parse(named), trials)


def _read(path: Path) -> str:
    try:
        return reading.decoded(reading.standard_input()) if str(path) == "-" else reading.text(path)
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path} cannot be read as text: {reading.why(error)}; name a text file.") from error
