import { expect, it } from 'vitest';
import { listenAddress } from './listen-address.ts';

it.each(['127.0.0.1', '0.0.0.0', '::', 'localhost'])('listens on %s as it is written', async (host) => {
  expect(await listenAddress(host)).toBe(host);
});

it('says that a name is not known', async () => {
  await expect(listenAddress('nobody.invalid')).rejects.toThrow(
    'PARLEY_HOST: this machine does not know the name nobody.invalid',
  );
});
