import { describe, expect, it } from 'vitest';
import { createFakeSynthesizer } from '../../models/fakes/index.ts';
import type { SpeechSynthesizer, SynthesisRequest } from '../../models/ports.ts';
import { VoiceUnavailableError } from '../ports.ts';
import { createAudioOut } from './index.ts';
import { SYNTHESIS_SILENCE_LIMIT_MS } from './tts/synthesis-run.ts';
import { openTestAudioOut, audioOf } from './testing/open-test-voice.ts';
import { SimulatedTimers } from './testing/simulated-timers.ts';

const say = (segmentId: string, text: string, pauseMs = 0) => ({ segmentId, text, language: 'en', pauseMs });
/** 48 kHz so that the sound sent can be compared to the sample; a word is 200 ms of tone and 50 ms of silence. */
const exact = () => createFakeSynthesizer({ sampleRate: 48_000 });

describe('a session that says nothing', () => {
  it('sends the same ready-made packet every 20 ms', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    await timers.advance(1_000);
    expect(record.frames).toHaveLength(51);
    expect(new Set(record.frames.map(({ data }) => data)).size).toBe(1);
    expect(record.frames.every(({ pcm }) => pcm === null)).toBe(true);
    output.close();
  });
});

/**
 * From RFC 6716, section 3.1: from 28 on the transform coder at full band, below 16 the speech coder, which can repeat
 * a frame.
 */
const configuration = (opus: Uint8Array) => opus[0]! >> 3;

describe('packets that get lost', () => {
  it('make the voice repeat itself at once, and only as long as they get lost', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    const spoken = async (text: string, ms: number) => {
      const before = record.frames.length;
      output.say(say(text, text));
      await timers.advance(ms);
      return record.frames
        .slice(before)
        .filter(({ pcm }) => pcm !== null)
        .map(({ data }) => configuration(data));
    };
    output.start();
    await timers.advance(100);
    expect(Math.min(...(await spoken('One two.', 1_000)))).toBeGreaterThanOrEqual(28);
    output.audioLost(0.05);
    expect(Math.max(...(await spoken('Three four.', 1_000)))).toBeLessThan(16);
    await timers.advance(30_000);
    expect(Math.min(...(await spoken('Five six.', 1_000)))).toBeGreaterThanOrEqual(28);
    output.close();
  });
});

describe('speaking', () => {
  it('sends the first frame at once, before its time, and keeps every frame exactly 20 ms after the one before', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    await timers.advance(47);
    output.say(say('a', 'Hello there.'));
    await timers.advance(0);
    const first = record.frames.find(({ pcm }) => pcm !== null)!;
    expect(first.leftAt).toBe(1_000_047);
    expect(first.at).toBe(1_000_060);
    await timers.advance(2_000);
    expect(record.frames.every(({ at }, index) => at === 1_000_000 + index * 20)).toBe(true);
    expect(record.frames.every(({ at, leftAt }) => at - leftAt <= 20 && leftAt <= at)).toBe(true);
    output.close();
  });

  it('plays sentences in order with their pauses and reports each step once', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    await timers.advance(0);
    output.say(say('a', 'One two.', 100));
    output.say(say('b', 'Three.'));
    await timers.advance(3_000);
    expect(record.events.filter((event) => /started|finished/u.test(event))).toEqual([
      'started a',
      'finished a',
      'started b',
      'finished b',
    ]);
    expect(record.events.filter((event) => event.startsWith('timed'))).toEqual(
      expect.arrayContaining(['timed a 500', 'timed b 250']),
    );
    expect(record.events.filter((event) => event.startsWith('firstAudio'))).toEqual(['firstAudio a', 'firstAudio b']);
    const sounding = record.frames.map(({ pcm }) => pcm !== null);
    // 500 ms, 100 ms of pause, 250 ms: 25 frames, 5 silent ones, 13 of which the last is half full.
    expect(sounding.slice(sounding.indexOf(true), sounding.lastIndexOf(true) + 1)).toEqual([
      ...Array<boolean>(25).fill(true),
      ...Array<boolean>(5).fill(false),
      ...Array<boolean>(13).fill(true),
    ]);
    output.close();
  });

  it('passes every sample on unchanged', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    output.say(say('a', 'One two three.'));
    await timers.advance(2_000);
    const source: number[] = [];
    for await (const { pcm } of exact().synthesize(
      { text: 'One two three.', voice: 'tone', language: 'en', tuning: {} },
      new AbortController().signal,
    ))
      source.push(...pcm);
    const sent = audioOf(record.frames.slice(record.frames.findIndex(({ pcm }) => pcm !== null)));
    expect(
      Buffer.compare(Buffer.from(sent.buffer, 0, source.length * 2), Buffer.from(Int16Array.from(source).buffer)),
    ).toBe(0);
    output.close();
  });

  it('hands on word times that lie inside the sentence', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    output.say(say('a', 'One two three.'));
    await timers.advance(2_000);
    expect(record.words.get('a')).toEqual([
      { text: 'One', startMs: 0, endMs: 200 },
      { text: 'two', startMs: 250, endMs: 450 },
      { text: 'three.', startMs: 500, endMs: 700 },
    ]);
    output.close();
  });

  it('starts and finishes a sentence that has no sound', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    output.say(say('a', ' '));
    output.say(say('b', 'Next.'));
    await timers.advance(1_000);
    expect(record.events).toEqual([
      'timed a 0',
      'firstAudio b',
      'started a',
      'finished a',
      'started b',
      'timed b 250',
      'finished b',
    ]);
    output.close();
  });

  it('asks for the next sentence once the one before is heard, and not for all of a long queue', async () => {
    const asked: string[] = [];
    const fake = createFakeSynthesizer({ sampleRate: 48_000, firstAudioMs: 5 });
    const counting: SpeechSynthesizer = {
      ...fake,
      synthesize: (request: SynthesisRequest, signal) => {
        asked.push(request.text);
        return fake.synthesize(request, signal);
      },
    };
    const { output, timers } = openTestAudioOut(counting);
    output.start();
    const long = Array.from({ length: 40 }, () => 'word').join(' ');
    for (const id of ['a', 'b', 'c', 'd', 'e']) output.say(say(id, `${id} ${long}`));
    expect(asked).toHaveLength(1);
    await new Promise((resolve) => setTimeout(resolve, 100));
    await timers.advance(0);
    // 10 s each: the second was requested when the first was heard, the third would exceed 20 s.
    expect(asked).toHaveLength(2);
    await timers.advance(6_000);
    expect(asked).toHaveLength(3);
    output.close();
  });
});

