import { describe, expect, it } from 'vitest';
import { createWorkQueue, type Task } from './work-queue.ts';

/** Writes its name into `log` with each step. */
function task(name: string, log: string[], steps: number, urgency: (done: number) => number): Task {
  let done = 0;
  async function* work(): AsyncGenerator<void, void> {
    try {
      while (done < steps) {
        log.push(name);
        done++;
        yield;
      }
    } finally {
      log.push(`${name} over`);
    }
  }
  return { urgency: () => urgency(done), steps: work(), failed: (error) => log.push(`${name}: ${String(error)}`) };
}

describe('a queue of work', () => {
  it('does the most urgent next, also when it comes in the middle of something else', async () => {
    const log: string[] = [];
    const queue = createWorkQueue();
    const slow = task('slow', log, 4, (done) => {
      if (done === 1 && !log.includes('urgent')) queue.add(task('urgent', log, 2, () => 0));
      return 5;
    });
    queue.add(slow);
    await expect.poll(() => log).toContain('slow over');
    expect(log.slice(0, 5)).toEqual(['slow', 'urgent', 'urgent', 'urgent over', 'slow']);
  });

  it('lets tasks take turns whose urgency falls with what is done', async () => {
    const log: string[] = [];
    const queue = createWorkQueue();
    for (const name of ['a', 'b']) queue.add(task(name, log, 3, (done) => done / 3));
    await expect.poll(() => log.filter((line) => line.endsWith('over'))).toHaveLength(2);
    expect(log.slice(0, 6)).toEqual(['a', 'b', 'a', 'b', 'a', 'b']);
  });

  it('goes on with the others when one fails', async () => {
    const log: string[] = [];
    const queue = createWorkQueue();
    // eslint-disable-next-line require-yield
    async function* broken(): AsyncGenerator<void, void> {
      throw new Error('torn');
    }
    queue.add({ urgency: () => 0, steps: broken(), failed: (error) => log.push(String(error)) });
    queue.add(task('other', log, 1, () => 1));
    await expect.poll(() => log).toEqual(['Error: torn', 'other', 'other over']);
    queue.add(task('later', log, 1, () => 1));
    await expect.poll(() => log).toContain('later over');
  });

  it('lets what is taken back clean up, and does no more of it', async () => {
    const log: string[] = [];
    const queue = createWorkQueue();
    const endless = task('endless', log, Infinity, () => 1);
    queue.add(endless);
    await expect.poll(() => log).toContain('endless');
    queue.takeBack(endless);
    await expect.poll(() => log).toContain('endless over');
    const steps = log.length;
    queue.add(task('other', log, 1, () => 1));
    await expect.poll(() => log).toContain('other over');
    expect(log).toHaveLength(steps + 2);
  });
});
