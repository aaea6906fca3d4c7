"""Measure how much code a reader must read: `python -m tests.structure`.

A profiler counts the called functions of this project, each once, and the files with them.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache
from importlib import import_module
from operator import itemgetter
from pathlib import Path
from statistics import median_low
from types import FrameType
from typing import Final

import click

from companion.catalog import registry
from companion.draw import screens
from tests.door.callers import House
from tests.helpers import OWN_PARTS_OPTIONS, VIRTUAL_PARTS_OPTIONS, Drive, begin_game, setup_for
from tests.source import methods_by_class, parse_file

ROOT: Final = Path(__file__).parents[1]
CLUB_FOLDER: Final = "packages/companion-club/companion_club"
SOURCE_FOLDERS: Final = ("companion", "hardware", "checked_input", "sounds", CLUB_FOLDER)
FOLDERS_OF_NAMES: Final = (
    "companion",
    "hardware",
    "checked_input",
    "sounds",
    "packages",
    "book",
    "web",
)
"""Folders whose names are checked."""
OWN_FILE_PREFIXES: Final = tuple(f"{ROOT / source}/" for source in SOURCE_FOLDERS)
IRREGULAR_PARTICIPLES: Final = (
    "begun|bent|bound|bought|brought|broken|built|caught|chosen|dealt|done|drawn|driven|felt|flown|"
    "forgotten|found|frozen|given|gone|grown|heard|held|hidden|hung|kept|laid|lain|led|lit|lost|"
    "made|meant|met|misspelt|paid|risen|said|sat|seen|sent|shown|spelt|spent|spoken|stolen|stood|"
    "struck|sworn|taken|taught|thought|thrown|told|torn|understood|woken|won|worn|written"
)
"""Past participles without "ed", except verbs with an equal infinitive, such as "read"."""
PARTICLE_WORDS: Final = "again|as|aside|at|away|back|by|down|for|from|in|of|on|out|over|to|up"
PARTICIPLE_PATTERN: Final = re.compile(
    rf"(?!(?:\w*[ps]eed|need|exceed|embed)$)(?:{IRREGULAR_PARTICIPLES}|[a-z]{{2,}}ed)(?:_(?:{PARTICLE_WORDS}))*"
)
"""A bare past participle, such as `told` or `handed_over`."""
VAGUE_NAME_PATTERN: Final = re.compile(
    r"_?(?:\w+_)?(?:MOST|FEW|FEWEST|LEAST|LONGEST|SHORTEST)(?:_\w+)?"
)


COMPREHENSIONS: Final = {"<listcomp>", "<setcomp>", "<dictcomp>"}
"""Names of comprehensions, which are functions only up to Python 3.11 (PEP 709)."""


def called_functions(do: Callable[[], object]) -> Counter[tuple[str, str, int]]:
    """Return the functions that `do` calls (file, name, line), with the number of calls."""
    found: Counter[tuple[str, str, int]] = Counter()

    def note(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        is_ours = (
            code.co_filename.startswith(OWN_FILE_PREFIXES) and code.co_name not in COMPREHENSIONS
        )
        if event == "call" and is_ours:
            found[code.co_filename, code.co_name, code.co_firstlineno] += 1

    sys.setprofile(note)
    try:
        do()
    finally:
        sys.setprofile(None)
    return found


def count_hops(do: Callable[[], object]) -> tuple[int, int, int]:
    """Return the numbers of functions and files that `do` uses, and of frames that it composes.

    The functions of `draw.screens` compose frames.
    """
    found = called_functions(do)
    frames = {code: n for code, n in found.items() if code[0] == screens.__file__}
    composed = sum(n for (_, name, _), n in frames.items() if name.endswith("_frame"))
    return len(found), len({file for file, *_ in found}), composed


def record_press() -> Drive:
    """Return a box on which OK plays a card of Barney Miller, after all imports."""
    drive = Drive(begin_game(setup_for(OWN_PARTS_OPTIONS | {"die": "real"}), [4]))
    drive.resume()
    for _ in range(2):
        drive.press("ok")
        drive.skip()
    return drive


def hops_of_a_press() -> tuple[int, int, int]:
    """Return the hops of an OK press that plays a card of Barney Miller."""
    drive = record_press()
    return count_hops(lambda: drive.press("ok"))


def hops_of_a_line() -> tuple[int, int, int]:
    """Return the hops of an answer through the door, with two watchers."""
    house = House(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS | {"die": "real"})))
    house.drive.resume()
    caller = house.caller(owner=True)
    caller.say(watch=True)
    house.caller().say(watch=True)
    return count_hops(lambda: caller.say(answer=4))


def hops_of_a_forgotten_phone() -> tuple[int, int]:
    """Return the numbers of functions and files that are used only to forget a phone."""
    house = House(begin_game(setup_for(VIRTUAL_PARTS_OPTIONS)))
    house.drive.resume()
    house.drive.skip()
    caller = house.phone("Fish")
    others = called_functions(house.open_phones) + called_functions(
        lambda: caller.say(nothing=True)
    )
    for value in ("of Fish", "remove"):
        house.drive.turn_to(value)
        forgets = called_functions(lambda: house.drive.press("ok"))
    house.drive.press("back")
    house.drive.choose("settings")
    house.drive.turn_to("trust")
    others += called_functions(lambda: house.drive.press("ok"))
    only = forgets.keys() - others.keys()
    return len(only), len({file for file, *_ in only})


def syntax_trees() -> Iterator[ast.Module]:
    for source in SOURCE_FOLDERS:
        for file in sorted((ROOT / source).rglob("*.py")):
            yield ast.parse(file.read_text("utf-8"))


def count_late_imports(tree: ast.Module) -> int:
    """Return the number of imports inside functions."""
    return sum(
        isinstance(statement, ast.Import | ast.ImportFrom)
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for statement in ast.walk(function)
    )


def count_lines(*folders: str) -> int:
    files = (file for folder in folders for file in (ROOT / folder).rglob("*.py"))
    return sum(file.read_text("utf-8").count("\n") for file in files)


def largest_class(*folders: str, inherited: bool) -> tuple[str, int]:
    """Return the class with the most methods and properties, and their number.

    If `inherited` is True, methods of base classes in the folders of the source count, too.
    """
    files = (file for one in SOURCE_FOLDERS for file in (ROOT / one).rglob("*.py"))
    found = methods_by_class(files, inherited=inherited)
    inside = tuple(ROOT / folder for folder in folders)
    return max(
        (
            (name, len(methods))
            for (file, name), methods in found.items()
            if any(file.is_relative_to(folder) for folder in inside)
        ),
        key=itemgetter(1),
    )


def files_that_assign() -> list[str]:
    """Return the files of the box that assign its table or its game."""
    return [
        file.name
        for file in sorted((ROOT / "companion" / "box").glob("*.py"))
        if any(
            isinstance(node, ast.Attribute)
            and isinstance(node.ctx, ast.Store)
            and node.attr in ("table", "game")
            for node in ast.walk(ast.parse(file.read_text("utf-8")))
        )
    ]


def files_that_commit() -> list[str]:
    """Return the files of the box and its clients that commit a game, except `turn.py`."""
    return [
        file.name
        for folder in ("box", "remote")
        for file in sorted((ROOT / "companion" / folder).glob("*.py"))
        if file.name != "turn.py" and ".commit()" in file.read_text("utf-8")
    ]


ORDERED_STEPS: Final = (
    {"show_frame"}, {"commit", "_write"}, {"announce_facts"}, {"publish_game_state"},
)  # fmt: skip
"""The ordered steps of a change, by their methods: show, write, speak, publish."""


def step_orders() -> list[str]:
    """Return the functions of the box and its clients that contain at least three ordered steps."""

    def steps(function: ast.FunctionDef) -> int:
        named = {node.attr for node in ast.walk(function) if isinstance(node, ast.Attribute)}
        return sum(bool(step & named) for step in ORDERED_STEPS)

    return [
        f"{file.stem}.{node.name}"
        for folder in ("box", "remote")
        for file in sorted((ROOT / "companion" / folder).glob("*.py"))
        for node in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(node, ast.FunctionDef) and steps(node) > len(ORDERED_STEPS) - 2
    ]


def source_texts(files: Iterable[Path]) -> dict[Path, str]:
    return {file: file.read_text("utf-8") for file in files}


def files_naming(names: Iterable[str], pattern: str, files: Mapping[Path, str]) -> dict[str, int]:
    """Return the number of files in which each name's pattern occurs."""
    return {
        name: sum(bool(re.search(pattern.replace("NAME", re.escape(name)), text))
                  for text in files.values())
        for name in names
    }  # fmt: skip


