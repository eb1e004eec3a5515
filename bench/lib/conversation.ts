import { setTimeout as pause } from 'node:timers/promises';
import { engineNow } from '../../runtime/clock.ts';
import type { ArrivalLateness, MediaKind } from './arrival-lateness.ts';
import { callApi, type ServiceAddress } from './call-api.ts';
import { openBenchClient, type BenchClient } from './bench-client.ts';
import { FirstAudio } from './first-audio.ts';
import { readSpeechText } from './speech-text.ts';
import type { SpokenSentence } from './spoken-sentence.ts';

/** One question of a user, and its outcome. Times are of the engine's clock, ms. */
export interface Turn {
  readonly askedAt: number;
  /** When the first words of the answer came, as text. Null: not within `ANSWER_WITHIN_MS`. */
  readonly answeredAt: number | null;
  /** When its first audio came, of a spoken question. Null: none did, or it was typed. */
  readonly firstAudioAt: number | null;
}

export interface Conversation {
  readonly sessionId: string;
  readonly turns: readonly Turn[];
  /** Why the service ended the session. Null: it has not ended. */
  ended(): string | null;
  /** Asks no more questions, waits for the last answer, and hangs up. */
  stop(): Promise<void>;
}

export interface ConversationOptions {
  /** @defaultValue typed: a spoken question needs the recognizer, which takes a second of a core */
  readonly spoken?: SpokenSentence;
  readonly arrivals?: Readonly<Record<MediaKind, Pick<ArrivalLateness, 'stream'>>>;
  readonly sessionOptions?: Record<string, unknown>;
  /** Shortest and longest time from the end of an answer to the next question, ms. @defaultValue 1 to 3 s */
  readonly restMs?: { readonly least: number; readonly most: number };
}

/** Longest wait for an answer. It is far longer than any usual delay. */
export const ANSWER_WITHIN_MS = 30_000;
const REST_MS = { least: 1_000, most: 3_000 };
const LOOK_EVERY_MS = 50;
const QUESTION = 'What time is it in London today?';

/** No greeting and no silence prompt, and silence does not end the session. */
const SILENT = {
  skipGreeting: true,
  voiceDetectionOptions: { silenceBeforeSkipTurnSeconds: 0, silenceBeforeSessionEndSeconds: 0 },
};

/** Such a persona with the stock face. */
export async function silentPersona(service: ServiceAddress): Promise<Record<string, unknown>> {
  const { data } = await callApi<{ data: { id: string }[] }>(service, 'GET', '/v1/avatars');
  return { avatarId: data[0]?.id, ...SILENT };
}

/** What clients are told of a session that has begun. */
export interface StartedSession {
  readonly sessionId: string;
  readonly clientConfig: { readonly iceServers: readonly IceServer[] };
}

export interface IceServer {
  readonly urls: readonly string[];
  readonly username?: string;
  readonly credential?: string;
}

/** Starts a session of the stock face. @throws Error with the service's answer. */
export async function startSession(
  service: ServiceAddress,
  personaConfig: Record<string, unknown> = {},
  sessionOptions: Record<string, unknown> = {},
): Promise<StartedSession> {
  const config = { ...(await silentPersona(service)), ...personaConfig };
  return callApi(service, 'POST', '/v1/engine/session', { personaConfig: config, sessionOptions });
}

export const signalingUrl = ({ url }: ServiceAddress): string => `${url.replace('http', 'ws')}/ws`;

/** A typed message, as on the data channel. */
export const typed = (content: string): string =>
  JSON.stringify({ message_type: 'speech', content, timestamp: new Date().toISOString().replace('Z', '') });

/** One user of a running service, who asks questions until the end. */
export async function converse(service: ServiceAddress, options: ConversationOptions = {}): Promise<Conversation> {
  const { sessionId } = await startSession(service, {}, options.sessionOptions);
  const turns: Turn[] = [];
  let heard: { readonly at: number; readonly whole: boolean } | null = null;
  const firstAudio = new FirstAudio();
  const arrived = { audio: options.arrivals?.audio.stream(), video: options.arrivals?.video.stream() };
  const client = await openBenchClient(signalingUrl(service), sessionId, {
    onAudio({ payload, timestamp, arrivedAt }) {
      arrived.audio?.(timestamp, arrivedAt);
      firstAudio.packet(payload, arrivedAt);
    },
    // The marker is on the last packet of a frame.
    onVideo: ({ timestamp, arrivedAt, marker }) => marker && arrived.video?.(timestamp, arrivedAt),
    onMessage(text) {
      const speech = readSpeechText(text);
      if (speech?.role === 'persona') heard = { at: heard?.at ?? engineNow(), whole: speech.isLast };
    },
  });
  await client.ready;

  const { least, most } = options.restMs ?? REST_MS;
  const leaving = new AbortController();
  const rest = (): Promise<unknown> =>
    pause(least + Math.random() * (most - least), null, { signal: leaving.signal }).catch(() => undefined);
  async function turn(): Promise<void> {
    heard = null;
    const askedAt = await ask(client, options.spoken);
    if (options.spoken !== undefined) firstAudio.waitFrom(askedAt);
    const until = askedAt + ANSWER_WITHIN_MS;
    const answer = (): typeof heard => heard;
    while (answer()?.whole !== true && engineNow() < until) await pause(LOOK_EVERY_MS);
    turns.push({ askedAt, answeredAt: answer()?.at ?? null, firstAudioAt: firstAudio.at });
  }
  const talking = (async () => {
    while (!leaving.signal.aborted) {
      await rest();
      if (!leaving.signal.aborted && client.ended() === null) await turn();
    }
  })();
  return {
    sessionId,
    turns,
    ended: () => client.ended(),
    async stop() {
      leaving.abort();
      await talking;
      client.close();
      firstAudio.close();
    },
  };
}

/** @returns the time at which the question was complete. */
async function ask(client: BenchClient, spoken: SpokenSentence | undefined): Promise<number> {
  if (spoken !== undefined) return client.say(spoken);
  client.sendMessage(typed(QUESTION));
  return engineNow();
}
