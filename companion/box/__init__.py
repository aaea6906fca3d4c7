"""The running box: one loop handles events, and updates displays, record and loudspeakers.

It uses all other packages; only `cmd` uses it.
"""
