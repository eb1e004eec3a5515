/** Characters: two or three words. Shorter pieces sound chopped. */
const MIN_CHARACTERS = 12;
/** Characters: a first piece that is longer, some 2 s of speech, is cut between words when somebody waits for it. */
const MAX_FIRST_CHARACTERS = 32;
/** Characters: some 4 s of speech. With half of a core they are made while a first piece of 0.8 s is heard. */
const MAX_SECOND_CHARACTERS = 56;
/** Words that begin a part of a sentence: before them is the best place for a cut without a comma. */
const BEGINNINGS =
  /^(?:and|or|but|that|which|who|when|where|while|because|if|so|to|of|in|on|at|for|with|from|by|about|as|than)$/i;

/**
 * Cuts a sentence into breath groups: after a comma, colon, semicolon, dash or the end of a sentence. A neural voice
 * makes a piece as a whole. So the first words are heard as soon as the first piece is ready, and later pieces can
 * still be canceled.
 * @returns pieces that together are the text; each begins with a word.
 */
export function breathGroups(text: string): string[] {
  const groups: string[] = [];
  let group = '';
  for (const part of text.match(/\S+\s*|^\s+/gu) ?? []) {
    group += part;
    if (group.trim().length < MIN_CHARACTERS || !endsInBreath(group)) continue;
    groups.push(group);
    group = '';
  }
  if (group.trim().length >= MIN_CHARACTERS || (group !== '' && groups.length === 0)) groups.push(group);
  else if (group !== '') groups.push(`${groups.pop()}${group}`);
  return groups;
}

/** @returns whether a piece ends where somebody would breathe, so that a pause may follow. */
export function endsInBreath(piece: string): boolean {
  return /[,;:.!?…–—]["'”’)\]]*\s*$/u.test(piece);
}

/**
 * The same, with few words at first: the model makes a piece as a whole, and somebody waits for the first sound. A long
 * first piece is cut before a word that begins a part of the sentence, else after some words. What follows is made while
 * these few words are heard, so it is cut too if it is long: as late as it may, because each cut is heard a little.
 */
export function splitForFirstSound(text: string): string[] {
  const [first = '', ...rest] = breathGroups(text);
  if (first.trim().length <= MAX_FIRST_CHARACTERS) return first === '' ? rest : [first, ...rest];
  const at = cuts(first, MAX_FIRST_CHARACTERS)[0];
  if (at === undefined) return [first, ...rest];
  const second = first.slice(at);
  const next = second.trim().length <= MAX_SECOND_CHARACTERS ? undefined : cuts(second, MAX_SECOND_CHARACTERS).at(-1);
  const pieces = next === undefined ? [second] : [second.slice(0, next), second.slice(next)];
  return [first.slice(0, at), ...pieces, ...rest];
}

/** @returns where a piece may be cut so that its beginning is no longer: before such words, else before any. */
function cuts(piece: string, longest: number): readonly number[] {
  const places: { readonly at: number; readonly isGood: boolean }[] = [];
  let at = 0;
  for (const part of piece.match(/\S+\s*|^\s+/gu) ?? []) {
    const isRoomy = at >= MIN_CHARACTERS && piece.length - at >= MIN_CHARACTERS && at <= longest;
    if (isRoomy) places.push({ at, isGood: BEGINNINGS.test(part.trim()) });
    at += part.length;
  }
  const good = places.filter(({ isGood }) => isGood);
  return (good.length > 0 ? good : places).map((place) => place.at);
}
