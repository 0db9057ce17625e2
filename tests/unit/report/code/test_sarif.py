"""The form of a SARIF document."""

from hotloop.report.code import sarif

RULES = (
    sarif.Rule(name="gate/max-vgpr", title="limit --max-vgpr"),
    sarif.Rule(name="static-spills", title="Registers spilled", help="A smaller tile."),
)


def document(*results):
    return sarif.render(RULES, results, "1.2.3")


def test_required_members_of_the_standard():
    found = document(sarif.Result(rule="static-spills", level="warning", message="139 registers are spilled"))
    assert found["version"] == "2.1.0"
    assert found["$schema"].endswith("sarif-schema-2.1.0.json")
    (run,) = found["runs"]
    driver = run["tool"]["driver"]
    assert (driver["name"], driver["version"]) == ("hotloop", "1.2.3")
    assert [rule["id"] for rule in driver["rules"]] == ["gate/max-vgpr", "static-spills"]
    assert driver["rules"][1]["help"] == {"text": "A smaller tile."}
    assert "help" not in driver["rules"][0]
    (result,) = run["results"]
    assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"] == "static-spills"
    assert result["message"]["text"] == "139 registers are spilled"
    assert "locations" not in result


def test_places_of_files_and_functions():
    found = document(
        sarif.Result(rule="gate/max-vgpr", level="error", message="m", file="build/k%20.s", line=7, kernel="matmul")
    )
    (location,) = found["runs"][0]["results"][0]["locations"]
    assert location["physicalLocation"] == {"artifactLocation": {"uri": "build/k%20.s"}, "region": {"startLine": 7}}
    assert location["logicalLocations"] == [{"name": "matmul", "kind": "function"}]


def test_a_file_without_line_has_no_region():
    found = document(sarif.Result(rule="gate/max-vgpr", level="error", message="m", file="k.hsaco"))
    (location,) = found["runs"][0]["results"][0]["locations"]
    assert location == {"physicalLocation": {"artifactLocation": {"uri": "k.hsaco"}}}


def test_no_result_is_a_run_too():
    assert document()["runs"][0]["results"] == []
