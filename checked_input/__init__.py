"""Read and validate TOML and JSON that people or other programs wrote; report every mistake.

Board files, editions, settings and protocol lines are read with this package. It is outside of
`hardware` and `companion` because both use it. It needs the standard library alone.
"""
