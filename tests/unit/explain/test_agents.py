"""Which of several processors a kernel ran on."""

import pytest

from hotloop.explain.agents import narrowed
from hotloop.profiles.profile import DeviceFact, Profile

CARDS = (
    ("Agent 0", {"Agent_Type": "CPU", "Logical_Node_Id": "0", "Name": "AMD Ryzen"}),
    ("Agent 3", {"Agent_Type": "GPU", "Logical_Node_Id": "1", "Name": "gfx1036", "Product_Name": "AMD Radeon Graphics", "Cu_Count": "2"}),
    ("Agent 4", {"Agent_Type": "GPU", "Logical_Node_Id": "2", "Name": "gfx1201", "Product_Name": "AMD Radeon RX 9070 XT", "Cu_Count": "64"}),
)  # fmt: skip


def listed(rename=str):
    facts = tuple(DeviceFact(device, rename(n), v) for device, values in CARDS for n, v in values.items())
    return Profile(tool="t", source="s", facts=facts)


@pytest.mark.parametrize("label", ["Agent 4", "Agent 2", "4", "2", "GPU 1"])
def test_a_kernels_processor_is_found_by_every_way_of_numbering(label):
    found = narrowed(listed(), {label})
    assert (found.architecture, found.device_name) == ("gfx1201", "AMD Radeon RX 9070 XT")
    assert {f.value for f in found.facts if f.name == "Cu_Count"} == {"64"}


def test_a_list_of_another_tool_may_number_otherwise():
    assert narrowed(listed(lambda name: "Place" if name == "Logical_Node_Id" else name), {"4"}).architecture is None


def test_databases_spell_the_names_otherwise():
    spelled = {"Agent_Type": "type", "Name": "name", "Product_Name": "product_name"}
    assert narrowed(listed(lambda name: spelled.get(name, name)), {"Agent 4"}).architecture == "gfx1201"


@pytest.mark.parametrize("used", [(), ("Agent 0",), ("Agent 9",), ("Agent 3", "Agent 4"), ("somewhere",)])
def test_what_may_be_either_stays_open(used):
    assert narrowed(listed(), used).architecture is None


@pytest.mark.parametrize("used", [(), ("Agent 9",)])
def test_the_hosts_cores_have_no_say_where_no_label_fits(used):
    """A list of an MI300A's agents: its CPU has other units, which left the chip's own unknown and an MI300X's peaks taken."""
    host = (DeviceFact("Agent 0", "Agent_Type", "CPU"), DeviceFact("Agent 0", "Cu_Count", "48"))
    gpu = (("Agent_Type", "GPU"), ("Name", "gfx942"), ("Product_Name", "AMD Radeon Graphics"), ("Cu_Count", "228"))
    facts = (*host, *(DeviceFact(f"Agent {n}", name, value) for n in (4, 5) for name, value in gpu))
    found = narrowed(Profile(tool="t", source="s", facts=facts), used)
    assert {fact.value for fact in found.facts if fact.name == "Cu_Count"} == {"228"}
    assert found.architecture == "gfx942"
