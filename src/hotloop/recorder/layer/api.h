/* What a layer needs of OpenCL, as its specification fixes it for all systems; no headers need to be installed. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

typedef int32_t cl_int;
typedef uint32_t cl_uint;
typedef uint64_t cl_bits;
typedef void *Handle;
typedef void (*Notify)(Handle, cl_int, void *);

/* The places of functions in the table that the ICD loader hands from layer to layer (struct _cl_icd_dispatch of cl_icd.h). */
static const void **below;

#define FUNCTION(name, at, result, ...)              \
    typedef result (*name##_type)(__VA_ARGS__);      \
    enum { name##_at = at };
#define BELOW(name) ((name##_type)below[name##_at])

FUNCTION(clGetDeviceInfo, 3, cl_int, Handle, cl_uint, size_t, void *, size_t *)
FUNCTION(clGetCommandQueueInfo, 12, cl_int, Handle, cl_uint, size_t, void *, size_t *)
FUNCTION(clCreateBuffer, 14, Handle, Handle, cl_bits, size_t, void *, cl_int *)
FUNCTION(clCreateImage2D, 15, Handle, Handle, cl_bits, const void *, size_t, size_t, size_t, void *, cl_int *)
FUNCTION(clCreateImage3D, 16, Handle, Handle, cl_bits, const void *, size_t, size_t, size_t, size_t, size_t, void *, cl_int *)
FUNCTION(clRetainMemObject, 17, cl_int, Handle)
FUNCTION(clReleaseMemObject, 18, cl_int, Handle)
FUNCTION(clGetMemObjectInfo, 20, cl_int, Handle, cl_uint, size_t, void *, size_t *)
FUNCTION(clCreateSampler, 22, Handle, Handle, cl_uint, cl_uint, cl_uint, cl_int *)
FUNCTION(clCreateProgramWithSource, 26, Handle, Handle, cl_uint, const char **, const size_t *, cl_int *)
FUNCTION(clCreateProgramWithBinary, 27, Handle, Handle, cl_uint, const Handle *, const size_t *, const unsigned char **, cl_int *, cl_int *)
FUNCTION(clBuildProgram, 30, cl_int, Handle, cl_uint, const Handle *, const char *, void *, void *)
FUNCTION(clCreateKernel, 34, Handle, Handle, const char *, cl_int *)
FUNCTION(clCreateKernelsInProgram, 35, cl_int, Handle, cl_uint, Handle *, cl_uint *)
FUNCTION(clSetKernelArg, 38, cl_int, Handle, cl_uint, size_t, const void *)
FUNCTION(clGetKernelInfo, 39, cl_int, Handle, cl_uint, size_t, void *, size_t *)
FUNCTION(clWaitForEvents, 41, cl_int, cl_uint, const Handle *)
FUNCTION(clFinish, 47, cl_int, Handle)
FUNCTION(clEnqueueReadBuffer, 48, cl_int, Handle, Handle, cl_uint, size_t, size_t, void *, cl_uint, const Handle *, Handle *)
FUNCTION(clEnqueueCopyBuffer, 50, cl_int, Handle, Handle, Handle, size_t, size_t, size_t, cl_uint, const Handle *, Handle *)
FUNCTION(clEnqueueNDRangeKernel, 59, cl_int, Handle, Handle, cl_uint, const size_t *, const size_t *, const size_t *, cl_uint, const Handle *, Handle *)
FUNCTION(clEnqueueTask, 60, cl_int, Handle, Handle, cl_uint, const Handle *, Handle *)
FUNCTION(clGetExtensionFunctionAddress, 65, void *, const char *)
FUNCTION(clSetEventCallback, 81, cl_int, Handle, cl_int, Notify, void *)
FUNCTION(clCreateSubBuffer, 82, Handle, Handle, cl_bits, cl_uint, const void *, cl_int *)
FUNCTION(clCreateUserEvent, 84, Handle, Handle, cl_int *)
FUNCTION(clSetUserEventStatus, 85, cl_int, Handle, cl_int)
FUNCTION(clCreateImage, 96, Handle, Handle, cl_bits, const void *, const void *, void *, cl_int *)
FUNCTION(clCreateProgramWithBuiltInKernels, 97, Handle, Handle, cl_uint, const Handle *, const char *, cl_int *)
FUNCTION(clLinkProgram, 99, Handle, Handle, cl_uint, const Handle *, const char *, cl_uint, const Handle *, void *, void *, cl_int *)
FUNCTION(clGetExtensionFunctionAddressForPlatform, 107, void *, Handle, const char *)
FUNCTION(clCreatePipe, 124, Handle, Handle, cl_bits, cl_uint, cl_uint, const void *, cl_int *)
FUNCTION(clSVMAlloc, 126, void *, Handle, cl_bits, size_t, cl_uint)
FUNCTION(clSVMFree, 127, void, Handle, void *)
FUNCTION(clEnqueueSVMFree, 128, cl_int, Handle, cl_uint, void **, void *, void *, cl_uint, const Handle *, Handle *)
FUNCTION(clEnqueueSVMMemcpy, 129, cl_int, Handle, cl_uint, void *, const void *, size_t, cl_uint, const Handle *, Handle *)
FUNCTION(clCreateSamplerWithProperties, 133, Handle, Handle, const void *, cl_int *)
FUNCTION(clSetKernelArgSVMPointer, 134, cl_int, Handle, cl_uint, const void *)
FUNCTION(clSetKernelExecInfo, 135, cl_int, Handle, cl_uint, size_t, const void *)
FUNCTION(clCloneKernel, 137, Handle, Handle, cl_int *)
FUNCTION(clCreateProgramWithIL, 138, Handle, Handle, const void *, size_t, cl_int *)
FUNCTION(clCreateBufferWithProperties, 146, Handle, Handle, const void *, cl_bits, size_t, void *, cl_int *)
FUNCTION(clCreateImageWithProperties, 147, Handle, Handle, const void *, cl_bits, const void *, const void *, void *, cl_int *)

enum {
    QUEUE_CONTEXT = 0x1090, QUEUE_DEVICE = 0x1091, DEVICE_NAME = 0x102B, DRIVER_VERSION = 0x102D,
    MEM_TYPE = 0x1100, MEM_SIZE = 0x1102, MEM_PARENT = 0x1107, MEM_OFFSET = 0x1108, IS_BUFFER = 0x10F0,
    KERNEL_NAME = 0x1190, KERNEL_ARGUMENTS = 0x1191, KERNEL_PROGRAM = 0x1194, SVM_POINTERS = 0x11B6,
    LAYER_VERSION = 0x4240, LAYER_NAME = 0x4241, INVALID_VALUE = -30,
};
