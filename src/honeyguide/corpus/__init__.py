"""The records of a crawl: counted, read, searched and taken elsewhere."""

from honeyguide.corpus.corpus import Corpus, Hit
from honeyguide.corpus.export import FORMATS, Export, export
from honeyguide.corpus.snippet import Snippet

__all__ = ["FORMATS", "Corpus", "Export", "Hit", "Snippet", "export"]
