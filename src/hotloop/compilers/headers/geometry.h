// OpenCL C: functions of vectors as places and directions. Read after opencl.h where a text names one.
#define HL_GEOMETRY_OF(V, T)                                                                                          \
    HL_FN T length(V x) { return sqrt(dot(x, x)); }                                                                   \
    HL_FN T distance(V x, V y) { return length(x - y); }                                                              \
    HL_FN V normalize(V x) { const T l = length(x); return l > 0 ? x / l : x; }                                       \
    HL_FN T fast_length(V x) { return length(x); }                                                                    \
    HL_FN T fast_distance(V x, V y) { return length(x - y); }                                                         \
    HL_FN V fast_normalize(V x) { return normalize(x); }
#define HL_GEOMETRY(T)                                                                                                \
    HL_FN T dot(T a, T b) { return a * b; }                                                                           \
    HL_FN T dot(T##3 a, T##3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }                                         \
    HL_GEOMETRY_OF(T, T) HL_GEOMETRY_OF(T##2, T) HL_GEOMETRY_OF(T##3, T) HL_GEOMETRY_OF(T##4, T)                      \
    HL_FN T##3 cross(T##3 a, T##3 b) { return a.yzx * b.zxy - a.zxy * b.yzx; }                                        \
    HL_FN T##4 cross(T##4 a, T##4 b) { return (T##4)(cross(a.xyz, b.xyz), (T)0); }
#define HL_DOTS(T)                                                                                                    \
    HL_FN T dot(T##2 a, T##2 b) { return a.x * b.x + a.y * b.y; }                                                     \
    HL_FN T dot(T##4 a, T##4 b) { return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w; }
HL_DOTS(double) HL_DOTS(half) HL_GEOMETRY(float) HL_GEOMETRY(double) HL_GEOMETRY(half)
