/* Launches of any program that finds OpenCL through an ICD loader: the loader puts these functions before the runtime's (OPENCL_LAYERS).

   HOTLOOP_LAYER says where to write: seconds to wait, bytes to keep, whether to keep values, and the folder. In a process where a
   recorder of Python listens already (HOTLOOP_HEARD is the process's number) nothing is recorded. Every function does what the program asked
   for, whether it can be recorded or not; only a process without memory for a few hundred bytes more ends here. */

static const void *table[512];
static pthread_mutex_t telling = PTHREAD_MUTEX_INITIALIZER; /* held while values are read, which may wait for the runtime */

static int recording(void) {
    const char *heard = getenv("HOTLOOP_HEARD");
    if (heard && atoi(heard) == getpid()) return 0;
    return asked.folder && now_s() - began_s >= asked.after_s;
}

static Handle remembered(Handle made) {
    if (made) LOCKED(put(&memories, made, (void *)1)); /* how often the program holds it */
    return made;
}

static Handle layer_clCreateBuffer(Handle c, cl_bits f, size_t n, void *p, cl_int *e) { return remembered(BELOW(clCreateBuffer)(c, f, n, p, e)); }

static Handle layer_clCreateBufferWithProperties(Handle c, const void *l, cl_bits f, size_t n, void *p, cl_int *e) {
    return remembered(BELOW(clCreateBufferWithProperties)(c, l, f, n, p, e));
}

static Handle layer_clCreateSubBuffer(Handle b, cl_bits f, cl_uint t, const void *i, cl_int *e) {
    return remembered(BELOW(clCreateSubBuffer)(b, f, t, i, e));
}

static Handle layer_clCreateImage(Handle c, cl_bits f, const void *a, const void *d, void *p, cl_int *e) {
    return remembered(BELOW(clCreateImage)(c, f, a, d, p, e));
}

static Handle layer_clCreateImageWithProperties(Handle c, const void *l, cl_bits f, const void *a, const void *d, void *p, cl_int *e) {
    return remembered(BELOW(clCreateImageWithProperties)(c, l, f, a, d, p, e));
}

static Handle layer_clCreateImage2D(Handle c, cl_bits f, const void *a, size_t w, size_t h, size_t r, void *p, cl_int *e) {
    return remembered(BELOW(clCreateImage2D)(c, f, a, w, h, r, p, e));
}

static Handle layer_clCreateImage3D(Handle c, cl_bits f, const void *a, size_t w, size_t h, size_t d, size_t r, size_t s, void *p, cl_int *e) {
    return remembered(BELOW(clCreateImage3D)(c, f, a, w, h, d, r, s, p, e));
}

static Handle layer_clCreatePipe(Handle c, cl_bits f, cl_uint s, cl_uint n, const void *p, cl_int *e) {
    return remembered(BELOW(clCreatePipe)(c, f, s, n, p, e));
}

/* Count how often the program holds memory. The runtime's own count would not do: launches that are under way hold it, too. */
static void held(Handle memory, intptr_t more) {
    void **place = found(&memories, memory);
    if (!place) return;
    intptr_t count = (intptr_t)*place + more;
    *place = count > 0 ? (void *)count : dead;
}

static cl_int layer_clRetainMemObject(Handle memory) {
    cl_int error = BELOW(clRetainMemObject)(memory);
    if (!error) LOCKED(held(memory, 1));
    return error;
}

static cl_int layer_clReleaseMemObject(Handle memory) {
    LOCKED(held(memory, -1)); /* before it is gone, for then its handle may be another one's */
    return BELOW(clReleaseMemObject)(memory);
}

static Handle sampled(Handle made) {
    if (made) LOCKED(put(&samplers, made, made));
    return made;
}

static Handle layer_clCreateSampler(Handle c, cl_uint n, cl_uint a, cl_uint f, cl_int *e) { return sampled(BELOW(clCreateSampler)(c, n, a, f, e)); }

static Handle layer_clCreateSamplerWithProperties(Handle c, const void *p, cl_int *e) {
    return sampled(BELOW(clCreateSamplerWithProperties)(c, p, e));
}

