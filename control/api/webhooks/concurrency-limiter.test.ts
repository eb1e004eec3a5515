import { expect, it } from 'vitest';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';

it('a concurrency limit is for each owner, and a place is free again however the work ends', async () => {
  const limiter = new ConcurrencyLimiter(2);
  const ends = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const running = ends.map(({ promise }) => limiter.tryRun('one', () => promise));
  expect(await limiter.tryRun('one', async () => 'more')).toBeNull();
  expect(await limiter.tryRun('other', async () => 'else')).toEqual({ done: 'else' });
  ends[0]!.reject(new Error('failed'));
  ends[1]!.resolve('well');
  await expect(running[0]).rejects.toThrow('failed');
  expect(await running[1]).toEqual({ done: 'well' });
  expect(await limiter.tryRun('one', async () => 'more')).toEqual({ done: 'more' });
});
