"""Measurements of sounds: level, true peak, spectrum, and the difference between two sounds.

The level of a sound is the K-weighted level (dBFS) of its loudest 200 ms, found in steps of 10 ms.
A shorter sound is padded with silence. The level is not in loudness units, because these units are
not defined for sounds shorter than 0.4 s. K-weighting consists of the two filters of ITU-R BS.1770,
computed for `SAMPLE_RATE`.

The flatness of a sound is its spectral flatness between `LOWEST_HERTZ` and `HIGHEST_HERTZ`. The
flatness is the mean over all frames that are at most `HEARD_DECIBELS` softer than the loudest
frame. The flatness is 0 for a tone and 0.56 for white noise.

The feature vector of a sound describes periods of time, whose boundaries are
`PERIOD_BOUNDARIES_SECONDS`. For each period, the vector has the mean and the standard deviation of
each log-mel band (dB). The vector contains rhythm and timbre, but no level.

To compare sounds, the mean of all feature vectors is subtracted from each vector. The distance of
two sounds is 1 minus the correlation of their feature vectors.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from itertools import combinations, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

Samples = NDArray[np.float64]
Spectrum = NDArray[np.complex128]

SAMPLE_RATE: Final = 44_100
BLOCK_SAMPLES: Final = SAMPLE_RATE // 100
WINDOW_BLOCKS: Final = 20
"""Number of blocks of 10 ms over which a level is measured."""
LOWEST_HERTZ: Final = 280.0
HIGHEST_HERTZ: Final = 10_500.0
"""Highest frequency (Hz) of all sounds: the upper limit of their pass band."""
FRAME_SAMPLES: Final = 1024
HOP_SAMPLES: Final = 256
MEL_BAND_COUNT: Final = 40
"""Number of log-mel bands, from `LOWEST_HERTZ` to `HIGHEST_HERTZ`, in a feature vector."""
PERIOD_BOUNDARIES_SECONDS: Final = (0.0, 0.1, 0.2, 0.3, 0.5, 0.8, 1.4, 2.8)
"""Boundaries (s) of the periods in the feature vector of a sound."""
BEGINNING_SECONDS: Final = PERIOD_BOUNDARIES_SECONDS[:4]
"""Boundaries (s) of the periods in the feature vector of the beginning of a sound."""
HEARD_DECIBELS: Final = 30.0
AUDIBLE_DECIBELS: Final = 25.0
"""Audible in a noisy room: a band at most this many decibels softer than the loudest band."""
SILENT_DECIBELS: Final = 50.0
"""Silent: a band more than this many decibels softer than the loudest band."""


def to_decibels(ratio: float) -> float:
    """Return the amplitude ratio `ratio` in decibels. The ratio 1.0 is 0 dB."""
    return float(20 * np.log10(max(ratio, 1e-9)))


# --- filters, as complex responses at the frequencies of a transform ------------------------------


def biquad_response(b: tuple[float, ...], a: tuple[float, ...], hertz: Samples) -> Spectrum:
    """Return the frequency response of a digital filter with the coefficients `b` and `a`."""
    delay = np.exp(-2j * np.pi * hertz / SAMPLE_RATE)
    over = b[0] + b[1] * delay + b[2] * delay**2
    under = a[0] + a[1] * delay + a[2] * delay**2
    return np.asarray(over / under)


def k_weighting_response(hertz: Samples) -> Spectrum:
    """Return the frequency response of the two filters of BS.1770: a shelf and a high-pass."""
    gain, quality, corner = 10 ** (3.999843853973347 / 20), 0.7071752369554196, 1681.974450955533
    k = np.tan(np.pi * corner / SAMPLE_RATE)
    middle = gain**0.4996667741545416
    shelf_b = (
        gain + middle * k / quality + k * k,
        2 * (k * k - gain),
        gain - middle * k / quality + k * k,
    )
    shelf_a = (1 + k / quality + k * k, 2 * (k * k - 1), 1 - k / quality + k * k)
    quality, corner = 0.5003270373238773, 38.13547087602444
    k = np.tan(np.pi * corner / SAMPLE_RATE)
    high_a = (1 + k / quality + k * k, 2 * (k * k - 1), 1 - k / quality + k * k)
    scale = high_a[0]
    high_b = (1.0, -2.0, 1.0)
    return biquad_response(shelf_b, shelf_a, hertz) * biquad_response(
        high_b, tuple(c / scale for c in high_a), hertz
    )


def high_pass_response(corner: float, hertz: Samples) -> Spectrum:
    """Return the frequency response of a second-order Butterworth high-pass filter."""
    ratio = 1j * hertz / corner
    return np.asarray(ratio**2 / (ratio**2 + np.sqrt(2) * ratio + 1))


def low_pass_response(corner: float, hertz: Samples) -> Spectrum:
    """Return the frequency response of a second-order Butterworth low-pass filter."""
    ratio = 1j * hertz / corner
    return np.asarray(1 / (ratio**2 + np.sqrt(2) * ratio + 1))


@cache
def combined_response(size: int, *responses: Callable[[Samples], Spectrum]) -> Spectrum:
    """Return the product of frequency responses for a Fourier transform of `size` samples."""
    hertz: Samples = np.fft.rfftfreq(size, 1 / SAMPLE_RATE).astype(np.float64)
    return np.asarray(np.prod([response(hertz) for response in responses], axis=0))


def filter_sound(sound: Samples, *responses: Callable[[Samples], Spectrum]) -> Samples:
    """Return `sound` after the filters with the frequency responses `responses`.

    The length of the sound stays unchanged.
    """
    size = 2 ** int(sound.size + SAMPLE_RATE // 10).bit_length()
    spectrum = np.multiply(np.fft.rfft(sound, size), combined_response(size, *responses))
    return np.fft.irfft(spectrum, size)[: sound.size]


# --- level ----------------------------------------------------------------------------------------


def loudest_rms_level(sound: Samples) -> float:
    """Return the RMS level (dBFS) of the loudest 200 ms of a sound."""
    blocks = max(-(-sound.size // BLOCK_SAMPLES), WINDOW_BLOCKS)
    padded = np.zeros(blocks * BLOCK_SAMPLES)
    padded[: sound.size] = sound
    energy = (padded.reshape(blocks, BLOCK_SAMPLES) ** 2).sum(axis=1)
    most = np.convolve(energy, np.ones(WINDOW_BLOCKS), "valid").max()
    return to_decibels(float(np.sqrt(most / (WINDOW_BLOCKS * BLOCK_SAMPLES))))


def loudest_k_weighted_level(sound: Samples, *speaker: Callable[[Samples], Spectrum]) -> float:
    """Return the K-weighted level (dBFS) of the loudest 200 ms of a sound.

    `speaker`: the frequency responses of the simulated loudspeaker, or nothing for no loudspeaker.
    """
    padded = np.concatenate((sound, np.zeros(BLOCK_SAMPLES * WINDOW_BLOCKS)))
    return loudest_rms_level(filter_sound(padded, k_weighting_response, *speaker))


def true_peak(sound: Samples) -> float:
    """Return the true peak (dBTP) of a sound, measured at four times the sample rate."""
    spectrum = np.fft.rfft(sound)
    finer = np.fft.irfft(spectrum, 4 * sound.size) * 4
    return to_decibels(float(np.abs(finer).max()))


# --- spectrum -------------------------------------------------------------------------------------


def frame_power_spectra(sound: Samples) -> Samples:
    """Return the power spectrum of each frame of `sound`, one row for each frame.

    A frame has `FRAME_SAMPLES` samples.
    """
    padded = np.concatenate((np.zeros(FRAME_SAMPLES // 2), sound, np.zeros(FRAME_SAMPLES)))
    count = 1 + (padded.size - FRAME_SAMPLES) // HOP_SAMPLES
    places = np.arange(count)[:, None] * HOP_SAMPLES + np.arange(FRAME_SAMPLES)
    return np.asarray(np.abs(np.fft.rfft(padded[places] * np.hanning(FRAME_SAMPLES))) ** 2)


def energy_share_above(sound: Samples, hertz: float) -> float:
    """Return the share of a sound's energy above the frequency `hertz`, from 0 to 1."""
    power = np.abs(np.fft.rfft(sound)) ** 2
    return float(power[np.fft.rfftfreq(sound.size, 1 / SAMPLE_RATE) > hertz].sum() / power.sum())


