import { describe, expect, it } from 'vitest';
import { masterKeys } from '../access/master-key.ts';
import { InternalRequests } from './internal-requests.ts';

const keysOf = (...secrets: string[]) => masterKeys(secrets).derive('internal-requests');
const STOP = { method: 'POST', path: '/internal/stop', stop: { sessionId: 'one', reason: 'stopped_by_api' } } as const;

describe('A node believes a request', () => {
  let now = 1_000_000;
  const node = new InternalRequests(keysOf('a key that all have'), () => now);

  it('that another node has signed for this address', () => {
    const header = node.sign(STOP);
    expect(node.read(header, 'POST', '/internal/stop')).toEqual(STOP);
    expect(node.read(header, 'POST', '/internal/other')).toBeNull();
    expect(node.read(header, 'GET', '/internal/stop')).toBeNull();
  });

  it.each([undefined, '', 'x', '.', 'a.b', ['a.b'], Buffer.from('{}').toString('base64url')])(
    'and not %j',
    (header) => {
      expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
    },
  );

  it('not with another key, and still with the previous one', () => {
    const header = new InternalRequests(keysOf('a key of somebody else'), () => now).sign(STOP);
    expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
    const rotated = new InternalRequests(keysOf('a key of somebody else', 'a key that all have'), () => now);
    expect(rotated.read(node.sign(STOP), 'POST', '/internal/stop')).toEqual(STOP);
  });

  it('not when a letter of it was changed', () => {
    const [text, signature] = node.sign(STOP).split('.') as [string, string];
    const changed = Buffer.from(Buffer.from(text, 'base64url').toString().replace('one', 'two')).toString('base64url');
    expect(node.read(`${changed}.${signature}`, 'POST', '/internal/stop')).toBeNull();
  });

  it('for a minute, also of a node whose clock is 30 s off', () => {
    const header = node.sign(STOP);
    now -= 30_000;
    expect(node.read(header, 'POST', '/internal/stop')).toEqual(STOP);
    now += 60_000;
    expect(node.read(header, 'POST', '/internal/stop')).toEqual(STOP);
    now += 31_000;
    expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
  });
});
