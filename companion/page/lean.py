"""What a process that encrypts nothing does not carry: OpenSSL.

The box is one, and what sends plain pages. asyncio and hashlib do without it by themselves. tornado
imports `ssl` whatever it serves: it gets a module of that name with the names that it looks for as
it is imported, and no encryption. That spares the page 4.6 MB of 31 on Python 3.11, and 5.2 of 38
on Python 3.13.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Final

ABSENT: Final = ("_ssl", "_hashlib")
"""The modules that bring OpenSSL."""


def keep_openssl_out() -> None:
    """Keep OpenSSL out of this process; of no effect on what has been imported."""
    absent: dict[str, Any] = dict.fromkeys(ABSENT)
    sys.modules.update(absent)  # Python's own way to say that a module is not there


def spare_openssl() -> None:
    """Keep it out, with tornado, if it has not come yet. Called before asyncio is there."""
    if "ssl" in sys.modules:
        return
    keep_openssl_out()
    import asyncio  # noqa: F401, PLC0415 - it asks for ssl, and goes without

    sys.modules["ssl"] = _plain()


def _plain() -> ModuleType:
    """A module `ssl` that makes nothing."""
    module = ModuleType("ssl", "Nothing is encrypted here.")
    refused = type("SSLError", (OSError,), {})
    given = {
        "SSLError": refused, "CertificateError": refused,
        "SSLContext": type("SSLContext", (), {}), "SSLSocket": type("SSLSocket", (), {}),
        "Purpose": SimpleNamespace(SERVER_AUTH=None, CLIENT_AUTH=None),
        "create_default_context": SimpleNamespace,
    }  # fmt: skip
    vars(module).update(given)
    return module
