import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { PublicRouter } from '../../../engine/index.ts';
import type { LinkHandlers } from '../../../runtime/link.ts';
import type { CallMessage } from '../../../runtime/remote-calls.ts';
import { EngineRegistryInMemory } from '../engine-registry-in-memory.ts';
import { SlotsInMemory } from '../slots-in-memory.ts';
import { EngineProcesses } from './engine-processes.ts';
import { STOP_WITHIN_MS } from './engine-process.ts';
import type { FromEngine, ToEngine } from './messages.ts';

const router: PublicRouter = { udpPort: 1, tcpPort: null, told() {}, died() {}, close: async () => {} };

/** Processes that do nothing by themselves, and what happens to them, in order. */
function launched(count: number) {
  const clock = new SimulatedClock();
  const events: string[] = [];
  const handlers: LinkHandlers<FromEngine>[] = [];
  const told: { readonly number: number; readonly message: ToEngine }[] = [];
  const lost: string[] = [];
  const now = (): number => clock.now();
  const registry = new EngineRegistryInMemory(now);
  const engines = new EngineProcesses({
    count,
    engineIdOf: (number) => `main.${number}`,
    launch: () => (of) => {
      const number = handlers.push(of);
      return {
        pid: number,
        tell: (message) => void told.push({ number, message }),
        post: ({ kind }) => void events.push(`${kind} ${number}`),
        kill() {
          events.push(`kill ${number}`);
          of.ended({ how: 'SIGKILL', error: null });
        },
      };
    },
    router,
    registry,
    ledger: new SlotsInMemory(now),
    timers: clock as never,
    log: pino({ level: 'silent' }),
    lost: (_, sessionIds) => void lost.push(...sessionIds),
  });
  const starting = engines.start();
  /** It has told its state, so it may have sessions. */
  const ready = async (number: number): Promise<void> => {
    handlers[number - 1]!.message({ kind: 'state', state: {} as never });
    handlers[number - 1]!.message({ kind: 'ready' });
    await new Promise((done) => setImmediate(done));
  };
  const journal = (number: number, sessionId: string): void =>
    handlers[number - 1]!.message({ kind: 'journal', addition: { sessionId, entries: ['past'], state: null } });
  const place = (number: number): Promise<string | null> =>
    registry.renew(
      { id: `main.${number}`, url: '', region: '', version: '1', places: 5, used: 0, draining: false },
      null,
    );
  const callsOf = (number: number): CallMessage[] =>
    told.flatMap(({ number: to, message }) => (to === number && message.kind === 'call' ? [message] : []));
  const answer = (number: number, { id }: CallMessage): void =>
    handlers[number - 1]!.message({ kind: 'answer', id, value: undefined });
  const stop = (): void => void engines.stop().then(() => events.push('stopped'));
  return {
    clock,
    events,
    ready,
    starting,
    stop,
    journal,
    place,
    callsOf,
    answer,
    lost,
    registry,
    end: (n: number) => handlers[n - 1]!.ended({ how: 'exit 0', error: null }),
  };
}

const settled = (): Promise<void> => new Promise((done) => setImmediate(done));

describe('A stop of several engine processes', () => {
  it('asks all of them at once, and kills those that have not ended within a limit for all', async () => {
    const { clock, events, ready, starting, stop, end } = launched(3);
    for (const number of [1, 2, 3]) await ready(number);
    await starting;
    stop();
    expect(events).toEqual(['stop 1', 'stop 2', 'stop 3']);
    end(2);
    clock.increment(STOP_WITHIN_MS - 1);
    await settled();
    expect(events).toHaveLength(3);
    clock.increment(1);
    await settled();
    expect(events.slice(3)).toEqual(['kill 1', 'kill 3', 'stopped']);
  });

  it('is over as soon as the last of them has ended, and starts none again', async () => {
    const { clock, events, ready, starting, stop, end } = launched(2);
    for (const number of [1, 2]) await ready(number);
    await starting;
    stop();
    end(1);
    await settled();
    expect(events).not.toContain('stopped');
    end(2);
    await settled();
    clock.increment(60_000);
    expect(events).toEqual(['stop 1', 'stop 2', 'stopped']);
  });

  it('does not wait for one that is still starting', async () => {
    const { events, ready, starting, stop } = launched(2);
    await ready(1);
    starting.catch(() => {});
    stop();
    expect(events).toEqual(['stop 1', 'stop 2', 'kill 2']);
  });
});

describe('A session whose process died', () => {
  /** The first of three died, and another one was asked to go on with its session. @returns the number of that one. */
  async function moving() {
    const machine = launched(3);
    for (const number of [1, 2, 3]) await machine.ready(number);
    await machine.starting;
    machine.journal(1, 'session');
    for (const number of [2, 3]) await machine.place(number);
    machine.end(1);
    await settled();
    const asked = [2, 3].filter((number) => machine.callsOf(number).length > 0);
    expect(asked).toHaveLength(1);
    return { ...machine, first: asked[0]!, second: asked[0] === 2 ? 3 : 2 };
  }
  const namesOf = (calls: readonly CallMessage[]): string[] => calls.map(({ name }) => name);

  // One that was only late began the session as well, and the client talked to either of both.
  it('does not go on in a process that was late, before another one is asked', async () => {
    const { clock, ready, place, callsOf, answer, first, second } = await moving();
    clock.increment(5_000);
    // Both are alive: they tell how they are.
    for (const number of [first, second]) {
      await ready(number);
      await place(number);
    }
    clock.increment(5_000);
    await settled();
    expect(namesOf(callsOf(first))).toEqual(['takeOver', 'sessionTakenOver']);
    expect(callsOf(second)).toEqual([]);
    answer(first, callsOf(first)[1]!);
    await settled();
    expect(namesOf(callsOf(second))).toEqual(['takeOver']);
  });

  // Those who tried to move it, and those who moved the sessions of the second process, each gave it to another one.
  it('is moved once when the next process dies too, before it had the session', async () => {
    const { callsOf, answer, end, registry, lost, first, second } = await moving();
    const { fence } = (await registry.reserve('test', { region: null, policy: 'preferred' }, [`main.${second}`])) as {
      fence: string;
    };
    await registry.own(`main.${first}`, fence, ['session']);
    end(first);
    await settled();
    expect(namesOf(callsOf(second))).toEqual(['takeOver']);
    answer(second, callsOf(second)[0]!);
    await settled();
    expect(namesOf(callsOf(second))).toEqual(['takeOver']);
    expect(lost).toEqual([]);
  });
});
