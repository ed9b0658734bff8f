"""The download handler for http and https: aiohttp, with addresses checked where they are connected to."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import ssl
import time
from typing import TYPE_CHECKING, Any
from urllib.request import getproxies, proxy_bypass

import aiohttp
import yarl
from multidict import CIMultiDict
from scrapy.exceptions import (
    CannotResolveHostError,
    DownloadCancelledError,
    DownloadConnectionRefusedError,
    DownloadFailedError,
    DownloadTimeoutError,
    ResponseDataLossError,
    UnsupportedURLSchemeError,
)
from scrapy.http import Headers, Response
from scrapy.responsetypes import responsetypes
from scrapy.utils.httpobj import urlparse_cached

from corpusbot.addresses import Guard
from spiders.decoding import BodyReader, CorruptError, Encodings, TooMuchError
from spiders.guard import RefusedAddressError, guard_of
from spiders.stopping import StoppedError, StopWatch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from scrapy import Request
    from scrapy.crawler import Crawler
    from scrapy.settings import BaseSettings

SECONDS_DNS_IS_KEPT = 300
READ_BUFFER_BYTES = 1 << 18  # a page of usual size then comes in one piece or two
CLASSES_REMEMBERED = 200


class TooLargeError(DownloadCancelledError):
    """A page is larger than DOWNLOAD_MAXSIZE, as it came or unpacked."""

    cause = "too_large"


class CertificateError(DownloadFailedError):
    """The server's certificate does not hold for its name, or nobody known vouches for it."""

    cause = "certificate"


class _RefusedSocketError(OSError):
    """Raised where a connection to a private address would be made."""


class _Answer(aiohttp.ClientResponse):
    """Remembers whom it came from, which the connection no longer tells once a short answer is over."""

    peer: str | None = None

    async def start(self, connection: Any) -> aiohttp.ClientResponse:
        """Note the peer, then read the head of the answer."""
        name = connection.transport.get_extra_info("peername") if connection.transport else None
        self.peer = str(name[0]) if name else None
        return await super().start(connection)


