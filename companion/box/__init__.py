"""The running box: one loop handles events, and updates displays, record and loudspeakers.

This package imports all other packages. Only the package `companion.cmd` imports this package.
"""
