import type { ServerResponse } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import type { LlmRequest, ProviderUse } from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { createLanguageModel, retryKind, EndpointLatencies, openLanguageModels } from './index.ts';
import { messageOf, namedEvents, stopOf, textOf } from './testing/anthropic-events.ts';
import { delta, scriptedServer, sse, type Script, type ScriptedServer } from './testing/scripted-server.ts';

const servers: ScriptedServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const FORMATS = ['openai', 'anthropic', 'gemini'] as const;
type Format = (typeof FORMATS)[number];

const part = (text: string, finishReason?: string) => ({
  candidates: [{ content: { parts: [{ text }] }, ...(finishReason !== undefined && { finishReason }) }],
});

/** Each format as its reference has it (named in the provider's own file): a whole answer, and the beginning of one. */
const SAYS: Readonly<Record<Format, { whole(text: string): Script; beginning(text: string): Script }>> = {
  openai: {
    whole: (text) => (response) => sse(response, [delta({ content: text }), delta({}, 'stop')]),
    beginning: (text) => (response) => sse(response, [delta({ content: text })], 'open'),
  },
  anthropic: {
    whole: (text) => (response) => namedEvents(response, [messageOf(), ...textOf(0, [text]), ...stopOf('end_turn')]),
    beginning: (text) => (response) => namedEvents(response, [messageOf(), ...textOf(0, [text])], 'open'),
  },
  gemini: {
    whole: (text) => (response) => sse(response, [part(text, 'STOP')], 'close'),
    beginning: (text) => (response) => sse(response, [part(text)], 'open'),
  },
};

/** Only who is to fall silent is given up so soon: on a busy machine, a refusal takes as long. */
const UNHURRIED = { firstTokenMs: 60_000, idleMs: 60_000 };
const HURRIED_AT_FIRST = { ...UNHURRIED, firstTokenMs: 200 };
const HURRIED_LATER = { ...UNHURRIED, idleMs: 200 };

/** A first LLM of any format that is treated so, and a second one that answers "from the second". */
async function setUp(format: Format, first: Script, hurried = UNHURRIED) {
  const clock = { now: 0 };
  const [ill, well] = [await scriptedServer(first), await scriptedServer(SAYS.openai.whole('from the second'))];
  servers.push(ill, well);
  const choice = (provider: string, { url }: ScriptedServer) => ({
    provider,
    options: { baseUrl: `${url}/v1`, model: `m of ${provider}`, apiKey: 'key' },
  });
  const model = openLanguageModels([choice(format, ill), choice('openai', well)], {
    latencies: new EndpointLatencies(),
    circuits: new CircuitBreaker(() => clock.now),
    hurried,
  });
  const used: ProviderUse[] = [];
  async function ask(request: Partial<LlmRequest> = {}): Promise<{ said: string; failure: unknown }> {
    let said = '';
    const messages = [{ role: 'user', content: 'Hello?' }] as const;
    const whole = { messages, tools: [], sessionId: 's', correlationId: 'c', language: 'en', ...request };
    try {
      const stream = model.stream({ ...whole, used: (use) => used.push(use) }, new AbortController().signal);
      for await (const event of stream) if (event.type === 'text') said += event.text;
      return { said, failure: null };
    } catch (failure) {
      return { said, failure };
    }
  }
  return { ask, clock, used, ill, well };
}

const status = (code: number, headers: Record<string, string> = {}): Script => {
  return (response) => {
    response.writeHead(code, { 'content-type': 'application/json', ...headers }).end('{"error":{"message":"no"}}');
  };
};
const headersOnly: Script = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).flushHeaders();
};
const malformed: Script = (response) => {
  response.writeHead(200, { 'content-type': 'text/event-stream' }).end('event: x\ndata: {"choices": [{"del\n\n');
};
const after = (script: Script, then: (response: ServerResponse) => unknown): Script => {
  return async (response, seen) => {
    await script(response, seen);
    await pause(20);
    then(response);
  };
};

