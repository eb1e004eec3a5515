import { setTimeout as pause } from 'node:timers/promises';
import { inThread } from '../../../runtime/in-thread.ts';

/** Ends threads while they encode, and then itself with others that do. Its exit status is 0 unless it aborts. */
const THREADS = 4;

function encodingThread(): { readonly encoding: Promise<void>; end(): Promise<void> } {
  const [encoding, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const launch = inThread<never, 'encoding'>(new URL('encoding-thread.ts', import.meta.url), { name: 'encoding' });
  const link = launch({ message: () => encoding.resolve(), ended: () => ended.resolve() });
  return {
    encoding: encoding.promise,
    end() {
      link.kill();
      return ended.promise;
    },
  };
}

async function encodingThreads() {
  const threads = Array.from({ length: THREADS }, encodingThread);
  await Promise.all(threads.map(({ encoding }) => encoding));
  return threads;
}

const threads = await encodingThreads();
for (const thread of threads) {
  await pause(1);
  await thread.end();
}
await encodingThreads();
process.exit(0);
