"""Words that shells complete: families, verbs of verbs, techniques, files."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

F = TypeVar("F", bound=Callable[..., Any])


def _subjects(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of families and of a verb's own verbs; where none begins so, files."""
    from click.shell_completion import CompletionItem

    from hotloop.app.userfile import families

    verbs = ctx.command.commands if isinstance(ctx.command, click.Group) else ()
    items = [CompletionItem(name) for name in (*verbs, *families()) if name.startswith(incomplete)]
    return items or files(ctx, param, incomplete)


def files(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of files, for what may be one."""
    from click.shell_completion import CompletionItem

    return [CompletionItem(incomplete, type="file")]


def subject(name: str, **given: Any) -> Callable[[F], F]:  # noqa: ANN401 - click's
    """Return an argument that names a kernel, a listing or another file, which shells complete."""
    return click.argument(name, shell_complete=_subjects, **given)


def techniques(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Complete names of techniques."""
    from click.shell_completion import CompletionItem

    from hotloop.techniques import entries

    return [CompletionItem(name) for entry in entries.menu() if (name := entry.technique.name).startswith(incomplete)]
