/* The loops of a crawl that run once for every word and every link, compiled.
 *
 * Everything here is done by Python code, too (`text/terms.py`, `text/fingerprint.py`, `text/vectors.py`,
 * `page/blocks.py`, `strategies/likeness.py`), which is what it must agree with and what is used where this was not
 * built. A test compares the two on texts of all kinds (tests/test_native.py). Whatever is rare or intricate (Chinese,
 * odd signs, stems) is left to Python, which is called back with all new words of a text at once.
 *
 * Texts come from strangers: every length is checked, every table bounded or filled by callers that bound it, hashes
 * are seeded, and nothing is read beyond what Python says is there.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define VERSION 4 /* as in native.py: an older build left lying about is not used */

/* -- bytes to entries: the table below words and tokens ----------------------------------------------------------- */

#define SHORT 16 /* bytes of a key that lie in its entry: comparing most keys touches no other memory */

typedef struct {
    PyObject *value; /* of a word; owned */
    int64_t number;  /* of a token */
    uint32_t offset; /* into the bytes of long keys */
    uint32_t size;
    char head[SHORT];
} Entry;

typedef struct {
    uint64_t *slots; /* half a hash, and the number of an entry plus one */
    size_t mask;
    Entry *entries;
    size_t count, room;
    char *bytes;
    size_t used, held;
    uint64_t seed;
} Table;

static inline uint64_t mix(uint64_t a, uint64_t b)
{
#ifdef __SIZEOF_INT128__
    unsigned __int128 product = (unsigned __int128)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
#else
    uint64_t ah = a >> 32, al = (uint32_t)a, bh = b >> 32, bl = (uint32_t)b;
    uint64_t hh = ah * bh, hl = ah * bl, lh = al * bh, ll = al * bl;
    uint64_t cross = (ll >> 32) + (uint32_t)hl + lh;
    uint64_t high = hh + (hl >> 32) + (cross >> 32), low = (cross << 32) | (uint32_t)ll;
    return low ^ high;
#endif
}

static inline uint64_t read64(const char *from)
{
    uint64_t value;
    memcpy(&value, from, 8);
    return value;
}

static inline uint64_t hash_of(const char *key, size_t size, uint64_t seed)
{
    uint64_t hash = mix(seed ^ size, 0x9E3779B97F4A7C15u), last = 0;
    for (; size >= 8; key += 8, size -= 8)
        hash = mix(hash ^ read64(key), 0xC2B2AE3D27D4EB4Fu);
    if (size)
        memcpy(&last, key, size);
    return mix(hash ^ last, 0x165667B19E3779F9u);
}

static void table_clear(Table *table)
{
    for (size_t at = 0; at < table->count; at++)
        Py_CLEAR(table->entries[at].value);
    table->count = table->used = 0;
    if (table->slots)
        memset(table->slots, 0, (table->mask + 1) * sizeof(uint64_t));
}

static void table_free(Table *table)
{
    table_clear(table);
    PyMem_Free(table->slots);
    PyMem_Free(table->entries);
    PyMem_Free(table->bytes);
    memset(table, 0, sizeof(Table));
}

static int table_begin(Table *table, uint64_t seed)
{
    memset(table, 0, sizeof(Table));
    table->seed = seed;
    table->mask = (1 << 12) - 1;
    table->slots = PyMem_Calloc(table->mask + 1, sizeof(uint64_t));
    if (!table->slots) {
        PyErr_NoMemory();
        return -1;
    }
    return 0;
}

/* The number of a key's entry; -1 if it has none. */
static inline Py_ssize_t table_find(const Table *table, const char *key, size_t size, uint64_t hash)
{
    for (size_t at = hash & table->mask;; at = (at + 1) & table->mask) {
        uint64_t slot = table->slots[at];
        if (!slot)
            return -1;
        if ((slot ^ hash) >> 32)
            continue;
        const Entry *entry = &table->entries[(uint32_t)slot - 1];
        const char *own = entry->size <= SHORT ? entry->head : table->bytes + entry->offset;
        if (entry->size == size && memcmp(own, key, size) == 0)
            return (Py_ssize_t)((uint32_t)slot - 1);
    }
}

