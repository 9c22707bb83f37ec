/* What a page shows and where it leads, read from its tags in one go, without a tree. A part of module.c.
 *
 * As `page/tags.py`.
 */

#define LONGEST_NAME 32

typedef struct {
    char *signs; /* UTF-8 */
    size_t size, room;
} Out;

static int reserve(Out *to, size_t more)
{
    if (to->room - to->size >= more)
        return 0;
    size_t room = to->size + more + to->room / 2 + 256;
    char *signs = PyMem_Realloc(to->signs, room);
    if (!signs) {
        PyErr_NoMemory();
        return -1;
    }
    to->signs = signs;
    to->room = room;
    return 0;
}

/* A space, but no second one, and none in front. */
static inline void put_space(Out *to)
{
    if (to->size && to->signs[to->size - 1] != ' ')
        to->signs[to->size++] = ' ';
}

/* Each sign as it is written: blanks, and what would be taken for one of our marks, as a space. */
static char FOLDED[256];

static void fold_signs(void)
{
    for (int sign = 0; sign < 256; sign++)
        FOLDED[sign] = is_blank((char)sign) || sign == '\v' || sign <= MARKS ? ' ' : (char)sign;
}

static void put_sign(Out *to, Py_UCS4 sign, int folded)
{
    if (sign < 0x80 && folded && FOLDED[sign] == ' ') {
        put_space(to);
        return;
    }
    if (sign < 0x80) {
        to->signs[to->size++] = (char)sign;
        return;
    }
    int more = sign < 0x800 ? 1 : sign < 0x10000 ? 2 : 3;
    static const unsigned char LEAD[] = {0, 0xC0, 0xE0, 0xF0};
    to->signs[to->size++] = (char)(LEAD[more] | sign >> 6 * more);
    while (more--)
        to->signs[to->size++] = (char)(0x80 | (sign >> 6 * more & 0x3F));
}

/* What a name stands for, borrowed; NULL for nothing, with an exception if something went wrong. */
static PyObject *named_signs(PyObject *names, const char *at, Py_ssize_t size)
{
    PyObject *name = PyUnicode_DecodeASCII(at, size, NULL);
    PyObject *found = name ? PyDict_GetItemWithError(names, name) : NULL;
    Py_XDECREF(name);
    return found && PyUnicode_Check(found) && PyUnicode_READY(found) == 0 ? found : NULL;
}

/* Write what a reference stands for whose `&` was read, or else the `&`; give where to go on, NULL with an exception.
 * In an attribute a name without its semicolon counts only if nothing follows that could belong to it. */
static const char *put_reference(Out *to, const char *at, const char *end, PyObject *names, int folded)
{
    if (at < end && *at == '#') {
        long sign = numbered(&at, end);
        if (sign != -2) {
            if (sign >= 0)
                put_sign(to, (Py_UCS4)sign, folded);
            return at;
        }
    }
    Py_ssize_t size = 0;
    PyObject *found = NULL;
    while (size < LONGEST_NAME && at + size < end && is_alnum(at[size]))
        size++;
    if (size > 1 && at + size < end && at[size] == ';') {
        found = named_signs(names, at, size + 1);
        size += found != NULL;
    }
    if (size > 1 && !found && !PyErr_Occurred()) {
        if (folded)
            for (; size > 1 && !(found = named_signs(names, at, size)) && !PyErr_Occurred();)
                size--;
        else if (at + size == end || (!is_alnum(at[size]) && at[size] != '='))
            found = named_signs(names, at, size);
    }
    if (PyErr_Occurred())
        return NULL;
    if (!found) {
        to->signs[to->size++] = '&';
        return at;
    }
    for (Py_ssize_t nth = 0; nth < PyUnicode_GET_LENGTH(found); nth++)
        put_sign(to, PyUnicode_READ_CHAR(found, nth), folded);
    return at + size;
}

