import { expect, it } from 'vitest';
import { LatencyTable } from './latency-table.ts';

it('keeps the last hundred first results of each provider', () => {
  const table = new LatencyTable(() => 7_000);
  for (let ms = 1; ms <= 150; ms += 1) table.add('audio', 'a', ms);
  table.failed('audio', 'a', 'connect');
  table.failed('audio', 'a', 'timeout');
  table.add('token', 'a', 7);
  table.failed('final', 'b', 'auth');
  expect(table.rows()).toEqual([
    {
      service: 'tts',
      result: 'audio',
      provider: 'a',
      p50Ms: 100,
      p95Ms: 145,
      answered: 150,
      failed: 2,
      lastFailure: { code: 'timeout', at: 7_000 },
    },
    { service: 'llm', result: 'token', provider: 'a', p50Ms: 7, p95Ms: 7, answered: 1, failed: 0, lastFailure: null },
    {
      service: 'stt',
      result: 'final',
      provider: 'b',
      p50Ms: null,
      p95Ms: null,
      answered: 0,
      failed: 1,
      lastFailure: { code: 'auth', at: 7_000 },
    },
  ]);
});

it('begins with the times of an earlier process, but counts anew', () => {
  const before = new LatencyTable(() => 7_000);
  before.add('token', 'a', 100);
  before.failed('audio', 'b', 'auth');
  const table = new LatencyTable();
  table.restore(before.kept());
  expect(before.kept()).toEqual([{ result: 'token', provider: 'a', times: [100], lastAt: 7_000 }]);
  expect(table.rows()).toMatchObject([{ provider: 'a', p50Ms: 100, answered: 0, failed: 0 }]);
});

it('tells whoever listens of every result', () => {
  const table = new LatencyTable();
  const told: string[] = [];
  table.listen({
    answered: ({ service, result, provider }, ms) => told.push(`${service} ${result} ${provider} ${ms}`),
    failed: ({ service, provider }, code) => told.push(`${service} ${provider} ${code}`),
  });
  table.add('partial', 'a', 300);
  table.failed('vectors', 'b', 'server');
  expect(told).toEqual(['stt partial a 300', 'embeddings b server']);
});
