/**
 * Times as text and back. The only file of actors/ that may touch `Date`: here it computes, and never reads the clock.
 * @param at ms since 1970
 */
export const isoTime = (at: number): string => new Date(at).toISOString();

/** @returns ms since 1970; NaN for anything that is no ISO 8601 time */
export const parseIsoTime = (text: string): number => Date.parse(text);
