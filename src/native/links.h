/* Where links lead. A part of module.c. */

static unsigned char PLAIN[256]; /* signs of a path that every reader of URLs leaves as they are */

/* Whether a stretch of a link is a plain path: nothing to be escaped, folded or stepped back over. */
static int is_plain(const unsigned char *text, Py_ssize_t from, Py_ssize_t until)
{
    Py_ssize_t begin = from; /* of a segment */
    for (Py_ssize_t at = from; at <= until; at++) {
        if (at == until || text[at] == '/') {
            Py_ssize_t size = at - begin;
            if (text[begin] == '.' && (size == 1 || (size == 2 && text[begin + 1] == '.')))
                return 0;
            begin = at + 1;
        } else if (!PLAIN[text[at]]) {
            return 0;
        }
    }
    return 1;
}

static int ends_with(const unsigned char *text, Py_ssize_t size, const char *ending)
{
    Py_ssize_t length = (Py_ssize_t)strlen(ending);
    return size >= length && memcmp(text + size - length, ending, (size_t)length) == 0;
}

/* The address of a link that is plain; NULL without an exception for one that is not. */
static PyObject *plain_address(PyObject *href, PyObject *origin, PyObject *folder, PyObject *origins)
{
    if (!PyUnicode_IS_ASCII(href) || !PyUnicode_GET_LENGTH(folder))
        return NULL;
    const unsigned char *text = PyUnicode_1BYTE_DATA(href);
    Py_ssize_t size = PyUnicode_GET_LENGTH(href);
    const unsigned char *part = size ? memchr(text, '#', (size_t)size) : NULL;
    if (part)
        size = part - text;
    if (!size || size > 1000)
        return NULL;
    PyObject *before, *rest, *both;
    Py_ssize_t scheme = size > 8 && !memcmp(text, "http://", 7) ? 7 : size > 8 && !memcmp(text, "https://", 8) ? 8 : 0;
    if (scheme) {
        const unsigned char *slash = memchr(text + 8, '/', (size_t)(size - 8));
        if (!slash || !is_plain(text, slash - text, size))
            return NULL;
        before = PyUnicode_Substring(href, 0, slash - text);
        int known = before ? PySet_Contains(origins, before) : -1;
        Py_XDECREF(before);
        if (known <= 0)
            return NULL;
        return PyUnicode_Substring(href, 0, size);
    }
    if (text[0] == '/' && size > 1 && text[1] == '/')
        return NULL;
    Py_ssize_t back = 0, up = PyUnicode_GET_LENGTH(folder);
    while (size - back >= 3 && !memcmp(text + back, "../", 3)) { /* steps back, though not beyond the top */
        Py_ssize_t above = PyUnicode_FindChar(folder, '/', 0, up - 1, -1);
        up = above >= PyUnicode_GET_LENGTH(origin) ? above + 1 : up;
        back += 3;
    }
    if (!is_plain(text, back, size))
        return NULL;
    before = text[0] == '/' ? Py_NewRef(origin) : PyUnicode_Substring(folder, 0, up);
    rest = PyUnicode_Substring(href, back, size);
    both = before && rest ? PyUnicode_Concat(before, rest) : NULL;
    Py_XDECREF(before);
    Py_XDECREF(rest);
    return both;
}

static PyObject *leads(PyObject *module, PyObject *const *args, Py_ssize_t count)
{
    (void)module;
    if (count != 8 || !PyDict_CheckExact(args[0]) || !PyUnicode_Check(args[1]) || !PyUnicode_Check(args[2]) ||
        !PyUnicode_Check(args[3]) || !PySet_Check(args[4])) {
        PyErr_SetString(PyExc_TypeError, "leads takes a dict, three texts, a set, a number, and two to call");
        return NULL;
    }
    PyObject *origin = args[1], *folder = args[2], *page = args[3], *origins = args[4], *keep = args[6];
    PyObject *address = args[7], *found = PyDict_New(), *hrefs = PyDict_Keys(args[0]);
    int is_free = PyObject_IsTrue(args[5]); /* whether the scope leaves out nothing but files and circles */
    if (!found || !hrefs || is_free < 0)
        goto failed;
    for (Py_ssize_t at = 0; at < PyList_GET_SIZE(hrefs); at++) {
        PyObject *href = PyList_GET_ITEM(hrefs, at), *lead;
        if (!PyUnicode_Check(href) || PyUnicode_READY(href) < 0) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "a link must be a str");
            goto failed;
        }
        lead = plain_address(href, origin, folder, origins);
        if (!lead && PyErr_Occurred())
            goto failed;
        if (!lead) {
            lead = PyObject_CallOneArg(address, href);
        } else {
            const unsigned char *text = PyUnicode_IS_ASCII(lead) ? PyUnicode_1BYTE_DATA(lead) : NULL;
            Py_ssize_t size = PyUnicode_GET_LENGTH(lead), slashes = 0;
            int wanted = 0;
            if (text && is_free && size < 2000 &&
                (ends_with(text, size, ".html") || ends_with(text, size, ".htm") || ends_with(text, size, "/") ||
                 ends_with(text, size, ".php"))) {
                for (Py_ssize_t nth = 0; nth < size; nth++)
                    slashes += text[nth] == '/';
                wanted = slashes < 8;
            }
            if (!wanted && keep != Py_None) {
                PyObject *said = PyObject_CallOneArg(keep, lead);
                wanted = said ? PyObject_IsTrue(said) : -1;
                Py_XDECREF(said);
            } else {
                wanted = 1;
            }
            if (wanted >= 0 && (!wanted || PyUnicode_Compare(lead, page) == 0))
                Py_SETREF(lead, Py_NewRef(Py_None));
            if (wanted < 0 || PyErr_Occurred())
                Py_CLEAR(lead);
        }
        int put_in = lead ? PyDict_SetItem(found, href, lead) : -1;
        Py_XDECREF(lead);
        if (put_in < 0)
            goto failed;
    }
    Py_DECREF(hrefs);
    return found;
failed:
    Py_XDECREF(hrefs);
    Py_XDECREF(found);
    return NULL;
}
