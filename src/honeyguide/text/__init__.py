"""Plain mathematics of text, with no idea of the web: terms, fingerprints, languages, vectors."""

from honeyguide.text.fingerprint import distance, simhash
from honeyguide.text.terms import Terms, terms, words

__all__ = ["Terms", "distance", "simhash", "terms", "words"]
