/* Preloaded into an OpenCL program: writes each launch (source, options, arguments, arrays before and after) below RECORD_DIR.

   zig cc -shared -fPIC -O1 benchmarks/opencl_recorder.c -o recorder.so -I HEADERS
   RECORD_DIR=out RECORD_EACH=1 LD_PRELOAD=./recorder.so PROGRAM

   A folder holds source.cl, launch.txt and arg<N>.before and arg<N>.after for arrays. Of one kernel of one build the first RECORD_EACH
   launches are written, arrays above RECORD_BYTES (default 4 MiB) never. Launches with a global offset are left out. */
#define _GNU_SOURCE
#define CL_TARGET_OPENCL_VERSION 120
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <sys/stat.h>

enum { PROGRAMS = 1 << 14, KERNELS = 1 << 15, BUFFERS = 1 << 18, MOST_ARGUMENTS = 64 };
typedef struct { cl_program handle; char *source, *options; } Source;
typedef struct { size_t bytes; unsigned char value[64]; int given, local; } Argument;
typedef struct { cl_kernel handle; int program, seen; char name[128]; Argument arguments[MOST_ARGUMENTS]; } Kernel;

static Source programs[PROGRAMS];
static Kernel *kernels[KERNELS];
static cl_mem buffers[BUFFERS];
static int n_programs, n_kernels, n_buffers, n_written;
static struct { unsigned long hash; int seen; } known[KERNELS];
static int n_known;

#define REAL(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static long setting(const char *name, long standard) { const char *v = getenv(name); return v ? atol(v) : standard; }

static unsigned long hashed(unsigned long hash, const char *text) {
    for (; text && *text; ++text) hash = hash * 1099511628211UL ^ (unsigned char)*text;
    return hash;
}

cl_mem clCreateBuffer(cl_context c, cl_mem_flags f, size_t n, void *p, cl_int *e) {
    cl_mem made = REAL(clCreateBuffer)(c, f, n, p, e);
    if (made && n_buffers < BUFFERS) buffers[n_buffers++] = made;
    return made;
}

cl_program clCreateProgramWithSource(cl_context c, cl_uint n, const char **texts, const size_t *sizes, cl_int *e) {
    cl_program made = REAL(clCreateProgramWithSource)(c, n, texts, sizes, e);
    if (!made || n_programs == PROGRAMS) return made;
    size_t whole = 1, at = 0;
    for (cl_uint i = 0; i < n; ++i) whole += sizes && sizes[i] ? sizes[i] : strlen(texts[i]);
    char *text = malloc(whole);
    for (cl_uint i = 0; i < n; ++i) {
        size_t part = sizes && sizes[i] ? sizes[i] : strlen(texts[i]);
        memcpy(text + at, texts[i], part);
        at += part;
    }
    text[at] = 0;
    programs[n_programs++] = (Source){made, text, strdup("")};
    return made;
}

static int program_of(cl_program handle) {
    for (int i = n_programs - 1; i >= 0; --i) if (programs[i].handle == handle) return i;
    return -1;
}

cl_int clBuildProgram(cl_program p, cl_uint n, const cl_device_id *d, const char *options, void(CL_CALLBACK *f)(cl_program, void *), void *u) {
    int at = program_of(p);
    if (at >= 0) programs[at].options = strdup(options ? options : "");
    return REAL(clBuildProgram)(p, n, d, options, f, u);
}

cl_kernel clCreateKernel(cl_program p, const char *name, cl_int *e) {
    cl_kernel made = REAL(clCreateKernel)(p, name, e);
    if (made && n_kernels < KERNELS) {
        Kernel *k = calloc(1, sizeof *k);
        k->handle = made;
        k->program = program_of(p);
        snprintf(k->name, sizeof k->name, "%s", name);
        kernels[n_kernels++] = k;
    }
    return made;
}

static Kernel *kernel_of(cl_kernel handle) {
    for (int i = n_kernels - 1; i >= 0; --i) if (kernels[i]->handle == handle) return kernels[i];
    return 0;
}

cl_int clSetKernelArg(cl_kernel handle, cl_uint index, size_t bytes, const void *value) {
    Kernel *k = kernel_of(handle);
    if (k && index < MOST_ARGUMENTS && (bytes <= 64 || !value)) {
        k->arguments[index] = (Argument){.bytes = bytes, .given = 1, .local = !value};
        if (value) memcpy(k->arguments[index].value, value, bytes);
    }
    return REAL(clSetKernelArg)(handle, index, bytes, value);
}