def mean_spectral_flatness(sound: Samples) -> float:
    """Return the mean spectral flatness of the audible frames of a sound."""
    hertz = np.fft.rfftfreq(FRAME_SAMPLES, 1 / SAMPLE_RATE)
    power = (
        frame_power_spectra(sound)[:, (hertz >= LOWEST_HERTZ) & (hertz <= HIGHEST_HERTZ)] + 1e-20
    )
    energy = power.mean(axis=1)
    flat = np.exp(np.log(power).mean(axis=1)) / energy
    return float(flat[energy > energy.max() * 10 ** (-HEARD_DECIBELS / 10)].mean())


@cache
def speaker_filters(lowest: float, highest: float) -> tuple[Callable[[Samples], Spectrum], ...]:
    """Return the filters that simulate a speaker that plays only `lowest` to `highest` (Hz)."""
    return partial(high_pass_response, lowest), partial(low_pass_response, highest)


def decibels_lost_on_speaker(sound: Samples, lowest: float, highest: float) -> float:
    """Return the number of decibels by which a sound is softer on a small speaker.

    The speaker plays only frequencies from `lowest` to `highest` (Hz).
    """
    return loudest_k_weighted_level(sound) - loudest_k_weighted_level(
        sound, *speaker_filters(lowest, highest)
    )


# --- differences between sounds -------------------------------------------------------------------


