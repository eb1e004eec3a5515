"""Speaks sound files to a persona, one after the other, and prints the conversation.

python spoken_conversation.py http://localhost:8080 API_KEY PERSONA_ID question.wav …
"""

import asyncio
import sys
from pathlib import Path

from parley_client import Client
from parley_client.events import SpeechText


async def main(url: str, key: str, persona_id: str, *files: str) -> None:
    async with Client(url, api_key=key) as client, client.session(persona_id=persona_id) as session:

        @session.on(SpeechText)
        def show(part: SpeechText) -> None:
            print(part.text, end="\n" if part.final else "", flush=True)

        for file in files:
            await session.ask(Path(file))


asyncio.run(main(*sys.argv[1:]))
