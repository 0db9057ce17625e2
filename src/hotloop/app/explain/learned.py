"""Earlier trials from a store, by which an explanation corrects its predictions."""

from __future__ import annotations

from hotloop.errors import StoreError
from hotloop.explain.learned import Learned
from hotloop.techniques.calibration import Calibration, Record


def learned(store: str | None, architecture: str) -> Learned:
    """Return the trials of a store on a processor, on this machine's where the inputs name none.

    None reads no store; an empty name reads HOTLOOP_STORE or the user's own, if there is one.

    Raises:
        StoreError: the store that is named cannot be read.
    """
    if store is None:
        return Learned()
    from hotloop.app.session import Options, open_store

    target = architecture or _processor()
    try:
        with open_store(Options(store=store), read_only=True) as opened:
            rows = opened.calibration(target=target)
    except StoreError:
        if store:
            raise
        return Learned()  # no store yet, or none that can be read: an explanation does not need one
    records = tuple(Record(r.technique, r.target, r.predicted, r.measured) for r in rows if r.measured)
    return Learned(Calibration(records), target, f"the store {store}" if store else "the store")


def _processor() -> str:
    from hotloop.devices.detect import detect

    return detect().target
