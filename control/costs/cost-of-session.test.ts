import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { UsageRecord } from '../../actors/report.ts';
import { costOfSession, type PricedSession } from './cost-of-session.ts';
import { detailsOf, spentOn, totalOf } from './cost-schema.ts';
import { llmPrices, NO_PRICES, storedLlmPrices } from './price-schema.ts';

const llm = (amounts: UsageRecord['amounts'], place = 0): UsageRecord => ({
  service: 'llm',
  provider: 'openai m',
  place,
  amounts: { requests: 1, reportedRequests: 1, ...amounts },
});
const session = (over: Partial<PricedSession>): PricedSession => ({
  usage: [],
  lengthMs: 0,
  prices: NO_PRICES,
  ownLlm: null,
  hasOwnLlm: false,
  isFree: () => false,
  ...over,
});
const total = (over: Partial<PricedSession>) => totalOf(costOfSession(session(over)));
const HOUSE = {
  input: 0.25,
  cachedInput: 0.025,
  cacheWrite: null,
  output: 2,
  audioInput: null,
  cachedAudioInput: null,
  audioOutput: null,
};

describe('what a session cost', () => {
  it('is the sum of what each provider did, by the million or by the minute', () => {
    const cost = costOfSession(
      session({
        usage: [
          llm({ inputTokens: 10_000, cachedInputTokens: 20_000, cacheWriteTokens: 4_000, outputTokens: 1_000 }),
          { service: 'stt', provider: 'deepgram', place: 0, amounts: { audioMs: 90_000 } },
          { service: 'tts', provider: 'elevenlabs', place: 0, amounts: { characters: 2_000 } },
        ],
        lengthMs: 150_000,
        prices: {
          currency: 'EUR',
          conversationMinute: 0.002,
          recognizers: { deepgram: 0.0077 },
          voices: { elevenlabs: 50 },
          llms: { 'openai m': HOUSE },
        },
      }),
    );
    expect(totalOf(cost)).toEqual({ currency: 'EUR', amount: 0.1225_5, isComplete: true });
    expect(detailsOf(cost)!.lines.map(({ unit, quantity, amount }) => [unit, quantity, amount])).toEqual([
      ['inputTokens', 10_000, 0.0025],
      ['cachedInputTokens', 20_000, 0.0005],
      ['cacheWriteTokens', 4_000, 0.001],
      ['outputTokens', 1_000, 0.002],
      ['audioMinutes', 1.5, 0.01155],
      ['characters', 2_000, 0.1],
      ['conversationMinutes', 2.5, 0.005],
    ]);
  });

  it('has prices of its own for the sound that a model hears and speaks, which are not guessed from those of text', () => {
    const usage = [
      llm({
        inputTokens: 1_000,
        audioInputTokens: 3_000,
        cachedAudioInputTokens: 10_000,
        audioOutputTokens: 2_000,
      }),
    ];
    const prices = { ...HOUSE, audioInput: 32, cachedAudioInput: 0.4, audioOutput: 64 };
    expect(total({ usage, ownLlm: prices, hasOwnLlm: true })).toEqual({
      currency: 'USD',
      amount: 0.228_25,
      isComplete: true,
    });
    const withoutCache = { ...prices, cachedAudioInput: null };
    expect(total({ usage, ownLlm: withoutCache, hasOwnLlm: true })).toMatchObject({
      amount: 0.544_25,
      isComplete: true,
    });
    expect(total({ usage, ownLlm: HOUSE, hasOwnLlm: true })).toMatchObject({ amount: 0.000_25, isComplete: false });
    // As prices were stored before there were those of sound.
    const { input, cachedInput, cacheWrite, output } = HOUSE;
    const before = { input, cachedInput, cacheWrite, output } as never;
    expect(total({ usage, ownLlm: before, hasOwnLlm: true })).toMatchObject({ amount: 0.000_25, isComplete: false });
    expect(storedLlmPrices(JSON.stringify(before))).toEqual({ ...HOUSE, cachedInput: 0.025 });
  });

  it('is nothing that anybody knows where no price is set', () => {
    expect(total({ usage: [llm({ inputTokens: 5 })], prices: null })).toBeNull();
    expect(total({ usage: [llm({ inputTokens: 5 })], prices: { ...NO_PRICES, currency: 'CHF' } })).toBeNull();
  });

  it('is at least so much where an LLM did not tell its tokens, or something has no price', () => {
    const told = llm({ inputTokens: 1_000_000 });
    const untold: UsageRecord = { ...told, amounts: { ...told.amounts, requests: 2 } };
    expect(total({ usage: [untold], ownLlm: HOUSE, hasOwnLlm: true })).toMatchObject({
      amount: 0.25,
      isComplete: false,
    });
    const voice: UsageRecord = { service: 'tts', provider: 'v', place: 0, amounts: { characters: 9 } };
    const both = { usage: [told, voice], ownLlm: HOUSE, hasOwnLlm: true };
    expect(total(both)).toMatchObject({ amount: 0.25, isComplete: false });
    expect(total({ ...both, isFree: () => true })).toMatchObject({ amount: 0.25, isComplete: true });
  });

  it('takes the prices of the persona’s own LLM for that one alone', () => {
    const usage = [llm({ outputTokens: 1_000_000 }), llm({ outputTokens: 1_000_000 }, 1)];
    const prices = { ...NO_PRICES, llms: { 'openai m': { ...HOUSE, output: 3 } } };
    expect(total({ usage, prices, ownLlm: HOUSE, hasOwnLlm: true })).toMatchObject({ amount: 5, isComplete: true });
    expect(total({ usage, prices, hasOwnLlm: true })).toMatchObject({ amount: 3, isComplete: false });
    expect(total({ usage, prices })).toMatchObject({ amount: 6, isComplete: true });
  });

  it('does not take the name of a provider for something else', () => {
    const usage: UsageRecord[] = [{ service: 'tts', provider: 'constructor', place: 0, amounts: { characters: 9 } }];
    expect(total({ usage, prices: { ...NO_PRICES, conversationMinute: 1 } })).toMatchObject({ isComplete: false });
  });
});

