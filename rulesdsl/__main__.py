"""`python -m rulesdsl` is the same as `rulesdsl`."""

from rulesdsl.cli import main

main()
