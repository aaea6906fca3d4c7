"""Long random evenings of the whole box on fake hardware, with random presses and faults.

`make soak` plays evenings for ten minutes; each has a seed that repeats it.
"""
