"""The instruments: functions that each return the samples of one stroke, at any loudness.

The parameters of an instrument are the parameters of a `Hit`, and a random generator for noise.
Lengths and decays are in seconds. Pitches and corner frequencies are in hertz. A decay is the time
in which a sound falls to 1/e of its amplitude.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache, partial
from typing import TYPE_CHECKING, Final

import numpy as np

from sounds.measure import (
    HIGHEST_HERTZ,
    SAMPLE_RATE,
    Samples,
    Spectrum,
    filter_sound,
    low_pass_response,
)

if TYPE_CHECKING:
    Instrument = Callable[..., Samples]

ATTACK_SECONDS: Final = 0.0015
RELEASE_SECONDS: Final = 0.008
"""Seconds in which a stroke fades out, because an abrupt end would click."""


_BUZZ: Final = partial(low_pass_response, 2200.0)


# --- building blocks ------------------------------------------------------------------------------


def _time(length: float) -> Samples:
    return np.arange(round(length * SAMPLE_RATE)) / SAMPLE_RATE


def _faded(
    sound: Samples, attack: float = ATTACK_SECONDS, release: float = RELEASE_SECONDS
) -> Samples:
    time = np.arange(sound.size) / SAMPLE_RATE
    rise = np.minimum(time / attack, 1.0)
    fall = np.minimum(
        (sound.size / SAMPLE_RATE - time) / min(release, sound.size / SAMPLE_RATE / 3), 1.0
    )
    return np.asarray(sound * np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2)


def _phase(pitch: Samples) -> Samples:
    """Return the phase (radians) at each sample for a changing pitch (Hz at each sample)."""
    return np.asarray(2 * np.pi * np.cumsum(pitch) / SAMPLE_RATE)


def _glide(first: float, last: float, length: float) -> Samples:
    """Return a pitch (Hz at each sample) that glides from `first` to `last`.

    The speed in octaves per second is constant.
    """
    time = _time(length)
    return np.asarray(first * (last / first) ** (time / length))


def _white(length: float, noise: np.random.Generator) -> Samples:
    return noise.random(round(length * SAMPLE_RATE)) * 2 - 1


def _resonance(centre: float, quality: float, hertz: Samples) -> Spectrum:
    ratio = np.maximum(hertz, 1.0) / centre
    return np.asarray(1 / (1 + 1j * quality * (ratio - 1 / ratio)))


@cache
def _band(centre: float, quality: float) -> Callable[[Samples], Spectrum]:
    return partial(_resonance, centre, quality)


def _noise_at(
    centre: float, quality: float, length: float, decay: float, noise: np.random.Generator
) -> Samples:
    sound = filter_sound(_white(length, noise), _band(centre, quality))
    return np.asarray(sound / np.abs(sound).max() * np.exp(-_time(length) / decay))


def _modes(parts: tuple[tuple[float, float, float], ...], length: float) -> Samples:
    """Return the sound of a struck body, which is a sum of decaying tones (modes).

    `parts`: the pitch (Hz), the strength and the decay (s) of each mode.
    """
    time = _time(length)
    rings = [
        strength * np.sin(2 * np.pi * hertz * time) * np.exp(-time / decay)
        for hertz, strength, decay in parts
    ]
    return np.asarray(np.sum(rings, axis=0))


def _saw(pitch: Samples, darkness: float = 1.0) -> Samples:
    """Return a sawtooth wave without harmonics above HIGHEST_HERTZ.

    If `darkness` is 1.0, the harmonics fall by 6 dB an octave.
    """
    phase = _phase(pitch)
    count = max(int(HIGHEST_HERTZ / pitch.max()), 1)
    return np.asarray(sum(np.sin(k * phase) / k**darkness for k in range(1, count + 1)))


def _swept(sound: Samples, centre: Samples, quality: float, frame: int = 1024) -> Samples:
    """Return `sound` filtered by a resonance with the frequency `centre` (Hz at each sample)."""
    hop, window = frame // 4, np.hanning(frame + 1)[:-1]
    padded = np.concatenate((np.zeros(frame), sound, np.zeros(2 * frame)))
    places = np.concatenate((np.full(frame, centre[0]), centre, np.full(2 * frame, centre[-1])))
    out = np.zeros(padded.size)
    hertz: Samples = np.fft.rfftfreq(2 * frame, 1 / SAMPLE_RATE).astype(np.float64)
    for start in range(0, padded.size - 2 * frame, hop):
        part = np.fft.rfft(padded[start : start + frame] * window, 2 * frame)
        part = np.multiply(part, _resonance(float(places[start + frame // 2]), quality, hertz))
        out[start : start + 2 * frame] += np.fft.irfft(part, 2 * frame)
    return out[frame : frame + sound.size] / 2


def _train(clicks: Samples, starts: list[float], length: float, fade: float = 1.0) -> Samples:
    """Return a sound of `length` seconds that repeats the sound `clicks`.

    `starts`: the times (s) at which the repetitions begin. Each repetition is `fade` times as
    strong as the previous repetition.
    """
    out = np.zeros(round(length * SAMPLE_RATE))
    for n, start in enumerate(starts):
        begin = round(start * SAMPLE_RATE)
        part = clicks[: max(out.size - begin, 0)]
        out[begin : begin + part.size] += part * fade**n
    return out


# --- instruments of the box -----------------------------------------------------------------------


def tick(noise: np.random.Generator, pitch: float = 1900.0, length: float = 0.04) -> Samples:
    """Return the sound of a fingernail that taps on wood."""
    body = _modes(((pitch, 1.0, 0.006), (pitch * 1.72, 0.6, 0.003)), length)
    return _faded(body + 0.5 * _noise_at(pitch * 1.6, 1.0, length, 0.002, noise), 0.0005)


def wood(
    noise: np.random.Generator, pitch: float = 900.0, length: float = 0.08, decay: float = 0.011
) -> Samples:
    """Return the sound of a die that falls on wood, or of a block of wood."""
    parts = ((1.0, 1.0, 1.0), (1.61, 0.8, 0.7), (2.72, 0.6, 0.45), (4.3, 0.4, 0.27))
    body = _modes(tuple((pitch * m, s, decay * d) for m, s, d in parts), length)
    return _faded(body + 0.5 * _noise_at(pitch * 3, 0.7, length, decay / 4, noise), 0.0005)


def flick(
    noise: np.random.Generator,
    first: float = 5200.0,
    last: float = 2000.0,
    length: float = 0.07,
    thump: float = 560.0,
) -> Samples:
    """Return the sound of a card that is laid down quickly."""
    size = length + 0.03
    sweep = _swept(_white(size, noise), _glide(first, last, size), 1.6, 512)
    sweep = sweep / np.abs(sweep).max() * np.exp(-_time(size) / (length / 2))
    snap = _noise_at(first, 2.0, size, 0.003, noise)
    return _faded(sweep + 0.7 * snap + 0.3 * _modes(((thump, 1.0, 0.012),), size), 0.001)


def air(
    noise: np.random.Generator,
    first: float = 900.0,
    last: float = 6000.0,
    length: float = 0.25,
    quality: float = 2.5,
    swell: float = 0.6,
) -> Samples:
    """Return the sound of a curtain or a breath: noise that glides from `first` to `last` (Hz).

    The sound is loudest at the fraction `swell` (0 to 1) of its length.
    """
    sound = _swept(_white(length, noise), _glide(first, last, length), quality, 512)
    place = _time(length) / length
    shape = np.where(place < swell, place / swell, (1 - place) / (1 - swell))
    return _faded(sound / np.abs(sound).max() * shape**1.5, 0.004)


def rhodes(
    _: np.random.Generator,
    pitch: float = 784.0,
    length: float = 0.3,
    decay: float = 0.07,
    bright: float = 1.6,
) -> Samples:
    """Return the sound of an electric piano: a phase-modulated sine, and a short metallic ring."""
    time = _time(length)
    wave = 2 * np.pi * pitch * time
    depth = bright * np.exp(-time / (decay * 0.8))
    tone = np.sin(wave + depth * np.sin(wave)) * np.exp(-time / decay)
    tine = 0.3 * bright * np.sin(4.0 * wave + 0.5 * np.sin(3.0 * wave)) * np.exp(-time / 0.03)
    return _faded(tone + tine)


def tape(
    noise: np.random.Generator,
    first: float = 2600.0,
    last: float = 480.0,
    length: float = 0.3,
    hiss: float = 0.35,
    flutter: float = 0.06,
) -> Samples:
    """Return the sound of a tape that is wound: hiss, and a tone that glides and flutters."""
    time = _time(length)
    pitch = _glide(first, last, length) * (1 + flutter * np.sin(2 * np.pi * 31 * time))
    tone = np.sin(_phase(pitch)) + 0.3 * np.sin(2 * _phase(pitch))
    wind = _swept(_white(length, noise), 1.8 * pitch, 1.5, 512)
    return _faded(tone + hiss * 3 * wind / np.abs(wind).max(), 0.01, 0.04)


def buzz(_: np.random.Generator, pitch: float = 523.25, length: float = 0.14) -> Samples:
    """Return the buzz of a locked door: a softened sawtooth wave."""
    count = round(length * SAMPLE_RATE)
    return _faded(filter_sound(_saw(np.full(count, pitch), 0.54), _BUZZ), 0.004, 0.03)


# --- Barney Miller --------------------------------------------------------------------------------


def bass(
    noise: np.random.Generator, pitch: float = 196.0, length: float = 0.2, decay: float = 0.11
) -> Samples:
    """Return the sound of a slapped bass guitar, without low tones.

    A small speaker can play only the upper harmonics.
    """
    time = _time(length)
    count = int(5000 / pitch)
    string = [
        k**-0.35 * np.sin(2 * np.pi * pitch * k * time) * np.exp(-time * (1 + 0.09 * k) / decay)
        for k in range(2, count)
    ]
    pop = _noise_at(2600.0, 1.2, length, 0.008, noise)
    return _faded(np.asarray(np.sum(string, axis=0)) / 4 + 1.2 * pop, 0.001)


def wah(
    noise: np.random.Generator,
    pitch: float = 440.0,
    length: float = 0.4,
    sink: float = 1.0,
    first: float = 500.0,
    last: float = 2400.0,
    quality: float = 4.0,
) -> Samples:
    """Return the sound of a guitar whose wah pedal moves from `first` to `last` (Hz).

    `sink`: the pitch at the end of the sound, as a multiple of the pitch at the beginning.
    """
    string = _saw(_glide(pitch, pitch * sink, length), 0.5)
    string = string + 0.4 * _white(length, noise) * np.exp(-_time(length) / 0.006) * 4
    time = _time(length)
    return _faded(
        _swept(string, _glide(first, last, length), quality) * np.exp(-time / (length * 0.7)), 0.003
    )


def shaker(noise: np.random.Generator, length: float = 0.06, pitch: float = 6500.0) -> Samples:
    """Return the sound of a shaker, which is a tin with seeds."""
    sound = _noise_at(pitch, 1.3, length, length, noise)
    return _faded(sound, length * 0.35, length * 0.5)


def clav(
    _: np.random.Generator, pitch: float = 523.25, length: float = 0.5, decay: float = 0.22
) -> Samples:
    """Return the bright sound of a clavinet together with brass."""
    time = _time(length)
    count = int(9000 / pitch)
    parts = [
        abs(np.sin(np.pi * k * 0.28)) * k**-0.45
        * np.sin(2 * np.pi * pitch * k * time * (1 + 0.0001 * k * k))
        * np.exp(-time * (1 + 0.05 * k) / decay)
        for k in range(1, count + 1)
    ]  # fmt: skip
    return _faded(np.asarray(np.sum(parts, axis=0)), 0.004)


def door(noise: np.random.Generator, length: float = 0.5, ring: float = 0.11) -> Samples:
    """Return the sound of a closing cell door: the door's metal sheet, and the door's bars."""
    bars = _modes(
        ((450, 0.5, ring), (1130, 1.0, ring), (1790, 0.8, ring * 0.8), (2610, 0.6, ring * 0.6)),
        length,
    )
    return _faded(bars + 1.3 * _noise_at(900.0, 0.7, length, 0.035, noise), 0.001)


# --- Kojak ----------------------------------------------------------------------------------------


def brass(
    noise: np.random.Generator,
    pitch: float = 622.25,
    length: float = 0.4,
    fall: float = 1.0,
    tremolo: float = 0.0,
    bright: float = 5.0,
) -> Samples:
    """Return the sound of horns: the louder the horns become, the brighter they sound.

    `fall`: the pitch at the end of the sound, as a multiple of the pitch at the beginning.
    """
    time = _time(length)
    place = time / length
    swell = np.minimum(time / 0.05, 1.0) * (0.65 + 0.35 * place)
    pitch_now = pitch * fall ** (np.maximum(place - 0.4, 0) / 0.6)
    phase = _phase(pitch_now * (1 + 0.004 * np.sin(2 * np.pi * 5.5 * time)))
    count = int(HIGHEST_HERTZ / pitch)
    horns = sum(
        np.exp(-k / (bright * swell + 0.3)) * (np.sin(k * phase) + np.sin(k * 1.004 * phase + k))
        for k in range(1, count + 1)
    )
    shiver = 1 - 0.45 * (tremolo > 0) * (1 + np.sin(2 * np.pi * tremolo * time)) / 2
    spit = 0.2 * _noise_at(3000.0, 1.0, length, 0.02, noise)
    return _faded(np.asarray(horns * shiver) * swell + spit, 0.012, 0.05)


def gong(_: np.random.Generator, length: float = 0.4, rate: float = 22.0) -> Samples:
    """Return the sound of a telephone bell: a hammer strikes two gongs in turn."""
    high = _modes(((1490, 1.0, 0.09), (1490 * 2.74, 0.5, 0.04)), 0.3)
    low = _modes(((1180, 1.0, 0.09), (1180 * 2.71, 0.5, 0.04)), 0.3)
    strokes = [n / rate for n in range(int(length * rate) - 1)]
    rings = _train(low, strokes[::2], length) + _train(high, strokes[1::2], length)
    return _faded(rings, 0.001, 0.06)


def siren(
    _: np.random.Generator,
    length: float = 1.3,
    step: float = 0.165,
    low: float = 690.0,
    high: float = 930.0,
) -> Samples:
    """Return the sound of a two-tone siren: odd harmonics, alternately low and high."""
    time = _time(length)
    pitch = np.where((time // step) % 2 == 0, low, high)
    phase = _phase(pitch)
    return _faded(np.asarray(sum(np.sin(k * phase) / k**0.8 for k in (1, 3, 5, 7))), 0.01, 0.03)


def snare(noise: np.random.Generator, length: float = 0.12, decay: float = 0.045) -> Samples:
    """Return the sound of a snare drum."""
    wires = _noise_at(3200.0, 0.6, length, decay, noise)
    return _faded(wires + 0.5 * _modes(((640, 1.0, 0.03), (1010, 0.7, 0.02)), length), 0.001)


def ratchet(
    noise: np.random.Generator, clicks: float = 7.0, gap: float = 0.03, pitch: float = 2050.0
) -> Samples:
    """Return the sound of handcuffs that close: metal clicks whose pitch rises."""
    length = clicks * gap + 0.05
    out = np.zeros(round(length * SAMPLE_RATE))
    for n in range(int(clicks)):
        hertz = pitch * 1.033**n
        metal = _modes(
            ((hertz, 1.0, 0.009), (hertz * 1.53, 0.7, 0.006), (hertz * 2.4, 0.5, 0.004)), 0.05
        )
        metal = metal + 0.6 * _noise_at(5000.0, 1.0, 0.05, 0.003, noise)
        out += _train(_faded(metal, 0.0005), [n * gap], length)
    return out


def stamp(noise: np.random.Generator, length: float = 0.16) -> Samples:
    """Return the sound of a rubber stamp that hits a desk."""
    blow = _modes(((430, 0.5, 0.05), (820, 1.0, 0.04), (1370, 0.7, 0.025)), length)
    return _faded(blow + 0.8 * _noise_at(1500.0, 0.6, length, 0.03, noise), 0.001)


# --- Baretta --------------------------------------------------------------------------------------


def whistle(
    noise: np.random.Generator,
    pitch: float = 659.26,
    length: float = 0.3,
    start: float = 0.0,
    to: float = 0.0,
) -> Samples:
    """Return the sound of a person who whistles an octave above the given pitches (Hz).

    The sound first glides from `start` to `pitch` in 45 ms. The sound then glides to `to`. If
    `start` is 0, the glide begins slightly below `pitch`. If `to` is 0, there is no second glide.
    """
    time = _time(length)
    first = start or pitch * 0.94
    pitches = pitch + (first - pitch) * np.exp(-time / 0.015)
    pitches = pitches * ((to or pitch) / pitch) ** (np.maximum(time / length - 0.35, 0) / 0.65)
    pitches = 2 * pitches * (1 + 0.006 * np.sin(2 * np.pi * 5.2 * time) * np.minimum(time / 0.2, 1))
    phase = _phase(pitches)
    breath = _swept(_white(length, noise), pitches, 1.5, 512)
    tone = np.sin(phase) + 0.08 * np.sin(2 * phase)
    return _faded(tone + 0.9 * breath / np.abs(breath).max(), 0.02, 0.04)


def bird(
    _: np.random.Generator,
    length: float = 0.4,
    low: float = 2100.0,
    high: float = 4400.0,
    rate: float = 9.0,
) -> Samples:
    """Return the chatter of a cockatoo: chirps with falling pitch and a trill."""
    time = _time(length)
    place = (time * rate) % 1.0
    pitch = high * (low / high) ** place
    phase = _phase(pitch)
    trill = 1.6 * np.sin(2 * np.pi * 90 * time)
    return _faded(np.sin(phase + trill) * np.sin(np.pi * place) ** 1.5, 0.005, 0.02)


def bongo(noise: np.random.Generator, pitch: float = 520.0, length: float = 0.16) -> Samples:
    """Return the sound of a bongo drum that is struck with two fingers."""
    time = _time(length)
    tone = pitch * (1 + 0.25 * np.exp(-time / 0.02))
    skin = np.sin(_phase(tone)) * np.exp(-time / 0.04) + 0.8 * np.sin(2.3 * _phase(tone)) * np.exp(
        -time / 0.025
    )
    slap = _noise_at(2300.0, 0.9, length, 0.007, noise)
    return _faded(np.asarray(skin + 0.9 * slap), 0.001)


def motor(
    noise: np.random.Generator, length: float = 0.6, first: float = 60.0, last: float = 150.0
) -> Samples:
    """Return the sound of a car that drives off: tyres, and a pulse that becomes faster."""
    time = _time(length)
    pitch = _glide(first, last, length)
    pulse = filter_sound(_saw(pitch, 0.1), _band(1100.0, 0.8))
    tyres = _noise_at(2600.0, 3.0, length, length * 0.4, noise)
    return _faded(pulse / np.abs(pulse).max() + 0.5 * tyres * (1 - time / length), 0.02, 0.12)


def counter(noise: np.random.Generator, pitch: float = 1900.0, length: float = 0.09) -> Samples:
    """Return the sound of a plastic playing piece that is placed on a board."""
    body = _modes(
        ((pitch, 1.0, 0.009), (pitch * 1.63, 0.8, 0.006), (pitch * 2.35, 0.5, 0.004)), length
    )
    return _faded(body + 0.4 * _noise_at(4200.0, 1.0, length, 0.004, noise), 0.0005)


# --- Probe ----------------------------------------------------------------------------------------


def key(noise: np.random.Generator, pitch: float = 1750.0, length: float = 0.09) -> Samples:
    """Return the sound of a typewriter's key: a lever, and then a type that hits the roller."""
    lever = 0.5 * _noise_at(4800.0, 1.2, length, 0.004, noise)
    blow = _modes(
        ((pitch, 1.0, 0.008), (pitch * 0.43, 0.5, 0.014), (pitch * 2.1, 0.4, 0.005)), 0.07
    )
    blow = blow + _noise_at(2800.0, 0.8, 0.07, 0.007, noise)
    return _faded(lever + _train(_faded(blow, 0.0005), [0.016], length), 0.0005)


