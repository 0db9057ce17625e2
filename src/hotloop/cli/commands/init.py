"""``hotloop init``."""

from __future__ import annotations

from typing import Any

import click

from hotloop.cli import options

LANGUAGES = ("opencl", "cuda", "hip", "triton", "gluon")
"""What there are templates for; written down because listing a folder would slow every command's start."""
ELSEWHERE = {"cuda": "sm_90", "hip": "gfx942", "triton": "gfx942", "gluon": "sm_90"}
"""Languages of GPUs, with a processor to compile them for where there is none."""
EPILOG = """\b
Examples:
  hotloop init                       write kernel.py and kernel.cl here
  hotloop init --language cuda       write kernel.py and kernel.cu
  hotloop init --language triton     write kernel.py, kernel included
  hotloop init --name blur src/      write src/blur.py and src/blur.cl
  hotloop init && hotloop optimize kernel.py
  hotloop init --from blur.cl --size n=1024      write blur.py about a source of yours
"""


@click.command("init", epilog=EPILOG)
@click.argument("folder", type=click.Path(file_okay=False), default=".")
@click.option("--name", default="kernel", show_default=True, help="Name of the kernel and its files.")
@click.option(
    "--language", type=click.Choice(LANGUAGES), default="opencl", show_default=True, help="Language of the kernel."
)
@click.option("--force", is_flag=True, help="Overwrite existing files.")
@click.option(
    "--from",
    "origin",
    default="",
    metavar="FILE.cl[:KERNEL]",
    help="Write a kernel file about this OpenCL source instead.",
)
@options.bare
def COMMAND(
    folder: str,
    name: str,
    language: str,
    force: bool,
    origin: str,
    **others: Any,  # noqa: ANN401 - options that are made elsewhere
) -> int:
    """Write a small working kernel file to start from."""
    from pathlib import Path

    from hotloop.app import hint, scaffold
    from hotloop.cli import output
    from hotloop.errors import UsageError

    named = options.wish(others)
    if origin:
        context = click.get_current_context()
        for option in ("name", "language"):
            if context.get_parameter_source(option) is click.core.ParameterSource.COMMANDLINE:
                raise UsageError(
                    f"--{option} is not for --from: the file is named after its source, OpenCL C; leave it out."
                )
        from hotloop.app.bare import scaffold as found

        file, _, kernel = origin.partition(":")
        path, text = found.text(Path(file), kernel, named, Path(folder))
        scaffold.put({path: text}, overwrite=force)
        output.note(f"wrote {path}")
        output.note(f"next: {hint.command('check', str(path))} && {hint.command('optimize', str(path))}")
        return 0
    if not named.empty:
        raise UsageError("--size, --launches and the like are for --from FILE.cl.")
    written = scaffold.write(Path(folder), name, language, overwrite=force)
    for path in written:
        output.note(f"wrote {path}")
    file = str(written[0])
    output.note(f"next: {hint.command('check', file)} && {hint.command('optimize', file)}")
    if language in ELSEWHERE:
        output.note(f"without such a GPU: {hint.command('isa', file, '--target', ELSEWHERE[language])}")
    return 0
