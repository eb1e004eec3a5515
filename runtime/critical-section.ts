import { getEnvironmentData, isMainThread, setEnvironmentData, Worker, type WorkerOptions } from 'node:worker_threads';
import { engineNow } from './clock.ts';

/**
 * FFmpeg's binding aborts the whole process if its thread is terminated inside one of its calls, also by
 * `process.exit`: it then tries to throw an exception when that is no longer possible (“napi_throw in
 * receivePacketSync”). On a busy machine, a thread of low priority is inside such a call for seconds. Most bindings do
 * the same while they are loaded, which takes some tenths of a second at the beginning of a thread. So the thread and
 * its owner share two counters: the owner does not terminate the thread inside such a call or before its modules are
 * loaded, and the thread begins no further call once its owner wants to end it.
 */

const [CALLS, END] = [0, 1];
const [KEY, ENTRY] = ['parley.critical-section', 'parley.entry'];
/** The first module of each thread. */
const THREAD_ENTRY = new URL('thread-entry.ts', import.meta.url);
/**
 * After this time, ms, a hanging call or module is terminated, although that may abort the process. None takes a tenth
 * of it.
 */
const END_WITHIN_MS = 30_000;
/** Longest wait at the end of the process, ms. Otherwise a hanging call would block the exit for good. */
const EXIT_WITHIN_MS = 5_000;

const own = isMainThread ? null : ((getEnvironmentData(KEY) as unknown as Int32Array | undefined) ?? null);

/** Runs native calls. The thread is not terminated meanwhile. @param run synchronous and short; may be nested. */
export function inCriticalSection<T>(run: () => T): T {
  if (own === null) return run();
  const isWithin = Atomics.add(own, CALLS, 1) > 0;
  if (!isWithin && Atomics.load(own, END) === 1) {
    leave(own);
    // Its owner is about to terminate it: wait for that.
    Atomics.wait(own, END, 1);
  }
  try {
    return run();
  } finally {
    leave(own);
  }
}

/** Called in a thread: loads its module with all imports. @throws what the module throws */
export async function loadEntry(): Promise<void> {
  try {
    await import(getEnvironmentData(ENTRY) as string);
  } finally {
    if (own !== null) leave(own);
  }
}

function leave(state: Int32Array): void {
  Atomics.sub(state, CALLS, 1);
  Atomics.notify(state, CALLS);
}

/** Running threads, each with the counters that it shares with this one. */
const living = new Map<Worker, Int32Array>();

/** @returns a thread that runs a module, which may use `inCriticalSection`. */
export function startThread(entry: URL, options: WorkerOptions): Worker {
  const state = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  // Until `loadEntry` is over.
  state[CALLS] = 1;
  if (living.size === 0) process.on('exit', endAll);
  setEnvironmentData(KEY, state as never);
  setEnvironmentData(ENTRY, entry.href);
  try {
    const worker = new Worker(THREAD_ENTRY, options);
    living.set(worker, state);
    worker.once('exit', () => {
      living.delete(worker);
      if (living.size === 0) process.off('exit', endAll);
    });
    return worker;
  } finally {
    setEnvironmentData(KEY, undefined as never);
  }
}

/** Terminates a thread as soon as it is loaded and outside of a critical section. */
export function endThread(worker: Worker, until = engineNow() + END_WITHIN_MS): void {
  const state = living.get(worker);
  if (state === undefined) return;
  Atomics.store(state, END, 1);
  const calls = Atomics.load(state, CALLS);
  const leftMs = until - engineNow();
  if (calls === 0 || leftMs <= 0) return void worker.terminate();
  const wait = Atomics.waitAsync(state, CALLS, calls, leftMs);
  if (wait.async) void wait.value.then(() => endThread(worker, until));
  else endThread(worker, until);
}

function endAll(): void {
  const until = engineNow() + EXIT_WITHIN_MS;
  for (const state of living.values()) Atomics.store(state, END, 1);
  for (const state of living.values())
    for (let calls = Atomics.load(state, CALLS); calls > 0; calls = Atomics.load(state, CALLS)) {
      const left = until - engineNow();
      if (left <= 0) return;
      Atomics.wait(state, CALLS, calls, left);
    }
}
