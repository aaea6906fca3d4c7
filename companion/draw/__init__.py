"""Functions that draw frames of 128x64 pixels from a snapshot, a cursor and sentences.

All functions are pure: no state is stored between two frames. The package imports only `core`,
`press`, `catalog` and `say`.
"""
