"""The program that makes the pictures and lists for the pages in docs/."""
