"""``hotloop share``."""

from __future__ import annotations

from pathlib import Path

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop share 3f2a9c1e                            a module and its test, in the current folder
  hotloop share 3f2a9c1e --format hf-kernel -o k    a package that Hugging Face's kernels loads
\b
RUN is a run of optimize or tune as hotloop history names it. What is written needs no hotloop; it computes the tuned problem only,
and says where it comes from. Triton, Gluon, CUDA C++ and OpenCL winners can be exported.
"""


@click.command("share", epilog=EPILOG)
@click.argument("run", metavar="RUN")
@click.option(
    "--format",
    "form",
    type=click.Choice(["python", "hf-kernel"]),
    default="python",
    show_default=True,
    help="What to write.",
)
@click.option(
    "--output",
    "-o",
    "folder",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(),
    metavar="FOLDER",
    help="Where to write.",
)
@click.option("--no-test", is_flag=True, help="Write no test.")
@click.option("--force", is_flag=True, help="Replace files that are there.")
@options.store
@options.as_json
def COMMAND(run: str, form: str, folder: Path, no_test: bool, force: bool, store: str, as_json: bool) -> int:
    """Write the winner of RUN as code without hotloop, with licence, provenance and a test."""
    from hotloop.app.export import found, write
    from hotloop.cli import output

    made = found.found(run, options.options(store=store))
    paths = write.write(write.files(made, form, tested=not no_test), folder, force=force)
    if as_json:
        output.emit({"name": made.name, "files": [str(path) for path in paths], "provenance": dict(made.provenance)})
    else:
        click.echo("\n".join(f"wrote {path}" for path in paths))
    return 0
