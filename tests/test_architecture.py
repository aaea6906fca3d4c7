"""Tests of the imports that each package may have, and of the structure of the code."""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path
from typing import Final

import checked_input
import companion
import hardware
from companion.cmd.commands import find_package_commands
from tests.source import methods_by_class, syntax_nodes

COMPANION: Final = Path(companion.__file__).parent
CHECKED_INPUT: Final = Path(checked_input.__file__).parent
HARDWARE: Final = Path(hardware.__file__).parent
ROOT: Final = COMPANION.parent
HOUSES: Final = (COMPANION, CHECKED_INPUT, HARDWARE)
BESIDE: Final = {path.name: path for path in ROOT.glob("packages/companion-*/companion_*")}
"""The folders of packages that plug into the box by entry points. The box does not import them."""
FILES: Final = sorted(file for house in (*HOUSES, *BESIDE.values()) for file in house.rglob("*.py"))
ROOMS: Final[dict[str, set[str]]] = {
    "core": set(),
    "record": {"core"},
    "press": {"core"},
    "catalog": {"core"},
    "play": {"core", "record", "press", "catalog"},
    "say": {"core", "catalog"},
    "draw": {"core", "press", "catalog", "say"},
    "hear": {"core", "say"},
    "games": {"core", "catalog", "press", "say", "draw"},
    "figures": {"core", "record", "catalog", "play", "say"},
    "door": {"core", "record", "play", "say", "figures"},
    "seat": {"core", "record", "play", "say", "door"},
    "page": {"core", "catalog", "say", "door"},
    "menus": {"core", "record", "press", "catalog", "play", "say", "draw", "hear", "figures"},
    "table": {"core", "press", "catalog", "play", "say", "draw", "hear", "figures", "menus"},
    "box": {
        "core",
        "record",
        "press",
        "catalog",
        "play",
        "say",
        "draw",
        "hear",
        "figures",
        "door",
        "menus",
        "table",
    },
    "remote": {
        "core",
        "record",
        "catalog",
        "play",
        "say",
        "hear",
        "figures",
        "door",
        "menus",
        "table",
        "box",
    },
    "cmd": {
        "core",
        "record",
        "press",
        "catalog",
        "play",
        "say",
        "draw",
        "hear",
        "figures",
        "menus",
        "table",
        "box",
        "remote",
        "door",
        "page",
        "seat",
    },
}
"""Each package in companion/, in the order of a press, with the packages that it may import."""
PACKAGES: Final = {
    "companion_club": {"core", "say", "door"},
    "companion_testing": {
        "core",
        "record",
        "press",
        "catalog",
        "play",
        "say",
        "draw",
        "door",
        "seat",
    },
}
"""The packages of `companion/` that a package in `packages/` may import.

`WHOLE` names the folders that may import more. The test kit checks sessions, sentences, frames
and lines of text, so it needs neither the box nor the hardware.
"""
WHOLE: Final = {"box", "commands"}
"""The folders of a package that may import as much as `cmd/` does."""
BARE: Final = {"core", "record", "catalog"}
"""Packages that may import only the standard library and `checked_input`."""
PORTS: Final = {"press", "draw", "hear", "table", "box", "cmd"}
"""Packages that may import the hardware's ports, such as an edge or a speaker."""
LONGEST: Final = 40
"""Maximum number of lines in a function."""
WHERE: Final = {
    "gpiozero": {"gpio.py"},
    "gpiozero_gpiod": {"gpio.py"},
    "gpiod": set(),
    "luma": {"luma.py"},
    "pygame": {"speaker.py"},
    "onnxruntime": {"piper_voices.py"},
    "piper": {"piper_voices.py"},
    "textual": {"terminal.py"},
    "PIL": {"luma.py"},
}
"""Libraries, and the only files of hardware/ that may use each of them."""


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def imported(path: Path) -> set[str]:
    """Return every module that a file imports, also inside functions and for types only."""
    found = set()
    for node in syntax_nodes(path):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            module = str(node.module)
            here = place_of(module)
            for alias in node.names:
                is_module = (here / f"{alias.name}.py").exists() or (here / alias.name).is_dir()
                found.add(f"{module}.{alias.name}" if is_module else module)
    return found


def place_of(module: str) -> Path:
    """Return the path of a module of this project without its suffix."""
    first, *inner = module.split(".")
    return BESIDE.get(first, ROOT / first).joinpath(*inner)


