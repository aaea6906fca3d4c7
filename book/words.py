"""The words on the drawings of the book, in both languages, and what the theme cannot say."""

from __future__ import annotations

from typing import Final

WORDS: Final = {
    "en": {
        "display": "display {}",
        "up": "UP",
        "down": "DOWN",
        "ok": "OK",
        "back": "BACK",
        "seat": "button of seat {}",
        "seat_one": "SEAT 1",
        "lamp": "lamp of seat {}",
        "knob": "knob {}",
        "amplifier": "amplifier",
        "header": "The Pi’s header from above, with GPIO numbers; place 1 has a red frame",
        "button_goes": "A button goes from its place to any GND.",
        "lamp_goes": "A lamp goes from its place through a resistor of 330 Ω to any GND.",
        "knob_goes": "The knob’s third contact goes to any GND, its push switch beside OK.",
        "front": "Front",
        "base": "Base",
        "long_side": "Long side: cut two",
        "short_side": "Short side: cut two",
        "scale": "50 mm: measure this bar, the print is true to scale if it fits",
        "larger": "window of a 2.42-inch display",
        "speaker": "speaker",
        "thickness": "All parts are {} mm thick.",
        "before": "Hold your own parts against the print before you cut.",
        "cable": "cables",
        "pi": "Raspberry Pi 3, 4, 5",
        "zero": "Zero",
        "card_end": "the card’s end",
        "other_end": "the other end",
        "header_side": "header (GPIO)",
        "plug": "room for the power plug",
    },
    "fr": {
        "display": "écran {}",
        "up": "HAUT",
        "down": "BAS",
        "ok": "OK",
        "back": "RETOUR",
        "seat": "bouton de la place {}",
        "seat_one": "PLACE 1",
        "lamp": "lampe de la place {}",
        "knob": "molette {}",
        "amplifier": "amplificateur",
        "header": "Le connecteur du Pi vu de dessus ; la broche 1 a un cadre rouge",
        "button_goes": "Un bouton relie sa broche à n’importe quelle broche GND.",
        "lamp_goes": "Une lampe relie sa broche à un GND, à travers une résistance de 330 Ω.",
        "knob_goes": "Le troisième contact de la molette va à un GND, son poussoir avec OK.",
        "front": "Façade",
        "base": "Fond",
        "long_side": "Grand côté : à découper deux fois",
        "short_side": "Petit côté : à découper deux fois",
        "scale": "50 mm : mesurez cette barre ; si elle est juste, l’échelle l’est aussi",
        "larger": "fenêtre d’un écran de 2,42 pouces",
        "speaker": "haut-parleur",
        "thickness": "Toutes les pièces ont {} mm d’épaisseur.",
        "before": "Posez vos propres pièces sur l’impression avant de découper.",
        "cable": "câbles",
        "pi": "Raspberry Pi 3, 4, 5",
        "zero": "Zero",
        "card_end": "côté de la carte",
        "other_end": "l’autre bout",
        "header_side": "connecteur (GPIO)",
        "plug": "place pour la prise de courant",
    },
}
"""By language, then by what is named; `{}` stands for a number or a contact."""

LABELS: Final = {
    "fr": {
        "Toggle site navigation sidebar": "Ouvrir ou fermer la navigation",
        "Toggle table of contents sidebar": "Ouvrir ou fermer le plan de la page",
        "Toggle Light / Dark / Auto color theme": "Thème clair, sombre ou automatique",
        "Toggle navigation of": "Ouvrir ou fermer",
    },
}
"""What the theme says to screen readers, and takes from no catalogue; by language."""
