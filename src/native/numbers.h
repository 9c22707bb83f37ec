/* Words of letters, and the numbers of words. A part of module.c. */

/* Whether a sign belongs to a word: letters, and what is like them; no digits. */
static inline int is_of_word(Py_UCS4 sign)
{
    return sign < 128 ? KIND[sign] == LETTER : Py_UNICODE_ISALNUM(sign) && !Py_UNICODE_ISDECIMAL(sign);
}

/* Add a word in lower case; `other` says what one is made of whose letters are not all ASCII. */
static int add_letters(PyObject *found, PyObject *text, Py_ssize_t begin, Py_ssize_t end, int plain, PyObject *other)
{
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    PyObject *word;
    if (plain) {
        if (!(word = PyUnicode_New(end - begin, 127)))
            return -1;
        for (Py_UCS1 *to = PyUnicode_1BYTE_DATA(word); begin < end; begin++)
            *to++ = (Py_UCS1)(PyUnicode_READ(kind, data, begin) | 0x20);
        int done = PyList_Append(found, word);
        Py_DECREF(word);
        return done;
    }
    if (!(word = PyUnicode_Substring(text, begin, end)))
        return -1;
    PyObject *words = PyObject_CallOneArg(other, word);
    Py_DECREF(word);
    int done = !words                   ? -1
               : PyList_CheckExact(words) ? PyList_SetSlice(found, PY_SSIZE_T_MAX, PY_SSIZE_T_MAX, words)
                                          : (PyErr_SetString(PyExc_TypeError, "words must be a list"), -1);
    Py_XDECREF(words);
    return done;
}

/* The words of a text, of two letters and more, in lower case. */
static PyObject *letters(PyObject *module, PyObject *args)
{
    PyObject *text, *other;
    (void)module;
    if (!PyArg_ParseTuple(args, "UO", &text, &other) || PyUnicode_READY(text) < 0)
        return NULL;
    int kind = (int)PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    PyObject *found = PyList_New(0);
    for (Py_ssize_t at = 0; found && at < size; at++) {
        Py_ssize_t begin = at;
        Py_UCS4 sign, all = 0;
        for (; at < size && is_of_word(sign = PyUnicode_READ(kind, data, at)); at++)
            all |= sign;
        if (at - begin > 1 && add_letters(found, text, begin, at, all < 128, other) < 0)
            Py_CLEAR(found);
    }
    return found;
}

/* The number that a dict has for each of some words (a list, or the keys of a dict), as int64 one after another. */
static PyObject *numbers_of(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 3 || !(PyList_CheckExact(args[0]) || PyDict_Check(args[0])) || !PyDict_Check(args[1])) {
        PyErr_SetString(PyExc_TypeError, "numbers_of takes a list or a dict, a dict and a number");
        return NULL;
    }
    PyObject *words = args[0], *places = args[1], *word = NULL, *ignored;
    int is_list = PyList_CheckExact(words);
    Py_ssize_t many = is_list ? PyList_GET_SIZE(words) : PyDict_GET_SIZE(words), at = 0, next = 0;
    int64_t other = PyLong_AsLongLong(args[2]);
    if (other == -1 && PyErr_Occurred())
        return NULL;
    PyObject *found = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(int64_t));
    if (!found)
        return NULL;
    char *to = PyBytes_AS_STRING(found);
    for (; at < many; at++, to += sizeof(int64_t)) {
        if (is_list ? at >= PyList_GET_SIZE(words) : !PyDict_Next(words, &next, &word, &ignored)) {
            PyErr_SetString(PyExc_RuntimeError, "the words changed while they were looked up");
            goto failed;
        }
        if (is_list)
            word = PyList_GET_ITEM(words, at);
        if (!PyUnicode_CheckExact(word)) { /* whose comparing runs no code that could change anything */
            PyErr_SetString(PyExc_TypeError, "a word must be a str");
            goto failed;
        }
        Py_INCREF(word); /* should a key of the other dict be stranger than that */
        PyObject *number = PyDict_GetItemWithError(places, word);
        int64_t value = number ? PyLong_AsLongLong(number) : other;
        Py_DECREF(word);
        if (PyErr_Occurred())
            goto failed;
        memcpy(to, &value, sizeof(int64_t));
    }
    return found;
