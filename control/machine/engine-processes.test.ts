import pino from 'pino';
import { describe, expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import type { PublicRouter } from '../../engine/index.ts';
import type { LinkHandlers } from '../../runtime/link.ts';
import { EngineRegistryInMemory } from '../cluster/engine-registry-in-memory.ts';
import { SlotsInMemory } from '../sessions/slots-in-memory.ts';
import { EngineProcesses } from './engine-processes.ts';
import { STOP_WITHIN_MS } from './engine-process.ts';
import type { FromEngine } from './messages.ts';

const router: PublicRouter = { udpPort: 1, tcpPort: null, told() {}, died() {}, close: async () => {} };

/** Processes that do nothing by themselves, and what happens to them, in order. */
function launched(count: number) {
  const clock = new SimulatedClock();
  const events: string[] = [];
  const handlers: LinkHandlers<FromEngine>[] = [];
  const now = (): number => clock.now();
  const engines = new EngineProcesses({
    count,
    engineIdOf: (number) => `main.${number}`,
    launch(of) {
      const number = handlers.push(of);
      return {
        pid: number,
        tell() {},
        post: ({ kind }) => void events.push(`${kind} ${number}`),
        kill() {
          events.push(`kill ${number}`);
          of.ended({ how: 'SIGKILL', error: null });
        },
      };
    },
    router,
    registry: new EngineRegistryInMemory(now),
    ledger: new SlotsInMemory(now),
    timers: clock as never,
    log: pino({ level: 'silent' }),
    lost() {},
  });
  const starting = engines.start();
  /** It has told its state, so it may have sessions. */
  const ready = async (number: number): Promise<void> => {
    handlers[number - 1]!.message({ kind: 'state', state: {} as never });
    handlers[number - 1]!.message({ kind: 'ready' });
    await new Promise((done) => setImmediate(done));
  };
  const stop = (): void => void engines.stop().then(() => events.push('stopped'));
  return {
    clock,
    events,
    ready,
    starting,
    stop,
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
