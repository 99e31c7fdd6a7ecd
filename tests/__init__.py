"""Tests of evalschema."""