def _mel_bands() -> Samples:
    lo, hi = (2595 * np.log10(1 + f / 700) for f in (LOWEST_HERTZ, HIGHEST_HERTZ))
    edges = 700 * (10 ** (np.linspace(lo, hi, MEL_BAND_COUNT + 2) / 2595) - 1)
    hertz = np.fft.rfftfreq(FRAME_SAMPLES, 1 / SAMPLE_RATE)
    rise = (hertz - edges[:-2, None]) / (edges[1:-1, None] - edges[:-2, None])
    fall = (edges[2:, None] - hertz) / (edges[2:, None] - edges[1:-1, None])
    return np.asarray(np.maximum(0, np.minimum(rise, fall)) + 1e-9)


_MEL: Final = _mel_bands()


def sound_feature_vector(
    sound: Samples,
    stretches: tuple[float, ...] = PERIOD_BOUNDARIES_SECONDS,
    floor: float = SILENT_DECIBELS,
) -> Samples:
    """Return the feature vector of a sound (see the docstring of this module).

    `stretches`: the boundaries (s) of the periods. `floor`: softer bands count as a band that is
    `floor` decibels softer than the loudest band.
    """
    bands = 10 * np.log10(frame_power_spectra(sound) @ _MEL.T + 1e-12)
    bands = np.maximum(bands - bands.max(), -floor)
    edges = [round(second * SAMPLE_RATE / HOP_SAMPLES) for second in stretches]
    whole = np.full((edges[-1], MEL_BAND_COUNT), -floor)
    whole[: bands.shape[0]] = bands[: edges[-1]]
    parts = [whole[begin:end] for begin, end in pairwise(edges)]
    return np.concatenate(
        [part.mean(axis=0) for part in parts] + [part.std(axis=0) for part in parts]
    )


def sound_pair_distances(cues: Mapping[str, Samples]) -> dict[tuple[str, str], float]:
    """Return a table from each pair of sound names to the distance of the two sounds.

    The distance is 0 for equal sounds, and about 1 for unrelated sounds.
    """
    rows = np.array([sound_feature_vector(sound) for sound in cues.values()])
    table = np.corrcoef(rows - rows.mean(axis=0))
    pairs = combinations(enumerate(cues), 2)
    return {(first, second): float(1 - table[i, j]) for (i, first), (j, second) in pairs}


def beginning_heard_across_room(sound: Samples, noise: np.random.Generator) -> Samples:
    """Return the beginning of a sound as a listener across a room hears it from a small speaker.

    The simulated speaker plays 350 Hz to 8 kHz. The function also adds three reflections, pink
    noise (-20 dB), and a delay of up to 20 ms.
    """
    heard = np.zeros(round(BEGINNING_SECONDS[-1] * SAMPLE_RATE))
    late = int(noise.integers(round(0.02 * SAMPLE_RATE)))
    part = sound[: heard.size - late]
    heard[late : late + part.size] = part
    heard = filter_sound(heard, *speaker_filters(350.0, 8000.0))
    room = heard.copy()
    for _ in range(3):
        delay = int(noise.integers(round(0.005 * SAMPLE_RATE), round(0.05 * SAMPLE_RATE)))
        room[delay:] += noise.uniform(-0.4, 0.4) * heard[:-delay]
    white = np.fft.rfft(noise.random(room.size) * 2 - 1)
    pink = np.fft.irfft(white / np.sqrt(np.arange(white.size) + 1), room.size)
    return np.asarray(room + pink * 0.1 * np.sqrt((room**2).mean() / (pink**2).mean()))


def measure_sound_recognition(
    cues: Mapping[str, Samples], trials: int
) -> tuple[float, list[tuple[str, str]]]:
    """Return the share of comparisons that recognise a sound by its beginning, and the confusions.

    Each sound is compared `trials` times. Before each comparison, the beginning is degraded (see
    `beginning_heard_across_room`). A sound is recognised if the degraded beginning is more similar
    to the sound's own beginning than to any other beginning. A confusion is a pair of names: an
    unrecognised sound, and the sound with the most similar beginning.
    """
    noise, names = np.random.default_rng(1), list(cues)
    descriptions = np.array(
        [
            sound_feature_vector(sound, BEGINNING_SECONDS, AUDIBLE_DECIBELS)
            for sound in cues.values()
        ]
    )
    common = descriptions.mean(axis=0)
    descriptions = descriptions - common
    descriptions /= np.linalg.norm(descriptions, axis=1)[:, None]
    wrong = []
    for name in names * trials:
        heard = (
            sound_feature_vector(
                beginning_heard_across_room(cues[name], noise), BEGINNING_SECONDS, AUDIBLE_DECIBELS
            )
            - common
        )
        taken = names[int((descriptions @ heard).argmax())]
        if taken != name:
            wrong.append((name, taken))
    return 1 - len(wrong) / (trials * len(names)), wrong
