"""The web page for phones and televisions, served by a process that is connected to the box."""