/* Write out text of a page; `folded`, each run of blanks as one, and what would be taken for our marks as well. */
static int put_text(Out *to, const char *at, const char *end, PyObject *names, int folded)
{
    if (reserve(to, 2 * (size_t)(end - at) + 16) < 0) /* no reference is shorter than half of what it stands for */
        return -1;
    while (at && at < end) {
        char *out = to->signs + to->size, last = to->size ? out[-1] : ' ';
        for (; at < end && *at != '&'; at++) { /* written at any rate: there is no branch to guess */
            char sign = folded ? FOLDED[(unsigned char)*at] : *at;
            *out = sign;
            out += !(folded & (sign == ' ') & (last == ' '));
            last = sign;
        }
        to->size = (size_t)(out - to->signs);
        if (at < end)
            at = put_reference(to, at + 1, end, names, folded);
    }
    return at ? 0 : -1;
}

static int put_mark(Out *to, char mark)
{
    if (reserve(to, 8) < 0)
        return -1;
    put_space(to);
    memcpy(to->signs + to->size, (char[]){' ', mark, ' ', ' '}, 4);
    to->size += 4;
    return 0;
}

static PyObject *as_text(const Out *from)
{
    return PyUnicode_DecodeUTF8(from->signs ? from->signs : "", (Py_ssize_t)from->size, "replace");
}

static PyObject *text_of(Span from, PyObject *names, int folded)
{
    Out to = {0};
    PyObject *found = put_text(&to, from.begin, from.end, names, folded) < 0 ? NULL : as_text(&to);
    PyMem_Free(to.signs);
    return found;
}

/* The value of an attribute, empty where there is none. */
static PyObject *value_of(Span said, PyObject *names)
{
    Py_ssize_t size = said.begin ? said.end - said.begin : 0;
    if (size && memchr(said.begin, '&', (size_t)size))
        return text_of(said, names, 0);
    return PyUnicode_DecodeUTF8(size ? said.begin : "", size, "replace");
}

/* Whether an attribute says a word, or holds it; -1 with an exception. */
static int says(Span said, const char *word, int whole, PyObject *names)
{
    if (!said.begin || !memchr(said.begin, '&', (size_t)(said.end - said.begin)))
        return said.begin && (whole ? is_same(said, word) : holds(said, word));
    PyObject *value = value_of(said, names);
    Py_ssize_t size;
    const char *begin = value ? PyUnicode_AsUTF8AndSize(value, &size) : NULL;
    Span text = {begin, begin ? begin + size : NULL};
    int found = !begin ? -1 : whole ? is_same(text, word) : holds(text, word);
    Py_XDECREF(value);
    return found;
}

static int append(PyObject *list, PyObject *item)
{
    int done = item ? PyList_Append(list, item) : -1;
    Py_XDECREF(item);
    return done;
}

typedef struct {
    Out out;
    PyObject *names, *telling;              /* what references stand for; names of meta tags that are read */
    PyObject *hrefs, *rels, *titles, *head; /* of the links; and what the page says of itself */
    Py_ssize_t links, most;
    int open;                               /* whether we are within a link */
    int silent, depth;                      /* the kind of element nothing of which is shown, and how deep in it */
} Skimmer;

static const char *const SAID[][5] = {
    [A_TAG] = {"href", "rel", "title", "alt", NULL},     [AREA_TAG] = {"href", "rel", "title", "alt", NULL},
    [HTML_TAG] = {"lang", NULL},                         [META_TAG] = {"name", "property", "content", NULL},
    [LINK_TAG] = {"rel", "href", "type", "title", NULL}, [BASE_TAG] = {"href", NULL},
    [SCRIPT_TAG] = {"type", NULL},
};

static int end_link(Skimmer *self)
{
    if (!self->open)
        return 0;
    self->open = 0;
    return put_mark(&self->out, END_SIGN);
}

static int skim_link(Skimmer *self, int kind, const Span *said)
{
    if (end_link(self) < 0)
        return -1;
    if (!said[0].begin || self->links++ >= self->most)
        return 0;
    Span title = said[2].begin && said[2].begin < said[2].end ? said[2] : said[3];
    if (put_mark(&self->out, LINK_SIGN) < 0 || append(self->hrefs, value_of(said[0], self->names)) < 0 ||
        append(self->rels, value_of(said[1], self->names)) < 0 ||
        append(self->titles, value_of(title, self->names)) < 0)
        return -1;
    self->open = 1;
    return kind == AREA_TAG ? end_link(self) : 0;
}

