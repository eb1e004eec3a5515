import koffi from 'koffi';

/** Of the C library: ends the process and everything in it at once. */
const exit = koffi.load(null).func('void _exit(int status)');

/**
 * Ends the process without cleanup. `process.exit` terminates worker threads first. A thread that is inside a native
 * encoder then throws where nothing can catch it, so the process would crash and dump a core file. The WebRTC library's
 * own cleanup can crash too.
 */
export function exitImmediately(status: number): never {
  exit(status);
  throw new Error('unreachable');
}