class Download:
    """Fetches pages over one aiohttp session, which is made when the first page is asked for."""

    lazy = True

    @classmethod
    def from_crawler(cls, crawler: Crawler) -> Download:
        """The handler, as Scrapy asks for it."""
        return cls(crawler)

    def __init__(self, crawler: Crawler) -> None:
        settings = crawler.settings
        self._settings = settings
        self._guard = guard_of(crawler)
        self._watch = StopWatch(crawler)
        self._encodings = Encodings()
        self._defaults = _default_headers(settings, self._encodings.accepted)
        self._timeout = settings.getfloat("DOWNLOAD_TIMEOUT")
        self._maxsize = settings.getint("DOWNLOAD_MAXSIZE")
        self._fail_on_dataloss = settings.getbool("DOWNLOAD_FAIL_ON_DATALOSS")
        self._proxies = {scheme: url for scheme, url in getproxies().items() if scheme in ("http", "https")}
        self._direct: aiohttp.ClientSession | None = None
        self._proxied: aiohttp.ClientSession | None = None
        self._classes: dict[bytes, type[Response]] = {}

    async def download_request(self, request: Request) -> Response:
        """The page, all of it within DOWNLOAD_TIMEOUT; or one of Scrapy's download exceptions."""
        seconds = request.meta.get("download_timeout", self._timeout)
        try:
            async with asyncio.timeout(seconds or None) as limit:
                with self._watch.watching(limit):
                    return await self._fetched(request)
        except TimeoutError as error:
            if self._watch.stopping:
                raise StoppedError(f"{request.url}: the crawl is ending") from error
            raise DownloadTimeoutError(f"{request.url} took longer than {seconds:g} seconds") from error
        except aiohttp.ClientError as error:
            if isinstance(error, aiohttp.InvalidURL) and (cause := self._guard.objection(request.url)):
                raise RefusedAddressError(cause, request.url) from error
            raise _scrapy_error(error, request.url) from error

    async def _fetched(self, request: Request) -> Response:
        began = time.monotonic()
        proxy, proxy_headers = self._proxy(request)
        async with self._session(proxy).request(
            request.method,
            yarl.URL(request.url, encoded=True),
            data=request.body or None,
            headers=self._headers(request),
            allow_redirects=False,
            proxy=proxy,
            proxy_headers=proxy_headers,
        ) as answer:
            request.meta["download_latency"] = time.monotonic() - began
            request.meta["sent"] = tuple(answer.request_info.headers.items())
            return await self._read(request, answer)

    async def _read(self, request: Request, answer: aiohttp.ClientResponse) -> Response:
        limit = request.meta.get("download_maxsize", self._maxsize)
        decoders, left = self._encodings.decoders(answer.headers.get("Content-Encoding", ""))
        reader = BodyReader(self._encodings, decoders, limit)
        flags = []
        try:
            if limit and (answer.content_length or 0) > limit:
                raise TooMuchError(answer.content_length)
            while piece := await answer.content.readany():
                reader.feed(piece)
            if request.method != "HEAD":
                reader.check_whole()
        except TooMuchError as error:
            answer.close()
            raise TooLargeError(f"{request.url}: {error} bytes, more than DOWNLOAD_MAXSIZE={limit}") from None
        except (aiohttp.ClientPayloadError, CorruptError) as error:
            if request.meta.get("download_fail_on_dataloss", self._fail_on_dataloss):
                raise ResponseDataLossError(f"{request.url}: {error}") from error
            flags = ["dataloss"]
        return self._response(request, answer, reader.body(), left, flags)

    def _response(
        self,
        request: Request,
        answer: aiohttp.ClientResponse,
        body: bytes,
        encoding_left: str,
        flags: list[str],
    ) -> Response:
        headers = Headers(answer.raw_headers)
        if b"Content-Encoding" in headers:
            del headers[b"Content-Encoding"]
            if encoding_left:
                headers[b"Content-Encoding"] = encoding_left
        version, peer = answer.version, getattr(answer, "peer", None)
        return self._class_of(headers, request.url, body)(
            request.url,
            status=answer.status,
            headers=headers,
            body=body,
            flags=flags,
            ip_address=ipaddress.ip_address(peer.partition("%")[0]) if peer else None,
            protocol=f"HTTP/{version.major}.{version.minor}" if version else None,
        )

    def _class_of(self, headers: Headers, url: str, body: bytes) -> type[Response]:
        """The kind of response; the Content-Type mostly says it, and sites have few of them."""
        kind = headers.get(b"Content-Type") if b"Content-Encoding" not in headers else None
        found = self._classes.get(kind) if kind else None
        if found is None:
            found = responsetypes.from_args(headers=headers, url=url, body=body)
            told = kind is not None and responsetypes.from_content_type(kind) is not Response
            if kind is not None and told and len(self._classes) < CLASSES_REMEMBERED:
                self._classes[kind] = found
        return found

    # -- what a request is sent with

    def _headers(self, request: Request) -> Mapping[str, str]:
        own = request.headers
        if not own:
            return self._defaults
        headers = CIMultiDict(self._defaults)
        for name, values in own.items():
            text = name.decode("latin-1")
            headers.popall(text, None)
            for value in values:
                headers.add(text, value.decode("utf-8", "replace"))  # as aiohttp encodes it again
        headers.popall("Proxy-Authorization", None)
        return headers

    def _proxy(self, request: Request) -> tuple[str | None, dict[str, str] | None]:
        """The proxy of a request, from its meta or else the environment; None is a connection of our own."""
        proxy: str | None = request.meta.get("proxy")
        if "proxy" not in request.meta and self._proxies:
            parts = urlparse_cached(request)
            if not proxy_bypass(parts.hostname or ""):
                proxy = self._proxies.get(parts.scheme)
        if not proxy:
            return None, None
        # The proxy resolves the name, so its spelling is all that can be checked here.
        if cause := self._guard.objection(request.url):
            raise RefusedAddressError(cause, request.url)
        secret = request.headers.get(b"Proxy-Authorization")
        headers = {"Proxy-Authorization": secret.decode("latin-1")} if secret else None
        return proxy if "://" in proxy else f"http://{proxy}", headers

    # -- sessions

    def _session(self, proxy: str | None) -> aiohttp.ClientSession:
        """The session for connections of our own, or the one to proxies, which may well be private hosts."""
        if proxy is None:
            self._direct = self._direct or self._new_session(self._guard)
            return self._direct
        self._proxied = self._proxied or self._new_session(None)
        return self._proxied

    def _new_session(self, guard: Guard | None) -> aiohttp.ClientSession:
        address = self._settings.get("DOWNLOAD_BIND_ADDRESS")
        connector = aiohttp.TCPConnector(
            limit=0,  # Scrapy's slots say how many requests a host is sent at once
            resolver=aiohttp.ThreadedResolver(),
            ttl_dns_cache=SECONDS_DNS_IS_KEPT,
            ssl=_tls(self._settings),
            local_addr=(address, 0) if isinstance(address, str) else address,
            socket_factory=_GuardedSockets(guard) if guard else None,
        )
        return aiohttp.ClientSession(
            connector=connector,
            cookie_jar=aiohttp.DummyCookieJar(),
            auto_decompress=False,
            response_class=_Answer,
            timeout=aiohttp.ClientTimeout(),
            read_bufsize=READ_BUFFER_BYTES,
            skip_auto_headers=("User-Agent", "Accept", "Accept-Encoding", "Content-Type"),
        )

    async def close(self) -> None:
        """End the sessions."""
        self._watch.close()
        for session in (self._direct, self._proxied):
            if session is not None:
                await session.close()


