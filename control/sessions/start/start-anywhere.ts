import type { FastifyRequest } from 'fastify';
import { type NodeAnswer, NodeUnreachable } from '../../cluster/node-client.ts';
import type { Reservation } from '../../placement/placement.ts';
import { HttpError } from '../../errors/http-error.ts';
import { requestsOf } from './version-share.ts';
import { checkSession } from './check-session.ts';
import { forwardedClient } from './forward-request.ts';
import type { SessionRequest } from './persona-config.ts';
import { PlaceRefused } from '../../placement/place-refused.ts';
import { sessionErrors } from '../../errors/session-errors.ts';
import {
  personaIdOf,
  type SessionStarter,
  type StartSessionParts,
  startSession,
  placementRequest,
} from './start-session.ts';
import { unlessUnavailable } from './visitor-errors.ts';
import type { PublicUrlParts } from '../../http/public-url.ts';

/** What is taken of the service here. */
export type StartAnywhereParts = StartSessionParts & PublicUrlParts;

export type Started =
  | { readonly kind: 'here'; readonly session: Awaited<ReturnType<typeof startSession>> }
  | { readonly kind: 'elsewhere'; readonly answer: NodeAnswer };

/** With it a node says that its engine took no session, so that another one is asked. */
export const REFUSED_HEADER = 'x-parley-place';
/** What is known of an engine is at most some milliseconds old, so the next one takes the session, or has its face. */
const MAX_ENGINES = 3;

/**
 * Starts a session on the engine that has most room. If that is another node's, that node gets the whole request: it does
 * all that this one would do, counts of organizations and tokens included.
 * @throws HttpError as `startSession` does.
 */
export async function startAnywhere(
  control: StartAnywhereParts,
  request: FastifyRequest,
  starter: SessionStarter,
  wanted: SessionRequest,
): Promise<Started> {
  const { cluster } = control;
  if (cluster === null) return { kind: 'here', session: await startSession(control, starter, wanted) };
  const kept = request.forwarded?.reservation;
  if (kept !== undefined) {
    const session = await startHere(control, starter, wanted, kept).catch((error: unknown) => {
      throw error instanceof PlaceRefused ? error.with({ [REFUSED_HEADER]: 'refused' }) : error;
    });
    return { kind: 'here', session };
  }
  // What is wrong with a request is said even when every place is taken, and costs none.
  const checking = checkSession(control, starter.caller, requestsOf(wanted)[0]!);
  await (starter.visitor === null ? checking : unlessUnavailable(control.log, personaIdOf(wanted), checking));
  const client = forwardedClient(control, request);
  const unwanted: string[] = [];
  let refusal: PlaceRefused | NodeAnswer | null = null;
  while (unwanted.length < MAX_ENGINES) {
    const reservation = await cluster.placement
      .reserve(placementRequest(wanted.sessionOptions), unwanted)
      .catch((error: unknown) => {
        // Those that were asked say better why.
        if (refusal === null) throw error;
        return null;
      });
    if (reservation === null) break;
    unwanted.push(reservation.engineId);
    try {
      if (reservation.engineId === cluster.lease?.engineId)
        return { kind: 'here', session: await startHere(control, starter, wanted, reservation) };
      const answer = await cluster.forward(request, client, reservation, reservation);
      if (answer.headers[REFUSED_HEADER] === undefined) return { kind: 'elsewhere', answer };
      refusal = answer;
    } catch (error) {
      if (error instanceof NodeUnreachable)
        control.log.warn({ engineId: reservation.engineId, problem: error.message }, 'an engine is not reached');
      else if (error instanceof PlaceRefused) refusal = error;
      else throw error;
    }
  }
  if (refusal === null) throw new HttpError(sessionErrors.noEngines);
  if (refusal instanceof PlaceRefused) throw refusal;
  return { kind: 'elsewhere', answer: refusal };
}

async function startHere(
  control: StartSessionParts,
  starter: SessionStarter,
  wanted: SessionRequest,
  reservation: Pick<Reservation, 'id' | 'fence'>,
): ReturnType<typeof startSession> {
  if (control.cluster?.lease == null) throw new PlaceRefused();
  const place = await control.cluster.lease.take(reservation);
  try {
    return await startSession(control, starter, wanted, place);
  } catch (error) {
    place.giveBack();
    throw error;
  }
}
