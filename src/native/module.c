/* The loops of a crawl that run once for every word and every link, compiled.
 *
 * Everything here is done by Python code, too (`text/terms.py`, `text/fingerprint.py`, `text/vectors.py`,
 * `page/blocks.py`, `page/tags.py`, `strategies/likeness.py`, `strategies/guide_*.py`), which is what it must agree with
 * and what is used where this was not built. Tests compare the two on texts of all kinds (tests/test_native*.py).
 * Whatever is rare or intricate (Chinese, odd signs, stems) is left to Python, which is called back with all new words
 * of a text at once.
 *
 * Texts come from strangers: every length is checked, every table bounded or filled by callers that bound it, hashes
 * are seeded, and nothing is read beyond what Python says is there.
 */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define VERSION 8 /* as in native.py: an older build left lying about is not used */

/* Each part builds on those above it. */
#include "table.h"
#include "words.h"
#include "terms.h"
#include "around.h"
#include "pairs.h"
#include "fingerprints.h"
#include "marks.h"
#include "likeness.h"
#include "numbers.h"
#include "bytes.h"
#include "links.h"
#include "guide.h"
#include "addresses.h"
#include "tags.h"
#include "skimming.h"

static PyMethodDef functions[] = {
    {"fingerprints", fingerprints, METH_VARARGS, "The simhash and the sketch of words."},
    {"prose", prose, METH_O, "What a marked text says without its menus."},
    {"skim", skim, METH_O, "The text near the links of a marked text, and their anchors."},
    {"cosine", (PyCFunction)(void (*)(void))cosine, METH_FASTCALL, "How like weighted terms a few terms are."},
    {"places_of", (PyCFunction)(void (*)(void))places_of, METH_FASTCALL, "Where terms stand that a dict has."},
    {"letters", letters, METH_VARARGS, "The words of letters of a text, in lower case."},
    {"numbers_of", (PyCFunction)(void (*)(void))numbers_of, METH_FASTCALL, "The numbers a dict has for words."},
    {"firsts", firsts, METH_VARARGS, "Where each of some numbers stands first."},
    {"nth", nth, METH_O, "The how manieth of its kind each of some numbers is."},
    {"is_utf8", is_utf8, METH_O, "Whether bytes are valid UTF-8."},
    {"count_tags", count_tags, METH_VARARGS, "How many tags a page has, of fonts, too, and whether one is too wide."},
    {"skim_page", skim_page, METH_VARARGS, "What a page shows, its links, and what it says of itself."},
    {"leads", (PyCFunction)(void (*)(void))leads, METH_FASTCALL, "Where each of some links leads."},
    {"hashed", hashed, METH_O, "A number for each of some terms."},
    {"sums_of", (PyCFunction)(void (*)(void))sums_of, METH_FASTCALL, "Sums of rows."},
    {"windows", (PyCFunction)(void (*)(void))windows, METH_FASTCALL, "The terms in and around links."},
    {"learn_words", (PyCFunction)(void (*)(void))learn_words, METH_FASTCALL, "Takes the words around links in."},
    {"write_words", (PyCFunction)(void (*)(void))write_words, METH_FASTCALL, "Writes terms into rows."},
    {"sums_of_words", (PyCFunction)(void (*)(void))sums_of_words, METH_FASTCALL, "What the terms of rows tell."},
    {"kinds_of", kinds_of, METH_O, "The kinds that addresses are of, and how deep they lie."},
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
    crc_begin();
    for (int at = 0; at < 256; at++)
        PLAIN[at] = KIND[at] == LETTER || KIND[at] == DIGIT || (at && at < 128 && strchr("-_.~+,;=!$&()*", at));
    name_tags();
    fold_signs();
    if (PyType_Ready(&FoldsType) < 0 || PyType_Ready(&PairsType) < 0)
        return NULL;
    PyObject *made = PyModule_Create(&module);
    if (!made)
        return NULL;
    PyObject *names = Py_BuildValue("[sssssssssssssssssssssss]", "VERSION", "Folds", "Pairs", "cosine", "count_tags",
                                    "fingerprints", "firsts", "hashed", "is_utf8", "kinds_of", "leads", "learn_words",
                                    "letters", "nth", "numbers_of", "places_of", "prose", "skim", "skim_page",
                                    "sums_of", "sums_of_words", "windows", "write_words");
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
