/**
 * After this time without text, a sentence that seems complete is spoken: it is not kept back until more text shows its
 * end. This is longer than the gaps between the tokens of a model.
 */
export const STREAM_PAUSE_MS = 250;
