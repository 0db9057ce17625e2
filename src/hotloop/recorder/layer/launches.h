/* Kernels by text, options and name, their kinds of launches, and what of each is told to the journal. */

enum { KINDS = 4, TIMED = 12, TIMES = 192, THREADS = 32, FLUSHED = 256 };

/* Seconds by the clock and of the processor. */
typedef struct { double wall_s, busy_s; } Took;
typedef struct { uint64_t number; Took took; } Timed; /* one launch that was timed, the first has the number 1 */
typedef struct { uint64_t calls; Timed timed[TIMES]; Took recording; int count; long threads[THREADS]; int threaded; } Tally;

static Took clocks(void) { return (Took){now_s(), busy_s()}; }

static Took since(Took began) {
    Took now = clocks();
    return (Took){now.wall_s - began.wall_s, now.busy_s - began.busy_s};
}
typedef struct { uint64_t hash; int place, untold; } Kind; /* untold: its arguments could not be read yet */
typedef struct Entry { uint64_t hash; int number, versions, kinds, room; Kind *kind; Tally tallies[KINDS + 1]; struct Entry *next; } Entry;

static Entry *entries;
static int n_entries, owner;

static uint64_t mixed(uint64_t hash, const void *bytes, size_t size) {
    for (size_t at = 0; at < size; ++at) hash = (hash ^ ((const unsigned char *)bytes)[at]) * 1099511628211u;
    return hash;
}

static void begun(void) {
    owner = getpid();
    entries = NULL;
    n_entries = files = 0;
    Line line = {0};
    addf(&line, "{\"kind\": \"begun\", \"pid\": %d, \"parent\": %d}", owner, getppid());
    written(&line);
}

static void sizes(Line *line, const char *name, cl_uint dims, const size_t *given) {
    addf(line, "\"%s\": ", name);
    if (!given) return add(line, "null", 4);
    for (cl_uint at = 0; at < dims; ++at) addf(line, "%s%zu", at ? ", " : "[", given[at]);
    add(line, "]", 1);
}

static void named(Line *line, const char *name, const char *text) {
    addf(line, ", \"%s\": ", name);
    quoted(line, text);
}

/* Add the words of a compiler's options; quotation marks keep words together, as compilers read them. */
static void words(Line *line, const char *options) {
    char *word = calloc(1, strlen(options) + 1);
    const char *comma = "";
    addf(line, ", \"options\": [");
    for (const char *at = options; *at;) {
        size_t used = 0;
        int open = 0;
        while (*at == ' ' || *at == '\t' || *at == '\n') ++at;
        for (; *at && (open || !strchr(" \t\n", *at)); ++at) {
            if (*at == '"') open = !open;
            else if (*at == '\\' && at[1] == '"') word[used++] = *++at;
            else word[used++] = *at;
        }
        word[used] = 0;
        if (used) add(line, comma, strlen(comma)), quoted(line, word), comma = ", ";
    }
    add(line, "]", 1);
    free(word);
}

static char *device_text(Handle queue, cl_uint what) {
    Handle device = NULL;
    char text[512] = "", *from = text;
    BELOW(clGetCommandQueueInfo)(queue, QUEUE_DEVICE, sizeof device, &device, NULL);
    BELOW(clGetDeviceInfo)(device, what, sizeof text - 1, text, NULL);
    while (*from == ' ') ++from;
    size_t length = strlen(from);
    while (length && from[length - 1] == ' ') --length;
    return copied(from, length);
}

static void kernel_told(Handle queue, const Kernel *kernel, const Entry *entry) {
    char path[4096] = "", *device = device_text(queue, DEVICE_NAME), *driver = device_text(queue, DRIVER_VERSION);
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    Line line = {0};
    addf(&line, "{\"kind\": \"kernel\", \"number\": %d, \"language\": \"opencl\", \"native\": true, \"line\": 0, \"digest\": \"\", \"interpreted\": false",
         entry->number);
    named(&line, "entry", kernel->name);
    named(&line, "text", kernel->text->text);
    named(&line, "path", path);
    named(&line, "folder", kernel->text->folder);
    named(&line, "device", device);
    named(&line, "versions", driver);
    words(&line, kernel->text->options);
    add(&line, "}", 1);
    written(&line);
    free(device);
    free(driver);
}

/* Read the first bytes of a buffer; of one that the host may not read, through a copy. */
static int read_buffer(Handle queue, Handle buffer, size_t size, void *bytes) {
    if (!BELOW(clEnqueueReadBuffer)(queue, buffer, 1, 0, size, bytes, 0, NULL, NULL)) return 1;
    Handle context = NULL;
    BELOW(clGetCommandQueueInfo)(queue, QUEUE_CONTEXT, sizeof context, &context, NULL);
    Handle copy = BELOW(clCreateBuffer)(context, 1, size, NULL, NULL);
    int done = copy && !BELOW(clEnqueueCopyBuffer)(queue, buffer, copy, 0, 0, size, 0, NULL, NULL) && !BELOW(clFinish)(queue) &&
               !BELOW(clEnqueueReadBuffer)(queue, copy, 1, 0, size, bytes, 0, NULL, NULL);
    if (copy) BELOW(clReleaseMemObject)(copy);
    return done;
}

