"""`companion evening …`: many tables, each with its own box (docs/evening.md)."""

from __future__ import annotations

import json
import sys

import click


@click.group()
def evening() -> None:
    """Play an evening at many tables: who sits where, and who leads."""


@evening.command("plan")
def plan_command() -> int:
    """Read the facts of an evening as JSON, and print the next seating; exit status 1 without one.

    docs/evening.md says what is read, and how the next seating follows from it.
    """
    from companion.evening import facts, plan  # noqa: PLC0415 - only here

    text = sys.stdin.buffer.read(facts.LONGEST + 1)
    try:
        found = plan.plan(facts.read(text)).data()
    except facts.PlanError as error:
        found = {"error": error.code, "message": error.message}
    click.echo(json.dumps(found, ensure_ascii=False))
    return 1 if "error" in found else 0
