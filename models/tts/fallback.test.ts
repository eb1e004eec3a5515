import { describe, expect, test } from 'vitest';
import { SimulatedClock } from 'xstate';
import { createFakeSynthesizer } from '../fakes/fake-synthesizer.ts';
import { LatencyTable } from '../latency-table.ts';
import { ProviderError, type SpeechSynthesizer, type SynthesisRequest } from '../ports.ts';
import { CircuitBreaker } from '../circuit-breaker.ts';
import { createVoiceFallback, type VoiceLink } from './fallback.ts';
import type { VoiceTraits } from './similar-voice.ts';

const TEXT = 'one two three four five six';
const VOICES: readonly VoiceTraits[] = [
  { providerVoiceId: 'hanna', language: 'de', gender: 'female' },
  { providerVoiceId: 'clara', language: 'en', gender: 'female' },
  { providerVoiceId: 'alan', language: 'en', gender: 'male' },
];

function setUp(...links: (Partial<VoiceLink> & { readonly synthesizer: SpeechSynthesizer })[]) {
  const clock = new SimulatedClock();
  const circuits = new CircuitBreaker(() => clock.now());
  const latencies = new LatencyTable();
  const requests: string[] = [];
  const chain = createVoiceFallback(
    links.map(({ synthesizer, provider, voices = VOICES }, index) => ({
      provider: provider ?? `v${index}`,
      voices,
      synthesizer: {
        ...synthesizer,
        synthesize(request: SynthesisRequest, signal: AbortSignal) {
          requests.push(`v${index} ${request.voice}: ${request.text}`);
          return synthesizer.synthesize(request, signal);
        },
      },
    })),
    { circuits, latencies, timers: clock },
  );
  async function say(text = TEXT, signal = new AbortController().signal) {
    const said = { words: [] as { text: string; startMs: number; endMs: number }[], ms: 0, used: [] as string[] };
    const used: SynthesisRequest['used'] = ({ provider, place }) => said.used.push(`${provider}@${place}`);
    const request = { text, voice: 'alan', language: 'en', tuning: {}, used };
    for await (const { pcm, sampleRate, words } of chain.synthesize(request, signal)) {
      said.ms += (pcm.length / sampleRate) * 1_000;
      said.words.push(...(words ?? []));
    }
    return { ...said, text: said.words.map((word) => word.text).join(' ') };
  }
  return { clock, circuits, latencies, requests, say };
}

const well = (wordMs = 200) => createFakeSynthesizer({ wordMs, gapMs: 50 });
const breaksAfter = (afterMs: number) => createFakeSynthesizer({ failOn: { text: 'three', afterMs } });
const refuses = (code: 'bad-request' | 'auth' | 'connect' | 'rate-limit', retryAfterMs = 0): SpeechSynthesizer => ({
  ...well(),
  // oxlint-disable-next-line require-yield
  async *synthesize() {
    throw new ProviderError('v', code, code, { retryAfterMs });
  },
});
const hangs: SpeechSynthesizer = {
  ...well(),
  // oxlint-disable-next-line require-yield
  async *synthesize() {
    await new Promise(() => {});
  },
};

