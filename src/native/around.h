/* What links say of a topic, in their anchors and in the words around them. A part of module.c. */

typedef struct {
    PyObject **terms; /* borrowed from the table, which does not change while it is read with */
    Py_ssize_t *hits, *begins, *ends;
    Py_ssize_t count, many, links;
} Near;

static void near_free(Near *near)
{
    PyMem_Free(near->terms);
    PyMem_Free(near->hits);
    PyMem_Free(near->begins);
}

/* The terms of what was read, where those of the topic stand among them, and where each anchor begins and ends;
 * 1 where links are entangled, -1 with an exception. */
static int near_read(const Folds *self, size_t until, PyObject *query, Near *near)
{
    Py_ssize_t marks = 0, count = terms_in(self, 0, until, 0), place = 0;
    for (size_t at = 0; at < until; at++) {
        if (self->ids[at] < MARKS && self->ids[at] != (uint32_t)(LINK + (marks++ & 1)))
            return 1;
    }
    if (marks & 1)
        return 1;
    near->links = marks / 2;
    near->terms = PyMem_Malloc((size_t)(count + 1) * sizeof(PyObject *));
    near->hits = PyMem_Malloc((size_t)(count + 1) * sizeof(Py_ssize_t));
    near->begins = PyMem_Malloc((size_t)(marks + 1) * sizeof(Py_ssize_t));
    near->ends = near->begins ? near->begins + near->links : NULL;
    if (!near->terms || !near->hits || !near->begins) {
        PyErr_NoMemory();
        return -1;
    }
    marks = 0;
    for (size_t at = 0; at < until; at++) {
        PyObject *value = self->table.entries[self->ids[at]].value;
        if (self->ids[at] < MARKS) {
            (marks & 1 ? near->ends : near->begins)[marks >> 1] = place;
            marks++;
        } else if (PyTuple_CheckExact(value)) {
            for (Py_ssize_t nth = 0; nth < PyTuple_GET_SIZE(value); nth++)
                near->terms[place++] = PyTuple_GET_ITEM(value, nth);
        } else if (value != Py_None) {
            near->terms[place++] = value;
        }
    }
    near->count = place;
    for (place = 0; place < near->count; place++) {
        int held = PyDict_Contains(query, near->terms[place]);
        if (held < 0)
            return -1;
        if (held)
            near->hits[near->many++] = place;
    }
    return 0;
}

/* How many of the hits stand before a place. */
static Py_ssize_t hits_before(const Near *near, Py_ssize_t place)
{
    Py_ssize_t low = 0, high = near->many;
    while (low < high) {
        Py_ssize_t middle = low + (high - low) / 2;
        if (near->hits[middle] < place)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Two stretches of the terms as one tuple. */
static PyObject *stretch(const Near *near, Py_ssize_t from, Py_ssize_t until, Py_ssize_t again, Py_ssize_t end)
{
    PyObject *found = PyTuple_New(until - from + end - again);
    Py_ssize_t place = 0;
    for (; found && from < until; from++)
        PyTuple_SET_ITEM(found, place++, Py_NewRef(near->terms[from]));
    for (; found && again < end; again++)
        PyTuple_SET_ITEM(found, place++, Py_NewRef(near->terms[again]));
    return found;
}

/* What one link says, put into a list if it is anything; -1 with an exception. */
static int say(const Near *near, Py_ssize_t place, Py_ssize_t link, int named, Py_ssize_t reach, PyObject *found)
{
    Py_ssize_t start = near->begins[link], end = near->ends[link];
    Py_ssize_t first = hits_before(near, start), last = hits_before(near, end);
    Py_ssize_t before = start > reach ? start - reach : 0, after = near->count - end > reach ? end + reach : near->count;
    int beside = (first && near->hits[first - 1] >= before) || (last < near->many && near->hits[last] < after);
    int tells = named || last > first;
    if (!beside && !tells)
        return 0;
    PyObject *own = tells ? stretch(near, start, end, 0, 0) : Py_NewRef(Py_None);
    PyObject *around = beside ? stretch(near, before, start, end, after) : PyTuple_New(0);
    PyObject *said = own && around ? Py_BuildValue("(nOO)", place, own, around) : NULL;
    int done = said ? PyList_Append(found, said) : -1;
    Py_XDECREF(own);
    Py_XDECREF(around);
    Py_XDECREF(said);
    return done;
}

/* Of some links of a text, by their numbers in it, those that tell of a topic's terms (or whose names do): the place of
 * each among them, the terms of its anchor if they or its name tell, and those around it if they do. None where links
 * are entangled. */
static PyObject *folds_around(Folds *self, PyObject *args)
{
    PyObject *text, *query, *numbers, *named, *found = NULL;
    Py_ssize_t reach;
    size_t until;
    if (!PyArg_ParseTuple(args, "UO!O!O!n", &text, &PyDict_Type, &query, &PyList_Type, &numbers, &PyList_Type, &named,
                          &reach))
        return NULL;
    if (reach < 0 || PyList_GET_SIZE(numbers) != PyList_GET_SIZE(named)) {
        PyErr_SetString(PyExc_ValueError, "as many names as links are expected, and a reach of 0 or more");
        return NULL;
    }
    if (read_all(self, &text, 1, &until, 1, 0) < 0)
        return NULL;
    Near near = {NULL, NULL, NULL, NULL, 0, 0, 0};
    int told = near_read(self, until, query, &near);
    if (told > 0)
        found = Py_NewRef(Py_None);
    else if (told == 0)
        found = PyList_New(0);
    for (Py_ssize_t at = 0; told == 0 && found && at < PyList_GET_SIZE(numbers) && at < PyList_GET_SIZE(named); at++) {
        int shares = PyList_GET_ITEM(named, at) == Py_True;
        if (!near.many && !shares)
            continue;
        Py_ssize_t link = PyLong_AsSsize_t(PyList_GET_ITEM(numbers, at));
        if (link < 0 || link >= near.links) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_IndexError, "the text has no such link");
            Py_CLEAR(found);
        } else if (say(&near, at, link, shares, reach, found) < 0) {
            Py_CLEAR(found);
        }
    }
    near_free(&near);
    return made(self, found);
}
