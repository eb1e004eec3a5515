/** Of one account. Every list of voices is searched for each session, and the whole library of a service has hundreds. */
export const MAX_VOICES = 2_000;
/** Voices in an answer: the most that these services give. */
export const PAGE_SIZE = 100;
