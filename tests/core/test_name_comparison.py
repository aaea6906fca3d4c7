from __future__ import annotations

import pytest

from companion.core.name_comparison import appearance_key, normalise_name

ANN = "Ann"
LIKE = ["Ann ", " Ann", "\uff21nn", "\u0410nn", "\u0391nn", "Ann\u00a0"]
"""Names that look like "Ann": spaces around, fullwidth, Cyrillic and Greek A, no-break space."""


@pytest.mark.parametrize("name", LIKE)
def test_a_name_that_looks_like_another_is_that_one(name: str) -> None:
    assert appearance_key(name) == appearance_key(ANN)


@pytest.mark.parametrize("name", ["Anne", "ann", "\u00c1nn", "\u0418\u0432\u0430\u043d", "Jo Ann"])
def test_a_name_that_looks_otherwise_is_another(name: str) -> None:
    assert appearance_key(name) != appearance_key(ANN)
    assert normalise_name(name) == name
