// Two forms of the softmax that `rows.cuh` left behind; this text follows that one and uses its macros and functions.
//
//   softmax_tree    a block per row: element after element, partial results meet in a tree in shared memory
//   softmax_online  as `rows_reduce`, but maximum and sum in one pass: the sum shrinks whenever the maximum grows

template <class Op>
DEVICE float tree(float x, Op op, float* cell) {
    cell[threadIdx.x] = x;
    __syncthreads();
    for (int half = LANES / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) cell[threadIdx.x] = op(cell[threadIdx.x], cell[threadIdx.x + half]);
        __syncthreads();
    }
    x = cell[0];
    __syncthreads();  // the next tree writes the same cells
    return x;
}

extern "C" __global__ void __launch_bounds__(LANES)
softmax_tree(const elem* __restrict__ x, elem* __restrict__ y, int rows) {
    __shared__ float cell[LANES];
    const elem* from = x + (long long)blockIdx.x * COLUMNS;
    elem* to = y + (long long)blockIdx.x * COLUMNS;
    float top = MINUS_INFINITY;
    for (int i = threadIdx.x; i < COLUMNS; i += LANES) top = Larger()(top, to_float(from[i]));
    top = tree(top, Larger(), cell) * LOG2_E;
    float sum = 0.0f;
    for (int i = threadIdx.x; i < COLUMNS; i += LANES) sum += exp2_fast(to_float(from[i]) * LOG2_E - top);
    float inverse = 1.0f / tree(sum, Add(), cell);
    for (int i = threadIdx.x; i < COLUMNS; i += LANES) to[i] = from_float(exp2_fast(to_float(from[i]) * LOG2_E - top) * inverse);
}

extern "C" __global__ void __launch_bounds__(LANES* ROWS)
softmax_online(const elem* __restrict__ x, elem* __restrict__ y, int rows) {
    __shared__ float partial[2][ROWS][WAVES];
    long long row = (long long)blockIdx.x * ROWS + threadIdx.x / LANES;
    bool real = row < rows;
    if (!real) row = rows - 1;
    int lane = threadIdx.x % LANES;
    const Vector* from = reinterpret_cast<const Vector*>(x + row * COLUMNS);
    Vector* to = reinterpret_cast<Vector*>(y + row * COLUMNS);
    float top = MINUS_INFINITY, sum = 0.0f;
#pragma unroll 4
    for (int v = lane; v < VECTORS; v += LANES) {
        Vector raw = from[v];
        float value[VEC], most = top;
#pragma unroll
        for (int e = 0; e < VEC; ++e) {
            value[e] = raw.at(e) * LOG2_E;
            most = value[e] > most ? value[e] : most;
        }
        sum *= exp2_fast(top - most);
#pragma unroll
        for (int e = 0; e < VEC; ++e) sum += exp2_fast(value[e] - most);
        top = most;
    }
    float most = across(top, Larger(), partial[0]);
    float inverse = 1.0f / across(sum * exp2_fast(top - most), Add(), partial[1]);
    if (!real) return;
#pragma unroll 2
    for (int v = lane; v < VECTORS; v += LANES) {
        Vector raw = from[v], made;
        float value[VEC];
#pragma unroll
        for (int e = 0; e < VEC; ++e) value[e] = exp2_fast(raw.at(e) * LOG2_E - most) * inverse;
        made.set(value);
        to[v] = made;
    }
}
