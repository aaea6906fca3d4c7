"""The old name of `companion.catalog.chapters`, for one release more."""

from companion.catalog.chapters import *  # noqa: F403 - all of it
