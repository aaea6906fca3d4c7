"""Boxes without a Raspberry Pi: in a terminal, in a web page, or without a screen."""
