/* What `guide` does with every link of a page, and with every word around one. A part of module.c.
 *
 * Numbers come as arrays of numpy, which are given as buffers: what is not as long as it must be is refused, and so is
 * a place that an array does not have. */

#define SLOTS 65536 /* numbers of terms, and of kinds of address */

static uint32_t CRC[256];

static void crc_begin(void)
{
    for (uint32_t at = 0; at < 256; at++) {
        uint32_t value = at;
        for (int bit = 0; bit < 8; bit++)
            value = value & 1 ? value >> 1 ^ 0xEDB88320u : value >> 1;
        CRC[at] = value;
    }
}

/* One byte more; a checksum begins with all bits set, and is told with all of them turned. */
static inline uint32_t crc_add(uint32_t crc, unsigned char byte)
{
    return crc >> 8 ^ CRC[(crc ^ byte) & 0xFF];
}

/* The checksum of a text as UTF-8, halves of pairs let pass. */
static uint32_t crc_text(PyObject *text)
{
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    uint32_t crc = 0xFFFFFFFFu;
    for (Py_ssize_t at = 0, end = PyUnicode_GET_LENGTH(text); at < end; at++) {
        Py_UCS4 sign = PyUnicode_READ(kind, data, at);
        if (sign < 0x80) {
            crc = crc_add(crc, (unsigned char)sign);
            continue;
        }
        if (sign < 0x800) {
            crc = crc_add(crc, (unsigned char)(0xC0 | sign >> 6));
        } else {
            if (sign < 0x10000) {
                crc = crc_add(crc, (unsigned char)(0xE0 | sign >> 12));
            } else {
                crc = crc_add(crc, (unsigned char)(0xF0 | sign >> 18));
                crc = crc_add(crc, (unsigned char)(0x80 | (sign >> 12 & 0x3F)));
            }
            crc = crc_add(crc, (unsigned char)(0x80 | (sign >> 6 & 0x3F)));
        }
        crc = crc_add(crc, (unsigned char)(0x80 | (sign & 0x3F)));
    }
    return ~crc;
}

/* A number from 1 to 65,535 for each of some terms (a list, or the keys of a dict), as int64 one after another. */
static PyObject *hashed(PyObject *module, PyObject *terms)
{
    (void)module;
    int is_list = PyList_CheckExact(terms);
    if (!is_list && !PyDict_Check(terms)) {
        PyErr_SetString(PyExc_TypeError, "terms must be a list or a dict");
        return NULL;
    }
    Py_ssize_t many = is_list ? PyList_GET_SIZE(terms) : PyDict_GET_SIZE(terms), next = 0;
    PyObject *found = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(int64_t)), *term = NULL, *ignored;
    for (Py_ssize_t at = 0; found && at < many; at++) { /* nothing runs on the way that could change them */
        if (is_list)
            term = PyList_GET_ITEM(terms, at);
        else if (!PyDict_Next(terms, &next, &term, &ignored))
            term = NULL;
        if (!term || !PyUnicode_Check(term) || PyUnicode_READY(term) < 0) {
            PyErr_SetString(PyExc_TypeError, "a term must be a str");
            Py_CLEAR(found);
            break;
        }
        int64_t number = crc_text(term) % (SLOTS - 1) + 1;
        memcpy(PyBytes_AS_STRING(found) + at * (Py_ssize_t)sizeof number, &number, sizeof number);
    }
    return found;
}

/* Buffers that a function was given; what was taken is let go of in any case. */
#define MOST_BUFFERS 8

typedef struct {
    Py_buffer held[MOST_BUFFERS];
    int count;
} Buffers;

static void buffers_free(Buffers *all)
{
    while (all->count)
        PyBuffer_Release(&all->held[--all->count]);
}

/* One more array of so many bytes at least, or of any number if it is -1; NULL with an exception. */
static void *buffer(Buffers *all, PyObject *array, Py_ssize_t least, int writable)
{
    Py_buffer *own = &all->held[all->count];
    if (PyObject_GetBuffer(array, own, writable ? PyBUF_WRITABLE : PyBUF_SIMPLE) < 0)
        return NULL;
    all->count++;
    if (own->len < least) {
        PyErr_SetString(PyExc_ValueError, "an array is shorter than others say");
        return NULL;
    }
    return own->buf;
}

