import { describe, expect, it } from 'vitest';
import {
  acknowledgedUpTo,
  alertMayFollowMs,
  arrivedBeforeSilence,
  clientHungUp,
  mayUseChannel,
  showsArrival,
  audioArrivedBeforeSilence,
  audioArrivedUpTo,
  survivedOutage,
} from './outage-rules.ts';

const evidence = { now: 100_000, alertAt: null, dataAt: null, silence: null };

describe('the client has hung up', () => {
  it.each([
    ['when a DTLS alert just came', { alertAt: 99_900 }, true],
    [
      'when a DTLS alert came after an outage',
      { alertAt: 99_900, silence: { lastedMs: 5_000, endedAt: 99_000 } },
      true,
    ],
    ['when data came just before and there was no outage: an SCTP abort', { dataAt: 99_990 }, true],
    ['not when it is silent', { dataAt: 85_000, silence: { lastedMs: 15_000, endedAt: null } }, false],
    [
      'not when it is back and talking while the peer gives up',
      { dataAt: 99_990, silence: { lastedMs: 12_000, endedAt: 93_000 } },
      false,
    ],
    ['not when only the way to the client is broken', { dataAt: 99_000 }, false],
    ['not when an alert came long ago', { alertAt: 50_000 }, false],
  ])('%s', (_, seen, hungUp) => {
    expect(clientHungUp({ ...evidence, ...seen })).toBe(hungUp);
  });
});

it('a goodbye is waited for only when the client has just sent something that may have been an abort', () => {
  expect(alertMayFollowMs({ ...evidence, dataAt: 99_990 })).toBeGreaterThan(0);
  expect(alertMayFollowMs({ ...evidence, dataAt: 99_000 })).toBe(0);
  expect(alertMayFollowMs(evidence)).toBe(0);
});

describe('when a client falls silent, what was sent has arrived', () => {
  it.each([
    ['up to a round trip before its last packet', { heardAt: 1_000, arrivedUpTo: 950, roundTripMs: 20 }, 980],
    ['up to what it reported, when that is later', { heardAt: 1_000, arrivedUpTo: 950, roundTripMs: 80 }, 950],
    [
      'up to what it reported, when its reports had stopped before',
      { heardAt: 1_000, arrivedUpTo: 400, roundTripMs: 20 },
      400,
    ],
    [
      'as far as nobody knows, when it reports nothing',
      { heardAt: 1_000, arrivedUpTo: null, roundTripMs: Number.POSITIVE_INFINITY },
      null,
    ],
  ])('%s', (_, signs, arrived) => {
    expect(arrivedBeforeSilence(signs)).toBe(arrived);
  });
});

describe('a message has arrived', () => {
  const unknown = { arrivedUpTo: null, roundTripMs: Number.POSITIVE_INFINITY, dataAt: null };
  it.each([
    ['when the channel has sent something a round trip later', { dataAt: 1_000, roundTripMs: 25 }, 980],
    ['on an unknown way, when the channel has sent something well after it', { dataAt: 1_000 }, 900],
    ['when what was sent later was reported', { dataAt: 1_000, roundTripMs: 20, arrivedUpTo: 990 }, 990],
    ['as far as nobody knows, when the client has said nothing', {}, null],
  ])('%s', (_, signs, arrived) => {
    expect(acknowledgedUpTo({ ...unknown, ...signs })).toBe(arrived);
  });
});

describe('sound has reached a client', () => {
  const signs = { reachedAt: 900, dataAt: null, roundTripMs: 20 };
  it('that has stopped to answer, up to the latest packet that is known to have arrived', () => {
    expect(audioArrivedUpTo(signs)).toBe(900);
    expect(audioArrivedUpTo({ ...signs, dataAt: 965 })).toBe(950);
    expect(audioArrivedUpTo({ ...signs, reachedAt: null })).toBeNull();
  });

  it('that has fallen silent, up to a round trip before its last packet', () => {
    expect(audioArrivedBeforeSilence(signs, 1_000)).toBe(980);
    expect(audioArrivedBeforeSilence({ ...signs, reachedAt: 100 }, 1_000)).toBe(100);
    expect(audioArrivedBeforeSilence({ ...signs, reachedAt: null }, 1_000)).toBe(1_000);
  });
});

it('signs of the client say nothing about earlier messages for a while after a silence', () => {
  expect(showsArrival({ now: 100_000, silence: null })).toBe(true);
  expect(showsArrival({ now: 100_000, silence: { lastedMs: 5_000, endedAt: null } })).toBe(true);
  expect(showsArrival({ now: 100_000, silence: { lastedMs: 5_000, endedAt: 95_000 } })).toBe(false);
  expect(showsArrival({ now: 100_000, silence: { lastedMs: 5_000, endedAt: 80_000 } })).toBe(true);
});

describe('a message may go out', () => {
  const silence = { lastedMs: 13_000, endedAt: 99_000 };
  it.each([
    ['when the client was never silent', { silence: null }, null, true],
    ['not into a silence', { silence: { lastedMs: 4_000, endedAt: null } }, 90_000, false],
    ['not after one before something has reached the client again', { silence }, 90_000, false],
    ['after one when something has', { silence }, 99_010, true],
    ['after one to a client that never reports', { silence }, null, true],
    [
      'a while after one to a client that reports no longer',
      { silence: { ...silence, endedAt: 97_000 } },
      90_000,
      true,
    ],
  ])('%s', (_, seen, reachedAt, may) => {
    expect(mayUseChannel({ ...evidence, ...seen }, reachedAt)).toBe(may);
  });
});

describe('a peer is kept for an offer', () => {
  const stalled = { sentAt: 70_000, waiting: 0 };
  it.each([
    ['when the client was never silent', {}, stalled, true],
    ['after a short silence', { silence: { lastedMs: 11_000, endedAt: null } }, stalled, true],
    ['not in a long silence', { silence: { lastedMs: 13_000, endedAt: null } }, stalled, false],
    [
      'not when the client is heard a moment before the offer, and its messages, too',
      { dataAt: 99_995, silence: { lastedMs: 13_000, endedAt: 99_990 } },
      stalled,
      false,
    ],
    [
      'in a long silence, when a new message will make its channel repeat the others',
      { silence: { lastedMs: 13_000, endedAt: null } },
      { ...stalled, waiting: 1 },
      true,
    ],
    [
      'after it, when a new message has',
      { silence: { lastedMs: 13_000, endedAt: 99_990 } },
      { ...stalled, sentAt: 99_990 },
      true,
    ],
    [
      'when the silence is so long ago that the channel has come back',
      { dataAt: 99_000, silence: { lastedMs: 13_000, endedAt: 85_000 } },
      stalled,
      true,
    ],
    [
      'after any silence when nothing waited for an acknowledgement',
      { silence: { lastedMs: 40_000, endedAt: null } },
      { sentAt: null, waiting: 0 },
      true,
    ],
  ])('%s', (_, seen, undelivered, kept) => {
    expect(survivedOutage({ ...evidence, ...seen }, undelivered)).toBe(kept);
  });
});
