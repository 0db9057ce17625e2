// Asks a target without matrix units for one behind the front end's back: the compiler itself dies, and that is the point.
typedef _Float16 half4v __attribute__((ext_vector_type(4)));
typedef float float4v __attribute__((ext_vector_type(4)));

extern "C" __global__ __attribute__((target("mai-insts"))) void mfma_unselectable(const half4v *x, float4v *y)
{
    y[0] = __builtin_amdgcn_mfma_f32_16x16x16f16(x[0], x[1], y[0], 0, 0, 0);
}
