/* Words to terms. A part of module.c. */

/* Give words the values that a callback finds for all of them at once. */
static int ask(Folds *self, PyObject *callback, PyObject *words, const uint32_t *ids, int stems)
{
    if (!PyList_GET_SIZE(words))
        return 0;
    PyObject *found = PyObject_CallOneArg(callback, words);
    if (!found)
        return -1;
    if (!PyList_Check(found) || PyList_GET_SIZE(found) != PyList_GET_SIZE(words)) {
        Py_DECREF(found);
        PyErr_SetString(PyExc_ValueError, "as many terms are expected as there were words");
        return -1;
    }
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(found); at++) {
        PyObject *term = PyList_GET_ITEM(found, at), *value;
        if (!PyUnicode_Check(term) || PyUnicode_READY(term) < 0) {
            Py_DECREF(found);
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "a term must be a str");
            return -1;
        }
        if (!PyUnicode_GET_LENGTH(term)) {
            value = Py_NewRef(Py_None);
        } else if (!stems && PyUnicode_FindChar(term, ' ', 0, PyUnicode_GET_LENGTH(term), 1) >= 0) {
            PyObject *several = PyUnicode_Split(term, NULL, -1);
            value = several ? PyList_AsTuple(several) : NULL;
            Py_XDECREF(several);
        } else {
            value = Py_NewRef(term);
            PyUnicode_InternInPlace(&value); /* one string for all forms of a word: it is looked up in many places */
        }
        if (!value) {
            Py_DECREF(found);
            return -1;
        }
        Py_XSETREF(self->table.entries[ids[at]].value, value);
    }
    Py_DECREF(found);
    return 0;
}

/* Find the terms of all words that were met for the first time, from this entry on. */
static int learn(Folds *self, size_t first)
{
    size_t count = self->table.count - first;
    if (!count)
        return 0;
    PyObject *plain = PyList_New(0), *rough = PyList_New(0);
    uint32_t *ids = PyMem_Malloc(2 * count * sizeof(uint32_t)), *others = ids ? ids + count : NULL;
    int done = -1;
    if (!plain || !rough || !ids) {
        PyErr_NoMemory();
        goto end;
    }
    for (size_t at = first; at < first + count; at++) {
        Entry *entry = &self->table.entries[at];
        const char *word = entry->size <= SHORT ? entry->head : self->table.bytes + entry->offset;
        int kind = classify(word, entry->size);
        if (kind == 0) {
            entry->value = Py_NewRef(Py_None);
            continue;
        }
        PyObject *text = PyUnicode_DecodeUTF8(word, entry->size, "replace");
        if (!text)
            goto end;
        if (kind == 3) {
            entry->value = text;
            continue;
        }
        PyObject *list = kind == 1 ? plain : rough;
        (kind == 1 ? ids : others)[PyList_GET_SIZE(list)] = (uint32_t)at;
        int put = PyList_Append(list, text);
        Py_DECREF(text);
        if (put < 0)
            goto end;
    }
    if (ask(self, self->stem, plain, ids, 1) == 0 && ask(self, self->rough, rough, others, 0) == 0)
        done = 0;
end:
    Py_XDECREF(plain);
    Py_XDECREF(rough);
    PyMem_Free(ids);
    return done;
}

/* Read texts one after another; `ends` (as many as there are texts) tells where the words of each end. */
static int read_all(Folds *self, PyObject *const *texts, Py_ssize_t many, size_t *ends, int marked, int no_mixed)
{
    if (self->busy) {
        PyErr_SetString(PyExc_RuntimeError, "this is being read with already");
        return -1;
    }
    self->busy = 1;
    self->count = 0;
    int done = 0;
    if ((Py_ssize_t)self->table.count > self->keep)
        done = forget(self);
    size_t first = self->table.count;
    for (Py_ssize_t at = 0; done == 0 && at < many; at++) {
        done = read_text(self, texts[at], marked, no_mixed);
        ends[at] = self->count;
    }
    if (done == 0)
        done = learn(self, first);
    if (done < 0) { /* words without terms must not stay */
        PyObject *type, *value, *traceback;
        PyErr_Fetch(&type, &value, &traceback);
        if (forget(self) < 0)
            PyErr_Clear();
        PyErr_Restore(type, value, traceback);
    }
    if (done < 0)
        self->busy = 0;
    return done; /* what was read stays until `made` says that all is made of it */
}

static inline PyObject *made(Folds *self, PyObject *found)
{
    self->busy = 0;
    return found;
}

static inline Py_ssize_t terms_in(const Folds *self, size_t from, size_t to, int marks)
{
    Py_ssize_t count = 0;
    for (size_t at = from; at < to; at++) {
        PyObject *value = self->table.entries[self->ids[at]].value;
        if (value == Py_None || (!marks && self->ids[at] < MARKS))
            continue;
        count += PyTuple_CheckExact(value) ? PyTuple_GET_SIZE(value) : 1;
    }
    return count;
}

