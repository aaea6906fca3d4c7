"""Input from buttons: button edges and elapsed time move a cursor, or produce one action.

The functions of the package have no side effects. The package depends on no game, no sentence and
no drawing. An *edge* is the event that a button goes down or up.
"""
