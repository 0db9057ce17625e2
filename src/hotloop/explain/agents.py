"""Which of a machine's processors a kernel ran on: a list names all, the processor's own graphics and other cards included.

Tools number them in three ways: by the place in the machine (``Agent 4``, ``4``), by the place among those that a program sees (``Agent 1``),
and by kind (``GPU 0``). Where two ways lead to different processors, both may be meant.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace

from hotloop.profiles.profile import DeviceFact, Profile
from hotloop.targets.target import Target

_NAME = ("Name", "name")
_PRODUCT = ("Product_Name", "product_name", "Marketing Name")
_KIND = ("Agent_Type", "type", "Device Type")
_SEEN = "Logical_Node_Id"
_OF_KIND = "Logical_Node_Type_Id"
_LABEL = re.compile(r"(?P<kind>Agent|GPU)?[ -]?(?P<number>\d+)")


@dataclass(frozen=True, slots=True)
class _Agent:
    """One processor of a list."""

    device: str
    values: Mapping[str, str]

    def first(self, names: Collection[str]) -> str:
        return next((self.values[name] for name in names if name in self.values), "")

    @property
    def graphics(self) -> bool:
        kind = self.first(_KIND)
        return kind.upper() == "GPU" if kind else Target.of(self.first(_NAME)).amd


def narrowed(profile: Profile, used: Collection[str]) -> Profile:
    """Return what a profile says of the processors that a kernel ran on, where it lists several and tells which they are.

    Where no label fits (programs that see some of the processors number those), it may be any that runs kernels: what these
    differ in stays unknown, but the host's own cores have no say.
    """
    listed = [agent for agent in _agents(profile) if agent.graphics]
    meant = [agent for agent in listed if any(_is(agent, listed, label) for label in used)] or listed
    if not meant:
        return profile
    targets = {name for agent in meant if Target.of(name := agent.first(_NAME)).amd}
    products = {agent.first(_PRODUCT) for agent in meant}
    kept = {agent.device for agent in meant} | ({""} if "" not in {agent.device for agent in listed} else set())
    return replace(
        profile,
        facts=tuple(fact for fact in profile.facts if fact.device in kept),
        architecture=targets.pop() if len(targets) == 1 else profile.architecture,
        device_name=products.pop() or profile.device_name if len(products) == 1 else profile.device_name,
    )


def _agents(profile: Profile) -> Iterator[_Agent]:
    grouped: dict[str, list[DeviceFact]] = {}
    for fact in profile.facts:
        grouped.setdefault(fact.device, []).append(fact)
    for device, facts in grouped.items():
        yield _Agent(device, {fact.name: fact.value for fact in facts})


def _is(agent: _Agent, listed: list[_Agent], label: str) -> bool:
    """Tell whether a kernel's label of its processor can mean this one; lists of other tools number by rules of their own."""
    if agent.device == label:
        return True
    match = _LABEL.fullmatch(label)
    if match is None:
        return False
    if match["kind"] == "GPU":
        return agent.values.get(_OF_KIND, str(listed.index(agent))) == match["number"]
    if match["number"] == agent.values.get(_SEEN):
        return True
    return _SEEN in agent.values and agent.device == f"Agent {match['number']}"
