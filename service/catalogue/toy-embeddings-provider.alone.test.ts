import { expect, it } from 'vitest';
import { z } from 'zod';
import { EMBEDDINGS_PROVIDERS } from '../../models/embeddings/registry.ts';
import type { EmbeddingsProvider } from '../../models/embeddings/embeddings-provider.ts';

const options = z.object({ letters: z.string().max(5).describe('Letters to count.') });

/** A file that exports this and a line in the registry are all that an embeddings service takes. */
const toy: EmbeddingsProvider = {
  id: 'toy',
  about: 'counts letters',
  options,
  open: async ({ letters }) => ({
    dimensions: String(letters).length,
    embed: async (texts) =>
      texts.map((text) => Float32Array.from(String(letters), (letter) => text.split(letter).length - 1)),
  }),
};

// Before what reads the registry is loaded.
(EMBEDDINGS_PROVIDERS as EmbeddingsProvider[]).push(toy);

const { LatencyTable } = await import('../../models/latency-table.ts');
const { readSettings, settingsHelp } = await import('../../control/index.ts');
const { controlPorts } = await import('../parts/ports.ts');
const { providersPage } = await import('../../scripts/docs/providers-page.ts');

it('is a value of the setting, has its options checked, and stands in the table of providers', () => {
  expect(settingsHelp()).toContain('`toy` (counts letters)');
  expect(() => readSettings({ PARLEY_EMBEDDINGS_PROVIDER: 'toy' })).toThrow('PARLEY_EMBEDDINGS_LETTERS: is needed');
  expect(providersPage()).toContain('| `toy` | counts letters |  | `PARLEY_EMBEDDINGS_LETTERS` |');
});

it('is what the search of knowledge uses', async () => {
  const settings = readSettings({ PARLEY_EMBEDDINGS_PROVIDER: 'toy', PARLEY_EMBEDDINGS_LETTERS: 'abc' });
  const { embedder } = await controlPorts(
    settings,
    { warn() {} },
    { latencies: new LatencyTable(), listedLlms: [], mcp: null! },
  );
  expect(embedder?.dimensions).toBe(3);
  expect(await embedder?.embed(['banana'], AbortSignal.timeout(60_000))).toEqual([Float32Array.of(3, 1, 0)]);
});
