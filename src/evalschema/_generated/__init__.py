"""Made by `make gen`; do not edit."""
