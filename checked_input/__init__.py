"""Read and check TOML and JSON that people or other programs have written.

The checks report every mistake. The box reads board files, editions, settings and protocol lines
with this package. The packages `hardware` and `companion` both use this package, so `checked_input`
is in neither of them. This package imports only the standard library.
"""
