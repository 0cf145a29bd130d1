#!/usr/bin/env python3
"""Makes every sound of Lantern Keep out of nothing: python3 make_sounds.py

Writes 16-bit mono WAV files to ../assets/sounds. Needs only Python's standard library, and the same bytes come out each
time: randomness has fixed seeds.

    make_sounds.py             write all sounds
    make_sounds.py NAME ...    write some
    make_sounds.py --check     compare with what is committed, and measure: peak, average, offset, clicks, loop seams
"""

import math
import random
import struct
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent.parent / "assets" / "sounds"
FULL = 32767
TAU = math.tau

# Samples a second: what lives by its treble, and everything else at half the size.
FINE = 44100
SMALL = 22050


# --- Sources ---------------------------------------------------------------------------------------------------------


def silence(seconds, rate):
    return [0.0] * round(seconds * rate)


def noise(seed, seconds, rate):
    """White noise between -1 and 1."""
    source = random.Random(seed)
    return [source.random() * 2 - 1 for _ in range(round(seconds * rate))]


def tone(seconds, rate, pitch, shape=((1, 1.0),)):
    """A tone whose pitch in hertz is a function of seconds; `shape` lists (multiple, gain) of its partials."""
    samples = []
    phase = 0.0
    for index in range(round(seconds * rate)):
        phase += TAU * pitch(index / rate) / rate
        samples.append(sum(gain * math.sin(phase * multiple) for multiple, gain in shape))
    return samples


def glide(start, end, seconds):
    """A pitch that moves from one to the other, evenly to the ear."""
    return lambda t: start * (end / start) ** min(t / seconds, 1.0)


def steady(hertz):
    return lambda _: hertz


def pluck(rate, hertz, seconds, seed, softness=0.45, sustain=0.996):
    """A plucked string: a burst of noise goes round in a loop as long as the wave and loses its treble on the way."""
    period = rate / hertz - 0.5
    length = int(period - 0.1)
    rest = period - length
    tuning = (1 - rest) / (1 + rest)
    source = random.Random(seed)
    string = [source.random() * 2 - 1 for _ in range(length)]
    for _ in range(3):
        # The burst is softened before it starts, as a fingertip does.
        last = string[-1]
        for index, value in enumerate(string):
            last += (value - last) * (1 - softness)
            string[index] = last
    middle = sum(string) / length
    string = [value - middle for value in string]
    samples = []
    place = 0
    previous = tuned_in = tuned_out = 0.0
    for _ in range(round(seconds * rate)):
        value = string[place]
        mixed = (value + previous) * 0.5 * sustain
        previous = value
        tuned_out = tuning * mixed + tuned_in - tuning * tuned_out
        tuned_in = mixed
        string[place] = tuned_out
        place = (place + 1) % length
        samples.append(value)
    return level(shaped(samples, rate, lambda t: ramp(t, 0.002)), 1.0)


def bell(rate, hertz, seconds, brightness=1.0):
    """A small bell: the deep partial rings long, the high ones only at the stroke."""
    partials = ((1.0, 1.0, 1.0), (2.0, 0.25, 1.6), (3.01, 0.22 * brightness, 3.0), (5.43, 0.14 * brightness, 6.0))
    samples = []
    for index in range(round(seconds * rate)):
        t = index / rate
        value = 0.0
        for multiple, gain, hurry in partials:
            if hertz * multiple < rate * 0.45:
                value += gain * math.sin(TAU * hertz * multiple * t) * math.exp(-t * hurry * 4.5 / seconds)
        samples.append(value * ramp(t, 0.003) * ramp(seconds - t, 0.05))
    return samples


# --- Shapes ----------------------------------------------------------------------------------------------------------


def ramp(t, seconds):
    """From 0 to 1, smooth at both ends."""
    x = min(max(t / seconds, 0.0), 1.0)
    return x * x * (3 - 2 * x)


def shaped(samples, rate, envelope):
    """Under an envelope, and let go softly in the last moment, whatever the envelope still has there."""
    total = len(samples) / rate
    last = min(0.04, total / 4)
    return [
        value * envelope(index / rate) * ramp(total - (index + 1) / rate, last) for index, value in enumerate(samples)
    ]


def strike(attack, decay):
    """Up at once, then ever more slowly down to nothing."""
    return lambda t: ramp(t, attack) * math.exp(-max(t - attack, 0.0) / decay)


def swell(attack, hold, release):
    return lambda t: ramp(t, attack) * ramp(attack + hold + release - t, release)


