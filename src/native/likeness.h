/* How like each other texts are. A part of module.c. */

#define FEW_WORDS 48 /* of which each is compared with all before it */

static int met_before(PyObject *text, Py_ssize_t place)
{
    PyObject *term = PyTuple_GET_ITEM(text, place);
    for (Py_ssize_t at = 0; at < place; at++) {
        PyObject *other = PyTuple_GET_ITEM(text, at);
        if (other == term)
            return 1;
        if (PyUnicode_GET_LENGTH(other) == PyUnicode_GET_LENGTH(term) && PyUnicode_Compare(other, term) == 0)
            return 1;
    }
    return 0;
}

static PyObject *cosine(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 7 || !PyTuple_CheckExact(args[0]) || !PyDict_Check(args[1]) || !PyList_CheckExact(args[2]) ||
        !PyDict_Check(args[3]) || !PyList_CheckExact(args[4])) {
        PyErr_SetString(PyExc_TypeError, "cosine takes a tuple, a dict, a list, a dict, a list and two numbers");
        return NULL;
    }
    PyObject *text = args[0], *query = args[1], *weights = args[2], *frequency = args[3], *logs = args[4];
    double everything = PyFloat_AsDouble(args[5]), size = PyFloat_AsDouble(args[6]), dot = 0.0, length = 0.0;
    if (PyErr_Occurred())
        return NULL;
    Py_ssize_t many = PyTuple_GET_SIZE(text);
    int shares = 0;
    for (Py_ssize_t at = 0; at < many; at++) {
        if (!PyUnicode_CheckExact(PyTuple_GET_ITEM(text, at))) {
            PyErr_SetString(PyExc_TypeError, "a term must be a str");
            return NULL;
        }
        if (!shares && (shares = PyDict_Contains(query, PyTuple_GET_ITEM(text, at))) < 0)
            return NULL;
    }
    if (!shares)
        return PyFloat_FromDouble(0.0);
    PyObject *seen = many > FEW_WORDS ? PySet_New(NULL) : NULL;
    if (many > FEW_WORDS && !seen)
        return NULL;
    for (Py_ssize_t at = 0; at < many; at++) { /* in the order of the text, as the sum is in Python */
        PyObject *term = PyTuple_GET_ITEM(text, at), *found;
        int known = seen ? PySet_Contains(seen, term) : met_before(text, at);
        if (known < 0 || (seen && !known && PySet_Add(seen, term) < 0))
            goto failed;
        if (known)
            continue;
        found = PyDict_GetItemWithError(frequency, term);
        if (!found && PyErr_Occurred())
            goto failed;
        Py_ssize_t often = found ? PyLong_AsSsize_t(found) : 0;
        if (often < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_ValueError, "nothing is met less than never");
            goto failed;
        }
        double rarity = everything - (often < PyList_GET_SIZE(logs) ? PyFloat_AsDouble(PyList_GET_ITEM(logs, often))
                                                                    : log((double)often + 0.5));
        length += rarity * rarity;
        found = PyDict_GetItemWithError(query, term);
        if (found) {
            Py_ssize_t place = PyLong_AsSsize_t(found);
            if (place < 0 || place >= PyList_GET_SIZE(weights)) {
                if (!PyErr_Occurred())
                    PyErr_SetString(PyExc_IndexError, "a term without a weight");
                goto failed;
            }
            dot += rarity * PyFloat_AsDouble(PyList_GET_ITEM(weights, place));
        }
        if (PyErr_Occurred())
            goto failed;
    }
    Py_XDECREF(seen);
    double both = sqrt(length) * size;
    if (both == 0.0) {
        PyErr_SetString(PyExc_ZeroDivisionError, "float division by zero");
        return NULL;
    }
    return PyFloat_FromDouble(dot / both);
failed:
    Py_XDECREF(seen);
    return NULL;
}

static PyObject *places_of(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 2 || !PyList_CheckExact(args[0]) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "places_of takes a list and a dict");
        return NULL;
    }
    PyObject *found = PyList_New(0);
    for (Py_ssize_t at = 0; found && at < PyList_GET_SIZE(args[0]); at++) {
        PyObject *term = Py_NewRef(PyList_GET_ITEM(args[0], at));
        int held = PyDict_Contains(args[1], term);
        Py_DECREF(term);
        PyObject *place = held > 0 ? PyLong_FromSsize_t(at) : NULL;
        if (held < 0 || (held && (!place || PyList_Append(found, place) < 0)))
            Py_CLEAR(found);
        Py_XDECREF(place);
    }
    return found;
}