static int skim_meta(Skimmer *self, const Span *said)
{
    Span called = said[0].begin && said[0].begin < said[0].end ? said[0] : said[1];
    if (!called.begin || called.begin == called.end)
        return 0;
    PyObject *name = value_of(called, self->names);
    if (name)
        Py_SETREF(name, PyObject_CallMethod(name, "lower", NULL));
    int telling = name ? PySequence_Contains(self->telling, name) : -1, done = telling;
    if (telling > 0)
        done = append(self->head, Py_BuildValue("(sON)", "meta", name, value_of(said[2], self->names)));
    Py_XDECREF(name);
    return done < 0 ? -1 : 0;
}

/* A tag that says something of the page. */
static int skim_head(Skimmer *self, int kind, const Span *said)
{
    if (kind == META_TAG)
        return skim_meta(self, said);
    if (kind == HTML_TAG && said[0].begin)
        return append(self->head, Py_BuildValue("(sN)", "html", value_of(said[0], self->names)));
    if (kind == BASE_TAG && said[0].begin)
        return append(self->head, Py_BuildValue("(sN)", "base", value_of(said[0], self->names)));
    int read = kind == LINK_TAG ? says(said[0], "canonical", 0, self->names) : 0;
    if (kind == LINK_TAG && !read && said[2].begin)
        read = says(said[0], "alternate", 0, self->names);
    if (read > 0)
        read = append(self->head, Py_BuildValue("(sNNNN)", "link", value_of(said[0], self->names),
                                                value_of(said[1], self->names), value_of(said[2], self->names),
                                                value_of(said[3], self->names)));
    return read;
}

/* Pass over the text of an element that holds no tags, if this is one, and keep it if it tells; NULL with an error. */
static const char *skim_raw(Skimmer *self, int kind, const Span *said, const char *at, const char *end)
{
    static const char *const RAW[] = {
        [TITLE_TAG] = "title", [STYLE_TAG] = "style", [IFRAME_TAG] = "iframe", [TEXTAREA_TAG] = "textarea",
        [NOFRAMES_TAG] = "noframes", [NOEMBED_TAG] = "noembed", [XMP_TAG] = "xmp", [PLAINTEXT_TAG] = "plaintext"};
    if (kind < TITLE_TAG || kind > PLAINTEXT_TAG)
        return at;
    const char *until = kind == SCRIPT_TAG ? script_end(at, end) : raw_end(at, end, RAW[kind]);
    int done = 0;
    if (!self->silent && kind == TITLE_TAG)
        done = append(self->head, Py_BuildValue("(sN)", "title", text_of((Span){at, until}, self->names, 1)));
    else if (!self->silent && kind == SCRIPT_TAG && (done = says(said[0], "application/ld+json", 1, self->names)) > 0)
        done = append(self->head, Py_BuildValue("(sN)", "script", PyUnicode_DecodeUTF8(at, until - at, "replace")));
    return done < 0 ? NULL : until;
}

/* What a tag does within an element nothing of which is shown; gives whether it is silent, too. */
static int is_silent(Skimmer *self, int kind, int closed)
{
    int drawn = self->silent == SVG_TAG, chosen = self->silent == SELECT_TAG;
    if (chosen && kind == SELECT_TAG) { /* a second one ends the first, and is none itself */
        self->silent = 0;
        return 1;
    }
    if ((drawn && (kind == META_TAG || kind == BLOCK_TAG || kind == CELL_TAG)) ||
        (chosen && (kind == INPUT_TAG || kind == TEXTAREA_TAG || kind == CELL_TAG))) { /* cannot be in there */
        self->silent = 0;
        return 0;
    }
    self->depth += kind == self->silent && !(closed && drawn);
    return 1;
}