describe.each(FORMATS)('a first LLM of the format %s', (format) => {
  const { whole, beginning } = SAYS[format];

  it.each<[string, Script]>([
    ['that refuses the key', status(401)],
    ['that is over its limit', status(429)],
    ['that is overloaded', status(503)],
    ['that sends headers and then nothing', headersOnly],
    ['that sends what is no JSON', malformed],
    [
      'that is slow',
      async (response, seen) => {
        await pause(1_000);
        if (!response.destroyed) await whole('too late')(response, seen);
      },
    ],
    ['that closes the connection', (response) => void response.destroy()],
  ])('%s is replaced before its first word', async (_which, script) => {
    const { ask, used } = await setUp(format, script, HURRIED_AT_FIRST);
    expect(await ask()).toEqual({ said: 'from the second', failure: null });
    expect(used).toEqual([{ provider: 'openai m of openai', place: 1 }]);
  });

  it.each<[string, Script]>([
    ['whose connection is cut', after(beginning('Well, '), (response) => response.destroy())],
    ['that sends what is no JSON', after(beginning('Well, '), (response) => response.end('data: {"cho\n\n'))],
    ['that falls silent', beginning('Well, ')],
  ])('%s in the middle is left, and the second one is asked for the rest', async (_which, script) => {
    const { ask, used, ill, well } = await setUp(format, script, HURRIED_LATER);
    const { said, failure } = await ask();
    expect(said).toBe('Well, ');
    expect(retryKind(failure, true)).toBe('for the rest');
    const rest = [
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: 'Well,' },
      { role: 'user', content: 'Only the rest.' },
    ] as const;
    expect(await ask({ messages: rest })).toEqual({ said: 'from the second', failure: null });
    expect(used.map(({ place }) => place)).toEqual([0, 1]);
    expect([ill.seen.length, well.seen[0]?.body['messages']]).toEqual([1, rest]);
  });

  it('is left alone as long as it wants', async () => {
    const { ask, clock, ill } = await setUp(format, status(429, { 'retry-after': '30' }));
    await ask();
    clock.now = 29_000;
    await ask();
    expect(ill.seen).toHaveLength(1);
    clock.now = 30_000;
    await ask();
    expect(ill.seen).toHaveLength(2);
  });

  it('is asked first again when it is well', async () => {
    let isIll = true;
    const { ask, clock, used } = await setUp(format, (response, seen) =>
      isIll ? status(500)(response, seen) : whole('from the first')(response, seen),
    );
    await ask();
    isIll = false;
    clock.now = 5_000;
    expect(await ask()).toEqual({ said: 'from the first', failure: null });
    expect(used.map(({ place }) => place)).toEqual([1, 0]);
  });

  it('takes what was said, and the request for the rest, at the end of a conversation', async () => {
    const { ask, ill } = await setUp(format, whole('and so on.'));
    const messages = [
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: 'Well,' },
      { role: 'user', content: 'Only the rest.' },
    ] as const;
    expect(await ask({ messages })).toEqual({ said: 'and so on.', failure: null });
    const sent = JSON.stringify(ill.seen[0]?.body);
    expect(sent.indexOf('Well,')).toBeLessThan(sent.indexOf('Only the rest.'));
  });
});

describe('an LLM that was added through the API', () => {
  /** One address with an answer for each request, behind a guard that is told of each address. */
  async function custom(script: Script, isAllowed: boolean) {
    const [own, stock] = [await scriptedServer(script), await scriptedServer(SAYS.openai.whole('from the stock LLM'))];
    servers.push(own, stock);
    const guarded: string[] = [];
    const guard = ((input: string, init?: RequestInit) => {
      guarded.push(String(input));
      return fetch(input, init);
    }) as typeof fetch;
    const model = createLanguageModel(
      { name: 'Own', format: 'openai', urls: [{ url: own.url }], modelName: 'own', secret: 'theirs' },
      {
        fetch: guard,
        latencies: new EndpointLatencies(),
        circuits: new CircuitBreaker(() => 0),
        behind: isAllowed
          ? [{ provider: 'openai', options: { baseUrl: stock.url, model: 'stock', apiKey: 'ours' } }]
          : [],
      },
    );
    async function ask(): Promise<string> {
      let said = '';
      const messages = [{ role: 'user', content: 'Hello?' }] as const;
      const request = { messages, tools: [], sessionId: 's', correlationId: 'c', language: 'en' };
      for await (const event of model.stream(request, new AbortController().signal))
        if (event.type === 'text') said += event.text;
      return said;
    }
    return { ask, own, stock, guarded };
  }

  it('is asked again itself, and nobody else, unless the operator allows it', async () => {
    let requests = 0;
    const { ask, own, stock } = await custom((response, seen) => {
      requests += 1;
      return requests === 1 ? status(500)(response, seen) : SAYS.openai.whole('from their own')(response, seen);
    }, false);
    await expect(ask()).rejects.toMatchObject({ code: 'server' });
    expect(await ask()).toBe('from their own');
    expect([own.seen.length, stock.seen.length]).toEqual([2, 0]);
  });

  it('is replaced by the stock LLM where the operator allows it, which is reached with the key of the operator', async () => {
    const { ask, own, stock, guarded } = await custom(status(500), true);
    expect(await ask()).toBe('from the stock LLM');
    expect(stock.seen[0]?.headers.authorization).toBe('Bearer ours');
    expect(own.seen[0]?.headers.authorization).toBe('Bearer theirs');
    // Only what customers name is guarded: the operator's own LLM may be on a private address.
    expect(guarded.map((url) => new URL(url).origin)).toEqual([own.url]);
  });
});