describe('several voices', () => {
  test('leave a sentence to the first as long as it is well', async () => {
    const { say, requests, latencies } = setUp({ synthesizer: well() }, { synthesizer: well() });
    expect(await say()).toMatchObject({ text: TEXT, ms: 1_500, used: ['v0@0'] });
    expect(requests).toEqual([`v0 alan: ${TEXT}`]);
    expect(latencies.rows()).toMatchObject([{ service: 'tts', provider: 'v0', answered: 1, failed: 0 }]);
  });

  test.each(['auth', 'connect'] as const)('say all of a sentence that the first cannot begin (%s)', async (code) => {
    const { say, requests } = setUp({ synthesizer: refuses(code) }, { synthesizer: well() });
    expect(await say()).toMatchObject({ text: TEXT, ms: 1_500, used: ['v1@1'] });
    expect(await say()).toMatchObject({ used: ['v1@1'] });
    expect(requests).toEqual([`v0 alan: ${TEXT}`, `v1 alan: ${TEXT}`, `v1 alan: ${TEXT}`]);
  });

  // Words begin every 250 ms and last 200: half of the third one is said after 600 ms.
  test.each([
    [500, 'three four five six'],
    [600, 'three four five six'],
    [700, 'four five six'],
  ])('go on with the first word that was not heard (%i ms)', async (afterMs, rest) => {
    const { say, requests } = setUp({ synthesizer: breaksAfter(afterMs) }, { synthesizer: well(300) });
    const said = await say();
    expect(said).toMatchObject({ text: TEXT, used: ['v0@0', 'v1@1'] });
    expect(requests[1]).toBe(`v1 alan: ${rest}`);
    const first = said.words[6 - rest.split(' ').length]!;
    expect(first).toMatchObject({ startMs: afterMs, endMs: afterMs + 300 });
    expect(said.ms).toBe(afterMs + rest.split(' ').length * 350);
  });

  test('go on by the pace of a voice that gives no times', async () => {
    const untimed: SpeechSynthesizer = {
      ...well(),
      async *synthesize(request, signal) {
        const source = request.text.includes('three') ? breaksAfter(500) : well();
        for await (const { pcm, sampleRate } of source.synthesize(request, signal)) yield { pcm, sampleRate };
      },
    };
    const { say, requests } = setUp({ synthesizer: untimed }, { synthesizer: well() });
    await say('red fox');
    expect((await say()).text).toBe(TEXT);
    expect(requests.at(-1)).toBe('v1 alan: three four five six');
  });

  test('replace one that hangs', async () => {
    const { say, clock } = setUp({ synthesizer: hangs }, { synthesizer: well() });
    const said = say();
    clock.increment(4_000);
    expect(await said).toMatchObject({ text: TEXT, used: ['v1@1'] });
  });

  test('use one again when it is well', async () => {
    const { say, clock } = setUp(
      { synthesizer: createFakeSynthesizer({ failOn: { text: 'three', afterMs: 0 } }) },
      { synthesizer: well() },
    );
    expect((await say()).used).toEqual(['v1@1']);
    expect((await say('hello')).used).toEqual(['v1@1']);
    clock.increment(5_000);
    expect((await say('hello')).used).toEqual(['v0@0']);
    expect((await say('hello')).used).toEqual(['v0@0']);
  });

  test('do not banish one that refuses a request as wrong', async () => {
    const { say, circuits } = setUp({ synthesizer: refuses('bad-request') }, { synthesizer: well() });
    expect((await say()).text).toBe(TEXT);
    expect(circuits.mayBeAsked('v0')).toBe(true);
  });

  test('leave one alone for as long as it asks', async () => {
    const { say, circuits, clock } = setUp({ synthesizer: refuses('rate-limit', 60_000) }, { synthesizer: well() });
    expect((await say()).text).toBe(TEXT);
    clock.increment(59_999);
    expect(circuits.mayBeAsked('v0')).toBe(false);
    clock.increment(1);
    expect(circuits.mayBeAsked('v0')).toBe(true);
  });

  test('fail with the reason of the last one', async () => {
    const { say } = setUp({ synthesizer: refuses('auth') }, { synthesizer: refuses('connect') });
    await expect(say()).rejects.toMatchObject({ code: 'connect' });
  });

  test('stop when nobody listens any more, without asking another', async () => {
    const abort = new AbortController();
    const { say, requests } = setUp(
      { synthesizer: createFakeSynthesizer({ firstAudioMs: 60_000 }) },
      { synthesizer: well() },
    );
    const said = say(TEXT, abort.signal);
    abort.abort();
    await expect(said).rejects.toMatchObject({ code: 'aborted' });
    expect(requests).toHaveLength(1);
  });
});

test('another provider speaks with the voice that is most alike', async () => {
  const others = [
    { providerVoiceId: 'nova', language: null, gender: 'female' },
    { providerVoiceId: 'echo', language: null, gender: 'male' },
  ] as const;
  const { say, requests } = setUp({ synthesizer: refuses('auth') }, { synthesizer: well(), voices: others });
  await say('hello');
  expect(requests).toEqual(['v0 alan: hello', 'v1 echo: hello']);
  const none = setUp({ synthesizer: refuses('auth') }, { synthesizer: well(), voices: [] });
  await expect(none.say('hello')).rejects.toMatchObject({ code: 'auth' });
});