/* Make an entry for a key that has none; its number, or -1 with an exception. */
static Py_ssize_t table_add(Table *table, const char *key, size_t size, uint64_t hash)
{
    if (table->count >= UINT32_MAX / 4 || table->used + size > UINT32_MAX / 2) {
        PyErr_NoMemory();
        return -1;
    }
    if (2 * (table->count + 1) > table->mask) {
        size_t mask = 2 * table->mask + 1;
        uint64_t *slots = PyMem_Calloc(mask + 1, sizeof(uint64_t));
        if (!slots) {
            PyErr_NoMemory();
            return -1;
        }
        for (size_t at = 0; at < table->count; at++) {
            const Entry *entry = &table->entries[at];
            const char *own = entry->size <= SHORT ? entry->head : table->bytes + entry->offset;
            uint64_t found = hash_of(own, entry->size, table->seed);
            size_t place = found & mask;
            while (slots[place])
                place = (place + 1) & mask;
            slots[place] = (found >> 32 << 32) | (uint32_t)(at + 1);
        }
        PyMem_Free(table->slots);
        table->slots = slots;
        table->mask = mask;
    }
    if (table->count == table->room) {
        size_t room = table->room ? 2 * table->room : 1024;
        Entry *entries = PyMem_Realloc(table->entries, room * sizeof(Entry));
        if (!entries) {
            PyErr_NoMemory();
            return -1;
        }
        table->entries = entries;
        table->room = room;
    }
    if (size > SHORT && table->used + size > table->held) {
        size_t held = 2 * table->held + size + 4096;
        char *bytes = PyMem_Realloc(table->bytes, held);
        if (!bytes) {
            PyErr_NoMemory();
            return -1;
        }
        table->bytes = bytes;
        table->held = held;
    }
    Entry *entry = &table->entries[table->count];
    memset(entry, 0, sizeof(Entry));
    entry->size = (uint32_t)size;
    if (size <= SHORT) {
        memcpy(entry->head, key, size);
    } else {
        entry->offset = (uint32_t)table->used;
        memcpy(table->bytes + table->used, key, size);
        table->used += size;
    }
    size_t place = hash & table->mask;
    while (table->slots[place])
        place = (place + 1) & table->mask;
    table->slots[place] = (hash >> 32 << 32) | (uint32_t)(table->count + 1);
    return (Py_ssize_t)table->count++;
}

/* -- words to terms ------------------------------------------------------------------------------------------------ */

#define LONGEST 160   /* signs of a word that is looked at, as in terms.py */
#define LONG_TERM 40  /* and of one that may be a term */
#define MARKS 4       /* the page cutter's marks, U+0001 to U+0004: the first entries of each table */
#define LINK 0        /* the entry of the mark that begins a link; the next ends it */

enum { APART = 0, LETTER = 1, DIGIT = 2, SIGN = 3, MARK = 4, BEYOND = 5 }; /* kinds of bytes */
static unsigned char KIND[256];

typedef struct {
    PyObject_HEAD
    Table table;
    PyObject *stem;  /* lower-case words of ASCII letters -> their stems */
    PyObject *rough; /* other words -> their terms, with spaces between where there are several */
    PyObject *apart; /* a text with wide signs -> the same with its words set apart */
    PyObject *stop;  /* words that carry nothing, all of plain letters */
    Py_ssize_t keep;
    uint32_t *ids; /* the entries of the words of what is being read */
    size_t count, room;
    int busy;
} Folds;

static int note(Folds *self, Py_ssize_t id)
{
    if (id < 0)
        return -1;
    if (self->count == self->room) {
        size_t room = self->room ? 2 * self->room : 4096;
        uint32_t *ids = PyMem_Realloc(self->ids, room * sizeof(uint32_t));
        if (!ids) {
            PyErr_NoMemory();
            return -1;
        }
        self->ids = ids;
        self->room = room;
    }
    self->ids[self->count++] = (uint32_t)id;
    return 0;
}