def ours(path: Path, package: str) -> set[str]:
    """Return the modules of `package` that a file imports, named without `package`."""
    return {
        module.removeprefix(f"{package}.")
        for module in imported(path)
        if module == package or module.startswith(f"{package}.")
    }


def functions(path: Path) -> Iterator[ast.FunctionDef | ast.AsyncFunctionDef]:
    for node in syntax_nodes(path):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node


def paths(pattern: str) -> list[Path]:
    found = sorted(ROOT.glob(pattern))
    assert found, pattern
    return found


def wrong(files: Iterable[Path], told: Callable[[Path], object]) -> dict[str, object]:
    """Return the results of `told` that are not empty, by file."""
    return {name_of(path): found for path in files if (found := told(path))}


def room_of(module: str) -> str:
    """Return the package of a module that is named without `companion.`."""
    return module.partition(".")[0]


def test_the_reader_of_imports_sees_them_all() -> None:
    assert "companion.play.session" in imported(COMPANION / "box/games.py")
    assert "hardware.ports" in imported(COMPANION / "press/controls.py")
    assert "companion.catalog.first_turn_roll" in imported(
        COMPANION / "games/barney_miller/rules/rules.py"
    )
    assert "companion.table.moves" in imported(COMPANION / "box/runner.py")
    assert HARDWARE / "boards/user_board.py" in map(file_of, modules(HARDWARE / "pins/pi.py"))


def test_hardware_knows_nothing_of_the_companion() -> None:
    assert not wrong(paths("hardware/**/*.py"), lambda path: ours(path, "companion"))


def test_boards_and_editions_are_read_by_what_knows_neither() -> None:
    """`hardware` may not import `companion`, and `games` may not import `hardware`."""
    assert not wrong(paths("checked_input/*.py"), lambda path: foreign(path) - {"checked_input"})


ARCHITECTURE: Final = ROOT / "docs" / "architecture.md"


def drawn() -> dict[str, str]:
    """Return the packages in docs/architecture.md, with the imports that each may have."""
    rows = re.findall(
        r"^\| `(\w+)/` \| ([^|]+) \| .+ \|$", ARCHITECTURE.read_text("utf-8"), re.MULTILINE
    )
    return dict(rows)


def test_the_rooms_of_the_architecture_are_those_of_the_tree() -> None:
    assert list(drawn()) == list(ROOMS)
    for room, known in drawn().items():
        named = {*known.split(", ")} - {"nothing"}
        words = {*ROOMS} - {"games"} if known == "everything" else named
        assert words - {room} == ROOMS[room], room


def test_the_architecture_is_read_in_ten_minutes() -> None:
    assert len(ARCHITECTURE.read_text("utf-8").split()) <= 1500


def test_a_file_that_a_page_on_the_house_names_is_there() -> None:
    files = {file.name for file in (*FILES, *ROOT.glob("tests/**/*.py"))}
    pages = [ROOT / "docs" / f"{name}.md" for name in ("architecture", "boot", "decisions")]
    for page in pages:
        named = set(re.findall(r"`(?:\w+/)*(\w+\.py)`", page.read_text("utf-8")))
        assert named <= files, f"{page.name}: {named - files}"


def test_each_decision_has_its_reason_and_what_was_rejected() -> None:
    page = (ROOT / "docs" / "decisions.md").read_text("utf-8")
    entries = re.split(r"^### ", page, flags=re.MULTILINE)[1:]
    parts = ("- **Decision.** ", "- **Why.** ", "- **Rejected.** ")
    assert len(entries) > 30
    assert [entry for entry in entries if [entry.count(part) for part in parts] != [1, 1, 1]] == []


def test_no_arrow_between_rooms_runs_back() -> None:
    rooms = list(ROOMS)
    for room, known in ROOMS.items():
        assert {rooms.index(name) for name in known} <= set(range(rooms.index(room))), room


def test_every_file_stands_in_a_room() -> None:
    found = {room_of(name_of(path)[10:-3].replace("/", ".")) for path in COMPANION.rglob("*.py")}
    assert found == {*ROOMS, "__init__", "__main__"}


def module_of(path: Path) -> str:
    return name_of(path).removeprefix("companion/").removesuffix(".py").replace("/", ".")


