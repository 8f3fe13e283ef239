"""Serving the studio: a free port, an address to open, and a quiet end."""

import logging
import secrets
import socket
import webbrowser
from collections.abc import Callable
from contextlib import suppress
from threading import Timer

import uvicorn

from deckatlas.errors import RunError
from deckatlas.studio import has_pages
from deckatlas.studio.app import Options, create_app
from deckatlas.studio.safety import is_everywhere, is_loopback

PORT = 8321
_TRIES = 20
_BROWSER_SECONDS = 0.5
_GRACE_SECONDS = 1  # for requests that are being answered when the studio ends


def new_token() -> str:
    """A token that nobody guesses."""
    return secrets.token_urlsafe(24)


def listening(host: str, port: int | None) -> socket.socket:
    """A socket that listens on a port; without a port, the usual one or the next free one.

    Raises:
        RunError: If the port, or the address, cannot be used.
    """
    if not host:
        raise RunError("cannot listen on an empty address: write 0.0.0.0 for all addresses of this machine")
    wanted = [port] if port is not None else [PORT + step for step in range(_TRIES)] + [0]
    for each in wanted:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        found = socket.socket(family, socket.SOCK_STREAM)
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            found.bind((host, each))
            found.listen()
        except (OSError, OverflowError) as error:
            found.close()
            if each == wanted[-1]:
                why = "ports are from 0 to 65535" if isinstance(error, OverflowError) else error.strerror
                where = host if port is None else f"{host}, port {port}"
                raise RunError(f"cannot listen on {where}: {why}") from None
        else:
            return found
    raise AssertionError("the last port either works or is reported")


def address_of(options: Options, found: socket.socket) -> str:
    """The address to open in a browser."""
    port = found.getsockname()[1]
    host = "127.0.0.1" if is_everywhere(options.host) else options.host
    shown = f"[{host}]" if ":" in host else host
    return f"http://{shown}:{port}/" + (f"?token={options.token}" if options.token else "")


class Server(uvicorn.Server):
    """A server of the studio; when it ends, it does not wait for pages that follow runs."""

    def __init__(self, options: Options) -> None:
        self._app = create_app(options)
        super().__init__(uvicorn.Config(self._app, log_level="warning", timeout_graceful_shutdown=_GRACE_SECONDS))

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Ends event streams, and then everything else; what is cut off is no mistake, and not worth a line."""
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
        self._app.state.followers.end()
        await super().shutdown(sockets)


def serve(options: Options, *, port: int | None, open_browser: bool, report: Callable[[str], object]) -> None:
    """Serves the studio until it is interrupted.

    Args:
        options: How it is served.
        port: The port; None for the usual one or the next that is free.
        open_browser: Whether to open a browser.
        report: Takes lines for people.

    Raises:
        RunError: If the port cannot be used, or the address is not loopback and there is no token.
    """
    if not has_pages():
        report("the pages of the studio are not built, so only its API answers: run `make pages` in the clone")
    if not is_loopback(options.host) and options.token is None:
        raise RunError(f"serving on {options.host} needs a token")
    with listening(options.host, port) as found:
        address = address_of(options, found)
        report(f"the studio is at {address} (Ctrl-C ends it)")
        if open_browser:
            opening = Timer(_BROWSER_SECONDS, webbrowser.open, (address,))
            opening.daemon = True
            opening.start()
        with suppress(KeyboardInterrupt):  # Ctrl-C is how a studio ends
            Server(options).run(sockets=[found])
