"""Read and check TOML and JSON that people or other programs have written.

The checks report every mistake. The box reads board files, editions, settings and protocol lines
with this package. The packages `hardware` and `companion` both import `checked_input`. The package
`checked_input` imports only the standard library.
"""
