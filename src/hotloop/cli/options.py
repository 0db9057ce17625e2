"""Options that several verbs share, and how their values become requests."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

    from hotloop.app.session import Options

F = TypeVar("F", bound=Callable[..., Any])


def _families(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete family names, then files."""
    from click.shell_completion import CompletionItem

    from hotloop.app.userfile import families

    found = [CompletionItem(name) for name in families() if name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


kernel = click.argument("kernel", metavar="KERNEL", shell_complete=_families)
"""A family of hotloop, or a Python file with a kernel (FILE.py or FILE.py:NAME)."""

shape = click.option(
    "--shape",
    default="",
    metavar="SHAPE",
    help="Sizes: MxNxK for gemm, name=value,... for any kernel. Default: the kernel's.",
)
as_json = click.option("--json", "as_json", is_flag=True, help="Print JSON on standard output.")
store = click.option(
    "--store",
    default="",
    metavar="FILE|URL",
    help="Store of results (default: HOTLOOP_STORE, else the user's data folder).",
)
seed = click.option("--seed", default=1, show_default=True, help="Seed of inputs and of the search.")


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
        default=60.0,
        show_default=True,
        metavar="SECONDS",
        help="Wall-clock limit for one compilation or run.",
    )(function)


def options(device: str = "", limit_s: float = 60.0, store: str = "", seed: int = 1) -> Options:
    """Return what a session needs."""
    from hotloop.app.session import Options

    return Options(device=device, limit_s=limit_s, store=store, seed=seed)


def assignments(pairs: tuple[str, ...]) -> dict[str, bool | int | float | str]:
    """Return ``NAME=VALUE`` texts as a mapping, numbers as numbers. Raises click.BadParameter."""
    values: dict[str, bool | int | float | str] = {}
    for pair in pairs:
        name, equals, text = pair.partition("=")
        if not equals or not name:
            raise click.BadParameter(f"{pair!r} is not NAME=VALUE")
        values[name] = scalar(text)
    return values


def scalar(text: str) -> int | float | str:
    """Return a number where the text is one.

    >>> scalar("8"), scalar("0.5"), scalar("abc")
    (8, 0.5, 'abc')
    """
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            continue
    return text
