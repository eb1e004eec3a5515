import koffi from 'koffi';

/** Of the C library: ends the process and everything in it at once. */
const exitAtOnce = koffi.load(null).func('void _exit(int status)');

/**
 * Ends the process without tidying up. `process.exit` ends worker threads first, and one that is inside a native
 * encoder then throws where nothing can catch it: the process would leave with a crash and a core file. The WebRTC
 * library's own cleanup can crash too.
 */
export function leave(status: number): never {
  exitAtOnce(status);
  throw new Error('unreachable');
}
