import { onTestFinished } from 'vitest';
import type { SessionConfig } from '../../../actors/session-config.ts';
import type { LanguageModel } from '../../../models/ports.ts';
import { createAgentModel } from '../../../models/speech-to-speech/elevenlabs/agent-model.ts';
import { openAgentServer } from '../../../models/speech-to-speech/elevenlabs/testing/agent-server.ts';
import { openGeminiServer } from '../../../models/speech-to-speech/gemini/testing/gemini-server.ts';
import { createSpeechModel } from '../../../models/speech-to-speech/speech-model.ts';
import { openRealtimeServer } from '../../../models/speech-to-speech/testing/realtime-server.ts';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';

/** A service of a model that hears and speaks itself, and what its newest connection knows. */
export interface TestSpeechModel {
  readonly llm: LanguageModel;
  readonly config: Partial<SessionConfig>;
  /** Without what the session had given up before it was taken: skipped time can end a handshake. */
  connections(): number;
  knows(): string;
  /** What its newest connection was told to be. */
  setUp(): string;
  /** The part of an interrupted count that the model believes the user has heard. */
  heardCount(): string;
  isConnected(): boolean;
  cut(): void;
  /** From now on, handshakes are refused; or they are taken again. */
  away(isAway: boolean): void;
}

type Answer = string | { readonly call: { readonly name: string; readonly args: object } };

export const GREETING = 'Welcome to the shop.';
export const COUNT =
  'One two three four five six seven eight nine ten eleven twelve. Thirteen fourteen fifteen sixteen seventeen.';

/** @param last of what the model remembers, in words. */
function answerTo(last: string): Answer {
  const [, hours] = /(?:^result: |^)\{"at":"(.*)"\}$/.exec(last) ?? [];
  if (hours !== undefined) return `We open ${hours}.`;
  if (/open/.test(last)) return { call: { name: 'opening_hours', args: {} } };
  if (/count/.test(last)) return COUNT;
  return /capital/.test(last) ? 'The capital is Rome.' : 'Fine, thank you.';
}

const definition = { name: 'n', format: 'advanced_voice', secret: 'the-key' };
const used = <Peer extends { readonly isOpen: boolean }>(peers: readonly Peer[], isUsed: (peer: Peer) => boolean) =>
  peers.filter((peer) => peer.isOpen || isUsed(peer)).length;
const counted = (known: readonly string[], by: string): string =>
  known.find((item) => item.startsWith(`${by}: One two`))?.slice(by.length + 2) ?? '';

export const speechModels: Readonly<Record<string, (timers?: Timers) => Promise<TestSpeechModel>>> = {
  async 'OpenAI Realtime'(timers = systemTimers) {
    const server = await openRealtimeServer({ pace: 20, answer: ({ items }) => answerTo(items.at(-1)?.text ?? '') });
    onTestFinished(() => server.close());
    const urls = [{ url: server.url }];
    return {
      llm: createSpeechModel({ ...definition, modelName: 'gpt-realtime', urls }, { timers }),
      config: {},
      connections: () => used(server.peers, ({ received }) => received.length > 0),
      knows: () => server.peers.at(-1)?.remembers.join('\n') ?? '',
      setUp: () => JSON.stringify(server.peers.at(-1)?.session),
      heardCount: () => counted(server.peers.at(-1)!.remembers, 'assistant'),
      isConnected: () => server.peers.at(-1)!.isOpen,
      cut: () => server.peers.at(-1)!.cut(),
      away: (isAway) => void (server.refuses = isAway ? 503 : null),
    };
  },
  async 'Gemini Live'(timers = systemTimers) {
    const handles = new Map<string, readonly string[]>();
    const server = await openGeminiServer({ handles, answer: (remembers) => answerTo(remembers.at(-1) ?? '') });
    onTestFinished(() => server.close());
    const speech = { protocol: 'gemini' as const };
    const urls = [{ url: server.url }];
    return {
      llm: createSpeechModel({ ...definition, modelName: 'gemini-live', urls, speech }, { timers }),
      config: {},
      connections: () => used(server.peers, ({ received }) => received.length > 0),
      knows: () => server.peers.at(-1)?.remembers.join('\n') ?? '',
      setUp: () => JSON.stringify(server.peers.at(-1)?.setup),
      heardCount: () => counted(server.peers.at(-1)!.remembers, 'model'),
      isConnected: () => server.peers.at(-1)!.isOpen,
      cut: () => server.peers.at(-1)!.cut(),
      away: (isAway) => void (server.refuses = isAway ? 503 : null),
    };
  },
  async 'an agent of ElevenLabs'(timers = systemTimers) {
    const firstMessage = { firstMessage: GREETING };
    const server = await openAgentServer({
      ...(timers !== systemTimers && firstMessage),
      speed: 1,
      answer: (remembers) => answerTo(remembers.at(-1) ?? ''),
    });
    onTestFinished(() => server.close());
    return {
      llm: createAgentModel('An agent', { signedUrl: server.signedUrl }, { timers }),
      config: {
        llm: { kind: 'service', llmId: 'a', displayName: 'a', reasoningFormat: null, speaks: true, agent: true },
      },
      connections: () => used(server.peers, ({ initiation }) => initiation !== null),
      knows: () => server.peers.at(-1)?.remembers.join('\n') ?? '',
      setUp: () => JSON.stringify(server.peers.at(-1)?.initiation),
      // It cannot be made to forget: it is told, unless it believes almost the same by itself.
      heardCount: () => {
        const known = server.peers.at(-1)!.remembers;
        return /heard only this of it: "(.*?)"/.exec(known.join('\n'))?.[1] ?? counted(known, 'agent');
      },
      isConnected: () => server.peers.at(-1)!.isOpen,
      cut: () => server.peers.at(-1)!.cut(),
      away: (isAway) => void (server.refuses = isAway ? 503 : null),
    };
  },
};
