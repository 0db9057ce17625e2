"""Findings and broken limits as SARIF 2.1.0 (OASIS, Static Analysis Results Interchange Format), for code review tools."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SCHEMA = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
VERSION = "2.1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A kind of result, as SARIF lists them once for all results of the kind."""

    name: str
    title: str
    help: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """One thing that was found."""

    rule: str
    level: str
    """``error``, ``warning`` or ``note``."""
    message: str
    file: str = ""
    """Path of the listing or source; empty: there is none."""
    line: int | None = None
    kernel: str = ""
    """Name of the function."""


def render(rules: Sequence[Rule], results: Sequence[Result], tool_version: str) -> dict[str, Any]:
    """Return the document as JSON data; every result's rule must be among the rules."""
    places = {rule.name: place for place, rule in enumerate(rules)}
    driver = {
        "name": "hotloop",
        "version": tool_version,
        "rules": [_rule(rule) for rule in rules],
    }
    run = {
        "tool": {"driver": driver},
        "columnKind": "unicodeCodePoints",
        "results": [_result(result, places[result.rule]) for result in results],
    }
    return {"$schema": SCHEMA, "version": VERSION, "runs": [run]}


def _rule(rule: Rule) -> dict[str, Any]:
    described = {"id": rule.name, "shortDescription": {"text": rule.title}}
    return {**described, "help": {"text": rule.help}} if rule.help else described


def _result(result: Result, place: int) -> dict[str, Any]:
    location = _location(result)
    row = {
        "ruleId": result.rule,
        "ruleIndex": place,
        "level": result.level,
        "message": {"text": result.message},
    }
    return {**row, "locations": [location]} if location else row


def _location(result: Result) -> dict[str, Any]:
    location: dict[str, Any] = {}
    if result.file:
        physical: dict[str, Any] = {"artifactLocation": {"uri": result.file}}
        if result.line:
            physical["region"] = {"startLine": result.line}
        location["physicalLocation"] = physical
    if result.kernel:
        location["logicalLocations"] = [{"name": result.kernel, "kind": "function"}]
    return location
