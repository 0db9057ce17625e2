// A form of call: which results it makes, which addresses it takes, which kernels it launches. Follows python.h.
enum { ARRAYS = 24, STEPS = 4, PARAMETERS = 48, OUTPUTS = 4, DESCRIPTORS = 256, TAKES_ONE = 8 };

typedef struct {  // CUlaunchConfig: CUDA driver API, execution control
    unsigned grid[3], block[3], shared;
    void *stream, *attributes;
    unsigned count;
} Config;
typedef int (*Driver)(const Config *, void *, void **, void **);

typedef struct {
    int index, array;
    PyObject *kept, *make;  // a descriptor's: by address, and what makes one; for the driver it is bytes
} Slot;

typedef struct {
    Driver driver;  // null: `call` is called with `template`
    PyObject *call, *template;
    int size, stream, slots;
    Slot slot[PARAMETERS];
    void *handle, *number[PARAMETERS];
    Config config;
} Step;

typedef struct {
    PyObject *spec, *current, *streamed, *runtime;  // the spec owns all objects
    long long device;
    int outputs, single, inputs, areas, steps;
    struct { PyObject *call, *given; int array; } output[OUTPUTS], area[ARRAYS];
    struct { int place, array; } input[ARRAYS];
    Step step[STEPS];
} Form;

static const char *const NAME = "hotloop.form";
static PyObject *data_ptr, *nested, *calls, *hooks[2];

static PyObject *item(PyObject *tuple, Py_ssize_t index) { return tuple ? PyTuple_GetItem(tuple, index) : NULL; }

static long long number(PyObject *tuple, Py_ssize_t index) {
    PyObject *value = item(tuple, index);
    return value ? PyLong_AsLongLong(value) : -1;
}

static unsigned word(PyObject *tuple, Py_ssize_t index) {  // what does not fit is an error: less of it would be another launch
    long long value = number(tuple, index);
    if ((value < 0 || value > 0xFFFFFFFFLL) && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "more blocks than a grid has");
    return (unsigned)value;
}

static int bounded(PyObject *tuple, int most) {
    Py_ssize_t size = tuple ? PyTuple_Size(tuple) : -1;
    if (size > most) PyErr_SetString(PyExc_ValueError, "more than a form has room for");
    return size > most ? -1 : (int)size;
}

static int beyond(long long array) {
    int is = array < 0 || array >= ARRAYS;
    if (is && !PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "an array's number is out of range");
    return is;
}

// Return whether somebody listens to launches; -1 with an error set.
static int heard(PyObject *runtime) {
    for (int which = 0; which < 2; which++) {
        PyObject *hook = PyObject_GetAttr(runtime, hooks[which]), *listeners;
        if (!hook) return -1;
        if (hook == &_Py_NoneStruct) { Py_DecRef(hook); continue; }
        listeners = PyObject_GetAttr(hook, calls);
        Py_DecRef(hook);
        if (!listeners) { PyErr_Clear(); return 1; }
        Py_ssize_t count = PyObject_Size(listeners);
        Py_DecRef(listeners);
        if (count) return count < 0 ? -1 : 1;
    }
    return 0;
}

static PyObject *described(const Slot *slot, PyObject *address) {  // a new reference
    PyObject *made = PyDict_GetItem(slot->kept, address);
    if (made) { Py_IncRef(made); return made; }
    made = PyObject_CallFunctionObjArgs(slot->make, address, NULL);
    if (!made) return NULL;
    if (PyObject_Size(slot->kept) >= DESCRIPTORS) PyDict_Clear(slot->kept);
    if (PyDict_SetItem(slot->kept, address, made)) { Py_DecRef(made); return NULL; }
    return made;
}

static int call(const Step *step, PyObject **address, PyObject *stream) {
    PyObject *given = PyTuple_New(step->size), *done;
    if (!given) return -1;
    for (int i = 0; i < step->size; i++) {
        PyObject *value = i == step->stream ? stream : item(step->template, i);
        Py_IncRef(value);
        PyTuple_SetItem(given, i, value);
    }
    for (int i = 0; i < step->slots; i++) {
        const Slot *slot = &step->slot[i];
        PyObject *value = address[slot->array];
        if (slot->make) value = described(slot, value);
        else Py_IncRef(value);
        if (!value) { Py_DecRef(given); return -1; }
        PyTuple_SetItem(given, slot->index, value);
    }
    done = PyObject_Call(step->call, given, NULL);
    Py_DecRef(given);
    if (!done) return -1;
    Py_DecRef(done);
    return 0;
}

