"""How many processes compile ahead."""

import pytest

from hotloop.backends.null import DEVICE
from hotloop.engine import ahead


@pytest.mark.parametrize(("cores", "begun"), [(16, 11), (10, 6), (2, 1), (64, 16)])
def test_three_quarters_of_the_cores_compile_beside_a_measurement_and_all_of_these_are_loaded_early(
    tmp_path, monkeypatch, cores, begun
):
    asked = []
    made = ahead.Ahead("", {}, "", tmp_path, 1.0, cores, DEVICE)
    monkeypatch.setattr(ahead.Ahead, "_warmed", lambda _self, language: asked.append(language))
    made.warm("triton")
    made._pool.shutdown(wait=True)
    made.close()
    assert asked == ["triton"] * begun
