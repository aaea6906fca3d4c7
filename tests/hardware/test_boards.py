"""Tests of boards: known boards, a user's board, and the reported mistakes."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from hardware.boards import user_board
from hardware.boards.board_file import (
    BOARDS_FOLDER,
    known_board_names,
    load_known_board,
    read_board_file,
)
from hardware.boards.user_board import load_own_or_default_board
from hardware.ports import BACK, DOWN, OK, SEATS, UP
from hardware.wiring import DEFAULT_BOARD, BoardFileError, LumaDisplayWiring, OledWiring
from tests.english import mistake_with_place, raises_english

WHOLE = """\
[display]
chip = "ssd1306"
bus = "i2c"

[buttons]
up = 5
down = 6
ok = 13
back = 19
"""


def own(folder: Path, text: str) -> Path:
    file = user_board.own_board_path(folder)
    file.write_text(text, "utf-8")
    return file


def mistakes(folder: Path, text: str) -> list[str]:
    with pytest.raises(BoardFileError) as raised:
        read_board_file(own(folder, text))
    return [*map(mistake_with_place, raised.value.mistakes)]


# --- Known boards ---------------------------------------------------------------------------------


def test_the_known_boards_have_no_mistakes_and_say_where_they_are_from() -> None:
    assert known_board_names() == [
        "adafruit-mini-pitft",
        "adafruit-mini-pitft-1in3",
        "adafruit-oled-bonnet",
        "display-hat-mini",
        "four-buttons",
        "four-buttons-max98357a",
        "pirate-audio",
        "sh1107-128x128",
        "waveshare-lcd-1in3",
        "waveshare-lcd-1in44",
        "waveshare-oled-1in5",
        "waveshare-oled-2in42",
        "waveshare-oled-hat",
    ]
    for name in known_board_names():
        board = load_known_board(name)
        assert {UP, DOWN, OK, BACK} <= set(board.buttons)
        assert "# Source: " in (BOARDS_FOLDER / f"{name}.toml").read_text("utf-8")


def test_the_wiring_without_a_file_is_that_of_the_four_buttons(tmp_path: Path) -> None:
    assert (
        load_known_board("four-buttons")
        == DEFAULT_BOARD
        == load_own_or_default_board()
        == load_own_or_default_board(tmp_path)
    )


@pytest.mark.long
def test_for_the_wiring_without_a_file_nothing_heavy_is_imported(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from hardware.boards import user_board\n"
        "from hardware.display import oled\n"
        f"user_board.load_own_or_default_board(Path({str(tmp_path)!r}))\n"
        "heavy = {'difflib', 'luma', 'PIL', 'gpiozero', 'gpiod', 'smbus2'}\n"
        "sys.exit(bool(heavy & set(sys.modules)))"
    )

    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_the_bonnet_is_wired_as_adafruit_says() -> None:
    board = load_known_board("adafruit-oled-bonnet")

    assert board.display == OledWiring("ssd1306", "i2c", 1, 0x3C)
    assert board.buttons == {UP: (17,), DOWN: (22,), OK: (4, 6, 23), BACK: (27, 5)}
    assert (board.knob, board.lamps) == ((), {})


def test_the_hat_is_wired_as_waveshare_says() -> None:
    board = load_known_board("waveshare-oled-hat")

    assert board.display == OledWiring("sh1106", "spi", 0, None, 0, 24, 25, upside_down=True)
    assert board.buttons[OK] == (13, 21, 26)


AMPLIFIER = """
[buttons]
back = 14
seat3 = 15

