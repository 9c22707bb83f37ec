"""python -m honeyguide"""

from honeyguide.cli import main

main()
