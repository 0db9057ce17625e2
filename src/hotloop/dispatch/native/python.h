// What the launcher of known calls uses of Python and of the C library. `swift.py` does the same as the launcher, in Python.
//
// Only functions of Python's stable interface are called, and they are declared here, so that neither Python's headers nor a build for
// each version is needed. The interpreter's lock is held all the while, except where the driver is called.
typedef __SIZE_TYPE__ size_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __UINT64_TYPE__ uint64_t;
#define NULL ((void *)0)
extern void *calloc(size_t, size_t), *memcpy(void *, const void *, size_t), free(void *);

typedef struct object PyObject;
typedef __INTPTR_TYPE__ Py_ssize_t;
typedef struct {
    const char *name;
    PyObject *(*function)(PyObject *, PyObject *);
    int flags;
    const char *doc;
} PyMethodDef;
extern PyObject _Py_NoneStruct, _Py_FalseStruct;
extern PyObject *PyExc_ValueError, *PyExc_RuntimeError, *PyExc_Exception;
extern void Py_IncRef(PyObject *), Py_DecRef(PyObject *), PyErr_SetString(PyObject *, const char *), PyErr_Clear(void);
extern PyObject *PyErr_NoMemory(void);
extern PyObject *PyObject_Call(PyObject *, PyObject *, PyObject *), *PyObject_GetAttr(PyObject *, PyObject *);
extern PyObject *PyObject_CallFunctionObjArgs(PyObject *, ...), *PyObject_CallMethodObjArgs(PyObject *, PyObject *, ...);
extern Py_ssize_t PyObject_Size(PyObject *), PyTuple_Size(PyObject *);
extern PyObject *PyTuple_New(Py_ssize_t), *PyTuple_GetItem(PyObject *, Py_ssize_t);
extern int PyTuple_SetItem(PyObject *, Py_ssize_t, PyObject *);
extern long long PyLong_AsLongLong(PyObject *);
extern unsigned long long PyLong_AsUnsignedLongLong(PyObject *);
extern PyObject *PyObject_Type(PyObject *), *PyErr_Occurred(void);
extern int PyObject_RichCompareBool(PyObject *, PyObject *, int), PyObject_IsTrue(PyObject *);
extern PyObject *PyDict_GetItem(PyObject *, PyObject *), *PyUnicode_InternFromString(const char *);
extern int PyErr_ExceptionMatches(PyObject *), PyDict_SetItem(PyObject *, PyObject *, PyObject *);
extern void PyDict_Clear(PyObject *);
extern PyObject *PyCapsule_New(void *, const char *, void (*)(PyObject *)), *PyCFunction_NewEx(PyMethodDef *, PyObject *, PyObject *);
extern void *PyCapsule_GetPointer(PyObject *, const char *), *PyEval_SaveThread(void);
extern char *PyBytes_AsString(PyObject *);
extern void PyEval_RestoreThread(void *);

