import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { childProcesses } from '../../testing/child-processes.ts';
import { convertBert } from '../../packages/convert/bert.ts';
import { TINY_BERT, tinyBertConfig, tinySafetensors, tinyTokenizer } from '../../packages/testing/tiny-bert.ts';
import type { Embedder } from '../../ports.ts';
import { createLocalEmbedder } from './local-embedder.ts';

const NEVER = new AbortController().signal;

describe('an embedding model of this machine', () => {
  let folder: string;
  let embedder: Embedder;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'parley-embedder-'));
    const [weights, config, model] = ['weights', 'config.json', 'model.onnx'].map((file) => join(folder, file));
    writeFileSync(weights!, tinySafetensors());
    writeFileSync(config!, tinyBertConfig());
    convertBert({ weights: weights!, config: config!, model: model! });
    const { tokenizer, config: tokenizerConfig } = tinyTokenizer();
    writeFileSync(join(folder, 'tokenizer.json'), JSON.stringify(tokenizer));
    writeFileSync(join(folder, 'tokenizer_config.json'), JSON.stringify(tokenizerConfig));
    embedder = createLocalEmbedder({
      id: 'tiny',
      folder,
      languages: ['en'],
      engine: {
        type: 'bert',
        model: 'model.onnx',
        tokenizer: 'tokenizer.json',
        tokenizerConfig: 'tokenizer_config.json',
        dimensions: TINY_BERT.width,
      },
    });
  });
  afterAll(async () => {
    await embedder.close?.();
    rmSync(folder, { recursive: true, force: true });
  });

  it('gives a vector for each text, the same for the same words', async () => {
    const [one, other, again] = await embedder.embed(['Opens.', 'Closed.', 'opens .'], NEVER);
    expect(one).toHaveLength(TINY_BERT.width);
    expect([...one!]).not.toEqual([...other!]);
    expect([...one!]).toEqual([...again!]);
  });

  it('takes a text of any length, and one without a word', async () => {
    const vectors = await embedder.embed(['a '.repeat(100_000), '', 'x'.repeat(1_000_000)], NEVER);
    for (const vector of vectors) expect(Math.hypot(...vector)).toBeCloseTo(1, 4);
  });

  it('stops where nobody waits any more', async () => {
    await expect(embedder.embed(['a', 'b'], AbortSignal.abort())).rejects.toThrow('aborted');
  });

  it('goes on in a new process when the one before was killed', async () => {
    const before = await embedder.embed(['open'], NEVER);
    for (const pid of childProcesses('embedding-process')) process.kill(pid, 'SIGKILL');
    const after = await embedder.embed(['open'], NEVER);
    expect([...after[0]!]).toEqual([...before[0]!]);
  });
});
