"""`python -m evalschema`."""

from evalschema.entry import main

main()
