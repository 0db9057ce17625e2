// OpenCL C: copies by a whole group, each work-item its share; waiting is a barrier. Read after opencl.h where a text names one.
#define HL_RANK ((get_local_id(2) * get_local_size(1) + get_local_id(1)) * get_local_size(0) + get_local_id(0))
#define HL_CREW (get_local_size(0) * get_local_size(1) * get_local_size(2))
#define HL_COPY_AT(T, TO, FROM, OUT, IN)                                                                              \
    HL_FN event_t async_work_group_strided_copy(TO T *to, const FROM T *from, size_t n, size_t step, event_t e)       \
    { for (size_t i = HL_RANK; i < n; i += HL_CREW) to[OUT] = from[IN]; return e; }                                   \
    HL_FN event_t async_work_group_copy(TO T *to, const FROM T *from, size_t n, event_t e)                            \
    { for (size_t i = HL_RANK; i < n; i += HL_CREW) to[i] = from[i]; return e; }
#define HL_COPY(T) HL_COPY_AT(T, __local, __global, i, i * step) HL_COPY_AT(T, __global, __local, i * step, i)
#define HL_COPIES(T) HL_COPY(T) HL_COPY(T##2) HL_COPY(T##4) HL_COPY(T##8) HL_COPY(T##16)
HL_COPIES(char) HL_COPIES(uchar) HL_COPIES(short) HL_COPIES(ushort) HL_COPIES(int) HL_COPIES(uint) HL_COPIES(long)
HL_COPIES(ulong) HL_COPIES(float) HL_COPIES(double)
#define wait_group_events(n, events) ((void)(n), (void)(events), barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE))
