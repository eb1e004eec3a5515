import { SimulatedClock } from 'xstate';
import { describe, expect, it, vi } from 'vitest';
import type { LinkHandlers } from './link.ts';
import { SupervisedWorker, type SupervisedWorkerOptions } from './supervised-worker.ts';

type Message = { readonly id: number } | 'stop' | 'ready';

/** One start of the worker. It does what the test makes it do. */
interface Start extends LinkHandlers<Message> {
  readonly got: Message[];
  killed: boolean;
}

function supervise(options: Partial<SupervisedWorkerOptions<Message, Message>> = {}) {
  const clock = new SimulatedClock();
  const starts: Start[] = [];
  const restarted = vi.fn<() => void>();
  const gaveUp = vi.fn<(error: Error) => void>();
  const ended = vi.fn<NonNullable<SupervisedWorkerOptions<Message, Message>['ended']>>();
  const worker = new SupervisedWorker<Message, Message>({
    name: 'The test',
    start: 'at once',
    clock,
    restarted,
    gaveUp,
    ended,
    launch(handlers) {
      const start: Start = { ...handlers, got: [], killed: false };
      starts.push(start);
      return {
        post: (message) => void start.got.push(message),
        kill() {
          if (start.killed) return;
          start.killed = true;
          queueMicrotask(() => start.ended({ how: 'SIGKILL', error: null }));
        },
      };
    },
    ...options,
  });
  const die = () => starts.at(-1)!.ended({ how: 'exit 1', error: null });
  return { worker, clock, starts, die, restarted, gaveUp, ended };
}

describe('a supervised worker', () => {
  it('is started again at once, then after pauses, and given up once', () => {
    const { worker, clock, starts, die, restarted, gaveUp, ended } = supervise();
    for (const restMs of [0, 500, 1_000, 2_000, 4_000]) {
      die();
      expect(ended.mock.lastCall?.[1]).toEqual({ next: 'restarts', restMs });
      clock.increment(restMs);
      expect(worker.running).toBe(true);
    }
    die();
    expect(starts).toHaveLength(6);
    expect(restarted).toHaveBeenCalledTimes(5);
    expect(worker.post({ id: 1 })).toBe(false);
    clock.increment(600_000);
    expect(worker.post({ id: 2 })).toBe(false);
    expect(gaveUp).toHaveBeenCalledTimes(1);
    expect(gaveUp.mock.calls[0]![0]).toMatchObject({ reason: 'gave up', message: 'The test keeps ending (exit 1).' });
  });

  it('that was given up starts again on demand, after a while', () => {
    const { worker, clock, starts, gaveUp } = supervise({ retryAfterMs: 3_000 });
    starts[0]!.ended({ how: 'exit 1', error: null });
    worker.giveUp('has no model.');
    return Promise.resolve().then(() => {
      expect(gaveUp.mock.calls[0]![0].message).toBe('The test has no model.');
      clock.increment(2_999);
      expect(worker.post({ id: 1 })).toBe(false);
      clock.increment(1);
      expect(worker.post({ id: 2 })).toBe(true);
      expect(starts.at(-1)!.got).toEqual([{ id: 2 }]);
    });
  });

  it('rests long, and goes on, where it must not be given up', () => {
    const { worker, clock, die, gaveUp } = supervise({ budget: { died: () => null }, longRestMs: 30_000 });
    for (let time = 0; time < 20; time += 1) {
      die();
      clock.increment(29_999);
      expect(worker.running).toBe(false);
      clock.increment(1);
      expect(worker.running).toBe(true);
    }
    expect(gaveUp).not.toHaveBeenCalled();
  });

  it('on demand starts with the first message, and again with the first after its end', () => {
    const { worker, starts, die, restarted } = supervise({ start: 'on demand' });
    expect(starts).toHaveLength(0);
    expect(worker.post({ id: 1 })).toBe(true);
    die();
    expect(starts).toHaveLength(1);
    expect(worker.post({ id: 2 })).toBe(true);
    expect(starts.map(({ got }) => got)).toEqual([[{ id: 1 }], [{ id: 2 }]]);
    expect(restarted).toHaveBeenCalledTimes(1);
  });

  it('that is awaited while it rests is started when it has rested', async () => {
    const { worker, clock, starts, die } = supervise({ start: 'on demand', budget: { died: () => 500 } });
    worker.start();
    die();
    const ready = worker.ready();
    clock.increment(500);
    await ready;
    expect(starts).toHaveLength(2);
  });

  it('that is never ready is killed, and those who wait are told', async () => {
    const { worker, clock, starts } = supervise({ ready: (message) => message === 'ready', readyWithinMs: 5_000 });
    const ready = expect(worker.ready()).rejects.toMatchObject({ name: 'WorkerError', reason: 'not ready' });
    clock.increment(5_000);
    await ready;
    expect(starts[0]!.killed).toBe(true);
    expect(starts).toHaveLength(2);
    const second = worker.ready();
    starts[1]!.message('ready');
    await second;
    clock.increment(5_000);
    expect(starts[1]!.killed).toBe(false);
  });

  it('that ends before it is ready is given up where the next would do no better', async () => {
    const { worker, die, gaveUp } = supervise({ ready: (message) => message === 'ready', unreadyIsFinal: true });
    die();
    expect(gaveUp).toHaveBeenCalledTimes(1);
    await expect(worker.ready()).rejects.toMatchObject({ reason: 'not ready' });
  });

  it('is asked to stop, and killed when it does not', async () => {
    const { worker, clock, starts, gaveUp } = supervise({ stop: { message: 'stop', withinMs: 2_000 } });
    let over = false;
    const stopped = worker.stop().then(() => (over = true));
    expect(starts[0]!.got).toEqual(['stop']);
    clock.increment(1_999);
    expect(starts[0]!.killed).toBe(false);
    expect(over).toBe(false);
    clock.increment(1);
    expect(starts[0]!.killed).toBe(true);
    await stopped;
    await worker.stop();
    expect(starts).toHaveLength(1);
    expect(gaveUp).not.toHaveBeenCalled();
    expect(worker.post({ id: 1 })).toBe(false);
  });

  it('stops before it is ready, and while it rests', async () => {
    const unready = supervise({ ready: (message) => message === 'ready' });
    const ready = expect(unready.worker.ready()).rejects.toMatchObject({ reason: 'stopped' });
    await unready.worker.stop();
    await ready;
    const resting = supervise({ budget: { died: () => 500 } });
    resting.die();
    const next = expect(resting.worker.ready()).rejects.toMatchObject({ reason: 'stopped' });
    await resting.worker.stop();
    await next;
    resting.clock.increment(500);
    expect(resting.starts).toHaveLength(1);
  });

  it('of which the start itself fails is tried again like one that died', async () => {
    let attempts = 0;
    const { worker, ended } = supervise({
      launch() {
        attempts += 1;
        if (attempts === 1) throw new Error('no handle left');
        return { post: () => {}, kill: () => {} };
      },
    });
    await expect.poll(() => attempts).toBe(2);
    expect(ended.mock.calls[0]![0].how).toBe('no handle left');
    expect(worker.running).toBe(true);
  });
});

