"""Tests of the page, with a fake door, a box without display, and browsers."""
