"""Keep OpenSSL out of processes that do not encrypt: the box and the page.

asyncio and hashlib work without it. tornado imports `ssl` in any case, so it gets an empty module
with the names that it reads during import. This saves the page 4.6 MB of 31 on Python 3.11, and 5.2
of 38 on Python 3.13.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Final

OPENSSL_MODULES: Final = ("_ssl", "_hashlib")
"""The modules that load OpenSSL."""


def keep_openssl_out() -> None:
    """Prevent imports of OpenSSL in this process. Modules that are imported already stay."""
    absent: dict[str, Any] = dict.fromkeys(OPENSSL_MODULES)
    sys.modules.update(absent)  # Python's own way to mark a module as missing


def replace_ssl_for_tornado() -> None:
    """Prevent imports of OpenSSL by tornado too. Call it before asyncio is imported."""
    if "ssl" in sys.modules:
        return
    keep_openssl_out()
    import asyncio  # noqa: F401, PLC0415 - asyncio tries to import ssl, and works without

    sys.modules["ssl"] = _plain()


def _plain() -> ModuleType:
    """Return an empty module `ssl`."""
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
