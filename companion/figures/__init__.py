"""What is made of recorded games: figures, stories, files to take along.

Each figure is a pure function of recorded games.
"""
