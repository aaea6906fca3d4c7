"""Commands for the simulated Pi: `python -m tests.system.rig …`; `check` is `make rig`."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Final

import click

from hardware.display.frame_conversions import frame_as_half_block_lines
from tests.system.rig.guest import BAD_SWITCH, BOUNCY_SWITCH, DEBUG, Guest, build, noise, presses
from tests.system.rig.panel import Panel, messages

SWITCHES: Final = {"clean": (1, 0.0), "bouncy": BOUNCY_SWITCH, "bad": BAD_SWITCH}


@click.group()
@click.option("--name", default="state", show_default=True, help="Which guest: each has a disk.")
@click.option("--port", default=2222, show_default=True, help="The guest's shell on this machine.")
@click.pass_context
def rig(context: click.Context, name: str, port: int) -> None:
    """Control a simulated Raspberry Pi: real kernel and systemd, simulated pins and display."""
    context.obj = Guest(name, port)


@rig.command("build")
def build_command() -> None:
    """Build the missing parts of the guest."""
    build()


@rig.command()
@click.option("--fresh", is_flag=True, help="Throw its disk away.")
@click.pass_obj
def start(guest: Guest, *, fresh: bool) -> None:
    """Switch the guest on."""
    click.echo(f"a shell after {guest.start(fresh=fresh):.1f} s")


@rig.command()
@click.pass_obj
def stop(guest: Guest) -> None:
    """Shut the guest down."""
    guest.stop()


@rig.command()
@click.pass_obj
def cut(guest: Guest) -> None:
    """Cut the guest's power."""
    guest.cut()


@rig.command(context_settings={"ignore_unknown_options": True})
@click.argument("command", nargs=-1, type=click.UNPROCESSED)
@click.pass_obj
def run(guest: Guest, command: tuple[str, ...]) -> None:
    """Run a command in the guest, as root."""
    sys.exit(guest.show(" ".join(command)))


@rig.command()
@click.argument("source", type=click.Path(exists=True, path_type=Path))
@click.argument("to")
@click.pass_obj
def push(guest: Guest, source: Path, to: str) -> None:
    """Copy a file or folder into the guest; TO is its new name."""
    guest.push(source, to)


@rig.command()
@click.argument("source")
@click.argument("to", type=click.Path(path_type=Path))
@click.pass_obj
def pull(guest: Guest, source: str, to: Path) -> None:
    """Copy a file out of the guest."""
    guest.pull(source, to)


@rig.command()
@click.argument("line", type=int)
@click.argument("ms", type=float, default=80)
@click.option("--count", default=1, show_default=True)
@click.option("--gap", type=float, default=150, show_default=True, help="Milliseconds between.")
@click.option("--switch", type=click.Choice(list(SWITCHES)), default="clean", show_default=True)
@click.pass_obj
def press(guest: Guest, line: int, ms: float, count: int, gap: float, switch: str) -> None:
    """Press the button on a GPIO line for MS milliseconds."""
    guest.drive(presses(line, ms, count, gap, SWITCHES[switch]))


@rig.command()
@click.argument("line", type=int)
@click.pass_obj
def hold(guest: Guest, line: int) -> None:
    """Press a button, and hold it."""
    guest.drive(f"{line} 0")


@rig.command()
@click.argument("line", type=int)
@click.pass_obj
def release(guest: Guest, line: int) -> None:
    """Release a button."""
    guest.drive(f"{line} z")


@rig.command()
@click.argument("line", type=int)
@click.argument("n", type=int, default=8)
@click.option("--ms", type=float, default=5, show_default=True)
@click.pass_obj
def storm(guest: Guest, line: int, n: int, ms: float) -> None:
    """Send noise: N edges that end at the first level."""
    guest.drive(noise(line, n, ms, 0))


@rig.command()
@click.pass_obj
def lines(guest: Guest) -> None:
    """Print level, pull and counters of each line that has edges or a listener."""
    for text in guest.run(f"cat {DEBUG}/lines").splitlines():
        if "edges=0" not in text or "irq=on" in text:
            click.echo(text)


@rig.command()
@click.pass_obj
def oled(guest: Guest) -> None:
    """Print the picture on the display."""
    panel = Panel()
    for message in messages(guest.log(0)[0]):
        panel.take(message)
    if panel.frame is None:
        raise click.ClickException("It is dark, or nobody has initialised it.")
    click.echo("\n".join(frame_as_half_block_lines(panel.frame)))


@rig.command("i2c")
@click.argument("knob", type=click.Choice(["present", "hz", "fail"]))
@click.argument("value", type=int)
@click.pass_obj
def i2c_command(guest: Guest, knob: str, value: int) -> None:
    """Control the bus: `present 0` unplugs, `hz 400000` slows it, `fail 3` fails 3 messages."""
    guest.set(knob, value)


@rig.command()
@click.argument("names", nargs=-1)
@click.pass_obj
def check(guest: Guest, names: tuple[str, ...]) -> None:
    """Run the checks of `make rig`. NAMES: only checks whose claims contain one of these texts."""
    from tests.system.rig.check import main  # noqa: PLC0415 - only this command needs the box

    sys.exit(main(guest, names))


if __name__ == "__main__":
    rig()
