"""A file that tells what a program calls, whoever wrote it: hotloop itself, PyTorch's profiler, PyTorch's TunableOp."""

from __future__ import annotations

import json
from pathlib import Path

from hotloop.app.workload import kineto, tunableop
from hotloop.errors import UsageError
from hotloop.model import tally as tallies
from hotloop.model.tally import Tally

_GZIP = b"\x1f\x8b"
_HEAD_BYTES = 1 << 16


def read(path: Path) -> Tally:
    """Return the calls in a file.

    Raises:
        UsageError: it cannot be read, or is none of the three.
    """
    if path.exists() and not path.is_file():
        raise UsageError(f"{path} cannot be read: it is no regular file; give one, it is read twice.")
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror}; name a recording of calls.") from None
    if head.startswith(_GZIP):
        return kineto.unpacked(path)
    text = head.decode("utf-8", "replace").lstrip("\ufeff \t\r\n")
    if tunableop.recognises(text):
        return tunableop.read(path)
    if f'"{tallies.FORM}"' in text[:200]:
        return _own(path)
    if text.startswith(("{", "[")):
        return kineto.read(path)
    raise UsageError(
        f"{path} is no workload: give a file of ops.record().save(), a trace of torch.profiler (export_chrome_trace, with "
        "record_shapes=True), or TunableOp's tunableop_untuned*.csv."
    )


def _own(path: Path) -> Tally:
    try:
        return tallies.of_data(json.loads(path.read_text(encoding="utf-8")))
    except (ValueError, RecursionError) as error:
        raise UsageError(f"{path} cannot be used as a workload: {str(error).rstrip('.')}.") from None
