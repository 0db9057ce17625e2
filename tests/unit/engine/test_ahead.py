"""How many processes compile ahead, and who waits for their start."""

import threading

import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine import ahead


@pytest.mark.parametrize(("cores", "begun"), [(16, 13), (10, 7), (2, 1), (64, 16)])
def test_most_of_the_cores_compile_beside_a_measurement_and_all_of_these_are_loaded_early(
    tmp_path, monkeypatch, cores, begun
):
    asked = []
    made = ahead.Ahead("", {}, "", tmp_path, 1.0, cores, DEVICE)
    monkeypatch.setattr(ahead.Ahead, "_warmed", lambda _self, language: asked.append(language))
    made.warm("triton")
    made._pool.shutdown(wait=True)
    made.close()
    assert asked == ["triton"] * begun


@pytest.mark.parametrize(("language", "waits"), [("cuda", True), ("triton", False)])
def test_timings_wait_for_processes_that_open_the_device(tmp_path, monkeypatch, language, waits):
    made, go = ahead.Ahead("", {}, "", tmp_path, 1.0, 4, DEVICE), threading.Event()
    monkeypatch.setattr(ahead.Ahead, "_warmed", lambda *_: go.wait(20))
    made.warm(language)
    timing = threading.Thread(target=made.opened)
    timing.start()
    timing.join(0.05 if waits else 20)
    assert timing.is_alive() is waits
    go.set()
    timing.join()
    made.close()
