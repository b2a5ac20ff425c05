"""One page that does not keep up harms nobody."""

from __future__ import annotations

import asyncio
import json

from roboinstruct_ros.web.event_hub import EventHub


def test_a_page_that_does_not_keep_up_is_let_go() -> None:
    async def scene() -> None:
        hub = EventHub(queue_size=3)
        with hub.subscribed() as slow, hub.subscribed() as quick:
            for number in range(4):
                hub.send("speech", text=str(number))
                assert json.loads(quick.queue.get_nowait())["text"] == str(number)
            assert slow.too_slow.is_set()
            assert not quick.too_slow.is_set()
            assert slow.queue.qsize() == 3
        assert hub.listeners == 0

    asyncio.run(scene())


def test_poses_are_skipped_before_a_page_falls_behind() -> None:
    async def scene() -> None:
        hub = EventHub(queue_size=100)
        with hub.subscribed() as slow:
            for _ in range(1000):
                hub.show("pose", x=0.0, y=0.0, yaw=0.0)
            hub.send("speech", text="hello")
            assert not slow.too_slow.is_set()
            assert slow.queue.qsize() < 20

    asyncio.run(scene())
