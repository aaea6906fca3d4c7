"""What the book of docs/ has drawn and listed by the program while it is built."""
