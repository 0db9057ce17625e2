"""Options that several verbs share, and their conversion into requests."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from math import inf, isfinite, nan
from typing import TYPE_CHECKING, Any, TypeVar

import click

from hotloop.cli import idle, output
from hotloop.cli.words import files, subject

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from hotloop.app.bare.wish import Wish
    from hotloop.app.session import Options
    from hotloop.app.spec import Spec

F = TypeVar("F", bound=Callable[..., Any])


kernel = subject("kernel", metavar="KERNEL")
"""A family of hotloop, or a Python file with a kernel (FILE.py or FILE.py:NAME)."""

maybe_kernel = subject("kernel", metavar="[KERNEL]", default="")
"""The same, for verbs that can do without."""

shape = click.option(
    "--shape",
    default="",
    metavar="SHAPE",
    help="Sizes: MxNxK for gemm, name=value,... for any kernel. Default: the kernel's.",
)
processor = click.option("--target", required=True, metavar="NAME", help="Processor, e.g. gfx942, gfx1100, sm_90.")


class Whole(click.IntRange):
    """A whole number within a range; click's own words for it, an integer range, say less."""

    name = "whole number"

    def get_metavar(self, param: click.Parameter, ctx: click.Context | None = None) -> str:  # noqa: ARG002 - click's
        """Return what help shows for the value."""
        return "NUMBER"


chip = click.option("--chip", default="", metavar="NAME", help="With --target: the chip as sold, e.g. MI300A.")
no_peers = click.option("--no-peers", is_flag=True, help="Do not compare with other libraries.")
fresh = click.option("--fresh", is_flag=True, help="Do not continue an unfinished run of the same request.")


