"""Seating of the players in an evening; all boxes compute the same seats from the same facts."""