def add(target, samples, rate, at=0.0, gain=1.0, wrap=False):
    """Mixes samples into target from a time on. What is past the end is dropped, or starts over where it loops."""
    start = round(at * rate)
    size = len(target)
    for index, value in enumerate(samples, start):
        if wrap:
            target[index % size] += value * gain
        elif index < size:
            target[index] += value * gain


def level(samples, peak):
    most = max(map(abs, samples))
    return [value * peak / most for value in samples]


# --- Filters ---------------------------------------------------------------------------------------------------------


def filtered(samples, rate, hertz, kind="low", resonance=0.7, circular=False):
    """A state-variable filter, 12 dB an octave; `hertz` is a number or a function of seconds. A circular one has
    already heard the whole loop once when it begins, so that the end fits the start."""
    cutoff = hertz if callable(hertz) else steady(hertz)
    first = second = 0.0
    damping = 1 / resonance
    for _ in range(2 if circular else 1):
        output = []
        for index, value in enumerate(samples):
            if index % 16 == 0:
                g = math.tan(math.pi * min(cutoff(index / rate) / rate, 0.45))
                scale = 1 / (1 + g * (g + damping))
            high = (value - first * (g + damping) - second) * scale
            band = g * high + first
            first = g * high + band
            low = g * band + second
            second = g * band + low
            output.append(low if kind == "low" else high if kind == "high" else band * damping)
    return output


def reverb(samples, rate, share, seconds=1.6, circular=False):
    """A small hall: eight echoes that feed themselves, smeared by two more."""
    wet = [0.0] * len(samples)
    for delay in (0.0297, 0.0371, 0.0411, 0.0437, 0.0503, 0.0571, 0.0617, 0.0683):
        wet_one = echo(samples, rate, delay, 0.001 ** (delay / seconds), circular)
        wet = [left + right for left, right in zip(wet, wet_one)]
    for delay in (0.0051, 0.0127):
        wet = smear(wet, rate, delay, circular)
    return [dry + share * 0.25 * late for dry, late in zip(samples, wet)]


def echo(samples, rate, delay, feedback, circular):
    line = [0.0] * round(delay * rate)
    place = 0
    damped = 0.0
    for _ in range(2 if circular else 1):
        output = []
        for value in samples:
            late = line[place]
            damped += (late - damped) * 0.55
            line[place] = value + damped * feedback
            place = (place + 1) % len(line)
            output.append(late)
    return output


def smear(samples, rate, delay, circular):
    line = [0.0] * round(delay * rate)
    place = 0
    for _ in range(2 if circular else 1):
        output = []
        for value in samples:
            late = line[place]
            output.append(late - 0.6 * value)
            line[place] = value + 0.6 * output[-1]
            place = (place + 1) % len(line)
    return output


def finished(samples, rate, decibels, loops=False):
    """Without offset, at its peak, and silent at both ends unless it loops."""
    middle = sum(samples) / len(samples)
    samples = [value - middle for value in samples]
    if not loops:
        samples = shaped(samples, rate, lambda t: ramp(t, 0.002))
    return level(samples, 10 ** (decibels / 20))


# --- Notes -----------------------------------------------------------------------------------------------------------

STEPS = {"C": -9, "D": -7, "E": -5, "F": -4, "G": -2, "A": 0, "B": 2}


def note(name):
    """Hertz of a name such as A4, Bb3 or C#5."""
    step = STEPS[name[0]] + name.count("#") - name.count("b")
    return 440.0 * 2 ** (step / 12 + int(name[-1]) - 4)


# --- Effects ---------------------------------------------------------------------------------------------------------


def jump(rate):
    """A light step up: a round rising tone and a breath of air."""
    out = silence(0.3, rate)
    voice = tone(0.26, rate, glide(250, 640, 0.2), ((1, 1.0), (2, 0.18), (3, 0.05)))
    add(out, shaped(voice, rate, strike(0.012, 0.075)), rate, gain=0.9)
    air = filtered(noise(1, 0.24, rate), rate, glide(700, 3200, 0.18), "band", 1.2)
    add(out, shaped(air, rate, swell(0.03, 0.02, 0.17)), rate, gain=0.35)
    return finished(out, rate, -6)


