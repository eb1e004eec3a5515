import pino from 'pino';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemTimers } from '../../runtime/clock.ts';
import { hasRedis, type PrivateRedis, startPrivateRedis } from '../testing/private-redis.ts';
import { BullMqJobQueue } from './bullmq-job-queue.ts';
import { EmbeddedJobQueue } from './embedded-job-queue.ts';
import type { JobQueue, Outcome } from './job-queue.ts';

const log = pino({ level: 'silent' });
const lengths = (more: object = {}) => ({ waiting: 0, active: 0, delayed: 0, failed: 0, ...more });

/** A handler whose jobs end when the test says so. */
function heldJobs() {
  const held: { id: string; end(outcome?: Outcome): void; fail(error: Error): void }[] = [];
  return {
    held,
    ids: () => held.map(({ id }) => id),
    handler: (id: string) =>
      new Promise<Outcome>((resolve, reject) => held.push({ id, end: (outcome) => resolve(outcome), fail: reject })),
  };
}

/** What the rest of the service relies on, whatever hands out the jobs. */
function handsOutJobs(open: () => Promise<JobQueue>): void {
  const opened = async (): Promise<JobQueue> => {
    const queue = await open();
    onTestFinished(() => queue.close());
    return queue;
  };
  const of = async (queue: JobQueue) => (await queue.lengths())?.get('document');

  it('hands out a job at once, and then knows nothing more of it', async () => {
    const queue = await opened();
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, handler);
    await queue.add('document', 'a');
    await expect.poll(ids).toEqual(['a']);
    expect(await of(queue)).toEqual(lengths({ active: 1 }));
    held[0]!.end();
    await expect.poll(() => of(queue)).toEqual(lengths());
    await queue.add('document', 'a');
    await expect.poll(ids).toEqual(['a', 'a']);
    held[1]!.end();
  });

  it('knows a job that is added again, while it waits and while it is worked on', async () => {
    const queue = await opened();
    for (const id of ['a', 'b', 'a', 'b']) await queue.add('document', id);
    expect(await of(queue)).toEqual(lengths({ waiting: 2 }));
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, handler);
    await expect.poll(ids).toEqual(['a']);
    await queue.add('document', 'a');
    held[0]!.end();
    await expect.poll(ids).toEqual(['a', 'b']);
    held[1]!.end();
    await expect.poll(() => of(queue)).toEqual(lengths());
    expect(ids()).toEqual(['a', 'b']);
  });

  it('hands out as many as may be worked on at a time, each name for itself', async () => {
    const queue = await opened();
    const [documents, videos] = [heldJobs(), heldJobs()];
    queue.process('document', 2, documents.handler);
    queue.process('video', 1, videos.handler);
    for (const id of ['a', 'b', 'c']) await queue.add('document', id);
    await queue.add('video', 'a');
    await expect.poll(() => documents.ids().toSorted()).toEqual(['a', 'b']);
    await expect.poll(videos.ids).toEqual(['a']);
    expect(await of(queue)).toEqual(lengths({ active: 2, waiting: 1 }));
    documents.held[0]!.end();
    await expect.poll(() => documents.ids().toSorted()).toEqual(['a', 'b', 'c']);
    for (const job of [...documents.held, ...videos.held]) job.end();
  });

  it('keeps a delayed job until its time, which may change', async () => {
    const queue = await opened();
    const { held, ids, handler } = heldJobs();
    queue.process('document', 2, handler);
    await queue.add('document', 'later', 3_600_000);
    await queue.add('document', 'sooner', 3_600_000);
    await queue.add('document', 'soon', 50);
    expect((await of(queue))!.delayed).toBeGreaterThanOrEqual(2);
    await expect.poll(ids).toEqual(['soon']);
    held[0]!.end();
    await queue.add('document', 'sooner');
    await expect.poll(ids).toEqual(['soon', 'sooner']);
    held[1]!.end();
    await queue.add('document', 'later', 50);
    await expect.poll(ids).toEqual(['soon', 'sooner', 'later']);
    held[2]!.end();
  });

  it('hands out again what came too early, and what failed', async () => {
    const queue = await opened();
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, handler);
    await queue.add('document', 'a');
    await expect.poll(ids).toEqual(['a']);
    held[0]!.end({ againInMs: 3_600_000 });
    await expect.poll(() => of(queue)).toEqual(lengths({ delayed: 1 }));
    await queue.add('document', 'a');
    await expect.poll(ids).toEqual(['a', 'a']);
    held[1]!.fail(new Error('The database is away.'));
    // After the first pause, or because its row was seen to wait.
    await expect.poll(ids).toEqual(['a', 'a', 'a']);
    held[2]!.end({ againInMs: 0 });
    await expect.poll(ids).toHaveLength(4);
    held[3]!.end();
    await expect.poll(() => of(queue)).toEqual(lengths());
  });

  it('gives up a job that fails again and again, and goes on with the others', async () => {
    const queue = await opened();
    let tries = 0;
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, async (id) => {
      if (id !== 'bad') return handler(id);
      tries += 1;
      throw new Error('This never works.');
    });
    await queue.add('document', 'bad');
    for (let i = 1; i < 5; i += 1) {
      await expect.poll(() => of(queue)).toEqual(lengths({ delayed: 1 }));
      // Without the pause.
      await queue.add('document', 'bad');
      await expect.poll(() => tries).toBeGreaterThan(i);
    }
    await queue.add('document', 'good');
    await expect.poll(ids).toEqual(['good']);
    held[0]!.end();
    await expect.poll(() => of(queue)).toEqual(lengths({ failed: 1 }));
    // It rests, so that somebody sees it.
    await queue.add('document', 'bad');
    expect(await of(queue)).toEqual(lengths({ failed: 1 }));
  });

  it('forgets a job that is removed', async () => {
    const queue = await opened();
    await queue.add('document', 'a');
    await queue.add('document', 'b', 3_600_000);
    await queue.remove('document', 'a');
    await queue.remove('document', 'b');
    await queue.remove('document', 'unknown');
    expect(await of(queue)).toEqual(lengths());
  });

  it('waits for its handlers when it closes, and takes nothing more', async () => {
    const queue = await open();
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, handler);
    for (const id of ['a', 'b']) await queue.add('document', id);
    await expect.poll(ids).toEqual(['a']);
    let closed = false;
    const closing = queue.close().then(() => (closed = true));
    await new Promise(setImmediate);
    expect(closed).toBe(false);
    held[0]!.end();
    await closing;
    expect(ids()).toEqual(['a']);
  });
}

