/* Bytes to entries: the table below words and tokens. A part of module.c. */

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
