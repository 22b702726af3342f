"""A bot in an arena, with nothing but Python: python client.py URL TOKEN NAME."""

import json
import random
import secrets
import sys
import time
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen


def choose(request):
    """The bot: it sees `legal`, and the `state` if "ready" asked for it."""
    return random.choice(request["legal"])


def answer(message):
    """The answer to a message of the arena; None to those that want none."""
    match message["type"]:
        case "ping":
            return {"type": "pong", "id": message["id"]}
        case "hello":
            return {"type": "ready", "protocol": 1}
        case "choose":
            return {"type": "action", "id": message["id"], "action": choose(message)}
        case "over" | "end":
            print(message, flush=True)
    return None


def main(url, token, name):
    # One session: this bot remembers nothing, so it always knows enough to go on with a game.
    query = urlencode({"bot": name, "version": "1", "session": secrets.token_hex(8)})
    address, headers = f"{url}/arena/play?{query}", {"Authorization": f"Bearer {token}"}

    def say(message):
        try:
            urlopen(Request(address, json.dumps(message).encode(), headers), timeout=60).close()
        except HTTPError as error:
            print(error.read().decode(), flush=True)

    while True:
        try:
            with urlopen(Request(address, headers=headers), timeout=60) as lines:
                for line in lines:
                    if reply := answer(json.loads(line)):
                        say(reply)
        except HTTPError as error:
            why = error.read().decode()
            if error.code < 500 and error.code != 429:  # it will not be another time
                sys.exit(why)
            print(why, flush=True)
        except OSError as error:
            print(error, flush=True)
        time.sleep(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
