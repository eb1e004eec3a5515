import { describe, expect, it } from 'vitest';
import { reachableMedia } from './reachable-media.ts';

const line = (address: string, port = 5000): string => `candidate:1 1 udp 2122 ${address} ${port} typ host`;

describe('The media of a meeting', () => {
  it.each(['203.0.114.9', '8.8.8.8', '2606:4700::1111'])('reach %s', (address) =>
    expect(reachableMedia([]).candidate(line(address))).toBe(true),
  );

  it.each(['127.0.0.1', '10.0.0.5', '192.168.1.1', '169.254.169.254', '::1', 'fd00::2', 'fe80::1', 'abc-def.local'])(
    'do not reach %s',
    (address) => expect(reachableMedia([]).candidate(line(address))).toBe(false),
  );

  it('reach what the operator allows', () => {
    const media = reachableMedia(['10.0.0.5', '10.0.0.6:5000', '[fd00::2]']);
    expect(media.candidate(line('10.0.0.5', 1))).toBe(true);
    expect(media.candidate(line('10.0.0.6', 5000))).toBe(true);
    expect(media.candidate(line('10.0.0.6', 22))).toBe(false);
    expect(media.candidate(line('fd00::2'))).toBe(true);
  });

  it('are told the end of candidates', () => expect(reachableMedia([]).candidate('')).toBe(true));

  it('lose only the forbidden candidates of a description', () => {
    const sdp = `v=0\r\nm=audio 9 X 111\r\na=${line('10.0.0.5')}\r\na=${line('8.8.8.8')}\r\na=mid:0\r\n`;
    expect(reachableMedia([]).description(sdp)).toBe(`v=0\r\nm=audio 9 X 111\r\na=${line('8.8.8.8')}\r\na=mid:0\r\n`);
  });

  it('lose the forbidden servers', () => {
    const servers = [
      { urls: 'stun:stun.example.com' },
      { urls: ['turn:10.0.0.5:22?transport=tcp', 'turns:8.8.8.8:443?transport=tcp'], username: 'u', credential: 'c' },
      { urls: 'turn:localhost:22' },
      { urls: 'turn:[::1]:22' },
      { urls: 'http://10.0.0.5/' },
    ];
    expect(reachableMedia([]).servers(servers)).toEqual([
      { urls: ['stun:stun.example.com'] },
      { urls: ['turns:8.8.8.8:443?transport=tcp'], username: 'u', credential: 'c' },
    ]);
  });
});
