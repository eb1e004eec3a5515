"""voicebench's adapter for servers of OpenAI's Realtime protocol, such as Parley's /v1/realtime. The session has 24 kHz."""

from __future__ import annotations

import base64
import json
from typing import Any, ClassVar

from voicebench import audio as au
from voicebench.adapters.base import AgentAudio, AgentClear, Transcript
from voicebench.adapters.websocket import WebSocketAdapter


class RealtimeAdapter(WebSocketAdapter):
    """Sound goes as `input_audio_buffer.append` and comes as `response.output_audio.delta`."""

    name: ClassVar[str] = "realtime"

    def __init__(self, url: str, key: str, **options: Any) -> None:
        session = {"type": "realtime", "audio": {"input": {"turn_detection": {"type": "server_vad"}}}}
        super().__init__(
            url=url,
            headers={"Authorization": f"Bearer {key}"},
            start_message={"type": "session.update", "session": session},
            **options,
        )

    def encode_audio(self, pcm: au.FloatArray) -> bytes:
        audio = base64.b64encode(au.to_pcm16(pcm)).decode()
        # The base class sends what it is given, and the protocol has text.
        return json.dumps({"type": "input_audio_buffer.append", "audio": audio})  # type: ignore[return-value]

    def handle_text(self, message: str, now: float) -> None:
        event = json.loads(message)
        match event["type"]:
            case "response.output_audio.delta":
                self.emit(AgentAudio(au.from_pcm16(base64.b64decode(event["delta"])), now))
            # As OpenAI's own client does: what it has not played is dropped when the user is heard.
            case "input_audio_buffer.speech_started":
                self.emit(AgentClear(now))
            case "conversation.item.input_audio_transcription.completed":
                self.emit(Transcript("user", event["transcript"], now))
            case "response.output_audio_transcript.done":
                self.emit(Transcript("agent", event["transcript"], now))
            case "error":
                self.receive_error = RuntimeError(event["error"]["message"])