/* The terms of some words, as a list or as a tuple, with marks or without. */
static PyObject *terms_of(const Folds *self, size_t from, size_t to, int marks, int tuple)
{
    Py_ssize_t count = terms_in(self, from, to, marks), place = 0;
    PyObject *found = tuple ? PyTuple_New(count) : PyList_New(count);
    if (!found)
        return NULL;
    PyObject **items = tuple ? ((PyTupleObject *)found)->ob_item : ((PyListObject *)found)->ob_item;
    for (size_t at = from; at < to; at++) {
        PyObject *value = self->table.entries[self->ids[at]].value;
        if (value == Py_None || (!marks && self->ids[at] < MARKS))
            continue;
        if (PyTuple_CheckExact(value)) {
            for (Py_ssize_t nth = 0; nth < PyTuple_GET_SIZE(value); nth++)
                items[place++] = Py_NewRef(PyTuple_GET_ITEM(value, nth));
        } else {
            items[place++] = Py_NewRef(value);
        }
    }
    return found;
}

static PyObject *folds_terms(Folds *self, PyObject *args)
{
    PyObject *text;
    int marked = 0;
    size_t end;
    if (!PyArg_ParseTuple(args, "U|p", &text, &marked) || read_all(self, &text, 1, &end, marked, 0) < 0)
        return NULL;
    return made(self, terms_of(self, 0, end, 1, 0));
}

static PyObject *folds_outside(Folds *self, PyObject *text)
{
    size_t end;
    if (read_all(self, &text, 1, &end, 1, 0) < 0)
        return NULL;
    /* Those within links are taken out of a copy of what was read. */
    PyObject *every = terms_of(self, 0, end, 0, 0), *outside = NULL;
    size_t left = 0;
    int linked = 0;
    for (size_t at = 0; at < end; at++) {
        if (self->ids[at] < MARKS)
            linked = self->ids[at] == LINK;
        else if (!linked)
            self->ids[left++] = self->ids[at];
    }
    if (every)
        outside = terms_of(self, 0, left, 0, 0);
    PyObject *both = every && outside ? PyTuple_Pack(2, every, outside) : NULL;
    Py_XDECREF(every);
    Py_XDECREF(outside);
    return made(self, both);
}

/* The terms of words with links, where the anchor of each begins, and where it ends; the terms with all marks, and
 * None, where links are entangled. */
static PyObject *locate(const Folds *self, size_t from, size_t to)
{
    Py_ssize_t marks = 0, place = 0;
    int paired = 1;
    for (size_t at = from; at < to; at++) {
        if (self->ids[at] < MARKS)
            paired = paired && self->ids[at] == (uint32_t)(LINK + (marks++ & 1));
    }
    if (!paired || marks & 1) {
        PyObject *terms = terms_of(self, from, to, 1, 0);
        return terms ? Py_BuildValue("(NOO)", terms, Py_None, Py_None) : NULL;
    }
    PyObject *terms = terms_of(self, from, to, 0, 0);
    PyObject *begins = PyList_New(marks / 2), *ends = PyList_New(marks / 2);
    if (!terms || !begins || !ends)
        goto failed;
    marks = 0;
    for (size_t at = from; at < to; at++) {
        PyObject *value = self->table.entries[self->ids[at]].value;
        if (self->ids[at] < MARKS) {
            PyObject *number = PyLong_FromSsize_t(place);
            if (!number)
                goto failed;
            PyList_SET_ITEM(marks & 1 ? ends : begins, marks >> 1, number);
            marks++;
        } else if (value != Py_None) {
            place += PyTuple_CheckExact(value) ? PyTuple_GET_SIZE(value) : 1;
        }
    }
    return Py_BuildValue("(NNN)", terms, begins, ends);
failed:
    Py_XDECREF(terms);
    Py_XDECREF(begins);
    Py_XDECREF(ends);
    return NULL;
}

/* What is made of each of many texts, read in one go. */
static PyObject *each_of(Folds *self, PyObject *texts, int located)
{
    PyObject *given = PySequence_Fast(texts, "texts must be a sequence"), *found = NULL;
    if (!given)
        return NULL;
    /* A list of our own: what is called back must not change it while it is read. */
    Py_SETREF(given, PySequence_Tuple(given));
    if (!given)
        return NULL;
    Py_ssize_t many = PyTuple_GET_SIZE(given);
    size_t *ends = PyMem_Malloc((size_t)(many + 1) * sizeof(size_t)), from = 0;
    if (!ends) {
        Py_DECREF(given);
        return PyErr_NoMemory();
    }
    int is_read = read_all(self, ((PyTupleObject *)given)->ob_item, many, ends, located, 0) == 0;
    if (is_read)
        found = PyList_New(many);
    for (Py_ssize_t at = 0; found && at < many; from = ends[at], at++) {
        PyObject *one = located ? locate(self, from, ends[at]) : terms_of(self, from, ends[at], 1, 1);
        if (!one) {
            Py_CLEAR(found);
            break;
        }
        PyList_SET_ITEM(found, at, one);
    }
    PyMem_Free(ends);
    Py_DECREF(given);
    return is_read ? made(self, found) : NULL;
}

