"""The old name of `companion.testing`, for one release more."""

from companion.testing import *  # noqa: F403 - all of it
