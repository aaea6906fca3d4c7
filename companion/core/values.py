"""Frozen values of named fields, made fast: of what there are many kinds."""

from __future__ import annotations

from typing import Any, ClassVar, dataclass_transform


@dataclass_transform(frozen_default=True)
class Value:
    """What equals others of its own class with the same fields; a class's annotations name these.

    `dataclasses` does the same, and takes forty times as long to define a class: for those of
    `companion.menus.commands` that is three times as long as a bare Python takes to start.
    """

    _names: ClassVar[tuple[str, ...]] = ()

    def __init_subclass__(cls) -> None:
        cls._names = tuple(cls.__annotations__)
        type.__setattr__(cls, "__match_args__", cls._names)  # mypy has it by the decorator

    def __init__(self, *given: Any, **named: Any) -> None:
        """Take the fields in their order, or by name. Raises TypeError."""
        names = self._names
        fields = dict(zip(names, given, strict=False)) | named
        for name in names:
            if name not in fields and hasattr(type(self), name):
                fields[name] = getattr(type(self), name)
        if len(given) > len(names) or fields.keys() != {*names}:
            raise TypeError(f"{type(self).__name__} has the fields {names}")
        self.__dict__.update(fields)

    def __setattr__(self, name: str, value: object) -> None:
        """Raises AttributeError: a value does not change."""
        raise AttributeError(f"{name} of a {type(self).__name__} cannot be set")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    def __hash__(self) -> int:
        return hash((type(self), *(self.__dict__[name] for name in self._names)))

    def __repr__(self) -> str:
        fields = ", ".join(f"{name}={self.__dict__[name]!r}" for name in self._names)
        return f"{type(self).__name__}({fields})"
