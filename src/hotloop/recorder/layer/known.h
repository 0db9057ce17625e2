/* What the program made so far: texts, kernels with their arguments, memory. Handles are found by their addresses. */

/* Guards all that this file and the journal hold. Nothing is asked of the runtime under it that may wait for a launch: the runtime's own threads
   need it, too, where the program has them call functions (clSetEventCallback). */
static pthread_mutex_t mutex = PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP;

#define LOCKED(...) do { pthread_mutex_lock(&mutex); __VA_ARGS__; pthread_mutex_unlock(&mutex); } while (0)

typedef struct { Handle *keys; void **values; size_t room, used; } Map;

static void *dead = &dead; /* marks a place whose handle was released */

static void **found(Map *map, Handle key) {
    if (!map->room) return NULL;
    for (size_t at = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u % map->room;; at = (at + 1) % map->room) {
        if (!map->keys[at]) return NULL;
        if (map->keys[at] == key) return map->values[at] == dead ? NULL : &map->values[at];
    }
}

static void put(Map *map, Handle key, void *value) {
    if (2 * (map->used + 1) > map->room) {
        Map grown = {NULL, NULL, map->room ? 2 * map->room : 256, 0};
        grown.keys = calloc(grown.room, sizeof *grown.keys);
        grown.values = calloc(grown.room, sizeof *grown.values);
        for (size_t at = 0; at < map->room; ++at)
            if (map->keys[at] && map->values[at] != dead) put(&grown, map->keys[at], map->values[at]);
        free(map->keys);
        free(map->values);
        *map = grown;
    }
    size_t at = ((uintptr_t)key >> 4) * 0x9E3779B97F4A7C15u % map->room;
    while (map->keys[at] && map->keys[at] != key) at = (at + 1) % map->room;
    map->used += !map->keys[at];
    map->keys[at] = key;
    map->values[at] = value;
}

static void drop(Map *map, Handle key) {
    void **place = found(map, key);
    if (place) *place = dead;
}

/* A program's text with the options of its last build; `unknown` says why there is none. Never freed: kernels outlive programs. */
typedef struct { char *text, *options, *folder; const char *unknown; } Text;

typedef enum { UNSET, VALUE, LOCAL, MEMORY, SHARED, OTHER } What;
typedef struct { What what; size_t size; unsigned char *bytes; void *memory; const char *told; } Argument;
typedef struct { Text *text; char *name; cl_uint count; Argument *arguments; const char *unknown; } Kernel;
typedef struct { size_t size; } Allocated;

static Map programs, kernels, memories, samplers, events, shared;
static int waiting; /* user events that nobody has set yet */
static _Thread_local int called; /* functions of the program that the runtime is calling in this thread */

/* Tell whether this thread may wait for what was launched: neither while the program itself has to set an event, which this thread might be to do,
   nor in a function that the runtime calls, for which OpenCL forbids it. */
static int may_wait(void) { return !waiting && !called; }

static char *copied(const char *text, size_t length) {
    char *made = malloc(length + 1);
    memcpy(made, text, length);
    made[length] = 0;
    return made;
}

static Text *text_of(Handle program) {
    void **place = found(&programs, program);
    if (place) return *place;
    Text *made = calloc(1, sizeof *made);
    made->text = copied("", 0);
    made->options = copied("", 0);
    made->folder = copied("", 0);
    made->unknown = "it comes from a binary, from intermediate code or from several linked programs, not from one text";
    put(&programs, program, made);
    return made;
}

/* Return what is known of a kernel; NULL where nobody saw it being made. */
static Kernel *kernel_of(Handle kernel) {
    void **place = found(&kernels, kernel);
    return place ? *place : NULL;
}

static void forgotten(Kernel *kernel) {
    for (cl_uint at = 0; at < kernel->count; ++at) free(kernel->arguments[at].bytes);
    free(kernel->arguments);
    free(kernel->name);
    free(kernel);
}

static void arguments_copied(Kernel *to, const Kernel *from) {
    for (cl_uint at = 0; at < from->count && at < to->count; ++at) {
        to->arguments[at] = from->arguments[at];
        if (from->arguments[at].bytes) to->arguments[at].bytes = (unsigned char *)copied((char *)from->arguments[at].bytes, from->arguments[at].size);
    }
}

/* Return a copy that stays as it is while the program sets other arguments. */
static Kernel *now(const Kernel *kernel) {
    Kernel *made = calloc(1, sizeof *made);
    *made = *kernel;
    made->name = copied(kernel->name, strlen(kernel->name));
    made->arguments = calloc(kernel->count + 1, sizeof *made->arguments);
    arguments_copied(made, kernel);
    return made;
}

/* Return a new kernel, about which the runtime is asked. */
static Kernel *noticed(Handle handle) {
    Kernel *kernel = calloc(1, sizeof *kernel);
    Handle program = NULL;
    size_t length = 0;
    BELOW(clGetKernelInfo)(handle, KERNEL_PROGRAM, sizeof program, &program, NULL);
    BELOW(clGetKernelInfo)(handle, KERNEL_ARGUMENTS, sizeof kernel->count, &kernel->count, NULL);
    BELOW(clGetKernelInfo)(handle, KERNEL_NAME, 0, NULL, &length);
    kernel->name = calloc(1, length + 1);
    BELOW(clGetKernelInfo)(handle, KERNEL_NAME, length, kernel->name, NULL);
    kernel->arguments = calloc(kernel->count + 1, sizeof *kernel->arguments);
    kernel->text = text_of(program);
    Kernel *earlier = kernel_of(handle);
    if (earlier) forgotten(earlier); /* a handle that was used before: its kernel was released */
    put(&kernels, handle, kernel);
    return kernel;
}

/* Forget shared virtual memory from an address on, or of other allocations in it: it was freed, or is of a new one. */
static void freed(const void *address, size_t size) {
    for (size_t at = 0; at < shared.room; ++at) {
        if (!shared.keys[at] || shared.values[at] == dead) continue;
        size_t begin = (size_t)shared.keys[at], end = begin + ((Allocated *)shared.values[at])->size;
        if ((size_t)address + size <= begin || (size_t)address >= end) continue;
        free(shared.values[at]);
        shared.values[at] = dead;
    }
}

/* Return the allocation of shared virtual memory that an address lies in. */
static void *allocation(const void *address, size_t *rest) {
    for (size_t at = 0; at < shared.room; ++at) {
        if (!shared.keys[at] || shared.values[at] == dead) continue;
        size_t begin = (size_t)shared.keys[at], size = ((Allocated *)shared.values[at])->size;
        if ((size_t)address < begin || (size_t)address >= begin + size) continue;
        *rest = begin + size - (size_t)address;
        return shared.keys[at];
    }
    return NULL;
}

static void set(Kernel *kernel, cl_uint at, Argument given) {
    if (!kernel || at >= kernel->count) return free(given.bytes);
    free(kernel->arguments[at].bytes);
    kernel->arguments[at] = given;
}

static Argument argument(size_t size, const void *value) {
    if (!value) return (Argument){.what = LOCAL, .size = size};
    if (size == sizeof(Handle)) {
        Handle handle;
        memcpy(&handle, value, sizeof handle);
        if (found(&memories, handle)) return (Argument){.what = MEMORY, .size = size, .memory = handle};
        if (found(&samplers, handle)) return (Argument){.what = OTHER, .told = "a sampler"};
    }
    if (size > 4096) return (Argument){.what = OTHER, .told = "more than 4 KiB by value"};
    return (Argument){.what = VALUE, .size = size, .bytes = (unsigned char *)copied(value, size)};
}
