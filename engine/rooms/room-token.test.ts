import { describe, expect, it } from 'vitest';
import { readRoomToken } from './room-token.ts';

const GOOD = {
  sub: 'anam-avatar-agent',
  video: { roomJoin: true, room: 'lobby' },
  attributes: { 'lk.publish_on_behalf': 'agent-1' },
};
const token = (claims: unknown) => `x.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.y`;

describe('the token of a room', () => {
  it('says who goes where, and for whom', () => {
    expect(readRoomToken(token(GOOD))).toEqual({ room: 'lobby', identity: 'anam-avatar-agent', agent: 'agent-1' });
  });

  it.each([
    ['is not a LiveKit token', 'hello'],
    ['is not a LiveKit token', 'a.b.c'],
    ['is not a LiveKit token', token(null)],
    ['is not a LiveKit token', `x.${'A'.repeat(20_000)}.y`],
    ['names no participant', token({ ...GOOD, sub: '' })],
    ['does not allow to join a room', token({ ...GOOD, video: { room: 'lobby' } })],
    ['does not allow to join a room', token({ ...GOOD, video: { roomJoin: true } })],
    ['does not allow to publish', token({ ...GOOD, video: { ...GOOD.video, canPublish: false } })],
    ['does not allow to publish', token({ ...GOOD, video: { ...GOOD.video, canPublishData: false } })],
    ['names no agent', token({ ...GOOD, attributes: {} })],
    ['names no agent', token({ ...GOOD, attributes: { 'lk.publish_on_behalf': 'x'.repeat(600) } })],
  ])('%s', (problem, text) => expect(readRoomToken(text)).toContain(problem));
});
