/**
 * A draft that nobody has saved for this time is deleted: whoever comes back later begins with what is live, and not with
 * what was meant to follow something that is long gone.
 */
export const DRAFT_KEPT_MS = 60 * 86_400_000;