def land(rate):
    """Boots on stone: a low thud, dust, and a little gravel."""
    out = silence(0.26, rate)
    thud = tone(0.24, rate, glide(150, 52, 0.09), ((1, 1.0), (2, 0.12)))
    add(out, shaped(thud, rate, strike(0.003, 0.05)), rate)
    slap = filtered(noise(2, 0.12, rate), rate, glide(2400, 300, 0.08), "low", 0.8)
    add(out, shaped(slap, rate, strike(0.001, 0.022)), rate, gain=0.8)
    source = random.Random(3)
    for _ in range(9):
        grain = filtered(noise(source.random(), 0.012, rate), rate, 2000 + 2500 * source.random(), "band", 2.0)
        at = 0.02 + 0.15 * source.random()
        add(out, shaped(grain, rate, strike(0.001, 0.003)), rate, at, 0.16)
    return finished(out, rate, -5)


def step(rate):
    """One footstep: heel, then toe."""
    out = silence(0.13, rate)
    for at, gain, pitch, seed in ((0.0, 1.0, 105, 4), (0.036, 0.55, 150, 5)):
        knock = tone(0.06, rate, glide(pitch, pitch * 0.6, 0.04))
        add(out, shaped(knock, rate, strike(0.002, 0.014)), rate, at, gain * 0.7)
        scuff = filtered(noise(seed, 0.07, rate), rate, glide(1900, 700, 0.05), "band", 0.9)
        add(out, shaped(scuff, rate, strike(0.002, 0.012)), rate, at, gain)
    return finished(out, rate, -9)


def collect(rate):
    """A flame drawn into the lantern: it flares, and four bells answer upwards."""
    out = silence(0.85, rate)
    flare = filtered(noise(6, 0.4, rate), rate, glide(400, 2600, 0.25), "band", 1.0)
    add(out, shaped(flare, rate, swell(0.05, 0.02, 0.28)), rate, gain=0.5)
    for number, name in enumerate(("A5", "D6", "E6", "A6")):
        add(out, bell(rate, note(name), 0.6, 0.6), rate, 0.05 + 0.065 * number, 0.5 + 0.1 * number)
    return finished(reverb(out, rate, 0.25, 0.7), rate, -6)


def gate_open(rate):
    """Stone grinds upwards in its rails, catches, and comes to rest."""
    length = 1.3
    out = silence(length, rate)
    grind = filtered(noise(7, 1.05, rate), rate, lambda t: 380 + 120 * math.sin(TAU * 3.1 * t), "low", 1.3)
    rough = filtered(noise(8, 1.05, rate), rate, 24, "low", 0.7)
    rough = level(rough, 1.0)
    grind = [value * (0.55 + 0.9 * abs(bump)) for value, bump in zip(grind, rough)]
    add(out, shaped(grind, rate, swell(0.12, 0.75, 0.18)), rate, gain=0.8)
    hum = tone(1.05, rate, lambda t: 46 + 9 * t, ((1, 1.0), (2, 0.5), (3, 0.25)))
    add(out, shaped(hum, rate, swell(0.2, 0.65, 0.2)), rate, gain=0.22)
    source = random.Random(9)
    for number in range(7):
        link = bell(rate, 1150 + 500 * source.random(), 0.14, 1.4)
        add(out, link, rate, 0.08 + number * 0.125 + 0.03 * source.random(), 0.07)
    stop = tone(0.3, rate, glide(120, 44, 0.12), ((1, 1.0), (2, 0.2)))
    add(out, shaped(stop, rate, strike(0.004, 0.075)), rate, 0.98, 0.95)
    knock = filtered(noise(10, 0.15, rate), rate, 900, "low", 0.8)
    add(out, shaped(knock, rate, strike(0.002, 0.03)), rate, 0.98, 0.6)
    return finished(reverb(out, rate, 0.3, 0.8), rate, -5)


def hurt(rate):
    """Cold touches the keeper: a low falling tone with an edge, and a gasp."""
    out = silence(0.4, rate)
    voice = tone(0.36, rate, lambda t: 330 * 0.42 ** (t / 0.3) * (1 + 0.03 * math.sin(TAU * 31 * t)),
                 ((1, 1.0), (2, 0.5), (3, 0.33), (4, 0.2)))
    voice = [math.tanh(1.8 * value) for value in voice]
    add(out, shaped(filtered(voice, rate, glide(2600, 600, 0.3)), rate, strike(0.006, 0.1)), rate, gain=0.7)
    gasp = filtered(noise(11, 0.22, rate), rate, glide(3000, 900, 0.15), "band", 1.1)
    add(out, shaped(gasp, rate, strike(0.004, 0.045)), rate, gain=0.6)
    return finished(out, rate, -6)


