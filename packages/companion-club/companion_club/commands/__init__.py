"""The command `companion evening`, which the club package adds."""
