import type { LiveClient } from '../../engine/session/testing/live-engine.ts';
import type { SessionConfig } from '../../actors/session-config.ts';
import type { LanguageModel } from '../../models/ports.ts';
import { createAgentModel } from '../../models/speech-to-speech/elevenlabs/agent-model.ts';
import { openAgentServer } from '../../models/speech-to-speech/elevenlabs/testing/agent-server.ts';
import { openGeminiServer } from '../../models/speech-to-speech/gemini/testing/gemini-server.ts';
import { createSpeechModel } from '../../models/speech-to-speech/speech-model.ts';
import { openRealtimeServer } from '../../models/speech-to-speech/testing/realtime-server.ts';
import { engineNow } from '../../runtime/clock.ts';

/** A scripted server of a model that hears and speaks itself, and when what happened there. */
export interface TimedModel {
  readonly name: string;
  readonly llm: LanguageModel;
  readonly config: Partial<SessionConfig>;
  /** Engine times; 0: not so far. */
  readonly marks: { asked: number; firstSound: number };
  /** A voice is heard while the persona speaks, and is over. */
  interrupt(client: LiveClient): void;
  endSpeech(): void;
  close(): Promise<void>;
}

/** To be interrupted. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.';
const SHORT = 'Two words.';
const answerTo = (last: string): string => (last.includes('count') ? LONG : SHORT);
const definition = { name: 'scripted', format: 'advanced_voice', secret: 'the-key' };

interface Peer {
  send(message: object): void;
}

/** Marks what each connection of a server sends. */
function watch<P extends Peer>(peers: P[], sent: (message: string) => void): void {
  const push = peers.push.bind(peers);
  peers.push = (...added) => {
    for (const peer of added) {
      const send = peer.send.bind(peer);
      peer.send = (message) => {
        sent(JSON.stringify(message));
        send(message);
      };
    }
    return push(...added);
  };
}

async function openAi(): Promise<TimedModel> {
  const server = await openRealtimeServer({
    answer: ({ items }) => answerTo(items.at(-1)?.text ?? ''),
    pace: 1,
    thinkMs: 200,
  });
  const marks = { asked: 0, firstSound: 0 };
  watch(server.peers as readonly Peer[] as Peer[], (message) => {
    if (message.includes('"response.created"')) marks.asked = engineNow();
    if (message.includes('"response.output_audio.delta"')) marks.firstSound ||= engineNow();
  });
  const voice = (event: object): void => (server.peers.at(-1) as Peer).send({ ...event, item_id: 'voice' });
  return {
    name: 'OpenAI Realtime',
    llm: createSpeechModel({
      ...definition,
      urls: [{ url: server.url }],
      modelName: 'gpt-realtime',
      speech: { voice: 'marin', turns: 'server_vad', transcriptionModel: 'gpt-4o-mini-transcribe' },
    }),
    config: {},
    marks,
    interrupt: () => voice({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0 }),
    endSpeech: () => voice({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0 }),
    close: () => server.close(),
  };
}

/** For servers that ask for an answer when they are asked themselves. */
function markedAnswers() {
  const marks = { asked: 0, firstSound: 0 };
  const answer = (remembers: readonly string[]): string => {
    marks.asked = engineNow();
    return answerTo(remembers.at(-1) ?? '');
  };
  return { marks, answer };
}

async function gemini(): Promise<TimedModel> {
  const { marks, answer } = markedAnswers();
  const server = await openGeminiServer({ answer });
  watch(server.peers, (message) => {
    if (message.includes('"modelTurn"')) marks.firstSound ||= engineNow();
  });
  const urls = [{ url: server.url }];
  return {
    name: 'Gemini Live',
    llm: createSpeechModel({ ...definition, urls, modelName: 'gemini-live', speech: { protocol: 'gemini' } }),
    config: {},
    marks,
    interrupt: (client) => client.send('interrupt', {}),
    endSpeech() {},
    close: () => server.close(),
  };
}

async function elevenLabs(): Promise<TimedModel> {
  const { marks, answer } = markedAnswers();
  const server = await openAgentServer({ answer, speed: 1 });
  watch(server.peers, (message) => {
    if (message.includes('"audio"')) marks.firstSound ||= engineNow();
  });
  return {
    name: 'an agent of ElevenLabs',
    llm: createAgentModel('An agent', { signedUrl: server.signedUrl }, {}),
    config: {
      llm: { kind: 'service', llmId: 'a', displayName: 'a', reasoningFormat: null, speaks: true, agent: true },
    },
    marks,
    interrupt: () => server.peers.at(-1)!.interrupt(),
    endSpeech() {},
    close: () => server.close(),
  };
}

export const timedModels = [openAi, gemini, elevenLabs];
