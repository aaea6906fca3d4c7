"""The running box: one loop handles events, and updates displays, record and loudspeakers.

The package `box` uses all other packages; only the package `cmd` uses `box`.
"""
