"""Games that installed Python packages add to the box.

A package registers each game in the entry-point group `companion.games`, with its name and its
module. The module has the layout of a built-in game's folder. A file caches the list of games until
a package is installed or removed.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple, ParamSpec, TypeVar

from companion.catalog import layout
from companion.core.errors import CompanionError, ExcludedGame, TranslatedError
from companion.core.game import API_VERSION, ComputerPlayer, Game

P = ParamSpec("P")
T = TypeVar("T")

ENTRY_POINT_GROUP: Final = "companion.games"
GAME_NAME_PATTERN: Final = re.compile(r"[a-z][a-z0-9]*(-[a-z0-9]+)*")
"""The pattern of a game's name: lower-case letters and digits, separated by single hyphens."""
RESERVED_NAMES: Final = frozenset({"box", "cmd", "companion", "face", "number", "page", "stdio"})
"""Names that no game may have, because the box's own catalogue keys begin with these names."""


class PackagedGame(NamedTuple):
    """A game in an installed package: its name and module, and the package's name and version.

    `exclusion_reason`: the reason why the box excludes the game; None for a playable game.
    """

    name: str
    module: str
    package: str
    version: str
    exclusion_reason: TranslatedError | None = None


def find_packaged_games(
    taken: Collection[str], file: Path | None = None
) -> tuple[PackagedGame, ...]:
    """Return all games in installed packages, sorted by name.

    An excluded game is imported again at each start, because its author may have fixed the fault.

    - `taken`: the names of built-in games; packaged games with these names are excluded.
    - `file`: the file that caches the list of games.
    """
    stamp = _stamp()
    cached = _read(file, stamp)
    games = _installed() if cached is None else cached
    judged = tuple(_judged(game, games, taken, tried=cached is not None) for game in games)
    if judged != cached:
        _write(file, stamp, judged)
    return judged


def packaged_games_without_import(taken: Collection[str]) -> tuple[PackagedGame, ...]:
    """Return all games in installed packages without importing their modules.

    `taken`: the names of built-in games; packaged games with these names are excluded.
    """
    games = _installed()
    return tuple(_judged(game, games, taken, tried=True) for game in games)


def load_packaged_game(packaged: PackagedGame) -> Game[Any]:
    """Import and return a package's game. Raise ExcludedGame if the game is not playable.

    The rules of the returned game raise ExcludedGame instead of their own exceptions.
    """
    try:
        game = import_module(packaged.module).GAME
        layout.import_game_submodule(packaged.module, "face")
    except (Exception, SystemExit) as error:  # catch all: a package's code can raise any exception
        raise _failed(packaged, error) from error
    if (why := _misfit(packaged, game)) is not None:
        raise excluded_game_error(packaged, why)
    return _guarded(packaged, game)


def _guarded(packaged: PackagedGame, game: Game[Any]) -> Game[Any]:
    def guard(rule: Callable[P, T]) -> Callable[P, T]:
        @wraps(rule)
        def guarded(*args: P.args, **kwargs: P.kwargs) -> T:
            try:
                return rule(*args, **kwargs)
            except CompanionError:
                raise
            except Exception as error:
                raise _failed(packaged, error) from error

        return guarded

    def rules(of: Game[Any] | ComputerPlayer[Any]) -> dict[str, Any]:
        return {name: guard(rule) for name, rule in of._asdict().items() if callable(rule)}

    on = {question: guard(rule) for question, rule in game.on.items()}
    computer = game.computer and game.computer._replace(**rules(game.computer))
    return game._replace(**rules(game), on=on, computer=computer)


def _failed(packaged: PackagedGame, error: BaseException) -> ExcludedGame:
    """Return the ExcludedGame error for an exception in a package's code.

    The returned error names the file and the line of the exception.
    """
    root = packaged.module.partition(".")[0]
    message = " ".join(f"{type(error).__name__}: {error}".split())
    place, trace = None, error.__traceback__
    while trace is not None:
        file = Path(trace.tb_frame.f_code.co_filename)
        place = (file.name, trace.tb_lineno) if root in file.parts else place
        trace = trace.tb_next
    if place is None:
        return excluded_game_error(packaged, _why("raised", error=message))
    return excluded_game_error(
        packaged, _why("raised_at", error=message, file=place[0], line=place[1])
    )


