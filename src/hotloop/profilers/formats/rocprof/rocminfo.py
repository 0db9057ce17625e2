"""What ``rocminfo`` prints of each processor; rocprof v1 keeps it beside its results as ``*.sysinfo.txt``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from hotloop.profilers.source import lines, named
from hotloop.profiles.failure import ProfileError
from hotloop.profiles.profile import DeviceFact, Profile
from hotloop.targets.target import Target

_FIELD = re.compile(r"^  (?P<name>[A-Z][\w .()/-]*?):\s*(?P<value>\S.*?)\s*$")
_AGENT = re.compile(r"^Agent (?P<number>\d+)\s*$")
_KEPT: Final = frozenset(
    {"Name", "Marketing Name", "Device Type", "Max Clock Freq. (MHz)", "Compute Unit", "SIMDs per CU", "Shader Engines",
     "Wavefront Size", "Max Waves Per CU"}
)  # fmt: skip
_HEX = re.compile(r"\(0x[0-9a-f]+\)$")


def read(path: Path) -> Profile:
    """Return the facts of each GPU that the text lists. Raises ProfileError."""
    with lines(path) as text:
        agents = list(_agents(text))
    graphics = [agent for agent in agents if agent.get("Device Type") == "GPU"]
    if not graphics:
        raise ProfileError(f"{named(path)} lists no GPU: it says nothing of the device that was profiled.")
    facts = tuple(
        DeviceFact(f"Agent {number}", name, _HEX.sub("", value))
        for number, agent in enumerate(graphics)
        for name, value in agent.items()
    )
    targets, names = ({agent.get(field, "") for agent in graphics} for field in ("Name", "Marketing Name"))
    architecture = targets.pop() if len(targets) == 1 else ""
    return Profile(
        tool="rocminfo",
        source=path.name,
        format="list of processors (text)",
        architecture=architecture if Target.of(architecture).amd else None,
        device_name=names.pop() or None if len(names) == 1 else None,
        facts=facts,
    )


def _agents(text: Iterator[str]) -> Iterator[dict[str, str]]:
    """Yield the fields of each agent; of a field that is repeated further in, the first."""
    agent: dict[str, str] | None = None
    for line in text:
        if _AGENT.match(line):
            if agent:
                yield agent
            agent = {}
        match = _FIELD.match(line)
        if match and agent is not None and match["name"] in _KEPT:
            agent.setdefault(match["name"], match["value"])
    if agent:
        yield agent
