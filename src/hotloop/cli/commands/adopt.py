"""``hotloop adopt``."""

from __future__ import annotations

import click

from hotloop.cli import destination, options

EPILOG = """\b
Examples:
  hotloop adopt 3f2a91c0 -- python program.py     run it with what a run made of its kernel, its files unchanged
  hotloop adopt 3f2a91c0,77d01be2 -- python program.py     with the winners of several of its kernels
  hotloop adopt 3f2a91c0 --out faster.json        write that down, for HOTLOOP_ADOPT or another machine of the kind
  hotloop adopt 3f2a91c0 --check                  exit code 0 while its source still is what was optimized
\b
RUN is of `hotloop optimize CAPTURE`. The program's own kernel runs wherever its text, the device or the versions are others than
those on which the winner won; the reason is told once on standard error.
"""


@click.command("adopt", epilog=EPILOG)
@click.argument("run")
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.option("--out", default="", callback=destination.writable, metavar="FILE", help="Write the adoption there.")
@click.option("--check", "only_check", is_flag=True, help="Only say whether the source still is what was optimized.")
@options.store
def COMMAND(run: str, command: tuple[str, ...], out: str, only_check: bool, store: str) -> int:
    """Run COMMAND with its own kernel replaced by the winner of RUN; with RUN,RUN,... several kernels are replaced."""
    from pathlib import Path

    from hotloop.app.capture import adopt
    from hotloop.app.run.kept import patch as patches
    from hotloop.app.session import Options, open_store
    from hotloop.captures import whole
    from hotloop.cli import output
    from hotloop.errors import UsageError
    from hotloop.host import scratch

    names = [name for name in run.split(",") if name]
    if not names:
        raise UsageError(f"{run} names no run: give one that hotloop history lists.")
    with open_store(Options(store=store), read_only=True) as opened:
        adopted = [patches.read(opened, name) for name in names]
    made = [adopt.adoption(patch) for patch in adopted]
    if only_check:
        for patch in adopted:
            output.note(f"{patch.path} {'is what was optimized' if patch.stands else 'has changed since the run'}")
        return 0 if all(patch.stands for patch in adopted) else 1
    if not command and not out:
        raise UsageError(
            "name the program behind --, or a file with --out, e.g. hotloop adopt RUN -- python program.py."
        )
    if out:
        adopt.write(made, Path(out))
        output.note(f"wrote {out}")
    if predicted := whole.sentence([patch.part for patch in adopted if patch.part is not None]):
        output.note(predicted)
    if not command:
        return 0
    with scratch.folder() as folder:
        file = Path(folder) / "adoption.json"
        adopt.write(made, file)
        return adopt.run(command, file)