def enemy_hit(rate):
    """A shade is stamped out: a springy drop, a puff of smoke, a spark."""
    out = silence(0.42, rate)
    drop = tone(0.2, rate, lambda t: 520 * 0.16 ** (t / 0.16) + 70, ((1, 1.0), (2, 0.3), (3, 0.1)))
    add(out, shaped(drop, rate, strike(0.003, 0.06)), rate, gain=0.9)
    puff = filtered(noise(12, 0.38, rate), rate, glide(2800, 350, 0.3), "band", 0.8)
    add(out, shaped(puff, rate, swell(0.015, 0.02, 0.33)), rate, 0.02, 0.6)
    add(out, bell(rate, note("E6"), 0.3, 1.0), rate, 0.015, 0.25)
    return finished(out, rate, -5)


def brass(rate, hertz, seconds):
    """A soft horn: it opens as it sounds."""
    shape = tuple((n, 1 / n ** 1.1) for n in range(1, 9) if hertz * n < rate * 0.4)
    voice = tone(seconds, rate, lambda t: hertz * (1 + 0.004 * ramp(t - 0.15, 0.3) * math.sin(TAU * 5.2 * t)), shape)
    opened = filtered(voice, rate, lambda t: hertz * (1.5 + 3.5 * ramp(t, 0.12) * math.exp(-t * 0.9)))
    return shaped(opened, rate, swell(0.035, max(seconds - 0.3, 0.0), 0.265))


def win(rate):
    """The beacon burns: horns rise to a bright chord, bells on top."""
    out = silence(2.2, rate)
    for at, name, seconds in ((0.0, "D4", 0.34), (0.16, "A4", 0.34), (0.32, "D5", 0.34), (0.48, "F#5", 1.55)):
        add(out, brass(rate, note(name), seconds), rate, at, 0.6)
    for name in ("D3", "A3", "D4", "A4", "D5"):
        add(out, brass(rate, note(name), 1.5), rate, 0.5, 0.36)
    for number, name in enumerate(("D6", "F#6", "A6", "D7")):
        add(out, bell(rate, note(name), 0.9, 0.5), rate, 0.56 + 0.09 * number, 0.34)
    return finished(reverb(out, rate, 0.35, 1.2), rate, -5)


def lose(rate):
    """The light goes out: four notes sink, a low breath remains."""
    out = silence(1.8, rate)
    for at, name, gain in ((0.0, "A4", 0.8), (0.27, "F4", 0.75), (0.54, "E4", 0.7), (0.84, "D4", 0.9)):
        add(out, bell(rate, note(name), 0.9, 0.3), rate, at, gain)
        add(out, shaped(tone(0.5, rate, steady(note(name) / 2)), rate, swell(0.03, 0.1, 0.3)), rate, at, 0.3)
    for name in ("D2", "A2", "F3"):
        low = tone(0.95, rate, steady(note(name)), ((1, 1.0), (2, 0.3), (3, 0.12)))
        add(out, shaped(low, rate, swell(0.15, 0.15, 0.65)), rate, 0.82, 0.25)
    breath = filtered(noise(13, 0.95, rate), rate, glide(1200, 200, 0.9), "band", 1.0)
    add(out, shaped(breath, rate, swell(0.15, 0.1, 0.7)), rate, 0.82, 0.14)
    return finished(reverb(out, rate, 0.35, 1.0), rate, -6)


# --- What goes on all the time ---------------------------------------------------------------------------------------


def fire(rate):
    """A flame: a low flutter and crackling wood. Loops."""
    length = 3.2
    roar = level(filtered(noise(14, length, rate), rate, 240, "low", 0.6, circular=True), 1.0)
    hiss = level(filtered(noise(18, length, rate), rate, 1700, "band", 0.6, circular=True), 1.0)

    def flutter(t):
        # Whole numbers of waves in the loop, or its ends would not meet.
        return 0.7 + 0.2 * math.sin(TAU * 13 * t / length) + 0.1 * math.sin(TAU * 37 * t / length + 1)

    out = [(0.5 * low + 0.13 * high) * flutter(index / rate) for index, (low, high) in enumerate(zip(roar, hiss))]
    source = random.Random(15)
    for _ in range(40):
        snap = filtered(noise(source.random(), 0.02, rate), rate, 1500 + 4500 * source.random(), "band", 2.5)
        snap = level(shaped(snap, rate, strike(0.0006, 0.0015 + 0.003 * source.random())), 1.0)
        add(out, snap, rate, length * source.random(), 0.06 + 0.3 * source.random() ** 3, wrap=True)
    return finished(out, rate, -9, loops=True)


