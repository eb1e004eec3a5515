import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { silence, spoken } from '../testing/sounds.ts';
import { tinyOnnx } from '../testing/tiny-onnx.ts';
import { MEL_BANDS, MEL_FRAMES, whisperFeatures } from './log-mel.ts';
import { loadSmartTurn } from './smart-turn.ts';

const folder = mkdtempSync(join(tmpdir(), 'parley-model-'));
afterAll(() => rmSync(folder, { recursive: true }));

function write(name: string, content: Buffer | string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

/** Same signature as the model: its probability is the logistic function of the mean feature. */
const meanModel = write(
  'mean.onnx',
  tinyOnnx(
    { name: 'input_features', dims: [1, MEL_BANDS, MEL_FRAMES] },
    [
      { type: 'ReduceMean', input: 'input_features', output: 'mean', attributes: { axes: [2, 1], keepdims: 0 } },
      { type: 'Sigmoid', input: 'mean', output: 'logits' },
    ],
    { name: 'logits', dims: [1] },
  ),
);

function expected(pcm: Int16Array): number {
  const features = whisperFeatures(pcm);
  return 1 / (1 + Math.exp(-features.reduce((sum, x) => sum + x, 0) / features.length));
}

const never = new AbortController().signal;

describe('an end-of-turn model', () => {
  test('judges the spectrum of the last seconds', async () => {
    const model = loadSmartTurn(meanModel);
    const speech = spoken('I think that is all.');
    try {
      const [said, quiet] = await Promise.all([model.predict(speech, never), model.predict(silence(16_000), never)]);
      expect(said).toBeCloseTo(expected(speech), 5);
      expect(quiet).toBeCloseTo(expected(silence(16_000)), 5);
      expect(said).not.toBeCloseTo(quiet, 2);
    } finally {
      await model.close();
    }
  });

  test('lets go of a question that was withdrawn, and answers the next one', async () => {
    const model = loadSmartTurn(meanModel);
    try {
      const abort = new AbortController();
      const asked = model.predict(silence(16_000), abort.signal);
      abort.abort();
      await expect(asked).rejects.toMatchObject({ code: 'aborted' });
      expect(await model.predict(silence(16_000), never)).toBeCloseTo(expected(silence(16_000)), 5);
    } finally {
      await model.close();
    }
  });

  test('rejects what is still asked when it closes', async () => {
    const model = loadSmartTurn(meanModel);
    const asked = model.predict(silence(16_000), never);
    const rejected = expect(asked).rejects.toMatchObject({ code: 'unavailable' });
    await model.close();
    await rejected;
  });

  test('answers again after its thread died', async () => {
    const model = loadSmartTurn(meanModel);
    try {
      const answer = await model.predict(silence(16_000), never);
      const lost = expect(model.predict(silence(16_000), never)).rejects.toMatchObject({ code: 'unavailable' });
      model.killForTesting();
      await lost;
      expect(await model.predict(silence(16_000), never)).toBe(answer);
    } finally {
      await model.close();
    }
  });

  test('refuses a path without a file at once', () => {
    expect(() => loadSmartTurn(join(folder, 'absent.onnx'))).toThrow('absent.onnx');
  });

  test.each([
    ['is no graph', 'not a model'],
    [
      'takes something else',
      tinyOnnx({ name: 'pixels', dims: [1, 4] }, [{ type: 'Sigmoid', input: 'pixels', output: 'y' }], {
        name: 'y',
        dims: [1, 4],
      }),
    ],
  ])('fails its questions when the file %s', async (_, content) => {
    const model = loadSmartTurn(write('other.onnx', content));
    await expect(model.predict(silence(16_000), never)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(model.predict(silence(16_000), never)).rejects.toMatchObject({ code: 'unavailable' });
    await model.close();
  });

  test('does not pass on what is no probability', async () => {
    const raw = tinyOnnx(
      { name: 'input_features', dims: [1, MEL_BANDS, MEL_FRAMES] },
      [{ type: 'ReduceSum', input: 'input_features', output: 'sum', attributes: { keepdims: 0 } }],
      { name: 'sum', dims: [] },
    );
    const model = loadSmartTurn(write('sum.onnx', raw));
    await expect(model.predict(spoken('Hello.'), never)).rejects.toMatchObject({ code: 'bad-response' });
    await model.close();
  });
});