def test_a_room_knows_only_those_before_it() -> None:
    def strange(path: Path) -> set[str]:
        module = module_of(path)
        room, game = room_of(module), ".".join(module.split(".")[:2])
        return {
            other
            for other in ours(path, "companion")
            if room_of(other) not in {*ROOMS[room], room}
            or (room == room_of(other) == "games" and not f"{other}.".startswith(f"{game}."))
        }

    assert not wrong(paths("companion/*/**/*.py"), strange)


def test_the_box_does_not_know_the_packages_beside_it() -> None:
    assert PACKAGES.keys() == BESIDE.keys()
    kinds = {".css", ".html", ".js", ".po", ".py", ".toml", ".txt"}
    files = [file for house in HOUSES for file in house.rglob("*") if file.suffix in kinds]
    assert not wrong(
        files, lambda path: [name for name in BESIDE if name in path.read_text("utf-8")]
    )


def test_the_schema_of_the_lines_is_read_by_checks_alone() -> None:
    schema = "companion.door.line_fields"
    assert not wrong(COMPANION.rglob("*.py"), lambda path: imported(path) & {schema})


ADDED: Final = ("club", "evening")
"""Words that no name of a file, page or setting of the box may contain."""
PLACES: Final = COMPANION / "games" / "kojak"
"""This game has a place with the name club."""


def test_the_box_names_no_service_of_a_package() -> None:
    ours = [path for path in COMPANION.rglob("*") if path.is_file() and path.suffix != ".pyc"]
    files = [path for path in ours if PLACES not in path.parents]
    assert not [path for path in files if path.stem.startswith(ADDED)]
    keys = re.compile(r"^msgid .*evening", re.MULTILINE)
    assert not wrong(COMPANION.glob("say/**/*.po"), lambda path: keys.findall(path.read_text()))

    def naming(path: Path) -> set[str]:
        found = {word for text in texts(path) for word in re.findall("[a-z]+", text)}
        return found & {*ADDED}

    assert not wrong((path for path in files if path.suffix == ".py"), naming)


def test_no_file_of_cmd_names_a_command_of_a_package() -> None:
    added = {*find_package_commands()}
    assert len(added) > 3
    assert not wrong(paths("companion/cmd/*.py"), lambda path: added & {*texts(path)})


def test_a_package_beside_the_box_knows_only_the_rooms_of_its_row() -> None:
    def strange(path: Path) -> set[str]:
        (name,) = {*BESIDE} & {*path.parts}
        others = {*BESIDE} - {name}
        rooms = {*ROOMS} if path.parent.name in WHOLE else PACKAGES[name]
        known = {room_of(module) for module in ours(path, "companion")}
        return (known - rooms) | (foreign(path) & {*others, "hardware"})

    files = (file for folder in BESIDE.values() for file in folder.rglob("*.py"))
    assert not wrong(files, strange)


def test_no_folder_stands_in_a_circle() -> None:
    needs: dict[Path, set[Path]] = {}
    for path in FILES:
        others = {file_of(module).parent for module in modules(path)}
        needs[path.parent] = needs.get(path.parent, set()) | others - {path.parent}
    TopologicalSorter(needs).prepare()  # raises CycleError


def test_no_file_of_a_room_stands_in_a_circle() -> None:
    needs = {path: {file_of(module) for module in modules(path)} for path in FILES}
    for path in {there for found in needs.values() for there in found} - needs.keys():
        needs[path] = {file_of(module) for module in modules(path)}
    TopologicalSorter(needs).prepare()  # raises CycleError


def modules(path: Path) -> set[str]:
    """Return the modules of this project that a file imports, except the file's own."""
    houses = {house.name for house in HOUSES} | {*BESIDE}
    found = {name for name in imported(path) if name.split(".")[0] in houses}
    return {name for name in found if file_of(name).exists() and file_of(name) != path}


def file_of(module: str) -> Path:
    """Return the file of a module, or the `__init__.py` of a package."""
    there = place_of(module)
    package = there / "__init__.py"
    return package if package.exists() else there.with_suffix(".py")


OUTSIDE: Final = {"io", "os", "queue", "shutil", "socket", "subprocess", "threading"}
"""Standard modules that access files, processes, threads or the network."""


def test_the_table_and_the_menus_do_no_input_or_output() -> None:
    files = [*paths("companion/table/*.py"), *paths("companion/menus/*.py")]
    assert not wrong(files, lambda path: imported(path) & OUTSIDE)


def foreign(path: Path) -> set[str]:
    """Return the packages outside the standard library that a file imports."""
    return {module.split(".")[0] for module in imported(path)} - sys.stdlib_module_names


