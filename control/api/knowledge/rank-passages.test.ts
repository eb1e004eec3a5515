import { expect, it } from 'vitest';
import { queryWords } from './query-terms.ts';
import { rankPassages } from './rank-passages.ts';

const candidate = (id: number, content: string) => ({
  id,
  content,
  terms: content,
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
  const rated = words.map((word) => ({ alternatives: queryWords(word)[0]!, rarity: 1 }));
  const ranked = await rankPassages(rated, rows);
  clearImmediate(timer);
  // A turn for each four rows or so.
  expect(turns).toBeGreaterThanOrEqual(rows.length / 5);
  expect(ranked).toHaveLength(rows.length);
  expect(ranked[0]!.candidate.id % 7).toBe(6);
});