typedef struct { void *base; size_t offset, size; } Range;

/* Return where a memory argument lies: sub-buffers within their buffers, pointers within their allocations. */
static Range range_of(const Argument *given) {
    Range range = {NULL, 0, 0};
    int known;
    LOCKED(known = given->what == MEMORY && found(&memories, given->memory));
    if (given->what == SHARED) {
        size_t rest = 0;
        LOCKED(range.base = allocation(given->memory, &rest));
        range.offset = range.base ? (size_t)given->memory - (size_t)range.base : 0;
        range.size = rest;
    } else if (known) {
        cl_uint type = 0;
        Handle parent = NULL;
        BELOW(clGetMemObjectInfo)(given->memory, MEM_TYPE, sizeof type, &type, NULL);
        if (type != IS_BUFFER) return range;
        BELOW(clGetMemObjectInfo)(given->memory, MEM_SIZE, sizeof range.size, &range.size, NULL);
        BELOW(clGetMemObjectInfo)(given->memory, MEM_PARENT, sizeof parent, &parent, NULL);
        BELOW(clGetMemObjectInfo)(given->memory, MEM_OFFSET, sizeof range.offset, &range.offset, NULL);
        range.base = parent ? parent : given->memory;
        if (range.base == given->memory) range.offset = 0;
    }
    return range;
}

static void array_told(Line *line, Handle queue, const Kernel *kernel, cl_uint at, Range range, int readable) {
    const char *comma = "";
    addf(line, ", \"kind\": \"array\", \"dtype\": \"uint8\", \"shape\": [%zu], \"strides\": [1], \"bytes\": %zu", range.size, range.size);
    Line others = {0};
    for (cl_uint earlier = 0; earlier < at; ++earlier) {
        Range other = range_of(&kernel->arguments[earlier]);
        if (!other.base || other.base != range.base) continue;
        if (other.offset == range.offset && other.size == range.size) {
            addf(line, ", \"alias\": \"%u\"", earlier);
            free(others.text);
            return;
        }
        if (other.offset < range.offset + range.size && range.offset < other.offset + other.size)
            addf(&others, "%s\"%u\"", comma, earlier), comma = ", ";
    }
    addf(line, ", \"overlaps\": [");
    if (others.used) add(line, others.text, others.used);
    add(line, "]", 1);
    free(others.text);
    size_t size = readable ? room_for(range.size) : 0;
    char file[64] = "", *bytes = size ? malloc(size) : NULL;
    const Argument *given = &kernel->arguments[at];
    if (bytes && (given->what == SHARED ? !BELOW(clEnqueueSVMMemcpy)(queue, 1, bytes, given->memory, size, 0, NULL, NULL)
                                        : read_buffer(queue, given->memory, size, bytes)))
        kept(bytes, size, file);
    free(bytes);
    addf(line, ", \"values\": \"%s\", \"whole\": %s", file, file[0] && size == range.size ? "true" : "false");
}

static void argument_told(Line *line, Handle queue, const Kernel *kernel, cl_uint at, int readable) {
    const Argument *given = &kernel->arguments[at];
    Range range = range_of(given);
    addf(line, "%s{\"name\": \"%u\"", at ? ", " : "", at);
    if (range.base) array_told(line, queue, kernel, at, range, readable);
    else if (given->what == UNSET) addf(line, ", \"kind\": \"null\"");
    else if (given->what == LOCAL) addf(line, ", \"kind\": \"local\", \"bytes\": %zu", given->size);
    else if (given->what == VALUE) {
        addf(line, ", \"kind\": \"bytes\", \"value\": \"");
        for (size_t byte = 0; byte < given->size; ++byte) addf(line, "%02x", given->bytes[byte]);
        add(line, "\"", 1);
    } else {
        const char *what = given->told ? given->told : given->what == MEMORY ? "an image, a pipe or memory that was released" : "an address";
        addf(line, ", \"kind\": \"other\"");
        named(line, "value", what);
    }
    add(line, "}", 1);
}

typedef struct { cl_uint dims; const size_t *offset, *global, *local; } Size;

static void launch_told(Handle queue, const Kernel *kernel, const Entry *entry, int place, Size size, int readable) {
    Line line = {0};
    addf(&line, "{\"kind\": \"launch\", \"kernel\": %d, \"place\": %d, ", entry->number, place);
    sizes(&line, "grid", size.dims, size.global);
    add(&line, ", ", 2);
    sizes(&line, "group", size.dims, size.local);
    if (size.offset) {
        add(&line, ", ", 2);
        sizes(&line, "offset", size.dims, size.offset);
    }
    addf(&line, ", \"arguments\": [");
    for (cl_uint at = 0; at < kernel->count; ++at) argument_told(&line, queue, kernel, at, readable);
    addf(&line, "]}");
    written(&line);
}

