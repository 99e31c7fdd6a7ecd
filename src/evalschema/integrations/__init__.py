"""Beyond one process: rows for tables, and thin adapters to the engines and stores that hold many documents.

`batch` needs nothing but evalschema; every other module needs the packages of the extra that bears its name.
"""
