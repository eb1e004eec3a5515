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

/**
 * Redis did not answer for a moment when a node that drained handed a session over. The node forgot it, and kept its lease:
 * nobody could take the session for as long as the node drained.
 */
it.each(['before all is stored', 'then'] as const)(
  'a session whose node leaves it while Redis is away (%s) is given away when Redis is back',
  async (when) => {
    const { clock, journals, lost, next, settled, waiting } = journalsOver();
    const journal = journals.open('session');
    journal.append('first', 'soon');
    void journal.leave();
    await settled();
    if (when === 'then') expect(await next('answers')).toEqual(['parleyWriteJournal']);
    const script = when === 'then' ? 'parleyGiveAway' : 'parleyWriteJournal';
    expect(await next('is away')).toEqual([script]);
    expect(journals.ids).toEqual([]);
    clock.increment(250);
    expect(await next('is away')).toEqual([script]);
    clock.increment(250);
    expect(await next('answers')).toEqual([script]);
    clock.increment(0);
    if (when !== 'then') expect(await next('answers')).toEqual(['parleyGiveAway']);
    clock.increment(1_000);
    await settled();
    expect(waiting).toEqual([]);
    expect(lost).toEqual([]);
  },
);

it('a session that came back to its node while that still gave it away stays there', async () => {
  const { clock, journals, lost, next, settled, waiting } = journalsOver();
  const left = journals.open('session');
  left.append('first', 'soon');
  void left.leave();
  await settled();
  await next('answers');
  // Redis carries it out, and its answer is lost.
  await next('is away');
  journals.take('session', { fence: '8', entries: ['first'], isStrict: false });
  journals.open('session').append('second', 'soon');
  clock.increment(250);
  expect(await next('answers')).toEqual(['parleyWriteJournal']);
  expect(journals.ids).toEqual(['session']);
  expect(lost).toEqual([]);
  clock.increment(1_000);
  expect(waiting).toEqual([]);
});
