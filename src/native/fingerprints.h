/* Fingerprints of texts. A part of module.c. */

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