#define LENGTH(all, nth, type) ((all).held[nth].len / (Py_ssize_t)sizeof(type))

static PyObject *refused(const char *why)
{
    PyErr_SetString(PyExc_ValueError, why);
    return NULL;
}

/* The sums of so many rows each (float32) of a matrix, whose places lie one after another; zeros where there are none. */
static PyObject *sums_of(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 4)
        return refused("sums_of takes a matrix, how wide it is, places and counts");
    Buffers all = {.count = 0};
    Py_ssize_t wide = PyLong_AsSsize_t(args[1]);
    const float *rows = buffer(&all, args[0], -1, 0);
    const int64_t *places = rows ? buffer(&all, args[2], -1, 0) : NULL;
    const int64_t *counts = places ? buffer(&all, args[3], -1, 0) : NULL;
    PyObject *found = NULL;
    if (!counts || PyErr_Occurred())
        goto end;
    if (wide < 1 || wide > SLOTS) {
        refused("a row has some numbers");
        goto end;
    }
    Py_ssize_t known = LENGTH(all, 0, float) / wide, left = LENGTH(all, 1, int64_t), many = LENGTH(all, 2, int64_t);
    found = PyBytes_FromStringAndSize(NULL, many * wide * (Py_ssize_t)sizeof(float));
    if (!found)
        goto end;
    float *to = (float *)PyBytes_AS_STRING(found);
    memset(to, 0, (size_t)PyBytes_GET_SIZE(found));
    for (Py_ssize_t at = 0; at < many; at++, to += wide) {
        if (counts[at] < 0 || counts[at] > left) {
            refused("there are not so many places");
            Py_CLEAR(found);
            goto end;
        }
        left -= counts[at];
        for (int64_t nth = 0; nth < counts[at]; nth++) {
            int64_t place = *places++;
            if (place < 0 || place >= known) {
                refused("there is no such row");
                Py_CLEAR(found);
                goto end;
            }
            const float *row = rows + place * wide;
            for (Py_ssize_t column = 0; column < wide; column++)
                to[column] += row[column];
        }
    }
end:
    buffers_free(&all);
    return found;
}

/* The terms of some links and those on either side: of numbers of terms, where each link stands among them (four rows:
 * where its block begins, its anchor begins, ends, its block ends), which links, and how many terms on either side.
 * Returns the terms, one after another, and how many each link has. */
static PyObject *windows(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 4)
        return refused("windows takes numbers, spans, links and a reach");
    Buffers all = {.count = 0};
    Py_ssize_t reach = PyLong_AsSsize_t(args[3]), used = 0;
    const int64_t *terms = buffer(&all, args[0], -1, 0);
    const int64_t *spans = terms ? buffer(&all, args[1], -1, 0) : NULL;
    const int64_t *links = spans ? buffer(&all, args[2], -1, 0) : NULL;
    PyObject *counts = NULL, *taken = NULL, *both = NULL;
    if (!links || PyErr_Occurred())
        goto end;
    Py_ssize_t held = LENGTH(all, 0, int64_t), every = LENGTH(all, 1, int64_t) / 4, many = LENGTH(all, 2, int64_t);
    counts = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(int64_t));
    if (!counts)
        goto end;
    int64_t *count = (int64_t *)PyBytes_AS_STRING(counts), *to = NULL;
    for (int writing = 0; writing < 2; writing++) { /* they are counted first */
        for (Py_ssize_t at = 0; at < many; at++) {
            if (links[at] < 0 || links[at] >= every || reach < 0) {
                refused("there is no such link");
                goto end;
            }
            const int64_t *span = spans + links[at];
            int64_t low = span[0], before = span[every], after = span[2 * every], high = span[3 * every];
            if (low < 0 || before < low || after < before || high < after || high > held) {
                refused("a link stands nowhere");
                goto end;
            }
            int64_t begin = before - low > reach ? before - reach : low, end = high - after > reach ? after + reach : high;
            int64_t cut = after - before > reach ? before + reach : after; /* of a long anchor the first are taken */
            if (!writing) {
                count[at] = cut - begin + end - after;
                used += count[at];
                continue;
            }
            memcpy(to, terms + begin, (size_t)(cut - begin) * sizeof(int64_t));
            memcpy(to + (cut - begin), terms + after, (size_t)(end - after) * sizeof(int64_t));
            to += count[at];
        }
        if (!writing) {
            taken = PyBytes_FromStringAndSize(NULL, used * (Py_ssize_t)sizeof(int64_t));
            if (!taken)
                goto end;
            to = (int64_t *)PyBytes_AS_STRING(taken);
        }
    }
    both = PyTuple_Pack(2, taken, counts);
