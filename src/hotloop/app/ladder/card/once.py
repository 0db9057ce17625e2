"""Launches the rungs of a ladder once each under a profiler: ``python -m hotloop.app.ladder.card.once QUESTION.json``.

Only the second call of each rung lies between the profiler's start and stop; its name goes to the file that the question names.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from hotloop.app.ladder.card.child import Arrays, alone, drawn, opened


def main(path: str) -> None:
    """Launch what a file asks for."""
    asked = json.loads(Path(path).read_text())
    os.environ.update(asked["environment"])
    with alone():
        launch(asked)


def launch(asked: Mapping[str, Any]) -> None:
    """Launch every rung twice, the second time under the profiler's eyes."""
    torch, card = import_module("torch"), import_module(asked["card"])
    known: tuple[Any, Arrays] | None = None
    for rung in asked["rungs"]:
        if known is None or known[0] != rung["sizes"]:
            known = None  # the last inputs' memory is free before the next ones are made
            known = rung["sizes"], drawn(torch, card, rung["sizes"], 1)
        call = card.bind(opened(torch, rung["binary"]), rung["kernel"], rung["config"], rung["sizes"], known[1])
        call()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStart()
        call()
        torch.cuda.synchronize()
        torch.cuda.cudart().cudaProfilerStop()
        with Path(asked["done"]).open("a") as done:
            done.write(f"{rung['name']}\n")


if __name__ == "__main__":
    main(sys.argv[1])
