"""Who may know whom: the arrows of the design, read from the imports."""

from __future__ import annotations

import ast
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Final

import pytest

import companion
import hardware

if TYPE_CHECKING:
    from collections.abc import Iterator

COMPANION: Final = Path(companion.__file__).parent
HARDWARE: Final = Path(hardware.__file__).parent
ROOT: Final = COMPANION.parent
FILES: Final = sorted((*COMPANION.rglob("*.py"), *HARDWARE.rglob("*.py")))
FACES: Final = {"canvas", "controls", "screens", "wheel", "words", "core"}
"""What a game's words and screens may use of the companion."""
MOST_LINES, LONGEST = 400, 40
LONGER: Final = {
    "companion/app.py": 495,
    "companion/editions.py": 420,
    "companion/games/barney_miller/rules.py": 525,
    "companion/games/kojak/rules.py": 510,
    "companion/session.py": 430,
    "hardware/terminal.py": 430,
}
"""Files that are longer than they should be: they may not grow, and leave this list when cut."""
PINS: Final = {"pi.py", "pins.py", "oled.py"}
WHERE: Final = {
    "gpiozero": PINS,
    "gpiod": PINS,
    "luma": PINS,
    "smbus": PINS,
    "smbus2": PINS,
    "pygame": {"speaker.py", "window.py"},
    "textual": {"terminal.py"},
    "PIL": {"pi.py", "oled.py", "window.py"},
}
"""Libraries, and the files of hardware/ that alone may use them."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


def tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def imported(path: Path) -> set[str]:
    """Every module that a file imports, also inside functions and for types only."""
    found = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = str(node.module)
            here = ROOT.joinpath(*module.split("."))
            for alias in node.names:
                is_module = (here / f"{alias.name}.py").exists() or (here / alias.name).is_dir()
                found.add(f"{module}.{alias.name}" if is_module else module)
    return found


def ours(path: Path, package: str) -> set[str]:
    """What a file imports of a package of ours, without the package's own name."""
    return {
        module.removeprefix(f"{package}.")
        for module in imported(path)
        if module == package or module.startswith(f"{package}.")
    }


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def paths(pattern: str) -> list[Path]:
    found = sorted(ROOT.glob(pattern))
    assert found, pattern
    return found


def test_the_reader_of_imports_sees_them_all() -> None:
    assert "companion.session" in imported(COMPANION / "app.py")
    assert "hardware" in imported(COMPANION / "controls.py")
    assert "companion.games.shared" in imported(COMPANION / "games/barney_miller/rules.py")
    assert "companion.verify" in imported(COMPANION / "app.py")


@pytest.mark.parametrize("path", paths("hardware/**/*.py"), ids=name_of)
def test_hardware_knows_nothing_of_the_companion(path: Path) -> None:
    assert not ours(path, "companion")


@pytest.mark.parametrize("path", paths("companion/games/*/*.py"), ids=name_of)
def test_a_game_knows_the_core_and_itself(path: Path) -> None:
    folder = f"games.{path.parent.name}"
    others = {
        module
        for module in ours(path, "companion")
        if module not in ("core", "games.shared") and not f"{module}.".startswith(f"{folder}.")
    }
    allowed = {
        "words.py": FACES,
        "screens.py": FACES | {"session"},  # the type of a snapshot
        "pictures.py": FACES,
        "edition.py": {"editions"},
        "racks.py": FACES,
    }
    assert others <= allowed.get(path.name, set())
    assert not ours(path, "hardware")


@pytest.mark.parametrize("path", paths("companion/games/*/screens.py"), ids=name_of)
def test_a_games_screens_know_the_session_by_its_types_only(path: Path) -> None:
    at_run_time = [node for node in tree(path).body if isinstance(node, ast.ImportFrom)]
    assert "companion.session" not in {node.module for node in at_run_time}


RECORD: Final = {"companion.record", "companion.store", "companion.repair"}
"""What the journal is made of."""
BARE: Final = ("core.py", "chance.py")