failed:
    Py_DECREF(found);
    return NULL;
}

/* Where each of some numbers (int64, one after another) stands first, but for one of them. */
static PyObject *firsts(PyObject *module, PyObject *args)
{
    Py_buffer given;
    long long besides;
    (void)module;
    if (!PyArg_ParseTuple(args, "y*L", &given, &besides))
        return NULL;
    Py_ssize_t many = given.len / (Py_ssize_t)sizeof(int64_t), count = 0;
    size_t mask = 15;
    while (mask < 2 * (size_t)many)
        mask = 2 * mask + 1;
    int64_t *places = PyMem_Malloc((size_t)(many + 1) * sizeof(int64_t));
    uint32_t *slots = many < UINT32_MAX / 4 ? PyMem_Calloc(mask + 1, sizeof(uint32_t)) : NULL; /* a place plus one */
    PyObject *found = NULL;
    if (!places || !slots) {
        PyErr_NoMemory();
        goto end;
    }
    for (Py_ssize_t at = 0; at < many; at++) {
        int64_t number, other;
        memcpy(&number, (const char *)given.buf + at * (Py_ssize_t)sizeof(int64_t), sizeof number);
        size_t slot = (size_t)(mix((uint64_t)number, 0x9E3779B97F4A7C15u) & mask);
        for (; slots[slot]; slot = (slot + 1) & mask) {
            memcpy(&other, (const char *)given.buf + (slots[slot] - 1) * sizeof(int64_t), sizeof other);
            if (other == number)
                break;
        }
        if (!slots[slot]) {
            slots[slot] = (uint32_t)(at + 1);
            if (number != besides)
                places[count++] = at;
        }
    }
    found = PyBytes_FromStringAndSize((const char *)places, count * (Py_ssize_t)sizeof(int64_t));
end:
    PyMem_Free(places);
    PyMem_Free(slots);
    PyBuffer_Release(&given);
    return found;
}

/* The how manieth of its kind each of some numbers (int64, one after another) is, from 1 on. */
static PyObject *nth(PyObject *module, PyObject *numbers)
{
    Py_buffer given;
    (void)module;
    if (PyObject_GetBuffer(numbers, &given, PyBUF_SIMPLE) < 0)
        return NULL;
    Py_ssize_t many = given.len / (Py_ssize_t)sizeof(int64_t);
    size_t mask = 15;
    while (mask < 2 * (size_t)many)
        mask = 2 * mask + 1;
    PyObject *found = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(int64_t));
    uint32_t *last = many < UINT32_MAX / 4 ? PyMem_Calloc(mask + 1, sizeof(uint32_t)) : NULL; /* a place plus one */
    if (!found || !last) {
        Py_CLEAR(found);
        PyErr_NoMemory();
        goto end;
    }
    char *to = PyBytes_AS_STRING(found);
    for (Py_ssize_t at = 0; at < many; at++) {
        int64_t number, other, times = 1;
        memcpy(&number, (const char *)given.buf + at * (Py_ssize_t)sizeof(int64_t), sizeof number);
        size_t slot = (size_t)(mix((uint64_t)number, 0x9E3779B97F4A7C15u) & mask);
        for (; last[slot]; slot = (slot + 1) & mask) {
            memcpy(&other, (const char *)given.buf + (last[slot] - 1) * sizeof(int64_t), sizeof other);
            if (other == number) {
                memcpy(&times, to + (last[slot] - 1) * sizeof(int64_t), sizeof times);
                times++;
                break;
            }
        }
        last[slot] = (uint32_t)(at + 1);
        memcpy(to + at * (Py_ssize_t)sizeof(int64_t), &times, sizeof times);
    }
end:
    PyMem_Free(last);
    PyBuffer_Release(&given);
    return found;
}
