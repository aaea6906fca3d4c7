"""The faults of an evening with their frequencies."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, NamedTuple

from companion.box.events import HardwareTrouble
from companion.catalog import editions, registry
from companion.record.journal import JournalError
from hardware.ports import BACK, DOWN, OK, SEATS, UP, HardwareError
from tests.system.soak import thumb
from tests.system.soak.evening import SOON, Evening

if TYPE_CHECKING:
    from collections.abc import Callable


class Fault(NamedTuple):
    """A fault; `weight` is its relative frequency."""

    name: str
    weight: float
    strike: Callable[[Evening], None]


def _play_on(evening: Evening) -> None:
    for _ in range(evening.chance.randint(1, SOON)):
        thumb.step(evening.drive, evening.chance)


def _refusing(evening: Evening) -> None:
    """Make the record refuse writes for a while."""
    journal = evening.drive.journal
    reason = evening.chance.choice(("full", "unwritable", "damaged"))

    def refuse(*_: Any) -> Any:
        raise JournalError(reason, file="games.db", why="disk I/O error")

    for name in ("append_entries_to_game", "save_setting", "save_new_game"):
        setattr(journal, name, refuse)
    try:
        _play_on(evening)
    finally:
        for name in ("append_entries_to_game", "save_setting", "save_new_game"):
            delattr(journal, name)


def _full_disk(evening: Evening) -> None:
    """Make SQLite run out of space."""
    db = evening.drive.journal._db
    (pages,) = db.execute("PRAGMA page_count").fetchone()
    db.execute(f"PRAGMA max_page_count = {pages}")
    try:
        _play_on(evening)
    finally:
        db.execute("PRAGMA max_page_count = 1073741823")


def _failing(part: str) -> Callable[[Evening], None]:
    def strike(evening: Evening) -> None:
        device = getattr(evening.drive.fake, part)
        device.failing = True
        _play_on(evening)
        device.failing = False
        evening.drive.press(OK)

    return strike


def _trouble(evening: Evening) -> None:
    part = evening.chance.choice(("voice", "sound", "display", "buttons"))
    evening.drive.loop.inbox.put(HardwareTrouble(HardwareError("It does not answer.", part)))


def _clock(evening: Evening) -> None:
    evening.wall += evening.chance.choice((-86_400 * 365, -3600, 3600, 86_400 * 30))
    evening.drive.hour = evening.chance.randrange(24)


def _hanging(evening: Evening) -> None:
    """Hold a button down while the others are used."""
    drive, button = evening.drive, evening.chance.choice((UP, DOWN))
    drive.down(button)
    drive.wait(evening.chance.choice((1.0, 25.0, 300.0)))
    for _ in range(evening.chance.randint(1, SOON)):
        drive.press(evening.chance.choice((OK, OK, BACK, DOWN if button == UP else UP)))
    drive.up(button)


def _bouncing(evening: Evening) -> None:
    drive, chance = evening.drive, evening.chance
    drive.buttons.press_with_bounces(chance.choice(thumb.BUTTONS), times=chance.randint(1, 9))
    drive.pump()


def _all_at_once(evening: Evening) -> None:
    """Press all buttons at once, and release them in any order."""
    drive, chance = evening.drive, evening.chance
    buttons = chance.sample((UP, DOWN, OK, BACK, *SEATS), chance.randint(2, 6))
    for button in buttons:
        drive.down(button)
    drive.wait(chance.choice((0.1, 1.0, 2.5, 4.0)))
    for button in chance.sample(buttons, len(buttons)):
        drive.up(button)
    while drive.is_locked:
        drive.down(BACK)
        drive.down(UP)
        drive.wait(2.1)
        drive.up(UP)
        drive.up(BACK)


def _edition(evening: Evening) -> None:
    """Write, damage or remove a user's board file."""
    file = editions.user_edition_file(
        evening.chance.choice(registry.BUILT_IN_GAMES), evening.config
    )
    file.parent.mkdir(parents=True, exist_ok=True)
    match evening.chance.randrange(3):
        case 0:
            file.unlink(missing_ok=True)
        case 1:
            file.write_bytes(editions.built_in_edition_file(file.stem).read_bytes())
        case _:
            content = bytearray(editions.built_in_edition_file(file.stem).read_bytes())
            for _ in range(evening.chance.randint(1, 9)):
                content[evening.chance.randrange(len(content))] = evening.chance.randrange(256)
            file.write_bytes(content)


TABLE: Final = (
    Fault("restarts", 3, Evening.restart),
    Fault("cuts of the power", 3, Evening.kill),
    Fault("damaged files", 2, Evening.harm),
    Fault("times that nothing could be written", 3, _refusing),
    Fault("full disks", 3, _full_disk),
    Fault("displays that failed", 2, _failing("display")),
    Fault("speakers that failed", 2, _failing("speaker")),
    Fault("parts that told of trouble", 2, _trouble),
    Fault("jumps of the clock", 2, _clock),
    Fault("buttons that hung", 2, _hanging),
    Fault("buttons that bounced", 2, _bouncing),
    Fault("hands on many buttons", 2, _all_at_once),
    Fault("changes of a board file", 2, _edition),
)
