/** What a process holds in Redis is free again after this time, ms, if it is gone. A stall or a slow Redis is shorter. */
export const LEASE_MS = 8000;
/** Three renewals may get lost. */
export const RENEW_EVERY_MS = 2000;
/**
 * How long a reserved place waits for its session, ms. Its engine gets the request within milliseconds; a place that was
 * reserved by a node that died then is free again before anybody notices.
 */
export const RESERVATION_MS = 5000;
