import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { concat, pinkNoise, silence, spoken, tripled, whiteNoise, wordErrorRate } from '../../models/testing/sounds.ts';
import { tinyOnnx } from '../../models/testing/tiny-onnx.ts';
import { engineNow } from '../../runtime/clock.ts';
import type { AudioInEvent, AudioInHandlers, AudioInStream } from '../ports.ts';
import { createAudioIn } from './index.ts';
import type { AudioInSettings, RunningAudioIn } from './index.ts';
import { FRAME_SAMPLES } from '../media/audio-format.ts';
import { opusPackets } from './testing/opus-packets.ts';
import { fakeRecognizer } from '../../models/fakes/index.ts';

/** The whole way in the real worker: Opus packets in, windows and words out. */

const log = pino({ level: 'silent' });
const running: RunningAudioIn[] = [];
afterEach(async () => {
  await Promise.all(running.splice(0).map((audioIn) => audioIn.close()));
});

function start(settings: Partial<AudioInSettings> = {}): RunningAudioIn {
  const audioIn = createAudioIn({ recognizers: [fakeRecognizer({ utterances: [] })], log, ...settings });
  running.push(audioIn);
  return audioIn;
}

/** A session begins when the recognizer keeps up: while its model is loaded, finals would be given up. */
async function startPocketSphinx(): Promise<RunningAudioIn> {
  const audioIn = start({ recognizers: [{ provider: 'pocketsphinx', options: {} }] });
  await audioIn.recognizing?.();
  return audioIn;
}

interface Window {
  readonly probability: number;
  readonly levelDb: number;
  readonly endsAt: number;
}

/** A session whose events are kept and can be waited for. */
class Listener {
  readonly windows: Window[] = [];
  readonly partials: string[] = [];
  readonly finals: string[] = [];
  readonly ends: number[] = [];
  readonly failures: string[] = [];
  readonly recorded: { pcm: Int16Array; at: number }[] = [];
  unavailable = 0;
  readonly missingLanguages: string[] = [];
  readonly stream: AudioInStream;
  #changed = (): void => undefined;

  constructor(
    audioIn: RunningAudioIn,
    options: { enhancementLevel?: number; record?: boolean; handlers?: Partial<AudioInHandlers> } = {},
  ) {
    this.stream = audioIn.open({
      sessionId: 'test',
      language: 'en',
      enhancementLevel: options.enhancementLevel ?? 0.8,
      handlers: {
        report: (event) => {
          this.#take(event);
          this.#changed();
        },
        ...(options.record === true && {
          audio: (pcm: Int16Array, at: number) => {
            this.recorded.push({ pcm, at });
            this.#changed();
          },
        }),
        ...options.handlers,
      },
    });
  }

