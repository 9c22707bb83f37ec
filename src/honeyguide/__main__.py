"""python -m honeyguide, and the command `honeyguide`."""

from __future__ import annotations

import os
import sys

if __name__ == "__main__" and not sys.flags.safe_path:
    del sys.path[0]  # Python put the working directory first, where the modules are the user's, not ours

__all__ = ["main"]


def main() -> None:
    """Run the command; it is loaded here, so that a Ctrl-C while it loads ends in a word and not in a traceback."""
    # Products of matrices are small here: threads would wait for each other longer than one takes alone. It is said
    # before numpy is loaded, which asks but once.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        from honeyguide.cli import main as run

        run()
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(130)


if __name__ == "__main__":
    main()
