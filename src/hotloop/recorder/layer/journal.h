/* The recorder's file: one line of JSON for each thing that was seen, as the recorder of Python programs writes it. */

typedef struct { char *text; size_t used, room; } Line;

static struct { char *folder; double after_s; size_t limit; int values; } asked;
static int journal = -1, process = -1, files;
static double began_s;

static double now_s(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec + 1e-9 * now.tv_nsec;
}

/* Return the processor time of all threads of this process. */
static double busy_s(void) {
    struct timespec used;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
    return used.tv_sec + 1e-9 * used.tv_nsec;
}

static void add(Line *line, const char *text, size_t length) {
    if (line->used + length + 1 > line->room) {
        line->room = 2 * (line->used + length + 1);
        line->text = realloc(line->text, line->room);
    }
    memcpy(line->text + line->used, text, length);
    line->used += length;
}

__attribute__((format(printf, 2, 3))) static void addf(Line *line, const char *form, ...) {
    char text[512];
    va_list given;
    va_start(given, form);
    int length = vsnprintf(text, sizeof text, form, given);
    va_end(given);
    add(line, text, length < (int)sizeof text ? (size_t)length : sizeof text - 1);
}

/* Return how many bytes at `text` are one character of UTF-8; 0 where they are none. */
static int character(const unsigned char *text) {
    int length = text[0] < 0x80 ? 1 : text[0] < 0xC2 ? 0 : text[0] < 0xE0 ? 2 : text[0] < 0xF0 ? 3 : text[0] < 0xF5 ? 4 : 0;
    for (int at = 1; at < length; ++at)
        if ((text[at] & 0xC0) != 0x80) return 0;
    int surrogate = text[0] == 0xED && text[1] > 0x9F, longer = text[0] == 0xE0 && text[1] < 0xA0;
    return surrogate || longer || (text[0] == 0xF0 && text[1] < 0x90) || (text[0] == 0xF4 && text[1] > 0x8F) ? 0 : length;
}

/* Add a text in quotation marks. Bytes that are no UTF-8 are taken as Latin-1: comments of older sources have them. */
static void quoted(Line *line, const char *given) {
    const unsigned char *text = (const unsigned char *)given;
    add(line, "\"", 1);
    while (*text) {
        int length = character(text);
        if (*text < 0x20 || *text == '"' || *text == '\\' || *text == 0x7F || !length) {
            addf(line, "\\u%04x", *text++);
            continue;
        }
        add(line, (const char *)text, length);
        text += length;
    }
    add(line, "\"", 1);
}

/* What names this process's files. */
static char own[32];

static void written(Line *line) {
    pthread_mutex_lock(&mutex);
    if (process != getpid() || journal < 0) {
        char path[4096];
        process = getpid();
        if (journal >= 0) close(journal);
        for (int again = 0; again < 1000; ++again) { /* a program that another one replaced has the same number */
            snprintf(own, sizeof own, again ? "%d-%d" : "%d", process, again);
            snprintf(path, sizeof path, "%s/seen-%s.jsonl", asked.folder, own);
            journal = open(path, O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600);
            if (journal >= 0 || errno != EEXIST) break;
        }
    }
    add(line, "\n", 1);
    for (size_t done = 0; journal >= 0 && done < line->used;) {
        ssize_t more = write(journal, line->text + done, line->used - done);
        if (more <= 0 && errno != EINTR) break;
        if (more > 0) done += (size_t)more;
    }
    pthread_mutex_unlock(&mutex);
    free(line->text);
    *line = (Line){0};
}

static void failed(const char *form, const char *name, const char *text) {
    static uint64_t told[64];
    static int count;
    char whole[400];
    snprintf(whole, sizeof whole, form, name, text);
    uint64_t hash = 14695981039346656037u;
    for (char *at = whole; *at; ++at) hash = (hash ^ (unsigned char)*at) * 1099511628211u;
    for (int at = 0; at < count; ++at)
        if (told[at] == hash) return;
    if (count < 64) told[count++] = hash;
    Line line = {0};
    addf(&line, "{\"kind\": \"failed\", \"text\": ");
    quoted(&line, whole);
    addf(&line, "}");
    written(&line);
}

static size_t used_bytes(void) {
    char path[4096];
    struct stat about;
    size_t sum = 0;
    snprintf(path, sizeof path, "%s/values", asked.folder);
    DIR *folder = opendir(path);
    for (struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && !fstatat(dirfd(folder), entry->d_name, &about, 0)) sum += (size_t)about.st_size;
    if (folder) closedir(folder);
    return sum;
}

/* Return how many bytes of an array of `size` are to be kept: all that fit, else a beginning. */
static size_t room_for(size_t size) {
    if (!asked.values) return 0;
    size_t used = used_bytes(), room = asked.limit - (size <= 1u << 20 ? 0 : asked.limit / 16);
    if (used + size <= room) return size;
    size_t left = room > used ? room - used : 0, sample = 1u << 18;
    return size < sample ? (size < left ? size : left) : sample < left ? sample : left;
}

/* Write the bytes of an array; put the name of its file into `name`, nothing where that fails: what a full disk took of it is given back. */
static void kept(const void *bytes, size_t size, char name[64]) {
    char path[4096];
    snprintf(name, 64, "values/%s-c%d.bin", own, __atomic_add_fetch(&files, 1, __ATOMIC_RELAXED));
    snprintf(path, sizeof path, "%s/%s", asked.folder, name);
    FILE *file = fopen(path, "wxe");
    size_t done = file ? fwrite(bytes, 1, size, file) : 0;
    if (file && !fclose(file) && done == size) return;
    name[0] = 0;
    if (file) unlink(path);
}
