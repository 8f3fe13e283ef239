"""The border of the studio: who may ask, from where, and what a browser may do with the answers."""

import re
from hmac import compare_digest
from ipaddress import ip_address
from urllib.parse import parse_qsl, quote, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "deckatlas_token"
_PORTS = {"http": 80, "https": 443}
_AUTHORITY = re.compile(r"(?:[A-Za-z0-9._-]+|\[[0-9A-Fa-f:.]+\])(?::\d{1,5})?")

# Nothing comes from elsewhere, nothing runs that is not a file of ours, and nobody frames our pages.
CONTENT_SECURITY_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": CONTENT_SECURITY_POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}


def is_loopback(host: str) -> bool:
    """Whether a name or address always means this machine."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def is_everywhere(host: str) -> bool:
    """Whether listening on an address means all addresses of this machine."""
    try:
        return ip_address(host).is_unspecified
    except ValueError:
        return False


class Border:
    """Middleware that refuses requests of strangers.

    A page of another site cannot reach the studio under a name of its own (the header Host must name a host we serve),
    cannot ask it for anything but a page to look at (Origin must be ours, and browsers say where a request comes from),
    and, outside loopback, nobody can without the token. Every answer has our headers, whatever went wrong.
    """

    def __init__(self, app: ASGIApp, *, host: str, token: str | None) -> None:
        self._app = app
        self._host = host
        self._token = token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers a request, or refuses it."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
        else:
            await self._answer(scope, receive, _Answer(send))

    async def _answer(self, scope: Scope, receive: Receive, answer: "_Answer") -> None:
        refusal = self._refusal(scope)
        if refusal is not None:
            await refusal(scope, receive, answer)
            return
        try:
            await self._app(scope, receive, answer)
        except Exception:
            if not answer.begun:
                await _refused(500, "the studio made a mistake; its terminal shows where")(scope, receive, answer)
            raise  # so that the server prints it

    def _refusal(self, scope: Scope) -> Response | None:
        headers = Headers(scope=scope)
        served = _authority(scope["scheme"], headers)
        if served is None or not self._serves(served[0]):
            return _refused(403, "this studio is not served under that name")
        if _is_from_elsewhere(scope, headers, served):
            return _refused(403, "requests from other sites are refused")
        return None if self._token is None else self._without_token(self._token, scope, headers)

    def _serves(self, name: str) -> bool:
        if is_loopback(name):
            return True
        if is_loopback(self._host):
            return False
        # Names of this machine are not known; where it listens on all addresses, the token alone is the guard.
        return is_everywhere(self._host) or _same_host(name, self._host)

    def _without_token(self, token: str, scope: Scope, headers: Headers) -> Response | None:
        cookie = cookie_name(scope)
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        query = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
        if any(_equal(value, token) for name, value in query if name == "token"):
            # The token leaves the address at once, so that it is in no history and no link that people copy. The
            # cookie is lax: with a strict one, a link in a mail would set it, but not open the page.
            left = urlencode([(name, value) for name, value in query if name != "token"])
            path = "/" + quote(scope["path"].lstrip("/"))
            answer = RedirectResponse(f"{path}?{left}" if left else path, status_code=303)
            answer.set_cookie(cookie, token, httponly=True, samesite="lax")
            return answer
        if _equal(bearer, token) or _equal(cookie_parser(headers.get("cookie", "")).get(cookie, ""), token):
            return None
        return _refused(401, "this studio needs its token: open the address that `deckatlas studio` printed")


class _Answer:
    """Sends an answer with our headers, and knows whether it has begun."""

    def __init__(self, send: Send) -> None:
        self._send = send
        self.begun = False

    async def __call__(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            MutableHeaders(scope=message).update(HEADERS)
        await self._send(message)


def cookie_name(scope: Scope) -> str:
    """The name of our cookie: browsers send cookies to all ports of a host, where other studios may be."""
    _, port = scope.get("server") or ("", 0)
    return f"{COOKIE}_{port}"


def _authority(scheme: str, headers: Headers) -> tuple[str, int] | None:
    """The host and the port that a request asks; None if it does not say so plainly."""
    given = headers.getlist("host")
    return _host_and_port(scheme, given[0]) if len(given) == 1 else None


def _host_and_port(scheme: str, authority: str) -> tuple[str, int] | None:
    if not _AUTHORITY.fullmatch(authority):
        return None
    try:
        parts = urlsplit(f"{scheme}://{authority}")
        port = parts.port if parts.port is not None else _PORTS.get(scheme, 0)
    except ValueError:
        return None
    return (parts.hostname, port) if parts.hostname else None


def _is_from_elsewhere(scope: Scope, headers: Headers, served: tuple[str, int]) -> bool:
    """Whether a page of another site sent this request; opening one of our pages from there is fine."""
    origin = headers.get("origin")
    if origin is not None:
        scheme, _, authority = origin.partition("://")
        if scheme.lower() != scope["scheme"] or _host_and_port(scope["scheme"], authority) != served:
            return True
    if headers.get("sec-fetch-site", "none") in ("same-origin", "none"):
        return False
    return scope["method"] not in ("GET", "HEAD") or scope["path"].startswith("/api")


def _same_host(name: str, other: str) -> bool:
    try:
        return ip_address(name) == ip_address(other)
    except ValueError:
        return name.lower() == other.lower()


def _equal(given: str, token: str) -> bool:
    return compare_digest(given.encode(), token.encode())  # takes the same time wherever they differ


def _refused(status: int, why: str) -> Response:
    return JSONResponse({"error": why}, status_code=status)