class _GuardedSockets:
    """Makes the sockets of a connector: the last place before a connection, whatever a name resolved to."""

    def __init__(self, guard: Guard) -> None:
        self._guard = guard

    def __call__(self, info: tuple[Any, ...]) -> socket.socket:
        family, kind, protocol, _, where = info
        address = ipaddress.ip_address(str(where[0]).partition("%")[0])
        if self._guard.refuses(address):
            raise _RefusedSocketError("the host is a private address")
        made = socket.socket(family, kind, protocol)
        made.setblocking(False)
        return made


def _default_headers(settings: BaseSettings, encodings: str) -> CIMultiDict[str]:
    """What a request is sent with when it says nothing else."""
    headers: CIMultiDict[str] = CIMultiDict()
    for name, value in settings.getdict("DEFAULT_REQUEST_HEADERS").items():
        if value is not None:
            headers[name] = str(value)
    headers["Accept-Encoding"] = encodings
    if agent := settings.get("USER_AGENT"):
        headers["User-Agent"] = agent
    return headers


def _tls(settings: BaseSettings) -> ssl.SSLContext:
    """A context that checks certificates, unless a setting other than Scrapy's default says not to."""
    context = ssl.create_default_context()
    unchecked = not settings.getbool("DOWNLOAD_VERIFY_CERTIFICATES")
    if unchecked and (settings.getpriority("DOWNLOAD_VERIFY_CERTIFICATES") or 0) > 0:
        context.check_hostname = False
        context.verify_mode = ssl.CERT_NONE
    return context


def _scrapy_error(error: aiohttp.ClientError, url: str) -> Exception:
    """Scrapy's name for what went wrong, so that its middlewares know what to try again."""
    text = f"{url}: {error or type(error).__name__}"
    if isinstance(error, aiohttp.ClientConnectorDNSError):
        return CannotResolveHostError(text)
    if isinstance(error, aiohttp.ClientConnectorCertificateError | aiohttp.ClientConnectorSSLError):
        return CertificateError(text)
    if isinstance(error, aiohttp.ClientConnectorError):
        if isinstance(error.os_error, _RefusedSocketError):
            return RefusedAddressError("private_address", url)
        return DownloadConnectionRefusedError(text)
    if isinstance(error, aiohttp.InvalidURL | aiohttp.NonHttpUrlClientError):
        return UnsupportedURLSchemeError(text)
    return DownloadFailedError(text)
