import type { Logger } from '../../../runtime/log.ts';
import { HttpError } from '../../errors/http-error.ts';
import { sessionErrors } from '../../errors/session-errors.ts';

/** Refusals about the persona's settings, or about the rights of its organization. */
const OF_THE_OWNER: ReadonlySet<number> = new Set([400, 403]);

/**
 * Problems of a persona concern its owner: the log has them. Visitors, who have no key, are only told that the persona
 * is not available.
 */
export async function unlessUnavailable<T>(
  log: Pick<Logger, 'warn'>,
  personaId: string | null,
  checking: Promise<T>,
): Promise<T> {
  try {
    return await checking;
  } catch (error) {
    if (!(error instanceof HttpError) || !OF_THE_OWNER.has(error.status)) throw error;
    log.warn({ personaId, problem: error.message }, 'visitors cannot talk to a persona');
    throw new HttpError(sessionErrors.personaUnavailable);
  }
}
