/**
 * The phonemes that synthesizers report: the CMU set of English plus 'ax' (the weak vowel that speech engines write
 * apart) and 'pau' for silence. Other languages are mapped to the nearest one by the shape of the mouth.
 */
export const ARPABET = [
  'pau',
  'aa',
  'ae',
  'ah',
  'ao',
  'aw',
  'ax',
  'ay',
  'eh',
  'er',
  'ey',
  'ih',
  'iy',
  'ow',
  'oy',
  'uh',
  'uw',
  'b',
  'ch',
  'd',
  'dh',
  'f',
  'g',
  'hh',
  'jh',
  'k',
  'l',
  'm',
  'n',
  'ng',
  'p',
  'r',
  's',
  'sh',
  't',
  'th',
  'v',
  'w',
  'y',
  'z',
  'zh',
] as const;
export type Arpabet = (typeof ARPABET)[number];

const known = new Set<string>(ARPABET);

/** Whether a provider's phoneme is one of ours. */
export function isArpabet(phoneme: string): phoneme is Arpabet {
  return known.has(phoneme);
}
