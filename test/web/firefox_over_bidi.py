"""Firefox as a distribution has it, for Playwright, which asks it a question that it cannot answer.

Playwright speaks WebDriver BiDi to such a Firefox. Of what it asks at the start of each page one
command is newer than the extended support release; this stands between the two and answers it with
success, so that colours and reduced motion are the browser's own there and cannot be chosen by a
test. Run as the browser's program: `firefox_over_bidi.py FIREFOX ARGUMENTS`.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys

from websockets.asyncio.client import connect
from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

ANSWERED_HERE = "emulation.setMediaFeaturesOverride"


async def main(*command: str) -> int:
    """Starts Firefox and tells an address of its own in the place of Firefox's."""
    firefox = await asyncio.create_subprocess_exec(*command, stderr=asyncio.subprocess.PIPE)
    assert firefox.stderr is not None
    async for line in firefox.stderr:
        told = line.decode(errors="replace")
        if listening := re.search(r"BiDi listening on (ws://\S+)", told):
            told = told.replace(listening[1], await _between(listening[1]))
        print(told, end="", file=sys.stderr, flush=True)
    return await firefox.wait()


async def _between(address: str) -> str:
    async def relay(test: ServerConnection) -> None:
        assert test.request is not None
        path = address + test.request.path
        async with connect(path, max_size=None, compression=None) as firefox:

            async def answers() -> None:
                async for message in firefox:
                    await test.send(message)
                await test.close()

            back = asyncio.create_task(answers())
            try:
                async for message in test:
                    asked = json.loads(message)
                    if asked["method"] == ANSWERED_HERE:
                        done = {"type": "success", "id": asked["id"], "result": {}}
                        await test.send(json.dumps(done))
                    else:
                        await firefox.send(message)
            except ConnectionClosed:  # one of the two has ended first
                back.cancel()

    server = await serve(relay, "127.0.0.1", 0, max_size=None, compression=None)
    return f"ws://127.0.0.1:{server.sockets[0].getsockname()[1]}"


if __name__ == "__main__":
    sys.exit(asyncio.run(main(*sys.argv[1:])))
