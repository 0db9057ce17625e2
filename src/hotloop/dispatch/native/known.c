// A call that is known again: whether given arguments are of its form, and then what makes the result. Follows form.c.
enum { OPERANDS = 8, EQUAL = 2, BYTES = 16 };
typedef struct {
    PyObject *spec, *check, *forward, *level, *run;  // the spec owns all objects
    int length, operands, same, tests, rest, spread;
    struct { int index, begins; } operand[OPERANDS];
    struct { int index, other; } equal[OPERANDS];
    struct { PyObject *call, *wanted; } test[2];
    struct { int index; PyObject *value; } other[OPERANDS * 2];
} Known;

static const char *const KNOWN = "hotloop.known";

// Return whether an argument that is no operand is what it was; an equal one of another type is another one.
static int alike(PyObject *value, PyObject *given) {
    if (value == given) return 1;
    PyObject *one = PyObject_Type(value), *other = PyObject_Type(given);
    int same = one && one == other ? PyObject_RichCompareBool(value, given, EQUAL) : 0;
    if (one) Py_DecRef(one);
    if (other) Py_DecRef(other);
    return same;
}

static int fits(const Known *known, PyObject *given) {
    if (PyTuple_Size(given) != known->length) return 0;
    for (int i = 0; i < known->rest; i++)
        if (alike(known->other[i].value, item(given, known->other[i].index)) != 1) return 0;
    for (int i = 0; i < known->same; i++)
        if (item(given, known->equal[i].index) != item(given, known->equal[i].other)) return 0;
    PyObject *level = PyObject_GetAttr(known->forward, known->level), *operands, *answer;
    long long tangents = level ? PyLong_AsLongLong(level) : 0;
    if (level) Py_DecRef(level);
    if (tangents >= 0) return 0;
    for (int i = 0; i < known->operands; i++) {  // of a nested tensor the guard of PyTorch 2.13 asks strides, which ends the process
        PyObject *one = PyObject_GetAttr(item(given, known->operand[i].index), nested);
        if (one) Py_DecRef(one);
        if (one != &_Py_FalseStruct) return 0;
    }
    if (!(operands = PyTuple_New(known->operands))) return 0;
    for (int i = 0; i < known->operands; i++) {
        PyObject *one = item(given, known->operand[i].index);
        Py_IncRef(one);
        PyTuple_SetItem(operands, i, one);
    }
    answer = PyObject_Call(known->check, operands, NULL);
    Py_DecRef(operands);
    int fit = answer ? PyObject_IsTrue(answer) : 0;
    if (answer) Py_DecRef(answer);
    for (int i = 0; fit == 1 && i < known->operands; i++) {
        PyObject *address = PyObject_CallMethodObjArgs(item(given, known->operand[i].index), data_ptr, NULL);
        unsigned long long place = address ? PyLong_AsUnsignedLongLong(address) : 0;
        fit = place && (int)(place % BYTES) == known->operand[i].begins;
        if (address) Py_DecRef(address);
    }
    for (int i = 0; fit == 1 && i < known->tests; i++) {
        answer = PyObject_CallFunctionObjArgs(known->test[i].call, NULL);
        fit = answer == known->test[i].wanted;
        if (answer) Py_DecRef(answer);
    }
    return fit == 1;
}

// Return the result of a call of this form; None for another call, or where the result cannot be made in this way. Never raises what
// belongs to a launch: the same on the long way tells what is wrong.
static PyObject *again(PyObject *capsule, PyObject *given) {
    const Known *known = PyCapsule_GetPointer(capsule, KNOWN);
    if (!known) return NULL;
    PyObject *result = NULL;
    if (fits(known, given) && !PyErr_Occurred()) {
        if (known->spread) return PyObject_Call(known->run, given, NULL);  // PyTorch's own function: its errors are the caller's
        result = PyObject_CallFunctionObjArgs(known->run, given, NULL);
    }
    if (!result && PyErr_Occurred() && !PyErr_ExceptionMatches(PyExc_Exception)) return NULL;  // Ctrl-C and the like are the caller's
    PyErr_Clear();
    if (result) return result;
    Py_IncRef(&_Py_NoneStruct);
    return &_Py_NoneStruct;
}

static void forgotten(PyObject *capsule) {
    Known *known = PyCapsule_GetPointer(capsule, KNOWN);
    if (known) { Py_DecRef(known->spec); free(known); }
}

// (number of arguments, guard, ((operand, where its memory begins), ...), ((argument, the same one), ...), ((argument, value), ...),
//  ((question, answer), ...), what knows tangents, "its level", what makes the result, whether it takes the arguments one by one)
static int recognized(Known *known, PyObject *spec) {
    PyObject *operands = item(spec, 2), *same = item(spec, 3), *rest = item(spec, 4), *tests = item(spec, 5);
    known->length = (int)number(spec, 0);
    known->check = item(spec, 1);
    known->operands = bounded(operands, OPERANDS);
    known->same = bounded(same, OPERANDS);
    known->rest = bounded(rest, OPERANDS * 2);
    known->tests = bounded(tests, 2);
    if (known->operands < 0 || known->same < 0 || known->rest < 0 || known->tests < 0) return -1;
    for (int i = 0; i < known->operands; i++) {
        known->operand[i].index = (int)number(item(operands, i), 0);
        known->operand[i].begins = (int)number(item(operands, i), 1);
    }
    for (int i = 0; i < known->same; i++) {
        known->equal[i].index = (int)number(item(same, i), 0);
        known->equal[i].other = (int)number(item(same, i), 1);
    }
    for (int i = 0; i < known->rest; i++) {
        known->other[i].index = (int)number(item(rest, i), 0);
        known->other[i].value = item(item(rest, i), 1);
    }
    for (int i = 0; i < known->tests; i++) {
        known->test[i].call = item(item(tests, i), 0);
        known->test[i].wanted = item(item(tests, i), 1);
    }
    known->forward = item(spec, 6);
    known->level = item(spec, 7);
    known->run = item(spec, 8);
    known->spread = (int)number(spec, 9);
    return PyErr_Occurred() ? -1 : 0;
}

// Return a function that takes a call's arguments as one tuple. Raises as `hotloop_form`.
PyObject *hotloop_known(PyObject *spec) {
    static PyMethodDef method = {"again", again, TAKES_ONE, "Return the result of a call of a form, or None."};
    if (named()) return NULL;
    Known *known = calloc(1, sizeof *known);
    if (!known) return PyErr_NoMemory();
    return owner(known, &known->spec, spec, recognized(known, spec), KNOWN, forgotten, &method);
}