  #take(event: AudioInEvent): void {
    if (event.type === 'vad.window') this.windows.push(event);
    if (event.type === 'stt.partial') this.partials.push(event.text);
    if (event.type === 'stt.final') this.finals.push(event.text);
    if (event.type === 'endOfTurn.predicted') this.ends.push(event.probability);
    if (event.type === 'stt.failed') this.failures.push(event.message);
    if (event.type === 'enhancement.unavailable') this.unavailable++;
    if (event.type === 'stt.languageUnavailable') this.missingLanguages.push(event.language);
  }

  async until(met: () => boolean): Promise<void> {
    while (!met()) await new Promise<void>((resolve) => (this.#changed = resolve));
  }

  /** To its end: a final is given up after 8 s, and a busy machine took longer to read all that a test sends at once. */
  hasRead(words: string, errors: number): Promise<void> {
    return this.until(() => wordErrorRate(words, this.partials.at(-1) ?? '') < errors);
  }

  /** Sends sound that is captured from `from` on. */
  hear(pcm16k: Int16Array, from: number, number = 0): void {
    opusPackets(tripled(pcm16k)).forEach((payload, index) => {
      this.stream.packet({
        payload,
        sequence: (number + index) & 0xffff,
        timestamp: (number + index) * FRAME_SAMPLES,
        arrivedAt: from + 20 * (index + 1),
      });
    });
  }

  get voiced(): Window[] {
    return this.windows.filter(({ probability }) => probability > 0.5);
  }
}

const sentence = 'can you tell me what the weather is like today';

describe('audio-in', () => {
  test('finds speech where it is and understands it', async () => {
    const user = new Listener(await startPocketSphinx());
    const speech = spoken(sentence);
    const from = engineNow();
    user.hear(concat(silence(16_000), speech, silence(16_000)), from);
    await user.hasRead(sentence, 0.3);
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(wordErrorRate(sentence, user.finals[0] as string)).toBeLessThan(0.3);
    const speechEnd = from + 1_000 + speech.length / 16;
    expect(user.voiced[0]?.endsAt).toBeGreaterThan(from + 1_000);
    expect(user.voiced[0]?.endsAt).toBeLessThan(from + 1_500);
    expect(user.voiced.at(-1)?.endsAt).toBeGreaterThan(speechEnd - 500);
    expect(user.voiced.at(-1)?.endsAt).toBeLessThan(speechEnd + 100);
    expect(user.voiced.length).toBeGreaterThan((0.6 * speech.length) / 512);
  });

  test('says which language is not understood, once for each change', async () => {
    const audioIn = start({ recognizers: [{ provider: 'pocketsphinx', options: {} }] });
    const user = new Listener(audioIn);
    user.stream.configure({ language: 'de' });
    await user.until(() => user.missingLanguages.length > 0);
    audioIn.killForTesting();
    await user.until(() => user.failures.length > 0);
    user.stream.configure({ language: 'en' });
    user.stream.configure({ language: 'fr' });
    await user.until(() => user.missingLanguages.at(-1) === 'fr');
    expect(user.missingLanguages).toEqual(['de', 'fr']);
  });

  test.each([
    ['silence', silence(64_000)],
    ['white noise', whiteNoise(64_000, 0.3)],
    ['pink noise', pinkNoise(64_000, 0.5)],
  ])('hears nobody in %s, filtered or not', async (_, pcm) => {
    const audioIn = start();
    const users = [0, 0.8, 1].map((enhancementLevel) => new Listener(audioIn, { enhancementLevel }));
    for (const user of users) {
      user.hear(pcm, engineNow());
      user.stream.finish();
      await user.until(() => user.finals.length > 0);
      expect(user.windows.length).toBeGreaterThan(100);
      expect(user.voiced).toEqual([]);
      expect(user.finals).toEqual(['']);
    }
  });

  test('keeps sessions apart', async () => {
    const audioIn = await startPocketSphinx();
    const [one, two, mute] = [new Listener(audioIn), new Listener(audioIn), new Listener(audioIn)];
    const from = engineNow();
    one.hear(concat(spoken('good morning everybody'), silence(8_000)), from);
    two.hear(concat(spoken('what time is it now', 'rms'), silence(8_000)), from);
    await Promise.all([one.hasRead('good morning everybody', 0.4), two.hasRead('what time is it now', 0.4)]);
    for (const user of [one, two, mute]) user.stream.finish();
    await Promise.all([one, two, mute].map((user) => user.until(() => user.finals.length > 0)));
    expect(wordErrorRate('good morning everybody', one.finals[0] as string)).toBeLessThan(0.4);
    expect(wordErrorRate('what time is it now', two.finals[0] as string)).toBeLessThan(0.4);
    expect(mute.finals).toEqual(['']);
    expect(mute.windows).toEqual([]);
  });

  test('cuts utterances where it is told to', async () => {
    const user = new Listener(start({ recognizers: [fakeRecognizer({ utterances: ['first one', 'second one'] })] }));
    const from = engineNow();
    const speech = concat(spoken('good morning'), silence(8_000));
    user.hear(speech, from);
    user.stream.finish();
    user.hear(speech, from + speech.length / 16, Math.floor(speech.length / 320));
    user.stream.finish();
    user.stream.finish();
    await user.until(() => user.finals.length === 3);
    expect(user.finals).toEqual(['first one', 'second one', '']);
  });

  test('gives no words for what was reset', async () => {
    const user = new Listener(start({ recognizers: [fakeRecognizer({ utterances: ['forgotten'] })] }));
    user.hear(spoken('good morning'), engineNow());
    user.stream.reset();
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(user.finals).toEqual(['']);
  });

  test('records the sound only for those who asked', async () => {
    const audioIn = start();
    const [recording, other] = [new Listener(audioIn, { record: true }), new Listener(audioIn)];
    const from = engineNow();
    for (const user of [recording, other]) {
      user.hear(whiteNoise(16_000, 0.3), from);
      user.stream.finish();
      await user.until(() => user.finals.length > 0);
    }
    expect(recording.recorded).toHaveLength(50);
    recording.recorded.forEach(({ pcm, at }, index) => {
      expect(pcm).toHaveLength(FRAME_SAMPLES);
      expect(at).toBeCloseTo(from + 20 * index, 1);
    });
    expect(other.recorded).toEqual([]);
  });

  test('survives junk in place of packets', async () => {
    const user = new Listener(start());
    for (let i = 0; i < 200; i++)
      user.stream.packet({
        payload: crypto.getRandomValues(new Uint8Array(i % 90)),
        sequence: (i * 7_919) & 0xffff,
        timestamp: i * 12_345,
        arrivedAt: engineNow(),
      });
    user.stream.packet({ payload: new Uint8Array(100_000), sequence: 1, timestamp: 1, arrivedAt: engineNow() });
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(user.failures).toEqual([]);
  });
});

describe('audio-in without its helpers', () => {
  test('goes on without a noise filter, and tells those who want it once', async () => {
    const audioIn = start({ noise: { filter: 'gtcrn', modelsDir: '/nowhere' } });
    const [wanting, later, never] = [
      new Listener(audioIn),
      new Listener(audioIn, { enhancementLevel: 0 }),
      new Listener(audioIn, { enhancementLevel: 0 }),
    ];
    later.stream.configure({ enhancementLevel: 0.5 });
    for (const user of [wanting, later, never]) {
      user.stream.configure({ language: 'fr' });
      user.hear(concat(spoken('good morning'), silence(8_000)), engineNow());
      user.stream.finish();
      await user.until(() => user.finals.length > 0);
      expect(user.voiced.length).toBeGreaterThan(5);
    }
    expect([wanting, later, never].map(({ unavailable }) => unavailable)).toEqual([1, 1, 0]);
  });

  test('does not warn of a filter that was switched off', async () => {
    const user = new Listener(start({ noise: { filter: 'off', modelsDir: '/nowhere' } }));
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(user.unavailable).toBe(0);
  });

  test('answers a finish without words when no recognizer can be had', async () => {
    const user = new Listener(
      start({ recognizers: [{ provider: 'pocketsphinx', options: { modelDir: '/nowhere' } }] }),
    );
    user.hear(spoken('good morning'), engineNow());
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(user.finals).toEqual(['']);
    expect(user.voiced.length).toBeGreaterThan(5);
  });

  /**
   * The first words of a session were understood seconds late, or after their turn was decided: it was ready while the
   * model of its recognizer was still being loaded.
   */
  test('says when its recognizer has loaded its model: sessions wait for that, and not for one that cannot work', async () => {
    const audioIn = start({ recognizers: [{ provider: 'pocketsphinx', options: {} }] });
    await audioIn.ready();
    const first = await Promise.race([audioIn.recognizing?.().then(() => 'loaded'), Promise.resolve('loading')]);
    expect(first).toBe('loading');
    await audioIn.recognizing?.();
    const broken = start({ recognizers: [{ provider: 'pocketsphinx', options: { modelDir: '/nowhere' } }] });
    await broken.recognizing?.();
  });

  test('asks the end-of-turn model where there is one', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'parley-model-'));
    try {
      const path = join(folder, 'model.onnx');
      writeFileSync(
        path,
        tinyOnnx(
          { name: 'input_features', dims: [1, 80, 800] },
          [
            { type: 'ReduceMean', input: 'input_features', output: 'mean', attributes: { keepdims: 0 } },
            { type: 'Sigmoid', input: 'mean', output: 'y' },
          ],
          { name: 'y', dims: [] },
        ),
      );
      const [asked, without] = [
        new Listener(start({ endOfTurnModel: path })),
        new Listener(start({ endOfTurnModel: join(folder, 'absent') })),
      ];
      for (const user of [asked, without]) {
        user.hear(spoken('good morning'), engineNow());
        user.stream.askEndOfTurn();
        user.stream.finish();
        await user.until(() => user.finals.length > 0);
      }
      await asked.until(() => asked.ends.length > 0);
      expect(asked.ends[0]).toBeGreaterThan(0);
      expect(asked.ends[0]).toBeLessThan(1);
      expect(without.ends).toEqual([]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('when the audio-in worker dies', () => {
  // The live session stayed deaf: only the next one got another worker.
  test('its sessions are told, awaited finals are given, and they are heard again', async () => {
    const audioIn = start({ recognizers: [fakeRecognizer({ utterances: ['never said'], finalMs: 60_000 })] });
    await audioIn.ready();
    const user = new Listener(audioIn);
    user.hear(concat(spoken('good morning everybody'), silence(8_000)), engineNow());
    user.stream.finish();
    await user.until(() => user.partials.length > 0);
    audioIn.killForTesting();
    await user.until(() => user.failures.length > 0);
    expect(user.finals).toEqual([user.partials.at(-1)]);
    user.stream.finish();
    await user.until(() => user.finals.length === 2);
    expect(user.failures).toHaveLength(1);

    const before = user.voiced.length;
    await audioIn.ready();
    user.hear(spoken('good morning'), engineNow(), 500);
    await user.until(() => user.voiced.length > before + 5);
    const next = new Listener(audioIn);
    next.hear(spoken('good morning'), engineNow());
    await next.until(() => next.voiced.length > 5);
  });

  test('the next one knows what was set before, and what was reported', async () => {
    const audioIn = start({ noise: { filter: 'gtcrn', modelsDir: '/nowhere' } });
    await audioIn.ready();
    const user = new Listener(audioIn, { enhancementLevel: 0 });
    user.stream.configure({ enhancementLevel: 0.5 });
    await user.until(() => user.unavailable === 1);
    audioIn.killForTesting();
    await user.until(() => user.failures.length > 0);
    const other = new Listener(audioIn);
    await other.until(() => other.unavailable === 1);
    user.stream.finish();
    await user.until(() => user.finals.length > 0);
    expect(user.unavailable).toBe(1);
  });

  test('a session that was closed before hears nothing of it', async () => {
    const audioIn = start();
    await audioIn.ready();
    const user = new Listener(audioIn);
    user.stream.finish();
    user.stream.close();
    audioIn.killForTesting();
    expect([user.finals, user.failures]).toEqual([[], []]);
  });
});

test('one session that fails to listen does not silence the others', async () => {
  const audioIn = start();
  let thrown = 0;
  const broken = new Listener(audioIn, {
    handlers: {
      report: () => {
        thrown++;
        throw new Error('of its own');
      },
    },
  });
  const user = new Listener(audioIn);
  broken.hear(spoken('good morning'), engineNow());
  user.hear(spoken('good morning'), engineNow());
  user.stream.finish();
  await user.until(() => user.finals.length > 0);
  expect(user.voiced.length).toBeGreaterThan(5);
  expect(thrown).toBeGreaterThan(5);
});

test('a closed audio-in opens no more sessions', async () => {
  const audioIn = start();
  await audioIn.close();
  expect(() => new Listener(audioIn)).toThrow('closed');
  await expect(audioIn.ready()).rejects.toThrow('closed');
});
