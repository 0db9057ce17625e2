"""What a run leaves of a user's own source: the text that was optimized, the text that won, and how its launches change."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.run.kept import chosen, host, launched, replaced
from hotloop.app.run.kept.adoption import Adoption
from hotloop.app.run.kept.change import Change
from hotloop.app.run.kept.result import Hosted
from hotloop.captures import folder as folders
from hotloop.captures import home, whole
from hotloop.captures.nouns import Captured
from hotloop.errors import StoreError, UsageError
from hotloop.model.codec import decode, encode
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.program import Launch, Program, Value
from hotloop.model.record import Scalar
from hotloop.model.verdict import Comparison, Verdict
from hotloop.rewrite.jitted import catalogue
from hotloop.rewrite.jitted.form import Script
from hotloop.rewrite.jitted.scene import Divided, Relaunch
from hotloop.rewrite.jitted.tiles import followed

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.problem import Problem
    from hotloop.model.step import Step
    from hotloop.ports import Journal
    from hotloop.store import Store

KEY = "patch"
SOURCES = (".cl",)
"""Endings of sources that are optimized as they are."""
_ALONE = "its text does not stand in {path} as one string: put this in the place of what is built there"


@dataclass(frozen=True, slots=True, kw_only=True)
class Patch(Change):
    """A source before and after a run, and what of its program changes with it."""

    launches: tuple[str, ...]
    """Changes that the host program needs, one sentence for each kernel function."""
    speedup: str = ""
    """Result of the final comparison, in words."""
    adoption: Adoption | None = None
    """Data that `hotloop adopt` needs, for a captured kernel."""
    part: whole.Part | None = None
    """The kernel's part of the captured program's time, where its launches were timed."""
    asks: bool = False
    """True where the program must launch otherwise, or with certain sizes only, when it has the text that won: else its results would be wrong."""
    host: tuple[Change, ...] = ()
    """Other files of the program, where they launch the text that won as it must be launched."""

    @property
    def diff(self) -> str:
        """Return the changes of all files in the form that `patch` and `git apply` take; empty where nothing changes."""
        return "".join(one.own_diff for one in (self, *self.host))

    @property
    def stands(self) -> bool:
        """Tell whether the sources on disk still are the texts that were optimized, whatever ends their lines."""
        return all(one.as_before for one in (self, *self.host))

    @property
    def idle(self) -> bool:
        """Tell whether the run found nothing faster: neither the text nor its launches change."""
        return self.before == self.after and not self.launches

    @property
    def applied(self) -> bool:
        """Tell whether the sources on disk are the texts that won already."""
        changing = [one for one in (self, *self.host) if one.before != one.after]
        return bool(changing) and all(one.as_after for one in changing)

    @property
    def fitted(self) -> Patch:
        """Return the patch as it fits the files on disk, see `Change`."""
        return replace(self.own_fitted, host=tuple(one.own_fitted for one in self.host))

    def write(self) -> None:
        """Put the texts that won in the place of the sources, or leave all as they are.

        Raises:
            UsageError: a source is a text in a capture, which no program reads, may only be read, or has changed.
            MachineError: one cannot be written.
        """
        changing = [one for one in (self, *self.host) if one.before != one.after]
        if any(folders.is_capture(Path(one.path).parent) for one in changing):
            raise UsageError(
                f"nothing was written: the text stands in no file of the program as one string, only in {self.path}; put the diff where it is built."
            )
        replaced.write({Path(one.path): one.data for one in changing}, lambda: self.stands)


def record(
    journal: Journal, kernel: Kernel, problem: Problem, device: Device, steps: tuple[Step, Step], speedup: str,
    comparison: Comparison | None = None, hosted: Hosted | None = None, built: host.Built | None = None,
) -> None:  # fmt: skip
    """Keep what baseline and winner do to a source; nothing for a kernel that is no bare source.

    `hosted` is the winner as a host launches it that nobody changes: where it is faster, it is what a captured program is patched with.
    `built` tells what compiling a program takes.
    """
    captured = home.captured_at(Path(kernel.origin)) if kernel.origin else None
    if captured is None and not kernel.origin.endswith(SOURCES):
        return
    first, last = (
        Variant(kernel.implementation(step.implementation), step.config).program(problem, device) for step in steps
    )
    triton = captured is not None and captured.language == "triton"
    if triton and captured is not None:
        launches = (*_constants(kernel.family, steps), *_conditions(captured, first.source, steps[1]))
    else:
        launches = _launches(first, last)
    stays = None if hosted is None or captured is None else hosted.comparison
    put = last if hosted is None or stays is None else hosted.variant.program(problem, device)
    if hosted is not None and captured is not None:
        launches = host.words(launches, hosted, comparison, counts=host.counts(first, put))
        launches = (*launches, *(host.only(captured, first, put) if stays is None else ()))
    patch = Patch(
        path=str(Path(kernel.origin).resolve()),
        before=first.source,
        after=put.source,
        launches=launches,
        speedup=speedup if stays is None else host.said(stays, problem.key, device.name),
    )
    if captured is None:
        patch = _whole(patch)
    else:
        confirmed = stays or comparison
        faster = confirmed is not None and confirmed.verdict is Verdict.FASTER
        longer_s = host.longer_s(captured, first, put, built) if faster else 0.0
        adoption = _adoption(captured, (first, last), steps, device.compute_units)
        chosen_there = _chosen(patch, captured, adoption)
        patch = replace(
            chosen_there or _at_home(patch, captured),
            asks=chosen_there is None and stays is None and first.source != put.source and bool(launches),
            adoption=adoption,
            part=_part(Path(kernel.origin), captured, confirmed, device, longer_s),
        )
        if not triton and (why := host.unfit(captured, first, put, hosted)):
            patch = replace(patch, after=patch.before, launches=(why,), part=None, asks=False)
        elif not triton and launches and stays is None:
            patch = with_host(patch, captured, pinned=host.pinned(first, put))
    digest = hashlib.sha256(patch.data).hexdigest()[:12]
    journal.record(f"{KEY}{digest}", json.dumps(encode(patch)))


def with_host(patch: Patch, captured: Captured, *, pinned: bool) -> Patch:
    """Return a patch that changes the program's launches, too, where they are understood, see `launched.changed`."""
    made = launched.changed(captured, patch.adoption, patch, patch.launches, pinned=pinned)
    if made is None:
        return patch
    asks = patch.asks and not made.done
    return replace(patch, after=made.own, host=made.others, launches=made.said, asks=asks)


