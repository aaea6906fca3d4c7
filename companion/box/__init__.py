"""The running box: one loop handles events, and updates displays, record and loudspeakers.

The packages `companion.remote` and `companion.cmd` import this package. This package imports
neither of them.
"""