static int fill_marks(Folds *self)
{
    for (int at = 0; at < MARKS; at++) {
        char mark = (char)(at + 1);
        Py_ssize_t id = table_add(&self->table, &mark, 1, hash_of(&mark, 1, self->table.seed));
        if (id < 0)
            return -1;
        self->table.entries[id].value = PyUnicode_FromStringAndSize(&mark, 1);
        if (!self->table.entries[id].value)
            return -1;
    }
    /* What carries nothing is known from the beginning. */
    PyObject *each = PyObject_GetIter(self->stop), *word;
    if (!each)
        return -1;
    while ((word = PyIter_Next(each))) {
        Py_ssize_t size;
        const char *key = PyUnicode_AsUTF8AndSize(word, &size);
        Py_ssize_t id = -1;
        if (key) {
            uint64_t hash = hash_of(key, (size_t)size, self->table.seed);
            id = table_find(&self->table, key, (size_t)size, hash);
            if (id < 0) {
                id = table_add(&self->table, key, (size_t)size, hash);
                if (id >= 0)
                    self->table.entries[id].value = Py_NewRef(Py_None);
            }
        }
        Py_DECREF(word);
        if (id < 0)
            break;
    }
    Py_DECREF(each);
    return PyErr_Occurred() ? -1 : 0;
}

static int forget(Folds *self)
{
    table_clear(&self->table);
    self->count = 0;
    return fill_marks(self);
}

/* Whether a word of a text mixes letters and digits, as Python's isalpha, isdigit and isalnum have it together. */
static int is_mixed(const char *word, Py_ssize_t size)
{
    PyObject *text = PyUnicode_DecodeUTF8(word, size, "replace");
    if (!text)
        return -1;
    int alpha = 1, digit = 1, alnum = 1;
    for (Py_ssize_t at = 0; at < PyUnicode_GET_LENGTH(text); at++) {
        Py_UCS4 sign = PyUnicode_READ_CHAR(text, at);
        alpha = alpha && Py_UNICODE_ISALPHA(sign);
        digit = digit && Py_UNICODE_ISDIGIT(sign);
        alnum = alnum && Py_UNICODE_ISALNUM(sign);
    }
    Py_DECREF(text);
    return !alpha && !digit && alnum;
}

/* Note the words of UTF-8 bytes. Words of ASCII go by their lower case, for nothing else is asked of them. */
static int scan(Folds *self, const char *text, Py_ssize_t size, int marked, int no_mixed)
{
    char low[LONGEST];
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    for (;;) {
        while (at < end && (KIND[*at] == APART || (KIND[*at] == MARK && !marked)))
            at++;
        if (at == end)
            return 0;
        const unsigned char *begin = at;
        int wide = 0, letters = 0, digits = 0, signs = 0;
        for (; at < end; at++) {
            int kind = KIND[*at];
            if (kind == APART || (kind == MARK && !marked))
                break;
            letters |= kind == LETTER;
            digits |= kind == DIGIT;
            signs |= kind == SIGN || kind == MARK;
            wide |= kind == BEYOND;
        }
        Py_ssize_t length = at - begin;
        const char *key = (const char *)begin;
        if (!wide) {
            if (length > LONGEST || (no_mixed && letters && digits && !signs))
                continue;
            for (Py_ssize_t nth = 0; nth < length; nth++)
                low[nth] = (char)(begin[nth] | (begin[nth] >= 'A' && begin[nth] <= 'Z' ? 0x20 : 0));
            key = low;
        } else {
            if (length > LONGEST) {
                Py_ssize_t chars = 0;
                for (Py_ssize_t nth = 0; nth < length; nth++)
                    chars += (begin[nth] & 0xC0) != 0x80;
                if (chars > LONGEST)
                    continue;
            }
            if (no_mixed) {
                int mixed = is_mixed(key, length);
                if (mixed < 0)
                    return -1;
                if (mixed)
                    continue;
            }
        }
        uint64_t hash = hash_of(key, (size_t)length, self->table.seed);
        Py_ssize_t id = table_find(&self->table, key, (size_t)length, hash);
        if (id < 0)
            id = table_add(&self->table, key, (size_t)length, hash);
        if (note(self, id) < 0)
            return -1;
    }
}