static const char *skim_start(Skimmer *self, const char *at, const char *end)
{
    const char *name = at;
    Span said[4] = {{0}};
    int closed = 0;
    while (at < end && !is_blank(*at) && *at != '/' && *at != '>')
        at++;
    int kind = tag_kind(name, at);
    at = read_attributes(at, end, kind <= SCRIPT_TAG ? SAID[kind] : NULL, said, &closed);
    if (!at)
        return end;
    if (self->silent && is_silent(self, kind, closed))
        return self->silent == SVG_TAG ? at : skim_raw(self, kind, said, at, end);
    int done = 0;
    if (kind == A_TAG || kind == AREA_TAG) {
        done = skim_link(self, kind, said);
    } else if (kind >= HTML_TAG && kind <= BASE_TAG) {
        done = skim_head(self, kind, said);
    } else if (kind >= NOSCRIPT_TAG && kind <= SVG_TAG && !(closed && kind == SVG_TAG)) {
        self->silent = kind;
        self->depth = 1;
    }
    return done < 0 ? NULL : skim_raw(self, kind, said, at, end);
}

static const char *skim_end(Skimmer *self, const char *at, const char *end)
{
    const char *name = at;
    int closed;
    while (at < end && !is_blank(*at) && *at != '/' && *at != '>')
        at++;
    int kind = tag_kind(name, at);
    at = read_attributes(at, end, NULL, NULL, &closed);
    if (!at)
        return end;
    if (self->silent) {
        if (kind == self->silent && !--self->depth)
            self->silent = 0;
        return at;
    }
    return kind == A_TAG && end_link(self) < 0 ? NULL : at;
}

/* Read what begins with the `<` that was read; give where to go on, NULL with an exception. */
static const char *skim_tag(Skimmer *self, const char *at, const char *end)
{
    if (reserve(&self->out, 2) < 0)
        return NULL;
    int closing = at < end && *at == '/';
    int named = at + closing < end && is_letter(at[closing]);
    if (!named && !(at < end && (closing || *at == '!' || *at == '?'))) {
        if (!self->silent)
            self->out.signs[self->out.size++] = '<'; /* a sign like any other */
        return at;
    }
    put_space(&self->out);
    if (named)
        return closing ? skim_end(self, at + 1, end) : skim_start(self, at, end);
    if (end - at > 2 && !memcmp(at, "!--", 3))
        return comment_end(at + 3, end);
    const char *last = memchr(at, '>', (size_t)(end - at));
    return last ? last + 1 : end;
}

static PyObject *skim_page(PyObject *module, PyObject *args)
{
    PyObject *body, *found = NULL, *text = NULL;
    Skimmer self = {0};
    (void)module;
    if (!PyArg_ParseTuple(args, "O!O!On", &PyBytes_Type, &body, &PyDict_Type, &self.names, &self.telling, &self.most))
        return NULL;
    const char *at = PyBytes_AS_STRING(body), *end = at + PyBytes_GET_SIZE(body);
    self.hrefs = PyList_New(0);
    self.rels = PyList_New(0);
    self.titles = PyList_New(0);
    self.head = PyList_New(0);
    if (!self.hrefs || !self.rels || !self.titles || !self.head)
        goto end;
    while (at < end) {
        const char *tag = memchr(at, '<', (size_t)(end - at));
        if (!self.silent && put_text(&self.out, at, tag ? tag : end, self.names, 1) < 0)
            goto end;
        at = tag ? skim_tag(&self, tag + 1, end) : end;
        if (!at)
            goto end;
    }
    if (end_link(&self) < 0)
        goto end;
    text = as_text(&self.out);
    if (text)
        found = Py_BuildValue("(NOOOOn)", text, self.hrefs, self.rels, self.titles, self.head, self.links);
end:
    PyMem_Free(self.out.signs);
    Py_XDECREF(self.hrefs);
    Py_XDECREF(self.rels);
    Py_XDECREF(self.titles);
    Py_XDECREF(self.head);
    return found;
}