describe('the embedded queue', () => {
  handsOutJobs(async () => new EmbeddedJobQueue({ timers: systemTimers, log }));
});

describe.skipIf(!hasRedis())('the queue in Redis', () => {
  let redis: PrivateRedis;
  beforeAll(async () => {
    redis = await startPrivateRedis();
  });
  afterAll(() => redis.stop());
  const open = (lockMs?: number) =>
    BullMqJobQueue.open({ url: redis.url, log, ...(lockMs !== undefined && { lockMs }) });

  describe('of one process', () => {
    handsOutJobs(async () => {
      await redis.restart();
      return open();
    });
  });

  it('gives each job to one of the processes that are free', async () => {
    await redis.restart();
    const [one, other] = await Promise.all([open(), open()]);
    const [first, second] = [heldJobs(), heldJobs()];
    one.process('document', 1, first.handler);
    other.process('document', 1, second.handler);
    for (const id of ['a', 'b', 'c']) await one.add('document', id);
    await expect.poll(() => [...first.ids(), ...second.ids()].toSorted()).toEqual(['a', 'b']);
    first.held[0]!.end();
    await expect.poll(() => first.ids().at(-1)).toBe('c');
    expect([...first.ids(), ...second.ids()].toSorted()).toEqual(['a', 'b', 'c']);
    for (const job of [...first.held, ...second.held]) job.end();
    await Promise.all([one.close(), other.close()]);
  });

  it('comes back by itself when Redis comes back empty, and takes what is added again', async () => {
    const queue = await open();
    const { held, ids, handler } = heldJobs();
    queue.process('document', 1, handler);
    for (const id of ['a', 'b']) await queue.add('document', id);
    await expect.poll(ids).toEqual(['a']);
    await redis.kill();
    await queue.add('document', 'c');
    expect(await queue.lengths()).toBeNull();
    await redis.restart();
    // What is worked on goes on, although Redis knows nothing of it any more.
    held[0]!.end();
    await expect
      .poll(async () => {
        for (const id of ['b', 'c']) await queue.add('document', id);
        return ids();
      })
      .toEqual(['a', 'b']);
    held[1]!.end();
    await expect.poll(ids).toEqual(['a', 'b', 'c']);
    held[2]!.end();
    await queue.close();
  });

  it('closes while Redis is away', async () => {
    const queue = await open();
    queue.process('document', 1, async () => {});
    await redis.kill();
    await queue.close();
    await redis.restart();
  });
});
