"""Lets a persona say a text, and saves its picture and voice as MP4.

python save_a_recording.py http://localhost:8080 API_KEY PERSONA_ID "Welcome!" welcome.mp4
"""

import asyncio
import sys

from parley_client import Client, Recorder


async def main(url: str, key: str, persona_id: str, text: str, file: str) -> None:
    async with Client(url, api_key=key) as client, client.session(persona_id=persona_id) as session:
        async with Recorder(session, file):
            speech = await session.talk(text)
            await speech.spoken()


asyncio.run(main(*sys.argv[1:]))
