/** Mouth shapes, named by their sounds. 'rest' is the closed, relaxed mouth; 'mbp' presses the lips. */
export const VISEMES = [
  'rest',
  'mbp',
  'fv',
  'th',
  'td',
  'kg',
  'ch',
  'sz',
  'n',
  'r',
  'aa',
  'ae',
  'eh',
  'ih',
  'oh',
  'ou',
  'w',
] as const;
export type Viseme = (typeof VISEMES)[number];