def wind(rate):
    """Night air round the towers: two whistling bands that come and go. Loops."""
    length = 3.2
    base = noise(16, length, rate)
    out = silence(length, rate)
    for center, sway, waves, resonance, gain in ((260, 90, 1, 1.6, 1.0), (560, 190, 2, 4.0, 0.4), (95, 20, 1, 0.8, 0.7)):
        def cutoff(t, center=center, sway=sway, waves=waves):
            return center + sway * math.sin(TAU * waves * t / length + center)

        band = level(filtered(base, rate, cutoff, "band", resonance, circular=True), 1.0)
        for index, value in enumerate(band):
            out[index] += gain * value * (0.75 + 0.25 * math.sin(TAU * waves * index / rate / length + center))
    return finished(out, rate, -12, loops=True)


# --- Music -----------------------------------------------------------------------------------------------------------

# A slow waltz in D minor, sixteen bars. Chords from the bass up, one a bar.
CHORDS = (
    "D3 A3 D4 F4", "D3 A3 C4 F4", "Bb2 F3 Bb3 D4", "Bb2 F3 A3 D4",
    "F2 C3 A3 C4", "C3 G3 C4 E4", "G2 D3 Bb3 D4", "A2 E3 A3 C#4",
    "D3 A3 D4 F4", "D3 A3 C4 F4", "Bb2 F3 Bb3 D4", "G2 D3 Bb3 D4",
    "E3 Bb3 D4 G4", "A2 E3 G3 C#4", "D3 A3 D4 F4", "D3 A3 E4 F4",
)

# The tune, bar by bar: note and the beat it falls on.
TUNE = (
    "A4:0 D5:2", "F5:0 E5:2", "D5:0", "A4:1 Bb4:2",
    "C5:0 A4:2", "G4:0 E5:2", "D5:0 Bb4:2", "C#5:0 A4:1.5",
    "A4:0 D5:2", "F5:0 G5:1 A5:2", "Bb5:0 A5:2", "G5:0 D5:2",
    "E5:0 G5:1 Bb4:2", "C#5:0 E5:2", "D5:0", "A4:1.5",
)


def music(rate):
    """The keep at night: a harp, a warm choir of strings, a music box, in a hall. Loops."""
    beat = 0.4
    bar = 3 * beat
    length = bar * len(CHORDS)
    out = silence(length, rate)
    hall = silence(length, rate)

    strings = {}
    boxes = {}
    source = random.Random(17)
    for number, chord in enumerate(CHORDS):
        names = chord.split()
        pad(hall, rate, names, number * bar, bar)
        # The harp: the bass on one, then up and down the chord in halves of a beat, never quite in time.
        for place, name in enumerate((names[0], names[1], names[2], names[3], names[2], names[1])):
            if name not in strings:
                strings[name] = pluck(rate, note(name), 1.9, sum(map(ord, name)))
            late = 0.010 * source.random()
            gain = (0.34 if place == 0 else 0.15) * (0.85 + 0.3 * source.random())
            add(out, strings[name], rate, number * bar + place * beat / 2 + late, gain, wrap=True)

    for number, notes in enumerate(TUNE):
        for name, at in (written.split(":") for written in notes.split()):
            if name not in boxes:
                boxes[name] = bell(rate, note(name), 1.8, 0.45)
            when = number * bar + float(at) * beat
            add(hall, boxes[name], rate, when, 0.26, wrap=True)
            add(hall, boxes[name], rate, when + 1.5 * beat, 0.07, wrap=True)

    hall = filtered(hall, rate, 5200, "low", 0.6, circular=True)
    both = [near + far for near, far in zip(out, hall)]
    both = reverb(both, rate, 0.3, 1.9, circular=True)
    both = filtered(both, rate, 45, "high", 0.7, circular=True)
    return finished(both, rate, -6, loops=True)


def pad(target, rate, names, at, bar):
    """One chord of strings: each note twice, a hair apart, swelling in over half a bar and out into the next."""
    seconds = bar * 1.6
    count = round(seconds * rate)
    envelope = [swell(bar * 0.5, bar * 0.5, bar * 0.6)(index / rate) for index in range(count)]
    for number, name in enumerate(names):
        gain = 0.042 if number else 0.07
        for apart in (0.9975, 1.0025):
            turn = TAU * note(name) * apart / rate
            # A start that differs from note to note, or all would meet at one peak.
            start = number * 1.7 + apart * 900
            voice = [
                (math.sin(start + turn * index) + 0.32 * math.sin(2 * (start + turn * index))
                 + 0.12 * math.sin(3 * (start + turn * index))) * envelope[index]
                for index in range(count)
            ]
            add(target, voice, rate, at - bar * 0.2, gain, wrap=True)


