import { expect, it } from 'vitest';
import { byCoverage } from './by-coverage.ts';

const candidate = (id: number, content: string) => ({
  id,
  content,
  documentId: 'd',
  filename: 'f',
  chunkIndex: id,
  metadata: {},
});

// 50 rows of 32,000 characters of short words were compared with each word of the question. This blocked the thread for
// 5 s: nobody was heard and no frame was sent.
it('lets other work happen between long passages', async () => {
  const words = Array.from({ length: 24 }, (_, index) => `word${index}`);
  const row = Array.from({ length: 8000 }, (_, index) => index.toString(36)).join(' ');
  const rows = Array.from({ length: 50 }, (_, index) =>
    candidate(index, `${row} ${words.slice(0, index % 7).join(' ')}`),
  );
  let turns = 0;
  const count = (): void => {
    turns += 1;
    timer = setImmediate(count);
  };
  let timer = setImmediate(count);
  const ranked = await byCoverage(words, rows);
  clearImmediate(timer);
  expect(turns).toBeGreaterThanOrEqual(rows.length - 1);
  expect(ranked).toHaveLength(rows.length);
  expect(ranked[0]!.candidate.id % 7).toBe(6);
});
