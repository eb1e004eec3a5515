import { describe, expect, it } from 'vitest';
import type { SessionCommand } from '../../../actors/commands.ts';
import type { SessionEvent } from '../../../actors/events.ts';
import { ProviderError, type LanguageModel, type LlmEvent } from '../../../models/ports.ts';
import { eventually } from '../../testing/eventually.ts';
import { createLlmRunner } from './llm-runner.ts';

const ASK: Extract<SessionCommand, { type: 'llm.request' }> = {
  type: 'llm.request',
  requestId: 'r',
  messages: [],
  tools: [],
  correlationId: 'c',
  language: null,
};

function answering(events: readonly LlmEvent[]): LanguageModel {
  return {
    name: 'test',
    async *stream() {
      yield* events;
    },
  };
}

/** Runs a question, and counts how often the event loop has turned by the time of each event. */
function ask(llm: LanguageModel, stopAfter = Infinity) {
  const heard: SessionEvent[] = [];
  const turns: number[] = [];
  let turned = 0;
  const turning = setInterval(() => (turned += 1), 0);
  let immediate: NodeJS.Immediate;
  const turn = () => {
    turned += 1;
    immediate = setImmediate(turn);
  };
  immediate = setImmediate(turn);
  const runner = createLlmRunner({
    sessionId: 's',
    llm,
    dispatch: (event) => {
      heard.push(event);
      turns.push(turned);
      if (heard.length === stopAfter) runner.cancel('r');
    },
    failed: () => {},
    noticed: () => {},
  });
  runner.ask(ASK);
  return {
    heard,
    turns,
    close: () => {
      clearInterval(turning);
      clearImmediate(immediate);
      runner.close();
    },
  };
}

describe('an answer that comes all at once', () => {
  const text = 'A word and another. '.repeat(5_000);

  it('is handed on in small pieces, and others have their turn between any two of them', async () => {
    const { heard, turns, close } = ask(
      answering([
        { type: 'text', text },
        { type: 'reasoning', text },
        { type: 'done', finishReason: 'stop' },
      ]),
    );
    await eventually(() => expect(heard.at(-1)).toEqual({ type: 'llm.done', requestId: 'r' }));
    close();
    const texts = (type: 'llm.text' | 'llm.reasoning') =>
      heard.flatMap((event) => (event.type === type ? [event.text] : []));
    for (const type of ['llm.text', 'llm.reasoning'] as const) {
      expect(texts(type).join('')).toBe(text);
      expect(Math.max(...texts(type).map((piece) => piece.length))).toBeLessThanOrEqual(256);
    }
    expect(new Set(turns).size).toBe(turns.length);
  });

  it('in tokens leaves others their turn, too', async () => {
    const tokens = Array.from({ length: 200 }, (): LlmEvent => ({ type: 'text', text: 'word ' }));
    const { heard, turns, close } = ask(answering([...tokens, { type: 'done', finishReason: 'stop' }]));
    await eventually(() => expect(heard).toHaveLength(201));
    close();
    expect(new Set(turns).size).toBe(turns.length);
  });

  it('ends in the middle of a piece when nobody wants more', async () => {
    const { heard, turns, close } = ask(answering([{ type: 'text', text }]), 3);
    await eventually(() => expect(turns.length).toBe(3));
    await new Promise((resolve) => setTimeout(resolve, 20));
    close();
    expect(heard.map((event) => event.type)).toEqual(['llm.text', 'llm.text', 'llm.text']);
  });
});

it('tells what an answer cost that nobody wants any more', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const llm: LanguageModel = {
    name: 'test',
    async *stream({ metered }) {
      try {
        yield { type: 'text', text: 'Well' };
        await left;
      } finally {
        metered?.({ provider: 'test', place: 0, amounts: { requests: 1, inputTokens: 20 } });
      }
    },
  };
  // Its first word cancels it.
  const { heard, close } = ask(llm, 1);
  leave();
  await eventually(() =>
    expect(heard.slice(1)).toEqual([
      {
        type: 'provider.metered',
        service: 'llm',
        provider: 'test',
        place: 0,
        amounts: { requests: 1, inputTokens: 20 },
      },
    ]),
  );
  close();
});

describe('an answer that fails', () => {
  const failing = (events: readonly LlmEvent[], error: Error): LanguageModel => ({
    name: 'test',
    async *stream({ used }) {
      used?.({ provider: 'test', place: 1 });
      yield* events;
      throw error;
    },
  });
  const cut = new ProviderError('test', 'bad-response', 'It broke off.');

  it.each<[string, LanguageModel, object]>([
    ['before its first word', failing([], cut), { message: 'It broke off.', askAgain: 'for an answer' }],
    [
      'in the middle',
      failing([{ type: 'text', text: 'Well' }], cut),
      { message: 'It broke off.', askAgain: 'for the rest' },
    ],
    [
      'as it would again',
      failing([], new ProviderError('test', 'auth', 'It refused the key.')),
      { message: 'It refused the key.' },
    ],
    ['by a fault of ours', failing([], new TypeError('secret')), { message: 'The language model failed.' }],
  ])('%s says what asking again may bring', async (_when, llm, failure) => {
    const { heard, close } = ask(llm);
    await eventually(() => expect(heard.at(-1)).toEqual({ type: 'llm.failed', requestId: 'r', ...failure }));
    close();
    expect(heard[0]).toEqual({ type: 'provider.used', service: 'llm', provider: 'test', place: 1 });
  });
});

// A llama.cpp with two cores read the prompt twice at the same time, and gave neither answer within its time.
it('asks when the server has read how the first request begins', async () => {
  const read = Promise.withResolvers<void>();
  const asked: string[] = [];
  const llm: LanguageModel = {
    name: 'test',
    warm: () => read.promise,
    async *stream() {
      asked.push('question');
      yield { type: 'text', text: 'Yes.' };
      yield { type: 'done', finishReason: 'stop' };
    },
  };
  const heard: SessionEvent[] = [];
  const options = { sessionId: 's', llm, failed: () => {}, noticed: () => {} };
  const runner = createLlmRunner({ ...options, dispatch: (event) => heard.push(event) });
  runner.warm({ messages: [], tools: [] });
  runner.ask(ASK);
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(asked).toEqual([]);
  read.resolve();
  await eventually(() => expect(heard.at(-1)?.type).toBe('llm.done'));
  runner.close();
});