def _in_common(one: str, other: str) -> int:
    """Return how many characters two texts begin with alike."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _whole(patch: Patch) -> Patch:
    """Return a patch of the whole source where only a part of it was built: what else stands in it was blanked, nothing moved."""
    try:
        own = Path(patch.path).read_text(encoding="utf-8")
    except (OSError, ValueError):
        return patch
    before, after = patch.before, patch.after
    if own == before or len(own) != len(before):
        return patch
    first = _in_common(before, after)
    last = min(_in_common(before[::-1], after[::-1]), min(len(before), len(after)) - first)
    same = own[first : len(own) - last] == before[first : len(before) - last]
    made = own[:first] + after[first : len(after) - last] + own[len(own) - last :]
    return replace(patch, before=own, after=made) if same else patch


def _part(
    origin: Path, captured: Captured, comparison: Comparison | None, device: Device, building_s: float
) -> whole.Part | None:
    """Return what the kernel is of its program, None where the run's end confirmed nothing."""
    if comparison is None or comparison.verdict is not Verdict.FASTER:
        return None
    interval = (comparison.speedup, comparison.low, comparison.high)
    return whole.part(
        folders.read(origin.parent),
        captured,
        interval,
        units=device.compute_units if device.kind == "cpu" else 0,
        building_s=building_s,
    )


def _at_home(patch: Patch, captured: Captured) -> Patch:
    """Return a captured text's patch as one of the program's own file, where it stands there."""
    relocated = home.home(captured, patch.before, patch.after)
    if relocated is None and patch.before == patch.after:
        return patch
    if relocated is None:
        return replace(patch, launches=(*patch.launches, _ALONE.format(path=captured.path)))
    return replace(patch, path=relocated.path, before=relocated.before, after=relocated.after)


def _chosen(patch: Patch, captured: Captured, adoption: Adoption | None) -> Patch | None:
    """Return a patch after which the program's file itself launches the winner where it fits; None where the text alone is enough, or cannot be put so."""
    if adoption is None or captured.language != "triton" or not patch.launches:
        return None
    relocated = home.home(captured, patch.before, patch.before)
    text = None if relocated is None else chosen.beside(relocated.before, captured.line, adoption)
    if relocated is None or text is None:
        return None
    return replace(
        patch, path=relocated.path, before=relocated.before, after=text, launches=(chosen.sentence(adoption),)
    )


