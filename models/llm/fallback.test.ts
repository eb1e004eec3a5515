import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ProviderError, type LanguageModel, type ProviderErrorCode, type ProviderUse } from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { createLlmFallback, type LlmLink } from './fallback.ts';
import { EndpointLatencies } from './endpoint-latencies.ts';

const REQUEST = { messages: [], tools: [], sessionId: 's', correlationId: 'c', language: null };
const UNHURRIED = { firstTokenMs: 60_000, idleMs: 60_000 };

interface Behavior {
  fails?: ProviderErrorCode;
  afterText?: boolean;
  retryAfterMs?: number;
  ms?: number;
}

function setUp() {
  const clock = { now: 0 };
  const asked: string[] = [];
  const used: ProviderUse[] = [];
  const failed: string[] = [];
  const tools = {
    region: null as string | null,
    latencies: new EndpointLatencies(() => clock.now),
    circuits: new CircuitBreaker(() => clock.now),
    hurried: UNHURRIED,
  };
  const link = (id: string, behavior: Behavior = {}, more: Partial<LlmLink> = {}): LlmLink => ({
    id,
    provider: `model of ${id}`,
    place: 0,
    url: id,
    region: null,
    ...more,
    model: {
      name: id,
      async *stream() {
        asked.push(id);
        clock.now += behavior.ms ?? 100;
        if (behavior.fails === undefined || behavior.afterText === true) yield { type: 'text' as const, text: id };
        if (behavior.fails !== undefined)
          throw new ProviderError(id, behavior.fails, behavior.fails, { retryAfterMs: behavior.retryAfterMs });
      },
    },
  });
  const chain = (...links: readonly LlmLink[]): LanguageModel => createLlmFallback('m', links, tools);
  /** Links as an operator orders LLMs. */
  const ordered = (...links: readonly LlmLink[]): LanguageModel =>
    chain(...links.map((one, place) => ({ ...one, place })));
  const run = async (model: LanguageModel, signal = new AbortController().signal): Promise<string> => {
    let said = '';
    const request = {
      ...REQUEST,
      used: (use: ProviderUse) => used.push(use),
      failed: (error: ProviderError) => failed.push(error.code),
    };
    for await (const event of model.stream(request, signal)) if (event.type === 'text') said += event.text;
    return said;
  };
  return { clock, tools, asked, used, failed, link, chain, ordered, run };
}

const CODES = ['connect', 'timeout', 'rate-limit', 'server', 'auth', 'bad-request', 'bad-response'] as const;

describe('of several LLMs', () => {
  it.each(CODES)('the next one answers after %s, and it is known who did, and why', async (code) => {
    const { link, ordered, run, asked, used, failed } = setUp();
    expect(await run(ordered(link('a', { fails: code }), link('b')))).toBe('b');
    expect([asked, failed, used]).toEqual([['a', 'b'], [code], [{ provider: 'model of b', place: 1 }]]);
  });

  it('the failed one rests, then it is asked again, first', async () => {
    const { link, ordered, run, asked, clock } = setUp();
    const a: Behavior = { fails: 'server' };
    const model = ordered(link('a', a), link('b'));
    await run(model);
    await run(model);
    expect(asked).toEqual(['a', 'b', 'b']);
    delete a.fails;
    clock.now += 5_000;
    expect(await run(model)).toBe('a');
    expect(await run(model)).toBe('a');
  });

  it('one that refused a request is asked the next one all the same', async () => {
    const { link, ordered, run, asked } = setUp();
    const model = ordered(link('a', { fails: 'bad-request' }), link('b'));
    await run(model);
    await run(model);
    expect(asked).toEqual(['a', 'b', 'a', 'b']);
  });

  it('one with a limit is left alone as long as it wants', async () => {
    const { link, ordered, run, asked, clock } = setUp();
    const model = ordered(link('a', { fails: 'rate-limit', retryAfterMs: 60_000 }), link('b'));
    await run(model);
    clock.now += 59_000;
    await run(model);
    clock.now += 1_000;
    await run(model);
    expect(asked).toEqual(['a', 'b', 'b', 'a', 'b']);
  });

  it('none begins anew after a first word; asked again, the other one comes first', async () => {
    const { link, ordered, run, asked, used } = setUp();
    const model = ordered(link('a', { fails: 'bad-response', afterText: true }), link('b'));
    await expect(run(model)).rejects.toMatchObject({ code: 'bad-response' });
    expect(await run(model)).toBe('b');
    expect(asked).toEqual(['a', 'b']);
    expect(used.map(({ place }) => place)).toEqual([0, 1]);
  });

  it('even those that rest are asked when nobody else is left', async () => {
    const { link, ordered, run, asked } = setUp();
    const a: Behavior = { fails: 'connect' };
    const model = ordered(link('a', a), link('b', { fails: 'server' }));
    await expect(run(model)).rejects.toMatchObject({ code: 'server' });
    delete a.fails;
    expect(await run(model)).toBe('a');
    expect(asked).toEqual(['a', 'b', 'a']);
  });

  it('the last one says why there is no answer', async () => {
    const { link, ordered, run, failed } = setUp();
    await expect(
      run(ordered(link('a', { fails: 'timeout' }), link('b', { fails: 'rate-limit' }))),
    ).rejects.toMatchObject({ code: 'rate-limit' });
    expect(failed).toEqual(['timeout']);
  });

  it('nobody is asked, and nobody is ill, when the answer is no longer wanted', async () => {
    const { link, ordered, run, asked, tools } = setUp();
    const abort = new AbortController();
    const leaving = link('a', { fails: 'aborted' });
    const stream = leaving.model.stream.bind(leaving.model);
    Object.assign(leaving.model, {
      stream: (...args: Parameters<typeof stream>) => {
        abort.abort();
        return stream(...args);
      },
    });
    await expect(run(ordered(leaving, link('b')), abort.signal)).rejects.toMatchObject({ code: 'aborted' });
    expect(asked).toEqual(['a']);
    expect(tools.circuits.mayBeAsked('a')).toBe(true);
  });

  it.each(['headers and then nothing', 'a word and then nothing'])(
    'one that sends %s is not waited for',
    async (which) => {
      const { link, ordered, run, asked, tools } = setUp();
      tools.hurried = { firstTokenMs: 20, idleMs: 20 };
      const silent = link('a');
      let isLeft = false;
      silent.model.stream = async function* (_request, signal) {
        asked.push('a');
        if (which.startsWith('a word')) yield { type: 'text', text: 'Well' };
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        isLeft = true;
      };
      const model = ordered(silent, link('b'));
      const first = run(model);
      if (which.startsWith('headers')) expect(await first).toBe('b');
      else await expect(first).rejects.toMatchObject({ code: 'timeout' });
      expect(isLeft).toBe(true);
      expect(await run(model)).toBe('b');
    },
  );

  it('a slow one is waited for when there is no other', async () => {
    const { link, chain, run, tools } = setUp();
    tools.hurried = { firstTokenMs: 5, idleMs: 5 };
    const slow = link('a');
    slow.model.stream = async function* () {
      await new Promise((resolve) => setTimeout(resolve, 50));
      yield { type: 'text', text: 'Well' };
    };
    expect(await run(chain(slow))).toBe('Well');
  });
});