def carriage(
    noise: np.random.Generator, length: float = 0.35, first: float = 1500.0, last: float = 3400.0
) -> Samples:
    """Return the sound of a typewriter's carriage: clicks that become faster, on a rail."""
    starts, at, gap = [], 0.0, 0.026
    while at < length - 0.02:
        starts.append(at)
        at, gap = at + gap, max(gap * 0.95, 0.009)
    teeth = _faded(_noise_at(3000.0, 2.0, 0.02, 0.003, noise), 0.0005)
    rail = _swept(_white(length, noise), _glide(first, last, length), 2.0, 512)
    return _faded(_train(teeth, starts, length) + 0.5 * rail / np.abs(rail).max(), 0.004, 0.03)


def chime(_: np.random.Generator, pitch: float = 1568.0, length: float = 0.6) -> Samples:
    """Return the sound of a typewriter's bell at the end of a line."""
    parts = ((1.0, 1.0, 0.22), (2.0, 0.25, 0.12), (2.76, 0.5, 0.09), (5.4, 0.25, 0.03))
    return _faded(_modes(tuple((pitch * m, s, d) for m, s, d in parts), length), 0.001, 0.05)


def flap(noise: np.random.Generator, length: float = 0.08, pitch: float = 640.0) -> Samples:
    """Return the sound of a letter card that falls flat."""
    body = 0.5 * _modes(((pitch, 1.0, 0.014), (pitch * 2.6, 0.6, 0.008)), length)
    return _faded(body + _noise_at(1800.0, 0.9, length, 0.012, noise), 0.001)


