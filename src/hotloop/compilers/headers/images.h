// OpenCL C: images are declared, so that a file's other kernels compile; a kernel that calls one of these has code outside itself.
#define CLK_NORMALIZED_COORDS_FALSE 0
#define CLK_NORMALIZED_COORDS_TRUE 1
#define CLK_ADDRESS_NONE 0
#define CLK_ADDRESS_CLAMP_TO_EDGE 2
#define CLK_ADDRESS_CLAMP 4
#define CLK_ADDRESS_REPEAT 6
#define CLK_ADDRESS_MIRRORED_REPEAT 8
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20
#define HL_OUT extern __attribute__((overloadable, visibility("default")))
#define HL_READS(IMAGE, PLACE, REAL)                                                                                  \
    HL_OUT float4 read_imagef(IMAGE, PLACE); HL_OUT int4 read_imagei(IMAGE, PLACE); HL_OUT uint4 read_imageui(IMAGE, PLACE);
#define HL_SAMPLES(IMAGE, PLACE)                                                                                      \
    HL_OUT float4 read_imagef(IMAGE, sampler_t, PLACE); HL_OUT int4 read_imagei(IMAGE, sampler_t, PLACE);             \
    HL_OUT uint4 read_imageui(IMAGE, sampler_t, PLACE);
#define HL_WRITES(IMAGE, PLACE)                                                                                       \
    HL_OUT void write_imagef(IMAGE, PLACE, float4); HL_OUT void write_imagei(IMAGE, PLACE, int4);                     \
    HL_OUT void write_imageui(IMAGE, PLACE, uint4);
#define HL_ASKS(IMAGE) HL_OUT int get_image_width(IMAGE); HL_OUT int get_image_height(IMAGE); HL_OUT int get_image_depth(IMAGE);
#define HL_IMAGE(KIND, WHOLE, REAL)                                                                                   \
    HL_READS(read_only KIND, WHOLE, REAL) HL_SAMPLES(read_only KIND, WHOLE) HL_SAMPLES(read_only KIND, REAL)          \
    HL_WRITES(write_only KIND, WHOLE) HL_READS(read_write KIND, WHOLE, REAL) HL_WRITES(read_write KIND, WHOLE)        \
    HL_ASKS(read_only KIND) HL_ASKS(write_only KIND) HL_ASKS(read_write KIND)
#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable
HL_IMAGE(image1d_t, int, float) HL_IMAGE(image2d_t, int2, float2) HL_IMAGE(image3d_t, int4, float4)
HL_IMAGE(image1d_array_t, int2, float2) HL_IMAGE(image2d_array_t, int4, float4)
HL_READS(read_only image1d_buffer_t, int, float) HL_WRITES(write_only image1d_buffer_t, int)
HL_ASKS(read_only image1d_buffer_t)
HL_OUT int2 get_image_dim(read_only image2d_t);
HL_OUT int2 get_image_dim(write_only image2d_t);
HL_OUT int4 get_image_dim(read_only image3d_t);
HL_OUT int4 get_image_dim(write_only image3d_t);
