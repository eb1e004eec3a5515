import { z } from 'zod';

const readiness = z.object({ activeSessions: z.number() });

/** After so many questions in a row without an answer, the service is gone, and its sessions with it. */
const MOST_FAILURES = 3;

/**
 * Resolves when no session is live any more, or when the service does not answer.
 * @param ask asks `/readyz`. @param pause until the next question.
 */
export async function untilIdle({
  ask,
  pause,
}: {
  ask: () => Promise<unknown>;
  pause: () => Promise<unknown>;
}): Promise<void> {
  for (let failures = 0; failures < MOST_FAILURES; await pause()) {
    try {
      if (readiness.parse(await ask()).activeSessions === 0) return;
      failures = 0;
    } catch {
      failures += 1;
    }
  }
}
