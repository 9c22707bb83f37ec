"""The records of a crawl: counted, read, searched and taken elsewhere."""

from honeyguide.corpus.corpus import Corpus, Hit
from honeyguide.corpus.export import FORMATS, Export, export
from honeyguide.corpus.snippet import Snippet
from honeyguide.store import Selection

__all__ = ["FORMATS", "Corpus", "Export", "Hit", "Selection", "Snippet", "export"]
