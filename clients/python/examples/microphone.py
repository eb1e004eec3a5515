"""A conversation over this machine's microphone. Shows the words; use headphones when you also play the voice.

python microphone.py http://localhost:8080 API_KEY PERSONA_ID [device [format]]
"""

import asyncio
import sys

from parley_client import Client, Device
from parley_client.events import MessageFinished


async def main(url: str, key: str, persona_id: str, *device: str) -> None:
    async with Client(url, api_key=key) as client, client.session(persona_id=persona_id) as session:

        @session.on(MessageFinished)
        def show(event: MessageFinished) -> None:
            print(f"{event.message.role}: {event.message.text.strip()}")

        speaking = asyncio.create_task(session.say(Device(*device)))
        ended = await session.wait_until_ended()
        speaking.cancel()
        print(ended.text)


asyncio.run(main(*sys.argv[1:]))
