"""The parent's side of the process on a card."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hotloop.app.ladder.card.child import LOCK
from hotloop.host import toolchain
from hotloop.host.process import Child, ChildDiedError, ChildSilentError

CHILD = "hotloop.app.ladder.card.child"


class Worker:
    """The child on the card; a new one where the last one died."""

    def __init__(self, folder: Path, limit_s: float) -> None:
        self.folder, self.limit_s, self.child = folder, limit_s, None  # type: Path, float, Child | None
        self.changes = {
            "TRITON_DEFAULT_FP_FUSION": "1",
            "TRITON_CACHE_DIR": str(folder / "triton"),
            LOCK: str(Path(tempfile.gettempdir()) / "hotloop-card.lock"),
        }
        self.environment = toolchain.environment(**self.changes)

    def another(self) -> Worker:
        """Return a further child for the same folder."""
        return Worker(self.folder, self.limit_s)

    def ask(self, message: Mapping[str, Any]) -> dict[str, Any]:
        """Return the answer; a fault of the device or silence is one too, under ``failed``."""
        self.child = self.child or Child(CHILD, self.environment)
        try:
            answer = self.child.ask(message, self.limit_s)
        except ChildSilentError:
            answer = {"failed": f"no answer within {self.limit_s:.0f} s: it hangs"}
        except ChildDiedError as died:
            answer = {"failed": f"the process on the card died ({died.returncode})"}
        if "failed" in answer:  # a device fault spoils the context: the next question finds a fresh one
            self.close()
        return answer

    def close(self) -> None:
        """End the child."""
        if self.child is not None:
            self.child.kill()
        self.child = None
