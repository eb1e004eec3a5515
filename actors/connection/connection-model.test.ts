import { describe, expect, it } from 'vitest';
import { pending, reachable, walk, type Model, type Move } from '../testing/model-paths.ts';
import type { EndReason } from '../report.ts';
import { connectionMachine } from './connection-machine.ts';

const MOVES: readonly Move[] = [
  { type: 'socket.opened' },
  { type: 'socket.closed', code: 1006, clean: false },
  { type: 'socket.closed', code: 1001, clean: true },
  { type: 'offer.received', kind: 'first' },
  { type: 'offer.received', kind: 'restart' },
  { type: 'peer.connected', kind: 'first' },
  { type: 'peer.connected', kind: 'renewed' },
  { type: 'peer.connected', kind: 'replacement' },
  { type: 'peer.unresponsive', arrivedUpTo: 0 },
  { type: 'peer.responsive' },
  { type: 'peer.quiet' },
  { type: 'peer.flowing', quietMs: 4_000 },
  { type: 'channel.opened' },
  { type: 'pipeline.ready' },
  { type: 'time', ms: 5_000 },
  { type: 'time', ms: 10_000 },
];

/** Of a client that comes back after its page was reloaded. */
const RETURNING: readonly Move[] = [
  ...MOVES.filter((move) => !('kind' in move && move.kind === 'first' && move.type === 'offer.received')),
  { type: 'offer.received', kind: 'first', resume: true },
  { type: 'peer.closed' },
];

const connection: Model = { machine: connectionMachine, moves: MOVES };
const states = reachable(connection);
const linkOf = (value: unknown): string => {
  const { link } = value as { link: string | Record<string, string> };
  return typeof link === 'string' ? link : Object.entries(link).flat().join('.');
};
const count = (items: readonly { readonly type: string }[], type: string) =>
  items.filter((item) => item.type === type).length;

describe('the connection, in every state that can be reached', () => {
  it('has all the states that it needs and no end of them', () => {
    expect(states.length).toBeGreaterThan(20);
    expect(states.length).toBeLessThan(400);
  });

  it('ends at once when the client closes its peer or hangs up', () => {
    for (const { path } of states) {
      for (const type of ['peer.closed', 'client.hangUp'] as const) {
        expect(walk(connection, [...path, { type }]).told.at(-1)).toEqual({
          type: 'connection.over',
          reason: 'client_disconnected',
        });
      }
    }
  });

  it('is over after a minute without a client, or sooner if its socket said goodbye just before, whatever was before', () => {
    const REASONS: Readonly<Record<string, EndReason>> = {
      'flowing.there': 'connection_lost',
      'flowing.leaving': 'client_disconnected',
      'away.held': 'connection_lost',
      'away.leaving': 'client_disconnected',
      'away.gone': 'client_disconnected',
    };
    for (const { path, value } of states) {
      const link = linkOf(value);
      const gone = link.startsWith('flowing') ? [...path, { type: 'peer.quiet' } as const] : path;
      const { told } = walk(connection, [...gone, { type: 'time', ms: 60_000 }]);
      const reasons = told.flatMap((event) => (event.type === 'connection.over' ? [event.reason] : []));
      expect(reasons.at(-1)).toBe(REASONS[link] ?? 'never_connected');
    }
  });

  it('holds a client that opens another socket, and one without a goodbye, the full time', () => {
    for (const { path, value } of states) {
      if (!linkOf(value).startsWith('away')) continue;
      const opened: Move[] = [...path, { type: 'socket.opened' }];
      for (const broken of [[], [{ type: 'socket.closed', code: 1006, clean: false } as const]]) {
        const { told } = walk(connection, [...opened, ...broken, { type: 'time', ms: 49_000 }]);
        expect(count(told, 'connection.over')).toBe(count(walk(connection, path).told, 'connection.over'));
      }
    }
  });

  it('goes on wherever packets flow again', () => {
    for (const { path, value } of states) {
      if (!linkOf(value).startsWith('away')) continue;
      expect(linkOf(walk(connection, [...path, { type: 'peer.flowing', quietMs: 4_000 }]).value)).toBe('flowing.there');
    }
  });

  it('begins the conversation once, and announces each peer of the client once', () => {
    for (const { told, commands, events } of states) {
      expect(count(told, 'connection.ready')).toBeLessThanOrEqual(1);
      const replacements = events.filter(
        (event) => event.type === 'peer.connected' && event.kind === 'replacement',
      ).length;
      expect(count(commands, 'signal.ready')).toBeLessThanOrEqual(1 + replacements);
    }
  });

  it('says that answers come again only where they were missing, and misses them while it holds', () => {
    for (const { told, value, events } of states) {
      const { responses } = value as { responses: unknown };
      const wereMissing = events.some(({ type }) => type === 'peer.unresponsive' || type === 'peer.quiet');
      const again = count(told, 'connection.responsive');
      if (!wereMissing) expect(again).toBe(0);
      else if (responses === 'coming') expect(again).toBeGreaterThan(0);
      if (linkOf(value).startsWith('away')) expect(responses).toBe('missing');
    }
  });

  it('holds and comes back in turns', () => {
    for (const { told, value } of states) {
      expect(pending(told, 'connection.held', 'connection.back')).toBe(linkOf(value).startsWith('away') ? 1 : 0);
    }
  });
});

describe('the connection of a client that comes back, in every state that can be reached', () => {
  const returning: Model = { machine: connectionMachine, moves: RETURNING };
  const states = reachable(returning);

  it('holds while nobody is there, and comes back in turns', () => {
    for (const { told, value } of states) {
      const { responses } = value as { responses: unknown };
      const away = linkOf(value).startsWith('away');
      expect(pending(told, 'connection.held', 'connection.back')).toBe(away ? 1 : 0);
      if (away) expect(responses).toBe('missing');
    }
  });

  it('is over at once when it hangs up, and 20 s after its page is gone', () => {
    for (const { path, value } of states) {
      const over = { type: 'connection.over', reason: 'client_disconnected' };
      expect(walk(returning, [...path, { type: 'client.hangUp' }]).told).toContainEqual(over);
      if (linkOf(value) !== 'away.left') continue;
      expect(walk(returning, [...path, { type: 'time', ms: 20_000 }]).told).toContainEqual(over);
    }
  });
});
