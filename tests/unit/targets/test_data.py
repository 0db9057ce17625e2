"""The data files of GPU targets: units, sources, no fact twice, and what the calculators need."""

import pytest

from hotloop.errors import UsageError
from hotloop.targets import banks, data
from hotloop.targets.machine import AccumulationFile, AmdMachine, NvidiaMachine
from hotloop.targets.target import Target

FAMILIES = ("cdna", "rdna", "nvidia", "cpu")


@pytest.mark.parametrize("name", [*data.gpus(), *data.names("cpu")])
@pytest.mark.parametrize("kind", ["group", "trait"])
def test_every_fact_has_a_unit_and_a_source_and_stands_once(name, kind):
    rows = list(data.stated(name, kind))
    assert [fact for _, fact in rows if not fact.unit or len(fact.source) < 15] == []
    names = [(width, fact.name) for width, fact in rows]
    assert sorted(names) == sorted(set(names))


@pytest.mark.parametrize("family", FAMILIES)
def test_values_that_coincide_are_not_copied(family):
    entries = [(key, str(entry["value"])) for g in data.groups(family) for key, entry in g.items() if key != "targets"]
    repeated = {pair for pair in entries if entries.count(pair) > 1}
    # A fact may stand in two groups with one value only where its source differs.
    sources = {
        (key, str(e["value"]), e["source"]) for g in data.groups(family) for key, e in g.items() if key != "targets"
    }
    assert all(len([s for s in sources if s[:2] == pair]) > 1 for pair in repeated)


def test_targets_that_the_calculators_must_know():
    wanted = [
        "906",
        "908",
        "90a",
        "942",
        "950",
        "1010",
        "1012",
        "1030",
        "1100",
        "1102",
        "1150",
        "1152",
        "1200",
        "1201",
        "1250",
    ]
    assert {f"gfx{w}" for w in wanted} <= set(data.gpus())
    assert {"sm_75", "sm_80", "sm_86", "sm_89", "sm_90", "sm_100", "sm_110", "sm_120"} <= set(data.gpus())


@pytest.mark.parametrize("name", data.gpus())
def test_every_target_loads(name):
    target = Target.of(name).machine
    assert target.name == name
    assert isinstance(target, NvidiaMachine if name.startswith("sm_") else AmdMachine)


def test_constants_that_a_recorded_mi350x_states():
    target = Target.of("gfx950").machine
    assert isinstance(target, AmdMachine)
    assert (target.units[0].lds_bytes, target.units[0].simds, target.max_waves) == (160 << 10, 4, 8)


def test_files_and_modes():
    assert Target.of("gfx908").machine.agprs is AccumulationFile.SEPARATE
    assert Target.of("gfx90a").machine.agprs is AccumulationFile.UNIFIED
    assert [u.mode for u in Target.of("gfx1100").machine.units] == ["wgp", "cu"]
    assert [f.wave_size for f in Target.of("gfx1250").machine.files] == [32]


def test_a_star_ends_the_beginning_of_names():
    assert data.fits("gfx942", "gfx9*")
    assert not data.fits("gfx942", "gfx9")
    assert "gfx9*" not in data.gpus()


def test_phases_cover_every_lane_once():
    rows = [(t, op, bits, wave) for t in data.gpus() for op in ("read", "write", "read_tr") for bits in (8, 16, 32, 64, 96, 128)
            for wave in (32, 64)]  # fmt: skip
    made = 0
    for target, op, bits, wave in rows:
        try:
            model = banks.model(target, op, bits, wave)
        except UsageError:
            continue
        made += 1
        assert sorted(lane for phase in model.phases for lane in phase) == list(range(wave))
        # One cycle serves at most what the banks deliver.
        assert all(len(p) * max(4, model.width_bytes) <= 4 * model.banks for p in model.phases)
        assert model.status in ("documented", "measured", "reported", "assumed")
    assert made > 150


def test_an_unknown_access_lists_the_known_ones():
    with pytest.raises(UsageError, match="read 128"):
        banks.model("gfx942", "read", 77)
    with pytest.raises(UsageError, match="read_tr of 64 bits on gfx942"):
        banks.model("gfx942", "read_tr", 64)
    with pytest.raises(UsageError, match="change --wave"):
        banks.model("gfx942", "read", 32, 32)


@pytest.mark.parametrize("name", data.names("nvidia"))
def test_every_nvidia_target_says_what_a_unit_has_of_the_memory(name):
    rate = Target.of(name).rate("device_bytes_per_cycle")
    assert rate is not None
    assert 2 < rate < 30


@pytest.mark.parametrize(
    ("file", "kind", "read"),
    [("cdna", "group", lambda: data.groups("cdna")), ("features", "buffers", lambda: data.feature("buffers"))],
)
def test_a_table_that_names_no_processors_is_refused_in_a_sentence(monkeypatch, file, kind, read):
    nameless = {"lds": {"value": 1}}
    text = {kind: [nameless]} if file == "cdna" else {kind: nameless}
    monkeypatch.setattr(data, "table", lambda name: text if name == file else {})
    data.groups.cache_clear()
    data._features.cache_clear()
    with pytest.raises(UsageError, match=rf"{file}\.toml: .*`targets`"):
        read()
    data.groups.cache_clear()
    data._features.cache_clear()


def test_tables_of_matrix_instructions_have_sources_and_name_processors_that_are_known():
    tables = data.table("matrix")
    known = [name for name in data.gpus() if data.has(name, "matrix unit")]
    listed = [row for value in tables.values() for row in (value if isinstance(value, list) else [value])]
    sources = [row["source"] for row in listed if "source" in row] + list(tables["wmma_sources"].values())
    assert len(sources) == len(listed)  # those of WMMA have one for each generation
    assert min(map(len, sources)) >= 15
    passes = {target for row in listed for shape in row.get("shapes", ()) for target in shape.get("passes", ())}
    assert passes
    assert passes <= set(known)
