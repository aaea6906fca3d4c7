"""Pictures and lists that the program makes for the pages of docs/."""
