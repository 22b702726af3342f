"""Tournaments of made-up bots, and what their pages say."""

import html
import re
import time

from starlette.testclient import TestClient

ANN = "token-of-ann-0123456789"
EVE = "token-of-eve-0123456789"
BOT = "class Bot:\n    def choose(self, state):\n        return state.legal_actions()[0]\n"
MANIFEST = 'name = "mine"\nversion = "0.1"\nlanguage = "python"\nentry = "bot:Bot"\n'


def read(client: TestClient, path: str) -> str:
    """A page that may have to be waited for."""
    end = time.monotonic() + 60
    while time.monotonic() < end:
        text = client.get(path).text
        if "being rated" not in text and "Reading the games" not in text:
            return text
        time.sleep(0.1)
    raise AssertionError(f"{path} is never ready")


def cells(text: str) -> list[list[str]]:
    """The rows of a page's tables."""
    rows = re.findall(r"<tr>(.*?)</tr>", text, re.S)
    return [
        [
            re.sub(r"<[^>]*>", "", cell).strip()
            for cell in re.findall(r"<t[hd].*?</t[hd]>", one, re.S)
        ]
        for one in rows
    ]


def listed(text: str) -> list[list[str]]:
    """The games a page lists."""
    return [row for row in cells(text) if len(row) == 4][1:]


def news_of(page: str) -> str:
    """Where a page asks for what has changed."""
    return html.unescape(re.findall(r'data-news="([^"]*)"', page)[0])
