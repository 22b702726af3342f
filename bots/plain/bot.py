"""A bot that does not import carc: it speaks the protocol and takes the first legal action."""

import json
import sys

for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        answer = {"type": "ready", "protocol": 1}
    elif message["type"] == "choose":
        answer = {"type": "action", "id": message["id"], "action": message["legal"][0]}
    elif message["type"] == "over":
        break
    else:  # "game", or a message of a later version
        continue
    print(json.dumps(answer), flush=True)
