import { expect, it } from 'vitest';
import { LatencyTable } from './latency-table.ts';

it('keeps the last hundred first results of each provider', () => {
  const table = new LatencyTable();
  for (let ms = 1; ms <= 150; ms += 1) table.add('tts', 'a', ms);
  table.failed('tts', 'a');
  table.add('llm', 'a', 7);
  table.failed('stt', 'b');
  expect(table.rows()).toEqual([
    { service: 'tts', provider: 'a', p50Ms: 100, p95Ms: 145, answered: 150, failed: 1 },
    { service: 'llm', provider: 'a', p50Ms: 7, p95Ms: 7, answered: 1, failed: 0 },
    { service: 'stt', provider: 'b', p50Ms: null, p95Ms: null, answered: 0, failed: 1 },
  ]);
});