def test_a_room_needs_no_more_than_it_may() -> None:
    def too_much(path: Path) -> set[str]:
        room = room_of(module_of(path))
        if room in BARE:
            return foreign(path) - {"companion", "checked_input"}
        return set() if room in PORTS else foreign(path) & {"hardware"}

    assert not wrong(paths("companion/*/**/*.py"), too_much)


def test_a_library_is_used_where_it_belongs() -> None:
    def elsewhere(path: Path) -> set[str]:
        own = {name for name, files in WHERE.items() if path.name in files}
        return foreign(path) & WHERE.keys() - (own if HARDWARE in path.parents else set())

    assert not wrong(FILES, elsewhere)


def test_one_file_speaks_mqtt() -> None:
    """Only one file may import paho, because the import is slow."""
    mqtt = [path for path in FILES if "paho" in foreign(path)]
    assert mqtt == [BESIDE["companion_club"] / "broker.py"]


def test_only_the_composition_root_knows_what_hardware_there_is() -> None:
    for path in COMPANION.rglob("*.py"):
        if path.parent.name != "cmd":
            assert ours(path, "hardware") <= {"ports"}, path


def test_nobody_reads_a_clock_but_the_composition_root() -> None:
    allowed = {"simulate.py", "files.py", "times.py", "catalogues.py"}
    # these measure a duration, read a file's date, use a calendar, and have a constant date
    for path in COMPANION.rglob("*.py"):
        if path.parent.name != "cmd" and path.name not in allowed:
            assert not {"time", "datetime"} & imported(path), path


def test_a_module_that_is_named_is_there() -> None:
    named = re.compile(r"`((?:companion|checked_input|hardware)(?:\.[a-z_]+)+)`")

    def gone(path: Path) -> list[str]:
        names = named.findall(path.read_text("utf-8"))
        return [name for name in names if not file_of(name).exists()]

    assert not wrong(FILES, gone)