static int submit(const Step *step, PyObject **address, PyObject *stream) {
    uint64_t place[PARAMETERS];
    void *given[PARAMETERS];
    PyObject *held[PARAMETERS];  // descriptors, which must live until the launch is submitted
    Config config = step->config;
    int descriptors = 0, status = -1;
    memcpy(given, step->number, sizeof(void *) * (size_t)step->size);
    for (int i = 0; i < step->slots; i++) {
        const Slot *slot = &step->slot[i];
        if (slot->make) {
            if (!(held[descriptors] = described(slot, address[slot->array]))) goto over;
            if (!(given[slot->index] = PyBytes_AsString(held[descriptors++]))) goto over;
        } else {
            place[i] = PyLong_AsUnsignedLongLong(address[slot->array]);
            given[slot->index] = &place[i];
        }
    }
    config.stream = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(stream);
    if (PyErr_Occurred()) goto over;
    void *thread = PyEval_SaveThread();
    status = step->driver(&config, step->handle, given, NULL);
    PyEval_RestoreThread(thread);
    if (status) PyErr_SetString(PyExc_RuntimeError, "the driver refused a launch");
over:
    while (descriptors) Py_DecRef(held[--descriptors]);
    return status ? -1 : 0;
}

// Return the results of a call, or None where they cannot be made in this way: not on the current device, or somebody listens.
static PyObject *made(PyObject *capsule, PyObject *given) {
    const Form *form = PyCapsule_GetPointer(capsule, NAME);
    PyObject *address[ARRAYS] = {0}, *result[OUTPUTS] = {0}, *scratch[ARRAYS] = {0}, *stream = NULL, *answer = NULL, *value;
    if (!form) return NULL;
    int listened = form->runtime == &_Py_NoneStruct ? 0 : heard(form->runtime);
    if (listened < 0) return NULL;
    value = PyObject_CallFunctionObjArgs(form->current, NULL);
    if (!value) return NULL;
    long long current = PyLong_AsLongLong(value);
    Py_DecRef(value);
    if (listened || current != form->device) { Py_IncRef(&_Py_NoneStruct); return &_Py_NoneStruct; }
    for (int i = 0; i < form->outputs; i++) {
        result[i] = PyObject_Call(form->output[i].call, form->output[i].given, NULL);
        if (!result[i] || !(address[form->output[i].array] = PyObject_CallMethodObjArgs(result[i], data_ptr, NULL))) goto over;
    }
    for (int i = 0; i < form->inputs; i++) {
        value = item(given, form->input[i].place);
        if (!value || !(address[form->input[i].array] = PyObject_CallMethodObjArgs(value, data_ptr, NULL))) goto over;
    }
    for (int i = 0; i < form->areas; i++) {
        scratch[i] = PyObject_Call(form->area[i].call, form->area[i].given, NULL);
        if (!scratch[i] || !(address[form->area[i].array] = PyObject_CallMethodObjArgs(scratch[i], data_ptr, NULL))) goto over;
    }
    if (!(stream = PyObject_CallFunctionObjArgs(form->streamed, item(form->spec, 5), NULL))) goto over;
    for (int i = 0; i < form->steps; i++)
        if ((form->step[i].driver ? submit : call)(&form->step[i], address, stream)) goto over;
    if (form->single) { answer = result[0]; result[0] = NULL; goto over; }
    if (!(answer = PyTuple_New(form->outputs))) goto over;
    for (int i = 0; i < form->outputs; i++) { PyTuple_SetItem(answer, i, result[i]); result[i] = NULL; }
over:
    for (int i = 0; i < ARRAYS; i++) { if (address[i]) Py_DecRef(address[i]); if (scratch[i]) Py_DecRef(scratch[i]); }
    for (int i = 0; i < OUTPUTS; i++) if (result[i]) Py_DecRef(result[i]);
    if (stream) Py_DecRef(stream);
    return answer;
}

static int slots(Step *step, PyObject *given, int woven) {  // appended
    int count = bounded(given, PARAMETERS - step->slots);
    for (int i = 0; i < count; i++) {
        PyObject *one = item(given, i);
        Slot *slot = &step->slot[step->slots++];
        slot->index = (int)number(one, 0);
        slot->array = (int)number(one, 1);
        if (slot->index < 0 || slot->index >= step->size || slot->array < 0 || slot->array >= ARRAYS) {
            if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "a place is out of range");
            return -1;
        }
        if (woven) { slot->kept = item(one, 2); slot->make = item(one, 3); }
    }
    return count < 0 ? -1 : 0;
}

// A step is (function in C, its arguments, place of the stream, ((place, array), ...), ((place, array, kept, make), ...))
// or ((address of the driver's function, handle), (blocks and threads, shared bytes, attributes and their number),
// (addresses of numbers, 0 for arrays), ((place, array), ...), ((place, array, kept, make), ...), anything).
static int stepped(Step *step, PyObject *given) {
    int parts = bounded(given, 6);
    if (parts == 5) {
        step->call = item(given, 0);
        step->template = item(given, 1);
        step->size = bounded(step->template, PARAMETERS * 4);
        if (step->size < 0) return -1;
        step->stream = (int)number(given, 2);
        return slots(step, item(given, 3), 0) || slots(step, item(given, 4), 1) ? -1 : 0;
    }
    if (parts != 6) return -1;
    PyObject *shape = item(given, 1);
    step->driver = (Driver)(uintptr_t)PyLong_AsUnsignedLongLong(item(item(given, 0), 0));
    step->handle = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(item(item(given, 0), 1));
    for (int i = 0; i < 3; i++) {
        step->config.grid[i] = word(shape, i);
        step->config.block[i] = word(shape, 3 + i);
    }
    step->config.shared = word(shape, 6);
    step->config.attributes = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(item(shape, 7));
    step->config.count = word(shape, 8);
    step->size = bounded(item(given, 2), PARAMETERS);
    for (int i = 0; i < step->size; i++)
        step->number[i] = (void *)(uintptr_t)PyLong_AsUnsignedLongLong(item(item(given, 2), i));
    if (step->size < 0 || !step->driver || PyErr_Occurred()) return -1;
    return slots(step, item(given, 3), 0) || slots(step, item(given, 4), 1) ? -1 : 0;
}

