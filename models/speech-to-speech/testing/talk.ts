import { afterEach, expect } from 'vitest';
import { systemTimers, type Timers } from '../../../runtime/clock.ts';
import type { LlmDefinition } from '../../llm/definition.ts';
import type {
  Amounts,
  LanguageModel,
  LlmEvent,
  LlmMessage,
  SpeechModelSession,
  SynthesisRequest,
  ToolSpec,
} from '../../ports.ts';
import { createSpeechModel } from '../speech-model.ts';
import { openRealtimeServer, type RealtimeServer, type RealtimeServerOptions } from './realtime-server.ts';

export const open: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

export const PROMPT: LlmMessage = { role: 'system', content: 'You are Elena.' };
export const user = (content: string): LlmMessage => ({ role: 'user', content });
export const persona = (content: string): LlmMessage => ({ role: 'assistant', content });
export const TOOL: ToolSpec = {
  name: 'shop.hours',
  description: 'Hours',
  parameters: { type: 'object', properties: {} },
};
/** 16 kHz. */
const voice = (ms: number): Int16Array => Int16Array.from({ length: ms * 16 }, (_, at) => 8_000 * Math.sin(at / 20));

export interface Talk {
  readonly server: RealtimeServer;
  readonly session: SpeechModelSession;
  readonly finals: string[];
  readonly heardVoice: string[];
  readonly lost: string[];
  /** What was counted so far. */
  readonly amounts: Amounts[];
  /** A voice and then silence, ms. */
  say(ms?: number, silentMs?: number): Promise<string>;
  ask(messages: readonly LlmMessage[], tools?: readonly ToolSpec[], signal?: AbortSignal): Promise<LlmEvent[]>;
  /** Says the rest of an answer, and gives its length in ms. */
  speak(text: string, segmentId: string, signal?: AbortSignal): Promise<number>;
  /** Has a given text read, and gives its length in ms. */
  read(text: string, segmentId: string): Promise<number>;
}

export async function talk(
  options: Partial<RealtimeServerOptions> = {},
  definition: Partial<LlmDefinition> = {},
  timers: Timers = systemTimers,
): Promise<Talk> {
  const server = await openRealtimeServer({ answer: () => 'Hello there. How are you?', ...options });
  open.push(server);
  const model = modelOf(server, definition, timers);
  const heardVoice: string[] = [];
  const lost: string[] = [];
  const amounts: Amounts[] = [];
  const session = model.speech!.open({
    voice: (on) => heardVoice.push(on),
    lost: ({ code }) => lost.push(code),
    metered: (use) => amounts.push(use.amounts),
  });
  open.push(session);
  const finals: string[] = [];
  let told = Promise.withResolvers<string>();
  const recognition = session.recognizer.open({
    language: 'en',
    keyTerms: ['Zhofia'],
    handlers: {
      partial() {},
      final(text) {
        finals.push(text);
        told.resolve(text);
      },
      failed: () => told.resolve('failed'),
    },
  });
  return {
    server,
    session,
    finals,
    heardVoice,
    lost,
    amounts,
    async say(ms = 400, silentMs = 0) {
      told = Promise.withResolvers();
      recognition.write(voice(ms));
      for (let left = silentMs; left > 0; left -= 100) recognition.write(new Int16Array(1_600));
      if (silentMs > 0) await expect.poll(() => heardVoice).toContain('off');
      recognition.finish();
      return told.promise;
    },
    async ask(messages, tools = [], signal = new AbortController().signal) {
      const events: LlmEvent[] = [];
      const request = { messages, tools, sessionId: 's', correlationId: 'c', language: 'en' };
      for await (const event of session.llm.stream(request, signal)) events.push(event);
      return events;
    },
    speak: (text, segmentId, signal = new AbortController().signal) =>
      soundOf(session, { text, segmentId, spoken: true }, signal),
    read: (text, segmentId) => soundOf(session, { text, segmentId }, new AbortController().signal),
  };
}

/** @returns its length, ms. */
async function soundOf(
  { synthesizer }: SpeechModelSession,
  request: Omit<SynthesisRequest, 'voice' | 'language' | 'tuning'>,
  signal: AbortSignal,
): Promise<number> {
  let samples = 0;
  const whole = { ...request, voice: 'v', language: 'en', tuning: {} };
  for await (const { pcm } of synthesizer.synthesize(whole, signal)) samples += pcm.length;
  return samples / 24;
}

function modelOf(server: RealtimeServer, definition: Partial<LlmDefinition>, timers: Timers): LanguageModel {
  const usual = {
    name: 'House voice',
    format: 'advanced_voice',
    urls: [{ url: server.url }],
    modelName: 'gpt-realtime',
    secret: 'the-key',
  };
  return createSpeechModel({ ...usual, ...definition }, { timers });
}