def test_a_function_fits_a_screen() -> None:
    def lines(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
        first = min([function.lineno, *(d.lineno for d in function.decorator_list)])
        return (function.end_lineno or first) - first + 1

    def too_long(path: Path) -> list[str]:
        return [function.name for function in functions(path) if lines(function) > LONGEST]

    assert not wrong(FILES, too_long)


METHODS: Final = {"companion/box": 25, "companion/remote": 25}
"""Maximum number of methods in a class, by folder. Elsewhere it is `MOST_METHODS`."""
MOST_METHODS: Final = 30
LARGE_CLASSES: Final = {
    "Journal": 34,  # callers read and commit games, and also open, repair and copy the file
    "ServiceWords": 55,  # inherits from `Words`
    "Words": 55,  # hundreds of calls look up both sentences and events in one value
}
"""The maximum numbers of methods of the classes that may be larger, each with the reason."""
MOST_FILES: Final = 25
"""Maximum number of source files in a folder."""


def test_no_class_has_too_many_methods() -> None:
    large = {
        name: len(methods)
        for (path, name), methods in methods_by_class(FILES).items()
        if len(methods) > most_methods(path, name)
    }
    assert large == {}


def most_methods(path: Path, name: str) -> int:
    of_folder = METHODS.get(path.parent.relative_to(ROOT).as_posix(), MOST_METHODS)
    return LARGE_CLASSES.get(name, of_folder)


def test_methods_of_a_class_include_asynchronous_and_inherited_ones() -> None:
    handlers = COMPANION / "page" / "handlers.py"
    methods = methods_by_class(FILES)[handlers, "EventStreamHandler"]
    assert {"_catch_up", "get", "send_json"} <= methods


def test_no_folder_has_too_many_files() -> None:
    folders = Counter(path.parent for path in FILES if path.name != "__init__.py")
    assert {folder: n for folder, n in folders.items() if n > MOST_FILES} == {}


EVERYTHING: Final = {
    "companion/box/loop.py": 1, "companion/remote/remote_clients.py": 1,
    "companion/cmd/first.py": 2,
    "companion/draw/contain.py": 1, "companion/figures/game_statistics.py": 1,
    "companion/catalog/services.py": 1,
}  # fmt: skip
"""Files that may catch every Exception and continue, with the number of handlers.

The code of a game, of its face or of a service, and a line at the door, can raise any exception.
None of these exceptions may end an evening. The file of the first screen can have any version,
and must not prevent a start.
"""


def test_errors_are_caught_by_name_or_thrown_on() -> None:
    def swallows(node: ast.AST) -> bool:
        if not isinstance(node, ast.ExceptHandler) or isinstance(node.body[-1], ast.Raise):
            return False
        names = [name.id for name in ast.walk(node.type or node) if isinstance(name, ast.Name)]
        return node.type is None or bool({"Exception", "BaseException"} & {*names})

    assert wrong(FILES, lambda path: sum(map(swallows, syntax_nodes(path)))) == EVERYTHING


def test_an_assert_only_tells_mypy_what_is_known() -> None:
    """Ruff permits them (S101). Failures raise their own errors, because `-O` removes asserts."""

    def narrows(test: ast.expr) -> bool:
        match test:
            case ast.BoolOp(op=ast.And()):
                return all(map(narrows, test.values))
            case ast.UnaryOp(op=ast.Not()):
                return narrows(test.operand)
            case ast.Compare(ops=[ast.IsNot()], comparators=[ast.Constant(value=None)]):
                return True
            case ast.Call(func=ast.Name(id="isinstance")):
                return True
        return False

    def others(path: Path) -> list[int]:
        found = [node for node in syntax_nodes(path) if isinstance(node, ast.Assert)]
        return [node.lineno for node in found if not narrows(node.test)]

    assert not wrong(FILES, others)


def test_only_a_change_assigns_the_table_and_the_game_of_a_box() -> None:
    """Only `Turn` can undo an assignment (`Turn.change`)."""

    def assigns(path: Path) -> bool:
        stored = [node for node in syntax_nodes(path) if isinstance(node, ast.Attribute)]
        return any(isinstance(n.ctx, ast.Store) and n.attr in ("table", "game") for n in stored)

    assert [*filter(assigns, paths("companion/box/*.py"))] == [COMPANION / "box/turn.py"]


def test_only_those_who_put_the_box_together_know_all_its_services() -> None:
    """Other files get single services, or `Basics`."""
    knowing = {path.name for path in FILES if "companion.box.services" in imported(path)}
    assert knowing == {"loop.py", "reader.py", "runner.py", "remote_clients.py"}


def test_only_a_change_commits_the_game_of_a_box() -> None:
    def commits(path: Path) -> bool:
        called = [node.func for node in syntax_nodes(path) if isinstance(node, ast.Call)]
        return any(isinstance(func, ast.Attribute) and func.attr == "commit" for func in called)

    assert {*filter(commits, paths("companion/box/*.py"))} == {COMPANION / "box/turn.py"}


SLEEPING: Final = {"companion/cmd/first.py"}
"""This file waits for devices: the standard library does not report new devices."""


def test_nothing_sleeps() -> None:
    def sleeping(path: Path) -> list[str]:
        calls = [node for node in syntax_nodes(path) if isinstance(node, ast.Call)]
        named = [(call, getattr(call.func, "attr", getattr(call.func, "id", ""))) for call in calls]
        return [f"line {call.lineno}" for call, name in named if name == "sleep"]

    assert wrong(FILES, sleeping).keys() == SLEEPING


GAMES: Final = re.compile(r"(barney.miller|baretta|kojak|probe)\b", re.IGNORECASE)
NAMED: Final = {
    "companion/catalog/registry.py": "the list of the built-in games",
    "packages/companion-club/companion_club/commands/organiser.py": "the game of most evenings",
}
"""The files that may name a game, and the reasons."""


def texts(path: Path) -> Iterator[str]:
    """Yield a file's strings, except docstrings, and the modules that it imports."""
    said = {id(node.value) for node in syntax_nodes(path) if isinstance(node, ast.Expr)}
    for node in syntax_nodes(path):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in said:
            yield node.value
    yield from imported(path)


def test_no_file_outside_its_own_folder_names_a_game() -> None:
    files = [file for file in FILES if COMPANION / "games" not in file.parents]
    naming = {name_of(file) for file in files if any(map(GAMES.search, texts(file)))}
    assert naming == {*NAMED}


def test_no_sentence_of_the_box_nor_script_of_the_page_names_a_game() -> None:
    others = [*COMPANION.glob("say/locale/en/**/*.po"), *COMPANION.glob("page/**/*.*s")]
    assert not [name_of(file) for file in others if GAMES.search(file.read_text("utf-8"))]
