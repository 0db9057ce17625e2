from __future__ import annotations

import time

from hotloop.app.run.inputs.stopwatch import Stopwatch


def test_what_others_have_of_a_processor_does_not_count():
    watch = Stopwatch()
    time.sleep(0.05)  # as on a machine where somebody else computes
    assert watch.took_s >= 0.05 > watch.alone_s("cpu")
    assert watch.alone_s("gpu") >= 0.05, "the device computes meanwhile"
    assert watch.alone_s("cpu", 1e-9) == 1e-9
