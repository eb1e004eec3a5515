"""`python -m parley_client`: personas, and a conversation, in the terminal."""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import os
import sys
from pathlib import Path

from .client import Client
from .errors import ParleyError
from .events import MessageFinished
from .recorder import Recorder


def _arguments(argv: list[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="parley-client", description="Talk with the personas of a Parley service.")
    parser.add_argument("--url", default=os.environ.get("PARLEY_URL", "http://127.0.0.1:8080"), help="of the service")
    parser.add_argument("--key", default=os.environ.get("PARLEY_KEY"), help="API key (environment: PARLEY_KEY)")
    commands = parser.add_subparsers(dest="command", required=True)
    listing = commands.add_parser("personas", help="lists saved personas")
    listing.add_argument("--search", help="a part of the name")
    talk = commands.add_parser("talk", help="asks a persona, by sound files or texts, and prints the conversation")
    talk.add_argument("persona", help="id of a saved persona")
    talk.add_argument("--say", action="append", type=Path, default=[], metavar="FILE", help="a sound file; repeatable")
    talk.add_argument("--type", action="append", default=[], metavar="TEXT", help="a typed message; repeatable")
    talk.add_argument("--record", type=Path, metavar="FILE.mp4", help="saves the persona's picture and voice")
    talk.add_argument("--timeout", type=float, default=60.0, help="seconds to wait for each answer (default: 60)")
    return parser.parse_args(argv)


async def _personas(client: Client, search: str | None) -> None:
    for persona in await client.personas(search):
        print(f"{persona['id']}  {persona['name']}")


async def _talk(client: Client, arguments: argparse.Namespace) -> None:
    async with client.session(persona_id=arguments.persona) as session, contextlib.AsyncExitStack() as stack:

        @session.on(MessageFinished)
        def show(event: MessageFinished) -> None:
            print(f"{event.message.role}: {event.message.text.strip()}", flush=True)

        if arguments.record is not None:
            await stack.enter_async_context(Recorder(session, arguments.record))
        for question in [*arguments.say, *arguments.type]:
            async with asyncio.timeout(arguments.timeout):
                await session.ask(question)


async def _run(arguments: argparse.Namespace) -> None:
    async with Client(arguments.url, api_key=arguments.key) as client:
        if arguments.command == "personas":
            await _personas(client, arguments.search)
        else:
            await _talk(client, arguments)


def main(argv: list[str] | None = None) -> int:
    """The exit status: 0, or 1 after an error, which is printed."""
    arguments = _arguments(argv)
    try:
        asyncio.run(_run(arguments))
    except (ParleyError, OSError, ValueError, TimeoutError) as error:
        print(f"parley-client: {error if str(error) else 'no answer in time'}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main())
