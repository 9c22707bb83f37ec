/* Words to tokens: a byte-pair code. A part of module.c. */

#define MOST_SIGNS 64 /* of a word; callers cut longer ones */
#define NO_TOKEN INT64_MAX

typedef struct {
    PyObject_HEAD
    Table table;
} Pairs;

static PyObject *pairs_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *vocabulary, *token, *number;
    unsigned long long seed;
    Py_ssize_t at = 0;
    if (keywords && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Pairs takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "O!K", &PyDict_Type, &vocabulary, &seed))
        return NULL;
    Pairs *self = (Pairs *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    if (table_begin(&self->table, seed) < 0)
        goto failed;
    while (PyDict_Next(vocabulary, &at, &token, &number)) {
        Py_ssize_t size;
        if (!PyUnicode_Check(token) || !PyLong_Check(number)) {
            PyErr_SetString(PyExc_TypeError, "a vocabulary has numbers for texts");
            goto failed;
        }
        PyObject *utf8 = PyUnicode_AsEncodedString(token, "utf-8", "surrogatepass");
        if (!utf8)
            goto failed;
        const char *key = PyBytes_AS_STRING(utf8);
        size = PyBytes_GET_SIZE(utf8);
        uint64_t hash = hash_of(key, (size_t)size, self->table.seed);
        Py_ssize_t id = table_find(&self->table, key, (size_t)size, hash);
        if (id < 0)
            id = table_add(&self->table, key, (size_t)size, hash);
        Py_DECREF(utf8);
        if (id < 0)
            goto failed;
        self->table.entries[id].number = PyLong_AsLongLong(number);
        if (PyErr_Occurred())
            goto failed;
    }
    return (PyObject *)self;
failed:
    Py_DECREF(self);
    return NULL;
}

static inline int64_t token_of(const Pairs *self, const char *key, size_t size)
{
    Py_ssize_t id = table_find(&self->table, key, size, hash_of(key, size, self->table.seed));
    return id < 0 ? NO_TOKEN : self->table.entries[id].number;
}

/* The tokens of a word, put where told; how many they are, or -1 with an exception. */
static int cut_word(const Pairs *self, PyObject *word, int64_t *tokens)
{
    char text[3 + 4 * MOST_SIGNS];
    size_t begins[MOST_SIGNS + 2];
    int64_t made[MOST_SIGNS + 1];
    if (!PyUnicode_Check(word) || PyUnicode_READY(word) < 0 || PyUnicode_GET_LENGTH(word) > MOST_SIGNS) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a word to be cut is a str, and not that long");
        return -1;
    }
    PyObject *utf8 = PyUnicode_AsEncodedString(word, "utf-8", "surrogatepass");
    if (!utf8)
        return -1;
    size_t size = 3 + (size_t)PyBytes_GET_SIZE(utf8);
    memcpy(text, "\xE2\x96\x81", 3); /* what a token that begins a word begins with */
    memcpy(text + 3, PyBytes_AS_STRING(utf8), size - 3);
    Py_DECREF(utf8);
    int64_t whole = token_of(self, text, size);
    if (whole != NO_TOKEN) {
        tokens[0] = whole;
        return 1;
    }
    int parts = 0, count = 0;
    for (size_t at = 0; at < size; at++)
        if (((unsigned char)text[at] & 0xC0) != 0x80)
            begins[parts++] = at;
    begins[parts] = size;
    for (int at = 0; at + 1 < parts; at++)
        made[at] = token_of(self, text + begins[at], begins[at + 2] - begins[at]);
    while (parts > 1) {
        int best = 0;
        for (int at = 1; at + 1 < parts; at++)
            if (made[at] < made[best])
                best = at;
        if (made[best] == NO_TOKEN)
            break;
        memmove(&begins[best + 1], &begins[best + 2], (size_t)(parts - best - 1) * sizeof(size_t));
        memmove(&made[best], &made[best + 1], (size_t)(parts - best - 2) * sizeof(int64_t));
        parts--;
        if (best)
            made[best - 1] = token_of(self, text + begins[best - 1], begins[best + 1] - begins[best - 1]);
        if (best + 1 < parts)
            made[best] = token_of(self, text + begins[best], begins[best + 2] - begins[best]);
    }
    for (int at = 0; at < parts; at++) {
        int64_t token = token_of(self, text + begins[at], begins[at + 1] - begins[at]);
        if (token != NO_TOKEN)
            tokens[count++] = token;
    }
    return count;
}

static PyObject *pairs_tokens(Pairs *self, PyObject *words)
{
    PyObject *given = PySequence_Tuple(words), *flat = NULL, *counts = NULL, *both = NULL;
    if (!given)
        return NULL;
    Py_ssize_t many = PyTuple_GET_SIZE(given);
    size_t used = 0, room = 4 * (size_t)many + MOST_SIGNS + 1;
    int64_t *tokens = PyMem_Malloc(room * sizeof(int64_t));
    counts = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(int64_t));
    if (!tokens || !counts) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t at = 0; at < many; at++) {
        if (room - used <= MOST_SIGNS) {
            room *= 2;
            int64_t *wider = PyMem_Realloc(tokens, room * sizeof(int64_t));
            if (!wider) {
                PyErr_NoMemory();
                goto end;
            }
            tokens = wider;
        }
        int64_t count = cut_word(self, PyTuple_GET_ITEM(given, at), tokens + used);
        if (count < 0)
            goto end;
        used += (size_t)count;
        memcpy(PyBytes_AS_STRING(counts) + at * (Py_ssize_t)sizeof(int64_t), &count, sizeof(int64_t));
    }
    flat = PyBytes_FromStringAndSize((const char *)tokens, (Py_ssize_t)(used * sizeof(int64_t)));
    if (flat)
        both = PyTuple_Pack(2, flat, counts);
end:
    PyMem_Free(tokens);
    Py_XDECREF(flat);
    Py_XDECREF(counts);
    Py_DECREF(given);
    return both;
}

static void pairs_dealloc(Pairs *self)
{
    table_free(&self->table);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef pairs_methods[] = {
    {"tokens", (PyCFunction)pairs_tokens, METH_O, "The tokens of words, one after another, and how many each has."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject PairsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "honeyguide._native.Pairs",
    .tp_doc = "A byte-pair code.",
    .tp_basicsize = sizeof(Pairs),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = pairs_new,
    .tp_dealloc = (destructor)pairs_dealloc,
    .tp_methods = pairs_methods,
};