[sound]
overlay = "{overlay}"
"""


def test_the_pins_of_an_amplifier_clash_with_nothing_on_our_own_wirings(tmp_path: Path) -> None:
    ours = [name for name in known_board_names() if load_known_board(name).lamps]
    assert {"four-buttons", "waveshare-oled-1in5", "waveshare-oled-2in42"} < {*ours}
    for name in ours:
        text = f'like = "{name}"\n{AMPLIFIER.format(overlay="hifiberry-dac")}'
        assert read_board_file(own(tmp_path, text)).buttons[BACK] == (14,), name
    assert load_known_board("four-buttons-max98357a").buttons[SEATS[2]] == (15,)


def test_the_pins_of_an_overlay_for_sound_are_taken(tmp_path: Path) -> None:
    text = 'like = "four-buttons"\n[sound]\noverlay = "hifiberry-dac"\n'
    assert [told.partition(": ")[2] for told in mistakes(tmp_path, text)] == [
        f"buttons.{key} is already used by hifiberry-dac ({line}). The pin of buttons.{key[:-5]} "
        'comes from like = "four-buttons". Choose another pin, or write a complete board file.'
        for key, line in (("back = 19", "LRC"), ("seat3 = 21", "DIN"))
    ]
    text = f'like = "waveshare-oled-2in42"\n{AMPLIFIER.format(overlay="max98357a")}'
    (told,) = mistakes(tmp_path, text)  # the board's own SD is on GPIO 4
    assert "lamps.seat2 = 4 is already used by max98357a (SD)" in told


def test_an_overlay_that_records_takes_the_input_of_sound_too(tmp_path: Path) -> None:
    text = f'like = "four-buttons"\n{AMPLIFIER.format(overlay="googlevoicehat-soundcard")}'
    (told,) = mistakes(tmp_path, text)
    assert "buttons.seat2 = 20 is already used by googlevoicehat-soundcard (PCM_DIN)" in told


def test_an_overlay_for_sound_and_a_display_do_not_share_a_bus(tmp_path: Path) -> None:
    text = WHOLE.replace('bus = "i2c"', 'bus = "spi"\nport = 1\ndc = 25').replace("19", "24")
    told = mistakes(tmp_path, text + '[sound]\noverlay = "hifiberry-dac"\n')
    assert "hifiberry-dac (LRC) is already used by SPI (MISO)" in "".join(told)


def test_a_board_that_is_too_small_is_refused_in_one_line(tmp_path: Path) -> None:
    for name in ("pioled", "adafruit-pioled"):
        (told,) = mistakes(tmp_path, f'like = "{name}"')
        assert told.startswith(f"board.toml, line 1: like is not valid: {name} has 128x32 pixels")


@pytest.mark.parametrize("key", ["chip", 'driver = "luma"\ninterface = "spi"\ndc = 25\ndevice'])
def test_e_paper_is_refused_with_the_reason(tmp_path: Path, key: str) -> None:
    (told,) = mistakes(tmp_path, f'like = "four-buttons"\n[display]\n{key} = "ssd1680"\n')
    assert "ssd1680 is e-paper" in told


def test_the_examples_of_a_users_own_board_are_read(tmp_path: Path) -> None:
    page = (BOARDS_FOLDER.parents[1] / "docs" / "hardware.md").read_text("utf-8")
    bonnet, chip, panel = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)

    assert read_board_file(own(tmp_path, bonnet)).buttons[BACK] == (5,)
    assert read_board_file(own(tmp_path, chip)).display.chip == "sh1106"
    assert read_board_file(own(tmp_path, panel)).display == LumaDisplayWiring(
        "ssd1327", "i2c", port=1
    )


# --- A user's board -------------------------------------------------------------------------------


def test_a_users_own_board_is_the_one_in_the_configuration_folder(tmp_path: Path) -> None:
    own(tmp_path, WHOLE + "seat1 = [20, 21]\n[lamps]\nseat1 = 17\n")

    board = load_own_or_default_board(tmp_path)

    assert board.buttons[SEATS[0]] == (20, 21)
    assert board.lamps == {SEATS[0]: 17}
    assert board.knob == ()


def test_a_board_may_be_like_a_known_one_but_for_some_lines(tmp_path: Path) -> None:
    own(tmp_path, 'like = "adafruit-oled-bonnet"\n[buttons]\nback = 5\nseat1 = 27\n')

    board = load_own_or_default_board(tmp_path)

    assert board.display == load_known_board("adafruit-oled-bonnet").display
    assert board.buttons[BACK] == (5,)
    assert board.buttons[SEATS[0]] == (27,)
    assert board.buttons[UP] == (17,)


def test_a_display_on_another_bus_replaces_the_known_one_wholly(tmp_path: Path) -> None:
    hat = 'like = "waveshare-oled-hat"\n[display]\nchip = "sh1106"\nbus = "i2c"\n'
    own(tmp_path, hat)

    assert load_own_or_default_board(tmp_path).display == OledWiring("sh1106")


def test_spi_without_a_port_is_the_first_spi_bus(tmp_path: Path) -> None:
    text = WHOLE.replace('bus = "i2c"', 'bus = "spi"\ndc = 25')  # BACK is GPIO 19, MISO of SPI1

    assert read_board_file(own(tmp_path, text)).display.port == 0


def test_with_a_knob_nobody_misses_up_and_down(tmp_path: Path) -> None:
    own(tmp_path, WHOLE.replace("up = 5\ndown = 6\n", "") + "[knob]\na = 24\nb = 25\n")

    assert load_own_or_default_board(tmp_path).knob == (24, 25)


# --- Mistakes -------------------------------------------------------------------------------------


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    ("line", "instead", "said"),
    [
        ("up = 5", "upp = 5", 'line 6: buttons.upp is not a key here; did you mean "up"?'),
        ("[buttons]", "[butons]", 'line 5: "butons" is not a key here; did you mean "buttons"?'),
        (
            "ok = 13",
            "ok = 31",
            (
                "buttons.ok = 31 is not valid; expected: a GPIO number from 2 to 27, "
                "or several in [ ]"
                ". Places on the header are not GPIO numbers: place 31 is GPIO 6."
            ),
        ),
        ("ok = 13", "ok = [13, 40]", "expected: a GPIO number from 2 to 27, or several in [ ]. Pl"),
        ("ok = 13", "ok = []", "line 8: buttons.ok = [...] is not valid; expected: a GPIO"),
        ("ok = 13", "ok = true", "line 8: buttons.ok = true is not valid; expected: a GPIO"),
        ("ok = 13", 'ok = "13"', 'line 8: buttons.ok = "13" is not valid; expected: a GPIO'),
        ("ok = 13", "ok = 6", "line 8: buttons.ok = 6 is already used by buttons.down"),
        ("ok = 13", "ok = 2", "line 8: buttons.ok = 2 is already used by I2C (SDA)"),
        ("ok = 13", "", "line 5: buttons.ok is missing"),
        ('chip = "ssd1306"', 'chip = "ssd1360"', 'expected: "ssd1306", "ssd1309", "sh1106"'),
        ('chip = "ssd1306"', "", "line 1: display.chip is missing"),
        ('bus = "i2c"', 'bus = "spi"', "line 1: display.dc is missing"),
        ('bus = "i2c"', 'bus = "i2c"\naddress = 300', "expected: an I2C address: 0x3c or 0x3d"),
        (
            'bus = "i2c"',
            'bus = "i2c"\nupside_down = 1',
            "upside_down = 1 is not valid; expected: true or false",
        ),
        (
            'bus = "i2c"',
            'bus = "spi"\nport = 0\ndc = 25\nreset = 9',
            "display.reset = 9 is already used by SPI (MISO)",
        ),
        (
            'bus = "i2c"',
            'bus = "spi"\nport = 0\ndc = 8',
            "display.dc = 8 is already used by SPI (CE0)",
        ),
        ("back = 19", "back = 19\n[knob]\na = 19", "line 10: knob.b is missing"),
        (
            "back = 19",
            "back = 19\n[knob]\na = 24\nb = 24",
            "line 12: knob.b = 24 is already used by knob.a",
        ),
        (
            "back = 19",
            "back = 19\n[lamps]\nseat5 = 17",
            'lamps.seat5 is not a key here; did you mean "seat4"?',
        ),
        (
            "back = 19",
            "back = 19\n[lamps]\nseat1 = 5",
            "lamps.seat1 = 5 is already used by buttons.up",
        ),
        ("back = 19", "back = 19\n[sound]\nhigh = 25", "line 10: sound.overlay is missing"),
        (
            "back = 19",
            'back = 24\n[sound]\noverlay = "hifiberry-dac"\nhigh = 5',
            "line 12: sound.high = 5 is already used by buttons.up",
        ),
        (
            "back = 19",
            'back = 19\n[sound]\noverlay = "a dac,b"',
            'overlay = "a dac,b" is not valid; expected: the name of an overlay',
        ),
    ],
)
def test_a_mistake_is_told_with_its_line_and_what_was_expected(
    line: str, instead: str, said: str, tmp_path: Path
) -> None:
    assert line in WHOLE

    found = mistakes(tmp_path, WHOLE.replace(line, instead))

    assert said in found[0]
    assert found[0].startswith("board.toml, line ")


def test_all_mistakes_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    found = mistakes(tmp_path, WHOLE.replace("up = 5", "up = 99").replace('"i2c"', '"usb"'))

    assert [text.split(":")[0] for text in found] == ["board.toml, line 3", "board.toml, line 6"]


def test_what_is_wrong_and_what_is_missing_is_told_at_once(tmp_path: Path) -> None:
    found = mistakes(tmp_path, WHOLE.replace("up = 5", "up = 99").replace("ok = 13\n", ""))

    assert len(found) == 2
    assert found[0] == "board.toml, line 5: buttons.ok is missing"
    assert found[1].startswith("board.toml, line 6: buttons.up = 99 is not valid; expected: a GPIO")


def test_tables_that_are_missing_or_no_tables_are_told(tmp_path: Path) -> None:
    assert mistakes(tmp_path, "") == [
        (
            "board.toml: [display] is missing. To change only some keys of a known board, add the "
            'first line: like = "four-buttons"'
        ),
        "board.toml: [buttons] is missing",
    ]
    found = mistakes(tmp_path, '[display]\nchip = "sh1106"\n')
    assert ["add the first line: like" in mistake for mistake in found] == [True, False]
    assert "first line" not in mistakes(tmp_path, 'like = "four-buttons"\nknob = 5\n')[0]
    assert (
        "line 1: buttons = 5 is not valid; expected: table"
        in mistakes(tmp_path, "buttons = 5\n" + WHOLE[:40])[0]
    )


def test_a_board_that_is_like_none_is_told(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, 'like = "waveshare-hat"\n')

    assert told.startswith('board.toml, line 1: "waveshare-hat" is not a known board')
    assert told.endswith('did you mean "waveshare-oled-hat"?')


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    assert "line 2" in mistakes(tmp_path, "[display]\nchip =\n")[0]
    user_board.own_board_path(tmp_path).write_bytes(b"\xff\xfe")
    with raises_english(BoardFileError, match=r"board\.toml"):
        load_own_or_default_board(tmp_path)


@pytest.mark.parametrize("number", [1, 28, 30, 41])
def test_a_number_that_is_no_place_of_a_gpio_has_no_hint(number: int, tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, WHOLE.replace("ok = 13", f"ok = {number}"))

    assert "Places" not in told


@pytest.mark.parametrize(
    ("text", "inherited"),
    [
        ("[buttons]\nup = 17\n", "lamps.seat1"),
        ("[buttons]\nup = 2\n", "I2C (SDA)"),
        ('[display]\nchip = "ssd1309"\nbus = "spi"\ndc = 25\n', "knob.b"),
    ],
)
def test_a_clash_with_a_pin_of_like_names_that_pin(
    text: str, inherited: str, tmp_path: Path
) -> None:
    (told,) = mistakes(tmp_path, f'like = "four-buttons"\n{text}')

    assert f'. The pin of {inherited} comes from like = "four-buttons". Choose another' in told


def test_a_clash_of_two_own_pins_has_no_hint_about_like(tmp_path: Path) -> None:
    (told,) = mistakes(tmp_path, 'like = "four-buttons"\n[buttons]\nup = 12\ndown = 12\n')

    assert told == "board.toml, line 4: buttons.down = 12 is already used by buttons.up"


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("like = four-buttons", '. Write text in quotation marks: like = "four-buttons"'),
        ("like=four-buttons # mine", '. Write text in quotation marks: like = "four-buttons"'),
        ("like\t=\tfour-buttons", '. Write text in quotation marks: like = "four-buttons"'),
        ("like =\x1dfour-buttons", ""),  # TOML's white space is only the space and the tab
        ("knob = True", ""),
        ("knob = ?", ""),
    ],
)
def test_a_bare_word_has_a_hint_about_quotation_marks(line: str, hint: str, tmp_path: Path) -> None:
    assert mistakes(tmp_path, f"{line}\n") == [
        f"board.toml, line 1: is not TOML: Invalid value{hint}"
    ]


def test_a_file_that_can_not_be_read_is_told(tmp_path: Path) -> None:
    user_board.own_board_path(tmp_path).mkdir()

    with raises_english(BoardFileError, match=r"board\.toml: cannot be read: not a file"):
        load_own_or_default_board(tmp_path)
