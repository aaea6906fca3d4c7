"""Long evenings, on purpose: the whole box on fakes, a random thumb, and faults at random.

`make soak` plays one evening after another for ten minutes; each has a seed that repeats it.
"""
