import type { Compilable, CompiledQuery } from 'kysely';
import { pino } from 'pino';
import { describe, expect, it } from 'vitest';
import { SqliteError } from '../../store/sqlite-thread.ts';
import { WriteQueue } from './write-queue.ts';

const statement = (text: string): Compilable => ({
  compile: () => ({ parameters: [text] }) as unknown as CompiledQuery,
});
const textsOf = (statements: readonly Compilable[]): string[] =>
  statements.map((one) => one.compile().parameters[0] as string);

/** A queue over a store that refuses everything with `refusal` while it is set, and a record of what both did. */
function queueOver(options: { mostWaiting?: number } = {}) {
  const stored: string[] = [];
  const logged: { level: number; msg: string }[] = [];
  const disk = { refusal: null as ((texts: string[]) => Error | null) | null, attempts: 0 };
  const store = {
    async atomically(statements: readonly Compilable[]) {
      disk.attempts += 1;
      const texts = textsOf(statements);
      const error = disk.refusal?.(texts) ?? null;
      if (error !== null) throw error;
      stored.push(...texts);
    },
  };
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(JSON.parse(line)) });
  return { queue: new WriteQueue({ store, log, ...options }), stored, logged, disk };
}

const full = () => new SqliteError('database or disk is full', 'SQLITE_FULL');
const KEPT = 'the database takes no writes: what sessions say is kept in memory until it does';
const STORED = 'the database takes writes again: what waited is being stored';

/**
 * The disk was full for a minute. Messages of that time were given up after two seconds, and missing in the transcript.
 */
describe('while the store takes no writes', () => {
  it('what sessions say waits, and is stored in order once it does; both are logged once', async () => {
    const { queue, stored, logged, disk } = queueOver();
    disk.refusal = full;
    for (const text of ['one', 'two', 'three']) {
      queue.add('record', statement(text));
      const before = disk.attempts;
      await expect.poll(() => disk.attempts).toBeGreaterThan(before);
    }
    expect(stored).toEqual([]);
    disk.refusal = null;
    await queue.flush();
    expect(stored).toEqual(['one', 'two', 'three']);
    expect(logged.map(({ msg }) => msg)).toEqual([KEPT, STORED]);
  });

  it('memory has an end: event logs go without first, then everything, and the log says how much', async () => {
    const { queue, stored, logged, disk } = queueOver({ mostWaiting: 2000 });
    disk.refusal = full;
    const text = 'x'.repeat(800);
    expect(['log', 'log', 'log'].map((kind) => queue.add(kind as 'log', statement(text)))).toEqual([true, true, false]);
    expect(['record', 'record', 'record'].map((kind) => queue.add(kind as 'record', statement(text)))).toEqual([
      true,
      true,
      false,
    ]);
    await expect.poll(() => disk.attempts).toBeGreaterThan(0);
    disk.refusal = null;
    await queue.flush();
    expect(stored).toHaveLength(4);
    expect(logged.at(-1)).toMatchObject({ msg: STORED, dropped: 2 });
    expect(queue.add('log', statement(text)), 'there is room again').toBe(true);
    await queue.flush();
  });

  it('a stop tries once more and does not wait for ever', async () => {
    const { queue, stored, logged, disk } = queueOver();
    disk.refusal = full;
    queue.add('record', statement('last words'));
    await expect.poll(() => disk.attempts).toBeGreaterThan(0);
    await queue.close();
    expect(stored).toEqual([]);
    expect(logged.at(-1)).toMatchObject({ level: 50, lost: 1 });
  });
});

it('a write that can never work takes no other with it', async () => {
  const { queue, stored, disk } = queueOver();
  disk.refusal = (texts) =>
    texts.includes('of a deleted session')
      ? new SqliteError('FOREIGN KEY constraint failed', 'SQLITE_CONSTRAINT_FOREIGNKEY')
      : null;
  for (const text of ['before', 'of a deleted session', 'after']) queue.add('record', statement(text));
  await queue.flush();
  expect(stored).toEqual(['before', 'after']);
});