static void *layer_clSVMAlloc(Handle context, cl_bits flags, size_t size, cl_uint alignment) {
    void *made = BELOW(clSVMAlloc)(context, flags, size, alignment);
    Allocated *known = made ? malloc(sizeof *known) : NULL;
    if (known) {
        known->size = size;
        LOCKED(freed(made, size), put(&shared, made, known));
    }
    return made;
}

static void layer_clSVMFree(Handle context, void *memory) {
    if (memory) LOCKED(freed(memory, 1));
    BELOW(clSVMFree)(context, memory);
}

static cl_int layer_clEnqueueSVMFree(Handle queue, cl_uint count, void **memories, void *notify, void *data, cl_uint n, const Handle *before,
                                     Handle *after) {
    for (cl_uint at = 0; memories && at < count; ++at)
        if (memories[at]) LOCKED(freed(memories[at], 1));
    return BELOW(clEnqueueSVMFree)(queue, count, memories, notify, data, n, before, after);
}

static Handle layer_clCreateUserEvent(Handle context, cl_int *error) {
    Handle made = BELOW(clCreateUserEvent)(context, error);
    if (made) LOCKED(put(&events, made, made); ++waiting);
    return made;
}

static cl_int layer_clSetUserEventStatus(Handle event, cl_int status) {
    LOCKED(if (found(&events, event)) drop(&events, event), --waiting);
    return BELOW(clSetUserEventStatus)(event, status);
}

typedef struct { Notify notify; void *data; } Noticed;

static void told(Handle event, cl_int status, void *given) {
    Noticed asked_for = *(Noticed *)given;
    free(given);
    ++called;
    asked_for.notify(event, status, asked_for.data);
    --called;
}

static cl_int layer_clSetEventCallback(Handle event, cl_int status, Notify notify, void *data) {
    Noticed *given = notify ? malloc(sizeof *given) : NULL;
    if (!given) return BELOW(clSetEventCallback)(event, status, notify, data);
    *given = (Noticed){notify, data};
    cl_int error = BELOW(clSetEventCallback)(event, status, told, given);
    if (error) free(given);
    return error;
}

/* Return a program that comes from no text; its handle may have been that of one with a text, which was released. */
static Handle textless(Handle made) {
    if (made) LOCKED(drop(&programs, made));
    return made;
}

static Handle layer_clCreateProgramWithBinary(Handle c, cl_uint n, const Handle *d, const size_t *l, const unsigned char **b, cl_int *s, cl_int *e) {
    return textless(BELOW(clCreateProgramWithBinary)(c, n, d, l, b, s, e));
}

static Handle layer_clCreateProgramWithBuiltInKernels(Handle c, cl_uint n, const Handle *d, const char *k, cl_int *e) {
    return textless(BELOW(clCreateProgramWithBuiltInKernels)(c, n, d, k, e));
}

static Handle layer_clCreateProgramWithIL(Handle c, const void *i, size_t l, cl_int *e) { return textless(BELOW(clCreateProgramWithIL)(c, i, l, e)); }

static Handle layer_clLinkProgram(Handle c, cl_uint n, const Handle *d, const char *o, cl_uint m, const Handle *p, void *f, void *u, cl_int *e) {
    return textless(BELOW(clLinkProgram)(c, n, d, o, m, p, f, u, e));
}

static Handle layer_clCreateProgramWithSource(Handle context, cl_uint count, const char **parts, const size_t *lengths, cl_int *error) {
    Handle made = BELOW(clCreateProgramWithSource)(context, count, parts, lengths, error);
    if (!made) return made;
    Line whole = {0};
    char folder[4096] = "";
    if (!getcwd(folder, sizeof folder)) folder[0] = 0;
    for (cl_uint at = 0; at < count; ++at) {
        size_t length = lengths && lengths[at] ? lengths[at] : strlen(parts[at]);
        add(&whole, parts[at], strnlen(parts[at], length)); /* some count the zero that ends a text */
    }
    Text *text = calloc(1, sizeof *text);
    text->text = copied(whole.used ? whole.text : "", whole.used);
    text->options = copied("", 0);
    text->folder = copied(folder, strlen(folder));
    free(whole.text);
    LOCKED(put(&programs, made, text));
    return made;
}

