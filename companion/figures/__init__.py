"""Values computed from recorded games: statistics, replays and exports."""
