"""Broken limits and findings of analysed kernels as one SARIF document."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hotloop.diagnose.engine import rules
from hotloop.isa.summary.limits import Check
from hotloop.isa.summary.model import KernelReport
from hotloop.model.finding import Finding
from hotloop.report.code.sarif import Result, Rule, render
from hotloop.version import VERSION

Uri = Callable[[str], str]
"""Gives an origin as a URI reference; empty for what is no file."""


def document(reports: Sequence[KernelReport], checks: Sequence[Check], uri: Uri) -> dict[str, Any]:
    """Return limits that do not hold as errors and findings as warnings."""
    failed = [check for check in checks if not check.passed]
    results = [
        *(_failure(check, uri) for check in failed),
        *(_finding(report, finding, uri) for report in reports for finding in report.findings),
    ]
    return render([*_limits(failed), *_rules(reports)], results, VERSION)


def _limits(failed: Sequence[Check]) -> Iterator[Rule]:
    for name in dict.fromkeys(check.limit for check in failed):
        yield Rule(name=f"gate/{name}", title=f"limit --{name}")


def _rules(reports: Sequence[KernelReport]) -> Iterator[Rule]:
    fired = {finding.rule for report in reports for finding in report.findings}
    for rule in rules():
        if rule.name in fired:
            yield Rule(name=rule.name, title=rule.title, help=rule.doc.sentence("What to try"))


def _failure(check: Check, uri: Uri) -> Result:
    return Result(
        rule=f"gate/{check.limit}",
        level="error",
        message=check.message,
        file=uri(check.origin),
        line=check.site.line if check.site else None,
        kernel=check.kernel,
    )


def _finding(report: KernelReport, finding: Finding, uri: Uri) -> Result:
    return Result(
        rule=finding.rule,
        level="warning",
        message=f"{report.kernel}: {finding.message}",
        file=uri(report.origin),
        line=next((wait.site.line for wait in report.hot.waits if wait.site.line), None),
        kernel=report.kernel,
    )
