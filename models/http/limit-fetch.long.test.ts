import { afterEach, describe, expect, it } from 'vitest';
import { BEHAVIORS, hostileEndpoint, type Behavior, type HostileEndpoint } from '../testing/hostile-endpoint.ts';
import { AnswerLimitError, type AnswerLimits } from './answer-limits.ts';
import { limitFetch } from './limit-fetch.ts';

const open: HostileEndpoint[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});

async function serving(behavior: Behavior): Promise<HostileEndpoint> {
  const endpoint = await hostileEndpoint(behavior);
  open.push(endpoint);
  return endpoint;
}

const LIMITS: AnswerLimits = { bodyBytes: 1024 * 1024, unit: null, wholeMs: 60_000 };
const EVENTS: AnswerLimits = { ...LIMITS, unit: { kind: 'event', bytes: 64 * 1024 } };

/** What a client in a library would see, which reads the answer as text. */
async function reading(url: string, limits: AnswerLimits): Promise<{ status: number; text: string }> {
  const response = await limitFetch(fetch, limits)(url);
  return { status: response.status, text: await response.text() };
}

/** The sentence with which the answer was given up. */
function refusal(url: string, limits: AnswerLimits): Promise<string> {
  return reading(url, limits).then(
    () => 'it was read',
    (error: unknown) => AnswerLimitError.in(error)?.message ?? String(error),
  );
}

describe('an answer within its limits', () => {
  it('is as it was sent', async () => {
    const { url } = await serving({
      status: 201,
      headers: { 'x-request-id': '7' },
      pieces: () => ['data: one\n', '\ndata: tw', 'o\n\ndata: rest'],
    });
    const response = await limitFetch(fetch, EVENTS)(url);
    expect([response.status, response.headers.get('x-request-id')]).toEqual([201, '7']);
    expect(await response.text()).toBe('data: one\n\ndata: two\n\ndata: rest');
  });

  it('may have no body', async () => {
    const { url } = await serving({ status: 204, pieces: () => [] });
    expect(await reading(url, LIMITS)).toEqual({ status: 204, text: '' });
  });
});

describe('an answer beyond its limits', () => {
  it.each([
    ['a body without end', BEHAVIORS['JSON without end'], LIMITS, 'sent more than 1 MiB'],
    ['an event without end', BEHAVIORS['a line without end'], EVENTS, 'sent an event of more than 64 KiB'],
    [
      'an event that comes byte by byte',
      BEHAVIORS['a line without end, one byte at a time'],
      EVENTS,
      'sent an event of more than 64 KiB',
    ],
    ['events that say nothing', BEHAVIORS['empty lines without end'], EVENTS, 'sent more than 1 MiB'],
    ['a small body that unpacks to gigabytes', BEHAVIORS['a gzip bomb'], LIMITS, 'sent more than 1 MiB'],
  ])('%s is given up with a sentence, and its connection is closed', async (_what, behavior, limits, sentence) => {
    const endpoint = await serving(behavior);
    expect(await refusal(endpoint.url, limits)).toBe(sentence);
    await expect.poll(() => endpoint.abandoned).toBe(1);
  });

  it('is counted after unpacking, however small it came', async () => {
    const { url } = await serving(BEHAVIORS['a brotli bomb']);
    expect(await refusal(url, LIMITS)).toBe('sent more than 1 MiB');
  });

  it.each([
    ['drips', BEHAVIORS['JSON that drips']],
    ['never begins', BEHAVIORS.silence],
    ['is an error that drips', BEHAVIORS['an error that drips']],
  ])('is given up when it %s', async (_what, behavior) => {
    const endpoint = await serving(behavior);
    expect(await refusal(endpoint.url, { ...LIMITS, wholeMs: 500 })).toBe('did not finish its answer within 1 seconds');
    await expect.poll(() => endpoint.abandoned).toBe(1);
  });

  it('is not waited for after it was refused', async () => {
    const endpoint = await serving(BEHAVIORS['a line without end']);
    const response = await limitFetch(fetch, LIMITS)(endpoint.url);
    await response.body?.cancel();
    await expect.poll(() => endpoint.abandoned).toBe(1);
  });
});

describe('the answer of an error', () => {
  it.each([
    ['comes', 'an error without end'],
    ['unpacks', 'a gzip bomb as an error'],
  ] as const)('is cut when it %s without end: its status is what matters', async (_how, name) => {
    const endpoint = await serving(BEHAVIORS[name]);
    const { status, text } = await reading(endpoint.url, LIMITS);
    expect([status, text.length]).toEqual([500, 64 * 1024]);
    await expect.poll(() => endpoint.abandoned).toBe(1);
  });

  it('is whole when it is short', async () => {
    const { url } = await serving({ status: 429, pieces: () => ['{"error":"slow down"}'] });
    expect(await reading(url, LIMITS)).toEqual({ status: 429, text: '{"error":"slow down"}' });
  });
});

it('ends with the caller’s own signal', async () => {
  const endpoint = await serving(BEHAVIORS['keep-alives without end']);
  const abort = new AbortController();
  const response = await limitFetch(fetch, LIMITS)(endpoint.url, { signal: abort.signal });
  abort.abort(new Error('the caller left'));
  await expect(response.text()).rejects.toThrow('the caller left');
  await expect.poll(() => endpoint.abandoned).toBe(1);
});
