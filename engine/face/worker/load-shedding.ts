/**
 * What is given up while the machine has too little time, in this order. Sound and turn-taking never are.
 * `loops`: a face at rest shows an idle loop at once, even if one sees the change. `listeners`: faces that do not speak
 * have half the frames. `all`: every face has.
 */
export const LOAD_SHEDDING = ['none', 'loops', 'listeners', 'all'] as const;
export type LoadShedding = (typeof LOAD_SHEDDING)[number];

/** @returns how many of the 25 frames a second are sent: every one, or every second one. */
export function sheddingStep(shedding: LoadShedding, isSpeaking: boolean): 1 | 2 {
  return shedding === 'all' || (shedding === 'listeners' && !isSpeaking) ? 2 : 1;
}
