/* The words of texts, noted as entries of a table. A part of module.c. */

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

/* Words on their way into the table: so many are looked for at once, and what each look will touch is fetched while
 * others are read. The table is larger than a processor's own memory, so most of the time would go by waiting for it. */
#define AT_ONCE 32
#ifdef __GNUC__
#define FETCH(address) __builtin_prefetch(address)
#else
#define FETCH(address) ((void)(address))
#endif

typedef struct {
    uint64_t hash;
    Py_ssize_t size;
    char key[4 * LONGEST];
} Pending;

static int note_pending(Folds *self, Pending *words, int count)
{
    const Table *table = &self->table;
    for (int at = 0; at < count; at++) {
        uint64_t slot = table->slots[words[at].hash & table->mask];
        if (slot)
            FETCH(&table->entries[(uint32_t)slot - 1]);
    }
    for (int at = 0; at < count; at++) {
        Py_ssize_t id = table_find(table, words[at].key, (size_t)words[at].size, words[at].hash);
        if (id < 0)
            id = table_add(&self->table, words[at].key, (size_t)words[at].size, words[at].hash);
        if (note(self, id) < 0)
            return -1;
        FETCH(table->entries[id].value); /* of which something will be made soon */
    }
    return 0;
}

/* Note the words of UTF-8 bytes. Words of ASCII go by their lower case, for nothing else is asked of them. */
static int scan(Folds *self, const char *text, Py_ssize_t size, int marked, int no_mixed)
{
    Pending words[AT_ONCE];
    int count = 0;
    const unsigned char *at = (const unsigned char *)text, *end = at + size;
    for (;;) {
        while (at < end && (KIND[*at] == APART || (KIND[*at] == MARK && !marked)))
            at++;
        if (at == end)
            return note_pending(self, words, count);
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
        Pending *word = &words[count];
        if (!wide) {
            if (length > LONGEST || (no_mixed && letters && digits && !signs))
                continue;
            for (Py_ssize_t nth = 0; nth < length; nth++)
                word->key[nth] = (char)(begin[nth] | (begin[nth] >= 'A' && begin[nth] <= 'Z' ? 0x20 : 0));
        } else {
            Py_ssize_t chars = 0;
            for (Py_ssize_t nth = 0; nth < length && chars <= LONGEST; nth++)
                chars += (begin[nth] & 0xC0) != 0x80;
            if (chars > LONGEST || length > (Py_ssize_t)sizeof(word->key))
                continue;
            if (no_mixed) {
                int mixed = is_mixed((const char *)begin, length);
                if (mixed < 0)
                    return -1;
                if (mixed)
                    continue;
            }
            memcpy(word->key, begin, (size_t)length);
        }
        word->size = length;
        word->hash = hash_of(word->key, (size_t)length, self->table.seed);
        FETCH(&self->table.slots[word->hash & self->table.mask]);
        if (++count == AT_ONCE) {
            if (note_pending(self, words, count) < 0)
                return -1;
            count = 0;
        }
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
