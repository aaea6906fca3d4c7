"""The command that the club adds: `companion evening`."""