def named_commands(tree: ast.Module) -> set[str]:
    """Return the commands that a file names, alone or as `commands.NAME`."""
    return {
        name
        for node in ast.walk(tree)
        for name in (
            [one.name for one in node.names]
            if isinstance(node, ast.ImportFrom) and node.module == "companion.menus.commands"
            else [node.attr]
            if isinstance(node, ast.Attribute) and ast.unparse(node.value) == "commands"
            else []
        )
    }


def files_per_command() -> dict[str, int]:
    """Return the number of files in `companion/` that name each command."""
    files = [parse_file(file) for file in (ROOT / "companion").rglob("*.py")]
    here = (ROOT / "companion" / "menus" / "commands.py").read_text("utf-8")
    named = Counter(name for tree in files for name in named_commands(tree))
    return {
        name: 1 + named[name]
        for name in re.findall(r"^class (\w+)\(BaseCommand\)", here, re.MULTILINE)
    }


def names_of_games(kind: str) -> dict[str, int]:
    """Return the number of a game's files, with catalogues, that name each fact or question.

    kind: "fact" or "question". Other meanings of the same word are counted, too.
    """
    found = dict[str, int]()
    for name in registry.BUILT_IN_GAMES:
        folder = registry.game_folder(name)
        files = source_texts([*folder.rglob("*.py"), *folder.rglob("*.po")])
        if kind == "fact":
            facts = import_module(f"{registry.game_module_name(name)}.shown.facts").FACTS
            own, pattern = [key for key in facts if key and "." not in key], r"cue\.NAME\."
        else:
            own, pattern = [*registry.find_game(name).on], r"\.(?:ask|say|option)\.NAME\b"
        each = files_naming(own, rf'"NAME"|{pattern}', files)
        found |= {f"{name} {one}": n for one, n in each.items()}
    return found


