"""rocpd databases, honest and hostile; the tables are a subset of the official schema's columns."""

import gzip
import hashlib
import sqlite3
from contextlib import closing, suppress

import pytest

from hotloop.profilers import sqlitefile
from hotloop.profilers.reading import read
from hotloop.profiles.failure import ProfileError

TABLES = {
    "rocpd_string": "id, string",
    "rocpd_info_process": "id, pid",
    "rocpd_info_agent": "id, type, absolute_index, name, product_name",
    "rocpd_info_kernel_symbol": "id, display_name, kernel_name, sgpr_count, arch_vgpr_count, accum_vgpr_count",
    "rocpd_info_pmc": "id, name",
    "rocpd_event": "id, category_id",
    "rocpd_pmc_event": "id, event_id, pmc_id, value",
    "rocpd_region": "id, name_id, event_id, start, end",
    "rocpd_memory_copy": "id, name_id, start, end",
    "rocpd_kernel_dispatch": "id, event_id, dispatch_id, agent_id, pid, kernel_id, start, end, private_segment_size, group_segment_size, "
    "grid_size_x, grid_size_y, grid_size_z, workgroup_size_x, workgroup_size_y, workgroup_size_z",
}  # fmt: skip
RUN = "_0000ddb5_8903"


def fill(connection, run=RUN, pid=42, dispatches=3, without=()):
    for table, columns in TABLES.items():
        names = [c.strip() for c in columns.split(",") if c.strip() not in without]
        connection.execute(f'CREATE TABLE "{table}{run}" (' + ", ".join(f'"{n}"' for n in names) + ")")

    def insert(table, **values):
        kept = {k: v for k, v in values.items() if k not in without}
        connection.execute(f'INSERT INTO "{table}{run}" (' + ", ".join(f'"{k}"' for k in kept) + f") VALUES ({','.join('?' * len(kept))})",
                           tuple(kept.values()))  # fmt: skip

    insert("rocpd_info_process", id=1, pid=pid)
    insert("rocpd_info_agent", id=1, type="GPU", absolute_index=4, name="gfx942", product_name="MI300X")
    insert("rocpd_info_kernel_symbol", id=1, display_name="add(float*)", kernel_name="_Z3addPf.kd", sgpr_count=32, arch_vgpr_count=24,
           accum_vgpr_count=4)  # fmt: skip
    for number, name in enumerate(("SQ_WAVES", "GRBM_COUNT"), 1):
        insert("rocpd_info_pmc", id=number, name=name)
    for number, text in enumerate(("HIP_RUNTIME_API_EXT", "hipMalloc", "MEMORY_COPY_HOST_TO_DEVICE"), 1):
        insert("rocpd_string", id=number, string=text)
    for number in range(1, dispatches + 1):
        insert("rocpd_kernel_dispatch", id=number, event_id=number, dispatch_id=number, agent_id=1, pid=1, kernel_id=1, start=1000 * number,
               end=1000 * number + 500, private_segment_size=0, group_segment_size=1024, grid_size_x=1024, grid_size_y=2, grid_size_z=1,
               workgroup_size_x=64, workgroup_size_y=4, workgroup_size_z=1)  # fmt: skip
        for die in range(8):
            insert("rocpd_pmc_event", id=number * 10 + die, event_id=number, pmc_id=1, value=10.0 + die)
        insert("rocpd_pmc_event", id=number * 10 + 9, event_id=number, pmc_id=2, value=1000.0 + number)
    insert("rocpd_event", id=99, category_id=1)
    insert("rocpd_region", id=1, name_id=2, event_id=99, start=5, end=25)
    insert("rocpd_memory_copy", id=1, name_id=3, start=1, end=4)


@pytest.fixture
def made(tmp_path):
    def build(*actions, name="results.db"):
        path = tmp_path / name
        with closing(sqlite3.connect(path)) as connection:
            for action in actions:
                action(connection)
            connection.commit()
        return path

    return build


