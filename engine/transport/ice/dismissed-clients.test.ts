import { expect, it } from 'vitest';
import { DismissedClients } from './dismissed-clients.ts';

it('remembers credentials for a minute', () => {
  const dismissed = new DismissedClients();
  dismissed.add({ ufrag: 'first', password: 'one' }, 0);
  dismissed.add({ ufrag: 'second', password: 'two' }, 30_000);
  dismissed.sweep(59_999);
  expect([dismissed.passwordOf('first'), dismissed.passwordOf('other')]).toEqual(['one', null]);
  dismissed.sweep(60_000);
  expect([dismissed.passwordOf('first'), dismissed.passwordOf('second')]).toEqual([null, 'two']);
});

it('forgets the oldest when there are too many', () => {
  const dismissed = new DismissedClients();
  for (let number = 0; number <= 4_096; number++) dismissed.add({ ufrag: `client ${number}`, password: 'secret' }, 0);
  expect(dismissed.passwordOf('client 0')).toBeNull();
  expect(dismissed.passwordOf('client 1')).toBe('secret');
  expect(dismissed.passwordOf('client 4096')).toBe('secret');
});