static PyObject *folds_many(Folds *self, PyObject *texts)
{
    return each_of(self, texts, 0);
}

static PyObject *folds_located(Folds *self, PyObject *texts)
{
    return each_of(self, texts, 1);
}

static PyObject *folds_holding(Folds *self, PyObject *args)
{
    PyObject *texts, *wanted, *found = NULL;
    int no_mixed;
    if (!PyArg_ParseTuple(args, "OOp", &texts, &wanted, &no_mixed))
        return NULL;
    PyObject *given = PySequence_Tuple(texts);
    if (!given)
        return NULL;
    Py_ssize_t many = PyTuple_GET_SIZE(given);
    size_t *ends = PyMem_Malloc((size_t)(many + 1) * sizeof(size_t)), word = 0;
    if (!ends) {
        Py_DECREF(given);
        return PyErr_NoMemory();
    }
    int is_read = read_all(self, ((PyTupleObject *)given)->ob_item, many, ends, 0, no_mixed) == 0;
    if (is_read)
        found = PyList_New(0);
    for (Py_ssize_t at = 0; found && at < many; at++) {
        int held = 0;
        for (; word < ends[at]; word++) {
            PyObject *value = self->table.entries[self->ids[word]].value;
            if (held || value == Py_None)
                continue;
            if (PyTuple_CheckExact(value)) {
                for (Py_ssize_t nth = 0; !held && nth < PyTuple_GET_SIZE(value); nth++)
                    held = PySequence_Contains(wanted, PyTuple_GET_ITEM(value, nth));
            } else {
                held = PyDict_CheckExact(wanted) ? PyDict_Contains(wanted, value) : PySequence_Contains(wanted, value);
            }
            if (held < 0)
                break;
        }
        PyObject *place = held > 0 ? PyLong_FromSsize_t(at) : NULL;
        if (held < 0 || (held && (!place || PyList_Append(found, place) < 0)))
            Py_CLEAR(found);
        Py_XDECREF(place);
    }
    PyMem_Free(ends);
    Py_DECREF(given);
    return is_read ? made(self, found) : NULL;
}

static PyObject *folds_new(PyTypeObject *type, PyObject *args, PyObject *keywords)
{
    PyObject *stem, *rough, *apart, *stop;
    Py_ssize_t keep;
    unsigned long long seed;
    if (keywords && PyDict_GET_SIZE(keywords)) {
        PyErr_SetString(PyExc_TypeError, "Folds takes no keywords");
        return NULL;
    }
    if (!PyArg_ParseTuple(args, "OOOOnK", &stem, &rough, &apart, &stop, &keep, &seed))
        return NULL;
    Folds *self = (Folds *)type->tp_alloc(type, 0);
    if (!self)
        return NULL;
    self->stem = Py_NewRef(stem);
    self->rough = Py_NewRef(rough);
    self->apart = Py_NewRef(apart);
    self->stop = Py_NewRef(stop);
    self->keep = keep;
    if (table_begin(&self->table, seed) < 0 || fill_marks(self) < 0) {
        Py_DECREF(self);
        return NULL;
    }
    return (PyObject *)self;
}

static int folds_traverse(Folds *self, visitproc visit, void *arg)
{
    Py_VISIT(self->stem);
    Py_VISIT(self->rough);
    Py_VISIT(self->apart);
    Py_VISIT(self->stop);
    return 0; /* what the table holds are strings and tuples of strings, which lead nowhere */
}

static int folds_clear(Folds *self)
{
    Py_CLEAR(self->stem);
    Py_CLEAR(self->rough);
    Py_CLEAR(self->apart);
    Py_CLEAR(self->stop);
    return 0;
}

static void folds_dealloc(Folds *self)
{
    PyObject_GC_UnTrack(self);
    folds_clear(self);
    table_free(&self->table);
    PyMem_Free(self->ids);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyObject *folds_around(Folds *self, PyObject *args); /* in around.h */

static PyMethodDef folds_methods[] = {
    {"terms", (PyCFunction)folds_terms, METH_VARARGS, "The terms of a text; with its marks, if so told."},
    {"outside", (PyCFunction)folds_outside, METH_O, "The terms of a text with marks: all, and those outside links."},
    {"many", (PyCFunction)folds_many, METH_O, "The terms of each of many texts, as tuples."},
    {"located", (PyCFunction)folds_located, METH_O, "Of each of many texts with links its terms, and where links are."},
    {"holding", (PyCFunction)folds_holding, METH_VARARGS, "The places of texts that hold any of some terms."},
    {"around", (PyCFunction)folds_around, METH_VARARGS, "Of links of a text what those say that tell of a topic."},
    {NULL, NULL, 0, NULL},
};

static PyTypeObject FoldsType = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "honeyguide._native.Folds",
    .tp_doc = "Words and their terms.",
    .tp_basicsize = sizeof(Folds),
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_HAVE_GC,
    .tp_new = folds_new,
    .tp_dealloc = (destructor)folds_dealloc,
    .tp_traverse = (traverseproc)folds_traverse,
    .tp_clear = (inquiry)folds_clear,
    .tp_methods = folds_methods,
};
