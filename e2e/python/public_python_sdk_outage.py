"""An outage of 26 s with a tool call inside, through the hosted service's Python SDK. Prints `ok`.

It runs in a network of its own, and cuts it itself. PARLEY_TEST_URL, PARLEY_TEST_KEY, PARLEY_TEST_PERSONA say with what.
"""

import asyncio
import os
import subprocess
import sys

from anam import AnamClient, AnamEvent, ClientOptions, PersonaConfig

URL = os.environ["PARLEY_TEST_URL"]
KEY = os.environ["PARLEY_TEST_KEY"]
PERSONA = os.environ["PARLEY_TEST_PERSONA"]
OUTAGE_S = 26
MAX_WAIT_S = 60
LOUD = 500


def iptables(*rule):
    subprocess.run(["iptables", *rule], check=True)


async def until(condition, what):
    for _ in range(MAX_WAIT_S * 20):
        if condition():
            return
        await asyncio.sleep(0.05)
    raise AssertionError(f"never: {what}")


async def cut():
    for chain, direction in (("OUTPUT", "-o"), ("INPUT", "-i")):
        iptables("-A", chain, "!", direction, "lo", "-j", "DROP")
    await asyncio.sleep(OUTAGE_S)
    iptables("-F")


async def main():
    persona = PersonaConfig(persona_id=PERSONA)
    ada = AnamClient(api_key=KEY, persona_config=persona, options=ClientOptions(api_base_url=URL))
    messages, closed, loud, pictures = [], [], [], []
    ada.add_listener(AnamEvent.MESSAGE_RECEIVED, lambda message: messages.append(message.content))
    ada.add_listener(AnamEvent.CONNECTION_CLOSED, lambda code, _: closed.append(code))
    session = await ada.connect_async()
    await until(lambda: messages == ["Hello there."], "the greeting")
    # The tool takes some seconds: it answers while there is no network.
    await session.send_message("Which rooms are free?")
    await asyncio.sleep(1)
    await cut()
    # The service has closed the dead socket. The SDK opens another one and offers another peer connection, and its
    # iterators stay with the tracks of the first.
    await until(lambda: closed == ["signalling_closed"], "the end of the first socket")

    await until(lambda: any("Garden room" in message for message in messages), "the answer with the tool's result")

    async def listen():
        async for frame in session.audio_frames():
            if abs(frame.to_ndarray()).max() > LOUD:
                loud.append(frame)

    async def watch():
        async for frame in session.video_frames():
            pictures.append(frame)

    tasks = [asyncio.create_task(listen()), asyncio.create_task(watch())]
    # By the socket: when the first peer connection gives up, the SDK takes the channel of the second one for closed.
    await session.create_talk_stream().send("This is said after the outage.", end_of_speech=True)
    await until(lambda: any("after the outage" in message for message in messages), "more words")
    await until(lambda: len(loud) > 20, "them aloud")
    await until(lambda: len(pictures) > 10, "pictures")
    assert messages.count("Hello there.") == 1, messages
    assert closed == ["signalling_closed"], closed
    for task in tasks:
        task.cancel()
    print("ok")


if __name__ == "__main__":
    status = 0
    try:
        asyncio.run(main())
    except BaseException:
        import traceback

        traceback.print_exc()
        status = 1
    sys.stdout.flush()
    os._exit(status)
