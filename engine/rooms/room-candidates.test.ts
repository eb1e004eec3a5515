import { describe, expect, it } from 'vitest';
import { candidatesIn, isUsableCandidate } from './room-candidates.ts';

const candidate = (address: string, protocol = 'udp') =>
  `candidate:1 1 ${protocol} 2130706431 ${address} 27882 typ host`;
const refused = { privateAddresses: 'refused' } as const;

describe('the addresses that a LiveKit server names', () => {
  it('may be public', () => {
    expect(isUsableCandidate(candidate('8.8.8.8'), refused)).toBe(true);
    expect(isUsableCandidate(candidate('2606:4700::1111', 'UDP'), refused)).toBe(true);
  });

  /** Its answer would make this machine send packets into its own network. */
  it.each(['127.0.0.1', '10.0.0.5', '192.168.1.1', '169.254.169.254', '::1', 'fe80::1', '::ffff:10.0.0.1'])(
    'may not be %s, unless the operator allows the server',
    (address) => {
      expect(isUsableCandidate(candidate(address), refused)).toBe(false);
      expect(isUsableCandidate(candidate(address), { privateAddresses: 'allowed' })).toBe(true);
    },
  );

  it.each(['internal.example', 'abc.local', ''])('are never names: "%s"', (name) =>
    expect(isUsableCandidate(candidate(name), { privateAddresses: 'allowed' })).toBe(false),
  );

  it('are those of UDP', () => {
    expect(isUsableCandidate(candidate('8.8.8.8', 'tcp'), refused)).toBe(false);
    expect(isUsableCandidate('nonsense', refused)).toBe(false);
  });

  it('may be inside of a description', () => {
    expect(candidatesIn(`v=0\r\na=${candidate('8.8.8.8')}\r\na=end-of-candidates\r\n`)).toEqual([candidate('8.8.8.8')]);
  });
});
