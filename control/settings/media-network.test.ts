import { describe, expect, it } from 'vitest';
import { readSettings } from './settings.ts';
import { problemsOf } from '../testing/problems-of.ts';

const TURN = { PARLEY_ICE_SERVERS: 'stun:stun.example.com, turn:turn.example.com?transport=tcp' };

describe('a TURN server', () => {
  /** Chromium then throws InvalidAccessError when a page makes its peer connection: no session worked. */
  it('is refused without credentials', () => {
    expect(problemsOf(TURN)).toEqual([
      expect.stringMatching(/^PARLEY_ICE_SERVERS: a TURN server needs credentials.*PARLEY_TURN_SECRET/),
    ]);
    expect(problemsOf({ PARLEY_ICE_SERVERS: 'stun:stun.example.com' })).toEqual([]);
  });

  it('has a secret, or a user name with a password', () => {
    const user = { PARLEY_TURN_USERNAME: 'parley', PARLEY_TURN_PASSWORD: 'word' };
    expect(problemsOf({ ...TURN, PARLEY_TURN_SECRET: 'shared' })).toEqual([]);
    expect(problemsOf({ ...TURN, ...user })).toEqual([]);
    expect(problemsOf({ ...TURN, ...user, PARLEY_TURN_SECRET: 'shared' })).toEqual([
      expect.stringContaining('either a secret or a user name'),
    ]);
    expect(problemsOf({ ...TURN, PARLEY_TURN_USERNAME: 'parley' })).toEqual([
      expect.stringContaining('belong together'),
    ]);
  });

  it('is needed when all media has to be relayed', () => {
    expect(problemsOf({ PARLEY_ICE_TRANSPORT_POLICY: 'relay' })).toEqual([
      expect.stringMatching(/^PARLEY_ICE_TRANSPORT_POLICY: relay needs a TURN server/),
    ]);
    const relayed = { ...TURN, PARLEY_TURN_SECRET: 'shared', PARLEY_ICE_TRANSPORT_POLICY: 'relay' };
    expect(readSettings(relayed).PARLEY_ICE_TRANSPORT_POLICY).toBe('relay');
  });
});

it.each(['turn://turn.example.com', 'turn:host?transport=quic', 'stun:host?transport=udp', 'stun:', 'https://host'])(
  'does not give clients an address that browsers refuse: %s',
  (url) => {
    const problems = problemsOf({ PARLEY_ICE_SERVERS: url, PARLEY_TURN_SECRET: 'shared' });
    expect(problems).toEqual([expect.stringMatching(/^PARLEY_ICE_SERVERS: must be URLs such as/)]);
  },
);

it.each(['stun:192.0.2.1:3478', 'stuns:[2001:db8::1]', 'turn:host:3478?transport=udp', 'turns:turn.example.com:443'])(
  'takes %s',
  (url) => {
    expect(readSettings({ PARLEY_ICE_SERVERS: url, PARLEY_TURN_SECRET: 'shared' }).PARLEY_ICE_SERVERS).toEqual([url]);
  },
);

it('has a TCP port for media, or none', () => {
  expect(readSettings({}).PARLEY_ICE_TCP_PORT).toBeUndefined();
  expect(readSettings({ PARLEY_ICE_TCP_PORT: '443' }).PARLEY_ICE_TCP_PORT).toBe(443);
  expect(readSettings({ PARLEY_ICE_TCP_PORT: 'off' }).PARLEY_ICE_TCP_PORT).toBe('off');
  for (const wrong of ['on', '70000', '-1'])
    expect(problemsOf({ PARLEY_ICE_TCP_PORT: wrong })).toEqual([
      expect.stringMatching(/^PARLEY_ICE_TCP_PORT: must be a (port number or off|whole number from 0 to 65535)/),
    ]);
  expect(problemsOf({ PORT: '443', PARLEY_ICE_TCP_PORT: '443' })).toEqual([
    expect.stringMatching(/^PARLEY_ICE_TCP_PORT: the HTTP API has this port/),
  ]);
});
