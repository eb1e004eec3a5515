/**
 * Lets conversations finish before the service is stopped: asks it to take no further session, and waits until none is
 * live. Kubernetes runs this before it stops a pod (preStop).
 *
 *   node scripts/drain.ts PID SECONDS     waits for so many seconds at most
 *
 * Exit status: 0 no session is live, or the process has ended; 1 sessions may still be live, or
 * there is no such process; 2 wrong arguments. The address
 * of the service is in the environment of PID, or else in PORT and PARLEY_HOST of this one.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { localAddressOf } from '../service/process/local-address.ts';
import { waitUntilIdle, type IdleOutcome } from '../service/parts/wait-until-idle.ts';

const ASK_EVERY_MS = 1_000;
const ANSWER_TIMEOUT_MS = 5_000;

const [pid = Number.NaN, longestSeconds = Number.NaN] = process.argv.slice(2).map(Number);
if (!(Number.isInteger(pid) && pid > 0 && longestSeconds > 0)) {
  console.error('node scripts/drain.ts PID SECONDS');
  process.exit(2);
}
try {
  process.kill(pid, 'SIGUSR2');
} catch (error) {
  const isGone = (error as NodeJS.ErrnoException).code === 'ESRCH';
  console.error(
    isGone ? `There is no process ${pid}.` : `Process ${pid} is another user's: run this as that user or as root.`,
  );
  process.exit(1);
}

const url = `${localAddressOf(pid, process.env)}/readyz`;
const late = performance.now() + longestSeconds * 1000;

// By then it has heard the signal.
await pause(ASK_EVERY_MS);
const { end, activeSessions } = await waitUntilIdle({
  // With 503, too, the answer says how many sessions are live.
  async ask() {
    const answer = await fetch(url, { signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS) });
    return answer.json();
  },
  pause: () => pause(ASK_EVERY_MS),
  isAlive: () => isAlive(pid),
  isLate: () => performance.now() >= late,
});
const PROBLEMS: Readonly<Record<IdleOutcome['end'], string | null>> = {
  idle: null,
  gone: null,
  unreachable: `Process ${pid} runs, and does not answer at ${url}. Set PORT and PARLEY_HOST as for the service.`,
  'not draining': `The service at ${url} takes sessions: process ${pid} is another one. Set PORT and PARLEY_HOST as for the service.`,
  late: `${activeSessions} sessions are still live after ${longestSeconds} s.`,
};
const problem = PROBLEMS[end];
if (problem !== null) {
  console.error(problem);
  process.exitCode = 1;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
