import { EventEmitter } from 'node:events';
import pino from 'pino';
import { expect, it } from 'vitest';
import { SimulatedClock } from 'xstate';
import { JournalsInRedis } from './journals-in-redis.ts';

type Command = readonly [name: string, ...args: (string | number)[]];
type Answer = readonly [error: Error | null, answer: unknown];

/** The arguments of a write before its entries. */
const BEFORE_ENTRIES = 12;
const FROM = 8;

/** Journals of one process over a Redis that answers when the test says so. */
function journalsOver() {
  const clock = new SimulatedClock();
  const waiting: { readonly commands: readonly Command[]; answer(answers: readonly Answer[]): void }[] = [];
  const redis = Object.assign(new EventEmitter(), {
    defineCommand() {},
    pipeline: (commands: readonly Command[]) => ({
      exec: () => new Promise<readonly Answer[]>((answer) => waiting.push({ commands, answer })),
    }),
  });
  const lost: string[] = [];
  const journals = new JournalsInRedis({
    redis: redis as never,
    engineId: 'one',
    region: 'eu',
    lost: (sessionId) => void lost.push(sessionId),
    timers: clock,
    log: pino({ level: 'silent' }),
  });
  const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
  /** The next request to Redis. @param how it carries it out, or is away. @returns the names of its scripts. */
  async function next(how: 'answers' | 'is away'): Promise<string[]> {
    const { commands, answer } = waiting.shift()!;
    answer(
      commands.map(([name, ...args]) => {
        if (how === 'is away') return [new Error('Redis is away'), null];
        const entries = args.length + 1 - BEFORE_ENTRIES;
        return [null, name === 'parleyWriteJournal' ? [Number(args[FROM - 1]) + entries, '7'] : 1];
      }),
    );
    await settled();
    return commands.map(([name]) => name);
  }
  return { clock, journals, lost, next, settled, waiting };
}

// Two tools were called while a write was under way: one of them ran before its call was stored.
it('all who wait for a journal to be stored wait for the write that has what they wait for', async () => {
  const { journals, next, settled, waiting } = journalsOver();
  const journal = journals.open('session');
  const stored: string[] = [];
  const call = (name: string): void => {
    journal.append(name, 'soon');
    void journal.flush().then(() => stored.push(name));
  };
  for (const name of ['first', 'second', 'third']) call(name);
  await settled();
  await next('answers');
  expect(stored).not.toContain('second');
  expect(stored).not.toContain('third');
  expect(waiting).toHaveLength(1);
  await next('answers');
  expect(stored.toSorted()).toEqual(['first', 'second', 'third']);
});