# --- Files -----------------------------------------------------------------------------------------------------------

# Every sound: how it is made, samples a second, whether it loops.
SOUNDS = {
    "jump": (jump, SMALL, False),
    "land": (land, FINE, False),
    "step": (step, FINE, False),
    "collect": (collect, SMALL, False),
    "gate_open": (gate_open, SMALL, False),
    "hurt": (hurt, SMALL, False),
    "enemy_hit": (enemy_hit, SMALL, False),
    "win": (win, SMALL, False),
    "lose": (lose, SMALL, False),
    "fire": (fire, SMALL, True),
    "wind": (wind, SMALL, True),
    "music": (music, SMALL, True),
}


def wav(samples, rate):
    data = struct.pack(f"<{len(samples)}h", *(round(value * FULL) for value in samples))
    header = struct.pack("<4sI4s4sIHHIIHH4sI", b"RIFF", 36 + len(data), b"WAVE", b"fmt ", 16, 1, 1, rate, rate * 2, 2,
                         16, b"data", len(data))
    return header + data


def made(name):
    make, rate, _ = SOUNDS[name]
    return wav(make(rate), rate)


def measured(name, file):
    """One line of numbers, and what is wrong with them."""
    _, rate, loops = SOUNDS[name]
    values = [value / FULL for (value,) in struct.iter_unpack("<h", file[44:])]
    peak = max(map(abs, values))
    average = math.sqrt(sum(value * value for value in values) / len(values))
    offset = sum(values) / len(values)
    changes = [abs(right - left) for left, right in zip(values, values[1:])]
    steepest = max(changes)
    seam = abs(values[0] - values[-1])
    faults = []
    if 20 * math.log10(peak) > -3:
        faults.append("its peak is above -3 dB")
    if 20 * math.log10(average) < -40:
        faults.append("it is hardly to be heard")
    if abs(offset) > 0.002:
        faults.append("it has an offset")
    if loops and seam > 4 * sum(changes) / len(changes):
        faults.append("its ends do not meet")
    if not loops and max(abs(values[0]), abs(values[-1])) > 0.001:
        faults.append("it begins or ends with a click")
    line = (f"{name:10} {len(values) / rate:6.2f} s {len(file):8} bytes  peak {20 * math.log10(peak):6.1f} dB  "
            f"average {20 * math.log10(average):6.1f} dB  offset {offset:8.5f}  steepest {steepest:.3f}  seam {seam:.4f}")
    return line, faults


def check(names):
    """Whether what is committed is what comes out, and sounds as it should. Gives the number of faults."""
    faults = []
    total = 0
    for name in names:
        path = FOLDER / f"{name}.wav"
        file = path.read_bytes() if path.exists() else b""
        total += len(file)
        if file != made(name):
            faults.append(f"{name}: {path.name} is not what comes out; run this script without --check")
        if file:
            line, wrong = measured(name, file)
            print(line)
            faults += [f"{name}: {fault}" for fault in wrong]
    unknown = sorted(path.name for path in FOLDER.glob("*.wav") if path.stem not in SOUNDS)
    faults += [f"{name} is made by nothing here" for name in unknown]
    if total > 1_500_000:
        faults.append(f"all sounds have {total} bytes; 1500000 are allowed")
    print(f"{total} bytes in all")
    for fault in faults:
        print(fault, file=sys.stderr)
    return len(faults)


def main(arguments):
    wanted = [name for name in arguments if name != "--check"]
    unknown = [name for name in wanted if name not in SOUNDS]
    if unknown:
        sys.exit(f"there is no sound {', '.join(unknown)}; there are {', '.join(SOUNDS)}")
    if "--check" in arguments:
        sys.exit(1 if check(wanted or SOUNDS) else 0)
    FOLDER.mkdir(parents=True, exist_ok=True)
    for name in wanted or SOUNDS:
        file = made(name)
        (FOLDER / f"{name}.wav").write_bytes(file)
        print(f"{name}.wav: {len(file)} bytes")


if __name__ == "__main__":
    main(sys.argv[1:])
