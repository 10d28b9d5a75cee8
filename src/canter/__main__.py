"""`python -m canter` is `canter`."""

from canter.cli import main

main()
