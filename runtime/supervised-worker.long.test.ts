import { afterEach, describe, expect, it, vi } from 'vitest';
import { inProcess } from './in-process.ts';
import { inThread } from './in-thread.ts';
import { SupervisedWorker, type SupervisedWorkerOptions } from './supervised-worker.ts';
import type { FromMisbehavingWorker, Misbehavior, ToMisbehavingWorker } from './testing/misbehaving-worker.ts';

type Options = SupervisedWorkerOptions<ToMisbehavingWorker, FromMisbehavingWorker>;

const entry = new URL('testing/misbehaving-worker.ts', import.meta.url);
const kinds: [kind: string, launch: (behavior: Misbehavior) => Options['launch']][] = [
  ['thread', (behavior) => inThread(entry, { name: 'misbehaving', workerData: behavior })],
  ['process', (behavior) => inProcess(entry, [behavior])],
];

const opened: { stop(): Promise<void> }[] = [];
afterEach(() => Promise.all(opened.splice(0).map((worker) => worker.stop())));

describe.each(kinds)('a %s', (kind, launch) => {
  function open(behavior: Misbehavior = 'eager', options: Partial<Options> = {}) {
    const ended = vi.fn<NonNullable<Options['ended']>>();
    const worker = new SupervisedWorker<ToMisbehavingWorker, FromMisbehavingWorker>({
      name: 'The worker',
      start: 'at once',
      launch: launch(behavior),
      ready: ({ type }) => type === 'ready',
      message(message) {
        if (message.type === 'reply') requests.resolve(message.id, message.bytes);
        if (message.type === 'item') requests.item(message.id, message.value);
      },
      ended,
      ...options,
    });
    const requests = worker.requests<Uint8Array, number>();
    opened.push(worker);
    const echo = (bytes: Uint8Array<ArrayBuffer>) =>
      requests.ask((id) => ({ type: 'echo', id, bytes }), { transfer: kind === 'thread' ? [bytes.buffer] : [] });
    return { worker, requests, ended, echo };
  }

  it('is ready, answers, and streams items before a reply', async () => {
    const { worker, requests, echo } = open();
    await worker.ready();
    const bytes = Uint8Array.of(1, 2, 3);
    const answer = echo(bytes);
    // A thread is given the memory itself.
    expect(bytes.length).toBe(kind === 'thread' ? 0 : 3);
    expect([...(await answer)]).toEqual([1, 2, 3]);
    const items: number[] = [];
    await requests.ask((id) => ({ type: 'count', id, value: 3 }), { item: (value) => items.push(value) });
    expect(items).toEqual([1, 2, 3]);
  });

  it('that throws fails what was asked, and the next one answers', async () => {
    const { worker, requests, ended, echo } = open();
    const ignored = requests.ask((id) => ({ type: 'ignore', id }));
    ignored.catch(() => {});
    await expect(requests.ask((id) => ({ type: 'throw', id }))).rejects.toMatchObject({
      name: 'WorkerError',
      reason: 'ended',
      message: expect.stringContaining('misbehaved'),
    });
    await expect(ignored).rejects.toMatchObject({ reason: 'ended' });
    expect(ended.mock.calls[0]![1]).toEqual({ next: 'restarts', restMs: 0 });
    await worker.ready();
    expect([...(await echo(Uint8Array.of(7)))]).toEqual([7]);
  });

  it('that is killed in mid-request fails it, and the next one answers', async () => {
    const { worker, requests, echo } = open();
    await worker.ready();
    const blocked = requests.ask((id) => ({ type: 'block', id }));
    worker.kill();
    await expect(blocked).rejects.toMatchObject({ reason: 'ended' });
    await worker.ready();
    expect([...(await echo(Uint8Array.of(8)))]).toEqual([8]);
  });

  it('that is never ready is killed', async () => {
    const { worker, ended } = open('shy', { readyWithinMs: 50, unreadyIsFinal: true });
    await expect(worker.ready()).rejects.toMatchObject({ reason: 'not ready' });
    expect(ended.mock.calls.map(([, after]) => after.next)).toEqual(['gave up']);
  });

  it('stops by itself when it is asked to', async () => {
    const { worker, ended } = open('eager', { stop: { message: { type: 'stop' }, withinMs: 600_000 } });
    await worker.ready();
    await worker.stop();
    expect(ended.mock.calls.map(([end, after]) => [end.how, after.next])).toEqual([['exit 0', 'stopped']]);
  });

  it.each(['stubborn', 'busy', 'starting'] as const)('that is %s is killed when it shall stop', async (state) => {
    const { worker, requests, ended } = open(state === 'stubborn' ? 'stubborn' : 'eager', {
      stop: state === 'starting' ? undefined : { message: { type: 'stop' }, withinMs: 50 },
    });
    if (state !== 'starting') await worker.ready();
    const asked = state === 'busy' ? requests.ask((id) => ({ type: 'block', id })) : null;
    const failed = asked === null ? null : expect(asked).rejects.toMatchObject({ reason: 'stopped' });
    await worker.stop();
    await failed;
    expect(ended).toHaveBeenCalledTimes(1);
    await expect(worker.ready()).rejects.toMatchObject({ reason: 'stopped' });
  });
});

describe('a process', () => {
  it('that floods its outputs fills no memory, and its last exception is known', async () => {
    const worker = new SupervisedWorker<ToMisbehavingWorker, FromMisbehavingWorker>({
      name: 'The process',
      start: 'at once',
      launch: inProcess(entry, ['eager']),
    });
    opened.push(worker);
    const requests = worker.requests<Uint8Array>();
    const before = process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed;
    const flooded = requests.ask((id) => ({ type: 'flood', id, megabytes: 300 }));
    await expect(flooded).rejects.toMatchObject({ message: 'The process ended (exit 1: Error: flooded).' });
    const megabytes = (process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed - before) / 1024 / 1024;
    expect(megabytes).toBeLessThan(200);
  });
});
