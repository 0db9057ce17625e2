"""How a sample's calls are cut into graphs: nothing is lost, and few graphs serve all samples."""

from hypothesis import given
from hypothesis import strategies as st

from hotloop.drivers.torch import BLOCK, BoundProgram, blocks, matches
from hotloop.model.device import Device


def rotation(sets):
    return [BoundProgram(None, ()) for _ in range(sets)]


def sample(sets, first, calls):
    return [sets[(first + call) % len(sets)] for call in range(calls)]


@given(st.integers(1, 70), st.integers(0, 200), st.integers(1, 600))
def test_every_call_is_run_once_and_in_order(sets, first, calls):
    asked = sample(rotation(sets), first, calls)
    assert [call for part in blocks(asked) for call in part] == asked


@given(st.integers(1, 70), st.integers(200, 600))
def test_samples_that_begin_elsewhere_share_their_graphs(sets, calls):
    contenders = rotation(sets)
    graphs = set()
    for first in range(2 * sets):
        parts = [tuple(part) for part in blocks(sample(contenders, first, calls)) if len(part) > 1]
        assert sum(map(len, parts)) >= calls - 2 * (sets + BLOCK)
        graphs |= set(parts)
    assert len(graphs) <= max(1, -(-sets // BLOCK))
    assert all(len(graph) <= 2 * BLOCK for graph in graphs)


def test_few_calls_and_calls_without_a_rotation_are_launched_one_by_one():
    one, other = rotation(2)
    assert all(len(part) == 1 for part in blocks([one, other] * 8))
    assert all(len(part) == 1 for part in blocks([one] * 20 + [other] * 20))


def test_a_device_is_chosen_by_key_or_runtime():
    device = Device(
        name="NVIDIA H200", kind="gpu", backend="triton", runtime="Triton 3.6.0, PyTorch 2.11", runtime_key="cuda"
    )
    assert all(matches(device, text) for text in ("", "h200", "cuda", "triton 3.6"))
    assert not matches(device, "intel")
