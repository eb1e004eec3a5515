import type { Logger } from '../../engine/log.ts';
import { HttpError } from '../errors.ts';
import { sessionErrors } from './session-errors.ts';

/** Refusals that speak of the persona's settings, or of what its organization may do. */
const OF_THE_OWNER: ReadonlySet<number> = new Set([400, 403]);

/**
 * What is wrong with a persona is its owner's affair: the log says it. Visitors, who have no key, hear only that the
 * persona cannot be talked to.
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
