"""Read and check TOML and JSON that people or other programs have written.

The checks report every mistake. Board files, editions, settings and protocol lines are read with
this package. The packages `hardware` and `companion` both use it, so it belongs to neither of them.
It imports only the standard library.
"""
