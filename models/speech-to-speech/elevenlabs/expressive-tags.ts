/**
 * The tags in square brackets that voices of ElevenLabs act, and the director's cue for each. What is not listed stays text.
 * The list is that of the hosted service.
 */
const ALIASES: Readonly<Record<string, string>> = {
  happy: 'excited|happily|cheerfully|elated',
  laughter: 'laugh|laughs|laughing|laughs harder|starts laughing|chuckles|chuckling|giggles|giggling',
  warm: 'whispers|whispering|quietly',
  playful: 'sarcastic|playfully',
  curious: 'curiously|quizzical|quizzically',
  concerned: 'sigh|sighs|exhales',
  sad: 'sadly|sorrowful|tearful|crying',
  surprised: 'gasp|gasps|startled',
  angry: 'angrily|furious|intensely',
  distressed: 'nervous|fearful|scared',
};

const CUES: ReadonlyMap<string, string> = new Map([
  ...Object.entries(ALIASES).flatMap(([cue, tags]) => tags.split('|').map((tag): [string, string] => [tag, cue])),
  ...[...Object.keys(ALIASES), 'supportive'].map((cue): [string, string] => [cue, cue]),
]);

/** A cue, and where it stands in the text that is said, UTF-16 units. */
export interface TextCue {
  readonly tag: string;
  readonly at: number;
}

/** @returns what is said, and what is acted meanwhile. */
export function readExpressiveTags(text: string): { readonly said: string; readonly cues: readonly TextCue[] } {
  const cues: TextCue[] = [];
  let said = '';
  for (const piece of text.split(/(\[[^[\]]{1,64}\])/u)) {
    const tag = piece.startsWith('[') ? CUES.get(piece.slice(1, -1).trim().toLowerCase()) : undefined;
    if (tag !== undefined) cues.push({ tag, at: said.length });
    else said += said === '' || /\s$/u.test(said) ? piece.trimStart() : piece;
  }
  return { said: said.trimEnd(), cues };
}
