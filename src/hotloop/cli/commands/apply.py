"""``hotloop apply``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from hotloop.cli import idle, options

if TYPE_CHECKING:
    from hotloop.app.run.kept.patch import Patch

EPILOG = """\b
Examples:
  hotloop apply 3f2a91c0 > faster.patch    what a run made of a source, as a unified diff of it
  hotloop apply 3f2a91c0 --write           change the source itself
  hotloop apply 3f2a91c0,77d01be2 --write  the winners of several kernels, also of one file
  hotloop apply 3f2a91c0 --write --host-changed   where the program must launch it otherwise, and does
  hotloop apply 3f2a91c0 --check           exit code 0 while the patch fits the source or is in it, 1 when it changed since
  hotloop apply 3f2a91c0 --check -- python program.py   run it in two copies of its folder, one patched: 1 when it ends otherwise
\b
RUN is the identity that `hotloop history` lists, of a run of `hotloop optimize kernel.cl`. How the host must launch
the changed kernels (sizes, groups, fewer launches) is said on standard error.
"""


@click.command("apply", epilog=EPILOG)
@click.argument("run")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--check", "only_check", is_flag=True, help="Only say whether the source still is what was optimized.")
@click.option("--write", is_flag=True, help="Write the source instead of printing the diff.")
@click.option(
    "--host-changed", is_flag=True, help="Write a text that the program must launch otherwise: it does so by now."
)
@options.store
@options.as_json
def COMMAND(
    run: str,
    command: tuple[str, ...],
    only_check: bool,
    write: bool,
    host_changed: bool,
    store: str,
    as_json: bool,
) -> int:
    """Print the changes that RUN found for a user's own source, as a patch; with --check, try COMMAND with them."""
    from hotloop.app.run.kept import patch as patches
    from hotloop.app.run.kept import together
    from hotloop.app.session import Options, open_store
    from hotloop.captures import whole
    from hotloop.cli import output
    from hotloop.errors import UsageError
    from hotloop.model.codec import encode

    idle.one_of("only_check", "write")
    if host_changed and not write:
        raise UsageError("--host-changed says that a text may be written; give --write, too.")
    if command and not only_check:
        raise UsageError("a command behind -- is tried with --check; hotloop adopt runs it with the winner.")
    with open_store(Options(store=store), read_only=True) as opened:
        left = [patches.read(opened, name) for name in run.split(",") if name]
    if not left:
        raise UsageError(f"{run} names no run: give one that hotloop history lists.")
    parts = [one.part for one in left if one.part is not None]
    patch = together.joined(left).fitted
    applied = patch.applied
    fits = patch.stands or applied
    if patch.stands and write and patch.diff:
        if patch.asks and not host_changed:
            raise UsageError(_asked(patch))
        patch.write()
    if command and patch.stands and patch.diff:
        return _tried(patch, command)
    if as_json:
        output.emit(
            {
                "path": patch.path,
                "files": [one.path for one in (patch, *patch.host) if one.before != one.after],
                "fits": fits,
                "applied": patch.applied,
                "diff": patch.diff,
                "launches": list(patch.launches),
                "asks": patch.asks,
                "whole": encode(whole.predicted(parts)) if parts else None,
            }
        )
        return 0 if fits else 1
    if not fits:
        changed = next((one.path for one in (patch, *patch.host) if not one.as_before), patch.path)
        return _misfit(changed, only_check=only_check)
    if patch.idle:
        output.note(f"{patch.path}: nothing that was tried is faster, so there is nothing to change")
    elif only_check or (write and applied):
        output.note(f"{patch.path} {'is patched already' if applied else 'is what was optimized'}")
    else:
        _told(patch, write=write)
        if predicted := whole.sentence(parts):
            output.note(predicted)
    return 0


def _tried(patch: Patch, command: tuple[str, ...]) -> int:
    """Run a program as it is and patched, in copies of its folder; return 0 where both end alike."""
    from hotloop.app.capture import tried
    from hotloop.cli import output

    found = tried.tried(patch, command)
    output.note(found.words)
    return 0 if found.before == found.after else 1


def _misfit(path: str, *, only_check: bool) -> int:
    """Say why a run's changes do not fit. Raises UsageError where they were asked for."""
    from hotloop.cli import output
    from hotloop.errors import UsageError

    text = _unfit(path)
    if not only_check:
        raise UsageError(text)
    output.note(text)
    return 1


def _told(patch: Patch, *, write: bool) -> None:
    """Print a patch, or that it was written, and what goes with it."""
    from hotloop.cli import output

    if not patch.diff:
        output.note(f"{patch.path}: its text stays as it is")
    elif write:
        output.note(f"wrote {patch.path}")
    else:
        click.echo(patch.diff.encode("utf-8", "surrogateescape"), nl=False)
    for sentence in patch.launches:
        output.note(sentence)
    for place in _places(patch) if patch.asks else ():
        output.note(f"launched at {place}")
    output.note(patch.speedup)


def _places(patch: Patch) -> list[str]:
    """Return where the program seems to launch the kernel."""
    from hotloop.captures import home

    return home.launches(Path(patch.path), patch.adoption.entry) if patch.adoption is not None else []


def _asked(patch: Patch) -> str:
    """Return why a text is not written, and what to do: the host would launch it as it launches the one before."""
    there = "; ".join(_places(patch))
    where = f" It is launched at {there}." if there else ""
    return (
        f"nothing was written to {patch.path}, for with this text the program must change, too: {'; '.join(patch.launches)}."
        f"{where} Change that first, then give --host-changed."
    )


def _unfit(path: str) -> str:
    """Return why a run's changes do not fit, and what to do: a sentence."""
    if not Path(path).exists():
        return f"there is no file {path} any more: bring it back, or optimize it again where it is now."
    return f"{path} has changed since the run: optimize it again, or bring back the text that was optimized."
