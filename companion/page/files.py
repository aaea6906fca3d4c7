"""Static files of the web page: its scripts and styles, and each game's script and style.

The files contain no secrets, so clients without a seat may also read the files.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

from tornado.web import HTTPError, StaticFileHandler

from companion.catalog import clauses, registry, services
from companion.core.errors import CompanionError
from companion.door.lines import Message
from companion.page.base_handler import PageRequestHandler, SharedHandlerValues
from companion.say.catalogues import SentenceCatalogue
from companion.say.sentences import MissingSentenceError, load_compiled_catalogue

STATIC_FOLDER: Final = Path(__file__).parent / "static"
GAME_FILES: Final = {"script": "page.js", "style": "page.css"}
"""The names of the script and the style with which a game draws its state on the web page.

The page docs/reference/game-package.md describes these files.
"""


def game_page_resources(game: str | None, language: str) -> Message | None:
    """Return the data with which the web page draws a game: file paths, sentences and package.

    game: the name of the game; None if no game is running.

    Return None if `game` is None, or if the game's package is not installed.
    """
    if game is None:
        return None
    try:
        files = {kind: registry.game_file_path(game, name) for kind, name in GAME_FILES.items()}
    except CompanionError:
        return None
    there = {
        kind: f"/games/{game}/{file.name}" if file.is_file() else None
        for kind, file in files.items()
    }
    origin = registry.game_package_version(game)
    ruled = clauses.has_rule_sheet(game) or bool(sentences_of_game_by_kind(game, language, "rule"))
    return {
        **there,
        "words": sentences_of_game_by_kind(game, language),
        "package": origin and str(origin),
        "rules": f"/rules?game={game}" if ruled else None,
    }


def sentences_of_game_by_kind(game: str, language: str, kind: str = "web") -> dict[str, str]:
    """Return the sentences of a game's catalogue whose keys begin with `<game>.<kind>.`.

    The keys in the result lack this prefix. The sentences contain their placeholders.
    """
    begin = f"{game}.{kind}."
    try:
        sentences = SentenceCatalogue(load_compiled_catalogue(language, game)).items()
    except MissingSentenceError:
        return {}
    return {key.removeprefix(begin): text for key, text in sentences if key.startswith(begin)}


class BaseStaticFileHandler(PageRequestHandler, StaticFileHandler):
    """The base class of the request handlers for static files."""

    def initialize(  # type: ignore[override]
        self, house: SharedHandlerValues, path: str = str(STATIC_FOLDER)
    ) -> None:
        """Store the shared values `house`, and the path `path` of the folder with the files."""
        PageRequestHandler.initialize(self, house)
        StaticFileHandler.initialize(self, path)

    async def head(self, path: str) -> None:  # type: ignore[override]
        """Respond to HEAD with the file's headers."""
        await self.get(path, include_body=False)

    async def _find_seat(self) -> None:
        """Do nothing, because static files need no seat."""

    def compute_etag(self) -> str | None:
        """Return the response's entity tag: the hash of the file's content."""
        assert self.absolute_path is not None  # noqa: S101 - the file was found
        return f'"{self.get_content_version(self.absolute_path)}"'

    def set_extra_headers(self, path: str) -> None:
        """Set the header that makes browsers check whether a cached file is still the newest."""
        del path
        self.set_header("Cache-Control", "no-cache")


class PageAndServiceFileHandler(BaseStaticFileHandler):
    """The request handler for static files of the page and of installed services."""

    async def get(  # type: ignore[override]
        self, file: str, *, include_body: bool = True
    ) -> None:
        """Send the static file `file`: a file of an added service, or else of the page.

        Raise HTTPError if neither the services nor the page have this file.
        """
        folders = (folder / "static" for folder in services.SERVICE_FOLDERS.values())
        self.root = str(next((each for each in folders if (each / file).is_file()), STATIC_FOLDER))
        await super().get(file, include_body)


class GameScriptAndStyleHandler(BaseStaticFileHandler):
    """The request handler for the script and the style of a game."""

    async def get(  # type: ignore[override]
        self, game: str, file: str, *, include_body: bool = True
    ) -> None:
        """Send the file `file` of a game.

        Raise HTTPError if the game or the file does not exist.
        """
        try:
            self.root = str(registry.game_file_path(game, file).parent)
        except CompanionError:
            raise HTTPError(404) from None
        await super().get(file, include_body)

    async def head(self, game: str, file: str) -> None:  # type: ignore[override]
        """Respond to HEAD with the headers of a game's file.

        Raise HTTPError if there is no such file.
        """
        await self.get(game, file, include_body=False)
