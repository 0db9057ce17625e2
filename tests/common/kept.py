"""Workers that outlive a desk, for tests of what commands say: starting one takes longer than most of them.

Tests of workers, of their start and of their end do not use this.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import pytest

from hotloop.app import session
from hotloop.app.session import Options
from hotloop.engine.local import LocalEngine
from hotloop.host import settings
from hotloop.ports import Dataset

IDLE_LIMIT_S = 60.0


class Kept(LocalEngine):
    """An engine that stays when its desk closes; what the desk laid out is discarded."""

    def __init__(self, environment: Mapping[str, str], *, confined: bool, witness: bool) -> None:
        super().__init__(environment, confined=confined, witness=witness)
        self.free = True
        self._names = set[str]()

    def taken(self, limit_s: float) -> Kept:
        """Return the engine as if it were new, but for its worker."""
        self.hand_over(limit_s)
        self.free = False
        return self

    def dataset(self, name: str, inputs: Any, outputs: Sequence[str], poison: int = 0) -> Dataset:
        self._names.add(name)
        return super().dataset(name, inputs, outputs, poison)

    def close(self) -> None:
        self.hand_over(IDLE_LIMIT_S)
        for name in self._names:
            self.discard(Dataset(name, ()))
        self._names.clear()
        self.free = True


@contextmanager
def engines(patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Have desks of this process take their engines from those that earlier ones have left."""
    made: dict[tuple[object, ...], list[Kept]] = {}

    def local_engine(options: Options) -> Kept:
        environment = session.worker_environment() | settings.child_path()
        environment.pop("PYTEST_CURRENT_TEST", None)
        own = {name: value for name, value in environment.items() if name not in ("HOTLOOP_STORE", "COLUMNS")}
        same = made.setdefault((*sorted(own.items()), options.confined, options.witness), [])
        if not any(one.free for one in same):
            same.append(Kept(environment, confined=options.confined, witness=options.witness))
        return next(one for one in same if one.free).taken(options.limit_s)

    patch.setattr(session, "local_engine", local_engine)
    yield
    for engine in (engine for same in made.values() for engine in same):
        LocalEngine.close(engine)
