"""Files that people write by hand, as TOML, and kind words about what is wrong in them.

Boards and editions are read with it, so it stands beside `hardware` and `companion` and knows
neither; it needs the standard library alone.
"""
