"""Notes and noises of Baretta's sounds: a whistle, a cockatoo, bongos, a car, playing pieces.

The whistle repeats a motif: two short notes, and a leap to a third note.
"""

from __future__ import annotations

from typing import Final

from sounds.scores import Score, SoundFamily, SoundRank, hit, run_of_notes

_TURN, _VERDICT, _GREAT = SoundRank.TURN, SoundRank.VERDICT, SoundRank.GREAT

_CUES: Final = {
    # Start of the game: bongos, the motif on the whistle, and the cockatoo.
    "begins_baretta": Score(
        _VERDICT,
        1.20,
        (
            *run_of_notes("bongo", "C5 E5 C5 G5", 0.12),
            *run_of_notes("whistle", "E5 E5", 0.16, 0.26, length=0.13),
            hit(0.58, "whistle", "C6", length=0.36),
            hit(0.92, "bird", force=0.8, length=0.32),
        ),
    ),
    "card_turned": Score(
        _TURN,
        0.17,
        (
            hit(0.0, "bongo", 700, 0.9, length=0.1),
            hit(0.06, "flick", force=0.8, first=3600, last=1500, length=0.07),
        ),
    ),
    # A Move card: rising notes on bongos.
    "move_on": Score(_VERDICT, 0.60, run_of_notes("bongo", "A4 C5 E5 G5 C6", 0.085)),
    # A Stay Put card: a marker (playing piece) is tapped three times.
    "stay_put": Score(
        _VERDICT,
        0.62,
        (
            *(hit(0.19 * n, "counter", 1350, 0.5, length=0.12) for n in range(3)),
            *(hit(0.19 * n, "whistle", "G5", 0.5, length=0.12) for n in range(3)),
        ),
    ),
    # A Wounded card: the pitch of the whistle falls, like a cry.
    "wounded": Score(
        _VERDICT,
        0.85,
        (
            hit(0.0, "bongo", force=1.2, pitch=460),
            hit(0.06, "whistle", "C6", length=0.75, to=430),
        ),
    ),
    # A Go To card: a car drives off.
    "go_to": Score(
        _VERDICT,
        0.95,
        (
            hit(0.0, "bongo", 760),
            hit(0.16, "motor", length=0.78),
        ),
    ),
    # An In Trouble card: footsteps, and a scream of the cockatoo.
    "in_trouble": Score(
        _VERDICT,
        1.05,
        (
            *run_of_notes("bongo", "C5 Bb4 A4", 0.17, length=0.16),
            hit(0.54, "bird", length=0.48, low=1500, high=2600, rate=4.2),
        ),
    ),
    # A Hunch: a slow phrase of the whistle, bongos, and the cockatoo.
    "hunch": Score(
        _GREAT,
        2.00,
        (
            *run_of_notes("whistle", "E5 E5", 0.30, length=0.26),
            hit(0.62, "whistle", "C6", length=0.55),
            hit(1.14, "bongo", force=0.5),
            hit(1.24, "bongo", force=0.7, pitch=620),
            hit(1.38, "bird", force=0.9, length=0.58, rate=7),
        ),
    ),
    # A guess, or an Arrest card is turned over: two double knocks on bongos.
    "guess": Score(
        _VERDICT,
        0.75,
        (
            *(hit(t, "bongo", pitch=600, length=0.1) for t in (0.0, 0.1)),
            *(hit(t, "bongo", pitch=820, length=0.1) for t in (0.36, 0.46)),
            *(
                hit(t, "counter", force=0.7, pitch=2700, length=0.05)
                for t in (0.0, 0.1, 0.36, 0.46)
            ),
        ),
    ),
    # A card is placed: a marker (playing piece) is put down.
    "placed": Score(
        _TURN,
        0.26,
        (
            hit(0.0, "counter", 1180),
            hit(0.09, "counter", 1180, 0.6),
            hit(0.15, "counter", 1180, 0.4),
        ),
    ),
    "marker_off": Score(
        _TURN,
        0.26,
        (
            hit(0.0, "counter", pitch=2700),
            hit(0.05, "bird", force=0.5, length=0.18, low=1800, high=5200, rate=5.5),
        ),
    ),
    # A player is out of the game: falling notes.
    "out": Score(
        _VERDICT,
        1.15,
        (
            *run_of_notes("bongo", "C6 A5 G5 E5 D5 C5 A4", 0.085),
            hit(0.66, "whistle", "G5", force=0.9, length=0.5, to=480),
        ),
    ),
    # Arrest: the motif over bongos, with the cockatoo.
    "arrest": Score(
        _GREAT,
        1.30,
        (
            *run_of_notes("whistle", "E5 E5", 0.11, length=0.10),
            hit(0.22, "whistle", "C6", length=0.28),
            *run_of_notes("bongo", "C5 C5 G5 C6 G5 C6 G5 C6", 0.11, 0.0, force=0.8),
            hit(0.55, "bird", force=1.2, length=0.8, rate=12),
        ),
    ),
    "won_baretta": Score(
        SoundRank.VICTORY,
        2.40,
        (
            hit(0.0, "bird", force=1.1, length=0.26, rate=14),
            *run_of_notes("bongo", "C5 E5 C5 G5 C5 E5 C5 G5 C5 C6", 0.14, 0.28, force=0.8),
            *run_of_notes("whistle", "E5 E5", 0.14, 0.28, length=0.12),
            hit(0.56, "whistle", "C6", length=0.3),
            *run_of_notes("whistle", "E5 E5", 0.14, 0.90, length=0.12),
            hit(1.18, "whistle", "C6", length=0.34),
            hit(1.52, "whistle", "E6", length=0.6),
            hit(1.68, "bird", force=1.1, length=0.72, rate=10),
        ),
    ),
}

FAMILY: Final = SoundFamily(_CUES, motif=(0, 8), max_seconds_by_name={"hunch": 2.0})
