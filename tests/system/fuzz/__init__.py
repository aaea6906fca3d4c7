"""What is read from outside, given anything at all: it is taken, or refused with a sentence."""
