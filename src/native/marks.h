/* Texts with marks where links begin and end. A part of module.c. */

#define LINK_SIGN 1 /* the marks as signs */
#define END_SIGN 2
#define OPEN_SIGN 3
#define CLOSE_SIGN 4
#define SKIMMED 4000 /* as in blocks.py */
#define RUN 150
#define BESIDE 30
#define NEARBY 40

typedef struct {
    Py_UCS4 signs[SKIMMED];
    Py_ssize_t size;
    int apart; /* whether a space is due before the next sign */
} Written;

static inline void put(Written *to, Py_UCS4 sign)
{
    if (to->size < SKIMMED)
        to->signs[to->size++] = sign;
}

/* Write a stretch of a text, each run of spaces as one, apart from what was written before. */
static void write_out(Written *to, PyObject *text, Py_ssize_t from, Py_ssize_t until)
{
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    to->apart = 1;
    for (; from < until && to->size < SKIMMED; from++) {
        Py_UCS4 sign = PyUnicode_READ(kind, data, from);
        if (Py_UNICODE_ISSPACE(sign)) {
            to->apart = 1;
            continue;
        }
        if (to->apart && to->size)
            put(to, ' ');
        to->apart = 0;
        put(to, sign);
    }
}

static void write_mark(Written *to, Py_UCS4 mark)
{
    if (to->size)
        put(to, ' ');
    put(to, mark);
}

static PyObject *prose(PyObject *module, PyObject *given)
{
    (void)module;
    if (!PyUnicode_Check(given) || PyUnicode_READY(given) < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a text must be a str");
        return NULL;
    }
    PyObject *text = Py_NewRef(given);
    Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    Written *to = NULL;
    if (PyUnicode_FindChar(text, OPEN_SIGN, 0, length, 1) >= 0) {
        for (int mark = OPEN_SIGN; text && mark <= CLOSE_SIGN; mark++) {
            char sign[2] = {(char)mark, 0};
            Py_SETREF(text, PyObject_CallMethod(text, "replace", "ss", sign, " "));
        }
    }
    if (!text)
        return NULL;
    to = PyMem_Malloc(sizeof(Written));
    if (!to) {
        Py_DECREF(text);
        return PyErr_NoMemory();
    }
    to->size = to->apart = 0;
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t begin = 0, size = 0, before = 0;
    while (begin <= length && to->size < SKIMMED) {
        Py_ssize_t end = begin < length ? PyUnicode_FindChar(text, LINK_SIGN, begin, length, 1) : -1;
        if (end < 0)
            end = length;
        Py_ssize_t mark = begin < end ? PyUnicode_FindChar(text, END_SIGN, begin, end, -1) : -1;
        Py_ssize_t from = mark < 0 ? begin : mark + 1, until = end, last = before;
        while (from < until && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, from)))
            from++;
        while (from < until && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, until - 1)))
            until--;
        before = until - from;
        if (mark > begin && (last >= BESIDE || before >= BESIDE)) {
            write_mark(to, LINK_SIGN);
            write_out(to, text, begin, mark);
            write_mark(to, END_SIGN);
            size += mark - begin;
        }
        if (before >= RUN) {
            write_out(to, text, from, before > SKIMMED ? from + SKIMMED : until);
            size += before;
        } else if (before >= BESIDE) {
            write_mark(to, LINK_SIGN);
            write_out(to, text, from, until);
            write_mark(to, END_SIGN);
            size += before;
        }
        if (before >= BESIDE && size >= SKIMMED)
            break;
        begin = end + 1;
    }
    PyObject *found = PyUnicode_FromKindAndData(PyUnicode_4BYTE_KIND, to->signs, to->size);
    PyMem_Free(to);
    Py_DECREF(text);
    return found;
}

static PyObject *skim(PyObject *module, PyObject *text)
{
    (void)module;
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a text must be a str");
        return NULL;
    }
    Py_ssize_t length = PyUnicode_GET_LENGTH(text), out = 0, begin = 0;
    int kind = (int)PyUnicode_KIND(text);
    const char *data = PyUnicode_DATA(text);
    PyObject *anchors = PyList_New(0), *near = NULL;
    char *to = PyMem_Malloc((size_t)(length + 4) * (size_t)kind);
    if (!anchors || !to) {
        PyErr_NoMemory();
        goto end;
    }
#define COPY(from, until)                                                                                              \
    do {                                                                                                               \
        if ((until) > (from)) {                                                                                        \
            memcpy(to + out * kind, data + (from) * kind, (size_t)(((until) - (from)) * kind));                        \
            out += (until) - (from);                                                                                   \
        }                                                                                                              \
    } while (0)
#define SPACE() PyUnicode_WRITE(kind, to, out++, ' ')
    for (int nth = 0; begin <= length; nth++) {
        Py_ssize_t end = begin < length ? PyUnicode_FindChar(text, LINK_SIGN, begin, length, 1) : -1;
        int last = end < 0;
        if (last)
            end = length;
        Py_ssize_t rest = begin;
        if (nth) { /* what comes before the first link has no anchor */
            Py_ssize_t mark = begin < end ? PyUnicode_FindChar(text, END_SIGN, begin, end, 1) : -1;
            PyObject *anchor = PyUnicode_Substring(text, begin, mark < 0 ? end : mark);
            int done = anchor ? PyList_Append(anchors, anchor) : -1;
            Py_XDECREF(anchor);
            if (done < 0)
                goto end;
            rest = mark < 0 ? end : mark + 1;
            PyUnicode_WRITE(kind, to, out, LINK_SIGN);
            out++;
            COPY(begin, rest);
        }
        if (end - rest > 2 * NEARBY) { /* long stretches between links are cut short, at spaces */
            Py_ssize_t head = PyUnicode_FindChar(text, ' ', rest, rest + NEARBY, -1);
            Py_ssize_t tail = PyUnicode_FindChar(text, ' ', end - NEARBY, end, 1);
            if (nth && head >= 0)
                COPY(rest, head);
            SPACE();
            if (!last && tail >= 0)
                COPY(tail + 1, end);
        } else {
            COPY(rest, end);
        }
        begin = end + 1;
        if (last)
            break;
    }
    near = PyUnicode_FromKindAndData(kind, to, out);
end:
    PyMem_Free(to);
    if (!near) {
        Py_XDECREF(anchors);
        return NULL;
    }
    return Py_BuildValue("(NN)", near, anchors);
#undef COPY
#undef SPACE
}
