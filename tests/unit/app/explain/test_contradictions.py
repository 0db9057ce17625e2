"""Files that contradict one another, or are not as their tool wrote them: what holds is told, and why the rest does not."""

from __future__ import annotations

import pytest

from hotloop.app.explain.answer import Request, explain

HEAD = "Dispatch_ID,GPU_ID,Grid_Size,Workgroup_Size,Wave_Size,Kernel_Name,Start_Timestamp,End_Timestamp,SQ_WAVES,SQ_WAVE_CYCLES,SQ_WAIT_ANY,SQ_WAIT_INST_ANY,SQ_ACTIVE_INST_ANY,SQ_INSTS_LDS\n"
ROW = '0,2,1048576,256,64,"copy(int) [clone .kd]",1000,18440,16384,72000000,{},16100000,280000,0\n'
SYSTEM = "workload_name,gpu_arch,gpu_model,cu_per_gpu,simd_per_cu,se_per_gpu,max_sclk,max_waves_per_cu\nw,gfx942,{},304,4,32,2100,32\n"
AGENTS = (
    '"Node_Id","Logical_Node_Id","Agent_Type","Simd_Count","Cu_Count","Name","Product_Name"\n'
    '0,0,"CPU",0,64,"AMD EPYC","AMD EPYC"\n2,2,"GPU",1024,256,"gfx950","AMD Instinct MI350X"\n'
)


@pytest.fixture
def workload(tmp_path):
    """Make a folder of rocprof-compute with other contents."""

    def make(*, waiting=55_700_000, model="MI300X", system=True, **more):
        (tmp_path / "pmc_perf.csv").write_text(HEAD + ROW.format(waiting))
        if system:
            (tmp_path / "sysinfo.csv").write_text(SYSTEM.format(model))
        for name, text in more.items():
            (tmp_path / f"{name}.csv").write_text(text)
        return tmp_path

    return make


def subject(folder):
    return explain(Request(inputs=(str(folder),)))


def test_a_name_of_another_chip_does_not_stand_for_the_device(workload):
    page = subject(workload(model="MI250X"))
    assert "gfx942; the files also tell of an MI250X, which is a gfx90a; peaks of an MI300X" in page.subject.device
    assert subject(workload()).subject.device.startswith("MI300X (gfx942)")


def test_a_list_of_agents_inside_a_workload_names_its_device(workload):
    page = subject(workload(system=False, agent_info=AGENTS))
    assert page.subject.device == "AMD Instinct MI350X (gfx950)"


def test_a_counter_of_another_scale_does_not_become_a_full_wait(workload):
    shares = {fact.name: fact.value for fact in subject(workload(waiting=55_700_000_000)).facts}
    assert "gpu.wait_share" not in shares
    assert {fact.name: fact.value for fact in subject(workload()).facts}["gpu.wait_share"] == "0.774"


def test_a_spreadsheet_of_another_language_is_read_alike(workload):
    folder, table = workload(), HEAD + ROW.format("55700000.5")
    (folder / "pmc_perf.csv").write_text(table)
    usual = subject(folder).facts
    (folder / "pmc_perf.csv").write_text(table.replace(",", ";").replace("55700000.5", "55.700.000,5"))
    assert subject(folder).facts == usual


def test_counters_with_commas_are_left_out_and_that_is_said(workload):
    page = subject(workload(waiting='"55700000,5"'))
    assert not any(fact.name == "gpu.wait_share" for fact in page.facts)
    assert any("written with commas" in note for note in page.notes)
    assert not any("written with commas" in note for note in subject(workload()).notes)
