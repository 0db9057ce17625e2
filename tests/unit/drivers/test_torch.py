"""How a sample's calls are cut into graphs: nothing is lost, and few graphs serve all samples."""

from contextlib import nullcontext
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hotloop.drivers import torch
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


@pytest.mark.parametrize(
    ("stalls_ms", "tries", "told_ms"), [((), 1, 1.0), ((3.0,), 2, 1.0), ((3.0, 9.0), 3, 1.0), ((99.0,) * 9, 4, 79.0)]
)
def test_what_the_host_was_late_with_is_run_again_behind_a_longer_lead(monkeypatch, stalls_ms, tries, told_ms):
    """The device needs 1 ms for the calls, and waits for a host that stalls longer than it sleeps before."""
    clock, stalls, leads = [0.0], list(stalls_ms), []

    class Event:
        def __init__(self, **_given):
            pass

        def record(self):
            pass

        def synchronize(self):
            pass

        def elapsed_time(self, _end):
            return max(1.0, stalled[0] - leads[-1])

    stalled = [0.0]

    def sleep(cycles):
        leads.append(cycles / 2e6)

    def launch():
        stalled[0] = stalls.pop(0) if stalls else 0.0
        clock[0] += 1e6 * stalled[0]

    cuda = SimpleNamespace(Event=Event, _sleep=sleep)
    monkeypatch.setattr(torch, "load", lambda: SimpleNamespace(cuda=cuda))
    monkeypatch.setattr(torch.time, "perf_counter_ns", lambda: clock[0])
    line = torch.Timeline(graphs=False)
    idle = BoundProgram(line, [("", lambda: None)])
    line.add(BoundProgram(line, [("", launch)]))
    line.add(idle)
    monkeypatch.setattr(torch, "launching", lambda _kind: nullcontext())
    spent_ns, _ = line.run()
    assert len(leads) == tries
    assert spent_ns == pytest.approx(1e6 * told_ms, rel=0.01)


@pytest.mark.parametrize("calls", [1, 2, 3 * BLOCK])
def test_what_a_peer_returned_last_is_brought_to_where_it_is_looked_at(monkeypatch, calls):
    """Also of many calls, most of which are replays: timed peers were judged by what another input set had left there."""
    event = SimpleNamespace(record=lambda: None, synchronize=lambda: None, elapsed_time=lambda _end: 1.0)
    monkeypatch.setattr(
        torch,
        "load",
        lambda: SimpleNamespace(cuda=SimpleNamespace(Event=lambda **_given: event, _sleep=lambda _cycles: None)),
    )
    monkeypatch.setattr(torch, "launching", lambda _kind: nullcontext())
    line, returned, seen = torch.Timeline(graphs=False), {}, {}
    monkeypatch.setattr(line, "_graph", lambda part: SimpleNamespace(replay=lambda: None))
    line._capturing = True
    bound = [
        BoundProgram(line, [("", lambda n=n: returned.update({n: n}))], lambda n=n: seen.update({n: returned[n]}))
        for n in range(2)
    ]
    for number in range(calls):
        bound[number % 2].enqueue()
    bound[0].finish()
    assert seen == {(calls - 1) % 2: (calls - 1) % 2}


@pytest.mark.parametrize("status", [0, 1])
def test_pages_that_cannot_be_locked_leave_no_error_for_the_next_launch(monkeypatch, status):
    """CUDA keeps a refusal until somebody asks: the next kernel was called faulty where the arena lies on a disk."""
    kept = []

    def refuse(*_):
        kept.extend([status] * bool(status))
        return status

    def ones(count, device):
        if kept:
            kept.clear()
            raise RuntimeError("CUDA error: invalid argument")

    runtime = SimpleNamespace(cudaHostRegister=refuse, cudaHostUnregister=refuse)
    cuda = SimpleNamespace(is_initialized=lambda: True, cudart=lambda: runtime)
    monkeypatch.setattr(torch, "load", lambda: SimpleNamespace(cuda=cuda, ones=ones))
    for act in (torch.pin, torch.unpin):
        act(np.zeros(4096, np.uint8))
        assert not kept


@pytest.mark.parametrize(("hip", "limits"), [(None, (2**31 - 1, 65535, 65535)), ("7.0", ())])
def test_a_device_of_nvidia_takes_so_many_groups_along_each_dimension(hip, limits):
    properties = SimpleNamespace(
        name="G", gcnArchName="gfx942:sramecc+", major=9, minor=0, shared_memory_per_block=1, multi_processor_count=4, total_memory=1,
        L2_cache_size=1,
    )  # fmt: skip
    cuda = SimpleNamespace(get_device_properties=lambda index: properties)
    fake = SimpleNamespace(cuda=cuda, version=SimpleNamespace(hip=hip, cuda="13"), __version__="2")
    assert torch._facts(fake, 0, "triton", "Triton 3").grid_extents == limits
