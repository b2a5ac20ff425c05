"""A process that holds as many pages of the kiosk open as it is told, and counts what they get.

`python pages.py PORT COUNT`; a line on its input is answered with the bytes that the first page has
got so far; where it is `"messages"`, with their number. It stands back for the processor: pages are
on other machines.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading

from websockets.asyncio.client import connect

_got: list[int] = []
_messages: list[int] = []


async def page(port: int, number: int) -> None:
    """One that reads all it gets, and comes back when it is sent away."""
    address = f"ws://127.0.0.1:{port}/api/v1/events"
    async for socket in connect(address, max_size=None, compression=None):
        try:
            async for message in socket:
                _got[number] += len(message)
                _messages[number] += 1
        except OSError:
            continue
        except Exception:  # closed: a page opens it again
            await asyncio.sleep(0.3)


async def pages(port: int, count: int) -> None:
    _got.extend([0] * count)
    _messages.extend([0] * count)
    await asyncio.gather(*(page(port, number) for number in range(count)))


def main() -> None:
    port, count = int(sys.argv[1]), int(sys.argv[2])
    os.nice(10)
    threading.Thread(target=lambda: asyncio.run(pages(port, count)), daemon=True).start()
    for line in sys.stdin:
        asked = _messages if json.loads(line) == "messages" else _got
        print(json.dumps(asked[0] if asked else 0), flush=True)


if __name__ == "__main__":
    main()
