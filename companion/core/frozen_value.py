"""The base class of immutable values with named fields, faster to define than a dataclass."""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class FrozenValue:
    """The base class of immutable values. The annotations of a subclass are its fields.

    Two values are equal if their classes and fields are equal.

    The definition of a dataclass takes forty times as long as the definition of a subclass of
    FrozenValue. If the classes in `companion.menus.commands` were dataclasses, the definition of
    these classes would take three times as long as the start of Python.
    """

    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)
        # mypy rejects a plain assignment, because the decorator declares `__match_args__`
        type.__setattr__(cls, "__match_args__", cls._names)

    def __init__(self, *given: Any, **named: Any) -> None:
        """Set the fields, which are passed in order or by name.

        Raise TypeError if a field is unknown, or is missing and has no default.
        """
        names = self._names
        fields = dict(zip(names, given, strict=False)) | named
        for name in names:
            if name not in fields and hasattr(type(self), name):
                fields[name] = getattr(type(self), name)
        if len(given) > len(names) or fields.keys() != {*names}:
            raise TypeError(f"{type(self).__name__} has the fields {names}")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        """Raise AttributeError, because a frozen value never changes."""
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[name] for name in self._names)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._names)
        return f"{type(self).__name__}({fields})"
