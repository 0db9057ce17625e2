"""The file in which measurements of `ops.warm` outlive the process: one line of JSON each, beside the store."""

from __future__ import annotations

import json
import logging
import os
from pathlib import Path

import platformdirs

from hotloop.dispatch.measured import Measured
from hotloop.errors import StoreError
from hotloop.host import settings
from hotloop.model.space import Config

LOG = logging.getLogger("hotloop.ops")
NAME = "warmed.jsonl"


def path() -> Path:
    """Return where the file lies: beside a store that is a file, else in the user's data folder."""
    store = settings.STORE.get() or ""
    if store and "://" not in store:
        return Path(store).with_name(f"{Path(store).name}.{NAME}")
    return platformdirs.user_data_path("hotloop", appauthor=False) / NAME


def read() -> dict[str, Measured]:
    """Return all that is kept, the latest of each; lines that are no such thing are left out, with a word in the log."""
    try:
        lines = path().read_text(encoding="utf-8").splitlines()
    except FileNotFoundError:
        return {}
    except (OSError, UnicodeDecodeError) as error:
        LOG.warning("what ops.warm measured cannot be read and is not used: %s", error)
        return {}
    kept: dict[str, Measured] = {}
    for number, line in enumerate(lines, 1):
        try:
            row = json.loads(line)
            kept[row["key"]] = Measured(row["implementation"], Config(row["config"]), row["source"])
        except (ValueError, TypeError, KeyError, AttributeError):
            LOG.warning("line %d of %s is no measurement of ops.warm and is left out", number, path())
    return kept


def write(key: str, measured: Measured) -> None:
    """Add a measurement in one write, so that processes do not mix their lines. Raises StoreError."""
    row = {
        "key": key,
        "implementation": measured.implementation,
        "config": dict(measured.config),
        "source": measured.source,
    }
    try:
        path().parent.mkdir(parents=True, exist_ok=True)
        opened = os.open(path(), os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o644)
        try:
            os.write(opened, (json.dumps(row) + "\n").encode())
        finally:
            os.close(opened)
    except OSError as error:
        raise StoreError(
            f"what was measured cannot be kept in {path()}: {error.strerror}; this process remembers it."
        ) from None
