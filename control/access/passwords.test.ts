import { expect, it } from 'vitest';
import { HttpError } from '../errors/http-error.ts';
import { hashPassword, passwordFits, PasswordQueue } from './passwords.ts';

it('a password fits its own hash, which says how it was made', async () => {
  const hash = await hashPassword('four words of a poem');
  expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{43}$/);
  expect(await passwordFits('four words of a poem', hash)).toBe(true);
  expect(await passwordFits('Four words of a poem', hash)).toBe(false);
  expect(await hashPassword('four words of a poem')).not.toBe(hash);
});

it('a hash of another cost is still checked by its own', async () => {
  const cheap = '$scrypt$ln=4,r=8,p=1$AAAAAAAAAAAAAAAAAAAAAA$cUr0PSMqR6U5iDsXxG9tC4D2eb/mThnTCF5k3gQ6KQY';
  expect(await passwordFits('four words of a poem', cheap)).toBe(true);
  expect(await passwordFits('other words of a poem', cheap)).toBe(false);
});

it('fits however a keyboard composes its letters', async () => {
  const hash = await hashPassword('caf\u00e9 au lait, please');
  expect(await passwordFits('cafe\u0301 au lait, please', hash)).toBe(true);
});

it('nothing fits an account without a password', async () => {
  expect(await passwordFits('', null)).toBe(false);
  await expect(passwordFits('x', 'not a hash')).rejects.toThrow('cannot be read');
});

it('passwords wait for their turn, and are refused when many wait', async () => {
  const queue = new PasswordQueue();
  let working = 0;
  let most = 0;
  const open = Promise.withResolvers<void>();
  const work = async (): Promise<void> => {
    working += 1;
    most = Math.max(most, working);
    await open.promise;
    working -= 1;
  };
  const all = Array.from({ length: 30 }, async () => queue.run(work));
  const results = Promise.allSettled(all);
  open.resolve();
  const refused = (await results).filter((result) => result.status === 'rejected');
  expect(most).toBe(1);
  expect(refused).toHaveLength(30 - 17);
  expect(refused[0]!.reason).toBeInstanceOf(HttpError);
  expect(refused[0]!.reason).toMatchObject({ status: 429 });
});
