/**
 * Lets conversations finish before the service is stopped: asks it to take no further session, and waits until none is
 * live. Kubernetes runs this before it stops a pod (preStop).
 *
 *   node scripts/drain.ts PID SECONDS     exits after so many seconds in any case; PORT is that of the service
 */
import { setTimeout as pause } from 'node:timers/promises';
import { untilIdle } from './service/until-idle.ts';

const ASK_EVERY_MS = 1_000;
const ANSWER_TIMEOUT_MS = 5_000;

const [pid, longestSeconds] = process.argv.slice(2).map(Number);
if (!(pid! > 0 && longestSeconds! > 0)) {
  console.error('node scripts/drain.ts PID SECONDS');
  process.exit(2);
}
process.kill(pid!, 'SIGUSR2');
setTimeout(() => process.exit(0), longestSeconds! * 1000).unref();

const url = `http://127.0.0.1:${process.env['PORT'] || '8080'}/readyz`;

// By then it has heard the signal.
await pause(ASK_EVERY_MS);
await untilIdle({
  // With 503, too, the answer says how many sessions are live.
  async ask() {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return answer.json();
  },
  pause: () => pause(ASK_EVERY_MS),
});
