"""Functions that keep OpenSSL out of the processes of the box and the page, to save memory.

These processes do not encrypt. The modules asyncio and hashlib work without OpenSSL. The library
tornado always imports `ssl`, and receives a substitute module. Without OpenSSL the page needs 26 MB
instead of 31 MB on Python 3.11, and 33 MB instead of 38 MB on Python 3.13.
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any, Final

OPENSSL_MODULES: Final = ("_ssl", "_hashlib")
"""Names of the built-in modules that load the OpenSSL library."""


def block_openssl_imports() -> None:
    """Make later imports of OpenSSL fail in this process. Loaded modules still work."""
    absent: dict[str, Any] = dict.fromkeys(OPENSSL_MODULES)
    sys.modules.update(absent)  # a module whose value is None cannot be imported


def replace_ssl_for_tornado() -> None:
    """Give tornado a substitute for the module `ssl`, and make later imports of OpenSSL fail.

    Call this function before asyncio is imported. If `ssl` is imported already, do nothing.
    """
    if "ssl" in sys.modules:
        return
    block_openssl_imports()
    import asyncio  # noqa: F401, PLC0415 - asyncio tries to import ssl, and works without

    sys.modules["ssl"] = _plain()


def _plain() -> ModuleType:
    """Return a substitute module `ssl`, with the names that tornado reads during its import."""
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
