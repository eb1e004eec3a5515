import { parentPort, workerData } from 'node:worker_threads';

/** What a test asks of the worker. */
export type ToMisbehavingWorker =
  | { readonly type: 'echo'; readonly id: number; readonly bytes: Uint8Array }
  /** Counts up to `value`, one item for each number, then answers. */
  | { readonly type: 'count'; readonly id: number; readonly value: number }
  | { readonly type: 'throw' | 'block' | 'ignore'; readonly id: number }
  /** Writes this many MB to both outputs, then throws. */
  | { readonly type: 'flood'; readonly id: number; readonly megabytes: number }
  | { readonly type: 'stop' };

export type FromMisbehavingWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'item'; readonly id: number; readonly value: number }
  | { readonly type: 'reply'; readonly id: number; readonly bytes: Uint8Array };

/** `eager` is ready at once, `shy` is never ready, `stubborn` does not stop on request. */
export type Misbehavior = 'eager' | 'shy' | 'stubborn';

const behavior = (parentPort === null ? process.argv[2] : workerData) as Misbehavior;

function send(message: FromMisbehavingWorker): void {
  if (parentPort === null) process.send?.(message);
  else if (message.type === 'reply') parentPort.postMessage(message, [message.bytes.buffer as ArrayBuffer]);
  else parentPort.postMessage(message);
}

function block(): never {
  for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000);
}

function flood(megabytes: number): void {
  const megabyte = 'x'.repeat(1024 * 1024);
  for (let written = 0; written < megabytes; written += 1) {
    process.stdout.write(megabyte);
    process.stderr.write(megabyte);
  }
  process.stderr.write('\n', () => {
    throw new Error('flooded');
  });
}

function receive(message: ToMisbehavingWorker): void {
  switch (message.type) {
    case 'echo':
      return send({ type: 'reply', id: message.id, bytes: message.bytes });
    case 'count':
      for (let value = 1; value <= message.value; value += 1) send({ type: 'item', id: message.id, value });
      return send({ type: 'reply', id: message.id, bytes: new Uint8Array() });
    case 'throw':
      throw Object.assign(new Error('misbehaved'), { code: 'MISBEHAVED' });
    case 'block':
      return block();
    case 'flood':
      return flood(message.megabytes);
    case 'ignore':
      return;
    case 'stop':
      if (behavior === 'stubborn') return;
      if (parentPort === null) process.disconnect?.();
      else parentPort.close();
  }
}

if (parentPort === null) {
  process.on('message', receive);
  process.on('disconnect', () => process.exit(0));
} else parentPort.on('message', receive);
if (behavior !== 'shy') send({ type: 'ready' });
