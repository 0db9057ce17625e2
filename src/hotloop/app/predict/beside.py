"""The kernel of an explanation, predicted from its listing, beside what the profile measured."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.explain.answer import Request, explained
from hotloop.errors import HotloopError, UsageError
from hotloop.explain.page import Explanation
from hotloop.explain.study import Study
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.predict.answer import Request as Launched


@dataclass(frozen=True, slots=True, kw_only=True)
class Posed:
    """How the kernel was launched, as far as a profile does not say."""

    given: Sequence[str] = ()
    """Arguments as `app.emulate.arguments` reads them."""
    grid: tuple[int, int, int] | None = None
    """Work-groups; None: as many in a row as the profile counts."""
    workgroup: tuple[int, int, int] | None = None
    shared_bytes: int = 0


def explain(request: Request, posed: Posed) -> Explanation:
    """Return the explanation, with a prediction beside it where the arguments are given.

    Raises:
        UsageError: arguments without a listing to execute, or as `app.explain` does.
    """
    page, study = explained(request)
    if posed.given:
        return _with(page, study, posed, request)
    if study.evidence.get("gpu.duration_ns") and Target.of(study.architecture).amd and _listing(study):
        hint = "no time is predicted beside the measured one: the listing's arguments are not known, give them with --arg (see hotloop predict --help)"
        return replace(page, notes=(*page.notes, hint))
    return page


def _with(page: Explanation, study: Study, posed: Posed, request: Request) -> Explanation:
    path = _listing(study)
    if not path:
        raise UsageError(
            "--arg predicts the time of a listing (.s), and none is among the inputs; give the kernel's listing too."
        )
    from hotloop.app.predict.answer import predict  # imported late: most explanations execute nothing
    from hotloop.explain.foretold import foretold

    try:
        (sequel,) = predict(_launch(path, study, posed, request))
    except HotloopError as reason:
        return replace(page, notes=(*page.notes, f"no time is predicted beside the measured one: {reason}"))
    evidence = foretold(sequel.launches[0], study.evidence)
    return replace(page, tables=(evidence.table, *page.tables), notes=(*evidence.notes, *page.notes))


def _launch(path: str, study: Study, posed: Posed, request: Request) -> Launched:
    from hotloop.app.predict.answer import Request as Launched

    launch = study.counted.counts.launch
    items = launch.group_items
    groups = launch.items // items if launch.items and items else None
    chip = study.counted.chip.name if study.counted.chip else ""
    return Launched(
        text=path,
        targets=(study.architecture,) if study.architecture else (),
        chip=request.chip or chip,
        kernel=_coded(study),
        given=posed.given,
        grid=posed.grid or (max(1, groups or 1), 1, 1),
        workgroup=posed.workgroup or ((items, 1, 1) if items else None),
        shared_bytes=posed.shared_bytes,
    )


def _coded(study: Study) -> str:
    """Return the kernel's name in the listing, which is the mangled one."""
    return study.report.kernel if study.report else ""


def _listing(study: Study) -> str:
    from hotloop.app.emulate.launched import LISTINGS

    paths = (row.name for row in study.material.inputs if Path(row.name).suffix in LISTINGS)
    return next(paths, "")
