"""``hotloop export``."""

from __future__ import annotations

import click

from hotloop.cli import destination, idle, options, words

EPILOG = """\b
Examples:
  hotloop export 3f2a91c0 --to kernel-tuner -o cache.json    the trials of a run, see hotloop history
  hotloop export 3f2a91c0 --to t4                            the same on standard output
  hotloop export cache.json --to clblast -o clblast_xgemm.json   a file of another tool
\b
A winner as code without hotloop: hotloop share RUN --format python|hf-kernel
\b
Formats: clblast, fused-moe, kernel-tuner, t1, t4, tunableop. A file that is written in its own format says the same as before.
"""


@click.command("export", epilog=EPILOG)
@words.subject("source", metavar="RUN|FILE")
@click.option("--format", "form", default="", hidden=True, help="An option of share, which is named when it is given.")
@click.option("--to", default="", metavar="FORMAT", help="Format to write, e.g. kernel-tuner.")
@click.option("-o", "--output", default="", callback=destination.writable, metavar="FILE", help="Write here.")
@options.store
def COMMAND(source: str, form: str, to: str, output: str, store: str) -> int:
    """Write a stored run, or convert a file of another tool, in another tool's format."""
    from hotloop.app.interop import exchange
    from hotloop.cli import pages
    from hotloop.errors import UsageError

    if form:
        raise UsageError(
            f"export writes measurements; to write the winner of {source} as code: hotloop share {source} --format {form}."
        )
    if not to:
        raise UsageError("say with --to in which tool's format to write; to write a winner as code: hotloop share RUN.")
    idle.overwriting(("output",))
    text = exchange.send(source, to, options.options(store=store))
    if not output:
        click.echo(text, nl=not text.endswith("\n"))
        return 0
    pages.save(output, text)
    return 0
