"""The use cases `import` and `export`: files of other tools into the store, runs of the store and files into other tools' formats."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.session import Options, open_store
from hotloop.compilers import reading
from hotloop.errors import UsageError
from hotloop.host.clock import SystemClock
from hotloop.interop import format as formats
from hotloop.interop.recording import COMPILE, CORRECT, INVALID, RUNTIME, TIMEOUT, WRONG, Json, Measurement, Recording
from hotloop.model.check import CheckReport
from hotloop.model.outcome import (
    CompileFailed,
    Conditions,
    LaunchFailed,
    Measured,
    NotApplicable,
    Outcome,
    Sample,
    TimedOut,
    WrongResult,
)
from hotloop.model.space import Config
from hotloop.model.trial import Trial

if TYPE_CHECKING:
    from hotloop.model.problem import Problem

IMPORTED = "imported"
"""Purpose of trials that another tool made: searches begin with them, verdicts never rest on them."""
_MOST_BYTES = 2 * 2**30
_STATES = {
    "Measured": CORRECT,
    "CompileFailed": COMPILE,
    "LaunchFailed": RUNTIME,
    "Crashed": RUNTIME,
    "TimedOut": TIMEOUT,
    "WrongResult": WRONG,
    "Impossible": WRONG,
    "NotApplicable": INVALID,
}


@dataclass(frozen=True, slots=True)
class Seen:
    """Content of another tool's file, and what was kept of it."""

    file: str
    format: str
    kernel: str
    device: str
    configurations: int
    states: Mapping[str, int]
    best: Mapping[str, Json] | None
    best_ns: float | None
    kept: int = 0
    """Trials that went to the store."""
    unknown: int = 0
    """Configurations that the kernel's space does not have; they are not kept."""


def bring(files: Sequence[Path], kernel: str, shape: str, options: Options) -> list[Seen]:
    """Read files and, for a `kernel` (a spec as of the other verbs), keep what they measured in the store.

    Raises:
        UsageError: a file cannot be read, or is of no known format; there is no such kernel.
        StoreError: the store cannot be written.
    """
    read = [(file, formats.read(_text(file), str(file))) for file in files]
    if not kernel:
        return [_seen(file, recording) for file, recording in read]
    parsed = specs.parse(kernel)
    problem = userfile.problem_of(parsed.kernel, shape)
    return [_kept(file, recording, parsed, problem, options) for file, recording in read]


def send(source: str, to: str, options: Options) -> str:
    """Return a file's content, or that of a run in the store, in another format.

    Raises:
        UsageError: there is no such format, file or run, or the format cannot hold it.
    """
    chosen = formats.named(to)
    path = Path(source)
    if path.suffix and not path.is_file():
        raise UsageError(f"there is no file {source}; give one, or a run that hotloop history lists.")
    return chosen.write(formats.read(_text(path), source) if path.is_file() else _of_run(source, options))


def _text(file: Path) -> str:
    try:
        if file.stat().st_size > _MOST_BYTES:
            raise UsageError(f"{file} is larger than {_MOST_BYTES >> 30} GiB; split it.")
        raw = reading.content(file)
        if raw[:2] == b"\x1f\x8b":
            import gzip

            raw = gzip.decompress(raw)
        return raw.decode("utf-8-sig")  # Windows puts a mark before a text
    except FileNotFoundError:
        raise UsageError(f"there is no file {file}; give one that another tool, or hotloop export, wrote.") from None
    except IsADirectoryError:
        raise UsageError(f"{file} is a folder; name a file in it.") from None
    except (OSError, EOFError, UnicodeDecodeError) as error:
        raise UsageError(
            f"{file} cannot be read ({reading.why(error)}); give a text file, or one that gzip compressed."
        ) from None


def _seen(file: Path, recording: Recording, kept: int = 0, unknown: int = 0) -> Seen:
    best = recording.best
    return Seen(
        file=str(file),
        format=recording.format,
        kernel=recording.kernel,
        device=recording.device,
        configurations=len(recording.measurements),
        states=dict(Counter(measurement.state for measurement in recording.measurements)),
        best=dict(best.config) if best else None,
        best_ns=recording.time_ns(best) if best else None,
        kept=kept,
        unknown=unknown,
    )


def _kept(file: Path, recording: Recording, parsed: specs.Spec, problem: Problem, options: Options) -> Seen:
    implementation, kept, unknown = parsed.chosen, 0, 0
    created, parameters = SystemClock().utc(), implementation.space.parameters
    with open_store(options) as store:
        for measurement in recording.measurements:
            config = _config(measurement, [(each.name, each.values) for each in parameters])
            if config is None or (measurement.time is None and measurement.state == CORRECT):
                unknown += 1
                continue
            store.add_trial(
                Trial(
                    family=userfile.kept_as(parsed.kernel),
                    problem=problem.key,
                    sizes=Config(problem.sizes),
                    implementation=implementation.name,
                    config=config,
                    fingerprint=hashlib.sha256(f"{recording.format} {recording.kernel}".encode()).hexdigest()[:12],
                    device=recording.device or "unknown",
                    device_fingerprint=f"{IMPORTED} from {recording.format}",
                    outcome=_outcome(recording, measurement),
                    created=created,
                    purpose=IMPORTED,
                )
            )
            kept += 1
    return _seen(file, recording, kept, unknown)


def _config(measurement: Measurement, parameters: Sequence[tuple[str, tuple[object, ...]]]) -> Config | None:
    """Return a configuration of a space; None where it lacks a parameter or has a value that the space has not."""
    chosen = {}
    for name, values in parameters:
        if name not in measurement.config or measurement.config[name] not in values:
            return None
        chosen[name] = values[values.index(measurement.config[name])]
    return Config(chosen) if chosen else None  # type: ignore[arg-type]


def _outcome(recording: Recording, measurement: Measurement) -> Outcome:
    origin = f"recorded by another tool ({recording.format})"
    if measurement.state == CORRECT:
        scale = (recording.time_ns(measurement) or 0.0) / measurement.time if measurement.time else 1.0
        samples = tuple(
            Sample(wall_ns=max(scale * each, 1e-3), calls=1) for each in measurement.times or (measurement.time or 0.0,)
        )
        return Measured(samples=samples, conditions=Conditions(f"{IMPORTED} from {recording.format}", note=origin))
    failures: dict[str, Outcome] = {
        COMPILE: CompileFailed(origin),
        TIMEOUT: TimedOut("execute", 0.0),
        WRONG: WrongResult(CheckReport(())),
        INVALID: NotApplicable(origin),
    }
    return failures.get(measurement.state, LaunchFailed(origin))


def _of_run(name: str, options: Options) -> Recording:
    with open_store(options, read_only=True) as store:
        run = store.run(name)
        trials = store.trials(run=run.id)
    if not trials:
        raise UsageError(f"run {name} has no trials; hotloop history lists runs.")
    first = trials[0]
    return Recording(
        format="",
        kernel=first.family,
        device=first.device,
        problem={str(key): value for key, value in first.sizes.items()},
        unit="nanoseconds",
        measurements=tuple(_measurement(trial) for trial in trials),
    )


def _measurement(trial: Trial) -> Measurement:
    state, outcome = _STATES.get(type(trial.outcome).__name__, RUNTIME), trial.outcome
    config: dict[str, Json] = dict(trial.config)
    if not isinstance(outcome, Measured):
        return Measurement(config, state)
    return Measurement(config, state, outcome.call_ns, tuple(sample.call_ns for sample in outcome.samples))
