"""python -m honeyguide"""

import sys

if not sys.flags.safe_path:  # Python put the working directory first, where the modules are the user's, not ours
    del sys.path[0]

from honeyguide.cli import main

main()
