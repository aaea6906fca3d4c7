"""The machine's sound cards, their ALSA names, and the line of a board file that selects a card.

The kernel's name identifies a card, such as `Headphones`, `vc4hdmi0` or `Device`. The number of a
card depends on the order in which the cards were plugged in.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final, NamedTuple

ALSA_FOLDER: Final = Path("/proc/asound")
"""Folder in which the kernel lists its sound cards."""

_CARD: Final = re.compile(r"^ *([0-9]+) \[(\S+) *\]: (.*)$", re.MULTILINE)
_SOUND: Final = re.compile(r"^\[sound\][^\n]*\n", re.MULTILINE)
_NEXT: Final = re.compile(r"^\[", re.MULTILINE)
_DEVICE: Final = re.compile(r"^device *=[^\n]*\n", re.MULTILINE)


class SoundCard(NamedTuple):
    """Sound card that can play: its number, its kernel name, and the driver's description."""

    number: int
    name: str
    title: str


def playback_sound_cards(folder: Path | None = None) -> tuple[SoundCard, ...]:
    """Return the sound cards that can play, in the kernel's order.

    Return () if the machine has no ALSA.
    """
    folder = folder or ALSA_FOLDER
    try:
        text = (folder / "cards").read_text("utf-8", "replace")
    except OSError:
        return ()
    cards = (SoundCard(int(number), name, title) for number, name, title in _CARD.findall(text))
    return tuple(card for card in cards if any((folder / f"card{card.number}").glob("pcm*p")))


def find_card_by_kernel_name(device: str, folder: Path | None = None) -> SoundCard | None:
    """Return the sound card whose kernel name is `device`, or None if no card has this name."""
    return next((card for card in playback_sound_cards(folder) if card.name == device), None)


def alsa_name_of_card(device: str, folder: Path | None = None) -> str:
    """Return the ALSA name of the card with the kernel name `device`.

    If no card has this kernel name, return `device` unchanged, because `device` must be an ALSA
    name.
    """
    return (
        device if find_card_by_kernel_name(device, folder) is None else f"sysdefault:CARD={device}"
    )


def board_text_with_sound_card(text: str, device: str) -> str:
    """Return `text`, the text of a board file, changed so that `device` is the sound card.

    If `text` is empty, the result is based on the known board four-buttons.
    """
    line = f'device = "{device}"\n'
    text = text or 'like = "four-buttons"\n'
    text = text if text.endswith("\n") else f"{text}\n"
    begins = _SOUND.search(text)
    if begins is None:
        return f"{text}\n[sound]\n{line}"
    following = _NEXT.search(text, begins.end())
    end = len(text) if following is None else following.start()
    rest = _DEVICE.sub("", text[begins.end() : end])
    return f"{text[: begins.end()]}{line}{rest}{text[end:]}"
