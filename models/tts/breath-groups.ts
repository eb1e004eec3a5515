/** Characters: two or three words. Shorter pieces sound chopped. */
const SHORTEST = 12;
/** Characters: a first piece that is longer, some 2 s of speech, is cut between words when somebody waits for it. */
const LONGEST_FIRST = 32;
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
    if (group.trim().length < SHORTEST || !endsInBreath(group)) continue;
    groups.push(group);
    group = '';
  }
  if (group.trim().length >= SHORTEST || (group !== '' && groups.length === 0)) groups.push(group);
  else if (group !== '') groups.push(`${groups.pop()}${group}`);
  return groups;
}

/** @returns whether a piece ends where somebody would breathe, so that a pause may follow. */
export function endsInBreath(piece: string): boolean {
  return /[,;:.!?…–—]["'”’)\]]*\s*$/u.test(piece);
}

/**
 * The same, with few words at first: the model makes a piece as a whole, and somebody waits for the first sound. A long
 * first piece is cut before a word that begins a part of the sentence, else after some words.
 */
export function wordsFirst(text: string): string[] {
  const [first = '', ...rest] = breathGroups(text);
  if (first.trim().length <= LONGEST_FIRST) return first === '' ? rest : [first, ...rest];
  let at = 0;
  let cut = 0;
  for (const part of first.match(/\S+\s*|^\s+/gu) ?? []) {
    const isRoomy = at >= SHORTEST && first.length - at >= SHORTEST;
    if (isRoomy && at <= LONGEST_FIRST) {
      if (BEGINNINGS.test(part.trim())) return [first.slice(0, at), first.slice(at), ...rest];
      if (cut === 0) cut = at;
    }
    at += part.length;
  }
  return cut === 0 ? [first, ...rest] : [first.slice(0, cut), first.slice(cut), ...rest];
}