def _hush(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    """Remember the wish where whatever shows progress asks for it: no verb passes it on."""
    ctx.meta[output.QUIET] = value


quiet = click.option("--quiet", "-q", is_flag=True, expose_value=False, callback=_hush, help="No progress.")
only_kernel = click.option("--kernel", default="", metavar="NAME", help="Only this kernel of several.")
wave = click.option("--wave", type=int, default=None, help="Wave size on RDNA, 32 or 64.")
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
store = click.option(
    "--store",
    default="",
    metavar="FILE|URL",
    shell_complete=files,
    help="Store of results (default: HOTLOOP_STORE, else the user's data folder).",
)
seed = click.option(
    "--seed",
    type=Whole(min=0),
    default=None,
    help="Seed of inputs and search. Default: a secret one for the inputs, told afterwards.",
)


known_seed = click.option(
    "--seed",
    type=Whole(min=0),
    default=1,
    show_default=True,
    help="Seed of inputs, which nobody has to guess.",
)


class Positive(click.ParamType[float]):
    """A finite number above zero, and below `most` if that is given."""

    name = "number"

    def __init__(self, most: float = inf) -> None:
        self._most = most

    def convert(self, value: object, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number, or fail with what it must be."""
        try:
            number = float(str(value))
        except ValueError:
            number = nan
        if not 0 < number < self._most:
            limit = f" and below {self._most:g}" if self._most < inf else ""
            self.fail(f"{value} is not a number above 0{limit}", param, ctx)
        return number


SECONDS = Positive(most=1e9)  # 30 years: what the operating system waits has an end of its own, some 300 years


class Finite(click.FloatRange):
    """A number within a range, and none of those that no comparison holds for."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:  # noqa: ANN401 - click's
        """Return the number, or fail with what it must be."""
        number = float(super().convert(value, param, ctx))
        if not isfinite(number):
            self.fail(f"{value} is no finite number", param, ctx)
        return number


def size(_ctx: click.Context, param: click.Parameter, value: str | None) -> int | None:
    """Return a number of bytes, given as 23552 or 23k; None where the option is absent."""
    from hotloop import units

    if value is None:
        return None
    try:
        number = units.parse_bytes(value)
    except (ValueError, OverflowError):
        number = -1
    if number < 0:
        raise click.BadParameter(f"{value!r} is not a size; write bytes such as 23552 or 23k", param=param)
    return number


def dynamic_lds(default: str | None) -> Callable[[F], F]:
    """Return the option for local memory whose size only the launch knows; default None: unknown."""
    text = "Local memory that the launch adds, e.g. 32k."
    return click.option("--dynamic-lds", callback=size, default=default, metavar="SIZE", help=text)


mode = click.option(
    "--mode",
    type=click.Choice(("rotated", "cold", "hot")),
    default="rotated",
    show_default=True,
    help="Caches when a call is timed: inputs rotate beyond them, they are emptied before each call (GPU, CUDA and HIP), or "
    "every call finds its inputs there.",
)
objective = click.option(
    "--objective",
    type=click.Choice(("time", "energy", "edp")),
    default="time",
    show_default=True,
    help="What a candidate must have less of: time, joules of a call, or joules times seconds, where the device counts energy.",
)
loss = click.option(
    "--accuracy-loss",
    "loss",
    type=Finite(min=1),
    default=None,
    metavar="FACTOR",
    help="Refuse what is within the tolerance, but with errors more than FACTOR times the start's (default: what the file says, else any).",
)
engine = click.option(
    "--engine",
    default="",
    metavar="gpus|ray|ray://HOST",
    help="gpus: all GPUs of this machine; ray: devices of a Ray cluster, the one that this machine belongs to, else one that starts by itself, or one elsewhere.",
)
"""The option of verbs that can use several devices, or a device elsewhere."""
margin = click.option(
    "--margin",
    type=Positive(most=1),
    default=0.02,
    show_default=True,
    help="Relative difference below which two variants are the same.",
)


def budget(default_s: float, what: str) -> Callable[[F], F]:
    """Return the option for the time that a run may take."""
    return click.option(
        "--budget",
        "budget_s",
        type=SECONDS,
        default=default_s,
        show_default=True,
        metavar="SECONDS",
        help=f"Wall time for {what}.",
    )


def bare(function: F) -> F:
    """Add what a bare source (kernel.cl) needs to be launched; the verb gets `bare`, to be given to `wish`."""
    rows = (
        (
            "--size",
            "bare_sizes",
            "NAME=VALUE",
            "A bare source's numbers: n=1024, its macros, elements of local or other arrays, what they hold (shape=values:64:32, column=below:n:nnz, start=rising:nnz, where=order:n).",
        ),
        (
            "--global",
            "bare_global",
            "[KERNEL=]N,M",
            "Work-items of a bare source's kernel, numbers or names of sizes, where its text does not bound them.",
        ),
        ("--local", "bare_local", "[KERNEL=]N,M", "Work-items of a group of a bare source's kernel."),
        ("--build-option", "bare_options", "OPTION", "Build option of a bare source, e.g. -DTILE=16; repeatable."),
    )
    for flag, name, metavar, text in reversed(rows):
        function = click.option(flag, name, multiple=True, metavar=metavar, help=text)(function)
    text = "A bare source's launches in order, e.g. 'init k=0:n(scale update)' for a loop of the host."
    function = click.option("--launches", "bare_launches", default="", metavar="TEXT", help=text)(function)
    text = "What a bare source or a captured kernel computes, in NumPy or PyTorch. Default: its own text in double precision."
    return click.option("--reference", "bare_reference", default="", metavar="MODULE:FUNCTION", help=text)(function)


def wish(given: dict[str, Any]) -> Wish:
    """Take the values of `bare` out of a verb's options and return what they name."""
    from hotloop.app.bare.wish import wish as read

    names = ("bare_sizes", "bare_launches", "bare_global", "bare_local", "bare_options", "bare_reference")
    sizes, launches, global_sizes, part, build, reference = (given.pop(name) for name in names)
    return read(sizes, launches, global_sizes, part, build, reference)


def stored(wanted: Iterable[Spec]) -> None:
    """Refuse ``--store`` where no variant is looked up in it. Raises click.UsageError."""
    if not any(spec.best for spec in wanted):
        idle.refuse("is where KERNEL@best is looked up: ask for that, or leave it out.", "store")


def machine(function: F) -> F:
    """Add the options that choose where and how candidates run."""
    function = click.option(
        "--device",
        default="",
        metavar="NAME",
        help="Part of a device's or runtime's name (default: HOTLOOP_DEVICE, else the best).",
    )(function)
    return click.option(
        "--limit",
        "limit_s",
        type=SECONDS,
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Wall-clock limit for one compilation or run, and for one call of a kernel file's functions.",
    )(function)


def session(*, stored: bool = True) -> Callable[[Callable[..., int]], Callable[..., int]]:
    """Add the options of a session (device, limit, store, seed) and pass them as one, ``chosen``; ``mode`` and ``engine`` go with them."""

    def add(function: Callable[..., int]) -> Callable[..., int]:
        @wraps(function)
        def asked(
            *,
            device: str,
            limit_s: float,
            seed: int | None,
            store: str = "",
            mode: str = "rotated",
            engine: str = "",
            objective: str = "time",
            loss: float | None = None,
            **rest: Any,  # noqa: ANN401 - the verb's own
        ) -> int:
            chosen = options(device, limit_s, store, seed, mode, engine, objective, loss)
            return function(chosen=chosen, **rest)

        return machine(store(seed(asked)) if stored else seed(asked))

    return add


def options(
    device: str = "",
    limit_s: float = 60.0,
    store: str = "",
    seed: int | None = 1,
    mode: str = "rotated",
    engine: str = "",
    objective: str = "time",
    loss: float | None = None,
) -> Options:
    """Return the options of a session; without `--seed` a secret seed is drawn, which no candidate can know."""
    from hotloop.app.session import Options
    from hotloop.model.energy import Objective

    aim = Objective(objective)
    if seed is None:
        import secrets  # takes longer to import than most commands need

        drawn = secrets.randbits(31)
        return Options(
            device=device,
            limit_s=limit_s,
            store=store,
            seed=drawn,
            secret=True,
            mode=mode,
            engine=engine,
            objective=aim,
            loss=loss,
        )
    return Options(
        device=device,
        limit_s=limit_s,
        store=store,
        seed=seed,
        search=seed,
        mode=mode,
        engine=engine,
        objective=aim,
        loss=loss,
    )


class Verb(click.Group):
    """Works on its first argument unless that is the name of a subcommand; a file of such a name is written ./NAME."""

    def make_context(
        self,
        info_name: str | None,
        args: list[str],
        parent: click.Context | None = None,
        **extra: Any,  # noqa: ANN401 - click's signature
    ) -> click.Context:
        """Hand over to the subcommand that the first argument names."""
        if args and args[0] in self.commands:
            return self.commands[args[0]].make_context(f"{info_name} {args[0]}", args[1:], parent, **extra)
        return super().make_context(info_name, args, parent, **extra)


def assignments(pairs: tuple[str, ...]) -> dict[str, bool | int | float | str]:
    """Return ``NAME=VALUE`` texts as a mapping, numbers as numbers. Raises click.BadParameter."""
    from hotloop.model.record import scalar

    values: dict[str, bool | int | float | str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
        if name in values:
            raise click.BadParameter(f"{name} is given twice")
        values[name] = scalar(text)
    return values


def predicted_only(target: str, chip: str, chosen: Options, pages: Mapping[str, str | None] | None = None) -> None:
    """Refuse a chip without its target, and with a target what only a measured run has. Raises click.UsageError."""
    if chip and not target:
        raise click.UsageError(f"--chip {chip} says which chip of a --target is meant; give --target NAME too.")
    measured = {
        "--device": chosen.device,
        "--engine": chosen.engine,
        "--mode": chosen.mode.replace("rotated", ""),
        "--objective": str(chosen.objective).replace("time", ""),
        "--accuracy-loss": chosen.loss,
        **{f"--{name}": path for name, path in (pages or {}).items()},
    }
    if target and (named := [option for option, value in measured.items() if value]):
        raise click.UsageError(
            f"with --target nothing runs on a device here: leave out {' and '.join(named)}, or leave out --target"
        )
