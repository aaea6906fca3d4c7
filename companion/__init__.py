"""A companion for the table: referee, dealer, scorekeeper and voice of four board games."""