end:
    Py_XDECREF(counts);
    Py_XDECREF(taken);
    buffers_free(&all);
    return both;
}

/* Take the words around links in: terms, how many each link has, the weight of each link as a relevant one and among
 * all, how rare terms are (the logarithm of all pages, and of those with each term), and two rows of sums, which are
 * added to. Returns how long the words of each link are as a vector (float64). */
static PyObject *learn_words(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 7)
        return refused("learn_words takes terms, counts, two weights, a number, logarithms and sums");
    Buffers all = {.count = 0};
    float pages = (float)PyFloat_AsDouble(args[4]);
    const int64_t *terms = buffer(&all, args[0], -1, 0);
    const int64_t *counts = terms ? buffer(&all, args[1], -1, 0) : NULL;
    Py_ssize_t left = terms ? LENGTH(all, 0, int64_t) : 0, many = counts ? LENGTH(all, 1, int64_t) : 0;
    const double *good = counts ? buffer(&all, args[2], many * (Py_ssize_t)sizeof(double), 0) : NULL;
    const double *every = good ? buffer(&all, args[3], many * (Py_ssize_t)sizeof(double), 0) : NULL;
    const float *logs = every ? buffer(&all, args[5], SLOTS * (Py_ssize_t)sizeof(float), 0) : NULL;
    float *sums = logs ? buffer(&all, args[6], 2 * SLOTS * (Py_ssize_t)sizeof(float), 1) : NULL;
    PyObject *found = NULL;
    if (!sums || PyErr_Occurred())
        goto end;
    for (Py_ssize_t at = 0; at < left; at++) {
        if (terms[at] < 0 || terms[at] >= SLOTS) {
            refused("there is no such term");
            goto end;
        }
    }
    found = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(double));
    for (Py_ssize_t at = 0; found && at < many; terms += counts[at++]) {
        if (counts[at] < 0 || counts[at] > left) {
            refused("there are not so many terms");
            Py_CLEAR(found);
            goto end;
        }
        left -= counts[at];
        double square = 0.0;
        for (int64_t nth = 0; nth < counts[at]; nth++) {
            float value = pages - logs[terms[nth]];
            square += (double)(value * value);
        }
        double size = sqrt(square);
        memcpy(PyBytes_AS_STRING(found) + at * (Py_ssize_t)sizeof size, &size, sizeof size);
        float length = (float)(size > 1e-9 ? size : 1e-9), share = (float)every[at], relevance = (float)good[at];
        for (int64_t nth = 0; nth < counts[at]; nth++) {
            float value = (pages - logs[terms[nth]]) / length;
            if (every[at] != 0.0)
                sums[SLOTS + terms[nth]] += share * value;
            if (good[at] > 0.0)
                sums[terms[nth]] += relevance * value;
        }
    }
end:
    buffers_free(&all);
    return found;
}

/* Write terms into rows: the row of each link (-1 for none), terms, how many each link has, how wide a row is, the rows
 * (uint16), how many terms each holds (uint8), their squared length (float32), and the square of each term. */
