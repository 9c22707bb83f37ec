/* Of which kinds addresses are: by site, ending, folders side by side, folder. A part of module.c.
 *
 * As `strategies/guide_addresses.py`.
 */

#define KINDS 4
#define ENDING 5 /* signs of an ending: what is longer is part of the name */

/* The checksum of a stretch of signs, in lower case if it is an ending. */
static uint32_t crc_signs(uint32_t crc, const unsigned char *at, const unsigned char *end, int lower)
{
    for (; at < end; at++)
        crc = crc_add(crc, lower && *at >= 'A' && *at <= 'Z' ? *at | 0x20 : *at);
    return crc;
}

/* The kinds one address is of, the widest first, and how far from the front of its site it lies; 0 if it is odd. */
static int kinds_of_one(PyObject *url, uint16_t *kinds, uint8_t *steps)
{
    if (!PyUnicode_Check(url) || PyUnicode_READY(url) < 0 || !PyUnicode_IS_ASCII(url))
        return 0;
    const unsigned char *begin = PyUnicode_1BYTE_DATA(url), *last = begin + PyUnicode_GET_LENGTH(url);
    const unsigned char *query = memchr(begin, '?', (size_t)(last - begin)), *end = query ? query : last;
    const unsigned char *slash = end, *dot = end, *asked = query, *beside, *site = NULL;
    while (slash > begin && slash[-1] != '/')
        slash--;
    if (slash == begin || end - begin < ENDING)
        return 0;
    slash--;
    const unsigned char *from = slash > end - ENDING ? slash : end - ENDING;
    while (dot > from && dot[-1] != '.')
        dot--;
    dot = dot > from ? dot - 1 : NULL;
    while (asked && asked < last && *asked != '=')
        asked++;
    Py_ssize_t above = 0, inside = 0;
    for (const unsigned char *at = begin; at < last; at++) {
        inside += *at == '/' && at - begin >= 8;
        above += *at == '/' && at < slash;
        if (above == 3 && !site)
            site = at;
    }
    inside += 2 * (query != NULL) - (last[-1] == '/');
    *steps = (uint8_t)(inside > 255 ? 255 : inside < 0 ? 0 : inside);
    for (beside = slash; above > 2 && beside[-1] != '/';)
        beside--;
    if (above > 2)
        beside--;
    kinds[0] = (uint16_t)~crc_signs(0xFFFFFFFFu, begin, site ? site : slash, 0);
    for (int kind = 1; kind < KINDS; kind++) {
        uint32_t crc = 0xFFFFFFFFu;
        if (kind > 1)
            crc = crc_signs(crc, begin, kind == 2 ? beside : slash, 0);
        if (kind > 1)
            crc = crc_signs(crc, (const unsigned char *)"/*/", (const unsigned char *)"/*/" + (kind == 2 ? 3 : 1), 0);
        if (dot)
            crc = crc_signs(crc, dot, end, 1);
        if (query)
            crc = crc_signs(crc, query, asked, 0);
        kinds[kind] = (uint16_t)~crc;
    }
    return 1;
}

/* The kinds that addresses are of, four each (uint16), and how far from the front of its site each lies (uint8); None
 * where one is odd. */
static PyObject *kinds_of(PyObject *module, PyObject *urls)
{
    (void)module;
    if (!PyList_CheckExact(urls)) {
        PyErr_SetString(PyExc_TypeError, "addresses must be a list");
        return NULL;
    }
    Py_ssize_t many = PyList_GET_SIZE(urls);
    PyObject *kinds = PyBytes_FromStringAndSize(NULL, many * KINDS * (Py_ssize_t)sizeof(uint16_t));
    PyObject *steps = PyBytes_FromStringAndSize(NULL, many), *both = NULL;
    Py_ssize_t at = 0;
    for (; kinds && steps && at < many; at++) {
        uint16_t own[KINDS];
        if (!kinds_of_one(PyList_GET_ITEM(urls, at), own, (uint8_t *)PyBytes_AS_STRING(steps) + at))
            break;
        memcpy(PyBytes_AS_STRING(kinds) + at * (Py_ssize_t)sizeof own, own, sizeof own);
    }
    if (kinds && steps)
        both = at < many ? Py_NewRef(Py_None) : PyTuple_Pack(2, kinds, steps);
    Py_XDECREF(kinds);
    Py_XDECREF(steps);
    return both;
}
