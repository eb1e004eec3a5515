import { expect, it } from 'vitest';
import { Places } from './places.ts';

it('are for each owner, and free again however the work ends', async () => {
  const places = new Places(2);
  const ends = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const running = ends.map(({ promise }) => places.in('one', () => promise));
  expect(await places.in('one', async () => 'more')).toBeNull();
  expect(await places.in('other', async () => 'else')).toEqual({ done: 'else' });
  ends[0]!.reject(new Error('failed'));
  ends[1]!.resolve('well');
  await expect(running[0]).rejects.toThrow('failed');
  expect(await running[1]).toEqual({ done: 'well' });
  expect(await places.in('one', async () => 'more')).toEqual({ done: 'more' });
});
