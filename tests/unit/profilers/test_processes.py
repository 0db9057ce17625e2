"""Files of the processes of one run."""

from hotloop.app.explain import reading
from hotloop.explain import material

STATS = '"Name","Calls","TotalDurationNs","AverageNs","Percentage"\n"jacobi",500,{},1,94.0\n"edge",500,17000,34,6.0\n'


def test_times_of_ranks_add_up_and_copies_elsewhere_do_not(write, tmp_path):
    write("run/host/2001_kernel_stats.csv", STATS.format(270000))
    write("run/host/2002_kernel_stats.csv", STATS.format(268000))
    given = reading.read([str(tmp_path / "run")])
    rows = {row.name: (row.dispatches, row.total_ns) for row in material.kernels(given)}
    assert rows == {"jacobi": (1000, 538000), "edge": (1000, 34000)}
    write("other/pass_1/2001_kernel_stats.csv", STATS.format(270000))
    write("other/pass_2/2002_kernel_stats.csv", STATS.format(268000))
    given = reading.read([str(tmp_path / "other")])
    assert {row.name: row.dispatches for row in material.kernels(given)} == {"jacobi": 500, "edge": 500}
