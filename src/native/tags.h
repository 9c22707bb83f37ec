/* The tags of a page, its attributes and its character references, as HTML has them. A part of module.c.
 *
 * As `page/tags.py`. Bytes come from strangers: nothing is read past `end`, and every byte is read a few times at most.
 */

enum { /* what a tag means to who skims a page */
    OTHER_TAG, A_TAG, AREA_TAG, HTML_TAG, META_TAG, LINK_TAG, BASE_TAG, TITLE_TAG, SCRIPT_TAG, STYLE_TAG, IFRAME_TAG,
    TEXTAREA_TAG, NOFRAMES_TAG, NOEMBED_TAG, XMP_TAG, PLAINTEXT_TAG, NOSCRIPT_TAG, TEMPLATE_TAG, OBJECT_TAG, SELECT_TAG,
    SVG_TAG, INPUT_TAG, CELL_TAG, BLOCK_TAG
};

#define TAG_SLOTS 256
#define LONGEST_TAG 8

typedef struct {
    uint64_t name; /* up to eight letters in lower case */
    unsigned char kind;
} TagName;

static TagName TAG_NAMES[TAG_SLOTS];

static const struct {
    const char *names;
    unsigned char kind;
} TAG_KINDS[] = {
    {"a", A_TAG}, {"area", AREA_TAG}, {"html", HTML_TAG}, {"meta", META_TAG}, {"link", LINK_TAG}, {"base", BASE_TAG},
    {"title", TITLE_TAG}, {"script", SCRIPT_TAG}, {"style", STYLE_TAG}, {"iframe", IFRAME_TAG},
    {"textarea", TEXTAREA_TAG}, {"noframes", NOFRAMES_TAG}, {"noembed", NOEMBED_TAG}, {"xmp", XMP_TAG},
    {"noscript", NOSCRIPT_TAG}, {"template", TEMPLATE_TAG}, {"object", OBJECT_TAG},
    {"select", SELECT_TAG}, {"svg", SVG_TAG}, {"input", INPUT_TAG},
    {"table caption tbody tfoot thead tr td th", CELL_TAG},
    {"b big body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr i img li menu nobr ol p pre s small "
     "span strong sub sup u ul", BLOCK_TAG},
};

typedef struct {
    const char *begin, *end; /* begin is NULL where there is none */
} Span;

/* As HTML has it: the vertical tab is none. */
static inline int is_blank(char sign)
{
    return sign == ' ' || sign == '\n' || sign == '\t' || sign == '\r' || sign == '\f';
}

static inline int is_letter(char sign)
{
    return (sign >= 'a' && sign <= 'z') || (sign >= 'A' && sign <= 'Z');
}

static inline int is_alnum(char sign)
{
    return is_letter(sign) || (sign >= '0' && sign <= '9');
}

static inline char low_letter(char sign)
{
    return sign >= 'A' && sign <= 'Z' ? (char)(sign + 32) : sign;
}

static uint64_t packed_name(const char *at, const char *end)
{
    uint64_t name = 0;
    for (; at < end; at++)
        name = name << 8 | (unsigned char)low_letter(*at);
    return name;
}

static inline size_t tag_slot(uint64_t name)
{
    return (size_t)((name * 0x9E3779B97F4A7C15u) >> 56) % TAG_SLOTS;
}

static void name_tags(void)
{
    for (size_t nth = 0; nth < sizeof TAG_KINDS / sizeof *TAG_KINDS; nth++) {
        for (const char *at = TAG_KINDS[nth].names; *at;) {
            size_t size = strcspn(at, " ");
            uint64_t name = packed_name(at, at + size);
            size_t slot = tag_slot(name);
            while (TAG_NAMES[slot].name && TAG_NAMES[slot].name != name)
                slot = (slot + 1) % TAG_SLOTS;
            TAG_NAMES[slot] = (TagName){name, TAG_KINDS[nth].kind};
            at += size + (at[size] == ' ');
        }
    }
}

static int is_same(Span said, const char *word)
{
    size_t size = strlen(word);
    if ((size_t)(said.end - said.begin) != size)
        return 0;
    for (size_t at = 0; at < size; at++)
        if (low_letter(said.begin[at]) != word[at])
            return 0;
    return 1;
}

static int tag_kind(const char *at, const char *end)
{
    if (end - at > LONGEST_TAG)
        return is_same((Span){at, end}, "plaintext") ? PLAINTEXT_TAG : OTHER_TAG;
    uint64_t name = packed_name(at, end);
    for (size_t slot = tag_slot(name); TAG_NAMES[slot].name; slot = (slot + 1) % TAG_SLOTS)
        if (TAG_NAMES[slot].name == name)
            return TAG_NAMES[slot].kind;
    return OTHER_TAG;
}

static int holds(Span said, const char *word)
{
    size_t size = strlen(word);
    for (const char *at = said.begin; at && (size_t)(said.end - at) >= size; at++)
        if (is_same((Span){at, at + size}, word))
            return 1;
    return 0;
}