def format_names(found: Mapping[str, int]) -> str:
    """Return the median number of files, and the name with the most files."""
    most = max(found, key=lambda name: found[name])
    return f"{median_low(found.values())} (most: {found[most]}, {most})"


@cache
def named_files() -> tuple[tuple[str, ast.Module], ...]:
    """Return the syntax trees of the files whose names are checked, with their packages."""
    return tuple(
        ("/".join(parts[: 1 if len(parts) == 2 else 2]), parse_file(file))
        for folder in FOLDERS_OF_NAMES
        for file in sorted((ROOT / folder).rglob("*.py"))
        if not {"tests", "build"} & {*(parts := file.relative_to(ROOT).parts)}
    )


def public_functions(node: ast.AST) -> Iterator[str]:
    """Yield the names of public functions and methods, except functions inside functions."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            if not child.name.startswith("_"):
                yield child.name
        elif not isinstance(child, ast.expr):
            yield from public_functions(child)


def constants(tree: ast.Module) -> Iterator[str]:
    """Yield the names of a module's constants."""
    for node in tree.body:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        for target in filter(None, targets):
            yield from (name.id for name in ast.walk(target) if isinstance(name, ast.Name))


def count_participles() -> Counter[str]:
    """Return the number of public functions named by a bare participle, by package."""
    return Counter(
        package
        for package, tree in named_files()
        for name in public_functions(tree)
        if PARTICIPLE_PATTERN.fullmatch(name)
    )


def count_vague_constants() -> Counter[str]:
    """Return the number of constants such as MOST, which name no thing and no unit, by package."""
    return Counter(
        package
        for package, tree in named_files()
        for name in constants(tree)
        if VAGUE_NAME_PATTERN.fullmatch(name)
    )


def hops_in_the_box(do: Callable[[], object]) -> tuple[int, int]:
    """Return the hops of `do` in menus, table and box, and the number of unnamed functions.

    Unnamed functions are lambdas, and comprehensions before Python 3.12.
    """
    folders = tuple(f"{ROOT / 'companion' / folder}/" for folder in ("menus", "table", "box"))
    names = [name for file, name, _ in called_functions(do) if file.startswith(folders)]
    return len(names), sum(name.startswith("<") for name in names)


def count_any_annotations() -> int:
    """Return how often the source has `Any`, except in imports."""
    return sum(
        isinstance(node, ast.Name) and node.id == "Any"
        for tree in syntax_trees()
        for node in ast.walk(tree)
    )