static cl_int layer_clBuildProgram(Handle program, cl_uint n, const Handle *devices, const char *options, void *notify, void *data) {
    pthread_mutex_lock(&mutex);
    Text *text = text_of(program);
    char *earlier = text->options;
    text->options = copied(options ? options : "", options ? strlen(options) : 0);
    pthread_mutex_unlock(&mutex);
    cl_int error = BELOW(clBuildProgram)(program, n, devices, options, notify, data);
    if (error) LOCKED(text->options = earlier); /* kernels of an earlier build have these */
    return error;
}

static Handle layer_clCreateKernel(Handle program, const char *name, cl_int *error) {
    Handle made = BELOW(clCreateKernel)(program, name, error);
    if (made) LOCKED(noticed(made));
    return made;
}

static cl_int layer_clCreateKernelsInProgram(Handle program, cl_uint room, Handle *made, cl_uint *count) {
    cl_uint had = 0;
    cl_int error = BELOW(clCreateKernelsInProgram)(program, room, made, &had);
    if (count) *count = had;
    for (cl_uint at = 0; !error && made && at < had && at < room; ++at) LOCKED(noticed(made[at]));
    return error;
}

static Handle layer_clCloneKernel(Handle source, cl_int *error) {
    Handle made = BELOW(clCloneKernel)(source, error);
    if (!made) return made;
    pthread_mutex_lock(&mutex);
    Kernel *kernel = noticed(made), *from = kernel_of(source);
    if (from) arguments_copied(kernel, from);
    pthread_mutex_unlock(&mutex);
    return made;
}

static cl_int layer_clSetKernelArg(Handle kernel, cl_uint at, size_t size, const void *value) {
    cl_int error = BELOW(clSetKernelArg)(kernel, at, size, value);
    if (!error) LOCKED(set(kernel_of(kernel), at, argument(size, value)));
    return error;
}

static cl_int layer_clSetKernelArgSVMPointer(Handle kernel, cl_uint at, const void *value) {
    cl_int error = BELOW(clSetKernelArgSVMPointer)(kernel, at, value);
    Argument given = {.what = value ? SHARED : UNSET, .size = sizeof value, .memory = (void *)value};
    if (!error) LOCKED(set(kernel_of(kernel), at, given));
    return error;
}

typedef cl_int (*Unified)(Handle, cl_uint, const void *);
static Unified unified;

/* Intel's unified memory: an address whose array nobody can ask for. */
static cl_int layer_unified(Handle kernel, cl_uint at, const void *value) {
    cl_int error = unified(kernel, at, value);
    Argument given = {.what = OTHER, .told = "an address in unified memory"};
    if (!error) LOCKED(set(kernel_of(kernel), at, given));
    return error;
}

static clCreateProgramWithIL_type intermediate;

static Handle layer_intermediate(Handle context, const void *code, size_t size, cl_int *error) { return textless(intermediate(context, code, size, error)); }

/* Return the layer's own function for some that the program asks for by name. */
static void *wrapped(const char *name, void *made) {
    if (made && !strcmp(name, "clSetKernelArgMemPointerINTEL")) return unified = (Unified)made, (void *)layer_unified;
    if (made && !strcmp(name, "clCreateProgramWithILKHR")) return intermediate = (clCreateProgramWithIL_type)made, (void *)layer_intermediate;
    return made;
}

static void *layer_clGetExtensionFunctionAddress(const char *name) { return wrapped(name, BELOW(clGetExtensionFunctionAddress)(name)); }

static void *layer_clGetExtensionFunctionAddressForPlatform(Handle platform, const char *name) {
    return wrapped(name, BELOW(clGetExtensionFunctionAddressForPlatform)(platform, name));
}

static cl_int layer_clSetKernelExecInfo(Handle handle, cl_uint what, size_t size, const void *value) {
    if (what == SVM_POINTERS) {
        pthread_mutex_lock(&mutex);
        Kernel *kernel = kernel_of(handle);
        if (kernel) kernel->unknown = "it reaches memory through addresses that lie in memory";
        pthread_mutex_unlock(&mutex);
    }
    return BELOW(clSetKernelExecInfo)(handle, what, size, value);
}

