"""Input from buttons: edges and time move the cursor of a question, or produce one action.

The package `press` is pure and imports only `core`. The package `press` depends on no game, no
sentence and no drawing. An *edge* is the event that a button goes down or up.
"""