/* Read the attributes of a tag, the wanted ones into `found`; give where it ends, NULL if it never does. */
static const char *read_attributes(const char *at, const char *end, const char *const *wanted, Span *found, int *closed)
{
    for (;;) {
        int slash = 0;
        for (; at < end && (is_blank(*at) || *at == '/'); at++)
            slash = *at == '/';
        if (at == end)
            return NULL;
        if (*at == '>') {
            *closed = slash;
            return at + 1;
        }
        Span name = {at++, NULL}, value;
        while (at < end && !is_blank(*at) && *at != '/' && *at != '>' && *at != '=')
            at++;
        name.end = value.begin = value.end = at;
        while (at < end && is_blank(*at))
            at++;
        if (at < end && *at == '=') {
            do {
                at++;
            } while (at < end && is_blank(*at));
            if (at == end)
                return NULL;
            value.begin = value.end = at;
            if (*at == '"' || *at == '\'') {
                value.begin = at + 1;
                value.end = memchr(at + 1, *at, (size_t)(end - at - 1));
                if (!value.end)
                    return NULL;
                at = value.end + 1;
            } else if (*at != '>') {
                while (at < end && !is_blank(*at) && *at != '>')
                    at++;
                value.end = at;
            }
        }
        for (int nth = 0; wanted && wanted[nth]; nth++)
            if (!found[nth].begin && is_same(name, wanted[nth])) /* the first of its name counts */
                found[nth] = value;
    }
}

/* Where a comment ends whose `<!--` was read. */
static const char *comment_end(const char *begin, const char *end)
{
    for (const char *at = begin; at < end && (at = memchr(at, '>', (size_t)(end - at))); at++) {
        Py_ssize_t size = at - begin;
        if (!size || (size == 1 && *begin == '-') || (size >= 2 && at[-1] == '-' && at[-2] == '-') ||
            (size >= 3 && at[-1] == '!' && at[-2] == '-' && at[-3] == '-'))
            return at + 1;
    }
    return end;
}

/* Whether a name stands here, and ends here. */
static int is_named(const char *at, const char *end, const char *name)
{
    Py_ssize_t size = (Py_ssize_t)strlen(name);
    return end - at > size && is_same((Span){at, at + size}, name) &&
           (is_blank(at[size]) || at[size] == '/' || at[size] == '>');
}

/* Where the text of an element ends that holds no tags: at its end tag, or with the page. */
static const char *raw_end(const char *at, const char *end, const char *name)
{
    for (; at < end && (at = memchr(at, '<', (size_t)(end - at))); at++)
        if (end - at > 1 && at[1] == '/' && is_named(at + 2, end, name))
            return at;
    return end;
}

/* Of a script: one that is written into a comment within it does not end it. */
static const char *script_end(const char *at, const char *end)
{
    int depth = 0; /* 1 within a comment, 2 within a script in it */
    for (; at < end; at++) {
        if (!depth && !(at = memchr(at, '<', (size_t)(end - at))))
            break;
        if (*at == '-' && depth && end - at > 2 && at[1] == '-' && at[2] == '>') {
            depth = 0;
        } else if (*at == '<' && end - at > 1 && at[1] == '/' && is_named(at + 2, end, "script")) {
            if (depth < 2)
                return at;
            depth = 1;
        } else if (*at == '<' && depth == 1 && is_named(at + 1, end, "script")) {
            depth = 2;
        } else if (*at == '<' && !depth && end - at > 3 && !memcmp(at, "<!--", 4)) {
            depth = 1;
            at++; /* its own dashes may end it */
        }
    }
    return end;
}

/* What `&#128;` to `&#159;` stand for. */
static const unsigned short WINDOWS[] = {
    0x20AC, 0x81, 0x201A, 0x192, 0x201E, 0x2026, 0x2020, 0x2021, 0x2C6, 0x2030, 0x160, 0x2039, 0x152, 0x8D, 0x17D, 0x8F,
    0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x2DC, 0x2122, 0x161, 0x203A, 0x153, 0x9D, 0x17E, 0x178,
};

/* The sign a number stands for; -1 for none. */
static long numbered_sign(long number)
{
    if (!number || number > 0x10FFFF || (number >= 0xD800 && number < 0xE000))
        return 0xFFFD;
    if (number >= 0x80 && number < 0xA0)
        return WINDOWS[number - 0x80];
    int odd = number < 9 || number == 0xB || (number > 0xD && number < 0x20) || number == 0x7F;
    return odd || (number >= 0xFDD0 && number <= 0xFDEF) || (number & 0xFFFE) == 0xFFFE ? -1 : number;
}

static int hex_digit(char sign)
{
    char low = low_letter(sign);
    return low >= '0' && low <= '9' ? low - '0' : low >= 'a' && low <= 'f' ? low - 'a' + 10 : 16;
}

/* Read `#38;` or `#x26;`, the `&` before it read: the sign, -1 for none, -2 where it is no reference. */
static long numbered(const char **from, const char *end)
{
    const char *at = *from + 1;
    int base = at < end && low_letter(*at) == 'x' ? 16 : 10;
    const char *first = at += base == 16;
    long number = 0;
    for (int digit; at < end && (digit = hex_digit(*at)) < base; at++)
        number = number > 0x10FFFF ? number : number * base + digit;
    if (at == first)
        return -2;
    *from = at + (at < end && *at == ';');
    return numbered_sign(number);
}
