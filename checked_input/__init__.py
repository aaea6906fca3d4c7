"""What people write by hand, as TOML, with kind words about what is wrong in it; and strict JSON.

Boards, editions and what other programs say are read with it, so it stands beside `hardware` and
`companion` and knows neither; it needs the standard library alone.
"""
