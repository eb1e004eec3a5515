import { afterAll, describe, expect, test } from 'vitest';
import type { VadInput } from '../ports.ts';
import { concat, pinkNoise, silence, spoken, whiteNoise } from '../testing/sounds.ts';
import { VAD_CONTEXT_SAMPLES, VAD_STATE_LENGTH, VAD_WINDOW_SAMPLES, createSileroVad } from './silero.ts';

const model = createSileroVad();
afterAll(() => model.close());

class Session implements VadInput {
  readonly samples = new Float32Array(VAD_CONTEXT_SAMPLES + VAD_WINDOW_SAMPLES);
  readonly state = new Float32Array(VAD_STATE_LENGTH);

  load(pcm: Int16Array): this {
    this.samples.copyWithin(0, VAD_WINDOW_SAMPLES);
    this.samples.set(
      Float32Array.from(pcm, (x) => x / 32_768),
      VAD_CONTEXT_SAMPLES,
    );
    return this;
  }
}

function windowsOf(pcm: Int16Array): Int16Array[] {
  return Array.from({ length: Math.floor(pcm.length / VAD_WINDOW_SAMPLES) }, (_, i) =>
    pcm.subarray(i * VAD_WINDOW_SAMPLES, (i + 1) * VAD_WINDOW_SAMPLES),
  );
}

function probabilities(pcm: Int16Array): number[] {
  const session = new Session();
  return windowsOf(pcm).map((window) => model.run([session.load(window)])[0] as number);
}

describe('voice activity', () => {
  test('finds a spoken sentence and the silence around it', () => {
    const found = probabilities(concat(silence(16_000), spoken('Good morning, how are you today?'), silence(16_000)));
    expect(found.slice(0, 28).every((p) => p < 0.5)).toBe(true);
    expect(found.filter((p) => p > 0.5).length).toBeGreaterThan(30);
    expect(found.slice(-20).every((p) => p < 0.5)).toBe(true);
  });

  test.each([
    ['silence', silence(80_000)],
    ['quiet white noise', whiteNoise(80_000, 0.02)],
    ['loud white noise', whiteNoise(80_000, 0.5)],
    ['pink noise', pinkNoise(80_000, 0.5)],
  ])('hears nobody in %s', (_, pcm) => {
    expect(probabilities(pcm).filter((p) => p > 0.5)).toEqual([]);
  });

  test('gives each session of a batch what it would get alone', () => {
    const sounds = [
      spoken('This is the first one.'),
      whiteNoise(20_000, 0.3),
      spoken('And here speaks somebody else.', 'rms'),
    ];
    const alone = sounds.map((pcm) => probabilities(pcm).slice(0, 35));
    const sessions = sounds.map(() => new Session());
    const together: number[][] = sounds.map(() => []);
    for (let i = 0; i < 35; i++) {
      const batch = sessions.map((session, index) =>
        session.load(windowsOf(sounds[index] as Int16Array)[i] as Int16Array),
      );
      model.run(batch).forEach((p, index) => together[index]?.push(p));
    }
    together.forEach((batched, index) =>
      batched.forEach((p, i) => expect(p).toBeCloseTo(alone[index]?.[i] as number, 4)),
    );
  });

  test('runs an empty batch without asking the model', () => {
    expect(model.run([])).toHaveLength(0);
  });

  test('names the missing file', () => {
    expect(() => createSileroVad('/nowhere/model.onnx')).toThrow('/nowhere/model.onnx');
  });
});