static cl_int waited(Handle queue, cl_uint count, const Handle *before) {
    if (count && before) BELOW(clWaitForEvents)(count, before);
    return BELOW(clFinish)(queue);
}

/* Tell whether a launch is the first of its kind, so that the journal is to be told of it. */
static int is_fresh(Handle queue, Handle handle, Size size) {
    int fresh = 0;
    pthread_mutex_lock(&mutex);
    if (owner != getpid()) begun();
    Kernel *kernel = kernel_of(handle);
    const char *unknown = !kernel ? NULL : kernel->unknown ? kernel->unknown : kernel->text->unknown;
    if (unknown) failed("%s, of which nothing can be optimized: %s", kernel->name, unknown);
    if (kernel && !unknown) fresh = is_new(entry_of(queue, kernel), kind_of(kernel, size));
    pthread_mutex_unlock(&mutex);
    return fresh;
}

/* Return the kernel of a launch and the place of its kind, whose arguments are told first where they are new; NULL where it is not recorded. */
static Entry *noted(Handle queue, Handle handle, Size size, int *place) {
    int fresh = 0, readable;
    Entry *entry = NULL;
    pthread_mutex_lock(&mutex);
    Kernel *kernel = kernel_of(handle);
    if (kernel && !kernel->unknown && !kernel->text->unknown) {
        readable = may_wait();
        entry = entry_of(queue, kernel);
        *place = place_of(entry, kind_of(kernel, size), readable, &fresh);
        if (fresh) kernel = now(kernel);
    }
    pthread_mutex_unlock(&mutex);
    if (!fresh) return entry;
    if (readable) pthread_mutex_lock(&telling); /* one after the other, so that together they keep to the bytes that were asked for */
    launch_told(queue, kernel, entry, *place, size, readable);
    if (readable) pthread_mutex_unlock(&telling);
    forgotten(kernel);
    return entry;
}

typedef cl_int (*Do)(Handle, Handle, Size, cl_uint, const Handle *, Handle *);

/* Do a launch and record it. */
static cl_int launched(Handle queue, Handle handle, Size size, cl_uint n, const Handle *before, Handle *after, Do run) {
    if (!size.dims || size.dims > 3 || !size.global || !recording()) return run(queue, handle, size, n, before, after);
    Entry *entry;
    int place = 0;
    if (is_fresh(queue, handle, size) && may_wait()) waited(queue, n, before); /* for launches before, which is the program's own time */
    Took began = clocks();
    entry = noted(queue, handle, size, &place);
    if (!entry) return run(queue, handle, size, n, before, after);
    int timed = may_wait() && is_timed(&entry->tallies[place]);
    Took recorded = since(began);
    if (timed) waited(queue, n, before);
    began = clocks();
    cl_int error = run(queue, handle, size, n, before, after);
    if (timed) BELOW(clFinish)(queue);
    Took elapsed = since(began);
    if (!error) LOCKED(counted(entry, place, timed ? &elapsed : NULL, recorded));
    return error;
}

static cl_int range_run(Handle q, Handle k, Size s, cl_uint n, const Handle *b, Handle *a) {
    return BELOW(clEnqueueNDRangeKernel)(q, k, s.dims, s.offset, s.global, s.local, n, b, a);
}

static cl_int task_run(Handle q, Handle k, Size s, cl_uint n, const Handle *b, Handle *a) {
    (void)s;
    return BELOW(clEnqueueTask)(q, k, n, b, a);
}

static cl_int layer_clEnqueueNDRangeKernel(Handle queue, Handle kernel, cl_uint dims, const size_t *offset, const size_t *global, const size_t *local,
                                           cl_uint n, const Handle *before, Handle *after) {
    return launched(queue, kernel, (Size){dims, offset, global, local}, n, before, after, range_run);
}

static cl_int layer_clEnqueueTask(Handle queue, Handle kernel, cl_uint n, const Handle *before, Handle *after) {
    static const size_t one = 1;
    return launched(queue, kernel, (Size){1, NULL, &one, &one}, n, before, after, task_run);
}

