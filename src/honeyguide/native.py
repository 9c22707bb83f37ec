"""The compiled loops (`src/native`), where they were built: all they do is done by Python code as well, only slower.

They are built when Honeyguide is set up on a machine that has a C compiler. With HONEYGUIDE_PURE=1 in the environment
they are left alone. Whoever has compiled code beside its own asks `native.has_native`, and takes it from `_native`.
"""

from __future__ import annotations

import os

__all__ = ["has_native"]

_VERSION = 8  # as in module.c: what an older source was built into is not used


def _usable() -> bool:
    if os.environ.get("HONEYGUIDE_PURE", "0") not in ("", "0"):
        return False
    try:
        from honeyguide import _native
    except ImportError:
        return False
    return _native.VERSION == _VERSION


has_native = _usable()