describe('a request', () => {
  it('is answered by its number', async () => {
    const { worker, starts } = supervise();
    const requests = worker.requests<string>();
    const first = requests.ask((id) => ({ id }));
    const second = requests.ask((id) => ({ id }));
    expect(starts[0]!.got).toEqual([{ id: 1 }, { id: 2 }]);
    requests.resolve(2, 'two');
    requests.reject(1, new Error('not one'));
    await expect(first).rejects.toThrow('not one');
    expect(await second).toBe('two');
    expect(requests.size).toBe(0);
  });

  it('fails when its worker ends; the next one is answered', async () => {
    const { worker, die } = supervise();
    const requests = worker.requests<string>();
    const lost = requests.ask((id) => ({ id }));
    die();
    await expect(lost).rejects.toMatchObject({ name: 'WorkerError', reason: 'ended' });
    const next = requests.ask((id) => ({ id }));
    requests.resolve(2, 'here');
    expect(await next).toBe('here');
  });

  it('fails at once while the worker rests, and after it stopped', async () => {
    const { worker, die } = supervise({ budget: { died: () => 500 } });
    const requests = worker.requests<string>();
    die();
    await expect(requests.ask((id) => ({ id }))).rejects.toMatchObject({ reason: 'resting' });
    await worker.stop();
    await expect(requests.ask((id) => ({ id }))).rejects.toMatchObject({ reason: 'stopped' });
  });

  it('that is withdrawn fails with the reason of its signal; a late answer is dropped', async () => {
    const { worker } = supervise();
    const requests = worker.requests<string>();
    const abort = new AbortController();
    const asked = requests.ask((id) => ({ id }), { signal: abort.signal });
    abort.abort(new Error('no longer wanted'));
    await expect(asked).rejects.toThrow('no longer wanted');
    requests.resolve(1, 'late');
    expect(requests.size).toBe(0);
    await expect(requests.ask((id) => ({ id }), { signal: abort.signal })).rejects.toThrow('no longer wanted');
  });

  it('hands on items, and kills a worker that is silent for too long', async () => {
    const { worker, clock, starts } = supervise();
    const requests = worker.requests<string, number>();
    const items: number[] = [];
    const asked = requests.ask((id) => ({ id }), { silenceMs: 8_000, item: (value) => items.push(value) });
    clock.increment(7_000);
    requests.item(1, 10);
    clock.increment(7_999);
    expect(starts[0]!.killed).toBe(false);
    clock.increment(1);
    expect(starts[0]!.killed).toBe(true);
    await expect(asked).rejects.toMatchObject({ reason: 'ended' });
    expect(items).toEqual([10]);
  });

  it('is not killed for a request that waits, while it shows that it works', () => {
    const { worker, clock, starts } = supervise();
    const requests = worker.requests<string>();
    void requests.ask((id) => ({ id }), { silenceMs: 8_000 }).catch(() => {});
    for (let second = 0; second < 20; second += 1) {
      clock.increment(1_000);
      requests.workerIsAlive();
    }
    expect(starts[0]!.killed).toBe(false);
    clock.increment(8_000);
    expect(starts[0]!.killed).toBe(true);
  });
});
