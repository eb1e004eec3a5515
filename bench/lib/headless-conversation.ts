import { EventEmitter, once } from 'node:events';
import { openBenchClient, type BenchClient, type BenchClientOptions } from './bench-client.ts';
import type { ServiceAddress } from './call-api.ts';
import { signalingUrl, startSession, typed, type StartedSession } from './conversation.ts';
import { readSpeechText } from './speech-text.ts';

/** Long, because attacks beside it can starve it: it only matters whether it is answered at all. */
const REPLY_WITHIN_MS = 60_000;
/** Between two tries to send, ms: a client that reconnects has no data channel for a moment. */
const TRY_EVERY_MS = 50;

/** A typing user without a browser: many such users cost little. */
export interface HeadlessConversation {
  readonly sessionId: string;
  readonly client: BenchClient;
  /** All that the persona said. */
  heard(): string;
  /** Messages of the persona that are complete. */
  replies(): number;
  say(text: string): void;
  /**
   * Says this as soon as it can be sent, and resolves when the persona has said all of its answer.
   * @throws Error if it has not within `REPLY_WITHIN_MS`.
   */
  ask(text: string): Promise<void>;
  close(): void;
}

export interface HeadlessConversationOptions extends Pick<
  BenchClientOptions,
  'address' | 'videoCodecs' | 'microphone' | 'noticesSilence' | 'route' | 'onAudio' | 'onVideo' | 'onComeBack'
> {
  readonly sessionOptions?: Record<string, unknown>;
  /** Whether it uses the TURN server that the service names, if it must. @defaultValue 'no' */
  readonly relay?: 'if needed' | 'no';
}

/** @returns a conversation that is live, and stays so while nobody speaks. */
export async function openHeadlessConversation(
  service: ServiceAddress,
  personaConfig: Record<string, unknown> = {},
  { sessionOptions, relay = 'no', ...options }: HeadlessConversationOptions = {},
): Promise<HeadlessConversation> {
  const started = await startSession(service, personaConfig, sessionOptions);
  const { sessionId } = started;
  const said = new EventEmitter();
  let heard = '';
  let replies = 0;
  const client = await openBenchClient(signalingUrl(service), sessionId, {
    ...options,
    ...(relay === 'if needed' && { relay: relayOf(started) }),
    onMessage(text) {
      const speech = readSpeechText(text);
      if (speech?.role !== 'persona') return;
      heard += speech.content;
      if (!speech.isLast) return;
      replies += 1;
      said.emit('reply');
    },
  });
  await client.ready;
  const say = (text: string): void => void client.sendMessage(typed(text));
  return {
    sessionId,
    client,
    heard: () => heard,
    replies: () => replies,
    say,
    async ask(text) {
      const signal = AbortSignal.timeout(REPLY_WITHIN_MS);
      const reply = once(said, 'reply', { signal });
      // Whether it can be sent or not: what is waited for is the answer.
      reply.catch(() => {});
      while (!client.sendMessage(typed(text)) && !signal.aborted)
        await new Promise((resolve) => setTimeout(resolve, TRY_EVERY_MS));
      await reply.catch((cause: unknown) => {
        throw new Error(`The persona of ${sessionId} did not answer "${text}". It has said: "${heard}"`, { cause });
      });
    },
    close: () => client.close(),
  };
}

/** The TURN server of a session, as it is reached by UDP. */
function relayOf({ clientConfig }: StartedSession): NonNullable<BenchClientOptions['relay']> {
  for (const { urls, username = '', credential = '' } of clientConfig.iceServers) {
    const [, hostname, port] =
      urls.map((url) => /^turn:([^:?]+):(\d+)$/.exec(url)).find((found) => found !== null) ?? [];
    if (hostname !== undefined) return { hostname, port: Number(port), username, password: credential };
  }
  throw new Error('The service names no TURN server.');
}
