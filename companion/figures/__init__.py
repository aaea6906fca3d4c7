"""Values computed from recorded games: statistics, replayed answers and exports.

Each statistic is computed by a pure function of recorded games.
"""