def _adoption(
    captured: Captured, programs: tuple[Program, Program], steps: tuple[Step, Step], units: int
) -> Adoption | None:
    """Return what a program can adopt; None where nothing changed, or its launches do not say how they would."""
    first, last = programs
    start, config = dict(steps[0].config), dict(steps[1].config)
    if config == start or len(first.launches) != len(last.launches) or len(last.launches) != 1:
        return None
    old, new = first.launches[0], last.launches[0]
    guards, fewer = _asked(captured, first.source, config)
    dividing = tuple(-(-a // b) for a, b in zip(old.global_size, new.global_size, strict=False))
    group = new.local_size
    rewrites = _rewrites()
    plain = {n: value for n, value in config.items() if n not in rewrites and captured.language == "triton"}
    if captured.language == "opencl" and len(old.arguments) != len(new.arguments):
        return None
    other = captured.language == "opencl" and (len(old.global_size) != len(new.global_size) or host.pinned(first, last))
    values = ((at, one) for at, one in enumerate(old.arguments) if other and isinstance(one, Value))
    numbers = {str(at): np.asarray(one.value, one.dtype).tobytes().hex() for at, one in values}
    return Adoption(
        language=captured.language,
        entry=captured.entry,
        before=first.source,
        after=last.source,
        device=captured.device,
        versions=captured.versions,
        own=captured.own,
        steps=dividing,
        rounds=_rounds(old.global_size, dividing, group),
        group=group,
        own_group=captured.main.group,
        sizes=new.global_size if other else (),
        own_sizes=old.global_size if other else (),
        numbers=numbers,
        start={name: start[name] for name in plain},
        config=plain,
        native=captured.native,
        search=captured.search,
        package=captured.package,
        guards=guards,
        fewer=fewer,
        divided=_divided(captured, first.source, config),
        units=units,
    )


def _rounds(whole: tuple[int, ...], steps: tuple[int, ...], group: tuple[int, ...] | None) -> tuple[bool, ...]:
    """Return in which dimensions a text surely has a bound: it takes several numbers an item, or was launched with more items than there are numbers."""
    groups = group or (1,) * len(steps)
    return tuple(step > 1 or size % one != 0 for size, step, one in zip(whole, steps, groups, strict=False))


def _asked(captured: Captured, text: str, config: Mapping[str, Scalar]) -> tuple[tuple[str, ...], tuple[Relaunch, ...]]:
    """Return what a rewritten Triton text asks of its launch: conditions, and fewer programs."""
    if captured.language != "triton":
        return (), ()
    script = Script(text, captured.entry)
    return catalogue.guards(script, config), catalogue.relaunches(script, config)


def _divided(captured: Captured, text: str, config: Mapping[str, Scalar]) -> tuple[Divided, ...]:
    """Return what of a Triton launch's grid follows the constants that won."""
    own, main = captured.main.plain, captured.main
    if captured.language != "triton" or main.grids:
        return ()
    return followed(Script(text, captured.entry), own, len(main.grid), {**own, **config})


def read(store: Store, name: str) -> Patch:
    """Return what a run left of its source.

    Raises:
        UsageError: no such run, or none of a bare source.
        StoreError: its record is damaged.
    """
    info = store.run(name)
    entries = [entry.data for entry in store.journal_entries(info.id) if entry.key.startswith(KEY)]
    if not entries:
        raise UsageError(
            f"run {info.id[:8]} has no source to patch: only runs that ended, of a source such as kernel.cl, leave one; "
            "see hotloop history."
        )
    try:
        return decode(json.loads(entries[-1]), Patch)
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise StoreError(
            f"the record of run {info.id[:8]} cannot be understood; {store.location} is damaged."
        ) from error


def _launches(before: Program, after: Program) -> tuple[str, ...]:
    """Return in words how each kernel function is launched otherwise."""
    launches = []
    for entry in dict.fromkeys(launch.entry for launch in before.launches):
        old = [launch for launch in before.launches if launch.entry == entry]
        new = [launch for launch in after.launches if launch.entry == entry]
        if not new or (len(old) == len(new) and all(map(_alike, old, new))):
            continue
        sizes = (
            ("global size", old[0].global_size, new[0].global_size),
            ("local size", old[0].local_size, new[0].local_size),
        )
        said = [f"{what} {_size(one)} becomes {_size(two)}" for what, one, two in sizes if one != two]
        if len(new) != len(old):
            said.append(f"{len(old)} launches become {len(new)}")
        if len(new[0].arguments) > len(old[0].arguments):
            said.append(f"a further argument {new[0].arguments[-1]} is where the rounds end")
        launches.append(f"{entry}: {', '.join(said)}")
    return tuple(launches)


def _rewrites() -> frozenset[str]:
    """Return the parameters that are no constants and no options: rewrites of the text."""
    return frozenset(rewrite.name for rewrite in catalogue.rewrites())


def _constants(entry: str, steps: tuple[Step, Step]) -> tuple[str, ...]:
    """Return in words with which constants and options a Triton kernel is launched otherwise."""
    rewrites = _rewrites()
    old, new = (dict(step.config) for step in steps)
    changed = [
        f"{name}={new[name]} (was {old[name]})" for name in new if new[name] != old[name] and name not in rewrites
    ]
    return (f"{entry}: launch it with {', '.join(changed)}",) if changed else ()


def _conditions(captured: Captured, text: str, last: Step) -> tuple[str, ...]:
    """Return in words what the host must see to beside constants."""
    guards, fewer = _asked(captured, text, dict(last.config))
    counted = _divided(captured, text, dict(last.config))
    conditions = [f"{captured.entry}: {condition}" for condition in (*counted, *fewer)]
    return (*conditions, *(f"{captured.entry}: right only where {guard}" for guard in guards))


def _alike(one: Launch, other: Launch) -> bool:
    return (one.global_size, one.local_size, len(one.arguments)) == (
        other.global_size,
        other.local_size,
        len(other.arguments),
    )


def _size(size: tuple[int, ...] | None) -> str:
    return "x".join(map(str, size)) if size else "free"