@pytest.mark.parametrize(
    "name", ["core.py", "chance.py", "journal.py", "record.py", "store.py", "repair.py"]
)
def test_the_core_needs_the_standard_library_alone(name: str) -> None:
    found = imported(COMPANION / name)
    foreign = {module for module in found if module.split(".")[0] not in sys.stdlib_module_names}
    assert foreign <= ({"companion.core"} if name in BARE else {"companion.core", *RECORD})
    assert name != "core.py" or "companion.core" not in found


ARROWS: Final = {
    "line.py": {"core", "chance", "record"},
    "session.py": {"core", "journal", "chance", "games", "words", "line", "record"},
    "moments.py": {"core", "words"},
    "forms.py": {"core"},
    "events.py": set[str](),
    "rest.py": set[str](),
    "chords.py": set[str](),
    "plates.py": {"canvas", "words"},
    "guard.py": {"chords", "plates", "rest", "words"},
    "lights.py": {"core", "forms", "session"},
    "loop.py": {
        "chords",
        "core",
        "events",
        "faces",
        "guard",
        "journal",
        "lights",
        "plates",
        "screens",
        "system",
        "words",
    },
    "policy.py": {"core", "words"},
    "signs.py": set[str](),
    "helps.py": {"controls", "core", "wheel"},
    "scenes.py": {"controls", "core", "moments", "screens", "session"},
    "frames.py": {"controls", "home.rules", "moments", "screens", "session", "words"},
    "begin.py": {"chance", "editions", "games", "session"},
    "faces.py": {"signs", "voice"},
    "home/facts.py": {"games", "home.rules", "journal", "session"},
    "controls.py": {"core", "wheel"},
    "wheel.py": {"core"},
    "canvas.py": set[str](),
    "dictionary.py": {"games.shared"},
    "screens.py": {
        "core",
        "games",
        "canvas",
        "controls",
        "wheel",
        "words",
        "session",
        "home.words",
    },
    "words.py": {"core", "games"},
    "voice.py": {"core", "policy", "words"},
    "stdio.py": {"core", "journal", "session", "words"},
    "simulate.py": {"core", "session", "wheel", "words"},
    "verify.py": {"core", "journal", "record", "session", "words"},
    "home/rules.py": {"core", "games", "journal"},
    "home/words.py": {"core", "journal", "words", "canvas"},
    "games/shared.py": {"core"},
}


@pytest.mark.parametrize("name", ARROWS)
def test_a_module_knows_only_those_before_it(name: str) -> None:
    assert ours(COMPANION / name, "companion") <= ARROWS[name]


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_library_is_used_where_it_belongs(path: Path) -> None:
    for module in imported(path):
        library = module.split(".")[0]
        if library in WHERE:
            assert path.parent == HARDWARE
            assert path.name in WHERE[library]


def test_only_the_composition_root_knows_what_hardware_there_is() -> None:
    for path in COMPANION.rglob("*.py"):
        if path.name not in ("cli.py", "commands.py", "examine.py", "stopped.py"):
            assert ours(path, "hardware") <= {"hardware"}, path


def test_nobody_reads_a_clock_but_the_composition_root() -> None:
    allowed = {"cli.py", "commands.py", "simulate.py", "repair.py"}  # a stopwatch, a file's date
    for path in COMPANION.rglob("*.py"):
        if path.name not in allowed:
            assert not {"time", "datetime"} & imported(path), path


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_file_can_be_read_in_one_sitting(path: Path) -> None:
    most = LONGER.get(name_of(path), MOST_LINES)
    assert len(path.read_text("utf-8").splitlines()) <= most


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_a_function_fits_a_screen(path: Path) -> None:
    for function in functions(path):
        first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        assert (function.end_lineno or first) - first < LONGEST, function.name


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_errors_are_caught_by_name_or_thrown_on(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.ExceptHandler) and not isinstance(node.body[-1], ast.Raise):
            caught = (
                {name.id for name in ast.walk(node.type) if isinstance(name, ast.Name)}
                if (node.type)
                else {"BaseException"}
            )
            assert not caught & {"Exception", "BaseException"}, f"line {node.lineno}"


@pytest.mark.parametrize("path", FILES, ids=name_of)
def test_nothing_sleeps(path: Path) -> None:
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Call):
            called = node.func
            name = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
            assert name != "sleep", f"line {node.lineno}"
