import type { Timers } from '../../../runtime/clock.ts';
import type { MediaConnection } from '../../ports.ts';

/** Clients check a path that works every 2.5 s. One that does not is gone, and comes with an offer anyway. */
const REFUSED_WITHIN_MS = 3_000;
/**
 * A round trip of a slow network, after libwebrtc has given the path up (85 ms). Clients with libjuice hear
 * nothing after a refusal, and wait for so long in vain: with 900 ms they missed 1.1 s.
 */
const REACHED_WITHIN_MS = 300;
/** The public client waits 2 s. All three together fit into the 7 s that a stop has for this (`service/parts/migration.ts`). */
const RETURNS_WITHIN_MS = 3_000;

/**
 * Tells the client that it has to make a new offer, and lets it hear and see all until it does. Resolves when nothing is
 * gained by waiting longer: it comes back, does not hear us any more, or takes no notice.
 * @param told called when it has been told. @param returned resolves when it comes back.
 */
export async function redirectClient(
  connection: Pick<MediaConnection, 'revokeConsent'>,
  timers: Timers,
  { told, returned }: { told: () => void; returned: Promise<unknown> },
): Promise<void> {
  const refused = Promise.withResolvers<void>();
  const reached = Promise.withResolvers<void>();
  connection.revokeConsent({ refused: refused.resolve, reached: reached.resolve });
  /** @returns whether the event came in time. */
  const comes = async (event: Promise<void>, ms: number): Promise<boolean> => {
    const late = Promise.withResolvers<void>();
    const timer = timers.setTimeout(() => late.resolve(), ms);
    const end = Promise.race([returned, late.promise]).then(() => false);
    return await Promise.race([event.then(() => true), end]).finally(() => timers.clearTimeout(timer));
  };
  if (!(await comes(refused.promise, REFUSED_WITHIN_MS))) return;
  told();
  if (await comes(reached.promise, REACHED_WITHIN_MS)) await comes(new Promise(() => {}), RETURNS_WITHIN_MS);
}
