"""Finding, loading and describing games, and rules that several games share.

It uses `core`, and knows games by name only. A game is imported when its parts are needed.
"""
