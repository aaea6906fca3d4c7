"""What finds, loads and describes games, and what several of them share.

It knows `core`, and the games by their names alone: what is asked of one is imported then.
"""