describe('of several endpoints of one LLM', () => {
  it('that of the region comes first', async () => {
    const { link, chain, run, tools } = setUp();
    const links = [link('far', {}, { region: 'eu' }), link('near', {}, { region: 'us-east' })];
    tools.region = 'us';
    expect(await run(chain(...links))).toBe('near');
    tools.region = 'asia';
    expect(await run(chain(...links))).toBe('far');
  });

  it('then the one that was fastest lately', async () => {
    const { link, chain, run } = setUp();
    const model = chain(link('slow', { ms: 900 }), link('quick', { ms: 50 }));
    expect([await run(model), await run(model), await run(model)]).toEqual(['slow', 'quick', 'quick']);
  });

  it('one that failed comes last, also in the region', async () => {
    const { link, chain, run, tools } = setUp();
    tools.region = 'eu';
    const model = chain(link('near', { fails: 'server' }, { region: 'eu' }), link('far'));
    await run(model);
    expect(tools.circuits.mayBeAsked('near')).toBe(false);
    expect(await run(model)).toBe('far');
  });

  it('all come before another LLM', async () => {
    const { link, chain, run, used } = setUp();
    const model = chain(link('a', { ms: 5_000 }), link('b', { ms: 5_000 }), link('c', { ms: 1 }, { place: 1 }));
    await run(model);
    await run(model);
    await run(model);
    expect(used.map(({ place }) => place)).toEqual([0, 0, 0]);
  });
});

/** How one link treats one request. */
const behavior = fc.record(
  {
    fails: fc.constantFrom(...CODES),
    afterText: fc.boolean(),
    retryAfterMs: fc.constantFrom(0, 1_000, 50_000),
    ms: fc.integer({ min: 0, max: 3_000 }),
  },
  { requiredKeys: ['ms'] },
);
/** Requests, each with the time before it and the behavior of each of three links. */
const requests = fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.tuple(behavior, behavior, behavior)), {
  minLength: 1,
  maxLength: 12,
});
const places = fc.tuple(fc.nat(2), fc.nat(2), fc.nat(2));

describe('in any chain', () => {
  it('a request asks each endpoint once at most, the well ones first, and gets one answer if any can give one', async () => {
    await fc.assert(
      fc.asyncProperty(requests, places, async (all, at) => {
        const { clock, tools, asked, used, failed, link, chain, run } = setUp();
        const behaviors: Behavior[] = [{}, {}, {}];
        const ids = ['a', 'b', 'c'];
        const links = ids.map((id, index) => link(id, behaviors[index], { place: at[index]! }));
        const model = chain(...links);
        for (const [pauseMs, next] of all) {
          clock.now += pauseMs;
          next.forEach((one, index) => {
            for (const key of ['fails', 'afterText', 'retryAfterMs', 'ms'] as const) delete behaviors[index]![key];
            Object.assign(behaviors[index]!, one);
          });
          const isWell = new Set(ids.filter((id) => tools.circuits.mayBeAsked(id)));
          for (const list of [asked, used, failed]) list.length = 0;
          const said = await run(model).catch(() => null);

          expect(new Set(asked).size).toBe(asked.length);
          const firstIll = asked.findIndex((id) => !isWell.has(id));
          if (firstIll !== -1) expect(asked.slice(firstIll).some((id) => isWell.has(id))).toBe(false);
          const wellPlaces = asked.filter((id) => isWell.has(id)).map((id) => at[ids.indexOf(id)]!);
          expect(wellPlaces).toEqual(wellPlaces.toSorted((x, y) => x - y));

          const says = asked.filter((id) => {
            const { fails, afterText } = behaviors[ids.indexOf(id)]!;
            return fails === undefined || afterText === true;
          });
          // Whoever has said something was the last one that was asked.
          expect(says).toEqual(says.length === 0 ? [] : [asked.at(-1)]);
          expect(used.map(({ place }) => place)).toEqual(says.map((id) => at[ids.indexOf(id)]));
          expect(failed).toHaveLength(asked.length - 1);
          const last = behaviors[ids.indexOf(asked.at(-1)!)]!;
          expect(said).toBe(last.fails === undefined ? asked.at(-1) : null);
          if (said === null && says.length === 0) expect(asked).toHaveLength(ids.length);
        }
      }),
    );
  });
});
