"""A captured Triton kernel as a kernel of the loop: launched as the program did, judged by its own text in double precision."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.bare.alike import ALIKE, EXACT, INPUTS, given
from hotloop.app.bare.kernel import AS_IT_IS, DOUBLE
from hotloop.app.captured import geometry
from hotloop.app.captured import space as spaces
from hotloop.app.captured.products import Products, products
from hotloop.app.captured.truth import Oracle, Posed
from hotloop.captures import folder as folders
from hotloop.captures.nouns import Captured, Given, Launched
from hotloop.errors import UsageError
from hotloop.model.dtype import dtype_of, floating
from hotloop.model.finding import Gain
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.kernel import Implementation, Kernel, Offer, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Argument, Array, Launch, Null, Program, Value
from hotloop.model.record import Record, Scalar
from hotloop.rewrite.jitted import catalogue
from hotloop.rewrite.jitted.catalogue import rewrites, rewritten
from hotloop.rewrite.jitted.counted import rounds
from hotloop.rewrite.jitted.form import RefusedError, Rewrite, Script
from hotloop.rewrite.jitted.inlined import live
from hotloop.rewrite.jitted.scene import Relaunch, Scene, holds, met
from hotloop.rewrite.jitted.tiles import followed
from hotloop.rewrite.jitted.writes import read, taken, written

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.device import Device
    from hotloop.model.kernel import Inputs
    from hotloop.model.space import Config

LAUNCH = "launch"
"""Size of a captured problem: which kind of the program's launches it is."""
_LESS = 0.97
_SEVERAL, _HELD = ("rows-per-program", "heads-per-program", "row-products"), 256
"""Rewrites that give a program several rows, and elements of them beyond which a thread spills for sure, and compilers take many seconds."""


def load(folder: Path, captured: Captured, limit_s: float) -> Kernel:
    """Return the kernel of a capture. Raises UsageError where it cannot be launched alone."""
    text = folders.text(folder, captured)
    usable = tuple(launch for launch in captured.launches if not launch.obstacle)
    if not usable:
        raise UsageError(f"{folder}/{captured.name} cannot be launched alone: {captured.obstacle}.")
    main = max(usable, key=lambda one: (one.total_ns or 0.0, one.calls))
    order = (main, *(one for one in usable if one is not main))
    return _Made(folder, captured, text, order, limit_s).kernel()


