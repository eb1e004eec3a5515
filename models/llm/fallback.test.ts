import { describe, expect, it } from 'vitest';
import { ProviderError, type LanguageModel, type ProviderErrorCode } from '../ports.ts';
import { createFallback, type Endpoint } from './fallback.ts';
import { LatencyBook } from './latency-book.ts';

const REQUEST = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };
const signal = new AbortController().signal;

function scene() {
  let now = 0;
  const asked: string[] = [];
  const latencies = new LatencyBook(() => now);
  const endpoint = (
    url: string,
    behavior: { fails?: ProviderErrorCode; afterText?: boolean; ms?: number } = {},
    region: string | null = null,
  ): Endpoint => ({
    url,
    region,
    model: {
      name: url,
      async *stream() {
        asked.push(url);
        now += behavior.ms ?? 100;
        if (behavior.fails === undefined || behavior.afterText === true) yield { type: 'text' as const, text: url };
        if (behavior.fails !== undefined) throw new ProviderError(url, behavior.fails, behavior.fails);
      },
    },
  });
  const run = async (model: LanguageModel): Promise<string> => {
    let said = '';
    for await (const event of model.stream(REQUEST, signal)) if (event.type === 'text') said += event.text;
    return said;
  };
  return {
    asked,
    latencies,
    endpoint,
    run,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('several endpoints of one model', () => {
  it.each(['connect', 'timeout', 'rate-limit', 'server'] as const)('go on with the next after %s', async (code) => {
    const { endpoint, run, latencies, asked } = scene();
    expect(await run(createFallback('m', [endpoint('a', { fails: code }), endpoint('b')], null, latencies))).toBe('b');
    expect(asked).toEqual(['a', 'b']);
  });

  it.each(['auth', 'bad-request', 'bad-response'] as const)('do not hide %s', async (code) => {
    const { endpoint, run, latencies, asked } = scene();
    await expect(
      run(createFallback('m', [endpoint('a', { fails: code }), endpoint('b')], null, latencies)),
    ).rejects.toMatchObject({ code });
    expect(asked).toEqual(['a']);
  });

  it('never begin a second answer after a first word', async () => {
    const { endpoint, run, latencies, asked } = scene();
    await expect(
      run(createFallback('m', [endpoint('a', { fails: 'server', afterText: true }), endpoint('b')], null, latencies)),
    ).rejects.toMatchObject({ code: 'server' });
    expect(asked).toEqual(['a']);
  });

  it('fail with the reason of the last one', async () => {
    const { endpoint, run, latencies } = scene();
    await expect(
      run(
        createFallback(
          'm',
          [endpoint('a', { fails: 'timeout' }), endpoint('b', { fails: 'rate-limit' })],
          null,
          latencies,
        ),
      ),
    ).rejects.toMatchObject({ code: 'rate-limit' });
  });

  it('prefer the region of the session', async () => {
    const { endpoint, run, latencies } = scene();
    const endpoints = [endpoint('far', {}, 'eu'), endpoint('near', {}, 'us-east')];
    expect(await run(createFallback('m', endpoints, 'us', latencies))).toBe('near');
    expect(await run(createFallback('m', endpoints, 'asia', latencies))).toBe('far');
  });

  it('prefer the one that was fastest lately, and try a failed one last until it is forgotten', async () => {
    const { endpoint, run, latencies, asked, pass } = scene();
    const broken = { fails: 'server' as ProviderErrorCode | undefined };
    const model = createFallback(
      'm',
      [endpoint('slow', { ms: 900 }), endpoint('broken', broken), endpoint('quick', { ms: 50 })],
      null,
      latencies,
    );
    expect([await run(model), await run(model), await run(model)]).toEqual(['slow', 'quick', 'quick']);
    expect(asked).toEqual(['slow', 'broken', 'quick', 'quick']);
    pass(61_000);
    asked.length = 0;
    await run(model);
    expect(asked[0]).toBe('slow');
  });
});