static cl_mem buffer_in(const Argument *a) {
    cl_mem handle;
    if (a->local || a->bytes != sizeof handle) return 0;
    memcpy(&handle, a->value, sizeof handle);
    for (int i = n_buffers - 1; i >= 0; --i) if (buffers[i] == handle) return handle;
    return 0;
}

static void dump(cl_command_queue q, cl_mem m, const char *folder, int index, const char *when) {
    size_t bytes = 0;
    REAL(clGetMemObjectInfo)(m, CL_MEM_SIZE, sizeof bytes, &bytes, 0);
    void *host = malloc(bytes);
    REAL(clEnqueueReadBuffer)(q, m, CL_TRUE, 0, bytes, host, 0, 0, 0);
    char path[1200];
    snprintf(path, sizeof path, "%s/arg%d.%s", folder, index, when);
    FILE *f = fopen(path, "wb");
    if (f) { fwrite(host, 1, bytes, f); fclose(f); }
    free(host);
}

static int wanted(Kernel *k) {
    if (!k || k->program < 0 || n_written >= setting("RECORD_MOST", 100000)) return 0;
    unsigned long hash = hashed(hashed(hashed(14695981039346656037UL, programs[k->program].source), programs[k->program].options), k->name);
    int at = 0;
    while (at < n_known && known[at].hash != hash) ++at;
    if (at == n_known) { if (n_known == KERNELS) return 0; known[n_known++].hash = hash; }
    if (known[at].seen >= setting("RECORD_EACH", 1)) return 0;
    for (int i = 0; i < MOST_ARGUMENTS; ++i) {
        size_t bytes = 0;
        cl_mem m = k->arguments[i].given ? buffer_in(&k->arguments[i]) : 0;
        if (m) REAL(clGetMemObjectInfo)(m, CL_MEM_SIZE, sizeof bytes, &bytes, 0);
        if (bytes > (size_t)setting("RECORD_BYTES", 4 << 20)) return 0;
    }
    known[at].seen++;
    return 1;
}

cl_int clEnqueueNDRangeKernel(cl_command_queue q, cl_kernel handle, cl_uint dims, const size_t *offset, const size_t *global, const size_t *local,
                              cl_uint n, const cl_event *waits, cl_event *event) {
    __typeof__(&clEnqueueNDRangeKernel) real = REAL(clEnqueueNDRangeKernel);
    Kernel *k = kernel_of(handle);
    int shifted = 0;
    for (cl_uint d = 0; offset && d < dims; ++d) shifted |= offset[d] != 0;
    if (shifted || !getenv("RECORD_DIR") || !wanted(k)) return real(q, handle, dims, offset, global, local, n, waits, event);
    char folder[1024], path[1200];
    snprintf(folder, sizeof folder, "%s/%d-%05d", getenv("RECORD_DIR"), (int)getpid(), n_written++);
    mkdir(folder, 0755);
    REAL(clFinish)(q);
    for (int i = 0; i < MOST_ARGUMENTS; ++i) {
        cl_mem m = k->arguments[i].given ? buffer_in(&k->arguments[i]) : 0;
        if (m) dump(q, m, folder, i, "before");
    }
    cl_int code = real(q, handle, dims, offset, global, local, n, waits, event);
    REAL(clFinish)(q);
    snprintf(path, sizeof path, "%s/source.cl", folder);
    FILE *f = fopen(path, "w");
    if (f) { fputs(programs[k->program].source, f); fclose(f); }
    snprintf(path, sizeof path, "%s/launch.txt", folder);
    f = fopen(path, "w");
    if (!f) return code;
    fprintf(f, "kernel %s\noptions %s\ncode %d\nglobal", k->name, programs[k->program].options, code);
    for (cl_uint d = 0; d < dims; ++d) fprintf(f, " %zu", global[d]);
    fprintf(f, "\nlocal");
    for (cl_uint d = 0; local && d < dims; ++d) fprintf(f, " %zu", local[d]);
    for (int i = 0; i < MOST_ARGUMENTS; ++i) {
        Argument *a = &k->arguments[i];
        if (!a->given) continue;
        cl_mem m = buffer_in(a);
        if (m) dump(q, m, folder, i, "after");
        fprintf(f, "\n%s %d %zu ", m ? "array" : a->local ? "shared" : "value", i, a->bytes);
        for (size_t b = 0; !m && !a->local && b < a->bytes; ++b) fprintf(f, "%02x", a->value[b]);
    }
    fprintf(f, "\n");
    fclose(f);
    return code;
}
