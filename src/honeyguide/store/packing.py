"""Packing digests, which are written once and read seldom."""

from __future__ import annotations

from backports import zstd

__all__ = ["LEVEL", "pack", "unpack"]

LEVEL = 1

# Kept: to make a compressor costs more than to pack a page with it.
_packer = zstd.ZstdCompressor(level=LEVEL)


def pack(plain: bytes) -> bytes:
    """Bytes, small."""
    return _packer.compress(plain, _packer.FLUSH_FRAME)


def unpack(blob: bytes) -> bytes:
    """The bytes again."""
    return zstd.decompress(blob)