/* Punctuation past ASCII becomes a space, as do spaces past ASCII, and a curly apostrophe a straight one. */
static Py_ssize_t straighten(const char *from, Py_ssize_t size, char *to)
{
    const unsigned char *in = (const unsigned char *)from;
    Py_ssize_t out = 0;
    for (Py_ssize_t at = 0; at < size;) {
        unsigned char one = in[at], two = at + 1 < size ? in[at + 1] : 0, three = at + 2 < size ? in[at + 2] : 0;
        if (one == 0xE2 && two == 0x80 && three >= 0x80) {
            to[out++] = three == 0x99 ? '\'' : ' ';
            at += 3;
        } else if ((one == 0xE1 && two == 0x9A && three == 0x80) || (one == 0xE2 && two == 0x81 && three == 0x9F) ||
                   (one == 0xE3 && two == 0x80 && three == 0x80)) {
            to[out++] = ' ';
            at += 3;
        } else if (one == 0xC2 && (two == 0x85 || two == 0xA0)) {
            to[out++] = ' ';
            at += 2;
        } else {
            to[out++] = (char)one;
            at++;
        }
    }
    return out;
}

/* Note the words of a text. */
static int read_text(Folds *self, PyObject *text, int marked, int no_mixed)
{
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "a text must be a str");
        return -1;
    }
    if (PyUnicode_READY(text) < 0)
        return -1;
    if (PyUnicode_IS_ASCII(text))
        return scan(self, (const char *)PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text), marked, no_mixed);
    PyObject *utf8 = PyUnicode_AsEncodedString(text, "utf-8", "replace");
    if (!utf8)
        return -1;
    const unsigned char *bytes = (const unsigned char *)PyBytes_AS_STRING(utf8);
    Py_ssize_t size = PyBytes_GET_SIZE(utf8);
    int wide = 0;
    for (Py_ssize_t at = 0; at < size && !wide; at++)
        wide = (bytes[at] >= 0xE3 && bytes[at] <= 0xE9) || bytes[at] == 0xEF;
    if (wide) {
        PyObject *apart = PyObject_CallOneArg(self->apart, text);
        Py_SETREF(utf8, apart && PyUnicode_Check(apart) ? PyUnicode_AsEncodedString(apart, "utf-8", "replace") : NULL);
        Py_XDECREF(apart);
        if (!utf8) {
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_TypeError, "a text set apart must be a str");
            return -1;
        }
        size = PyBytes_GET_SIZE(utf8);
    }
    char *straight = PyMem_Malloc((size_t)size + 1);
    if (!straight) {
        Py_DECREF(utf8);
        PyErr_NoMemory();
        return -1;
    }
    int done = scan(self, straight, straighten(PyBytes_AS_STRING(utf8), size, straight), marked, no_mixed);
    PyMem_Free(straight);
    Py_DECREF(utf8);
    return done;
}

/* The term of a new word of plain ASCII: 0 if it is told here, 1 if its stem is asked for, 2 if it is rough. */
static int classify(const char *word, size_t size)
{
    int digits = 1;
    for (size_t at = 0; at < size; at++) {
        int kind = KIND[(unsigned char)word[at]];
        if (kind != LETTER && kind != DIGIT)
            return 2;
        digits = digits && kind == DIGIT;
    }
    if (size < 2 || size > LONG_TERM || (digits && size != 4))
        return 0;
    return KIND[(unsigned char)word[0]] == LETTER ? 1 : 3;
}

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

