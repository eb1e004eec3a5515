/** What a process holds in Redis is free again after this time, ms, if it is gone. A stall or a slow Redis is shorter. */
export const LEASE_MS = 8000;
/** Three renewals may get lost. */
export const RENEW_EVERY_MS = 2000;
/**
 * How long others believe that an engine lives which does not report, ms. With the time that it then has to answer another
 * node (`PROBE_MS`), an engine may stand still for 2.3 s and keeps its sessions: a collection of garbage or a busy machine
 * takes less. A killed process is noticed at once, because its address refuses connections.
 */
export const ENGINE_LEASE_MS = 2000;
/** Four renewals may get lost. */
export const ENGINE_RENEW_EVERY_MS = 400;
/** Within this time an engine answers that lives and has not reported, ms. */
export const PROBE_MS = 700;
/**
 * The journal of a session is kept so long after the last write to it, ms. A session whose client does not come back ends
 * after 60 s; whatever was not deleted then is gone soon.
 */
export const JOURNAL_KEPT_MS = 120_000;
/**
 * Within this time somebody takes a session that has lost its engine, ms, or it ends. Public clients try for about as
 * long to come back.
 */
export const MOVE_WITHIN_MS = 15_000;
/** An engine that is to take a session does so within this time, ms, or another one is asked. It needs milliseconds. */
export const ASSIGNED_MS = 1500;
/**
 * How long a place is kept for a session that is handed over, ms: until the other engine has read its past, and the client
 * has checked its path, which it does every 2.5 s, and has come back: at most 6.3 s together (`redirect-client.ts`).
 */
export const HANDED_OVER_MS = 12_000;
/**
 * How long a reserved place waits for its session, ms. Its engine gets the request within milliseconds; a place that was
 * reserved by a node that died then is free again before anybody notices.
 */
export const RESERVATION_MS = 5000;
