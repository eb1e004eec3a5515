import { expect, it } from 'vitest';
import { clientHungUp } from './hung-up.ts';

const ended = { now: 100_000, alertAt: null, dataAt: null, quietUntil: null, isQuiet: false };

it.each([
  ['a DTLS alert just came', { alertAt: 99_900 }, true],
  ['a DTLS alert came after an outage', { alertAt: 99_900, quietUntil: 99_000 }, true],
  ['data came just before, and there was no outage: an SCTP abort', { dataAt: 99_990 }, true],
  ['the client is silent', { dataAt: 85_000, isQuiet: true }, false],
  ['the client is back and its own channel is talking, but the peer gave up', { dataAt: 99_990, quietUntil: 93_000 }, false],
  ['only the way to the client is broken', { dataAt: 99_000 }, false],
  ['an alert came long ago', { alertAt: 50_000 }, false],
])('when %s', (_, peer, hungUp) => {
  expect(clientHungUp({ ...ended, ...peer })).toBe(hungUp);
});