def excluded_game_error(packaged: PackagedGame, why: TranslatedError) -> ExcludedGame:
    """Return the exception for a package's game that is not playable for the reason `why`."""
    return ExcludedGame(packaged.name, packaged.package, packaged.version, why)


def _why(reason: str, **facts: object) -> TranslatedError:
    return TranslatedError(f"package.{reason}", **facts)


def _misfit(packaged: PackagedGame, game: object) -> TranslatedError | None:
    """Return the reason why a package's `GAME` is not playable; None for a playable game."""
    if not isinstance(game, Game):
        return _why("no_game", module=packaged.module)
    if game.api != API_VERSION:
        if game.api > API_VERSION:
            return _why("api_newer", api=game.api, ours=API_VERSION)
        return _why("api", api=game.api, ours=API_VERSION, package=packaged.package)
    if game.name != packaged.name:
        return _why("other_name", module=packaged.module, name=repr(game.name))
    return None


def _judged(
    game: PackagedGame, every: Sequence[PackagedGame], taken: Collection[str], *, tried: bool
) -> PackagedGame:
    """Return a packaged game with its `exclusion_reason`, which is None for a playable game.

    - `every`: all packaged games.
    - `taken`: the names of built-in games.
    - `tried`: True if an earlier start has checked `game`. If `game` was playable at the earlier
      start, `game` is not imported again.
    """
    if not GAME_NAME_PATTERN.fullmatch(game.name) or game.name in RESERVED_NAMES:
        return game._replace(exclusion_reason=_why("bad_name"))
    if game.name in taken:
        return game._replace(exclusion_reason=_why("taken"))
    if same := [other.package for other in every if other.name == game.name and other != game]:
        return game._replace(exclusion_reason=_why("twice", package=same[0]))
    if tried and game.exclusion_reason is None:
        return game
    try:
        load_packaged_game(game)
    except ExcludedGame as error:
        return game._replace(exclusion_reason=error.why)
    return game._replace(exclusion_reason=None)


# --- installed packages ---------------------------------------------------------------------------


def _installed() -> tuple[PackagedGame, ...]:
    from importlib.metadata import entry_points  # noqa: PLC0415 - the import takes longer than a frame

    games = []
    for point in entry_points(group=ENTRY_POINT_GROUP):
        assert point.dist is not None  # all installed entry points have a distribution
        package = re.sub(r"[-_.]+", "-", point.dist.name).lower()
        games.append(PackagedGame(point.name, point.module, package, point.dist.version))
    return tuple(sorted(games))


# --- the cache ------------------------------------------------------------------------------------


def _stamp() -> list[Any]:
    folders = []
    for folder in dict.fromkeys(sys.path):
        with suppress(OSError):  # ignore a folder that is missing
            folders.append([folder, Path(folder or ".").stat().st_mtime_ns])
    return [sys.version, API_VERSION, folders]


def _read(file: Path | None, stamp: list[Any]) -> tuple[PackagedGame, ...] | None:
    if file is None or not file.is_file():  # ignore a named pipe, because opening it would block
        return None
    try:
        cached = json.loads(file.read_text("utf-8"))
        return tuple(map(_kept, cached["games"])) if cached["stamp"] == stamp else None
    except (OSError, ValueError, TypeError, LookupError):
        return None


def _kept(row: Sequence[Any]) -> PackagedGame:
    packaged, why = PackagedGame(*row), row[4]
    return (
        packaged
        if why is None
        else packaged._replace(exclusion_reason=_why(why["reason"], **why["facts"]))
    )


def _write(file: Path | None, stamp: list[Any], games: tuple[PackagedGame, ...]) -> None:
    if file is None:
        return
    new = file.with_suffix(".new")
    with suppress(OSError):  # ignore a failed save: the next start searches the packages again
        file.parent.mkdir(parents=True, exist_ok=True)
        new.unlink(missing_ok=True)  # an interrupted start can leave this file behind
        text = json.dumps({"stamp": stamp, "games": games}, default=_plain)
        new.write_text(text, encoding="utf-8")
        new.replace(file)


def _plain(why: TranslatedError) -> dict[str, Any]:
    return {"reason": why.key.removeprefix("package."), "facts": why.fields}
