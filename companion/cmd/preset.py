"""The file `settings.toml`, which contains the settings for a new record.

The administrator of many boxes writes `settings.toml`. The file never changes a record that has a
game or a setting.
"""

from __future__ import annotations

import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from checked_input import source
from checked_input.checks import OptionalKey, find_mistakes, table
from checked_input.files import may_file_exist
from checked_input.mistakes import FileMistake, quote_value
from companion.cmd import places
from companion.menus.settings import DEFAULTS, SETTINGS
from companion.record.journal import Journal
from companion.record.schema import JournalError

PRESET_SETTING_NAMES: Final = (
    *(name for name, row in SETTINGS.items() if row.is_line and name not in ("clock", "languages")),
    *("quiet_to", "speeds", "names"),
)
"""Names of the settings that `settings.toml` can contain.

The settings menu also has all these settings.
"""
_FILE: Final = table({name: OptionalKey(SETTINGS[name].check) for name in PRESET_SETTING_NAMES})


def read_settings_file(file: Path) -> tuple[dict[str, Any], list[FileMistake]]:
    """Return the settings in `file`, and the file's mistakes, sorted by line.

    If the file has a mistake, the settings are empty.
    """
    try:
        data, line_of = source.read_toml(file)
    except source.UnreadableFile as error:
        return {}, [FileMistake(file, error.line, error.code, error.facts)]
    mistakes = [
        FileMistake(file, line_of(place), code, facts)
        for place, code, facts in find_mistakes(_FILE, data)
    ]
    lo, hi = (data.get(name, DEFAULTS[name]) for name in ("quietest", "loudest"))
    if not mistakes and lo > hi:
        facts = {"found": f"quietest = {quote_value(lo)}", "expected": f"1-{hi}"}
        mistakes = [FileMistake(file, line_of(("quietest",)), "bad_value", facts)]
    return ({}, sorted(mistakes, key=lambda mistake: mistake.line)) if mistakes else (data, [])


def apply_settings_to_new_record(journal: Journal) -> None:
    """Write the settings in `settings.toml` into a record that has no games and no settings.

    The first mistake in the file is printed on standard error. If the record cannot be written, the
    box reports this error later.
    """
    file = places.new_record_settings_file()
    if not may_file_exist(file) or journal.read_only or journal.all_settings():
        return
    with suppress(JournalError):
        if not journal.game_numbers():
            values, mistakes = read_settings_file(file)
            _tell(mistakes)
            if values:
                journal.save_settings(values, places.wall_time())


def _tell(mistakes: list[FileMistake]) -> None:
    from companion.cmd.i18n import describe_file_mistake  # noqa: PLC0415 - few files have a mistake

    for mistake in mistakes[:1]:
        sys.stderr.write(f"companion: {describe_file_mistake(mistake)}\n")
