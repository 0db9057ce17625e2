"""Triton's launcher without what it does anew for each call: a call's arguments are recorded once, later only addresses change.

A compiled kernel's launcher, a function in C, is at the bottom of three functions in Python that ask for the device, for hooks
and for scratch, and describe each matrix to the copy engine. What they hand down differs from call to call by stream, addresses
and descriptors alone. So it is recorded with marks in their places; a descriptor is kept by its address. A launcher that is built
in another way, that needs scratch of its own, or that somebody listens to, is left as it is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from functools import cache
from types import BuiltinFunctionType, CellType, FunctionType, SimpleNamespace
from typing import Any

from hotloop.host import settings

ASKED = settings.LAUNCH.get() != "plain"
"""Whether calls are known again and launched in this way."""
COMPILED = settings.LAUNCH.get() in ("", "compiled")
"""Whether the compiled launcher does it, where it can be built and has passed its trial."""
COUNTED: Counter[str] = Counter()
"""Launches by tensors, which take ten times as long as those by addresses, for whoever wants to know why calls are slow."""
_MARK = 1 << 48
"""Number that stands for an address while arguments are recorded; no address is as large."""
_MOST_DESCRIPTORS = 256
"""Most tensor descriptors that are kept for a launch; when there are more, all are forgotten."""
_LAUNCHER = "launcher"
"""Name that Triton gives the function in C which descriptors are made around."""

_HELD = "_run"
"""Attribute in which a compiled kernel holds its launcher."""

Slots = tuple[tuple[int, str], ...]
Metas = tuple[tuple[Callable[[object, object], Sequence[object]], object, int], ...]
_MAKE, _METAS = "make_tensordesc_arg", "tensordesc_meta"
"""What Triton calls the function that makes a descriptor's arguments, and the list of what it needs beside a description."""


class Straight:
    """The arguments of one launch, as the function in C takes them."""

    __slots__ = ("_descriptors", "_launch", "_makers", "_metas", "_plain", "_record", "_stream", "_template", "_woven")

    def __init__(self, launch: Callable[..., object], template: list[object], stream: int, plain: Slots) -> None:
        self._launch, self._template, self._stream, self._plain = launch, template, stream, plain
        self._woven: tuple[tuple[int, str], ...] = ()
        self._descriptors: dict[tuple[str, int], object] = {}
        self._record: Callable[[Sequence[object]], list[object]] | None = None
        self._metas: Metas = ()
        self._makers: dict[str, Callable[[int], object]] = {}
        """What makes a descriptor for another address, by array; empty where Triton makes them in a way that is not known."""

    def knows(self, addresses: Mapping[str, int]) -> bool:
        """Tell whether all descriptors for these addresses were made before, or can be made by themselves."""
        descriptors = self._descriptors
        for _, name in self._woven:
            if (name, addresses[name]) not in descriptors:
                if name not in self._makers:
                    return False
                self._keep({(name, addresses[name]): self._makers[name](addresses[name])})
        return not _heard()

    def __call__(self, addresses: Mapping[str, int], stream: int) -> None:
        """Submit to a stream of the current device."""
        given = self._template.copy()
        given[self._stream] = stream
        for index, name in self._plain:
            given[index] = addresses[name]
        descriptors = self._descriptors
        for index, name in self._woven:
            made = descriptors.get((name, addresses[name]))
            given[index] = self._makers[name](addresses[name]) if made is None else made  # another thread forgot it
        self._launch(*given)

    def step(self, arrays: Mapping[str, int]) -> tuple[object, ...] | None:
        """Return this launch as `native` takes it, `arrays` being the numbers of arrays there; None where it is not known how a descriptor is made."""
        if any(name not in self._makers for _, name in self._woven):
            return None
        plain = tuple((index, arrays[name]) for index, name in self._plain)
        kept: Mapping[str, dict[int, object]] = {name: {} for _, name in self._woven}
        woven = tuple((index, arrays[name], kept[name], self._makers[name]) for index, name in self._woven)
        return self._launch, tuple(self._template), self._stream, plain, woven

    def describe(self, woven: Slots, record: Callable[[Sequence[object]], list[object]], metas: Metas = ()) -> None:
        """Say where descriptors stand, what makes all of them, and what each is made by, with its place among a call's arguments."""
        self._woven, self._record, self._metas = woven, record, metas

    def learn(self, addresses: Mapping[str, int], given: Sequence[object]) -> None:
        """Keep the descriptors of tensors at addresses, and how they are made for others."""
        if self._record is None or self.knows(addresses):
            return
        made = self._record(given)
        self._keep({(name, addresses[name]): made[index] for index, name in self._woven})
        for (_, name), (make, meta, place) in zip(self._woven, self._metas, strict=False):
            self._makers[name] = _maker(make, meta, given[place])

    def _keep(self, made: dict[tuple[str, int], object]) -> None:
        if len(self._descriptors) >= _MOST_DESCRIPTORS:
            self._descriptors = {}
        self._descriptors.update(made)


