"""Values computed from recorded games: statistics, stories, exports.

Each statistic is a pure function of recorded games.
"""
