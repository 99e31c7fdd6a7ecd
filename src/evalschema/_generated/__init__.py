"""Made from schemas/ by `make gen`; do not edit."""
