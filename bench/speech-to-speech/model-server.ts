/**
 * A scripted server of a model that speaks itself, in a thread of its own: a real one takes nothing of the engine's thread
 * either. Told in `workerData`: which one. Tells its address, and then when it was asked and when it spoke.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { openAgentServer } from '../../models/speech-to-speech/elevenlabs/testing/agent-server.ts';
import { openGeminiServer } from '../../models/speech-to-speech/gemini/testing/gemini-server.ts';
import { openRealtimeServer } from '../../models/speech-to-speech/testing/realtime-server.ts';
import { engineNow } from '../../runtime/clock.ts';

export type ServerName = keyof typeof SERVERS;
export type ToServer = 'interrupt' | 'endSpeech' | 'close';
/** The first message of the thread. */
export interface Opened {
  readonly url: string;
}
/** Each later one. `at`: engine time. */
export interface Mark {
  readonly mark: 'asked' | 'firstSound';
  readonly at: number;
}

interface Server {
  readonly url: string;
  interrupt(): void;
  endSpeech(): void;
  close(): Promise<void>;
}
interface Peer {
  send(message: object): void;
}

/** To be interrupted. */
const LONG = 'One two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.';
const SHORT = 'Two words.';
const answerTo = (last: string): string => (last.includes('count') ? LONG : SHORT);

const mark = (what: Mark['mark']): void => parentPort!.postMessage({ mark: what, at: engineNow() } satisfies Mark);

/** Marks what each connection of a server sends. */
function watch(peers: Peer[], sent: (message: string) => void): void {
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

/** For servers that ask for an answer when they are asked themselves. */
function markedAnswer(remembers: readonly string[]): string {
  mark('asked');
  return answerTo(remembers.at(-1) ?? '');
}

async function openAi(): Promise<Server> {
  const server = await openRealtimeServer({
    answer: ({ items }) => answerTo(items.at(-1)?.text ?? ''),
    pace: 1,
    thinkMs: 200,
  });
  watch(server.peers as readonly Peer[] as Peer[], (message) => {
    if (message.includes('"response.created"')) mark('asked');
    if (message.includes('"response.output_audio.delta"')) mark('firstSound');
  });
  const voice = (event: object): void => (server.peers.at(-1) as Peer).send({ ...event, item_id: 'voice' });
  return {
    url: server.url,
    interrupt: () => voice({ type: 'input_audio_buffer.speech_started', audio_start_ms: 0 }),
    endSpeech: () => voice({ type: 'input_audio_buffer.speech_stopped', audio_end_ms: 0 }),
    close: () => server.close(),
  };
}

async function gemini(): Promise<Server> {
  const server = await openGeminiServer({ answer: markedAnswer });
  watch(server.peers, (message) => {
    if (message.includes('"modelTurn"')) mark('firstSound');
  });
  // Here the client interrupts.
  return { url: server.url, interrupt() {}, endSpeech() {}, close: () => server.close() };
}

async function elevenLabs(): Promise<Server> {
  const server = await openAgentServer({ answer: markedAnswer, speed: 1 });
  watch(server.peers, (message) => {
    if (message.includes('"audio"')) mark('firstSound');
  });
  return {
    url: server.signedUrl,
    interrupt: () => server.peers.at(-1)!.interrupt(),
    endSpeech() {},
    close: () => server.close(),
  };
}

const SERVERS = { openAi, gemini, elevenLabs };

const server = await SERVERS[workerData as ServerName]();
parentPort!.on('message', (asked: ToServer) => {
  if (asked !== 'close') server[asked]();
  else void server.close().then(() => parentPort!.close());
});
parentPort!.postMessage({ url: server.url } satisfies Opened);
