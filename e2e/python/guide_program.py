"""The program that a guide has, and what it talks to beside the service: a server with OpenAI's interface."""

import asyncio
import io
import json
import os
import pathlib
import re
import wave

import numpy
from aiohttp import web

RATE = 24_000
QUESTION = "When do you open?"
# What the LLM was asked.
asked = []


async def until(condition, what, longest_s=90):
    for _ in range(longest_s * 10):
        if condition():
            return
        await asyncio.sleep(0.1)
    raise AssertionError(f"never: {what}")


def program():
    """The only one in PARLEY_TEST_GUIDE, for the service of PARLEY_TEST_URL."""
    guide = pathlib.Path(os.environ["PARLEY_TEST_GUIDE"]).read_text()
    (code,) = re.findall(r"^```python\n(.*?)^```$", guide, re.DOTALL | re.MULTILINE)
    assert "https://parley.example.com" in code
    return code.replace("https://parley.example.com", os.environ["PARLEY_TEST_URL"])


def environment(openai):
    keys = {"OPENAI_API_KEY": "none", "PARLEY_API_KEY": os.environ["PARLEY_TEST_KEY"]}
    return {**os.environ, **keys, "OPENAI_BASE_URL": openai}


async def answers(caller, ask):
    """The caller, who sees the face by now, asks and hears the answer."""
    print("ok shows_a_face", flush=True)
    ask()
    await until(lambda: asked, "the question")
    assert [message["content"] for message in asked[0]] == ["You keep a shop.", QUESTION], asked[0]
    print("ok is_asked", flush=True)
    await until(lambda: caller.loud > 50, "the answer's voice")
    print("ok says_the_answer", flush=True)


def spoken_question():
    """Its rate and its samples, 16 bits."""
    with wave.open(os.environ["PARLEY_TEST_QUESTION"]) as question:
        return question.getframerate(), question.readframes(question.getnframes())


async def transcribe(request):
    await request.read()
    return web.json_response({"text": QUESTION})


async def chat(request):
    asked.append((await request.json())["messages"])
    chunks = [
        {"index": 0, "delta": {"role": "assistant", "content": "We open at nine."}, "finish_reason": None},
        {"index": 0, "delta": {}, "finish_reason": "stop"},
    ]
    head = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    lines = [*(json.dumps({**head, "choices": [chunk]}) for chunk in chunks), "[DONE]"]
    return web.Response(text="".join(f"data: {line}\n\n" for line in lines), content_type="text/event-stream")


async def speak(request):
    tone = (8_000 * numpy.sin(numpy.arange(2 * RATE) * 0.08)).astype(numpy.int16).tobytes()
    if (await request.json())["response_format"] == "pcm":
        return web.Response(body=tone, content_type="audio/pcm")
    file = io.BytesIO()
    with wave.open(file, "wb") as sound:
        sound.setparams((1, 2, RATE, 0, "NONE", ""))
        sound.writeframes(tone)
    return web.Response(body=file.getvalue(), content_type="audio/wav")


async def stand_ins():
    app = web.Application(client_max_size=1 << 24)
    app.add_routes(
        [
            web.post("/v1/audio/transcriptions", transcribe),
            web.post("/v1/chat/completions", chat),
            web.post("/v1/audio/speech", speak),
        ]
    )
    runner = web.AppRunner(app)
    await runner.setup()
    site = web.TCPSite(runner, "127.0.0.1", 0)
    await site.start()
    return f"http://127.0.0.1:{site._server.sockets[0].getsockname()[1]}/v1"
