"""Displays: the buses, their drivers and the frames that go to them."""
