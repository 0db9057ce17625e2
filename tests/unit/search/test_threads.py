from __future__ import annotations

from hotloop.search import threads
from hotloop.search.threads import single_threaded


def test_context_limits_and_restores():
    threadpoolctl = __import__("threadpoolctl")
    __import__("numpy").linalg.inv([[1.0]])

    def blas() -> set[int]:
        return {pool["num_threads"] for pool in threadpoolctl.threadpool_info() if pool["user_api"] == "blas"}

    before = blas()
    with single_threaded():
        with single_threaded():
            assert blas() == {1}
        assert blas() == {1}
    assert blas() == before


def test_absent_library_is_no_error(monkeypatch):
    monkeypatch.setattr(threads, "_controller", lambda: None)
    with single_threaded():
        pass
