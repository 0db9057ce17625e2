// HIP: textures and surfaces are declared, so that a file's other kernels compile; a kernel that calls one of these has code
// outside itself. Read by device.h.
typedef struct hl_texture *hipTextureObject_t;
typedef struct hl_surface *hipSurfaceObject_t;
enum hipTextureReadMode { hipReadModeElementType, hipReadModeNormalizedFloat };
enum hipSurfaceBoundaryMode { hipBoundaryModeZero, hipBoundaryModeTrap, hipBoundaryModeClamp };
template <typename T, int = 1, hipTextureReadMode = hipReadModeElementType> struct texture;
extern "C" __attribute__((visibility("default"))) __device__ void __read_image_of_hip(void *, const void *, double, double, double);
extern "C" __attribute__((visibility("default"))) __device__ void __write_image_of_hip(const void *, const void *, double, double, double);
#define HL_TEXTURE(NAME, PLACE, ...)                                                                                   \
    template <typename T> HL_DEVICE T NAME(hipTextureObject_t t, PLACE)                                                \
    {                                                                                                                  \
        T found;                                                                                                       \
        __read_image_of_hip(&found, t, __VA_ARGS__);                                                                   \
        return found;                                                                                                  \
    }
HL_TEXTURE(tex1Dfetch, int x, x, 0, 0) HL_TEXTURE(tex1D, float x, x, 0, 0)
#define HL_PLACE2 float x, float y
#define HL_PLACE3 float x, float y, float z
HL_TEXTURE(tex2D, HL_PLACE2, x, y, 0) HL_TEXTURE(tex3D, HL_PLACE3, x, y, z) HL_TEXTURE(tex2DLod, HL_PLACE3, x, y, z)
#define HL_PLACE2L float x, float y, int layer
HL_TEXTURE(tex2DLayered, HL_PLACE2L, x, y, layer)
template <typename T> HL_DEVICE void surf2Dwrite(T v, hipSurfaceObject_t s, int x, int y, int = hipBoundaryModeZero) { __write_image_of_hip(&v, s, x, y, 0); }
template <typename T> HL_DEVICE void surf2Dread(T *v, hipSurfaceObject_t s, int x, int y, int = hipBoundaryModeZero) { __read_image_of_hip(v, s, x, y, 0); }
