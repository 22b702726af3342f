"""A remote bot's connection as bytes, so that it can say anything."""

import base64
import json
import random
import socket
import struct
from contextlib import suppress
from typing import Any

from support.remote_bots import TOKENS, Hall

TEXT, BINARY, CLOSE, PING, PONG = 1, 2, 8, 9, 10


class Line:
    """A bot's connection, by WebSocket or by plain HTTP, as bytes."""

    def __init__(self, hall: Hall, name: str, session: str, rng: random.Random, http: bool) -> None:
        self._address = hall.url.removeprefix("http://").split(":")
        self._path = f"/arena/play?bot={name}&version=1&session={session}"
        self._is_http, self._rng = http, rng
        self.socket = self._open()
        key = base64.b64encode(rng.randbytes(16)).decode()
        upgrade = (
            f"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
            f"Sec-WebSocket-Key: {key}\r\n"
        )
        self.socket.sendall(self._request("GET", "" if http else upgrade))
        self._come = b""
        while b"\r\n\r\n" not in self._come:
            self._read()
        self._come = self._come.partition(b"\r\n\r\n")[2]

    def _open(self) -> socket.socket:
        return socket.create_connection((self._address[0], int(self._address[1])), timeout=4)

    def _request(self, method: str, headers: str = "") -> bytes:
        return (
            f"{method} {self._path} HTTP/1.1\r\nHost: localhost\r\n{headers}"
            f"Authorization: Bearer {TOKENS['ann']}\r\n\r\n"
        ).encode()

    def _read(self) -> None:
        more = self.socket.recv(1 << 16)
        if not more:
            raise ConnectionError
        self._come += more

    def hear(self) -> dict[str, Any]:
        """Return the next message; raise `OSError` if there is none."""
        while True:
            data = self._line() if self._is_http else self._frame()
            if data is not None:
                message: dict[str, Any] = json.loads(data)
                return message
            self._read()

    def _line(self) -> bytes | None:
        while b"\n" in self._come:
            line, _, self._come = self._come.partition(b"\n")
            if line.startswith(b"0\r"):
                raise ConnectionError
            if line.startswith(b"{"):
                return line
        return None

    def _frame(self) -> bytes | None:
        come = self._come
        if len(come) < 2:
            return None
        size, at = come[1], 2
        if size >= 126:
            at = 4 if size == 126 else 10
            size = int.from_bytes(come[2:at])
        if len(come) < at + size or (len(come) < at):
            return None
        self._come = come[at + size :]
        if come[0] & 15 == CLOSE:
            raise ConnectionError
        return come[at : at + size] if come[0] & 15 == TEXT else self._frame()

    def say(self, data: bytes, opcode: int = TEXT, fin: bool = True, masked: bool = True) -> None:
        """Send one message; with plain HTTP as one POST, whose answer nobody reads."""
        if self._is_http:
            with self._open() as post:
                post.sendall(self._request("POST", f"Content-Length: {len(data)}\r\n") + data)
                with suppress(OSError):
                    post.recv(1 << 12)
            return
        size = len(data)
        head = bytes([opcode | 128 * fin])
        if size < 126:
            head += bytes([size | 128 * masked])
        elif size < 1 << 16:
            head += bytes([126 | 128 * masked]) + struct.pack(">H", size)
        else:
            head += bytes([127 | 128 * masked]) + struct.pack(">Q", size)
        if masked:  # by zeros: the text as it is
            head += bytes(4)
        self.socket.sendall(head + data)

    def tell(self, **message: object) -> None:
        """Send a message of the protocol."""
        self.say(json.dumps(message).encode())

    def cut(self, reset: bool = False) -> None:
        """Close it, with a reset or without."""
        if reset:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.socket.close()