static PyObject *write_words(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 8)
        return refused("write_words takes rows, terms, counts, a width, bags, held, lengths and squares");
    Buffers all = {.count = 0};
    Py_ssize_t wide = PyLong_AsSsize_t(args[3]);
    const int64_t *rows = buffer(&all, args[0], -1, 0), *counts = NULL, *terms = NULL;
    Py_ssize_t many = rows ? LENGTH(all, 0, int64_t) : 0, left = 0, room = 0;
    if (rows && (terms = buffer(&all, args[1], -1, 0)))
        left = LENGTH(all, 1, int64_t);
    if (terms)
        counts = buffer(&all, args[2], many * (Py_ssize_t)sizeof(int64_t), 0);
    uint8_t *held = counts ? buffer(&all, args[5], -1, 1) : NULL;
    if (held)
        room = all.held[3].len;
    uint16_t *bags = NULL;
    if (held && wide > 0 && wide < 256)
        bags = buffer(&all, args[4], room * wide * (Py_ssize_t)sizeof(uint16_t), 1);
    else if (held && !PyErr_Occurred())
        refused("a row has room for 1 to 255 terms");
    float *lengths = bags ? buffer(&all, args[6], room * (Py_ssize_t)sizeof(float), 1) : NULL;
    const float *squares = lengths ? buffer(&all, args[7], left * (Py_ssize_t)sizeof(float), 0) : NULL;
    int done = 0;
    if (!squares || PyErr_Occurred())
        goto end;
    for (Py_ssize_t at = 0; at < many; at++) {
        if (counts[at] < 0 || counts[at] > left || rows[at] >= room) {
            refused("there is no such row, or there are not so many terms");
            goto end;
        }
        left -= counts[at];
        for (int64_t nth = 0; rows[at] >= 0 && nth < counts[at] && held[rows[at]] < wide; nth++) {
            bags[rows[at] * wide + held[rows[at]]++] = (uint16_t)terms[nth];
            lengths[rows[at]] += squares[nth];
        }
        terms += counts[at];
        squares += counts[at];
    }
    done = 1;
end:
    buffers_free(&all);
    return done ? Py_NewRef(Py_None) : NULL;
}

/* What terms tell (float32 for each number of a term), summed up over those of some rows (int64; -1 for none), as
 * float32: of bags so many terms wide, and how many each holds. */
static PyObject *sums_of_words(PyObject *module, PyObject *const *args, Py_ssize_t given)
{
    (void)module;
    if (given != 5)
        return refused("sums_of_words takes what terms tell, rows, a width, bags and held");
    Buffers all = {.count = 0};
    Py_ssize_t wide = PyLong_AsSsize_t(args[2]);
    const float *tell = buffer(&all, args[0], SLOTS * (Py_ssize_t)sizeof(float), 0);
    const int64_t *rows = tell ? buffer(&all, args[1], -1, 0) : NULL;
    const uint8_t *held = rows ? buffer(&all, args[4], -1, 0) : NULL;
    Py_ssize_t many = rows ? LENGTH(all, 1, int64_t) : 0, room = held ? all.held[2].len : 0;
    const uint16_t *bags = NULL;
    PyObject *found = NULL;
    if (held && wide > 0 && wide < 256)
        bags = buffer(&all, args[3], room * wide * (Py_ssize_t)sizeof(uint16_t), 0);
    else if (held && !PyErr_Occurred())
        refused("a row has room for 1 to 255 terms");
    if (!bags || PyErr_Occurred() || !(found = PyBytes_FromStringAndSize(NULL, many * (Py_ssize_t)sizeof(float))))
        goto end;
    float *to = (float *)PyBytes_AS_STRING(found);
    for (Py_ssize_t at = 0; at < many; at++) {
        if (rows[at] >= room || (rows[at] >= 0 && held[rows[at]] > wide)) {
            refused("there is no such row");
            Py_CLEAR(found);
            goto end;
        }
        double total = 0.0;
        for (int nth = 0; rows[at] >= 0 && nth < held[rows[at]]; nth++)
            total += (double)tell[bags[rows[at] * wide + nth]];
        to[at] = (float)total;
    }
end:
    buffers_free(&all);
    return found;
}
