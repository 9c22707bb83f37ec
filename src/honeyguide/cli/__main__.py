"""python -m honeyguide.cli"""

from honeyguide.cli.main import main

main()