static int parsed(Form *form, PyObject *spec) {
    PyObject *outputs = item(spec, 0), *inputs = item(spec, 1), *areas = item(spec, 2), *steps = item(spec, 7);
    form->outputs = bounded(outputs, OUTPUTS);
    form->inputs = bounded(inputs, ARRAYS);
    form->areas = bounded(areas, ARRAYS);
    form->steps = bounded(steps, STEPS);
    if (form->outputs < 0 || form->inputs < 0 || form->areas < 0 || form->steps < 0) return -1;
    if (form->outputs + form->inputs + form->areas > ARRAYS) {  // each has a number of its own, below this
        PyErr_SetString(PyExc_ValueError, "more arrays than a form has room for");
        return -1;
    }
    for (int i = 0; i < form->outputs; i++) {
        PyObject *one = item(outputs, i);
        form->output[i].call = item(one, 0); form->output[i].given = item(one, 1); form->output[i].array = (int)number(one, 2);
    }
    for (int i = 0; i < form->inputs; i++) {
        form->input[i].place = (int)number(item(inputs, i), 0);
        form->input[i].array = (int)number(item(inputs, i), 1);
    }
    for (int i = 0; i < form->areas; i++) {
        PyObject *one = item(areas, i);
        form->area[i].call = item(one, 0); form->area[i].given = item(one, 1); form->area[i].array = (int)number(one, 2);
    }
    form->current = item(spec, 3);
    form->streamed = item(spec, 4);
    form->device = number(spec, 5);
    form->runtime = item(spec, 6);
    for (int i = 0; i < form->steps; i++)
        if (stepped(&form->step[i], item(steps, i))) return -1;
    form->single = (int)number(spec, 8);
    for (int i = 0; i < form->outputs; i++) if (beyond(form->output[i].array)) return -1;
    for (int i = 0; i < form->inputs; i++) if (beyond(form->input[i].array)) return -1;
    for (int i = 0; i < form->areas; i++) if (beyond(form->area[i].array)) return -1;
    return PyErr_Occurred() ? -1 : 0;
}

static void freed(PyObject *capsule) {
    Form *form = PyCapsule_GetPointer(capsule, NAME);
    if (form) { Py_DecRef(form->spec); free(form); }
}

// Make the names that are looked up, whichever function is called first; -1 with an error set.
static int named(void) {
    if (!data_ptr) data_ptr = PyUnicode_InternFromString("data_ptr");
    if (!nested) nested = PyUnicode_InternFromString("is_nested");
    if (!calls) calls = PyUnicode_InternFromString("calls");
    if (!hooks[0]) hooks[0] = PyUnicode_InternFromString("launch_enter_hook");
    if (!hooks[1]) hooks[1] = PyUnicode_InternFromString("launch_exit_hook");
    return data_ptr && nested && calls && hooks[0] && hooks[1] ? 0 : -1;
}

// Give a block, which borrows from its spec, to a function that takes a call's arguments; without one the block is freed.
static PyObject *owner(void *block, PyObject **kept, PyObject *spec, int wrong, const char *name, void (*end)(PyObject *), PyMethodDef *method) {
    if (wrong) {
        if (!PyErr_Occurred()) PyErr_SetString(PyExc_ValueError, "the spec is of another form");
        free(block);
        return NULL;
    }
    Py_IncRef(spec);
    *kept = spec;
    PyObject *capsule = PyCapsule_New(block, name, end);
    if (!capsule) { Py_DecRef(spec); free(block); return NULL; }
    PyObject *function = PyCFunction_NewEx(method, capsule, NULL);
    Py_DecRef(capsule);
    return function;
}

// Return a function that takes a call's arguments as one tuple. Raises ValueError, TypeError or IndexError for a spec of another form.
PyObject *hotloop_form(PyObject *spec) {
    static PyMethodDef method = {"made", made, TAKES_ONE, "Return the results of a call like one before, or None."};
    if (named()) return NULL;
    Form *form = calloc(1, sizeof *form);
    if (!form) return PyErr_NoMemory();
    return owner(form, &form->spec, spec, parsed(form, spec), NAME, freed, &method);
}

