"""The code of the documents, and the examples, run as they are written there."""

from __future__ import annotations

import ast
import asyncio
import inspect
import re
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import av
import pytest
import pytest_asyncio

from conftest import in_environment
from parley_client import Client, Persona

PACKAGE = Path(__file__).resolve().parents[2]
GUIDE = PACKAGE.parents[1] / "docs/guides/python-client.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(document: Path) -> list[Any]:
    text = document.read_text()
    return [
        pytest.param(match[1], id=f"{document.name}:{text.count(chr(10), 0, match.start()) + 1}")
        for match in BLOCK.finditer(text)
    ]


@pytest_asyncio.fixture
async def values(
    client: Client, persona: Callable[..., Persona], question: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> dict[str, str]:
    """What the documents leave to the reader, in a folder with a sound file."""
    saved = await client.request("POST", "/v1/personas", persona().to_wire())
    shutil.copy(question, tmp_path / "question.wav")
    monkeypatch.chdir(tmp_path)
    return {
        "http://localhost:8080": in_environment("PARLEY_TEST_URL"),
        "YOUR_API_KEY": in_environment("PARLEY_TEST_KEY"),
        "PERSONA_ID": saved["id"],
        "AVATAR_ID": persona().avatar_id,
    }


def filled_in(code: str, values: dict[str, str]) -> str:
    for placeholder, value in values.items():
        code = code.replace(placeholder, value)
    return code


async def python(*arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode()


@pytest.mark.parametrize("code", [*blocks(PACKAGE / "README.md"), *blocks(GUIDE)])
async def test_code_of_the_documents_runs(
    code: str, values: dict[str, str], client: Client, persona: Callable[..., Persona]
) -> None:
    code = filled_in(code, values)
    if "asyncio.run(" in code:
        assert (await python("-c", code)).strip() != ""
        return
    compiled = compile(code, "document", "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT)
    # The guide uses cues, which earlier models do not take.
    async with client.session(persona(avatar_model="cara-4")) as session:
        names: dict[str, Any] = {"client": client, "session": session}
        exec("from pathlib import Path", names)
        result = eval(compiled, names)
        if inspect.isawaitable(result):
            await result


@pytest.mark.parametrize(
    ("example", "arguments"),
    [
        ("spoken_conversation.py", ["question.wav"]),
        ("save_a_recording.py", ["Welcome to our museum.", "out.mp4"]),
        ("face_for_an_agent.py", ["question.wav", "out.mp4"]),
    ],
)
async def test_an_example_runs(example: str, arguments: list[str], values: dict[str, str]) -> None:
    url, key, persona_id, _ = values.values()
    output = await python(str(PACKAGE / "examples" / example), url, key, persona_id, *arguments)
    if "out.mp4" not in arguments:
        # The user's words and the persona's answer; the offline recognizer does not get every word right.
        assert len(output.strip().splitlines()) >= 2
    else:
        assert_speaking_picture(Path("out.mp4"))


async def test_the_program_for_the_terminal_talks(values: dict[str, str]) -> None:
    url, key, persona_id, _ = values.values()
    service = ["-m", "parley_client", "--url", url, "--key", key]
    assert persona_id in await python(*service, "personas", "--search", "Ada")
    output = await python(*service, "talk", persona_id, "--say", "question.wav", "--type", "What is your name?")
    assert "Ada" in output and output.count("persona: ") >= 2 and "user: " in output


def assert_speaking_picture(file: Path) -> None:
    with av.open(str(file)) as container:
        pictures = sum(1 for _ in container.decode(video=0))
        seconds = float(container.duration) / av.time_base
    with av.open(str(file)) as container:
        loudest = max(abs(frame.to_ndarray()).max() for frame in container.decode(audio=0))
    assert seconds > 1
    # 25 a second, of which a busy machine loses some.
    assert pictures > 10 * seconds
    assert loudest > 0.05
