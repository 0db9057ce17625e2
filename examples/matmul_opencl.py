import numpy as np
import pyopencl as cl

SOURCE = """
__kernel void matmul(__global const float *a, __global const float *b, __global float *c, const int n) {
    int j = get_global_id(0), i = get_global_id(1);
    if (i < n && j < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; k++) sum += a[i * n + k] * b[k * n + j];
        c[i * n + j] = sum;
    }
}
__kernel void scale(__global float *c, const float f, const int n) {
    int i = get_global_id(0);
    if (i < n) c[i] *= f;
}
"""


def main():
    n = 256
    context = cl.create_some_context(interactive=False)
    queue = cl.CommandQueue(context)
    rng = np.random.default_rng(0)
    a, b = (rng.standard_normal((n, n)).astype(np.float32) for _ in "ab")
    flags = cl.mem_flags
    da, db = (cl.Buffer(context, flags.READ_ONLY | flags.COPY_HOST_PTR, hostbuf=x) for x in (a, b))
    dc = cl.Buffer(context, flags.READ_WRITE, a.nbytes)
    program = cl.Program(context, SOURCE).build()
    mm, scale = program.matmul, program.scale
    for _ in range(5):
        mm(queue, (n, n), (16, 16), da, db, dc, np.int32(n))
        scale(queue, (n * n,), None, dc, np.float32(0.5), np.int32(n * n))
    c = np.empty_like(a)
    cl.enqueue_copy(queue, c, dc)
    print("error", abs(c - 0.5 * a @ b).max())


main()
