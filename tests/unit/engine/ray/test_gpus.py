import pytest

from hotloop.engine.ray import gpus


@pytest.fixture
def system(tmp_path):
    """What makes the files by which a system lists GPUs."""

    def make(nvidia=(), amd=()):
        (tmp_path / "dev").mkdir()
        for name in nvidia:
            (tmp_path / "dev" / name).touch()
        for number, simds in enumerate(amd):
            (tmp_path / "nodes" / str(number)).mkdir(parents=True)
            (tmp_path / "nodes" / str(number) / "properties").write_text(f"cpu_cores_count 0\nsimd_count {simds}\n")
        return tmp_path / "dev", tmp_path / "nodes"

    return make


@pytest.mark.parametrize(
    ("nvidia", "amd", "found"),
    [
        (("nvidia0", "nvidia1", "nvidiactl", "nvidia-uvm", "nvidia-modeset"), (), ("CUDA_VISIBLE_DEVICES", ("0", "1"))),
        ((), (0, 304, 304, 304), ("HIP_VISIBLE_DEVICES", ("0", "1", "2"))),  # the first is the processor
        ((), (), ("HIP_VISIBLE_DEVICES", ())),
    ],
)
def test_gpus_are_those_that_the_system_lists(system, nvidia, amd, found):
    assert gpus.visible({}, *system(nvidia, amd)) == found


def test_a_variable_that_is_set_says_which(system):
    listed = system(("nvidia0", "nvidia1", "nvidia2"))
    assert gpus.visible({"CUDA_VISIBLE_DEVICES": "2,0"}, *listed) == ("CUDA_VISIBLE_DEVICES", ("2", "0"))
    assert gpus.visible({"CUDA_VISIBLE_DEVICES": ""}, *listed) == ("CUDA_VISIBLE_DEVICES", ())