static PyMethodDef folds_methods[] = {
    {"terms", (PyCFunction)folds_terms, METH_VARARGS, "The terms of a text; with its marks, if so told."},
    {"outside", (PyCFunction)folds_outside, METH_O, "The terms of a text with marks: all, and those outside links."},
    {"many", (PyCFunction)folds_many, METH_O, "The terms of each of many texts, as tuples."},
    {"located", (PyCFunction)folds_located, METH_O, "Of each of many texts with links its terms, and where links are."},
    {"holding", (PyCFunction)folds_holding, METH_VARARGS, "The places of texts that hold any of some terms."},
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

/* -- words to tokens: a byte-pair code ----------------------------------------------------------------------------- */

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

/* -- fingerprints -------------------------------------------------------------------------------------------------- */

#define MOST_WORDS 1024 /* of a text that is sketched, as in fingerprint.py */
#define MOST_SHINGLES 254
#define BINS 128
#define ANCHORS 6
#define BRIEF 16 /* bytes of a word whose hash is worked out here */

static const unsigned char SECRET[64] = {
    0xb8, 0xfe, 0x6c, 0x39, 0x23, 0xa4, 0x4b, 0xbe, 0x7c, 0x01, 0x81, 0x2c, 0xf7, 0x21, 0xad, 0x1c,
    0xde, 0xd4, 0x6d, 0xe9, 0x83, 0x90, 0x97, 0xdb, 0x72, 0x40, 0xa4, 0xa4, 0xb7, 0xb3, 0x67, 0x1f,
    0xcb, 0x79, 0xe6, 0x4e, 0xcc, 0xc0, 0xe5, 0x78, 0x82, 0x5a, 0xd0, 0x7d, 0xcc, 0xff, 0x72, 0x21,
    0xb8, 0x08, 0x46, 0x74, 0xf7, 0x43, 0x24, 0x8e, 0xe0, 0x35, 0x90, 0xe6, 0x81, 0x3a, 0x26, 0x4c,
};

static inline uint64_t little(const unsigned char *from, int size)
{
    uint64_t value = 0;
    for (int at = size - 1; at >= 0; at--)
        value = value << 8 | from[at];
    return value;
}

static inline uint64_t turned(uint64_t value) /* its bytes in the other order */
{
    value = (value & 0x00FF00FF00FF00FFu) << 8 | (value >> 8 & 0x00FF00FF00FF00FFu);
    value = (value & 0x0000FFFF0000FFFFu) << 16 | (value >> 16 & 0x0000FFFF0000FFFFu);
    return value << 32 | value >> 32;
}

static inline uint64_t rotated(uint64_t value, int by)
{
    return value << by | value >> (64 - by);
}

/* XXH3 of 64 bits (Y. Collet's xxHash) of 1 to 16 bytes, without a seed. */
static uint64_t brief_hash(const unsigned char *key, size_t size)
{
    uint64_t hash;
    if (size > 8) {
        uint64_t low = little(key, 8) ^ little(SECRET + 24, 8) ^ little(SECRET + 32, 8);
        uint64_t high = little(key + size - 8, 8) ^ little(SECRET + 40, 8) ^ little(SECRET + 48, 8);
        hash = size + turned(low) + high + mix(low, high);
        hash = (hash ^ hash >> 37) * 0x165667919E3779F9u;
        return hash ^ hash >> 32;
    }
    if (size >= 4) {
        hash = little(key + size - 4, 4) + (little(key, 4) << 32);
        hash ^= little(SECRET + 8, 8) ^ little(SECRET + 16, 8);
        hash ^= rotated(hash, 49) ^ rotated(hash, 24);
        hash *= 0x9FB21C651E98DF25u;
        hash = (hash ^ ((hash >> 35) + size)) * 0x9FB21C651E98DF25u;
        return hash ^ hash >> 28;
    }
    hash = ((uint64_t)key[0] << 16 | (uint64_t)key[size >> 1] << 24 | key[size - 1] | size << 8) ^
           (little(SECRET, 4) ^ little(SECRET + 4, 4));
    hash = (hash ^ hash >> 33) * 0xC2B2AE3D27D4EB4Fu;
    hash = (hash ^ hash >> 29) * 0x165667B19E3779F9u;
    return hash ^ hash >> 32;
}

static int hash_word(PyObject *word, PyObject *other, uint64_t *hash)
{
    if (!PyUnicode_Check(word) || PyUnicode_READY(word) < 0) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "a word must be a str");
        return -1;
    }
    PyObject *utf8 = NULL, *found = NULL;
    Py_ssize_t size = PyUnicode_GET_LENGTH(word);
    const unsigned char *key = NULL;
    if (PyUnicode_IS_ASCII(word)) {
        key = (const unsigned char *)PyUnicode_1BYTE_DATA(word);
    } else {
        utf8 = PyUnicode_AsUTF8String(word);
        if (!utf8)
            return -1;
        key = (const unsigned char *)PyBytes_AS_STRING(utf8);
        size = PyBytes_GET_SIZE(utf8);
    }
    int done = 0;
    if (size && size <= BRIEF) {
        *hash = brief_hash(key, (size_t)size);
    } else if ((utf8 || (utf8 = PyUnicode_AsUTF8String(word))) && (found = PyObject_CallOneArg(other, utf8))) {
        *hash = PyLong_AsUnsignedLongLong(found);
        Py_DECREF(found);
        done = PyErr_Occurred() ? -1 : 0;
    } else {
        done = -1;
    }
    Py_XDECREF(utf8);
    return done;
}

