"""The web page for phones and televisions, served by a process that is a client of the door."""
