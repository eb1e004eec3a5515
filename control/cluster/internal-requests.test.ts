import { describe, expect, it } from 'vitest';
import { masterKeys } from '../access/master-key.ts';
import { bodyHash, InternalRequests } from './internal-requests.ts';

const keysOf = (...secrets: string[]) => masterKeys(secrets).derive('internal-requests');
const STOP = { method: 'POST', path: '/internal/stop', stop: { sessionId: 'one', reason: 'stopped_by_api' } } as const;

const OWN = 'http://10.0.0.7:8080';
const nodeOf = (now: () => number, ...secrets: string[]) => new InternalRequests(keysOf(...secrets), () => OWN, now);

describe('A node believes a request', () => {
  let now = 1_000_000;
  const clock = (): number => now;
  const node = nodeOf(clock, 'a key that all have');

  it('that another node has signed for this address', () => {
    const read = (method: string, path: string) => node.read(node.sign(STOP, OWN), method, path);
    expect(read('POST', '/internal/stop')).toEqual(STOP);
    expect(read('POST', '/internal/other')).toBeNull();
    expect(read('GET', '/internal/stop')).toBeNull();
    expect(node.read(node.sign(STOP, 'http://10.0.0.8:8080'), 'POST', '/internal/stop')).toBeNull();
  });

  it.each([undefined, '', 'x', '.', 'a.b', ['a.b'], Buffer.from('{}').toString('base64url')])(
    'and not %j',
    (header) => {
      expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
    },
  );

  it('not with another key, and still with the previous one', () => {
    const header = nodeOf(clock, 'a key of somebody else').sign(STOP, OWN);
    expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
    const rotated = nodeOf(clock, 'a key of somebody else', 'a key that all have');
    expect(rotated.read(node.sign(STOP, OWN), 'POST', '/internal/stop')).toEqual(STOP);
  });

  it('not when a letter of it was changed', () => {
    const [text, signature] = node.sign(STOP, OWN).split('.') as [string, string];
    const changed = Buffer.from(Buffer.from(text, 'base64url').toString().replace('one', 'two')).toString('base64url');
    expect(node.read(`${changed}.${signature}`, 'POST', '/internal/stop')).toBeNull();
  });

  it('for a minute, also of a node whose clock is 30 s off', () => {
    const at = (ms: number) => {
      const header = node.sign(STOP, OWN);
      now += ms;
      const read = node.read(header, 'POST', '/internal/stop');
      now -= ms;
      return read;
    };
    expect([at(-30_000), at(30_000)]).toEqual([STOP, STOP]);
    expect([at(-61_000), at(61_000)]).toEqual([null, null]);
  });

  /** Whoever saw one on its way could send it again for a minute, with another body. */
  it('once', () => {
    const header = node.sign(STOP, OWN);
    expect(node.read(header, 'POST', '/internal/stop')).toEqual(STOP);
    now += 59_000;
    expect(node.read(header, 'POST', '/internal/stop')).toBeNull();
  });

  it('with the body that was signed', () => {
    const body = { personaConfig: { personaId: 'p' } };
    const header = node.sign({ method: 'POST', path: '/v1/x', body: bodyHash(body) }, OWN);
    const read = node.read(header, 'POST', '/v1/x');
    expect(read?.body).toBe(bodyHash(JSON.parse(JSON.stringify(body))));
    expect(read?.body).not.toBe(bodyHash({ personaConfig: { personaId: 'q' } }));
  });
});