# --- the classic set ------------------------------------------------------------------------------

BELL_DAMPING: Final = 2.6
"""Damping of a bell: the amplitude falls to exp(-BELL_DAMPING) during the bell's sound."""
BELL_PARTIALS: Final = ((1.0, 1.0, 1.0), (2.0, 0.22, 1.8), (3.93, 0.14, 4.5))
"""Partials of a bell: multiple of the bell's pitch, strength, and multiple of BELL_DAMPING."""


def bell(
    _: np.random.Generator, pitch: float = 784.0, length: float = 0.3, to: float = 0.0
) -> Samples:
    """Return the sound of a small wooden bell.

    If `to` is not 0, the bell's pitch glides to `to`.
    """
    time = _time(length)
    last = to or pitch
    phase = 2 * np.pi * np.cumsum(pitch * (last / pitch) ** (time / length)) / SAMPLE_RATE
    decay = BELL_DAMPING / length
    partials = [
        strength * np.sin(multiple * phase) * np.exp(-decay * faster * time)
        for multiple, strength, faster in BELL_PARTIALS
    ]
    rise = np.minimum(time / 0.003, 1.0)
    fall = np.minimum((time[-1] - time) / 0.012, 1.0)
    fades = np.sin(np.pi / 2 * rise) ** 2 * np.sin(np.pi / 2 * fall) ** 2
    return np.asarray(fades * np.sum(partials, axis=0))


INSTRUMENTS: Final[Mapping[str, Instrument]] = {
    play.__name__: play
    for play in (
        tick, wood, flick, air, rhodes, tape, buzz,
        bass, wah, shaker, clav, door,
        brass, gong, siren, snare, ratchet, stamp,
        whistle, bird, bongo, motor, counter,
        key, carriage, chime, flap,
        bell,
    )
}  # fmt: skip
"""Table from the name of an instrument, as in a `Hit`, to the instrument's function."""
