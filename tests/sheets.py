"""Draw contact sheets of the frames of a random game: `python -m tests.sheets FOLDER`.

The program writes a PNG for each game, mode and language, with the first questions and overlays
of each kind. A private question is shown with its curtain and its secret.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import numpy as np
from PIL import Image

from companion.catalog import registry
from companion.core.errors import Refused
from companion.core.game import Secret
from companion.core.prompts import Prompt, Spell, is_answered_by_box
from companion.draw import screens
from companion.draw.face import load_face
from companion.play.session import Session
from companion.play.simulate import random_answer
from companion.press.cursor import NO_SELECTION, Cursor
from companion.press.wheel import wheel_answers_and_symbols
from companion.record.journal import Journal
from companion.say.words import LANGUAGES, Words
from tests.helpers import session_words, setup_for

GAMES_PER_MODE: Final = 2
"""Maximum number of questions or overlays of one kind on a sheet."""
MAX_LOOKS: Final = 300
"""Number of answers after which a sheet shows the standings only once more, at the end."""
SHEET_COLUMNS, FRAME_SCALE, GAP_PIXELS = 6, 2, 8
"""Frames in a row, scale of a frame, and pixels between two frames."""
MODES_BY_GAME: Final[Mapping[str, Sequence[Mapping[str, str]]]] = {
    "barney-miller": ({}, {"deck": "virtual", "posters": "choose", "die": "companion"}),
    "baretta": ({"criminals": "choose", "cutting": "yes"}, {"deck": "own", "dice": "real"}),
    "kojak": ({"cars": "choose"}, {"deck": "own", "die": "real"}),
    "probe": ({"remember": "yes"}, {"words": "secret"}, {"deck": "own"}),
}
"""The options of each sheet that are not defaults."""
PLAYER_NAMES: Final = ("Ada", "Bartholomé", "Emily", "Wojehowicz")


class Sheet:
    """The frames of one game, by language."""

    def __init__(self, session: Session) -> None:
        self.frames: dict[str, list[bytes]] = {language: [] for language in LANGUAGES}
        self._session, self._seen = session, Counter[Any]()
        self._words = {language: session_words(session, language) for language in LANGUAGES}

    def look(self, prompt: Prompt | None, random: Random) -> None:
        """Add the last answer's overlays and a question, unless the sheet has enough of a kind."""
        session, english = self._session, self._words["en"]
        kinds: list[Any] = [
            tuple(map(english.fact_name_with_variant, cues))
            for cues in english.group_facts_by_picture(session.standing.snapshot.cues)
        ]
        new = [n for n, kind in enumerate(kinds) if self._seen[kind] < GAMES_PER_MODE]
        self._seen.update(kinds)
        asks = (
            prompt is not None
            and not is_answered_by_box(prompt)
            and self._seen[prompt.name] < GAMES_PER_MODE
        )
        self._seen.update([prompt.name] if asks and prompt else [])
        at = random.random()
        for language, words in self._words.items():
            moments = words.group_facts_by_picture(session.standing.snapshot.cues)
            face = load_face(words.game)
            for cues in (moments[n] for n in new):
                last = screens.count_animation_pictures(cues, face) - 1
                self.frames[language].append(screens.fact_frame(cues, words, Cursor(), face, last))
            if asks and prompt is not None:
                self.frames[language] += _question(session, prompt, words, at)

    def stands(self) -> None:
        """Add the pages of the standings."""
        snapshot = self._session.standing.snapshot
        for language, words in self._words.items():
            face = load_face(words.game)
            pages = range(face.pages.count(snapshot))
            self.frames[language] += [
                screens.standing_frame(snapshot, words, Cursor(page=page), face) for page in pages
            ]


def _question(session: Session, prompt: Prompt, words: Words, at: float) -> Iterator[bytes]:
    """Yield the frames of a question at a random cursor position, public and private."""
    snapshot, face = session.standing.snapshot, load_face(words.game)
    text = prompt.samples[0][:3] if isinstance(prompt, Spell) else ""
    cursor = Cursor(at=int(at * len(wheel_answers_and_symbols(prompt, text))), text=text)
    if not prompt.private:
        yield screens.question_frame(snapshot, prompt, cursor, words, face)
        return
    who = str(prompt.who)
    yield screens.hand_over_request_frame(
        snapshot, who, prompt, cursor._replace(at=NO_SELECTION), words
    )
    secret = Secret(who, prompt, session.standing.view_with_player_secrets(who))
    yield screens.secret_frame(snapshot, secret, cursor, words, face)


def draw_game(game: str, options: Mapping[str, str], seats: int, seed: int) -> Sheet:
    """Play a random game to its end with a few answers out of turn, and return its sheet."""
    usual = {option.name: option.values[0] for option in registry.find_game(game).options}
    setup = setup_for({**usual, **options}, game=game, players=PLAYER_NAMES[:seats])
    session, random = Session.begin(Journal(None), setup, 0), Random(seed)
    sheet = Sheet(session)
    for n in range(10_000):
        sheet.look(session.standing.pending_prompt, random)
        if n % 60 == 30:
            if n < MAX_LOOKS:
                sheet.stands()
            _say(session, random)
            sheet.look(None, random)
        if session.standing.pending_prompt is None:
            break
        session.answer(random_answer(session.standing.pending_prompt, random), 0)
    sheet.stands()
    return sheet


def _say(session: Session, random: Random) -> None:
    """Give an answer out of turn that does not end the game, if the rules allow one."""
    forms = [form for form in session.standing.out_of_turn_questions if form.name != "stop"]
    if not forms:
        return
    form = random.choice(forms)
    try:
        session.answer(random_answer(form, random), 0, form.name)
    except Refused:
        return


def _image(frames: Sequence[bytes]) -> Image.Image:
    width, height = 128 * FRAME_SCALE + GAP_PIXELS, 64 * FRAME_SCALE + GAP_PIXELS
    sheet = Image.new("L", (SHEET_COLUMNS * width, -(-len(frames) // SHEET_COLUMNS) * height), 90)
    for n, frame in enumerate(frames):
        bits = np.frombuffer(frame, np.uint8).reshape(8, 1, 128)
        pixels = np.unpackbits(bits, axis=1, bitorder="little").reshape(64, 128) * 255
        one = Image.fromarray(pixels).resize(
            (128 * FRAME_SCALE, 64 * FRAME_SCALE), Image.Resampling.NEAREST
        )
        sheet.paste(
            one,
            (
                n % SHEET_COLUMNS * width + GAP_PIXELS // 2,
                n // SHEET_COLUMNS * height + GAP_PIXELS // 2,
            ),
        )
    return sheet


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    for game, modes in MODES_BY_GAME.items():
        for mode, options in enumerate(modes):
            sheet = draw_game(game, options, 2 + 2 * (mode == 0), seed=mode)
            for language, frames in sheet.frames.items():
                _image(frames).save(folder / f"{game}.{mode}.{language}.png")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