def test_dispatches_counters_calls_and_facts(made):
    profile = read(made(fill))
    assert (profile.tool, profile.architecture) == ("rocpd", "gfx942")
    first = profile.dispatches[0]
    assert (first.kernel, first.device, first.process_id) == ("add(float*)", "Agent 4", 42)
    assert (first.grid_items, first.workgroup_items, first.lds_bytes, first.vgprs, first.agprs) == (
        2048,
        256,
        1024,
        24,
        4,
    )
    assert first.counters == {"SQ_WAVES": 108.0, "GRBM_COUNT": 1001.0}
    (kernel,) = profile.kernels
    assert (kernel.dispatches, kernel.duration_ns.mean, kernel.counters["SQ_WAVES"].total) == (3, 500, 324)
    assert {(c.domain, c.name, c.duration_ns.total) for c in profile.calls} == {
        ("HIP_RUNTIME_API_EXT", "hipMalloc", 20.0), ("MEMORY_COPY", "MEMORY_COPY_HOST_TO_DEVICE", 3.0)
    }  # fmt: skip


def test_several_runs_in_one_file(made):
    profile = read(made(fill, lambda c: fill(c, "_second_run", pid=43)))
    assert profile.kernels[0].dispatches == 6
    assert {d.process_id for d in profile.dispatches} == {42, 43}


def test_a_version_without_some_columns(made):
    profile = read(made(lambda c: fill(c, without=("accum_vgpr_count", "private_segment_size"))))
    assert profile.dispatches[0].agprs is None
    assert {"agprs", "scratch_bytes"} <= {a.name for a in profile.absent}


def test_the_file_and_its_folder_stay_as_they_are(made):
    path = made(fill)
    before = hashlib.sha256(path.read_bytes()).digest(), sorted(p.name for p in path.parent.iterdir())
    read(path)
    assert (hashlib.sha256(path.read_bytes()).digest(), sorted(p.name for p in path.parent.iterdir())) == before


def test_names_of_files_are_no_uri(made):
    """A question mark or a percent sign in the name must not become an option of the connection."""
    path = made(fill, name="a?mode=rwc&%2e#x.db")
    assert read(path).kernels[0].dispatches == 3


def test_changes_in_a_log_are_noted(made):
    path = made(fill)
    path.with_name(path.name + "-wal").write_bytes(b"x")
    assert "-wal" in read(path).notes[0]


def views(connection):
    connection.execute('ALTER TABLE "rocpd_kernel_dispatch' + RUN + '" RENAME TO hidden')
    connection.execute('CREATE VIEW "rocpd_kernel_dispatch' + RUN + '" AS WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n) '
                       "SELECT x AS id FROM n")  # fmt: skip


def test_a_view_in_place_of_a_table_is_not_run(made):
    with pytest.raises(ProfileError, match="no table rocpd_kernel_dispatch"):
        read(made(fill, views))


def test_a_virtual_table_in_place_of_a_table_is_not_used(made):
    def virtual(connection):
        connection.execute(f'CREATE VIRTUAL TABLE "rocpd_kernel_dispatch{RUN}" USING fts4(id, dispatch_id)')

    with pytest.raises(ProfileError):
        read(made(virtual))


def test_triggers_and_generated_columns_change_nothing(made, tmp_path):
    def trap(connection):
        connection.execute("CREATE TABLE log (x)")
        connection.execute(f'CREATE TRIGGER t AFTER INSERT ON "rocpd_event{RUN}" BEGIN INSERT INTO log VALUES (1); END')

    assert read(made(fill, trap)).kernels[0].dispatches == 3


def test_an_expression_column_cannot_call_functions(made):
    def trap(connection):
        connection.execute(f'DROP TABLE "rocpd_info_process{RUN}"')
        connection.execute(
            f'CREATE TABLE "rocpd_info_process{RUN}" (id, pid GENERATED ALWAYS AS (hex(zeroblob(100000000))) VIRTUAL)'
        )
        connection.execute(f'INSERT INTO "rocpd_info_process{RUN}" (id) VALUES (1)')

    with pytest.raises(ProfileError):
        read(made(fill, trap))


