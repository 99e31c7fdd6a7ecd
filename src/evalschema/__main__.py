"""`python -m evalschema`."""

from evalschema.cli import main

main()