describe('ducking', () => {
  it('lowers what is sent by 20 dB within a frame and restores it', async () => {
    const { output, timers, record } = openTestAudioOut(createFakeSynthesizer({ sampleRate: 48_000, gapMs: 0 }));
    output.start();
    output.say(say('a', 'one two three four five six seven eight nine ten'));
    await timers.advance(100);
    const peak = () => Math.max(...record.frames.at(-1)!.pcm!);
    expect(peak()).toBeGreaterThan(11_500);
    output.duck();
    await timers.advance(40);
    expect(peak()).toBeGreaterThan(1_000);
    expect(peak()).toBeLessThanOrEqual(1_200);
    output.unduck();
    await timers.advance(80);
    expect(peak()).toBeGreaterThan(11_500);
    output.close();
  });
});

describe('cutting', () => {
  it('stops within the tick, fades 5 ms and says to the sample what was sent', async () => {
    const { output, timers, record } = openTestAudioOut(createFakeSynthesizer({ sampleRate: 48_000, gapMs: 0 }));
    output.start();
    output.say(say('a', 'one two three four five'));
    output.say(say('b', 'never heard'));
    await timers.advance(327);
    const before = record.frames.length;
    output.cut();
    // The frame with the fade has left already.
    expect(record.frames).toHaveLength(before + 1);
    const sounding = record.frames.filter(({ pcm }) => pcm !== null).length - 1;
    expect(record.events.at(-1)).toBe(`cut a ${sounding * 20 + 5}`);
    const fade = record.frames.at(-1)!.pcm!;
    expect(fade.subarray(0, 240).some((sample) => sample !== 0)).toBe(true);
    expect(fade.subarray(240).every((sample) => sample === 0)).toBe(true);
    await timers.advance(2_000);
    expect(record.frames.slice(before + 1).every(({ pcm }) => pcm === null)).toBe(true);
    expect(record.events.filter((event) => /finished|started b/u.test(event))).toEqual([]);
    output.close();
  });

  it('answers also when nothing is playing', async () => {
    const { output, timers, record } = openTestAudioOut(exact());
    output.start();
    await timers.advance(20);
    output.cut();
    expect(record.events.at(-1)).toBe('cut null 0');
    output.close();
  });

  it('lets what is said next be heard at full voice, at once', async () => {
    const { output, timers, record } = openTestAudioOut(createFakeSynthesizer({ sampleRate: 48_000, gapMs: 0 }));
    output.start();
    output.say(say('a', 'one two three four five'));
    await timers.advance(100);
    output.duck();
    await timers.advance(40);
    output.cut();
    output.say(say('b', 'again'));
    await timers.advance(60);
    expect(record.events).toContain('started b');
    expect(Math.max(...record.frames.at(-1)!.pcm!)).toBeGreaterThan(11_500);
    output.close();
  });

  it('stops the synthesis', async () => {
    let stopped = false;
    const endless: SpeechSynthesizer = {
      name: 'endless',
      family: 'local',
      close: async () => {},
      async *synthesize(_request, signal) {
        signal.addEventListener('abort', () => (stopped = true));
        yield { pcm: new Int16Array(4_800).fill(1_000), sampleRate: 48_000 };
        await new Promise(() => {});
      },
    };
    const { output, timers } = openTestAudioOut(endless);
    output.start();
    output.say(say('a', 'word'));
    await timers.advance(40);
    output.cut();
    expect(stopped).toBe(true);
    output.close();
  });
});

