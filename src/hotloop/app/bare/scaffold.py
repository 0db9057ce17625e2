"""The kernel file that ``hotloop init --from kernel.cl`` writes: what was found in the text, to be corrected in Python."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.bare import kernel as bare
from hotloop.app.patience import LIMIT_S

if TYPE_CHECKING:
    from hotloop.app.bare.wish import Wish


def text(file: Path, entry: str, wish: Wish, folder: Path) -> tuple[Path, str]:
    """Return where the kernel file stands and what it says. Raises UsageError where sizes are missing, KernelFileError as `load`."""
    made = bare.load(file, entry, wish, LIMIT_S)
    inputs = made.inputs(made.problem, np.random.default_rng(0))
    outputs = tuple(made.reference(made.problem, inputs))
    arrays = {name: array for name, array in inputs.items() if isinstance(array, np.ndarray)}
    path = folder / f"{_word(entry or file.stem)}.py"
    source = os.path.relpath(file.resolve(), folder.resolve())
    return path, _written(source, entry, wish, dict(made.problem.sizes), arrays, outputs)


def _word(name: str) -> str:
    word = "".join(letter if letter.isalnum() else "_" for letter in name)
    return f"k{word}" if word[:1].isdigit() else word


def _written(
    source: str,
    entry: str,
    wish: Wish,
    sizes: Mapping[str, object],
    arrays: Mapping[str, np.ndarray[tuple[int, ...], np.dtype[np.generic]]],
    outputs: tuple[str, ...],
) -> str:
    values = {name: value for name, value in wish.sizes.items() if name not in sizes} | dict(sizes)
    rows = [f'    "{source}",', f"    entry={entry!r},"] if entry else [f'    "{source}",']
    rows.append(f"    sizes={ {name: _number(value) for name, value in values.items()}!r},")
    if wish.launches:
        rows.append(f"    launches={wish.order!r},")
    for option, given in (("global_size", wish.globals), ("local_size", wish.locals)):
        if given:
            rows.append(f"    {option}={_geometry(given)!r},")
    if wish.options:
        rows.append(f"    options={wish.options!r},")
    parameters = ", ".join((*(name for name in sizes if name.isidentifier()), *arrays))
    first = next(iter(arrays), "x")
    lines = [
        f"#   {name:12} {array.size} × {array.dtype}{', written' if name in outputs else ''}"
        for name, array in arrays.items()
    ]
    return "\n".join(
        (
            f'"""{source}, as hotloop init --from found it. Try: hotloop check, then hotloop optimize with this file."""',
            "",
            "import hotloop as hl",
            "",
            "# Its arrays at these sizes; the text's own bounds say how long they are:",
            *lines,
            "#",
            "# What is right is the text itself in double precision. To say it yourself, define and name below",
            f"#   def reference({parameters}): return dict({outputs[0] if outputs else 'y'}=...)",
            "# and for inputs that mean something (indices, labels, ranges)",
            f"#   def inputs(p, rng): return dict({first}=rng.standard_normal({arrays[first].size if arrays else 'p.n'}))",
            "",
            f"{_word(entry or Path(source).stem)} = hl.source(",
            *rows,
            "    # reference=reference,",
            "    # inputs=inputs,",
            ")",
            "",
        )
    )


def _number(value: object) -> object:
    """Return a size as it is written: a number that a person named as a number."""
    text = str(value)
    return int(text) if text.isdigit() else value


def _geometry(given: Mapping[str, str]) -> str:
    return given["*"] if set(given) == {"*"} else " ".join(f"{name}={shape}" for name, shape in given.items())