def of(compiled: Any, grid: tuple[int, ...], given: Sequence[object], plain: Slots, woven: Slots) -> Straight | None:  # noqa: ANN401
    """Return a compiled kernel's launch by addresses; None where its launcher is not as this module knows it.

    `given` are arguments of a call; at the places of `plain` addresses stand, at those of `woven` descriptors.
    """
    launcher = getattr(compiled, _HELD, None)
    launch = _bottom(launcher)
    if launch is None or _heard() or _scratch(launcher):
        return None

    def record(arguments: Sequence[object]) -> list[object]:
        marked = list(arguments)
        for number, (index, _) in enumerate(plain):
            marked[index] = _MARK + number
        return _recorded(compiled, launcher, grid, marked)

    try:
        template = _unheard(record(given))
        stream = _found(template, _MARK - 1)
        places = tuple((_found(template, _MARK + number), name) for number, (_, name) in enumerate(plain))
    except (ValueError, TypeError, AttributeError):
        return None
    kinds = [index for index, argument in enumerate(template) if _is_descriptor(argument)]
    if len(kinds) != len(woven):
        return None
    made = Straight(launch, template, stream, places)
    places = tuple((index, name) for index, (_, name) in zip(kinds, woven, strict=True))
    made.describe(places, record, _metas(launcher, [index for index, _ in woven]))
    return made


class _Address:
    """Stands for a tensor of which only the address is asked for."""

    __slots__ = ("_address",)

    def __init__(self, address: int) -> None:
        self._address = address

    def data_ptr(self) -> int:
        """Return it, as a tensor does."""
        return self._address


def _maker(make: Callable[[object, object], Sequence[object]], meta: object, like: Any) -> Callable[[int], object]:  # noqa: ANN401
    """Return what makes the descriptor of a tensor like that of `like`, Triton's description, at another address."""
    fields = {name: value for name, value in vars(like).items() if name != "base"}

    def made(address: int) -> object:
        return make(SimpleNamespace(base=_Address(address), **fields), meta)[0]

    return made


def _metas(launcher: Any, places: Sequence[int]) -> Metas:  # noqa: ANN401 - Triton's
    """Return what the function around the function in C makes descriptors by, for the arguments at `places`; empty where it is another.

    To go through Triton's launcher for a descriptor takes ten times as long, and eager calls meet new addresses often.
    """
    launch = launcher.launch
    cells = dict(zip(_closed_over(launch), getattr(launch, "__closure__", None) or (), strict=False))
    make = getattr(launch, "__globals__", {}).get(_MAKE)
    if make is None or _METAS not in cells:
        return ()
    metas = cells[_METAS].cell_contents
    if not isinstance(metas, Sequence) or len(metas) != len(places) or None in metas:
        return ()
    return tuple((make, meta, place) for meta, place in zip(metas, places, strict=True))


def _recorded(compiled: Any, launcher: Any, grid: tuple[int, ...], given: Sequence[object]) -> list[object]:  # noqa: ANN401 - Triton's
    """Return what reaches the function in C, which is not called. Raises ValueError where nothing does.

    It is taken from copies, since other threads may launch the same kernel meanwhile.
    """
    met: list[list[object]] = []
    double, twin = copy(launcher), copy(compiled)
    double.launch = _around(launcher.launch, lambda *arguments: met.append(list(arguments)))
    setattr(twin, _HELD, double)
    twin[grid](*given, stream=_MARK - 1)
    if len(met) != 1:
        raise ValueError("the launcher was not called once")
    return met[0]


def _around(launch: Any, other: Callable[..., object]) -> Callable[..., object]:  # noqa: ANN401
    """Return what stands around the function in C, if anything does, around another function."""
    names = _closed_over(launch)
    if _LAUNCHER not in names:
        return other
    cells = [
        CellType(other) if name == _LAUNCHER else cell for name, cell in zip(names, launch.__closure__, strict=True)
    ]
    return FunctionType(launch.__code__, launch.__globals__, launch.__name__, launch.__defaults__, tuple(cells))


def _bottom(launcher: object) -> Callable[..., object] | None:
    """Return the function in C; None where there is none."""
    launch: Any = getattr(launcher, "launch", None)
    names = _closed_over(launch)
    if _LAUNCHER in names:
        launch = launch.__closure__[names.index(_LAUNCHER)].cell_contents
    return launch if isinstance(launch, BuiltinFunctionType) else None


def _closed_over(launch: object) -> tuple[str, ...]:
    return getattr(getattr(launch, "__code__", None), "co_freevars", ())


def _scratch(launcher: object) -> bool:
    """Tell whether a launch takes memory beyond its arguments."""
    return any(getattr(launcher, f"{kind}_scratch_size", 0) for kind in ("global", "profile"))


def _heard() -> bool:
    """Tell whether somebody listens to launches."""
    first, last = _hooks()
    return bool(
        (first is not None and getattr(first, "calls", True)) or (last is not None and getattr(last, "calls", True))
    )


def _hooks() -> tuple[object, object]:
    runtime = _runtime()
    return runtime.launch_enter_hook, runtime.launch_exit_hook


def runtime() -> object:
    """Return what holds Triton's listeners as ``launch_enter_hook`` and ``launch_exit_hook``."""
    return _runtime()


@cache
def _runtime() -> Any:  # noqa: ANN401 - Triton is imported where something was compiled
    from triton import knobs

    return knobs.runtime


def _unheard(given: list[object]) -> list[object]:
    """Return arguments without what is only for listeners, of whom there are none."""
    hooks = _hooks()
    return [
        None
        if argument is not None and (any(argument is hook for hook in hooks) or type(argument).__name__ == "LazyDict")
        else argument
        for argument in given
    ]


def _is_descriptor(argument: object) -> bool:
    return "tensormap" in type(argument).__name__.lower().replace("_", "")


def _found(given: Sequence[object], mark: int) -> int:
    """Return the one place of a mark. Raises ValueError."""
    places = [index for index, argument in enumerate(given) if type(argument) is int and argument == mark]
    if len(places) != 1:
        raise ValueError("a mark is not where it is expected")
    return places[0]
