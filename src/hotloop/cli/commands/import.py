"""``hotloop import``."""  # noqa: N999 - the verb is what people call it

from __future__ import annotations

from pathlib import Path

import click

from hotloop.cli import options

EPILOG = """\b
Examples:
  hotloop import cache.json                            what a file of another tool holds
  hotloop import cache.json.gz --kernel my_kernel.py   keep it: searches of this kernel begin with what it says
  hotloop import results.json --kernel gemm --shape 512x512x512 --json
\b
Formats: Kernel Tuner's caches, T1 spaces, T4 results, CLBlast tuners' results, fused-MoE configurations of vLLM and SGLang,
TunableOp results. Imported times order what a search tries first; no verdict rests on them. See docs/interop.md.
"""


@click.command("import", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, type=click.Path(path_type=Path), metavar="FILE...")
@click.option(
    "--kernel", default="", metavar="KERNEL", help="Keep the results as this kernel's; else they are only shown."
)
@click.option("--shape", default="", metavar="SIZES", help="Sizes that they were measured on (default: the kernel's).")
@options.store
@options.as_json
def COMMAND(files: tuple[Path, ...], kernel: str, shape: str, store: str, as_json: bool) -> int:
    """Read results of other tools and store them for one of your kernels."""
    from dataclasses import asdict

    from hotloop.app.interop import exchange
    from hotloop.cli import output, tables

    seen = exchange.bring(files, kernel, shape, options.options(store=store))
    output.emit([asdict(row) for row in seen]) if as_json else output.show(tables.imported(seen))
    return 0
