/* The bytes of pages. A part of module.c. */

static PyObject *is_utf8(PyObject *module, PyObject *body)
{
    (void)module;
    if (!PyBytes_Check(body)) {
        PyErr_SetString(PyExc_TypeError, "a body must be bytes");
        return NULL;
    }
    const unsigned char *at = (const unsigned char *)PyBytes_AS_STRING(body), *end = at + PyBytes_GET_SIZE(body);
    while (at < end) {
        if (end - at >= 8) {
            uint64_t eight;
            memcpy(&eight, at, 8);
            if (!(eight & 0x8080808080808080u)) {
                at += 8;
                continue;
            }
        }
        unsigned char one = *at;
        int more = one < 0x80 ? 0 : one < 0xC2 ? -1 : one < 0xE0 ? 1 : one < 0xF0 ? 2 : one < 0xF5 ? 3 : -1;
        if (more < 0 || end - at <= more)
            Py_RETURN_FALSE;
        if (more) { /* overlong forms, halves of pairs and what lies beyond the last sign are told by the second byte */
            unsigned char low = one == 0xE0 ? 0xA0 : one == 0xF0 ? 0x90 : 0x80;
            unsigned char high = one == 0xED ? 0x9F : one == 0xF4 ? 0x8F : 0xBF;
            if (at[1] < low || at[1] > high)
                Py_RETURN_FALSE;
            for (int nth = 2; nth <= more; nth++)
                if ((at[nth] & 0xC0) != 0x80)
                    Py_RETURN_FALSE;
        }
        at += more + 1;
    }
    Py_RETURN_TRUE;
}

/* How many tags a page has, how many may be of a font, and whether none ends for half of `wide` bytes somewhere. */
static PyObject *count_tags(PyObject *module, PyObject *args)
{
    PyObject *body;
    Py_ssize_t half, tags = 0, fonts = 0;
    (void)module;
    if (!PyArg_ParseTuple(args, "O!n", &PyBytes_Type, &body, &half))
        return NULL;
    const char *text = PyBytes_AS_STRING(body), *at = text;
    Py_ssize_t size = PyBytes_GET_SIZE(body);
    int stretched = 0;
    if (size > 2) {
        const char *last = text + size - 2;
        while (at < last && (at = memchr(at, '<', (size_t)(last - at)))) {
            tags++;
            fonts += at[1] && strchr("bcefinstuBCEFINSTU", at[1]) && at[2] && strchr(" \t\n\v\f\r/>iomtIOMT", at[2]);
            at++;
        }
    }
    for (Py_ssize_t start = 0; half > 0 && !stretched && start < size - half; start += half)
        stretched = !memchr(text + start, '>', (size_t)half);
    return Py_BuildValue("(nnO)", tags, fonts, stretched ? Py_True : Py_False);
}