class _Made:
    def __init__(
        self, folder: Path, captured: Captured, text: str, launches: tuple[Launched, ...], limit_s: float
    ) -> None:
        self.folder, self.captured, self.text, self.launches = folder, captured, text, launches
        self.script = Script(text, captured.entry)
        try:
            self.script.kernel  # noqa: B018 - asked for its errors
        except RefusedError as reason:
            raise UsageError(f"{folder / captured.source} is damaged: {reason}; capture the program again.") from None
        self.outputs = _outputs(written(text, captured.entry), launches)
        self.live = tuple(live(self.script, spaces.constants(launch)) for launch in launches)
        self.oracle = Oracle(self, limit_s)

    def kernel(self) -> Kernel:
        problem = Problem(self.captured.name, Record({LAUNCH: 0, INPUTS: ALIKE}))
        space, start = spaces.space(self.captured, self.launches[0], self.script)
        self.start, self.space = start, space
        implementation = Implementation(
            "triton", "triton", space, start, self.plan, simplicity=_simplicity, offers=self.offers, looks=True
        )
        return Kernel(
            family=self.captured.name,
            problem=problem,
            inputs=self.inputs,
            reference=lambda p, arrays: self.oracle.truth(p, arrays).outputs,
            launched=True,
            work=self.work,
            implementations=(implementation,),
            tolerance=Tolerance(terms=lambda _problem: 1.0, factor=4.0),
            magnitude=lambda p, arrays: self.oracle.truth(p, arrays).scale,
            awkward=self.others,
            origin=str(self.folder / self.captured.source),
            remarks=lambda: (DOUBLE if self.oracle.double else AS_IT_IS, *self._unknown()),
        )

    def launched(self, problem: Problem) -> Launched:
        """Return the launch that a problem means. Raises UsageError."""
        at = problem.sizes[LAUNCH]
        if not isinstance(at, int) or not 0 <= at < len(self.launches):
            raise UsageError(f"{self.captured.name} has the launches 0 to {len(self.launches) - 1}, not {at}.")
        return self.launches[at]

    def others(self, problem: Problem) -> tuple[Problem, ...]:
        """Return the program's own values, and its other launches."""
        own = problem.replace(**{INPUTS: EXACT})
        rest = (problem.replace(**{LAUNCH: at}) for at in range(len(self.launches)) if at != problem.sizes[LAUNCH])
        return (own, *rest)

    def arrays(self, problem: Problem) -> tuple[Given, ...]:
        """Return the arguments that are memory of their own."""
        return tuple(
            argument for argument in self.launched(problem).arguments if argument.kind == "array" and not argument.alias
        )

    def inputs(self, problem: Problem, rng: np.random.Generator) -> Inputs:
        """Return arrays like those of the program; an array that is only written starts filled with one random number."""
        rows, which = {}, problem.sizes[INPUTS]
        rng = np.random.default_rng(0) if which == EXACT else rng  # one content, whose reference is kept
        unread = frozenset() if which == EXACT else self._unread(problem)
        for array in self.arrays(problem):
            kind = dtype_of(array.dtype)
            kept = np.array([rng.integers(1, 100)]).astype(kind) if array.name in unread else self._values(array)
            rows[array.name] = (kept, array.size // kind.itemsize, array.dtype)
        return given(which, rows, rng, {array.name: array.rows for array in self.arrays(problem)})

    @lru_cache(maxsize=8)  # noqa: B019 - it lives as long as the process
    def _unread(self, problem: Problem) -> frozenset[str]:
        """Return the arrays that the text stores to and never loads from."""
        launched = self.launched(problem)
        text, entry = taken(self.text, spaces.constants(launched)), self.captured.entry
        stored = _outputs(written(text, entry), (launched,))
        return stored - _outputs(read(text, entry), (launched,))

    def _unknown(self) -> tuple[str, ...]:
        """Return a remark about integer arrays that a launch reads and whose values were not recorded."""
        problem = Problem(self.captured.name, Record({LAUNCH: 0, INPUTS: ALIKE}))
        arrays = [array for array in self.arrays(problem) if not floating(dtype_of(array.dtype)) and not array.values]
        names = [array.name for array in arrays if array.name not in self._unread(problem)]
        return (f"zeros stand for {', '.join(names)}, whose values were not captured (--max-bytes)",) if names else ()

    @lru_cache(maxsize=64)  # noqa: B019 - it lives as long as the process
    def _values(self, argument: Given) -> NDArray[np.generic] | None:
        return folders.values(self.folder, argument)

    def work(self, problem: Problem) -> Work:
        launched = self.launched(problem)
        text, entry = taken(self.text, spaces.constants(launched)), self.captured.entry
        both = _outputs(written(text, entry), (launched,)) - self._unread(problem)
        moved = sum(float(array.size) * (2 if array.name in both else 1) for array in self.arrays(problem))
        counted = self._products(problem)
        return Work(flops=counted.flops, bytes=moved, convention=counted.told, products=counted.rate)

    @lru_cache(maxsize=8)  # noqa: B019 - it lives as long as the process
    def _products(self, problem: Problem) -> Products:
        return products(self, problem, lambda: self.inputs(problem, np.random.default_rng(0)))

    def plan(self, problem: Problem, config: Config, device: Device) -> Program:
        """Return the launch with other constants, options and rewrites. Raises ValueError where they do not fit."""
        changed = rewritten(self.script, config)
        relaunches = catalogue.relaunches(self.script, config)
        made = self.program(problem, config, device, Posed(changed.text), relaunches)
        scene = self.scene(problem, config, device)
        widest = max((int(config[name]) for name in geometry.blocks(self.space)), default=0)
        rows = prod(int(config.get(name, 0)) or 1 for name in _SEVERAL)
        if rows > 1 and rows * widest > _HELD * scene.threads:
            raise ValueError(f"{rows} rows of a block of {widest} are more than {scene.threads} threads hold")
        numbers = {name: value for name, value in scene.values.items() if isinstance(value, int)}
        facts = replace(scene, grid=self._grid(self.launched(problem), numbers, {})).facts
        for condition in catalogue.guards(self.script, config):
            if not holds(condition, facts):
                raise ValueError(f"{condition} does not hold in this launch")
        return made

    def program(
        self,
        problem: Problem,
        config: Mapping[str, Scalar],
        device: Device,
        posed: Posed,
        relaunches: tuple[Relaunch, ...] = (),
    ) -> Program:
        """Return a text as a program; `posed` says with which types."""
        launched = self.launched(problem)
        values: dict[str, object] = {**spaces.options(launched), **spaces.constants(launched)}
        base = dict(spaces.constants(self.launches[0]))
        chosen = {n: v for n, v in config.items() if n in values or n in spaces.OPTIONS}
        if (
            launched is not self.launches[0]
        ):  # constants of this launch are its own, unless the configuration changes them
            chosen = {n: v for n, v in chosen.items() if v != base.get(n) or n in spaces.OPTIONS}
        values |= chosen
        values |= self._named_like_options(launched, values)
        for name, many in rounds(self.script, spaces.constants(launched), values).items():
            if launched is self.launches[0] and values[name] != many:
                raise ValueError(f"{name} counts rounds: it is {many} for these blocks")
            values[name] = many
        grid = self._grid(launched, {n: v for n, v in values.items() if isinstance(v, int)}, values)
        for relaunch in relaunches:
            values[relaunch.argument], grid = grid[relaunch.axis], relaunch.grid(grid, device.compute_units)
        meta = Meta(
            values=values,
            expressions={
                constant.name: posed.typed(constant.text)
                for constant in launched.constants
                if constant.form == "expression"
            },
            dtypes={array.name: posed.dtype(array.dtype) for array in self.arrays(problem)},
            descriptors=self._descriptors(launched, config),
            search=self.captured.search,
            package=self.captured.package,
            uses=self.captured.uses,
        )
        warps = values.get("num_warps")
        group = threads(warps if isinstance(warps, int) else 4, device.target)
        if group > device.max_workgroup:
            raise ValueError(f"a group of {group} threads is more than the {device.max_workgroup} of this device")
        arguments = tuple(_argument(argument) for argument in launched.arguments)
        launch = Launch(self.captured.entry, arguments, (grid[0] * group, *grid[1:]), (group, *(1 for _ in grid[1:])))
        return Program(
            "triton", posed.text, meta.options, (launch,) if prod(grid) else (), source_name=self.captured.source
        )

    def _named_like_options(self, launched: Launched, values: Mapping[str, object]) -> dict[str, object]:
        """Return the values of parameters that are called like options of the compiler: given by position, they are no options."""
        own, asked = spaces.constants(launched), spaces.options(launched)
        made: dict[str, object] = {}
        for name, (usual, _, _) in spaces.OPTIONS.items():
            if name in own and name not in asked and values[name] == usual:
                made[name] = own[name]
            elif name in own:
                made[f"{self.captured.entry}.{name}"] = values[name]
        return made

    def _grid(self, launched: Launched, chosen: Mapping[str, int], values: dict[str, object]) -> tuple[int, ...]:
        """Return the program's grid for these constants, which may imply other constants. Raises ValueError."""
        own = spaces.constants(launched)
        if all(chosen.get(name, value) == value for name, value in own.items()):
            return launched.grid
        free = spaces.without_effect(launched.grids)
        for row in launched.grids:
            asked = {name: value for name, value in row.constants.items() if name in self.start and name not in free}
            if all(chosen.get(name) == value for name, value in asked.items()):
                values.update({name: value for name, value in row.constants.items() if name not in free})
                return row.grid
        if not launched.grids:  # the program's grid is no function of its constants
            grid = launched.grid
            for each in followed(self.script, own, len(grid), {**own, **chosen}):
                grid = each.grid(grid)
            return grid
        raise ValueError("the program's grid for these constants was not recorded")

    def _descriptors(self, launched: Launched, config: Mapping[str, Scalar]) -> dict[str, Descriptor]:
        descriptors = {
            argument.name: argument.descriptor for argument in launched.arguments if argument.descriptor is not None
        }
        own = spaces.constants(launched)
        if descriptors and any(config.get(name, value) != value for name, value in own.items()):
            raise ValueError("its tensor descriptors have the blocks of the program's own constants")
        return descriptors

    def scene(self, problem: Problem, config: Mapping[str, Scalar], device: Device) -> Scene:
        """Return the facts about a launch with a configuration that predictions and guards use."""
        launched = self.launched(problem)
        numbers = {
            argument.name: int(argument.text)
            for argument in launched.arguments
            if argument.kind == "number" and _whole(argument)
        }
        values = {**spaces.options(launched), **numbers, **spaces.constants(launched)}
        if launched is self.launches[0]:
            values |= {name: value for name, value in config.items() if name in values or name in spaces.OPTIONS}
        shared = any(argument.alias for argument in launched.arguments)
        types = {argument.name: argument.dtype for argument in launched.arguments if argument.kind == "array"}
        return Scene(
            grid=launched.grid,
            values=values,
            types=types,
            bytes=launched.bytes,
            units=device.compute_units,
            shared=shared,
        )

    def offers(self, problem: Problem, config: Config, device: Device) -> tuple[Offer, ...]:
        """Return rewrites of the text that apply now, each with its values, and the program's own configurations."""
        offers: list[Offer] = []
        scene = self.scene(problem, config, device)
        for rewrite in rewrites():
            if rewrite.name in config and config[rewrite.name] == rewrite.values[0]:
                offers += self._offered(rewrite, config, scene)
        programs = {"programs": prod(scene.grid), "units": scene.units}
        offers += (self._counted(offer, config) for offer in geometry.offers(self.space, config, self.script, programs))
        for seed in spaces.seeds(self.captured, self.start, self.space):
            changes = {name: value for name, value in seed.items() if config[name] != value}
            if changes:
                # where times count, its autotuner has compared them with what it launches
                gain = Gain(0.7, 1.3) if self.captured.interpreted else Gain(0.7, 1.1)
                offers.append(Offer("work-per-item", changes, gain, "a configuration of its autotuner", "autotuner"))
        return tuple(offers)

    def _counted(self, offer: Offer, config: Config) -> Offer:
        """Return an offer with the rounds that loops have for its blocks."""
        own = spaces.constants(self.launches[0])
        made = rounds(self.script, own, {**config, **offer.changes})
        follow = {name: many for name, many in made.items() if name in config and config[name] != many}
        return replace(offer, changes={**offer.changes, **follow}) if follow else offer

    def _offered(self, rewrite: Rewrite, config: Config, scene: Scene) -> list[Offer]:
        offers = []
        script = catalogue.before(rewrite.name, self.script, config)
        for place, value in enumerate(catalogue.possible(rewrite.name, script)[1:]):
            gain = rewrite.predicted(catalogue.seen(rewrite.name, script), scene, value)
            condition = catalogue.guard(rewrite.name, script, value)
            change: dict[str, Scalar] = {rewrite.name: value}
            if condition and not holds(condition, scene.facts):
                change |= met(condition, scene.values)
                gain = gain if len(change) > 1 else None
            if gain is None or not self._fits(config, change):
                continue
            lines = ", ".join(map(str, catalogue.lines(rewrite.name, self.script)[:4]))
            why = f"{rewrite.title}: {self.captured.entry}" + (f" line {lines}" if lines else "")
            offers.append(Offer(rewrite.technique, change, _later(gain, place), why, rewrite.name))
        return offers

    def _fits(self, config: Config, change: Mapping[str, Scalar]) -> bool:
        try:
            rewritten(self.script, {**config, **change})
        except RefusedError:
            return False
        return True


def _later(gain: tuple[float, float], place: int) -> Gain:
    """Return a prediction that is lower for later values of a rewrite, so that each rewrite is tried before any is varied."""
    low, high = gain
    return Gain(low * _LESS**place, max(low, high * _LESS**place))


def _whole(argument: Given) -> bool:
    return not argument.dtype.startswith("float") and argument.text.lstrip("-").isdigit()


def _outputs(names: frozenset[str], launches: tuple[Launched, ...]) -> frozenset[str]:
    """Return the outputs under the names of their memory, because an argument may be the same memory as an earlier one."""
    others = {
        argument.alias
        for launch in launches
        for argument in launch.arguments
        if argument.alias and argument.name in names
    }
    return names | others


def _simplicity(config: Config) -> float:
    return float(sum(config.get(rewrite.name, rewrite.values[0]) != rewrite.values[0] for rewrite in rewrites()))


def _argument(given: Given) -> Argument:
    if given.kind == "array":
        return Array(given.alias or given.name)
    if given.kind == "null":
        return Null()
    value = float(given.text) if given.dtype.startswith("float") else int(given.text)
    return Value(value, given.dtype)