describe('money', () => {
  /** Prices with at most six decimals, and as many tokens as an hour may have. */
  const price = fc.integer({ min: 0, max: 10 ** 12 }).map((micros) => micros / 1_000_000);
  const tokens = fc.integer({ min: 0, max: 10 ** 9 });
  /** Two billion dollars. Above it, the amount of a sum times a million is no longer exact in 53 bits. */
  const EXACT_MICROS = 2n ** 51n;

  it('is exact to the millionth, whatever the price and the amount', () => {
    fc.assert(
      fc.property(price, tokens, (output, outputTokens) => {
        const usage = [llm({ outputTokens })];
        const cost = costOfSession(session({ usage, ownLlm: { ...HOUSE, output }, hasOwnLlm: true }))!;
        const exact = BigInt(Math.round(output * 1_000_000)) * BigInt(outputTokens);
        const difference = exact - BigInt(cost.micros) * 1_000_000n;
        expect(cost.micros).toBe(Math.floor(cost.micros));
        expect(difference >= -500_000n && difference <= 500_000n).toBe(true);
      }),
    );
  });

  it('adds up: the lines to the session, and the sessions to the month, in any order', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(price, tokens, tokens), { maxLength: 20 }), (all) => {
        const costs = all.map(([output, inputTokens, outputTokens]) =>
          costOfSession(
            session({ usage: [llm({ inputTokens, outputTokens })], ownLlm: { ...HOUSE, output }, hasOwnLlm: true }),
          )!,
        );
        for (const { micros, lines } of costs) expect(lines.reduce((sum, line) => sum + line.micros!, 0)).toBe(micros);
        const micros = costs.reduce((sum, cost) => sum + BigInt(cost.micros), 0n);
        fc.pre(micros <= EXACT_MICROS);
        const together = spentOn(costs);
        expect(together).toEqual(spentOn(costs.toReversed()));
        expect(together.map(({ amount }) => Math.round(amount * 1_000_000))).toEqual(
          costs.length === 0 ? [] : [Number(micros)],
        );
      }),
    );
  });

  it('never costs less for more, and nothing for nothing', () => {
    fc.assert(
      fc.property(price, tokens, tokens, (output, few, more) => {
        const of = (outputTokens: number) =>
          costOfSession(session({ usage: [llm({ outputTokens })], ownLlm: { ...HOUSE, output }, hasOwnLlm: true }))!
            .micros;
        expect(of(few + more)).toBeGreaterThanOrEqual(of(few));
        expect(of(0)).toBe(0);
      }),
    );
  });

  it('of different currencies is not added up', () => {
    const in_ = (currency: string) =>
      costOfSession(session({ lengthMs: 60_000, prices: { ...NO_PRICES, currency, conversationMinute: 1 } }));
    expect(spentOn([in_('EUR'), null, in_('USD'), in_('EUR')])).toEqual([
      { currency: 'EUR', amount: 2, isComplete: true, sessions: 2 },
      { currency: 'USD', amount: 1, isComplete: true, sessions: 1 },
    ]);
  });

  it.each([0.1, 0.000_001, 0.15, 2.675, 1_000_000, 0.123_456])('takes the price %d', (input) => {
    expect(llmPrices.parse({ input, output: 0 }).input).toBe(input);
  });

  it.each([-1, 0.000_000_1, 1_000_001, Number.NaN, '1'])('refuses the price %s', (input) => {
    expect(llmPrices.safeParse({ input, output: 0 }).success).toBe(false);
  });
});
