"""A seat that the box plays: it reads what its player is told, imagines what it cannot see, and
tries its answers on that.

It is given lines of the text protocol and nothing else, so it can know no secret of others.
"""  # noqa: D205 - one sentence