#define ALL(DO)                                                                                                                              \
    DO(clCreateBuffer) DO(clCreateBufferWithProperties) DO(clCreateSubBuffer) DO(clCreateImage) DO(clCreateImageWithProperties)               \
    DO(clCreateImage2D) DO(clCreateImage3D) DO(clCreatePipe) DO(clRetainMemObject) DO(clReleaseMemObject) DO(clCreateSampler)                \
    DO(clCreateSamplerWithProperties) DO(clSVMAlloc) DO(clSVMFree) DO(clEnqueueSVMFree) DO(clSetEventCallback)                               \
    DO(clCreateProgramWithBinary) DO(clCreateProgramWithBuiltInKernels) DO(clCreateProgramWithIL) DO(clLinkProgram) DO(clCreateUserEvent) DO(clSetUserEventStatus) DO(clCreateProgramWithSource) DO(clBuildProgram)              \
    DO(clCreateKernel) DO(clCreateKernelsInProgram) DO(clCloneKernel) DO(clSetKernelArg) DO(clSetKernelArgSVMPointer)                         \
    DO(clGetExtensionFunctionAddress) DO(clGetExtensionFunctionAddressForPlatform) DO(clSetKernelExecInfo)                                    \
    DO(clEnqueueNDRangeKernel) DO(clEnqueueTask)

/* A child may be born while another thread holds a mutex, which nobody would release in the child. */
static void forking(void) { pthread_mutex_lock(&mutex); }
static void forked(void) { pthread_mutex_unlock(&mutex); }
static void born(void) { mutex = (pthread_mutex_t)PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP, telling = (pthread_mutex_t)PTHREAD_MUTEX_INITIALIZER; }

__attribute__((visibility("default"))) cl_int clGetLayerInfo(cl_uint what, size_t room, void *value, size_t *size) {
    static const char name[] = "hotloop";
    const cl_uint version = 100;
    size_t length = what == LAYER_VERSION ? sizeof version : what == LAYER_NAME ? sizeof name : 0;
    if (!length || (value && room < length)) return INVALID_VALUE;
    if (value) memcpy(value, what == LAYER_VERSION ? (const void *)&version : name, length);
    if (size) *size = length;
    return 0;
}

__attribute__((visibility("default"))) cl_int clInitLayer(cl_uint count, const void **target, cl_uint *made, const void ***layer) {
    static int joined;
    const char *settings = getenv("HOTLOOP_LAYER");
    if (!target || !made || !layer || !settings || count > 512) return INVALID_VALUE;
    static char folder[4096];
    if (sscanf(settings, "%lf %zu %d %4095[^\n]", &asked.after_s, &asked.limit, &asked.values, folder) != 4) return INVALID_VALUE;
    asked.folder = folder;
    if (!joined++) pthread_atfork(forking, forked, born);
    began_s = now_s();
    below = target;
    memcpy(table, target, count * sizeof *table);
#define PUT(name) if (name##_at < count && table[name##_at]) table[name##_at] = (const void *)layer_##name;
    ALL(PUT)
    *made = count;
    *layer = table;
    begun();
    return 0;
}

/* Loaders of 2025 and later ask for these two; which properties they give changes nothing here. */
__attribute__((visibility("default"))) cl_int clInitLayerWithProperties(cl_uint count, const void **target, cl_uint *made, const void ***layer,
                                                                        const void *properties) {
    (void)properties;
    return clInitLayer(count, target, made, layer);
}

__attribute__((visibility("default"))) cl_int clDeinitLayer(void) { return 0; }

/* Write the last counts of a process that ends by itself, and say so. */
__attribute__((destructor)) static void ended(void) {
    if (!asked.folder || owner != getpid()) return;
    for (Entry *entry = entries; entry; entry = entry->next)
        for (int place = 0; place <= KINDS; ++place)
            if (entry->tallies[place].calls) count_told(entry, place);
    Line line = {0};
    addf(&line, "{\"kind\": \"ended\"}");
    written(&line);
}
