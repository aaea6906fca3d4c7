"""Measure the sounds: levels by rank, spectra, and how well they can be distinguished."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Final

from sounds.measure import Samples
from sounds.scores import Score
from tests.system.bench.row import MissingTool, Row

HIGH_HERTZ: Final = 2000.0
"""Hertz above which energy counts as high."""


def sets(_: Path) -> Iterator[Row]:
    """Yield the figures of the default set with limits, and of the bells for comparison."""
    try:
        from sounds import compose  # noqa: PLC0415 - numpy is optional
    except ModuleNotFoundError as error:
        raise MissingTool("numpy is missing", "python3-numpy") from error
    for name, packages in (("usual", compose.SOUND_PACKAGES), ("bells", compose.SET_PACKAGES)):
        families = [compose.load_sound_scores_and_folder(package) for package in packages]
        scores = dict(chain.from_iterable(kept.family.cues.items() for kept in families))
        files = {cue: kept.sound_file_path(cue) for kept in families for cue in kept.family.cues}
        cues = {cue: compose.read_wav(file) / compose.FULL_SAMPLE for cue, file in files.items()}
        size = sum(file.stat().st_size for file in files.values()) / 1e6
        rows = [
            *_levels(name, scores, cues),
            *_spectra(cues),
            *_apart(scores, cues),
            Row("  size", f"{size:.2f} MB", "4.5", size <= 4.5),
        ]
        yield from rows if name == "usual" else (row._replace(limit="", met=None) for row in rows)


def _levels(name: str, scores: Mapping[str, Score], cues: Mapping[str, Samples]) -> Iterator[Row]:
    from sounds import measure  # noqa: PLC0415

    for rank in dict.fromkeys(score.rank for score in scores.values()):
        levels = [
            measure.loudest_k_weighted_level(cues[cue]) for cue in cues if scores[cue].rank is rank
        ]
        figure = f"{min(levels):.1f} to {max(levels):.1f} dB ({len(levels)})"
        met = max(abs(level - rank.level_dbfs) for level in levels) <= 1
        yield Row(f"Cues, {name}: K-level, {rank.name.lower()}", figure, f"{rank.level_dbfs}", met)


def _spectra(cues: Mapping[str, Samples]) -> Iterator[Row]:
    from sounds import measure  # noqa: PLC0415

    highs = [measure.energy_share_above(cue, HIGH_HERTZ) for cue in cues.values()]
    many, most = sum(high > 0.1 for high in highs), sum(high > 0.4 for high in highs)
    what = "  over 10 %, 40 % of the energy above 2 kHz"
    yield Row(what, f"{many}, {most}", "30, 8", many >= 30 and most >= 8)
    flat = [measure.mean_spectral_flatness(cue) for cue in cues.values()]
    noisy, some = sum(one > 0.1 for one in flat), sum(0.01 <= one <= 0.1 for one in flat)
    what = "  flatness over 0.1, from 0.01 to 0.1"
    yield Row(what, f"{noisy}, {some}", "10, 20", noisy >= 10 and some >= 20)
    for lowest, highest, limit in ((350.0, 8000.0, 1.5), (700.0, 6000.0, 2.5)):
        worst = max(measure.decibels_lost_on_speaker(cue, lowest, highest) for cue in cues.values())
        what = f"  worst loss through a speaker of {lowest:.0f} to {highest:.0f} Hz"
        yield Row(what, f"{worst:.2f} dB", f"{limit}", worst <= limit)


def _apart(scores: Mapping[str, Score], cues: Mapping[str, Samples]) -> Iterator[Row]:
    from sounds import measure  # noqa: PLC0415

    pairs = measure.sound_pair_distances(cues)
    near = min(pairs.values())
    ranked = [far for (a, b), far in pairs.items() if scores[a].rank is not scores[b].rank]
    across = min(ranked, default=1.0)
    what = "  nearest pair, and nearest across ranks"
    yield Row(what, f"{near:.2f}, {across:.2f}", "0.25, 0.4", near >= 0.25 and across >= 0.4)
    share, _ = measure.measure_sound_recognition(cues, 4)
    yield Row("  known from the first 300 ms, degraded", f"{share:.1%}", "95 %", share >= 0.95)