describe('failure', () => {
  it('of one sentence is reported after what of it could be heard; the next one follows', async () => {
    const { output, timers, record } = openTestAudioOut(
      createFakeSynthesizer({ sampleRate: 48_000, failOn: { text: 'bad', afterMs: 200 } }),
    );
    output.start();
    output.say(say('a', 'bad word here'));
    output.say(say('b', 'Good.'));
    await timers.advance(2_000);
    expect(record.events.filter((event) => !/firstAudio|timed/u.test(event))).toEqual([
      'started a',
      'failed a The fake voice was told to fail.',
      'started b',
      'finished b',
    ]);
    output.close();
  });

  it('of a voice that never answers comes after ten seconds', async () => {
    const never = { next: () => new Promise<never>(() => {}) };
    const mute: SpeechSynthesizer = {
      name: 'mute',
      family: 'local',
      close: async () => {},
      synthesize: () => ({ [Symbol.asyncIterator]: () => never }),
    };
    const { output, timers, record } = openTestAudioOut(mute);
    output.start();
    output.say(say('a', 'word'));
    await timers.advance(SYNTHESIS_SILENCE_LIMIT_MS - 100);
    expect(record.events).toEqual([]);
    await timers.advance(200);
    expect(record.events).toEqual(['failed a The voice did not answer in time.']);
    output.close();
  });

  it('of a handler is logged and harms nobody', async () => {
    const { output, timers, record } = openTestAudioOut(exact(), {
      handlers: {
        report: ({ type }) => {
          if (type === 'speech.started') throw new Error('broken listener');
        },
      },
    });
    output.start();
    output.say(say('a', 'One.'));
    await timers.advance(1_000);
    expect(record.warnings).toEqual(['A voice handler failed.']);
    expect(record.events).toContain('finished a');
    output.close();
  });

  it('of an impossible sample rate is the failure of that sentence', async () => {
    const odd: SpeechSynthesizer = {
      ...exact(),
      async *synthesize() {
        yield { pcm: new Int16Array(960), sampleRate: 3 };
      },
    };
    const { output, timers, record } = openTestAudioOut(odd);
    output.start();
    output.say(say('a', 'One.'));
    await timers.advance(100);
    expect(record.events).toContain('failed a The voice failed.');
    output.close();
  });

  it('to find the provider is an error at once', () => {
    const voice = createAudioOut({ synthesizers: {}, timers: new SimulatedTimers(), log: { warn: () => {} } });
    const open = () =>
      voice.open({
        sessionId: 's',
        provider: 'toString',
        providerVoiceId: 'x',
        tuning: {},
        passthrough: false,
        handlers: {} as never,
      });
    expect(open).toThrow(VoiceUnavailableError);
  });
});

it('a voice is connected to before its first sentence, when its language is known', () => {
  const warmed: unknown[] = [];
  const synthesizer: SpeechSynthesizer = {
    name: 'warm',
    family: 'local',
    async *synthesize() {},
    warm: (request) => warmed.push(request),
    close: async () => {},
  };
  const voice = createAudioOut({
    synthesizers: { WARM: synthesizer },
    timers: new SimulatedTimers(),
    log: { warn: () => {} },
  });
  const request = { sessionId: 's', provider: 'WARM', providerVoiceId: 'v', tuning: { speed: 1 }, passthrough: false };
  voice.open({ ...request, handlers: {} as never }).close();
  voice.open({ ...request, language: 'de', handlers: {} as never }).close();
  expect(warmed).toEqual([{ voice: 'v', language: 'de', tuning: { speed: 1 } }]);
});

describe('a voice slower than real time', () => {
  it('pauses the mouth where the sound ran dry and goes on from the same sample', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const tone = (length: number) => Int16Array.from({ length }, (_, k) => 5_000 + k);
    const slow: SpeechSynthesizer = {
      name: 'slow',
      family: 'local',
      close: async () => {},
      async *synthesize() {
        yield { pcm: tone(1_920), sampleRate: 48_000, phonemes: [{ text: 'aa', startMs: 0, endMs: 80 }] };
        await promise;
        yield { pcm: tone(1_920), sampleRate: 48_000, phonemes: [{ text: 'iy', startMs: 80, endMs: 160 }] };
      },
    };
    const { output, timers, record } = openTestAudioOut(slow);
    output.start();
    output.say(say('a', 'word'));
    await timers.advance(200);
    expect(record.events).toContain('mouthStopped 40');
    resolve();
    await timers.advance(200);
    expect(record.events.at(-1)).toBe('finished a');
    const resumedAt = record.frames.find((frame, index) => index > 5 && frame.pcm)!.at;
    expect(record.mouths.at(-1)!.startsAt).toBe(resumedAt - 40);
    output.close();
  });
});