static PyObject *fingerprints(PyObject *module, PyObject *args)
{
    PyObject *given, *other;
    uint64_t singles[MOST_WORDS], lowest[BINS] = {0}, anchors[ANCHORS];
    unsigned char sketch[4 * ANCHORS + BINS] = {0};
    int ones[64] = {0}, filled[BINS] = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O", &PyList_Type, &given, &other))
        return NULL;
    if (PyList_GET_SIZE(given) < 4)
        return Py_BuildValue("(iy#)", 0, "", (Py_ssize_t)0);
    Py_ssize_t many = 0;
    for (; many < MOST_WORDS && many < PyList_GET_SIZE(given); many++) { /* asked anew: callbacks may change the list */
        PyObject *word = Py_NewRef(PyList_GET_ITEM(given, many));
        int done = hash_word(word, other, &singles[many]);
        Py_DECREF(word);
        if (done < 0)
            return NULL;
    }
    int shingles = (int)many - 2, looked = shingles < MOST_SHINGLES ? shingles : MOST_SHINGLES, held = 0;
    if (shingles < 1) {
        PyErr_SetString(PyExc_ValueError, "the words went away");
        return NULL;
    }
    for (int at = 0; at < shingles; at++) {
        uint64_t one = singles[at] * 0x9E3779B97F4A7C15u + singles[at + 1] * 0xC2B2AE3D27D4EB4Fu + singles[at + 2];
        one = (one ^ one >> 29) * 0x9E3779B97F4A7C15u;
        if (at < looked)
            for (int bit = 0; bit < 64; bit++)
                ones[bit] += (int)(one >> bit & 1);
        one ^= one >> 32;
        int bin = (int)(one >> 57);
        if (!filled[bin] || one < lowest[bin]) {
            filled[bin] = 1;
            lowest[bin] = one;
        }
        if (held < ANCHORS || one < anchors[held - 1]) { /* the smallest, sorted */
            int place = held < ANCHORS ? held++ : ANCHORS - 1;
            for (; place && anchors[place - 1] > one; place--)
                anchors[place] = anchors[place - 1];
            anchors[place] = one;
        }
    }
    uint64_t simhash = 0;
    for (int bit = 0; bit < 64; bit++)
        simhash |= (uint64_t)(ones[bit] > looked / 2) << bit;
    for (int at = 0; at < ANCHORS; at++) {
        uint32_t anchor = (uint32_t)(anchors[at % held] >> 8);
        memcpy(sketch + 4 * at, &anchor, 4);
    }
    for (int bin = 0; bin < BINS; bin++)
        if (filled[bin])
            sketch[4 * ANCHORS + bin] = (unsigned char)lowest[bin] ? (unsigned char)lowest[bin] : 1;
    return Py_BuildValue("(Ky#)", (unsigned long long)turned(simhash), (char *)sketch, (Py_ssize_t)sizeof sketch);
}

/* -- marked texts -------------------------------------------------------------------------------------------------- */

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

/* -- likeness ------------------------------------------------------------------------------------------------------ */

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

/* -- words of letters, and the numbers of words -------------------------------------------------------------------- */

