"""The computer player, which imagines hidden cards and tries each possible answer.

A computer player receives only the lines that its seat receives in the text protocol, as a phone
does. The secrets of other players are not in these lines.
"""
