/**
 * Who wants an avatar: a session that shows it, somebody who needs all of it (a video), or nobody yet (it is drawn
 * before its first session).
 */
export const NEEDS = ['session', 'whole', 'ahead'] as const;
export type Need = (typeof NEEDS)[number];

/** @returns the more urgent of the two. */
export function moreUrgent(a: Need, b: Need): Need {
  return NEEDS.indexOf(a) < NEEDS.indexOf(b) ? a : b;
}

/** Images for a page that somebody looks at. A face in a conversation is more urgent. */
export const POSTER_URGENCY = 2;
/** Sessions do without idle loops until there is nothing else to do. */
export const LOOP_URGENCY = 5;

/**
 * Lower is more urgent. A face that a session waits for comes before the details of another one; among faces in
 * conversation, the one with the fewest details is next.
 * @param share of its patches that are drawn, 0…1; null before it can be shown.
 */
export function drawingUrgency(need: Need, share: number | null): number {
  if (need === 'session') return share === null ? 0 : 1 + Math.min(share, 0.99);
  return need === 'whole' ? 3 : 4;
}