static uint64_t kind_of(const Kernel *kernel, Size size) {
    uint64_t hash = mixed(14695981039346656037u, size.global, size.dims * sizeof *size.global);
    size_t zeros[8] = {0};
    hash = mixed(hash, size.local ? size.local : zeros, size.dims * sizeof *zeros);
    hash = mixed(hash, size.offset ? size.offset : zeros, size.dims * sizeof *zeros);
    for (cl_uint at = 0; at < kernel->count; ++at) {
        const Argument *given = &kernel->arguments[at];
        size_t told[2] = {given->what, given->size};
        if (given->what == MEMORY || given->what == SHARED) told[1] = range_of(given).size;
        hash = mixed(hash, told, sizeof told);
    }
    return hash;
}

static Entry *entry_of(Handle queue, const Kernel *kernel) {
    uint64_t hash = mixed(14695981039346656037u, kernel->text->text, strlen(kernel->text->text) + 1);
    hash = mixed(hash, kernel->text->options, strlen(kernel->text->options) + 1);
    hash = mixed(hash, kernel->name, strlen(kernel->name));
    for (Entry *entry = entries; entry; entry = entry->next)
        if (entry->hash == hash) return entry;
    Entry *made = calloc(1, sizeof *made);
    made->hash = hash;
    made->number = n_entries++;
    made->next = entries;
    entries = made;
    kernel_told(queue, kernel, made);
    return made;
}

static int is_new(const Entry *entry, uint64_t hash) {
    for (int at = 0; at < entry->kinds; ++at)
        if (entry->kind[at].hash == hash) return entry->kind[at].untold && may_wait();
    return entry->kinds < KINDS;
}

/* Return the place of a kind of launches; `fresh` tells whether its arguments are still to be told, `readable` whether their values can be.
   Kinds beyond the first few are only counted. */
static int place_of(Entry *entry, uint64_t hash, int readable, int *fresh) {
    *fresh = 0;
    for (int at = 0; at < entry->kinds; ++at)
        if (entry->kind[at].hash == hash) {
            *fresh = entry->kind[at].untold && readable;
            if (*fresh) entry->kind[at].untold = 0;
            return entry->kind[at].place;
        }
    if (entry->kinds == entry->room) {
        if (entry->room >= 4096) return KINDS;
        entry->room = entry->room ? 2 * entry->room : 8;
        entry->kind = realloc(entry->kind, entry->room * sizeof *entry->kind);
    }
    int place = entry->kinds < KINDS ? entry->kinds : KINDS;
    entry->kind[entry->kinds++] = (Kind){hash, place, !readable && place < KINDS};
    *fresh = place < KINDS;
    return place;
}

static int is_timed(const Tally *tally) {
    uint64_t number = tally->calls + 1;
    int bits = 64 - __builtin_clzll(number); /* eight of each doubling: programs whose launches grow or shrink are known by all of them */
    return number <= TIMED || !(number & ((UINT64_C(1) << (bits - 4)) - 1));
}

static void listed(Line *line, const char *name, const Tally *tally, int which) {
    addf(line, ", \"%s\": [", name);
    for (int at = 0; at < tally->count; ++at) {
        const Timed *one = &tally->timed[at];
        addf(line, "%s%.0f", at ? ", " : "", which == 0 ? 1e9 * one->took.wall_s : which == 1 ? 1e9 * one->took.busy_s : (double)one->number);
    }
    add(line, "]", 1);
}

static void count_told(const Entry *entry, int place) {
    const Tally *tally = &entry->tallies[place];
    Line line = {0};
    addf(&line, "{\"kind\": \"count\", \"kernel\": %d, \"place\": %d, \"calls\": %llu, \"host_ns\": %.0f, \"host_busy_ns\": %.0f, \"threads\": %d",
         entry->number, place, (unsigned long long)tally->calls, 1e9 * tally->recording.wall_s, 1e9 * tally->recording.busy_s,
         tally->threaded ? tally->threaded : 1);
    listed(&line, "times_ns", tally, 0);
    listed(&line, "busy_ns", tally, 1);
    listed(&line, "numbers", tally, 2);
    add(&line, "}", 1);
    written(&line);
}

static void counted(Entry *entry, int place, const Took *elapsed, Took recording) {
    Tally *tally = &entry->tallies[place];
    long thread = syscall(SYS_gettid);
    int known = 0;
    for (int at = 0; at < tally->threaded; ++at) known |= tally->threads[at] == thread;
    if (!known && tally->threaded < THREADS) tally->threads[tally->threaded++] = thread;
    tally->calls++;
    tally->recording.wall_s += recording.wall_s;
    tally->recording.busy_s += recording.busy_s;
    if (elapsed && tally->count < TIMES) tally->timed[tally->count++] = (Timed){tally->calls, *elapsed};
    int power = !(tally->calls & (tally->calls - 1));
    if (tally->calls <= TIMED || power || tally->calls % (tally->calls < 16 * FLUSHED ? FLUSHED : 16 * FLUSHED) == 0) count_told(entry, place);
}
