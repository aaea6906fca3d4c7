"""The running box: one loop handles events, and updates displays, record and loudspeakers.

This package uses all other packages. Only the package `companion.cmd` uses this package.
"""
