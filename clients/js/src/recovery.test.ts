import { expect, it } from 'vitest';
import { Recovery } from './recovery.ts';
import { fakeTimers } from './testing/fake-timers.ts';

function scene() {
  const did: string[] = [];
  const timers = fakeTimers();
  const actions = {
    attempt: (how: string) => did.push(how),
    restart: () => did.push('restart besides'),
    giveUp: () => did.push('give up'),
  };
  return { recovery: new Recovery(actions, timers), did, pass: timers.pass };
}

it('lets a short gap end by itself', () => {
  const { recovery, did, pass } = scene();
  recovery.disconnected();
  pass(1_900);
  recovery.connected();
  pass(120_000);
  expect(did).toEqual([]);
});

it('restarts after two seconds without connection, at once when ICE has failed', () => {
  const first = scene();
  first.recovery.disconnected();
  first.pass(2_000);
  expect(first.did).toEqual(['restart']);
  const second = scene();
  second.recovery.failed();
  expect(second.did).toEqual(['restart']);
});

it('tries for as long as the service holds the session, then gives up', () => {
  const { recovery, did, pass } = scene();
  recovery.failed();
  pass(59_000);
  expect(did).not.toContain('give up');
  pass(2_000);
  expect(did.at(-1)).toBe('give up');
  pass(120_000);
  expect(did.filter((what) => what === 'give up')).toHaveLength(1);
});

it('counts anew after a success', () => {
  const { recovery, did, pass } = scene();
  recovery.failed();
  pass(50_000);
  recovery.connected();
  pass(60_000);
  recovery.failed();
  pass(50_000);
  expect(did).not.toContain('give up');
});

it('does not wait when the browser has a network again', () => {
  const { recovery, did } = scene();
  recovery.online();
  expect(did).toEqual([]);
  recovery.disconnected();
  recovery.online();
  expect(did).toEqual(['restart']);
});

it('replaces a peer connection that died, or that does not connect although its restarts are answered', () => {
  const dead = scene();
  dead.recovery.peerDied();
  expect(dead.did).toEqual(['replace']);
  const { recovery, did, pass } = scene();
  recovery.failed();
  for (const _ of [1, 2, 3]) {
    recovery.answered();
    pass(5_000);
  }
  expect(did).toEqual(['restart', 'restart', 'restart', 'replace']);
});

it('restarts at once when the session moves to another process, a second apart, and gives nothing up for that', () => {
  const { recovery, did, pass } = scene();
  recovery.moved();
  recovery.moved();
  recovery.moved();
  expect(did).toEqual(['restart besides']);
  pass(1_000);
  expect(did).toEqual(['restart besides', 'restart besides']);
  pass(120_000);
  expect(did).toHaveLength(2);
  recovery.failed();
  recovery.moved();
  expect(did.slice(2)).toEqual(['restart']);
});

it('does not begin again when ICE gives up the path to the process that the session has left', () => {
  const { recovery, did, pass } = scene();
  recovery.moved();
  recovery.failed();
  expect(did).toEqual(['restart besides']);
  pass(5_000);
  expect(did).toEqual(['restart besides', 'restart']);
});

it('does nothing more once stopped', () => {
  const { recovery, did, pass } = scene();
  recovery.disconnected();
  recovery.moved();
  did.length = 0;
  recovery.moved();
  recovery.stop();
  recovery.moved();
  recovery.connected();
  recovery.peerDied();
  pass(120_000);
  expect(did).toEqual([]);
});