@pytest.mark.parametrize("statement", [
    "ATTACH '/tmp/x.db' AS other", "CREATE TABLE x (a)", "INSERT INTO t VALUES (1)", "DELETE FROM t", "DROP TABLE t", "PRAGMA writable_schema=1",
    "PRAGMA query_only=0", "VACUUM INTO '/tmp/y.db'", "SELECT load_extension('x')", "SELECT writefile('/tmp/z', 'x')", "SELECT hex(randomblob(9))",
    "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT * FROM n", "UPDATE t SET a = 1", "BEGIN IMMEDIATE", "REINDEX", "ANALYZE",
])  # fmt: skip
def test_the_connection_refuses_everything_but_reading(made, statement):
    path = made(lambda c: c.executescript("CREATE TABLE t (a); CREATE INDEX i ON t (a)"))
    with pytest.raises(ProfileError), sqlitefile.database(path) as opened:
        list(opened.connection.execute(statement))


def test_a_query_without_end_is_ended(made, monkeypatch):
    monkeypatch.setattr(sqlitefile, "_BUDGET", 2)
    path = made(
        lambda c: (
            c.execute("CREATE TABLE t (a)"),
            c.executemany("INSERT INTO t VALUES (?)", [(i,) for i in range(400)]),
        )
    )
    with pytest.raises(ProfileError, match="interrupted"), sqlitefile.database(path) as opened:
        list(opened.rows("SELECT count(*) FROM t a, t b, t c"))


def test_damaged_files(made, tmp_path):
    path = made(lambda c: fill(c, dispatches=300))
    raw = path.read_bytes()
    for number, content in enumerate(
        [raw[: len(raw) // 2], raw[:100] + bytes(len(raw) - 100), raw[:5000] + b"\xff" * 3000 + raw[8000:]]
    ):
        damaged = tmp_path / f"damaged{number}.db"
        damaged.write_bytes(content)
        with suppress(ProfileError):  # what is left may still be readable
            read(damaged)


def test_cells_of_another_type(made):
    def spoil(connection):
        connection.execute(
            f"UPDATE \"rocpd_kernel_dispatch{RUN}\" SET start = 'soon', grid_size_x = x'ff00', dispatch_id = NULL, agent_id = 7"
        )

    profile = read(made(fill, spoil))
    assert profile.dispatches[0].grid_items is None
    assert profile.dispatches[0].duration_ns is None
    assert profile.dispatches[0].device is None


@pytest.mark.parametrize("packed", [False, True])
def test_newest_workloads_keep_counters_beside_the_launches(made, write, packed):
    written = {}
    for number, counter in enumerate(("SQ_BUSY_CYCLES", "SQ_WAIT_ANY")):
        text = "dispatch_id,gpu_id,kernel_id,lds_per_workgroup,counter_id,counter_name,counter_value\n"
        text += (
            "".join(f"{launch},4,1,0,9,{counter},{1000 * launch + number}\n" for launch in (1, 2, 3))
            + f"3,4,1,0,9,{counter},5\n"
        )
        name = f"w/out/pmc_{number}/42_native_counter_collection.csv"
        write(name + ".gz" * packed, gzip.compress(text.encode()) if packed else text)
        written[number] = write(f"w/out/pmc_{number}/42/note.txt", "")
        made(fill, lambda db: db.execute(f'DELETE FROM "rocpd_pmc_event{RUN}"'), name=f"w/out/pmc_{number}/42/42.db")
    write("w/sysinfo.csv", "workload_path,gpu_arch,gpu_model\nw,gfx942,MI300X\n")
    profile = read(written[0].parents[3])
    assert profile.format == "workload folder"
    assert [launch.counters["SQ_WAIT_ANY"] for launch in profile.dispatches] == [1001, 2001, 3006]
    assert profile.dispatches[1].counters["SQ_BUSY_CYCLES"] == 2000
    assert profile.kernels[0].duration_ns.mean == 500