/* The words of a text of ASCII signs, of two letters and more, in lower case. */
static PyObject *letters(PyObject *module, PyObject *text)
{
    (void)module;
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0 || !PyUnicode_IS_ASCII(text)) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "a text must be a str of ASCII signs");
        return NULL;
    }
    const unsigned char *at = PyUnicode_1BYTE_DATA(text), *end = at + PyUnicode_GET_LENGTH(text);
    PyObject *found = PyList_New(0);
    while (found && at < end) {
        const unsigned char *begin = at;
        while (at < end && KIND[*at] == LETTER)
            at++;
        if (at - begin > 1) {
            PyObject *word = PyUnicode_New(at - begin, 127);
            if (word) {
                Py_UCS1 *to = PyUnicode_1BYTE_DATA(word);
                for (; begin < at; begin++)
                    *to++ = *begin | 0x20;
            }
            if (!word || PyList_Append(found, word) < 0)
                Py_CLEAR(found);
            Py_XDECREF(word);
        }
        at++;
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

/* -- bytes of pages ------------------------------------------------------------------------------------------------ */

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

/* -- where links lead ---------------------------------------------------------------------------------------------- */

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

/* -- the module ---------------------------------------------------------------------------------------------------- */

static PyMethodDef functions[] = {
    {"fingerprints", fingerprints, METH_VARARGS, "The simhash and the sketch of words."},
    {"prose", prose, METH_O, "What a marked text says without its menus."},
    {"skim", skim, METH_O, "The text near the links of a marked text, and their anchors."},
    {"cosine", (PyCFunction)(void (*)(void))cosine, METH_FASTCALL, "How like weighted terms a few terms are."},
    {"places_of", (PyCFunction)(void (*)(void))places_of, METH_FASTCALL, "Where terms stand that a dict has."},
    {"letters", letters, METH_O, "The words of letters of a text of ASCII signs, in lower case."},
    {"numbers_of", (PyCFunction)(void (*)(void))numbers_of, METH_FASTCALL, "The numbers a dict has for words."},
    {"firsts", firsts, METH_VARARGS, "Where each of some numbers stands first."},
    {"is_utf8", is_utf8, METH_O, "Whether bytes are valid UTF-8."},
    {"count_tags", count_tags, METH_VARARGS, "How many tags a page has, of fonts, too, and whether one is too wide."},
    {"leads", (PyCFunction)(void (*)(void))leads, METH_FASTCALL, "Where each of some links leads."},
    {NULL, NULL, 0, NULL},
};

static struct PyModuleDef module = {PyModuleDef_HEAD_INIT, "_native", "Compiled loops.", -1, functions,
                                    NULL,                  NULL,      NULL,              NULL};

PyMODINIT_FUNC PyInit__native(void)
{
    for (int at = 0; at < 256; at++) {
        int letter = (at >= 'a' && at <= 'z') || (at >= 'A' && at <= 'Z');
        KIND[at] = (unsigned char)(letter                      ? LETTER
                                   : at >= '0' && at <= '9'    ? DIGIT
                                   : at == '\''                ? SIGN
                                   : at >= 1 && at <= MARKS    ? MARK
                                   : at >= 0x80                ? BEYOND
                                                               : APART);
    }
    for (int at = 0; at < 256; at++)
        PLAIN[at] = KIND[at] == LETTER || KIND[at] == DIGIT || (at && at < 128 && strchr("-_.~+,;=!$&()*", at));
    if (PyType_Ready(&FoldsType) < 0 || PyType_Ready(&PairsType) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made)
        return NULL;
    PyObject *names = Py_BuildValue("[ssssssssssssss]", "VERSION", "Folds", "Pairs", "cosine", "count_tags",
                                    "fingerprints", "firsts", "is_utf8", "leads", "letters", "numbers_of", "places_of", "prose",
                                    "skim");
    if (!names || PyModule_AddObjectRef(made, "__all__", names) < 0) {
        Py_XDECREF(names);
        Py_DECREF(made);
        return NULL;
    }
    Py_DECREF(names);
    if (PyModule_AddIntConstant(made, "VERSION", VERSION) < 0 ||
        PyModule_AddObjectRef(made, "Folds", (PyObject *)&FoldsType) < 0 ||
        PyModule_AddObjectRef(made, "Pairs", (PyObject *)&PairsType) < 0) {
        Py_DECREF(made);
        return NULL;
    }
    return made;
}
