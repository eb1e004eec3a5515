import type { FastifyRequest } from 'fastify';
import { type NodeAnswer, NodeUnreachable } from '../cluster/node-client.ts';
import type { Reservation } from '../cluster/placement.ts';
import type { Control } from '../context.ts';
import { HttpError } from '../errors.ts';
import { checkSession } from './check-session.ts';
import { clientOf } from './pass-on.ts';
import type { SessionRequest } from './persona-config.ts';
import { PlaceRefused } from './place-refused.ts';
import { sessionErrors } from './session-errors.ts';
import { personaIdOf, type SessionStarter, startSession, wishOf } from './start-session.ts';
import { unlessUnavailable } from './visitor-errors.ts';

export type Started =
  | { readonly kind: 'here'; readonly session: Awaited<ReturnType<typeof startSession>> }
  | { readonly kind: 'elsewhere'; readonly answer: NodeAnswer };

/** With it a node says that its engine took no session, so that another one is asked. */
export const REFUSED_HEADER = 'x-parley-place';
/** What is known of an engine is at most some milliseconds old, so the next one takes the session. */
const MOST_ENGINES = 3;

/**
 * Starts a session on the engine that has most room. If that is another node's, that node gets the whole request: it does
 * all that this one would do, counts of organizations and tokens included.
 * @throws HttpError as `startSession` does.
 */
export async function startAnywhere(
  control: Control,
  request: FastifyRequest,
  starter: SessionStarter,
  wanted: SessionRequest,
): Promise<Started> {
  const { cluster } = control;
  if (cluster === null) return { kind: 'here', session: await startSession(control, starter, wanted) };
  const kept = request.passedOn?.reservation;
  if (kept !== undefined) {
    const session = await startHere(control, starter, wanted, kept).catch((error: unknown) => {
      throw error instanceof PlaceRefused ? new PlaceRefused({ headers: { [REFUSED_HEADER]: 'refused' } }) : error;
    });
    return { kind: 'here', session };
  }
  // What is wrong with a request is said even when every place is taken, and costs none.
  const checking = checkSession(control, starter.caller, wanted);
  await (starter.visitor === null ? checking : unlessUnavailable(control.log, personaIdOf(wanted), checking));
  const client = clientOf(control, request);
  const unwanted: string[] = [];
  for (;;) {
    const reservation = await cluster.placement.reserve(wishOf(wanted.sessionOptions), unwanted);
    const isLast = unwanted.push(reservation.engineId) >= MOST_ENGINES;
    try {
      if (reservation.engineId === cluster.lease?.engineId)
        return { kind: 'here', session: await startHere(control, starter, wanted, reservation) };
      const answer = await cluster.pass(request, client, reservation, reservation);
      if (answer.headers[REFUSED_HEADER] === undefined || isLast) return { kind: 'elsewhere', answer };
    } catch (error) {
      if (error instanceof NodeUnreachable) {
        control.log.warn({ engineId: reservation.engineId, problem: error.message }, 'an engine is not reached');
        if (isLast) throw new HttpError(sessionErrors.noEngines);
      } else if (!(error instanceof PlaceRefused) || isLast) throw error;
    }
  }
}

async function startHere(
  control: Control,
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
