"""The GPUs that this process may use, by the variable that gives one of them to another process."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from hotloop.host.profiling import NODES
from hotloop.host.turns import VISIBLE

_DEVICES = Path("/dev")


def visible(
    environment: Mapping[str, str], devices: Path = _DEVICES, nodes: Path = NODES
) -> tuple[str, tuple[str, ...]]:
    """Return the variable, and its value for each GPU: those that the environment names, else all that the system lists.

    NVIDIA's driver has a file ``nvidiaN`` for each; AMD's lists processors of which those with shader engines are GPUs.
    """
    for name in VISIBLE:
        if name in environment:
            return name, _named(environment[name])
    nvidia = sum(bool(re.fullmatch(r"nvidia\d+", file.name)) for file in devices.glob("nvidia*"))
    amd = 0 if nvidia else sum(map(_computes, nodes.glob("*/properties")))
    return VISIBLE[0 if nvidia else 1], tuple(map(str, range(nvidia or amd)))


def _named(value: str) -> tuple[str, ...]:
    """Return the GPUs that a variable names, as the drivers read it: up to the first that does not exist.

    >>> _named("2,0"), _named(""), _named("1,-1,0"), _named("GPU-8a, GPU-9b")
    (('2', '0'), (), ('1',), ('GPU-8a', 'GPU-9b'))
    """
    numbers = [word.strip() for word in value.split(",")]
    end = next((place for place, word in enumerate(numbers) if not word or word.startswith("-")), len(numbers))
    return tuple(numbers[:end])


def _computes(properties: Path) -> bool:
    try:
        return bool(re.search(r"^simd_count [1-9]", properties.read_text(encoding="utf-8"), re.MULTILINE))
    except OSError:
        return False
