from hotloop.compilers.hostside import declarations, needed

SOURCE = """
#define hipMine 1
// hipRemark(1)
hipError_t e = hipMalloc(&p, 4);
hipMemcpy(p, q, 4, hipMemcpyHostToDevice);
puts(hipGetErrorString(e)); puts("hipText");
k<<<1, 64, 0, hipStreamDefault>>>(hipThreadIdx_x);
"""


def test_each_name_becomes_what_it_is_used_as():
    made = declarations(SOURCE)
    assert "int hipMalloc(A &&...);" in made
    assert "const char *hipGetErrorString(A &&...);" in made
    assert "static constexpr int hipMemcpyHostToDevice = 0;" in made
    assert "static void *const hipStreamDefault = 0;" in made
    assert "typedef int hipError_t;" in made
    assert "hipMine" not in made
    assert "hipRemark" not in made
    assert "hipText" not in made
    assert "#define hipThreadIdx_x (threadIdx.x)" in made


def test_a_file_of_kernels_alone_has_no_hosts_part():
    assert not needed("__global__ void k(float *x) { x[hipThreadIdx_x] = 1; } // hipMalloc(x)")
    assert needed("k<<<1, 1>>>(x);")