def count_many_parameter_functions() -> int:
    """Return the number of functions with more than five parameters besides `self`."""
    functions = (
        node.args
        for tree in syntax_trees()
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    )
    named = (
        [one.arg for one in (*args.posonlyargs, *args.args, *args.kwonlyargs)] for args in functions
    )
    return sum(len([name for name in names if name not in ("self", "cls")]) > 5 for names in named)


def fullest_folder() -> tuple[str, int]:
    """Return the folder with the most source files, and their number."""
    found = Counter(
        file.parent.relative_to(ROOT).as_posix()
        for source in SOURCE_FOLDERS
        for file in (ROOT / source).rglob("*.py")
        if file.name != "__init__.py"
    )
    return found.most_common(1)[0]


def print_design_figures() -> None:
    for what, folders in (("box", ("companion/box",)), ("the house", SOURCE_FOLDERS)):
        own, methods = largest_class(*folders, inherited=False)
        name, all_methods = largest_class(*folders, inherited=True)
        click.echo(
            f"largest class of {what}: {own}, {methods} methods; "
            f"with inherited methods: {name}, {all_methods}"
        )
    click.echo(f"files that assign table or game: {', '.join(files_that_assign())}")
    click.echo(f"commits of a game outside Turn: {len(files_that_commit())}")
    click.echo(
        f"orders of show, write, speak, publish: {len(step_orders())}: {', '.join(step_orders())}"
    )
    click.echo(f"files per command: {format_names(files_per_command())}")
    for kind in ("fact", "question"):
        click.echo(f"files per {kind} of a game: {format_names(names_of_games(kind))}")
    drive = record_press()
    every, nameless = hops_in_the_box(lambda: drive.press("ok"))
    click.echo(f"OK press, in menus, table and box: {every}, {nameless} of them without a name")
    click.echo(
        f"`Any`: {count_any_annotations()}; "
        f"more than 5 parameters: {count_many_parameter_functions()}"
    )
    for what, by_package in (
        ("functions named by a bare participle", count_participles()),
        ("constants such as MOST or FEW", count_vague_constants()),
    ):
        rows = ", ".join(f"{package} {n}" for package, n in by_package.most_common())
        click.echo(f"{what}: {by_package.total()} ({rows})")
    folder, files = fullest_folder()
    click.echo(f"fullest folder: {folder}, {files} files")


def main() -> None:
    print_design_figures()
    for what, (functions, in_files, composed) in (
        ("OK press", hops_of_a_press()),
        ("door's line", hops_of_a_line()),
    ):
        click.echo(f"{what}: {functions} functions in {in_files} files, {composed} frames composed")
    functions, in_files = hops_of_a_forgotten_phone()
    click.echo(f"forgetting a phone: {functions} functions in {in_files} files that only it passes")
    parsed = list(syntax_trees())
    named = Counter(
        node.name for tree in parsed for node in tree.body if isinstance(node, ast.ClassDef)
    )
    twice = sorted(name for name, n in named.items() if n > 1 and not name.startswith("_"))
    click.echo(f"class names that mean several things: {len(twice)}: {', '.join(twice)}")
    click.echo(f"imports inside of functions: {sum(map(count_late_imports, parsed))}")
    files = [file for source in SOURCE_FOLDERS for file in (ROOT / source).rglob("*.py")]
    click.echo(f"noqa: {sum(file.read_text('utf-8').count('# noqa') for file in files)}")
    click.echo(f"commands' modules: {len([*(ROOT / 'companion' / 'cmd').glob('*.py')]) - 1}")
    packages = ROOT / "packages"
    tests = {path.relative_to(ROOT).as_posix() for path in packages.glob("*/tests")}
    of_tests = count_lines("tests", *tests)
    click.echo(f"lines of companion and hardware: {count_lines('companion', 'hardware')}")
    click.echo(
        f"lines of packages, without their tests: {count_lines('packages') - count_lines(*tests)}"
    )
    click.echo(f"lines of source: {count_lines(*SOURCE_FOLDERS)}, of tests: {of_tests}")
    blocks = sum(file.read_text("utf-8").count("\nif TYPE_CHECKING:") for file in files)
    click.echo(f"files with a TYPE_CHECKING block: {blocks} of {len(files)}")
    click.echo("first frame, memory, press, playouts: python -m tests.system.bench")
    click.echo("mutants: python -m tests.mutate")


if __name__ == "__main__":
    main()
