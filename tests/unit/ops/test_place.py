"""Devices of tensors, and the store's winners for them, without PyTorch."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest

from hotloop.dispatch.choice import Origin
from hotloop.kernels.conv3d_depthwise import choosing as convolution
from hotloop.kernels.conv3d_depthwise.choosing import Convolution
from hotloop.kernels.conv3d_depthwise.cuda import space as cuda
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model.space import Config
from hotloop.ops import place
from hotloop.store import Store, Winner


@pytest.fixture(autouse=True)
def fresh():
    place.forget()
    yield
    place.forget()


def tensor(kind):
    return SimpleNamespace(device=SimpleNamespace(type=kind, index=None))


@pytest.mark.parametrize("kind", ["cpu", "meta", "xpu"])
def test_other_devices_say_where_the_tensors_are(kind):
    at = place.facts(tensor(kind), "triton")
    assert (at.obstacle, at.device.name) == (f"the tensors are on {kind}", kind)


def test_a_winner_of_a_real_store_decides(h200, tmp_path, monkeypatch):
    path = tmp_path / "store.sqlite"
    monkeypatch.setenv("HOTLOOP_STORE", str(path))
    h200 = replace(h200, backend="cuda")
    config = cuda.NAIVE.replace(RUNG="strip", PLANES=5)
    with Store.open(path) as store:
        store.add_winner(
            Winner(
                family="conv3d_depthwise",
                problem=DEFAULT.key,
                sizes=Config(DEFAULT.sizes),
                device=h200.key,
                device_fingerprint=h200.fingerprint,
                implementation="cuda",
                config=config,
                call_ns=1e5,
            )
        )
    won = place.winners("conv3d_depthwise", h200)
    assert won.trouble == ""
    shape = Shape(1, 16, (11, 45, 80), (3, 5, 5), (0, 2, 2), dtype="float32")
    choice = convolution.choose(Convolution(shape), h200, won)
    assert (choice.origin, choice.config, choice.exact, choice.stale) == (Origin.STORE, config, True, "")
